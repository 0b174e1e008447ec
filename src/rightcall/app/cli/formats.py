"""`rightcall formats`: what calls can be written in, and which format a file is in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from ...core.reading.conversation import join_traces
from ...core.reading.detection import Told
from ...core.reading.format import FormatDeclaration
from ...core.types import Trace
from ...errors import DataError
from ...run.sets import FORMATS
from .recordings import read_file, tell_unread
from .screen import say_json, show, table, text

if TYPE_CHECKING:
    from rich.console import RenderableType


@click.command("formats", short_help="List the formats that calls are read from; tell the format of a file.")
@click.argument("words", nargs=-1, metavar="[ID | detect FILE]")
@click.option("--json", "as_json", is_flag=True, help="The same as JSON.")
@click.pass_context
def command(context: click.Context, words: tuple[str, ...], *, as_json: bool) -> int:
    """List the formats that calls are read from, show where things are in one, or tell which a file is in.

    `detect FILE` names the format of each stretch of the file, the evidence, what else would have fitted, and the
    calls that were read. `-` is standard input. What can't be read is named, and ends the command with 3.

    \b
    Example:
      rightcall formats
      rightcall formats openai_chat
      rightcall formats detect examples/traces/support.otlp.jsonl
    """  # noqa: D301 - click reads the backspace
    if words[:1] == ("detect",):
        if len(words) != 2:
            raise click.UsageError("detect takes one file, or - for standard input", context)
        return _detect(words[1], as_json=as_json)
    if len(words) > 1:
        raise click.UsageError(f"one format, or detect FILE; not {' '.join(words)!r}", context)
    if words:
        return _one(words[0], as_json=as_json)
    found = [FORMATS.get(name).declaration for name in FORMATS.ids()]
    if as_json:
        say_json([_fields(declaration) for declaration in found])
        return 0
    board = table("id", "what it is", "told by")
    for declaration in found:
        told = f"named only: {declaration.detected_by}" if declaration.named_only else declaration.detected_by
        board.add_row(text(declaration.id, "bold"), text(declaration.meaning), text(told))
    show(board)
    return 0


def _one(name: str, *, as_json: bool) -> int:
    declaration = FORMATS.get(name, field="format").declaration
    if as_json:
        say_json(_fields(declaration))
    else:
        show(*_page(declaration))
    return 0


def _fields(declaration: FormatDeclaration) -> dict[str, Any]:
    found = {name: getattr(declaration, name) for name in FormatDeclaration.__struct_fields__}
    return found | {"keys": sorted(declaration.keys)}


def _page(declaration: FormatDeclaration) -> Iterator[RenderableType]:
    yield text(declaration.id, "bold").append(f"  {declaration.meaning}")
    yield text("")
    for head, words in (
        ("Told by", declaration.detected_by),
        ("Name", declaration.name_at),
        ("Arguments", declaration.arguments_at),
        ("Id", declaration.id_at),
        ("Result", declaration.result_at),
        ("Group", declaration.group_at),
        ("Turn", declaration.turn_at),
        ("Cannot carry", declaration.cannot_carry),
        ("Source", declaration.source),
    ):
        if words:
            yield text(f"{head}: ", "bold").append(words)
    if declaration.named_only:
        yield text(f"Read only when it is named: --format {declaration.id}", "yellow")
    if declaration.example:
        yield text("")
        yield text(declaration.example, "cyan")


def _detect(path: str, *, as_json: bool) -> int:
    found = read_file(path)
    traces = found.traces
    code = DataError.exit_code if found.unread else 0
    if as_json:
        say_json(
            {
                "file": path,
                "runs": [_told(told) for told in found.told],
                "traces": list(map(_counts, traces)),
                "unread": [{"line": each.source.line, "problem": str(each.problem)} for each in found.unread],
            }
        )
        return code
    show(*_runs(found.told), *_read(traces))
    tell_unread(found)
    return code


def _told(told: Told) -> dict[str, Any]:
    return {
        "format": told.format,
        "evidence": None if told.evidence is None else told.evidence.seen,
        "strength": None if told.evidence is None else told.evidence.strength,
        "from": told.places[0] if told.places else None,
        "items": told.items,
        "runners_up": [
            {"format": name, "evidence": evidence.seen, "strength": evidence.strength}
            for name, evidence in told.runners_up
        ],
    }


def _counts(trace: Trace) -> dict[str, Any]:
    calls = trace.calls or ()
    return {
        "id": trace.id,
        "format": trace.format,
        "calls": [call.name for call in calls],
        "turns": len(trace.turns),
        "tools": None if trace.tools is None else len(trace.tools),
        "warnings": list(trace.warnings),
    }


_SHOWN = 12


def _runs(found: Sequence[Told]) -> Iterator[RenderableType]:
    if not found:
        yield text("nothing to read", "yellow")
        return
    board = table("format", "from", "items", "evidence", "runners-up", right=("items",))
    for told in found[:_SHOWN]:
        others = ", ".join(f"{name} ({evidence.seen})" for name, evidence in told.runners_up[:3])
        board.add_row(
            text(told.format, "bold"),
            text(told.places[0] if told.places else ""),
            text(f"{told.items:,}"),
            text(told.evidence.seen if told.evidence is not None else ""),
            text(others or "none", "dim"),
        )
    yield board
    if len(found) > _SHOWN:
        yield text(f"and {len(found) - _SHOWN:,} more stretches", "dim")


def _read(traces: Sequence[Trace]) -> Iterator[RenderableType]:
    whole = join_traces(traces) if traces else Trace(calls=())
    calls = whole.calls or ()
    counts: dict[str, int] = {}
    for call in calls:
        counts[call.name] = counts.get(call.name, 0) + 1
    named = ", ".join(
        f"{name} ×{count}" if count > 1 else name for name, count in list(counts.items())[:_SHOWN]
    )
    traces_read = f"{len(traces):,} recording{'' if len(traces) == 1 else 's'}"
    yield text(f"{traces_read}, {len(calls):,} calls: {named or 'none'}")
    for warning in whole.warnings[:_SHOWN]:
        yield text(f"warning: {warning}", "yellow")
    if len(whole.warnings) > _SHOWN:
        yield text(f"and {len(whole.warnings) - _SHOWN:,} more warnings", "dim")
