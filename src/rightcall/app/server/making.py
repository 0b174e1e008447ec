"""Work that may take longer than a request: done once, whoever asks, and there for whoever asks again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Event, Lock, Thread
from typing import Any, Final, TypeVar

from .problems import RefusedError

__all__ = ["Making"]

Made = TypeVar("Made")

_KEPT: Final = 64
"""Finished things that are remembered; all of them are small."""
_AGAIN: Final = 5
"""Seconds after which it is worth asking again."""


class _Job:
    def __init__(self) -> None:
        self.done = Event()
        self.made: Any = None
        self.error: BaseException | None = None


class Making:
    """What is being made, one thing at a time, so that requests for scores keep a processor.

    Args:
        patience: seconds for which an asker is kept waiting.
    """

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._lock, self._turn = Lock(), Lock()
        self._jobs: OrderedDict[Hashable, _Job] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """What `make` gives, by itself or as somebody had it made before.

        Args:
            key: says all that the result depends on.
            make: not called where the same is had already, or is on its way.

        Raises:
            RefusedError: 503, it is not there yet; it is made all the same.
            Exception: whatever `make` raises; it is not remembered.
        """
        with self._lock:
            job = self._jobs.get(key)
            if job is None:
                job = self._jobs[key] = _Job()
                Thread(target=self._make, args=(key, job, make), daemon=True).start()
        if not job.done.wait(self._patience):
            raise RefusedError(
                503, "it is being made", hint="ask again in a while", headers={"Retry-After": str(_AGAIN)}
            )
        if job.error is not None:
            raise job.error
        made: Made = job.made
        return made

    def _make(self, key: Hashable, job: _Job, make: Callable[[], Any]) -> None:
        try:
            with self._turn:
                job.made = make()
        except BaseException as error:  # noqa: BLE001 - whoever asked is told
            job.error = error
        with self._lock:
            if job.error is not None:
                self._jobs.pop(key, None)
            finished = [each for each, held in self._jobs.items() if held.done.is_set()]
            for each in finished[: max(0, len(finished) - _KEPT)]:
                del self._jobs[each]
        job.done.set()
