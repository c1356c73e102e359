"""The `Benchmark` class: it makes trials, scores them, and declares all that others read of it.

Engine, tables, report, leaderboard, export and command line read what stands here and know no
benchmark by name. A benchmark is a subclass of `Benchmark` in a folder of its own: in this
package, in another one (entry-point group ``zhiyin.benchmarks``), or in a file
(``zhiyin run FILE.py:Class``). Only `name` and `trials` must be given; everything else has a
default that suits a plain set of multiple-choice questions.
"""

from __future__ import annotations

import argparse
import hashlib
from collections import abc
from collections.abc import Iterable, Mapping
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic

import msgspec

from zhiyin.contract.declared import (
    CheckResult,
    Drawn,
    FigureRun,
    FollowUp,
    Headline,
    PagePart,
    Published,
    Reference,
    Section,
    Skill,
    measures_section,
    published_beside,
)
from zhiyin.contract.description import Description, PrintedTable, read_description, told
from zhiyin.contract.options import add_flags, read_settings, refuse_needless
from zhiyin.contract.protocols import Protocol
from zhiyin.contract.published import ReproducibleTable, Source, fetched_folder
from zhiyin.engine.scoring import judge_choice
from zhiyin.errors import InputError
from zhiyin.extensions import Command
from zhiyin.record import Exchange, Record, Strategy, Verdict
from zhiyin.runs.measures import USUAL, Estimate, Measure
from zhiyin.runs.ways import Way
from zhiyin.sequence import Sequence
from zhiyin.strategies import standalone
from zhiyin.trial import Tag, Trial
from zhiyin.words import Text as Words
from zhiyin.words import said

if TYPE_CHECKING:
    from typing_extensions import TypeVar  # known to type checkers, installed or not

    from zhiyin.contract.settings import RunSettings
    from zhiyin.engine.folder import Manifest
    from zhiyin.engine.runner import Watch
    from zhiyin.reader import Policy
    from zhiyin.runs.rows import Rows

    S = TypeVar("S", default=Any)  # so that `class Mine(Benchmark)` is strict enough
else:
    from typing import TypeVar

    S = TypeVar("S")


class NoSettings(msgspec.Struct, frozen=True):
    """The settings of a benchmark that has none."""


class Benchmark(Generic[S]):
    """Makes trials from data, scores an exchange, and declares what everybody else must know.

    Parameters
    ----------
    settings : S
        What `from_options` makes of flags or of a run's manifest. No data are read yet.
    """

    # What it is

    name: ClassVar[str]
    """The word on the command line."""
    version: ClassVar[str] = "1"
    """Raised whenever prompts, trials or scoring change so that scores may move."""
    summary: ClassVar[Words] = ""
    """One line for ``zhiyin list``."""
    description: ClassVar[str] = ""
    """A TOML file beside the module of the class with what it says of itself."""
    described: ClassVar[Description] = Description()
    """What that file holds; what the class does not say itself is taken from there."""
    paper: ClassVar[str] = ""
    """Full reference."""
    licence: ClassVar[str] = ""
    """Of the data."""
    home: ClassVar[str] = ""
    """Where the data are had from."""
    bibtex: ClassVar[str] = ""
    titles: ClassVar[Mapping[str, Words]] = {}
    """Plain labels of groups, for people."""
    skills: ClassVar[Mapping[str, Skill]] = {}
    """The skill that the trials of a group show; "all" for every trial."""
    commands: ClassVar[Mapping[str, Command]] = {}
    """Commands of its own, by name: ``zhiyin NAME COMMAND``."""

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        if "description" in vars(cls):
            cls.described = read_description(cls.__module__, cls.description)
            for name, value in told(cls.described).items():
                if name not in vars(cls):
                    setattr(cls, name, value)
        declared = vars(cls).get("headline")
        if isinstance(declared, Headline) and "measures" not in vars(cls):
            cls.measures = declared.measures()

    def __init__(self, settings: S) -> None:
        self.settings = settings

    @classmethod
    def shows(cls, groups: abc.Sequence[str], tags: Mapping[str, Tag]) -> Mapping[Skill, str]:
        """The skills that a trial shows, each with the group that says so: by default `skills`.

        Parameters
        ----------
        groups : sequence of str
        tags : mapping
            Facts about the item, for a benchmark whose groups do not say it.
        """
        return {cls.skills[name]: name for name in ("all", *groups) if name in cls.skills}

    # What it asks

    Settings: ClassVar[type[msgspec.Struct]] = NoSettings
    """What the user may set: a frozen struct whose fields carry a `flags.Flag`."""
    places: ClassVar[frozenset[str]] = frozenset()
    """Options that say where something lies, not what is asked: another place is the same run."""
    protocols: ClassVar[tuple[Protocol, ...]] = ()
    """Published ways of asking."""
    extract: ClassVar[str] = "robust"
    """The reading policy where the user names none."""
    reading: str | None = None
    """The reading policy that the user named, where `Settings` has no field for it."""
    shuffles: ClassVar[bool] = False
    """Whether its seed orders a question's options, where no setting says so."""
    without_sound: ClassVar[str] = ""
    """The flag that asks without sound, for models that take none."""
    ways: ClassVar[tuple[Way, ...] | None] = None
    """Tags by which ways of asking one item differ; None for those of `runs.ways.UNDECLARED`."""
    reviews: ClassVar[str] = ""
    """The group of trials that ask for a text to be judged; their score ``written`` is 1 or 0."""

    @classmethod
    def add_options(cls, parser: argparse._ActionsContainer) -> None:
        """Add the benchmark's own flags to ``zhiyin run NAME``."""
        add_flags(parser, cls.Settings)

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> Benchmark[Any]:
        """The benchmark as `options` say: parsed flags, or a run's manifest. Reads no data.

        Raises
        ------
        InputError
            A value that no flag takes, or an unknown reading policy.
        """
        refuse_needless(cls.name, cls.Settings, options)
        benchmark = cls(read_settings(cls.Settings, options))  # type: ignore[arg-type]
        benchmark.reading = options.get("extract")
        from zhiyin.contract.policies import open_policy

        open_policy(benchmark.reading or cls.extract)  # an unknown one is refused at once
        return benchmark

    def trials(self) -> Iterable[Trial]:
        """Every plain trial, in a fixed order, made as it is asked for. May be called again.

        A benchmark of sequences alone has none.
        """
        if type(self).sequences is Benchmark.sequences:
            raise NotImplementedError
        return ()

    def sequences(self) -> Iterable[Sequence]:
        """Trials that go in order (see `zhiyin.sequence`), in a fixed order. May be called again.

        They are asked side by side, before the plain trials. Default: none.
        """
        return ()

    def __len__(self) -> int:
        """Count the trials that `trials` will give."""
        return sum(1 for _ in _trials_of(self))

    def strategy(self, trial: Trial) -> Strategy:
        """Return the strategy that conducts this trial: by default one question, one reply."""
        return standalone

    def score(self, trial: Trial, exchange: Exchange) -> Verdict:
        """Score an exchange: by default, by whether the right option was chosen.

        Pure: the same arguments give the same verdict.
        """
        return judge_choice(trial, exchange, self.policy)

    @cached_property
    def policy(self) -> Policy:
        """The policy by which replies are read: ``--extract``, or the benchmark's own."""
        from zhiyin.contract.policies import open_policy

        return open_policy(getattr(self.settings, "extract", None) or self.reading or self.extract)

    def fingerprint(self) -> str:
        """SHA-256 over the data and the prompts that the trials are made from.

        Of a sequence only the first trial is known here. Where the ones after it depend on data
        that the first does not show, give a fingerprint of your own.
        """
        total = hashlib.sha256()
        for sequence in self.sequences():
            first = sequence.next(())
            encoded = b"null" if first is None else self._encoded(first)
            total.update(b"[" + msgspec.json.encode(sequence.id) + b"," + encoded + b"]")
        for trial in _trials_of(self):
            total.update(self._encoded(trial))
        return total.hexdigest()

    def _encoded(self, trial: Any) -> bytes:
        """A trial as JSON. Raises `InputError` for what is none, or cannot be right or be kept."""
        if not isinstance(trial, Trial):
            given = type(trial).__name__
            raise InputError(said("declares-trial", name=repr(self.name), given=given))
        keys = [option.key for option in trial.options]
        by_choice = keys and type(self).score is Benchmark.score
        if by_choice and trial.target is not None and trial.target not in keys:
            raise InputError(
                said("declares-target", trial=repr(trial.id), target=repr(trial.target), keys=keys)
            )
        try:
            return msgspec.json.encode(trial)
        except (TypeError, ValueError, OverflowError) as error:
            raise InputError(said("declares-json", trial=repr(trial.id), why=str(error))) from None

    def remarks(self) -> abc.Sequence[Words]:
        """List what the user should know of the data, a line each (flawed items, parts missing)."""
        return []

    def remarks_on(self, asked: abc.Callable[[], Iterable[Trial]]) -> abc.Sequence[Words]:
        """List the `remarks` on the part of the data that a run asks, where that can be told.

        Parameters
        ----------
        asked : callable
            Gives the trials of the run, those of sequences that are known beforehand.
        """
        return self.remarks()

    @classmethod
    def ordered_by(cls, order: RunSettings) -> str:
        """Return the command that orders a run which ``zhiyin run`` does not take; "" for none."""
        return ""

    async def before(self, order: RunSettings) -> None:
        """Make sure of what is to come after a run, before the first call."""

    @classmethod
    def judge_of(cls, options: Mapping[str, Any]) -> str:
        """The model that judges a run with these options; "" for none. Its price must be known."""
        return options.get("judge") or ""

    @classmethod
    async def after(cls, folder: Path, order: RunSettings, watch: Watch) -> FollowUp | None:
        """Do what follows a whole run, such as judging it.

        Returns
        -------
        FollowUp or None
            What came of it, where it is a run of its own. What it spends is in the run's budget.
        """
        return None

    # What may be compared with what

    chance: ClassVar[float | None] = None
    """Chance level of the headline figure, in [0, 1]."""
    measures: ClassVar[tuple[Measure, ...]] = USUAL
    """What is measured of it; the first is the figure by which a run is named."""
    headline: ClassVar[Headline] = Headline()
    """In the place of `measures`: a usual one, or the mean of a score, of a group."""

    people: ClassVar[tuple[tuple[Words, str], ...]] = ()
    """Of what figures of people are published that are no rows of `published`, and where."""

    @classmethod
    def by_degrees(cls, rows: Rows) -> list[Estimate]:
        """The figure that stands for a run of trials that are neither right nor wrong.

        Such as F1 over tags: one figure, or none where the rows are of several such kinds.
        """
        return []

    @classmethod
    def published(cls) -> Reference | None:
        """Published rows, under the names of our groups: by default those of its description."""
        own = cls.described.published
        return own.reference() if own is not None else None

    @classmethod
    def published_beside(cls, folder: Path) -> Reference | None:
        """Published rows that may stand beside a run: by default those of every run.

        With their source stands what of the data is taken on trust.
        """
        reference, expected = cls.published(), cls.expected()
        if reference is None or expected is None or not expected.on_trust:
            return reference
        both = said("causes", each=[reference.source, expected.on_trust])
        return msgspec.structs.replace(reference, source=both)

    @classmethod
    def expected(cls) -> Published | None:
        """Return the extent of the published data: only a run that holds it all stands beside them.

        By default it is the description's `counts` in the folder of the class's module; None where
        there are none.
        """
        return published_beside(cls.__module__, cls.described.counts)

    @classmethod
    def totals(cls, folder: Path) -> tuple[Measure, ...]:
        """The totals of a run that is scored in parts, one for each judge; none for no parts."""
        return ()

    rules: ClassVar[tuple[str, ...]] = ()
    """The policies whose sources report figures of it."""

    @classmethod
    def by_rules(cls, record: Record) -> abc.Mapping[str, Verdict]:
        """A question without options by every rule that reads it: verdicts by policy, ours too.

        For ``zhiyin readers``; none where it is read by one rule alone.
        """
        return {}

    @classmethod
    def tables(cls) -> abc.Sequence[ReproducibleTable]:
        """Published tables that ``zhiyin reproduce`` can make again from published replies."""
        return ()

    @classmethod
    def import_answers(
        cls, files: abc.Sequence[Path], out: Path | None, extract: str, model: str
    ) -> Path | abc.Sequence[Path]:
        """Make runs of answers that were given elsewhere; for ``zhiyin import NAME FILE``.

        Parameters
        ----------
        files : sequence of Path
            In the published format, one for each repeat of the same questions.
        out : Path or None
            The run folder; None for one named after the first file. Of several runs, the folder
            that they lie in.
        extract : str
            The reading policy.
        model : str
            Whose answers; "" for the name of the file.

        Returns
        -------
        Path or sequence of Path
            The run folder, or those of several models whose answers the files hold.
        """
        raise InputError(said("error-no-format", name=cls.name))

    right_first: ClassVar[bool] = False
    """Whether its data list the right answer first, so that every asking has an order of its own.
    """
    grades: ClassVar[bool] = False
    """Whether its trials are gradings of others' replies, not questions."""
    plain: ClassVar[Mapping[str, Any]] = {}
    """Options under which `asked_elsewhere` needs no recordings, and keeps the order of the data.
    """

    def asked_elsewhere(self) -> Iterable[Trial]:
        """Each question once, for replies that were given elsewhere: by default its `trials`."""
        return self.trials()

    @classmethod
    def export_answers(cls, run: Path, out: Path) -> tuple[list[Path], list[str]]:
        """Write a run in that format; for ``zhiyin export RUN --to published``.

        Returns
        -------
        files : list of Path
        notes : list of str
            What the user should know, a line each.
        """
        raise InputError(said("error-no-published", name=cls.name))

    # What it shows and draws

    printed: ClassVar[tuple[PrintedTable, ...]] = ()
    """Tables and figures of its paper in their own form, for ``zhiyin table --as``."""
    printed_measures: ClassVar[tuple[Measure, ...]] = ()
    """What only these tables have, beside `measures`."""
    panels: ClassVar[tuple[str, ...]] = ()
    """Groups whose finer groups stand side by side in figures."""
    draws_ungraded: ClassVar[bool] = False
    """Whether its figures are drawn of runs without a judged trial too, such as adaptive tests."""

    @classmethod
    def details(cls, rows: Rows, manifest: Manifest) -> list[Section]:
        """Further tables of a run; by default one of what it measures beside right answers.

        Parameters
        ----------
        rows : Rows
            The run's trials that count: figures and intervals of any of them, and by ``records()``
            what was asked and said.
        manifest : Manifest
        """
        return measures_section(rows, [own for own in cls.measures if own not in USUAL])

    @classmethod
    def figures(cls, runs: abc.Sequence[FigureRun]) -> Iterable[Drawn]:
        """Further figures of runs, for ``zhiyin report``; those that lack the data are left out."""
        return []

    @classmethod
    def opening(cls, runs: abc.Sequence[FigureRun]) -> PagePart | None:
        """Return a report's opening where that is no share of right answers; None where it is."""
        return None

    @classmethod
    def hearing(cls, runs: abc.Sequence[FigureRun]) -> Iterable[Drawn]:
        """Panels of the page that shows what one model hears: `runs` are all of that model."""
        return []

    @classmethod
    def methods(cls, options: abc.Mapping[str, Any]) -> abc.Sequence[Words]:
        """List sentences that a run's options add to the methods paragraph of a paper."""
        return ()

    # Where its data are from

    Checking: ClassVar[type[msgspec.Struct]] = NoSettings
    """What may be set of `check`, beside ``--data`` and ``--partial``: as `Settings`."""
    checked_with: ClassVar[Mapping[str, Any]] = {}
    """The settings with which a run asks the data that `check` looks at, beside the defaults."""
    Making: ClassVar[type[msgspec.Struct]] = NoSettings
    """What may be set of `make`: as `Settings`."""

    @classmethod
    def sources(cls) -> abc.Sequence[Source]:
        """List where its data are published, for ``zhiyin data fetch``: by its description."""
        return cls.described.sources

    @classmethod
    def fetched(cls, options: Mapping[str, Any]) -> str | None:
        """The folder of fetched data, for a run that names none; None where it needs none."""
        return fetched_folder(cls.name, cls.sources())

    @classmethod
    def check(cls, options: Mapping[str, Any]) -> CheckResult:
        """Every flaw of the data, for ``zhiyin data check NAME``."""
        raise InputError(said("error-no-check", name=cls.name))

    @classmethod
    def make(cls, options: Mapping[str, Any]) -> str:
        """Write a small set of our own in the published layout; says what was made."""
        raise InputError(said("error-no-make", name=cls.name))


def deferred(place: str, takes: int | None = None) -> Any:
    """A class method that is what stands in another module, imported when it is called.

    Parameters
    ----------
    place : str
        ``module:name`` of a function, or of the very thing that the method returns.
    takes : int, optional
        How many of the method's arguments the function takes, the first ones; by default all.
    """

    def call(cls: Any, *given: Any) -> Any:
        module, _, name = place.partition(":")
        value = getattr(import_module(module), name)
        return value(*given[:takes]) if callable(value) else value

    return classmethod(call)


def _trials_of(benchmark: Benchmark[Any]) -> Iterable[Trial]:
    """The trials. Raises `InputError` where `trials` gives something else."""
    trials: Any = benchmark.trials()
    if not isinstance(trials, Iterable):
        given = type(trials).__name__
        raise InputError(said("declares-trials", benchmark=repr(benchmark.name), given=given))
    return trials
