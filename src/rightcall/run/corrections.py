"""Cases that every run of a golden set fails alike, and what the set would have to say for them to pass.

When agents that differ all do the same thing, the set may be wrong. Whether it is, a person decides: what comes out
of here is a patch, never a changed file.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from ..core.diagnosis.calls import WHOLE_CALL
from ..core.jsonvalue import InvalidJSONError, canonical_key, decode, show
from ..core.records import CaseRecord, ResultRecord
from ..core.results import Difference
from ..core.types import Case
from ..errors import SourceError
from .convert import encoded
from .record import literal
from .replay import StoredRun
from .sources import SourceFile, find_files

__all__ = ["Correction", "corrections", "patch_of"]

_EXPECTED: Final = ("expected_tool_calls", "expected")


class Correction(Struct, frozen=True, kw_only=True):
    """A case that all runs fail alike.

    Attributes:
        case: its id.
        differences: how it fails, in words.
        proposed: what would have to change, in words; empty where nothing is proposed.
        unproposed: why nothing is proposed.
        calls: the expected calls as they would have to be; None where nothing is proposed.
    """

    case: str
    differences: tuple[str, ...]
    proposed: tuple[str, ...] = ()
    unproposed: str | None = None
    calls: list[Any] | None = None


def corrections(gold: str, runs: Sequence[Path]) -> list[Correction]:
    """The cases of a golden set that all `runs` fail in the same way.

    Raises:
        PathNotFoundError, SourceError: a run or the set can't be read.
    """
    stored = [StoredRun(run) for run in runs]
    found = [_failures(run) for run in stored]
    rows = dict(_rows(gold))
    alike: list[Correction] = []
    for case, first in found[0].items():
        others = [failures.get(case) for failures in found[1:]]
        if any(other is None or _manner(other[1]) != _manner(first[1]) for other in others):
            continue
        alike.append(_correction(case, first, rows.get(case), stored[0]))
    return alike


_Failure = tuple[CaseRecord, tuple[Difference, ...]]


class _Differences(Struct, frozen=True):
    """What is needed of the details of a result; `slots` as in `SlotAlignments.marks`."""

    rule: str | None = None
    differences: tuple[Difference, ...] = ()
    slots: tuple[int, ...] | None = None


def _failures(run: StoredRun) -> dict[str, _Failure]:
    """The failed cases of a run with the differences of the first evaluator that found any."""
    failed: dict[str, _Failure] = {}
    for record in run.cases():
        if record.passed is False and not record.has_error and record.id not in failed:
            found = next((found for result in record.results if (found := _found(result))), ())
            if found:
                failed[record.id] = record, found
    return failed


def _found(result: ResultRecord) -> tuple[Difference, ...]:
    details = msgspec.json.decode(result.details, type=_Differences)
    if details.rule is None or result.passed:
        return ()
    slots = details.slots
    if slots is None:
        return details.differences
    # Places of one expected call are that call, as it stands in the set.
    return tuple(
        item if item.expected_call is None else replace(item, expected_call=slots[item.expected_call])
        for item in details.differences
    )


def _manner(found: Sequence[Difference]) -> list[tuple[Any, ...]]:
    """What two failures have in common when they are the same."""
    return sorted(
        (
            item.kind,
            item.tool,
            item.path,
            -1 if item.expected_call is None else item.expected_call,
            _key(item.actual),
        )
        for item in found
    )


def _key(value: Any) -> str:
    return "" if value is UNSET else canonical_key(value).decode("utf-8", "replace")


def _rows(gold: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for place in find_files(gold):
        for record in SourceFile(str(place), place).records():
            try:
                row = decode(record.data) if record.data is not None else record.fields
            except InvalidJSONError:
                continue  # lint tells of it
            if isinstance(row, dict) and isinstance(row.get("id"), str | int):
                yield str(row["id"]), row


def _correction(case: str, failure: _Failure, row: Mapping[str, Any] | None, run: StoredRun) -> Correction:
    record, found = failure
    words = tuple(
        dict.fromkeys(f"{item.tool}: {item.message}" if item.path else item.message for item in found)
    )
    field = next((name for name in _EXPECTED if row is not None and isinstance(row.get(name), list)), None)
    if row is None or field is None:
        return Correction(
            case=case, differences=words, unproposed="its expected calls are not in the set as a list"
        )
    calls = [dict(call) if isinstance(call, dict) else call for call in row[field]]
    proposed: list[str] = []
    for item in found:
        if item.kind not in WHOLE_CALL:
            if not _corrected(calls, item):
                return Correction(
                    case=case, differences=words, unproposed="its arguments are not written as one object"
                )
            proposed.append(_said(item))
    whole = [item for item in found if item.kind in WHOLE_CALL]
    if whole:
        made = _made(record, run)
        if made is None:
            return Correction(case=case, differences=words, unproposed="the calls made can't be read again")
        calls, proposed = made, ["the calls that were made"]
    return Correction(case=case, differences=words, proposed=tuple(proposed), calls=calls)


def _made(record: CaseRecord, run: StoredRun) -> list[Any] | None:
    """The calls that the agent made, as expected calls."""
    try:
        played = run.again(record)
    except SourceError:
        return None
    if not isinstance(played, Case) or any(call.arguments is None for call in played.actual or ()):
        return None
    return [
        {"name": call.name, "arguments": literal(call.arguments, top=True)} for call in played.actual or ()
    ]


def _said(item: Difference) -> str:
    if item.actual is UNSET:
        return f"{item.tool}: no {item.path[1:]}"
    return f"{item.tool}: {item.path[1:]} = {show(item.actual, 40)}"


def _corrected(calls: list[Any], item: Difference) -> bool:
    """Change the expected calls so that a difference is gone; False where they are not written as objects."""
    if item.expected_call is None or item.expected_call >= len(calls) or not item.path:
        return False
    call = calls[item.expected_call]
    if isinstance(call, dict) and "alternatives" in call:
        return False  # which of them should change is not told
    key = next((name for name in ("arguments", "args") if isinstance(call, dict) and name in call), None)
    if key is None or not isinstance(call[key], dict):
        return False
    steps = [step.replace("~1", "/").replace("~0", "~") for step in item.path.split("/")[1:]]
    changed = _changed(call[key], steps, item.actual)
    if changed is not _IMPOSSIBLE:
        call[key] = changed
    return changed is not _IMPOSSIBLE


_IMPOSSIBLE: Final = object()


def _changed(value: Any, steps: Sequence[str], new: Any) -> Any:
    """A copy of `value` with `new` at the end of `steps`; UNSET takes out what is there."""
    if not steps:
        return literal(new)
    step, rest = steps[0], steps[1:]
    if isinstance(value, dict):
        if not rest and new is UNSET:
            return {key: item for key, item in value.items() if key != step}
        inner = _changed(value.get(step, {}), rest, new)
        return inner if inner is _IMPOSSIBLE else value | {step: inner}
    if isinstance(value, list) and step.isdigit() and int(step) < len(value) and (rest or new is not UNSET):
        inner = _changed(value[int(step)], rest, new)
        return inner if inner is _IMPOSSIBLE else [*value[: int(step)], inner, *value[int(step) + 1 :]]
    return _IMPOSSIBLE


def patch_of(gold: str, found: Sequence[Correction]) -> bytes:
    """The corrections of a golden set as a unified diff.

    Raises:
        SourceError: the set is no single file of JSON Lines.
    """
    places = find_files(gold)
    if len(places) != 1 or places[0].suffix not in (".jsonl", ".ndjson"):
        raise SourceError(f"{gold} is not one file of JSON Lines", field="patch", hint="convert it first")
    changed = {item.case: item.calls for item in found if item.calls is not None}
    # Only \n ends a line, for `patch` as for JSON Lines; Python's splitlines knows eight more ends.
    before = places[0].read_bytes().decode("utf-8", "surrogateescape").split("\n")
    before = [line + "\n" for line in before[:-1]] + before[-1:] * bool(before[-1])
    after = [_line(line, changed) for line in before]
    name = f"{gold}\t" if " " in gold else gold
    made = difflib.unified_diff(before, after, fromfile=name, tofile=name)
    whole = (line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in made)
    return "".join(whole).encode("utf-8", "surrogateescape")


def _line(line: str, changed: Mapping[str, list[Any]]) -> str:
    try:
        row = decode(line)
    except InvalidJSONError:
        return line
    if not isinstance(row, dict) or str(row.get("id")) not in changed:
        return line
    field = next(name for name in _EXPECTED if name in row)
    row[field] = changed[str(row["id"])]
    return encoded(row).decode() + line[len(line.rstrip("\r\n")) :]
