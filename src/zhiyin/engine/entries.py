"""A log as rows: lean entries for statistics, and a Polars frame of everything that was said."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from zhiyin.engine.folder import once
from zhiyin.engine.items import item_of
from zhiyin.engine.log import find_log, iterate, read_manifest, read_records
from zhiyin.errors import missing_package
from zhiyin.paths import Place, Places, as_paths
from zhiyin.record import NOT_JUDGED, Finish, Record, State
from zhiyin.trial import Option, Tag

if TYPE_CHECKING:
    import polars


T = TypeVar("T")
_offered = attrgetter("key", "text")


class Spoken(msgspec.Struct, gc=False):
    """As much of a reply as the statistics need."""

    text: str
    finish: Finish = "stop"
    usage: dict[str, int] = {}
    latency_s: float | None = None
    logprobs: dict[str, float] = {}


class _Turn(msgspec.Struct, gc=False):
    reply: Spoken


class _Exchange(msgspec.Struct, gc=False):
    turns: tuple[_Turn, ...] = ()


class _Verdict(msgspec.Struct, gc=False):
    state: State
    answer: str | None = None
    letter: str | None = None
    scores: dict[str, float] = {}


class _Part(msgspec.Struct, gc=False):
    sha256: str = ""


class _Message(msgspec.Struct, gc=False):
    parts: tuple[_Part, ...] = ()


class _Trial(msgspec.Struct, gc=False):
    messages: tuple[_Message, ...] = ()
    stem: str = ""
    options: tuple[Option, ...] = ()
    target: str | None = None
    groups: tuple[str, ...] = ()
    cluster: str | None = None
    tags: dict[str, Tag] = {}
    item: str = ""
    condition: str = ""
    sequence: str = ""
    step: int = 0


class Outcome(msgspec.Struct, gc=False):
    """A record without prompt and replies: what was asked in brief, and what came of it."""

    id: str
    verdict: _Verdict
    trial: _Trial

    @property
    def item(self) -> str:
        """What is asked about: repeats, rotations and conditions of one item share it."""
        return self._identity[0]

    @property
    def condition(self) -> str:
        """The way in which the item is asked; repeats and rotations share it."""
        return self._identity[1]

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

    @property
    def gold(self) -> str | None:
        """The letter under which the right option was shown; None for a free answer."""
        return next((o.letter for o in self.trial.options if o.key == self.trial.target), None)

    @property
    def question(self) -> int | None:
        """A number that is equal for trials that ask the same; see `question_of`."""
        trial = self.trial
        parts = trial.messages[-1].parts if trial.messages else ()
        sounds = [part.sha256 for part in parts]
        return question_of(trial.stem, trial.options, trial.target, sounds)


class Entry(Outcome, gc=False):
    """A record without the prompt: what was asked in brief, what was said, and what came of it."""

    exchange: _Exchange = msgspec.field(default_factory=_Exchange)
    last: bool = False

    @property
    def reply(self) -> Spoken | None:
        """The last reply, or None where nothing was said."""
        turns = self.exchange.turns
        return turns[-1].reply if turns else None


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
        Hashes of what is heard in the last message (what stands before it are examples).
    """
    if target is None:
        return None
    offered = frozenset(map(_offered, options))
    return hash((stem, offered, target, *filter(None, sounds)))


E = TypeVar("E", bound=Outcome)


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
        earlier = entries.pop(entry.id, None)
        # An answer goes before an error; else the last counts.
        kept = earlier if earlier and earlier.judged and not entry.judged else entry
        entries[entry.id] = kept
    return list(entries.values())


def entries_of(folder: Place, kind: type[E], made: Callable[[Iterator[E]], T]) -> T:
    """What is made of the entries of a run, as `read_entries` has them, one at a time.

    Only where a trial is in the log twice are all held in memory; see `folder.gather` for `made`.
    `kind` is `Entry`, or `Outcome` where no reply is looked at.
    """
    found = once(folder, kind, made)
    return made(iter(_entries(folder, kind))) if found is None else found[0]


def brief_of(record: Record) -> Entry:
    """The entry of a whole record."""
    return msgspec.convert(record, Entry, from_attributes=True)


def read_frame(folders: Places) -> polars.DataFrame:
    """Run folders as one Polars frame, a row a trial.

    Columns
    -------
    run, benchmark, model : str
    id, item, condition, stem, target, target_letter, cluster : str
    sequence : str
        Empty for a plain trial.
    step : int
        Its place in the sequence, from 1; 0 for a plain trial.
    groups : list of str
    options : str
        JSON: a list of letter, text and key.
    messages : str
        JSON, as logged; sounds by path and SHA-256.
    state, answer, letter, why, policy : str
        The verdict.
    score : float
        1 or 0; null for an error and for what has no right answer.
    reply, finish, error : str
        The last reply's text and finish reason; the error of a trial without verdict.
    turns, attempts : int
    latency_s : float
        Seconds, summed over turns; null for what answers at once.
    ``usage.*`` : int
        Token counts as the server names them, summed over turns.
    ``logprob.*`` : float
        Log-probability of each letter in the last reply.
    ``tag.*``, ``verdict.*``, ``score.*``
        The trial's and the verdict's tags, and the named scores. A tag of several types is text.

    Raises
    ------
    InputError
        When Polars is not installed, or a folder is not a run.
    """
    folders = as_paths(folders)
    try:
        import polars
    except ImportError:
        raise missing_package("polars", "tables") from None
    rows: list[dict[str, Any]] = []
    for folder in folders:
        manifest = read_manifest(folder)
        head = {"run": str(folder), "benchmark": manifest.benchmark, "model": manifest.model}
        rows += [head | _row(record) for record in read_records(folder)]
    columns = {name: _column(name, rows) for name in _names(rows)}
    return polars.DataFrame(columns, strict=False)


_FIXED = (
    *("run", "benchmark", "model", "id", "item", "condition", "stem", "options", "target"),
    *(
        "target_letter",
        "groups",
        "cluster",
        "sequence",
        "step",
        "messages",
        "state",
        "score",
        "answer",
        "letter",
        "why",
        "policy",
    ),
    *("reply", "finish", "error", "turns", "attempts", "latency_s"),
)


def _row(record: Record) -> dict[str, Any]:
    trial, verdict, turns = record.trial, record.verdict, record.exchange.turns
    last = turns[-1].reply if turns else None
    brief = brief_of(record)
    seconds = [turn.reply.latency_s for turn in turns if turn.reply.latency_s is not None]
    usage: dict[str, int] = {}
    for turn in turns:
        for name, count in turn.reply.usage.items():
            usage[f"usage.{name}"] = usage.get(f"usage.{name}", 0) + count
    return {
        "id": record.id,
        "item": brief.item,
        "condition": brief.condition,
        "stem": trial.stem,
        "options": _json(trial.options),
        "target": trial.target,
        "target_letter": brief.gold,
        "groups": list(trial.groups),
        "cluster": trial.cluster,
        "sequence": trial.sequence,
        "step": trial.step,
        "messages": _json(trial.messages),
        "state": verdict.state,
        "score": brief.right if brief.judged else None,
        "answer": verdict.answer,
        "letter": verdict.letter,
        "why": verdict.why,
        "policy": verdict.policy,
        "reply": last.text if last else None,
        "finish": last.finish if last else None,
        "error": record.error,
        "turns": len(turns),
        "attempts": record.attempts,
        "latency_s": sum(seconds) if seconds else None,
        **usage,
        **({f"logprob.{k}": v for k, v in last.logprobs.items()} if last else {}),
        **{f"tag.{k}": v for k, v in trial.tags.items()},
        **{f"verdict.{k}": v for k, v in verdict.tags.items()},
        **{f"score.{k}": v for k, v in verdict.scores.items()},
    }


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _names(rows: Iterable[dict[str, Any]]) -> list[str]:
    """All columns: the fixed ones, then the others by kind in order of appearance."""
    further = dict.fromkeys(name for row in rows for name in row if name not in _FIXED)
    kinds = ("usage.", "logprob.", "tag.", "verdict.", "score.")
    order = sorted(further, key=lambda n: next(i for i, k in enumerate(kinds) if n.startswith(k)))
    return [*_FIXED, *order]


def _column(name: str, rows: Sequence[dict[str, Any]]) -> Any:
    """The values of a column as a series of one type."""
    import polars

    fixed: dict[str, Any] = {
        "groups": polars.List(polars.String),
        "score": polars.Float64,
        "latency_s": polars.Float64,
        "step": polars.Int64,
        "turns": polars.Int64,
        "attempts": polars.Int64,
    }
    values = [row.get(name) for row in rows]
    if name in _FIXED:
        return polars.Series(name, values, dtype=fixed.get(name, polars.String))
    kinds = {type(value) for value in values if value is not None}
    if kinds == {int, float}:
        return polars.Series(name, values, dtype=polars.Float64, strict=False)
    if len(kinds) == 1:
        return polars.Series(name, values)
    words = [value if value is None or isinstance(value, str) else _json(value) for value in values]
    return polars.Series(name, words, dtype=polars.String)
