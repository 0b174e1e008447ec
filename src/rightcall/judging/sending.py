"""Sends requests to a backend: several at a time, again where it helps, and never beyond deadline or budget.

The only place that talks to a network. What comes out is a reply for each request, or why there is none; errors
hold a status and our own words, never what a server wrote, since that may repeat what was asked.
"""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from ..core.backend import Asked, Backend, Prompt, Reply, Response, never, unreadable
from ..errors import JudgeError
from .breaker import Breaker
from .budget import Budget

if TYPE_CHECKING:
    import httpx2
    from aiolimiter import AsyncLimiter

__all__ = ["Sender", "Sent"]

MOST_BYTES: Final = 8 << 20
"""Of one answer: a million times what a probability takes."""
MOST_ADAPTED: Final = 3

OUTAGE: Final = "outage"
TIMEOUT: Final = "timeout"
RATE_LIMITED: Final = "rate limit"
CIRCUIT: Final = "outage (the server was left alone after 5 failures in a row)"
TOO_LONG: Final = "an answer that is too long"

_AGAIN: Final = frozenset({408, 429})
_FOR_ALL: Final = {
    401: "the key is not accepted (401)",
    402: "the server wants to be paid (402)",
    403: "access is denied (403)",
    404: "no such address or model (404)",
}
"""Statuses that every request would meet."""

# A retry is no news for a user's screen: without a handler Python would print it.
logging.getLogger("stamina").addHandler(logging.NullHandler())


class Sent(Struct, frozen=True, kw_only=True):
    """A reply, or none.

    Attributes:
        passing: there is none for a reason of the moment.
        cost_usd: what it cost.
        seconds: of the attempt that was answered.
    """

    reply: Reply
    passing: bool = False
    cost_usd: float = 0.0
    seconds: float = 0.0


class _NoAnswer(Exception):  # noqa: N818 - never leaves this file
    """An attempt that may be made again. `wait` is how long the server asks to wait."""

    def __init__(self, why: str, wait: float | None = None) -> None:
        super().__init__(why)
        self.why = why
        self.wait = wait


class _Refused(Exception):  # noqa: N818 - never leaves this file
    """A response that will not get better."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Sender:
    """Sends requests about pairs.

    Args:
        backend: whom to ask.
        prompt: in which words.
        budget: what may be spent.
        breaker: when to leave it alone.
        concurrency: requests at a time.
        rate: requests a second; None for no limit.
        deadline: seconds for one request with all its retries.
        wait: seconds before the first retry; it doubles, with jitter.

    Attributes:
        requests: attempts made so far.
        failure: what every further request would meet.
    """

    def __init__(
        self,
        backend: Backend,
        prompt: Prompt,
        budget: Budget,
        breaker: Breaker,
        *,
        concurrency: int = 8,
        rate: float | None = None,
        deadline: float = 60.0,
        wait: float = 0.5,
    ) -> None:
        self.requests = 0
        self.failure: JudgeError | None = None
        self._backend = backend
        self._prompt = prompt
        self._budget = budget
        self._breaker = breaker
        self._concurrency = concurrency
        self._rate = rate
        self._deadline = deadline
        self._wait = wait
        self._client: httpx2.AsyncClient | None = None
        self._limiter: AsyncLimiter | None = None

    def send_all(
        self, batches: Sequence[Sequence[Asked]], each: Callable[[int, Sent], None]
    ) -> JudgeError | None:
        """Send a request for each batch; gives what every further one would meet, None where all could be sent.

        Args:
            batches: at most `backend.most` pairs each.
            each: told the number of a batch and what came of it, as it comes, in another thread.
        """
        from anyio.from_thread import start_blocking_portal

        # A thread of its own, so that it works where an event loop runs already.
        with start_blocking_portal("asyncio") as portal:
            portal.call(self._send_all, batches, each)
        return self.failure

    async def _send_all(self, batches: Sequence[Sequence[Asked]], each: Callable[[int, Sent], None]) -> None:
        from anyio import Semaphore, create_task_group

        # One by one at the rate, without a burst, so that limits hold from one round to the next.
        if self._rate is not None:
            from aiolimiter import AsyncLimiter

            self._limiter = AsyncLimiter(1, 1 / self._rate)
        slots = Semaphore(self._concurrency)

        async def one(number: int, pairs: Sequence[Asked]) -> None:
            try:
                if self.failure is None:
                    sent = await self._one(pairs)
                    each(number, sent)
            except JudgeError as error:
                self.failure = self.failure or error  # what is on its way may still come
            finally:
                slots.release()

        async with AsyncExitStack() as stack:
            if self._backend.send is None:
                self._client = await stack.enter_async_context(_client(self._concurrency))
            tasks = await stack.enter_async_context(create_task_group())
            for number, pairs in enumerate(batches):
                await slots.acquire()
                if self.failure is not None:
                    slots.release()
                    break
                tasks.start_soon(one, number, pairs)

    async def _one(self, pairs: Sequence[Asked]) -> Sent:
        """One request to its end: an answer, the deadline, or a refusal that stays."""
        if not self._breaker.lets():
            return Sent(reply=_none(pairs, CIRCUIT), passing=True)
        backend = self._backend
        body = backend.write(pairs, self._prompt)
        number = self._budget.reserve(len(body), len(pairs))
        reply: Reply | None = None
        cost = 0.0
        try:
            response, seconds = await self._answered(pairs, backend, body)
            reply = self._read(response, len(pairs))
        except _NoAnswer as error:
            return Sent(reply=_none(pairs, error.why), passing=True)
        except _Refused as error:
            return Sent(reply=_none(pairs, error.why))
        finally:
            told = Reply(model="", judged=()) if reply is None else reply
            cost = self._budget.settle(number, told.input_tokens, told.output_tokens, told.cost_usd)
        return Sent(reply=reply, cost_usd=cost, seconds=seconds)

    def _read(self, response: Response, count: int) -> Reply:
        try:
            reply = self._backend.read(response, count)
        except Exception:  # noqa: BLE001 - whatever a server sends must not end a run
            return unreadable(count)
        return reply if len(reply.judged) == count else unreadable(count)

    async def _answered(
        self, pairs: Sequence[Asked], backend: Backend, body: bytes
    ) -> tuple[Response, float]:
        """The response of status 200, with the seconds of its attempt."""
        import stamina
        from anyio import move_on_after

        started = time.monotonic()
        last = TIMEOUT

        def again(error: Exception) -> bool | float:
            nonlocal last
            if not isinstance(error, _NoAnswer):
                return False
            last = error.why
            left = self._deadline - (time.monotonic() - started)
            if self._breaker.is_open or (error.wait is not None and error.wait >= left):
                return False
            # Whoever is told to come back in a second must not all come back at once.
            return True if error.wait is None else error.wait * random.uniform(1.0, 1.1)  # noqa: S311

        with move_on_after(self._deadline):
            async for attempt in stamina.retry_context(
                on=again,
                attempts=None,
                timeout=self._deadline,
                wait_initial=self._wait,
                wait_max=10.0,
                wait_jitter=self._wait,
            ):
                with attempt:
                    begun = time.monotonic()
                    return await self._adapted(pairs, backend, body), time.monotonic() - begun
        self._breaker.failed()
        raise _NoAnswer(last)

    async def _adapted(self, pairs: Sequence[Asked], backend: Backend, body: bytes) -> Response:
        """One attempt; a backend that is refused for how it asks may ask in another way at once."""
        response = await self._attempt(body)
        for _ in range(MOST_ADAPTED):
            if response.status not in (400, 422):
                break
            # Another request that was underway may have learned already what this one is refused for.
            other = backend.adapt(response) if self._backend is backend else self._backend
            if other is None:
                break
            self._backend = backend = other
            response = await self._attempt(backend.write(pairs, self._prompt))
        return self._good(response)

    def _good(self, response: Response) -> Response:
        """A response of status 200; every other one is an error of its kind."""
        status = response.status
        if status in _AGAIN or status >= 500:
            if status != 429:  # a server that asks for patience is no broken one
                self._breaker.failed()
            raise _NoAnswer(
                RATE_LIMITED if status == 429 else f"{OUTAGE} ({status})", _wait(response.headers)
            )
        self._breaker.succeeded()
        if status in _FOR_ALL:
            raise JudgeError(f"{self._backend.id}:{self._backend.model}: {_FOR_ALL[status]}")
        if status != 200:
            raise _Refused(f"the request was refused ({status})")
        return response

    async def _attempt(self, body: bytes) -> Response:
        if self._limiter is not None:
            await self._limiter.acquire()
        self.requests += 1
        if self._backend.send is not None:
            return await self._backend.send(body)
        import httpx2

        try:
            return await self._posted(body)
        except httpx2.TimeoutException:
            self._breaker.failed()
            raise _NoAnswer(TIMEOUT) from None
        except (httpx2.HTTPError, OSError) as error:
            self._breaker.failed()
            raise _NoAnswer(f"{OUTAGE} ({type(error).__name__})") from None

    async def _posted(self, body: bytes) -> Response:
        if self._client is None:
            raise RuntimeError("there is no client outside of a round")
        headers = self._backend.headers() | {"content-type": "application/json", "accept": "application/json"}
        async with self._client.stream("POST", self._backend.url, content=body, headers=headers) as response:
            parts: list[bytes] = []
            size = 0
            async for part in response.aiter_bytes():
                size += len(part)
                if size > MOST_BYTES:
                    raise _Refused(TOO_LONG)
                parts.append(part)
            told = {name.lower(): value for name, value in response.headers.items()}
            return Response(response.status_code, told, b"".join(parts))


def _client(concurrency: int) -> httpx2.AsyncClient:
    import httpx2

    from .._version import __version__

    return httpx2.AsyncClient(
        timeout=httpx2.Timeout(30.0, connect=10.0),
        limits=httpx2.Limits(max_connections=concurrency, max_keepalive_connections=concurrency),
        headers={"user-agent": f"rightcall/{__version__}"},
        follow_redirects=False,  # a key goes to the server that was named, and to no other
    )


def _none(pairs: Sequence[Asked], why: str) -> Reply:
    return Reply(model="", judged=never(len(pairs), why))


def _wait(headers: Any) -> float | None:
    """Seconds that the server asks to wait; None where it says nothing that can be read."""
    try:
        if "retry-after-ms" in headers:
            return max(0.0, float(headers["retry-after-ms"]) / 1000)
        told = headers.get("retry-after")
        if told is None:
            return None
        if told.strip().replace(".", "", 1).isdigit():
            return float(told)
        return max(0.0, parsedate_to_datetime(told).timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return None
