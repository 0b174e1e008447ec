"""One form for values that an option makes the same.

The options that normalise (all but `numeric_tolerance`, `allow_extra`, `allow_missing`) are applied to both
sides, so that equality stays an equivalence relation and equal calls can be found by hash.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any, Literal, cast

from ..jsonvalue import InvalidJSONError, canonical_key, decode, depth_exceeds
from ..options import Comparison
from ..paths import join
from ..schema.defaults import with_defaults, with_defaults_of_both

__all__ = ["Normalizer", "with_defaults", "with_defaults_of_both"]


class Normalizer:
    """Brings arguments into the form in which they are compared.

    Args:
        options: what holds for this call.
        schema: the JSON Schema of the tool's arguments, for `schema_defaults`.
    """

    def __init__(self, options: Comparison, schema: Mapping[str, Any] | None = None) -> None:
        self._options = options
        self._schema = schema if options.schema_defaults else None
        # With a tolerance the elements of an unordered array are paired later, not sorted here.
        self._sorts = bool(options.unordered) and not options.numeric_tolerance

    def __call__(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """The normal form of a readable arguments object; the input is not modified."""
        if self._schema is not None:
            arguments = with_defaults(arguments, self._schema, self.leaves_out)
        return cast(dict[str, Any], self.value(arguments, ""))

    def leaves_out(self, value: Any, path: str) -> bool:
        """Whether the value under the key at `path` counts as left out."""
        if self.drops(path):
            return True
        if not self.null_is_missing(path):
            return False
        return value is None or (isinstance(value, str) and self.text(value, path) is None)

    def value(self, value: Any, path: str) -> Any:
        """The normal form of the value at `path`."""
        if isinstance(value, str):
            value = self.text(value, path)
        if isinstance(value, dict):
            return self._object(value, path)
        if isinstance(value, list):
            items = [self.value(item, join(path, index)) for index, item in enumerate(value)]
            return sorted(items, key=canonical_key) if self._sorts and self.is_unordered(path) else items
        return value

    def text(self, text: str, path: str) -> Any:
        """A text after the options that concern texts; may come out as another kind of value."""
        options = self._options
        if (
            options.decode_nested_json
            and options.decode_nested_json.at(path)
            and text.lstrip()[:1] in ("{", "[")
        ):
            nested = _decoded(text)
            if isinstance(nested, (dict, list)) and not depth_exceeds(nested):
                return nested
        form = options.unicode.at(path)
        if form is not None:
            text = unicodedata.normalize(cast(Literal["NFC"], form), text)
        if options.strip and options.strip.at(path):
            text = text.strip()
        if options.ignore_case and options.ignore_case.at(path):
            text = text.casefold()
        # Last, so that another option can only make more texts the spelling of a value, never fewer.
        if options.coerce_types and options.coerce_types.at(path):
            scalar = _scalar(text)
            if scalar is not _NOT_A_SCALAR:
                return scalar
        return text

    def drops(self, path: str) -> bool:
        """Whether `ignore` takes the value at `path` out of both sides."""
        return bool(self._options.ignore and self._options.ignore.at(path))

    def is_unordered(self, path: str) -> bool:
        """Whether the array at `path` is compared without order."""
        return bool(self._options.unordered.at(path))

    def null_is_missing(self, path: str) -> bool:
        """Whether null under the key at `path` counts as left out."""
        return bool(self._options.null_equals_missing.at(path))

    def _object(self, value: dict[str, Any], path: str) -> dict[str, Any]:
        kept: dict[str, Any] = {}
        for key, item in value.items():
            child = join(path, key)
            if self.drops(child):
                continue
            normal = self.value(item, child)
            # After the other options, so that a text "null" which coerce_types makes null is left out too.
            if normal is not None or not self.null_is_missing(child):
                kept[key] = normal
        return kept


_NOT_A_SCALAR = object()


def _decoded(text: str) -> Any:
    try:
        return decode(text)
    except InvalidJSONError:
        return None


def _scalar(text: str) -> Any:
    """The number, boolean or null that `text` is the JSON spelling of (``02139``, `` 1`` and ``True`` are not)."""
    if not text or text[0] not in "-0123456789tfn" or text[-1] not in "0123456789el":
        return _NOT_A_SCALAR
    try:
        return decode(text)
    except InvalidJSONError:
        return _NOT_A_SCALAR
