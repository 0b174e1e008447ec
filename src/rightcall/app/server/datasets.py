"""Data sets: named, with every version that was uploaded. The rows are files, which runs read as they read any file."""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

import anyio.to_thread
from msgspec import Struct, structs
from sqlalchemy import delete, func, select
from sqlalchemy.exc import IntegrityError

from ...errors import DataError, PathNotFoundError, RightcallError, StoreError, UsageError
from ...run.dataset import Dataset
from ...run.stages import BadCase
from .cursors import after
from .problems import RefusedError
from .store.database import Database, now
from .store.near import not_there
from .store.tables import DATASETS, RUNS, VERSIONS

__all__ = ["DatasetRecord", "Datasets", "VersionRecord"]

_KINDS: Final = re.compile(r"\.(jsonl|ndjson|json|csv|parquet|bin)(\.gz|\.zst)?\Z")
_NAME: Final = re.compile(r"(?!\.+\Z)[^/\\\x00-\x1f\x7f]{1,200}")
_UNSAFE: Final = re.compile(r"[^\w. -]")
_LONGEST_NAME: Final = 100
_TRIES: Final = 5


class VersionRecord(Struct, frozen=True, kw_only=True):
    """One version of a data set.

    Attributes:
        number: from 1.
        size: bytes of the file as it was uploaded.
        cases, unreadable: rows, and those of them that can't be read.
        created: seconds since 1970.
    """

    number: int
    file: str
    size: int
    sha256: str
    cases: int
    unreadable: int
    created: float


class DatasetRecord(Struct, frozen=True, kw_only=True):
    """A data set with its newest version; `version` is None until something was uploaded."""

    id: str
    name: str
    description: str
    created: float
    version: VersionRecord | None = None


class Datasets:
    """The data sets of one server.

    Args:
        database: holds their names and versions.
        folder: holds their rows.
        most: bytes of an upload, packed and unpacked.
    """

    def __init__(self, database: Database, folder: Path, *, most: int) -> None:
        self._database = database
        self._folder = folder
        self.most = most

    def create(self, name: str, description: str = "") -> DatasetRecord:
        """A new data set without rows.

        Raises:
            RefusedError: 409, the name is taken.
        """
        if not name.strip():
            raise UsageError("a data set needs a name", field="name")
        if not _NAME.fullmatch(name.strip()):
            raise UsageError(
                "a name of a data set stands in paths: no slash, no control character, and not only dots",
                field="name",
            )
        record = DatasetRecord(
            id=f"ds_{secrets.token_hex(8)}", name=name.strip(), description=description, created=now()
        )
        try:
            with self._database.transaction() as connection:
                connection.execute(
                    DATASETS.insert().values(
                        id=record.id, name=record.name, description=description, created=record.created
                    )
                )
        except IntegrityError:
            raise RefusedError(409, f"there is a data set {name.strip()!r} already", field="name") from None
        return record

    def every(self, limit: int, before: str | None = None) -> list[DatasetRecord]:
        """The newest data sets, at most so many; those behind a cursor."""
        query = after(select(DATASETS), before, DATASETS.c.created, DATASETS.c.id).limit(limit)
        with self._database.transaction() as connection:
            rows = connection.execute(query).all()
            newest = (
                select(VERSIONS.c.dataset, func.max(VERSIONS.c.number).label("number"))
                .where(VERSIONS.c.dataset.in_([row.id for row in rows]))
                .group_by(VERSIONS.c.dataset)
                .subquery()
            )
            joined = (VERSIONS.c.dataset == newest.c.dataset) & (VERSIONS.c.number == newest.c.number)
            found = connection.execute(select(VERSIONS).join(newest, joined)).all()
        by_dataset = {row.dataset: _version(row) for row in found}
        return [_dataset(row, by_dataset.get(row.id)) for row in rows]

    def get(self, dataset: str) -> DatasetRecord:
        """The data set of that id or name.

        Raises:
            PathNotFoundError: there is none.
        """
        with self._database.transaction() as connection:
            either = (DATASETS.c.id == dataset) | (DATASETS.c.name == dataset)
            row = connection.execute(select(DATASETS).where(either)).first()
            if row is None:
                raise not_there(connection, "data set", dataset, DATASETS.c.name, "dataset")
            query = select(VERSIONS).where(VERSIONS.c.dataset == row.id).order_by(VERSIONS.c.number.desc())
            version = connection.execute(query.limit(1)).first()
        return _dataset(row, None if version is None else _version(version))

    def history(self, dataset: str) -> list[VersionRecord]:
        """All versions, the newest first.

        Raises:
            PathNotFoundError: there is no such data set.
        """
        found = self.get(dataset)
        query = select(VERSIONS).where(VERSIONS.c.dataset == found.id).order_by(VERSIONS.c.number.desc())
        with self._database.transaction() as connection:
            return [_version(row) for row in connection.execute(query)]

    def version(self, dataset: str, number: int | None = None) -> tuple[DatasetRecord, VersionRecord, Path]:
        """A version, the newest unless a number is given, and its file.

        Raises:
            PathNotFoundError: there is none.
        """
        found = self.get(dataset)
        query = select(VERSIONS).where(VERSIONS.c.dataset == found.id).order_by(VERSIONS.c.number.desc())
        if number is not None:
            query = query.where(VERSIONS.c.number == number)
        with self._database.transaction() as connection:
            row = connection.execute(query.limit(1)).first()
        if row is None:
            what = "has no rows yet" if number is None else f"has no version {number}"
            raise PathNotFoundError(f"the data set {found.name!r} {what}", field="version")
        return found, _version(row), self._folder / found.id / row.file

    async def upload(self, dataset: str, filename: str, chunks: AsyncIterator[bytes]) -> VersionRecord:
        """Take in a file as the next version. It is there as a whole or not at all.

        Args:
            dataset: id or name.
            filename: its ending says what it holds.
            chunks: the file.

        Raises:
            PathNotFoundError: there is no such data set.
            UsageError: an ending that is not known.
            DataError: nothing in it can be read.
            StoreError: the disk is full.
        """
        kind = _KINDS.search(filename.lower())
        if kind is None:
            raise UsageError(
                f"{filename[-40:]!r} is no kind of data that is known", field="filename", hint="rows.jsonl"
            )
        found = await anyio.to_thread.run_sync(self.get, dataset)
        part = self._folder / found.id / f"upload-{secrets.token_hex(6)}{kind.group()}"
        digest, size = hashlib.sha256(), 0
        try:
            part.parent.mkdir(parents=True, exist_ok=True)
            with part.open("wb") as file:
                async for chunk in chunks:
                    digest.update(chunk)
                    size += len(chunk)
                    await anyio.to_thread.run_sync(file.write, chunk)
                await anyio.to_thread.run_sync(_to_disk, file)
            return await anyio.to_thread.run_sync(
                self._take, found, part, _safe(filename, kind.group()), size, digest.hexdigest()
            )
        except OSError as error:
            raise StoreError(f"the data can't be kept: {error.strerror}") from None
        finally:
            part.unlink(missing_ok=True)

    def _take(self, found: DatasetRecord, part: Path, filename: str, size: int, sha256: str) -> VersionRecord:
        cases = unreadable = 0
        try:
            for case in Dataset(str(part)):
                cases += 1
                unreadable += isinstance(case, BadCase)
        except RightcallError as error:
            # Where it lies on this machine is nobody's concern.
            error.message = error.message.replace(str(part), "the file")
            raise
        if not cases or cases == unreadable:
            raise DataError(
                "no row of it can be read as a case" if cases else "it holds no row", field="body"
            )
        # It keeps its name, by which rows without an id are called.
        place = part.parent / secrets.token_hex(8) / filename
        place.parent.mkdir()
        part.replace(place)
        try:
            return self._numbered(found, f"{place.parent.name}/{filename}", size, sha256, cases, unreadable)
        except BaseException:
            shutil.rmtree(place.parent, ignore_errors=True)
            raise

    def _numbered(
        self, found: DatasetRecord, file: str, size: int, sha256: str, cases: int, unreadable: int
    ) -> VersionRecord:
        for _ in range(_TRIES):
            with self._database.transaction() as connection:
                query = select(func.max(VERSIONS.c.number)).where(VERSIONS.c.dataset == found.id)
                number = (connection.execute(query).scalar() or 0) + 1
            record = VersionRecord(
                number=number,
                file=file,
                size=size,
                sha256=sha256,
                cases=cases,
                unreadable=unreadable,
                created=now(),
            )
            try:
                with self._database.transaction() as connection:
                    connection.execute(VERSIONS.insert().values(dataset=found.id, **structs.asdict(record)))
            except IntegrityError:
                continue  # another upload took the number
            return record
        raise RefusedError(409, "others are uploading to this data set", field="dataset")

    def delete(self, dataset: str) -> None:
        """Remove a data set and its rows.

        Raises:
            PathNotFoundError: there is none.
            RefusedError: 409, a run is reading it.
        """
        found = self.get(dataset)
        with self._database.transaction() as connection:
            busy = select(RUNS.c.id).where(
                RUNS.c.dataset == found.id, RUNS.c.state.in_(("queued", "running"))
            )
            run = connection.execute(busy.limit(1)).scalar()
            if run is not None:
                raise RefusedError(409, f"the run {run} reads it", field="dataset")
            connection.execute(delete(VERSIONS).where(VERSIONS.c.dataset == found.id))
            connection.execute(delete(DATASETS).where(DATASETS.c.id == found.id))
        shutil.rmtree(self._folder / found.id, ignore_errors=True)


def _safe(filename: str, kind: str) -> str:
    """A name for the disk that says what the client's says: its last part, without its odd signs, not too long."""
    name = _UNSAFE.sub("_", re.split(r"[/\\]", filename)[-1])
    stem = name[: len(name) - len(kind)].lstrip(". ")[:_LONGEST_NAME]
    return f"{stem or 'rows'}{kind}"


def _to_disk(file: Any) -> None:
    file.flush()
    os.fsync(file.fileno())


def _version(row: Any) -> VersionRecord:
    return VersionRecord(**{name: getattr(row, name) for name in VersionRecord.__struct_fields__})


def _dataset(row: Any, version: VersionRecord | None) -> DatasetRecord:
    return DatasetRecord(
        id=row.id, name=row.name, description=row.description, created=row.created, version=version
    )
