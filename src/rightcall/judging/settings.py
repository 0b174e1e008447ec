"""How a remote judge is asked. Everything but the key, which comes from the environment alone."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct

from ..errors import OptionError

__all__ = ["DEADLINE", "Judging", "Redact", "checked"]

Redact = Callable[[str, Any], Any]
"""Gets the JSON pointer and the value of everything that is to leave, and gives what may leave in its place."""

CONCURRENCY: Final = 8
DEADLINE: Final = 60.0


class Judging(Struct, frozen=True, kw_only=True):
    """How a remote judge is asked.

    Attributes:
        base_url: the server; None for the backend's own, or what its environment says.
        offline: nothing may leave this machine.
        cache: a file that keeps answers; None keeps them for as long as the judge lives.
        replay: answer from `cache` alone, exactly as when it was filled.
        budget_usd, budget_tokens: what may be spent; nothing is sent that would go beyond.
        price: US dollars for a million tokens, in and out.
        concurrency: requests at a time.
        rate: requests a second; None for no limit.
        deadline: seconds for one request with all its retries.
        calibration: a file made by `judge calibrate`.
        prior: the share of equivalent pairs among those that are asked about, where it is known.
        redact: sees every value before it leaves; it may be named as ``module:attribute``.
        lenient: in a replay a pair without a recorded answer is not judged, and no error.
    """

    base_url: str | None = None
    offline: bool = False
    cache: str | None = None
    replay: bool = False
    budget_usd: float | None = None
    budget_tokens: int | None = None
    price: tuple[float, float] | None = None
    concurrency: int = CONCURRENCY
    rate: float | None = None
    deadline: float = DEADLINE
    calibration: str | None = None
    prior: float | None = None
    redact: Redact | str | None = None
    lenient: bool = False


def checked(settings: Judging) -> Judging:
    """The settings, if each of them can be meant.

    Raises:
        OptionError: one of them can't; it is named.
    """
    for name in ("budget_usd", "budget_tokens", "rate", "deadline"):
        value = getattr(settings, name)
        if value is not None and not 0 < value < math.inf:
            raise OptionError(f"{value!r} is not a number above 0", field=_flag(name))
    if settings.concurrency < 1:
        raise OptionError(f"{settings.concurrency!r} is not a number of requests from 1", field="concurrency")
    if settings.prior is not None and not 0 < settings.prior < 1:
        raise OptionError(f"{settings.prior!r} is not a share between 0 and 1", field="prior")
    if settings.price is not None and not all(0 <= each < math.inf for each in settings.price):
        raise OptionError(
            f"{settings.price!r} is not two prices", field="price", hint="e.g. --price 0.15,0.6"
        )
    if settings.replay and settings.cache is None:
        raise OptionError(
            "there are no recorded answers to replay", field="replay", hint="add --judge-cache FILE"
        )
    return settings


def _flag(name: str) -> str:
    return name.replace("_", "-")
