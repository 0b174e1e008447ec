"""Gates: what was asked of a run, what was measured, and the exit code that follows (contract 8)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from ..core.results import NOISE
from ..core.summing.slices import Slice
from ..core.summing.summary import EvaluatorSummary, GateOutcome, Interval95, RunSummary, SliceSummary
from ..core.summing.tally import NOT_JUDGED
from ..errors import OptionError, UnknownNameError
from .judging.judges import LOCAL

__all__ = ["Gate", "Gates", "apart", "check_gates", "exit_code", "parse_gate"]

EXIT_GATE: Final = 1
EXIT_DATA: Final = 3
EXIT_JUDGE: Final = 4


class Gate(Struct, frozen=True):
    """A demand on a mean (``fail_under``) or a pass rate (``min_pass_rate``), of one evaluator or of each.

    `on` is the part of the cases that it looks at; None for all.
    """

    kind: str
    evaluator: str | None
    least: float
    on: Slice | None = None


class Gates(Struct, frozen=True, kw_only=True):
    """All demands on a run.

    Attributes:
        single: gates that were asked for; with none, every case must pass.
        max_errors: so many cases may end in error.
        max_not_evaluated: so many cases may have no score at all (nothing expected, nothing recorded); None is any.
        max_not_judged: so many pairs that a judge was asked about may be without its judgement; None is any, but not
            all. Like `max_errors` it holds with ``--no-gate`` too.
        enforced: False measures the gates but lets none be missed (``--no-gate``).
    """

    single: tuple[Gate, ...] = ()
    max_errors: int = 0
    max_not_evaluated: int | None = None
    max_not_judged: int | None = None
    enforced: bool = True

    @property
    def slices(self) -> tuple[Slice, ...]:
        """The parts of the cases that have to be counted apart."""
        return tuple(dict.fromkeys(gate.on for gate in self.single if gate.on is not None))


_FORMS: Final = "e.g. 0.9, tool_call_args=0.9, tool_call_args@tag:refunds=0.9 or @tool:book_flight=0.9"


def parse_gate(text: str, kind: str, chosen: Sequence[str]) -> Gate:
    """A gate from ``X`` or ``ID=X``, where ``@tag:NAME`` or ``@tool:NAME`` may follow the id, or stand for it.

    Raises:
        OptionError, UnknownNameError: not a number from 0 to 1, or an evaluator that is not chosen.
    """
    whole, equals, number = text.rpartition("=")
    field = kind.replace("_", "-")
    try:
        least = float(number)
    except ValueError:
        raise OptionError(f"{text!r} is not X, ID=X or ID@tag:NAME=X", field=field, hint=_FORMS) from None
    if not math.isfinite(least) or not 0 <= least <= 1:
        raise OptionError(f"{number} is not a number from 0 to 1", field=field)
    name, part = _on(whole, field)
    if equals and (name or part is None) and name not in chosen:
        raise UnknownNameError("chosen evaluator", name, chosen, field=field)
    return Gate(kind, name or None, least, part)


def _on(text: str, field: str) -> tuple[str, Slice | None]:
    """The evaluator's id and the part of the cases, from what stands before the equals sign."""
    name, at, part = text.partition("@")
    if not at:
        return name, None
    kind, colon, value = part.partition(":")
    if kind not in ("tag", "tool"):
        raise UnknownNameError("part of the cases", kind, ("tag", "tool"), field=field)
    if not colon or not value:
        raise OptionError(f"{text!r} names no {kind}", field=field, hint=_FORMS)
    return name, Slice("tag" if kind == "tag" else "tool", value)


def check_gates(
    summary: RunSummary, gates: Gates, baseline: tuple[GateOutcome, ...] = ()
) -> tuple[GateOutcome, ...]:
    """The outcome of every gate, the errors' first; `baseline` are those against an earlier run."""
    outcomes = [_errors(summary, gates.max_errors)]
    if gates.max_not_evaluated is not None:
        outcomes.append(_not_evaluated(summary, gates.max_not_evaluated, gates))
    if gates.max_not_judged is not None:
        outcomes.append(_not_judged(summary, gates.max_not_judged))
    for gate in gates.single:
        outcomes += _single(summary, gate, gates)
    outcomes += baseline
    if not gates.single and not baseline and gates.enforced:
        outcomes.append(_default(summary, gates.max_errors))
    return tuple(outcomes)


def exit_code(outcomes: Iterable[GateOutcome]) -> int:
    """The gravest of the outcomes: 4 before 3 before 1 before 0."""
    return max((outcome.exit_code for outcome in outcomes if not outcome.met), default=0)


def _errors(summary: RunSummary, most: int) -> GateOutcome:
    met = summary.errors <= most and summary.cases > 0
    what = f"{summary.errors:,} of {summary.cases:,} cases ended in error; {most:,} may"
    return GateOutcome(
        gate="max_errors",
        evaluator=None,
        asked=most,
        measured=summary.errors,
        met=met,
        message=what if summary.cases else "the data held no case",
        exit_code=0 if met else EXIT_DATA,
    )


def _not_evaluated(summary: RunSummary, most: int, gates: Gates) -> GateOutcome:
    met = summary.not_evaluated <= most
    return GateOutcome(
        gate="max_not_evaluated",
        evaluator=None,
        asked=most,
        measured=summary.not_evaluated,
        met=met,
        message=f"{summary.not_evaluated} of {summary.cases} cases were not evaluated; {most} may",
        exit_code=0 if met or not gates.enforced else EXIT_GATE,
    )


def _not_judged(summary: RunSummary, most: int) -> GateOutcome:
    asked = lacking = 0
    for found in summary.evaluators.values():
        asked += sum(number for who, number in found.judged.items() if who != LOCAL)
        lacking += sum(number for who, number in found.judged.items() if who.startswith(NOT_JUDGED))
    met = lacking <= most
    return GateOutcome(
        gate="max_not_judged",
        evaluator=None,
        asked=most,
        measured=lacking,
        met=met,
        message=f"{lacking:,} of {asked:,} pairs that a judge was asked about were not judged; {most:,} may",
        exit_code=0 if met else EXIT_JUDGE,
    )


def _default(summary: RunSummary, may_err: int) -> GateOutcome:
    wrong = summary.failed - min(summary.errors, may_err)
    met = wrong == 0 and summary.passed > 0
    let = min(summary.errors, may_err)
    which = f" ({let:,} of them ended in error, as {may_err:,} may)" if let else ""
    counts = f"{summary.passed:,} passed, {summary.failed:,} did not{which}, {summary.not_evaluated:,} not evaluated"
    return GateOutcome(
        gate="every_case_passes",
        evaluator=None,
        asked=0,
        measured=summary.failed,
        met=met,
        message=counts if summary.passed else f"no case passed: {counts}",
        exit_code=0 if met else EXIT_GATE,
    )


_WORDS: Final = {"fail_under": "mean", "min_pass_rate": "pass rate"}


def _single(summary: RunSummary, gate: Gate, gates: Gates) -> Iterable[GateOutcome]:
    names = list(summary.evaluators) if gate.evaluator is None else [gate.evaluator]
    found = {name: _part(summary.evaluators[name], gate) for name in names if name in summary.evaluators}
    scored = [name for name, part in found.items() if part.scored]
    without = [name for name in names if name not in scored]
    if not scored:
        lacking = f"no scored case of {', '.join(without) or 'any evaluator'}"
        if gate.on is not None:
            any_case = any(part.cases for part in found.values())
            where = f"the {gate.on.kind} {gate.on.name!r}"
            lacking = f"{lacking} with {where}" if any_case else f"no case has {where}"
        yield _outcome(gate, gate.evaluator, None, lacking, gates)
        return
    for name in scored:
        measured, interval = _measured(found[name], gate.kind)
        seen, asked = apart(measured, gate.least, equal=measured >= gate.least - NOISE)
        sign = ">=" if measured >= gate.least - NOISE else "<"
        where = "" if gate.on is None else f" on {gate.on}"
        message = f"{_WORDS[gate.kind]} of {name}{where} is {seen} {sign} {asked}{_range(interval)}"
        if without and name == scored[-1]:
            message += f" (no scored case: {', '.join(without)})"
        yield _outcome(gate, name, measured, message, gates, interval)


def _part(found: EvaluatorSummary, gate: Gate) -> EvaluatorSummary | SliceSummary:
    """The figures that a gate looks at; none are counted where the summary was made without it."""
    return found if gate.on is None else found.slices.get(str(gate.on), _NOTHING)


_NOTHING: Final = SliceSummary(
    cases=0,
    scored=0,
    not_evaluated=0,
    errors=0,
    passed=0,
    mean=None,
    mean_interval=None,
    pass_rate=None,
    pass_rate_interval=None,
)


def _range(interval: Interval95 | None) -> str:
    return "" if interval is None else f", 95 % interval {interval.low:.3f} – {interval.high:.3f}"


def _measured(found: EvaluatorSummary | SliceSummary, kind: str) -> tuple[float, Interval95 | None]:
    if kind == "fail_under":
        return found.mean or 0.0, found.mean_interval
    return found.pass_rate or 0.0, found.pass_rate_interval


def _outcome(
    gate: Gate,
    name: str | None,
    measured: float | None,
    message: str,
    gates: Gates,
    interval: Interval95 | None = None,
) -> GateOutcome:
    met = measured is not None and measured >= gate.least - NOISE
    return GateOutcome(
        gate=gate.kind,
        evaluator=name,
        asked=gate.least,
        measured=measured,
        met=met,
        message=message,
        exit_code=0 if met or not gates.enforced else EXIT_GATE,
        on=None if gate.on is None else str(gate.on),
        interval=interval,
    )


def apart(measured: float, asked: float, *, equal: bool = False) -> tuple[str, str]:
    """Two numbers as texts that differ, with as few digits as that takes; `equal` ones may be the same."""
    for digits in range(3, 17):
        texts = f"{measured:.{digits}f}", f"{asked:.{digits}f}"
        if equal or texts[0] != texts[1]:
            return texts
    return repr(measured), repr(asked)
