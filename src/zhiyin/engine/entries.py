"""A log as lean entries: as much of each record as some statistic needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import attrgetter
from typing import TypeVar

import msgspec

from zhiyin.engine.folder import once
from zhiyin.engine.items import item_of
from zhiyin.engine.log import find_log, iterate
from zhiyin.paths import Place
from zhiyin.record import NOT_JUDGED, Finish, Record, State
from zhiyin.trial import Option, Tag

T = TypeVar("T")
_offered = attrgetter("key", "text")


class BriefReply(msgspec.Struct, gc=False):
    """As much of a reply as the statistics need."""

    text: str
    finish: Finish = "stop"
    usage: dict[str, int] = {}
    latency_s: float | None = None
    logprobs: dict[str, float] = {}


class _Turn(msgspec.Struct, gc=False):
    reply: BriefReply


class _Exchange(msgspec.Struct, gc=False):
    turns: tuple[_Turn, ...] = ()


class _MarkedVerdict(msgspec.Struct, gc=False):
    state: State
    scores: dict[str, float] = {}


class _MarkedTrial(msgspec.Struct, gc=False):
    groups: tuple[str, ...] = ()
    cluster: str | None = None
    tags: dict[str, Tag] = {}
    item: str = ""
    condition: str = ""
    sequence: str = ""


class Marked(msgspec.Struct, kw_only=True, gc=False):
    """As much of a record as its score needs: what it is about, and what came of it."""

    id: str
    verdict: _MarkedVerdict
    trial: _MarkedTrial
    last: bool = False

    @property
    def item(self) -> str:
        """What is asked about: repeats, rotations and conditions of one item share it."""
        trial = self.trial
        return trial.item or (self._identity[0] if trial.tags else self.id)

    @property
    def condition(self) -> str:
        """The way in which the item is asked; repeats and rotations share it."""
        trial = self.trial
        return trial.condition if trial.item or not trial.tags else self._identity[1]

    @property
    def _identity(self) -> tuple[str, str]:
        trial = self.trial
        return item_of(self.id, trial.item, trial.condition, trial.tags)

    @property
    def judged(self) -> bool:
        """Whether the trial is in shares of right answers: errors and ungraded ones are not."""
        return self.verdict.state not in NOT_JUDGED

    @property
    def right(self) -> float:
        """1 for a right answer, 0 for any other outcome of a judged trial."""
        return float(self.verdict.state == "correct")

    @property
    def answered(self) -> bool:
        """Whether an answer could be read from the reply."""
        return self.verdict.state in ("correct", "wrong")


class _Verdict(_MarkedVerdict, gc=False):
    answer: str | None = None
    letter: str | None = None


class _Part(msgspec.Struct, gc=False):
    sha256: str = ""


class _Message(msgspec.Struct, gc=False):
    parts: tuple[_Part, ...] = ()


class _Trial(_MarkedTrial, gc=False):
    messages: tuple[_Message, ...] = ()
    stem: str = ""
    options: tuple[Option, ...] = ()
    target: str | None = None
    step: int = 0


class Outcome(Marked, kw_only=True, gc=False):
    """A record without prompt and replies: what was asked in brief, and what came of it."""

    verdict: _Verdict
    trial: _Trial

    @property
    def gold(self) -> str | None:
        """The letter under which the right option was shown; None for a free answer."""
        return gold_of(self.trial.options, self.trial.target)

    @property
    def question(self) -> int | None:
        """A number that is equal for trials that ask the same; see `question_of`."""
        trial = self.trial
        parts = trial.messages[-1].parts if trial.messages else ()
        sounds = [part.sha256 for part in parts if part.sha256]
        return question_of(trial.stem, trial.options, trial.target, sounds)


class Entry(Outcome, kw_only=True, gc=False):
    """A record without the prompt: what was asked in brief, the replies, and what came of it."""

    exchange: _Exchange = msgspec.field(default_factory=_Exchange)

    @property
    def reply(self) -> BriefReply | None:
        """The last reply, or None where there is none."""
        turns = self.exchange.turns
        return turns[-1].reply if turns else None


def gold_of(options: Sequence[Option], target: str | None) -> str | None:
    """The letter of the option whose key is the target; None for a free answer."""
    for option in options:
        if option.key == target:
            return option.letter
    return None


def question_of(
    stem: str, options: Sequence[Option], target: str | None, sounds: Iterable[str]
) -> int | None:
    """A number that is equal for trials that ask the same; None without a target.

    Parameters
    ----------
    stem : str
    options : sequence of Option
        In whatever order.
    target : str or None
    sounds : iterable of str
        Hashes of what is heard in the last message (what stands before it are examples), none
        of them empty.
    """
    if target is None:
        return None
    return hash((stem, frozenset(map(_offered, options)), target, *sounds))


E = TypeVar("E", bound=Marked)
_NO_TAGS: dict[str, Tag] = {}
"""What entries share that have none; nobody writes there."""


def read_entries(folder: Place) -> list[Entry]:
    """The valid record of each trial in a run folder, in brief.

    Raises
    ------
    InputError
        When the folder is not a run, or its log is damaged.
    """
    return _entries(folder, Entry)


def _entries(folder: Place, kind: type[E]) -> list[E]:
    entries: dict[str, E] = {}
    for entry, _ in iterate(find_log(folder), kind):
        earlier = entries.get(entry.id)
        if earlier and earlier.verdict.state != "error" and entry.verdict.state == "error":
            continue  # an answer goes before an error; else the last counts
        entries.pop(entry.id, None)
        entries[entry.id] = entry
    return list(entries.values())


def entries_of(folder: Place, kind: type[E], build: Callable[[Iterator[E]], T]) -> T:
    """What `build` makes of the entries of a run, as `read_entries` has them, one at a time.

    All are held in memory only where a trial is in the log twice; see `folder.gather` for `build`.
    `kind` is `Entry`; `Outcome` where no reply is looked at; `Marked` where no question is.
    """
    result = once(folder, kind, build)
    return build(iter(_entries(folder, kind))) if result is None else result[0]


def read_marked(folder: Place) -> list[Marked]:
    """As `read_entries`, without questions and replies: some 400 bytes a trial."""
    return entries_of(folder, Marked, _shared)


def _shared(entries: Iterator[Marked]) -> list[Marked]:
    """Entries that share equal groups, tags and verdicts, so that memory holds each once."""
    groups: dict[tuple[str, ...], tuple[str, ...]] = {}
    trials: dict[tuple[str, ...], _MarkedTrial] = {}
    verdicts: dict[State, _MarkedVerdict] = {}
    shared = []
    for entry in entries:
        trial, verdict = entry.trial, entry.verdict
        if not verdict.scores:
            entry.verdict = verdicts.setdefault(verdict.state, verdict)
        if (
            trial.item
            or trial.condition
            or trial.sequence
            or trial.tags
            or trial.cluster is not None
        ):
            trial.groups = groups.setdefault(trial.groups, trial.groups)
            trial.tags = trial.tags or _NO_TAGS
        else:
            entry.trial = trials.setdefault(trial.groups, trial)
        shared.append(entry)
    return shared


def count_states(folder: Place) -> Counter[State]:
    """How many trials of a run ended in each state. Raises `InputError` as `read_entries`."""
    return entries_of(folder, Marked, lambda entries: Counter(e.verdict.state for e in entries))


def brief_of(record: Record) -> Entry:
    """The entry of a whole record."""
    return msgspec.convert(record, Entry, from_attributes=True)
