"""JSON pointers into arguments (RFC 6901), with ``*`` for any array index."""

from __future__ import annotations

import re
from functools import lru_cache

from ..errors import OptionError
from .jsonvalue import has_lone_surrogate

__all__ = ["any_index", "escape", "join", "matches", "parse_pointer", "readable"]

_BAD_ESCAPE = re.compile(r"~(?![01])")


_INDEX = re.compile(r"/\d+(?=[/\"]|$)")


@lru_cache(maxsize=4096)
def any_index(text: str) -> str:
    """A path, or an option with paths, with ``*`` for every array index: so causes are told apart."""
    return _INDEX.sub("/*", text)


def parse_pointer(text: object, *, field: str | None = None) -> str:
    """A pointer as it was given, checked.

    Raises:
        OptionError: it does not begin with ``/`` or escapes wrongly; the hint is the likely pointer.
    """
    if not isinstance(text, str):
        raise OptionError(f"{text!r} is not a path", field=field, hint="a JSON pointer such as '/items/*/id'")
    if has_lone_surrogate(text):
        raise OptionError(f"{text!r} holds a lone surrogate (half of a character)", field=field)
    if text.startswith("/") and not _BAD_ESCAPE.search(text):
        return text
    raise OptionError(f"{text!r} is not a JSON pointer", field=field, hint=f"did you mean {_likely(text)!r}?")


def _likely(text: str) -> str:
    body = text.removeprefix("#").removeprefix("$").lstrip(".")
    body = re.sub(r"\[(\d+|\*|)\]", lambda found: f"/{found.group(1) or '*'}", body)
    body = _BAD_ESCAPE.sub("~0", body)
    if "/" not in text.lstrip("#/"):
        body = body.replace(".", "/")
    return "/" + body.lstrip("/")


def escape(key: str) -> str:
    """One step of a pointer."""
    return key.replace("~", "~0").replace("/", "~1") if "~" in key or "/" in key else key


def join(path: str, step: str | int) -> str:
    """The pointer of a child."""
    return f"{path}/{step if isinstance(step, int) else escape(step)}"


@lru_cache(maxsize=4096)
def _pattern(pointer: str) -> re.Pattern[str]:
    steps = (r"\d+" if step == "*" else re.escape(step) for step in pointer.split("/"))
    return re.compile("/".join(steps))


def matches(pointer: str, path: str) -> bool:
    """Whether the concrete `path` is one that `pointer` names; ``*`` also stands for a key spelled ``*``."""
    return pointer == path or ("*" in pointer and _pattern(pointer).fullmatch(path) is not None)


def readable(path: str) -> str:
    """A pointer as a sentence names it: without the leading slash."""
    return path[1:] if path else "the arguments"
