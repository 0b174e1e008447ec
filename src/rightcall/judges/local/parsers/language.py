"""Languages by name and by code."""

from __future__ import annotations

from typing import Any, Final

from ..fields import Inner
from ..spelling import fold
from ..tables import languages
from ..verdict import About, Verdict, differs, perhaps, same

ORDER = 32
_NAMES: Final = frozenset({"language", "languages", "lang", "locale", "translation"})


def claims(about: About) -> bool:
    """The name says so."""
    return about.named(_NAMES)


def compare(a: Any, b: Any, about: About, claimed: bool, inner: Inner) -> Verdict | None:  # noqa: FBT001
    """Decides where both are languages, with a region or without."""
    if not claimed or not isinstance(a, str) or not isinstance(b, str):
        return None
    x, y = _language(a), _language(b)
    if x is None or y is None:
        return None
    if x == y:
        return same("the same language")
    if x[0] != y[0]:
        return differs("other languages")
    return (
        differs("other regions") if x[1] and y[1] else perhaps(0.7, "the same language, once with a region")
    )


def _language(text: str) -> tuple[str, str] | None:
    name = fold(text)
    whole = languages().get(name)
    if whole is not None:
        return whole, ""
    first, _, region = name.partition(" ")
    code = languages().get(first)
    return (code, region) if code is not None and region.isalpha() and len(region) == 2 else None
