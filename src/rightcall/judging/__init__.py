"""The machinery around any remote judge: what travels, how it is sent, kept, paid for, calibrated and blended."""
