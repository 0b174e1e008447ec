"""The cases of two runs, matched by id and trial as they come: in one order nothing is held but the keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from ...core.results import Result
from ...core.summing.finished import Run
from ...core.types import Case
from ...errors import SourceError
from ..stages import BadCase

__all__ = ["Judged", "JudgedCase", "Pairing", "kept_cases", "scored_case", "written_cases"]


class Judged(Struct, frozen=True, gc=False):
    """What one evaluator said of a case. An error has no score and is no pass; `passed` is None if not evaluated."""

    score: float | None
    passed: bool | None


class JudgedCase(Struct, frozen=True, kw_only=True, gc=False):
    """One case of a run with what each evaluator said of it; `place` is its number in the run, from 0."""

    id: str
    trial: int | None
    cluster: str | None
    place: int
    results: dict[str, Judged]

    @property
    def name(self) -> str:
        """The id, and the trial where there is one."""
        return self.id if self.trial is None else f"{self.id} [trial {self.trial}]"

    def passed(self, evaluators: Iterable[str]) -> bool | None:
        """The verdict over these evaluators (contract 4); None where none of them could evaluate it."""
        verdict: bool | None = None
        for evaluator in evaluators:
            found = self.results.get(evaluator)
            if found is None or found.passed is None:
                continue
            if not found.passed:
                return False
            verdict = True
        return verdict


_NOT_EVALUATED: Final = Judged(None, None)
_ERROR: Final = Judged(None, False)  # noqa: FBT003 - a struct's field, in order
_PASSED: Final = Judged(1.0, True)  # noqa: FBT003


def _judged(status: str, score: float | None, passed: bool | None) -> Judged:  # noqa: FBT001
    if status == "not_evaluated":
        return _NOT_EVALUATED
    if score is None:
        return _ERROR
    return _PASSED if score == 1.0 and passed else Judged(score, bool(passed))


class _Line(Struct, gc=False):
    """What a comparison needs of a line of results.jsonl."""

    id: str
    evaluator: str
    status: str
    trial: int | None = None
    cluster: str | None = None
    score: float | None = None
    passed: bool | None = None


_decode: Final = msgspec.json.Decoder(_Line).decode


def written_cases(results: Path) -> Iterator[JudgedCase]:
    """The cases of a results file, one at a time.

    Raises:
        SourceError: it can't be read, or a line is no result.
    """
    first: _Line | None = None
    found: dict[str, Judged] = {}
    place = 0
    try:
        with results.open("rb") as file:
            for number, text in enumerate(file, 1):
                try:
                    line = _decode(text)
                except msgspec.MsgspecError as error:
                    raise SourceError(f"{results} line {number}: {error}") from None
                # The evaluators follow in the same order for each case, so the first one begins the next.
                if first is None or line.evaluator == first.evaluator:
                    if first is not None:
                        yield _case(first, place, found)
                        place += 1
                    first, found = line, {}
                found[line.evaluator] = _judged(line.status, line.score, line.passed)
    except OSError as error:
        raise SourceError(f"{results} can't be read: {error.strerror}") from None
    if first is not None:
        yield _case(first, place, found)


def _case(line: _Line, place: int, found: dict[str, Judged]) -> JudgedCase:
    return JudgedCase(id=line.id, trial=line.trial, cluster=line.cluster, place=place, results=found)


def kept_cases(run: Run) -> Iterator[JudgedCase]:
    """The cases of a run that is kept in memory."""
    for place, case in enumerate(run.results):
        found = {
            result.evaluator: _judged(result.status, result.score, result.passed) for result in case.results
        }
        yield JudgedCase(id=case.id, trial=case.trial, cluster=case.cluster, place=place, results=found)


def scored_case(case: Case | BadCase, results: Iterable[Result], place: int) -> JudgedCase:
    """A case as it has just been scored."""
    return JudgedCase(
        id=case.id,
        trial=case.trial,
        cluster=case.cluster if isinstance(case, Case) else None,
        place=place,
        results={result.evaluator: _judged(result.status, result.score, result.passed) for result in results},
    )


_Key = tuple[str, int | None, int]
"""Id, trial, and how many cases of that id and trial came before."""

Pair = tuple[JudgedCase | None, JudgedCase | None]


class Pairing:
    """Matches cases by id and trial. A repeated id is matched in order: the first with the first, and so on.

    The cases of `a` are pulled, one for each case of `b` that is pushed, so two files in one order are walked
    side by side. What has no partner yet waits.
    """

    def __init__(self, a: Iterable[JudgedCase]) -> None:
        self._a = iter(a)
        self._waiting_a: dict[_Key, JudgedCase] = {}
        self._waiting_b: dict[_Key, JudgedCase] = {}
        self._seen_a: dict[tuple[str, int | None], int] = {}
        self._seen_b: dict[tuple[str, int | None], int] = {}

    def push(self, case: JudgedCase) -> Iterator[Pair]:
        """The next case of `b`; gives the pairs that are known with it."""
        key = _key(case, self._seen_b)
        other = next(self._a, None)
        if other is not None:
            theirs = _key(other, self._seen_a)
            if theirs == key:
                yield other, case
                return
            waiting = self._waiting_b.pop(theirs, None)
            if waiting is None:
                self._waiting_a[theirs] = other
            else:
                yield other, waiting
        partner = self._waiting_a.pop(key, None)
        if partner is None:
            self._waiting_b[key] = case
        else:
            yield partner, case

    def finish(self) -> Iterator[Pair]:
        """What is left when `b` is at its end: pairs first, then those without a partner in their order."""
        for other in self._a:
            theirs = _key(other, self._seen_a)
            waiting = self._waiting_b.pop(theirs, None)
            if waiting is None:
                self._waiting_a[theirs] = other
            else:
                yield other, waiting
        for other in sorted(self._waiting_a.values(), key=lambda case: case.place):
            yield other, None
        for case in sorted(self._waiting_b.values(), key=lambda case: case.place):
            yield None, case

    def repeated(self) -> dict[str, tuple[int, int]]:
        """Ids that a run has more than once for one trial: how many times in a, and in b."""
        both = {*_repeated(self._seen_a), *_repeated(self._seen_b)}
        return {
            case_id if trial is None else f"{case_id} [trial {trial}]": (
                self._seen_a.get((case_id, trial), 0),
                self._seen_b.get((case_id, trial), 0),
            )
            for case_id, trial in sorted(both, key=str)
        }


def _repeated(seen: dict[tuple[str, int | None], int]) -> Iterator[tuple[str, int | None]]:
    return (key for key, times in seen.items() if times > 1)


def _key(case: JudgedCase, seen: dict[tuple[str, int | None], int]) -> _Key:
    key = (case.id, case.trial)
    before = seen.get(key, 0)
    seen[key] = before + 1
    return (case.id, case.trial, before)
