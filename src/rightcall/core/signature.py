"""How a number was made, in one line that a person can paste and that parses back."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from ..errors import OptionError
from .matcher import Foreign, Matcher

__all__ = ["Signature"]

_PREFIX = "rightcall/"


class Signature(Struct, frozen=True, kw_only=True):
    """What reproduces a run's numbers, given the same data.

    Attributes:
        version: of rightcall.
        evaluators: ids, in order.
        options: as they were written: for all, and by evaluator id.
        thresholds: where they differ from the evaluator's own.
        judge: who was asked, where it was not the local judge.
    """

    version: str
    evaluators: tuple[str, ...]
    options: dict[str, Any] = {}
    thresholds: dict[str, float] = {}
    judge: str | None = None

    def __str__(self) -> str:
        body = {
            "evaluators": self.evaluators,
            "options": self.options,
            "thresholds": self.thresholds,
            "judge": self.judge,
        }
        kept = {key: value for key, value in body.items() if value}
        return (
            f"{_PREFIX}{self.version} {msgspec.json.encode(kept, order='sorted', enc_hook=_written).decode()}"
        )

    @classmethod
    def parse(cls, line: str) -> Signature:
        """The signature that `line` is.

        Raises:
            OptionError: it is not one.
        """
        head, _, body = line.strip().partition(" ")
        if not head.startswith(_PREFIX):
            raise OptionError(f"{line[:60]!r} is not a signature", hint="it begins with rightcall/VERSION")
        try:
            fields = msgspec.json.decode(body)
            return msgspec.convert({"version": head[len(_PREFIX) :], **fields}, cls)
        except (msgspec.MsgspecError, TypeError) as error:
            raise OptionError(f"a signature that can't be read: {error}") from None


def _written(value: object) -> object:
    """An object of Python in options, as it is written in JSON: a matcher in a rule of `forbidden`."""
    return value.as_json() if isinstance(value, Matcher) else Foreign(value).as_json()
