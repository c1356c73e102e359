"""Results of a study: the export, a line an answer, and the figures that a researcher sees."""

from __future__ import annotations

import math
import tempfile
import time
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa

from zhiyin import __version__
from zhiyin.errors import InputError, reworded
from zhiyin.files import json_lines, write_atomically
from zhiyin.plugins.methods.crossed import Crossed, crossed_mean
from zhiyin.plugins.people import COUNTED, FIELDS, JUDGED, rules, validation
from zhiyin.plugins.people.figures import draw_of
from zhiyin.plugins.people.reading import COLUMNS, FORMAT, ExportedAnswer, read_export
from zhiyin.plugins.studies import assigning
from zhiyin.plugins.studies.database import ANSWERS, PEOPLE, PLACES, TEXTS
from zhiyin.plugins.studies.design import CHECKING, StudyItem
from zhiyin.plugins.studies.people import COUNTS
from zhiyin.plugins.studies.store import StudyStore
from zhiyin.plugins.studies.telling import translated
from zhiyin.statistics.intervals import Interval, interval, wilson
from zhiyin.words import said

_Units = dict[tuple[str, str], validation.JudgedUnit]
"""By measure and by what is judged."""


class ExportFiles(NamedTuple):
    """The export's files, and how many answers of how many people they hold."""

    file: Path
    trials: Path | None
    codebook: Path
    answers: int
    people: int
    scripts: tuple[Path, ...] = ()


_AS_KEPT = ("order", "keys", "said", "grades", "text", "listens", "given", "saved")
"""Columns of the export that are columns of the store."""


def rows(store: StudyStore) -> Iterator[ExportedAnswer]:
    """One answer after another, by person and place."""
    study = store.study
    with store.read() as connection:
        out = assigning.excluded_people(store, connection)
        people = {row.id: row for row in connection.execute(sa.select(PEOPLE))}
        made = connection.execute(sa.select(TEXTS.c.made).order_by(TEXTS.c.version)).scalars().all()
        query = (
            sa.select(PLACES, ANSWERS)
            .select_from(PLACES.join(ANSWERS))
            .order_by(PLACES.c.person, PLACES.c.position)
        )
        answers = connection.execute(query).all()
    asked: Counter[int] = Counter()
    for row in answers:
        person, item = people[row.person], store.items[row.item]
        asked[row.person] += item.role != "practice"
        about: Any = {**person.background, "language": person.language}
        checks = person.checks
        # A free answer is not compared here: that is its benchmark's business.
        compared = item.expected and item.form != "text"
        yield ExportedAnswer(
            format=FORMAT, study=study.name, kind=study.kind,
            participant=person.pseudonym,
            **{name: about.get(name) for name in FIELDS},
            scores=about.get("scores", {}), statements=about.get("statements", {}),
            texts_consented=bisect_right(made, person.consented),
            texts_shown=bisect_right(made, row.given),
            headphones=checks.get("headphones", "none"),
            headphones_hits=checks.get("headphones_hits"),
            headphones_passed=checks.get("headphones_passed"),
            item=item.id, trial=item.trial.id, trial_item=item.trial.item,
            condition=item.trial.condition, group=item.group, form=item.form, role=item.role,
            position=asked[row.person] if item.role != "practice" else None,
            **{name: row._mapping[name] for name in _AS_KEPT}, expected=list(item.expected),
            right=assigning.is_right(item, row.keys, row.said) if compared else None,
            active_s=row.active_ms / 1000, after_s=assigning.seconds_after(store, item, row),
            idle_s=row.idle_ms / 1000, outcome=person.outcome, excluded=out.get(row.person, []),
            by_hand=by_hand(checks),
        )  # fmt: skip


def by_hand(checks: Mapping[str, Any]) -> list[str]:
    """When a person was set aside by hand and why; a day alone where they counted again."""
    day = "%Y-%m-%d %H:%M UTC"
    return [f"{time.strftime(day, time.gmtime(when))}: {why}".removesuffix(": ")
            for when, why in checks.get(rules.BY_HAND, [])]  # fmt: skip


def export(store: StudyStore, out: Path) -> ExportFiles:
    """Write answers, trials and codebook: FILE.jsonl, FILE.trials.jsonl, FILE.codebook.json.

    Raises
    ------
    InputError
        `out` does not end in .jsonl, or cannot be written.
    """
    if out.suffix != ".jsonl":
        raise InputError(said("study-out-name", out=out))
    trials, codebook = out.with_suffix(".trials.jsonl"), out.with_suffix(".codebook.json")
    answers = list(rows(store))
    asked: dict[str, Any] = {}
    for item in store.items.values():
        asked.setdefault(item.trial.id, item.trial)
    with reworded(said("error-unwritten", path=out, why="")):
        out.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(out, json_lines(answers))
        write_atomically(trials, json_lines(asked.values()))
        write_atomically(codebook, msgspec.json.format(msgspec.json.encode(codebook_of(store))))
    return ExportFiles(
        out, trials, codebook, len(answers), len({row.participant for row in answers})
    )


def judgements_in(store: StudyStore) -> validation.Judgements | None:
    """What people judged, as an export of the study says it; None of an exam, and of nobody yet."""
    if store.study.kind not in JUDGED:
        return None
    with tempfile.TemporaryDirectory() as folder:
        files = export(store, Path(folder, "answers.jsonl"))
        given = read_export(files.file) if files.answers else None
    return validation.judge(given) if given and any(given.valid()) else None


def codebook_of(store: StudyStore) -> dict[str, Any]:
    """Build the codebook: the columns, the study as declared, and what each item shows.

    `quoted` are the texts that were judged: by them a run is known again.
    """
    items = {
        item.id: {
            "stem": item.stem, "form": item.form, "role": item.role,
            "choices": {choice.key: choice.text for choice in item.choices},
            "scales": {scale.key: [scale.low, scale.high] for scale in item.scales},
            "slots": item.roles,
            "quoted": {text.key: text.text for text in item.quoted},
            "instruction": bool(item.instruction), "examples": len(item.examples),
        }
        for item in store.items.values()
    }  # fmt: skip
    with store.read() as connection:
        design = store.fact(connection, "design")
    return {
        "format": FORMAT, "zhiyin": __version__, "fingerprint": design, "columns": COLUMNS,
        "study": msgspec.to_builtins(store.declared), "items": items,
        "translated": _translated(store),
        "texts": msgspec.to_builtins(store.text_versions()),
    }  # fmt: skip


def _translated(store: StudyStore) -> dict[str, str]:
    """Which questions are translated, by language."""
    study, items = store.study, store.items.values()
    return {language: translated(study, language, items) for language in study.languages}


class ItemFigures(msgspec.Struct, frozen=True):
    """An item: answers, median seconds after its sound, agreement, and whether it is kept.

    `alpha` is Krippendorff's for this item alone: 1 less its disagreement by that expected of all
    values of the study. None for fewer than two answers, and where nothing varies. `right` is the
    share of people who were right, for other people; None where no answer is known to be right.
    `chosen` counts the answers of a choice by the option's text, the right ones with a check mark,
    the most frequent first.
    """

    item: str
    group: str
    answers: int
    closed: bool
    seconds: float | None
    alpha: float | None
    kept: validation.KeptQuestion | None
    right: Interval | None = None
    chosen: dict[str, int] = {}


class PersonFigures(msgspec.Struct, frozen=True):
    """A person: answers, the share of right ones with its interval over other questions (of an
    exam), median time after the sound in seconds, the declared rules that exclude them, what they
    always chose, and whether they came to an end.

    `checks` are the answers that were right, and all, of each role by which people are excluded;
    `hasty` the answers in less time than the declared rule wants for the middle one.
    """

    person: str
    answers: int
    right: Interval | None
    seconds: float | None
    excluded: list[str]
    always: rules.SoleChoice | None = None
    finished: bool = True
    checks: dict[str, tuple[int, int]] = {}
    hasty: int = 0


class StudyProgress(msgspec.Struct, frozen=True):
    """How far a study is: people and answers that count, and how many of these people have ended.

    `wanted` is how many answers each item should have: as declared, else the most that it gets, or
    as many as the rule of keeping needs; None where that is not known, and so are the others: those
    who count with those who are lacking, and their answers. `closed`: nobody new can come.
    """

    people: int
    complete: int
    answers: int
    under_way: int
    wanted: int | None = None
    people_wanted: int | None = None
    answers_wanted: int | None = None
    people_lacking: int | None = None
    closed: bool = False


class StudyFigures(msgspec.Struct, frozen=True):
    """The whole study as it stands. Excluded people and practice are in no figure of items; `heard`
    is whether there are sounds.
    """

    people: dict[str, int]
    background: dict[str, dict[str, int]]
    excluded: dict[str, list[str]]
    alphas: dict[str, validation.PeoplesAlpha]
    items: list[ItemFigures]
    progress: StudyProgress
    right: Crossed | None = None
    persons: list[PersonFigures] = []
    by_hand: dict[str, list[str]] = {}
    languages: list[dict[str, str | int]] = []
    rules: dict[str, float | bool] = {}
    heard: bool = False

    @property
    def short(self) -> dict[str, int]:
        """Items that lack answers, with how many they have; none where no number is wanted."""
        least = self.progress.wanted or 0
        return {one.item: one.answers for one in self.items
                if one.answers < least and not one.closed}  # fmt: skip

    @property
    def under_way(self) -> list[str]:
        """People who are in no figure only because they have not ended yet."""
        return [who for who, why in self.excluded.items() if why == [rules.UNDER_WAY]]

    @property
    def set_aside(self) -> dict[str, list[str]]:
        """People who are excluded for what they did, with the rules that exclude them."""
        return {who: found for who, why in self.excluded.items() if (found := rules.rules_of(why))}


def figures(store: StudyStore) -> StudyFigures:
    """Sum up a study."""
    every = list(rows(store))
    by_item: defaultdict[str, list[ExportedAnswer]] = defaultdict(list)
    for row in every:
        if not row.excluded and row.role in COUNTED:
            by_item[row.item].append(row)
    with store.read() as connection:
        closed = assigning.AnswerCounts(store, connection).closed()
        everyone = connection.execute(sa.select(PEOPLE)).all()
        people = {name: int(store.fact(connection, name, "0")) for name in COUNTS}
        going = len(assigning.under_way(store, connection))
    outcomes = Counter(row.outcome for row in everyone)
    people |= {
        # Nothing but their number is kept of some who began.
        "begun": len(everyone) + people["full"] + people["withdrawn"],
        "complete": outcomes["complete"],
        "screened_out": outcomes["screened_out"], "under_way": going,
        "given_up": outcomes[""] - going,
    }  # fmt: skip
    units = {name: _units(store.items[name], given) for name, given in by_item.items()}
    alphas = {
        measure: alpha
        for measure in sorted({measure for unit in units.values() for measure, _ in unit})
        if (alpha := _alpha(units.values(), measure)) is not None
    }
    out = {row.participant: row.excluded for row in every if row.excluded}
    counted = {row.participant for row in every if row.role in COUNTED and not row.excluded}
    known = [{**row.background, "language": row.language} for row in everyone
             if row.pseudonym in counted]  # fmt: skip
    told = rules.languages_in(Counter(about["language"] for about in known), _translated(store))
    fields = [*store.study.fields, *(["language"] if told else [])]
    background = {
        name: dict(Counter(about.get(name, "") for about in known if about)) for name in fields
    }
    items = [
        _item_figures(store, item, by_item[item.id], item.id in closed, units, alphas)
        for item in store.items.values()
        if item.role in COUNTED
    ]
    ended = sum(row.outcome == "complete" and row.pseudonym in counted for row in everyone)
    progress = _progress(store, items, (len(counted), ended), going)
    return StudyFigures(
        people, background, out, alphas, items, progress,
        *_scores(store, every),
        {row.pseudonym: noted for row in everyone if (noted := by_hand(row.checks))}, told,
        rules.declared(store.study.exclude), any(item.sounds for item in store.items.values()),
    )  # fmt: skip


def _progress(
    store: StudyStore, items: Sequence[ItemFigures], counted: tuple[int, int], going: int
) -> StudyProgress:
    """Sum up how many people and answers there are, of how many.

    One more person gives each item one answer at most, and so many answers as one is asked.
    """
    notes, kept = store.study.annotations, store.study.keep.annotations
    wanted = notes.wanted or notes.most or (kept if store.study.kind == "validate" else None)
    closed, answers = bool(store.closed), sum(one.answers for one in items)
    if wanted is None:
        return StudyProgress(*counted, answers, going, closed=closed)
    lacking = [0 if one.closed else max(0, wanted - one.answers) for one in items]
    more = max(*lacking, math.ceil(sum(lacking) / assigning.how_many(store)))
    people, asked = counted[0] + more, answers + sum(lacking)
    return StudyProgress(*counted, answers, going, wanted, people, asked, more, closed)


def _scores(
    store: StudyStore, every: Sequence[ExportedAnswer]
) -> tuple[Crossed | None, list[PersonFigures]]:
    """The mean share of right answers of an exam over people and items, and each person's own."""
    exam, least = store.study.kind == "exam", store.study.exclude.median_seconds or 0.0
    examined = [row for row in every if exam and row.role in COUNTED and row.right is not None]
    counted, mean = [row for row in examined if not row.excluded], None
    if counted:
        drawn = [draw_of(store.items[row.item].trial) for row in counted]
        values = [float(bool(row.right)) for row in counted]
        names = [row.participant for row in counted]
        mean = crossed_mean(values, names, [row.item for row in counted], clusters=drawn)
    texts = {(name, choice.key): choice.text
             for name, item in store.items.items() for choice in item.choices}  # fmt: skip
    by_person: defaultdict[str, list[ExportedAnswer]] = defaultdict(list)
    checks: defaultdict[str, dict[str, tuple[int, int]]] = defaultdict(dict)
    for row in every:
        if row.role in COUNTED:
            by_person[row.participant].append(row)
        if row.role in CHECKING:
            right, asked = checks[row.participant].get(row.role, (0, 0))
            checks[row.participant][row.role] = right + bool(row.right), asked + 1
    persons = []
    for name, given in by_person.items():
        judged = [row for row in given if exam and row.right is not None]
        clusters = [store.items[row.item].trial.cluster for row in judged]
        share = interval([float(bool(row.right)) for row in judged], clusters) if judged else None
        seconds = [row.after_s or 0.0 for row in given]
        always = rules.sole_choice([
            rules.GivenAnswer(
                "", bool(row.right), rules.place_of(row.keys, row.order), len(row.order), None,
                "; ".join(texts.get((row.item, key), key) for key in row.keys))
            for row in judged if row.keys
        ])  # fmt: skip
        persons.append(PersonFigures(
            name, len(given), share, median(seconds), given[0].excluded, always,
            bool(given[0].outcome), checks[name], sum(one < least for one in seconds),
        ))  # fmt: skip
    return mean, persons


def _item_figures(
    store: StudyStore, item: StudyItem, given: Sequence[ExportedAnswer], closed: bool,
    units: Mapping[str, _Units], alphas: Mapping[str, validation.PeoplesAlpha],
) -> ItemFigures:  # fmt: skip
    seconds = median([row.after_s or 0.0 for row in given]) if given else None
    kept = None
    if store.study.kind == "validate" and item.expected:
        marks, flags = [row.keys for row in given], [row.said for row in given]
        kept = validation.judge_question(item.id, item.expected, marks, flags, store.study.keep)
    alpha = _alpha_of_item(units.get(item.id, {}), alphas)
    judged = [row.right for row in given if row.right is not None]
    exam = bool(judged) and store.study.kind == "exam"
    right = wilson(sum(judged), len(judged)) if exam else None
    return ItemFigures(
        item.id, item.group, len(given), closed, seconds, alpha, kept, right, _chosen(item, given)
    )


def _chosen(item: StudyItem, given: Sequence[ExportedAnswer]) -> dict[str, int]:
    """Count how often each option of a choice was taken."""
    if item.form not in ("one", "many"):
        return {}
    counts = Counter(key for row in given for key in row.keys)
    texts = {choice.key: choice.text for choice in item.choices}
    texts |= {key: f"{texts[key]} ✓" for key in item.expected if key in texts}
    named: Counter[str] = Counter()
    for key, n in counts.items():  # two options may have one text
        named[texts.get(key, key)] += n
    return dict(named.most_common())


def _units(item: StudyItem, given: Sequence[ExportedAnswer]) -> _Units:
    """Collect the judged units: values by person, under measure and unit.

    Each option of an item is a unit that is marked (1) or not (0): keys of two items have nothing
    in common that categories across items could mean.
    """
    units: _Units = {}
    drawn = item.trial.cluster or item.trial.id

    def add(measure: str, key: str, person: str, value: float) -> None:
        unit = units.setdefault((measure, key), validation.JudgedUnit(item.id, drawn, {}))
        unit.values[person] = value

    for row in given:
        person = row.participant
        if item.form in ("one", "many"):
            for choice in item.choices:
                add("choices", choice.key, person, float(choice.key in row.keys))
        elif item.form == "pair":
            values = {key: float(n) for n, key in enumerate((*item.shown, "same"))}
            add("choices", "pair", person, values[row.keys[0]])
        else:
            for key, grade in row.grades.items():
                add(key if item.form == "grades" else "ratings", key, person, float(grade))
    return units


def _alpha(every: Iterable[_Units], measure: str) -> validation.PeoplesAlpha | None:
    """Krippendorff's alpha of one measure: nominal for choices, interval for grades."""
    units = [unit for own in every for (name, _), unit in own.items() if name == measure]
    return validation.agreement_on(units, "nominal" if measure == "choices" else "interval")


def _alpha_of_item(units: _Units, alphas: Mapping[str, validation.PeoplesAlpha]) -> float | None:
    """1 less the item's disagreement by that expected of the whole measure, mean over measures."""
    by_measure: defaultdict[str, list[tuple[float, int]]] = defaultdict(list)
    for (measure, _), unit in units.items():
        if len(unit.values) > 1:
            ratings = list(unit.values.values())
            by_measure[measure].append((_disagreement(ratings, measure), len(ratings)))
    alpha = []
    for measure, judged in by_measure.items():
        expected = alphas[measure].expected
        if expected > 0:
            total = sum(n for _, n in judged)
            alpha.append(1 - sum(d * n for d, n in judged) / total / expected)
    return sum(alpha) / len(alpha) if alpha else None


def _disagreement(values: list[float], measure: str) -> float:
    """Mean distance of two different values of a unit."""
    n = len(values)
    if measure == "choices":
        same = sum(count * (count - 1) for count in Counter(values).values())
        return 1 - same / (n * (n - 1))
    total, squares = sum(values), sum(value * value for value in values)
    return 2 * (n * squares - total * total) / (n * (n - 1))
