"""The directory of a run: written while it goes on, gone on with, read back."""
