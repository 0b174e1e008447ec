"""Ranks what points were lost to, for one evaluator and over a run, and says what to try first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Final

from ..core.summary import CauseSummary
from ..core.tally import Cause, CauseKey, EvaluatorTally

__all__ = ["fix_for", "ranked", "ranked_over"]

_FIXES: Final = {
    "missing_key": "say in the tool's schema that {name} is required, and in the prompt where its value comes from",
    "extra_key": "set additionalProperties: false for {tool}, or say in the prompt when {name} is to be left out",
    "renamed_key": "rename {name} in the schema or in the expected calls, so that both say the same",
    "type_mismatch": "give {name} its type in the schema of {tool}",
    "null_vs_missing": "decide whether {name} is null or left out, and say so in the schema",
    "case": "fix the spelling in the prompt, or list the values as an enum",
    "whitespace": "trim {name} before the call",
    "unicode_form": "normalise {name} before the call",
    "number_precision": "allow the rounding",
    "number_format": "say in the prompt how {name} is written",
    "datetime_format": "say in the description of {name} which date format it takes",
    "unit": "name the unit in the description of {name}",
    "punctuation": "say in the prompt how {name} is written",
    "double_encoded": "pass {name} as a value, not as JSON text",
    "scalar_vs_list": "declare {name} as an array in the schema",
    "nesting": "show the nesting of {name} with an example in the description of {tool}",
    "list_order": "say in the prompt that the order of {name} matters, if it does",
    "list_length": "say in the prompt that {name} takes all items; look for a length limit",
    "enum_variant": "list the values of {name} as an enum",
    "default_spelled_out": "accept defaults",
    "default_left_out": "accept defaults, or make {name} required",
    "truncated": "raise the token limit: the arguments were cut off",
    "unreadable_arguments": "raise the token limit or turn on strict tool calls: the arguments of {tool} are no JSON",
    "value": "compare the examples: could the agent know {name}, is it described, is the expected value right?",
    "missing_call": "say in the prompt when {tool} must be called; look whether an earlier call failed",
    "extra_call": "say in the prompt when {tool} must not be called, or use tool_call_args if extra calls are fine",
    "duplicate_call": "look for retries after a slow or failed {tool}",
    "wrong_tool": "sharpen the descriptions of {tool} and of the tool taken in its place",
    "name_case": "write the name as it is offered",
    "name_prefix": "take the prefix off with strip_name_prefix",
    "unknown_tool": "offer only tools that exist, or use name_map",
    "out_of_order": "say in the prompt what must come before {tool}",
}
"""What to try first, by kind of difference; ``{name}`` is the argument and ``{tool}`` the tool."""


def fix_for(kind: str, tool: str, path: str, accept_with: str | None) -> str:
    """What to try first, in one sentence."""
    name = path.rpartition("/")[2] if path and not path.endswith("*") else path or "it"
    text = _FIXES.get(kind, "look at the examples").format(tool=tool or "the tool", name=name)
    if accept_with is None:
        return f"{text}."
    return (
        f"{text}; or accept it with {accept_with}."
        if kind not in _ACCEPT_ONLY
        else f"{text} with {accept_with}."
    )


_ACCEPT_ONLY: Final = frozenset({"number_precision", "default_spelled_out"})


def ranked(tally: EvaluatorTally) -> tuple[CauseSummary, ...]:
    """The causes of one evaluator, the costliest first."""
    return _ranked(tally.causes, _all_lost(tally))


def ranked_over(tallies: Iterable[EvaluatorTally]) -> tuple[CauseSummary, ...]:
    """The causes of a run: points lost to one thing under several evaluators add up."""
    whole: dict[CauseKey, Cause] = {}
    cases: dict[CauseKey, int] = {}
    lost = Fraction(0)
    for tally in tallies:
        lost += _all_lost(tally)
        for key, cause in tally.causes.items():
            whole.setdefault(key, Cause()).merge(cause)
            # Mostly the same cases under each evaluator, so they are not added.
            cases[key] = max(cases.get(key, 0), cause.cases)
    return _ranked(whole, lost, cases)


def _all_lost(tally: EvaluatorTally) -> Fraction:
    return tally.scores.n - tally.scores.totals()[0]


def _ranked(
    causes: Mapping[CauseKey, Cause], lost: Fraction, cases: Mapping[CauseKey, int] | None = None
) -> tuple[CauseSummary, ...]:
    points = {key: cause.lost.totals()[0] for key, cause in causes.items()}
    order = sorted(causes, key=lambda key: (-points[key], key))
    return tuple(
        _summary(key, causes[key], points[key], lost, causes[key].cases if cases is None else cases[key])
        for key in order
    )


def _summary(key: CauseKey, cause: Cause, points: Fraction, lost: Fraction, cases: int) -> CauseSummary:
    kind, tool, path = key
    return CauseSummary(
        kind=kind,
        tool=tool,
        path=path,
        cases=cases,
        differences=cause.differences,
        lost=float(points),
        share=float(points / lost) if lost else 0.0,
        examples=tuple(case_id for _, case_id in cause.examples),
        message=cause.message,
        accept_with=cause.accept_with,
        fix=fix_for(kind, tool, path, cause.accept_with),
    )
