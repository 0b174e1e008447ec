"""Which dumps each library makes, in which format each is read, and what of the story it cannot tell, with why."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

from tests.libraries import story

__all__ = ["LIBRARIES", "Carries", "expected"]

FAILED = 4


@dataclass(frozen=True)
class Carries:
    """What a dump tells of the story. Every difference from the defaults has its reason in `why`.

    Attributes:
        format: as it is detected.
        why: why it tells less, or tells it differently.
        calls: numbers of the calls in it.
        ids: the story's own, none, or the numbers of JSON-RPC requests.
        outputs: as values, as JSON text, or not at all.
        error: what the failed call says; None where nothing marks it as failed.
        failed: whether the failed call is marked as such.
        failure: its output, where it is not the words of the error.
        turns: whether calls have turns, and what is known of these: the users' texts, the agent's texts.
        groups: groups of the calls in their order.
        text: whether the final text is told.
        tools: whether the offered tools are told.
    """

    format: str
    why: str = ""
    calls: tuple[int, ...] = (0, 1, 2, 3, 4)
    ids: Literal["own", "none", "numbers"] = "own"
    outputs: Literal["value", "text", "none"] = "text"
    error: Any = None
    failed: bool = False
    failure: Any = story.ERROR
    turns: bool = True
    users: bool = True
    texts: bool = True
    groups: tuple[int | None, ...] = (0, 0, None, None, None)
    text: bool = True
    tools: bool = False

    def but(self, why: str, **changed: Any) -> Carries:
        """The same with something changed."""
        return replace(self, why=f"{self.why}; {why}".lstrip("; "), **changed)


def expected(carries: Carries) -> dict[str, Any]:
    """What should be read of such a dump, in the form of `harness.told`."""
    turn_of = {number: turn for turn, steps in enumerate(story.STEPS) for step in steps for number in step}
    calls = []
    for number, group in zip(carries.calls, carries.groups, strict=True):
        call = story.CALLS[number]
        failed = number == FAILED
        output = None
        if carries.outputs != "none":
            output = story.answer_text(number) if carries.outputs == "text" else story.ANSWERS[number]
            output = carries.failure if failed else output
        calls.append(
            {
                "name": call["name"],
                "arguments": call["arguments"],
                "id": {"own": call["id"], "none": None, "numbers": str(number + 10)}[carries.ids],
                "turn": turn_of[number] if carries.turns else None,
                "group": group,
                "output": output,
                "error": carries.error if failed else None,
                "failed": failed and carries.failed,
            }
        )
    turns = [
        [asked if carries.users else None, text if carries.texts else None]
        for asked, text in zip(story.ASKED, story.TEXTS, strict=True)
    ]
    return {
        "format": carries.format,
        "calls": calls,
        "turns": turns if carries.turns else [],
        "text": story.TEXTS[-1] if carries.text else None,
        "tools": [tool["name"] for tool in story.TOOLS] if carries.tools else None,
        "warnings": [],
    }


def _bare(carries: Carries, why: str, *calls: int, **changed: Any) -> Carries:
    """A dump of what a model answered and nothing else: no turns and no answers of tools."""
    told = {"calls": calls, "turns": False, "outputs": "none", "text": False, **changed}
    return carries.but(why, error=None, failed=False, **told)


NO_ERROR = "the format cannot say that a call failed"
OPENAI = Carries("openai_chat", why=NO_ERROR)
RESPONSES = Carries("openai_responses", why=NO_ERROR)
ANTHROPIC = Carries("anthropic", error=story.ERROR, failed=True)
GEMINI = Carries(
    "gemini",
    why="answers are objects; what failed has its words under `error`",
    outputs="value",
    error=story.ERROR,
    failed=True,
    failure={"error": story.ERROR},
)
LANGCHAIN = Carries("langchain", why="a status says that it failed, the words are its output", failed=True)
PYDANTIC = Carries("pydantic_ai", outputs="value", error=story.ERROR, failed=True)
AGENTS = Carries("openai_agents", why=NO_ERROR)
MCP = Carries(
    "mcp",
    why="requests have numbers; there are no turns, texts or parallel calls",
    ids="numbers",
    outputs="value",
    failed=True,
    turns=False,
    text=False,
    groups=(None,) * 5,
    tools=True,
)
OTEL = Carries(
    "otel_genai",
    why="the span that failed has an error and no result",
    error=story.ERROR,
    failed=True,
    failure=None,
    tools=True,
)
RUNS = "runs of tools know nothing of parallel calls or of offered tools"
MODELS = "what the model is told of a failure is an answer like any other"
INSPECT = Carries(
    "inspect",
    why="an error is an object of its own, and the answer then is empty",
    error={"type": "unknown", "message": story.ERROR},
    failed=True,
    failure="",
)
STREAM = "a stream holds what the model answers"
ANSWER = "an answer of the model alone"


def _spans(whole: Carries, tools: Carries, models: Carries) -> dict[str, Carries]:
    return {
        **_each(whole, "protobuf", "json_lines", "protobuf_json", "console"),
        **_each(tools, "tools_protobuf", "tools_json_lines"),
        **_each(models, "models_protobuf", "models_json_lines"),
    }


def _each(carries: Carries, *names: str) -> dict[str, Carries]:
    return dict.fromkeys(names, carries)


LIBRARIES: dict[str, dict[str, Carries]] = {
    "openai": {
        "chat_messages": OPENAI,
        "chat_completion": _bare(OPENAI, ANSWER, 0, 1, groups=(0, 0)),
        "chat_completions_jsonl": _bare(OPENAI, ANSWER, *range(5), text=True),
        **_each(
            _bare(replace(OPENAI, format="openai_chat_stream"), STREAM, 0, 1, 2, groups=(0, 0, 0)),
            "chat_stream",
            "chat_stream_list",
        ),
        "response_stream": _bare(RESPONSES, STREAM, 0, 1, 2, groups=(0, 0, 0), tools=True),
        "response_items": RESPONSES,
        "response": _bare(RESPONSES, ANSWER, 0, 1, groups=(0, 0), tools=True),
    },
    "anthropic": {
        **_each(ANTHROPIC, "conversation", "conversation_of_messages"),
        "request": ANTHROPIC.but("a request offers tools", tools=True),
        "message": _bare(ANTHROPIC, ANSWER, 0, 1, groups=(0, 0)),
        **_each(
            _bare(replace(ANTHROPIC, format="anthropic_stream"), STREAM, *range(5), groups=(0, 0, 0, 1, 1)),
            "stream",
            "stream_list",
        ),
    },
    "google-genai": {
        **_each(GEMINI, "contents_camel", "contents_snake", "history_camel", "history_snake"),
        **_each(GEMINI.but("a request offers tools", tools=True), "request_camel", "request_snake"),
        **_each(
            GEMINI.but("the interface leaves ids out", ids="none"),
            "contents_without_ids_camel",
            "contents_without_ids_snake",
        ),
        **_each(_bare(GEMINI, ANSWER, 0, 1, groups=(0, 0)), "response_camel", "response_snake"),
    },
    "langchain-core": {
        "messages_to_dict": LANGCHAIN,
        **_each(replace(LANGCHAIN, format="langchain_dumpd"), "dumpd", "dumps"),
        **_each(replace(LANGCHAIN, format="langgraph"), "model_dump", "state", "blocks"),
        "openai_messages": OPENAI,
        "chunk": _bare(replace(LANGCHAIN, format="langgraph"), ANSWER, 0, 1, 2, groups=(0, 0, 0)),
        "chunk_dumpd": _bare(replace(LANGCHAIN, format="langchain_dumpd"), ANSWER, 0, 1, 2, groups=(0, 0, 0)),
    },
    "pydantic-ai": {
        **_each(PYDANTIC, "failed", "retried", "dump_python"),
        "retry_prompt": PYDANTIC.but("a retry prompt is no answer of the tool", failure=None),
    },
    "openai-agents": {
        "items": AGENTS.but("new items know nothing of the question", turns=False),
        "input_list": RESPONSES,
        "result": AGENTS,
    },
    "google-adk": {
        **_each(replace(GEMINI, format="google_adk"), "events_camel", "events_snake", "session"),
        **_each(
            replace(GEMINI, format="google_adk_eval_set").but(
                "tool_uses is one flat list", groups=(None,) * 5
            ),
            "eval_set",
            "eval_set_camel",
        ),
        **_each(
            replace(GEMINI, format="google_adk_eval_set"), "eval_set_of_events", "eval_set_of_events_camel"
        ),
    },
    "mcp": {
        "structured": MCP,
        "texts": MCP.but("only texts", outputs="text"),
        "refused": MCP.but(
            "two calls, the second with an error of JSON-RPC",
            calls=(3, 4),
            groups=(None, None),
            error={"code": -32603, "message": story.ERROR, "data": None},
            failure=None,
            tools=False,
        ),
    },
    "opentelemetry-sdk": _spans(
        OTEL,
        OTEL.but(
            f"{RUNS}, nor of what was said",
            groups=(None,) * 5,
            tools=False,
            users=False,
            texts=False,
            text=False,
        ),
        OTEL.but(MODELS, outputs="value", error=None, failed=False, failure=story.ERROR),
    ),
    "openinference": _spans(
        replace(OTEL, format="openinference"),
        replace(OTEL, format="openinference").but(
            f"{RUNS}, or of ids", groups=(None,) * 5, tools=False, ids="none"
        ),
        replace(OTEL, format="openinference").but(MODELS, error=None, failed=False, failure=story.ERROR),
    ),
    "inspect-ai": {
        **_each(INSPECT, "log_json", "log_archive", "sample", "messages", "condensed"),
        **_each(
            INSPECT.but("events of tools are no conversation", turns=False, text=False, groups=(None,) * 5),
            "events_only",
            "events_condensed",
        ),
    },
}
