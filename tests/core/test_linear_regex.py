"""The regular expressions of matchers: they find what `re` finds, but for the end of a text, and can't hang."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rightcall.core.linear_regex import LinearPattern, TooMuchWorkError, UnsupportedPatternError

PATTERNS = (
    *(r"^a+b?$", r"(a|b)*c", r"[^x]y{2,3}", r"\bfoo\b", r"(?i)heLLo", r"a.*?b", r"^$", r"\d{4}-\d\d", r"x$"),
    *(r"(ab){2,}|c+", r"\w+@\w+\.\w+", r"a\Z", r"(?s)a.b", r"(?m)^b$", r"[a-c]+[^a-c]", r"\s\S", "", r"\Bo"),
    *(r"(?:a|b|)+c", r"[\d.]+", r"(?a:\w)é", r"a{0}b", r"(?x) a b # no more", r"[]a]", r"\$\.", r"(a?){3}b"),
)


@pytest.mark.parametrize("pattern", PATTERNS)
@given(text=st.text("abcxyfoHELLO hello@.\n0123-é$]", max_size=12))
def test_it_finds_what_the_standard_library_finds(pattern: str, text: str) -> None:
    # There `$` also stands before a newline that ends the text, which would let "T-1\n" pass for "^T-1$".
    strict = re.sub(r"(?<!\\)\$\Z", r"\\Z", pattern) if "(?m)" not in pattern else pattern
    assert LinearPattern(pattern).found_in(text) == bool(re.search(strict, text))


def test_the_end_is_the_end() -> None:
    assert LinearPattern("^T-[0-9]{4}$").found_in("T-9001")
    assert not LinearPattern("^T-[0-9]{4}$").found_in("T-9001\n")


@pytest.mark.parametrize(
    "pattern",
    [r"(a)\1", "(?=a)", "(?<!a)b", "(", "a{1000}{1000}", "(a{500}){500}", "x" * 3000, "(?>a)", "a++"],
)
def test_what_needs_backtracking_or_is_too_large_is_refused(pattern: str) -> None:
    with pytest.raises(UnsupportedPatternError):
        LinearPattern(pattern)


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|a)*b", "(.*)(.*)(.*)(.*)x", "a{400}b|(a|b){400}c"])
def test_no_pattern_and_text_take_long(pattern: str) -> None:
    start = time.process_time()
    try:
        LinearPattern(pattern).found_in("ab" * 200_000)
        LinearPattern(pattern).found_in("a" * 400_000)
    except TooMuchWorkError:
        pass
    assert time.process_time() - start < 5


LAZY = (
    r"a*?b",
    r"(?:ab|a)(?:c|bcd)?",
    r"a??b?",
    r"(a|ab)(c|bcd)",
    r"x{1,3}?",
    r"(?:a|b)*?c|a",
    r"mcp__\w+?__",
    r"mcp__\w+__",
)


@pytest.mark.parametrize("pattern", [*PATTERNS, *LAZY])
@given(
    text=st.text("abcxyfoHELLO hello@.\n0123-é$]_", max_size=12) | st.from_regex(r"(mcp__)?(a|b|c|d|__){0,8}")
)
def test_it_takes_from_the_start_what_the_standard_library_takes(pattern: str, text: str) -> None:
    strict = re.sub(r"(?<!\\)\$\Z", r"\\Z", pattern) if "(?m)" not in pattern else pattern
    found = re.match(strict, text)
    assert LinearPattern(pattern).taken_from_start(text) == (None if found is None else found.end())


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|a)*b", "(.*)(.*)(.*)(.*)x"])
def test_no_start_takes_long(pattern: str) -> None:
    start = time.process_time()
    assert LinearPattern(pattern).taken_from_start("a" * 200_000 + "!") is None
    assert time.process_time() - start < 5


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("pattern", ["[[:alpha:]]", "[^[a]", "[a--b]", "x[a&&b]", "[a||b]", r"\[[[]"])
def test_what_the_standard_library_warns_of_is_refused(pattern: str) -> None:
    with pytest.raises(UnsupportedPatternError, match="within a set"):
        LinearPattern(pattern)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("pattern", [r"[\[:alpha:]", "[a[]", "[]-]", "[--a]", "a--b&&c", "[a-]", r"\[[a]"])
def test_what_it_does_not_warn_of_is_taken(pattern: str) -> None:
    LinearPattern(pattern)
