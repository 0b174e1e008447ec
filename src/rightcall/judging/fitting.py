"""Fits a calibration on labels, and says how good probabilities are: scores, intervals, a threshold."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from .calibration import AS_IT_IS, Calibration, Method, logit

__all__ = [
    "ENOUGH_PLATT",
    "ENOUGH_TEMPERATURE",
    "FEWEST",
    "Bin",
    "Label",
    "Quality",
    "fitted",
    "folded",
    "method_of",
    "quality",
    "threshold",
    "too_few",
]

ENOUGH_PLATT: Final = 200
ENOUGH_TEMPERATURE: Final = 50
FEWEST: Final = 20
"""Labels from which on intervals and a threshold are given: of fewer, a lucky draw looks perfect."""
_RIDGE: Final = 1e-3
_ROUNDS: Final = 50
BINS: Final = 10
_DRAWS: Final = 1000
FOLDS: Final = 5


class Label(Struct, frozen=True):
    """A pair that a person judged: what both stages say, and whether it is equivalent."""

    local: float
    remote: float
    equivalent: bool


class Bin(Struct, frozen=True, kw_only=True):
    """Pairs whose probability lies in one tenth: their number, mean probability and share of equivalent ones."""

    low: float
    high: float
    count: int
    predicted: float
    observed: float


class Quality(Struct, frozen=True, kw_only=True):
    """How good probabilities are on labels; each figure with its 95 % bootstrap interval.

    The ends of an interval are NaN (null in JSON) where :func:`too_few` says that the labels show nothing.
    """

    brier: tuple[float, float, float]
    log_loss: tuple[float, float, float]
    ece: tuple[float, float, float]
    bins: tuple[Bin, ...]


def method_of(labels: Sequence[Label]) -> Method:
    """What so many labels allow: a line from 200 on, a temperature from 50 on, nothing where one kind is absent."""
    positives = sum(label.equivalent for label in labels)
    if len(labels) < ENOUGH_TEMPERATURE or positives in (0, len(labels)):
        return "none"
    return "temperature" if len(labels) < ENOUGH_PLATT else "platt"


def fitted(
    labels: Sequence[Label], *, backend: str, model: str, prompt: str, method: Method | None = None
) -> Calibration:
    """The calibration that so many labels allow.

    Platt's line uses his targets, (n+ + 1)/(n+ + 2) and 1/(n- + 2), so that separable labels give no infinite slope.

    Args:
        method: what is fitted, whatever the number of labels; :func:`method_of` them unless given.
    """
    positives = sum(label.equivalent for label in labels)
    made = replace(
        AS_IT_IS,
        backend=backend,
        model=model,
        prompt=prompt,
        method=method or method_of(labels),
        labels=len(labels),
        positives=positives,
    )
    if made.method == "none":
        return made
    if made.method == "temperature":
        return replace(made, w_remote=_temperature(labels), base=0.5)
    w0, w_local, w_remote = _platt(labels, positives)
    return replace(made, w0=w0, w_local=w_local, w_remote=w_remote, base=positives / len(labels))


def _platt(labels: Sequence[Label], positives: int) -> tuple[float, float, float]:
    """Logistic regression by Newton's method, with a small ridge on the slopes."""
    high, low = (positives + 1) / (positives + 2), 1 / (len(labels) - positives + 2)
    rows = [(1.0, logit(each.local), logit(each.remote)) for each in labels]
    targets = [high if each.equivalent else low for each in labels]
    weights = [0.0, 0.0, 1.0]
    for _ in range(_ROUNDS):
        gradient = [0.0, _RIDGE * weights[1], _RIDGE * weights[2]]
        hessian = [[1e-9, 0.0, 0.0], [0.0, _RIDGE, 0.0], [0.0, 0.0, _RIDGE]]
        for row, target in zip(rows, targets, strict=True):
            value = sum(weight * each for weight, each in zip(weights, row, strict=True))
            chance = 1 / (1 + math.exp(-max(min(value, 35.0), -35.0)))
            for i in range(3):
                gradient[i] += (chance - target) * row[i]
                for j in range(3):
                    hessian[i][j] += chance * (1 - chance) * row[i] * row[j]
        step = _solved(hessian, gradient)
        longest = max(map(abs, step))
        scale = 1.0 if longest <= 2 else 2 / longest  # far from the optimum a whole step may overshoot
        weights = [weight - scale * each for weight, each in zip(weights, step, strict=True)]
        if longest < 1e-9:
            break
    return weights[0], weights[1], weights[2]


def _solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    """The solution of three linear equations, by elimination with pivots."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for column in range(size):
        pivot = max(range(column, size), key=lambda row: abs(rows[row][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for row in range(size):
            if row != column:
                factor = rows[row][column] / rows[column][column]
                rows[row] = [a - factor * b for a, b in zip(rows[row], rows[column], strict=True)]
    return [rows[row][size] / rows[row][row] for row in range(size)]


def _temperature(labels: Sequence[Label]) -> float:
    """The slope of the smallest log loss, by golden section on its logarithm."""

    def loss(log_slope: float) -> float:
        slope = math.exp(log_slope)
        return sum(_softplus(-slope * logit(x.remote) * (1 if x.equivalent else -1)) for x in labels)

    low, high, golden = math.log(0.05), math.log(5.0), (math.sqrt(5) - 1) / 2
    for _ in range(60):
        left, right = high - golden * (high - low), low + golden * (high - low)
        low, high = (low, right) if loss(left) < loss(right) else (left, high)
    return math.exp((low + high) / 2)


def _softplus(value: float) -> float:
    return value + math.log1p(math.exp(-value)) if value > 0 else math.log1p(math.exp(value))


def folded(labels: Sequence[Label], *, seed: int = 0) -> list[float]:
    """The probability of each label by a calibration that was fitted without it (five folds).

    Every fold fits by the method of all labels, or the figures would be those of another fit. The folds share out
    both kinds of labels alike, so that a rare kind is in every fit if it can be.
    """
    method = method_of(labels)
    order = list(range(len(labels)))
    random.Random(seed).shuffle(order)  # noqa: S311 - seeded, no secret
    order.sort(key=lambda place: labels[place].equivalent)
    found = [0.0] * len(labels)
    for fold in range(FOLDS):
        out = set(order[fold::FOLDS])
        rest = [label for place, label in enumerate(labels) if place not in out]
        made = fitted(rest, backend="", model="", prompt="", method=method)
        for place in out:
            found[place] = made.blend(labels[place].local, labels[place].remote)
    return found


def too_few(truths: Sequence[bool]) -> str | None:
    """Why labels show nothing about how good probabilities are; None where they show something.

    A bootstrap of few labels, or of one kind of them, gives an interval without width, and any threshold looks perfect.
    """
    if len(truths) < FEWEST:
        count = f"{len(truths)} label" if len(truths) == 1 else f"{len(truths)} labels"
        return f"{count}: from {FEWEST} on, of both kinds, intervals and a threshold are given"
    if sum(truths) in (0, len(truths)):
        kind = "equivalent" if truths[0] else "not equivalent"
        return f"all {len(truths)} labels are {kind}: only labels of both kinds show what a threshold lets through"
    return None


def quality(probabilities: Sequence[float], truths: Sequence[bool], *, seed: int = 0) -> Quality:
    """How good probabilities are on labels."""
    pairs = list(zip(probabilities, truths, strict=True))
    draw = random.Random(seed)  # noqa: S311 - seeded, no secret
    shown = too_few(truths) is None
    samples = [draw.choices(pairs, k=len(pairs)) for _ in range(_DRAWS)] if shown else []

    def with_interval(measure: Callable[[Sequence[tuple[float, bool]]], float]) -> tuple[float, float, float]:
        drawn = sorted(map(measure, samples)) or [math.nan]
        low, high = drawn[int(0.025 * (len(drawn) - 1))], drawn[math.ceil(0.975 * (len(drawn) - 1))]
        return measure(pairs), low, high

    return Quality(
        brier=with_interval(_brier),
        log_loss=with_interval(_log_loss),
        ece=with_interval(_ece),
        bins=tuple(_bins(pairs)),
    )


def _brier(pairs: Sequence[tuple[float, bool]]) -> float:
    return sum((chance - truth) ** 2 for chance, truth in pairs) / len(pairs)


def _log_loss(pairs: Sequence[tuple[float, bool]]) -> float:
    inside = ((min(max(chance, 1e-6), 1 - 1e-6), truth) for chance, truth in pairs)
    return -sum(math.log(chance if truth else 1 - chance) for chance, truth in inside) / len(pairs)


def _ece(pairs: Sequence[tuple[float, bool]]) -> float:
    """Expected calibration error over ten bins of equal width."""
    return sum(each.count * abs(each.predicted - each.observed) for each in _bins(pairs)) / len(pairs)


def _bins(pairs: Sequence[tuple[float, bool]]) -> list[Bin]:
    held: dict[int, list[tuple[float, bool]]] = {}
    for pair in pairs:
        held.setdefault(min(int(pair[0] * BINS), BINS - 1), []).append(pair)
    return [
        Bin(
            low=place / BINS,
            high=(place + 1) / BINS,
            count=len(found),
            predicted=sum(chance for chance, _ in found) / len(found),
            observed=sum(truth for _, truth in found) / len(found),
        )
        for place, found in sorted(held.items())
    ]


def threshold(
    probabilities: Sequence[float], truths: Sequence[bool], precision: float
) -> tuple[float, float, float] | None:
    """The lowest threshold at which enough of what is accepted is equivalent, with its precision and recall.

    None where no threshold reaches it.
    """
    order = sorted(zip(probabilities, truths, strict=True), key=lambda pair: -pair[0])
    total = sum(truths)
    best: tuple[float, float, float] | None = None
    right = 0
    for place, (chance, truth) in enumerate(order):
        right += truth
        last = place + 1 == len(order) or order[place + 1][0] < chance  # equal ones are accepted together
        if last and right / (place + 1) >= precision and right:
            best = (chance, right / (place + 1), right / total)
    return best
