"""Walks two argument objects: are they the same, and if not, where do they differ?

A comparison yields differences; it does not decide on a score, print or raise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from msgspec import Struct

from ...errors import EvaluatorError
from ..jsonvalue import canonical_key, same_value, show
from ..matcher import Matcher, as_json
from ..options import PLAIN, Comparison
from ..paths import escape, join
from .normalize import Normalizer, with_defaults, with_defaults_of_both
from .numbers import is_number, within
from .sequences import fits_in_order
from .unordered import TooManyPairsError, fits_in_any_order, partners, partners_of_numbers
from .windows import near_by_a_number

__all__ = ["PLAIN_COMPARER", "Comparer", "Gap", "is_number"]


class Gap(Struct, frozen=True):
    """One place where two trees differ, not yet named.

    Attributes:
        path: JSON pointer.
        form: ``missing`` (a key only expected), ``extra`` (a key only made), ``value``, ``length`` or ``order``
            (of an array).
        expected, actual: the values as they were written; None on the side that has none.
        words: what a matcher expected, in words; None for a plain value.
        absent: the key must be left out, whatever `args` allows.
    """

    path: str
    form: str
    expected: Any = None
    actual: Any = None
    words: str | None = None
    absent: bool = False


class Comparer:
    """Compares argument objects under one set of options.

    Args:
        options: what holds for the expected call.
        schema: the JSON Schema of the tool's arguments, for `schema_defaults`.
        matching: whether expected arguments may hold matchers. They are then compared as they were written: a
            matcher looks at what the agent wrote, and the options apply to the plain values around it.
    """

    def __init__(
        self, options: Comparison = PLAIN, schema: Mapping[str, Any] | None = None, *, matching: bool = False
    ) -> None:
        self.options = options
        self.schema = schema
        self.matching = matching
        self.is_plain = options.is_plain and not matching
        self.is_equivalence = options.is_equivalence and not matching
        self._normal = None if options.is_plain else Normalizer(options, schema)
        self._tolerant = bool(options.numeric_tolerance)
        self._at_once = options.compares_as_written and options.args in ("exact", "allow_extra")

    def normal(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """The form in which :meth:`same` wants its two sides."""
        if self.options.args == "ignore":
            return {}
        return arguments if self._normal is None or self.matching else self._normal(arguments)

    def key(self, normal: dict[str, Any]) -> bytes:
        """A hash key of a normal form; only meaningful where equality is an equivalence relation."""
        return canonical_key(normal)

    @property
    def numbers_alone(self) -> bool:
        """Whether two calls that are the same can differ in numbers only, so that they share an :meth:`outline`."""
        plain = self.options.args == "exact" and not self.options.unordered and not self.matching
        return self._tolerant and plain

    def outline(self, normal: dict[str, Any] | None) -> bytes:
        """A hash key of a normal form without its numbers."""
        return _outline(normal)

    def same(self, expected: dict[str, Any], actual: dict[str, Any]) -> bool:
        """Whether two normal forms are the same arguments."""
        if self.matching:
            if self._at_once:
                return self._fits(expected, actual)
            return next(self._gaps(expected, actual), None) is None
        mode = self.options.args
        if mode == "allow_extra":
            actual = {key: actual[key] for key in expected if key in actual}
        elif mode == "allow_missing":
            expected = {key: expected[key] for key in actual if key in expected}
        if self._tolerant:
            return self._close(expected, actual, "")
        return same_value(expected, actual)

    def _fits(self, expected: dict[str, Any], actual: dict[str, Any]) -> bool:
        """Whether arguments with matchers are met, where no option concerns values: the walk without its words."""
        for key, item in expected.items():
            if key not in actual:
                if not _optional(item):
                    return False
            elif isinstance(item, Matcher):
                if not item.accepts(actual[key], _Same(self, join("", key))):
                    return False
            elif not self._close(item, actual[key], join("", key)):
                return False
        return self.options.args == "allow_extra" or all(key in expected for key in actual)

    def share(self, expected: dict[str, Any], actual: dict[str, Any]) -> Fraction:
        """The share of right arguments between two normal forms, in 0..1 (contract 5, `argument_accuracy`).

        Of the keys of both sides; only the expected ones under `allow_extra`, only the actual ones under
        `allow_missing`. No keys at all is 1.
        """
        mode = self.options.args
        if self.matching and mode != "ignore":
            return self._share_of_matchers(expected, actual)
        keys = expected.keys() | actual.keys()
        if mode in ("allow_extra", "allow_missing"):
            keys = set(expected if mode == "allow_extra" else actual)
        if mode == "ignore" or not keys:
            return Fraction(1)
        right = sum(
            1
            for key in keys
            if key in expected and key in actual and self._close(expected[key], actual[key], join("", key))
        )
        return Fraction(right, len(keys))

    def _share_of_matchers(self, expected: dict[str, Any], actual: dict[str, Any]) -> Fraction:
        """The share where values are compared as they were written: a key is right where the walk finds no gap."""
        mode = self.options.args
        wrong = {gap.path.split("/", 2)[1] for gap in self._gaps(expected, actual)}
        there = {key for key, item in actual.items() if not self._left_out(item, join("", key))}
        needed = {
            key
            for key, item in expected.items()
            if key in there
            or escape(key) in wrong
            or not (_optional(item) or self._left_out(item, join("", key)))
        }
        keys = needed if mode == "allow_extra" else there if mode == "allow_missing" else needed | there
        if self._normal is not None:
            keys = {key for key in keys if not self._normal.drops(join("", key))}
        if not keys:
            return Fraction(1)
        return Fraction(sum(1 for key in keys if escape(key) not in wrong), len(keys))

    def _close(self, expected: Any, actual: Any, path: str) -> bool:
        """Equality with a numeric tolerance, at any depth."""
        if self.matching:
            if self._at_once and not isinstance(expected, dict | list | Matcher):
                return same_value(expected, actual)
            return next(self._walk(expected, actual, path), None) is None
        if isinstance(expected, dict) and isinstance(actual, dict):
            return expected.keys() == actual.keys() and all(
                self._close(item, actual[key], join(path, key)) for key, item in expected.items()
            )
        if isinstance(expected, list) and isinstance(actual, list):
            if len(expected) != len(actual):
                return False
            if self._normal is not None and self._normal.is_unordered(path):
                return len(self._partners(expected, actual, path)) == len(expected)
            return all(
                self._close(item, actual[index], join(path, index)) for index, item in enumerate(expected)
            )
        return self._same_leaf(expected, actual, path)

    def _same_leaf(self, expected: Any, actual: Any, path: str) -> bool:
        tolerance = self.options.numeric_tolerance.at(path)
        if tolerance is not None and is_number(expected) and is_number(actual):
            return same_value(expected, actual) or within(expected, actual, tolerance)
        return same_value(expected, actual)

    def _partners(self, expected: list[Any], actual: list[Any], path: str) -> dict[int, int]:
        """Which element of an unordered array stands for which: a maximum matching.

        Raises:
            EvaluatorError: too many elements would have to be held against each other.
        """

        def close(i: int, j: int) -> bool:
            return self._close(expected[i], actual[j], join(path, i))

        if self._tolerant and not self.matching:
            tolerances = {
                self.options.numeric_tolerance.at(join(path, index)) for index in range(len(expected))
            }
            tolerance = tolerances.pop() if len(tolerances) == 1 else None
            found = None if tolerance is None else partners_of_numbers(expected, actual, tolerance)
            if found is not None:
                return found
        try:
            return partners(len(actual), self._near(expected, actual, path), close)
        except TooManyPairsError as error:
            raise EvaluatorError(f"an array without order: {error}", field=f"arguments{path}") from None

    def _near(self, expected: list[Any], actual: list[Any], path: str) -> list[list[int]]:
        """For each expected element the actual ones that may be the same."""
        loose = self._tolerant and self._unordered_below(path) and any(map(_holds_list, expected))
        if self.matching or loose:
            return [list(range(len(actual)))] * len(expected)
        key = _outline if self._tolerant else canonical_key
        groups: dict[bytes, list[int]] = {}
        for index, made in enumerate(actual):
            groups.setdefault(key(made), []).append(index)
        tolerance = self.options.numeric_tolerance
        # A number is looked up by what holds for the first element, where none has a tolerance of its own.
        if not self._tolerant or any(
            step.isdigit() for at, _ in tolerance.paths or () for step in at.split("/")
        ):
            return [groups.get(key(item), []) for item in expected]
        find = {
            outline: near_by_a_number([(index, actual[index]) for index in group], tolerance, join(path, 0))
            for outline, group in groups.items()
        }
        return [find[outline](item) if (outline := key(item)) in find else [] for item in expected]

    def _unordered_below(self, path: str) -> bool:
        """Whether an array within the one at `path` may be without order."""
        unordered = self.options.unordered
        return bool(unordered.general) or any(
            value for pointer, value in unordered.paths or () if pointer != path
        )

    def gaps(self, expected: dict[str, Any], actual: dict[str, Any]) -> list[Gap]:
        """Every place where two readable argument objects, as they were written, differ.

        Empty exactly where :meth:`same` holds for their normal forms.
        """
        if self.is_plain:
            found: list[Gap] = []
            _plain_gaps(expected, actual, "", found)
            return found
        return list(self._gaps(expected, actual))

    def _gaps(self, expected: dict[str, Any], actual: dict[str, Any]) -> Iterator[Gap]:
        mode = self.options.args
        if mode == "ignore":
            return
        if self.options.schema_defaults and self.schema is not None:
            if self.matching:
                written = actual
                expected, actual = with_defaults_of_both(expected, actual, self.schema, self._left_out)
                actual = _as_written(expected, written, actual)
            else:
                expected = with_defaults(expected, self.schema, self._left_out)
                actual = with_defaults(actual, self.schema, self._left_out)
        free = {("extra", "allow_extra"), ("missing", "allow_missing")}
        for gap in self._walk(expected, actual, ""):
            if (gap.form, mode) not in free or gap.path.count("/") != 1 or gap.absent:
                yield gap

    def _walk(self, expected: Any, actual: Any, path: str) -> Iterator[Gap]:
        if self.matching and isinstance(expected, Matcher):
            if not expected.accepts(actual, _Same(self, path)):
                yield Gap(path, "value", expected.as_json(), actual, expected.words())
            return
        wanted, made = expected, actual
        if self._normal is not None:
            # A text may be opened by decode_nested_json; the walk then goes on inside.
            wanted = self._normal.text(expected, path) if isinstance(expected, str) else expected
            made = self._normal.text(actual, path) if isinstance(actual, str) else actual
        if isinstance(wanted, dict) and isinstance(made, dict):
            yield from self._walk_objects(wanted, made, path)
        elif isinstance(wanted, list) and isinstance(made, list):
            yield from self._walk_arrays(wanted, made, path)
        elif isinstance(wanted, dict | list) or not self._same_leaf(wanted, made, path):
            yield Gap(path, "value", as_json(expected) if self.matching else expected, actual)

    def _walk_objects(self, expected: dict[str, Any], actual: dict[str, Any], path: str) -> Iterator[Gap]:
        for key, item in expected.items():
            child = join(path, key)
            if self.matching and isinstance(item, Matcher):
                yield from self._ask(item, key in actual, actual.get(key), child)
            elif self._left_out(item, child):
                # Left out here; a real value on the other side is then an extra key.
                if key in actual and not self._left_out(actual[key], child):
                    yield Gap(child, "extra", None, actual[key])
            elif key not in actual or self._left_out(actual[key], child):
                yield Gap(child, "missing", as_json(item) if self.matching else item, None)
            else:
                yield from self._walk(item, actual[key], child)
        for key, item in actual.items():
            if key not in expected and not self._left_out(item, join(path, key)):
                yield Gap(join(path, key), "extra", None, item)

    def _ask(self, matcher: Matcher, there: bool, made: Any, path: str) -> Iterator[Gap]:  # noqa: FBT001
        """What a matcher finds wrong about a key. It looks at what the agent wrote; only where that is not fine does an
        option have a say that takes it for left out.
        """
        if self._normal is not None and self._normal.drops(path):
            return
        gaps = list(self._walk(matcher, made, path)) if there else []
        left_out = not there or (bool(gaps) and self._left_out(made, path))
        if left_out and not matcher.optional:
            yield Gap(path, "missing", as_json(matcher), None)
        elif not left_out and matcher.absent:
            yield Gap(path, "extra", None, made, absent=True)
        elif not left_out:
            yield from gaps

    def _left_out(self, value: Any, path: str) -> bool:
        return self._normal is not None and self._normal.leaves_out(value, path)

    def _walk_arrays(self, expected: list[Any], actual: list[Any], path: str) -> Iterator[Gap]:
        if self._normal is not None and self._normal.is_unordered(path):
            yield from self._walk_unordered(expected, actual, path)
            return
        if self.matching and any(map(_optional, expected)):
            if not fits_in_order(expected, actual, _Same(self, path)):
                yield Gap(path, "value", as_json(expected), actual, _words_of(expected))
            return
        if len(expected) != len(actual):
            yield Gap(path, "length", as_json(expected) if self.matching else expected, actual)
            return
        gaps = [
            gap
            for index, item in enumerate(expected)
            for gap in self._walk(item, actual[index], join(path, index))
        ]
        if gaps and self._same_multiset(expected, actual, path):
            yield Gap(path, "order", as_json(expected) if self.matching else expected, actual)
        else:
            yield from gaps

    def _walk_unordered(self, expected: list[Any], actual: list[Any], path: str) -> Iterator[Gap]:
        loose = self.matching and any(map(_optional, expected))
        # Where options hold for single paths, each element is seen by those of its own.
        if self.matching and (loose or self.options.compares_as_written):
            try:
                if fits_in_any_order(expected, actual, _Same(self, join(path, 0))):
                    return
            except TooManyPairsError as error:
                raise EvaluatorError(f"an array without order: {error}", field=f"arguments{path}") from None
            if loose:
                yield Gap(path, "value", as_json(expected), actual, _words_of(expected))
                return
        if len(expected) != len(actual):
            yield Gap(path, "length", as_json(expected) if self.matching else expected, actual)
            return
        normal = self._normal_items(expected, path), self._normal_items(actual, path)
        partners = self._partners(*normal, path)
        taken = set(partners.values())
        free = [j for j in range(len(actual)) if j not in taken]
        for i, item in enumerate(expected):
            if i not in partners:
                j = free.pop(0)
                inner = list(self._walk(item, actual[j], join(path, i)))
                # Element options with a concrete index can make a pair equal here that was not above.
                yield from inner or [Gap(join(path, i), "value", as_json(item), actual[j])]

    def _normal_items(self, items: list[Any], path: str) -> list[Any]:
        if self._normal is None or self.matching:
            return items
        return [self._normal.value(item, join(path, index)) for index, item in enumerate(items)]

    def _same_multiset(self, expected: list[Any], actual: list[Any], path: str) -> bool:
        if self.matching:
            try:
                return len(expected) > 1 and fits_in_any_order(expected, actual, _Same(self, join(path, 0)))
            except TooManyPairsError:
                return False  # only another word for what differs
        left, right = self._normal_items(expected, path), self._normal_items(actual, path)
        return len(left) > 1 and sorted(map(canonical_key, left)) == sorted(map(canonical_key, right))


class _Same:
    """What a matcher asks about its own values: equality under the options that hold at its place."""

    __slots__ = ("_comparer", "_path")

    def __init__(self, comparer: Comparer, path: str) -> None:
        self._comparer = comparer
        self._path = path

    @property
    def exact(self) -> bool:
        return self._comparer.options.compares_as_written

    def __call__(self, expected: Any, actual: Any, /) -> bool:
        return self._comparer._close(expected, actual, self._path)  # noqa: SLF001 - its own


def _as_written(expected: Any, written: Any, filled: Any) -> Any:
    """What the agent made with its defaults filled in, but for what a matcher looks at.

    There it stays as it was written; only a key that the matcher would not have left out is filled in.
    """
    if not isinstance(expected, dict) or not isinstance(filled, dict) or not isinstance(written, dict):
        if isinstance(expected, list) and isinstance(filled, list) and len(expected) == len(filled):
            return [_as_written(*each) for each in zip(expected, written, filled, strict=True)]
        return filled
    found: dict[str, Any] = {}
    for key, value in filled.items():
        wanted = expected.get(key)
        if not isinstance(wanted, Matcher):
            found[key] = _as_written(wanted, written[key], value) if key in written else value
        elif key in written:
            found[key] = written[key]
        elif not wanted.optional:
            found[key] = value
    return found


def _words_of(items: list[Any]) -> str:
    """A list some of whose elements may be left out, in words."""
    shown = [item.words() if isinstance(item, Matcher) else show(item, 30) for item in items[:6]]
    return f"a list of {'; '.join(shown)}" + (f" and {len(items) - 6} more" if len(items) > 6 else "")


def _holds_list(value: Any) -> bool:
    return isinstance(value, list) or (isinstance(value, dict) and any(map(_holds_list, value.values())))


def _outline(value: Any) -> bytes:
    return canonical_key(_without_numbers(value))


def _optional(value: Any) -> bool:
    return isinstance(value, Matcher) and value.optional


def _plain_gaps(expected: Any, actual: Any, path: str, found: list[Gap]) -> None:
    """The walk without options, which is nearly every walk: no generator, no question about paths."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        for key, item in expected.items():
            if key not in actual:
                found.append(Gap(join(path, key), "missing", item, None))
                continue
            given = actual[key]
            # A text needs no look for booleans.
            if not (item == given if type(item) is str else same_value(item, given)):
                _plain_gaps(item, given, join(path, key), found)
        for key, item in actual.items():
            if key not in expected:
                found.append(Gap(join(path, key), "extra", None, item))
    elif isinstance(expected, list) and isinstance(actual, list):
        if len(expected) != len(actual):
            found.append(Gap(path, "length", expected, actual))
        elif len(expected) > 1 and sorted(map(canonical_key, expected)) == sorted(map(canonical_key, actual)):
            found.append(Gap(path, "order", expected, actual))
        else:
            for index, item in enumerate(expected):
                if not same_value(item, actual[index]):
                    _plain_gaps(item, actual[index], join(path, index), found)
    else:
        found.append(Gap(path, "value", expected, actual))


def _without_numbers(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_numbers(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_numbers(item) for item in value]
    return 0 if is_number(value) else value


PLAIN_COMPARER = Comparer()
