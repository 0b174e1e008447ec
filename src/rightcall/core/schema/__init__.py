"""What the schemas of tools say: which tools there are, their defaults, and how much a check may cost."""
