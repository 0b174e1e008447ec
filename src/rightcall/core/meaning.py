"""Which pairs of calls a judge is asked about, and what its answers come to (contract 5, `tool_call_semantic`).

Knows no judge: it states questions about a view of a case, and reads answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec import Struct

from ..errors import EvaluatorError
from .arguments import Given
from .ask import Answer, Answers, Question, Questions
from .equality.compare import Comparer
from .match import best_assignment
from .matcher import Matcher, as_json, holds_matcher
from .pairing.align import NameGroup, identity, pair_optimally, to_alignment
from .pairing.alignments import Alignments
from .pairing.slot_views import SlotAlignments
from .paths import join
from .results import Alignment, Pair
from .types import ToolCall

__all__ = ["Meant", "meant", "questions_of"]

RULE: Final = "by_meaning"
MOST_PAIRS: Final = 10_000
"""Combinations of calls of one tool, where some are unequal: some seconds of the local stage."""

SCALE: Final = 1_000_000_000
"""Probabilities are paired as whole numbers of billionths, so that the best pairing is exact and repeatable."""

_LEFT_OUT: Final = object()


class Meant(Struct, frozen=True, kw_only=True):
    """What the answers about a case come to.

    Attributes:
        alignment: the pairing of the greatest total probability; a pair's credit is its probability.
        probabilities: for each expected call (or place) that an equivalent call was made; 0 where none was.
        required: those of the calls that must be made.
        answers: by (actual, expected) of the pairs that a judge was asked about.
        unjudged: pairs for which nobody could say.
    """

    alignment: Alignment
    probabilities: tuple[float, ...]
    required: tuple[float, ...]
    answers: Answers
    unjudged: tuple[tuple[int, int], ...] = ()


def questions_of(calls: Alignments) -> Questions:
    """The pairs of calls of one tool that are not equal and may belong together.

    Nothing is asked about a tool whose calls are all paired with equal ones: no pairing has a greater total.
    The `expected` of a question is the number of the call's choice where calls have alternatives.

    Raises:
        EvaluatorError: more than :data:`MOST_PAIRS`.
    """
    if calls.identical:
        return ()
    found: list[Question] = []
    for made, wanted in _open_pairs(calls):
        question = _question(calls, made, wanted)
        if question is not None:
            found.append(question)
    return tuple(found)


def _open_pairs(calls: Alignments) -> Iterator[tuple[int, int]]:
    view = calls.choices if isinstance(calls, SlotAlignments) else calls
    for group in view.groups().values():
        if not group.actual or not group.expected:
            continue
        rows: Sequence[int]
        columns: Sequence[int]
        if view is not calls:
            _refuse_more_than(MOST_PAIRS, len(group.actual), len(group.expected))
            rows, columns = range(len(group.actual)), range(len(group.expected))
        else:
            # With alternatives a choice is no place, so the shorter side says nothing.
            rows, columns = _open_part(group)[1:]
        for row in rows:
            same = set(group.equal[row])
            yield from ((group.actual[row], group.expected[place]) for place in columns if place not in same)


def _open_part(group: NameGroup) -> tuple[list[tuple[int, int]], Sequence[int], Sequence[int]]:
    """Pairs of equal calls that are settled, and the rows and columns that are left, all as positions.

    Nothing is left where equal calls fill the shorter side. Otherwise all are, since a pair of equal calls may have to
    part for the greatest total; only of more than :data:`MOST_PAIRS` combinations equal calls are paired first.

    Raises:
        EvaluatorError: more than that are left.
    """
    sizes = len(group.actual), len(group.expected)
    equal = [(made, wanted) for made, wanted, exact in pair_optimally(group) if exact]
    if len(equal) == min(sizes):
        return equal, (), ()
    if sizes[0] * sizes[1] <= MOST_PAIRS:
        return [], range(sizes[0]), range(sizes[1])
    taken, served = {made for made, _ in equal}, {wanted for _, wanted in equal}
    rows = [row for row in range(sizes[0]) if row not in taken]
    columns = [column for column in range(sizes[1]) if column not in served]
    _refuse_more_than(MOST_PAIRS, len(rows), len(columns))
    return equal, rows, columns


def _refuse_more_than(most: int, made: int, wanted: int) -> None:
    if made * wanted > most:
        hint = f"at most {most:,} combinations"
        message = "too many calls of one tool to be judged pair by pair"
        raise EvaluatorError(message, field="expected_tool_calls", hint=hint)


def _question(calls: Alignments, made: int, wanted: int) -> Question | None:
    """What is asked about a pair; None where unreadable arguments leave nothing to ask."""
    view = calls.choices if isinstance(calls, SlotAlignments) else calls
    comparer = view.comparer(wanted)
    expected = view.normal_of(wanted, comparer, is_expected=True)
    actual = view.normal_of(made, comparer, is_expected=False)
    if expected is None or actual is None:
        return None
    refused: tuple[str, ...] = ()
    if not comparer.is_plain:
        expected, actual, refused = _settled(comparer, expected, actual)
    name = view.expected_names[wanted]
    spec = calls.specs().get(name) if calls.case.tools else None
    return Question(
        actual=made,
        expected=wanted,
        actual_call=ToolCall(name=name, raw=Given(actual)),
        expected_call=ToolCall(name=name, raw=Given(expected)),
        tool_schema=None if spec is None else spec.schema,
        refused=refused,
    )


def _settled(
    comparer: Comparer, expected: dict[str, Any], actual: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any], tuple[str, ...]]:
    """The arguments of both sides with what the options accept made equal, and the paths that a matcher refused."""
    wanted: dict[str, Any] = {}
    made: dict[str, Any] = {}
    refused: list[str] = []
    for key in dict.fromkeys((*expected, *actual)):
        here = {key: expected[key]} if key in expected else {}
        there = {key: actual[key]} if key in actual else {}
        if comparer.same(here, there):
            if here and there:
                wanted[key] = made[key] = there[key]
            continue
        meaning = _meaning(here.get(key))
        if meaning is not _LEFT_OUT:
            here = {key: meaning}
        elif comparer.matching and here and holds_matcher(here[key], 1):
            here = {key: as_json(here[key])}
            refused.append(join("", key))
        wanted |= here
        made |= there
    return wanted, made, tuple(refused)


def _meaning(value: Any) -> Any:
    """The value whose meaning a `$semantic` matcher asks for."""
    if isinstance(value, Matcher) and "$semantic" in (written := value.as_json()):
        return written["$semantic"]
    return _LEFT_OUT


def meant(calls: Alignments, answers: Answers) -> Meant:
    """The pairing of the greatest total probability, and what it says.

    Equal calls have probability 1, calls of other tools and unreadable ones 0.
    """
    if calls.identical:
        size = len(calls.expected)
        ones = (1.0,) * size
        return Meant(alignment=identity(RULE, size), probabilities=ones, required=ones, answers={})
    if isinstance(calls, SlotAlignments):
        return _in_slots(calls, answers)
    pairs: list[Pair] = []
    for group in calls.groups().values():
        if group.actual and group.expected:
            pairs += _paired_group(group, answers)
    alignment = to_alignment(RULE, pairs, calls.actual_indexes, range(len(calls.expected)))
    return _told(calls, alignment, answers, {(pair.actual, pair.expected): pair.expected for pair in pairs})


def _paired_group(group: NameGroup, answers: Answers) -> list[Pair]:
    """The best pairs of one tool's calls."""
    equal, rows, columns = _open_part(group)
    settled = [Pair(group.actual[row], group.expected[column], 1.0) for row, column in equal]
    if not rows or not columns:
        return settled
    worth = [
        [
            1.0 if place in same else _probability(answers.get((group.actual[row], group.expected[place])))
            for place in columns
        ]
        for row, same in ((row, set(group.equal[row])) for row in rows)
    ]
    # A step more for what is above 0: of equally good pairings the one with more such pairs wins.
    steps = [[round(value * SCALE) + (value > 0) for value in line] for line in worth]
    return settled + [
        Pair(group.actual[rows[row]], group.expected[columns[column]], worth[row][column])
        for row, column in best_assignment(steps)
    ]


def _in_slots(calls: SlotAlignments, answers: Answers) -> Meant:
    """The same where calls may be left out, repeated or made in another way."""
    best: dict[tuple[int, int], tuple[float, int]] = {}
    for made in calls.actual_indexes:
        for number in calls.named_columns(calls.actual_names[made]):
            column = calls.columns[number]
            same = number in calls.equal_columns(made)
            judged = ((_probability(answers.get((made, choice))), -choice) for choice in column.choices)
            value, choice = max(judged)
            best[made, number] = (1.0, column.choices[0]) if same else (value, -choice)
    alignment = calls.by_worth(RULE, lambda made, number: best[made, number][0], SCALE)
    asked = {
        (pair.actual, pair.expected): best[pair.actual, calls.column_number(pair.expected)][1]
        for pair in alignment.pairs
    }
    return _told(calls, alignment, answers, asked)


def _told(
    calls: Alignments, alignment: Alignment, answers: Answers, asked: dict[tuple[int, int], int]
) -> Meant:
    probabilities = [0.0] * len(calls.expected)
    taken: dict[tuple[int, int], Answer] = {}
    unjudged: list[tuple[int, int]] = []
    for pair in alignment.pairs:
        probabilities[pair.expected] = pair.credit
        answer = answers.get((pair.actual, asked[pair.actual, pair.expected]))
        if answer is not None and pair.credit < 1.0:
            taken[pair.actual, pair.expected] = answer
            if answer.probability is None:
                unjudged.append((pair.actual, pair.expected))
    slotted = isinstance(calls, SlotAlignments)
    required = (
        value
        for place, value in enumerate(probabilities)
        if not slotted or calls.is_required(place)  # type: ignore[attr-defined]  # slotted says that it is there
    )
    return Meant(
        alignment=alignment,
        probabilities=tuple(probabilities),
        required=tuple(required),
        answers=taken,
        unjudged=tuple(unjudged),
    )


def _probability(answer: Answer | None) -> float:
    return 0.0 if answer is None or answer.probability is None else answer.probability
