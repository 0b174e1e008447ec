"""Results as lines of JSON, at the speed of the scoring: constant parts and shared results are encoded once."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from ...core.results import Difference, Evidence, Finished, Pair, Result
from ...core.types import Case, Source
from ..stages import BadCase

__all__ = ["LineWriter"]


class _Evidence(Struct, gc=False):
    rule: str | None
    pairs: tuple[Pair, ...]
    missing: tuple[int, ...]
    extra: tuple[int, ...]
    differences: Raw


class _Line(Struct, gc=False):
    """One line; the order of fields is that of the file. `cluster` stands there only where the case has one."""

    id: str
    trial: int | None
    cluster: str | UnsetType
    evaluator: str
    kind: str
    status: str
    score: float | None
    label: str
    passed: bool | None
    threshold: float
    reason: str
    warnings: tuple[str, ...]
    error: str | None
    probabilities: tuple[float, ...] | None
    details: _Evidence | dict[str, Any]
    row: Raw


_NO_DIFFERENCES: Final = Raw(b"[]")


def _foreign(value: object) -> str:
    """A Python object in an evaluator's own details: its kind, since its repr may hold an address."""
    return f"<{type(value).__name__}>"


_encoder: Final = msgspec.json.Encoder(decimal_format="number", enc_hook=_foreign)
_encode_fast, _encode_lines_fast = _encoder.encode, _encoder.encode_lines
_NOT_ENCODABLE: Final = (UnicodeError, TypeError, ValueError, OverflowError, RecursionError)


def _encode(value: Any) -> bytes:
    try:
        return _encode_fast(value)
    except _NOT_ENCODABLE:
        return _encode_fast(_encodable(msgspec.to_builtins(value, builtin_types=(Raw,), enc_hook=_foreign)))


def _encode_lines(lines: Sequence[_Line]) -> bytes:
    """The lines, each with its end: in one go, which is faster than one by one."""
    try:
        return _encode_lines_fast(lines)
    except _NOT_ENCODABLE:
        return b"".join([_encode(line) + b"\n" for line in lines])


_SURROGATES: Final = re.compile("[\ud800-\udfff]")


def _encodable(value: Any, level: int = 0) -> Any:
    """A value that surely encodes: half characters become their escape, and what is too deep its kind."""
    if isinstance(value, str):
        return _SURROGATES.sub(lambda found: f"\\u{ord(found[0]):04x}", value)
    if level > 400:
        return "…"
    if isinstance(value, Mapping):
        return {_encodable(str(key)): _encodable(item, level + 1) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_encodable(item, level + 1) for item in value]
    return value


_REMEMBERED: Final = 4096
"""Results that are held to find out which are shared, and bodies of those that are."""


class LineWriter:
    """Makes the lines of a run, one a result."""

    def __init__(self) -> None:
        self._seen: dict[int, Evidence] = {}
        self._bodies: dict[int, tuple[Evidence, bytes]] = {}
        self._path: str | None = None
        self._row_start = b""

    def lines(self, case: Case | BadCase, results: tuple[Result, ...]) -> bytes:
        """The lines of one case."""
        row = self._row(case.source)
        cluster = case.cluster if isinstance(case, Case) else None
        place = Raw(row)
        # Evaluators that pair alike share their differences, which are most of what there is to encode.
        last: tuple[Difference, ...] = ()
        encoded = _NO_DIFFERENCES
        head, tail = b"", b""
        found: list[bytes] = []
        fresh: list[_Line] = []
        for result in results:
            evidence = result.evidence
            if result.score == 1.0 and evidence.alignment is not None:
                known = self._bodies.get(id(evidence)) or self._seen_again(result)
                if known is not None:
                    if not head:
                        head, tail = _around(case, cluster, row)
                    if fresh:
                        found.append(_encode_lines(fresh))
                        fresh = []
                    found += (head, known[1], tail)
                    continue
            told = evidence.finish()
            differences = told.found.differences
            if differences is not last:
                encoded = Raw(_encode(differences)) if differences else _NO_DIFFERENCES
                last = differences
            fresh.append(_line(case.id, case.trial, cluster, result, told, encoded, place))
        if not found:
            return _encode_lines(fresh)
        if fresh:
            found.append(_encode_lines(fresh))
        return b"".join(found)

    def _seen_again(self, result: Result) -> tuple[Evidence, bytes] | None:
        """The evidence of a perfect result, and what stands between the case and the row; None where it is new."""
        # Both tables hold the evidence itself, so an id stays that of one object.
        key = id(result.evidence)
        if key not in self._seen:
            if len(self._seen) >= _REMEMBERED:
                self._seen.clear()
            self._seen[key] = result.evidence
            return None
        if len(self._bodies) >= _REMEMBERED:
            self._bodies.clear()
        told = result.evidence.finish()
        whole = _encode(_line("", None, None, result, told, Raw(_encode(told.found.differences)), Raw(b"0")))
        body = whole[len(b'{"id":"","trial":null,') : -len(b',"row":0}')]
        known = self._bodies[key] = (result.evidence, body)
        return known

    def _row(self, source: Source | None) -> bytes:
        if source is None:
            return b'{"file":null,"line":null,"offset":null}'
        if source.path != self._path:
            self._path = source.path
            self._row_start = b'{"file":%b,"line":' % _encode(source.path)
        line, offset = source.line, source.offset
        if line is None or offset is None:
            return self._row_start + b'%b,"offset":%b}' % (_encode(line), _encode(offset))
        return self._row_start + b'%d,"offset":%d}' % (line, offset)


def _around(case: Case | BadCase, cluster: str | None, row: bytes) -> tuple[bytes, bytes]:
    """How every line of a case begins, and how it ends."""
    trial = b"null" if case.trial is None else b"%d" % case.trial
    if cluster is not None:
        trial += b',"cluster":%b' % _encode(cluster)
    return b'{"id":%b,"trial":%b,' % (_encode(case.id), trial), b',"row":%b}\n' % row


def _line(
    case_id: str,
    trial: int | None,
    cluster: str | None,
    result: Result,
    told: Finished,
    differences: Raw,
    row: Raw,
) -> _Line:
    found = told.found
    details: _Evidence | dict[str, Any]
    if found.measures:
        details = {
            "rule": found.rule,
            "pairs": found.pairs,
            "missing": found.missing,
            "extra": found.extra,
            "differences": None,
            **found.measures,
        }
        details["differences"] = differences
    else:
        details = _Evidence(found.rule, found.pairs, found.missing, found.extra, differences)
    return _Line(
        case_id,
        trial,
        UNSET if cluster is None else cluster,
        result.evaluator,
        result.kind,
        result.status,
        result.score,
        result.label,
        result.passed,
        result.threshold,
        told.told,
        told.noticed,
        result.error,
        result.probabilities,
        details,
        row,
    )
