"""Our score of an input, as the peers give theirs: a number, None where nothing is compared, or `raises`."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rightcall.core.peer import PeerCall, PeerCase
from rightcall.core.schema.tools import read_tools
from rightcall.run.sets import PRESETS

HERE = Path(__file__).parent
sys.path.append(str(HERE / "peers"))
from variants import PACKAGES, VARIANTS  # type: ignore[import-not-found]  # noqa: E402 - peers share it, as a script

__all__ = ["PACKAGES", "VARIANTS", "agree", "our_scores", "peer_python", "peer_scores"]

Scores = dict[str, Any]


def our_scores(peer: str, case: dict[str, Any]) -> Scores:
    """What the preset says of one input, by variant."""
    rules = {rule.name: rule for rule in PRESETS.get(peer).rules}
    found: Scores = {}
    for name, (rule, written) in VARIANTS[peer].items():
        options = {spec.name: spec.default for spec in rules[rule].options}
        specs = {spec.name: spec for spec in rules[rule].options}
        options |= {key: specs[key].parse(value, key) for key, value in written.items()}
        try:
            made = PeerCase(
                actual=_calls(case["actual"]),
                expected=_accepted(case["expected_any"])
                if "expected_any" in case
                else _calls(case["expected"]),
                options=options,
                tools=read_tools(case["tools"]) if "tools" in case else None,
                counts=case.get("counts"),
            )
            found[name] = rules[rule].score(made).score
        except Exception as error:  # noqa: BLE001 - evaluators turn each into an `error` result
            found[name] = f"raises: {type(error).__name__}: {error}"
    return found


def _calls(calls: list[dict[str, Any]]) -> tuple[PeerCall, ...]:
    return tuple(PeerCall(**call, written="arguments" in call) for call in calls)


def _accepted(calls: list[dict[str, Any]]) -> tuple[PeerCall, ...]:
    return tuple(PeerCall(name=call["name"], accepted=call["arguments"]) for call in calls)


def agree(ours: Any, theirs: Any) -> bool:
    """Equal to 1e-9, or both raise."""
    if isinstance(ours, str) or isinstance(theirs, str):
        return isinstance(ours, str) and isinstance(theirs, str)
    if ours is None or theirs is None:
        return ours is theirs
    return bool(abs(ours - theirs) <= 1e-9)


def peer_python(peer: str, *, install: bool) -> Path | None:
    """The interpreter of a peer's own environment; None where there is none and none may be made."""
    folder = HERE.parents[1] / ".venv-peers" / peer
    python = folder / "bin" / "python"
    if not python.exists() and install:
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", *PACKAGES[peer]], check=True)
    return python if python.exists() else None


def peer_scores(peer: str, python: Path, cases: Iterable[dict[str, Any]]) -> list[Scores]:
    """What the peer says of some inputs."""
    lines = "".join(json.dumps(case) + "\n" for case in cases)
    ran = subprocess.run(
        [str(python), "-W", "ignore", str(HERE / "peers" / f"{peer}.py")],
        input=lines,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    return [json.loads(line) for line in ran.stdout.splitlines() if line.startswith("{")]
