"""Where a list goes on: behind the last row that was shown, told by its time and its id, since rows may share a time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import Select, and_, or_

from .problems import RefusedError

__all__ = ["after", "before_of", "cursor_of"]

_BETWEEN: Final = "~"


def cursor_of(moment: float, row_id: str) -> str:
    """What leads to the rows after this one."""
    return f"{moment!r}{_BETWEEN}{row_id}"


def before_of(rows: Sequence[Any], limit: int, moment: str) -> str | None:
    """What leads to the rows after these; None where these are the last ones.

    Args:
        rows: with an `id`, and under `moment` the time that orders them.
        limit: how many were asked for.
        moment: name of that field.
    """
    return cursor_of(getattr(rows[-1], moment), rows[-1].id) if rows and len(rows) == limit else None


def after(query: Select[Any], cursor: str | None, moment: Any, row_id: Any) -> Select[Any]:
    """The query, newest rows first, from behind a cursor on.

    Args:
        query: of the rows.
        cursor: from :func:`cursor_of`; None is the begin.
        moment, row_id: the columns that order them.

    Raises:
        RefusedError: 422, it is no cursor.
    """
    query = query.order_by(moment.desc(), row_id)
    if cursor is None:
        return query
    text, between, last = cursor.partition(_BETWEEN)
    try:
        when = float(text)
    except ValueError:
        when = math.nan
    if not between or not math.isfinite(when):
        raise RefusedError(422, "no cursor of an earlier answer", field="before")
    return query.where(or_(moment < when, and_(moment == when, row_id > last)))
