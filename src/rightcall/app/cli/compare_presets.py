"""`rightcall compare-presets`: our scores beside other tools' ones, and what makes the difference."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from ...errors import InterruptedRunError
from ...run.comparing.comparing_presets import PresetComparison, RuleComparison, compare_presets
from ...run.dataset import Dataset, Reading, parse_map, parse_where, tools_from_file
from ...run.sets import FORMATS
from .planning import split_words
from .screen import say_json, short, show, table, tell, text

if TYPE_CHECKING:
    from rich.console import RenderableType


@click.command("compare-presets", short_help="Compare our scores with other tools' on one data set.")
@click.argument("data")
@click.option("--preset", multiple=True, metavar="ID,..", help="Only these tools; else all.")
@click.option("--expected", metavar="GOLD", help="A second file with the expected calls, joined by id.")
@click.option("--tools", metavar="FILE", help="Tool definitions, for rows that carry none.")
@click.option("--format", "format", default="auto", metavar="ID", help="Format of the actual calls.")
@click.option("--map", "map", multiple=True, metavar="FIELD=COLUMN", help="Where a field stands.")
@click.option("--where", multiple=True, metavar="FIELD=VALUE", help="Only rows whose column has this value.")
@click.option("--json", "as_json", is_flag=True, help="The same as JSON.")
def command(**given: Any) -> int:
    """Score the cases of DATA by our evaluators and by other tools' rules, side by side.

    For each rule: its mean and pass rate, those of our evaluator that asks the nearest question, on how many cases
    they differ, and which trait of these cases makes the difference, found by taking it away and scoring again.

    \b
    Exit codes: 0 compared; 2 wrong usage; 3 data could not be read or held no case; 130 interrupted.

    \b
    Example:
      rightcall compare-presets examples/travel/cases.jsonl --preset uipath,deepeval
    """  # noqa: D301 - click reads the backspace
    if given["format"] != "auto":
        FORMATS.get(given["format"], field="format")
    reading = Reading(
        format=given["format"],
        columns=parse_map(given["map"]),
        tools=None if given["tools"] is None else tools_from_file(given["tools"]),
        where=parse_where(given["where"]),
    )
    data = Dataset(given["data"], expected=given["expected"], reading=reading)
    found = compare_presets(data, split_words(given["preset"]))
    if given["as_json"]:
        say_json(found)
    else:
        show(*_boards(found, given["data"]))
    if found.interrupted:
        tell(f"interrupted: {found.cases:,} cases were compared")
        return InterruptedRunError.exit_code
    if found.unreadable:
        tell(f"{found.unreadable:,} rows could not be read; `rightcall run` names them")
    if not found.cases:
        tell("error: the data held no case")
    return 3 if found.unreadable or not found.cases else 0


_FEW_RULES = 8
_CAUSES_SHOWN = (6, 2)
"""Causes of each rule on the screen: for few rules, and for many. --json has all."""


def _boards(found: PresetComparison, source: str) -> Iterator[RenderableType]:
    cases = "1 case" if found.cases == 1 else f"{found.cases:,} cases"
    yield text(f"{source} · {cases}", "bold")
    right = ("mean", "passed", "ours", "ours passed", "differ", "verdicts")
    board = table("rule", right[0], right[1], "beside", *right[2:], right=right)
    for item in found.rules:
        board.add_row(
            text(item.rule.id, "bold" if item.rule.scored else "dim"),
            text(_number(item.rule.mean)),
            text(_share(item.rule.pass_rate)),
            text(item.beside.id),
            text(_number(item.beside.mean)),
            text(_share(item.beside.pass_rate)),
            text(f"{item.differ:,} of {item.compared:,}", "yellow" if item.differ else "dim"),
            text(f"{item.verdicts_differ:,}", "yellow" if item.verdicts_differ else "dim"),
        )
    yield board
    yield from _causes(found)


def _causes(found: PresetComparison) -> Iterator[RenderableType]:
    board = table(
        "rule",
        "what makes the difference",
        "cases",
        "theirs",
        "ours",
        "e.g.",
        right=("cases", "theirs", "ours"),
    )
    rows = 0
    most = _CAUSES_SHOWN[len(found.rules) > _FEW_RULES]
    for item in found.rules:
        for cause in item.causes[:most]:
            rows += 1
            board.add_row(
                text(item.rule.id, "bold"),
                text(cause.what),
                text(f"{cause.cases:,}"),
                text("raises" if cause.theirs is None else f"{cause.theirs:.3f}"),
                text(f"{cause.ours:.3f}"),
                text(", ".join(map(short, cause.examples)), "dim"),
            )
    if rows:
        yield text("")
        yield board
    for item in found.rules:
        if _left_out(item):
            yield text(
                f"{item.rule.id}: the first {item.explained:,} of {item.differ:,} differing cases", "dim"
            )


def _left_out(item: RuleComparison) -> bool:
    return item.explained < item.differ


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.1%}"
