"""python_tag: calls after `<|python_tag|>`, as Llama 3 writes calls of tools of the environment."""

from __future__ import annotations

from ..core.reading.format import Evidence, FormatDeclaration
from ..core.reading.glance import Glance
from ..core.reading.spoken import TextReader, tell
from ..core.reading.textstyles import python_tag

DECLARATION = FormatDeclaration(
    id="python_tag",
    meaning="Llama 3: calls after `<|python_tag|>`, as JSON or as Python, in the text of a model",
    detected_by="`<|python_tag|>` followed by an object or a call",
    name_at="name in the JSON, or before the bracket",
    arguments_at="parameters or arguments in the JSON, or keyword arguments",
    id_at="none",
    result_at="the next message of role `tool`, in order; its `<tool_response>` blocks if it has such",
    group_at="the calls of one text",
    turn_at="messages of role `user`, or the `turn` of an object with a text",
    cannot_carry="ids, times, whether a call failed; in a bare text the outputs and turns",
    example='<|python_tag|>{"name": "get_weather", "parameters": {"city": "Oslo"}}<|eom_id|>',
    source="Meta's prompt format of Llama 3.1",
    text=True,
)


class Reader(TextReader):
    """See :class:`TextReader`."""

    format = DECLARATION.id
    style = staticmethod(python_tag)


def detect(glance: Glance) -> Evidence | None:
    """By `<|python_tag|>` with a call after it."""
    return tell(glance, python_tag, "<|python_tag|> with a call")
