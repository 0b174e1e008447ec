"""The regression: a dot product with the coefficients of ``coefficients.json``, fitted by `training.py`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Final

import msgspec
from msgspec import Struct

from .features import NAMES

__all__ = ["Coefficients", "coefficients", "probability"]

LEAST: Final = 0.002
"""No likeness makes anything surer than this."""


class Coefficients(Struct, frozen=True):
    """The weights, with what is known about how they came about.

    Attributes:
        version: counted up with every fit that ships.
        bias: added to the sum.
        weights: by name of the feature.
        report: what they were fitted on, and how well they fit.
        notice: whose data they rest on.
    """

    version: int
    bias: float
    weights: dict[str, float]
    report: dict[str, str | int | float]
    notice: str = ""


@cache
def coefficients() -> Coefficients:
    """Those that ship."""
    raw = files(__package__).joinpath("coefficients.json").read_bytes()
    return msgspec.json.decode(raw, type=Coefficients)


@cache
def _row() -> tuple[float, tuple[float, ...]]:
    found = coefficients()
    return found.bias, tuple(found.weights.get(name, 0.0) for name in NAMES)


def probability(numbers: Sequence[float]) -> float:
    """What the regression says about a pair's features."""
    bias, weights = _row()
    total = bias + sum(map(float.__mul__, numbers, weights))
    return min(max(1.0 / (1.0 + math.exp(-max(min(total, 30.0), -30.0))), LEAST), 1.0 - LEAST)
