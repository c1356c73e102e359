"""ZIQI-Eval as a benchmark: from its options to trials, and from exchanges to verdicts.

Sections of `zhiyin show` for a run: F1 in two ways, and the type of model.

The three types of models of the paper's section 6.1 are decided by what the replies are like.
The paper describes the types and gives no rule. Ours, on the judged questions of generation:

relatively good appreciation
    The 95 % interval of the accuracy lies above chance.
lack of melodic understanding
    It does not, and most replies evade the question or give a letter without any analysis, or
    one letter makes up half of the answers (of ChatGLM2-6B's, up to 60 % were A).
limited appreciation
    It does not, although most replies analyse the music.
"""

from __future__ import annotations

import hashlib
import re
import statistics
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec

from zhiyin.contract.benchmark import Benchmark, deferred
from zhiyin.contract.conditions import SHOTS
from zhiyin.contract.declared import NOTHING, Cell, CheckResult, Flaw, Section, heads
from zhiyin.contract.protocols import OURS
from zhiyin.engine.folder import Manifest
from zhiyin.errors import InputError
from zhiyin.flags import Flag
from zhiyin.plugins.benchmarks.ziqi import COMMANDS
from zhiyin.plugins.benchmarks.ziqi.data import (
    ELSEWHERE,
    KINDS,
    MEAN_F1,
    RELEASED,
    WORLD,
    ZiqiItem,
    ZiqiSheet,
    category_of,
    choose_stems,
    find_stems,
    group_titles,
    published_categories,
    read_sheet,
    subtheme,
)
from zhiyin.plugins.benchmarks.ziqi.flaws import find_flaws, is_order_bound, left_out
from zhiyin.plugins.benchmarks.ziqi.trials import ZiqiTrialMaker, count_rotations, open_wording
from zhiyin.plugins.methods.evasion import evasion_in
from zhiyin.prompts import LINES, Language, Prompts
from zhiyin.runs.estimates import estimate
from zhiyin.runs.figures import Figures, figures
from zhiyin.runs.measures import Estimate
from zhiyin.runs.rows import Rows
from zhiyin.trial import Trial
from zhiyin.words import LANGUAGES, Said, said, say

if TYPE_CHECKING:
    from zhiyin.contract.declared import Drawn, FigureRun


class ZiqiSettings(msgspec.Struct, frozen=True):
    """Settings of a run of ZIQI-Eval. `data` is read only when a trial is asked for."""

    language: Annotated[
        Language, Flag("language of the instructions; the questions are Chinese", stated=True)
    ] = "zh"
    category: Annotated[
        tuple[str, ...],
        Flag(
            "only these files, or 'comprehension' or 'generation' (default: all)",
            "STEM[,STEM]",
            told="only {}",
        ),
    ] = ()
    prompts: Annotated[
        str | None, Flag("folder with prompts that replace ours by file name", "DIR", place=True)
    ] = None
    shuffle: Annotated[
        bool, Flag("shuffle each question's options by --seed (default: the published order)")
    ] = False
    rotations: Annotated[
        Literal["none", "all"],
        Flag("ask every question under each cyclic rotation of its options", stated=True),
    ] = "none"
    clean: Annotated[
        bool, Flag("leave flawed questions out (`zhiyin data check ziqi --all` lists them)")
    ] = False
    data: Annotated[
        str | None, Flag("folder with test/*.csv and, for examples, dev/*.csv", place=True)
    ] = None
    seed: Annotated[int, Flag("of the order of the options")] = 0
    shots: Annotated[int, Flag("examples"), msgspec.Meta(ge=0, le=5)] = 0
    partial: Annotated[bool, Flag("take an incomplete set", place=True)] = False
    extract: Annotated[str, Flag("how replies are read")] = "robust"
    protocol: Annotated[str, Flag("whose way of asking")] = OURS.name
    released: Annotated[
        str | None, Flag("a clone of the published repository, for its prompt", place=True)
    ] = None

    def __post_init__(self) -> None:
        if self.category:  # by a file's name, or as tables call it
            called = {
                say(title, language): group
                for group, title in group_titles().items() if "/" not in group
                for language in LANGUAGES
            }  # fmt: skip
            stems = tuple(called.get(word, word) for word in self.category)
            msgspec.structs.force_setattr(self, "category", stems)

    @property
    def rotates(self) -> bool:
        """True if each question is asked under every rotation of its options."""
        return self.rotations == "all"

    @property
    def pack(self) -> str | None:
        """Our own words for a protocol; None for the usual ones."""
        return RELEASED if self.protocol == RELEASED else None


class Ziqi(Benchmark[ZiqiSettings]):
    """ZIQI-Eval: 14,139 questions on music and 195 continuations of tunes, four options each.

    Parameters
    ----------
    settings : ZiqiSettings

    Raises
    ------
    InputError
        The extraction policy is unknown. Whatever is wrong with data or prompts is raised by
        the method that first needs them.
    """

    name = "ziqi"
    version = "1"
    summary = said("ziqi-summary")
    description = "benchmark.toml"
    ways = (SHOTS,)
    titles = group_titles()
    commands = COMMANDS
    printed_measures = (MEAN_F1,)

    Settings = ZiqiSettings
    details = deferred(f"{__name__}:sections")
    """F1 as the mean of subthemes, the type of section 6.1, the repository's leaderboard."""

    def trials(self) -> Iterator[Trial]:
        """Every trial: the categories in the paper's order, the questions as in their files."""
        for stem, items in self._items.items():
            maker = self._makers[stem]
            for item in items:
                if self.settings.rotates:
                    yield from maker.rotations(item)
                else:
                    yield maker.make(item)

    def __len__(self) -> int:
        if self.settings.rotates:
            return sum(count_rotations(item) for items in self._items.values() for item in items)
        return sum(len(items) for items in self._items.values())

    def fingerprint(self) -> str:
        """SHA-256 over the bytes of every file read, and the prompts."""
        total = hashlib.sha256()
        for sheet in (*self._test.values(), *self._dev.values()):
            total.update(f"{sheet.name} {sheet.sha256}\n".encode())
        for name, text in sorted(self._wording.texts.items()):
            if name == "options" and text == LINES:
                continue  # as it was before there were other layouts: the run is the same
            name = f"{name}.{self.settings.language}.txt"
            total.update(f"{name} {hashlib.sha256(text.encode()).hexdigest()}\n".encode())
        return total.hexdigest()

    def remarks(self) -> list[str | Said]:
        """Flawed questions, files that are missing, and what shuffling and examples met."""
        return self._remarks(self._flaws)

    def remarks_on(self, asked: Callable[[], Iterable[Trial]]) -> list[str | Said]:
        """The same of the questions that are asked; with ``clean``, what the set has lost."""
        items = {trial.item for trial in asked()}
        stems = {sheet.name: stem for stem, sheet in self._test.items()}
        lost = self.settings.clean
        flaws = [f for f in self._flaws if lost or f"{stems[f.file]}/{f.id}" in items]
        return self._remarks(flaws, items)

    @classmethod
    def methods(cls, options: Mapping[str, Any]) -> Sequence[Said]:
        """Which examples stand before each question."""
        shots = int(options.get("shots") or 0)
        return (said("ziqi-methods-examples", n=shots),) if shots else ()

    def _remarks(
        self, flaws: Sequence[Flaw], asked: Container[str] | None = None
    ) -> list[str | Said]:
        remarks: list[str | Said] = list(_flaws_remark(flaws, self.settings.clean))
        if missing := self._stems[1]:
            remarks.append(said("ziqi-incomplete", files=missing))
        items = [
            (item, self._makers[stem]) for stem, items in self._items.items()
            for item in items if asked is None or f"{stem}/{item.id}" in asked
        ]  # fmt: skip
        moved = self.settings.shuffle or self.settings.rotates
        if moved and (bound := sum(is_order_bound(item) for item, _ in items)):
            remarks.append(said("ziqi-not-moved", n=bound))
        if examples := sum(maker.is_example(item) for item, maker in items):
            remarks.append(said("ziqi-examples", n=examples))
        return remarks

    @cached_property
    def _stems(self) -> tuple[list[str], list[str]]:
        """The files to read, and the published ones that are missing."""
        settings = self.settings
        present = find_stems(settings.data)
        return choose_stems(present, settings.category, settings.partial, str(settings.data))

    @cached_property
    def _test(self) -> dict[str, ZiqiSheet]:
        return self._read("test")

    @cached_property
    def _dev(self) -> dict[str, ZiqiSheet]:
        return self._read("dev") if self.settings.shots else {}

    def _read(self, part: str) -> dict[str, ZiqiSheet]:
        folder = Path(str(self.settings.data)) / part
        paths = {stem: folder / f"{stem}.csv" for stem in self._stems[0]}
        for path in paths.values():
            if part == "dev" and not path.is_file():
                raise InputError(said("ziqi-no-examples", path=path))
        return {stem: read_sheet(path) for stem, path in paths.items()}

    @cached_property
    def _flaws(self) -> list[Flaw]:
        return find_flaws(self._test, {})

    @cached_property
    def _items(self) -> dict[str, list[ZiqiItem]]:
        """The questions to ask, by category."""
        if not self.settings.clean:
            return {stem: sheet.items for stem, sheet in self._test.items()}
        drop = left_out(self._flaws)
        return {
            stem: [item for item in sheet.items if (sheet.name, item.id) not in drop]
            for stem, sheet in self._test.items()
        }

    @cached_property
    def _wording(self) -> Prompts:
        settings = self.settings
        return open_wording(settings.language, settings.prompts, settings.pack, settings.released)

    @cached_property
    def _makers(self) -> dict[str, ZiqiTrialMaker]:
        settings = self.settings
        return {
            stem: ZiqiTrialMaker(
                category_of(stem),
                self._wording,
                settings.language,
                settings.seed if settings.shuffle else None,
                settings.shots,
                self._dev.get(stem),
                as_printed=settings.pack is not None,
            )
            for stem in self._test
        }

    # About the benchmark, without data

    @classmethod
    def check(cls, options: Mapping[str, Any]) -> CheckResult:
        """Every flaw of the data in ``options["data"]``; see `ziqi.flaws`."""
        from zhiyin.plugins.benchmarks.ziqi.flaws import check_folder

        published = cls.expected() or NOTHING
        return check_folder(options.get("data"), bool(options.get("partial")), published)

    @classmethod
    def figures(cls, runs: Sequence[FigureRun]) -> Iterator[Drawn]:
        """The paper's Figure 3: women, Black Africa, Europe and elsewhere."""
        from zhiyin.plugins.benchmarks.ziqi.bias_command import draw_bias

        reference = cls.published()
        if reference is not None and (drawn := draw_bias(runs, reference)) is not None:
            yield drawn


def _flaws_remark(flaws: Sequence[Flaw], clean: bool) -> Iterator[Said]:
    """Report how many questions are flawed and what becomes of them; nothing where none is."""
    count = Counter(flaw.kind for flaw in flaws)
    told = (
        "repeated-option", "repeated-key", "repeated-question", "near-repeat",
        "conflicting-answers", "missing-figure",
    )  # fmt: skip
    if kinds := [said("ziqi-flaw", n=count[kind], kind=kind) for kind in told if count[kind]]:
        yield said("ziqi-flaws", left=len(left_out(flaws)) if clean else None, kinds=kinds)


Kind = Literal[
    "I, lack of melodic understanding",
    "II, limited appreciation",
    "III, relatively good appreciation",
    "undecided",
]
CHANCE, LEAST, HALF = 0.25, 30, 0.5
"""Chance level; the fewest replies that decide a type; what makes "most"."""
ANALYSIS = 15
"""Chinese characters and words of other languages beyond which a reply is more than its answer."""

_UNITS = re.compile(r"[\u3400-\u9fff]|[^\W\d_\u3400-\u9fff]{2,}")


class Phenomena(msgspec.Struct, frozen=True):
    """The character of the replies to questions of generation.

    Attributes
    ----------
    accuracy : Estimate
    evasive, analysing : float
        Shares of all replies: without an answer and saying that there is no telling, or refused;
        with more than `ANALYSIS` words.
    letter : str
        The letter chosen most often, "" where none was chosen; `share` is its share of the
        answers.
    kind : str
        The type.
    """

    accuracy: Estimate
    evasive: float
    analysing: float
    letter: str
    share: float
    kind: Kind


def describe(rows: Rows) -> Phenomena | None:
    """Figures and type of judged replies; None where there are none."""
    accuracy = estimate(rows)
    if accuracy.low is None:
        return None
    evasive = analysing = 0
    for record in rows.judged.records():
        turns, state = record.exchange.turns, record.verdict.state
        text = turns[-1].reply.text if turns else ""
        evades = state == "refused" or (state == "no_answer" and evasion_in(text) is not None)
        evasive += evades
        analysing += not evades and len(_UNITS.findall(text)) > ANALYSIS
    n, letters = accuracy.n, Counter(row.letter for row in rows if row.letter is not None)
    letter, most = next(iter(letters.most_common(1)), ("", 0))
    share = most / letters.total() if letters else 0.0
    kind: Kind = "II, limited appreciation"
    if n < LEAST:
        kind = "undecided"
    elif accuracy.low > CHANCE:
        kind = "III, relatively good appreciation"
    elif analysing / n < HALF or share >= HALF:
        kind = "I, lack of melodic understanding"
    return Phenomena(accuracy, evasive / n, analysing / n, letter, share, kind)


def sections(rows: Rows, manifest: Manifest) -> list[Section]:
    """The further tables of a run; none where nothing has been judged yet.

    Raises
    ------
    InputError
        Where the folder is not a run.
    """
    table, settled = rows.table, rows.settled.numbers
    if not len(settled):
        return []
    counted, under = figures(table), dict[str, set[str]]()
    for groups in {table.kinds[kind].groups: None for kind in table.kind[settled].tolist()}:
        own = subtheme(groups)
        for group in groups:
            if group != own:
                under.setdefault(group, set()).add(own)
    f1 = _f1_section(counted, under)
    tables = [f1] if f1.rows else []  # a run within one subtheme has nothing to average
    melodies = rows.settled.which(lambda kind: "generation" in kind.groups)
    if (phenomena := describe(melodies)) is not None:
        tables.append(_types_section(phenomena))
    return tables


def _f1_section(tally: Figures, under: dict[str, set[str]]) -> Section:
    """F1 of all questions of a group together, and the mean of its subthemes' F1."""
    order = [*KINDS, *published_categories(), f"{WORLD}/{ELSEWHERE}"]
    names = sorted(under, key=lambda group: order.index(group) if group in order else len(order))
    rows: list[list[Cell]] = []
    titles = group_titles()
    for group in names:
        members = [_f1(tally, subtheme) for subtheme in sorted(under[group])]
        if len(members) > 1:
            called, n = titles.get(group, group), tally.counts[group].judged
            rows.append([called, n, len(members), _f1(tally, group), statistics.fmean(members)])
    notes = [said("ziqi-f1-note", group=titles[f"{WORLD}/{ELSEWHERE}"])]
    columns = heads("f1-share", "n", "subthemes", "pooled", "mean")
    return Section(
        said("ziqi-f1"), columns, rows, notes,
        kinds=("text", "count", "count", "share", "share"),
    )  # fmt: skip


def _f1(tally: Figures, group: str) -> float:
    value = tally.figure("f1", group)
    assert value is not None
    return value


def _types_section(phenomena: Phenomena) -> Section:
    """The type of section 6.1, with the figures that decide it."""
    mean, low, high = phenomena.accuracy.ends or (0.0, 0.0, 1.0)
    cells: dict[str, Cell] = {
        "type": said("ziqi-type", kind=phenomena.kind.partition(",")[0]),
        "replies": phenomena.accuracy.n,
        "accuracy-share": 100 * mean,
        "interval-95": (100 * low, 100 * high),
        "evading": 100 * phenomena.evasive,
        "analysing": 100 * phenomena.analysing,
        "letter-most": phenomena.letter or None,
        "letter-share": 100 * phenomena.share,
    }
    rows = [[head, cell] for head, cell in zip(heads(*cells), cells.values(), strict=True)]
    notes = [said("ziqi-types-note", least=LEAST, words=ANALYSIS)]
    return Section(said("ziqi-types"), ["", *heads("value")], rows, notes)
