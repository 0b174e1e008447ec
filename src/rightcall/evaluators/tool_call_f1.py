"""tool_call_f1: F1 of a maximum one-to-one matching of calls."""

from __future__ import annotations

from ..core.ask import Answers, no_questions
from ..core.declare import Declaration, Example, Options
from ..core.options import OptionSpec, parse_choice
from ..core.pairing.alignments import Alignments
from ..core.pairing.slot_views import SlotAlignments
from ..core.results import Result
from ..core.scoring import empty_reason, empty_sides, f1_of, paired, precision_recall
from ..core.types import Case

DECLARATION = Declaration(
    id="tool_call_f1",
    meaning="F1 of the largest one-to-one matching between actual and expected calls",
    options=(
        OptionSpec(
            name="match",
            meaning="what counts as found: an equal call, or one of the same name",
            form="exact | name",
            parse=parse_choice("exact", "name"),
            default="exact",
        ),
    ),
    option_groups=("arguments", "names", "failed", "repair"),
    suites=("trajectory", "everything"),
    order=60,
    pairs_calls=True,
    length_decides=True,
    result_shape="precision, recall, true_positives, false_positives, false_negatives",
    aggregate="micro and macro precision, recall and F1",
    related=("tool_call_accuracy", "tool_selection"),
    when_to_use="When missing and extra calls should weigh alike and you report precision and recall.",
    when_not="When a wrong argument should cost less than a missing call: tool_call_accuracy gives half credit.",
    watch_out="Repeated calls count one by one; it is never a comparison of sets.",
    when_low="Low precision means too many or wrong calls, low recall means missing ones.",
    example=Example(
        actual=[{"name": "search", "arguments": {"q": "ink"}}, {"name": "buy", "arguments": {"id": 4}}],
        expected=[{"name": "search", "arguments": {"q": "ink"}}],
        score=0.6666666666666666,
    ),
)

questions = no_questions


def score(case: Case, alignments: Alignments, answers: Answers, options: Options) -> Result:
    """Score one case."""
    by_name = options["match"] == "name"
    alignment = alignments.named if by_name else alignments.equal_only
    found = len(alignment.pairs) if by_name else alignment.exact
    made, wanted = alignments.actual_count, alignments.wanted
    served = found
    if isinstance(alignments, SlotAlignments):
        served = alignments.required_pairs(alignment) if by_name else alignments.served(alignment)
    measures = precision_recall(found, made - found, wanted - served, served)
    empty = empty_sides(alignments)
    if empty is not None:
        return paired(DECLARATION, options, empty, empty_reason(alignments), alignments, alignment, measures)
    value = f1_of(found, made, served, wanted) if alignments.slotted else 2 * found / (made + wanted)
    reason = f"{served} of {wanted} expected found; {made - found} of {made} made are not expected."
    return paired(DECLARATION, options, value, reason, alignments, alignment, measures)
