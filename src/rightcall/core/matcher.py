"""What every matcher has (contract 6): a value that says which values are fine, instead of being one."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from types import ModuleType
from typing import Any, Final, Protocol

from msgspec import Struct

from ..errors import EvaluatorError, ExpectationError, nearest
from .jsonvalue import MAX_DEPTH, InvalidJSONError, canonical, has_lone_surrogate, show
from .registry import Registry

__all__ = [
    "MATCHERS",
    "Foreign",
    "Matcher",
    "MatcherDeclaration",
    "MatcherKind",
    "Means",
    "Parsing",
    "Same",
    "Validate",
    "as_json",
    "holds_matcher",
    "is_whole_matcher",
    "matcher_key",
    "parse_expected",
    "parse_value",
    "under",
]


class Same(Protocol):
    """Whether an expected value, which may hold matchers, and an actual one are the same under the options in force.

    Attributes:
        exact: whether plain values are compared as they stand, so that equal ones are found by their key.
    """

    @property
    def exact(self) -> bool:
        """See the class."""

    def __call__(self, expected: Any, actual: Any, /) -> bool:
        """Whether they are the same."""


Validate = Callable[[Any, Any], bool]
"""Whether a value satisfies a JSON Schema; injected, since it needs a library."""

Means = Callable[[Any, Any], bool]
"""Whether a value means the same as another one; injected, since judging needs libraries."""


class Matcher:
    """Says which actual values are fine. Immutable; equal to nothing but itself.

    What decides is kept in slots; what is only made of these has a name with an underscore (:func:`matcher_key`).
    """

    __slots__ = ()

    @property
    def optional(self) -> bool:
        """Whether its key, or the element of a list, may be left out."""
        return False

    @property
    def absent(self) -> bool:
        """Whether its key must be left out."""
        return False

    def accepts(self, actual: Any, same: Same) -> bool:
        """Whether an actual value (canonical JSON) is fine."""
        raise NotImplementedError

    def words(self) -> str:
        """What is expected, to stand after "expected"."""
        raise NotImplementedError

    def as_json(self) -> Any:
        """The matcher as it is written in JSON."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return show(self.as_json(), 200)


class Parsing(Protocol):
    """What a matcher needs while its JSON is read: its inner values may hold matchers themselves."""

    validate: Validate | None
    means: Means | None

    def inner(self, value: Any, place: str) -> Any:
        """The value with its matchers made."""

    def fields(self, value: Mapping[str, Any], place: str) -> dict[str, Any]:
        """The values of an object that is no matcher itself, with their matchers made."""


class MatcherDeclaration(Struct, frozen=True, kw_only=True):
    """A matcher's name and form.

    Attributes:
        id: its name without the ``$``.
        meaning: one line.
        schema: JSON Schema of the value under the name.
        nests: whether that value, or what is in it, may hold matchers again.
        options: JSON Schemas of the fields that may stand beside it.
        example: a matcher in JSON.
        accepts, refuses: values that the example takes, and others that it does not.
    """

    id: str
    meaning: str
    schema: dict[str, Any]
    nests: bool = False
    options: dict[str, dict[str, Any]] = {}
    example: Any = None
    accepts: tuple[Any, ...] = ()
    refuses: tuple[Any, ...] = ()


class MatcherKind(Struct, frozen=True):
    """One kind of matcher: `parse(fields, parsing, place)` makes one from its JSON object."""

    declaration: MatcherDeclaration
    parse: Callable[[Mapping[str, Any], Parsing, str], Any]


def _kind_of(module: ModuleType) -> MatcherKind:
    return MatcherKind(module.DECLARATION, module.parse)


MATCHERS: Registry[MatcherKind] = Registry("rightcall.core.comparators", "matcher", _kind_of)


class Foreign(Matcher):
    """A Python object of another library whose ``==`` answers (dirty-equals, ``unittest.mock.ANY``)."""

    __slots__ = ("_place", "value")

    def __init__(self, value: object, place: str | None = None) -> None:
        self.value = value
        self._place = place

    def accepts(self, actual: Any, same: Same) -> bool:
        """By its own ``==``.

        Raises:
            EvaluatorError: it raised.
        """
        try:
            return bool(self.value == actual)
        except Exception as error:
            why = f"{type(error).__name__}: {_in_words(error, str)}".removesuffix(": ")
            message = f"{self.words()} can't be compared with {show(actual, 40)}: {why}"
            raise EvaluatorError(message, field=self._place) from error

    def words(self) -> str:
        """Its own representation; the name of its class where it has none, or none that works."""
        kind = type(self.value)
        # An address says nothing, and differs from run to run.
        own = "" if kind.__repr__ is object.__repr__ else _in_words(self.value, repr)
        return own or f"an object of class {kind.__name__}"

    def as_json(self) -> Any:
        """For reading only: no JSON can make the object again."""
        return {"$python": self.words()}


def _in_words(value: object, write: Callable[[object], str]) -> str:
    """What an object of somebody else's says of itself; nothing where it raises."""
    try:
        return str(write(value))[:200].encode("utf-8", "backslashreplace").decode()
    except Exception:  # noqa: BLE001 - whatever their code does
        return ""


class _Parser:
    def __init__(self, validate: Validate | None, means: Means | None) -> None:
        self.validate = validate
        self.means = means
        self._level = 0

    def inner(self, value: Any, place: str) -> Any:
        if isinstance(value, Matcher):
            return value
        if isinstance(value, Mapping):
            first = next(iter(value), None)
            if isinstance(first, str) and first.startswith("$"):
                return self._matcher(value, first[1:], place)
            return self._deeper(value, place)
        if isinstance(value, list | tuple):
            return self._deeper(value, place)
        try:
            return canonical(value)
        except InvalidJSONError as error:
            if callable(value):
                hint = "did you mean to call it? Matchers are made by a call: any_()"
                raise ExpectationError(str(error), field=place, hint=hint) from None
            if not _compares(value) or isinstance(value, str | int | float):
                raise ExpectationError(str(error), field=place) from None
            return Foreign(value, place)

    def fields(self, value: Mapping[str, Any], place: str) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, item in value.items():
            if not isinstance(key, str):
                raise ExpectationError(f"the key {show(key)} is not a text", field=place)
            if has_lone_surrogate(key):
                raise ExpectationError("a lone surrogate (half of a character) in a key", field=place)
            found[str.__str__(key)] = self.inner(item, under(place, key))
        return found

    def _deeper(self, value: Any, place: str) -> Any:
        self._level += 1
        try:
            if self._level > MAX_DEPTH:
                raise ExpectationError(f"nested more than {MAX_DEPTH} levels deep", field=place)
            if isinstance(value, Mapping):
                return self.fields(value, place)
            return [self.inner(item, under(place, index)) for index, item in enumerate(value)]
        finally:
            self._level -= 1

    def _matcher(self, fields: Mapping[str, Any], name: str, place: str) -> Any:
        if name not in MATCHERS:
            near = nearest(name, MATCHERS.ids())
            mean = (
                f"did you mean '${near}'? "
                if near
                else f"known: {', '.join(f'${id_}' for id_ in MATCHERS.ids())}. "
            )
            raise ExpectationError(
                f"unknown matcher {show('$' + name)}",
                field=place,
                hint=mean + 'A value that looks like a matcher is written {"$literal": ..}',
            )
        kind = MATCHERS.get(name)
        known = kind.declaration.options
        for key in fields:
            if key != f"${name}" and key not in known:
                near = nearest(str(key), known)
                hint = (
                    f"did you mean {near!r}?" if near else f"beside ${name}: {', '.join(known) or 'nothing'}"
                )
                raise ExpectationError(f"{key!r} can't stand beside ${name}", field=place, hint=hint)
        if not kind.declaration.nests and has_lone_surrogate(dict(fields)):
            raise wrong(name, "holds a lone surrogate (half of a character)", place)
        self._level += 1
        try:
            if self._level > MAX_DEPTH:
                raise ExpectationError(f"nested more than {MAX_DEPTH} levels deep", field=place)
            return kind.parse(fields, self, place)
        finally:
            self._level -= 1


def parse_expected(
    arguments: Mapping[str, Any],
    place: str,
    *,
    validate: Validate | None = None,
    means: Means | None = None,
) -> dict[str, Any]:
    """Expected arguments with their matchers made; everything else in canonical form.

    The arguments object itself is no matcher, but for ``{"$literal": {..}}``.

    Args:
        arguments: a decoded object, or a Python one that may hold matchers and foreign objects.
        place: where they stand, for errors.
        validate: judges values by ``$schema``; without it such a matcher is refused.
        means: judges values by ``$semantic``; the same.

    Raises:
        ExpectationError: a matcher of an unknown name or form, or one in the place of the arguments as a whole; the
            error says which is meant.
    """
    try:
        if is_whole_matcher(arguments):
            return _whole(arguments, place)
        return _Parser(validate, means).fields(arguments, place)
    except RecursionError:
        raise ExpectationError("nested too deeply", field=place) from None


def parse_value(
    value: Any, place: str = "", *, validate: Validate | None = None, means: Means | None = None
) -> Any:
    """One expected value with its matchers made; see :func:`parse_expected`."""
    try:
        return _Parser(validate, means).inner(value, place)
    except RecursionError:
        raise ExpectationError("nested too deeply", field=place) from None


def is_whole_matcher(arguments: Mapping[str, Any]) -> bool:
    """Whether an arguments object as a whole is written as a matcher: its name, and what may stand beside it, alone.

    A tool may well have an argument called ``$filter``, or ``$schema`` among others.
    """
    first = next(iter(arguments), None)
    if not isinstance(first, str) or not first.startswith("$") or first[1:] not in MATCHERS:
        return False
    known = MATCHERS.get(first[1:]).declaration.options
    return all(key == first or key in known for key in arguments)


def _whole(arguments: Mapping[str, Any], place: str) -> dict[str, Any]:
    """The arguments that ``$literal`` says; any other matcher can't stand for them."""
    name: str = next(iter(arguments))
    plain = arguments[name]
    if name == "$literal" and isinstance(plain, Mapping):
        try:
            found: dict[str, Any] = canonical(plain)
        except InvalidJSONError as error:
            raise ExpectationError(str(error), field=under(place, name)) from None
        return found
    meant = _INSTEAD.get(name, "a matcher stands in the place of an argument's value")
    hint = f'{meant}. An argument that is really called so: {{"$literal": {{"{name}": ..}}}}'
    raise ExpectationError(
        f"{name} stands for a value, not for the arguments as a whole",
        field=place,
        hint=hint,
    )


_INSTEAD: Final = {
    "$any": 'any arguments are fine with "options": {"args": "ignore"} on the call',
    "$at_least": 'other keys are fine with "options": {"args": "allow_extra"} on the call',
    "$one_of": 'write the other calls as "alternatives" of the first',
    "$optional": 'a call that may be left out has "optional": true',
    "$absent": 'a call that must not be made is "forbidden"',
}


def under(place: str, *steps: str | int) -> str:
    """The place of something inside another: ``arguments.x.$one_of[0]``, the middle left out where it gets long."""
    for step in steps:
        place += f"[{step}]" if isinstance(step, int) else f".{step}" if place else step
    return place if len(place) <= _LONGEST_PLACE else f"{place[:_BEGIN]}…{place[-_END:]}"


_LONGEST_PLACE: Final = 200
_BEGIN, _END = 100, 60


def holds_matcher(value: Any, level: int = 0) -> bool:
    """Whether a value holds something that is read as a matcher: a ``$`` object, or an object of Python's own.

    At level 0 it is the arguments object itself.
    """
    if isinstance(value, Matcher):
        return True
    if isinstance(value, Mapping):
        if not level and is_whole_matcher(value):
            return True
        first = next(iter(value), None)
        if level and isinstance(first, str) and first.startswith("$"):
            return True
        return level <= MAX_DEPTH and any(holds_matcher(item, level + 1) for item in value.values())
    if isinstance(value, list | tuple):
        return level <= MAX_DEPTH and any(holds_matcher(item, level + 1) for item in value)
    if value is None or isinstance(value, str | int | float | bytes):
        return False
    if callable(value):
        return True  # a matcher's function without its call: reading it says so
    return _compares(value) and not _is_number(value)


def _compares(value: object) -> bool:
    """Whether ``==`` of a value's class is its own."""
    own: object = type(value).__eq__
    return own is not object.__eq__


def _is_number(value: Any) -> bool:
    try:
        canonical(value)
    except (InvalidJSONError, RecursionError):
        return False
    return True


def as_json(value: Any) -> Any:
    """A value with matchers as plain JSON, as it is written."""
    if isinstance(value, Matcher):
        return value.as_json()
    if isinstance(value, dict):
        if next(iter(value), "").startswith("$"):
            return {"$literal": value}  # what looks like a matcher and was made into none
        return {key: as_json(item) for key, item in value.items()}
    return [as_json(item) for item in value] if isinstance(value, list) else value


def matcher_key(value: Any) -> Hashable:
    """A hash key of an expected value with matchers: values with one key take the same."""
    if isinstance(value, Foreign):
        return Foreign, id(value.value)
    if isinstance(value, Matcher):
        kind = type(value)
        slots: Iterable[str] = kind.__slots__
        return kind, *(matcher_key(getattr(value, slot)) for slot in slots if slot[0] != "_")
    if isinstance(value, Mapping):
        return dict, frozenset((key, matcher_key(item)) for key, item in value.items())
    if isinstance(value, list | tuple):
        return list, *map(matcher_key, value)
    return type(value) is bool, value


def wrong(name: str, what: str, place: str) -> ExpectationError:
    """The error for a matcher of the right name and the wrong form."""
    return ExpectationError(
        f"${name} {what}", field=place, hint=f"form: {show(MATCHERS.get(name).declaration.example)}"
    )


NUMBER: Final = {"type": "number"}
ANYTHING: Final[dict[str, Any]] = {}
