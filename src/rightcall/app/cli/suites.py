"""`rightcall suites`: which evaluators run together."""

from __future__ import annotations

import click

from ...run.sets import list_suites, suite_members
from .screen import say_json, show, table, text


@click.command("suites", short_help="List the suites.")
@click.argument("name", required=False, metavar="[NAME]")
@click.option("--json", "as_json", is_flag=True, help="The same as JSON.")
def command(name: str | None, *, as_json: bool) -> int:
    """List the suites. One runs what a case has inputs for, and reports the rest as not evaluated.

    \b
    Example:
      rightcall suites
      rightcall suites agent
    """  # noqa: D301 - click reads the backspace
    found = list_suites() if name is None else {name: suite_members(name)}
    if as_json:
        say_json(found)
        return 0
    board = table("suite", "evaluators")
    for suite, members in found.items():
        board.add_row(text(suite, "bold"), text(", ".join(members)))
    show(board)
    return 0
