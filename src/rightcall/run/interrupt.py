"""Ctrl-C or SIGTERM between two cases: what is finished stays finished, and no case is left half counted."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType
from typing import Self

__all__ = ["Interrupt"]


class Interrupt:
    """While entered, the first Ctrl-C lets the case in work be finished and then ends the run.

    A run that waits for data ends at once, and so does any run at the second Ctrl-C.

    Attributes:
        busy: a case is in work.
        patient: cases in work are always finished, since they take no time.
        asked: the run is to end.
    """

    def __init__(self) -> None:
        self.busy = False
        self.patient = False
        self.asked = False
        self._before: dict[int, object] = {}
        self._active = False

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            # SIGTERM is what a cancelled CI job gets; it keeps what is finished too.
            self._before = {
                number: signal.signal(number, self._ring) for number in (signal.SIGINT, signal.SIGTERM)
            }
            self._active = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._active:
            for number, before in self._before.items():
                signal.signal(number, before)  # type: ignore[arg-type]  # what signal() gave
            self._active = False

    def _ring(self, number: int, frame: FrameType | None) -> None:
        again, self.asked = self.asked, True
        if not self.busy or (again and not self.patient):
            raise KeyboardInterrupt
