"""The story as logs of `inspect-ai`, written by its own writer as JSON and as an archive."""

from __future__ import annotations

import json
import tempfile
import zipfile
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

harness: Any = import_module("harness")
story: Any = import_module("story")
log: Any = import_module("inspect_ai.log")
model: Any = import_module("inspect_ai.model")
tool: Any = import_module("inspect_ai.tool")
event: Any = import_module("inspect_ai.event")
AT = "2026-10-26T12:00:00+00:00"
FAILED = 4


def call(number: int) -> Any:
    """A call."""
    one = story.CALLS[number]
    return tool.ToolCall(id=one["id"], function=one["name"], arguments=one["arguments"], type="function")


def error(number: int) -> Any:
    """What went wrong in a call; None where nothing did."""
    return tool.ToolCallError(type="unknown", message=story.ERROR) if number == FAILED else None


def messages() -> list[Any]:
    """The conversation of a sample."""
    made: list[Any] = [model.ChatMessageSystem(id="m0", content="You tend a garden.")]
    for index, (kind, what) in enumerate(story.said(), 1):
        if kind == "user":
            made.append(model.ChatMessageUser(id=f"m{index}", content=what))
        elif kind == "text":
            made.append(model.ChatMessageAssistant(id=f"m{index}", content=what, model="made-up-model"))
        else:
            made.append(
                model.ChatMessageAssistant(
                    id=f"m{index}",
                    content=[model.ContentText(text="")],
                    tool_calls=[call(number) for number in what],
                )
            )
            made += [
                model.ChatMessageTool(
                    id=f"m{index}.{number}",
                    content="" if number == FAILED else story.answer_text(number),
                    tool_call_id=story.CALLS[number]["id"],
                    function=story.CALLS[number]["name"],
                    error=error(number),
                )
                for number in what
            ]
    return made


def events() -> list[Any]:
    """The runs of the tools, which repeat what the messages say."""
    return [
        event.ToolEvent(
            uuid=f"event-{number}",
            timestamp=AT,
            working_start=float(number),
            id=one["id"],
            function=one["name"],
            arguments=one["arguments"],
            result="" if number == FAILED else story.answer_text(number),
            error=error(number),
        )
        for number, one in enumerate(story.CALLS)
    ]


def sample(name: str, *, with_messages: bool) -> Any:
    """A sample; without messages only its events tell."""
    return log.EvalSample(
        id=name,
        epoch=1,
        input=story.ASKED[0],
        target="",
        messages=messages() if with_messages else [],
        events=events(),
        uuid=f"sample-{name}",
    )


def whole(*, with_messages: bool) -> Any:
    """A log of one sample."""
    spec = log.EvalSpec(
        eval_id="eval-1",
        run_id="run-1",
        task_id="task-1",
        created=AT,
        task="garden",
        dataset=log.EvalDataset(name="garden", samples=1),
        model="made-up/model",
        config=log.EvalConfig(),
    )
    return log.EvalLog(status="success", eval=spec, samples=[sample("garden-1", with_messages=with_messages)])


def written(made: Any, kind: str) -> bytes:
    """The log as the library's writer writes it into a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"log.{kind}"
        log.write_eval_log(made, str(path), format=kind)
        return path.read_bytes()


def main() -> None:
    """Build and print."""
    # An archive holds the moment at which each of its members was written; here that is always the same one.
    clock: Any = SimpleNamespace(time=lambda: 0.0, localtime=lambda _=None: (2026, 10, 26, 12, 0, 0))
    zipfile.time = clock  # type: ignore[attr-defined]
    out = harness.Dumps("inspect-ai")
    made = whole(with_messages=True)
    out.dump("log_json", written(made, "json").decode())
    out.object("log_json", made)
    out.dump("log_archive", written(made, "eval"))
    out.dump("sample", made.samples[0].model_dump_json())
    out.object("sample", made.samples[0])
    out.dump("messages", json.dumps([one.model_dump(mode="json") for one in messages()]))
    out.object("messages", messages())
    bare = whole(with_messages=False)
    out.dump("events_only", written(bare, "json").decode())
    out.object("events_only", bare)
    for name, made in (("condensed", whole(with_messages=True)), ("events_condensed", bare)):
        made.samples = [log.condense_sample(one) for one in made.samples]
        out.dump(name, written(made, "json").decode())
        out.object(name, made)
    out.print()


if __name__ == "__main__":
    main()
