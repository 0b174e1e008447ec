"""How benchmarks measure: CPU time, the best of several rounds, rivals in turn so that drift hits both alike."""

from __future__ import annotations

import gc
import resource
import time
from collections.abc import Callable, Mapping

Work = Callable[[], object]


def best_of(works: Mapping[str, Work], rounds: int = 7) -> dict[str, float]:
    """CPU seconds of each work: the smallest of `rounds`, the works taking turns. Cleaning up is not counted."""
    best: dict[str, float] = {}
    for _ in range(rounds):
        for name, work in works.items():
            gc.collect()
            start = time.process_time()
            kept = work()
            spent = time.process_time() - start
            del kept
            best[name] = min(best.get(name, spent), spent)
    return best


def children_seconds() -> float:
    """CPU seconds, user and system, of all finished child processes."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def verdict(ratio: float, limit: float, aim: float | None = None, *, over: str = "TOO SLOW") -> str:
    """A ratio beside what it must be and what it aims for; `over` is said of one that is above its limit."""
    state = "ok" if ratio <= limit else over
    wish = "" if aim is None else f", aim {aim:g}"
    return f"{ratio:.2f} x (at most {limit:g}{wish}) {state}"
