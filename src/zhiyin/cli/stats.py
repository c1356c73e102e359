"""`zhiyin stats ANALYSIS`: statistics on runs or on a table of answers."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zhiyin.cli import added, stats_difficulty, stats_health, stats_items
from zhiyin.cli.screen import Screen, nothing, sentences, table_of, titled_table
from zhiyin.cli.sharing import add_groups
from zhiyin.errors import InputError
from zhiyin.numerals import p_value

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
    stats_difficulty.configure(analyses)
    added.add_under(analyses, "stats")


def execute(args: argparse.Namespace) -> int:
    """Print the analysis, and return the exit status."""
    if "added" in args:
        return added.carry_out(args.added, args)
    if args.analysis == "health":
        return stats_health.execute(args)
    if args.analysis == "items":
        return stats_items.execute(args)
    if args.analysis == "difficulty":
        return stats_difficulty.execute(args)
    if bool(args.csv) == bool(args.runs):
        raise InputError("give either run folders or --csv FILE; see `zhiyin stats glmm --help`")
    return _csv(args) if args.csv else _runs(args)


def _csv(args: argparse.Namespace) -> int:
    from zhiyin.analysis.table import read_csv
    from zhiyin.cli.display import print_json
    from zhiyin.statistics.glmm import DEFAULT_FORMULA, fit_glmm

    fit = fit_glmm(read_csv(Path(args.csv)), args.formula or DEFAULT_FORMULA)
    if args.json:
        print_json(fit)
    else:
        _print(args.csv, fit, None, whole=args.groups == "all")
    return 0


def _runs(args: argparse.Namespace) -> int:
    from zhiyin.analysis.table import read_runs
    from zhiyin.cli.display import print_json
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
    from zhiyin.shown.terminal import Terminal

    screen = Screen(Terminal(markup=False))
    screen.add(lambda console: console.print())
    screen.add(lambda console: console.say(title, 0, style="bold"))
    if isinstance(fit, dict):
        message = f"not fitted: {fit['error']}"
        screen.add(lambda console: console.say(message, style="yellow"))
    else:
        screen.add(lambda console: console.say(_head(fit), 0))
        _add_tables(screen, fit)
        warnings = sentences(
            [*cautions, *fit.warnings], (2, 1), label="warning", style="yellow",
            rest="more warnings", indent=0,
        )  # fmt: skip
        screen.add(*warnings, rank=(6, 8))
    counts = [f"{count} {_LEFT_OUT[why]}" for why, count in (left_out or {}).items() if count]
    if counts:
        screen.add(lambda console: console.say(f"left out: {', '.join(counts)}", 0))
    if not whole and not isinstance(fit, dict):
        screen.add(lambda console: console.say("every term, cell and contrast: --groups all"))
    screen.show(whole=whole)


def _add_tables(screen: Screen, fit: Glmm) -> None:
    """The tables of a fit; the most informative ones keep their rows longest."""
    ranks = {"fixed effects": 0.0, "type III": 4.0, "marginal": 2.0, "pairwise": 1.0}
    for title, columns, rows in _blocks(fit):
        rank = next(rank for start, rank in ranks.items() if title.startswith(start))
        make = partial(titled_table, title, columns, rows, width=screen.width)
        counts = [None, *(n for n in (12, 6, 4, 2) if n < len(rows))]
        last = [] if title.startswith("type III") else [nothing]
        steps = [rank + 0.2 * step for step in range(len(counts))]
        screen.add(*table_of(make, counts), *last, rank=steps)


_Block = tuple[str, list[str], list[list[str]]]
"""Title, columns and rows of a table."""


def _blocks(fit: Glmm) -> list[_Block]:
    """The tables of the report in order."""
    asked = {row.term for row in fit.type3} | set(fit.levels)
    means = [row for row in fit.emmeans if row.term in asked]
    families = [row for row in fit.contrasts if row.family not in asked or ":" not in row.family]
    tables: list[_Block] = [
        (
            "fixed effects, in log-odds against the first levels",
            ["term", "estimate", "se", "z", "p"],
            [
                [row.term, _figure(row.estimate), _figure(row.se), f"{row.z:.2f}", p_value(row.p)]
                for row in fit.coefficients_treatment
            ],
        ),
        (
            "type III tests, sum-to-zero contrasts",
            ["term", "chi-square", "df", "p", "test", "LR chi-square", "LR p"],
            _type3_rows(fit),
        ),
        (
            "marginal means: probability of a right answer",
            ["cell", "n", "observed", "estimate", "95 % interval"],
            [
                [
                    ", ".join(row.levels.values()),
                    str(row.n),
                    f"{row.observed:.3f}",
                    f"{row.probability:.3f}",
                    f"{row.lower:.3f}–{row.upper:.3f}",
                ]
                for row in means
            ],
        ),
        (
            "pairwise contrasts, in log-odds",
            ["contrast", "estimate", "se", "z", "p", "Holm", "Tukey", "test"],
            [_contrast_row(row) for row in families],
        ),
    ]
    return [block for block in tables if block[2]]


def _head(fit: Glmm) -> str:
    random, intercepts = fit.random_lrt, "none, see the warning"
    if not math.isnan(fit.random_sd):
        intercepts = (
            f"standard deviation {fit.random_sd:.4f}, likelihood ratio {random.chisq:.2f}, "
            f"p {p_value(random.p)}"
        )
    return (
        f"{fit.formula}\n{fit.n} answers, {fit.groups} groups; log-likelihood "
        f"{fit.log_likelihood:.3f}, AIC {fit.aic:.2f}\nrandom intercept: {intercepts}"
    )


def _contrast_row(row: Contrast) -> list[str]:
    within = f"{', '.join(row.at.values())}: " if row.at else ""
    size = [_figure(row.estimate), _figure(row.se)]
    if row.test != "Wald":  # no finite estimate
        sign = "" if row.estimate > 0 else "-"
        size = [f"{sign}∞" if abs(row.z) > 0.01 else "-", "-"]
    chances = map(p_value, (row.p, row.p_holm, row.p_tukey))
    return [within + row.contrast, *size, f"{row.z:.2f}", *chances, _SHORT[row.test]]


def _type3_rows(fit: Glmm) -> list[list[str]]:
    ratios = {row.term: row for row in fit.lrt}
    rows = []
    for row in fit.type3:
        ratio = ratios.get(row.term)
        beside = [f"{ratio.chisq:.2f}", p_value(ratio.p)] if ratio else ["", ""]
        rows.append(
            [row.term, f"{row.chisq:.2f}", str(row.df), p_value(row.p), _SHORT[row.test], *beside]
        )
    return rows


def _figure(value: float) -> str:
    return f"{value:.4f}" if abs(value) < 1e4 else f"{value:.1e}"
