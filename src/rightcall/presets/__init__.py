"""Other tools' rules: one file per tool; the file name is the id."""
