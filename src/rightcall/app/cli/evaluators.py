"""`rightcall evaluators`: all of them, or the page of one, from its declaration."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click
import msgspec

from ...core.declare import Declaration
from ...core.options import OptionSpec
from ...run.api import evaluate
from ...run.pages import page_of
from ...run.plan import SHARED_OPTIONS, options_of
from ...run.sets import EVALUATORS, list_evaluators
from .screen import say_json, show, table, text

if TYPE_CHECKING:
    from rich.console import RenderableType


@click.command("evaluators", short_help="List the evaluators, or show the page of one.")
@click.argument("id", required=False, metavar="[ID]")
@click.option("--json", "as_json", is_flag=True, help="The same as JSON.")
def command(id: str | None, *, as_json: bool) -> int:
    """List the evaluators, or show the page of one: what it scores, when to use it, its options, an example.

    \b
    Example:
      rightcall evaluators
      rightcall evaluators tool_call_accuracy
    """  # noqa: D301 - click reads the backspace
    if id is None:
        found = [EVALUATORS.get(name).declaration for name in list_evaluators()]
        if as_json:
            say_json([page_of(declaration) for declaration in found])
        else:
            _list(found)
        return 0
    declaration = EVALUATORS.get(id, field="evaluator").declaration
    if as_json:
        say_json(page_of(declaration))
    else:
        show(*_page(declaration))
    return 0


def _list(found: list[Declaration]) -> None:
    board = table("id", "kind", "passes at", "needs", "suites", "score")
    for declaration in found:
        suites = ", ".join(suite for suite in declaration.suites if suite != "everything")
        needs = ", ".join(declaration.inputs) + (f" + [{declaration.extra}]" if declaration.extra else "")
        board.add_row(
            text(declaration.id, "bold"),
            text(declaration.kind),
            text(f"{declaration.threshold:g}"),
            text(needs),
            text(suites or "–", "dim"),
            text(declaration.meaning),
        )
    show(board, text(""), text("One page each: rightcall evaluators ID", "dim"))


def _page(declaration: Declaration) -> Iterator[RenderableType]:
    yield text(declaration.id, "bold").append(
        f"  {declaration.kind}, passes at {declaration.threshold:g}", "dim"
    )
    yield text(declaration.meaning[:1].upper() + declaration.meaning[1:] + ".")
    yield text("")
    for head, words in (
        ("When to use", declaration.when_to_use),
        ("When not", declaration.when_not),
        ("Watch out", declaration.watch_out),
        ("When it is low", declaration.when_low),
        ("Needs", ", ".join(declaration.inputs)),
        ("Extra", declaration.extra or ""),
        ("In its details", declaration.result_shape),
        ("Over a data set", declaration.aggregate),
        ("Suites", ", ".join(declaration.suites)),
        ("Costs", declaration.cost),
        ("Mirrors", declaration.mirrors or ""),
        ("Related", ", ".join(declaration.related)),
    ):
        if words:
            yield text(f"{head}: ", "bold").append(words)
    yield text("")
    yield _options(declaration)
    for question, answer in declaration.questions:
        yield text("")
        yield text(question, "bold").append(f" {answer}")
    yield from _example(declaration)


def _options(declaration: Declaration) -> RenderableType:
    board = table("option", "form", "default", "meaning")
    for spec in options_of(declaration).values():
        shared = "" if spec.name not in SHARED_OPTIONS else "dim"
        board.add_row(
            text(spec.name, shared or "bold"), text(spec.form), text(_default(spec)), text(spec.meaning)
        )
    return board


def _default(spec: OptionSpec) -> str:
    if spec.default is None or spec.default == ():
        return "–"
    return str(spec.default).lower() if isinstance(spec.default, bool) else str(spec.default)


def _example(declaration: Declaration) -> Iterator[RenderableType]:
    example = declaration.example
    if example is None:
        return
    result = evaluate(
        declaration.id,
        output=example.actual,
        expected=example.expected,
        tools=example.tools,
        **example.options,
    )
    yield text("")
    yield text("Example", "bold")
    for name, value in (
        ("actual", example.actual),
        ("expected", example.expected),
        ("tools", example.tools),
        ("options", example.options),
    ):
        if value:
            yield text(f"  {name:<9}").append(msgspec.json.encode(value).decode(), "cyan")
    score = "–" if result.score is None else f"{result.score:.6g}"
    yield text("  score    ").append(score, "bold").append(f"  {result.reason}")
