"""Words: Markdown templates for the models. None is needed by the offline policy."""
