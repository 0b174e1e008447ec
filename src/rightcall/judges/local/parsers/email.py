"""E-mail addresses: exact but for capitals, a display name and ``mailto:``."""

from __future__ import annotations

import re
from typing import Any, Final

from ..fields import Inner
from ..verdict import About, Verdict, differs, same

ORDER = 12
_ADDRESS: Final = re.compile(r"(?:mailto:|[^<>@]*<)?([^\s<>@,;\"]+@[^\s<>@,;\"]+?)>?\Z", re.IGNORECASE)


def claims(about: About) -> bool:
    """The format or the name says so."""
    return about.format == "email" or about.named(frozenset({"email", "mail", "emails"}))


def compare(a: Any, b: Any, about: About, claimed: bool, inner: Inner) -> Verdict | None:  # noqa: FBT001
    """Decides where both are addresses, and refuses an address against anything else with an at sign."""
    if not isinstance(a, str) or not isinstance(b, str) or ("@" not in a and "@" not in b):
        return None
    left, right = _ADDRESS.match(a.strip()), _ADDRESS.match(b.strip())
    if left and right:
        if left[1].casefold() == right[1].casefold():
            return same("the same address")
        return differs("other addresses")
    if left or right:
        return differs("an address against something else")
    return None
