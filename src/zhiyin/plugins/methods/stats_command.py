"""`zhiyin stats ACTION`: statistics on runs or on a table of answers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from zhiyin.cli.output import open_console, print_json
from zhiyin.errors import InputError
from zhiyin.flags import COUNT
from zhiyin.plugins.methods.stats_health_command import health as health
from zhiyin.shown.table import Cell, Column, Kind, Table, table_of
from zhiyin.words import Said, said

if TYPE_CHECKING:
    from zhiyin.plugins.methods.glmm import Glmm
    from zhiyin.plugins.methods.glmm.means import MarginalContrast
    from zhiyin.plugins.methods.item_analysis import AnalysedItem, ItemAnalysis, Separating
    from zhiyin.plugins.methods.table import TaskDifficulty
    from zhiyin.shown.terminal import Terminal

ACTIONS = ("glmm", "health", "items", "difficulty", "variance")
_LEFT_OUT = {"token_limited": "cut off or empty", "error": "failed"}
_SHORT = {"Wald": "Wald", "likelihood ratio": "LR"}


def glmm(
    runs: tuple[Path, ...] = (),
    *,
    csv: Path | None = None,
    formula: str = "",
    groups: Literal["top", "all"] = "top",
    json: bool = False,
) -> int:
    """Mixed model of right answers.

    A logistic mixed model with a random intercept, one for each task: coefficients, type III tests,
    estimated marginal means and pairwise contrasts.

    Parameters
    ----------
    csv : FILE
        read a CSV file in place of runs
    formula
        such as 'correct ~ model * modality + (1 | stimulus)', the default; for runs, what does not
        vary is taken out of the default
    """
    from zhiyin.plugins.methods.table import (
        DEFAULT_FORMULA,
        fit_glmm,
        read_csv,
        read_runs,
        varying_formula,
    )

    if bool(csv) == bool(runs):
        raise InputError(said("glmm-source"))
    whole = groups == "all"
    if csv:
        fit: Any = fit_glmm(read_csv(csv), formula or DEFAULT_FORMULA)
        if json:
            print_json(fit)
        else:
            _print_glmm(str(csv), fit, None, whole=whole)
        return 0
    read = read_runs(runs)
    tasks: dict[str, Any] = {}
    failed = False
    for task, table in read.tables.items():
        try:
            fit = fit_glmm(table, formula or varying_formula(table))
        except InputError as error:
            if len(read.tables) == 1:
                raise
            fit, failed = {"error": str(error)}, True  # the other tasks are still wanted
        tasks[task] = fit
        if not json:
            _print_glmm(task, fit, read.left_out[task], whole=whole, cautions=read.cautions)
    if json:
        print_json({"tasks": tasks, "left_out": read.left_out, "cautions": read.cautions})
    return int(failed)


def _print_glmm(
    title: str, fit: Any, left_out: dict[str, int] | None, *, whole: bool,
    cautions: Sequence[str] = (),
) -> None:  # fmt: skip
    console = open_console(markup=False)
    more = "" if whole else "--groups all"
    with console.paged():
        console.print()
        console.say(title, 0, style="bold")
        if isinstance(fit, dict):
            console.say(said("glmm-failed", fit=fit["error"]), style="yellow")
        else:
            console.say(_head(fit), 0)
            for table in _tables(fit):
                console.print_table(table, more)
            console.say_all([*cautions, *fit.warnings], 0, said("cli-warning"), "yellow")
        counts = [f"{count} {_LEFT_OUT[why]}" for why, count in (left_out or {}).items() if count]
        if counts:
            console.say(f"left out: {', '.join(counts)}", 0)


def _tables(fit: Glmm) -> list[Table]:
    """The tables of the report in order."""
    asked = {row.term for row in fit.type3} | set(fit.levels)
    means = [row for row in fit.emmeans if row.term in asked]
    families = [row for row in fit.contrasts if row.family not in asked or ":" not in row.family]
    tables = [
        table_of(
            "fixed",
            {"term": "text", **_ESTIMATE, "p": "p"},
            [(row.term, row.estimate, row.se, row.z, row.p) for row in fit.coefficients_treatment],
            said("glmm-fixed"),
        ),
        table_of("type3", _TYPE3, _type3_rows(fit), said("glmm-type3")),
        table_of(
            "means",
            {"cell": "text", "n": "count", **_PROBABILITIES},
            [
                (
                    ", ".join(row.levels.values()), row.n, row.observed, row.probability,
                    (row.lower, row.upper),
                )
                for row in means
            ],
            said("glmm-means"),
        ),
        table_of(
            "contrasts",
            {"contrast": "text", **_ESTIMATE, "p": "p", "Holm": "p", "Tukey": "p", "test": "text"},
            map(_contrast_row, families),
            said("glmm-contrasts"),
        ),
    ]  # fmt: skip
    return [table for table in tables if table.rows]


_ESTIMATE = {
    "estimate": Column("estimate", "number", 4),
    "se": Column("se", "number", 4),
    "z": Column("z", "number", 2),
}
_PROBABILITIES = {
    name: Column(name, "number", 3) for name in ("observed", "estimate", "95 % interval")
}
_TYPE3: dict[str, Kind | Column] = {
    "term": "text",
    "chi-square": Column("chi-square", "number", 2),
    "df": "count",
    "p": "p",
    "test": "text",
    "LR chi-square": Column("LR chi-square", "number", 2),
    "LR p": "p",
}


def _head(fit: Glmm) -> Said:
    random, known = fit.random_lrt, not math.isnan(fit.random_sd)
    return said(
        "cli-model", formula=fit.formula, n=fit.n, groups=fit.groups, aic=fit.aic,
        likelihood=fit.log_likelihood, sd=fit.random_sd if known else None, ratio=random.chisq,
        p=random.p,
    )  # fmt: skip


def _contrast_row(row: MarginalContrast) -> tuple[Cell, ...]:
    within = f"{', '.join(row.at.values())}: " if row.at else ""
    size: tuple[Cell, Cell] = (row.estimate, row.se)
    if row.test != "Wald":  # no finite estimate
        sign = "" if row.estimate > 0 else "-"
        size = (f"{sign}∞" if abs(row.z) > 0.01 else None, None)
    chances = (row.p, row.p_holm, row.p_tukey)
    return (within + row.contrast, *size, row.z, *chances, _SHORT[row.test])


def _type3_rows(fit: Glmm) -> list[tuple[Cell, ...]]:
    ratios = {row.term: row for row in fit.lrt}
    rows: list[tuple[Cell, ...]] = []
    for row in fit.type3:
        ratio = ratios.get(row.term)
        beside: tuple[Cell, Cell] = (ratio.chisq, ratio.p) if ratio else ("", "")
        rows.append((row.term, row.chisq, row.df, row.p, _SHORT[row.test], *beside))
    return rows


def items(
    runs: tuple[Path, ...] = (),
    *,
    people: tuple[Path, ...] = (),
    keep: Annotated[int | None, COUNT] = None,
    rows: Annotated[int, COUNT] = 10,
    bank: Path | None = None,
    json: bool = False,
) -> int:
    """Find which items of a set are worth asking.

    How hard each item is, whether it tells good participants from poor ones, options that nobody
    takes, items that everyone or nobody gets, items that separate people from models, and a shorter
    set that ranks alike. Every run is a participant, but copies are one: runs of one model, and
    runs whose answers are alike beside what all answer.

    Parameters
    ----------
    people : RUN
        a run of a person, to be set against the models; may be repeated
    keep
        how many items a shorter set has; default the fewest that rank alike
    rows
        items a table shows
    bank : FILE
        also write the items with their difficulties and slopes, for `zhiyin exam`
    json
        print one JSON object, with all items
    """
    from zhiyin.plugins.methods.bank import write_bank
    from zhiyin.plugins.methods.item_analysis import analyse, bank_of

    if bank is not None:
        write_bank(bank_of(runs, people), bank)
    analysis = analyse(runs, people, keep)
    if json:
        print_json(analysis)
    else:
        _print_items(open_console(markup=False), analysis, rows)
    return 0


def _print_items(console: Terminal, analysis: ItemAnalysis, rows: int) -> None:
    alone = analysis.families if analysis.families < len(analysis.participants) else None
    about = said(
        "cli-examined", items=len(analysis.items), participants=len(analysis.participants),
        people=len(analysis.people), families=alone, alpha=analysis.reliability,
    )  # fmt: skip
    console.say(about, 0)
    if analysis.families < 4:
        console.say(said("items-few"))
    else:
        known = [item for item in analysis.items if item.discrimination is not None]
        known.sort(key=lambda item: item.discrimination or 0.0)
        console.print_table(_items_table(known[:rows]))
        if (left := len(known) - rows) > 0:
            console.say_command(said("cli-more", n=left), f"--rows {len(known)}", 0)
        against = sum((item.discrimination or 0) < 0 for item in known)
        console.say(said("items-against", n=against, of=len(known)))
    console.say_all(
        [*_findings(analysis, rows), said("items-model", calibration=analysis.calibration)]
    )
    console.say(said("items-legend"), 0)


def _findings(analysis: ItemAnalysis, rows: int) -> Iterator[str | Said]:
    """Further findings on the items, with so many of them by name."""
    for names, what in ((analysis.everyone, "everyone"), (analysis.nobody, "nobody")):
        if names:
            yield said("items-got", n=len(names), by=what, names=_some(names, rows))
    dead = [f"{item.item} ({', '.join(item.dead)})" for item in analysis.items if item.dead]
    if dead:
        yield said("items-dead", n=len(dead), names=_some(dead, rows))
    if analysis.people:
        yield from _separating(analysis.separating, rows)
    yield from _shorter(analysis, rows)


def _separating(items: list[Separating], rows: int) -> Iterator[str | Said]:
    if not items:
        yield said("items-no-separating")
        return
    yield said("items-separating", n=len(items))
    for one in items[:rows]:
        yield said("cli-separates", item=one.item, people=one.people, models=one.models, p=one.p)


def _shorter(analysis: ItemAnalysis, rows: int) -> Iterator[str | Said]:
    short = analysis.short
    if short is None:
        return
    yield said(
        "cli-shorter", short=len(short.items), items=len(analysis.items), tau=short.tau,
        error=short.error, new=short.tau_new,
    )  # fmt: skip
    yield _some(short.items, rows)


def _some(names: list[str], rows: int) -> Said:
    return said("items-some", names=names[:rows], more=max(0, len(names) - rows))


def _items_table(items: list[AnalysedItem]) -> Table:
    modelled = any(item.slope is not None for item in items)
    names = ["difficulty", "discrimination", *(["slope", "place"] if modelled else [])]
    columns: dict[str, Kind | Column] = {"item": "text", "n": "count"}
    columns |= {name: Column(name, "number", 2) for name in names}
    rows = []
    for item in items:
        response = (item.slope, item.place) if modelled else ()
        rows.append((item.item, item.asked, item.difficulty, item.discrimination, *response))
    return table_of("items", columns, rows, said("items-least"))


def difficulty(
    runs: tuple[Path, ...], *, features: str, unseen: tuple[Path, ...] = (), json: bool = False
) -> int:
    """Estimate how hard an item is.

    Fit success on features of items, with the model that answers as a factor, and hold what is
    predicted against answers to items of other seeds.

    Parameters
    ----------
    runs : RUN
        runs whose items are fitted
    features : F,...
        tags of the items, such as ease
    unseen : RUN ...
        runs of the same models on others
    """
    from zhiyin.plugins.methods.table import difficulty_of_runs

    named = list(dict.fromkeys(filter(None, map(str.strip, features.split(",")))))
    by_task = difficulty_of_runs(runs, named, unseen)
    if json:
        print_json(by_task)
        return 0
    for task, result in by_task.items():
        _print_difficulty(task, result)
    return 0


def _print_difficulty(task: str, result: TaskDifficulty) -> None:
    console = open_console(markup=False)
    curve, unseen = result.curve, result.unseen
    console.say(task, 0, style="bold")
    console.say(said("cli-difficulty", answers=curve.answers, items=curve.items, sd=curve.sd), 0)
    columns: dict[str, Column] = {
        "term": Column("term"),
        "estimate": Column("estimate", "number", 3),
        "se": Column("se", "number", 3),
        "p": Column("p", "p"),
    }
    rows = [(row.term, row.estimate, row.se, row.p) for row in curve.coefficients]
    console.print_table(table_of("difficulty", columns, rows))
    console.say(said("difficulty-legend"), 0)
    if unseen is not None:
        told = said(
            "cli-unseen", r=unseen.r, low=unseen.lower, high=unseen.upper, groups=unseen.groups,
            answers=unseen.answers, predicted=unseen.mean_predicted, observed=unseen.mean_observed,
        )  # fmt: skip
        console.say(told, 0)
    for warning in curve.warnings:
        console.say(warning, 0, "warning", "yellow")


def variance(runs: tuple[Path, ...], *, json: bool = False) -> int:
    """Find what a figure depends on: items, words, order, language, sampling, server.

    The variance of single answers split by what was varied, with the standard error that each part
    gives the figure; accuracy by wording and by where the right option stands.

    Parameters
    ----------
    runs : RUN
        one run, or several of one model: in other languages, or by other servers and sessions
    """
    from zhiyin.plugins.methods.dependence import dependence_of, dependence_sections

    found = dependence_of(runs)
    if json:
        print_json(found)
        return 0
    console = open_console(markup=False)
    with console.paged():
        for number, section in enumerate(dependence_sections(found), 1):
            console.print_table(section.table(f"variance-{number}"))
    return 0
