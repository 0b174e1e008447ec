"""Objects: field by field; one that is left out must equal its declared default."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ....core.jsonvalue import InvalidJSONError, decode, depth_exceeds
from ..fields import Inner, fields_of
from ..verdict import About, Verdict, differs

ORDER = 4
WRITTEN: Final = 0.97
"""An object against the JSON text of one."""

_LONGEST: Final = 20_000


def claims(about: About) -> bool:
    """The schema says object."""
    return about.type == "object"


def compare(a: Any, b: Any, about: About, claimed: bool, inner: Inner) -> Verdict | None:  # noqa: FBT001
    """Decides where both are objects."""
    read = _decoded(a), _decoded(b)
    if all(isinstance(each, dict) for each in read) and (read[0] is not a or read[1] is not b):
        found = inner(*read, about)
        return Verdict(min(found.probability, WRITTEN), f"once as JSON text: {found.words}", found.decided)
    if not isinstance(a, dict) or not isinstance(b, dict):
        return (
            differs("an object against something else")
            if isinstance(a, dict) or isinstance(b, dict)
            else None
        )
    schema = about.schema if isinstance(about.schema, Mapping) else None
    value, words, decided = 1.0, "", True
    worst = 2.0
    for name, found in fields_of(a, b, schema, inner, " ".join(sorted(about.tool))):
        value *= found.probability
        decided = decided and found.decided
        if found.probability < worst:
            worst, words = found.probability, f"{name}: {found.words}"
    return Verdict(min(value, 0.99), words or "the same fields", decided or (worst <= 0.05))


def _decoded(value: Any) -> Any:
    """The object that a text is the JSON of; else the value itself."""
    if not isinstance(value, str) or len(value) > _LONGEST or value[:1] != "{" or value.rstrip()[-1:] != "}":
        return value
    try:
        found = decode(value)
    except InvalidJSONError:
        return value
    return found if isinstance(found, dict) and not depth_exceeds(found) else value
