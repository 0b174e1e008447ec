"""The declaration of an evaluator: one place that the docs, the help pages and every interface read from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any, Literal, Protocol

from msgspec import Struct

from .ask import Answers, Questions
from .options import OptionSpec
from .pairing.alignments import Alignments, Comparing, frozen
from .results import Result
from .types import Case

__all__ = ["BuiltIn", "Declaration", "Evaluator", "Example", "Options", "built_in"]

Input = Literal["actual", "expected", "tools"]
OptionGroup = Literal["arguments", "alike", "names", "failed", "repair", "groups"]


class Example(Struct, frozen=True, kw_only=True):
    """An input that shows the rule, with its score. `options` as they would be written."""

    actual: list[dict[str, Any]]
    expected: list[dict[str, Any]] | None = None
    tools: list[dict[str, Any]] | None = None
    options: dict[str, Any] = {}
    score: float | None = None


class Declaration(Struct, frozen=True, kw_only=True):
    """What an evaluator is.

    Attributes:
        id: its registered name.
        meaning: the score in one line.
        kind: ``code`` is deterministic and free; ``judge`` asks questions.
        threshold: the score at which it passes unless told otherwise.
        inputs: what a case must have; without it the result is ``not_evaluated``.
        options: its own options.
        option_groups: which shared options it honours. ``alike`` is of ``arguments`` those under which equality stays an
            equivalence relation: an evaluator that compares calls of one side has no expected and actual one.
        suites: the suites it belongs to.
        order: its place in listings and suites.
        pairs_calls: whether it pairs calls, so that precision and recall can be summed up.
        length_decides: whether, for two lists that are the same call by call, their length alone decides the
            result; such cases share one.
        extra: the optional part it needs.
        cost: what one case costs.
        result_shape: what is in ``details`` beside the alignment.
        aggregate: what to read of it over a dataset.
        mirrors: the published rule it re-creates.
        related: ids of neighbours.
        when_to_use, when_not, watch_out, when_low: advice, one or more sentences each.
        example: runnable.
        questions: what people ask, with answers.
    """

    id: str
    meaning: str
    kind: Literal["code", "judge"] = "code"
    threshold: float = 1.0
    inputs: tuple[Input, ...] = ("actual", "expected")
    options: tuple[OptionSpec, ...] = ()
    option_groups: tuple[OptionGroup, ...] = ("names", "failed")
    suites: tuple[str, ...] = ("everything",)
    order: int = 100
    pairs_calls: bool = False
    length_decides: bool = False
    extra: str | None = None
    cost: str = "free; microseconds a case, no network"
    result_shape: str = ""
    aggregate: str = "mean and pass rate"
    mirrors: str | None = None
    related: tuple[str, ...] = ()
    when_to_use: str = ""
    when_not: str = ""
    watch_out: str = ""
    when_low: str = ""
    example: Example | None = None
    questions: tuple[tuple[str, str], ...] = ()


class Options(Struct, frozen=True, kw_only=True):
    """What holds for one evaluator in one run; hashable, so that equal ones can share work.

    Attributes:
        threshold: the score at which a result passes.
        comparing: how calls are seen; equal ones share their alignments.
        own: the evaluator's own options, parsed, defaults filled in.
        groups: whether expected groups are honoured (``use``) or not (``ignore``).
    """

    threshold: float
    comparing: Comparing
    own: dict[str, Any]
    groups: Literal["use", "ignore"] = "use"

    def __getitem__(self, name: str) -> Any:
        return self.own[name]

    def __hash__(self) -> int:
        return hash((self.threshold, self.comparing, frozen(self.own), self.groups))


class Evaluator(Protocol):
    """Two phases: state what a judge must answer, then score with the answers. Pure, no IO."""

    @property
    def declaration(self) -> Declaration:
        """What it is."""

    def questions(self, case: Case, options: Options) -> Questions:
        """What must be answered before `score`; nothing for code evaluators."""

    def score(self, case: Case, alignments: Alignments, answers: Answers, options: Options) -> Result:
        """The result for a case that has every declared input."""


class BuiltIn(Struct, frozen=True):
    """An evaluator that ships with rightcall.

    Attributes:
        as_expected: the result of a case whose calls were all made just as expected, from their names alone,
            which saves looking at the case; it gives None where the options want more, and is None itself
            where a score never follows from names.
    """

    declaration: Declaration
    questions: Callable[[Case, Options], Questions]
    score: Callable[[Case, Alignments, Answers, Options], Result]
    as_expected: Callable[[Sequence[str], Options], Result | None] | None = None


def built_in(module: ModuleType) -> Evaluator:
    """The evaluator that a file of the `evaluators` folder holds: DECLARATION, questions, score, `as_expected`."""
    as_expected = getattr(module, "as_expected", None)
    return BuiltIn(module.DECLARATION, module.questions, module.score, as_expected)
