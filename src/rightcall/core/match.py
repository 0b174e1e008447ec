"""Matching without knowledge of calls: the largest one-to-one pairing, and the one of the greatest total."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["best_assignment", "maximum_matching"]


def maximum_matching(edges: Sequence[Sequence[int]], right: int) -> dict[int, int]:
    """A largest matching of a bipartite graph (Hopcroft and Karp), left index to right index.

    Args:
        edges: for each left node the right nodes it may be paired with, in order of preference.
        right: number of right nodes.

    The result depends on the order of nodes only where several largest matchings exist.
    """
    left_of: list[int] = [-1] * right
    right_of: list[int] = [-1] * len(edges)
    for node, targets in enumerate(edges):  # A first-fit start leaves little to augment.
        for target in targets:
            if left_of[target] < 0:
                left_of[target], right_of[node] = node, target
                break
    while True:
        layers = _layers(edges, left_of, right_of)
        if layers is None:
            break
        for node in range(len(edges)):
            if right_of[node] < 0:
                _augment(node, edges, left_of, right_of, layers)
    return {node: target for node, target in enumerate(right_of) if target >= 0}


def _layers(edges: Sequence[Sequence[int]], left_of: list[int], right_of: list[int]) -> list[int] | None:
    """Breadth-first distance of each left node from the free ones; None when no free right node is reached."""
    distance = [0 if target < 0 else -1 for target in right_of]
    queue = [node for node, target in enumerate(right_of) if target < 0]
    reached = False
    for node in queue:
        for target in edges[node]:
            owner = left_of[target]
            if owner < 0:
                reached = True
            elif distance[owner] < 0:
                distance[owner] = distance[node] + 1
                queue.append(owner)
    return distance if reached else None


def _augment(
    root: int, edges: Sequence[Sequence[int]], left_of: list[int], right_of: list[int], layers: list[int]
) -> bool:
    """Flip one shortest alternating path from `root`. A stack, since paths can be thousands of nodes long."""
    path: list[tuple[int, int]] = []
    pending = [(root, iter(edges[root]))]
    while pending:
        node, targets = pending[-1]
        for target in targets:
            owner = left_of[target]
            if owner < 0:
                path.append((node, target))
                for left, right in path:
                    left_of[right], right_of[left] = left, right
                return True
            if layers[owner] == layers[node] + 1:
                path.append((node, target))
                pending.append((owner, iter(edges[owner])))
                break
        else:
            layers[node] = -2  # No way on from here in this phase.
            pending.pop()
            if path:
                path.pop()
    return False


def best_assignment(weights: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """The one-to-one assignment of the greatest total (Jonker and Volgenant's shortest augmenting paths).

    Args:
        weights: rows by columns, whole numbers from 0. The smaller side is assigned completely.

    Returns:
        (row, column) pairs, ordered by row. O(n²·m) additions.
    """
    if not weights or not weights[0]:
        return []
    if len(weights) > len(weights[0]):
        turned = best_assignment([list(column) for column in zip(*weights, strict=True)])
        return sorted((row, column) for column, row in turned)
    rows, columns = len(weights), len(weights[0])
    row_price: list[int] = [0] * (rows + 1)
    column_price: list[int] = [0] * (columns + 1)
    owner = [0] * (columns + 1)  # 1-based row that holds a column; 0 is the virtual start.
    for row in range(1, rows + 1):
        owner[0] = row
        previous = _shortest_path(weights, row_price, column_price, owner)
        column = previous.pop()
        while column:
            owner[column] = owner[previous[column]]
            column = previous[column]
    return sorted((owner[column] - 1, column - 1) for column in range(1, columns + 1) if owner[column])


def _shortest_path(
    weights: Sequence[Sequence[int]],
    row_price: list[int],
    column_price: list[int],
    owner: list[int],
) -> list[int]:
    """Grow a shortest augmenting path from column 0; returns predecessors, and last the free column reached."""
    columns = len(column_price) - 1
    shortest: list[int | None] = [None] * (columns + 1)
    previous = [0] * (columns + 1)
    used = [False] * (columns + 1)
    column = 0
    while True:
        used[column] = True
        row, delta, following = owner[column], None, 0
        for candidate in range(1, columns + 1):
            if used[candidate]:
                continue
            reduced = -weights[row - 1][candidate - 1] - row_price[row] - column_price[candidate]
            best = shortest[candidate]
            if best is None or reduced < best:
                shortest[candidate], previous[candidate] = reduced, column
                best = reduced
            if delta is None or best < delta:
                delta, following = best, candidate
        assert delta is not None  # noqa: S101 - a free column is always left, since rows <= columns
        for index in range(columns + 1):
            if used[index]:
                row_price[owner[index]] += delta
                column_price[index] -= delta
            elif index and (distance := shortest[index]) is not None:
                shortest[index] = distance - delta
        column = following
        if owner[column] == 0:
            return [*previous, column]
