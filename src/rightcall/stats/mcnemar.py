"""The exact McNemar test: did more cases lose their pass than win one?

Source: Q. McNemar, "Note on the sampling error of the difference between correlated proportions or percentages",
Psychometrika 12 (1947) 153-157; in its exact form, the binomial test of the pairs whose verdict changed.
"""

import math
from typing import Final

import msgspec

_PRECISION: Final = 2**70
"""Terms smaller than the sum by this factor, and all after them, are left out: far below a double's last bit."""


class McNemar(msgspec.Struct, frozen=True, kw_only=True):
    """The chances of what was seen, or worse, if losing and winning a pass were equally likely.

    Attributes:
        two_sided: 1 where nothing changed.
        regression: of so many lost passes or more.
        improvement: of so many won passes or more.
    """

    two_sided: float
    regression: float
    improvement: float


def mcnemar(lost: int, won: int) -> McNemar:
    """The exact test of the pairs whose verdict changed.

    Args:
        lost: pairs that passed before and do not pass now.
        won: pairs that did not pass before and pass now.

    Raises:
        ValueError: a number is negative.
    """
    if lost < 0 or won < 0:
        raise ValueError(f"numbers of pairs can't be negative: {lost}, {won}")
    regression, improvement = upper_tail(lost, lost + won), upper_tail(won, lost + won)
    return McNemar(
        two_sided=min(1.0, 2.0 * min(regression, improvement)), regression=regression, improvement=improvement
    )


def upper_tail(k: int, n: int) -> float:
    """The chance that n fair coins show k heads or more, from whole numbers, rounded once."""
    if 2 * k <= n:
        # The tail on this side is the long one; the other is short and is summed fast.
        return 1.0 - upper_tail(n - k + 1, n) if k > 0 else 1.0
    term = total = math.comb(n, k)
    while k < n and term * _PRECISION > total:
        term = term * (n - k) // (k + 1)
        total += term
        k += 1
    return total / (1 << n) if k <= n else 0.0
