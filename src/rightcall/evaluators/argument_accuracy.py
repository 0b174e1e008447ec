"""argument_accuracy: the mean share of right arguments over calls paired by name."""

from __future__ import annotations

from fractions import Fraction

from ..core.ask import Answers, no_questions
from ..core.declare import Declaration, Example, Options
from ..core.pairing.alignments import Alignments
from ..core.pairing.shares import by_arguments
from ..core.results import Result
from ..core.scoring import empty_reason, empty_sides, paired
from ..core.types import Case

DECLARATION = Declaration(
    id="argument_accuracy",
    meaning="mean share of right arguments over expected calls, each paired with a call of its name",
    option_groups=("arguments", "names", "failed", "repair"),
    order=70,
    pairs_calls=True,
    length_decides=True,
    result_shape="pairs carry their share as credit",
    aggregate="mean; the paths that differ most often",
    related=("tool_call_args", "tool_call_accuracy"),
    when_to_use="When arguments are many and you want to see progress before calls are fully right.",
    when_not="As a release gate: a payment with nine right arguments and one wrong amount still scores 0.9.",
    watch_out="Extra calls cost nothing; keys are counted at the top level, a nested object is right or wrong.",
    when_low="Sort the differences by path: one key is usually behind most of the loss.",
    example=Example(
        actual=[{"name": "book_hotel", "arguments": {"city": "Rome", "nights": 3}}],
        expected=[{"name": "book_hotel", "arguments": {"city": "Rome", "nights": 2}}],
        score=0.5,
    ),
)

questions = no_questions


def score(case: Case, alignments: Alignments, answers: Answers, options: Options) -> Result:
    """Score one case."""
    alignment, total = by_arguments(alignments)
    wanted = alignments.wanted
    empty = empty_sides(alignments)
    if empty is not None:
        reason = empty_reason(alignments)
        extras_cost = alignments.expects_nothing
        return paired(DECLARATION, options, empty, reason, alignments, alignment, extras_cost=extras_cost)
    value = total / wanted if wanted else Fraction(1)
    reason = _reason(alignments.served(alignment), value, wanted)
    return paired(DECLARATION, options, value, reason, alignments, alignment, extras_cost=False)


def _reason(right: int, value: Fraction, wanted: int) -> str:
    return f"{float(value):.3g} as the mean share of right arguments; {right} of {wanted} expected calls are fully right."
