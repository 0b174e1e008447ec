"""Everything in this process."""

from __future__ import annotations

from ..engine import EngineDeclaration, Job
from ..runner import Recorded, run_cases
from ..timeouts import time_limit

__all__ = ["DECLARATION", "run"]

DECLARATION = EngineDeclaration(id="local", meaning="in this process, case after case")


def run(job: Job) -> Recorded:
    """Run it."""
    return run_cases(
        job.data,
        job.plan,
        write=job.write,
        guard=None if job.timeout is None else time_limit(job.timeout),
        progress=job.progress,
        explaining=job.explaining,
        batch=job.batch,
        keeper=job.keeper,
        tally=job.tally,
        errors=job.errors,
    )
