"""model_text: whatever a model wrote; the text styles are tried in order, and prose holds no call."""

from __future__ import annotations

from ..core.reading.barestyles import model_text
from ..core.reading.format import Evidence, FormatDeclaration
from ..core.reading.glance import Glance
from ..core.reading.spoken import TextReader

DECLARATION = FormatDeclaration(
    id="model_text",
    meaning="whatever a model wrote: the first text style that finds a call reads the text, prose is a "
    "text without calls",
    detected_by="nothing; tried in this order: hermes, qwen_coder, glm, llama_function_tag, invoke_xml, "
    "mistral_text, deepseek, granite, python_tag, raven, react, python_calls, fenced_json, "
    "name_then_json",
    name_at="as in the style",
    arguments_at="as in the style",
    id_at="none",
    result_at="the next message of role `tool`, in order; its `<tool_response>` blocks if it has such",
    group_at="the calls of one text",
    turn_at="messages of role `user`, or the `turn` of an object with a text",
    cannot_carry="ids, times, whether a call failed; in a bare text the outputs and turns",
    example="get_weather(city='Oslo')",
    source="none: it is the sum of the other text styles",
    named_only=True,
    text=True,
)


class Reader(TextReader):
    """See :class:`TextReader`."""

    format = DECLARATION.id
    style = staticmethod(model_text)


def detect(glance: Glance) -> Evidence | None:
    """By nothing: it has no mark of its own, so it must be named."""
    return None
