"""Asks a judge what evaluators want to know: equal questions once, all of a batch in one go."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...core.ask import NO_ANSWERS, Answer, Answers, Judge, Question, Questions
from ...core.jsonvalue import canonical_key
from ...errors import JudgeError

__all__ = ["ask"]


def ask(questions: Sequence[Questions], judge: Callable[[], Judge]) -> list[Answers]:
    """The answers to the questions of some cases, case by case.

    Args:
        questions: of each case; those that say the same are asked once.
        judge: gives the judge; not called where there is nothing to ask.

    Raises:
        JudgeError: the judge can't be asked, or did not answer question by question.
    """
    distinct: dict[bytes, Question] = {}
    keys: list[list[bytes]] = []
    schemas: dict[int, bytes] = {}  # the questions hold the schemas, so identities stay apart
    for asked in questions:
        own = [_key(question, schemas) for question in asked]
        keys.append(own)
        for key, question in zip(own, asked, strict=True):
            distinct.setdefault(key, question)
    if not distinct:
        return [NO_ANSWERS] * len(questions)
    asked_judge = judge()
    found = asked_judge.answer(tuple(distinct.values()))
    if len(found) != len(distinct):
        raise JudgeError(f"{asked_judge.name} gave {len(found)} answers to {len(distinct)} questions")
    by_key: dict[bytes, Answer] = dict(zip(distinct, found, strict=True))
    return [
        {(question.actual, question.expected): by_key[key] for key, question in zip(own, asked, strict=True)}
        for own, asked in zip(keys, questions, strict=True)
    ]


def _key(question: Question, schemas: dict[int, bytes]) -> bytes:
    """What a question asks, whichever case asks it. Schemas are many times as long as calls, so each is read once."""
    schema = question.tool_schema
    known = schemas.get(id(schema))
    if known is None:
        known = schemas[id(schema)] = canonical_key(schema)
    parts = [known, repr(question.refused).encode()]
    for call in (question.actual_call, question.expected_call):
        parts += [call.name.encode(errors="surrogatepass"), canonical_key(call.arguments)]
    return b"\0".join(parts)
