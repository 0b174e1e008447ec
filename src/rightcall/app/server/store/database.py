"""The connection to the database: opened, migrated, and its failures told as one error of the family."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DataError, IntegrityError, NoSuchModuleError, SQLAlchemyError

from ....errors import MissingExtraError, OptionError, StoreError
from ..problems import RefusedError

__all__ = ["Database", "now"]

_BUSY_SECONDS: Final = 5
"""How long a locked database is waited for."""
_MIGRATION_LOCK: Final = 0x52434442
"""Of PostgreSQL: servers that start together migrate one after the other."""


def now() -> float:
    """Seconds since 1970."""
    return time.time()


class Database:
    """SQLite or PostgreSQL. A transaction that ended without an error is on the disk.

    Args:
        url: as SQLAlchemy has it; ``postgresql://`` means psycopg.

    Raises:
        OptionError: no database that is known.
        MissingExtraError: its driver is not installed.
    """

    def __init__(self, url: str) -> None:
        try:
            parsed = make_url(url)
        except ArgumentError:
            raise OptionError("no URL of a database", field="database_url", hint="sqlite:///FILE") from None
        if parsed.drivername in ("postgresql", "postgres"):
            parsed = parsed.set(drivername="postgresql+psycopg")
        self.kind = parsed.get_backend_name()
        if self.kind not in ("sqlite", "postgresql"):
            raise OptionError(
                f"{self.kind} is not supported", field="database_url", hint="sqlite or postgresql"
            )
        self.file = parsed.database if self.kind == "sqlite" else None
        if self.file is not None:
            Path(self.file).parent.mkdir(parents=True, exist_ok=True)
        options: dict[str, Any] = {"pool_pre_ping": True} if self.kind == "postgresql" else {}
        if self.kind == "sqlite":
            options["connect_args"] = {"timeout": _BUSY_SECONDS, "check_same_thread": False}
        else:
            options["connect_args"] = {"connect_timeout": _BUSY_SECONDS}
            options |= {"pool_size": 5, "max_overflow": 10, "pool_timeout": _BUSY_SECONDS}
        try:
            self._engine: Engine = create_engine(parsed, **options)
        except (ImportError, NoSuchModuleError):
            raise MissingExtraError("a PostgreSQL database", "postgres", field="database_url") from None
        if self.kind == "sqlite":
            event.listen(self._engine, "connect", _prepare_sqlite)

    @property
    def engine(self) -> Engine:
        """SQLAlchemy's own."""
        return self._engine

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """A connection whose work is done as a whole or not at all.

        Raises:
            StoreError: the database is full, locked or lost.
        """
        try:
            with self._engine.begin() as connection:
                yield connection
        except IntegrityError:
            raise
        except (DataError, OverflowError):
            raise RefusedError(422, "a value that the database can't hold, such as a NUL") from None
        except SQLAlchemyError as error:
            raise _store_error(error) from None

    def check(self) -> None:
        """Whether it can be read.

        Raises:
            StoreError: it can't.
        """
        with self.transaction() as connection:
            connection.execute(text("SELECT 1"))

    def migrate(self) -> str:
        """Bring the tables to this version's form; gives the revision.

        Raises:
            StoreError: it can't be done, or the tables are of a later version.
        """
        from alembic import command
        from alembic.config import Config
        from alembic.runtime.migration import MigrationContext
        from alembic.util import CommandError

        config = Config()
        config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
        try:
            with self._engine.begin() as connection:
                if self.kind == "postgresql":
                    connection.execute(text(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})"))
                config.attributes["connection"] = connection
                command.upgrade(config, "head")
                return str(MigrationContext.configure(connection).get_current_revision())
        except CommandError as error:
            raise StoreError(
                f"the database is of another version: {error}", hint="was a newer rightcall used with it?"
            ) from None
        except SQLAlchemyError as error:
            raise _store_error(error) from None

    def close(self) -> None:
        """Close its connections."""
        self._engine.dispose()


def _prepare_sqlite(connection: Any, record: object) -> None:
    cursor = connection.cursor()
    # Readers and one writer at a time; what is committed survives a power failure.
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _store_error(error: SQLAlchemyError) -> StoreError:
    """The words for what the driver says; never the statement or its values, which may hold arguments."""
    cause = str(getattr(error, "orig", None) or type(error).__name__).splitlines()[0]
    known = (
        ("full", "the database is full"),
        ("No space left", "the disk is full"),
        ("locked", "the database is locked by another process"),
        ("readonly", "the database can't be written"),
        ("disk I/O", "the disk can't be read or written"),
        ("unable to open", "the database can't be opened"),
    )
    for word, meaning in known:
        if word in cause:
            return StoreError(meaning)
    if "no such table" in cause or "does not exist" in cause:
        return StoreError("the database has no tables yet", hint="rightcall db upgrade")
    return StoreError("the database can't be reached")
