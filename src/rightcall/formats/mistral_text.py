"""mistral_text: calls after `[TOOL_CALLS]`, as Mistral's models write them before a server reads them."""

from __future__ import annotations

from ..core.reading.format import Evidence, FormatDeclaration
from ..core.reading.glance import Glance
from ..core.reading.spoken import TextReader, tell
from ..core.reading.textstyles import mistral

DECLARATION = FormatDeclaration(
    id="mistral_text",
    meaning="Mistral: calls after `[TOOL_CALLS]`, as a JSON list or as name[ARGS]{..}, in the text of a model",
    detected_by="`[TOOL_CALLS]` followed by a list of calls, or by a name and an object",
    name_at="name in the JSON, or before `[ARGS]`",
    arguments_at="arguments in the JSON, or the JSON after `[ARGS]`",
    id_at="none",
    result_at="the next message of role `tool`, in order; its `<tool_response>` blocks if it has such",
    group_at="the calls of one text",
    turn_at="messages of role `user`, or the `turn` of an object with a text",
    cannot_carry="ids, times, whether a call failed; in a bare text the outputs and turns",
    example='[TOOL_CALLS][{"name": "get_weather", "arguments": {"city": "Oslo"}}]',
    source="tokenizers of Mistral's models",
    text=True,
)


class Reader(TextReader):
    """See :class:`TextReader`."""

    format = DECLARATION.id
    style = staticmethod(mistral)


def detect(glance: Glance) -> Evidence | None:
    """By `[TOOL_CALLS]` with a call after it."""
    return tell(glance, mistral, "[TOOL_CALLS] with a call")
