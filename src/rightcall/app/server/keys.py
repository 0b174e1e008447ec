"""Keys of the API: made once, stored as a digest, compared in constant time, and what each of them may do."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Iterable
from threading import Lock
from typing import Any, Final

from msgspec import Struct
from sqlalchemy import func, select, update

from ...errors import OptionError, UnknownNameError
from .problems import RefusedError
from .store.database import Database, now
from .store.tables import KEYS

__all__ = ["SCOPES", "KeyRecord", "Keys"]

SCOPES: Final = {
    "evaluate": "score cases, read traces, and look at the catalogue",
    "read": "look at data sets, runs, traces and labels",
    "write": "make and delete data sets and runs, send traces, label",
    "admin": "make and revoke keys, and everything else",
}

_FRESH: Final = 5.0
"""Seconds for which a key that was looked up is not looked up again; a revoked one works for no longer than this."""
_REMEMBERED: Final = 10_000
_PREFIX: Final = "rc"


class KeyRecord(Struct, frozen=True, kw_only=True):
    """A key as it is listed. The secret is shown once, when it is made.

    Attributes:
        created, last_used, revoked: seconds since 1970; `last_used` is a minute behind at most.
    """

    id: str
    name: str
    scopes: tuple[str, ...]
    created: float
    last_used: float | None = None
    revoked: float | None = None

    def may(self, scope: str) -> bool:
        """Whether it allows that."""
        return scope in self.scopes or "admin" in self.scopes


class _Known(Struct):
    record: KeyRecord
    digest: bytes
    until: float


class Keys:
    """The keys of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: dict[str, _Known] = {}
        self._used: dict[str, float] = {}
        self._lock = Lock()

    def create(self, name: str, scopes: Iterable[str]) -> tuple[KeyRecord, str]:
        """A new key, and its text, which can't be had again.

        Raises:
            UnknownNameError: a scope that there is not.
            OptionError: no scope, or no name.
        """
        wanted = tuple(dict.fromkeys(scopes))
        for scope in wanted:
            if scope not in SCOPES:
                raise UnknownNameError("scope", scope, SCOPES, field="scopes")
        if not wanted or not name.strip():
            raise OptionError("a key needs a name and a scope", field="scopes" if name.strip() else "name")
        secret = secrets.token_urlsafe(32)
        record = KeyRecord(id=secrets.token_hex(6), name=name.strip(), scopes=wanted, created=now())
        with self._database.transaction() as connection:
            connection.execute(
                KEYS.insert().values(
                    id=record.id,
                    name=record.name,
                    digest=_digest(secret),
                    scopes=",".join(wanted),
                    created=record.created,
                )
            )
        return record, f"{_PREFIX}_{record.id}_{secret}"

    def every(self) -> list[KeyRecord]:
        """All keys, revoked ones too, the oldest first."""
        self.write_use()
        with self._database.transaction() as connection:
            return [_record(row) for row in connection.execute(select(KEYS).order_by(KEYS.c.created))]

    def any_valid(self) -> bool:
        """Whether there is a key that works."""
        with self._database.transaction() as connection:
            found = connection.execute(select(func.count()).select_from(KEYS).where(KEYS.c.revoked.is_(None)))
            return bool(found.scalar_one())

    def revoke(self, key_id: str) -> KeyRecord:
        """Let a key be of no use from now on.

        Raises:
            UnknownNameError: there is none of that id.
        """
        with self._database.transaction() as connection:
            connection.execute(
                update(KEYS).where(KEYS.c.id == key_id, KEYS.c.revoked.is_(None)).values(revoked=now())
            )
            row = connection.execute(select(KEYS).where(KEYS.c.id == key_id)).first()
            known = [] if row else [each.id for each in connection.execute(select(KEYS.c.id))]
        self._known.pop(key_id, None)
        if row is None:
            raise UnknownNameError("key", key_id, known, field="key")
        return _record(row)

    def fresh(self, key_text: str) -> KeyRecord | None:
        """The key of that text where it was looked up a moment ago; None where :meth:`find` has to."""
        key_id, secret = _parts(key_text)
        known = self._known.get(key_id)
        moment = time.monotonic()
        if known is None or known.until < moment:
            return None
        return self._checked(known, secret)

    def find(self, key_text: str) -> KeyRecord:
        """The key of that text, from the database.

        Raises:
            RefusedError: 401; there is no such key, or it was revoked.
        """
        key_id, secret = _parts(key_text)
        with self._database.transaction() as connection:
            row = connection.execute(select(KEYS).where(KEYS.c.id == key_id)).first()
        if row is None:
            # As long as for a key that there is.
            hmac.compare_digest(_digest(secret), b"\0" * 32)
            raise _unknown()
        known = _Known(_record(row), bytes(row.digest), time.monotonic() + _FRESH)
        record = self._checked(known, secret)
        if len(self._known) > _REMEMBERED:
            self._known.clear()
        self._known[key_id] = known
        return record

    def _checked(self, known: _Known, secret: str) -> KeyRecord:
        right = hmac.compare_digest(_digest(secret), known.digest)
        if not right or known.record.revoked is not None:
            raise _unknown()
        self._used[known.record.id] = now()
        return known.record

    def write_use(self) -> None:
        """Write down when keys were used last; called now and then, not for every request."""
        with self._lock:
            used, self._used = self._used, {}
        if used:
            with self._database.transaction() as connection:
                for key_id, moment in used.items():
                    connection.execute(update(KEYS).where(KEYS.c.id == key_id).values(last_used=moment))


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "replace")).digest()


def _parts(key_text: str) -> tuple[str, str]:
    prefix, _, rest = key_text.partition("_")
    key_id, _, secret = rest.partition("_")
    if prefix != _PREFIX or not key_id or not secret:
        raise _unknown()
    return key_id, secret


def _unknown() -> RefusedError:
    return RefusedError(
        401,
        "no such key, or it was revoked",
        field="Authorization",
        headers={"WWW-Authenticate": 'Bearer error="invalid_token"'},
    )


def _record(row: Any) -> KeyRecord:
    return KeyRecord(
        id=row.id,
        name=row.name,
        scopes=tuple(row.scopes.split(",")),
        created=row.created,
        last_used=row.last_used,
        revoked=row.revoked,
    )
