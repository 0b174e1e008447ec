"""Holm's correction: several tests at once, and a chance of at most 5 % that any of them cries wolf.

Source: S. Holm, "A simple sequentially rejective multiple test procedure", Scand. J. Statist. 6 (1979) 65-70.
"""

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """The adjusted p-values, in the order given: each is below 0.05 where Holm's procedure rejects at 5 %.

    Raises:
        ValueError: one is no probability.
    """
    if not all(0.0 <= p <= 1.0 for p in p_values):
        raise ValueError("a p-value is in 0..1")
    adjusted = [1.0] * len(p_values)
    highest = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = highest
    return adjusted
