"""Floor 3: from files to results. Reads, plans, scores, adds up, and writes a run directory."""
