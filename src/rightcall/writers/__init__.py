"""Floor 2: a Trace -> the document of another tool, one file per form; what a form can't hold is told, never lost."""
