"""Ends an evaluator of one's own that takes too long. Only that case is lost."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType

from ..core.results import Result
from ..errors import CaseTimeoutError
from .stages import Guard

__all__ = ["time_limit"]

Guarded = Callable[[], Result]


class _AlarmError(BaseException):
    """Raised inside the evaluator; not an Exception, so that its own handlers do not swallow it."""


def time_limit(seconds: float) -> Guard:
    """A guard that gives an evaluator `seconds` for one case.

    In the main thread of a system with alarms the evaluator is interrupted where it stands, loops and sleeps
    alike. Elsewhere it runs in a thread that is left behind when its time is over.
    """
    if hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread():
        return _with_alarm(seconds)
    return _with_thread(seconds)


def _too_long(seconds: float) -> CaseTimeoutError:
    return CaseTimeoutError(f"the evaluator took longer than {seconds:g} s", field="case_timeout")


def _with_alarm(seconds: float) -> Guard:
    def ring(number: int, frame: FrameType | None) -> None:
        raise _AlarmError

    def guard(call: Guarded) -> Result:
        before = signal.signal(signal.SIGALRM, ring)
        try:
            signal.setitimer(signal.ITIMER_REAL, seconds)
            try:
                return call()
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
        except _AlarmError:
            raise _too_long(seconds) from None
        finally:
            signal.signal(signal.SIGALRM, before)

    return guard


def _with_thread(seconds: float) -> Guard:
    def guard(call: Guarded) -> Result:
        answer: list[Result | BaseException] = []

        def work() -> None:
            try:
                answer.append(call())
            except BaseException as error:  # noqa: BLE001 - handed to the caller's thread
                answer.append(error)

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        thread.join(seconds)
        if not answer:
            raise _too_long(seconds)
        if isinstance(answer[0], BaseException):
            raise answer[0]
        return answer[0]

    return guard
