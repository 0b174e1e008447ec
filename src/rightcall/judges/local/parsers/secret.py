"""Passwords, tokens, keys and names of branches: every character counts."""

from __future__ import annotations

from typing import Any, Final

from ..fields import Inner
from ..spelling import listed
from ..verdict import About, Verdict, differs

ORDER = 7
_NAMES: Final = listed(
    "password passwd pwd passphrase secret pin otp apikey salt nonce signature checksum digest"
)
_ONE_WORD: Final = listed("token branch hash revision commit sha variable var")
_SAYS_OF_IT: Final = listed(
    """
    type algorithm algo count limit length size max min maximum minimum number method policy hint expiry date
    message provider format strength santa age
    """
)
"""With such a word a name speaks about the secret: token_count, hash_algorithm."""

_KEYS: Final = frozenset(
    {"api", "access", "private", "public", "secret", "ssh", "encryption", "license", "auth"}
)


def claims(about: About) -> bool:
    """The name says so, or the schema's format."""
    if (
        about.named(_SAYS_OF_IT)
        or "time" in about.name
        or about.type in {"number", "integer", "boolean", "array"}
    ):
        return False
    return (
        about.format == "password"
        or about.named(_NAMES | _ONE_WORD)
        or ("key" in about.name and about.named(_KEYS))
    )


def compare(a: Any, b: Any, about: About, claimed: bool, inner: Inner) -> Verdict | None:  # noqa: FBT001
    """Refuses two texts that are not equal; digits of a hash in other capitals are left to the parser of ids."""
    if not claimed or not isinstance(a, str) or not isinstance(b, str):
        return None
    if about.named(frozenset({"name", "hint"})) and not about.named(_ONE_WORD):
        return None
    if not about.named(_NAMES) and "key" not in about.name:
        if any(char.isspace() for char in a.strip() + b.strip()):
            return None
        if about.named(frozenset({"hash", "sha", "commit"})) and a.casefold() == b.casefold():
            return None
    return differs("every character counts, and one differs")
