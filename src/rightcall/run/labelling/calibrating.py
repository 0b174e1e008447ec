"""Asks a judge about labelled pairs, fits a calibration, and says how good it is, by labels it was not fitted on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from ...core.ask import Judge
from ...errors import JudgeError, UsageError
from ...judging.calibration import Calibration
from ...judging.fitting import Label, Quality, fitted, folded, quality, threshold, too_few
from ...judging.outgoing import outgoing
from ...judging.prompts import PROMPT
from ...judging.remote import RemoteJudge, is_undecided
from .labels import Labelled

__all__ = ["CalibrationReport", "calibrated"]


class CalibrationReport(Struct, frozen=True, kw_only=True):
    """What came of calibrating.

    Attributes:
        calibration: the fit on all labels; None for the local judge, which is only looked at.
        labels: how many were given; `decided` of them the local stage decides alone, and `not_judged` of the rest
            the judge did not judge. Neither is part of the fit, since it is not what the calibration is for.
        local, raw, blended: how good the local, the remote and the calibrated probabilities are; the last by
            labels that their fit did not see.
        threshold: at which what is accepted has the wanted precision: (threshold, precision, recall); None where
            none has, or where the labels show nothing.
        shows_nothing: why so few labels, or labels of one kind, show nothing; then figures have no intervals.
    """

    calibration: Calibration | None
    labels: int
    decided: int
    not_judged: int
    local: Quality
    raw: Quality | None
    blended: Quality | None
    threshold: tuple[float, float, float] | None
    precision: float
    shows_nothing: str | None = None


def calibrated(
    labels: Sequence[Labelled], judge: Judge, local: Judge, *, precision: float, redact: Any = None
) -> CalibrationReport:
    """Fit and look.

    Args:
        labels: pairs that a person judged.
        judge: the remote judge, or the local one, of which a report is made and nothing is fitted.
        local: the local judge.
        precision: what share of accepted pairs is to be equivalent.
        redact: the hook that sees every value before it leaves.

    Raises:
        UsageError: no label is left to look at.
        JudgeError: the judge can't be asked, or two versions of it answered.
    """
    questions = [label.question for label in labels]
    answers = local.answer(questions)
    if not isinstance(judge, RemoteJudge):
        known = [
            (answer.probability, label.equivalent)
            for answer, label in zip(answers, labels, strict=True)
            if answer.probability is not None
        ]
        return _report(labels, known, None, [], decided=0, not_judged=0, precision=precision)
    asked = [
        (label, answer.probability or 0.0)
        for label, answer in zip(labels, answers, strict=True)
        if is_undecided(label.question, answer)
    ]
    said = judge.judge([outgoing(label.question, redact) for label, _ in asked])
    versions = {kept.model for kept in said if kept.judged.probability is not None}
    if len(versions) > 1:
        names = ", ".join(sorted(versions))
        raise JudgeError(
            f"{len(versions)} versions answered ({names})", hint="pin one, such as jev:jev-1.13.0"
        )
    pairs = [
        Label(chance, kept.judged.probability, label.equivalent)
        for (label, chance), kept in zip(asked, said, strict=True)
        if kept.judged.probability is not None
    ]
    backend = judge.name.partition(":")[0]
    made = fitted(pairs, backend=backend, model=next(iter(versions), ""), prompt=PROMPT.version)
    return _report(
        labels,
        [(pair.local, pair.equivalent) for pair in pairs],
        made,
        pairs,
        decided=len(labels) - len(asked),
        not_judged=len(asked) - len(pairs),
        precision=precision,
    )


def _report(
    labels: Sequence[Labelled],
    known: Sequence[tuple[float, bool]],
    made: Calibration | None,
    pairs: Sequence[Label],
    *,
    decided: int,
    not_judged: int,
    precision: float,
) -> CalibrationReport:
    if not known:
        raise UsageError(
            f"of {len(labels)} labels none is left: {decided} are decided by the local stage, {not_judged} not judged",
            field="labels",
            hint="`rightcall judge label RUN` asks about pairs that are undecided",
        )
    truths = [truth for _, truth in known]
    chances = [chance for chance, _ in known]
    if made is not None:
        chances = folded(pairs) if made.method != "none" else [pair.remote for pair in pairs]
    nothing = too_few(truths)
    return CalibrationReport(
        calibration=made,
        labels=len(labels),
        decided=decided,
        not_judged=not_judged,
        local=quality([chance for chance, _ in known], truths),
        raw=None if made is None else quality([pair.remote for pair in pairs], truths),
        blended=None if made is None or made.method == "none" else quality(chances, truths),
        threshold=threshold(chances, truths, precision) if nothing is None else None,
        precision=precision,
        shows_nothing=nothing,
    )
