"""A copy of everything that a server remembers, made while it may be running."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Final

from ....errors import OptionError, StoreError
from .database import Database

__all__ = ["back_up"]

_FOLDERS: Final = ("datasets", "runs")


def back_up(database: Database, data: Path, place: Path) -> int:
    """Copy the database first, then the files: so no record in the copy lacks its rows. Gives the number of files.

    Args:
        database: the server's.
        data: its folder.
        place: a folder that is new or empty.

    Raises:
        OptionError: the folder holds something.
        StoreError: something can't be read or written.
    """
    try:
        place.mkdir(parents=True, exist_ok=True)
        if any(place.iterdir()):
            raise OptionError(f"{place} is not empty", field="DIR", hint="name a new folder")
        if database.file is not None:
            _copy_sqlite(Path(database.file), place / "rightcall.db")
        else:
            _dump(database, place / "database.sql")
        number = 1
        for name in _FOLDERS:
            if (data / name).is_dir():
                shutil.copytree(data / name, place / name, ignore=shutil.ignore_patterns("upload-*", "tmp*"))
                number += sum(len(files) for _, _, files in os.walk(place / name))
    except OSError as error:
        raise StoreError(f"the copy can't be made: {error.strerror or error}") from None
    except shutil.Error as error:
        raise StoreError(
            f"files changed while they were copied: {len(error.args[0])} could not be read"
        ) from None
    return number


def _copy_sqlite(source: Path, target: Path) -> None:
    if not source.exists():
        raise StoreError(f"there is no database {source}")
    try:
        with closing(sqlite3.connect(source)) as here, closing(sqlite3.connect(target)) as there:
            here.backup(there)
    except sqlite3.Error as error:
        raise StoreError(f"the database can't be copied: {error}") from None


def _dump(database: Database, target: Path) -> None:
    tool = shutil.which("pg_dump")
    if tool is None:
        raise StoreError("pg_dump is not installed", hint="install PostgreSQL's client programs")
    url = database.engine.url.set(drivername="postgresql")
    # The password goes by the environment: a command line can be read by everybody on the machine.
    environment = {**os.environ, "PGPASSWORD": str(url.password or "")}
    plain = url.set(password=None).render_as_string(hide_password=False)
    done = subprocess.run(  # noqa: S603 - a program of the system, and our own words
        [tool, "--no-owner", "--file", str(target), plain], env=environment, capture_output=True, check=False
    )
    if done.returncode:
        raise StoreError("pg_dump could not copy the database")
