"""tool_call_accuracy: greedy pairing, 1.0 for an equal call and 0.5 for an equal name, over the longer list."""

from __future__ import annotations

from functools import lru_cache, partial

from ..core.ask import Answers, no_questions
from ..core.declare import Declaration, Example, Options
from ..core.options import OptionSpec, parse_choice
from ..core.pairing.alignments import Alignments
from ..core.pairing.slot_views import SlotAlignments
from ..core.results import Alignment, Result
from ..core.scoring import count_of, empty_reason, empty_sides, paired
from ..core.types import Case

DECLARATION = Declaration(
    id="tool_call_accuracy",
    meaning="each actual call takes the best unused expected call: equal 1.0, same name 0.5; over the longer list",
    options=(
        OptionSpec(
            name="matching",
            meaning="greedy takes calls as they come; optimal takes the best total",
            form="greedy | optimal",
            parse=parse_choice("greedy", "optimal"),
            default="greedy",
        ),
    ),
    option_groups=("arguments", "names", "failed", "repair"),
    suites=("agent", "trajectory", "everything"),
    order=10,
    pairs_calls=True,
    length_decides=True,
    result_shape="exact, name_only, actual and expected counts; the other matching's score where it differs",
    aggregate="mean; share of exact pairs by tool",
    mirrors="Tool Call Accuracy (Future AGI)",
    related=("tool_call_args", "tool_call_f1", "argument_accuracy"),
    when_to_use="As the first number for an agent: it falls for wrong arguments, missing calls and extra calls.",
    when_not="When extra calls are fine (tool_call_args), or when the order matters (tool_call_order).",
    watch_out="The greedy rule depends on the order of the actual calls; the reason says when optimal differs.",
    when_low="Read the ranked causes: wrong arguments cost half a call each, missing and extra ones a whole call.",
    example=Example(
        actual=[{"name": "get_weather", "arguments": {"city": "Oslo"}}],
        expected=[{"name": "get_weather", "arguments": {"city": "Oslo", "units": "celsius"}}],
        score=0.5,
    ),
    questions=(
        (
            "Why 0.5 for one wrong argument?",
            "The name was right and the arguments were not: half of one call.",
        ),
        ("Why is an extra call not free?", "It is in the longer list, and unwanted actions should show."),
    ),
)

questions = no_questions


def score(case: Case, alignments: Alignments, answers: Answers, options: Options) -> Result:
    """Score one case."""
    greedy = options["matching"] == "greedy"
    alignment = alignments.greedy if greedy else alignments.optimal
    empty = empty_sides(alignments)
    if empty is not None:
        return paired(DECLARATION, options, empty, empty_reason(alignments), alignments, alignment)
    made, wanted = alignments.actual_count, alignments.wanted
    filled = alignments.optional_pairs(alignment) if isinstance(alignments, SlotAlignments) else 0
    exact, pairs = alignment.exact, len(alignment.pairs)
    value = _value(alignments, alignment)
    measures: dict[str, float] | None = None
    if alignments.contested and (exact < pairs or not greedy or alignments.slotted):
        other = _value(alignments, alignments.optimal if greedy else alignments.greedy)
        if other != value:
            measures = {"optimal_score" if greedy else "greedy_score": other}

    # The reason is made when it is read, so it must not hold on to the case.
    may = len(alignments.expected) - wanted
    reason = partial(_reason, exact, pairs, made, (wanted, filled, may), measures)
    return paired(DECLARATION, options, value, reason, alignments, alignment, measures)


def _value(alignments: Alignments, alignment: Alignment) -> float:
    """The credit of all pairs over the longer list, where both sides have calls."""
    if isinstance(alignments, SlotAlignments):
        return float(alignments.accuracy(alignment))
    longer = max(alignments.wanted, alignments.actual_count)
    return (alignment.exact + len(alignment.pairs)) / (2 * longer)


def _reason(
    exact: int, pairs: int, made: int, places: tuple[int, int, int], measures: dict[str, float] | None
) -> str:
    """In words; `places` are those that must be filled, and of those that may be the filled ones and all."""
    text = _counts(exact, pairs, made, places)
    for name, value in (measures or {}).items():
        text += f" {name.partition('_')[0].capitalize()} matching would give {value:.6g}."
    return text


@lru_cache(maxsize=4096)
def _counts(exact: int, pairs: int, made: int, places: tuple[int, int, int]) -> str:
    """What was counted; most cases have few calls, so there are few different texts."""
    wanted, filled, may = places
    calls = count_of(wanted, "expected call")
    if may:
        calls = f"{count_of(wanted, 'required call')} and {filled} of {may} optional"
    return f"{count_of(exact, 'exact match')}, {count_of(pairs - exact, 'name-only match')}; {made} actual vs {calls}."
