"""Where text goes: standard output for results, standard error for the rest; colour only on terminals."""

from __future__ import annotations

import io
import os
import re
import shutil
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final, TextIO

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table
    from rich.text import Text

__all__ = [
    "clean",
    "is_terminal",
    "open_streams",
    "say",
    "say_commands",
    "say_json",
    "screen_width",
    "short",
    "show",
    "silence",
    "table",
    "tell",
    "text",
    "whole",
]

_LEAST_WIDTH: Final = 40
_PLAIN_WIDTH: Final = 110
"""Columns where there is no terminal to ask."""

_CONTROL: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def open_streams() -> None:
    """Let standard streams that are closed lead nowhere, before other files take their numbers."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))
        elif mode == "w" and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a question mark for what a terminal can't show


def say(words: str) -> None:
    """Write to standard output; a reader who has left is no error.

    Raises:
        OSError: it can't be written.
    """
    _say(_for_runner(words))


def say_commands(commands: Iterable[str]) -> None:
    """Write commands of our own to the runner of a workflow, a line each."""
    text = "\n".join(commands)
    if text:
        _say(text)


_COMMAND: Final = re.compile(r"^(\s*)(::|##\[)", re.MULTILINE)


def _for_runner(words: str) -> str:
    """A text in which no line is a command to the runner of a GitHub workflow, which reads what is written here."""
    if os.environ.get("GITHUB_ACTIONS") != "true":
        return words
    return _COMMAND.sub("\\1\u200b\\2", words)


def _say(words: str) -> None:
    try:
        sys.stdout.write(words if words.endswith("\n") else words + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        silence()
    except OSError as error:
        raise OSError(error.errno, error.strerror, "standard output") from None


def tell(words: str) -> None:
    """Write to standard error; where that can't be, there is nobody to tell."""
    try:
        sys.stderr.write(_for_runner(clean(words)) + "\n")
        sys.stderr.flush()
    except OSError:
        silence()


def say_json(value: Any) -> None:
    """Write a value as indented JSON."""
    import msgspec

    data = msgspec.json.encode(value, enc_hook=lambda other: f"<{type(other).__name__}>")
    say(msgspec.json.format(data, indent=2).decode())


def silence() -> None:
    """Send everything further nowhere, of streams that can't be written."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def clean(words: str) -> str:
    """A text from data, with nothing in it that a terminal would obey."""
    return _CONTROL.sub("\ufffd", words)


ID_SHOWN: Final = 80
"""Characters of an id that a screen shows."""


def short(id: str) -> str:
    """An id as screens show it; files hold it whole."""
    return id if len(id) <= ID_SHOWN else f"{id[: ID_SHOWN - 1]}…"


def is_terminal(stream: TextIO) -> bool:
    """Whether somebody sees it who can see colours and moving lines."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def show(*parts: RenderableType) -> None:
    """Write tables and texts to standard output."""
    from rich.console import Console

    lively = is_terminal(sys.stdout)
    colours = lively and not os.environ.get("NO_COLOR")
    width = screen_width()
    buffer = io.StringIO()
    console = Console(
        file=buffer,
        width=width,
        force_terminal=colours,
        color_system="standard" if colours else None,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
    )
    for part in parts:
        if width >= _ROOM:
            _keep_names(part)
        console.print(part, soft_wrap=getattr(part, "no_wrap", None) is True)
    say("\n".join(line.rstrip() for line in buffer.getvalue().split("\n")).rstrip("\n"))


_ROOM: Final = 70
"""Columns from which on names are not broken."""

_NAMES: Final = frozenset({"evaluator", "id", "suite", "option"})
_NAME_SHOWN: Final = 32


def _keep_names(part: RenderableType) -> None:
    """Leave names of ordinary length whole: the other columns of a table give way."""
    from rich.table import Table

    for column in part.columns if isinstance(part, Table) else ():
        lengths = (len(str(cell)) for cell in column.cells)
        column.no_wrap = column.header in _NAMES and max(lengths, default=0) <= _NAME_SHOWN


def screen_width() -> int:
    """Columns of the terminal, or as many as COLUMNS says where there is none."""
    if is_terminal(sys.stdout):
        return max(shutil.get_terminal_size((_PLAIN_WIDTH, 24)).columns, _LEAST_WIDTH)
    given = os.environ.get("COLUMNS", "")
    return max(int(given), _LEAST_WIDTH) if given.isdigit() and int(given) > 0 else _PLAIN_WIDTH


def text(words: object, style: str = "") -> Text:
    """A text with no markup in it."""
    from rich.text import Text

    # The style is of these words alone, not of what is appended.
    return Text().append(clean(str(words)), style)


def whole(words: str, style: str = "") -> Text:
    """A line that is made to be copied: never broken, however long it is."""
    made = text(words, style)
    made.no_wrap = True
    return made


def table(*columns: str, right: tuple[str, ...] = (), title: str | None = None) -> Table:
    """An empty table: a rule under its head, no other lines."""
    from rich import box
    from rich.table import Table

    made = Table(
        box=box.SIMPLE_HEAD,
        title=None if title is None else text(title, "bold"),
        title_justify="left",
        pad_edge=False,
        show_edge=False,
        header_style="dim",
    )
    for column in columns:
        made.add_column(column, justify="right" if column in right else "left", overflow="fold")
    return made
