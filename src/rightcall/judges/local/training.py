"""Fits the regression to labelled pairs: Newton's method with a penalty on large weights. Standard library only."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct

from .features import NAMES, features
from .regression import Coefficients
from .texts import seen
from .values import judge_values
from .verdict import About, Verdict

__all__ = ["Labelled", "fit", "rows_for"]

SEEN_BY_FEATURES: Final = frozenset({"features", "kind", "around", "joined"})
"""Who answers where the features are seen: the regression, or a rule about what one text has more."""

_STEPS: Final = 40
_ENOUGH: Final = 1e-9


class Labelled(Struct, frozen=True):
    """Two values of an argument, and whether somebody said that they mean the same."""

    a: Any
    b: Any
    about: About
    equivalent: bool
    weight: float = 1.0


def rows_for(pairs: Sequence[Labelled]) -> tuple[list[list[float]], list[bool], list[float]]:
    """Features, labels and weights of those pairs that neither a parser nor a guard decides.

    Parsers are asked as in use, so the regression learns about what is left to it and nothing else.
    """
    rows: list[list[float]] = []
    labels: list[bool] = []
    weights: list[float] = []
    for pair in pairs:
        if not isinstance(pair.a, str) or not isinstance(pair.b, str):
            continue
        a, b = sorted((pair.a, pair.b), key=lambda text: text.encode(errors="surrogatepass"))
        if judge_values(a, b, pair.about).by not in SEEN_BY_FEATURES:
            continue
        found = seen(a, b, pair.about)
        if isinstance(found, Verdict):
            continue
        rows.append(features(a, b, *found, pair.about))
        labels.append(pair.equivalent)
        weights.append(pair.weight)
    return rows, labels, weights


def fit(
    rows: Sequence[Sequence[float]],
    labels: Sequence[bool],
    weights: Sequence[float],
    *,
    penalty: float = 1.0,
    version: int = 1,
    report: dict[str, str | int | float] | None = None,
    notice: str = "",
) -> Coefficients:
    """Coefficients of the greatest penalised likelihood.

    Args:
        rows: features in the order of their names.
        labels: whether each pair is equivalent.
        weights: how often each counts.
        penalty: half of it times the squared weights is taken off the likelihood; the bias is free.
        version: of the file.
        report: what is told about the fit.
        notice: whose data they rest on.
    """
    size = len(NAMES) + 1
    full = [[1.0, *row] for row in rows]
    sparse = [[(place, value) for place, value in enumerate(row) if value] for row in full]
    beta = [0.0] * size
    for _ in range(_STEPS):
        gradient = [0.0] + [-penalty * value for value in beta[1:]]
        hessian = [[penalty if i == j and i else 0.0 for j in range(size)] for i in range(size)]
        hessian[0][0] = 1e-6
        for row, label, weight in zip(sparse, labels, weights, strict=True):
            total = sum(beta[place] * value for place, value in row)
            chance = 1.0 / (1.0 + math.exp(-max(min(total, 30.0), -30.0)))
            miss, curve = weight * (label - chance), weight * chance * (1.0 - chance)
            for place, value in row:
                gradient[place] += miss * value
                line, scaled = hessian[place], curve * value
                for other, second in row:
                    line[other] += scaled * second
        step = _solved(hessian, gradient)
        beta = [value + change for value, change in zip(beta, step, strict=True)]
        if max(map(abs, step)) < _ENOUGH:
            break
    return Coefficients(
        version=version,
        bias=round(beta[0], 6),
        weights={name: round(value, 6) for name, value in zip(NAMES, beta[1:], strict=True)},
        report=report or {},
        notice=notice,
    )


def _solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    """The solution of a symmetric positive system (Gauss with pivots)."""
    size = len(right)
    rows = [[*line, value] for line, value in zip(matrix, right, strict=True)]
    for column in range(size):
        pivot = max(range(column, size), key=lambda place: abs(rows[place][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for below in range(column + 1, size):
            factor = rows[below][column] / rows[column][column]
            if factor:
                for place in range(column, size + 1):
                    rows[below][place] -= factor * rows[column][place]
    found = [0.0] * size
    for column in reversed(range(size)):
        total = rows[column][size] - sum(
            rows[column][place] * found[place] for place in range(column + 1, size)
        )
        found[column] = total / rows[column][column]
    return found
