"""Judges in a run: which is asked, about what, and whether it can be trusted to answer."""
