"""What many cases add up to: exact sums, the tally, the summary, and two runs side by side."""
