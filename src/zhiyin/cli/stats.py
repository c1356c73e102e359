"""`zhiyin stats ANALYSIS`: statistics on runs or on a table of answers."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zhiyin.cli import benchmark_commands, stats_health, stats_items
from zhiyin.cli.flags import add_groups
from zhiyin.cli.output import open_console, print_json
from zhiyin.errors import InputError
from zhiyin.shown.table import Cell, Column, Kind, Table, table_of
from zhiyin.words import Said, said

if TYPE_CHECKING:
    from zhiyin.statistics.glmm import Glmm
    from zhiyin.statistics.glmm.emmeans import Contrast

HELP = "Statistics on runs, or on a CSV file of answers."

_LEFT_OUT = {"token_limited": "cut off or empty", "error": "failed"}
_SHORT = {"Wald": "Wald", "likelihood ratio": "LR"}
_GLMM = (
    "Fit a logistic mixed model with a random intercept, one for each task: coefficients, "
    "type III tests, estimated marginal means and pairwise contrasts."
)


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the analyses and their flags."""
    analyses = parser.add_subparsers(dest="analysis", required=True, metavar="ANALYSIS")
    glmm = analyses.add_parser("glmm", help="mixed model of right answers", description=_GLMM)
    glmm.add_argument("runs", nargs="*", metavar="RUN", help="a folder that `zhiyin run` wrote")
    glmm.add_argument("--csv", metavar="FILE", help="read a CSV file in place of runs")
    glmm.add_argument(
        "--formula",
        help="such as 'correct ~ model * modality + (1 | stimulus)', the default; for runs, what "
        "does not vary is taken out of the default",
    )
    add_groups(glmm)
    glmm.add_argument("--json", action="store_true", help="print one JSON object")
    stats_health.configure(analyses)
    stats_items.configure(analyses)
    stats_items.configure_difficulty(analyses)
    benchmark_commands.add_under(analyses, "stats")


def execute(args: argparse.Namespace) -> int:
    """Print the analysis, and return the exit status."""
    if "added" in args:
        return benchmark_commands.carry_out(args.added, args)
    if args.analysis == "health":
        return stats_health.execute(args)
    if args.analysis == "items":
        return stats_items.execute(args)
    if args.analysis == "difficulty":
        return stats_items.execute_difficulty(args)
    if bool(args.csv) == bool(args.runs):
        raise InputError("give either run folders or --csv FILE; see `zhiyin stats glmm --help`")
    return _csv(args) if args.csv else _runs(args)


def _csv(args: argparse.Namespace) -> int:
    from zhiyin.analysis.table import read_csv
    from zhiyin.statistics.glmm import DEFAULT_FORMULA, fit_glmm

    fit = fit_glmm(read_csv(Path(args.csv)), args.formula or DEFAULT_FORMULA)
    if args.json:
        print_json(fit)
    else:
        _print(args.csv, fit, None, whole=args.groups == "all")
    return 0


def _runs(args: argparse.Namespace) -> int:
    from zhiyin.analysis.table import read_runs
    from zhiyin.statistics.glmm import fit_glmm, varying_formula

    read = read_runs([Path(run) for run in args.runs])
    tasks: dict[str, Any] = {}
    failed = False
    for task, table in read.tables.items():
        try:
            fit: Any = fit_glmm(table, args.formula or varying_formula(table))
        except InputError as error:
            if len(read.tables) == 1:
                raise
            fit, failed = {"error": str(error)}, True  # the other tasks are still wanted
        tasks[task] = fit
        if not args.json:
            whole = args.groups == "all"
            _print(task, fit, read.left_out[task], whole=whole, cautions=read.cautions)
    if args.json:
        print_json({"tasks": tasks, "left_out": read.left_out, "cautions": read.cautions})
    return int(failed)


def _print(
    title: str, fit: Any, left_out: dict[str, int] | None, *, whole: bool,
    cautions: Sequence[str] = (),
) -> None:  # fmt: skip
    console = open_console(markup=False)
    more = "" if whole else "--groups all"
    with console.paged():
        console.print()
        console.say(title, 0, style="bold")
        if isinstance(fit, dict):
            console.say(f"not fitted: {fit['error']}", style="yellow")
        else:
            console.say(_head(fit), 0)
            for table in _tables(fit):
                console.print_table(table, more)
            console.say_all([*cautions, *fit.warnings], 0, "warning", "yellow")
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
            "fixed effects, in log-odds against the first levels",
        ),
        table_of("type3", _TYPE3, _type3_rows(fit), "type III tests, sum-to-zero contrasts"),
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
            "marginal means: probability of a right answer",
        ),
        table_of(
            "contrasts",
            {"contrast": "text", **_ESTIMATE, "p": "p", "Holm": "p", "Tukey": "p", "test": "text"},
            map(_contrast_row, families),
            "pairwise contrasts, in log-odds",
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


def _contrast_row(row: Contrast) -> tuple[Cell, ...]:
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
