"""Paths of files: exact after ``.``, ``..`` and doubled slashes are resolved."""

from __future__ import annotations

import re
from posixpath import normpath
from typing import Any, Final

from ..fields import Inner
from ..spelling import listed
from ..verdict import About, Verdict, differs, same

ORDER = 14
_NAMES: Final = listed(
    """
    path file filename filepath directory dir folder filenames paths files
    """
)
_SHAPE: Final = re.compile(
    r"(?:~?/|\.{1,2}/|[A-Za-z]:[\\/]|\\\\)\S|[\w.-]+(?:/[\w.-]+)*/[\w.-]*\.[A-Za-z0-9]{1,6}\Z"
    r"|[\w-]+\.(?:txt|csv|json|pdf|md|py|png|jpe?g|docx?|xlsx?|log|xml|ya?ml|html?|zip|gz|sql|sh|toml|ini|parquet)\Z"
)
_DRIVE: Final = re.compile(r"[A-Za-z]:[\\/]|\\\\")


def claims(about: About) -> bool:
    """The name says so."""
    return about.named(_NAMES)


def compare(a: Any, b: Any, about: About, claimed: bool, inner: Inner) -> Verdict | None:  # noqa: FBT001
    """Decides wherever one of them has the shape of a path, or the name says that both are."""
    if not isinstance(a, str) or not isinstance(b, str):
        return None
    a, b = a.strip(), b.strip()
    shaped = bool(_SHAPE.match(a)), bool(_SHAPE.match(b))
    if not any(shaped) and not (claimed and " " not in a and " " not in b):
        return None
    if (
        not all(shaped)
        and not claimed
        and (" " in a or " " in b)
        and not a.startswith("/")
        and not b.startswith("/")
    ):
        return None
    if _resolved(a) == _resolved(b):
        return same("the same path, written otherwise")
    return differs("other paths")


def _resolved(text: str) -> str:
    text = text.removeprefix("file://")
    if _DRIVE.match(text):
        text = text.replace("\\", "/").casefold()
    found = normpath(text) if text else text
    return "/" + found.lstrip("/") if found.startswith("//") else found
