"""`rightcall convert`: a recording in another tool's form."""

from __future__ import annotations

from pathlib import Path

import click

from ...errors import DataError
from ...run.convert import convert
from ...run.sets import FORMATS, WRITERS
from .recordings import read_file, tell_unread, write_file
from .screen import tell

__all__ = ["command"]


@click.command("convert", short_help="Write a recording in another tool's form.")
@click.argument("file", metavar="FILE")
@click.option(
    "--to", "form", required=True, metavar="FORM", help="native, openai_chat, anthropic, agentevals, …"
)
@click.option("--format", "source", default="auto", show_default=True, help="The format FILE is in.")
@click.option(
    "--out", type=click.Path(path_type=Path), help="The file to write; standard output if left out."
)
def command(file: str, form: str, source: str, out: Path | None) -> int:
    """Read FILE (or - for standard input) in any known format and write its recordings in another form.

    What the form can't hold is told on standard error. Recordings that it can't hold at all, for instance with
    arguments that no JSON reader reads, and what can't be read are left out, named, and end the command with 3.

    \b
    Example:
      rightcall convert examples/traces/support.otlp.jsonl --to native --out cases.jsonl
    """  # noqa: D301 - click reads the backspace
    WRITERS.get(form, field="to")
    if source != "auto":
        FORMATS.get(source, field="format")
    found = read_file(file, source)
    traces = found.traces
    made = convert(traces, form)
    write_file(made.data, out)
    for warning in [warning for trace in traces for warning in trace.warnings][:20]:
        tell(f"warning: {warning}")
    if made.lost:
        tell(f"{form} can't hold: {', '.join(made.lost)}")
    unread = tell_unread(found)
    for error in made.refused:
        tell(f"error: {error}")
    if out is not None:
        calls = sum(len(trace.calls or ()) for trace in traces)
        tell(f"{out}: {made.written:,} of {len(traces):,} recordings, {calls:,} calls read")
    return DataError.exit_code if unread or made.refused or not traces else 0
