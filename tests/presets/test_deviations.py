"""Each difference that a preset lists is an example that runs: their value, our value, and that they differ."""

from __future__ import annotations

from typing import Any

import pytest

from rightcall import evaluate
from rightcall.core.peer import Deviation, Rule
from rightcall.errors import PeerError
from rightcall.run.sets import EVALUATORS, PRESETS

LISTED = [
    pytest.param(preset.id, rule, deviation, id=f"{preset.id}.{rule.name}-{number}")
    for preset in PRESETS
    for rule in preset.rules
    for number, deviation in enumerate(rule.deviations)
]


@pytest.mark.parametrize(("preset", "rule", "deviation"), LISTED)
def test_the_difference_is_what_it_says(preset: str, rule: Rule, deviation: Deviation) -> None:
    sides: dict[str, Any] = {
        "output": deviation.actual,
        "expected": deviation.expected,
        "tools": deviation.tools,
    }
    if deviation.theirs == "raises":
        with pytest.raises(PeerError, match="raises"):
            evaluate(f"{preset}.{rule.name}", **sides, **deviation.options)
    else:
        assert evaluate(f"{preset}.{rule.name}", **sides, **deviation.options).score == deviation.theirs
    beside = deviation.beside or rule.beside
    assert evaluate(beside, **sides, **deviation.our_options).score == deviation.ours
    assert deviation.theirs != deviation.ours
    assert deviation.why


@pytest.mark.parametrize("preset", PRESETS.ids())
def test_a_preset_says_what_it_is(preset: str) -> None:
    found = PRESETS.get(preset)
    assert found.id == preset
    assert found.tool
    assert found.version
    assert found.source
    assert len(set(found.ids)) == len(found.rules)
    for rule in found.rules:
        assert rule.beside in EVALUATORS.own
        assert rule.meaning
        assert rule.deviations or rule.name == "relevance"
