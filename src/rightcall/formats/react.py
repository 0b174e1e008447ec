"""react: `Action:` and `Action Input:`, as agents prompted to reason and act write calls."""

from __future__ import annotations

from ..core.reading.format import Evidence, FormatDeclaration
from ..core.reading.glance import Glance
from ..core.reading.spoken import TextReader, tell
from ..core.reading.textstyles import react

DECLARATION = FormatDeclaration(
    id="react",
    meaning="ReAct: `Action:` and `Action Input:` lines in the text of a model, or a JSON blob after `Action:`",
    detected_by="an `Action:` line followed by `Action Input:`, or `Action:` followed by a fence with an "
    "action",
    name_at="the `Action:` line, or action in the blob",
    arguments_at="after `Action Input:`: JSON or a Python dict, anything else is unreadable; or action_input "
    "in the blob",
    id_at="none",
    result_at="after `Observation:` in the same text, or the next message of role `tool`",
    group_at="never: one action a step",
    turn_at="messages of role `user`, or the `turn` of an object with a text",
    cannot_carry="ids, times, whether a call failed; in a bare text the outputs and turns",
    example='Thought: I need the weather.\nAction: get_weather\nAction Input: {"city": '
    '"Oslo"}\nObservation: 7 degrees\nFinal Answer: It is 7 degrees.',
    source="the ReAct prompt as agent libraries document it",
    text=True,
)


class Reader(TextReader):
    """See :class:`TextReader`."""

    format = DECLARATION.id
    style = staticmethod(react)

    def rest(self, text: str) -> str:
        """The final answer; where there is none, all that is left."""
        _, mark, answer = text.rpartition("Final Answer:")
        return answer.strip() if mark else text


def detect(glance: Glance) -> Evidence | None:
    """By an action with its input."""
    return tell(glance, react, "Action: and Action Input:")
