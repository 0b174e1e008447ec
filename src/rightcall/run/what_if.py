"""What a run would come to with one more option: computed by scoring its cases again, never guessed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from ..core.declare import BuiltIn
from ..core.signature import Signature
from ..core.summing.records import WhatIfs
from ..core.summing.summary import CauseSummary, RunSummary, WhatIf, WhatIfChange
from ..core.summing.tally import Tally
from ..errors import OptionError, UsageError
from .directory.replay import StoredRun
from .judging.judges import is_remote
from .plan import Plan, make_plan
from .runner import BATCH
from .stages import Scorer

__all__ = ["MOST_OPTIONS", "options_of", "what_ifs", "what_ifs_of", "with_option"]

MOST_OPTIONS: Final = 5
"""Options that are tried: each one scores every case again."""


def options_of(causes: Iterable[CauseSummary], most: int = MOST_OPTIONS) -> list[str]:
    """The options that would accept the costliest causes, as they stand in a configuration, each once."""
    found = dict.fromkeys(cause.accept_with for cause in causes if cause.accept_with is not None)
    return list(islice(found, most))


MOST_SCORED: Final = 100_000
"""Cases that are scored again for a report, over all options: a matter of seconds."""


def what_ifs_of(run: Path, plan: Plan, summary: RunSummary) -> WhatIfs:
    """What options would gain, for the reports of a run directory; of a large run only the first options are tried."""

    def found() -> Sequence[WhatIf]:
        most = min(MOST_OPTIONS, MOST_SCORED // max(1, summary.cases))
        options = options_of(summary.causes, most)
        return what_ifs(StoredRun(run), plan, options) if options else ()

    return found


class _Trial(Struct, frozen=True):
    """One option being tried. `written` is what stands in a configuration in the end."""

    option: str
    written: str
    scorer: Scorer
    tally: Tally


def what_ifs(
    stored: StoredRun,
    plan: Plan,
    options: Sequence[str],
    told: Callable[[int], None] | None = None,
    *,
    asked: bool = False,
) -> list[WhatIf]:
    """What a run would come to with each of some options beside its own, one option at a time.

    The cases are read again in one go and scored again whole, so a figure is that of a run with the option. Evaluators
    of somebody's own, and those that ask a remote judge, are left out: they may be slow, or cost something.

    Args:
        stored: the run.
        plan: of the run (:meth:`StoredRun.plan`).
        options: ``NAME=JSON``, as :attr:`Difference.accept_with` gives them. One that can't stand beside the
            options of the run, or that no evaluator of it honours, is left out.
        told: called now and then with how many cases were scored with all of the options.
        asked: somebody named these options: one that can't be is an error.

    Raises:
        OptionError: an option is not NAME=JSON, or, where it was asked for, can't be.
        SourceError: a source has changed since.
    """
    asks = is_remote(plan.model)
    built_in = tuple(
        each
        for each in plan.evaluators
        if isinstance(each.evaluator, BuiltIn)
        and each.absent is None  # a suite leaves out what can't run here, and so do the trials
        and not (asks and each.evaluator.declaration.kind == "judge")
    )
    trials = [
        trial for option in options if (trial := _trial(stored, built_in, option, asked=asked)) is not None
    ]
    if not trials:
        return []
    cases, scored = iter(stored.data()), 0
    while batch := list(islice(cases, BATCH)):
        for trial in trials:
            for results in trial.scorer.score_all(batch):
                trial.tally.count_case(results)
            for found in trial.tally.evaluators.values():
                found.forget_causes()
        scored += len(batch)
        if told is not None:
            told(scored)
    return [_outcome(stored.summary, trial) for trial in trials]


def _trial(stored: StoredRun, evaluators: Sequence[Any], option: str, *, asked: bool) -> _Trial | None:
    signature = Signature.parse(stored.summary.signature)
    extended = with_option(signature.options, option)
    if extended is None:
        if asked:
            raise OptionError(f"{option[:80]!r} can't stand beside the options of the run", field="option")
        return None
    options, written = extended
    try:
        plan = make_plan(
            [each.evaluator for each in evaluators],
            options=options,
            thresholds=dict(signature.thresholds.items()),
            model=signature.judge,
        )
    except UsageError as error:
        if asked:
            error.field = "option"
        if asked or not isinstance(error, OptionError):
            raise
        return None
    tally = Tally()
    return _Trial(option, written, Scorer(plan, tally), tally)


def with_option(options: dict[str, Any], option: str) -> tuple[dict[str, Any], str] | None:
    """Options with one more, and that one as it has to be written to hold beside what was said before.

    Lists and tables of paths grow; a value that was already chosen otherwise is left alone, and then the answer is None.
    """
    name, _, text = option.partition("=")
    try:
        json.loads(text)
    except ValueError:
        raise OptionError(f"{option[:80]!r} is not NAME=JSON", field="option") from None
    value = json.loads(text)
    if name not in options:
        return {**options, name: value}, option
    value = _beside(name, options[name], value)
    if value is None:
        return None
    return {**options, name: value}, f"{name}={json.dumps(value, ensure_ascii=False)}"


def _beside(name: str, said: Any, value: Any) -> Any:
    if name == "args":
        return value if said == "exact" else None
    if name == "strip_name_prefix":
        return f"(?:{said})|(?:{value})"
    if isinstance(said, list) and isinstance(value, list):
        return list(dict.fromkeys((*said, *value)))
    if isinstance(said, dict) and isinstance(value, dict) and set(said) != {"rel"}:
        return {**said, **value}
    return value if said is False else None


def _outcome(summary: RunSummary, trial: _Trial) -> WhatIf:
    trial.scorer.settle()
    changes: dict[str, WhatIfChange] = {}
    for name, found in trial.tally.evaluators.items():
        before = summary.evaluators[name]
        total = found.scores.totals()[0]
        changes[name] = WhatIfChange(
            mean=before.mean,
            mean_with=float(total / found.scores.n) if found.scores.n else None,
            passed=before.passed,
            passed_with=found.passed,
        )
    whole = len(changes) == len(summary.evaluators)
    return WhatIf(
        option=trial.option,
        written=trial.written,
        evaluators=changes,
        passed=summary.passed if whole else None,
        passed_with=trial.tally.passed if whole else None,
    )
