"""How often and how long: frequencies, relative spans, quarters, decades, seasons."""

from __future__ import annotations

import pytest

from rightcall.judges.local.values import judge_values
from rightcall.judges.local.verdict import about


@pytest.mark.parametrize(
    ("argument", "a", "b", "probability"),
    [
        ("frequency", "daily", "every day", 0.995),
        ("frequency", "once a week", "weekly", 0.995),
        ("frequency", "2x a day", "twice daily", 0.995),
        ("frequency", "every other week", "every 2 weeks", 0.995),
        ("frequency", "quarterly", "every three months", 0.995),
        ("frequency", "every 12 hours", "twice a day", 0.8),
        ("frequency", "every week", "every month", 0.01),
        ("frequency", "every 30 days", "monthly", 0.01),
        ("timeframe", "last 30 days", "the past thirty days", 0.995),
        ("timeframe", "last 30 days", "next 30 days", 0.01),
        ("timeframe", "last 30 days", "last 30 weeks", 0.01),
        ("quarter", "Q4 2022", "fourth quarter of 2022", 0.995),
        ("quarter", "2022-Q4", "4Q 2022", 0.995),
        ("quarter", "Q4", "Q4 2022", 0.7),
        ("quarter", "Q4 2022", "Q4 2023", 0.01),
        ("decade", "the eighties", "80s", 0.995),
        ("decade", "1980s", "80s", 0.7),
        ("decade", "1980s", "1990s", 0.01),
        ("season", "2021-22", "2021/2022", 0.995),
        ("season", "2021-22", "2022-23", 0.01),
        ("timeout", "80s", "80 seconds", 0.995),
        ("timeout", "80s", "1980s", 0.01),
    ],
)
def test_spans(argument: str, a: str, b: str, probability: float) -> None:
    known = about(argument, {"type": "string"})
    assert judge_values(a, b, known).probability == pytest.approx(probability)
    assert judge_values(b, a, known).probability == pytest.approx(probability)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Mon, Dec 25, 2025", "Thu, Dec 25, 2025"),
        ("Monday 25 December", "Thursday 25 December"),
    ],
)
def test_other_weekdays_are_other_days(a: str, b: str) -> None:
    assert judge_values(a, b, about("date", None)).probability < 0.2


def test_a_weekday_on_one_side_is_taken() -> None:
    assert judge_values("Thu, Dec 25, 2025", "2025-12-25", about("date", None)).probability > 0.9
