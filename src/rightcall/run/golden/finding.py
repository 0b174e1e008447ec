"""One fault of a golden set, as it is told."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from ...core.types import Case, Source
from ...errors import RightcallError
from ..stages import BadCase

__all__ = ["Finding", "Notes", "unreadable"]

Severity = Literal["error", "warning"]


class Finding(Struct, frozen=True, kw_only=True):
    """One fault of a golden set.

    Attributes:
        severity: an ``error`` makes a case score wrongly or not at all, a ``warning`` may be meant.
        kind: its short stable name.
        case: id of the case.
        source: where it stands.
        field: where in the row; None for the case as a whole.
        message: the fault in words.
    """

    severity: Severity
    kind: str
    case: str
    source: Source
    field: str | None = None
    message: str


class Notes:
    """Makes findings of one case."""

    def __init__(self, case: Case | BadCase) -> None:
        self._case = case

    def __call__(self, severity: Severity, kind: str, message: str, field: str | None = None) -> Finding:
        """A finding about this case."""
        place = self._case.source or Source()
        return Finding(
            severity=severity, kind=kind, case=self._case.id, source=place, field=field, message=message
        )


def unreadable(case: Case | BadCase, error: RightcallError) -> Finding:
    """What can't be read, as a finding."""
    hint = f" ({error.hint})" if error.hint else ""
    return Finding(
        severity="error",
        kind="unreadable",
        case=case.id,
        source=case.source or Source(),
        field=error.field,
        message=f"{error.message}{hint}",
    )
