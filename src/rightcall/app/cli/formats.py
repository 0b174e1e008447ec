"""`rightcall formats`: what calls can be written in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from ...core.reading.format import FormatDeclaration
from ...run.sets import FORMATS
from .screen import say_json, show, table, text

if TYPE_CHECKING:
    from rich.console import RenderableType


@click.command("formats", short_help="List the formats that calls are read from.")
@click.argument("id", required=False, metavar="[ID]")
@click.option("--json", "as_json", is_flag=True, help="The same as JSON.")
def command(id: str | None, *, as_json: bool) -> int:
    """List the formats that calls are read from, or show where things are in one.

    \b
    Example:
      rightcall formats
      rightcall formats openai_chat
    """  # noqa: D301 - click reads the backspace
    if id is None:
        found = [FORMATS.get(name).declaration for name in FORMATS.ids()]
        if as_json:
            say_json(found)
            return 0
        board = table("id", "what it is", "told by")
        for declaration in found:
            board.add_row(
                text(declaration.id, "bold"), text(declaration.meaning), text(declaration.detected_by)
            )
        show(board)
        return 0
    declaration = FORMATS.get(id, field="format").declaration
    if as_json:
        say_json(declaration)
    else:
        show(*_page(declaration))
    return 0


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
        ("Cannot carry", declaration.cannot_carry),
    ):
        yield text(f"{head}: ", "bold").append(words)
    if declaration.example:
        yield text("")
        yield text(declaration.example, "cyan")
