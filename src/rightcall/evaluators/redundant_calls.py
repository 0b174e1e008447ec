"""redundant_calls: the share of calls that do not repeat an earlier one."""

from __future__ import annotations

from fractions import Fraction

from ..core.ask import Answers, no_questions
from ..core.declare import Declaration, Example, Options
from ..core.diagnosis.calls import repeated_call
from ..core.explain import reading_warnings
from ..core.pairing.alignments import Alignments
from ..core.results import Details, Result
from ..core.scoring import count_of, scored
from ..core.types import Case

DECLARATION = Declaration(
    id="redundant_calls",
    meaning="share of calls that do not repeat exactly an earlier call that did not fail",
    inputs=("actual",),
    option_groups=("alike", "names", "failed", "repair"),
    order=120,
    result_shape="repeats: [call, earlier call] pairs",
    aggregate="mean; calls wasted by tool",
    related=("tool_call_count",),
    when_to_use="To find loops and wasted calls; it needs no expected calls, so it runs on production traces.",
    when_not="Where polling is normal: leave such tools out or give them an argument to ignore.",
    watch_out="A retry after a recorded failure is no repeat; without a recorded error or status it is one.",
    when_low="Check that the agent sees its earlier results: a lost tool message is the usual cause.",
    example=Example(
        actual=[{"name": "get", "arguments": {"id": 1}}, {"name": "get", "arguments": {"id": 1}}],
        score=0.5,
    ),
)

questions = no_questions


def score(case: Case, alignments: Alignments, answers: Answers, options: Options) -> Result:
    """Score one case."""
    total = alignments.actual_count
    if not total:
        return scored(DECLARATION, options, 1, "No call was made.")
    first: dict[tuple[str, bytes], int] = {}
    found = []
    warnings: list[str] = []
    for index in alignments.actual_indexes:
        name = alignments.actual_names[index]
        warnings += reading_warnings(alignments, index)
        value = alignments.reading(index).value
        if value is None:
            continue
        comparer = alignments.comparer_for(name)
        key = (name, comparer.key(comparer.normal(value)))
        if key in first:
            found.append(repeated_call(name, index, first[key]))
        elif not alignments.actual[index].failed:
            first[key] = index
    reason = f"{count_of(len(found), 'repeated call')} among {total}."
    if found:
        reason += " " + "; ".join(item.message for item in found[:3]) + "."
    details = Details(
        differences=tuple(found),
        measures={"repeats": [item.actual_call for item in found]},
    )
    value_ = Fraction(total - len(found), total)
    return scored(DECLARATION, options, value_, reason, details=details, warnings=tuple(warnings))
