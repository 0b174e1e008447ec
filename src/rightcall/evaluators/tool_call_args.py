"""tool_call_args: the share of expected calls that were made with the same name and the same arguments."""

from __future__ import annotations

from ..core.ask import Answers, no_questions
from ..core.declare import Declaration, Example, Options
from ..core.options import OptionSpec, parse_flag
from ..core.pairing.alignments import Alignments
from ..core.results import Result
from ..core.scoring import empty_reason, empty_sides, paired
from ..core.types import Case

DECLARATION = Declaration(
    id="tool_call_args",
    meaning="share of expected calls for which a call of the same name with the same arguments was made",
    options=(
        OptionSpec(
            name="strict",
            meaning="all or nothing: 1 only if every expected call was made",
            form="true | false",
            parse=parse_flag,
            default=False,
        ),
    ),
    option_groups=("arguments", "names", "failed", "repair"),
    suites=("agent", "everything"),
    order=20,
    pairs_calls=True,
    length_decides=True,
    result_shape="matched and expected counts",
    aggregate="mean; pass rate with strict",
    mirrors="the tool-call-args evaluator of UiPath's console",
    related=("tool_call_accuracy", "argument_accuracy", "tool_call_count"),
    when_to_use="When every expected call must be made exactly and calls beyond them do no harm.",
    when_not="When an extra call is a fault: use tool_call_accuracy or trajectory_match.",
    watch_out=(
        "A published rule asks for a JSON similarity of at least 0.999. Here it is exact equality, since a "
        "similarity would pass an id that is off by one; numeric_tolerance allows for rounding where it is meant."
    ),
    when_low="Look at the path that differs most often; a format that always differs is an option or a prompt.",
    example=Example(
        actual=[
            {"name": "book_table", "arguments": {"guests": 2}},
            {"name": "send_mail", "arguments": {"to": "ana@example.com"}},
        ],
        expected=[{"name": "book_table", "arguments": {"guests": 2}}],
        score=1.0,
    ),
    questions=(
        ("Do extra calls lower it?", "No. It is a share of the expected calls."),
        ("May one call serve two expected calls?", "No. Every comparison is one-to-one."),
    ),
)

questions = no_questions


def score(case: Case, alignments: Alignments, answers: Answers, options: Options) -> Result:
    """Score one case."""
    alignment = alignments.equal_only
    wanted, matched = alignments.wanted, alignments.served(alignment)
    empty = empty_sides(alignments)
    if empty is not None:
        reason = empty_reason(alignments)
        extras_cost = alignments.expects_nothing
        return paired(DECLARATION, options, empty, reason, alignments, alignment, extras_cost=extras_cost)
    value = float(matched == wanted) if options["strict"] or not wanted else matched / wanted
    reason = f"{matched}/{wanted} matched."
    return paired(DECLARATION, options, value, reason, alignments, alignment, extras_cost=False)
