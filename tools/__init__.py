"""Measures: deterministic, offline, no model. Read `types` first, then the steps in the order of the flow."""
