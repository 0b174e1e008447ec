"""The flags that say how a remote judge is asked, and what they come to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ...core.summing.summary import RunSummary
from ...core.summing.tally import NOT_JUDGED
from ...errors import OptionError
from ...judging.settings import CONCURRENCY, DEADLINE, Judging
from ...run.judging.judges import LOCAL

if TYPE_CHECKING:
    from ...judging.remote import RemoteJudge

__all__ = [
    "JUDGE_SETTINGS",
    "judge_line",
    "judged_nothing",
    "judge_options",
    "judging_of",
    "parse_price",
]

Command = TypeVar("Command", bound=Callable[..., Any])

JUDGE_SETTINGS = (
    *("model", "offline", "judge_cache", "replay", "budget_usd", "budget_tokens", "price"),
    *("concurrency", "rate", "deadline", "calibration", "prior", "redact"),
)
"""What a configuration file may set. Not the address: a file that lies in a folder must not say where a key goes."""


_FLAGS = (
    click.option(
        "--base-url",
        metavar="URL",
        envvar="RIGHTCALL_BASE_URL",
        help="The judge's server; the key comes from the environment.",
    ),
    click.option(
        "--offline",
        is_flag=True,
        envvar="RIGHTCALL_OFFLINE",
        help="Refuse every judge that is asked over a network.",
    ),
    click.option(
        "--judge-cache",
        metavar="FILE",
        envvar="RIGHTCALL_JUDGE_CACHE",
        help="Keep a remote judge's answers there (judge.sqlite in DIR).",
    ),
    click.option(
        "--replay",
        is_flag=True,
        envvar="RIGHTCALL_REPLAY",
        help="Answer from --judge-cache alone: no network, the same numbers.",
    ),
    click.option(
        "--budget-usd",
        type=float,
        metavar="X",
        envvar="RIGHTCALL_BUDGET_USD",
        help="End the run before the judge costs more; needs --price.",
    ),
    click.option(
        "--budget-tokens",
        type=int,
        metavar="N",
        envvar="RIGHTCALL_BUDGET_TOKENS",
        help="End the run before the judge takes more tokens.",
    ),
    click.option(
        "--price",
        metavar="IN,OUT",
        envvar="RIGHTCALL_PRICE",
        help="What the judge costs: $ for a million tokens in, and out.",
    ),
    click.option(
        "--concurrency",
        type=int,
        default=CONCURRENCY,
        metavar="N",
        envvar="RIGHTCALL_CONCURRENCY",
        help=f"Requests to the judge at a time ({CONCURRENCY}).",
    ),
    click.option(
        "--rate",
        type=float,
        metavar="N",
        envvar="RIGHTCALL_RATE",
        help="Requests to the judge a second (no limit).",
    ),
    click.option(
        "--deadline",
        type=float,
        default=DEADLINE,
        metavar="S",
        envvar="RIGHTCALL_DEADLINE",
        help=f"Seconds for a request with all its retries ({DEADLINE:g}).",
    ),
    click.option(
        "--calibration",
        metavar="FILE",
        envvar="RIGHTCALL_CALIBRATION",
        help="What its probabilities are worth; made by `judge calibrate`.",
    ),
    click.option(
        "--prior",
        type=float,
        metavar="X",
        envvar="RIGHTCALL_PRIOR",
        help="The share of equivalent pairs among those that it is asked about.",
    ),
    click.option(
        "--redact",
        metavar="MODULE:FUNCTION",
        envvar="RIGHTCALL_REDACT",
        help="A function of yours that sees every value before it leaves.",
    ),
)


def judge_options(command: Command) -> Command:
    """How a judge other than the local one is asked."""
    for flag in reversed(_FLAGS):
        command = flag(command)
    return command


def judging_of(given: Mapping[str, Any]) -> Judging:
    """How a judge is asked, by the flags.

    Raises:
        OptionError: a price that is none.
    """
    return Judging(
        base_url=given["base_url"],
        offline=given["offline"],
        cache=given["judge_cache"],
        replay=given["replay"],
        budget_usd=given["budget_usd"],
        budget_tokens=given["budget_tokens"],
        price=parse_price(given["price"]),
        concurrency=given["concurrency"],
        rate=given["rate"],
        deadline=given["deadline"],
        calibration=given["calibration"],
        prior=given["prior"],
        redact=given["redact"],
    )


def parse_price(value: str | None) -> tuple[float, float] | None:
    """``IN,OUT``.

    Raises:
        OptionError: not of that form.
    """
    if value is None:
        return None
    try:
        left, right = map(float, value.split(","))
    except ValueError:
        raise OptionError(f"{value!r} is not IN,OUT", field="price", hint="e.g. 0.15,0.6") from None
    return left, right


def judge_line(judge: RemoteJudge) -> str:
    """What a remote judge did, in one line."""
    spent = judge.spent
    parts = [f"{judge.name}: {spent.judged:,} of {spent.asked:,} undecided pairs judged"]
    if spent.kept:
        parts.append(f"{spent.kept:,} answers were kept ones")
    parts.append(f"{spent.requests:,} {'request' if spent.requests == 1 else 'requests'}")
    if spent.tokens:
        parts.append(f"{spent.tokens:,} tokens")
    if spent.cost_usd:
        parts.append(f"${spent.cost_usd:.4f}")
    return ", ".join(parts)


def judged_nothing(summary: RunSummary) -> str | None:
    """Why the judge of a run has failed as a whole: it was asked, and judged nothing. None where it did."""
    for name, found in summary.evaluators.items():
        asked = {who: number for who, number in found.judged.items() if who != LOCAL}
        if asked and all(who.startswith(NOT_JUDGED) for who in asked):
            number = sum(asked.values())
            pairs = "the one pair" if number == 1 else f"any of the {number:,} pairs"
            return f"{name}: the judge did not judge {pairs} that it was asked about; the local probabilities stand"
    return None
