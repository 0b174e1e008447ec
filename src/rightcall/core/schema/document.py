"""A JSON Schema as one document: where its references lead, and which of its parts speak of a value, a key, an item."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from ..jsonvalue import InvalidJSONError, canonical, same_value
from ..matcher import Matcher

__all__ = ["NO_DEFAULT", "UNKNOWN", "Part", "SchemaDocument", "document_of", "parts_at", "without_references"]

Part = Mapping[str, Any]
"""A schema within the document."""

UNKNOWN: Final = object()
"""Stands for a value of which nothing is known but that it is not null."""

NO_DEFAULT: Final = object()
"""Stands for the default that is not declared."""

REFERENCES: Final = ("$ref", "$dynamicRef", "$recursiveRef")
NO_SCHEMAS: Final = frozenset({"default", "const", "enum", "example", "examples", "required"})
"""Keywords whose values hold no schemas, whatever they look like."""

_Home = tuple[str, Any]
"""The base URI that holds in a part, and the part that it names."""

LeftOut = Callable[[str, Any], bool]
"""Whether a value under a key counts as left out."""


def _nothing(key: str, value: Any) -> bool:
    return False


class SchemaDocument:
    """Resolves the references of a schema, to what stands in the schema itself only."""

    def __init__(self, root: Any) -> None:
        self.root = root
        self._homes: dict[int, _Home] | None = None
        self._named: dict[str, Any] = {}

    def target(self, reference: str, holder: Any) -> Any:
        """Where a reference in the part `holder` leads; None where it leads nowhere in this schema."""
        if self._homes is None:
            self._homes = {}
            self._look_through()
        base, home = self._homes.get(id(holder), ("", self.root))
        if not reference.startswith("#"):
            whole = _uri(base, reference)
            base, _, fragment = whole.partition("#")
            home = self._named.get(base)
        else:
            fragment = reference[1:]
        fragment = _unquoted(fragment)
        if not fragment:
            return home
        if fragment.startswith("/"):
            return _pointed(home, fragment)
        return self._named.get(f"{base}#{fragment}")

    def _look_through(self) -> None:
        """Find the names that parts give themselves, and the base URI in each part."""
        assert self._homes is not None  # noqa: S101 - set by the only caller
        left: list[tuple[Any, _Home]] = [(self.root, ("", self.root))]
        while left:
            node, home = left.pop()
            if isinstance(node, list):
                left += [(item, home) for item in node]
            if not isinstance(node, Mapping) or id(node) in self._homes:
                continue
            own = node.get("$id", node.get("id"))
            if isinstance(own, str) and own.startswith("#"):
                self._named.setdefault(home[0] + own, node)
            elif isinstance(own, str):
                home = (_uri(home[0], own).removesuffix("#"), node)
                self._named.setdefault(home[0], node)
            for key in ("$anchor", "$dynamicAnchor"):
                if isinstance(node.get(key), str):
                    self._named.setdefault(f"{home[0]}#{node[key]}", node)
            self._homes[id(node)] = home
            left += [(item, home) for key, item in node.items() if key not in NO_SCHEMAS]

    def sure(self, part: Any) -> list[Part]:
        """A part with all that certainly holds beside it: where it refers to, and its ``allOf``."""
        found: list[Part] = []
        self._add(part, found, set(), None)
        return found

    def applied(self, parts: Iterable[Any], *values: Any, left_out: LeftOut = _nothing) -> list[Part]:
        """Parts with all that holds beside them for values: of alternatives the only one that fits each of them."""
        found: list[Part] = []
        seen: set[int] = set()
        for part in parts:
            self._add(part, found, seen, (values or (UNKNOWN,), left_out))
        return found

    def _add(
        self,
        part: Any,
        found: list[Part],
        seen: set[int],
        chosen_by: tuple[tuple[Any, ...], LeftOut] | None,
    ) -> None:
        left = [part]
        while left:
            each = left.pop()
            if not isinstance(each, Mapping) or id(each) in seen:
                continue
            seen.add(id(each))
            found.append(each)
            more = [self.target(each[key], each) for key in REFERENCES if isinstance(each.get(key), str)]
            more += _listed(each, "allOf")
            if chosen_by is not None:
                more += self._chosen(each, *chosen_by)
            left += reversed(more)

    def _chosen(self, part: Part, values: tuple[Any, ...], left_out: LeftOut) -> Iterator[Any]:
        """Of each list of alternatives the one that fits, where no other does."""
        for key in ("anyOf", "oneOf"):
            fitting = [
                branch
                for branch in _listed(part, key)
                if all(self._fits(branch, value, left_out) for value in values)
            ]
            if fitting and all(branch == fitting[0] for branch in fitting[1:]):
                yield fitting[0]

    def _fits(self, branch: Any, value: Any, left_out: LeftOut) -> bool:
        """Whether a value could be meant by an alternative, by what is seen without looking into its values."""
        if isinstance(value, Matcher) or not isinstance(branch, Mapping):
            return branch is not False
        parts = self.sure(branch)
        if value is UNKNOWN:
            return not any(_types(part) == {"null"} for part in parts)
        kinds = _kinds(value)
        for part in parts:
            if (types := _types(part)) and kinds.isdisjoint(types):
                return False
            if not _is_one_of(value, part):
                return False
        return not isinstance(value, Mapping) or self._has_keys(value, parts, left_out)

    def _has_keys(self, value: Mapping[str, Any], parts: Sequence[Part], left_out: LeftOut) -> bool:
        there = {key: item for key, item in value.items() if not left_out(key, item)}
        for part in parts:
            for key, declared in _properties(part).items():
                if key in there and not all(_is_one_of(there[key], each) for each in self.sure(declared)):
                    return False
            for key in _texts(part.get("required")):
                if key not in there and self.default(self.of_key(parts, key)) is NO_DEFAULT:
                    return False
            closed = part.get("additionalProperties") is False and not part.get("patternProperties")
            if closed and not there.keys() <= _properties(part).keys():
                return False
        return True

    def of_key(self, parts: Iterable[Part], key: str) -> list[Any]:
        """What these parts say of the value under a key."""
        found: list[Any] = []
        for part in parts:
            properties = _properties(part)
            if key in properties:
                found.append(properties[key])
            elif isinstance(part.get("additionalProperties"), Mapping):
                found.append(part["additionalProperties"])
        return found

    def of_item(self, parts: Iterable[Part], index: int) -> list[Any]:
        """What these parts say of an item of a list."""
        found: list[Any] = []
        for part in parts:
            items, first = part.get("items"), part.get("prefixItems")
            rest = items
            if isinstance(items, list):  # as drafts before 2020 had it
                first, rest = items, part.get("additionalItems")
            if isinstance(first, list) and index < len(first):
                found.append(first[index])
            elif isinstance(rest, Mapping):
                found.append(rest)
        return found

    def default(self, parts: Iterable[Any]) -> Any:
        """The default that is declared for a value: the nearest, where several are; NO_DEFAULT where none is."""
        for part in parts:
            for each in self.sure(part):
                if "default" in each:
                    return _canonical(each["default"])
        return NO_DEFAULT


_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_HOST: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^/]*")
_QUOTED: Final = re.compile(rb"%([0-9a-fA-F]{2})")


def _uri(base: str, reference: str) -> str:
    """The URI that a reference stands for under a base; the steps ``.`` and ``..`` are not walked."""
    if not base or _SCHEME.match(reference):
        return reference
    if reference.startswith("/"):
        host = _HOST.match(base)
        return (host[0] if host else "") + reference
    folder, slash, _ = base.rpartition("/")
    return folder + slash + reference


def _unquoted(fragment: str) -> str:
    if "%" not in fragment:
        return fragment
    data = _QUOTED.sub(
        lambda found: bytes.fromhex(found[1].decode()), fragment.encode("utf-8", "surrogatepass")
    )
    return data.decode("utf-8", "replace")


def _pointed(home: Any, pointer: str) -> Any:
    for step in pointer.split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        if isinstance(home, Mapping):
            home = home.get(key)
        elif isinstance(home, list) and key.isdecimal() and int(key) < len(home):
            home = home[int(key)]
        else:
            return None
    return home


def _listed(part: Part, key: str) -> list[Any]:
    found = part.get(key)
    return found if isinstance(found, list) else []


def _properties(part: Part) -> Mapping[str, Any]:
    found = part.get("properties")
    return found if isinstance(found, Mapping) else {}


def _types(part: Part) -> set[str]:
    written = part.get("type")
    return {written} if isinstance(written, str) else set(_texts(written))


def _texts(value: Any) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _kinds(value: Any) -> set[str]:
    """The JSON types of a canonical value."""
    if isinstance(value, bool):
        return {"boolean"}
    for kind, name in ((str, "string"), (list, "array"), (Mapping, "object"), (type(None), "null")):
        if isinstance(value, kind):
            return {name}
    return {"number", "integer"} if isinstance(value, int) else {"number"}


def _is_one_of(value: Any, part: Any) -> bool:
    """Whether a value is among those that a part lists, where it lists any."""
    if isinstance(value, Matcher) or not isinstance(part, Mapping):
        return True
    if "const" in part and not _alike(part["const"], value):
        return False
    allowed = part.get("enum")
    return not isinstance(allowed, list) or any(_alike(item, value) for item in allowed)


def _alike(listed: Any, value: Any) -> bool:
    """Whether a listed value may be meant by another one: options may take `"A "` for `"a"`, and `"1"` for 1."""
    return same_value(_canonical(listed), value) or _in_words(listed) == _in_words(value)


def _in_words(value: Any) -> str:
    return str(value).strip().casefold()


def _canonical(value: Any) -> Any:
    """A value of a schema; one that came as a Python object may hold 5.0 for 5."""
    try:
        return canonical(value)
    except InvalidJSONError:
        return value


class _Same:
    """A schema as a key: equal to itself alone, and kept, so that no other object can take its place."""

    __slots__ = ("schema",)

    def __init__(self, schema: Any) -> None:
        self.schema = schema

    def __hash__(self) -> int:
        return id(self.schema)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.schema is self.schema


@lru_cache(maxsize=256)
def _known(schema: _Same) -> SchemaDocument:
    return SchemaDocument(schema.schema)


def document_of(schema: Any) -> SchemaDocument:
    """The document of a schema, which nobody changes; rows of one data set mostly share theirs."""
    return _known(_Same(schema))


def parts_at(schema: Any, path: str) -> Iterator[Part]:
    """What a schema says of the value at a JSON pointer, the nearest first."""
    document = document_of(schema)
    parts = document.applied([schema])
    for step in path.split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        found = document.of_key(parts, key)
        if key.isdecimal():
            found += document.of_item(parts, int(key))
        parts = document.applied(found)
    yield from parts


_MOST_PARTS: Final = 2_000
"""Parts of a schema without its references; what they lead to may be written down many times over."""


def without_references(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """A schema in which each reference is what it leads to, for those who look at a schema key by key.

    A part that leads back into itself ends there, as a part of which nothing is known. A schema without references is
    returned as it is.
    """
    return _known_without(_Same(schema))


@lru_cache(maxsize=256)
def _known_without(schema: _Same) -> Mapping[str, Any]:
    if not _refers(schema.schema):
        return schema.schema  # type: ignore[no-any-return]  # as it was given
    return _Flattening(document_of(schema.schema)).part(schema.schema, frozenset())


def _refers(schema: Any) -> bool:
    left = [schema]
    while left:
        node = left.pop()
        if isinstance(node, Mapping):
            if not node.keys().isdisjoint(REFERENCES):
                return True
            left += [item for key, item in node.items() if key not in NO_SCHEMAS]
        elif isinstance(node, list):
            left += node
    return False


class _Flattening:
    def __init__(self, document: SchemaDocument) -> None:
        self._document = document
        self._left = _MOST_PARTS

    def part(self, schema: Any, within: frozenset[int]) -> Mapping[str, Any]:
        parts = self._document.applied([schema])
        if not within.isdisjoint(map(id, parts)) or self._left <= 0:
            return {}
        self._left -= 1
        within |= {id(each) for each in parts}
        merged: dict[str, Any] = {}
        for each in reversed(parts):  # the nearest has the last word
            merged |= {key: item for key, item in each.items() if key not in _JOINED}
        keys = dict.fromkeys(key for each in parts for key in _properties(each))
        if keys:
            merged["properties"] = {
                key: self._joined(self._document.of_key(parts, key), within) for key in keys
            }
        items = merged.get("items")
        if isinstance(items, Mapping):
            merged["items"] = self.part(items, within)
        return merged

    def _joined(self, parts: Sequence[Any], within: frozenset[int]) -> Mapping[str, Any]:
        return self.part(parts[0] if len(parts) == 1 else {"allOf": list(parts)}, within)


_JOINED: Final = frozenset({*REFERENCES, "allOf", "anyOf", "oneOf", "$defs", "definitions", "properties"})
