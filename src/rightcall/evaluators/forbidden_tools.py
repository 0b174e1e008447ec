"""forbidden_tools: 1 when no forbidden tool was called, else 0."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Any

from ..core.alignments import Alignments
from ..core.ask import Answers, no_questions
from ..core.declare import Declaration, Example, Options
from ..core.jsonvalue import has_lone_surrogate, show
from ..core.options import OptionSpec
from ..core.results import Details, Difference, Result
from ..core.scoring import count_of, not_evaluated, scored
from ..core.types import Case
from ..errors import ExpectationError, NotThereYetError, OptionError, RightcallError


def parse_rules(value: Any, name: str) -> tuple[str, ...]:
    """Tool names or globs.

    Raises:
        NotThereYetError: a rule with argument matchers.
        OptionError: anything else that is not a list of texts.
    """
    rules = [value] if isinstance(value, str) else value
    if not isinstance(rules, (list, tuple)):
        raise OptionError(f"{show(value)} is not a list of tool names", field=name, hint='e.g. ["delete_*"]')
    for index, rule in enumerate(rules):
        if isinstance(rule, dict):
            message = "rules with arguments are not there yet; a rule is a tool name or a glob"
            raise NotThereYetError(message, field=f"{name}[{index}]")
        if not isinstance(rule, str) or not rule or has_lone_surrogate(rule):
            raise OptionError(f"{show(rule)} is not a tool name or glob", field=f"{name}[{index}]")
    return tuple(rules)


DECLARATION = Declaration(
    id="forbidden_tools",
    meaning="1 if no forbidden tool was called, else 0",
    inputs=("actual",),
    options=(
        OptionSpec(
            name="forbidden",
            meaning="tools that must not be called; a case's own `forbidden` is added",
            form='["delete_*", "pay"]',
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
    watch_out="A glob is compared with the name after name_map and prefix, case and all.",
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
    names = alignments.comparing.names
    rules = tuple(dict.fromkeys(names(rule) for rule in rules))
    found = []
    for index in alignments.actual_indexes:
        name = alignments.actual_names[index]
        rule = next((rule for rule in rules if rule == name or fnmatchcase(name, rule)), None)
        if rule is not None:
            why = "" if rule == name else f" by {rule!r}"
            message = f"{name} was called but is forbidden{why}"
            found.append(Difference(kind="extra_call", message=message, tool=name, actual_call=index))
    reason = f"{count_of(len(found), 'forbidden call')} made; {count_of(len(rules), 'rule')}."
    if found:
        reason += " " + "; ".join(item.message for item in found[:3]) + "."
    calls = [{"call": item.actual_call, "tool": item.tool} for item in found]
    details = Details(differences=tuple(found), measures={"forbidden": calls})
    return scored(DECLARATION, options, int(not found), reason, details=details)


def _rules_of(case: Case) -> tuple[str, ...]:
    if case.expected is None or not case.expected.forbidden:
        return ()
    try:
        return parse_rules(list(case.expected.forbidden), "forbidden")
    except RightcallError as error:
        raise ExpectationError(error.message, field=error.field, hint=error.hint) from None
