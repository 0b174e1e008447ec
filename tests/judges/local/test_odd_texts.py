"""Odd texts under every argument that a parser or a table speaks of: an answer, never a fault."""

from __future__ import annotations

from itertools import combinations, islice

from rightcall.judges.local.values import judge_values
from rightcall.judges.local.verdict import about

TEXTS = (
    "", " ", "\n", "-", "+", "()", "( )", "(a)", ",", ", a", "a,", "of", "the", "of the", "by", "a by B", "A by B C", "'", '"',
    "$", "=", "=x", "x=", "y =", "f(x) =", "lambda x:", "1", "1 2", "Mr", "Mr.", "Jr", "J.", "J.S.", "the II", "A-", "free",
    "size", "what is", "what is the", "in", "to from", "2024", "(2024)", "rm", "rm -", "-", "--", "--\n", "/", "//", "\\", "a\\",
    "./", "Hotel", "Lake", "City of", "\u00e9", "\u4e0a\u6d77", "\u00b2", "x\u00b2", "\u03c0", "\ud800",
)  # fmt: skip
NAMES = (
    "product", "person", "patient", "team", "title", "law", "function", "equation", "formula", "command", "sql", "regex",
    "condition", "code", "query", "key", "religion", "specialty", "location", "hotel", "name", "date", "end_date", "interval",
    "blood_type", "operator", "element", "item", "university",
)  # fmt: skip


def test_no_odd_text_is_a_fault() -> None:
    for place, name in enumerate(NAMES):
        known = about(name, {"type": "string", "description": f"The name of the {name}."}, f"find_{name}")
        # Each pair under some of the names, so that it stays a matter of seconds.
        for a, b in islice(combinations(TEXTS, 2), place % 5, None, 5):
            found = judge_values(a, b, known)
            assert 0.0 <= found.probability <= 1.0, (name, a, b)
            assert found == judge_values(b, a, known), (name, a, b)
