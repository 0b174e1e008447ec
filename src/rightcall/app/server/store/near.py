"""What is said of a thing that is not there: with the nearest name of one that is."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, select

from ....errors import PathNotFoundError, nearest

__all__ = ["not_there"]

_NAMES: Final = 1000
"""Names among which the nearest to an unknown one is looked for."""


def not_there(
    connection: Connection, what: str, name: str, column: ColumnElement[Any], field: str
) -> PathNotFoundError:
    """The error for a name that nothing has.

    Args:
        connection: to the database.
        what: the kind of thing, as in ``data set``.
        name: what was asked for.
        column: holds the names that there are.
        field: of the error.
    """
    near = nearest(name, connection.execute(select(column).limit(_NAMES)).scalars().all())
    hint = None if near is None else f"did you mean {near!r}?"
    return PathNotFoundError(f"no {what} {name!r}", field=field, hint=hint)
