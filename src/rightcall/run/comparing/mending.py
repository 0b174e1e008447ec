"""Which trait of a case makes two rules differ: take one trait away, and see whether they still do.

A trait is taken away by making the actual side a little more like the expected one (or the other way round for
calls that one side lacks). Nothing here knows the rules, so it holds for any of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from msgspec.structs import replace

from ...core.arguments import Given
from ...core.explain import pair_differences
from ...core.pairing.alignments import Alignments, Comparing
from ...core.types import Case, Expectation, ExpectedCall, ToolCall
from ...core.views import view

__all__ = ["Trait", "traits"]

Trait = tuple[str, Callable[[Case], Case]]
"""What is odd about a case in words, and how to make a case without it."""

_WORDS: Final = {
    "missing_key": "an argument is missing",
    "extra_key": "an extra argument",
    "renamed_key": "an argument under another name",
    "type_mismatch": "a value of another type (true for 1, a text for a number)",
    "null_vs_missing": "null where the other side has nothing",
    "value": "another value",
    "case": "a text in other letters (upper, lower)",
    "whitespace": "a text with other blanks",
    "punctuation": "a text with other punctuation",
    "list_order": "a list in another order",
}


def traits(case: Case) -> Iterator[Trait]:
    """The traits of a case, from the smallest to the largest."""
    calls = view(case, Comparing())
    if not calls.actual or not calls.expected:
        return  # nothing to make alike
    if case.expected_calls and any(call.options for call in case.expected_calls):
        yield "options that an expected call carries", _without_options
    if any(calls.reading(at).value is None for at in range(len(calls.actual))):
        yield "unreadable arguments", _readable
    yield "the same values written otherwise (1.0 for 1, keys in another order)", _rewritten
    kinds: list[str] = []
    for pair in calls.optimal.pairs:
        if pair.credit < 1.0:
            kinds += [item.kind for item in pair_differences(calls, pair.actual, pair.expected)]
    for kind in dict.fromkeys(kinds):
        yield _WORDS.get(kind, f"arguments: {kind.replace('_', ' ')}"), _Mend(kind)
    if len(kinds) > 1:
        yield "arguments that differ in several ways", _Mend(None)
    yield "repeated calls", _once
    yield "calls in another order", _in_order
    if calls.optimal.extra:
        yield "extra calls", _without_extra
    if calls.optimal.missing:
        yield "missing calls", _without_missing


def _with(case: Case, actual: Sequence[ToolCall], expected: Sequence[ExpectedCall] | None = None) -> Case:
    wanted = case.expected
    if expected is not None:
        wanted = replace(wanted or Expectation(), calls=tuple(expected))
    return replace(case, actual=tuple(actual), expected=wanted, recorded=None)


def _without_options(case: Case) -> Case:
    expected = [replace(call, options=None) for call in case.expected_calls or ()]
    return _with(case, case.actual or (), expected)


def _readable(case: Case) -> Case:
    calls = view(case, Comparing())
    made = list(calls.actual)
    for pair in calls.optimal.pairs:
        if calls.reading(pair.actual).value is None:
            made[pair.actual] = replace(made[pair.actual], raw=calls.expected[pair.expected].raw)
    return _with(case, made)


def _rewritten(case: Case) -> Case:
    calls = view(case, Comparing())
    made = list(calls.actual)
    for pair in calls.optimal.pairs:
        if pair.credit == 1.0:
            made[pair.actual] = replace(made[pair.actual], raw=calls.expected[pair.expected].raw)
    return _with(case, made)


class _Mend:
    """Gives the arguments that differ in one way (or in any) the expected values, key by key of the top level."""

    def __init__(self, kind: str | None) -> None:
        self._kind = kind

    def __call__(self, case: Case) -> Case:
        """The case without this kind of difference."""
        calls = view(case, Comparing())
        made = list(calls.actual)
        for pair in calls.optimal.pairs:
            if pair.credit < 1.0:
                made[pair.actual] = self._mended(calls, pair.actual, pair.expected)
        return _with(case, made)

    def _mended(self, calls: Alignments, actual: int, expected: int) -> ToolCall:
        call, wanted = calls.actual[actual], calls.expected_reading(expected).value
        given = calls.reading(actual).value
        found = pair_differences(calls, actual, expected)
        if given is None or wanted is None or all(self._kind in (None, item.kind) for item in found):
            return replace(call, raw=calls.expected[expected].raw)
        arguments: dict[str, Any] = dict(given)
        for item in found:
            if item.kind == self._kind:
                key = item.path.split("/")[1].replace("~1", "/").replace("~0", "~") if item.path else ""
                arguments.pop(key, None)
                if key in wanted:
                    arguments[key] = wanted[key]
        return replace(call, raw=Given(arguments))


def _once(case: Case) -> Case:
    """Equal calls of a side once, the first."""
    actual, expected = case.actual or (), case.expected_calls or ()
    return _with(case, _distinct(actual), _distinct(expected))


def _distinct(calls: Sequence[Any]) -> list[Any]:
    kept: list[Any] = []
    for call in calls:
        if not any(other.name == call.name and other.arguments == call.arguments for other in kept):
            kept.append(call)
    return kept


def _in_order(case: Case) -> Case:
    """Paired calls in the order of the expected ones, the others after them."""
    calls = view(case, Comparing())
    pairs = sorted(calls.optimal.pairs, key=lambda pair: pair.expected)
    order = [pair.actual for pair in pairs]
    return _with(case, [calls.actual[at] for at in (*order, *calls.optimal.extra)])


def _without_extra(case: Case) -> Case:
    calls = view(case, Comparing())
    kept = {pair.actual for pair in calls.optimal.pairs}
    return _with(case, [call for at, call in enumerate(calls.actual) if at in kept])


def _without_missing(case: Case) -> Case:
    calls = view(case, Comparing())
    kept = {pair.expected for pair in calls.optimal.pairs}
    return _with(case, calls.actual, [call for at, call in enumerate(calls.expected) if at in kept])
