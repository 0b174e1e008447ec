"""tool_selection: F1 of tool names alone, with the pairs that were confused."""

from __future__ import annotations

from fractions import Fraction

from ..core.ask import Answers, no_questions
from ..core.declare import Declaration, Example, Options
from ..core.diagnosis.calls import CONFUSED
from ..core.explain import confused
from ..core.pairing.alignments import Alignments
from ..core.results import Alignment, Details, Finished, Pair, Result
from ..core.scoring import empty_reason, empty_sides, f1_of, precision_recall, scored
from ..core.types import Case

DECLARATION = Declaration(
    id="tool_selection",
    meaning="multiset F1 of tool names, arguments ignored",
    option_groups=("names", "failed"),
    order=80,
    pairs_calls=True,
    length_decides=True,
    result_shape="precision, recall, true_positives, false_positives, false_negatives, confusions",
    aggregate="micro and macro precision, recall and F1; the confusion matrix",
    related=("tool_call_f1", "tool_call_accuracy"),
    when_to_use="When you change tool names or descriptions and ask whether the right tool is still picked.",
    when_not="As the only gate: a right tool with wrong arguments scores 1.",
    watch_out="Which tool was taken for which is a best guess from arguments and names.",
    when_low="Read the confusion matrix: two tools that are taken for each other need sharper descriptions.",
    example=Example(
        actual=[{"name": "web_search", "arguments": {"q": "opening hours"}}],
        expected=[{"name": "shop_search", "arguments": {"q": "opening hours"}}],
        score=0.0,
    ),
)

questions = no_questions


def score(case: Case, alignments: Alignments, answers: Answers, options: Options) -> Result:
    """Score one case."""
    alignment = _by_name(alignments)
    found, made, wanted = len(alignment.pairs), alignments.actual_count, alignments.wanted
    served = alignments.served(alignment)
    differences = confused(alignments, alignment)
    measures = precision_recall(found, made - found, wanted - served, served)
    measures["confusions"] = [
        {"expected": item.tool, "made": alignments.actual_names[item.actual_call]}
        for item in differences
        if item.kind in CONFUSED and item.actual_call is not None and item.expected_call is not None
    ]
    empty = empty_sides(alignments)
    value = f1_of(found, made, served, wanted) if empty is None else Fraction(empty)
    reason = (
        empty_reason(alignments)
        if empty is not None
        else f"{served} of {wanted} expected tools; {made} calls."
    )
    if differences:
        reason += " " + "; ".join(item.message for item in differences[:3]) + "."
    details = Details(
        rule=alignment.rule,
        pairs=alignment.pairs,
        missing=alignment.missing,
        extra=alignment.extra,
        differences=differences,
        measures=measures,
    )
    return scored(DECLARATION, options, value, Finished(alignment, reason, details))


def _by_name(alignments: Alignments) -> Alignment:
    """The optimal pairing, in which an equal name is all that is asked."""
    best = alignments.named
    pairs = tuple(Pair(pair.actual, pair.expected, 1.0) for pair in best.pairs)
    return Alignment(rule="names", pairs=pairs, missing=best.missing, extra=best.extra, exact=len(pairs))
