"""Gates: what is met, what is missed, with which exit code, and what is said about it."""

from __future__ import annotations

from typing import Any

import pytest

from rightcall import OptionError, Run, UnknownNameError, evaluate_cases
from rightcall.core.summing.summary import GateOutcome
from rightcall.run.gates import Gates, apart, check_gates, exit_code, parse_gate
from rightcall.run.summarize import summary_of

CALL = [{"name": "a", "arguments": {}}]


def run_of(*actual: Any, evaluators: tuple[str, ...] = ("tool_call_accuracy",)) -> Run:
    rows = [
        {"id": f"r{n}", "tool_calls": calls, "expected_tool_calls": CALL} for n, calls in enumerate(actual)
    ]
    return evaluate_cases(rows, evaluators)


def outcomes(run: Run, *single: tuple[str, str], **fields: Any) -> tuple[GateOutcome, ...]:
    summary = summary_of(run)
    gates = tuple(parse_gate(text, kind, list(summary.evaluators)) for kind, text in single)
    return check_gates(summary, Gates(single=gates, **fields))


@pytest.mark.parametrize(
    ("run", "single", "fields", "code"),
    [
        pytest.param(run_of(CALL), (), {}, 0, id="all pass"),
        pytest.param(run_of(CALL, []), (), {}, 1, id="one failed"),
        pytest.param(run_of(CALL, []), (), {"enforced": False}, 0, id="no gate"),
        pytest.param(run_of(CALL, 42), (), {}, 3, id="an error"),
        pytest.param(run_of(CALL, 42), (), {"max_errors": 1}, 0, id="an error that may be"),
        pytest.param(run_of(CALL, 42, []), (), {"max_errors": 1}, 1, id="it excuses no failure"),
        pytest.param(run_of(CALL, 42), (), {"enforced": False}, 3, id="no gate excuses no error"),
        pytest.param(run_of(CALL, None), (), {}, 0, id="the default gate lets pass what is not evaluated"),
        pytest.param(run_of(CALL, None), (), {"max_not_evaluated": 0}, 1, id="one not evaluated"),
        pytest.param(run_of(CALL, None), (), {"max_not_evaluated": 1}, 0, id="one that may be"),
        pytest.param(run_of(CALL, [], None), (), {"max_not_evaluated": 1}, 1, id="the default gate stays"),
        pytest.param(
            run_of(CALL, None), (), {"max_not_evaluated": 0, "enforced": False}, 0, id="it is not enforced"
        ),
        pytest.param(run_of(), (), {}, 3, id="no case"),
        pytest.param(run_of(), (), {"enforced": False}, 3, id="no case and no gate"),
        pytest.param(run_of(None), (), {}, 1, id="nothing evaluated"),
        pytest.param(run_of(CALL, []), (("fail_under", "0.5"),), {}, 0, id="mean at the bound"),
        pytest.param(run_of(CALL, []), (("fail_under", "0.51"),), {}, 1, id="mean below"),
        pytest.param(
            run_of(CALL, []), (("fail_under", "0.51"),), {"enforced": False}, 0, id="mean not enforced"
        ),
        pytest.param(run_of(CALL, []), (("min_pass_rate", "0.5"),), {}, 0, id="rate at the bound"),
        pytest.param(
            run_of(CALL, 42), (("min_pass_rate", "0.6"),), {"max_errors": 1}, 1, id="an error is no pass"
        ),
        pytest.param(run_of(None), (("fail_under", "0"),), {}, 1, id="no scored case"),
        pytest.param(
            run_of(CALL, []), (("fail_under", "0.9"), ("min_pass_rate", "0.1")), {}, 1, id="one of two"
        ),
        pytest.param(run_of(42, []), (("fail_under", "0.9"),), {}, 3, id="data before gates"),
    ],
)
def test_exit_code(run: Run, single: tuple[tuple[str, str], ...], fields: dict[str, Any], code: int):
    assert exit_code(outcomes(run, *single, **fields)) == code


def test_a_gate_without_id_holds_for_those_with_a_scored_case_and_names_the_others():
    run = run_of(CALL, evaluators=("tool_call_accuracy", "tool_call_valid"))
    found = outcomes(run, ("fail_under", "0.9"))
    assert [gate.evaluator for gate in found if gate.gate == "fail_under"] == ["tool_call_accuracy"]
    assert "tool_call_valid" in found[-1].message
    assert exit_code(found) == 0


def test_a_gate_with_an_id_needs_a_scored_case():
    run = run_of(CALL, evaluators=("tool_call_accuracy", "tool_call_valid"))
    assert exit_code(outcomes(run, ("fail_under", "tool_call_valid=0.1"))) == 1


def test_float_noise_misses_no_gate():
    assert exit_code(outcomes(run_of(CALL, CALL, []), ("fail_under", "0.6666666667"))) == 0


def test_a_missed_gate_never_shows_two_equal_numbers():
    run = run_of(*[CALL] * 19999, [])
    (message,) = [gate.message for gate in outcomes(run, ("fail_under", "1")) if gate.gate == "fail_under"]
    assert "0.99995 < 1.00000" in message


@pytest.mark.parametrize(
    ("measured", "asked"), [(0.8, 0.9), (0.89996, 0.9), (0.9 - 2e-9, 0.9), (0.1, 0.1 + 1e-15)]
)
def test_numbers_that_differ_look_different(measured: float, asked: float):
    left, right = apart(measured, asked)
    assert left != right


@pytest.mark.parametrize("text", ["", "x", "nan", "1.5", "-0.1", "tool_call_accuracy=", "inf"])
def test_what_is_no_gate_is_refused(text: str):
    with pytest.raises(OptionError):
        parse_gate(text, "fail_under", ["tool_call_accuracy"])


def test_a_gate_on_an_evaluator_that_is_not_chosen_is_refused():
    with pytest.raises(UnknownNameError, match="tool_call_accuracy"):
        parse_gate("tool_call_acuracy=1", "fail_under", ["tool_call_accuracy"])


def test_the_number_of_cases_that_were_not_evaluated_is_shown_among_the_gates():
    (found,) = [
        gate
        for gate in outcomes(run_of(CALL, None, None), max_not_evaluated=1)
        if gate.gate == "max_not_evaluated"
    ]
    assert (found.asked, found.measured, found.met) == (1, 2, False)
    assert found.message == "2 of 3 cases were not evaluated; 1 may"
