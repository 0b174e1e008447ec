"""One case as an evaluator sees it: names after the name rule, failed calls left out, calls equal or not.

Everything computed here is kept for the case, so that evaluators that see it alike share the work.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any, Final

from msgspec import Struct

from ..errors import ExpectationError, OptionError, UnknownNameError
from .align import NameGroup, identity, pair_greedily, pair_optimally, to_alignment
from .arguments import Reading, Repair, read_arguments
from .compare import PLAIN_COMPARER, Comparer
from .names import EXACT_NAMES, NameRule
from .options import PLAIN, merge_layers, parse_call_options
from .results import Alignment, Pair
from .types import Case, ExpectedCall, ToolCall, ToolSpec

__all__ = ["Alignments", "Comparing"]

SMALL: Final = 16
"""Up to this many pairs of one name are compared directly; above, calls are found by hash."""


class Comparing(Struct, frozen=True, kw_only=True):
    """Everything that decides how the calls of a case are seen. Equal ones share one view.

    Attributes:
        layers: parsed options, from the farthest level to the evaluator's.
        per_tool: parsed options by tool name, one table a level.
        names: the rule for tool names.
        ignore_failed: leave out actual calls that failed.
        repair: reads broken argument texts; None leaves them unreadable.
    """

    layers: tuple[Mapping[str, Any], ...] = ()
    per_tool: tuple[Mapping[str, Mapping[str, Any]], ...] = ()
    names: NameRule = EXACT_NAMES
    ignore_failed: bool = False
    repair: Repair | None = None


class Alignments:
    """The calls of one case under one :class:`Comparing`."""

    def __init__(self, case: Case, comparing: Comparing) -> None:
        self.case = case
        self.comparing = comparing
        self.actual: tuple[ToolCall, ...] = case.actual or ()
        self.expected: tuple[ExpectedCall, ...] = case.expected_calls or ()
        self.actual_indexes: Iterable[int] = range(len(self.actual))
        if comparing.ignore_failed:
            self.actual_indexes = [index for index, call in enumerate(self.actual) if not call.failed]
        self._actual_readings: dict[int, Reading] = {}
        self._expected_readings: dict[int, Reading] = {}
        self._normal: dict[tuple[int, int], dict[str, Any] | None] = {}
        self._alignments: dict[str, Alignment] = {}
        self.memo: dict[object, Any] = {}

    @cached_property
    def actual_names(self) -> list[str]:
        """Name of every actual call (of left-out ones too), after the name rule."""
        return self._named(self.actual)

    @cached_property
    def expected_names(self) -> list[str]:
        """Name of every expected call, after the name rule."""
        return self._named(self.expected)

    def _named(self, calls: Iterable[ToolCall]) -> list[str]:
        if self.comparing.names.is_exact:
            return [call.name for call in calls]
        return [self.comparing.names(call.name) for call in calls]

    @cached_property
    def actual_count(self) -> int:
        """Number of actual calls that take part."""
        return len(self.actual_indexes)  # type: ignore[arg-type]  # a range or a list

    @cached_property
    def identical(self) -> bool:
        """Whether both sides are the same bytes call by call. (Expected arguments were checked when the case
        was built, so equal bytes are readable.)

        Then every pairing rule gives each call its own double: the first unused equal call is always the one
        at its own place. No argument has to be decoded to know it.
        """
        if len(self.actual) != len(self.expected) or self.comparing.ignore_failed:
            return False
        for made, wanted in zip(self.actual, self.expected, strict=True):
            if made.name != wanted.name or made.raw != wanted.raw:
                return False
        return True

    def specs(self) -> dict[str, ToolSpec]:
        """The offered tools by name, after the name rule; the first of a name counts."""
        table: dict[str, ToolSpec] = {}
        for spec in self.case.tools or ():
            table.setdefault(self.comparing.names(spec.name), spec)
        return table

    def reading(self, actual: int) -> Reading:
        """The decoded arguments of an actual call."""
        known = self._actual_readings.get(actual)
        if known is None:
            known = read_arguments(self.actual[actual].raw, repair=self.comparing.repair)
            self._actual_readings[actual] = known
        return known

    def expected_reading(self, expected: int) -> Reading:
        """The decoded arguments of an expected call.

        Raises:
            ExpectationError: they are unreadable, which is the case's fault and not the agent's.
        """
        known = self._expected_readings.get(expected)
        if known is None:
            known = read_arguments(self.expected[expected].raw)
            if known.problem is not None:
                name = self.expected[expected].name
                raise ExpectationError(f"{name}: {known.problem}", field=f"expected_tool_calls[{expected}]")
            self._expected_readings[expected] = known
        return known

    @cached_property
    def _comparers(self) -> dict[object, Comparer]:
        return {}

    @cached_property
    def _is_plain(self) -> bool:
        comparing = self.comparing
        return not any(comparing.layers) and not any(comparing.per_tool)

    def comparer(self, expected: int) -> Comparer:
        """How arguments are compared with this expected call."""
        call = self.expected[expected]
        if call.options is None and self._is_plain:
            return PLAIN_COMPARER
        return self.comparer_for(self.expected_names[expected], call.options, expected)

    def comparer_for(self, tool: str, written: Any = None, expected: int = 0) -> Comparer:
        """How arguments of calls of `tool` are compared; `written` are options on the call itself."""
        key = (tool, None if written is None else expected)
        known = self._comparers.get(key)
        if known is None:
            layers = [*self.comparing.layers, *(table[tool] for table in self.comparing.per_tool if tool in table)]
            if written is not None:
                layers.append(_on_call(written, expected))
            options = merge_layers(layers)
            spec = self.specs().get(tool) if options.schema_defaults else None
            known = PLAIN_COMPARER if options == PLAIN else Comparer(options, spec.schema if spec else None)
            self._comparers[key] = known
        return known

    def equal(self, actual: int, expected: int) -> bool:
        """Whether two calls of one name have the same arguments."""
        if self.actual[actual].raw == self.expected[expected].raw:
            return True
        comparer = self.comparer(expected)
        normal = self._normal_of(expected, comparer, is_expected=True)
        given = self._normal_of(actual, comparer, is_expected=False)
        return normal is not None and given is not None and comparer.same(normal, given)

    def share(self, actual: int, expected: int) -> Any:
        """The share of right arguments of a pair as a Fraction, 0 where they are unreadable."""
        comparer = self.comparer(expected)
        normal = self._normal_of(expected, comparer, is_expected=True)
        given = self._normal_of(actual, comparer, is_expected=False)
        return 0 if normal is None or given is None else comparer.share(normal, given)

    def _normal_of(self, index: int, comparer: Comparer, *, is_expected: bool) -> dict[str, Any] | None:
        """Normal form of one side's arguments; None when unreadable."""
        reading = self.expected_reading(index) if is_expected else self.reading(index)
        if comparer.is_plain or reading.value is None:
            return reading.value
        # A comparer lives as long as this view, so its identity is a safe key.
        key = (id(comparer), ~index if is_expected else index)
        if key not in self._normal:
            self._normal[key] = comparer.normal(reading.value)
        return self._normal[key]

    @cached_property
    def groups(self) -> dict[str, NameGroup]:
        """The calls of both sides by name, with who equals whom."""
        sides: dict[str, tuple[list[int], list[int]]] = {}
        for index, name in enumerate(self.expected_names):
            sides.setdefault(name, ([], []))[1].append(index)
        names = self.actual_names
        for index in self.actual_indexes:
            sides.setdefault(names[index], ([], []))[0].append(index)
        return {name: self._group(actual, expected) for name, (actual, expected) in sides.items()}

    def _group(self, actual: list[int], expected: list[int]) -> NameGroup:
        if not actual or not expected:
            return NameGroup(actual, expected, [[] for _ in actual], True)
        comparers = {id(comparer): comparer for comparer in map(self.comparer, expected)}
        transitive = len(comparers) == 1 and next(iter(comparers.values())).is_equivalence
        if transitive and len(actual) * len(expected) > SMALL:
            return NameGroup(actual, expected, self._equal_by_hash(actual, expected), True)
        equal = [
            [position for position, index in enumerate(expected) if self.equal(made, index)] for made in actual
        ]
        return NameGroup(actual, expected, equal, transitive)

    def _equal_by_hash(self, actual: list[int], expected: list[int]) -> list[list[int]]:
        """For each actual call its equal expected ones; calls that are equal share one list."""
        comparer = self.comparer(expected[0])
        classes: dict[bytes, list[tuple[dict[str, Any], list[int]]]] = {}
        for position, index in enumerate(expected):
            normal = self._normal_of(index, comparer, is_expected=True)
            if normal is not None:
                _class_of(classes, comparer, normal).append(position)
        nothing: list[int] = []
        equal: list[list[int]] = []
        for index in actual:
            normal = self._normal_of(index, comparer, is_expected=False)
            equal.append(nothing if normal is None else _class_of(classes, comparer, normal))
        return equal

    @property
    def greedy(self) -> Alignment:
        """The pairing of `tool_call_accuracy`: credit 1.0 for equal calls, 0.5 for equal names."""
        return self._paired("greedy")

    @property
    def optimal(self) -> Alignment:
        """The pairing of the greatest total, with the same credits."""
        return self._paired("optimal")

    @property
    def equal_only(self) -> Alignment:
        """The pairing of the greatest total where only equal calls have credit."""
        known = self._alignments.get("equal")
        if known is None:
            best = self.optimal
            pairs = tuple(
                pair if pair.credit == 1.0 else Pair(pair.actual, pair.expected, 0.0) for pair in best.pairs
            )
            known = Alignment(rule="equal", pairs=pairs, missing=best.missing, extra=best.extra)
            self._alignments["equal"] = known
        return known

    def _paired(self, rule: str) -> Alignment:
        known = self._alignments.get(rule)
        if known is None:
            known = self._alignments[rule] = identity(rule, len(self.actual)) if self.identical else self._pair(rule)
        return known

    def _pair(self, rule: str) -> Alignment:
        pair_up = pair_greedily if rule == "greedy" else pair_optimally
        pairs = [
            Pair(group.actual[made], group.expected[wanted], 1.0 if exact else 0.5)
            for group in self.groups.values()
            for made, wanted, exact in pair_up(group)
        ]
        return to_alignment(rule, pairs, self.actual_indexes, range(len(self.expected)))

    def keep(self, rule: str, alignment: Alignment) -> Alignment:
        """Remember an alignment that an evaluator made by a rule of its own."""
        self._alignments[rule] = alignment
        return alignment

    def kept(self, rule: str) -> Alignment | None:
        """An alignment remembered under `rule`."""
        return self._alignments.get(rule)


def _class_of(
    classes: dict[bytes, list[tuple[dict[str, Any], list[int]]]], comparer: Comparer, normal: dict[str, Any]
) -> list[int]:
    """The positions of the expected calls that are the same as `normal`; a new class where there are none."""
    bucket = classes.setdefault(comparer.key(normal), [])
    for representative, positions in bucket:
        if comparer.same(representative, normal):
            return positions
    positions: list[int] = []
    bucket.append((normal, positions))
    return positions


def _on_call(written: Any, expected: int) -> dict[str, Any]:
    field = f"expected_tool_calls[{expected}].options"
    try:
        return parse_call_options(written, field=field)
    except (OptionError, UnknownNameError) as error:
        raise ExpectationError(error.message, field=error.field, hint=error.hint) from None
