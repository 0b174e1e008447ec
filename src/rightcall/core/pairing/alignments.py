"""One case as an evaluator sees it: names after the name rule, failed calls left out, calls equal or not.

Everything computed here is kept for the case, so that evaluators that see it alike share the work.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, ClassVar, Final

from msgspec.structs import replace

from ...errors import ExpectationError, OptionError, UnknownNameError
from ..arguments import Reading, read_arguments
from ..equality.compare import PLAIN_COMPARER, Comparer
from ..equality.comparing import Comparing, frozen
from ..jsonvalue import same_value
from ..names import EXACT_NAMES
from ..options import PLAIN, merge_layers, parse_call_options
from ..results import Alignment, Pair
from ..types import Case, ExpectedCall, ToolCall, ToolSpec
from .align import NameGroup, by_actual, identity, pair_greedily, pair_optimally, to_alignment
from .same_calls import SMALL, name_group

__all__ = ["Alignments", "Comparing", "frozen", "same_so_far"]

_OTHER: Final = {"greedy": "optimal", "optimal": "greedy"}


def same_so_far(actual: Sequence[ToolCall], expected: Sequence[ExpectedCall]) -> int:
    """How many calls from the start are the same bytes on both sides.

    Every pairing rule gives these their own doubles: the first unused equal call is always the one at its own
    place. No argument has to be decoded to know it, since expected arguments were checked when the case was
    built, and equal bytes are equal values.
    """
    count = 0
    for made, wanted in zip(actual, expected):  # noqa: B905 - the shorter side ends it
        if made.raw != wanted.raw or made.name != wanted.name:
            break
        count += 1
    return count


class Alignments:
    """The calls of one case under one :class:`Comparing`, and everything computed about them so far.

    Attributes:
        actual, expected: the calls of the case; empty where a side is not recorded.
        actual_indexes: the actual calls that take part (all, but for `ignore_failed`).
        actual_count: how many these are.
        actual_names, expected_names: names of all calls, after the name rule.
        memo: room for what evaluators compute and share.
        wanted: how many expected calls must be made.
        same: how many calls from the start are the same bytes on both sides; 0 where some calls take no part.
        identical: whether both sides are the same bytes, call by call.
        contested: False once it is known that no call took what another could have used; then the greedy and
            the optimal rule agree.

    Args:
        case: the case.
        comparing: how its calls are seen.
        same: what :func:`same_so_far` says of the two sides; found out where it is not known.
    """

    slotted: ClassVar[bool] = False
    """Whether calls may be left out, repeated or made in another way (see `slot_views`)."""

    __slots__ = (
        "actual",
        "actual_count",
        "actual_indexes",
        "actual_names",
        "case",
        "comparing",
        "contested",
        "expected",
        "expected_names",
        "identical",
        "memo",
        "same",
        "wanted",
    )

    def __init__(self, case: Case, comparing: Comparing, *, same: int | None = None) -> None:
        self.case = case
        self.comparing = comparing
        self.actual: tuple[ToolCall, ...] = case.actual or ()
        self.expected: tuple[ExpectedCall, ...] = case.expected_calls or ()
        self.actual_indexes: Sequence[int] = range(len(self.actual))
        if comparing.ignore_failed:
            self.actual_indexes = [index for index, call in enumerate(self.actual) if not call.failed]
        self.actual_count: int = len(self.actual_indexes)
        names = comparing.names
        if names is EXACT_NAMES:
            self.actual_names = [call.name for call in self.actual]
            self.expected_names = [call.name for call in self.expected]
        else:
            self.actual_names = [names(call.name) for call in self.actual]
            self.expected_names = [names(call.name) for call in self.expected]
        if comparing.ignore_failed:
            same = 0
        elif same is None:
            same = same_so_far(self.actual, self.expected)
        self.same: int = same
        self.identical = same == len(self.actual) == len(self.expected) and not comparing.ignore_failed
        self.contested = True
        self.memo: dict[object, Any] = {}
        self.wanted: int = len(self.expected)

    @property
    def expects_nothing(self) -> bool:
        """Whether the expected side is the empty list, so that no call may be made."""
        return not self.expected

    @property
    def offered(self) -> Collection[str]:
        """The names of the offered tools, after the name rule; empty where they are not known."""
        return self.specs() if self.case.tools else ()

    def specs(self) -> dict[str, ToolSpec]:
        """The offered tools by name, after the name rule; the first of a name counts."""
        table: dict[str, ToolSpec] | None = self.memo.get("specs")
        if table is None:
            table = self.memo["specs"] = {}
            for spec in self.case.tools or ():
                table.setdefault(self.comparing.names(spec.name), spec)
        return table

    def reading(self, actual: int) -> Reading:
        """The decoded arguments of an actual call."""
        known: Reading | None = self.memo.get(actual)
        if known is None:
            known = read_arguments(self.actual[actual].raw, repair=self.comparing.repair)
            self.memo[actual] = known
        return known

    def expected_reading(self, expected: int) -> Reading:
        """The decoded arguments of an expected call.

        Raises:
            ExpectationError: they are unreadable, which is the case's fault and not the agent's.
        """
        known: Reading | None = self.memo.get(~expected)  # negative, so apart from the actual calls
        if known is None:
            known = read_arguments(self.expected[expected].raw)
            if known.problem is not None:
                name = self.expected[expected].name
                raise ExpectationError(f"{name}: {known.problem}", field=f"expected_tool_calls[{expected}]")
            self.memo[~expected] = known
        return known

    def comparer(self, expected: int) -> Comparer:
        """How arguments are compared with this expected call."""
        call = self.expected[expected]
        if call.options is None and self.comparing.is_plain:
            return PLAIN_COMPARER
        return self.comparer_for(self.expected_names[expected], call.options, expected)

    def comparer_for(
        self, tool: str, written: Any = None, expected: int = 0, *, matching: bool = False
    ) -> Comparer:
        """How arguments of calls of `tool` are compared; `written` are options on the call itself."""
        key = ("comparer", tool, None if written is None else expected, matching)
        known: Comparer | None = self.memo.get(key)
        if known is None:
            layers = [
                *self.comparing.layers,
                *(table[tool] for table in self.comparing.per_tool if tool in table),
            ]
            if written is not None:
                layers.append(_on_call(written, expected))
            options = merge_layers(layers)
            spec = self.specs().get(tool) if options.schema_defaults else None
            known = PLAIN_COMPARER
            if matching or options != PLAIN:
                known = Comparer(options, spec.schema if spec else None, matching=matching)
            self.memo[key] = known
        return known

    def equal(self, actual: int, expected: int) -> bool:
        """Whether two calls of one name have the same arguments."""
        return self.actual[actual].raw == self.expected[expected].raw or self._equal(actual, expected)

    def _equal(self, actual: int, expected: int) -> bool:
        """Whether arguments that differ in bytes are the same."""
        comparer = self.comparer(expected)
        if comparer.is_plain:
            given_, wanted = self.reading(actual).value, self.expected_reading(expected).value
            return given_ is not None and wanted is not None and same_value(wanted, given_)
        normal = self.normal_of(expected, comparer, is_expected=True)
        given = self.normal_of(actual, comparer, is_expected=False)
        return normal is not None and given is not None and comparer.same(normal, given)

    def share(self, actual: int, expected: int) -> Any:
        """The share of right arguments of a pair as a Fraction, 0 where they are unreadable."""
        comparer = self.comparer(expected)
        normal = self.normal_of(expected, comparer, is_expected=True)
        given = self.normal_of(actual, comparer, is_expected=False)
        return 0 if normal is None or given is None else comparer.share(normal, given)

    def normal_of(self, index: int, comparer: Comparer, *, is_expected: bool) -> dict[str, Any] | None:
        """Normal form of one side's arguments; None when unreadable."""
        reading = self.expected_reading(index) if is_expected else self.reading(index)
        if comparer.is_plain or reading.value is None:
            return reading.value
        # A comparer lives as long as this view, so its identity is a safe key.
        key = ("normal", id(comparer), ~index if is_expected else index)
        known: dict[str, Any] | None = self.memo.get(key)
        if known is None:
            known = self.memo[key] = comparer.normal(reading.value)
        return known

    def compared(self, actual: int, expected: int) -> tuple[Comparer, dict[str, Any] | None]:
        """What a call that was made is held against: how, and the expected arguments."""
        return self.comparer(expected), self.expected_reading(expected).value

    def takes(self, expected: int, name: str) -> bool:
        """Whether a call of this name is what is expected there, whatever its arguments."""
        return self.expected_names[expected] == name

    def title(self, expected: int) -> str:
        """The name of an expected call, in words."""
        return self.expected_names[expected]

    def written(self, expected: int) -> int:
        """The index of an expected call among those of the case as they were written."""
        return expected

    def outputs(self, expected: int) -> list[tuple[str, Any]]:
        """(tool, expected output) of an expected call; nothing where none is given."""
        output = self.expected[expected].output
        return [] if output is None else [(self.expected_names[expected], output)]

    def served(self, alignment: Alignment) -> int:
        """How many calls that must be made have an equal partner."""
        return alignment.exact

    def groups(self) -> dict[str, NameGroup]:
        """The calls of both sides by name, with who equals whom."""
        known: dict[str, NameGroup] | None = self.memo.get("groups")
        if known is not None:
            return known
        sides: dict[str, tuple[list[int], list[int]]] = {}
        for index, name in enumerate(self.expected_names):
            sides.setdefault(name, ([], []))[1].append(index)
        names = self.actual_names
        for index in self.actual_indexes:
            sides.setdefault(names[index], ([], []))[0].append(index)
        known = {name: name_group(self, actual, expected) for name, (actual, expected) in sides.items()}
        self.memo["groups"] = known
        return known

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
        known: Alignment | None = self.memo.get("equal")
        if known is None:
            greedy: Alignment | None = self.memo.get("greedy")
            best = self.optimal if greedy is None or self.contested else greedy
            pairs = best.pairs
            if best.exact < len(pairs):
                pairs = tuple(
                    [pair if pair.credit == 1.0 else Pair(pair.actual, pair.expected, 0.0) for pair in pairs]
                )
            known = Alignment(
                rule="equal", pairs=pairs, missing=best.missing, extra=best.extra, exact=best.exact
            )
            self.memo["equal"] = known
        return known

    @property
    def named(self) -> Alignment:
        """The pairing of the most calls by name."""
        return self.optimal

    def _paired(self, rule: str) -> Alignment:
        known: Alignment | None = self.memo.get(rule)
        if known is None:
            if self.identical:
                known = identity(rule, self.same)
            elif not self.contested and (other := self.memo.get(_OTHER[rule])) is not None:
                known = replace(other, rule=rule)
            elif len(self.actual) * len(self.expected) <= SMALL:
                known = self._pair_few(rule)
            else:
                known = self._pair(rule)
            self.memo[rule] = known
        return known

    def _pair_few(self, rule: str) -> Alignment:
        """The greedy rule, written out for few calls; where it leaves no choice it is the optimal rule too."""
        if rule != "greedy" and "greedy" in self.memo:
            return self._pair_few_contested(rule)  # else the greedy one would have been taken
        names, wanted_names = self.actual_names, self.expected_names
        actual, expected, equal = self.actual, self.expected, self._equal
        same = self.same
        free = list(range(same, len(wanted_names)))
        pairs: list[Pair] = list(identity("", same).pairs)
        extra: list[int] = []
        exact = same
        contested = False
        for made in self.actual_indexes[same:]:
            name = names[made]
            first = -1
            for wanted in free:
                if wanted_names[wanted] == name:
                    if actual[made].raw == expected[wanted].raw or equal(made, wanted):
                        pairs.append(Pair(made, wanted, 1.0))
                        exact += 1
                        free.remove(wanted)
                        break
                    if first < 0:
                        first = wanted
            else:
                if first < 0:
                    extra.append(made)
                else:
                    pairs.append(Pair(made, first, 0.5))
                    free.remove(first)
                    contested = contested or names.count(name) > 1
        found = Alignment(rule=rule, pairs=tuple(pairs), missing=tuple(free), extra=tuple(extra), exact=exact)
        self.contested = contested
        return self._pair_few_contested(rule) if contested and rule != "greedy" else found

    def _pair_few_contested(self, rule: str) -> Alignment:
        """The optimal rule, where it may differ from the greedy one."""
        return self._pair_few_optimally() if self._is_plain() else self._pair(rule)

    def _is_plain(self) -> bool:
        """Whether no comparison option is in force, so that equality is an equivalence relation."""
        return self.comparing.is_plain and all(call.options is None for call in self.expected)

    def _pair_few_optimally(self) -> Alignment:
        """Equal calls first, then the rest by order: the best total where equality is an equivalence relation."""
        names, wanted_names = self.actual_names, self.expected_names
        same = self.same
        free = list(range(same, len(wanted_names)))
        pairs: list[Pair] = list(identity("", same).pairs)
        rest: list[int] = []
        for made in self.actual_indexes[same:]:
            for wanted in free:
                if wanted_names[wanted] == names[made] and self.equal(made, wanted):
                    pairs.append(Pair(made, wanted, 1.0))
                    free.remove(wanted)
                    break
            else:
                rest.append(made)
        exact = len(pairs)
        extra: list[int] = []
        for made in rest:
            for wanted in free:
                if wanted_names[wanted] == names[made]:
                    pairs.append(Pair(made, wanted, 0.5))
                    free.remove(wanted)
                    break
            else:
                extra.append(made)
        pairs.sort(key=by_actual)
        return Alignment(
            rule="optimal", pairs=tuple(pairs), missing=tuple(free), extra=tuple(extra), exact=exact
        )

    def _pair(self, rule: str) -> Alignment:
        pair_up = pair_greedily if rule == "greedy" else pair_optimally
        pairs = [
            Pair(group.actual[made], group.expected[wanted], 1.0 if exact else 0.5)
            for group in self.groups().values()
            for made, wanted, exact in pair_up(group)
        ]
        return to_alignment(rule, pairs, self.actual_indexes, range(len(self.expected)))

    def family(self, rule: str) -> str:
        """A name that rules share when they pair alike, whatever a pair is worth under each."""
        if rule == "equal" or (rule == "greedy" and not self.contested):
            return "optimal"
        return rule

    def keep(self, rule: str, alignment: Alignment) -> Alignment:
        """Remember an alignment that an evaluator made by a rule of its own."""
        self.memo[rule] = alignment
        return alignment

    def kept(self, rule: str) -> Alignment | None:
        """An alignment remembered under `rule`."""
        known: Alignment | None = self.memo.get(rule)
        return known


def _on_call(written: Any, expected: int) -> dict[str, Any]:
    field = f"expected_tool_calls[{expected}].options"
    try:
        return parse_call_options(written, field=field)
    except (OptionError, UnknownNameError) as error:
        raise ExpectationError(error.message, field=error.field, hint=error.hint) from None
