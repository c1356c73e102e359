"""The benchmark object: items, their base and changed versions, and what stands in their place.

Tests of whether answers follow the fact, ignore everything else, and use the sound at all.

For each item the answer to the base is set against the answer to every other version. The
*listening effect* of an item is its share of right answers to base and changed version, less that
with silence or noise in the place of their sound; where nothing is answered to silence or noise,
that counts as a guess (1/2), so that declining them is no proof of having listened
(`zhiyin.analysis.within`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import msgspec

from zhiyin.analysis.within import condition_gaps
from zhiyin.contract.benchmark import Benchmark, deferred
from zhiyin.contract.conditions import SOUND
from zhiyin.contract.declared import Cell, Drawn, Kind, PagePart, Section, heads, picture_of
from zhiyin.plugins.composed.digests import digest_of
from zhiyin.plugins.composed.pairs.sounds import (
    CHANGES,
    CONTROLS,
    FACTS,
    Change,
    Fact,
    FactName,
    PairSettings,
    Scene,
    Studio,
    replaced,
)
from zhiyin.plugins.music.stimuli import Dice, crossed
from zhiyin.plugins.paper.figures.dots import dot_of, draw_dots
from zhiyin.prompts import Prompts
from zhiyin.runs.differences import corrected, paired_estimate
from zhiyin.runs.measures import SHARE
from zhiyin.runs.rows import Rows, TrialRow
from zhiyin.shown.dots import DotPicture, DotRow
from zhiyin.statistics.intervals import Interval, interval, wilson
from zhiyin.trial import Audio, Message, Option, Text, Trial, say
from zhiyin.words import Said, said

if TYPE_CHECKING:
    from zhiyin.contract.declared import FigureRun


class PairItem(msgspec.Struct, frozen=True):
    """One item.

    Attributes
    ----------
    id : str
    fact : str
    scene : Scene
    base : int
        Which scene is the base, 0 or 1; the other is the version with the fact changed.
    first : int
        Which answer is shown under A.
    """

    id: str
    fact: FactName
    scene: Scene
    base: int
    first: int

    @property
    def options(self) -> tuple[Option, ...]:
        """The two answers as they are shown, the same in every version."""
        order = (self.first, 1 - self.first)
        texts = FACTS[self.fact].answers
        return tuple(Option(a, texts[n], a) for a, n in zip("AB", order, strict=True))

    def key(self, scene: int) -> str:
        """The key of the answer that is true of a scene."""
        return "A" if scene == self.first else "B"


class Pairs(Benchmark[PairSettings]):
    """Minimal pairs as a `Benchmark`.

    Parameters
    ----------
    settings : PairSettings
    """

    name = "pairs"
    version = "1"
    summary = said("pairs-summary")
    description = "benchmark.toml"
    ways = (SOUND,)
    titles = {name: said("pairs-fact", fact=name) for name in FACTS}
    Settings = PairSettings
    figures = deferred(f"{__name__}:draw_figures")
    """What moves answers; by fact, whether they move with it and stay otherwise."""
    hearing = deferred(f"{__name__}:draw_consistency")
    """Pair consistency."""
    details = deferred(f"{__name__}:sections", 1)
    """Pairs by fact, what answers follow, and what they rest on."""

    def __init__(self, settings: PairSettings) -> None:
        super().__init__(settings)
        places = {"system": (), "question": ("question", "options")}
        self._prompts = Prompts(__package__, places, folder=settings.prompts)
        self._studio = Studio()

    @cached_property
    def items(self) -> list[PairItem]:
        """`n` items of each fact. Which scene is the base and which answer is A are balanced."""
        items = []
        for name in self.settings.facts:
            ways = crossed((0, 1), (0, 1), self.settings.seed, name, "ways")
            for number, (base, first) in zip(range(1, self.settings.n + 1), ways, strict=False):
                scene = FACTS[name].draw(Dice(self.settings.seed, "pairs", name, number))
                items.append(
                    PairItem(f"{name}-{self.settings.seed}-{number:03d}", name, scene, base, first)
                )
        return items

    @property
    def _changes(self) -> tuple[Change, ...]:
        return tuple(change for change in self.settings.changes if self._studio.can(change))

    def remarks(self) -> list[Said]:
        """Name the changes that cannot be made on this machine."""
        missing = [change for change in self.settings.changes if change not in self._changes]
        return [said("pairs-without", changes=missing)] if missing else []

    def __len__(self) -> int:
        count = 2 + len(self._changes) + 2 * len(CONTROLS)
        return sum(count + 2 * (FACTS[item.fact].clips - 1) for item in self.items)

    def trials(self) -> Iterator[Trial]:
        """Each item: base, changed, the changes that say nothing, and what stands in its place."""
        for item in self.items:
            fact, changed = FACTS[item.fact], 1 - item.base
            yield self._trial(item, "base", item.base, self._play(item, item.base, None))
            yield self._trial(item, "changed", changed, self._play(item, changed, None))
            for change in self._changes:
                yield self._trial(item, change, item.base, self._play(item, item.base, change))
            for control in CONTROLS:
                for version, scene in (("base", item.base), ("changed", changed)):
                    yield self._replaced(item, version, scene, control, fact)
            if fact.clips == 2:
                for version, scene in (("base", item.base), ("changed", changed)):
                    yield self._replaced(item, version, scene, "half", fact)

    def _play(self, item: PairItem, scene: int, change: Change | None) -> list[Audio]:
        """The recordings of a scene; a change is made of the last one."""
        *before, last = item.scene[scene]
        return [
            *(self._studio.record(clip, None, item.id) for clip in before),
            self._studio.record(last, change, item.id),
        ]

    def _replaced(
        self, item: PairItem, version: str, scene: int, control: str, fact: Fact
    ) -> Trial:
        """Silence or noise in the place of all recordings; of two, noise for the second one."""
        sounds = self._play(item, scene, None)
        seed = f"{item.id}-{version}"
        if control == "half":
            sounds[-1] = replaced(sounds[-1], "noise", seed)
        else:
            sounds = [replaced(s, control, f"{seed}-{n}") for n, s in enumerate(sounds)]
        return self._trial(item, f"{control}-{version}", scene, sounds, control)

    def _trial(
        self, item: PairItem, version: str, scene: int, sounds: Sequence[Audio], audio: str = "true"
    ) -> Trial:
        fact = FACTS[item.fact]
        option_lines = "\n".join(f"{option.letter}. {option.text}" for option in item.options)
        request = Text(self._prompts.fill("question", question=fact.question, options=option_lines))
        return Trial(
            id=f"{item.id}/{version}",
            messages=(
                say("system", self._prompts.texts["system"]),
                Message("user", (*sounds, request)),
            ),
            stem=fact.question,
            options=item.options,
            target=item.key(scene),
            groups=(item.fact,) if audio == "true" else (f"audio={audio}",),
            cluster=item.id,
            tags={"fact": item.fact, "version": version, "audio": audio},
            item=item.id,
            condition=version,
        )

    def fingerprint(self) -> str:
        """SHA-256 over prompts, questions, answers and what is sent; not over files' places."""
        return digest_of(self._prompts.as_bytes(), self.trials())


ALPHA = 0.05
_FEW = 10
"""Items below which nothing is concluded."""
_SAME = 0.8
"""Answers are called the same throughout where the lower end of their share lies above."""
_RARELY = 0.2
"""Answers are said not to depend on something where the upper end of their share lies below."""


class AnsweredItem(msgspec.Struct):
    """An item as it was answered.

    Attributes
    ----------
    fact : str
    answers : dict of str to (str or None)
        Letter in the data by version, None where none was given; failed trials are left out.
    right : dict of str to float
        1, 0 by version.
    """

    fact: str
    answers: dict[str, str | None] = {}
    right: dict[str, float] = {}

    @property
    def paired(self) -> bool:
        """True if base and changed version were both judged."""
        return "base" in self.answers and "changed" in self.answers

    @property
    def answered(self) -> bool:
        """True if base and changed version both got an answer."""
        return None not in (self.answers.get("base"), self.answers.get("changed"))

    @property
    def both(self) -> float:
        """Return 1 if base and changed version are both right, else 0."""
        return float(self.right["base"] == 1 == self.right["changed"])

    def moved(self, version: str) -> float | None:
        """Return 1 if the answer to a version differs from the base's; None if either is missing.

        No answer counts as another one only where silence or noise is played.
        """
        if "base" not in self.answers or version not in self.answers:
            return None
        base, other = self.answers["base"], self.answers[version]
        if version in ("changed", *CHANGES) and None in (base, other):
            return 0.0
        return float(other != base)

    def stays(self, version: str) -> float | None:
        """Return 1 if a version gets the answer of the base; None if either is missing."""
        if "base" not in self.answers or version not in self.answers:
            return None
        base = self.answers["base"]
        return float(base is not None and self.answers[version] == base)


def gather(rows: Iterable[TrialRow]) -> dict[str, AnsweredItem]:
    """Items by their ids."""
    items: dict[str, AnsweredItem] = {}
    for row in rows:
        version = row.tags.get("version")
        if not row.judged or version is None:
            continue
        item = items.setdefault(row.item, AnsweredItem(str(row.tags["fact"])))
        item.answers[str(version)] = row.answer
        item.right[str(version)] = row.right
    return items


def share(values: Sequence[float]) -> Interval:
    """A share of items with its Wilson interval."""
    return wilson(sum(values), len(values))


def moved(items: Iterable[AnsweredItem], version: str) -> list[float]:
    """List for each item that has the version 1 if it moved the answer, else 0."""
    return [value for item in items if (value := item.moved(version)) is not None]


def stay_shares(items: Iterable[AnsweredItem]) -> list[float]:
    """List for each item the share of irrelevant changes that left its answer as it was."""
    rows = [[item.stays(change) for change in CHANGES] for item in items]
    known_rows = [[value for value in row if value is not None] for row in rows]
    return [sum(row) / len(row) for row in known_rows if row]


def findings(rows: Rows) -> list[Said]:
    """State what the answers rest on, a sentence each, with the evidence.

    What they rest on in place of the fact comes first: a screen may show the first lines alone.
    """
    items = [item for item in gather(rows).values() if item.paired]
    if len(items) < _FEW:
        return [said("pairs-few", n=len(items), least=_FEW)]
    if nothing := _unanswered(items) or _on_options(items):
        return [nothing]
    first = _on_first(items)
    return [*_followed(items), *([first] if first else []), *_listening(rows)]


def _percent(interval: Interval) -> Said:
    low, mean, high = (f"{100 * one:.0f}" for one in (interval.low, interval.mean, interval.high))
    return said("pairs-percent", mean=mean, low=low, high=high)


def _unanswered(items: Sequence[AnsweredItem]) -> Said | None:
    """Report if hardly anything is answered: the same silence to all is no answer from options."""
    mute = share([float(not item.answered) for item in items])
    return None if mute.low <= _SAME else said("pairs-unanswered", share=_percent(mute))


def _on_options(items: Sequence[AnsweredItem]) -> Said | None:
    """Report if nothing that is played makes a difference."""
    names = [f"{c}-{v}" for c in CONTROLS for v in ("base", "changed")]
    whole = [item for item in items if all(name in item.answers for name in names)]
    if len(whole) < _FEW:
        return None
    same = [float(len(set(item.answers.values())) == 1 and item.answered) for item in whole]
    same_share = share(same)
    return None if same_share.low <= _SAME else said("pairs-options", share=_percent(same_share))


def _listening(rows: Rows) -> list[Said]:
    lines = []
    for one in (gap for gap in condition_gaps(rows) if gap.second in CONTROLS):
        wrong = (one.gap.value or 0.0) < 0 and one.gap.p is not None and one.gap.p < ALPHA
        facts = {"mean": one.gap.value, "low": one.gap.low, "high": one.gap.high}
        effect = said("pairs-effect", control=one.second, p=one.gap.p, **facts)
        if one.listens:
            lines.append(said("pairs-listens", effect=effect))
        elif wrong:
            lines.append(said("pairs-misled", effect=effect))
        else:
            lines.append(said("pairs-deaf", effect=effect))
    return lines


def _followed(items: Sequence[AnsweredItem]) -> list[Said]:
    """Sentences on changes that say nothing, but with which answers move more than with others."""
    asked_changes = [change for change in CHANGES if moved(items, change)]
    found, shares = [], dict[str, Interval]()
    for change in asked_changes:
        pairs = []
        for item in items:
            others = [item.moved(other) for other in asked_changes if other != change]
            other_values = [value for value in others if value is not None]
            own = item.moved(change)
            if own is not None and other_values:
                pairs.append((own, sum(other_values) / len(other_values)))
        if len(pairs) >= _FEW:
            own_row, other_row = zip(*pairs, strict=True)
            found.append(paired_estimate(own_row, other_row, (change, "")))
            shares[change] = share(own_row)
    return [
        said("pairs-follows", change=one.sides[0], share=_percent(shares[one.sides[0]]))
        for one in corrected(found)
        if one.better == one.sides[0] and (one.low or 0.0) > 0
    ]


def _on_first(items: Sequence[AnsweredItem]) -> Said | None:
    """Report if the second of two recordings makes no difference."""
    two = [item for item in items if "half-base" in item.answers]
    if len(two) < _FEW:
        return None
    same = share([float(item.moved("changed") or item.moved("half-base") or 0) for item in two])
    return None if same.high >= _RARELY else said("pairs-first-alone", share=_percent(same))


# What `zhiyin show` adds to a run: pairs by fact, what answers follow, what they rest on.


def sections(rows: Rows) -> list[Section]:
    """The further tables of a run; none where no pair has been judged yet."""
    items = [item for item in gather(rows).values() if item.paired]
    if not items:
        return []
    lines: list[list[Cell]] = [[line] for line in findings(rows)]
    bases = Section(said("pairs-bases"), heads("finding"), lines, leads=True)
    return [bases, _facts(rows, items), _changes(items)]


def _facts(rows: Rows, items: Sequence[AnsweredItem]) -> Section:
    table: list[list[Cell]] = []
    names = [name for name in FACTS if any(item.fact == name for item in items)]
    for name in (*names, "all") if len(names) > 1 else names:
        of_fact = [item for item in items if name in ("all", item.fact)]
        row: list[Cell] = [
            said("pairs-fact", fact=name),
            len(of_fact),
            share([item.both for item in of_fact]).ends,
        ]
        stays = stay_shares(of_fact)
        row.append(interval(stays).ends if stays else None)
        own = rows.which(lambda kind, name=name: name in ("all", kind.tags.get("fact")))  # type: ignore[misc]
        gaps = {one.second: one.gap.ends for one in condition_gaps(own)}
        row += [gaps.get(control) for control in CONTROLS]
        table.append(row)
    notes = [said("pairs-moves"), said("pairs-against-note"), said("pairs-intervals")]
    against = (said("pairs-against", control=control) for control in CONTROLS)
    head = [*heads("fact", "pairs", "moves", "stays"), *against]
    kinds: list[Kind] = ["text", "count", "share", "share", "points", "points"]
    return Section(said("pairs-facts"), head, table, notes, kinds=kinds)


def _changes(items: Sequence[AnsweredItem]) -> Section:
    rows: list[list[Cell]] = []
    for version in ("changed", *CHANGES, *(f"{c}-base" for c in CONTROLS), "half-base"):
        values = moved(items, version)
        if values:
            words = said("pairs-version", version=version)
            rows.append([words, len(values), share(values).ends, _reason(version)])
    head = heads("what-changed", "items", "moves", "it")
    notes = [said("pairs-changes-note")]
    kinds: list[Kind] = ["text", "count", "share", "text"]
    return Section(said("pairs-changes"), head, rows, notes, kinds=kinds)


def _reason(version: str) -> Said:
    part = "changed" if version == "changed" else "change" if version in CHANGES else "control"
    return said("pairs-should", part=part)


# Figures: what moves answers, and by fact whether they move with it and stay otherwise.

_CHANCE = 0.25
"""Of a guess, to be right to both of a pair."""


def draw_figures(runs: Sequence[FigureRun]) -> Iterator[Drawn]:
    """Draw what moves answers and, by fact, whether they move with it and stay otherwise."""
    yield from draw_moved(runs)
    yield from draw_consistency(runs)


def draw_moved(runs: Sequence[FigureRun]) -> Iterator[Drawn]:
    """Share of items whose answer moves, by what is changed."""
    answered = [(run, [*gather(run.judged).values()]) for run in runs]
    answered = [(run, items) for run, items in answered if moved(items, "changed")]
    rows = []
    for version in ("changed", *CHANGES) if answered else ():
        values = [moved(items, version) for _, items in answered]
        dots = tuple(dot_of(share(own)) if own else None for own in values)
        if any(dots):
            rows.append(DotRow(said("pairs-version", version=version), dots=dots))
    if rows:
        title, caption = said("pairs-moved-figure"), said("pairs-moved-caption")
        yield draw_dots("moved", title, caption, _picture(answered, rows, caption))


def draw_consistency(runs: Sequence[FigureRun]) -> Iterator[Drawn]:
    """Draw by fact how often base and changed version are both right, and answers stay."""
    answered = [
        (run, paired)
        for run in runs
        if (paired := [item for item in gather(run.judged).values() if item.paired])
    ]
    asked = [name for name in FACTS if any(i.fact == name for _, items in answered for i in items)]
    rows = []
    for place, panel in enumerate(("moves", "stays")):
        for name in (*asked, *(["all"] if len(asked) > 1 else [])):
            each = [
                _consistent([item for item in items if name in ("all", item.fact)])[place]
                for _, items in answered
            ]
            if not any(each):
                continue
            fact, counted = said("pairs-fact", fact=name), said("pairs-panel-of", panel=panel)
            dots = tuple(dot_of(own, counted=counted) if own else None for own in each)
            words = said("pairs-fact-counted", fact=fact, counted=counted)
            rule = _CHANCE if panel == "moves" else None
            rows.append(DotRow(words, dots=dots, rule=rule, key=str(fact)))
    if rows:
        # What the answers of each run follow: no figure is shown without it.
        bases = [said("pairs-base-of", who=run.label, what=findings(run.judged))
                 for run, _ in answered]  # fmt: skip
        made = _picture(answered, rows, said("pairs-consistency-page-note"))
        title, caption = (
            said("pairs-consistency-figure"), said("pairs-consistency-caption", bases=bases)
        )  # fmt: skip
        part = PagePart(made, [said("pairs-bases-all", each=bases)])
        yield draw_dots("consistency", title, caption, made, page=part)


def _picture(
    answered: Sequence[tuple[FigureRun, object]], rows: Sequence[DotRow], note: Said
) -> DotPicture:
    runs, title = [run for run, _ in answered], said("head", name="share-of-items")
    return picture_of(runs, "shown", title, rows, note, unit=SHARE)


def _consistent(items: Sequence[AnsweredItem]) -> tuple[Interval | None, Interval | None]:
    """Both right, and stays; None where nothing was asked."""
    stays = stay_shares(items)
    both = share([item.both for item in items]) if items else None
    return both, interval(stays) if stays else None
