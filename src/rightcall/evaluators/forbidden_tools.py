"""forbidden_tools: 1 when no forbidden tool was called, else 0."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from ..core.ask import Answers, no_questions
from ..core.comparators.at_least import AtLeast
from ..core.declare import Declaration, Example, Options
from ..core.equality.compare import Comparer
from ..core.jsonvalue import has_lone_surrogate, show
from ..core.matcher import Means, Validate, matcher_key, parse_expected, under
from ..core.options import OptionSpec
from ..core.pairing.alignments import Alignments
from ..core.results import Details, Difference, Result
from ..core.scoring import count_of, not_evaluated, scored
from ..core.types import Case
from ..errors import ExpectationError, OptionError, RightcallError


class Rule:
    """A tool that must not be called, or not with certain arguments. Equal rules are written alike.

    Attributes:
        tool: a name or a glob.
        arguments: what the arguments must hold for the call to be forbidden, as written; None forbids any call.
    """

    __slots__ = ("_key", "_words", "arguments", "tool")

    def __init__(self, tool: str, arguments: Mapping[str, Any] | None = None) -> None:
        self.tool = tool
        self.arguments = arguments
        # The parsed form, since what was written may hold Python objects that can't be hashed.
        parsed = None if arguments is None else _parsed(arguments, "", _unasked, _unasked)
        self._key = (tool, matcher_key(parsed))
        self._words = tool if parsed is None else f"{tool} {show(parsed.as_json(), _WHOLE)}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rule) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        return self._words


_WHOLE = 1_000_000


def _parsed(
    arguments: Mapping[str, Any], place: str, validate: Validate | None, means: Means | None
) -> AtLeast:
    return AtLeast(parse_expected(arguments, place, validate=validate, means=means))


def _unasked(schema: Any, value: Any) -> bool:
    """Stands in for the judges of schemas and meanings where a rule is only looked at, not used."""
    return True


def parse_rules(value: Any, name: str) -> tuple[Rule, ...]:
    """Tool names, globs, or either with arguments.

    Raises:
        OptionError: anything that is no list of rules.
    """
    rules = [value] if isinstance(value, str | Mapping) else value
    if not isinstance(rules, (list, tuple)):
        raise OptionError(f"{show(value)} is not a list of tool names", field=name, hint='e.g. ["delete_*"]')
    return tuple(_rule(rule, f"{name}[{index}]") for index, rule in enumerate(rules))


def _rule(rule: Any, place: str) -> Rule:
    if isinstance(rule, Rule):
        return rule
    tool, arguments = (rule.get("name"), rule.get("arguments")) if isinstance(rule, Mapping) else (rule, None)
    if not isinstance(tool, str) or not tool or has_lone_surrogate(tool):
        raise OptionError(f"{show(rule)} is not a tool name or glob", field=place)
    if isinstance(rule, Mapping):
        hint = 'e.g. {"name": "pay*", "arguments": {"amount": {"$range": [1000, null]}}}'
        for key in rule:
            if key not in ("name", "arguments"):
                raise OptionError(f"{show(key)} has no meaning in a rule", field=place, hint=hint)
        if not isinstance(arguments, Mapping | None):
            raise OptionError(f"{show(arguments)} is no object of arguments", field=place, hint=hint)
    try:
        return Rule(tool, arguments)
    except ExpectationError as error:
        inside = under(f"{place}.arguments", *filter(None, (error.field,)))
        raise OptionError(error.message, field=inside, hint=error.hint) from None


DECLARATION = Declaration(
    id="forbidden_tools",
    meaning="1 if no forbidden tool was called, else 0",
    inputs=("actual",),
    options=(
        OptionSpec(
            name="forbidden",
            meaning="tools that must not be called; a case's own `forbidden` is added",
            form='["delete_*", {"name": "pay", "arguments": {"amount": {"$range": [1000, null]}}}]',
            parse=parse_rules,
            default=(),
        ),
    ),
    order=110,
    result_shape="forbidden: the calls that broke a rule",
    aggregate="pass rate; any failure is worth reading",
    related=("tool_call_count", "tool_call_valid"),
    when_to_use="For calls that must never happen, whatever else the agent does.",
    when_not="For a tool that is only unneeded: tool_call_count or tool_call_accuracy say so with a smaller loss.",
    watch_out=(
        "A glob is compared with the name after name_map and prefix, case and all. Arguments that can't be read hold "
        "nothing, so a rule that asks for some lets such a call pass; reason and warnings name it."
    ),
    when_low="Read the call; then take the tool away from the agent rather than asking it to refrain.",
    example=Example(
        actual=[{"name": "delete_user", "arguments": {"id": 7}}],
        options={"forbidden": ["delete_*"]},
        score=0.0,
    ),
)

questions = no_questions


def score(case: Case, alignments: Alignments, answers: Answers, options: Options) -> Result:
    """Score one case."""
    rules = (*options["forbidden"], *_rules_of(case))
    if not rules:
        return not_evaluated(DECLARATION, options.threshold, "no forbidden tools are given")
    rules = tuple(dict.fromkeys(_renamed(rule, alignments) for rule in rules))
    found = []
    for index in alignments.actual_indexes:
        rule = next((rule for rule in rules if _is_broken(rule, alignments, index)), None)
        if rule is not None:
            name = alignments.actual_names[index]
            why = "" if rule.tool == name else f" by {rule.tool!r}"
            message = f"{name} was called but is forbidden{why}"
            if rule.arguments is not None:
                made = show(alignments.reading(index).value)
                forbidden = show(_made(rule, alignments).as_json()["$at_least"])
                message = f"{name} was called with {made}, which is forbidden{why or ' by'} {forbidden}"
            found.append(Difference(kind="extra_call", message=message, tool=name, actual_call=index))
    reason = f"{count_of(len(found), 'forbidden call')} made; {count_of(len(rules), 'rule')}."
    if found:
        reason += " " + "; ".join(item.message for item in found[:3]) + "."
    warnings = tuple(_not_held(rules, alignments, {item.actual_call for item in found}))
    if warnings:
        more = f" And {len(warnings) - 1} more such calls." if len(warnings) > 1 else ""
        reason += f" {warnings[0]}.{more}"
    calls = [{"call": item.actual_call, "tool": item.tool} for item in found]
    details = Details(differences=tuple(found), measures={"forbidden": calls})
    return scored(DECLARATION, options, int(not found), reason, details=details, warnings=warnings)


def _not_held(rules: Sequence[Rule], alignments: Alignments, broken: set[int | None]) -> Iterator[str]:
    """What is said of calls whose arguments nobody can read, where a rule asks for some (contract 3)."""
    for index in alignments.actual_indexes:
        name = alignments.actual_names[index]
        if index in broken or not any(rule.arguments is not None and _names(rule, name) for rule in rules):
            continue
        problem = alignments.reading(index).problem
        if problem is not None:
            yield f"{name} (call {index + 1}) was not held against the rules for its arguments: {problem}"


def _names(rule: Rule, name: str) -> bool:
    """Whether a rule is about a tool. A glob takes time that grows with its length times the name's."""
    return rule.tool == name or fnmatchcase(name, rule.tool)


def _renamed(rule: Rule, alignments: Alignments) -> Rule:
    name = alignments.comparing.names(rule.tool)
    return rule if name == rule.tool else Rule(name, rule.arguments)


def _is_broken(rule: Rule, alignments: Alignments, actual: int) -> bool:
    """Whether a call is what a rule forbids. Unreadable arguments hold nothing, so no rule with arguments fits."""
    name = alignments.actual_names[actual]
    if not _names(rule, name):
        return False
    if rule.arguments is None:
        return True
    made = alignments.reading(actual).value
    return made is not None and _WITH_MATCHERS.same({_ARGUMENTS: _made(rule, alignments)}, {_ARGUMENTS: made})


def _made(rule: Rule, alignments: Alignments) -> AtLeast:
    """The arguments of a rule with their matchers, made once a case."""
    known: AtLeast | None = alignments.memo.get(rule)
    if known is None:
        seen = alignments.comparing
        known = _parsed(rule.arguments or {}, "forbidden", seen.validate, seen.means)
        alignments.memo[rule] = known
    return known


_ARGUMENTS = "arguments"
_WITH_MATCHERS = Comparer(matching=True)


def _rules_of(case: Case) -> tuple[Rule, ...]:
    if case.expected is None or not case.expected.forbidden:
        return ()
    try:
        return parse_rules(list(case.expected.forbidden), "forbidden")
    except RightcallError as error:
        raise ExpectationError(error.message, field=error.field, hint=error.hint) from None
