"""What comes out: differences, pairs, alignments, results and runs. Finished, frozen, plain data."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

from msgspec import UNSET, Struct, UnsetType

from ..errors import EvaluatorError

if TYPE_CHECKING:
    from .types import Case, Source

__all__ = [
    "NOISE",
    "Alignment",
    "Details",
    "Difference",
    "Evidence",
    "Finished",
    "Label",
    "Pair",
    "Result",
    "CaseResults",
    "Status",
    "Step",
    "clamp",
    "label_of",
]

NOISE = 1e-9
"""Float noise: scores this far outside 0..1 are clamped, thresholds are met this far below (contract 4)."""

Status = Literal["scored", "not_evaluated", "error"]
Label = Literal["match", "partial", "mismatch", "not_evaluated", "error"]
Kind = Literal["code", "judge"]


class Record(Struct, frozen=True):
    """A struct whose fields can also be had as items, so that Python reads it the way JSON does."""

    def __getitem__(self, key: str) -> Any:
        if key not in self.__struct_fields__:
            raise KeyError(key)
        return getattr(self, key)

    def get(self, key: str, default: Any = None) -> Any:
        """The field `key`, or `default` when there is no such field."""
        return getattr(self, key) if key in self.__struct_fields__ else default


class Difference(Record, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """One reason why a pair is not equal, or why a call has no partner (contract 7).

    Attributes:
        kind: one of the kinds of contract 7.
        path: JSON pointer into the arguments; empty for the call as a whole.
        expected, actual: the two values; left out where that side has none.
        message: the difference in words.
        accept_with: the option that would accept it, as it is written in a configuration; None if none would.
        tool: name of the expected tool, or of the actual one for an extra call.
        actual_call, expected_call: indexes of the calls in the case; None where there is none.
    """

    kind: str
    path: str = ""
    expected: Any | UnsetType = UNSET
    actual: Any | UnsetType = UNSET
    message: str
    accept_with: str | None = None
    tool: str = ""
    actual_call: int | None = None
    expected_call: int | None = None


class Pair(Record, frozen=True, gc=False):
    """An actual and an expected call that belong together. `credit` is in 0..1; 1 is equal."""

    actual: int
    expected: int
    credit: float


class Alignment(Record, frozen=True, kw_only=True, gc=False):
    """Which actual call serves which expected call, by one pairing rule.

    Attributes:
        rule: the pairing rule.
        pairs: ordered by the actual index; each index stands in one pair at most.
        missing: indexes of expected calls without a partner.
        extra: indexes of actual calls without a partner.
        exact: number of pairs that are equal.
    """

    rule: str
    pairs: tuple[Pair, ...] = ()
    missing: tuple[int, ...] = ()
    extra: tuple[int, ...] = ()
    exact: int = 0


class Step(Record, frozen=True, kw_only=True):
    """One step of a pairing: an actual call, what it could have served, and what it took.

    Attributes:
        actual: index of the actual call.
        candidates: (expected index, credit) of every expected call of its name that was still unused.
        taken: the expected index it took; None if it stayed extra.
        credit: what that was worth.
    """

    actual: int
    candidates: tuple[tuple[int, float], ...] = ()
    taken: int | None = None
    credit: float = 0.0


class Details(Record, frozen=True, kw_only=True, gc=False):
    """The evidence of a score. `measures` are the evaluator's own figures, read like fields.

    Attributes:
        rule: the pairing rule; None for evaluators that do not pair.
        pairs, missing, extra: see :class:`Alignment`.
        differences: of every unequal pair and every call without a partner.
    """

    rule: str | None = None
    pairs: tuple[Pair, ...] = ()
    missing: tuple[int, ...] = ()
    extra: tuple[int, ...] = ()
    differences: tuple[Difference, ...] = ()
    measures: dict[str, Any] = {}

    def __getitem__(self, key: str) -> Any:
        return self.measures[key] if key in self.measures else super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:
        """The measure or field `key`, or `default`."""
        return self.measures[key] if key in self.measures else super().get(key, default)

    def as_dict(self) -> dict[str, Any]:
        """The JSON form: fields, then measures, on one level."""
        return {
            "rule": self.rule,
            "pairs": self.pairs,
            "missing": self.missing,
            "extra": self.extra,
            "differences": self.differences,
            **self.measures,
        }


class Evidence(Struct, eq=False, gc=False):
    """The reason, the details and the warnings of a result.

    A subclass may work them out when they are first asked for: most results of a run are only counted. What
    is worked out never changes, so evidence compares and pickles as the finished thing.
    """

    alignment: Alignment | None

    @property
    def reason(self) -> str:
        """What was counted, then what to do about it."""
        raise NotImplementedError

    @property
    def details(self) -> Details:
        """The alignment, the differences and the evaluator's own measures."""
        raise NotImplementedError

    @property
    def warnings(self) -> tuple[str, ...]:
        """What was odd in the data, but could be read."""
        raise NotImplementedError

    def finish(self) -> Finished:
        """The evidence worked out: what is otherwise worked out when it is read."""
        raise NotImplementedError

    def shelve(self, again: Callable[[bytes, int, Source | None], Case]) -> None:
        """Let go of what can be computed again; called on results that are kept rather than written down.

        Args:
            again: reads a case anew from the bytes of its row, so that not even the case has to be kept.
        """

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Evidence):
            return NotImplemented
        return (self.reason, self.details, self.warnings) == (other.reason, other.details, other.warnings)

    __hash__ = None  # type: ignore[assignment]  # details may hold anything

    def __reduce__(self) -> tuple[Any, ...]:
        return (Finished, (self.alignment, self.reason, self.details, self.warnings))


class Finished(Evidence, eq=False, gc=False):
    """Evidence that is already worked out."""

    told: str
    found: Details = Details()
    noticed: tuple[str, ...] = ()

    def finish(self) -> Finished:
        """Itself."""
        return self

    @property
    def reason(self) -> str:
        """As given."""
        return self.told

    @property
    def details(self) -> Details:
        """As given."""
        return self.found

    @property
    def warnings(self) -> tuple[str, ...]:
        """As given."""
        return self.noticed


_JSON_FIELDS = (
    *(
        "evaluator",
        "kind",
        "status",
        "score",
        "label",
        "passed",
        "threshold",
        "reason",
        "probabilities",
        "details",
    ),
    *("warnings", "error", "cost_usd", "latency_ms"),
)


class Result(Struct, frozen=True, kw_only=True, gc=False):
    """What one evaluator says of one case.

    Attributes:
        score: in 0..1; None unless `status` is ``scored``.
        passed: ``score >= threshold`` up to float noise; None unless scored.
        evidence: holds `reason`, `details` and `warnings`, which are read as if they were fields.
        error: slug of the error, where `status` is ``error``.
        probabilities: one for each expected call, from judges only.
        cost_usd, latency_ms: not part of result files.
    """

    evaluator: str
    kind: Kind = "code"
    status: Status = "scored"
    score: float | None = None
    label: Label = "mismatch"
    passed: bool | None = None
    threshold: float = 1.0
    evidence: Evidence
    error: str | None = None
    probabilities: tuple[float, ...] | None = None
    cost_usd: float = 0.0
    latency_ms: float | None = None

    @property
    def reason(self) -> str:
        """What was counted, then what to do about it."""
        return self.evidence.reason

    @property
    def details(self) -> Details:
        """The alignment, the differences and the evaluator's own measures."""
        return self.evidence.details

    @property
    def warnings(self) -> tuple[str, ...]:
        """What was odd in the data, but could be read."""
        return self.evidence.warnings

    def __repr__(self) -> str:
        score = self.status if self.score is None else f"{self.score:.6g} {self.label}"
        return f"<Result {self.evaluator} {score}: {self.reason}>"

    def __getitem__(self, key: str) -> Any:
        if key not in _JSON_FIELDS:
            raise KeyError(key)
        return getattr(self, key)

    def as_dict(self) -> dict[str, Any]:
        """The JSON form, as the HTTP interface and ``--json`` give it."""
        plain = {name: getattr(self, name) for name in _JSON_FIELDS}
        plain["details"] = self.details.as_dict()
        if self.error is None:
            del plain["error"]
        return plain


class CaseResults(Record, frozen=True, kw_only=True, gc=False):
    """The results of one case. `passed` is the case's own verdict: None when nothing could be evaluated."""

    id: str
    trial: int | None = None
    row: int = 0
    results: tuple[Result, ...] = ()
    passed: bool | None = None
    cluster: str | None = None

    def of(self, evaluator: str) -> Result:
        """The result of one evaluator.

        Raises:
            KeyError: that evaluator was not part of the run.
        """
        for result in self.results:
            if result.evaluator == evaluator:
                return result
        raise KeyError(evaluator)


def label_of(score: float) -> Label:
    """The label of a score (contract 4)."""
    if score >= 1.0:
        return "match"
    return "partial" if score > 0.0 else "mismatch"


def clamp(score: float, evaluator: str = "the evaluator") -> float:
    """A score inside 0..1: noise up to 1e-9 is clamped.

    Raises:
        EvaluatorError: the score is further outside, or not finite.
    """
    if 0.0 <= score <= 1.0:
        return score
    if math.isfinite(score) and -NOISE <= score <= 1.0 + NOISE:
        return 0.0 if score < 0.0 else 1.0
    raise EvaluatorError(f"{evaluator} gave the score {score!r}, which is outside 0..1")


def case_passed(results: tuple[Result, ...]) -> bool | None:
    """The verdict over a case: every scored result passes and none is an error; None if nothing was scored."""
    scored = False
    for result in results:
        if result.status == "error":
            return False
        if result.status == "scored":
            if not result.passed:
                return False
            scored = True
    return True if scored else None
