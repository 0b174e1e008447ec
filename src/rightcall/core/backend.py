"""What a remote backend is: how a request for some pairs is written, and how its answer is read. No network here.

A backend knows one wire and nothing else. Sending, retrying, caching and blending are the same for all of them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from .jsonvalue import HugeNumber

__all__ = [
    "MISSING",
    "NO_PROBABILITY",
    "OUTSIDE",
    "REFUSAL",
    "UNKNOWN_TYPE",
    "UNREADABLE",
    "Asked",
    "Backend",
    "Judged",
    "Prompt",
    "Reply",
    "Response",
    "Wire",
    "as_json",
    "as_text",
    "bearer",
    "dollars",
    "judged",
    "never",
    "object_in",
    "tokens_of",
    "unreadable",
]

REFUSAL: Final = "refusal"
NO_PROBABILITY: Final = "no probability"
UNKNOWN_TYPE: Final = "unknown type of answer"
OUTSIDE: Final = "a number outside 0..1"
UNREADABLE: Final = "unreadable answer"
MISSING: Final = "no answer for this pair"
"""Why a judge that was asked gave no judgement. None of them is a probability of 0."""


MOST_DOLLARS: Final = 1e6
"""A request that costs more is a mistake of who says so."""


class Prompt(Struct, frozen=True, kw_only=True):
    """What is asked, in fixed words. Nothing of a call ever gets into them.

    Attributes:
        version: part of cache keys and calibrations; it changes with the words.
        question: what is to be decided; ``{index}`` stands for the place of the pair, where there are several.
        alone: the same where a request holds one pair only.
        equivalent, different: what the two outcomes mean.
    """

    version: str
    question: str
    alone: str
    equivalent: str
    different: str


class Asked(Struct, frozen=True, kw_only=True):
    """A pair as it travels: redacted, cut, plain JSON. `expected` and `actual` have ``name`` and ``arguments``."""

    expected: dict[str, Any]
    actual: dict[str, Any]
    tool_schema: Any = None

    def turned(self) -> Asked:
        """The same pair in the other order."""
        return Asked(expected=self.actual, actual=self.expected, tool_schema=self.tool_schema)


class Response(Struct, frozen=True):
    """What a server sent back. Names of headers are in small letters."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Judged(Struct, frozen=True):
    """A probability in 0..1, or why there is none."""

    probability: float | None
    why: str | None = None


class Reply(Struct, frozen=True, kw_only=True):
    """What a response says.

    Attributes:
        model: the version that answered, as the server names it; empty where it names none.
        judged: for each pair of the request, in order.
        cost_usd: where the server itself says what it cost.
        request_id: of the server, for its support.
    """

    model: str
    judged: tuple[Judged, ...]
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = None
    request_id: str = ""


class Backend(Struct, frozen=True, kw_only=True):
    """One server and model.

    Attributes:
        id: the member of `judges` that made it.
        model: as it is asked for.
        url: where requests go, whole.
        headers: gives the headers of a request, the key among them; a function, so that no printed backend shows it.
        most: pairs that one request may hold.
        both_orders: the order of the two calls sways it, so each pair is asked in both and averaged.
        network: whether it leaves this machine's process at all.
        write: the body of a request.
        read: what a response of status 200 says of so many pairs.
        adapt: the backend to go on with after a refusal of this response's kind (another spelling of a parameter,
            say); None where nothing would help.
        send: a way of its own to get a response; None for HTTP.
    """

    id: str
    model: str
    url: str
    write: Callable[[Sequence[Asked], Prompt], bytes]
    read: Callable[[Response, int], Reply]
    headers: Callable[[], dict[str, str]] = dict
    most: int = 200
    both_orders: bool = False
    network: bool = True
    adapt: Callable[[Response], Backend | None] = lambda _: None
    send: Callable[[bytes], Awaitable[Response]] | None = None


class Wire(Struct, frozen=True, kw_only=True):
    """What a file of `judges` declares of the wire that it knows.

    Attributes:
        id: the file's name.
        backend: makes the backend of an address, a model and a key, if there is one.
        base_url: where it is asked unless somebody says otherwise.
        base_url_env: the variable that may say so; empty for none.
        model: what is asked where no model is named; empty where one must be.
        model_env: the variable that may name it; empty for none.
        key_env: the variable that holds the key for an address; empty where there is no key.
    """

    id: str
    backend: Callable[[str, str, str | None], Backend]
    base_url: str = ""
    base_url_env: str = ""
    model: str = ""
    model_env: str = ""
    key_env: Callable[[str], str] = lambda _: ""


def bearer(key: str | None) -> Callable[[], dict[str, str]]:
    """The headers of a request with this key; none without one."""
    return lambda: {} if key is None else {"authorization": f"Bearer {key}"}


def object_in(response: Response) -> dict[str, Any] | None:
    """The JSON object that a response holds; None where it holds none."""
    try:
        body = msgspec.json.decode(response.body)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return None
    return body if isinstance(body, dict) else None


def judged(value: Any) -> Judged:
    """A number as a probability, if it is one."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return Judged(None, UNREADABLE)
    if not 0.0 <= value <= 1.0:
        return Judged(None, OUTSIDE)
    return Judged(float(value))


def never(count: int, why: str) -> tuple[Judged, ...]:
    """So many pairs without a judgement."""
    return (Judged(None, why),) * count


def unreadable(count: int) -> Reply:
    """The reply that a body of another shape is."""
    return Reply(model="", judged=never(count, UNREADABLE))


def tokens_of(usage: Any, *names: str) -> int:
    """The first of these fields that is a count of tokens; 0 where none is."""
    for name in names:
        value = usage.get(name) if isinstance(usage, dict) else None
        if isinstance(value, int) and not isinstance(value, bool) and value > 0:
            return value
    return 0


def dollars(value: Any) -> float | None:
    """What a server says that it cost, if that can be."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= MOST_DOLLARS:
        return None
    return float(value)


def as_text(value: Any) -> str:
    """A short text of a server; empty where it is none. What is long or can't be printed is cut away."""
    if not isinstance(value, str):
        return ""
    return "".join(each for each in value if each.isprintable())[:100]


def _plain(value: Any) -> Any:
    if isinstance(value, HugeNumber):
        return str(value)
    raise TypeError(type(value).__name__)


as_json = msgspec.json.Encoder(decimal_format="number", enc_hook=_plain).encode
"""JSON bytes of a body; keys stay in their order."""
