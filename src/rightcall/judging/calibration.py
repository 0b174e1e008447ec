"""What a remote probability is worth: fitted on labels for one model version and one prompt version.

From 200 labels on Platt's line on the logits of both stages, from 50 on a temperature alone, below that nothing.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Final, Literal

import msgspec
from msgspec import Struct

from ..errors import OptionError, PathNotFoundError, SourceError

__all__ = ["AS_IT_IS", "Calibration", "load", "logit", "save", "sigmoid"]

FORMAT: Final = 1
_EDGE: Final = 1e-4
"""Probabilities nearer to 0 or 1 than this are taken to be this far: no judge is that sure."""

Method = Literal["platt", "temperature", "none"]


class Calibration(Struct, frozen=True, kw_only=True):
    """logit p = w0 + w_local · logit local + w_remote · logit remote.

    Attributes:
        backend, model, prompt: whom it holds for: the member, the version that answered, the version of the words.
        method: how it was fitted.
        labels, positives: on what.
        base: the share of equivalent pairs that its probabilities take for given.
    """

    format: int = FORMAT
    backend: str = ""
    model: str = ""
    prompt: str = ""
    method: Method = "none"
    labels: int = 0
    positives: int = 0
    w0: float = 0.0
    w_local: float = 0.0
    w_remote: float = 1.0
    base: float = 0.5

    def blend(self, local: float, remote: float, prior: float | None = None) -> float:
        """The probability of a pair by what both stages say.

        Args:
            prior: the share of equivalent pairs where it is known; it shifts the logit.
        """
        if self.method == "none" and prior is None:
            return remote
        value = self.w0 + self.w_local * logit(local) + self.w_remote * logit(remote)
        if prior is not None:
            value += logit(prior) - logit(self.base)
        return sigmoid(value)


AS_IT_IS: Final = Calibration()


def logit(probability: float) -> float:
    """Log odds; 0 and 1 are taken to be a little inside."""
    held = min(max(probability, _EDGE), 1 - _EDGE)
    return math.log(held / (1 - held))


def sigmoid(value: float) -> float:
    """The probability of log odds, without overflow."""
    if value >= 0:
        return 1 / (1 + math.exp(-value))
    grown = math.exp(value)
    return grown / (1 + grown)


def load(path: str, backend: str, prompt: str) -> Calibration:
    """The calibration in a file, for this backend and these words.

    Raises:
        PathNotFoundError, SourceError: there is none.
        OptionError: it was made for another backend, or for other words.
    """
    try:
        found = msgspec.json.decode(Path(path).read_bytes(), type=Calibration)
    except FileNotFoundError:
        raise PathNotFoundError(f"no such file: {path}", field="calibration") from None
    except OSError as error:
        raise SourceError(f"{path} can't be read: {error.strerror}", field="calibration") from None
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise SourceError(f"{path} is no calibration: {error}", field="calibration") from None
    numbers = (found.w0, found.w_local, found.w_remote, found.base)
    if found.format != FORMAT or not all(map(math.isfinite, numbers)) or not 0 < found.base < 1:
        raise SourceError(f"{path} is no calibration of format {FORMAT}", field="calibration")
    for name, mine in (("backend", backend), ("prompt", prompt)):
        if getattr(found, name) != mine:
            raise OptionError(
                f"it was made for {name} {getattr(found, name)}, and this is {mine}",
                field="calibration",
                hint="make one with `rightcall judge calibrate`",
            )
    return found


def save(calibration: Calibration, path: str) -> None:
    """Write a calibration.

    Raises:
        SourceError: it can't be written.
    """
    text = msgspec.json.format(msgspec.json.encode(calibration), indent=2)
    try:
        Path(path).write_bytes(text + b"\n")
    except OSError as error:
        raise SourceError(f"{path} can't be written: {error.strerror}", field="out") from None
