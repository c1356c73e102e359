"""Making benchmarks: questions from captions, harder wrong answers, and sister sets.

Stages: each a folder with what it kept, what fell and why, and a funnel of numbers.

``STAGE/stage.json`` holds the funnel and the stage's key: a hash of its settings and of what went
in. Where the key is the same, the stage is done. It is written last, so that a stage that was
killed is done again, and gives the same: nothing in it depends on the time or on the order of
replies.

What goes through them are tracks with their captions, and questions about them.

Asking a language model for JSON, item by item: a benchmark without right answers.

It goes through the engine, so that retries, budget, kept replies, kill and resume are those of
any run. A reply that cannot be used is asked for once more, with its fault named; where that does
not help either, the trial is an error, and asked again by the next session.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Annotated, Any, ClassVar, TypeVar, cast

import msgspec

from zhiyin import files, session
from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.settings import RunSettings
from zhiyin.cost.budget import Budget, spending_from
from zhiyin.cost.ledger import account_of
from zhiyin.cost.request_queue import Spending
from zhiyin.engine.runner import Limits
from zhiyin.errors import InputError, reworded
from zhiyin.files import NOT_JSON, read_regular, write_atomically
from zhiyin.flags import COUNT, Flag
from zhiyin.models.endpoint import written
from zhiyin.plugins.judges.reading import ask_until_read, fault_in
from zhiyin.prompts import Prompts
from zhiyin.record import Ask, Exchange, Record, Sampling, Strategy, Verdict
from zhiyin.runs.rows import records_of
from zhiyin.trial import Trial, say
from zhiyin.words import Text, said

KINDS = ("incorrect but related", "correct but unrelated", "incorrect and unrelated")
"""The three kinds of wrong answer: does it fit the recording, does it suit the question?"""


class ForgeTrack(msgspec.Struct, frozen=True, omit_defaults=True):
    """A recording and what people wrote of it.

    Attributes
    ----------
    id : str
    captions : tuple of str
    recording : str
        Path of its file; "" where it has none.
    title, artist : str
        Never shown: questions that hold them fall.
    style : str
        Its genre; "" where it is not stated.
    labels : tuple of str
        Further words about it.
    quality, licence, dataset : str
        As the source has it; "" where it says nothing.
    outside : str
        Why the source itself leaves it out; "" for what belongs to it.
    """

    id: str
    captions: tuple[str, ...]
    recording: str = ""
    title: str = ""
    artist: str = ""
    style: str = ""
    labels: tuple[str, ...] = ()
    quality: str = ""
    licence: str = ""
    dataset: str = ""
    outside: str = ""


class Distractor(msgspec.Struct, frozen=True, omit_defaults=True):
    """A wrong answer: which of `KINDS`, its text, and why it is wrong."""

    text: str
    kind: str = ""
    why: str = ""


class ForgeItem(msgspec.Struct, frozen=True, omit_defaults=True):
    """A question about a track.

    Attributes
    ----------
    id, track : str
    question, answer : str
    distractors : tuple of Distractor
    evidence : str
        The words of a caption that the answer rests on.
    summary : str
        What the writer took from the captions.
    index : dict of str to float
        Perceptual index by text model: 1 minus its probability of the right answer, unheard.
    annotations : int
        How many people judged it.
    categories : tuple of str
        Such as "CATEGORY/DIMENSION"; of several, the first counts it first.
    explanation : str
        Why these categories.
    """

    id: str
    track: str
    question: str
    answer: str
    distractors: tuple[Distractor, ...]
    evidence: str = ""
    summary: str = ""
    index: dict[str, float] = {}
    annotations: int = 0
    categories: tuple[str, ...] = ()
    explanation: str = ""

    @property
    def options(self) -> tuple[str, ...]:
        """The texts of all options, the right one first."""
        return (self.answer, *(one.text for one in self.distractors))


def chance_of(*words: object) -> float:
    """A number in [0, 1) that depends on the words alone: a draw that is the same everywhere."""
    digest = hashlib.blake2b("\0".join(map(str, words)).encode(), digest_size=8).digest()
    return int.from_bytes(digest) / 2**64


KEPT, FELL, STAGE = "kept.jsonl", "fell.jsonl", "stage.json"
SHOWN = 3
"""Examples of each reason in a funnel; ``fell.jsonl`` holds all."""
VERSION = 1
T = TypeVar("T", bound=msgspec.Struct)


class Fallen(msgspec.Struct, frozen=True):
    """An item that was dropped: its id, why (a word), and what of it shows that (a line)."""

    id: str
    why: str
    detail: str


class Funnel(msgspec.Struct, frozen=True):
    """Counts of a stage: how many went in, how many fell, why, with examples.

    Attributes
    ----------
    stage, unit : str
        "write", "tracks".
    went_in, kept : int
    fell : dict of str to int
        By reason; `went_in` is `kept` and all of these.
    examples : dict of str to list of str
        At most `SHOWN` of each reason.
    notes : list of str
        Further remarks, a line each.
    """

    stage: str
    unit: str
    went_in: int
    kept: int
    fell: dict[str, int] = {}
    examples: dict[str, list[str]] = {}
    notes: list[str] = []


class Done(msgspec.Struct, frozen=True):
    """A stage as it was left: its key, its funnels, and whether calls failed in it."""

    key: str
    funnels: list[Funnel]
    failed: bool = False


def funnel(
    stage: str, unit: str, kept: int, fallen: Sequence[Fallen], notes: Iterable[str] = ()
) -> Funnel:
    """The funnel of what was kept and what fell."""
    counts: dict[str, int] = {}
    examples: dict[str, list[str]] = {}
    for one in fallen:
        counts[one.why] = counts.get(one.why, 0) + 1
        shown = examples.setdefault(one.why, [])
        if len(shown) < SHOWN:
            shown.append(f"{one.id}: {one.detail}")
    ordered = dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))
    return Funnel(stage, unit, kept + len(fallen), kept, ordered, examples, list(notes))


def key_of(*parts: Any) -> str:
    """A hash of whatever a stage depends on."""
    what = msgspec.json.encode([VERSION, *parts], order="sorted")
    return hashlib.sha256(what).hexdigest()


def sha256_of(path: Path) -> str:
    """SHA-256 of a file's bytes."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def lines_of(items: Iterable[msgspec.Struct]) -> bytes:
    """Structs as JSON lines, the same bytes for the same structs."""
    return files.json_lines(items, "deterministic")


def read_lines(path: Path, kind: type[T]) -> list[T]:
    """The structs of a file of JSON lines. Raises `InputError`, with the number of a line."""
    what = kind.__name__.removeprefix("Forge").lower()
    lines = files.read_lines(path, kind, said("forge-no", what=what, why=""))
    return [one for _, one in lines]


def done(folder: Path, key: str) -> Done | None:
    """The stage in `folder`, if its key is the same and no call failed; None otherwise."""
    try:
        finished = msgspec.json.decode(read_regular(folder / STAGE), type=Done)
    except (OSError, *NOT_JSON):
        return None
    if finished.key != key or finished.failed or not (folder / KEPT).is_file():
        return None
    return finished


def finish(
    folder: Path,
    key: str,
    kept: Sequence[msgspec.Struct],
    fallen: Sequence[Fallen],
    funnels: list[Funnel],
    *,
    failed: bool = False,
) -> Done:
    """Write a stage; its `STAGE` file last."""
    with reworded(f"{folder}: cannot be written (", "): give another --out"):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / STAGE).unlink(missing_ok=True)
        write_atomically(folder / KEPT, lines_of(kept))
        write_atomically(folder / FELL, lines_of(fallen))
        finished = Done(key, funnels, failed)
        content = msgspec.json.format(msgspec.json.encode(finished), indent=1)
        write_atomically(folder / STAGE, content + b"\n")
    return finished


Checked = Callable[[T], Fallen | None]


def sieve(items: Iterable[T], checks: Sequence[Checked[T]]) -> tuple[list[T], list[Fallen]]:
    """Split items into those that pass every check, and the first failure of each other."""
    kept, fallen = [], []
    for item in items:
        fault = next((failure for check in checks if (failure := check(item))), None)
        if fault is None:
            kept.append(item)
        else:
            fallen.append(fault)
    return kept, fallen


PLACES: dict[str, tuple[str, ...]] = {
    "write": ("count", "captions", "labels", "examples"),
    "examples": (),
    "again": ("fault",),
    "blind": ("question", "options"),
    "option": ("letter", "text"),
    "label": ("taxonomy", "item"),
    "propose": ("count", "item"),
    "paraphrase": ("count", "item"),
    "same": ("item", "right"),
}
"""Our prompts, and the places that each must have; a folder of the user's replaces them."""
TAXONOMY = "taxonomy.json"


def open_prompts(folder: str | None, *, texts: bool = False) -> Prompts:
    """The prompts, the user's in place of ours. Raises `InputError` where one is faulty.

    `texts`: those for questions from texts, and their taxonomy.
    """
    pack = "texts" if texts else None
    return Prompts(
        "zhiyin.plugins.making.forge", PLACES, folder=folder, pack=pack, others=(TAXONOMY,)
    )


class AskingSettings(msgspec.Struct, frozen=True):
    """Settings of what is asked about, and how."""

    items: Annotated[
        str | None, Flag("what is asked about: a stage's file", "FILE", place=True)
    ] = None
    prompts: Annotated[
        str | None, Flag("prompts that replace ours by file name", "DIR", place=True)
    ] = None
    count: Annotated[int, Flag("how many are wanted of each"), COUNT] = 3
    texts: Annotated[bool, Flag("whether it is about texts and not about recordings")] = False


class Asking(Benchmark[AskingSettings]):
    """Items put before a model, one trial each.

    A trial's id holds a hash of its prompt, so that an item that has changed is asked about again,
    and one that was added goes into the same folder.
    """

    licence = "prompts: as Zhiyin"
    chance = None
    Settings: ClassVar[type[msgspec.Struct]] = AskingSettings
    kind: ClassVar[type[msgspec.Struct]]
    """What the file of items holds."""

    @cached_property
    def prompts(self) -> Prompts:
        """The prompts in use."""
        return open_prompts(self.settings.prompts, texts=self.settings.texts)

    @cached_property
    def items(self) -> list[Any]:
        """The items that are asked about."""
        if not self.settings.items:
            raise InputError(said("forge-part", name=self.name))
        return read_lines(Path(self.settings.items), self.kind)

    def words(self, item: Any) -> str:
        """The prompt about an item."""
        raise NotImplementedError

    def read(self, text: str) -> Any:
        """Read a reply. Raises `Unreadable` if it cannot be used."""
        raise NotImplementedError

    def trial(self, item: Any) -> Trial:
        """The trial of an item."""
        words = self.words(item)
        digest = blake2b(words.encode(), digest_size=6).hexdigest()
        name = f"{item.id}#{digest}"
        return Trial(name, (say("user", words),), tags={"about": item.id}, item=item.id)

    def trials(self) -> Iterator[Trial]:
        """A trial for each item, in the order of the file."""
        return (self.trial(item) for item in self.items)

    def __len__(self) -> int:
        return len(self.items)

    def strategy(self, trial: Trial) -> Strategy:
        """Ask; where the reply cannot be used, ask once more, naming the fault."""
        return self._conduct

    async def _conduct(self, trial: Trial, ask: Ask) -> Exchange:

        def again(fault: Text) -> str:
            return self.prompts.fill("again", fault=fault)

        return await ask_until_read(ask, trial.messages, self.read, again)

    def score(self, trial: Trial, exchange: Exchange) -> Verdict:
        """Check whether the last reply can be used; the verdict is an error if not."""
        label = f"{self.name}@{self.version}"
        if fault := fault_in(exchange.final, self.read):
            return Verdict("error", None, why=f"unreadable: {fault}", policy=label)
        return Verdict("ungraded", None, why="can be used", policy=label)

    def fingerprint(self) -> str:
        """SHA-256 over the prompts. What is asked about is in the trials' ids."""
        return self.prompts.fingerprint()


A = TypeVar("A", bound=Asking)
Asked = tuple[A, dict[str, Record]]
"""A benchmark set up to read the replies, and the record of each item, by the item's id."""


class Asker(msgspec.Struct, frozen=True):
    """A model to ask, with its settings and limits.

    Attributes
    ----------
    model : str
        A spec.
    sampling : Sampling
    limits : Limits
    spending : Spending
    prompts : str or None
        The folder of the user's prompts.
    work : Path or None
        The folder of the whole work: all that is asked for it spends from one budget.
    opened : Model, optional
        The model, where it is open already.
    """

    model: str
    sampling: Sampling = Sampling()
    limits: Limits = Limits()
    spending: Spending = Spending()
    prompts: str | None = None
    work: Path | None = None
    opened: Any = None

    @property
    def called(self) -> str:
        """The spec as it may be written down."""
        return written(self.model)


class Interrupted(KeyboardInterrupt):
    """The session was told to end; the same command goes on from there."""


def carry_out(
    kind: type[Benchmark[Any]],
    options: dict[str, Any],
    asker: Asker,
    stage: Path,
    watch: session.Watch = session.silent,
) -> Path:
    """Ask what is not asked yet; the run's folder, which lies in that of its stage.

    Raises
    ------
    InputError
        For anything that the user can mend, a budget that is spent among it.
    Interrupted
        Ctrl-C.
    """
    options = {**options, "prompts": asker.prompts, "extract": None}
    benchmark = kind.from_options(options)
    identity = [asker.called, asker.sampling, kind.version, benchmark.fingerprint()]
    digest = blake2b(msgspec.json.encode(identity), digest_size=4).hexdigest()
    folder = stage / f"run-{session.short_name(asker.model)}-{digest}"
    order = RunSettings(
        benchmark=kind.name, model=asker.opened or asker.model, options=options,
        sampling=asker.sampling, limit=None, out=str(folder), limits=asker.limits, canary=False,
        spending=msgspec.structs.replace(asker.spending, budget=Budget()),
    )  # fmt: skip
    account = account_of(asker.spending.budget, "the budget", asker.work or stage)
    with spending_from(account):
        result = asyncio.run(session.carry_out(order, watch))
    if result.outcome.interrupted:
        raise Interrupted
    if result.outcome.stopped:
        raise InputError(said("error-at", where=folder, why=result.outcome.stopped))
    return folder


def ask_items(
    kind: type[A],
    options: dict[str, Any],
    asker: Asker,
    stage: Path,
    watch: session.Watch = session.silent,
) -> Asked[A]:
    """Ask about items, as `carry_out` does: the records of those that are asked about now."""
    folder = carry_out(kind, options, asker, stage, watch)
    benchmark = cast("A", kind.from_options(options))
    wanted = {trial.id: str(trial.tags["about"]) for trial in benchmark.trials()}
    records = {wanted[r.id]: r for r in records_of(folder) if r.id in wanted}
    return benchmark, {name: records[name] for name in wanted.values() if name in records}


def lack_of(record: Record | None) -> str:
    """Explain why a record holds nothing that can be used; "" if it does."""
    if record is None:
        return "it was not asked about"
    return (record.error or record.verdict.why) if record.verdict.state == "error" else ""
