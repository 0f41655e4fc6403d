"""Judges: metrics and the bench. Nothing here is ever shown to a reader of figures."""
