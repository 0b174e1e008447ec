"""How good probabilities are: ranking, calibration, and how sure that is. Each function takes chances and labels."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Figure = Callable[[Numbers, Numbers], float]
BINS = 10
SAMPLES = 1000
LEAST = 1e-6


def auc(chances: Numbers, labels: Numbers) -> float:
    """Area under the ROC curve, ties counted half."""
    values, places = np.unique(chances, return_inverse=True)
    counts = np.bincount(places, minlength=len(values))
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[places]
    positive = labels.sum()
    return float(
        (ranks[labels == 1].sum() - positive * (positive + 1) / 2) / (positive * (len(labels) - positive))
    )


def average_precision(chances: Numbers, labels: Numbers) -> float:
    """Mean precision over the steps of recall, equal chances taken together."""
    order = np.argsort(-chances, kind="stable")
    sorted_chances, hits = chances[order], np.cumsum(labels[order])
    last = np.append(sorted_chances[1:] != sorted_chances[:-1], True)
    precision, recall = hits[last] / (np.flatnonzero(last) + 1), hits[last] / labels.sum()
    return float((np.diff(recall, prepend=0.0) * precision).sum())


def brier(chances: Numbers, labels: Numbers) -> float:
    """Mean squared distance."""
    return float(((chances - labels) ** 2).mean())


def log_loss(chances: Numbers, labels: Numbers) -> float:
    """Mean negative logarithm of the chance of what was true."""
    sure = np.clip(chances, LEAST, 1 - LEAST)
    return float(-(labels * np.log(sure) + (1 - labels) * np.log(1 - sure)).mean())


def ece(chances: Numbers, labels: Numbers) -> float:
    """Expected calibration error in ten bins of equal width."""
    return float(sum(abs(row[1] - row[2]) * row[0] for row in reliability(chances, labels)) / len(labels))


def reliability(chances: Numbers, labels: Numbers) -> list[tuple[int, float, float]]:
    """For each bin that is not empty: pairs, mean chance, share that is equivalent."""
    bins = np.minimum((chances * BINS).astype(int), BINS - 1)
    return [
        (int(inside.sum()), float(chances[inside].mean()), float(labels[inside].mean()))
        for place in range(BINS)
        if (inside := bins == place).any()
    ]


def interval(figure: Figure, chances: Numbers, labels: Numbers, groups: Sequence[str]) -> tuple[float, float]:
    """95 % by a bootstrap that draws tools, since the pairs of one tool are alike."""
    rng = np.random.default_rng(20261130)
    members: dict[str, list[int]] = {}
    for place, group in enumerate(groups):
        members.setdefault(group, []).append(place)
    blocks = [np.array(each) for each in members.values()]
    found = []
    for _ in range(SAMPLES):
        drawn = np.concatenate([blocks[each] for each in rng.integers(0, len(blocks), len(blocks))])
        if 0 < labels[drawn].sum() < len(drawn):
            found.append(figure(chances[drawn], labels[drawn]))
    low, high = np.percentile(found, [2.5, 97.5])
    return float(low), float(high)


def share_interval(hits: int, of: int) -> tuple[float, float]:
    """Wilson's interval of a share, 95 %."""
    if not of:
        return 0.0, 1.0
    z, share = 1.959964, hits / of
    middle, spread = share + z * z / (2 * of), z * np.sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    return float((middle - spread) / (1 + z * z / of)), float((middle + spread) / (1 + z * z / of))
