"""Pairs that people judged: collected from a run, and what calibrations are fitted on."""
