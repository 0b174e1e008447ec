"""Golden sets: made from a good recording, looked through, corrected."""
