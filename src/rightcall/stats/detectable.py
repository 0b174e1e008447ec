"""The smallest difference that a comparison of so many pairs could have shown, with a power of 80 %.

"No difference shown" says little without it: ten cases show nothing smaller than a landslide.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Final

POWER: Final = 0.8


def detectable_mean(error: float, *, alpha: float = 0.05, power: float = POWER) -> float:
    """(z(1 - alpha / 2) + z(power)) * error: the smallest change of a mean that a two-sided test shows.

    Args:
        error: the standard error of the mean difference.
        alpha: of the test; divide it by the number of tests where Holm is used, for the strictest step.
        power: the chance to show it.
    """
    normal = NormalDist()
    return (normal.inv_cdf(1.0 - alpha / 2.0) + normal.inv_cdf(power)) * error


def detectable_pass_rate(
    pairs: int, changed: int, *, alpha: float = 0.05, power: float = POWER
) -> float | None:
    """The smallest change of a pass rate that the one-sided exact McNemar test shows; None if none would.

    Solves, for the difference d, the sample size formula of R. J. Connor, "Sample size for testing differences in
    proportions for the paired-sample design", Biometrics 43 (1987) 207-211:

        pairs = ((z(1 - alpha) * sqrt(s) + z(power) * sqrt(s - d^2)) / d)^2

    where s is the share of pairs whose verdict changes: as observed, and d where that is more, since a rate
    can't fall by more than what changes. Since the test is exact it also needs log2(1 / alpha) lost passes at
    the least, so d is never smaller than that many of the pairs.

    Args:
        pairs: with a verdict in both runs.
        changed: those whose verdict changed.
        alpha: of the one-sided test; divide it by the number of tests where Holm is used.
        power: the chance to show it.
    """
    if not 0 <= changed <= pairs:
        raise ValueError(f"changed pairs must be in 0..pairs, got {changed} of {pairs}")
    if not pairs:
        return None
    normal = NormalDist()
    z_test, z_power = normal.inv_cdf(1.0 - alpha), normal.inv_cdf(power)

    def shows(d: float) -> bool:
        share = max(changed / pairs, d)
        spread = z_test * math.sqrt(share) + z_power * math.sqrt(max(0.0, share - d * d))
        return math.sqrt(pairs) * d >= spread

    least = math.ceil(math.log2(1.0 / alpha)) / pairs
    if least > 1.0 or not shows(1.0):
        return None
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2.0
        low, high = (low, middle) if shows(middle) else (middle, high)
    return max(high, least)
