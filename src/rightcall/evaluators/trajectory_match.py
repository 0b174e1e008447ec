"""trajectory_match: 1 when the calls are the expected ones in the chosen sense, else 0."""

from __future__ import annotations

from ..core.ask import Answers, no_questions
from ..core.declare import Declaration, Example, Options
from ..core.options import OptionSpec, parse_choice
from ..core.pairing.alignments import Alignments
from ..core.pairing.sequence import same_sequence, subsequence
from ..core.results import Alignment, Result
from ..core.scoring import empty_reason, paired
from ..core.types import Case

DECLARATION = Declaration(
    id="trajectory_match",
    meaning="1 if the calls are the expected ones in the chosen mode, else 0",
    options=(
        OptionSpec(
            name="mode",
            meaning=(
                "exact: the same sequence; in_order: the expected ones in order, extras allowed; any_order or "
                "superset: each expected call made, extras allowed; unordered: the same calls; subset: nothing else"
            ),
            form="exact | in_order | any_order | superset | unordered | subset",
            parse=parse_choice("exact", "in_order", "any_order", "superset", "unordered", "subset"),
            default="unordered",
        ),
    ),
    option_groups=("arguments", "names", "failed", "repair", "groups"),
    suites=("trajectory", "everything"),
    order=50,
    pairs_calls=True,
    length_decides=True,
    result_shape="mode",
    aggregate="pass rate",
    related=("tool_call_order", "tool_call_accuracy"),
    when_to_use="As a yes-or-no gate where a nearly right trajectory is a wrong one.",
    when_not="To see progress: it does not tell one fault from ten.",
    watch_out="subset and superset speak of the actual calls: superset allows extra calls, subset missing ones.",
    when_low="Try the next weaker mode to see whether order, extra calls or arguments are at fault.",
    example=Example(
        actual=[{"name": "find", "arguments": {"q": "x"}}, {"name": "log", "arguments": {}}],
        expected=[{"name": "find", "arguments": {"q": "x"}}],
        options={"mode": "superset"},
        score=1.0,
    ),
)

questions = no_questions


def score(case: Case, alignments: Alignments, answers: Answers, options: Options) -> Result:
    """Score one case."""
    mode: str = options["mode"]
    made, wanted = alignments.actual_count, alignments.wanted
    alignment = _alignment(alignments, mode, options)
    right = alignments.served(alignment)
    if not made or alignments.expects_nothing:
        holds = made == wanted or (mode == "subset" and not made)
        reason = empty_reason(alignments)
    else:
        holds = _holds(mode, right == wanted, alignment.exact == made)
        reason = f"{mode}: {right} of {wanted} expected calls matched; {made} made."
    measures = {"mode": mode}
    extras_cost = mode in ("exact", "unordered", "subset") or alignments.expects_nothing
    return paired(
        DECLARATION, options, int(holds), reason, alignments, alignment, measures, extras_cost=extras_cost
    )


def _alignment(alignments: Alignments, mode: str, options: Options) -> Alignment:
    if mode not in ("exact", "in_order"):
        return alignments.equal_only
    rule = f"{mode}:{options.groups}"
    known = alignments.kept(rule)
    if known is None:
        find = same_sequence if mode == "exact" else subsequence
        known = alignments.keep(rule, find(alignments, options.groups))
    return known


def _holds(mode: str, all_served: bool, all_matched: bool) -> bool:  # noqa: FBT001 - the two sides, in order
    """Whether what was found is enough: every call that must be made was, and every call made was expected."""
    if mode in ("any_order", "superset", "in_order"):
        return all_served
    return all_matched and (all_served or mode == "subset")
