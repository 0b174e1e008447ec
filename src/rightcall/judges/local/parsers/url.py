"""URLs: exact but for the capitals of scheme and host, a default port, the last slash, the order of a query."""

from __future__ import annotations

import re
from typing import Any, Final
from urllib.parse import parse_qsl, unquote, urlsplit

from ..fields import Inner
from ..spelling import letters, listed
from ..verdict import About, Verdict, differs, perhaps, same

ORDER = 11
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]{1,15}://\S+\Z", re.IGNORECASE)
_HOST: Final = re.compile(r"(?:[a-z0-9-]+\.)+[a-z]{2,24}(?::\d+)?(?:[/?#]\S*)?\Z", re.IGNORECASE)
_PORTS: Final = {"http": 80, "https": 443, "ftp": 21}

_SITES: Final = frozenset({"site", "website", "source", "platform"})
_ADDRESSES: Final = frozenset({"url", "uri", "link", "href", "endpoint", "webhook", "domain"})
_NAME_AND_END: Final = 2


def claims(about: About) -> bool:
    """The format or the name says so."""
    return about.format in {"uri", "url", "uri-reference"} or about.named(
        listed(
            """
    url uri link website domain endpoint href webpage site webhook
    """
        )
    )


def compare(a: Any, b: Any, about: About, claimed: bool, inner: Inner) -> Verdict | None:  # noqa: FBT001
    """Decides where both are URLs, or one is and the schema says so."""
    if not isinstance(a, str) or not isinstance(b, str):
        return None
    a, b = a.strip(), b.strip()
    full = bool(_SCHEME.match(a)), bool(_SCHEME.match(b))
    if not any(full) and not (claimed and (_HOST.match(a) or _HOST.match(b))):
        return None
    if not any(full) and not (_HOST.match(a) and _HOST.match(b)) and not _is_site_by_name(a, b, about):
        return None
    left, right = _parts(a), _parts(b)
    if (left is None) != (right is None) and _is_site_by_name(a, b, about):
        return perhaps(0.85, "a site by its name and by its address")
    if left is None or right is None:
        return differs("a URL against something else")
    if left[1:] == right[1:]:
        if left[0] == right[0] or not all(full):
            return same("the same URL, written otherwise")
        if {left[0], right[0]} == {"http", "https"}:
            return perhaps(0.85, "the same URL but for http and https")
    if left[2:] == right[2:] and left[1].removeprefix("www.") == right[1].removeprefix("www."):
        return perhaps(0.85, "the same URL but for www")
    return differs("other URLs")


def _is_site_by_name(a: str, b: str, about: About) -> bool:
    """Amazon and amazon.com, where a site is asked for and no address."""
    if not about.named(_SITES) or about.named(_ADDRESSES):
        return False
    name, address = sorted((a, b), key=lambda text: _parts(text) is not None)
    found = _parts(address)
    if found is None or any(found[2:]):
        return False
    labels = str(found[1]).removeprefix("www.").split(".")
    return len(labels) == _NAME_AND_END and labels[0] == letters(name)


def _parts(text: str) -> tuple[Any, ...] | None:
    """Scheme, host, port, path, query and fragment, in one spelling each."""
    if not _SCHEME.match(text):
        if not _HOST.match(text):
            return None
        text = "https://" + text
    try:
        found = urlsplit(text)
        scheme, port = found.scheme.lower(), found.port
    except ValueError:
        return None
    user = found.netloc.rpartition("@")[0]
    query = tuple(sorted(parse_qsl(found.query, keep_blank_values=True))) or found.query
    return (
        scheme,
        (found.hostname or "").rstrip("."),
        None if port in {80, 443} or port == _PORTS.get(scheme) else port,
        user,
        unquote(found.path).rstrip("/"),
        query,
        found.fragment,
    )
