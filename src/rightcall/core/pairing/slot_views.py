"""How an evaluator sees a case whose expected calls may be left out, repeated or made in another way (contract 6)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from fractions import Fraction
from typing import Any, ClassVar, Final

from msgspec.structs import replace

from ...errors import EvaluatorError
from ..arguments import Reading
from ..assign import TooManyStepsError, first_best
from ..equality.compare import Comparer
from ..equality.comparing import Comparing
from ..results import Alignment, Pair
from ..types import Case, Expectation, ExpectedCall
from .alignments import Alignments
from .count_units import CountUnit, count_units
from .matched import MatchingAlignments
from .slots import Column, take_apart

__all__ = ["SlotAlignments"]

MOST_PLACES: Final = 100_000
"""Places of all expected calls of a case."""

MOST_SHARES: Final = 250_000
"""Pairs of calls whose shares of right arguments are worked out (as in `shares`)."""


class SlotAlignments(Alignments):
    """The view of a case whose expected calls are places to be filled.

    An expected index is the number of a place here; :meth:`written` gives the call that it belongs to. Every place
    is seen by its first choice, unless a call that was made shows which choice is meant.

    Attributes:
        path: which of several expected paths this is; None where there are not several.
        columns: the places, alike ones together.
    """

    slotted: ClassVar[bool] = True

    __slots__ = ("_by_name", "_calls", "_column_of", "_field", "_inner", "columns", "path")

    def __init__(
        self, case: Case, comparing: Comparing, calls: tuple[ExpectedCall, ...], path: int | None = None
    ) -> None:
        self.path = path
        self._calls = calls
        made = Counter(comparing.names(call.name) for call in case.actual or ())
        field = "expected_tool_calls" if path is None else f"expected_any_of[{path}]"
        self._field = field
        slots = take_apart(calls, made, comparing.names, field)
        self.columns = slots.columns
        if sum(column.size for column in self.columns) > MOST_PLACES:
            hint = f"at most {MOST_PLACES}, repeats counted"
            raise EvaluatorError("too many expected calls", field=field, hint=hint)
        self._column_of = [number for number, column in enumerate(self.columns) for _ in range(column.size)]
        first = tuple(calls[self.columns[number].call] for number in self._column_of)
        super().__init__(replace(case, expected=Expectation(calls=first, special=True)), comparing, same=0)
        self.case = case
        choices = replace(case, expected=Expectation(calls=slots.choices, special=True))
        self._inner = MatchingAlignments(choices, comparing, fields=slots.fields)
        self.identical = self.identical and not self.actual
        self.wanted = sum(column.size for column in self.columns if column.required)
        self._by_name: dict[str, list[int]] = {}
        for number, column in enumerate(self.columns):
            for name in column.names:
                self._by_name.setdefault(name, []).append(number)

    @property
    def expects_nothing(self) -> bool:
        """Whether the expected side is the empty list, so that no call may be made."""
        return not self._calls

    def column(self, expected: int) -> Column:
        """The column that a place belongs to."""
        return self.columns[self._column_of[expected]]

    @property
    def choices(self) -> MatchingAlignments:
        """The calls any of which fills some place, as a view of their own; its expected indexes are choices."""
        return self._inner

    def column_number(self, expected: int) -> int:
        """The number of the column that a place belongs to."""
        return self._column_of[expected]

    def written(self, expected: int) -> int:
        """The index of the expected call that a place belongs to."""
        return self.column(expected).call

    def written_call(self, expected: int) -> ExpectedCall:
        """The expected call that a place belongs to, as it was written."""
        return self._calls[self.column(expected).call]

    def is_required(self, expected: int) -> bool:
        """Whether a place must be filled."""
        return self.column(expected).required

    def weight(self, expected: int) -> int:
        """What a filled place is worth where first those count that must be filled, then the others."""
        return len(self.expected) + 1 if self.is_required(expected) else 1

    def count_units(self) -> tuple[CountUnit, ...]:
        """How often tools are to be called, those together that one expected call may be made as."""
        return count_units(self._calls, self.comparing.names)

    def marks(self) -> dict[str, Any]:
        """What the details say of the places: the chosen path, the call of each place, which may stay empty."""
        found: dict[str, Any] = {} if self.path is None else {"path": self.path}
        owners = [self.columns[number].call for number in self._column_of]
        if owners != list(range(len(self._calls))):
            found["slots"] = owners
        optional = [place for place in range(len(owners)) if not self.is_required(place)]
        return found | ({"optional": optional} if optional else {})

    # One call against one place.

    def takes(self, expected: int, name: str) -> bool:
        """Whether a call of this name may fill a place."""
        return name in self.column(expected).names

    def title(self, expected: int) -> str:
        """The names of the calls that fill a place, in words."""
        return " or ".join(self.column(expected).names)

    def comparer(self, expected: int) -> Comparer:
        """How arguments are compared with the first choice of a place."""
        return self._inner.comparer(self.column(expected).choices[0])

    def expected_reading(self, expected: int) -> Reading:
        """The decoded arguments of the first choice of a place, its matchers made."""
        return self._inner.expected_reading(self.column(expected).choices[0])

    def equal(self, actual: int, expected: int) -> bool:
        """Whether a call fills a place just as expected."""
        return self._column_of[expected] in self.equal_columns(actual)

    def share(self, actual: int, expected: int) -> Any:
        """The share of right arguments of a call in a place: that of the choice it fits best."""
        return self._inner.share(actual, self.choice(actual, self.column(expected)))

    def compared(self, actual: int, expected: int) -> tuple[Comparer, dict[str, Any] | None]:
        """What a call that was made is held against: the choice it fits best."""
        return self._inner.compared(actual, self.choice(actual, self.column(expected)))

    def choice(self, actual: int, column: Column) -> int:
        """The choice that a call fits best: of its name, equal, or with the most right arguments; else the first."""
        if len(column.choices) == 1:
            return column.choices[0]
        inner, name = self._inner, self.actual_names[actual]
        named = [choice for choice in column.choices if inner.expected_names[choice] == name]
        if len(named) == 1:
            return named[0]

        def worth(choice: int) -> tuple[bool, Any]:
            same = inner.expected_names[choice] == name and inner.equal(actual, choice)
            return same, inner.share(actual, choice)

        return max(named or column.choices, key=worth)

    def outputs(self, expected: int) -> list[tuple[str, Any]]:
        """(tool, expected output) of the choices of a place that give one."""
        choices = self.column(expected).choices
        return [found for choice in choices for found in self._inner.outputs(choice)]

    # Every call against every column.

    def named_columns(self, name: str) -> list[int]:
        """The columns that a call of this name may fill, ascending."""
        return self._by_name.get(name, [])

    def equal_columns(self, actual: int) -> Collection[int]:
        """The columns that a call fills just as expected."""
        known: dict[int, frozenset[int]] | None = self.memo.get("equal columns")
        if known is None:
            known = self.memo["equal columns"] = dict(self._equal_columns())
        return known[actual]

    def _equal_columns(self) -> Iterable[tuple[int, frozenset[int]]]:
        of_choice: dict[int, list[int]] = {}
        for number, column in enumerate(self.columns):
            for choice in column.choices:
                of_choice.setdefault(choice, []).append(number)
        for group in self._inner.groups().values():
            seen: dict[int, frozenset[int]] = {}  # equal calls share one list
            for made, equal in zip(group.actual, group.equal, strict=True):
                found = seen.get(id(equal))
                if found is None:
                    choices = (group.expected[place] for place in equal)
                    found = frozenset(number for choice in choices for number in of_choice.get(choice, ()))
                    seen[id(equal)] = found
                yield made, found

    # Pairings.

    def served(self, alignment: Alignment) -> int:
        """How many places that must be filled have an equal partner."""
        return sum(1 for pair in alignment.pairs if pair.credit == 1.0 and self.is_required(pair.expected))

    def required_pairs(self, alignment: Alignment) -> int:
        """How many places that must be filled have a partner, equal or not."""
        return sum(1 for pair in alignment.pairs if self.is_required(pair.expected))

    def optional_pairs(self, alignment: Alignment) -> int:
        """How many places that may stay empty have a partner, equal or not."""
        return len(alignment.pairs) - self.required_pairs(alignment)

    def accuracy(self, alignment: Alignment) -> Fraction:
        """The score of `tool_call_accuracy` where some call was made or had to be: calls that may be left out count among
        the expected ones once they were made, so that none pays for one that had to be made and was not.
        """
        counted = self.wanted + self.optional_pairs(alignment)
        return Fraction(alignment.exact + len(alignment.pairs), 2 * max(counted, self.actual_count))

    def family(self, rule: str) -> str:
        """Its own rule: no two pair alike here."""
        return rule

    @property
    def equal_only(self) -> Alignment:
        """The most equal calls, then the most that must be made; what is left is paired by name, for no credit."""
        return self._kept("equal", self._equal_only)

    @property
    def named(self) -> Alignment:
        """The most calls paired by name, then the most that must be made."""
        return self._kept("names", self._named)

    def _paired(self, rule: str) -> Alignment:
        return self._kept(rule, self._greedy if rule == "greedy" else self._optimal)

    def _kept(self, rule: str, make: Callable[[], Iterable[Pair]]) -> Alignment:
        known: Alignment | None = self.memo.get(rule)
        if known is None:
            known = self.memo[rule] = self.align(rule, make())
        return known

    def align(self, rule: str, pairs: Iterable[Pair]) -> Alignment:
        """An alignment from its pairs; what may be left out is never missing."""
        ordered = tuple(sorted(pairs, key=lambda pair: pair.actual))
        filled = {pair.expected for pair in ordered}
        used = {pair.actual for pair in ordered}
        return Alignment(
            rule=rule,
            pairs=ordered,
            missing=tuple(
                place
                for place in range(len(self.expected))
                if place not in filled and self.is_required(place)
            ),
            extra=tuple(index for index in self.actual_indexes if index not in used),
            exact=sum(1 for pair in ordered if pair.credit == 1.0),
        )

    def _greedy(self) -> list[Pair]:
        pairs: list[Pair] = []
        filled = [0] * len(self.columns)
        for made in self.actual_indexes:
            equal = self.equal_columns(made)
            free = [
                number
                for number in self.named_columns(self.actual_names[made])
                if filled[number] < self.columns[number].size
            ]
            # What must be made before what may be; of these the first (`min` keeps it).
            number = min(
                free,
                key=lambda number: (number not in equal, not self.columns[number].required),
                default=None,
            )
            if number is not None:
                place = self.columns[number].start + filled[number]
                filled[number] += 1
                pairs.append(Pair(made, place, 1.0 if number in equal else 0.5))
        return pairs

    def _optimal(self) -> list[Pair]:
        chosen = self._assign(lambda made, number: 2 if number in self.equal_columns(made) else 1)
        return self._placed(chosen, 0.5)

    def _named(self) -> list[Pair]:
        return self._placed(self._assign(_alike), 0.5)

    def _equal_only(self) -> list[Pair]:
        first = self._assign(lambda made, number: 1 if number in self.equal_columns(made) else None)
        taken = Counter(first.values())
        left = [index for index in self.actual_indexes if index not in first]
        rest = self._assign(_alike, taken=taken, rows=left)
        return self._placed(first | rest, 0.0)

    def by_shares(self) -> tuple[Alignment, Fraction]:
        """The pairing of the greatest sum of shares of right arguments over what must be made, and that sum.

        Only these places are scored, so what may be made comes second.

        Raises:
            EvaluatorError: too many calls.
        """
        pairs = sum(len(self.named_columns(self.actual_names[made])) for made in self.actual_indexes)
        if pairs > MOST_SHARES:
            hint = f"at most {MOST_SHARES} combinations"
            raise EvaluatorError("too many calls to pair by their arguments", field=self._field, hint=hint)
        shares = {
            (made, number): Fraction(self.share(made, self.columns[number].start))
            for made in self.actual_indexes
            for number in self.named_columns(self.actual_names[made])
        }
        scale = math.lcm(*(share.denominator for share in shares.values()))
        chosen = self._assign_required_first(lambda made, number: int(shares[made, number] * scale), scale)
        total = sum(
            (shares[pair] for pair in chosen.items() if self.columns[pair[1]].required), start=Fraction(0)
        )
        placed = [
            Pair(pair.actual, pair.expected, float(shares[pair.actual, self._column_of[pair.expected]]))
            for pair in self._placed(chosen, 0.0)
        ]
        return self.align("by_arguments", placed), total

    def by_worth(self, rule: str, worth: Callable[[int, int], float], scale: int) -> Alignment:
        """The pairing of the greatest worth over what must be made, then over the rest; it is the credit of each pair.

        Args:
            rule: what it is called.
            worth: of a call in a column that takes its name, in 0..1.
            scale: the number of steps in which worths are told apart.
        """
        chosen = self._assign_required_first(lambda made, number: round(worth(made, number) * scale), scale)
        placed = self._placed(chosen, 0.0)
        return self.align(
            rule,
            (
                Pair(pair.actual, pair.expected, worth(pair.actual, self._column_of[pair.expected]))
                for pair in placed
            ),
        )

    def by_outputs(self, counted: list[int], same: Callable[[Any, Any], bool]) -> Alignment:
        """The most outputs found, then the most of calls that must be made; `counted` are the places that count."""
        columns = {self._column_of[place] for place in counted}

        def worth(made: int, number: int) -> int | None:
            name, output = self.actual_names[made], self.actual[made].output
            if output is None or number not in columns:
                return None
            wanted = self.outputs(self.columns[number].start)
            return 1 if any(tool == name and same(each, output) for tool, each in wanted) else None

        chosen = self._assign(worth)
        pairs = [Pair(pair.actual, pair.expected, 1.0) for pair in self._placed(chosen, 1.0)]
        whole = self.align("outputs", pairs)
        with_output = [index for index in whole.extra if self.actual[index].output is not None]
        counts = set(counted)
        return replace(
            whole,
            missing=tuple(place for place in whole.missing if place in counts),
            extra=tuple(with_output),
        )

    def _assign_required_first(self, worth: Callable[[int, int], int], most: int) -> dict[int, int]:
        """As :meth:`_assign`, but any worth of what must be made is more than all of what may be.

        `most` is the greatest worth that there is.
        """
        beyond = most * len(self.actual_indexes) + 1
        required = [column.required for column in self.columns]
        return self._assign(
            lambda made, number: worth(made, number) * (beyond if required[number] else 1),
        )

    def _assign(
        self,
        worth: Callable[[int, int], int | None],
        *,
        taken: Counter[int] | None = None,
        rows: list[int] | None = None,
    ) -> dict[int, int]:
        """The columns of calls for the greatest total, then the most that must be made, then the first pairs."""
        made = list(self.actual_indexes) if rows is None else rows
        whole = len(made) + 1  # more than there can be of calls that must be made
        edges = [
            [
                (number, value)
                for number in self.named_columns(self.actual_names[index])
                if (credit := worth(index, number)) is not None
                and (value := credit * whole + self.columns[number].required)
            ]
            for index in made
        ]
        room = [column.size for column in self.columns]
        for number, used in (taken or {}).items():
            room[number] -= used
        try:
            found = first_best(edges, room)
        except TooManyStepsError:
            hint = "matching=greedy does; so do fewer calls"
            message = "too many calls to find the best pairing of"
            raise EvaluatorError(message, field=self._field, hint=hint) from None
        return {index: number for index, number in zip(made, found, strict=True) if number >= 0}

    def _placed(self, chosen: dict[int, int], unequal: float) -> list[Pair]:
        """Pairs of calls and places: within a column the places are filled in the order of the calls."""
        filled = [0] * len(self.columns)
        pairs: list[Pair] = []
        for made in sorted(chosen):
            number = chosen[made]
            place = self.columns[number].start + filled[number]
            filled[number] += 1
            pairs.append(Pair(made, place, 1.0 if number in self.equal_columns(made) else unequal))
        return pairs


def _alike(made: int, number: int) -> int:  # the worth of a pair where names are all that is asked
    return 1
