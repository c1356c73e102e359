"""A benchmark's validity card: what may be concluded from it, as far as that is known.

The questions are in words of our own, after three lists: of what a measurement has to show, of what
a good benchmark has, and of how a task or a score is fooled. Each is answered from what a benchmark
declares or what runs of it hold. What nobody has looked at is not known, and the card names the
command that would tell.

Sources
-------
MWM: Bean et al. 2025, Measuring what Matters: Construct Validity in Large Language Model
Benchmarks, arXiv 2511.04703. BB: Reuel et al. 2024, BetterBench, arXiv 2411.12990. ABC: Zhu et al.
2025, Establishing Best Practices for Building Rigorous Agentic Benchmarks, arXiv 2507.02825.
"""

from __future__ import annotations

import contextlib
import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any, Literal

import msgspec
import numpy as np

from zhiyin.analysis.coverage import coverage_of
from zhiyin.analysis.readings import how_read
from zhiyin.analysis.run import is_elsewhere
from zhiyin.contract.arguments import OWN
from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.declared import HEARD, CheckResult, named_flaw
from zhiyin.contract.resolved import COMMITMENT
from zhiyin.engine.folder import Manifest, read_manifest
from zhiyin.engine.naming import people_in
from zhiyin.errors import InputError
from zhiyin.flags import fields_of
from zhiyin.models.baselines import BASELINES
from zhiyin.plugins.methods.item_analysis import analyse
from zhiyin.plugins.methods.items import LEAST_PARTICIPANTS
from zhiyin.plugins.methods.registered import is_confirmatory
from zhiyin.plugins.methods.skills import Sense, skill_name
from zhiyin.record import STATES
from zhiyin.runs.columns import ALONE
from zhiyin.runs.measures import guess
from zhiyin.runs.rows import Rows, rows_of
from zhiyin.shown.table import Column, Row, Table
from zhiyin.statistics.intervals import Interval, interval
from zhiyin.words import Said, Text, said
from zhiyin.words.findings import Remark, told
from zhiyin.words.reasons import as_said

CardState = Literal["met", "not-met", "unknown", "no"]
Part = Literal["construct", "task", "sampling", "scoring", "claims"]
_READ, _RELIABLE, _MISREAD, _WIDE = 0.9, 0.7, 0.05, 0.05
_NO_MORE = 0.05
"""Of no more than chance an interval that ends within so much above it is evidence."""
_PEOPLE = 5
_MOST_ROWS = 60_000
"""Of more no statistics of items are made for a card."""


_READABLE = [STATES.index(state) for state in ("correct", "wrong")]


class CardAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One question of the card.

    Attributes
    ----------
    part : {"construct", "task", "sampling", "scoring", "claims"}
    question : str
        Its word.
    sources : str
        The lists that it is in.
    state : {"met", "not-met", "unknown", "no"}
        "no": it does not apply.
    detail : Said
        The evidence, or what lacks.
    command : str
        What would tell, or mend it; "" for nothing.
    """

    part: Part
    question: str
    sources: str
    state: CardState
    detail: Said
    command: str = ""

    def cells(self, commands: bool) -> tuple[Said, Said, Said]:
        """The question, its answer and the evidence, with what would tell where there is room."""
        return (
            said("card-question", which=self.question, sources=self.sources),
            said("card-state", state=self.state),
            said("card-detail", detail=self.detail, command=(commands and self.command) or None),
        )


class ValidityCard(msgspec.Struct, frozen=True):
    """A benchmark's validity card, and the number of runs behind it."""

    benchmark: str
    version: str
    runs: int
    answers: list[CardAnswer]

    def count(self, state: CardState) -> int:
        """Count the questions in an answer state."""
        return sum(one.state == state for one in self.answers)

    @property
    def told(self) -> Said:
        """The card in a line."""
        return said(
            "card-told", benchmark=self.benchmark, met=self.count("met"),
            of=len(self.answers) - self.count("no"), lacking=self.count("not-met"),
            unknown=self.count("unknown"), runs=self.runs,
        )  # fmt: skip

    def table(self, *, commands: bool = True) -> Table:
        """The questions, a row each; `commands`: with what would tell, as a page has room for."""
        heads = said("card-question-head"), said("card-state-head"), said("card-evidence")
        rows: list[Row] = []
        for part, answers in groupby(self.answers, key=lambda one: one.part):
            rows.append(Row((said("card-part-of", part=part), "", ""), mark="strong"))
            rows += [Row(one.cells(commands), level=1) for one in answers]
        title = said("card-title", benchmark=self.benchmark)
        columns = tuple(map(Column, heads))
        return Table("card", title, columns, tuple(rows), (said("card-sources"),))


class CardEvidence:
    """Evidence for a card.

    Parameters
    ----------
    kind : type of Benchmark
    runs : sequence of Path
    asked : str
        The benchmark as a command names it.
    found : sequence of CheckResult
        Of its data, one for each way in which these were looked at.
    """

    def __init__(
        self, kind: type[Benchmark[Any]], runs: Sequence[Path] = (), asked: str = "",
        found: Sequence[CheckResult] = (),
    ) -> None:  # fmt: skip
        self.kind, self.found, self.folders = kind, found, [*runs]
        self.manifests: list[Manifest] = [read_manifest(run) for run in runs]
        self.own = kind.name == OWN
        if self.own and self.manifests and not asked:
            asked = str(self.manifests[0].options.get("data") or "")
        self.asked = shlex.quote(asked or kind.name)
        self.rows: list[Rows] = [rows_of(run) for run in runs]

    @cached_property
    def models(self) -> list[int]:
        """The runs of models: of neither people nor baselines."""
        return [number for number, one in enumerate(self.manifests)
                if one.model not in BASELINES and not people_in(one)]  # fmt: skip

    @cached_property
    def heard(self) -> bool | None:
        """True if anything is heard; None where no run tells."""
        heard = any(kind.heard for rows in self.rows for kind in rows.table.kinds)
        if not heard and HEARD & {*self.kind.skills.values()}:  # what was played is not known
            return None if all(map(is_elsewhere, self.manifests)) else False
        return heard if self.rows else None

    @cached_property
    def unheard(self) -> tuple[Interval, float | None] | None:
        """Models' share right without sound, of the run that gets most; None for no such run."""
        rows = (self.rows[number] for number in self.models)
        return self._best(one.which(lambda kind: not kind.heard) for one in rows)

    @cached_property
    def guessed(self) -> tuple[Interval, float | None] | None:
        """The best blind baseline's share of right answers."""
        return self._best(
            self.rows[number].main or self.rows[number]  # as its own figure is
            for number, one in enumerate(self.manifests)
            if one.model in BASELINES
        )

    def _best(self, each: Iterable[Rows]) -> tuple[Interval, float | None] | None:
        found = [one for rows in each if (one := _accuracy(rows)) is not None]
        return max(found, key=lambda one: one[0].mean - (one[1] or 0), default=None)

    @cached_property
    def ungraded(self) -> bool:
        """True if there are runs, and none of their answers counts in a share of right ones."""
        return bool(self.rows) and not any(len(rows.judged) for rows in self.rows)

    @cached_property
    def exam(self) -> str:
        """Yes if they are replies of an exam, each right or wrong, and in no share; else no."""
        return "yes" if any(r.outcomes_of_replies() != r.outcomes() for r in self.rows) else "no"

    @cached_property
    def whole(self) -> tuple[int, int, Interval] | None:
        """Items and clusters of the model's run with most of them, and its accuracy.

        Of several such runs that with the widest interval; people only where no model was asked.
        """
        found = []
        for number in self.models or range(len(self.rows)):
            if (accuracy := _accuracy(self.rows[number])) is not None:
                items = len(set(self.rows[number].judged.items.tolist()))
                found.append((items, accuracy[0].high - accuracy[0].low, accuracy[0]))
        if not found:
            return None
        items, _, widest = max(found, key=lambda one: one[:2])
        return items, widest.clusters, widest

    @cached_property
    def noted(self) -> Said | None:
        """What the largest run notes of flaws in its data: a message named BENCHMARK-flaws."""
        for one in sorted(self.manifests, key=lambda one: -one.planned):
            for note in told(one.remarks):
                what = note.what if isinstance(note, Remark) else None
                if isinstance(what, Said) and what.name.endswith("-flaws"):
                    return what
        return None

    def command(self, *words: str) -> str:
        """A command of the program on this benchmark."""
        return " ".join(("zhiyin", *words)).replace("BENCHMARK", self.asked)


def _accuracy(rows: Rows) -> tuple[Interval, float | None] | None:
    """The share of right answers, and what guessing gets; None where nothing was judged."""
    judged = rows.judged
    if not len(judged):
        return None
    items, clusters = judged.items, judged.clusters
    names = np.where(clusters == ALONE, items, -2 - clusters)  # numbers of either begin at 0
    return interval(judged.right, names), _by_chance(judged)


def _by_chance(rows: Rows) -> float | None:
    """Return the score of guessing on some trials; None where that of any is not known."""
    each = guess(rows)
    return float(each.mean()) if len(each) and not np.isnan(each).any() else None


Answered = tuple[CardState, Said] | tuple[CardState, Said, str]


def _skill(own: CardEvidence) -> Answered:
    sense: Sense = "read" if own.heard is False else "heard"
    if names := [skill_name(one, sense) for one in dict.fromkeys(own.kind.skills.values())]:
        return "met", said("card-skills", names=names)
    return "not-met", said("card-no-skills")


def _needs_sound(own: CardEvidence) -> Answered:
    if own.heard is False:
        return "no", said("card-no-sound")
    if own.heard is None or own.unheard is None:
        how = own.kind.without_sound
        return "unknown", said("card-not-deaf"), own.command("run BENCHMARK -m MODEL", how).strip()
    return _against_chance(own.unheard)


def _against_chance(found: tuple[Interval, float | None]) -> Answered:
    accuracy, chance = found
    facts = {"value": accuracy.mean, "low": accuracy.low, "high": accuracy.high, "chance": chance}
    if chance is None:
        return "unknown", said("card-blind", better="none", **facts)
    better, open_ = accuracy.low > chance, accuracy.high > chance + _NO_MORE
    state: CardState = "not-met" if better else "unknown" if open_ else "met"
    return state, said("card-blind", better=state, most=_NO_MORE, **facts)


def _baselines(own: CardEvidence) -> Answered:
    if own.ungraded:
        return "no", said("card-ungraded", exam=own.exam)
    if own.guessed is None:
        command = own.command("run BENCHMARK -m longest")
        return "unknown", said("card-no-baseline"), command
    return _against_chance(own.guessed)


def _chance(own: CardEvidence) -> Answered:
    most = max(own.rows, key=len) if own.rows else None
    asked = None if most is None else _by_chance(most.judged or most.settled)
    chance = own.kind.chance if asked is None else asked
    if chance is not None:
        return "met", said("card-chance", value=chance)
    if own.rows:
        return "not-met", said("card-free")
    return "unknown", said("card-no-run"), own.command("run BENCHMARK -m random")


def _forms(own: CardEvidence) -> Answered:
    people = map(people_in, own.manifests)  # several of them are no repeats
    each = [rows for rows, several in zip(own.rows, people, strict=True) if not several]
    again = any(not kind.first for rows in each for kind in rows.table.kinds)
    ways = sorted({kind.way for rows in each for kind in rows.table.kinds if kind.way})
    if again or ways:
        return "met", said("card-forms", again=again, ways=ways)
    if not own.rows:
        return "unknown", said("card-no-run"), own.command("run BENCHMARK -m MODEL")
    turned = any(field.name == "rotations" for field in fields_of(own.kind.Settings))
    command = own.command("run BENCHMARK -m MODEL --rotations all") if turned else ""
    return "not-met", said("card-one-form"), command


def _kept(own: CardEvidence) -> Answered:
    return "met", said("card-kept")


def _origin(own: CardEvidence) -> Answered:
    return _stated(str(own.kind.paper or own.kind.home))


def _licence(own: CardEvidence) -> Answered:
    text = "" if own.own else " ".join(str(own.kind.licence).split())
    return _stated(text, as_said("card-licence", text))


_NONE = re.compile(r"\b(?:no licence|none(?: is)? stated)\b")


def _stated(text: str, words: Text = "") -> Answered:
    """What a benchmark says of itself; that nothing is stated is no statement."""
    if text and not _NONE.search(text):
        return "met", said("card-stated", what=words or text)
    return "not-met", said("card-none", what=(words or text) if text else None)


def _size(own: CardEvidence) -> Answered:
    if own.ungraded:
        return "no", said("card-ungraded", exam=own.exam)
    if own.whole is None:
        return "unknown", said("card-no-run"), own.command("run BENCHMARK -m MODEL")
    items, clusters, found = own.whole
    half = (found.high - found.low) / 2
    state: CardState = "met" if half <= _WIDE else "not-met"
    return state, said("card-size", items=items, clusters=clusters, half=half)


def _flaws(own: CardEvidence) -> Answered:
    command = own.command("errata BENCHMARK")
    if not own.found and own.noted:
        return "not-met", said("card-noted", kinds=own.noted.facts["kinds"]), command
    if not own.found:
        return "unknown", said("card-not-checked"), command
    kinds = Counter(flaw.kind for found in own.found for flaw in found.flaws)
    items = max(found.items for found in own.found)
    if not kinds:
        return "met", said("card-no-flaws", items=items)
    named = [said("cli-count-of", n=n, kind=named_flaw(k)) for k, n in kinds.most_common(3)]
    return "not-met", said("card-flaws", items=items, names=named), command


def _seen(own: CardEvidence) -> Answered:
    fresh = [
        one.options.get("source") == "generated" or COMMITMENT in one.config
        for one in own.manifests
    ]
    if fresh and all(fresh):
        return "met", said("card-fresh")
    command = "zhiyin forge contamination RUN RUN_OF_SISTER_SET"
    return "unknown", said("card-maybe-seen"), command


def _items(own: CardEvidence) -> Answered:
    command = " ".join(("zhiyin stats items", *["RUN"] * LEAST_PARTICIPANTS))
    models: dict[str, int] = {}
    for number in own.models:
        models.setdefault(own.manifests[number].model, number)
    many = sum(len(own.rows[number]) for number in models.values())
    if len(models) < LEAST_PARTICIPANTS:
        facts = {"n": len(models), "wanted": LEAST_PARTICIPANTS}
        return "unknown", said("card-few-models", **facts), command
    if many > _MOST_ROWS:
        return "unknown", said("card-many-rows", n=many, most=_MOST_ROWS), command
    try:
        found = analyse([own.folders[number] for number in models.values()])
    except InputError as error:
        return "unknown", said("card-not-analysed", why=str(error)), command
    rated = [one.discrimination for one in found.items if one.discrimination is not None]
    alike = found.reliability
    state: CardState = "unknown" if alike is None else "met" if alike >= _RELIABLE else "not-met"
    return state, said(
        "card-items", models=found.families, reliability=alike,
        low=sum(one < 0 for one in rated), items=len(rated),
    )  # fmt: skip


def _audited(own: CardEvidence) -> Answered:
    command = f"zhiyin audit {_folder(own)} --sheet {_folder(own, '-replies.jsonl')}"
    found = [
        (rate, audit.ci95[1], audit.marked)
        for rows, folder in zip(own.rows, own.folders, strict=True)
        if (audit := how_read(rows.table, folder).audit) and audit.ci95
        and (rate := audit.rate) is not None
    ]  # fmt: skip
    if not found:
        return "unknown", said("card-not-audited"), command
    rate, high, marked = max(found)
    state: CardState = "met" if high <= _MISREAD else "not-met"
    return state, said("card-audited", rate=rate, high=high, n=marked)


def _folder(own: CardEvidence, more: str = "") -> str:
    return shlex.quote(f"{own.folders[0]}{more}") if own.folders else f"RUN{more}"


def _readable(own: CardEvidence) -> Answered:
    models = (own.rows[number].judged for number in own.models)
    shares = [float(np.isin(one.states, _READABLE).mean()) for one in models if len(one)]
    if own.ungraded:
        return "no", said("card-ungraded", exam=own.exam)
    if not shares:
        return "unknown", said("card-no-run"), own.command("run BENCHMARK -m MODEL")
    state: CardState = "met" if min(shares) >= _READ else "not-met"
    return state, said("card-readable", share=min(shares))


def _depends(kind: type[Benchmark[Any]]) -> bool:
    """Tell whether all that it asks by default depends on the answers before."""
    if kind.sequences is Benchmark.sequences or kind.trials is Benchmark.trials:
        return kind.trials is Benchmark.trials
    with contextlib.suppress(InputError):  # its data are not here
        return next(iter(kind.from_options({}).sequences()), None) is not None
    return False


def _people(own: CardEvidence) -> Answered:
    asked = sum(people_in(one) for one in own.manifests)
    if asked:
        enough: CardState = "met" if asked >= _PEOPLE else "not-met"
        return enough, said("card-people", n=asked, wanted=_PEOPLE)
    reference = own.kind.published()
    kinds = reference.kinds if reference else {}
    rows = [name for name, kind in kinds.items() if kind == "human"]
    if reference and rows:
        return "met", said("card-people-published", names=rows, source=reference.cited(*rows))
    if cited := own.kind.people:
        names, each = zip(*cited, strict=True)
        return "met", said("card-people-cited", names=names, source=said("causes", each=each))
    if _depends(own.kind):
        return "unknown", said("card-no-study")
    return "unknown", said("card-no-people"), own.command("study make --from BENCHMARK --out STUDY")


def _reproduced(own: CardEvidence) -> Answered:
    if not own.kind.tables():
        return "no", said("card-no-tables")
    return "unknown", said("card-not-reproduced"), "zhiyin reproduce"


def _uncertain(own: CardEvidence) -> Answered:
    return "met", said("card-intervals")


def _registered(own: CardEvidence) -> Answered:
    command = "zhiyin plan --register PLAN.toml"
    each = zip(own.folders, own.manifests, strict=True)
    if not (runs := [run for run in each if not people_in(run[1])]):
        return "unknown", said("card-no-run"), command
    planned = sum(is_confirmatory(*run) for run in runs)
    state: CardState = "met" if planned == len(runs) else "not-met"
    return state, said("card-registered", n=planned, of=len(runs)), command


def _all_of_it(own: CardEvidence) -> Answered:
    if not own.manifests:
        return "unknown", said("card-no-run"), own.command("run BENCHMARK -m MODEL")
    each = [*map(coverage_of, own.folders, own.manifests)]
    part = sum(bool(one.part) for one in each)
    unknown = sum(one.unknown and not one.part for one in each)
    state: CardState = "not-met" if part else "unknown" if unknown else "met"
    return state, said("card-whole", n=part, of=len(each), unknown=unknown)


def _version(own: CardEvidence) -> Answered:
    return "met", said("card-version", version=own.kind.version)


_QUESTIONS: tuple[tuple[Part, str, str, Callable[[CardEvidence], Answered]], ...] = (
    ("construct", "skill", "MWM, BB", _skill), ("construct", "sound", "MWM, ABC", _needs_sound),
    ("construct", "baselines", "ABC, BB", _baselines), ("task", "chance", "BB, ABC", _chance),
    ("task", "forms", "MWM, BB", _forms), ("task", "kept", "BB, ABC", _kept),
    ("sampling", "origin", "MWM, BB", _origin), ("sampling", "licence", "BB", _licence),
    ("sampling", "size", "MWM, BB", _size), ("sampling", "flaws", "MWM, ABC", _flaws),
    ("sampling", "seen", "MWM, ABC", _seen), ("sampling", "items", "MWM", _items),
    ("scoring", "audited", "ABC", _audited), ("scoring", "readable", "BB, ABC", _readable),
    ("scoring", "people", "BB", _people), ("scoring", "reproduced", "BB", _reproduced),
    ("claims", "intervals", "MWM, BB, ABC", _uncertain),
    ("claims", "registered", "MWM", _registered), ("claims", "whole", "MWM", _all_of_it),
    ("claims", "version", "BB", _version),
)  # fmt: skip


def card_of(own: CardEvidence) -> ValidityCard:
    """The card of a benchmark from what is at hand."""
    answers = []
    for part, question, sources, answer in _QUESTIONS:
        state, detail, *command = answer(own)
        answers.append(CardAnswer(
            part=part, question=question, sources=sources, state=state, detail=detail,
            command=command[0] if command and state != "met" else "",
        ))  # fmt: skip
    name = own.manifests[0].benchmark if own.manifests else own.kind.name
    return ValidityCard(name, own.kind.version, len(own.folders), answers)
