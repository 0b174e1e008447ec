"""Objects: field by field; one that is left out must equal its declared default."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..fields import Inner, fields_of
from ..verdict import About, Verdict, differs

ORDER = 4


def claims(about: About) -> bool:
    """The schema says object."""
    return about.type == "object"


def compare(a: Any, b: Any, about: About, claimed: bool, inner: Inner) -> Verdict | None:  # noqa: FBT001
    """Decides where both are objects."""
    if not isinstance(a, dict) or not isinstance(b, dict):
        return (
            differs("an object against something else")
            if isinstance(a, dict) or isinstance(b, dict)
            else None
        )
    schema = about.schema if isinstance(about.schema, Mapping) else None
    value, words, decided = 1.0, "", True
    worst = 2.0
    for name, found in fields_of(a, b, schema, inner):
        value *= found.probability
        decided = decided and found.decided
        if found.probability < worst:
            worst, words = found.probability, f"{name}: {found.words}"
    return Verdict(min(value, 0.99), words or "the same fields", decided or (worst <= 0.05))
