"""`zhiyin study show`: how a study stands, people's answers as runs, and people beside models."""

from __future__ import annotations

import contextlib
import itertools
import os
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec

from zhiyin.cli.output import languages_of, open_console, print_json
from zhiyin.errors import InputError, reworded
from zhiyin.files import json_lines, write_atomically
from zhiyin.flags import COUNT, Flag
from zhiyin.plugins.people import (
    StudyAnswers,
    by_group,
    check_same,
    group_in_words,
    open_exam,
    pseudonyms,
)
from zhiyin.plugins.people.rules import exclude, exclusions, population, read_rules
from zhiyin.plugins.people.tables import ColumnMap, checked, read_map
from zhiyin.plugins.studies.cli.people_tables import print_figures, print_people
from zhiyin.plugins.studies.research_tables import counting, judged_table
from zhiyin.words import Said, Text, said

if TYPE_CHECKING:
    from zhiyin.plugins.people.validation import PeoplesAlpha
    from zhiyin.plugins.studies.store import StudyStore
    from zhiyin.shown.terminal import Terminal


class PeopleSettings(msgspec.Struct, frozen=True):
    """Settings for reading, grouping and writing people's answers.

    Attributes
    ----------
    exam : RUN|NAME
        a run of a model on the exam, or its benchmark
    columns : FILE
        a column map, for tables of others (docs/people.md)
    rules : FILE
        who is excluded, declared before; study files have theirs
    by : FIELD,FIELD
        a group for each answer to education, music_major, music_background
    each_person
        a run for each person too
    least_people : N
        smaller groups are counted and not shown
    mark : PER_CENT
        the mark, of right answers
    points
        scores as numbers of right answers
    kept : FILE
        write which questions pass validation, as JSON lines
    out : DIR|FILE.html
        where people's runs go; or people beside models as a figure
    seed : N
        of pseudonyms and bootstraps
    """

    exam: Annotated[str | None, Flag()] = None
    columns: Annotated[str | None, Flag()] = None
    rules: Annotated[str | None, Flag()] = None
    by: Annotated[str, Flag()] = ""
    each_person: Annotated[bool, Flag()] = False
    least_people: Annotated[int, Flag(within=COUNT)] = 3
    mark: Annotated[float | None, Flag(name="pass", within=msgspec.Meta(gt=0, le=100))] = None
    points: Annotated[bool, Flag()] = False
    kept: Annotated[str | None, Flag()] = None
    out: Annotated[str | None, Flag()] = None
    seed: Annotated[int, Flag()] = 0

    @property
    def pictured(self) -> bool:
        """Tell whether a figure is to be written instead of runs."""
        return (self.out or "").endswith(".html")

    @property
    def fields(self) -> list[str]:
        """Names of the fields that people are grouped by."""
        return [part.strip() for part in self.by.split(",") if part.strip()]


def show(
    source: Path, *, settings: PeopleSettings = PeopleSettings(), model: tuple[Path, ...] = (),
    groups: Literal["top", "all"] = "top", lang: str = "", database: str = "", json: bool = False,
) -> int:  # fmt: skip
    """Show a study's progress; people's answers, from it or a table, as runs and beside models.

    Parameters
    ----------
    source
        a study, what `zhiyin study export` wrote, or a table of answers
    model : RUN
        a model's run on the exam, to be shown beside people; may be repeated
    groups
        top: the categories of the exam; all: those within them too
    lang : en|zh|en,zh
        the figure's language, or a page in each, linked; without it that of the terminal
    """
    languages = languages_of(lang)
    if len(set(settings.fields)) < len(settings.fields):
        raise InputError(said("people-by-twice", by=settings.by))
    if settings.pictured and not model:
        raise InputError(said("people-out", out=settings.out))
    if not (source / "study.toml").exists():
        return _told(*_read(source, settings), settings, model, languages, groups == "all", json)
    with open_study(source, database) as store:
        if settings == PeopleSettings() and not model:
            return _standing(store, json)
        if store.study.kind == "exam":
            exam = settings.exam or str(model[0] if model else "")
            settings = msgspec.structs.replace(settings, exam=exam or None)
        with tempfile.TemporaryDirectory() as folder:
            from zhiyin.plugins.studies.results import export

            answers = export(store, Path(folder, "answers.jsonl"))
            if not answers.answers:
                raise InputError(said("people-unanswered", source=source))
            read = _read(answers.file, settings)
        if not json:
            _standing(store, json, apart=True)
        return _told(*read, settings, model, languages, groups == "all", json)


def _told(
    study: StudyAnswers, exam: Any, settings: PeopleSettings, model: Sequence[Path],
    languages: Sequence[str], whole: bool, json: bool,
) -> int:  # fmt: skip
    """Print the answers according to their kind: exam, validation or judgements."""
    if study.kind == "validate":
        _refuse(
            settings, model, "out model pass by", "marks of a validation, not answers to an exam"
        )
        return _validate(study, settings.kept, json)
    if study.kind in ("rate", "annotate"):
        why = f"judgements ({study.kind}), not answers to an exam"
        _refuse(settings, model, "exam out model pass kept", why)
        return _judge(study, settings, json)
    if settings.kept:
        raise InputError(said("people-kept"))
    return _examine(study, exam, settings, model, languages, whole=whole, json=json)


@contextlib.contextmanager
def open_study(study: Path, database: str) -> Iterator[StudyStore]:
    """A study, its answers in its folder or in a database."""
    from zhiyin.plugins.studies.store import StudyStore

    store = StudyStore(study, database or os.environ.get("ZHIYIN_STUDY_DATABASE", ""))
    try:
        yield store
    finally:
        store.close()


def _standing(store: StudyStore, json: bool, *, apart: bool = False) -> int:
    """Print how far people have come, who is excluded, and what was asked.

    `apart`: without what stands below it, where answers are told apart by group, or beside models.
    """
    from zhiyin.plugins.studies import research_tables as tables
    from zhiyin.plugins.studies.results import figures, judgements_in

    results, study = figures(store), store.study
    if json:
        print_json(msgspec.to_builtins(results))
        return 0
    people = results.people
    console = open_console()
    claim = tables.people_claim(results)
    console.say(said("cli-labelled", label=study.name, text=claim), indent=0)
    states = [said("study-of-state", n=n, state=state, hours=study.given_up_hours)
              for state in tables.STATES if (n := people[state])]  # fmt: skip
    if states:
        console.say(said("study-each", each=states))
    for claim in filter(None, (tables.languages_claim(results), tables.enough_claim(results))):
        console.say(claim)
    console.say(said("study-rules", rules=tables.declared_in_words(results.rules)))
    for rule, n in Counter(itertools.chain(*results.set_aside.values())).items():
        console.say(said("study-excluded-rule", rule=said("study-rule", rule=rule), n=n))
    if results.persons:
        console.print_table(tables.persons_table(results))
        console.print_table(tables.items_table(results, study.kind, {}, {}))
        if any(one.chosen for one in results.items):
            console.print_table(tables.chosen_table(results))
    if apart and study.kind != "exam":
        return 0
    if judgements := judgements_in(store):
        console.print_table(judged_table(judgements))
    for measure, alpha in results.alphas.items():
        console.say(said("cli-alpha-of", measure=measure, alpha=alpha_words(alpha)))
    counts = Counter(one.kept.decision for one in results.items if one.kept is not None)
    if counts:
        facts = {name: counts[name] for name in ("keep", "drop", "open")}
        console.say(said("people-questions", **facts))
    return 0


def _read(source: Path, settings: PeopleSettings) -> tuple[StudyAnswers, Any]:
    """The answers, with exclusions marked, and the exam where one is named."""
    from zhiyin.plugins.people.reading import looks_exported, read_export

    if not source.exists():
        raise InputError(said("people-no-file", source=source))
    exam = open_exam(settings.exam) if settings.exam else None
    if looks_exported(source) and not settings.columns:
        study = read_export(source)
    else:
        head = source.read_bytes()[:2000] if source.is_file() and not settings.columns else b""
        if b'"participant"' in head:
            trials = source.with_suffix(".trials.jsonl")
            raise InputError(said("people-no-trials", trials=trials))
        if b"seconds_after_sound" in head:
            raise InputError(said("people-flat", source=source))
        study = _table(source, settings.columns, exam)
    if settings.rules:
        exclude(study, read_rules(Path(settings.rules)))
    return study, exam


def _table(source: Path, columns: str | None, exam: Any) -> StudyAnswers:
    from zhiyin.plugins.people.reading import read_table
    from zhiyin.plugins.studies.languages import lines_in_all

    if exam is None or not exam.trials:
        raise InputError(said("people-table", source=source))
    column_map = read_map(Path(columns)) if columns else checked(ColumnMap(), "the usual map")
    beside = Path(columns or source).parent
    return read_table(source, column_map, beside, exam.trials, lines_in_all())


def _refuse(settings: PeopleSettings, models: Sequence[Path], flags: str, why: str) -> None:
    """Raise `InputError` where one of some flags is given that makes no sense of such answers."""
    given = msgspec.structs.asdict(settings) | {"model": models, "pass": settings.mark}
    for flag in flags.split():
        if given[flag]:
            raise InputError(said("people-flag", flag=flag, why=why))


def _validate(study: StudyAnswers, kept: str | None, json: bool) -> int:
    from zhiyin.plugins.people.validation import validate

    validation = validate(study, study.keep)
    if kept:
        with reworded(said("people-kept-unwritten", path=kept, why="")):
            write_atomically(Path(kept), json_lines(validation.questions))
    console = _begin(json, study, {
        "alpha": validation.alpha, "rule": study.keep, "questions": validation.questions,
    })  # fmt: skip
    if console is None:
        return 0
    rule = study.keep
    decided = Counter(one.decision for one in validation.questions)
    counts = {name: decided[name] for name in ("keep", "drop", "open")}
    facts = {"questions": len(validation.questions), "annotations": rule.annotations}
    console.say(said("people-validated", **facts, **counts), indent=0)
    shares = {"right": f"{100 * rule.right:g}", "most": f"{100 * rule.distractors:g}"}
    console.say(said("people-rule", wrong=rule.rule, **shares))
    console.say(alpha_words(validation.alpha))
    if kept:
        console.say(said("people-decisions", path=kept))
    return 0


def _judge(study: StudyAnswers, settings: PeopleSettings, json: bool) -> int:
    """Print what people judged, by group, and of all where that tells nothing of a few."""
    from zhiyin.plugins.people.validation import judge

    least = settings.least_people if settings.fields else 1
    groups, small = by_group(study, settings.fields, least)
    judgements, each = judge(study), {name: judge(study, own) for name, own in groups.items()}
    whole = not 0 < sum(small.values()) < least
    facts: dict[str, object] = {"figures": judgements.figures if whole else []}
    if settings.fields:
        facts |= {"groups": {name: one.figures for name, one in each.items()}, "small": small}
    facts |= {"differences": judgements.differences if whole else []}
    console = _begin(json, study, facts | {"alphas": judgements.alphas})
    if console is None:
        return 0
    for label, one in each.items() if settings.fields else ():
        console.print_table(judged_table(one, group_in_words(label, len(groups[label]))))
    for label, n in small.items():
        console.say(said("people-few", label=group_in_words(label), n=n))
    if whole:
        console.print_table(judged_table(judgements))
    else:
        console.say(said("people-all-hidden", n=sum(small.values())))
    for measure, alpha in judgements.alphas.items():
        console.say(said("cli-alpha-of", measure=measure, alpha=alpha_words(alpha)))
    return 0


def _begin(json: bool, study: StudyAnswers, results: dict[str, object]) -> Terminal | None:
    """Print all as JSON, where that is asked for; else of the people, and give the terminal."""
    people, excluded = population(study), exclusions(study)
    if json:
        print_json({"population": people, "excluded": excluded, "notes": study.notes} | results)
        return None
    console = open_console()
    print_people(console, people, excluded, study.notes)
    return console


def alpha_words(alpha: PeoplesAlpha | None) -> Said:
    """Describe in words how far people agree."""
    if alpha is None:
        return said("cli-alpha-unknown")
    return said(
        "cli-alpha", alpha=alpha.alpha, low=alpha.low, high=alpha.high, people=alpha.people,
        questions=alpha.questions, answers=alpha.answers,
    )  # fmt: skip


def _examine(
    study: StudyAnswers, exam: Any, settings: PeopleSettings, models: Sequence[Path],
    languages: Sequence[str], *, whole: bool, json: bool,
) -> int:  # fmt: skip
    from zhiyin.plugins.people.summary import sum_up

    if exam is None:
        raise InputError(said("people-exam"))
    check_same(study, exam, settings.exam or exam.benchmark.name)
    least = settings.least_people
    groups, small = by_group(study, settings.fields, least)
    if not groups:
        raise InputError(_nobody(study, small, settings.fields, least))
    mark = None if settings.mark is None else settings.mark / 100
    figures = sum_up(study, exam, groups, small, models, mark, settings.seed, least=least)
    runs = _write(settings, study, exam, groups)
    if json:
        print_json({"figures": figures, "runs": [str(run) for run in runs]})
        return 0
    console = open_console()
    notes: list[Text] = [*figures.notes, *figures.warned()]
    print_people(console, figures.population, figures.excluded, notes)
    print_figures(
        console, figures, exam, points=settings.points, mark=settings.mark, everything=whole
    )
    if settings.pictured:
        from zhiyin.plugins.studies.beside import picture_of, write_figure

        drawn = picture_of(figures, exam.benchmark.titles)
        write_figure(drawn, exam.benchmark.name, Path(str(settings.out)), languages)
        console.say(said("people-figure", path=settings.out), indent=0)
    if runs:
        told = said("people-runs", n=len(runs), out=settings.out, first=runs[0])
        console.say(told, indent=0)
    return 0


def _nobody(study: StudyAnswers, small: Mapping[str, int], fields: list[str], least: int) -> Said:
    """Explain why no group can be shown, and what to do."""
    if not small:
        return said("people-none-left", counting=counting(population(study), exclusions(study)))
    if not fields:
        return said("people-fewer", n=sum(small.values()), least=least)
    return said("people-no-group", least=least)


def _write(settings: PeopleSettings, study: StudyAnswers, exam: Any, groups: Any) -> list[Path]:
    from zhiyin.plugins.people.runs import write_runs

    if not settings.out or settings.pictured:
        if settings.each_person:
            raise InputError(said("people-each"))
        return []
    out = Path(settings.out)
    names = pseudonyms(study.people, settings.seed, settings.by)
    runs = write_runs(study, exam, groups, names, out)
    if settings.each_person:
        answered = {answer.person for answer in study.valid()}
        own = pseudonyms(study.people, settings.seed, "each person")
        single = {own[name]: [name] for name in sorted(answered, key=lambda name: own[name])}
        runs += write_runs(study, exam, single, own, out / "each-person", single=True)
    return runs
