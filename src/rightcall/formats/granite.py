"""granite: calls after `<function_call>` or `<|tool_call|>`, as IBM's Granite models write them."""

from __future__ import annotations

from ..core.reading.format import Evidence, FormatDeclaration
from ..core.reading.glance import Glance
from ..core.reading.spoken import TextReader, tell
from ..core.reading.textstyles import granite

DECLARATION = FormatDeclaration(
    id="granite",
    meaning="Granite: JSON after `<function_call>` or `<|tool_call|>` in the text of a model",
    detected_by="`<function_call>` or `<|tool_call|>` followed by an object or a list",
    name_at="name in the JSON",
    arguments_at="arguments in the JSON",
    id_at="none",
    result_at="the next message of role `tool`, in order; its `<tool_response>` blocks if it has such",
    group_at="the calls of one text",
    turn_at="messages of role `user`, or the `turn` of an object with a text",
    cannot_carry="ids, times, whether a call failed; in a bare text the outputs and turns",
    example='<function_call> {"name": "get_weather", "arguments": {"city": "Oslo"}}',
    source="model cards of IBM Granite",
    text=True,
)


class Reader(TextReader):
    """See :class:`TextReader`."""

    format = DECLARATION.id
    style = staticmethod(granite)


def detect(glance: Glance) -> Evidence | None:
    """By a mark with a call after it."""
    return tell(glance, granite, "<function_call> or <|tool_call|> with a call")
