"""The best assignment of calls to slots, where slots have places: the greatest total, and of all such the first.

Knows numbers alone: rows (actual calls), columns with a number of places (an expected call and its copies), and what
a row is worth in a column. A row may stay out, a place may stay free.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from heapq import heappop, heappush
from typing import Final

__all__ = ["MOST_STEPS", "TooManyStepsError", "first_best"]

MOST_STEPS: Final = 100_000_000
"""Looks at a worth, after which an assignment is given up: about ten seconds. A count, so that it is the same on every
machine."""

_OUT: Final = -1

Edges = Sequence[Sequence[tuple[int, int]]]


class TooManyStepsError(Exception):
    """The assignment takes more than :data:`MOST_STEPS`; the caller says of what."""


def first_best(edges: Edges, places: Sequence[int]) -> list[int]:
    """The assignment of the greatest total; of all such the one whose pairs come first, row by row.

    Args:
        edges: for each row (column, worth) of the columns that it may take, columns ascending, worths whole numbers
            above 0.
        places: for each column how many rows it takes.

    Returns:
        for each row its column, or -1. Of equally good ones the first row takes the lowest column that it can (any
        column rather than none), then the second, and so on.

    Raises:
        TooManyStepsError: it would take too long.
    """
    solver = _Solver(edges, places)
    for row in range(len(edges)):
        solver.insert(row)
    solver.order()
    return solver.column_of


class _Solver:
    """Shortest augmenting paths with prices (Jonker and Volgenant), then exchanges among the pairs that are tight.

    The prices prove the total: an assignment is a best one exactly if all its pairs are tight (price of the row and
    price of the column add up to the worth), and nobody with a price above 0 is left out.
    """

    def __init__(self, edges: Edges, places: Sequence[int]) -> None:
        self.edges = edges
        self.room = list(places)
        self.holders: list[set[int]] = [set() for _ in places]
        self.column_of = [_OUT] * len(edges)
        self.row_price = [0] * len(edges)
        self.column_price = [0] * len(places)
        self.steps = 0

    def _spend(self, steps: int) -> None:
        self.steps += steps
        if self.steps > MOST_STEPS:
            raise TooManyStepsError

    def insert(self, root: int) -> None:
        """Take in one row more: whatever then is best for all rows so far."""
        prices = self.column_price
        self.row_price[root] = max((worth - prices[column] for column, worth in self.edges[root]), default=0)
        if self.row_price[root] <= 0:
            self.row_price[root] = 0
            return
        rows, columns = {root: 0}, dict[int, int]()  # found, with the loss on the way to them
        came: dict[int, int] = {}
        pending: list[tuple[int, int]] = []
        fresh = [root]
        out, leaver = self.row_price[root], root  # the cheapest way to leave somebody out
        end = _OUT
        while True:
            for row in fresh:
                if rows[row] + self.row_price[row] < out:
                    out, leaver = rows[row] + self.row_price[row], row
                self._look_from(row, rows[row], columns, came, pending)
            loss, column = pending[0] if pending else (out, _OUT)
            if loss >= out:
                loss = out
                break
            heappop(pending)
            if loss > columns[column]:
                fresh = []
                continue
            if self.room[column]:
                end = column
                break
            fresh = [row for row in self.holders[column] if row not in rows]
            rows.update(dict.fromkeys(fresh, loss))
        for row, found in rows.items():
            self.row_price[row] -= loss - found
        for column, found in columns.items():
            if found < loss:
                prices[column] += loss - found
        self._move(end, leaver, came)

    def _look_from(
        self,
        row: int,
        loss: int,
        columns: dict[int, int],
        came: dict[int, int],
        pending: list[tuple[int, int]],
    ) -> None:
        self._spend(len(self.edges[row]) + 1)
        price = self.row_price[row] + loss
        for column, worth in self.edges[row]:
            reached = price + self.column_price[column] - worth
            known = columns.get(column)
            if known is None or reached < known:
                columns[column], came[column] = reached, row
                heappush(pending, (reached, column))

    def _move(self, end: int, leaver: int, came: dict[int, int]) -> None:
        """Shift everybody on the path by one; it ends at a free place, or with a row that stays out."""
        if end == _OUT:
            end, self.column_of[leaver] = self.column_of[leaver], _OUT
            if end == _OUT:
                return
            self.holders[end].discard(leaver)
        else:
            self.room[end] -= 1
        while end != _OUT:
            row = came[end]
            end = self._take(row, end)

    def _take(self, row: int, column: int) -> int:
        """Put a row into a column; gives the column that it held."""
        before = self.column_of[row]
        if before != _OUT:
            self.holders[before].discard(row)
        self.holders[column].add(row)
        self.column_of[row] = column
        return before

    def order(self) -> None:
        """Row by row the lowest column with which a best assignment is still possible."""
        tight = [self._tight(row) for row in range(len(self.edges))]
        for row, columns in enumerate(tight):
            held = self.column_of[row]
            lower = [column for column in columns if column < held] if held != _OUT else columns
            if lower:
                onward = self._ways_to(held, row, tight)
                chosen = next((column for column in lower if column in onward), None)
                if chosen is not None:
                    self._exchange(row, chosen, held, onward)

    def _tight(self, row: int) -> list[int]:
        self._spend(len(self.edges[row]))
        price, prices = self.row_price[row], self.column_price
        return [column for column, worth in self.edges[row] if price + prices[column] == worth]

    def _ways_to(self, goal: int, after: int, tight: list[list[int]]) -> dict[int, tuple[int, int]]:
        """From which columns (-1: being out) a place can be passed on, by rows after one, until it is one in `goal`.

        Returns:
            for each such column (the row that leaves it, or -1 for a free place; the column it goes to).
        """
        into: dict[int, list[tuple[int, int]]] = {}  # column: (a column whose row could come, that row)
        for row in range(after + 1, len(tight)):
            held = self.column_of[row]
            self._spend(len(tight[row]))
            for column in tight[row]:
                if column != held:
                    into.setdefault(column, []).append((held, row))
            if held != _OUT and self.row_price[row] == 0:
                into.setdefault(_OUT, []).append((held, row))
        # A free place is held by nobody: it can be given up for being out, or taken back, where it costs nothing.
        for column, price in enumerate(self.column_price):
            if self.room[column]:
                into.setdefault(_OUT, []).append((column, _OUT))
            if price == 0:
                into.setdefault(column, []).append((_OUT, _OUT))
        found: dict[int, tuple[int, int]] = {goal: (_OUT, goal)}
        queue = deque([goal])
        while queue:
            target = queue.popleft()
            for column, row in into.get(target, ()):
                if column not in found:
                    found[column] = (row, target)
                    queue.append(column)
        return found

    def _exchange(self, row: int, chosen: int, goal: int, onward: dict[int, tuple[int, int]]) -> None:
        if goal == _OUT:
            self._put(row, _OUT, chosen)
        else:
            self._put(row, goal, chosen)
        place = chosen
        while place != goal:
            mover, target = onward[place]
            if mover == _OUT:
                # A free place changes hands: one less here, one more there.
                if place != _OUT:
                    self.room[place] -= 1
                if target != _OUT:
                    self.room[target] += 1
            else:
                self._put(mover, place, target)
            place = target

    def _put(self, row: int, source: int, target: int) -> None:
        if source != _OUT:
            self.holders[source].discard(row)
        if target != _OUT:
            self.holders[target].add(row)
        self.column_of[row] = target
