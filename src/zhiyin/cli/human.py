"""`zhiyin human`: people's answers become runs, and stand beside models."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec

from zhiyin.cli.output import open_console, print_json
from zhiyin.errors import InputError
from zhiyin.flags import COUNT, Flag
from zhiyin.numerals import counted
from zhiyin.runs.figures import GroupTree
from zhiyin.shown.table import Cell, Column, Kind, Row, Table, table_of
from zhiyin.words import Said, said

if TYPE_CHECKING:
    from zhiyin.human.answers import StudyAnswers
    from zhiyin.human.summary import PeopleFigures
    from zhiyin.human.validation import Judgements, PeoplesAlpha
    from zhiyin.shown.terminal import Terminal
    from zhiyin.statistics.crossed import Crossed


class HumanSettings(msgspec.Struct, frozen=True):
    """How people's answers are read, grouped and written.

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
    out : DIR
        where the runs go; without it none are written
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
    def fields(self) -> list[str]:
        """What groups go by."""
        return [part.strip() for part in self.by.split(",") if part.strip()]


def human(
    source: Path,
    *,
    settings: HumanSettings = HumanSettings(),
    model: tuple[Path, ...] = (),
    groups: Literal["top", "all"] = "top",
    json: bool = False,
) -> int:
    """Make runs of people's answers, and see them beside models.

    Parameters
    ----------
    source
        what `zhiyin study export` wrote, or a table of answers
    model : RUN
        a model's run, to be shown beside people; may be repeated
    groups
        top: the categories of the exam; all: those within them too
    """
    if len(set(settings.fields)) < len(settings.fields):
        raise InputError(f"--by {settings.by}: names a field twice")
    study, exam = _read(source, settings)
    if study.kind == "validate":
        _refuse(
            settings, model, "out model pass by", "marks of a validation, not answers to an exam"
        )
        return _validate(study, settings.kept, json)
    if study.kind in ("rate", "annotate"):
        why = f"judgements ({study.kind}), not answers to an exam"
        _refuse(settings, model, "exam out model pass by kept", why)
        return _judge(study, json)
    if settings.kept:
        raise InputError("--kept: these are answers to an exam, not a validation")
    return _examine(study, exam, settings, model, whole=groups == "all", json=json)


def _read(source: Path, settings: HumanSettings) -> tuple[StudyAnswers, Any]:
    """The answers, with exclusions marked, and the exam where one is named."""
    from zhiyin.human.answers import open_exam
    from zhiyin.human.reading import looks_exported, read_export
    from zhiyin.human.validation import exclude, read_rules

    if (source / "study.toml").is_file():
        raise InputError(
            f"{source} is a study: write its answers out first, with "
            f"`zhiyin study export {source} --out answers.jsonl`"
        )
    if not source.exists():
        raise InputError(f"{source}: no such file; give answers that people gave")
    exam = open_exam(settings.exam) if settings.exam else None
    if looks_exported(source) and not settings.columns:
        study = read_export(source)
    else:
        study = _table(source, settings.columns, exam)
    if settings.rules:
        exclude(study, read_rules(Path(settings.rules)))
    return study, exam


def _table(source: Path, columns: str | None, exam: Any) -> StudyAnswers:
    from zhiyin.human.reading import read_table
    from zhiyin.human.tables import ColumnMap, checked, read_map

    if exam is None or not exam.trials:
        raise InputError(
            f"{source}: a table says who chose what; the questions come from a run: add --exam "
            "with a run folder of any model on this exam, such as "
            "`zhiyin run BENCHMARK -m random`"
        )
    if columns:
        path = Path(columns)
        return read_table(source, read_map(path), path.parent, exam.trials)
    return read_table(source, checked(ColumnMap(), "the usual map"), source.parent, exam.trials)


def _refuse(settings: HumanSettings, models: Sequence[Path], flags: str, why: str) -> None:
    """Raise `InputError` where one of some flags is given that makes no sense of such answers."""
    given = msgspec.structs.asdict(settings) | {"model": models, "pass": settings.mark}
    for flag in flags.split():
        if given[flag]:
            raise InputError(f"--{flag}: these are {why}")


def _validate(study: StudyAnswers, kept: str | None, json: bool) -> int:
    from zhiyin.files import json_lines, write_atomically
    from zhiyin.human.validation import validate

    validation = validate(study, study.keep)
    if kept:
        write_atomically(Path(kept), json_lines(validation.questions))
    console = _begin(json, study, {
        "alpha": validation.alpha, "rule": study.keep, "questions": validation.questions,
    })  # fmt: skip
    if console is None:
        return 0
    counts = Counter(one.decision for one in validation.questions)
    rule = study.keep
    console.say(
        f"{len(validation.questions)} questions: {counts['keep']} kept, {counts['drop']} dropped, "
        f"{counts['open']} open (fewer than {rule.annotations} answers)", indent=0,
    )  # fmt: skip
    wrong = "any wrong option" if rule.rule == "any" else "one and the same wrong option"
    console.say(
        f"kept: at least {100 * rule.right:g} % mark the right option, and at most "
        f"{100 * rule.distractors:g} % mark {wrong}"
    )
    console.say(alpha_words(validation.alpha))
    if kept:
        console.say(f"decisions: {kept}")
    return 0


def _judge(study: StudyAnswers, json: bool) -> int:
    from zhiyin.human.validation import judge

    judgements = judge(study)
    console = _begin(json, study, {"figures": judgements.figures, "alphas": judgements.alphas})
    if console is None:
        return 0
    _print_judgements(console, judgements)
    for measure, alpha in judgements.alphas.items():
        console.say(said("cli-alpha-of", measure=measure, alpha=alpha_words(alpha)))
    return 0


def _begin(json: bool, study: StudyAnswers, results: dict[str, object]) -> Terminal | None:
    """Print all as JSON, where that is asked for; else of the people, and give the terminal."""
    from zhiyin.human.figures import exclusions, population

    people, excluded = population(study), exclusions(study)
    if json:
        print_json({"population": people, "excluded": excluded, "notes": study.notes} | results)
        return None
    console = open_console()
    _print_people(console, people, excluded, study.notes)
    return console


def alpha_words(alpha: PeoplesAlpha | None) -> Said:
    """How far people agree, in words."""
    if alpha is None:
        return said("cli-alpha-unknown")
    return said(
        "cli-alpha", alpha=alpha.alpha, low=alpha.low, high=alpha.high, people=alpha.people,
        questions=alpha.questions, answers=alpha.answers,
    )  # fmt: skip


def _examine(
    study: StudyAnswers, exam: Any, settings: HumanSettings, models: Sequence[Path], *,
    whole: bool, json: bool,
) -> int:  # fmt: skip
    from zhiyin.human.answers import by_group, check_same
    from zhiyin.human.summary import sum_up

    if exam is None:
        raise InputError(
            "--exam is missing: name the benchmark that people took, or a model's run on it"
        )
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
    _print_people(console, figures.population, figures.excluded, figures.notes)
    _print_figures(
        console, figures, exam, points=settings.points, mark=settings.mark, everything=whole
    )
    if runs:
        written = f"{counted(len(runs), 'run')} in {settings.out}"
        console.say(f"{written}: `zhiyin show {runs[0]}`", indent=0)
    return 0


def _nobody(study: StudyAnswers, small: Mapping[str, int], fields: list[str], least: int) -> str:
    """Why no group can be shown, and what to do."""
    from zhiyin.human.figures import exclusions, population

    if not small:
        people, why = population(study), exclusions(study)
        rules = ", ".join(f"{n} by {rule}" for rule, n in why.items()) or "no question is answered"
        return (
            f"no answer counts: {people['excluded']} of {_people(people['people'])} excluded "
            f"({rules}): look at these people's answers, or ask more people"
        )
    if not fields:
        return (
            f"{_people(sum(small.values()))} answered, fewer than --least-people {least}: "
            "ask more, or give --least-people 1 where nobody can be known"
        )
    return (
        f"no group has {_people(least)}: take fewer fields in --by or none, or "
        "--least-people 1 where nobody can be known by a background"
    )


def _write(settings: HumanSettings, study: StudyAnswers, exam: Any, groups: Any) -> list[Path]:
    from zhiyin.human.answers import pseudonyms
    from zhiyin.human.runs import write_runs

    if not settings.out:
        if settings.each_person:
            raise InputError("--each-person writes runs: add --out DIR")
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


def _print_people(
    console: Any, people: Mapping[str, int], excluded: Mapping[str, int], notes: list[str]
) -> None:
    console.say(
        f"{_people(people['counted'])}, {counted(people['answers_counted'], 'answer')}; "
        f"{people['excluded']} of {_people(people['people'])} excluded", indent=0,
    )  # fmt: skip
    for rule, n in excluded.items():
        console.say(f"excluded by {rule}: {n}")
    for note in notes:
        console.say(note, label="note", style="bold")


def _people(n: int) -> str:
    return counted(n, "person", "people")


def _print_figures(
    console: Terminal, figures: PeopleFigures, exam: Any, *, points: bool, mark: float | None,
    everything: bool = False,
) -> None:  # fmt: skip
    """Print scores by group, by category, percentiles and who would pass.

    `everything`: categories within categories too.
    """
    console.print_table(_groups(figures, points))
    for label, n in figures.small.items():
        who = counted(n, "person", "people")
        console.say(f"{label}: {who}, too few to be shown (--least-people)")
    if not points:
        console.say(
            "precision: right answers among those given; a blank, or a reply that names no option, "
            "is none"
        )
    console.say(
        "int.: 95 %, for other people and other questions; of models for other questions "
        "(`zhiyin table` and `show` take these people as fixed)"
    )
    categories = _categories(figures, exam.benchmark.titles, everything)
    if categories.rows:
        console.print_table(categories)
    within = sum("/" in name for name in figures.categories)
    if within and not everything:
        console.say(f"{counted(within, 'category', 'categories')} within these: --groups all")
    for model, by_group in figures.percentiles.items():
        for label, one in by_group.items():
            who = counted(one.people, "person", "people")
            who += "" if label == "all people" else f" with {label}"
            low = None if one.high is None else one.low
            found = said(
                "cli-percentile", model=model, share=one.share, low=low, high=one.high, who=who
            )
            console.say(found, indent=0)
    for line in figures.led():
        console.say(line, indent=0)
    if mark is not None:
        console.print_table(_passed(figures, mark))
        console.say("to pass: right answers of all that was asked, blanks being wrong")


def _print_judgements(console: Terminal, judgements: Judgements) -> None:
    """Print a line for each thing that was judged, by measure."""
    rows = []
    for one in judgements.figures:
        score, share = one.score, one.measure in ("preferred", "named")
        times, unit = (100, " %") if share else (1, "")
        ends = None
        if score.low is not None and score.high is not None:
            ends = (times * score.low, times * score.high)
        mean = f"{times * score.mean:.2f}{unit}"
        rows.append((f"{one.of}: {one.measure}", score.people, score.items, mean, ends))
    columns: dict[str, Kind | Column] = {
        "judged": "text", "people": "count", "items": "count", "mean": "number",
        "int.": Column("int.", "number", 2),
    }  # fmt: skip
    notes = ["int.: 95 %, for other people and other items"]
    console.print_table(table_of("judged", columns, rows, notes=notes))


def _groups(figures: PeopleFigures, points: bool) -> Table:
    """Scores by group of people, and of models: right answers, or precision."""
    kind: Kind = "number" if points else "share"
    rows: list[Row] = []
    for one in figures.rows:
        few, many = one.questions
        asked = str(few) if few == many else f"{few}–{many}"
        cells: tuple[Cell, ...] = (one.lowest, one.highest, one.score.mean)
        if points:
            if one.right is None:
                raise InputError(
                    "--points: people had different numbers of questions, so that right answers "
                    "cannot be compared: leave it out"
                )
            low, high, mean = one.right
            cells = (f"{low:g}", f"{high:g}", mean)
        ends = _ends(one.score, few if points else 1)
        rows.append(Row((one.label, one.people, asked, *cells, ends)))
    for model in figures.models:
        n, score = len(model.answered), model.of_all if points else model.score
        cells = (None, "not known")
        if score is not None:
            times = n if points else 1
            cells = (times * score.mean, (times * score.low, times * score.high))
        rows.append(Row((model.label, "", str(n), "", "", *cells)))
    unit = "right" if points else "precision in %"
    columns: dict[str, Kind | Column] = {
        f"people, {unit}": "text", "n": "count", "questions": "number",
        "lowest": Column("lowest", kind, 1), "highest": Column("highest", kind, 1),
        "mean": Column("mean", kind, 2), "int.": Column("int.", kind, 1),
    }  # fmt: skip
    return table_of("people", columns, rows)


def _categories(figures: PeopleFigures, titles: Mapping[str, str], everything: bool) -> Table:
    """The categories in their order, each with those within it below it where `everything`."""
    labels = [one.label for one in figures.rows]
    models = [one.label for one in figures.models]
    known = [name for name in figures.categories if everything or "/" not in name]
    tree = GroupTree(known, titles)
    rows = []
    for name in sorted(known, key=lambda name: _place(name, known)):
        people, beside = figures.categories[name], figures.model_categories[name]
        means = (people[label] for label in labels)
        shares = (None if mean is None else mean.mean for mean in means)
        cells = (figures.questions[name], *shares, *(beside[label] for label in models))
        rows.append(Row((tree.title(name), *cells), tree.level(name)))
    columns = [Column("category, precision in %"), Column("questions", "count")]
    columns += [Column(name, "share", 2) for name in (*labels, *models)]
    return table_of("categories", columns, rows)


def _place(name: str, known: Sequence[str]) -> list[int]:
    """Where a category stands: behind those it is within, and else in the order of the exam."""
    parts = name.split("/")
    heads = ("/".join(parts[:n]) for n in range(1, len(parts) + 1))
    return [known.index(head) for head in heads if head in known]


def _passed(figures: PeopleFigures, mark: float) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (
            label, one.people, str(one.passed), one.share.mean,
            _interval(one.share.low, one.share.high), str(one.surely), str(one.surely_not),
        )
        for label, one in figures.passed.items()
    ]  # fmt: skip
    for model in figures.models:
        score = model.of_all
        does, sure = score.mean >= mark / 100 - 1e-12, score.low >= mark / 100
        rows.append((model.label, "", does, "", "", sure, score.high < mark / 100))
    columns: dict[str, Kind] = {
        f"pass at {mark:g} %": "text", "n": "count", "pass": "count", "%": "share",
        "int.": "share", "surely": "count", "surely not": "count",
    }  # fmt: skip
    return table_of("passed", columns, rows)


def _interval(low: float | None, high: float | None) -> Cell:
    return None if low is None or high is None else (low, high)


def _ends(score: Crossed, times: float) -> Cell:
    if score.low is None or score.high is None:
        return "not known"
    return (times * score.low, times * score.high)
