"""`rightcall record`: a golden set from a good recording."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...core.arguments import read_arguments
from ...core.jsonvalue import show as show_value
from ...core.types import Trace
from ...errors import DataError, ExpectationError, SourceError, UsageError
from ...run.golden.record import Golden, check_paths, record
from ...run.sets import FORMATS
from .planning import split_words
from .recordings import read_file, tell_unread, write_file
from .screen import show, table, tell, text

if TYPE_CHECKING:
    from rich.console import RenderableType


@click.command("record", short_help="Make a golden set from a good recording.")
@click.argument("trace", metavar="TRACE")
@click.option("--out", required=True, type=click.Path(path_type=Path, dir_okay=False), help="The golden set.")
@click.option("--format", "source", default="auto", show_default=True, help="The format TRACE is in.")
@click.option(
    "--keep-tools", multiple=True, metavar="NAMES", help="Keep calls of these tools only (commas, * and ?)."
)
@click.option("--ignore", multiple=True, metavar="PATHS", help="Arguments to pass over, e.g. /request_id.")
@click.option("--force", is_flag=True, help="Write over a file that is there.")
def command(
    trace: str, out: Path, source: str, keep_tools: tuple[str, ...], ignore: tuple[str, ...], *, force: bool
) -> int:
    """Turn the calls of TRACE (or - for standard input), in any known format, into expected calls.

    Each recording becomes a case under its own id. The table shows what to look at before the set is trusted:
    calls that failed, and values that look made for the moment, with the path to ignore. A recording without calls, or
    of which --keep-tools keeps none, is left out and counted: as a case it would say that nothing may be called. What
    can't be read is left out too, named on standard error, and ends the command with 3.

    \b
    Example:
      rightcall record examples/traces/support.otlp.jsonl --out golden.jsonl --ignore /request_id
      rightcall run tomorrow.otlp.jsonl --expected golden.jsonl --suite agent
    """  # noqa: D301 - click reads the backspace
    if out.exists() and not force:
        raise UsageError(f"{out} is there already", field="out", hint="--force writes over it")
    if source != "auto":
        FORMATS.get(source, field="format")
    paths = split_words(ignore)
    check_paths(paths)
    found = read_file(trace, source)
    traces = found.traces
    refused: list[ExpectationError] = []
    golden = record(traces, keep=split_words(keep_tools), ignore=paths, refused=refused)
    if not golden.cases:
        raise refused[0] if refused else _nothing(trace, traces)
    write_file(golden.data, out)
    show(*_review(golden, out))
    for warning in [warning for found in traces for warning in found.warnings][:_SHOWN]:
        show(text(f"warning: {warning}", "yellow"))
    unread = tell_unread(found)
    for error in refused[:_SHOWN]:
        tell(f"error: {error}")
    return DataError.exit_code if unread or refused else 0


_SHOWN = 40


def _nothing(name: str, traces: Sequence[Trace]) -> SourceError:
    """Why there is no golden set."""
    if not traces:
        return SourceError(f"{name} holds no recording; nothing was written")
    tools = sorted({call.name for found in traces for call in found.calls or ()})
    if not tools:
        return SourceError(
            f"no recording of {name} holds a call; nothing was written",
            hint='a case that expects no call is written by hand: "expected_tool_calls": []',
        )
    more = ", .." if len(tools) > _NAMED else ""
    return SourceError(
        f"--keep-tools keeps no call of {name}; nothing was written",
        hint=f"its tools: {', '.join(tools[:_NAMED])}{more}",
    )


_NAMED = 10


def _many(number: int) -> str:
    return f"{number:,} recordings are no cases, since no call of them"


def _review(golden: Golden, out: Path) -> Iterator[RenderableType]:
    board = table("case", "tool", "arguments", "look at")
    for item in golden.reviewed[:_SHOWN]:
        arguments = show_value(read_arguments(item.call.raw).value, 80)
        board.add_row(
            text(item.case),
            text(item.call.name, "bold"),
            text(arguments),
            text("\n".join(item.look_at), "yellow"),
        )
    if golden.reviewed:
        yield board
    if len(golden.reviewed) > _SHOWN:
        yield text(f"and {len(golden.reviewed) - _SHOWN:,} more calls", "dim")
    for path in golden.unused:
        yield text(f"warning: no call has {path}", "yellow")
    for name in golden.unkept:
        yield text(f"warning: no call is of a tool {name!r}", "yellow")
    for number, why in ((golden.emptied, "was kept"), (golden.without, "was made")):
        if number:
            cases = "1 recording is no case, since no call of it" if number == 1 else _many(number)
            yield text(f"warning: {cases} {why}", "yellow")
    left = f"; {golden.left_out:,} calls of other tools left out" if golden.left_out else ""
    cases = f"{golden.cases:,} case{'' if golden.cases == 1 else 's'}"
    yield text(f"{out}: {cases}, {len(golden.reviewed):,} expected calls{left}")
    if golden.left_out:
        yield text(
            "score runs of this set with -e tool_call_args: calls beside the expected ones cost nothing there"
        )
