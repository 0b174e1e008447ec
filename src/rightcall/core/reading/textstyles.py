"""The styles in which models write calls between marks of their own; each finds the calls of one text.

A mark that nothing follows which could be a call is a mention, and is left in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ..arguments import Arguments, Given, Unread
from .literals import arguments_of_text
from .pycalls import python_call
from .spoken import Spoken, Tools, call_in, calls_in, extent, typed

__all__ = [
    "deepseek",
    "function_tag",
    "glm",
    "granite",
    "hermes",
    "invoke",
    "mistral",
    "python_tag",
    "qwen_coder",
    "raven",
    "react",
]

_HERMES: Final = re.compile(r"<tool_call>\s*+(?=[\[{])")
_HERMES_END: Final = re.compile(r"\s*+</tool_call>")
_FUNCTION: Final = re.compile(r"<function=([^<>{}\s]{1,200})>\s*+")
_FUNCTION_END: Final = re.compile(r"\s*+</function>")
_CODER: Final = re.compile(r"(<tool_call>\s*+)?<function=([^<>{}\s]{1,200})>\s*+(?=<parameter=|</function>)")
_CODER_VALUE: Final = re.compile(r"\s*+<parameter=([^<>]{1,200})>\n?")
_CODER_END: Final = re.compile(r"\s*+(?:</function>)?\s*+(?:</tool_call>)?")
_CODER_VALUE_END: Final = re.compile(
    r"\n?</parameter>|(?=\n?<parameter=)|(?=\n?</function>)|(?=\n?</tool_call>)|\Z"
)
_GLM: Final = re.compile(
    r"<tool_call>\s*+([^\s<>{}\[\]\"'`]{1,200})(?:\s*+(?=<arg_key>)|[ \t]*+\n\s*+(?=</tool_call>))"
)
_GLM_VALUE: Final = re.compile(r"\s*+<arg_key>([^<>]{1,200})</arg_key>\s*+<arg_value>")
_INVOKE: Final = re.compile(
    r'(?:<(?:antml:|｜DSML｜)?function_calls>\s*+)?<(antml:|｜DSML｜)?invoke name="([^"<>\n]{1,200})"\s*+>'
)
_INVOKE_VALUE: Final = re.compile(
    r'\s*+<(?:antml:|｜DSML｜)?parameter name="([^"<>\n]{1,200})"(?: string="(true|false)")?\s*+>'
)
_INVOKE_VALUE_END: Final = re.compile(
    r"</(?:antml:|｜DSML｜)?parameter>|(?=</(?:antml:|｜DSML｜)?(?:invoke|function_calls)>)|\Z"
)
_INVOKE_END: Final = re.compile(
    r"\s*+(?:</(?:antml:|｜DSML｜)?invoke>)?\s*+(?:</(?:antml:|｜DSML｜)?function_calls>)?"
)
_PYTHON_TAG: Final = re.compile(r"<\|python_tag\|>\s*+")
_BETWEEN: Final = re.compile(r"\s*+[;,]?\s*+(?:<\|python_tag\|>\s*+)?")
_TAG_END: Final = re.compile(r"\s*+<\|(?:eom_id|eot_id)\|>")
_MISTRAL: Final = re.compile(r"\[TOOL_CALLS\]\s*+")
_MISTRAL_NAMED: Final = re.compile(
    r"(?:\[TOOL_CALLS\])?\s*+([\w.\-/]{1,200})(?:\[CALL_ID\][\w\-]{0,64})?(?:\[ARGS\])?\s*+(?=\{)"
)
_GRANITE: Final = re.compile(r"(?:<function_call>|<\|tool_call\|>)\s*+(?=[\[{])")
_GRANITE_END: Final = re.compile(r"\s*+</function_call>")
_RAVEN: Final = re.compile(r"(?m)^[ \t]*+(?:<human_end>\s*+)?Call:[ \t]*+")
_RAVEN_NEXT: Final = re.compile(r"[ \t]*+(?:;\s*+|(?=\n|<|\Z))")
_DEEPSEEK: Final = re.compile(
    r"(?:<｜tool▁calls▁begin｜>\s*+)?<｜tool▁call▁begin｜>\s*+(?:function\s*+<｜tool▁sep｜>\s*+)?"
    r"([^\s<｜`{}]{1,200})\s*+(?:<｜tool▁sep｜>)?\s*+(?:```(?:json)?\s*+)?"
)
_DEEPSEEK_END: Final = re.compile(
    r"\s*+(?:```)?\s*+(?:<｜tool▁call▁end｜>)?\s*+(?:<｜tool▁calls▁end｜>)?(?:<｜end▁of▁sentence｜>)?"
)
_ACTION: Final = re.compile(
    r"(?m)^[ \t*]*+Action(?:[ \t]\d{1,3})?:[* \t]*+`?([^\n`{}]{1,200}?)`?[ \t]*+\n"
    r"[ \t*]*+Action Input(?:[ \t]\d{1,3})?:[* \t]*+"
)
_BLOB: Final = re.compile(r"(?m)^[ \t*]*+Action:[* \t]*+\n?[ \t]*+```(?:json)?\s*+(?=\{)")
_AFTER_INPUT: Final = re.compile(
    r"(?m)^[ \t*]*+(Observation|Thought|Action|Final Answer)(?:[ \t]\d{1,3})?:[* \t]*+"
)


def _patience(text: str) -> int:
    """Characters that may be looked at behind marks which turn out to be mentions, so that no text takes for ever."""
    return 6 * len(text) + 10_000


def _past(end: re.Pattern[str], text: str, place: int) -> int:
    """The place after an optional mark."""
    found = end.match(text, place)
    return place if found is None else found.end()


def _bodies(text: str, start: re.Pattern[str], end: re.Pattern[str], closing: str) -> Iterator[Spoken]:
    """Calls as JSON after a mark each; the closing mark may be cut off by a stop sequence."""
    place, left = 0, _patience(text)
    closed = text.find(closing)  # looked for again only where it was passed
    while left > 0 and (found := start.search(text, place)) is not None:
        place = found.end()
        if 0 <= closed < place:
            closed = text.find(closing, place)
        stop = closed
        calls = (
            calls_in(text, place, stop)
            if stop >= 0 and text.find(found.group().strip(), place, stop) < 0
            else None
        )
        balanced: int | None = stop
        if calls is None or any(isinstance(arguments, Unread) for _, arguments in calls):
            # No closing mark, or one within a value: the brackets tell where the call ends.
            balanced = extent(text, place)
            if balanced is not None and balanced != stop:
                shorter = calls_in(text, place, balanced)
                calls, stop = (shorter, balanced) if shorter is not None else (calls, stop)
            elif balanced is None and stop < 0:
                calls, stop = calls_in(text, place), len(text)
        if calls is None:
            left -= (len(text) if balanced is None else max(balanced, stop)) - place
            continue
        place = _past(end, text, stop)
        for name, arguments in calls:
            yield Spoken(name, arguments, found.start(), place)


def hermes(text: str, tools: Tools) -> Iterator[Spoken]:
    """`<tool_call>{..}</tool_call>`, JSON or a Python dict."""
    return _bodies(text, _HERMES, _HERMES_END, "</tool_call>")


def granite(text: str, tools: Tools) -> Iterator[Spoken]:
    """`<function_call> {..}`, or `<|tool_call|>[{..}]`."""
    return _bodies(text, _GRANITE, _GRANITE_END, "</function_call>")


def function_tag(text: str, tools: Tools) -> Iterator[Spoken]:
    """`<function=name>{..}</function>`."""
    place = 0
    while (found := _FUNCTION.search(text, place)) is not None:
        place = found.end()
        if text[max(0, found.start() - 20) : found.start()].rstrip().endswith("<tool_call>"):
            continue  # the style of Qwen's coders
        ending = _FUNCTION_END.match(text, place)
        if ending is not None:
            yield Spoken(found[1], arguments_of_text(""), found.start(), ending.end())
            place = ending.end()
            continue
        if text[place : place + 1] != "{":
            continue
        stop = extent(text, place)
        body = text[place : stop if stop is not None else len(text)]
        place = _past(_FUNCTION_END, text, stop) if stop is not None else len(text)
        yield Spoken(found[1], arguments_of_text(body), found.start(), place)


def qwen_coder(text: str, tools: Tools) -> Iterator[Spoken]:
    """`<tool_call><function=name><parameter=key>value</parameter></function></tool_call>`."""
    place = 0
    while (found := _CODER.search(text, place)) is not None:
        place = found.end()
        values: dict[str, str] = {}
        while (value := _CODER_VALUE.match(text, place)) is not None:
            ending = _CODER_VALUE_END.search(text, value.end())
            assert ending is not None  # noqa: S101 - the end of the text is one
            values[value[1]] = text[value.end() : ending.start()]
            place = ending.end()
        if not values and found[1] is None:
            continue  # without arguments it is told from Llama's style by what stands around it
        place = _past(_CODER_END, text, place)
        arguments, warnings = typed(found[2], values, tools)
        yield Spoken(found[2], Given(arguments), found.start(), place, warnings)


def glm(text: str, tools: Tools) -> Iterator[Spoken]:
    """`<tool_call>name<arg_key>key</arg_key><arg_value>value</arg_value></tool_call>`."""
    place = 0
    while (found := _GLM.search(text, place)) is not None:
        place = found.end()
        values: dict[str, str] = {}
        while (value := _GLM_VALUE.match(text, place)) is not None:
            stop = text.find("</arg_value>", value.end())
            if stop < 0:
                cut = Unread(text[found.end() :], "the text ends within a value")
                yield Spoken(found[1], cut, found.start(), len(text))
                return
            values[value[1].strip()] = text[value.end() : stop]
            place = stop + len("</arg_value>")
        place = _past(_HERMES_END, text, place)
        arguments, warnings = typed(found[1], values, tools)
        yield Spoken(found[1], Given(arguments), found.start(), place, warnings)


def invoke(text: str, tools: Tools) -> Iterator[Spoken]:
    """`<invoke name="..."><parameter name="...">value</parameter></invoke>`."""
    place = 0
    while (found := _INVOKE.search(text, place)) is not None:
        place = found.end()
        values: dict[str, str] = {}
        sure: dict[str, str] = {}
        while (value := _INVOKE_VALUE.match(text, place)) is not None:
            ending = _INVOKE_VALUE_END.search(text, value.end())
            assert ending is not None  # noqa: S101 - the end of the text is one
            into = sure if value[2] == "true" else values
            into[value[1]] = text[value.end() : ending.start()].removeprefix("\n").removesuffix("\n")
            place = ending.end()
        place = _past(_INVOKE_END, text, place)
        arguments, warnings = typed(found[2], values, tools)
        yield Spoken(found[2], Given(arguments | sure), found.start(), place, warnings)


def python_tag(text: str, tools: Tools) -> Iterator[Spoken]:
    """`<|python_tag|>` and calls as JSON objects or as Python writes them, with `;` between."""
    first, left = _PYTHON_TAG.search(text), _patience(text)
    while first is not None and left > 0:
        place, start = first.end(), first.start()
        while True:
            spoken = _object_or_python(text, place, start)
            if spoken is None:
                left -= len(text) - place
                break
            spoken.end = _past(_TAG_END, text, spoken.end)
            yield spoken
            start = spoken.end
            place = _past(_BETWEEN, text, start)
        first = _PYTHON_TAG.search(text, place)


def _object_or_python(text: str, place: int, start: int) -> Spoken | None:
    if text[place : place + 1] == "{":
        stop = extent(text, place)
        call = call_in(text, place, stop)
        return Spoken(*call, start, len(text) if stop is None else stop) if call is not None else None
    written = python_call(text, place)
    if written is None or isinstance(written.arguments, Unread):
        return None  # a program for the interpreter
    return Spoken(written.name, written.arguments, start, written.end, written.warnings)


def mistral(text: str, tools: Tools) -> Iterator[Spoken]:
    """`[TOOL_CALLS] [{..}]`, or `[TOOL_CALLS]name[ARGS]{..}`, once or several times."""
    place, left = 0, _patience(text)
    while left > 0 and (found := _MISTRAL.search(text, place)) is not None:
        place, start = found.end(), found.start()
        if text[place : place + 1] in ("[", "{"):
            stop = extent(text, place)
            end = len(text) if stop is None else stop
            left -= end - place
            calls = calls_in(text, place, end)
            place = place if calls is None else end
            for name, arguments in calls or ():
                yield Spoken(name, arguments, start, end)
            continue
        while (named := _MISTRAL_NAMED.match(text, place)) is not None:
            stop = extent(text, named.end())
            end = len(text) if stop is None else stop
            yield Spoken(named[1], arguments_of_text(text[named.end() : end]), start, end)
            place = start = end


def raven(text: str, tools: Tools) -> Iterator[Spoken]:
    """`Call: f(x=1);`, several one after the other."""
    place, left = 0, _patience(text)
    while left > 0 and (found := _RAVEN.search(text, place)) is not None:
        place, start = found.end(), found.start()
        while (call := python_call(text, place)) is not None:
            after = _RAVEN_NEXT.match(text, call.end)
            ended = after is not None and ";" in after.group()
            if after is None or (isinstance(call.arguments, Unread) and not ended and not call.keyed):
                left -= call.end - place
                break  # a mention: nothing closes the call, or it is none
            place = after.end()
            yield Spoken(call.name, call.arguments, start, place, call.warnings)
            start = place


def deepseek(text: str, tools: Tools) -> Iterator[Spoken]:
    """Between special tokens: a name and its arguments as JSON, in a fence or bare."""
    place = 0
    while (found := _DEEPSEEK.search(text, place)) is not None:
        place = found.end()
        if text[place : place + 1] != "{":
            continue
        stop = extent(text, place)
        body = text[place : stop if stop is not None else len(text)]
        place = len(text) if stop is None else _past(_DEEPSEEK_END, text, stop)
        yield Spoken(found[1], arguments_of_text(body), found.start(), place)


def react(text: str, tools: Tools) -> Iterator[Spoken]:
    """`Action:` and `Action Input:` lines, or an action as a JSON blob; observations are outputs."""
    place, left = 0, _patience(text)
    action, blob = _ACTION.search(text), _BLOB.search(text)
    while left > 0:
        # Each is looked for again only where it was passed: a form that never comes would cost a look to the end.
        if action is not None and action.start() < place:
            action = _ACTION.search(text, place)
        if blob is not None and blob.start() < place:
            blob = _BLOB.search(text, place)
        found = _first(action, blob)
        if found is None:
            return
        place = found.end()
        after = _AFTER_INPUT.search(text, place)
        end = len(text) if after is None else after.start()
        call: tuple[str, Arguments] | None
        if found.re is _BLOB:
            stop = extent(text, place)
            call = None if stop is None else call_in(text, place, stop)
            left -= (len(text) if stop is None else stop) - place
        else:
            body = text[place:end].strip().removeprefix("```json").strip("`").strip()
            if body[:1] == "{":
                stop = extent(body, 0)
                body = body if stop is None else body[:stop]
            call = found[1].strip(), arguments_of_text(body)
        if call is None or call[0].lower() in ("final answer", "none"):
            continue
        output = None
        if after is not None and after[1] == "Observation":
            following = _AFTER_INPUT.search(text, after.end())
            end = len(text) if following is None else following.start()
            output = text[after.end() : end].strip() or None
        yield Spoken(*call, found.start(), end, output=output, alone=True)
        place = end


def _first(one: re.Match[str] | None, other: re.Match[str] | None) -> re.Match[str] | None:
    if one is None or other is None:
        return one or other
    return one if one.start() <= other.start() else other
