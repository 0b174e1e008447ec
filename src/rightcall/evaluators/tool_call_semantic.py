"""tool_call_semantic: the probability, for each expected call, that an equivalent call was made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ..core.ask import Answer, Answers, Questions
from ..core.declare import Declaration, Example, Options
from ..core.meaning import Meant, meant, questions_of
from ..core.pairing.alignments import Alignments
from ..core.pairing.slot_views import SlotAlignments
from ..core.results import NOISE, Result
from ..core.scoring import count_of, empty_reason, empty_sides, not_evaluated, paired
from ..core.types import Case
from ..core.views import view

DECLARATION = Declaration(
    id="tool_call_semantic",
    meaning="mean probability, over expected calls, that an equivalent call was made: same tool, same meaning",
    kind="judge",
    threshold=0.5,
    option_groups=("arguments", "names", "failed", "repair"),
    suites=("agent", "everything"),
    order=50,
    pairs_calls=True,
    length_decides=True,
    extra="semantic",
    cost="with the local judge free, under half a millisecond a pair of unequal calls, no network",
    result_shape="probabilities: one for each expected call; judged: what decided, for each pair that is not equal",
    aggregate="mean; calibration against labels of your own (docs/semantic.md)",
    related=("tool_call_args", "argument_accuracy"),
    when_to_use="When agents may write one thing in several ways: dates, amounts, units, names of places.",
    when_not=(
        "When a value must be exact, or when equality needs knowledge: nicknames, tickers, translations, 'next Friday'."
    ),
    watch_out=(
        "The smallest probability decides whether it passes, the mean is the score. Values that are read by a parser "
        "(dates, numbers, money, paths, ids) are never compared by likeness."
    ),
    when_low="Read in the reason which argument decided and why; a format that always differs belongs into the prompt.",
    example=Example(
        actual=[{"name": "book_table", "arguments": {"date": "Nov 12 2025", "guests": 2}}],
        expected=[{"name": "book_table", "arguments": {"date": "2025-11-12", "guests": 3}}],
        score=0.00995,
    ),
    questions=(
        (
            "Does it need a network or a model?",
            "No. The local judge decides by parsers and a small regression.",
        ),
        ("Can an equal call score below 1?", "No. Equal calls are exactly 1 and no judge is asked."),
    ),
)

LOCAL = "local"
"""Who answers where no judge that was asked did: see :class:`Answer`."""

MOST_REASONS = 3
"""Arguments that the reason explains; `details` has them all."""


def questions(case: Case, options: Options) -> Questions:
    """The pairs of unequal calls of one tool."""
    if case.actual is None or case.expected_calls is None:
        return ()
    return questions_of(view(case, options.comparing))


def score(case: Case, alignments: Alignments, answers: Answers, options: Options) -> Result:
    """Score one case."""
    empty = empty_sides(alignments)
    found = meant(alignments, answers)
    if empty is not None:
        reason = empty_reason(alignments)
        extras_cost = alignments.expects_nothing
        made = paired(
            DECLARATION, options, empty, reason, alignments, found.alignment, extras_cost=extras_cost
        )
        return replace(made, probabilities=found.probabilities)
    if found.unjudged:
        return not_evaluated(DECLARATION, options.threshold, _unjudged(found))
    required = found.required
    value = sum(required) / len(required) if required else 1.0
    least = min(required, default=1.0)
    result = paired(
        DECLARATION,
        options,
        value,
        _reason(alignments, found, value, least),
        alignments,
        found.alignment,
        _measures(found),
        extras_cost=False,
    )
    return replace(
        result,
        passed=least >= options.threshold - NOISE,
        probabilities=found.probabilities,
        cost_usd=sum(answer.cost_usd for answer in answers.values()),
    )


def _unjudged(found: Meant) -> str:
    pair = found.unjudged[0]
    why = found.answers[pair].not_judged or "the judge gave no judgement"
    return f"{count_of(len(found.unjudged), 'pair')} could not be judged: {why}"


def _measures(found: Meant) -> dict[str, Any]:
    """What decided about each pair that is not equal, in the order of the pairs."""
    if not found.answers:
        return {}
    judged = [_told(pair, answer) for pair, answer in sorted(found.answers.items())]
    fallen_back = sum(1 for answer in found.answers.values() if answer.not_judged is not None)
    return {"judged": judged} | ({"not_judged": fallen_back} if fallen_back else {})


def _told(pair: tuple[int, int], answer: Answer) -> dict[str, Any]:
    told: dict[str, Any] = {
        "actual": pair[0],
        "expected": pair[1],
        "probability": answer.probability,
        "by": answer.by,
    }
    if answer.local is not None:
        told["local"] = answer.local
    if answer.not_judged is not None:
        told["not_judged"] = answer.not_judged
    told["arguments"] = [
        {"path": each.path, "probability": each.probability, "by": each.by, "words": each.words}
        for each in answer.arguments
    ]
    return told


def _reason(calls: Alignments, found: Meant, value: float, least: float) -> str:
    """What was counted, then why, least likely arguments first."""
    exact, wanted = calls.served(found.alignment), len(found.required)
    if not found.required:
        return "No call had to be made."
    head = f"{exact} of {count_of(wanted, 'expected call')} made equal"
    likely = sum(1 for value_ in found.required if 0.5 <= value_ < 1.0)
    if likely:
        head += f", {likely} likely equivalent"
    head += f"; mean probability {_shown(value)}, smallest {_shown(least)}."
    parts = sorted(
        (
            part
            for pair, answer in sorted(found.answers.items())
            # What may be left out is not scored, so how it was made explains nothing.
            if not isinstance(calls, SlotAlignments) or calls.is_required(pair[1])
            for part in _parts(calls.title(pair[1]), answer)
        ),
        key=lambda part: part.probability,
    )
    told = [part.words for part in parts[:MOST_REASONS]]
    more = sum(part.arguments for part in parts[MOST_REASONS:])
    if more > 0:
        told.append(f"and {count_of(more, 'argument')} more")
    return " ".join([head, *_sentence(told), *_sentence(_fallen_back(found))])


class _Part(Struct, frozen=True):
    """Words of the reason, the probability that they explain, and how many arguments they are about."""

    probability: float
    words: str
    arguments: int = 1


def _parts(title: str, answer: Answer) -> list[_Part]:
    """Why a pair has its probability: by its arguments, or by what a judge said that overrules these."""
    arguments = sorted(answer.arguments, key=lambda each: each.probability)
    named = [f"{each.path.lstrip('/') or 'arguments'}: {each.words}" for each in arguments]
    if answer.by == LOCAL:
        return [
            _Part(each.probability, f"{title}: {words} ({_shown(each.probability)})")
            for each, words in zip(arguments, named, strict=True)
        ]
    # The local words explain the local probability, never the one that stands.
    stands = 0.0 if answer.probability is None else answer.probability
    words = f"{title}: judged {_shown(stands)} by {answer.by}"
    if answer.local is not None:
        beyond = len(named) - MOST_REASONS
        shown = [*named[:MOST_REASONS], *([f"and {beyond} more"] if beyond > 0 else [])]
        words += f" (locally {_shown(answer.local)}{': ' if shown else ''}{', '.join(shown)})"
    return [_Part(stands, words, max(len(arguments), 1))]


def _fallen_back(found: Meant) -> list[str]:
    """How many pairs a judge was asked about in vain, and that what the local stage says stands."""
    whys = [answer.not_judged for answer in found.answers.values() if answer.not_judged is not None]
    if not whys:
        return []
    why = ", ".join(dict.fromkeys(whys))
    local = "the local probability stands" if len(whys) == 1 else "the local probabilities stand"
    return [f"{count_of(len(whys), 'pair')} not judged by the judge that was asked ({why}): {local}"]


def _sentence(parts: Sequence[str]) -> list[str]:
    return ["; ".join(parts) + "."] if parts else []


def _shown(probability: float) -> str:
    """A probability with as many digits as tell it from 0 and 1."""
    if 0 < probability < 0.001:
        return f"{probability:.1e}"
    return f"{probability:.3g}" if probability < 0.999 or probability == 1 else "above 0.999"
