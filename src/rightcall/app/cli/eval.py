"""`rightcall eval`: score one case from the command line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import click

from ...core.results import Difference, Result, case_passed
from ...core.summing.tally import Tally
from ...core.types import Source
from ...run.causes import as_flag
from ...run.plan import make_plan
from ...run.rows import case_from_fields
from ...run.sets import FORMATS
from ...run.stages import Scorer
from .judging import judge_options, judging_of
from .planning import (
    ConfiguredCommand,
    parse_options,
    parse_thresholds,
    read_text,
    resolve,
    scoring_options,
    split_words,
)
from .screen import say_json, show, table, text, whole


@click.command("eval", cls=ConfiguredCommand, short_help="Score one case from the command line.")
@click.argument("evaluator", metavar="ID")
@click.option("--output", metavar="CALLS", help="The calls made: JSON, @FILE, or - for standard input.")
@click.option("--expected", metavar="CALLS", help="The calls expected, in the same ways.")
@click.option("--tools", metavar="TOOLS", help="Tool definitions, in the same ways.")
@scoring_options
@judge_options
@click.option("--json", "as_json", is_flag=True, help="The result as JSON.")
@click.pass_context
def command(context: click.Context, /, **given: Any) -> int:
    """Score one case with the evaluator ID (several with commas, or module:attribute for your own).

    \b
    Exit codes: 0 it passes; 1 it does not, or could not be evaluated; 2 wrong usage;
    3 the calls could not be read, or an evaluator of your own failed; 4 a fault.

    \b
    Example:
      rightcall eval tool_call_accuracy \\
        --output '[{"name": "get_weather", "arguments": {"city": "Paris"}}]' \\
        --expected '[{"name": "get_weather", "arguments": {"city": "Paris", "units": "celsius"}}]'
    """  # noqa: D301 - click reads the backspace
    if [given["output"], given["expected"], given["tools"]].count("-") > 1:
        raise click.UsageError("standard input can be read once: give - for one of them", context)
    chosen = resolve(split_words([given["evaluator"]]))
    thresholds = parse_thresholds(given["threshold"])
    options = parse_options(context, given["option"], given["config_json"])
    results = _score(given, chosen, options, thresholds)
    passed = case_passed(tuple(results.values()))
    if given["as_json"]:
        shown = [result.as_dict() for result in results.values()]
        say_json(shown[0] if len(shown) == 1 else shown)
    else:
        _show(results)
    return 0 if passed else 1


def _score(
    given: dict[str, Any], chosen: list[Any], options: dict[str, Any], thresholds: dict[str | None, float]
) -> dict[str, Result]:
    plan = make_plan(
        chosen, options=options, thresholds=thresholds, model=given["model"], judging=judging_of(given)
    )
    if given["format"] != "auto":
        FORMATS.get(given["format"], field="format")
    fields = {
        "tool_calls": read_text(given["output"], "output"),
        "expected_tool_calls": read_text(given["expected"], "expected"),
        "tools": read_text(given["tools"], "tools"),
    }
    if fields["tools"] is not None:
        fields["tools"] = _decoded(fields["tools"])
    row = {name: value for name, value in fields.items() if value is not None}
    case = case_from_fields(row, row=0, source=Source(), format=given["format"])
    return dict(zip(plan.ids, Scorer(plan, Tally(), raising=True).score(case), strict=True))


def _decoded(tools: str) -> Any:
    from ...core.jsonvalue import InvalidJSONError, decode
    from ...errors import SourceError

    try:
        return decode(tools)
    except InvalidJSONError as error:
        raise SourceError(f"not valid JSON: {error}", field="tools") from None


_TONES = {"match": "bold green", "partial": "bold yellow", "mismatch": "bold red", "error": "bold red"}


def _show(results: dict[str, Result]) -> None:
    for name, result in results.items():
        score = "–" if result.score is None else f"{result.score:.6g}"
        line = text(f"{name} ", "bold").append(score, _TONES.get(result.label, "yellow"))
        verdict = (
            result.status.replace("_", " ")
            if result.passed is None
            else "passed"
            if result.passed
            else "missed"
        )
        line.append(
            f"  {verdict}" + (f" (threshold {result.threshold:g})" if result.passed is not None else ""),
            "dim",
        )
        parts = [line, text(result.reason)]
        parts += [text(f"warning: {warning}", "yellow") for warning in result.warnings]
        show(*parts)
        if result.details.differences:
            _show_differences(result.details.differences)


_SHOWN: Final = 20
"""Differences that are shown."""


def _show_differences(found: Sequence[Difference]) -> None:
    board = table("difference", "where", "what")
    for item in found[:_SHOWN]:
        board.add_row(text(item.kind), text(f"{item.tool} {item.path}".strip()), text(item.message))
    more = len(found) - _SHOWN
    rest = [text(f"and {more:,} more differences", "dim")] if more > 0 else []
    # Below the table, which might break a flag that is made to be copied.
    options = dict.fromkeys(item.accept_with for item in found[:_SHOWN] if item.accept_with is not None)
    flags = [whole(f"  {as_flag(option)}", "green") for option in options]
    show(board, *rest, *([text("accept with", "dim"), *flags] if flags else []))
