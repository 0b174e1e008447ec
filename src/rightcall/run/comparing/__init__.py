"""Runs and rules side by side: what differs, and how sure that is."""
