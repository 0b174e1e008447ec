"""The evaluators of contract 5, one a file: the file name is the id."""
