"""fenced_json: calls as JSON in Markdown fences."""

from __future__ import annotations

from ..core.reading.barestyles import fenced_json
from ..core.reading.format import Evidence, FormatDeclaration
from ..core.reading.glance import Glance
from ..core.reading.spoken import TextReader

DECLARATION = FormatDeclaration(
    id="fenced_json",
    meaning="calls as JSON in Markdown fences, or as the whole text",
    detected_by="a fence that holds an object with a name, or a list of such objects",
    name_at="name, tool, function or action in the JSON",
    arguments_at="arguments, parameters, tool_input and the like in the JSON",
    id_at="none",
    result_at="the next message of role `tool`, in order; its `<tool_response>` blocks if it has such",
    group_at="the calls of one text",
    turn_at="messages of role `user`, or the `turn` of an object with a text",
    cannot_carry="ids, times, whether a call failed; in a bare text the outputs and turns",
    example='Here is the call:\n```json\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n```',
    source="prompts that ask for JSON",
    named_only=True,
    text=True,
)


class Reader(TextReader):
    """See :class:`TextReader`."""

    format = DECLARATION.id
    style = staticmethod(fenced_json)


def detect(glance: Glance) -> Evidence | None:
    """By nothing: it has no mark of its own, so it must be named."""
    return None
