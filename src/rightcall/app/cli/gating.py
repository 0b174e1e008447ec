"""The flags that ask something of a run, and what they come to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ...errors import UsageError
from ...run.gates import Gates, parse_gate

if TYPE_CHECKING:
    from ...run.comparing.baseline import (
        BaselineGate,
    )  # what it needs is loaded where a baseline is asked for

__all__ = ["baseline_asked", "baseline_options", "gate_options", "gates_asked"]

Command = TypeVar("Command", bound=Callable[..., Any])

_PART = "ID may be followed by @tag:NAME or @tool:NAME, for the cases of one tag or tool alone."


def baseline_options(command: Command) -> Command:
    """How much worse than an earlier run a run may be."""
    for option in reversed(
        (
            click.option(
                "--max-regression",
                type=float,
                envvar="RIGHTCALL_MAX_REGRESSION",
                metavar="X",
                help="By so much the mean may be below the earlier run's (0).",
            ),
            click.option(
                "--strict-baseline",
                is_flag=True,
                envvar="RIGHTCALL_STRICT_BASELINE",
                help="Gate: every case that passed in the earlier run must pass.",
            ),
            click.option(
                "--no-gate",
                is_flag=True,
                envvar="RIGHTCALL_NO_GATE",
                help="Exit 0 whatever the scores, if the data was fine.",
            ),
        )
    ):
        command = option(command)
    return command


def gate_options(command: Command) -> Command:
    """Everything that can be asked of a run."""
    command = baseline_options(command)
    for option in reversed(
        (
            click.option(
                "--fail-under",
                multiple=True,
                envvar="RIGHTCALL_FAIL_UNDER",
                metavar="[ID=]X",
                help=f"Gate: the mean must reach X, of each evaluator or of one. {_PART}",
            ),
            click.option(
                "--min-pass-rate",
                multiple=True,
                envvar="RIGHTCALL_MIN_PASS_RATE",
                metavar="[ID=]X",
                help="Gate: the share of cases that pass must reach X. @tag and @tool as above.",
            ),
            click.option(
                "--max-errors",
                type=click.IntRange(min=0),
                default=0,
                envvar="RIGHTCALL_MAX_ERRORS",
                metavar="N",
                help="So many cases may end in error (0).",
            ),
            click.option(
                "--max-not-evaluated",
                type=click.IntRange(min=0),
                envvar="RIGHTCALL_MAX_NOT_EVALUATED",
                metavar="N",
                help="Gate: so many cases may be without any score, as when nothing was recorded (no limit).",
            ),
            click.option(
                "--max-not-judged",
                type=click.IntRange(min=0),
                envvar="RIGHTCALL_MAX_NOT_JUDGED",
                metavar="N",
                help="Gate: so many pairs may be without the judgement of the judge that was asked (any, but not all).",
            ),
            click.option(
                "--baseline",
                envvar="RIGHTCALL_BASELINE",
                metavar="RUN",
                help="Gate: no evaluator may be worse than in this earlier run, beyond what chance explains.",
            ),
        )
    ):
        command = option(command)
    return command


def gates_asked(given: Mapping[str, Any], evaluators: Sequence[str]) -> Gates:
    """The gates on the run itself.

    Raises:
        OptionError, UnknownNameError: not of the form, or an evaluator that is not chosen.
    """
    single = tuple(
        parse_gate(item, kind, evaluators) for kind in ("fail_under", "min_pass_rate") for item in given[kind]
    )
    return Gates(
        single=single,
        max_errors=given["max_errors"],
        max_not_evaluated=given["max_not_evaluated"],
        max_not_judged=given["max_not_judged"],
        enforced=not given["no_gate"],
    )


def baseline_asked(given: Mapping[str, Any], earlier: str | None) -> BaselineGate | None:
    """The gate against an earlier run; None where none is named.

    Raises:
        UsageError: its flags without an earlier run, or a number that can't be.
    """
    if earlier is None:
        for name, flag in (("max_regression", "max-regression"), ("strict_baseline", "strict-baseline")):
            if given[name]:
                raise UsageError(
                    "there is no earlier run to compare with", field=flag, hint="add --baseline RUN"
                )
        return None
    if not earlier:
        raise UsageError("an empty path", field="baseline", hint="is a variable unset?")
    from ...run.comparing.baseline import BaselineGate

    return BaselineGate(
        name=earlier,
        max_regression=given["max_regression"] or 0.0,
        strict=given["strict_baseline"],
        enforced=not given["no_gate"],
    )
