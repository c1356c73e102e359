"""Asking a language model for JSON, item by item: a benchmark without right answers.

It goes through the engine, so that retries, budget, kept replies, kill and resume are those of
any run. A reply that cannot be used is asked for once more, with its fault named; where that does
not help either, the trial is an error, and asked again by the next session.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import cached_property, partial
from hashlib import blake2b
from pathlib import Path
from typing import Annotated, Any, ClassVar, TypeVar, cast

import msgspec

from zhiyin import session
from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.settings import RunSettings
from zhiyin.cost.budget import Budget, spending_from
from zhiyin.cost.ledger import account_of
from zhiyin.cost.request_queue import Spending
from zhiyin.engine.runner import Limits
from zhiyin.errors import InputError
from zhiyin.flags import COUNT, Flag
from zhiyin.models.endpoint import written
from zhiyin.plugins.judges.reading import ask_until_read, fault_in
from zhiyin.plugins.making.forge.stages import read_lines
from zhiyin.prompts import Prompts
from zhiyin.record import Ask, Exchange, Model, Record, Sampling, Strategy, Verdict
from zhiyin.runs.rows import records_of
from zhiyin.trial import Trial, say

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
            raise InputError(f"{self.name} is a part of `zhiyin forge`: run that")
        return read_lines(Path(self.settings.items), self.kind)

    def words(self, item: Any) -> str:
        """The prompt about an item."""
        raise NotImplementedError

    def read(self, text: str, item_id: str) -> Any:
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
        read = partial(self.read, item_id=str(trial.tags["about"]))

        def again(fault: str) -> str:
            return self.prompts.fill("again", fault=fault)

        return await ask_until_read(ask, trial.messages, read, again)

    def score(self, trial: Trial, exchange: Exchange) -> Verdict:
        """Check whether the last reply can be used; the verdict is an error if not."""
        label = f"{self.name}@{self.version}"
        read = partial(self.read, item_id=str(trial.tags["about"]))
        if fault := fault_in(exchange.final, read):
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

    @property
    def model_or_spec(self) -> str | Model:
        """The model in the form that `RunSettings` takes."""
        model: str | Model = self.opened or self.model
        return model


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
        benchmark=kind.name,
        model=asker.model_or_spec,
        options=options,
        sampling=asker.sampling,
        limit=None,
        out=str(folder),
        limits=asker.limits,
        canary=False,
        spending=msgspec.structs.replace(asker.spending, budget=Budget()),
    )
    account = account_of(asker.spending.budget, "the budget", asker.work or stage)
    with spending_from(account):
        result = asyncio.run(session.carry_out(order, watch))
    if result.outcome.interrupted:
        raise Interrupted
    if result.outcome.stopped:
        raise InputError(f"{folder}: {result.outcome.stopped}")
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
