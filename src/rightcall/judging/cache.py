"""Answers that were given before, in one SQLite file: for less cost, and to replay a run without a network.

Keys are hashes of what was asked, of whom, and in which words; no text of an argument is in the file.
"""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from ..core.backend import Asked, Judged, as_json
from ..errors import PathNotFoundError, SourceError

__all__ = ["Cache", "Kept", "key_of"]

_VERSION: Final = 1
_TABLES: Final = """
CREATE TABLE IF NOT EXISTS answers (
    key TEXT PRIMARY KEY, model TEXT NOT NULL, probability REAL, why TEXT, passing INTEGER NOT NULL,
    tokens INTEGER NOT NULL, cost_usd REAL NOT NULL, request_id TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS names (asked TEXT PRIMARY KEY, model TEXT NOT NULL) WITHOUT ROWID;
"""
_AT_ONCE: Final = 500
"""Keys in one query; SQLite allows 999 parameters everywhere."""


class Kept(Struct, frozen=True, kw_only=True):
    """An answer as it is kept.

    Attributes:
        passing: it tells of a moment (an outage, say), so it is only good for a replay.
    """

    judged: Judged
    model: str
    tokens: int = 0
    cost_usd: float = 0.0
    request_id: str = ""
    passing: bool = False


def key_of(backend: str, model: str, prompt: str, asked: Asked) -> str:
    """The key of a pair: who answered (the resolved version), in which words, and what was asked."""
    said = as_json([_VERSION, backend, model, prompt, asked.expected, asked.actual, asked.tool_schema])
    return hashlib.sha256(said).hexdigest()


class Cache:
    """Kept answers.

    Args:
        path: the file; None keeps them in memory.
        replay: the file must be there, and is only read.

    Raises:
        PathNotFoundError: there is nothing to replay.
        SourceError: it can't be opened, or is no such file.
    """

    def __init__(self, path: str | None, *, replay: bool = False) -> None:
        self._path = path or ":memory:"
        self._replay = replay
        self._lock = threading.Lock()
        if replay and (path is None or not Path(path).is_file()):
            raise PathNotFoundError(f"no recorded answers: {path}", field="judge-cache")
        try:
            if replay:
                self._data = _opened_to_read(Path(self._path))
            else:
                if path is not None:
                    Path(path).parent.mkdir(parents=True, exist_ok=True)
                self._data = sqlite3.connect(self._path, check_same_thread=False, timeout=10)
                self._data.execute("PRAGMA journal_mode=WAL")
                self._data.execute("PRAGMA synchronous=NORMAL")
                self._data.executescript(_TABLES)
        except (sqlite3.Error, OSError) as error:
            raise self._bad(error) from None

    def resolved(self, asked: str) -> str | None:
        """The version that a name stood for when it was last asked; None where it never was."""
        rows = self._read("SELECT model FROM names WHERE asked = ?", (asked,))
        return rows[0][0] if rows else None

    def resolve(self, asked: str, model: str) -> None:
        """Remember what a name stands for."""
        self._write("INSERT OR REPLACE INTO names VALUES (?, ?)", [(asked, model)])

    def find(self, keys: Sequence[str]) -> dict[str, Kept]:
        """What is kept under these keys; what tells of a moment only in a replay."""
        found: dict[str, Kept] = {}
        for start in range(0, len(keys), _AT_ONCE):
            part = keys[start : start + _AT_ONCE]
            marks = ",".join("?" * len(part))
            query = f"SELECT * FROM answers WHERE key IN ({marks})"  # noqa: S608 - question marks alone
            for key, model, probability, why, passing, tokens, cost, request_id in self._read(query, part):
                if not passing or self._replay:
                    found[key] = Kept(
                        judged=Judged(probability, why),
                        model=model,
                        tokens=tokens,
                        cost_usd=cost,
                        request_id=request_id,
                        passing=bool(passing),
                    )
        return found

    def keep(self, answers: Iterable[tuple[str, Kept]]) -> None:
        """Keep answers."""
        rows = [
            (
                *(key, kept.model, kept.judged.probability, kept.judged.why, int(kept.passing)),
                *(kept.tokens, kept.cost_usd, kept.request_id),
            )
            for key, kept in answers
        ]
        self._write("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)

    def close(self) -> None:
        """Let go of the file, and leave nothing beside it: it is whole, and can be committed."""
        if not self._replay:
            try:
                # A file in WAL mode gets two others beside it even by reading.
                self._data.execute("PRAGMA busy_timeout=0")
                self._data.execute("PRAGMA journal_mode=DELETE")
            except sqlite3.Error:
                pass  # somebody else has it open, and tidies up after himself
        self._data.close()

    def _read(self, query: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        try:
            with self._lock:
                return self._data.execute(query, tuple(values)).fetchall()
        except sqlite3.Error as error:
            raise self._bad(error) from None

    def _write(self, query: str, rows: Sequence[tuple[object, ...]]) -> None:
        if self._replay or not rows:
            return
        try:
            with self._lock, self._data:
                self._data.executemany(query, rows)
        except sqlite3.Error as error:
            raise self._bad(error) from None

    def _bad(self, error: Exception) -> SourceError:
        return SourceError(f"{self._path} can't be used for answers: {error}", field="judge-cache")


def _opened_to_read(path: Path) -> sqlite3.Connection:
    """The file as it is, with nothing left beside it, also where its folder can't be written."""
    failure: sqlite3.Error | None = None
    ways = ("mode=ro", "mode=ro&immutable=1")
    # Reading a file in WAL mode makes two files that a reader can't take away. Without a log there is no writer.
    for how in ways if _has_log(path) or not _is_wal(path) else reversed(ways):
        data = sqlite3.connect(
            f"{path.absolute().as_uri()}?{how}", uri=True, check_same_thread=False, timeout=10
        )
        try:
            data.execute("SELECT count(*) FROM answers").fetchone()
        except sqlite3.OperationalError as error:
            data.close()
            failure = error
        except sqlite3.Error:
            data.close()
            raise
        else:
            return data
    raise failure or sqlite3.OperationalError("it can't be read")


def _has_log(path: Path) -> bool:
    return path.with_name(f"{path.name}-wal").exists()


def _is_wal(path: Path) -> bool:
    """Whether the header says that the file is read through a log (https://sqlite.org/fileformat.html, 1.3.3)."""
    with path.open("rb") as file:
        return file.read(20)[18:] == b"\x02\x02"
