"""What tells a table written as text: by which character its columns are separated."""

from __future__ import annotations

import csv
from typing import Final

__all__ = ["looks_like_a_table", "separator_of"]

_OTHERS: Final = (";", "\t")


def separator_of(header: str) -> str:
    """The separator of a CSV file by the line of its columns' names.

    It is a comma; another one where there is no comma at all, and that is certain: a table of one column holds no case.
    """
    found = [separator for separator in _OTHERS if separator in header]
    return found[0] if "," not in header and len(found) == 1 else ","


def looks_like_a_table(text: str) -> bool:
    """Whether the beginning of a text could be CSV: names of columns, and a row with as many cells."""
    lines = text.splitlines(keepends=True)
    if not lines:
        return False
    try:
        # The last line may be cut off.
        rows = [row for row in csv.reader(lines[:20], delimiter=separator_of(lines[0])) if row]
    except csv.Error:
        return False
    if len(rows) < 2 or not 1 < len(rows[0]) == len(rows[1]):
        return False
    # Prose has a blank behind a comma, names of columns begin with a letter.
    return all(name.replace(".", "_").replace(" ", "_").isidentifier() and name[0] != " " for name in rows[0])
