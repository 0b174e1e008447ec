"""llama_function_tag: `<function=name>{..}</function>`, as Llama 3.1 writes calls of custom tools."""

from __future__ import annotations

from ..core.reading.format import Evidence, FormatDeclaration
from ..core.reading.glance import Glance
from ..core.reading.spoken import TextReader, tell
from ..core.reading.textstyles import function_tag

DECLARATION = FormatDeclaration(
    id="llama_function_tag",
    meaning="Llama: calls as `<function=name>{..}</function>` in the text of a model",
    detected_by="`<function=name>` followed by an object or by its closing tag",
    name_at="the opening tag",
    arguments_at="the JSON between the tags",
    id_at="none",
    result_at="the next message of role `tool`, in order; its `<tool_response>` blocks if it has such",
    group_at="the calls of one text",
    turn_at="messages of role `user`, or the `turn` of an object with a text",
    cannot_carry="ids, times, whether a call failed; in a bare text the outputs and turns",
    example='<function=get_weather>{"city": "Oslo"}</function>',
    source="Meta's prompt format of Llama 3.1",
    text=True,
)


class Reader(TextReader):
    """See :class:`TextReader`."""

    format = DECLARATION.id
    style = staticmethod(function_tag)


def detect(glance: Glance) -> Evidence | None:
    """By a `<function=name>` tag with arguments."""
    return tell(glance, function_tag, "<function=..> with arguments")
