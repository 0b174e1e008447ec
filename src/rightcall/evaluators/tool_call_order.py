"""tool_call_order: the longest common subsequence of names, over the expected calls."""

from __future__ import annotations

from functools import lru_cache

from ..core.ask import Answers, no_questions
from ..core.declare import Declaration, Example, Options
from ..core.explain import advice
from ..core.options import OptionSpec, parse_flag
from ..core.pairing.align import identity
from ..core.pairing.alignments import Alignments
from ..core.pairing.sequence import missed_order, name_order, same_names
from ..core.results import Alignment, Details, Evidence, Finished, Result
from ..core.scoring import count_of, empty_reason, empty_sides, scored
from ..core.types import Case

DECLARATION = Declaration(
    id="tool_call_order",
    meaning="longest common subsequence of names over the number of expected calls",
    options=(
        OptionSpec(
            name="strict",
            meaning="1 only if the names were made in just the expected sequence",
            form="true | false",
            parse=parse_flag,
            default=False,
        ),
    ),
    option_groups=("names", "failed", "groups"),
    suites=("agent", "trajectory", "everything"),
    order=30,
    length_decides=True,
    result_shape="pairs of the calls that were made in order",
    aggregate="mean; share of cases at 1.0",
    related=("trajectory_match", "tool_call_count"),
    when_to_use="When steps depend on each other: look up before you pay.",
    when_not="When order is free; mark parallel calls with one group, or leave this evaluator out.",
    watch_out="Arguments are not compared and extra calls are free: it says where, not whether it was right.",
    when_low="See which expected call is listed as out of order, and what the agent did first instead.",
    example=Example(
        actual=[{"name": "pay", "arguments": {}}, {"name": "look_up", "arguments": {}}],
        expected=[{"name": "look_up", "arguments": {}}, {"name": "pay", "arguments": {}}],
        score=0.5,
    ),
    questions=(("Calls sent in parallel?", "Give them one group; the members may come in any order."),),
)

questions = no_questions


def score(case: Case, alignments: Alignments, answers: Answers, options: Options) -> Result:
    """Score one case."""
    alignment = name_order(alignments, options.groups)
    wanted, found = alignments.wanted, alignments.served(alignment)
    if found == wanted > 0 and not alignment.extra and not alignments.slotted:
        return scored(DECLARATION, options, 1, _all_in_order(found))
    empty = empty_sides(alignments)
    value = empty if empty is not None else found / wanted if wanted else 1.0
    reason = f"{found}/{wanted} expected calls in order." if empty is None else empty_reason(alignments)
    if options["strict"] and empty is None:
        value = float(_nothing_over(alignments, alignment, options))
        if not value and found == wanted:
            reason += f" The sequence is not the expected one: {count_of(len(alignment.extra), 'call')} more."
    missed = missed_order(alignments, alignment)
    details = Details(
        rule=alignment.rule,
        pairs=alignment.pairs,
        missing=alignment.missing,
        extra=alignment.extra,
        differences=missed,
    )
    if value != 1:
        reason += advice(missed)
    return scored(DECLARATION, options, value, reason, details=details)


def _nothing_over(alignments: Alignments, alignment: Alignment, options: Options) -> bool:
    """Whether the calls were made in just the expected sequence."""
    if alignments.slotted:
        return not alignment.missing and not alignment.extra
    return same_names(alignments, options.groups)


@lru_cache(maxsize=256)
def _all_in_order(size: int) -> Evidence:
    """The evidence of every case whose names are just the expected ones: only their number differs."""
    alignment = identity("in_order", size)
    details = Details(rule=alignment.rule, pairs=alignment.pairs)
    return Finished(alignment, f"{size}/{size} expected calls in order.", details)
