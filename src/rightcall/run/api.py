"""The Python interface: one case, many cases, and reading what an agent left behind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import IO, Any, overload

from msgspec.structs import replace

from ..core.ask import Judge
from ..core.declare import Evaluator
from ..core.jsonvalue import class_in_words, same_value
from ..core.results import CaseResults, Result
from ..core.schema.tools import read_tools
from ..core.summing.finished import Run
from ..core.summing.tally import Tally
from ..core.types import Case, Source, Trace
from ..errors import DataError, OptionError, RecordError, UsageError
from .dataset import Dataset, Reading
from .engine import Job, choose_engine, parse_workers
from .expected import checked_case
from .inpython import in_python, said_in_python
from .intake.traces import read_source, traces_of
from .judging.judges import is_remote
from .noticed import Noticed
from .plan import Plan, make_plan
from .rows import case_from_fields
from .runner import Position, Recorded, Write, kept_in, run_cases
from .sets import FORMATS, list_evaluators, list_formats, list_suites, preset_members
from .stages import BadCase, Scorer
from .summarize import summary_of
from .timeouts import time_limit

__all__ = ["evaluate", "evaluate_cases", "list_evaluators", "list_formats", "list_suites", "read", "read_all"]


@overload
def evaluate(
    evaluator: str | Evaluator,
    *,
    preset: str | None = None,
    threshold: float | None = None,
    output: Any = None,
    expected: Any = None,
    tool_calls: Any = None,
    expected_tool_calls: Any = None,
    expected_any_of: Any = None,
    expected_any: Any = None,
    tools: Any = None,
    input: Any = None,
    model: str | Judge | None = None,
    format: str = "auto",
    **options: Any,
) -> Result: ...


@overload
def evaluate(
    evaluator: Iterable[str | Evaluator] | None = None,
    *,
    suite: str | None = None,
    preset: str | None = None,
    threshold: float | None = None,
    output: Any = None,
    expected: Any = None,
    tool_calls: Any = None,
    expected_tool_calls: Any = None,
    expected_any_of: Any = None,
    expected_any: Any = None,
    tools: Any = None,
    input: Any = None,
    model: str | Judge | None = None,
    format: str = "auto",
    **options: Any,
) -> dict[str, Result]: ...


def evaluate(
    evaluator: Any = None,
    *,
    suite: str | None = None,
    preset: str | None = None,
    threshold: float | None = None,
    output: Any = None,
    expected: Any = None,
    tool_calls: Any = None,
    expected_tool_calls: Any = None,
    expected_any_of: Any = None,
    expected_any: Any = None,
    tools: Any = None,
    input: Any = None,
    model: str | Judge | None = None,
    format: str = "auto",
    **options: Any,
) -> Result | dict[str, Result]:
    """Score one case.

    Args:
        evaluator: an id or an evaluator of one's own (gives a Result), or a list of them.
        suite: a suite; it or a list gives results by id, in order.
        preset: another tool's rules: all of them, or the one that stands for `evaluator` (an id of ours or theirs).
        threshold: the score at which a result passes, for every chosen evaluator.
        output: the calls made: a list, one call, a message, or the JSON text of any. With `tool_calls` given
            it is the agent's text. None means "not recorded".
        expected: the calls that should have been made; None means "nothing to compare with".
        tool_calls, expected_tool_calls: the same inputs under their other names.
        expected_any_of, expected_any: instead of `expected`: several whole lists of calls, any of which is fine; or calls
            with a list of accepted values for each argument.
        tools: definitions of the tools that were offered.
        input: what the agent was asked.
        model: the judge: ``local`` (the default), ``BACKEND[:MODEL]`` (see docs/judges.md) or an object with `name`
            and `answer(questions)`; code evaluators accept any value and do not use it.
        format: of the actual calls; told by their structure when left out.
        options: comparison options, and options of an evaluator as ``EVALUATOR={..}``. `forbidden` and
            `expected_counts` are given here too.

    Raises:
        UsageError: the request is wrong.
        DataError: the calls can't be read.
    """
    single = _is_single(evaluator, suite)
    with in_python():
        chosen = _chosen(_listed(evaluator, "evaluator"), suite, preset)
        plan = make_plan(chosen, suite=suite, options=options, thresholds=_for_all(threshold), model=model)
        fields = {
            "tool_calls": output if tool_calls is None else tool_calls,
            "output": output if tool_calls is not None else None,
            "expected_tool_calls": _either(expected, expected_tool_calls),
            "expected_any_of": expected_any_of,
            "expected_any": expected_any,
            "tools": tools,
            "input": input,
        }
        results = dict(zip(plan.ids, _score_one(_case(fields, format), plan), strict=True))
    return results[plan.ids[0]] if single else results


def _listed(evaluators: Any, field: str) -> list[Any]:
    """The evaluators that are asked for, where one may stand for a list of one."""
    if evaluators is None or isinstance(evaluators, str) or hasattr(evaluators, "declaration"):
        return [] if evaluators is None else [evaluators]
    if isinstance(evaluators, bytes | Mapping) or not isinstance(evaluators, Iterable):
        hint = (
            "an id such as 'tool_call_args', a list of ids, or what rightcall.evaluator makes of a function"
        )
        raise UsageError(f"{evaluators!r} is no evaluator", field=field, hint=hint)
    return list(evaluators)


def _is_single(evaluator: Any, suite: str | None) -> bool:
    """Whether one evaluator is asked for, and not a list."""
    single = isinstance(evaluator, str) or hasattr(evaluator, "declaration")
    if single and suite is not None:
        hint = "or a list of evaluators"
        raise UsageError("give an evaluator or a suite, not both", field="suite", hint=hint)
    return single


def _chosen(evaluators: list[Any], suite: str | None, preset: str | None) -> list[Any]:
    """The evaluators that were asked for; with a preset, its own."""
    if preset is None:
        return evaluators
    if suite is not None:
        hint = "`rightcall compare-presets` shows both side by side"
        raise UsageError("give a suite or a preset, not both", field="preset", hint=hint)
    return preset_members(preset, evaluators)


def _for_all(threshold: float | None) -> dict[str | None, float]:
    return {} if threshold is None else {None: threshold}


def _either(expected: Any, expected_tool_calls: Any) -> Any:
    both = expected is not None and expected_tool_calls is not None
    if both and not same_value(expected, expected_tool_calls):
        raise UsageError(
            "expected and expected_tool_calls differ; give one of them", field="expected_tool_calls"
        )
    return expected if expected_tool_calls is None else expected_tool_calls


def _case(fields: dict[str, Any], format: str) -> Case:
    if format != "auto":
        FORMATS.get(format, field="format")
    text = fields.pop("output")
    row = {name: value for name, value in fields.items() if value is not None}
    if isinstance(text, str):
        row["output"] = text
    return case_from_fields(row, row=0, source=Source(), format=format)


def _score_one(case: Case, plan: Plan) -> tuple[Result, ...]:
    results = Scorer(plan, Tally(), raising=True).score(case)
    for result in results:
        result.evidence.finish()  # the caller may change what it passed in
    return results


def evaluate_cases(
    cases: str | Path | Iterable[Mapping[str, Any] | Case],
    evaluators: str | Evaluator | Iterable[str | Evaluator] | None = None,
    *,
    suite: str | None = None,
    preset: str | None = None,
    threshold: float | Mapping[str, float] | None = None,
    expected: str | Path | None = None,
    tools: Any = None,
    model: str | Judge | None = None,
    format: str = "auto",
    case_timeout: float | None = None,
    workers: int | str = 1,
    progress: Callable[[Position], None] | None = None,
    **options: Any,
) -> Run:
    """Score many cases; a case that can't be read is an error of that case and nothing else.

    Args:
        cases: a file or folder, or rows as objects (`id`, `tool_calls`, `expected_tool_calls`, …).
        evaluators: ids or evaluators of one's own.
        suite: a suite, instead of or beside `evaluators`.
        preset: another tool's rules; see :func:`evaluate`.
        threshold: for every chosen evaluator, or a table by id.
        expected: a file that carries the expected side, joined by id.
        tools: definitions of the tools, for rows that carry none.
        model: see :func:`evaluate`.
        format: of the actual calls.
        case_timeout: seconds for one case, for evaluators of one's own.
        workers: processes that score, or ``auto``. Results are the same; what can't be divided (all but files of
            JSON Lines) is scored in this process. It pays for slow evaluators: to hand over the details of
            every result takes longer than the built-in ones need. Evaluators of one's own must stand in a module.
        progress: told now and then how far the run is.
        options: see :func:`evaluate`.

    Raises:
        UsageError: the request is wrong; nothing was run.
        SourceError: the data as a whole can't be read.
        WorkerError: a worker died.
    """
    with in_python():
        number = parse_workers(workers)
        chosen = _chosen(_listed(evaluators, "evaluators"), suite, preset)
        limits: Any = threshold if isinstance(threshold, Mapping) else _for_all(threshold)
        plan = make_plan(chosen, suite=suite, options=options, thresholds=limits, model=model)
        if format != "auto":
            FORMATS.get(format, field="format")
        reading = Reading(format=format, tools=None if tools is None else read_tools(tools))
        timeout = None if case_timeout is None else _seconds(case_timeout)
        return _run(_data(cases, expected, reading), plan, reading, timeout, progress, number)


def _data(
    cases: str | Path | Iterable[Mapping[str, Any] | Case], expected: str | Path | None, reading: Reading
) -> Dataset | Iterable[Case | BadCase]:
    if isinstance(cases, (str, Path)):
        return Dataset(str(cases), expected=None if expected is None else str(expected), reading=reading)
    if isinstance(cases, Mapping) or not isinstance(cases, Iterable):
        seen = "one object" if isinstance(cases, Mapping) else repr(cases)[:60]
        raise UsageError(
            f"{seen} is not a list of cases", field="cases", hint="give a list of rows, or a path"
        )
    if expected is not None:
        raise UsageError("a second file of expected calls goes with a file of cases", field="expected")
    return _from_objects(cases, reading)


def _run(
    data: Dataset | Iterable[Case | BadCase],
    plan: Plan,
    reading: Reading,
    timeout: float | None,
    progress: Callable[[Position], None] | None,
    workers: int,
) -> Run:
    results: list[CaseResults] = []
    noticed = Noticed()
    noticed.aim(plan)
    keep = kept_in(results, reading)

    def write(case: Case | BadCase, found: tuple[Result, ...], passed: bool | None) -> None:  # noqa: FBT001
        if isinstance(case, Case):
            noticed.look_at(case)
        keep(case, found, passed)

    # One process asks a remote judge: budgets, limits and answers hold for the whole run.
    if workers > 1 and isinstance(data, Dataset) and not is_remote(plan.model):
        ran = _run_divided(data, plan, results, write, timeout, progress, workers, noticed)
    else:
        guard = None if timeout is None else time_limit(timeout)
        ran = run_cases(data, plan, write=write, guard=guard, progress=progress, explaining=False)
    if ran.interrupted:
        raise KeyboardInterrupt
    if ran.broken is not None:
        raise ran.broken
    return Run(
        results=results,
        tally=ran.tally,
        signature=plan.signature,
        warnings=(*(data.warnings if isinstance(data, Dataset) else ()), *noticed.of_the_run()),
        plan=plan,
        summarize=summary_of,
    )


def _run_divided(
    data: Dataset,
    plan: Plan,
    results: list[CaseResults],
    write: Write,
    timeout: float | None,
    progress: Callable[[Position], None] | None,
    workers: int,
    noticed: Noticed,
) -> Recorded:
    def take(made: bytes | memoryview | list[CaseResults]) -> None:
        if isinstance(made, list):
            results.extend(made)

    job = Job(
        data=data,
        plan=plan,
        workers=workers,
        timeout=timeout,
        write=write,
        made="results",
        take=take,
        noticed=noticed,
        progress=progress,
        explaining=False,
    )
    return choose_engine(None, workers).run(job)


def _seconds(value: float) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < float("inf"):
        raise OptionError(f"{value!r} is not a time in seconds above 0", field="case_timeout")
    return float(value)


def _from_objects(cases: Iterable[Mapping[str, Any] | Case], reading: Reading) -> Iterable[Case | BadCase]:
    for row, item in enumerate(cases):
        source = Source(line=row + 1)
        try:
            if isinstance(item, Case):
                yield replace(checked_case(item), row=row)
                continue
            if not isinstance(item, Mapping):
                raise RecordError(f"{class_in_words(item)} where a case should be")
            yield case_from_fields(item, row=row, source=source, format=reading.format, tools=reading.tools)
        except DataError as error:
            own = item.get("id") if isinstance(item, Mapping) else getattr(item, "id", None)
            name = str(own) if isinstance(own, (str, int)) and own != "" else f"row {row + 1}"
            yield BadCase(id=name, row=row, source=source, error=said_in_python(error))


def read(source: str | Path | bytes | IO[bytes] | IO[str] | object, format: str = "auto") -> Trace:
    """What an agent did, from whatever it left behind.

    Args:
        source: a `str` or `Path` is a path, bytes and file objects are content, anything else is an object.
        format: id of a format; told by structure when left out.

    Raises:
        UsageError: an unknown format, or a path that does not exist.
        DataError: it can't be read without guessing.
    """
    with in_python():
        return read_source(source, format)


def read_all(source: str | Path | bytes | IO[bytes] | IO[str] | object, format: str = "auto") -> list[Trace]:
    """As :func:`read`, a trace for each recording: a file of spans, a log or a data set holds many.

    Args:
        source, format: see :func:`read`.

    Raises:
        UsageError, DataError: see :func:`read`.
    """
    with in_python():
        return traces_of(source, format)
