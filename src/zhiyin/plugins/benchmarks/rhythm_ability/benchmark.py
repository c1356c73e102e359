"""An adaptive test of rhythm: the published item bank, and the test that draws from it.

Results of a test from its log: the ability, and where it stands among people.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import numpy as np
from scipy.special import ndtr

from zhiyin.contract.benchmark import Benchmark, deferred
from zhiyin.contract.declared import Cell, CheckResult, Drawn, PagePart, Section, heads, picture_of
from zhiyin.contract.options import OwnPrompts
from zhiyin.contract.tables import read_rows
from zhiyin.engine.scoring import judge_choice
from zhiyin.errors import InputError
from zhiyin.flags import Flag
from zhiyin.plugins.methods.ability import Ability, AbilityAnswers, BankItem, estimate
from zhiyin.plugins.music.hearing import BASS, CLAP, cached_sound, play_strokes
from zhiyin.prompts import Prompts
from zhiyin.record import Exchange, Record, Verdict
from zhiyin.runs.rows import Rows
from zhiyin.sequence import Sequence as TrialSequence
from zhiyin.sequence import Stepwise
from zhiyin.shown.dots import Dot, DotRow
from zhiyin.trial import Message, Option, Text, Trial
from zhiyin.words import Said, said

if TYPE_CHECKING:
    from zhiyin.contract.declared import FigureRun


LOW, HIGH = -1.5, 2.0
"""Between these abilities the bank can tell people apart."""


def answered(records: Iterable[Record]) -> tuple[list[tuple[BankItem, bool]], int]:
    """The answers that could be read, with their items, and how many were asked."""
    answers, asked = [], 0
    for record in records:
        tags, verdict = record.trial.tags, record.verdict
        if verdict.state == "error" or "b" not in tags:
            continue
        asked += 1
        if verdict.answer is not None:
            item = BankItem(*(float(tags[name] or 0) for name in "abcd"))
            answers.append((item, verdict.answer == record.trial.target))
    return answers, asked


def standing(ability: Ability) -> Said:
    """Rank an ability among people, in words: above how many, with the interval's ends."""
    if ability.theta < LOW:
        return said("rhythm-off-scale", side="below")
    if ability.theta > HIGH:
        return said("rhythm-off-scale", side="above")
    ends = (ability.theta, ability.lower, ability.upper)
    share, low, high = (f"{100 * ndtr(x):.0f}" for x in ends)
    known = "most" if ability.lower < LOW else "least" if ability.upper > HIGH else "both"
    return said("rhythm-standing", share=share, known=known, low=low, high=high)


def ends_of(ability: Ability) -> Said:
    """The interval as far as the bank can tell abilities apart."""
    low = f"< {LOW}" if ability.lower < LOW else f"{ability.lower:.2f}"
    high = f"> {HIGH}" if ability.upper > HIGH else f"{ability.upper:.2f}"
    return said("from-to", low=low, high=high)


def sections(rows: Rows) -> list[Section]:
    """The ability of a run as a table."""
    answers, asked = answered(rows.records())
    if not asked:
        return []
    if not answers:
        rows_of_none = [[said("rhythm-not-measured")]]
        return [
            Section(said("rhythm-title"), heads("ability"), rows_of_none, [said("rhythm-unread")])
        ]
    ability = estimate(answers)
    inside = LOW <= ability.theta <= HIGH
    beyond = f"< {LOW:.1f}" if ability.theta < LOW else f"> {HIGH:.1f}"
    row: list[Cell] = [
        f"{ability.theta:.2f}" if inside else beyond,
        f"{ability.se:.2f}" if inside else "-",
        ends_of(ability) if inside else "-",
        standing(ability),
        said("n-of", n=ability.right, of=ability.answers),
    ]
    notes = [
        said("rhythm-ability"), said("rhythm-range", low=LOW, high=HIGH), said("rhythm-people"),
        said("rhythm-ours"),
    ]  # fmt: skip
    if len(answers) < asked:
        notes.append(said("rhythm-left-out", n=asked - len(answers), of=asked))
    columns = heads("ability", "SE", "interval-95", "among-people", "right")
    return [Section(said("rhythm-title"), columns, [row], notes)]


def _abilities(runs: Sequence[FigureRun]) -> list[tuple[FigureRun, Ability]]:
    """The ability of each run that answered something."""
    answers_by_run = [(run, answered(run.rows.records())[0]) for run in runs]
    return [(run, estimate(answers)) for run, answers in answers_by_run if answers]


def opening(runs: Sequence[FigureRun]) -> PagePart | None:
    """The scale of abilities, for a report; None where nothing was answered."""
    abilities = _abilities(runs)
    return _scale_page(abilities) if abilities else None


def draw_scale(runs: Sequence[FigureRun]) -> Iterator[Drawn]:
    """Abilities of some runs beside those of people."""
    from zhiyin.plugins.paper.figures.dots import draw_dots

    if not (abilities := _abilities(runs)):
        return
    part = _scale_page(abilities)
    rows: list[list[Cell]] = [
        [run.label, own.theta, own.se, own.lower, own.upper, standing(own), own.answers]
        for run, own in abilities
    ]
    columns = ["run", "ability", "se", "lower", "upper", "among people", "answers"]
    title, caption = said("rhythm-scale-figure"), said("rhythm-scale-page-note")
    yield draw_dots("scale", title, caption, part.picture, page=part, table=(columns, rows))


_WIDE = 3.5
"""The scale of a page goes so far below and above people's mean."""


def _scale_page(abilities: Sequence[tuple[FigureRun, Ability]]) -> PagePart:
    """The same for a page; people's middle two thirds are shaded."""

    def along(ability: float) -> float:
        return (ability + _WIDE) / (2 * _WIDE)

    def within(end: float) -> float:
        return along(float(np.clip(end, LOW, HIGH)))

    dots = tuple(
        Dot(along(own.theta), within(own.lower), within(own.upper), told=ends_of(own))
        for _, own in abilities
    )
    ticks = tuple((along(float(n)), f"{n:+d}".replace("-", "−") if n else "0")
                  for n in range(-3, 4))  # fmt: skip
    row = DotRow(said("rhythm-ability-row"), dots=dots, band=(along(-1.0), along(1.0)), ticks=ticks)
    note, axis = said("rhythm-scale-page-note"), said("rhythm-ability-axis")
    return PagePart(picture_of([run for run, _ in abilities], "ability", axis, [row], note))


FILE = "item_bank.csv"
HOME = "the package RAT of Klaus Frieler and Peter Harrison (github.com/klausfrieler/RAT)"
_COLUMNS = (
    "item_id", "pattern", "lure_1", "lure_2", "lure_3",
    "discrimination", "difficulty", "guessing", "inattention",
)  # fmt: skip


class Rhythm(msgspec.Struct, frozen=True):
    """An item: the pattern that is played, three that are not, and its parameters.

    A pattern is a string of 0 and 1, a stroke each.
    """

    id: str
    pattern: str
    lures: tuple[str, ...]
    item: BankItem


class Bank(msgspec.Struct, frozen=True):
    """All items, and the SHA-256 of the file that they are from."""

    items: tuple[Rhythm, ...]
    sha256: str


def read_bank(folder: str | None) -> Bank:
    """The items of a folder.

    Raises
    ------
    InputError
        No folder, no file in it, or a row that is faulty, with its line.
    """
    if not folder:
        raise InputError(f"give --data, the folder with {FILE} of {HOME}")
    path = Path(folder) / FILE
    sha256, lines = read_rows(path)
    header = next(lines, (1, []))[1]
    missing = [name for name in _COLUMNS if name not in header]
    if missing:
        raise InputError(f"{path}:1: no column {missing[0]}: give the bank of {HOME}")
    items = tuple(_item(path, line, dict(zip(header, row, strict=False))) for line, row in lines)
    if not items:
        raise InputError(f"{path}: no items in it: fetch it again")
    twice = len(items) - len({item.id for item in items})
    if twice:
        raise InputError(f"{path}: {twice} ids stand more than once: fetch it again")
    return Bank(items, sha256)


def _item(path: Path, line: int, row: dict[str, str]) -> Rhythm:
    def fault(why: str) -> InputError:
        return InputError(f"{path}:{line}: {why}: correct the row")

    fields = {name: row.get(name, "").strip() for name in _COLUMNS}
    patterns = (fields["pattern"], *(fields[f"lure_{n}"] for n in (1, 2, 3)))
    if any(not text or set(text) - {"0", "1"} for text in patterns):
        raise fault("pattern and lures must be written with 0 and 1 (read them as text)")
    if len({*patterns}) < len(patterns) or len({*map(len, patterns)}) > 1:
        raise fault("pattern and lures must differ and be of one length")
    try:
        numbers = [float(fields[name]) for name in _COLUMNS[5:]]
    except ValueError:
        raise fault("a parameter is not a number") from None
    item = BankItem(*numbers)
    if not (np.isfinite(numbers).all() and item.a > 0 and 0 <= item.c < item.d <= 1):
        raise fault("its parameters make no response model")
    return Rhythm(fields["item_id"], patterns[0], patterns[1:], item)


def _opens(rhythm: Rhythm) -> bool:
    """Tell whether the published test may begin with it: 8 strokes, of which each lure turns 4."""
    turned = {sum(map(str.__ne__, rhythm.pattern, lure)) for lure in rhythm.lures}
    return len(rhythm.pattern) == 8 and turned == {4}


class IndexedBank:
    """The bank as the test draws from it.

    Parameters
    ----------
    bank : Bank
    """

    def __init__(self, bank: Bank) -> None:
        self.items = bank.items
        self.by_id = {item.id: item for item in bank.items}
        self._hard = np.array([item.item.b for item in bank.items])
        numbers: dict[str, int] = {}
        self._pattern = np.array([numbers.setdefault(i.pattern, len(numbers)) for i in bank.items])
        self._first = np.array([_opens(item) for item in bank.items])
        self._places = {item.id: place for place, item in enumerate(bank.items)}

    def nearest(self, theta: float, heard: set[str], words: str) -> Rhythm | None:
        """The item whose difficulty is nearest; None where every pattern has been heard.

        A pattern is played once in a test, with whatever lures. Ties are drawn by `words`. The
        first item is one of `_opens`, as in the published test, where the bank has any.
        """
        used = {self._pattern[self._places[name]] for name in heard}
        free = ~np.isin(self._pattern, list(used))
        if not free.any():
            return None
        if not heard and self._first.any():
            free = self._first
        distances = np.where(free, np.abs(self._hard - theta), np.inf)
        tied = [
            self.items[int(place)] for place in np.flatnonzero(distances <= distances.min() + 1e-9)
        ]
        return min(tied, key=lambda item: hashlib.sha256(f"{words}/{item.id}".encode()).digest())

    def __iter__(self) -> Iterator[Rhythm]:
        return iter(self.items)


# The benchmark object: an adaptive test from the bank, and where its taker stands.

LEAST = 10
"""Items that a test asks at least."""
_PLACES = {"question": ("options",)}


class RhythmAbilitySettings(msgspec.Struct, frozen=True):
    """Settings of a run: how long the test is, and from where its items are."""

    items: Annotated[
        int, Flag("items in the test", chooses=True), msgspec.Meta(ge=LEAST, le=700)
    ] = 40
    data: Annotated[str | None, Flag(f"folder with {FILE}", "DIR", place=True)] = None
    seed: Annotated[int, Flag("of the options' order, and among items of equal difficulty")] = 0
    prompts: OwnPrompts = None
    extract: Annotated[str, Flag("how replies are read")] = "robust"


class RhythmState(msgspec.Struct):
    """The state of a test: the answers, and the items heard so far."""

    answers: AbilityAnswers
    heard: set[str]


class RhythmTest(Stepwise[RhythmState]):
    """One adaptive test: the item nearest to the likeliest ability, until there are enough.

    A reply without an answer tells nothing of the ability, and counts as asked. A test of which
    none of the first `LEAST` replies is read ends there.
    """

    at_least = LEAST

    def __init__(
        self, shelf: IndexedBank, prompts: Prompts, settings: RhythmAbilitySettings
    ) -> None:
        self.id = self.item = f"test-{settings.seed}"  # other orders have other answers
        self.at_most = self._most = settings.items
        self._shelf, self._prompts, self._seed = shelf, prompts, settings.seed

    def begin(self) -> RhythmState:
        """Start before the first item."""
        return RhythmState(AbilityAnswers(), set())

    def moved(self, state: RhythmState, record: Record) -> RhythmState:
        """The state after one more reply."""
        name = str(record.trial.item)
        state.heard.add(name)
        if record.verdict.answer is not None:
            right = record.verdict.answer == record.trial.target
            state.answers.add(self._shelf.by_id[name].item, right)
        return state

    def ask(self, state: RhythmState) -> Trial | None:
        """The next item; None at the end."""
        asked = len(state.heard)
        if asked >= self._most or (asked >= LEAST and not state.answers.count):
            return None
        theta = state.answers.modal()
        rhythm = self._shelf.nearest(theta, state.heard, f"{self._seed}/{asked}")
        return None if rhythm is None else self._trial(rhythm, asked + 1)

    def _trial(self, rhythm: Rhythm, number: int) -> Trial:
        patterns = (rhythm.pattern, *rhythm.lures)
        order = sorted(
            range(len(patterns)),
            key=lambda n: hashlib.sha256(
                f"{self._seed}/{rhythm.id}/{patterns[n]}".encode()
            ).digest(),
        )
        options = tuple(
            Option(letter, " ".join(written(patterns[n])), str(n))
            for letter, n in zip("ABCD", order, strict=True)
        )
        option_lines = "\n".join(f"{option.letter}. {option.text}" for option in options)
        sound = cached_sound(play_strokes(written(rhythm.pattern)))
        question = self._prompts.fill("question", options=option_lines)
        a, b, c, d = msgspec.structs.astuple(rhythm.item)
        return Trial(
            id=f"{self.id}/{number}",
            messages=(Message("user", (sound, Text(question))),),
            stem="Which line shows the rhythm?",
            options=options,
            target="0",
            groups=(f"{len(rhythm.pattern)} strokes",),
            tags={"a": a, "b": b, "c": c, "d": d, "strokes": len(rhythm.pattern)},
            item=rhythm.id,
        )


def written(pattern: str) -> str:
    """A pattern of 0 and 1 with signs: the bank does not say which is which, so this is ours."""
    return pattern.replace("1", CLAP).replace("0", BASS)


class RhythmAbility(Benchmark[RhythmAbilitySettings]):
    """An adaptive test of rhythm from a bank that is calibrated on people."""

    name = "rhythm-ability"
    version = "2"  # begins with the item that the published test begins with
    summary = said("rhythm-summary")
    description = "benchmark.toml"
    Settings = RhythmAbilitySettings
    draws_ungraded = True
    figures = deferred(f"{__name__}:draw_scale")
    """Abilities on the scale of people."""
    opening = deferred(f"{__name__}:opening")
    hearing = deferred(f"{__name__}:draw_scale")
    """The ability on the scale of people."""
    details = deferred(f"{__name__}:sections", 1)
    """The ability, and where it stands among people."""

    def __init__(self, settings: RhythmAbilitySettings) -> None:
        super().__init__(settings)
        self._prompts = Prompts(
            "zhiyin.plugins.benchmarks.rhythm_ability", _PLACES, folder=settings.prompts
        )

    @cached_property
    def bank(self) -> Bank:
        """The items."""
        return read_bank(self.settings.data)

    def sequences(self) -> Iterator[TrialSequence]:
        """The test."""
        yield RhythmTest(IndexedBank(self.bank), self._prompts, self.settings)

    def score(self, trial: Trial, exchange: Exchange) -> Verdict:
        """The answer. An adaptive test seeks items that its taker finds half hard, so that a share
        of right ones would tell nothing: none is counted.
        """
        verdict = judge_choice(trial, exchange, self.policy)
        read = float(verdict.answer is not None)
        return msgspec.structs.replace(verdict, state="ungraded", scores={"answered": read})

    def fingerprint(self) -> str:
        """SHA-256 over the bank, the prompt and the sound of one item."""
        digest = hashlib.sha256(self._prompts.as_bytes())
        digest.update(self.bank.sha256.encode())
        digest.update(play_strokes(f"{CLAP}{BASS}"))
        return digest.hexdigest()

    def remarks(self) -> list[Said]:
        """Report what differs from the published test."""
        return [said("rhythm-differs")]

    @classmethod
    def check(cls, options: Mapping[str, Any]) -> CheckResult:
        """Look through a bank. Raises `InputError` for the first fault, which stops a test."""
        bank = read_bank(options.get("data"))
        return CheckResult(len(bank.items), [], [f"from {HOME}"])
