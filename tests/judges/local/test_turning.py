"""The same words in another order: which ways of turning mean the same."""

from __future__ import annotations

import pytest

from rightcall.judges.local.values import judge_values
from rightcall.judges.local.verdict import about


@pytest.mark.parametrize(
    ("argument", "a", "b"),
    [
        ("query", "price of gold", "gold price"),
        ("query", "India's population", "population of India"),
        ("query", "weather in Paris", "Paris weather"),
        ("note", "buy milk and eggs", "buy eggs and milk"),
        ("tournament", "2022 FIFA World Cup", "FIFA World Cup 2022"),
        ("landmark", "Sydney Opera House", "Opera House, Sydney"),
        ("museum", "Museum of Modern Art, New York", "New York Modern Art Museum"),
        ("name", "Cohen, Ruth", "Ruth Cohen"),
        ("hotel", "Hotel Astoria", "Astoria Hotel"),
    ],
)
def test_turned_alike(argument: str, a: str, b: str) -> None:
    assert judge_values(a, b, about(argument, {"type": "string"})).probability >= 0.5


@pytest.mark.parametrize(
    ("argument", "a", "b"),
    [
        ("query", "history of art", "art of history"),
        ("query", "flights from Rome to Oslo", "flights from Oslo to Rome"),
        ("note", "Alice owes Bob", "Bob owes Alice"),
        ("note", "red car and blue bike", "blue car and red bike"),
        ("note", "milk and eggs or ham", "ham and eggs or milk"),
        ("park", "Central Park", "Park Central"),
        ("university", "Washington University", "University of Washington"),
        ("tournament", "2022 FIFA World Cup", "FIFA World Cup 2018"),
        ("museum", "Museum of Modern Art, New York", "San Francisco Museum of Modern Art"),
    ],
)
def test_turned_apart(argument: str, a: str, b: str) -> None:
    assert judge_values(a, b, about(argument, {"type": "string"})).probability < 0.5
