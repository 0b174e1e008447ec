"""tool_call_output: the share of expected outputs that a call of that tool gave."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ..core.align import to_alignment
from ..core.alignments import Alignments
from ..core.ask import Answers, no_questions
from ..core.declare import Declaration, Example, Options
from ..core.jsonvalue import InvalidJSONError, canonical, decode, same_value, show
from ..core.results import Alignment, Details, Difference, Pair, Result
from ..core.scoring import not_evaluated, scored
from ..core.types import Case

DECLARATION = Declaration(
    id="tool_call_output",
    meaning="share of the expected outputs that a call of that tool gave, one-to-one",
    order=90,
    result_shape="pairs of calls whose outputs are equal",
    aggregate="mean",
    related=("tool_call_args",),
    when_to_use="When the tools are under test too, or when a state change shows only in what a tool answered.",
    when_not="With live tools whose answers change from run to run.",
    watch_out="Only expected calls that give an `output` count; outputs are compared as JSON values.",
    when_low="See whether the call failed (error, status) before you look at the agent.",
    example=Example(
        actual=[{"name": "add", "arguments": {"a": 1, "b": 2}, "output": "3"}],
        expected=[{"name": "add", "arguments": {"a": 1, "b": 2}, "output": 3}],
        score=1.0,
    ),
)

questions = no_questions


def score(case: Case, alignments: Alignments, answers: Answers, options: Options) -> Result:
    """Score one case."""
    given = [index for index, call in enumerate(alignments.expected) if call.output is not None]
    if not given:
        return not_evaluated(DECLARATION, options.threshold, "no expected call gives an output")
    names = alignments.actual_names
    recorded: dict[str, list[int]] = {}
    for index in alignments.actual_indexes:
        recorded.setdefault(names[index], [])
        if alignments.actual[index].output is not None:
            recorded[names[index]].append(index)
    unknown = [i for i in given if recorded.get(alignments.expected_names[i]) == []]
    warnings = tuple(
        f"{name} was called, but no output of it was recorded; its expected outputs are left out"
        for name in dict.fromkeys(alignments.expected_names[i] for i in unknown)
    )
    counted = [index for index in given if index not in set(unknown)]
    if not counted:
        reason = "no output of the expected tools was recorded"
        return not_evaluated(DECLARATION, options.threshold, reason, warnings=warnings)
    pairs = _pairs(alignments, counted, recorded)
    involved = sorted({i for e in counted for i in recorded.get(alignments.expected_names[e], ())})
    alignment = to_alignment("outputs", pairs, involved, counted)
    found = tuple(_difference(alignments, index, alignment, recorded) for index in alignment.missing)
    reason = f"{len(pairs)}/{len(counted)} expected outputs found."
    if found:
        reason += " " + "; ".join(item.message for item in found[:3]) + "."
    details = Details(rule="outputs", pairs=alignment.pairs, missing=alignment.missing, differences=found)
    value = Fraction(len(pairs), len(counted))
    return scored(DECLARATION, options, value, reason, details=details, warnings=warnings)


def _pairs(alignments: Alignments, counted: list[int], recorded: dict[str, list[int]]) -> list[Pair]:
    """Equality of outputs is an equivalence relation, so taking the first free equal one is best."""
    free = {
        name: [(index, plain_output(alignments.actual[index].output)) for index in indexes]
        for name, indexes in recorded.items()
    }
    pairs: list[Pair] = []
    for expected in counted:
        wanted = plain_output(alignments.expected[expected].output)
        rest = free.get(alignments.expected_names[expected], [])
        for position, (index, output) in enumerate(rest):
            if same_value(wanted, output):
                pairs.append(Pair(index, expected, 1.0))
                del rest[position]
                break
    return pairs


def plain_output(output: Any) -> Any:
    """An output as a JSON value: JSON text is decoded once, other text is itself."""
    if isinstance(output, str):
        try:
            return decode(output)
        except InvalidJSONError:
            return output
    try:
        return canonical(output)
    except InvalidJSONError:
        return repr(output)


def _difference(
    alignments: Alignments, expected: int, alignment: Alignment, recorded: dict[str, list[int]]
) -> Difference:
    name = alignments.expected_names[expected]
    wanted = plain_output(alignments.expected[expected].output)
    if name not in recorded:
        return Difference(
            kind="missing_call", message=f"{name} was not called", tool=name, expected_call=expected
        )
    made = next((index for index in alignment.extra if alignments.actual_names[index] == name), None)
    if made is None:
        message = f"no further output of {name} was recorded (expected {show(wanted)})"
        return Difference(kind="value", expected=wanted, message=message, tool=name, expected_call=expected)
    output = plain_output(alignments.actual[made].output)
    return Difference(
        kind="value",
        expected=wanted,
        actual=output,
        message=f"{name} answered {show(output)} (expected {show(wanted)})",
        tool=name,
        actual_call=made,
        expected_call=expected,
    )
