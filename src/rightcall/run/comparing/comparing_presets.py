"""Other tools' rules beside our evaluators over one data set: how far apart, on how many cases, and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Final

from msgspec import Struct

from ...core.peer import Preset, Rule
from ...core.results import NOISE, Result
from ...core.summing.summary import EvaluatorSummary
from ...core.summing.tally import Tally
from ...core.types import Case
from ...errors import RightcallError
from ..plan import make_plan
from ..runner import run_cases
from ..sets import PRESETS
from ..stages import BadCase, Scorer
from ..summarize import summarize
from .mending import traits

__all__ = ["Cause", "PresetComparison", "RuleComparison", "compare_presets"]

MOST_EXPLAINED: Final = 1_000
"""Differing cases of one rule that are looked into; each is scored again some times."""
_EXAMPLES: Final = 2


class Figures(Struct, frozen=True, kw_only=True):
    """What an evaluator came to; None where nothing was scored."""

    id: str
    threshold: float
    mean: float | None
    pass_rate: float | None
    scored: int
    errors: int
    not_evaluated: int


class Cause(Struct, frozen=True, kw_only=True):
    """What makes a rule differ from ours.

    Attributes:
        what: the trait of the cases, in words.
        cases: how many differ for it.
        theirs, ours: mean scores on these cases; theirs is None where the tool raises.
        examples: ids of the first two.
    """

    what: str
    cases: int
    theirs: float | None
    ours: float
    examples: tuple[str, ...]


class RuleComparison(Struct, frozen=True, kw_only=True):
    """One rule beside our evaluator.

    Attributes:
        compared: cases that both scored.
        differ: of these, with another score.
        verdicts_differ: of these, where one lets the case pass and the other does not.
        explained: differing cases that were looked into.
        causes: the most frequent first.
    """

    rule: Figures
    beside: Figures
    tool: str
    meaning: str
    compared: int
    differ: int
    verdicts_differ: int
    explained: int
    causes: tuple[Cause, ...]


class PresetComparison(Struct, frozen=True, kw_only=True):
    """All rules over one data set. `unreadable` rows became no case."""

    cases: int
    unreadable: int
    rules: tuple[RuleComparison, ...]
    interrupted: bool = False


def compare_presets(cases: Iterable[Case | BadCase], presets: Sequence[str] = ()) -> PresetComparison:
    """Score every case by our evaluators and by the rules of `presets` (all by default).

    Raises:
        UnknownNameError: there is no such preset.
        DataError: the data breaks off.
    """
    chosen = [PRESETS.get(name, field="preset") for name in presets or PRESETS.ids()]
    pairs = [_Pair(preset, rule) for preset in chosen for rule in preset.rules]
    ids = [*dict.fromkeys(pair.rule.beside for pair in pairs), *(pair.id for pair in pairs)]
    plan = make_plan(ids)
    place = {name: at for at, name in enumerate(ids)}
    unreadable = 0

    def write(case: Case | BadCase, results: tuple[Result, ...], passed: bool | None) -> None:  # noqa: FBT001
        nonlocal unreadable
        if isinstance(case, BadCase):
            unreadable += 1
            return
        for pair in pairs:
            pair.add(case, results[place[pair.id]], results[place[pair.rule.beside]])

    done = run_cases(cases, plan, write=write, explaining=False)
    if done.broken is not None:
        raise done.broken
    summary = summarize(done.tally, plan)
    return PresetComparison(
        cases=summary.cases,
        unreadable=unreadable,
        rules=tuple(pair.finish(summary.evaluators) for pair in pairs),
        interrupted=done.interrupted,
    )


class _Found:
    """The cases of one cause so far."""

    def __init__(self) -> None:
        self.cases = 0
        self.theirs = self.ours = 0.0
        self.raised = False
        self.examples: list[str] = []


class _Pair:
    """A rule and the evaluator beside it, with what is counted about the two."""

    def __init__(self, preset: Preset, rule: Rule) -> None:
        self.id = f"{preset.id}.{rule.name}"
        self.rule = rule
        self._tool = f"{preset.tool} {preset.version}"
        self._compared = self._differ = self._verdicts = self._explained = 0
        self._found: dict[str, _Found] = {}

    def add(self, case: Case, theirs: Result, ours: Result) -> None:
        """Count one case."""
        if theirs.status == "error" and theirs.error == "peer-raises" and ours.score is not None:
            told = theirs.reason.partition(" raises ")[2]  # without the call's name: one cause for all tools
            self._note(case.id, f"it raises {told}", None, ours.score)
            return
        if theirs.score is None or ours.score is None:
            return
        self._compared += 1
        self._verdicts += theirs.passed is not ours.passed
        if abs(theirs.score - ours.score) <= NOISE:
            return
        self._differ += 1
        if self._explained < MOST_EXPLAINED:
            self._explained += 1
            self._note(case.id, self._cause(case), theirs.score, ours.score)

    def _note(self, case: str, what: str, theirs: float | None, ours: float) -> None:
        found = self._found.setdefault(what, _Found())
        found.cases += 1
        found.ours += ours
        found.theirs += theirs or 0.0
        found.raised = found.raised or theirs is None
        if len(found.examples) < _EXAMPLES:
            found.examples.append(case)

    def _cause(self, case: Case) -> str:
        """The trait without which both say the same: one alone, else the first few that do together."""
        if not case.actual or not case.expected_calls:
            return "no calls on one side" if case.actual or case.expected_calls else "no calls on both sides"
        if case.expected is not None and case.expected.special:
            return "the expected side says more than plain calls"
        changed = [(what, mend) for what, mend in traits(case) if mend(case) != case]
        for what, mend in changed:
            if self._agree(mend(case)):
                return what
        mended, needed = case, []
        for what, mend in changed:
            mended = mend(mended)
            needed.append(what)
            if self._agree(mended):
                return " + ".join(needed)
        return "counted otherwise: no single trait of the case explains it"

    def _agree(self, case: Case) -> bool:
        try:
            theirs, ours = self._scorer.score(case)
        except RightcallError:
            return False
        if theirs.score is None or ours.score is None:
            return False
        return abs(theirs.score - ours.score) <= NOISE

    @cached_property
    def _scorer(self) -> Scorer:
        return Scorer(make_plan([self.id, self.rule.beside]), Tally())

    def finish(self, figures: dict[str, EvaluatorSummary]) -> RuleComparison:
        """What was counted."""
        causes = [
            Cause(
                what=what,
                cases=found.cases,
                theirs=None if found.raised else found.theirs / found.cases,
                ours=found.ours / found.cases,
                examples=tuple(found.examples),
            )
            for what, found in self._found.items()
        ]
        return RuleComparison(
            rule=_figures(self.id, figures),
            beside=_figures(self.rule.beside, figures),
            tool=self._tool,
            meaning=self.rule.meaning,
            compared=self._compared,
            differ=self._differ,
            verdicts_differ=self._verdicts,
            explained=self._explained,
            causes=tuple(sorted(causes, key=lambda cause: -cause.cases)),
        )


def _figures(name: str, summaries: dict[str, EvaluatorSummary]) -> Figures:
    found = summaries[name]
    return Figures(
        id=name,
        threshold=found.threshold,
        mean=found.mean,
        pass_rate=found.pass_rate,
        scored=found.scored,
        errors=found.errors,
        not_evaluated=found.not_evaluated,
    )
