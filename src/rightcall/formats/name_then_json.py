"""name_then_json: a name on its own line and JSON below it, as GLM-4 writes calls."""

from __future__ import annotations

from ..core.reading.barestyles import name_then_json
from ..core.reading.format import Evidence, FormatDeclaration
from ..core.reading.glance import Glance
from ..core.reading.spoken import TextReader

DECLARATION = FormatDeclaration(
    id="name_then_json",
    meaning="GLM-4: the tool's name on a line of its own and its arguments as JSON below it",
    detected_by="a line that is one word, followed by an object",
    name_at="the line before the object",
    arguments_at="the object",
    id_at="none",
    result_at="the next message of role `tool`, in order; its `<tool_response>` blocks if it has such",
    group_at="the calls of one text",
    turn_at="messages of role `user`, or the `turn` of an object with a text",
    cannot_carry="ids, times, whether a call failed; in a bare text the outputs and turns",
    example='get_weather\n{"city": "Oslo"}',
    source="chat template of GLM-4",
    named_only=True,
    text=True,
)


class Reader(TextReader):
    """See :class:`TextReader`."""

    format = DECLARATION.id
    style = staticmethod(name_then_json)


def detect(glance: Glance) -> Evidence | None:
    """By nothing: it has no mark of its own, so it must be named."""
    return None
