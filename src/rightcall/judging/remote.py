"""A remote judge behind the local one: asked only about what is undecided, kept, calibrated, never in the way.

Whatever a server does to one pair, that pair keeps its local probability and says that it was not judged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from ..core.ask import Answer, Judge, Question
from ..core.backend import Asked, Backend, Judged
from ..errors import JudgeError, RightcallError
from .breaker import Breaker
from .budget import Budget
from .cache import Cache, Kept, key_of
from .calibration import AS_IT_IS, Calibration
from .outgoing import Outgoing, outgoing
from .prompts import PROMPT
from .sending import Sender, Sent
from .settings import Judging

__all__ = ["RemoteJudge", "Spent", "is_undecided"]

LEAST: Final = 0.05
MOST: Final = 0.95
"""Between these the local stage is undecided (judges.md 1)."""
NOT_RECORDED: Final = "no recorded answer"
MOST_BYTES: Final = 400_000
"""Of the pairs of one request."""


class Spent(Struct, frozen=True, kw_only=True):
    """What a judge did so far.

    Attributes:
        asked: pairs that the local stage left undecided.
        judged: of these, those with a judgement of the remote judge, kept ones included.
        kept: of these, those that were known already.
        requests: sent.
        seconds: of each request that was answered.
    """

    asked: int
    judged: int
    kept: int
    requests: int
    tokens: int
    cost_usd: float
    seconds: tuple[float, ...] = ()


def is_undecided(question: Question, local: Answer) -> bool:
    """Whether a remote judge may be asked: the local stage is unsure, and nobody has refused an argument."""
    if local.probability is None or question.refused:
        return False
    if any(each.decided and each.probability < 0.5 for each in local.arguments):
        return False  # a parser's "differs" is never overturned
    return LEAST < local.probability < MOST


class RemoteJudge:
    """A judge that asks a backend about what another one leaves undecided.

    Args:
        backend: whom to ask.
        local: who is asked first.
        settings: how; its redaction hook is a function here.
        calibration: what its probabilities are worth.
        cache: where answers are kept.
    """

    def __init__(
        self,
        backend: Backend,
        local: Judge,
        settings: Judging | None = None,
        *,
        calibration: Calibration | None = None,
        cache: Cache | None = None,
    ) -> None:
        self._backend = backend
        self._local = local
        self._settings = settings or Judging()
        self._calibration = calibration
        self._cache = cache or Cache(None)
        self._confirmed: str | None = None  # the version that answered in this session
        chosen = self._settings
        self._redact = None if isinstance(chosen.redact, str) else chosen.redact
        self._budget = Budget(chosen.budget_usd, chosen.budget_tokens, chosen.price)
        self._sender = Sender(
            backend,
            PROMPT,
            self._budget,
            Breaker(),
            concurrency=chosen.concurrency,
            rate=chosen.rate,
            deadline=chosen.deadline,
        )
        self._asked = 0
        self._judged = 0
        self._kept = 0
        self._seconds: list[float] = []

    @property
    def name(self) -> str:
        """``BACKEND:MODEL`` as it is asked for."""
        return f"{self._backend.id}:{self._backend.model}"

    @property
    def resolved(self) -> str | None:
        """The version that answered; None where none did yet."""
        return self._confirmed

    @property
    def spent(self) -> Spent:
        """What it did so far."""
        return Spent(
            asked=self._asked,
            judged=self._judged,
            kept=self._kept,
            requests=self._sender.requests,
            tokens=self._budget.tokens,
            cost_usd=self._budget.usd,
            seconds=tuple(self._seconds),
        )

    def close(self) -> None:
        """Let go of the file of kept answers."""
        self._cache.close()

    def answer(self, questions: Sequence[Question]) -> list[Answer]:
        """The local answer to each question, with the remote one where it is undecided.

        Raises:
            JudgeError: the key is not accepted, the budget is spent, a replay lacks answers, the calibration is
                for another version, or the redaction hook failed.
        """
        answers = list(self._local.answer(questions))
        places = [
            place
            for place, (question, local) in enumerate(zip(questions, answers, strict=True))
            if is_undecided(question, local)
        ]
        found = self.judge([outgoing(questions[place], self._redact) for place in places])
        self._asked += len(places)
        for place, kept in zip(places, found, strict=True):
            answers[place] = self._blended(answers[place], kept)
        return answers

    def judge(self, pairs: Sequence[Outgoing], *, averaging: bool = True) -> list[Kept]:
        """What the backend says of each pair, whatever the local stage thinks of it.

        Args:
            pairs: as they travel.
            averaging: ask in both orders where the backend needs it; else in the one given.

        Raises:
            JudgeError: see :meth:`answer`.
        """
        both = self._backend.both_orders and averaging
        sent: dict[str, Asked] = {}  # by a key without a version: equal pairs are asked once
        ways: list[list[str]] = []
        for pair in pairs:
            if pair.held_back is not None:
                ways.append([])
                continue
            turns = [pair.asked, pair.asked.turned()] if both else [pair.asked]
            ways.append([key_of(self._backend.id, "", PROMPT.version, turn) for turn in turns])
            sent |= dict(zip(ways[-1], turns, strict=True))
        found = self._found(sent)
        return [
            Kept(judged=Judged(None, pair.held_back), model="")
            if not way
            else _averaged([found[x] for x in way])
            for pair, way in zip(pairs, ways, strict=True)
        ]

    def _found(self, asked: dict[str, Asked]) -> dict[str, Kept]:
        """An answer for each, kept or new."""
        if not asked:
            return {}
        found = self._known(asked)
        if self._sender.failure is None:  # after it, what was just paid for is looked up again
            self._kept += len(found)
        missing = {key: pair for key, pair in asked.items() if key not in found}
        if not missing:
            return found
        if self._settings.replay and self._settings.lenient:
            lost = Kept(judged=Judged(None, NOT_RECORDED), model="")
            return found | dict.fromkeys(missing, lost)
        if self._settings.replay:
            raise JudgeError(
                f"{self.name}: {len(missing)} of {len(asked)} answers are not among the recorded ones",
                field="replay",
                hint="run once without --replay to record them",
            )
        if self._sender.failure is not None:
            raise self._sender.failure
        if self._confirmed is None and len(missing) > 1 and self._is_alias():
            # A name may stand for another version today: one request tells, then kept answers count again.
            first = dict([next(iter(missing.items()))])
            found |= self._sent(first)
            rest = {key: pair for key, pair in missing.items() if key not in first}
            known = self._known(rest)
            self._kept += len(known)
            found |= known
            missing = {key: pair for key, pair in rest.items() if key not in known}
        return found | self._sent(missing)

    def _is_alias(self) -> bool:
        """Whether the name is known to stand for another one: then kept answers may be another version's."""
        return self._cache.resolved(self.name) not in (None, self._backend.model)

    def _known(self, asked: dict[str, Asked]) -> dict[str, Kept]:
        """What is kept of the version that answers now."""
        model = self._confirmed
        if model is None and (self._settings.replay or not self._is_alias()):
            model = self._cache.resolved(self.name) or self._backend.model
        if model is None:
            return {}
        found: dict[str, Kept] = {}
        # What failed before any version had answered is kept under the name that was asked for.
        for version in dict.fromkeys((self._backend.model, model)):
            keys = {
                key_of(self._backend.id, version, PROMPT.version, pair): key for key, pair in asked.items()
            }
            found |= {keys[key]: kept for key, kept in self._cache.find(list(keys)).items()}
        for kept in found.values():
            self._check_version(kept.model)
        return found

    def _sent(self, asked: dict[str, Asked]) -> dict[str, Kept]:
        """New answers. What came before a failure is kept, so that it need not be paid for again."""
        if not asked:
            return {}
        batches = _batches(asked, self._backend.most)
        found: dict[str, Kept] = {}
        wrong: list[RightcallError] = []

        def take(number: int, sent: Sent) -> None:
            try:
                found.update(self._take(batches[number], sent))
            except RightcallError as error:
                wrong.append(error)

        failure = self._sender.send_all([[pair for _, pair in batch] for batch in batches], take)
        if wrong:
            raise wrong[0]
        if failure is not None:
            raise failure
        return found

    def _take(self, batch: Sequence[tuple[str, Asked]], sent: Sent) -> dict[str, Kept]:
        reply = sent.reply
        if reply.model:
            self._check_version(reply.model)
            if self._confirmed != reply.model:
                self._confirmed = reply.model
                self._cache.resolve(self.name, reply.model)
        if sent.seconds:
            self._seconds.append(sent.seconds)
        model = reply.model or self._confirmed or self._backend.model
        size = len(batch)
        tokens = (reply.input_tokens + reply.output_tokens) // size
        found = {
            key: Kept(
                judged=judged,
                model=model,
                tokens=tokens,
                cost_usd=sent.cost_usd / size,
                request_id=reply.request_id,
                passing=sent.passing,
            )
            for (key, _), judged in zip(batch, reply.judged, strict=True)
        }
        self._cache.keep(
            (key_of(self._backend.id, model, PROMPT.version, pair), found[key]) for key, pair in batch
        )
        return found

    def _check_version(self, model: str) -> None:
        made_for = None if self._calibration is None else self._calibration.model
        if made_for is not None and model != made_for:
            raise JudgeError(
                f"the calibration is for {self._backend.id}:{made_for}, and {model} answered",
                field="calibration",
                hint=f"ask for {self._backend.id}:{made_for}, or calibrate again",
            )

    def _blended(self, local: Answer, kept: Kept) -> Answer:
        remote = kept.judged.probability
        cost = {"cost_usd": kept.cost_usd, "tokens": kept.tokens}
        if remote is None or local.probability is None:
            return replace(local, not_judged=kept.judged.why or "no judgement", **cost)
        self._judged += 1
        blend = self._calibration or AS_IT_IS
        probability = blend.blend(local.probability, remote, self._settings.prior)
        who = f"{self._backend.id}:{kept.model}"
        return replace(local, probability=probability, by=who, local=local.probability, **cost)


def _averaged(turns: Sequence[Kept]) -> Kept:
    """What was said in both orders; where one of them has no judgement, the pair has none."""
    if len(turns) == 1:
        return turns[0]
    tokens, cost = sum(each.tokens for each in turns), sum(each.cost_usd for each in turns)
    values = [each.judged.probability for each in turns]
    lacking = next((each for each in turns if each.judged.probability is None), None)
    judged = (
        lacking.judged
        if lacking is not None
        else Judged(sum(value for value in values if value is not None) / len(values))
    )
    return replace(turns[0], judged=judged, tokens=tokens, cost_usd=cost)


def _batches(asked: dict[str, Asked], most: int) -> list[list[tuple[str, Asked]]]:
    """The pairs in requests: of so many at most, and not too long."""
    from ..core.backend import as_json

    size: Callable[[Asked], int] = lambda pair: len(as_json(pair))  # noqa: E731 - measured once for each
    batches: list[list[tuple[str, Asked]]] = []
    held = 0
    for item in asked.items():
        length = size(item[1])
        if not batches or len(batches[-1]) >= most or held + length > MOST_BYTES:
            batches.append([])
            held = 0
        batches[-1].append(item)
        held += length
    return batches
