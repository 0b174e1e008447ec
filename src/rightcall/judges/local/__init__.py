"""The local judge: typed parsers, guards and a small regression. Offline, repeatable, symmetric."""

from __future__ import annotations

from ...core.ask import Judge
from ...errors import UsageError

__all__ = ["make_judge"]


def make_judge(model: str | None) -> Judge:
    """The local judge; it has no other model than its own.

    Raises:
        UsageError: a model is named.
        MissingExtraError: its libraries are not installed.
    """
    if model is not None:
        raise UsageError(f"the local judge has no model {model!r}", field="model", hint="write local")
    from .judge import LocalJudge

    return LocalJudge()
