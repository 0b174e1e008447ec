"""What every matcher has (contract 6): a value that says which values are fine, instead of being one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any, ClassVar, Final, Protocol

from msgspec import Struct

from ..errors import EvaluatorError, ExpectationError, nearest
from .jsonvalue import MAX_DEPTH, InvalidJSONError, canonical, show
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
    "parse_expected",
]

Same = Callable[[Any, Any], bool]
"""Whether an expected value, which may hold matchers, and an actual one are the same under the options in force."""

Validate = Callable[[Any, Any], bool]
"""Whether a value satisfies a JSON Schema; injected, since it needs a library."""

Means = Callable[[Any, Any], bool]
"""Whether a value means the same as another one; injected, since judging needs libraries."""


class Matcher:
    """Says which actual values are fine. Immutable; equal to nothing but itself.

    Attributes:
        optional: the key may be left out.
        absent: the key must be left out.
    """

    __slots__ = ()
    optional: ClassVar[bool] = False
    absent: ClassVar[bool] = False

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

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        self.value = value

    def accepts(self, actual: Any, same: Same) -> bool:
        """By its own ``==``.

        Raises:
            EvaluatorError: it raised.
        """
        try:
            return bool(self.value == actual)
        except Exception as error:
            message = (
                f"{self.words()} can't be compared with {show(actual, 40)}: {type(error).__name__}: {error}"
            )
            raise EvaluatorError(message) from error

    def words(self) -> str:
        """Its own representation."""
        return repr(self.value)[:200]

    def as_json(self) -> Any:
        """For reading only: no JSON can make the object again."""
        return {"$python": self.words()}


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
            return Foreign(value)

    def _deeper(self, value: Any, place: str) -> Any:
        self._level += 1
        try:
            if self._level > MAX_DEPTH:
                raise ExpectationError(f"nested more than {MAX_DEPTH} levels deep", field=place)
            if isinstance(value, Mapping):
                return {
                    str(canonical(key)): self.inner(item, f"{place}.{key}") for key, item in value.items()
                }
            return [self.inner(item, f"{place}[{index}]") for index, item in enumerate(value)]
        except InvalidJSONError as error:
            raise ExpectationError(str(error), field=place) from None
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

    The arguments object itself is never a matcher.

    Args:
        arguments: a decoded object, or a Python one that may hold matchers and foreign objects.
        place: where they stand, for errors.
        validate: judges values by ``$schema``; without it such a matcher is refused.
        means: judges values by ``$semantic``; the same.

    Raises:
        ExpectationError: a matcher of an unknown name or form; the error says which is meant.
    """
    parser = _Parser(validate, means)
    try:
        return {str(canonical(key)): parser.inner(item, f"{place}.{key}") for key, item in arguments.items()}
    except InvalidJSONError as error:
        raise ExpectationError(str(error), field=place) from None
    except RecursionError:
        raise ExpectationError("nested too deeply", field=place) from None


def holds_matcher(value: Any, level: int = 0) -> bool:
    """Whether a value holds something that is read as a matcher: a ``$`` object, or an object of Python's own."""
    if isinstance(value, Matcher):
        return True
    if isinstance(value, Mapping):
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
        return {key: as_json(item) for key, item in value.items()}
    return [as_json(item) for item in value] if isinstance(value, list) else value


def wrong(name: str, what: str, place: str) -> ExpectationError:
    """The error for a matcher of the right name and the wrong form."""
    return ExpectationError(
        f"${name} {what}", field=place, hint=f"form: {show(MATCHERS.get(name).declaration.example)}"
    )


NUMBER: Final = {"type": "number"}
ANYTHING: Final[dict[str, Any]] = {}
