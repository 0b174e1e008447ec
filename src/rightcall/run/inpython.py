"""Errors in the words of who called: a flag of the command line is an argument in Python, and a field over HTTP."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, TypeVar

from ..errors import RightcallError

__all__ = ["in_python", "said_in_python"]

Told = TypeVar("Told", bound=RightcallError)

_FLAG: Final = re.compile(r"--(case-timeout|expected|format|model|preset|suite|tools|workers)[ =]([\w.:-]+)")


def said_in_python(error: Told) -> Told:
    """The same error, its hint naming arguments (``format='plain'``) where it named flags."""
    if error.hint is not None and "--" in error.hint:
        error.hint = _FLAG.sub(lambda found: f"{found[1].replace('-', '_')}={found[2]!r}", error.hint)
    return error


@contextmanager
def in_python() -> Iterator[None]:
    """Lets errors out in these words."""
    try:
        yield
    except RightcallError as error:
        said_in_python(error)
        raise
