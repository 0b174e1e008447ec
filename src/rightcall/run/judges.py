"""The judges, by name: ``local``, or ``BACKEND[:MODEL]``. One file each in the `judges` folder."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Final

from ..core.ask import Judge
from ..core.registry import Registry

__all__ = ["JUDGES", "LOCAL", "checked_model", "judge_of"]

LOCAL: Final = "local"

MakeJudge = Callable[[str | None], Judge]
"""Makes a judge of a backend; the model by its name there, or None for the backend's own choice."""


def _maker_of(module: ModuleType) -> MakeJudge:
    make: MakeJudge = module.make_judge
    return make


JUDGES: Registry[MakeJudge] = Registry("rightcall.judges", "judge", _maker_of)


def checked_model(model: str) -> str:
    """The name of a judge, if its backend is known. Nothing is loaded and nobody is asked.

    Raises:
        UnknownNameError: there is no such backend; the error names the nearest.
    """
    backend = model.partition(":")[0]
    if backend not in JUDGES:
        JUDGES.get(backend, field="model")
    return model


def judge_of(model: str) -> Judge:
    """The judge called `model`.

    Raises:
        UnknownNameError: there is no such backend.
        MissingExtraError: it needs an optional part that is not installed.
        JudgeError: it can't be asked: no key, say.
    """
    backend, _, name = model.partition(":")
    return JUDGES.get(backend, field="model")(name or None)
