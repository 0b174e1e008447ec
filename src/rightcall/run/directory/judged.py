"""What a run directory keeps of a remote judge: its answers, and how it was asked, so that the run can be shown again.

Without it, `explain` would have to ask (and pay) again. No key, no address and no text of an argument is kept.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ...errors import SourceError
from ...judging.settings import Judging
from ..judging.judges import is_remote, judge_of
from ..plan import Plan

if TYPE_CHECKING:
    from ...judging.remote import RemoteJudge

__all__ = [
    "JUDGE_CACHE",
    "JUDGE_FILES",
    "JUDGE_RECORD",
    "judged_in",
    "keep_judging",
    "kept_judging",
    "remote_of",
]

JUDGE_CACHE: Final = "judge.sqlite"
JUDGE_RECORD: Final = "judge.json"
JUDGE_FILES: Final = (JUDGE_RECORD, JUDGE_CACHE, f"{JUDGE_CACHE}-wal", f"{JUDGE_CACHE}-shm")


class _Kept(Struct, frozen=True, kw_only=True):
    """judge.json. `cache` is absolute where it lies outside of the run directory."""

    format: int = 1
    cache: str
    calibration: str | None = None
    prior: float | None = None
    redact: str | None = None


def judged_in(plan: Plan, place: Path | None) -> Plan:
    """The plan of a run in this directory: there it keeps what a remote judge answers, and how it was asked."""
    judging = plan.judging
    if place is None or plan.model is None or not is_remote(plan.model) or not isinstance(judging, Judging):
        return plan
    if judging.cache is None:
        judging = replace(judging, cache=str(place / JUDGE_CACHE))
    keep_judging(place, judging)
    return replace(plan, judging=judging)


def keep_judging(place: Path, judging: Judging) -> None:
    """Write down how the judge of the run in this directory is asked.

    Raises:
        SourceError: it can't be written.
    """
    cache = Path(judging.cache or place / JUDGE_CACHE).absolute()
    kept = _Kept(
        cache=cache.name if cache.parent == place.absolute() else str(cache),
        calibration=None if judging.calibration is None else str(Path(judging.calibration).absolute()),
        prior=judging.prior,
        redact=judging.redact if isinstance(judging.redact, str) else None,
    )
    try:
        (place / JUDGE_RECORD).write_bytes(msgspec.json.format(msgspec.json.encode(kept), indent=2) + b"\n")
    except OSError as error:
        raise SourceError(f"{place / JUDGE_RECORD} can't be written: {error.strerror}", field="out") from None


def kept_judging(place: Path) -> Judging | None:
    """How the judge of a run is asked again: by its kept answers alone. None where no remote judge was asked.

    Raises:
        SourceError: what was written down can't be read.
    """
    try:
        kept = msgspec.json.decode((place / JUDGE_RECORD).read_bytes(), type=_Kept)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise SourceError(f"{place / JUDGE_RECORD} can't be read: {error.strerror}") from None
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise SourceError(f"{place / JUDGE_RECORD} can't be read: {error}") from None
    return Judging(
        cache=str(place / kept.cache),  # an absolute path stays one
        calibration=kept.calibration,
        prior=kept.prior,
        redact=kept.redact,
        replay=True,
        lenient=True,
    )


def remote_of(plan: Plan) -> RemoteJudge | None:
    """The remote judge of a plan; None where it has none."""
    if plan.model is None or not is_remote(plan.model):
        return None
    from ...judging.remote import RemoteJudge

    found = judge_of(plan.model, plan.judging)
    return found if isinstance(found, RemoteJudge) else None
