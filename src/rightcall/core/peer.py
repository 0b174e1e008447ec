"""Another tool's rules as evaluators: what a preset declares, what its scorers see, and how they join a plan.

A scorer gets plain Python values, as the other tool would, and gives a score. Where the other tool raises, the
scorer raises too, and the case ends in an `error` that says on what.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any, Literal

from msgspec import Raw, Struct
from msgspec.structs import replace

from ..errors import PeerError, RightcallError, UnknownNameError
from .arguments import Arguments
from .ask import Answers, no_questions
from .declare import BuiltIn, Declaration, Evaluator, Input, Options
from .diagnosis.calls import is_extra
from .explain import advice_on, call_warnings, differences
from .options import OptionSpec
from .pairing.alignments import Alignments
from .results import Alignment, Details, Difference, Finished, Pair, Result
from .scoring import not_evaluated, scored
from .types import NO_ARGUMENTS, Case, ExpectedCall, ToolCall, ToolSpec

__all__ = ["Deviation", "PeerCall", "PeerCase", "Preset", "Rule", "Verdict", "object_of", "preset_of"]


class PeerCall(Struct, frozen=True, kw_only=True):
    """A call as another tool sees it.

    Attributes:
        arguments: as recorded: an object, None, or a text (which nobody has decoded yet).
        written: whether the call says anything of its arguments at all.
        output: what the tool answered; None where not recorded.
        group, turn: see :class:`ToolCall`.
        accepted: for each argument the values that are fine; None where the arguments say it all.
    """

    name: str
    arguments: Any = {}
    written: bool = True
    id: str | None = None
    output: Any = None
    group: str | None = None
    turn: int | None = None
    accepted: Any = None


class PeerCase(Struct, frozen=True, kw_only=True):
    """What a scorer is given: both sides, the rule's own options by name, the tools and the expected counts."""

    actual: tuple[PeerCall, ...]
    expected: tuple[PeerCall, ...] = ()
    options: Mapping[str, Any] = {}
    tools: tuple[ToolSpec, ...] | None = None
    counts: Any = None

    @property
    def empty(self) -> int | None:
        """1 when no side has calls, 0 when one side has none, None when both have some."""
        return None if self.actual and self.expected else int(not self.actual and not self.expected)


class Verdict(Struct, frozen=True):
    """What a rule says.

    Attributes:
        score: in 0..1; None where the rule has nothing to go by, and the reason says what is absent.
        reason: what was counted.
        pairs: (actual index, expected index, credit) where the rule pairs calls one to one; else None.
    """

    score: float | None
    reason: str
    pairs: tuple[tuple[int, int, float], ...] | None = None


class Deviation(Struct, frozen=True, kw_only=True):
    """One input on which the tool and our contract differ; tests compute both values.

    Attributes:
        what: the input in words.
        theirs: the tool's score, or ``raises``.
        ours: the score of the evaluator `beside`.
        beside: one of our evaluators; empty for the one that stands beside the rule.
        why: why ours is as it is.
        options: of the rule.
    """

    what: str
    actual: list[dict[str, Any]]
    expected: Any
    theirs: float | Literal["raises"]
    ours: float
    why: str
    beside: str = ""
    options: dict[str, Any] = {}
    our_options: dict[str, Any] = {}
    tools: list[dict[str, Any]] | None = None


class Rule(Struct, frozen=True, kw_only=True):
    """One rule of another tool.

    Attributes:
        name: its part of the id, after the preset's.
        meaning: what is computed, in one line.
        score: the rule itself.
        beside: our evaluator that answers the nearest question.
        pairs: whether verdicts carry pairs.
        extras_cost: whether calls beyond the expected ones cost anything.
        minds_order: whether a call may be left unpaired for its place alone.
        knows_accepted: whether it reads lists of accepted values (`expected_any`).
        deviations: where it differs from our contract.
    """

    name: str
    meaning: str
    score: Callable[[PeerCase], Verdict]
    beside: str
    options: tuple[OptionSpec, ...] = ()
    inputs: tuple[Input, ...] = ("actual", "expected")
    pairs: bool = False
    extras_cost: bool = True
    minds_order: bool = False
    knows_accepted: bool = False
    deviations: tuple[Deviation, ...] = ()


class Preset(Struct, frozen=True, kw_only=True):
    """Another tool's rules.

    Attributes:
        id: file name, and the first part of the ids of its evaluators.
        tool: the tool's name.
        version: whose behaviour is reproduced.
        source: where the rules were read or seen.
        threshold: the score at which the tool lets a case pass.
        rules: in the order of listings; the first that stands beside one of our evaluators stands for it.
        notes: what else to know, one sentence each.
    """

    id: str
    tool: str
    version: str
    source: str
    rules: tuple[Rule, ...]
    threshold: float = 1.0
    notes: tuple[str, ...] = ()

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of its evaluators."""
        return tuple(f"{self.id}.{rule.name}" for rule in self.rules)

    def evaluator(self, name: str, *, field: str | None = None) -> Evaluator:
        """The evaluator of a rule, by the rule's name or the id of our evaluator for which it stands.

        Raises:
            UnknownNameError: there is neither.
        """
        for rule in self.rules:
            if name in (rule.name, f"{self.id}.{rule.name}"):
                return _evaluator(self, rule)
        for rule in self.rules:
            if name == rule.beside:
                return _evaluator(self, rule)
        raise UnknownNameError(f"rule of the preset {self.id}", name, self.ids, field=field)


def preset_of(module: ModuleType) -> Preset:
    """The preset that a file of the `presets` folder holds: PRESET."""
    preset: Preset = module.PRESET
    return preset


def object_of(call: PeerCall, tool: str) -> Any:
    """The arguments for a tool that takes objects only: a text is decoded, None stays None, and so are none at all.

    Raises:
        PeerError: it is no object.
    """
    value = call.arguments if call.written else None
    if isinstance(value, str):
        try:
            value = json.loads(value, strict=False)
        except ValueError:
            told = f"{tool} raises on arguments that are a text and no JSON object"
            raise PeerError(told, field=call.name) from None
    if value is not None and not isinstance(value, dict):
        raise PeerError(f"{tool} raises on arguments that are a {type(value).__name__}", field=call.name)
    return value


def _evaluator(preset: Preset, rule: Rule) -> Evaluator:
    declaration = Declaration(
        id=f"{preset.id}.{rule.name}",
        meaning=rule.meaning,
        threshold=preset.threshold,
        inputs=rule.inputs,
        options=rule.options,
        suites=(),
        order=1000,
        pairs_calls=rule.pairs,
        mirrors=f"{preset.tool} {preset.version}",
        related=(rule.beside,),
        when_to_use=f"To get the number of {preset.tool} for the same calls, next to ours.",
        when_not="For a new set of cases: then use our own evaluators, whose rule is the contract.",
        watch_out="; ".join(deviation.what for deviation in rule.deviations[:3]),
        when_low="`rightcall compare-presets` shows which rule makes the difference to ours.",
    )
    return BuiltIn(declaration, no_questions, _Scoring(preset.tool, rule, declaration))


class _Scoring(Struct, frozen=True):
    """The second phase of a rule's evaluator. A class, since workers must be able to pickle a plan."""

    tool: str
    rule: Rule
    declaration: Declaration

    def __call__(self, case: Case, alignments: Alignments, answers: Answers, options: Options) -> Result:
        beyond = _beyond(case, knows_accepted=self.rule.knows_accepted)
        if beyond:
            reason = f"the expected side has {beyond}, which {self.tool} does not know"
            return not_evaluated(self.declaration, options.threshold, reason)
        verdict = self._verdict(_peer_case(case, alignments, options))
        if verdict.score is None:
            return not_evaluated(self.declaration, options.threshold, verdict.reason)
        if verdict.pairs is None:
            return scored(self.declaration, options, verdict.score, verdict.reason)
        return scored(
            self.declaration, options, verdict.score, self._evidence(verdict, verdict.pairs, alignments)
        )

    def _evidence(
        self, verdict: Verdict, pairs: tuple[tuple[int, int, float], ...], alignments: Alignments
    ) -> Finished:
        """What the rule paired, and what is different where it took points off."""
        alignment = _alignment(self.declaration.id, pairs, alignments)
        found: tuple[Difference, ...] = ()
        if verdict.score != 1:
            # Our options would change nothing here, so none is offered.
            found = tuple(replace(item, accept_with=None) for item in differences(alignments, alignment))
            if not self.rule.minds_order:  # two equal calls are unpaired for a reason that the rule gives
                found = tuple(item for item in found if item.kind != "out_of_order")
            if not self.rule.extras_cost:
                found = tuple(item for item in found if not is_extra(item))
        details = Details(
            rule=alignment.rule,
            pairs=alignment.pairs,
            missing=alignment.missing,
            extra=alignment.extra,
            differences=found,
        )
        reason = verdict.reason + (advice_on(alignments, found) if found else "")
        return Finished(alignment, reason, details, call_warnings(alignments, alignment))

    def _verdict(self, case: PeerCase) -> Verdict:
        try:
            return self.rule.score(case)
        except RightcallError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever the tool's rule does on such an input is its answer
            told = f"{type(error).__name__}: {error}".splitlines()[0][:200]
            raise PeerError(f"{self.tool} raises {told}") from None


def _beyond(case: Case, *, knows_accepted: bool) -> str | None:
    """What of the expected side no other tool could be given."""
    if case.expected is None:
        return None
    if case.expected.paths:
        return "several paths"
    for call in case.expected.calls or ():
        listed = call.accepted is not None
        for held, word in (
            (listed and not knows_accepted, "lists of accepted values"),
            (call.matching and not listed, "matchers"),
            (call.optional, "optional calls"),
            (call.count is not None, "ranges of calls"),
            (call.alternatives, "alternatives"),
        ):
            if held:
                return word
    return None


def _peer_case(case: Case, alignments: Alignments, options: Options) -> PeerCase:
    names, wanted = alignments.actual_names, alignments.expected_names
    return PeerCase(
        actual=tuple(_peer_call(alignments.actual[at], names[at]) for at in alignments.actual_indexes),
        expected=tuple(_peer_call(call, wanted[at]) for at, call in enumerate(alignments.expected)),
        options=options.own,
        tools=case.tools,
        counts=case.expected.counts if case.expected is not None else None,
    )


def _peer_call(call: ToolCall, name: str) -> PeerCall:
    return PeerCall(
        name=name,
        arguments=_recorded(call.raw),
        written=call.raw is not NO_ARGUMENTS,
        id=call.id,
        output=call.output,
        group=call.group,
        turn=call.turn,
        accepted=call.accepted if isinstance(call, ExpectedCall) else None,
    )


def _recorded(arguments: Arguments) -> Any:
    """Arguments as Python's own JSON reader gives them, floats as floats: that is what the tools compare."""
    if not isinstance(arguments, Raw):
        return arguments.value
    text = bytes(arguments).decode("utf-8", "surrogatepass")
    try:
        return json.loads(text)
    except ValueError:
        return text


def _alignment(rule: str, pairs: tuple[tuple[int, int, float], ...], alignments: Alignments) -> Alignment:
    places = alignments.actual_indexes
    made = tuple(Pair(places[at], wanted, credit) for at, wanted, credit in sorted(pairs))
    used, served = {pair.actual for pair in made}, {pair.expected for pair in made}
    return Alignment(
        rule=rule,
        pairs=made,
        missing=tuple(at for at in range(len(alignments.expected)) if at not in served),
        extra=tuple(at for at in places if at not in used),
        exact=sum(pair.credit == 1.0 for pair in made),
    )
