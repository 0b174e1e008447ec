"""pass@k and pass^k of repeated trials, as exact rationals.

pass@k: does at least one of k trials pass? pass^k: do all k? Both are unbiased estimates from n >= k trials.
Sources: Chen et al., "Evaluating large language models trained on code" (2021), for pass@k; Yao et al.,
"tau-bench" (2024), for pass^k.
"""

import math
from collections.abc import Callable, Mapping
from fractions import Fraction


def pass_at_k(n: int, c: int, k: int) -> Fraction | None:
    """1 - C(n-c, k) / C(n, k): the chance that k of the n trials hold a passed one; None when n < k.

    Args:
        n: Trials of one case.
        c: Passed trials among them.
        k: How many trials are looked at, 1 or more.

    Raises:
        ValueError: `c` is outside 0..n, or `k` is below 1.
    """
    _check(n, c, k)
    return None if n < k else 1 - Fraction(math.comb(n - c, k), math.comb(n, k))


def pass_hat_k(n: int, c: int, k: int) -> Fraction | None:
    """C(c, k) / C(n, k): the chance that k of the n trials all passed; None when n < k.

    Arguments and errors are those of `pass_at_k`.
    """
    _check(n, c, k)
    return None if n < k else Fraction(math.comb(c, k), math.comb(n, k))


def mean_over_cases(
    groups: Mapping[tuple[int, int], int],
    k: int,
    *,
    measure: Callable[[int, int, int], Fraction | None] = pass_at_k,
) -> tuple[float | None, int]:
    """The mean of `measure` over the cases with at least k trials, and how many cases those are.

    Cases with fewer trials are left out, not counted as 0; with none left the mean is None. The sum is
    exact and rounded once, so the order and the splitting of `groups` cannot show.

    Args:
        groups: (n trials, c passed) of a case to the number of cases like it.
        k: How many trials are looked at, 1 or more.
        measure: `pass_at_k` or `pass_hat_k`.

    Raises:
        ValueError: a number of cases is negative, some c is outside 0..n, or `k` is below 1.
    """
    total, cases = Fraction(0), 0
    for (n, c), count in groups.items():
        if count < 0:
            raise ValueError(f"the number of cases with {c} of {n} passed is negative: {count}")
        value = measure(n, c, k)
        if value is not None:
            total += value * count
            cases += count
    return (float(total / cases) if cases else None), cases


def _check(n: int, c: int, k: int) -> None:
    if not 0 <= c <= n:
        raise ValueError(f"passed trials must be in 0..n, got {c} of {n}")
    if k < 1:
        raise ValueError(f"k must be 1 or more, got {k}")
