"""`rightcall record`: a golden set from a good recording."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...core.arguments import read_arguments
from ...core.jsonvalue import show as show_value
from ...errors import UsageError
from ...run.record import Golden, check_paths, record
from ...run.sets import FORMATS
from ...run.traces import sort_stream
from .planning import split_words
from .recordings import opened, write_file
from .screen import show, table, text

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
    calls that failed, and values that look made for the moment, with the path to ignore.

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
    with opened(trace) as stream:
        traces = sort_stream(stream, trace, source).traces()
    golden = record(traces, keep=split_words(keep_tools), ignore=paths)
    write_file(golden.data, out)
    show(*_review(golden, out))
    for warning in [warning for found in traces for warning in found.warnings][:_SHOWN]:
        show(text(f"warning: {warning}", "yellow"))
    return 0 if golden.cases else 3


_SHOWN = 40


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
    left = f"; {golden.left_out:,} calls of other tools left out" if golden.left_out else ""
    cases = f"{golden.cases:,} case{'' if golden.cases == 1 else 's'}"
    yield text(f"{out}: {cases}, {len(golden.reviewed):,} expected calls{left}")
