"""Commands, queries, conditions and patterns: one program in two layouts, and programs that only look alike."""

from __future__ import annotations

import time

import pytest

from rightcall.judges.local.programs import shell_words
from rightcall.judges.local.values import judge_values
from rightcall.judges.local.verdict import about


def chance(argument: str, a: object, b: object) -> float:
    found = judge_values(a, b, about(argument, {"type": "string"}))
    assert found == judge_values(b, a, about(argument, {"type": "string"}))
    return found.probability


@pytest.mark.parametrize(
    ("argument", "a", "b"),
    [
        ("command", "ls -la /srv", "ls -al  /srv"),
        ("command", "echo hello", 'echo "hello"'),
        ("command", "mkdir 'new folder'", 'mkdir "new folder"'),
        ("command", "mkdir new\\ folder", 'mkdir "new folder"'),
        ("command", "cd ./build", "cd build"),
        ("command", "make test;", "make test"),
        ("sql", "SELECT a FROM t WHERE b = 'X';", "select a\n  from t\n  where b='X'"),
        ("sql", "SELECT a FROM t -- all\nWHERE b = 1", "SELECT a FROM t WHERE b = 1"),
        ("condition", "age>30", "age > 30"),
        ("condition", 'status == "open"', "status = 'open'"),
        ("regex", r"/\d+/", r"\d+"),
        ("code", "f( 1,2 )", "f(1, 2)"),
    ],
)
def test_one_program(argument: str, a: str, b: str) -> None:
    assert chance(argument, a, b) > 0.9


@pytest.mark.parametrize(
    ("argument", "a", "b"),
    [
        ("command", "rm -rf / tmp", "rm -rf /tmp"),
        ("command", "rm *.log", "rm * .log"),
        ("command", "rm a\nrm b", "rm a rm b"),
        ("command", 'rm "$DIR"', "rm '$DIR'"),
        ("command", 'rm "a b"', "rm a b"),
        ("command", 'echo "\\$HOME"', 'echo "$HOME"'),
        (
            "sql",
            "DELETE FROM t -- x\nWHERE a = 1" + " " * 2000 + ";",
            "DELETE FROM t -- x WHERE a = 1" + " " * 2000 + ";",
        ),
        ("command", "cp -Sab x y", "cp -Sba x y"),
        ("command", 'echo "`date`"', "echo '`date`'"),
        ("sql", "DELETE FROM t -- old\nWHERE id = 1", "DELETE FROM t -- old WHERE id = 1"),
        ("sql", "SELECT `A` FROM t", "SELECT `a` FROM t"),
        ("condition", "not a and b", "a and not b"),
        ("condition", "name = 'a==b'", "name = 'a=b'"),
        ("condition", "status = Open", "status = open"),
        ("regex", r"a\.b", "a.b"),
        ("pattern", "a{2}", "a{2,}"),
        ("pattern", "[a-z]", "[a - z]"),
        ("selector", "div.a", "div .a"),
        ("script", 'x = "a b"', 'x = "a  b"'),
        ("script", "a - -b", "a--b"),
    ],
)
def test_other_programs(argument: str, a: str, b: str) -> None:
    assert chance(argument, a, b) < 0.5


def test_an_open_quote_is_no_command_line() -> None:
    assert shell_words("echo 'a") is None
    assert chance("command", "what's the time", "what's the date") < 0.5


@pytest.mark.parametrize(
    "text", ["'" * 3000, '"\\' * 1500, "`" * 3000, "a;" * 1500, "$$" * 1500, "/*" * 1500]
)
def test_hostile_code_is_told_in_time(text: str) -> None:
    for argument in ("command", "sql", "code", "condition", "regex"):
        start = time.process_time()
        chance(argument, text, f"{text}x")
        assert time.process_time() - start < 1.0


def test_lists_within_lists_are_told_in_time() -> None:
    """They were held against each other in every order at every level: 20 by 20 texts took a minute."""
    start = time.process_time()
    for wide in (20, 12):
        one = [[f"old word {row} {column}" for column in range(wide)] for row in range(wide)]
        other = [[f"new term {row} {column}" for column in range(wide)] for row in range(wide)]
        assert judge_values(one, other, about("tags", {"type": "array"})).probability < 0.5
    assert time.process_time() - start < 5.0
