"""Time zones without a moment: UTC and GMT, UTC+2 and +02:00."""

from __future__ import annotations

import re
from typing import Any, Final

from ..fields import Inner
from ..verdict import About, Verdict, differs, same

ORDER = 6
_ZERO: Final = frozenset(
    {"utc", "gmt", "z", "zulu", "etc/utc", "etc/gmt", "etc/universal", "etc/zulu", "etc/uct", "uct", "universal",
     "greenwich mean time", "coordinated universal time", "utc/gmt"}
)  # fmt: skip
_OFFSET: Final = re.compile(r"(etc/)?(utc|gmt)? ?([+-])(\d{1,2})(?::?([0-5]\d))?\Z", re.ASCII)
_SURE: Final = frozenset({"utc", "gmt"})


def claims(about: About) -> bool:
    """The name says so."""
    return about.named(frozenset({"timezone", "tz", "tzinfo"})) or {"time", "zone"} <= about.name


def compare(a: Any, b: Any, about: About, claimed: bool, inner: Inner) -> Verdict | None:  # noqa: FBT001
    """Decides where both are UTC or so many hours from it; names of regions have summer time and are left."""
    if not isinstance(a, str) or not isinstance(b, str):
        return None
    x, y = a.strip().lower(), b.strip().lower()
    if not claimed and not (x[:3] in _SURE and y[:3] in _SURE):
        return None
    left, right = _minutes(x), _minutes(y)
    if left is None or right is None:
        return None
    return same("the same time zone") if left == right else differs("other time zones")


def _minutes(text: str) -> int | None:
    """Minutes east of UTC; Etc/GMT-2 is two hours east."""
    if text in _ZERO:
        return 0
    found = _OFFSET.match(text)
    if found is None:
        return None
    minutes = int(found[4]) * 60 + int(found[5] or 0)
    return -minutes if (found[3] == "-") != bool(found[1]) else minutes
