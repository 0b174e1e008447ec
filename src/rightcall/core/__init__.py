"""Floor 1: comparing, aligning and explaining calls. Standard library and msgspec only; no IO, no clock."""
