"""tool_call_count: the share of listed tools that were called as often as they should be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

from msgspec.structs import replace

from ..core.ask import Answers, no_questions
from ..core.counts import CountRule, parse_counts
from ..core.declare import Declaration, Example, Options
from ..core.names import EXACT_NAMES
from ..core.options import OptionSpec, parse_flag
from ..core.pairing.alignments import Alignments
from ..core.pairing.count_units import CountUnit
from ..core.pairing.slot_views import SlotAlignments
from ..core.results import Details, Difference, Finished, Result
from ..core.scoring import count_of, empty_reason, empty_sides, not_evaluated, scored
from ..core.types import Case
from ..errors import ExpectationError, OptionError

DECLARATION = Declaration(
    id="tool_call_count",
    meaning="share of listed tools whose number of calls fits",
    inputs=("actual",),
    options=(
        OptionSpec(
            name="expected_counts",
            meaning="how often each tool is to be called, instead of counting the expected calls",
            form='{"search": 2, "pay": [">=", 1], "delete": ["==", 0], "x": {"min": 1, "max": 3}}',
            parse=parse_counts,
        ),
        OptionSpec(
            name="count_unlisted",
            meaning="a called tool that is not listed counts as listed with 0",
            form="true | false",
            parse=parse_flag,
            default=False,
        ),
    ),
    option_groups=("names", "failed"),
    suites=("agent", "trajectory", "everything"),
    order=40,
    result_shape="tools: expected, made and fits for each listed tool; unlisted: calls of other tools",
    aggregate="mean; the tools that are called too often or too rarely",
    related=("tool_call_accuracy", "forbidden_tools", "redundant_calls"),
    when_to_use="When how often matters more than with what: exactly one payment, no deletion, at most three searches.",
    when_not="When arguments decide: two right counts can be two wrong calls.",
    watch_out="Tools that are not listed cost nothing unless count_unlisted; the reason names them.",
    when_low="Look for retries and loops (redundant_calls), then for steps that the agent leaves out.",
    example=Example(
        actual=[{"name": "search", "arguments": {"q": "a"}}, {"name": "search", "arguments": {"q": "b"}}],
        expected=None,
        options={"expected_counts": {"search": [">=", 1], "delete": ["==", 0]}},
        score=1.0,
    ),
)

questions = no_questions

_NOTHING: Final[Mapping[str, str]] = MappingProxyType({})


def score(case: Case, alignments: Alignments, answers: Answers, options: Options) -> Result:
    """Score one case."""
    explicit = _explicit(case, options)
    if explicit is None and case.expected_calls is None:
        return not_evaluated(DECLARATION, options.threshold, "no expected calls and no expected_counts")
    if explicit is not None and not explicit:
        return not_evaluated(DECLARATION, options.threshold, "the table expected_counts is empty")
    names = alignments.actual_names
    whole = len(names) == alignments.actual_count
    made = names if whole else [names[index] for index in alignments.actual_indexes]
    unlisted: bool = options["count_unlisted"]
    if explicit is not None:
        value, evidence = _judge(_renamed(explicit, alignments), _counted(made), count_unlisted=unlisted)
        return scored(DECLARATION, options, value, evidence)
    if isinstance(alignments, SlotAlignments):
        value, evidence = _judge_units(alignments.count_units(), _counted(made), count_unlisted=unlisted)
        return _unless_empty(alignments, options, value, evidence)
    expected = alignments.expected_names
    if expected and (made == expected or (len(made) == len(expected) and sorted(made) == sorted(expected))):
        return scored(DECLARATION, options, 1.0, _all_fit(expected))
    rules = {name: _times(number) for name, number in _counted(expected).items()}
    value, evidence = _judge(rules, _counted(made), count_unlisted=unlisted)
    return _unless_empty(alignments, options, value, evidence)


def _judge_units(
    units: Sequence[CountUnit], made: dict[str, int], *, count_unlisted: bool
) -> tuple[float, Finished]:
    """As :func:`_judge`; tools that one expected call may be made as are listed together, as one."""
    shared = [unit for unit in units if len(unit.names) > 1]
    together = {name for unit in shared for name in unit.names}
    counted = {name: number for name, number in made.items() if name not in together}
    counted |= {unit.title: unit.number(made) for unit in shared}
    torn = {
        unit.title: ", ".join(f"{name} {made.get(name, 0)}" for name in unit.names)
        for unit in shared
        if unit.rule.fits(counted[unit.title]) and not unit.fits(made)
    }
    rules = {unit.title: unit.rule for unit in units}
    return _judge(rules, counted, count_unlisted=count_unlisted, torn=torn)


def _unless_empty(alignments: Alignments, options: Options, value: float, evidence: Finished) -> Result:
    """The result, which is decided already where a side has no calls."""
    empty = empty_sides(alignments)
    if empty is not None:
        tail = evidence.told.partition("as expected.")[2]
        details = evidence.found
        if not empty and not details.differences:
            # Nothing was to be called at all, so every call that was made costs the point.
            unlisted = details.measures["unlisted"].items()
            none = _times(0)
            found = tuple(_difference(name, none, str(none), number) for name, number in unlisted)
            details = replace(details, differences=found)
        value, evidence = empty, Finished(None, empty_reason(alignments) + tail, details)
    return scored(DECLARATION, options, value, evidence)


def as_expected(names: Sequence[str], options: Options) -> Result | None:
    """The result of a case whose calls were all made just as expected; None where a table says how often."""
    if options["expected_counts"] is not None:
        return None
    return scored(DECLARATION, options, 1.0, _all_fit(names))


def _all_fit(names: Sequence[str]) -> Finished:
    """The evidence where every tool was called as often as the names say; mostly each is called once."""
    tools = dict.fromkeys(names, _ONCE)
    if len(tools) < len(names):
        tools = {name: _cell(_times(number), number) for name, number in _counted(names).items()}
    return Finished(None, _told(len(tools)), Details(measures={"tools": tools, "unlisted": {}}))


@lru_cache(maxsize=256)
def _told(size: int) -> str:
    return f"{size}/{size} tools were called as often as expected."


@lru_cache(maxsize=256)
def _times(number: int) -> CountRule:
    return CountRule(number, number)


@lru_cache(maxsize=4096)
def _cell(rule: CountRule, number: int) -> dict[str, Any]:
    """What `details` says of one tool; there are few different ones."""
    return {"expected": str(rule), "made": number, "fits": rule.fits(number)}


_ONCE = _cell(_times(1), 1)


def _counted(names: Sequence[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    return counts


def _explicit(case: Case, options: Options) -> dict[str, CountRule] | None:
    """The case's own table, else that of the options."""
    if case.expected is not None and case.expected.counts is not None:
        try:
            return parse_counts(case.expected.counts, "expected_counts")
        except OptionError as error:
            raise ExpectationError(error.message, field=error.field, hint=error.hint) from None
    table: dict[str, CountRule] | None = options["expected_counts"]
    return table


def _renamed(rules: dict[str, CountRule], alignments: Alignments) -> dict[str, CountRule]:
    names = alignments.comparing.names
    if names is EXACT_NAMES:
        return rules
    renamed = {names(name): rule for name, rule in rules.items()}
    if len(renamed) < len(rules):
        raise ExpectationError("two listed tools become one under the name options", field="expected_counts")
    return renamed


def _judge(
    rules: dict[str, CountRule],
    made: dict[str, int],
    *,
    count_unlisted: bool,
    torn: Mapping[str, str] = _NOTHING,
) -> tuple[float, Finished]:
    """The share of listed tools whose number of calls fits, and why.

    `torn` says of tools that are listed together where the number fits, but some expected call got none of them.
    """
    unlisted = {name: number for name, number in made.items() if name not in rules}
    listed = rules | {name: _times(0) for name in unlisted} if count_unlisted else rules
    tools = {name: _cell(rule, made.get(name, 0)) for name, rule in listed.items()}
    tools |= {name: tools[name] | {"fits": False} for name in torn}
    found = [
        _difference(name, listed[name], cell["expected"], cell["made"], torn.get(name))
        for name, cell in tools.items()
        if not cell["fits"]
    ]
    if not found and not unlisted:
        return 1.0, Finished(
            None, _told(len(tools)), Details(measures={"tools": tools, "unlisted": unlisted})
        )
    fitting = len(listed) - len(found)
    reason = f"{fitting}/{len(listed)} tools were called as often as expected."
    if found:
        reason += " " + "; ".join(item.message for item in found[:3]) + "."
    if unlisted and not count_unlisted:
        names = ", ".join(f"{name} ({count_of(number, 'call')})" for name, number in unlisted.items())
        reason += f" Not listed: {names}."
    details = Details(differences=tuple(found), measures={"tools": tools, "unlisted": unlisted})
    return fitting / len(listed) if listed else 1.0, Finished(None, reason, details)


def _difference(name: str, rule: CountRule, wanted: str, number: int, torn: str | None = None) -> Difference:
    too_few = torn is not None or (rule.min is not None and number < rule.min)
    how = "" if torn is None else f", but not as every expected call asks: {torn}"
    return Difference(
        kind="missing_call" if too_few else "extra_call",
        expected=wanted,
        actual=number,
        message=f"{name} was called {count_of(number, 'time')} (expected {wanted}){how}",
        tool=name,
    )
