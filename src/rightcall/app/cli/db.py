"""`rightcall db`: the database of the server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ...errors import MissingExtraError
from .screen import tell


@click.group("db", short_help="Bring the server's database up to date, or back it up.")
def command() -> None:
    """Bring the server's database up to date, or back it up.

    \b
    Example:
      rightcall db upgrade
      rightcall db backup backups/monday
    """  # noqa: D301 - click reads the backspace


@command.command("upgrade")
@click.option("--database-url", metavar="URL", help="Of the server (RIGHTCALL_DATABASE_URL).")
@click.option("--data-dir", metavar="DIR", help="Of the server (.rightcall).")
def upgrade(**given: Any) -> int:
    """Bring the tables to this version's form, as a server does when it starts."""
    database_of, settings_from = _parts()
    revision = database_of(settings_from(given).url).migrate()
    tell(f"the database is at revision {revision}")
    return 0


@command.command("backup")
@click.argument("place", metavar="DIR")
@click.option("--database-url", metavar="URL", help="Of the server (RIGHTCALL_DATABASE_URL).")
@click.option("--data-dir", metavar="DIR", help="Of the server (.rightcall).")
def backup(place: str, **given: Any) -> int:
    """Copy database, data sets and runs into a new folder, also while a server runs.

    To restore, stop the server and let --data-dir be that folder; of PostgreSQL, load database.sql with psql first.
    """
    database_of, settings_from = _parts()
    from ..server.store.backup import back_up

    settings = settings_from(given)
    copied = back_up(database_of(settings.url), Path(settings.data_dir), Path(place))
    tell(f"{copied:,} files are in {place}")
    return 0


def _parts() -> tuple[Any, Any]:
    try:
        from ..server.settings import settings_from
        from ..server.store.database import Database
    except ImportError:
        raise MissingExtraError("the server", "server") from None
    return Database, settings_from
