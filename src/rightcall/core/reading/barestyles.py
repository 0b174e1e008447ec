"""The styles in which models write calls without marks of their own: read when they are named, since prose may look
alike.

Prose holds no call. What begins as a call and goes on as something else is an error rather than half a reading.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Final

from ...errors import CallError
from ..arguments import Arguments, Unread
from ..jsonvalue import InvalidJSONError
from . import textstyles
from .literals import arguments_of_text
from .pycalls import CALL_STARTS, python_call, python_value, without_escapes
from .spoken import Spoken, Tools, calls_in, extent

__all__ = ["MODEL_TEXT", "fenced_json", "model_text", "name_then_json", "python_calls"]

_BEFORE: Final = re.compile(r"(?:\s|<\|\w{1,40}\|>(?:assistant\b)?)*+")
"""Blanks and the special tokens with which some models begin."""
_FENCE: Final = re.compile(r"```[ \t]*+(\w{0,20})[ \t]*+\n?(.*?)(?:```|\Z)", re.DOTALL)
_COMMENTS: Final = re.compile(r"(?:\s|#[^\n]*+)*+")
_AFTER: Final = re.compile(r"[ \t]*+[,;.]?[ \t]*+(?:#[^\n]*+)?(?:\n|\Z|```|<\|)")
"""What may follow the last call on its line."""
_NEXT: Final = re.compile(r"[ \t]*+(?:[,;]|\n)(?:[\s,;]|#[^\n]*+)*+")
_QUOTES: Final = ("'", '"')
_NAME_JSON: Final = re.compile(r"(?m)^[ \t]*+([^\W\d][\w.\-]{0,199})[ \t]*+\n\s*+(?=\{)")
_MOST_LISTS: Final = 3
"""Lists of calls within lists."""


def python_calls(text: str, tools: Tools) -> Iterator[Spoken]:
    """Calls as Python writes them, at the beginning of a text or in its first fence that holds nothing else."""
    plain = without_escapes(text)
    # Places are those of the text as it was given only where nothing was taken out of it.
    whole = plain is text or plain == text
    begin = _BEFORE.match(plain)
    place = 0 if begin is None else begin.end()
    found = _at(plain, place) if plain[place : place + 3] != "```" else None
    if found is None:
        found = _fenced(plain)
    for spoken in found or ():
        if not whole:
            spoken.start, spoken.end = 0, len(text)
        yield spoken


def _fenced(text: str) -> list[Spoken] | None:
    for fence in _FENCE.finditer(text):
        start = _COMMENTS.match(text, fence.start(2), fence.end(2))
        found = _at(text, start.end() if start is not None else fence.start(2), fence.end(2))
        if found:
            for spoken in found:
                spoken.start, spoken.end = fence.span()
            return found
    return None


def _at(text: str, start: int, fence: int | None = None) -> list[Spoken] | None:
    """The calls that begin at `start`; None where there is something else.

    Raises:
        CallError: a list of calls that goes on as something else.
    """
    head = text[start : start + 1]
    if head == "[":
        return _lists(text, start, fence)
    if head in _QUOTES and CALL_STARTS.match(text, start) is None:
        return _quoted(text, start)
    return _sequence(text, start, fence)


def _lists(text: str, start: int, fence: int | None) -> list[Spoken] | None:
    """Lists of calls one after the other; None where a sentence goes on behind them."""
    found: list[Spoken] = []
    end = place = start
    while text[place : place + 1] == "[":
        read = _list(text, place)
        if read is None:
            return found or None
        found += read[0]
        end = read[1]
        between = _NEXT.match(text, end)
        place = len(text) if between is None else between.end()
    ended = _AFTER.match(text, end) is not None or (fence is not None and not text[end:fence].strip())
    if not found or not ended:
        return None
    for spoken in found:
        spoken.start, spoken.end = start, end  # brackets and commas are no words of the model
    return found


def _sequence(text: str, start: int, fence: int | None) -> list[Spoken] | None:
    """Calls one after the other, with commas, semicolons or line ends between."""
    found: list[Spoken] = []
    place = start
    while (call := python_call(text, place)) is not None:
        unclear = isinstance(call.arguments, Unread)
        if (_AFTER.match(text, call.end) is None and _NEXT.match(text, call.end) is None) or (
            unclear and call.cut and not call.keyed
        ):
            break
        found.append(_spoken(call.name, call.arguments, place, call.end, call.warnings))
        place = call.end
        between = _NEXT.match(text, place)
        if between is None:
            break
        place = between.end()
    if not found:
        return None
    last = found[-1].end
    for before, spoken in pairwise(found):
        before.end = spoken.start
    rest = text[last:fence] if fence is not None else ""
    if _AFTER.match(text, last) is None or rest.strip().strip(",;"):
        return None  # a sentence, or a program, that calls something
    return found


def _spoken(name: str, arguments: Arguments, start: int, end: int, warnings: tuple[str, ...] = ()) -> Spoken:
    return Spoken(name, arguments, start, end, tuple(f"{name}: {warning}" for warning in warnings))


def _list(text: str, start: int, level: int = 1) -> tuple[list[Spoken], int] | None:
    """A list of calls, of texts with calls, or of objects; the place after it. None where it is something else."""
    found: list[Spoken] = []
    place = _skip(text, start + 1)
    while text[place : place + 1] != "]" and not _over(text, place):
        read = _entry(text, place, level)
        if read is None and not found:
            return None
        if read is not None:
            found += read[0]
            place = _skip(text, read[1])
        comma = read is not None and text[place : place + 1] == ","
        if comma:
            place = _skip(text, place + 1)
        elif read is None or (text[place : place + 1] != "]" and not _over(text, place)):
            raise CallError(f"a list of calls that goes on as something else at character {place}")
    if text[place : place + 1] == "]":
        return found, place + 1
    if found:
        found[-1].warnings += ("the list of calls is not closed: the text may have been cut off",)
    return found, place


def _over(text: str, place: int) -> bool:
    """Whether a text ends here, or its fence, or what the model said."""
    return place >= len(text) or text.startswith(("```", "<|"), place)


def _skip(text: str, place: int) -> int:
    found = _COMMENTS.match(text, place)
    return place if found is None else found.end()


def _entry(text: str, place: int, level: int) -> tuple[list[Spoken], int] | None:
    call = python_call(text, place)
    if call is not None:
        if isinstance(call.arguments, Unread) and call.cut and not call.keyed:
            return None
        return [_spoken(call.name, call.arguments, place, call.end, call.warnings)], call.end
    head = text[place : place + 1]
    if head == "[" and level < _MOST_LISTS:
        return _list(text, place, level + 1)
    if head == "{":
        stop = extent(text, place)
        calls = None if stop is None else calls_in(text, place, stop)
        if stop is None or calls is None:
            return None
        return [Spoken(name, arguments, place, stop) for name, arguments in calls], stop
    if head in _QUOTES:
        try:
            inner, end = python_value(text, place)
        except InvalidJSONError:
            return None
        found = _sequence(inner, _skip(inner, 0), None) if isinstance(inner, str) else None
        if found is None or inner[found[-1].end :].strip(" \n,;"):
            return None
        for spoken in found:
            spoken.start, spoken.end = place, end
        return found, end
    return None


def _quoted(text: str, start: int) -> list[Spoken] | None:
    """A text in quotes that holds nothing but calls."""
    read = _entry(text, start, 1)
    return read[0] if read is not None and not text[read[1] :].strip() else None


def name_then_json(text: str, tools: Tools) -> Iterator[Spoken]:
    """A name on a line of its own, and its arguments as JSON below it."""
    place = 0
    while (found := _NAME_JSON.search(text, place)) is not None:
        stop = extent(text, found.end())
        end = len(text) if stop is None else stop
        if text[end : end + 1].strip():
            place = found.end()  # prose goes on behind the bracket
            continue
        yield Spoken(found[1], arguments_of_text(text[found.end() : end]), found.start(), end)
        place = end


def fenced_json(text: str, tools: Tools) -> Iterator[Spoken]:
    """Calls as JSON in fences, or as the whole text."""
    if "```" not in text:
        for name, arguments in calls_in(text) or ():
            yield Spoken(name, arguments, 0, len(text))
        return
    for fence in _FENCE.finditer(text):
        if fence[1].lower() in ("", "json", "tool_call", "tool_code", "tool_calls"):
            for name, arguments in calls_in(fence[2]) or ():
                yield Spoken(name, arguments, fence.start(), fence.end())


MODEL_TEXT: Final[tuple[tuple[str, Callable[[str, Tools], Iterator[Spoken]]], ...]] = (
    ("hermes", textstyles.hermes),
    ("qwen_coder", textstyles.qwen_coder),
    ("glm", textstyles.glm),
    ("llama_function_tag", textstyles.function_tag),
    ("invoke_xml", textstyles.invoke),
    ("mistral_text", textstyles.mistral),
    ("deepseek", textstyles.deepseek),
    ("granite", textstyles.granite),
    ("python_tag", textstyles.python_tag),
    ("raven", textstyles.raven),
    ("react", textstyles.react),
    ("python_calls", python_calls),
    ("fenced_json", fenced_json),
    ("name_then_json", name_then_json),
)
"""The styles in the order in which `model_text` tries them: those with marks first."""


def model_text(text: str, tools: Tools) -> Iterator[Spoken]:
    """The calls in the first style that finds any."""
    for _, style in MODEL_TEXT:
        found = list(style(text, tools))
        if found:
            yield from found
            return
