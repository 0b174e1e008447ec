"""A mean that is normally distributed: its interval, and how surely it lies on one side of a limit."""

from statistics import NormalDist

import msgspec

from rightcall.stats.bootstrap import LEVEL


class Normal(msgspec.Struct, frozen=True, kw_only=True):
    """A mean with its standard error, which is above 0."""

    mean: float
    error: float

    def interval(self, level: float = LEVEL) -> tuple[float, float]:
        """The ends (low, high)."""
        half = NormalDist().inv_cdf((1.0 + level) / 2.0) * self.error
        return self.mean - half, self.mean + half

    def p_below(self, limit: float) -> float:
        """The smallest 1 - level at which the whole interval lies below `limit`."""
        return min(1.0, 2.0 * NormalDist().cdf((self.mean - limit) / self.error))

    def p_above(self, limit: float) -> float:
        """The smallest 1 - level at which the whole interval lies above `limit`."""
        return min(1.0, 2.0 * NormalDist().cdf((limit - self.mean) / self.error))
