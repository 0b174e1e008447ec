"""Expected calls from a good recording, so that nobody types a golden set by hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Any

from msgspec import Struct

from ...core.arguments import Uncaptured, read_arguments
from ...core.matcher import is_whole_matcher
from ...core.options import parse_call_options
from ...core.types import ToolCall, Trace
from ...errors import ExpectationError
from ..convert import encoded
from ..intake.traces import recording_id
from .momentary import momentary_values

__all__ = ["Golden", "Reviewed", "check_paths", "literal", "record"]


class Reviewed(Struct, frozen=True):
    """One call of the golden set, as a person should look at it.

    Attributes:
        case: id of its case.
        call: the call.
        look_at: what may not belong into a golden set: a failed call, a value that looks made for the moment.
    """

    case: str
    call: ToolCall
    look_at: tuple[str, ...]


class Golden(Struct, frozen=True):
    """A golden set.

    Attributes:
        data: its file's bytes, a case a line.
        cases: number of cases.
        reviewed: every call, in order.
        left_out: calls of tools that were not to be kept.
        emptied: recordings that are no case, since none of their calls was kept: a case without expected calls
            would say that nothing may be called.
        without: recordings that are no case, since they hold no call.
        unused: paths to ignore that no call has.
        unkept: names of tools to keep that no call has.
    """

    data: bytes
    cases: int
    reviewed: tuple[Reviewed, ...]
    left_out: int
    emptied: int
    without: int
    unused: tuple[str, ...]
    unkept: tuple[str, ...]


def record(
    traces: Sequence[Trace],
    *,
    keep: Sequence[str] = (),
    ignore: Sequence[str] = (),
    refused: list[ExpectationError] | None = None,
) -> Golden:
    """The calls of recordings as expected calls, without recordings that broke off or hold none.

    Args:
        traces: the recordings; each becomes a case under its own id, or ``case-N``.
        keep: names of the tools whose calls are kept, ``*`` and ``?`` allowed; all when empty.
        ignore: paths into the arguments that a comparison should pass over.
        refused: where errors of recordings are put, so that one costs no other; None raises them.

    Raises:
        OptionError: a path of the wrong form.
        ExpectationError: a call whose arguments can't be read, so that nothing could ever equal it, or were not captured.
    """
    check_paths(ignore)
    rows: list[bytes] = []
    reviewed: list[Reviewed] = []
    left_out = emptied = without = 0
    used: set[str] = set()
    made: set[str] = set()
    for number, trace in enumerate(traces, 1):
        if trace.problem is not None:
            continue
        case = recording_id(trace, number)
        row: dict[str, Any] = {"id": case}
        if trace.turns and trace.turns[0].input is not None:
            row["input"] = trace.turns[0].input
        calls = trace.calls or ()
        made.update(call.name for call in calls)
        kept = [call for call in calls if not keep or any(fnmatchcase(call.name, name) for name in keep)]
        left_out += len(calls) - len(kept)
        if not kept:
            emptied += bool(calls)
            without += not calls
            continue
        try:
            row["expected_tool_calls"] = [_expected(call, case, ignore, used) for call in kept]
        except ExpectationError as error:
            if refused is None:
                raise
            refused.append(error)
            continue
        rows.append(encoded(row))
        reviewed += (Reviewed(case, call, tuple(_look_at(call, ignore))) for call in kept)
    return Golden(
        data=b"".join(row + b"\n" for row in rows),
        cases=len(rows),
        reviewed=tuple(reviewed),
        left_out=left_out,
        emptied=emptied,
        without=without,
        unused=tuple(path for path in ignore if path not in used),
        unkept=tuple(name for name in keep if not any(fnmatchcase(tool, name) for tool in made)),
    )


def _expected(call: ToolCall, case: str, ignore: Sequence[str], used: set[str]) -> dict[str, Any]:
    if isinstance(call.raw, Uncaptured):
        raise ExpectationError(
            f"the arguments of {call.name!r} were not captured, so nobody knows what to expect",
            field=case,
            hint="let the tracer capture content and record again, or leave the tool out with --keep-tools",
        )
    reading = read_arguments(call.raw)
    if reading.value is None:
        raise ExpectationError(
            f"the arguments of {call.name!r} can't be read ({reading.problem}), so nothing could equal them",
            field=case,
            hint="leave the tool out with --keep-tools, or record another run",
        )
    item: dict[str, Any] = {"name": call.name, "arguments": literal(reading.value, top=True)}
    if call.group is not None:
        item["group"] = call.group
    there = [path for path in ignore if _has(reading.value, path.split("/")[1:])]
    used.update(there)
    return {**item, "options": {"ignore": there}} if there else item


def literal(value: Any, *, top: bool = False) -> Any:
    """A value as an expected value: an object that would be taken for a matcher says that it is none.

    Of the arguments object itself only what is written as a whole matcher would be.
    """
    if isinstance(value, dict):
        if is_whole_matcher(value) if top else next(iter(value), "").startswith("$"):
            return {"$literal": value}
        return {key: literal(item) for key, item in value.items()}
    return [literal(item) for item in value] if isinstance(value, list) else value


def _has(value: Any, steps: Sequence[str]) -> bool:
    """Whether a value has something at a path; ``*`` stands for any index."""
    if not steps:
        return True
    step, rest = steps[0].replace("~1", "/").replace("~0", "~"), steps[1:]
    if isinstance(value, dict):
        return step in value and _has(value[step], rest)
    if isinstance(value, list):
        if step == "*":
            return any(_has(item, rest) for item in value)
        return step.isdigit() and int(step) < len(value) and _has(value[int(step)], rest)
    return False


def _look_at(call: ToolCall, ignore: Sequence[str]) -> Iterator[str]:
    if call.failed:
        yield "this call failed"
    reading = read_arguments(call.raw)
    yield from reading.warnings
    for path, kind in momentary_values(reading.value):
        if path not in ignore:
            yield f"{path[1:]} looks like {kind}: --ignore {path}"


def check_paths(paths: Sequence[str]) -> None:
    """Whether paths to ignore have the right form.

    Raises:
        OptionError: one has not; the error says which is meant.
    """
    parse_call_options({"ignore": list(paths)}, field="")
