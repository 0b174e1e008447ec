"""Messages stay readable whatever a request or a record holds."""

from __future__ import annotations

import pickle

from rightcall.errors import OptionError, UnknownNameError


def test_a_very_long_name_is_cut_in_the_message_and_kept_beside_it():
    name = "x" * 1_000_000 + "end"
    error = UnknownNameError("case", name, ["a"], field="case")
    assert len(str(error)) < 1000
    assert str(error).startswith("case: unknown case 'xxx")
    assert "999,4" in str(error)
    assert str(error).endswith("end' (known: a)")
    assert error.name == name


def test_of_very_many_known_names_some_are_listed():
    error = UnknownNameError("case", "what", [f"case-{number:05}" for number in range(50_000)])
    assert error.hint is not None
    assert error.hint.endswith("case-00059 and 49,940 more")


def test_a_cut_error_is_the_same_in_another_process():
    error = OptionError("y" * 5000, field="f" * 3000, hint="z" * 3000)
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
    assert str(again) == str(error)
    assert len(str(error)) < 3000
