"""Formulas: the same where they have the same values, whatever they are written like; nothing of them is executed."""

from __future__ import annotations

import pytest

from rightcall.judges.local.algebra import read, same_values
from rightcall.judges.local.values import judge_values
from rightcall.judges.local.verdict import Verdict, about


def judged(argument: str, a: str, b: str) -> Verdict:
    return judge_values(a, b, about(argument, {"type": "string"}))


@pytest.mark.parametrize(
    ("argument", "a", "b"),
    [
        ("function", "x**2", "lambda x: x**2"),
        ("function", "3x**2 + 2x - 1", "3*x^2 + 2*x - 1"),
        ("function", "f(x) = x^2", "y = x**2"),
        ("function", "np.sin(x)", "sin(x)"),
        ("function", "lambda t: 2*t + 1", "lambda x: 2*x + 1"),
        ("function", "lambda a, b: a / b", "lambda b, a: b / a"),
        ("func", "def f(x): return x + 1", "x + 1"),
        ("expression", "e^x", "exp(x)"),
        ("expression", "x² + 1", "1 + x^2"),
        ("expression", "pi*r^2", "π*r²"),
        ("expression", "-x^2", "-(x**2)"),
        ("expression", "3/4*x", "0.75x"),
        ("polynomial", "x^2 - 4", "(x-2)(x+2)"),
        ("equation", "x^2+5x+6=0", "x**2 + 5*x + 6 = 0"),
    ],
)
def test_one_formula(argument: str, a: str, b: str) -> None:
    assert judged(argument, a, b).by == "formula"
    assert judged(argument, a, b).probability > 0.9
    assert judged(argument, b, a) == judged(argument, a, b)


@pytest.mark.parametrize(
    ("argument", "a", "b"),
    [
        ("function", "x^2", "x^3"),
        ("function", "x + y", "x - y"),
        ("expression", "x + 1", "y + 1"),
        ("expression", "-x^2", "(-x)^2"),
        ("expression", "2^x", "x^2"),
        ("expression", "1/2x", "1/(2x + 1)"),
        ("function", "lambda a, b: a / b", "lambda a, b: b / a"),
        ("function", "sin(x)", "cos(x)"),
        ("equation", "2x + 3 = 7", "2x + 4 = 7"),
        ("function", "foo(x)", "bar(x)"),
        ("function", "get_rate", "set_rate"),
        ("function", "net - tax", "tax - net"),
        ("formula", "H2O", "H2SO4"),
    ],
)
def test_other_formulas(argument: str, a: str, b: str) -> None:
    assert judged(argument, a, b).probability < 0.5


@pytest.mark.parametrize(
    "text",
    [
        "(" * 400,
        "(" * 200 + "x" + ")" * 200,
        "-" * 400 + "x",
        "x" + "^x" * 150,
        "sin " * 120 + "x",
        "+".join(["x"] * 4000),
        "9" * 400 + "x",
        "1e999*x",
        "x/0",
        "(-8)^(1/3)",
        "__import__('os').system('id')",
        "lambda: 1",
        "lambda x: x.y",
        "x if x else y",
        "9**9**9**9",
        "factorial(5)",
        "x +",
        "x ) + (",
        "",
        "²",
    ],
)
def test_whatever_is_written_there_nothing_breaks(text: str) -> None:
    assert judged("function", text, "x + 1").probability < 0.5
    formula = read(text)
    if formula is not None:
        assert same_values(formula, formula) in {True, None}


def test_where_one_has_no_value_nothing_is_said() -> None:
    root, name = read("sqrt(x)^2"), read("x")
    assert root is not None
    assert name is not None
    assert same_values(root, name) is None
