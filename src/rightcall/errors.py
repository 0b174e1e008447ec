"""Every error that rightcall raises on purpose, on one page.

    RightcallError
    ├── UsageError               exit 2   the request was wrong; nothing was done
    │   ├── UnknownNameError              no evaluator, suite, option, format … of that name
    │   ├── OptionError                   an option, threshold or gate has a value it can't have
    │   ├── PathNotFoundError             a path that does not exist
    │   ├── MissingExtraError             an optional part is not installed (names the install line)
    │   └── NotThereYetError              a documented feature that this version does not have
    ├── DataError                exit 3   the data could not be read
    │   ├── SourceError                   a file, join or run directory as a whole
    │   ├── RecordError                   one row: broken JSON, not an object, nested too deeply
    │   ├── CallError                     one tool call or a list of them: unknown shape, no name
    │   │   └── FormatError               … in no known format, or in two that differ
    │   ├── ExpectationError              the expected side of a case
    │   └── EvaluatorError                an evaluator failed on one case
    │       ├── CaseTimeoutError          … by not answering in time
    │       └── PeerError                 … as the tool whose rule it reproduces raises on that case
    ├── JudgeError               exit 4   a judge or other infrastructure failed
    ├── StoreError               exit 4   the server's database or disk can't be used just now
    ├── WorkerError              exit 4   a process that did a part of a run failed; what was finished is kept
    └── InterruptedRunError      exit 130 the run was stopped; what was finished is kept

A wrong *request* raises before any work. A wrong *record* raises from :func:`rightcall.evaluate`; in a
run it becomes the ``error`` result of its case and the run goes on.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

__all__ = [
    "CallError",
    "CaseTimeoutError",
    "DataError",
    "EvaluatorError",
    "ExpectationError",
    "FormatError",
    "InterruptedRunError",
    "JudgeError",
    "MissingExtraError",
    "NotThereYetError",
    "OptionError",
    "PathNotFoundError",
    "PeerError",
    "RecordError",
    "RightcallError",
    "SourceError",
    "StoreError",
    "UnknownNameError",
    "UsageError",
    "WorkerError",
    "nearest",
]

_LONGEST = 2000
_BEGIN, _END = 400, 200
"""Characters of a message that are kept at both ends, where it is longer than the longest: input may be in it."""
_NAMED = 60
"""Names that an error for an unknown one lists at most."""


class RightcallError(Exception):
    """Base of the family.

    Attributes:
        slug: a short stable name of the kind of error.
        exit_code: what the command line ends with.
        field: where in the request or record, e.g. ``tool_calls[0]`` or ``threshold``; None if nowhere.
        hint: what was probably meant, or what to do; None if unknown.
    """

    slug = "error"
    exit_code = 1

    def __init__(self, message: str, *, field: str | None = None, hint: str | None = None) -> None:
        # Names out of broken data may hold half of a character, which nothing could print.
        self.message = _printable(message)
        self.field = None if field is None else _printable(field)
        self.hint = None if hint is None else _printable(hint)
        super().__init__(self.message)

    def __str__(self) -> str:
        where = f"{self.field}: " if self.field else ""
        hint = f" ({self.hint})" if self.hint else ""
        return f"{where}{self.message}{hint}"

    def __reduce__(self) -> tuple[object, ...]:
        # Exception pickles only positional arguments; workers send errors to their parent.
        return (_rebuild, (type(self), self.message, dict(self.__dict__)))

    def at(self, place: str) -> RightcallError:
        """The same error, its field moved under `place` (``[2]`` under ``tool_calls`` is ``tool_calls[2]``)."""
        inner = self.field or ""
        joint = "" if not inner or inner.startswith("[") else "."
        self.field = f"{place}{joint}{inner}"
        return self


class UsageError(RightcallError):
    """The request itself is wrong; refused before any work."""

    slug = "usage"
    exit_code = 2


class UnknownNameError(UsageError):
    """A name that no member of an open set has.

    Attributes:
        name: what was asked for.
        nearest: the closest existing name, or None.
    """

    slug = "unknown-name"

    def __init__(self, kind: str, name: str, known: Iterable[str], *, field: str | None = None) -> None:
        known = sorted(known)
        self.name = name
        self.nearest = nearest(name, known)
        more = f" and {len(known) - _NAMED:,} more" if len(known) > _NAMED else ""
        names = ", ".join(known[:_NAMED]) + more
        hint = f"did you mean {self.nearest!r}?" if self.nearest else f"known: {names or 'none'}"
        super().__init__(f"unknown {kind} {name!r}", field=field, hint=hint)


class OptionError(UsageError):
    """An option, threshold or gate with a value that it can't have."""

    slug = "option"


class PathNotFoundError(UsageError):
    """A path that does not exist."""

    slug = "path-not-found"


class MissingExtraError(UsageError):
    """Something asked for by name needs an optional part that is not installed."""

    slug = "missing-extra"

    def __init__(self, what: str, extra: str, *, field: str | None = None) -> None:
        self.extra = extra
        super().__init__(f"{what} needs the extra {extra!r}", field=field, hint=install_line(extra))


class NotThereYetError(UsageError):
    """A documented feature that this version does not have. It is refused, never half done."""

    slug = "not-there-yet"


class DataError(RightcallError):
    """Data that could not be read."""

    slug = "data"
    exit_code = 3


class SourceError(DataError):
    """A file, a join or a run directory that can't be used as a whole."""

    slug = "source"


class RecordError(DataError):
    """One row that is not a case."""

    slug = "record"


class CallError(DataError):
    """A tool call, or a list of them, that can't be read without guessing."""

    slug = "call"


class FormatError(CallError):
    """An item in no known format, or one that two formats read differently."""

    slug = "format"


class ExpectationError(DataError):
    """The expected side of a case is wrong; never held against the agent."""

    slug = "expectation"


class EvaluatorError(DataError):
    """An evaluator failed on one case."""

    slug = "evaluator"


class CaseTimeoutError(EvaluatorError):
    """An evaluator did not answer within ``--case-timeout``."""

    slug = "timeout"


class PeerError(EvaluatorError):
    """The tool whose rule a preset reproduces raises on this case."""

    slug = "peer-raises"


class JudgeError(RightcallError):
    """A judge or other infrastructure failed."""

    slug = "judge"
    exit_code = 4


class StoreError(RightcallError):
    """The server's database or its disk can't be used just now: full, locked or lost. What was acknowledged is kept."""

    slug = "store"
    exit_code = 4


class WorkerError(RightcallError):
    """A process that did a part of a run died or failed; finished results are kept."""

    slug = "worker"
    exit_code = 4


class InterruptedRunError(RightcallError):
    """The run was stopped by the user; finished results are kept."""

    slug = "interrupted"
    exit_code = 130


def nearest(word: str, known: Iterable[str], *, cutoff: float = 0.6, edits: int | None = None) -> str | None:
    """The known word that `word` may have been meant as, or None: no word is better than a wrong one.

    Used only for messages and for refusing what is misspelled, never for a score.

    Args:
        word: what was written.
        known: the words that it may stand for.
        cutoff: how alike (1 is equal) both must look, of words that are longer than each other.
        edits: at most so many letters may be put in, left out, changed or swapped; by default one in three, and one
            word may be a part of the other (`accuracy` of `tool_call_accuracy`).
    """
    import difflib

    by_letters = {_letters(name): name for name in known}
    letters = _letters(word)
    if letters in by_letters:
        return by_letters[letters]
    if edits is not None:
        near = min(by_letters, key=lambda name: _edits(letters, name, edits), default=None)
        return None if near is None or _edits(letters, near, edits) > edits else by_letters[near]
    by_plain = {_plain(name): name for name in by_letters.values()}
    plain = _plain(word)
    alike = difflib.get_close_matches(plain, by_plain, n=_CANDIDATES, cutoff=cutoff)
    return next((by_plain[name] for name in alike if _may_mean(plain, name)), None)


_CANDIDATES: Final = 5
_SHORTEST_PART: Final = 3
"""Letters that a word has at least which stands for a longer one that it is a part of."""


def _may_mean(word: str, name: str) -> bool:
    """Whether two words that look alike are one: misspelled, shortened, or of the same parts."""
    short, long = sorted((_letters(word), _letters(name)), key=len)
    most = max(1, len(long) // 3)
    if _edits(short, long, most) <= most:
        return True
    if len(short) >= _SHORTEST_PART and short in long:
        return True
    fewer, more = sorted((word.split("_"), name.split("_")), key=len)
    return len(fewer) > 1 and all(any(_starts_alike(a, b) for b in more) for a in fewer)


def _starts_alike(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return short != "" and (long.startswith(short) or _edits(short, long, 1) <= 1 < len(short))


def _edits(one: str, other: str, most: int) -> int:
    """How many letters have to be put in, left out, changed or swapped with their neighbour; above `most`, any number."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, left in enumerate(one, 1):
        earlier, before, row = before, row, [i]
        for j, right in enumerate(other, 1):
            cost = min(row[j - 1] + 1, before[j] + 1, before[j - 1] + (left != right))
            if earlier and j > 1 and left == other[j - 2] and one[i - 2] == right:
                cost = min(cost, earlier[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return row[-1]


def install_line(extra: str) -> str:
    """What to type to get an optional part."""
    return f"pip install 'rightcall[{extra}]'"


def _printable(text: str) -> str:
    """A text that can be printed, and read: of a very long one the begin and the end."""
    if len(text) > _LONGEST:
        left_out = len(text) - _BEGIN - _END
        text = f"{text[:_BEGIN]} … ({left_out:,} more characters) … {text[-_END:]}"
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def _plain(word: str) -> str:
    return word.lower().replace("-", "_")


def _letters(word: str) -> str:
    """A word without what only parts it, so that `ignoreCase` is `ignore_case`."""
    return word.lower().translate(_PARTING)


_PARTING: Final = {ord(mark): None for mark in "_- "}


def _rebuild(kind: type[RightcallError], message: str, state: dict[str, object]) -> RightcallError:
    error = kind.__new__(kind)
    Exception.__init__(error, message)
    error.__dict__.update(state)
    return error
