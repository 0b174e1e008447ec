"""Pairs of calls that a person judged: what calibrations are fitted on, and where they come from.

A labels file is JSON Lines:
``{"expected": {"name": .., "arguments": {..}}, "actual": {..}, "tool_schema": .., "equivalent": true}``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from ...core.arguments import Given
from ...core.ask import Answer, Question
from ...core.backend import as_json
from ...core.jsonvalue import InvalidJSONError, canonical_key, decode
from ...core.types import Case, ToolCall
from ...errors import PathNotFoundError, RecordError, RightcallError, SourceError, UsageError
from ...judging.remote import is_undecided
from ..directory.replay import StoredRun
from ..judging.judges import local_judge
from ..plan import PlannedEvaluator

__all__ = ["Labelled", "Undecided", "add_label", "label_of", "pair_key", "read_labels", "undecided_pairs"]

_EVALUATOR = "tool_call_semantic"
_BATCH = 256


class Labelled(Struct, frozen=True):
    """A pair, and whether its two calls are equivalent."""

    question: Question
    equivalent: bool


class Undecided(Struct, frozen=True):
    """A pair of a run that the local stage leaves open, with what it says."""

    case: str
    question: Question
    local: Answer


def read_labels(path: str) -> list[Labelled]:
    """The pairs of a labels file.

    Raises:
        PathNotFoundError, SourceError: it can't be read.
        RecordError: a line of it is no label; file and line are named.
    """
    try:
        lines = Path(path).read_bytes().splitlines()
    except FileNotFoundError:
        raise PathNotFoundError(f"no such file: {path}", field="labels") from None
    except OSError as error:
        raise SourceError(f"{path} can't be read: {error.strerror}", field="labels") from None
    return [label_of(line, f"{path}:{number}") for number, line in enumerate(lines, 1) if line.strip()]


def label_of(line: bytes, place: str) -> Labelled:
    """The pair on one line of labels.

    Raises:
        RecordError: it is no label; `place` says where.
    """
    try:
        row = decode(line)
    except InvalidJSONError as error:
        raise RecordError(f"not valid JSON: {error}", field=place) from None
    if not isinstance(row, dict) or not isinstance(row.get("equivalent"), bool):
        raise RecordError(
            "no label", field=place, hint='"expected", "actual" and "equivalent": true or false'
        )
    expected, actual = (_call(row.get(side), f"{place}: {side}") for side in ("expected", "actual"))
    question = Question(
        actual=0, expected=0, actual_call=actual, expected_call=expected, tool_schema=row.get("tool_schema")
    )
    return Labelled(question, row["equivalent"])


def _call(told: Any, place: str) -> ToolCall:
    name = told.get("name") if isinstance(told, dict) else None
    arguments = told.get("arguments") if isinstance(told, dict) else None
    if not isinstance(name, str) or not isinstance(arguments, dict):
        raise RecordError("no call", field=place, hint='{"name": "..", "arguments": {..}}')
    return ToolCall(name=name, raw=Given(arguments))


def add_label(path: str, question: Question, *, equivalent: bool, case: str) -> None:
    """Add a pair to a labels file, at once.

    Raises:
        SourceError: it can't be written.
    """
    sides = {
        side: {"name": call.name, "arguments": call.arguments}
        for side, call in (("expected", question.expected_call), ("actual", question.actual_call))
    }
    row = {**sides, "tool_schema": question.tool_schema, "equivalent": equivalent, "case": case}
    try:
        with Path(path).open("ab") as file:
            file.write(as_json(row) + b"\n")
    except OSError as error:
        raise SourceError(f"{path} can't be written: {error.strerror}", field="out") from None
    except msgspec.MsgspecError as error:
        raise SourceError(f"the pair can't be written: {error}", field="out") from None


def pair_key(question: Question) -> bytes:
    """The same for pairs that say the same."""
    calls = (question.expected_call, question.actual_call)
    return b"\0".join(part for call in calls for part in (call.name.encode(), canonical_key(call.arguments)))


def undecided_pairs(run: StoredRun) -> Iterator[Undecided]:
    """The pairs of a run that the local stage leaves open, each once, in the order of the run.

    Raises:
        UsageError: the run has no tool_call_semantic.
        SourceError: its data has changed since.
    """
    plan = run.plan(run.record.request.evaluators)
    planned = next((each for each in plan.evaluators if each.id == _EVALUATOR), None)
    if planned is None:
        raise UsageError(
            f"the run has no {_EVALUATOR}", field="run", hint=f"run it again with -e {_EVALUATOR}"
        )
    seen: set[bytes] = set()
    held: list[tuple[str, Question]] = []
    for case in run.data():
        if isinstance(case, Case):
            held += [(case.id, each) for each in _questions(case, planned) if _is_new(each, seen)]
        if len(held) >= _BATCH:
            yield from _open(held)
            held = []
    yield from _open(held)


def _questions(case: Case, planned: PlannedEvaluator) -> tuple[Question, ...]:
    try:
        return planned.evaluator.questions(case, planned.options)
    except RightcallError:
        return ()  # an unreadable case asks nothing


def _is_new(question: Question, seen: set[bytes]) -> bool:
    key = pair_key(question)
    new = key not in seen
    seen.add(key)
    return new


def _open(pairs: list[tuple[str, Question]]) -> Iterator[Undecided]:
    answers = local_judge().answer([question for _, question in pairs]) if pairs else ()
    for (case, question), local in zip(pairs, answers, strict=True):
        if is_undecided(question, local):
            yield Undecided(case, question, local)
