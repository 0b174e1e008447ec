"""`rightcall keys`: keys of the HTTP API."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ...errors import MissingExtraError
from .screen import say_json, show, table, tell, text

if TYPE_CHECKING:
    from ..server.keys import Keys

Command = TypeVar("Command", bound=Callable[..., Any])


def _where(command: Command) -> Command:
    for option in (
        click.option("--database-url", metavar="URL", help="Of the server (RIGHTCALL_DATABASE_URL)."),
        click.option("--data-dir", metavar="DIR", help="Of the server (.rightcall)."),
    ):
        command = option(command)
    return command


@click.group("keys", short_help="Make, list and revoke keys of the HTTP API.")
def command() -> None:
    """Make, list and revoke keys of the HTTP API.

    \b
    Example:
      rightcall keys create ci --scope evaluate
      rightcall keys list
    """  # noqa: D301 - click reads the backspace


@command.command("create")
@click.argument("name")
@click.option(
    "--scope",
    multiple=True,
    required=True,
    metavar="SCOPE",
    help="evaluate, read, write or admin. Repeat it.",
)
@_where
def create(name: str, scope: tuple[str, ...], **given: Any) -> int:
    """Make a key. Its text goes to standard output, once: only a digest of it is kept."""
    record, secret = _keys(given).create(name, [part for each in scope for part in each.split(",")])
    tell(f"key {record.id} for {record.name}: {', '.join(record.scopes)}; it can't be shown again")
    click.echo(secret)
    return 0


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="The same as JSON.")
@_where
def listing(*, as_json: bool, **given: Any) -> int:
    """List all keys."""
    found = _keys(given).every()
    if as_json:
        say_json(found)
        return 0
    board = table("id", "name", "scopes", "created", "last used", "")
    for key in found:
        board.add_row(
            text(key.id, "bold"),
            text(key.name),
            text(", ".join(key.scopes)),
            text(_day(key.created)),
            text(_day(key.last_used)),
            text("revoked" if key.revoked else "", "red"),
        )
    show(board)
    return 0


@command.command("revoke")
@click.argument("key_id", metavar="ID")
@_where
def revoke(key_id: str, **given: Any) -> int:
    """Let a key be of no use from now on; a server that runs knows within five seconds."""
    record = _keys(given).revoke(key_id)
    tell(f"key {record.id} for {record.name} is revoked")
    return 0


def _keys(given: dict[str, Any]) -> Keys:
    try:
        from ..server.keys import Keys
        from ..server.settings import settings_from
        from ..server.store.database import Database
    except ImportError:
        raise MissingExtraError("the server", "server") from None
    database = Database(settings_from(given).url)
    database.migrate()
    return Keys(database)


def _day(moment: float | None) -> str:
    return "–" if moment is None else f"{datetime.fromtimestamp(moment, UTC):%Y-%m-%d %H:%M}"
