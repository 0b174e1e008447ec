"""deepseek: calls between the special tokens of DeepSeek's models."""

from __future__ import annotations

from ..core.reading.format import Evidence, FormatDeclaration
from ..core.reading.glance import Glance
from ..core.reading.spoken import TextReader, tell
from ..core.reading.textstyles import deepseek

DECLARATION = FormatDeclaration(
    id="deepseek",
    meaning="DeepSeek: a name and JSON between special tokens in the text of a model",
    detected_by="`<｜tool▁call▁begin｜>` followed by a name and an object",
    name_at="after the first token, or after the separator",
    arguments_at="the JSON behind it, in a fence or bare",
    id_at="none",
    result_at="the next message of role `tool`, in order; its `<tool_response>` blocks if it has such",
    group_at="the calls of one text",
    turn_at="messages of role `user`, or the `turn` of an object with a text",
    cannot_carry="ids, times, whether a call failed; in a bare text the outputs and turns",
    example='<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n{"city": '
    '"Oslo"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    source="chat templates of DeepSeek V3",
    text=True,
)


class Reader(TextReader):
    """See :class:`TextReader`."""

    format = DECLARATION.id
    style = staticmethod(deepseek)


def detect(glance: Glance) -> Evidence | None:
    """By the tokens with a call between them."""
    return tell(glance, deepseek, "<｜tool▁call▁begin｜> with a call")
