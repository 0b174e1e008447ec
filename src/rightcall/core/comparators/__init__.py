"""The matchers of contract 6, one file each: an expected value that says which values are fine."""
