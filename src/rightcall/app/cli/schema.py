"""`rightcall schema`: JSON Schemas of what people write by hand, for their editors."""

from __future__ import annotations

import click

from ...run.golden.editor_schema import expectation_schema
from .screen import say_json


@click.command("schema", short_help="Print the JSON Schema of a golden row, for editors.")
@click.argument("what", type=click.Choice(["expectation"]))
def command(what: str) -> int:
    """Print a JSON Schema (2020-12). `expectation` is one row of a golden set: what is expected, with matchers.

    An editor that is given it completes the names and marks what is misspelled.

    \b
    Example:
      rightcall schema expectation > golden.schema.json
    """  # noqa: D301 - click reads the backspace
    say_json(expectation_schema())
    return 0
