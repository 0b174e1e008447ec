"""tool_call_output: the share of expected outputs that a call of that tool gave."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ..core.ask import Answers, no_questions
from ..core.declare import Declaration, Example, Options
from ..core.jsonvalue import InvalidJSONError, canonical, decode, same_value, show
from ..core.pairing.align import to_alignment
from ..core.pairing.alignments import Alignments
from ..core.pairing.slot_views import SlotAlignments
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
    given = [index for index in range(len(alignments.expected)) if alignments.outputs(index)]
    if not given:
        return not_evaluated(DECLARATION, options.threshold, "no expected call gives an output")
    names = alignments.actual_names
    recorded: dict[str, list[int]] = {}
    for index in alignments.actual_indexes:
        recorded.setdefault(names[index], [])
        if alignments.actual[index].output is not None:
            recorded[names[index]].append(index)
    unknown = [index for index in given if _is_unknown(alignments, index, recorded)]
    warnings = tuple(
        f"{name} was called, but no output of it was recorded; its expected outputs are left out"
        for name in dict.fromkeys(alignments.title(i) for i in unknown)
    )
    counted = [index for index in given if index not in set(unknown)]
    if not counted:
        reason = "no output of the expected tools was recorded"
        return not_evaluated(DECLARATION, options.threshold, reason, warnings=warnings)
    if isinstance(alignments, SlotAlignments):
        alignment = alignments.by_outputs(counted, _same_output)
    else:
        pairs = _pairs(alignments, counted, recorded)
        involved = sorted({i for e in counted for i in recorded.get(alignments.expected_names[e], ())})
        alignment = to_alignment("outputs", pairs, involved, counted)
    found = tuple(_difference(alignments, index, alignment, recorded) for index in alignment.missing)
    served, wanted = alignments.served(alignment), alignments.served(alignment) + len(alignment.missing)
    reason = f"{served}/{wanted} expected outputs found."
    if found:
        reason += " " + "; ".join(item.message for item in found[:3]) + "."
    details = Details(rule="outputs", pairs=alignment.pairs, missing=alignment.missing, differences=found)
    value = Fraction(served, wanted) if wanted else Fraction(1)
    return scored(DECLARATION, options, value, reason, details=details, warnings=warnings)


def _is_unknown(alignments: Alignments, expected: int, recorded: dict[str, list[int]]) -> bool:
    """Whether tools that give an expected output were called, and none of them with an output on record."""
    called = [recorded[name] for name, _ in alignments.outputs(expected) if name in recorded]
    return bool(called) and not any(called)


def _same_output(wanted: Any, made: Any) -> bool:
    return same_value(plain_output(wanted), plain_output(made))


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
            return output.encode(
                "utf-8", "backslashreplace"
            ).decode()  # half of a character could not be written
    try:
        return canonical(output)
    except InvalidJSONError:
        return repr(output)


def _difference(
    alignments: Alignments, expected: int, alignment: Alignment, recorded: dict[str, list[int]]
) -> Difference:
    name = alignments.expected_names[expected]
    wanted = plain_output(alignments.outputs(expected)[0][1])
    if not any(alignments.takes(expected, made) for made in recorded):
        message = f"{alignments.title(expected)} was not called"
        return Difference(kind="missing_call", message=message, tool=name, expected_call=expected)
    made = next(
        (index for index in alignment.extra if alignments.takes(expected, alignments.actual_names[index])),
        None,
    )
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
