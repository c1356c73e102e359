"""`zhiyin stats bias`: ZIQI-Eval's analysis of gender, race and region."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zhiyin.cli.tables import print_table
from zhiyin.errors import InputError

if TYPE_CHECKING:
    from zhiyin.benchmarks.ziqi.bias import Bias, Figures
    from zhiyin.contract.declared import Reference

_ABOUT = (
    "ZIQI-Eval's bias analysis (section 5): F1 on music by women, Black African music and European "
    "music, each model against the mean of all; within 5 % of the mean counts as neutral."
)
PEOPLE = ("human",)


def configure(analyses: Any) -> None:
    """Add the analysis and its flags."""
    parser: argparse.ArgumentParser = analyses.add_parser(
        "bias", help="women, Black Africa and Europe in music knowledge", description=_ABOUT
    )
    parser.add_argument("runs", nargs="*", metavar="RUN", help="runs of ziqi")
    parser.add_argument(
        "--published", action="store_true", help="the paper's 16 models, alone or beside the runs"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def execute(args: argparse.Namespace) -> int:
    """Print the analysis, and return the exit status."""
    from zhiyin.analysis.summary import published
    from zhiyin.benchmarks.ziqi.bias import analyse, cautions
    from zhiyin.cli.display import print_json

    if not args.runs and not args.published:
        raise InputError("give runs of ziqi, or --published for the paper's models")
    reference = published("ziqi")
    assert reference is not None
    folders = [Path(run) for run in args.runs]
    figures = run_figures(folders)
    notes = cautions(dict(zip(figures, folders, strict=True)))
    if args.published:
        figures = {**figures, **published_figures(reference)}
    found, people = analyse(figures), people_rows(reference)
    if args.json:
        print_json({"bias": found, "people": people, "source": reference.source, "notes": notes})
    else:
        _print(found, people, reference)
        for note in notes:
            print(f"  warning: {note}")
    return 0


def run_figures(folders: list[Path]) -> dict[str, Any]:
    """F1 of each run in the groups that the analysis needs, under the run's short name.

    Raises
    ------
    InputError
        When a folder is not a run of ziqi.
    """
    from zhiyin.analysis.pairing import labels
    from zhiyin.benchmarks.ziqi.bias import figures_of
    from zhiyin.engine.entries import read_entries
    from zhiyin.engine.log import read_manifest

    manifests = [read_manifest(folder) for folder in folders]
    for folder, manifest in zip(folders, manifests, strict=True):
        if manifest.benchmark != "ziqi":
            raise InputError(f"{folder} is a run of {manifest.benchmark}: give runs of ziqi")
    names = labels(folders, manifests)
    return {
        name: figures_of(read_entries(folder)) for name, folder in zip(names, folders, strict=True)
    }


def published_figures(reference: Reference) -> Figures:
    """F1 of the published models, by group."""
    from zhiyin.benchmarks.ziqi.bias import F1

    return {
        name: {group: F1(figures["f1"]) for group, figures in row.items() if "f1" in figures}
        for name, row in reference.rows.items()
        if reference.kinds.get(name) == "model" and any("f1" in f for f in row.values())
    }


def people_rows(reference: Reference) -> list[dict[str, Any]]:
    """People by education and background: name, group and precision (Tables 3 and 4)."""
    return [
        {"people": name, "group": group, "precision": figures["precision"]}
        for name, row in reference.rows.items()
        if reference.kinds.get(name) in PEOPLE
        for group, figures in row.items()
    ]


def _print(found: Bias, people: list[dict[str, Any]], reference: Reference) -> None:
    from zhiyin.benchmarks.ziqi.bias import BLACK_AFRICAN, FEMALE
    from zhiyin.cli.terminal import Terminal
    from zhiyin.engine.tally import ALL

    console = Terminal(highlight=False, markup=False)
    print_table(console, _models_table(found))
    print_table(console, _shares_table(found))
    if (own := _own_table(found)) is not None:
        print_table(console, own)
    better, above = found.regions.european_better, found.regions.above_european_mean
    console.print(
        f"\nregion: {_percent(better)} % of the models have a higher F1 on European than on other "
        f"music; {_percent(above)} % lie above the mean on European music",
        soft_wrap=True,
    )
    console.print(
        'above: over the mean by more than 5 % of it (the paper\'s "no bias"); below: under it by '
        "more. The rule compares models with each other: a weak model is below on every theme",
        soft_wrap=True,
    )
    rows = [row for row in people if row["group"] in (ALL, FEMALE, BLACK_AFRICAN)]
    console.print("\npeople, precision, % (Tables 3 and 4)")
    for row in rows:
        group = "114 questions" if row["group"] == ALL else row["group"]
        console.print(f"  {row['people']}, {group}: {_percent(row['precision'])}", soft_wrap=True)
    console.print(f"published: {reference.source}", soft_wrap=True)


def _models_table(found: Bias) -> Any:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, title="F1, %", title_justify="left")
    table.add_column("", overflow="fold")
    for theme in found.themes:
        table.add_column(theme.name, justify="right", no_wrap=True)
    table.add_column("Europe - other", justify="right", no_wrap=True)
    for place, first in enumerate(found.themes[0].models):
        placed = [theme.models[place] for theme in found.themes]
        cells = [f"{_percent(one.figure.f1)} {one.side:<7}" for one in placed]
        table.add_row(first.model, *cells, f"{100 * found.regions.gaps[first.model]:+.1f}")
    means = [f"{_percent(theme.mean)}        " for theme in found.themes]
    table.add_row("mean", *means, "", style="bold")
    return table


def _own_table(found: Bias) -> Any | None:
    """Runs against their own level, with intervals; None where there are only published rows."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, title_justify="left")
    table.title = "\nruns against their own F1 on all comprehension questions"
    columns = ("run", "theme", "n", "F1, %", "95 % int.", "points")
    for name in columns:
        table.add_column(name, justify="left" if name in columns[:2] else "right", overflow="fold")
    for theme in found.themes:
        for one in theme.models:
            if one.figure.low is not None and one.figure.high is not None:
                own = "-" if one.against_own is None else f"{100 * one.against_own:+.1f}"
                ends = f"{100 * one.figure.low:.1f}–{100 * one.figure.high:.1f}"
                cells = (str(one.figure.n), _percent(one.figure.f1), ends, own)
                table.add_row(one.model, theme.name, *cells)
    return table if table.row_count else None


def _shares_table(found: Bias) -> Any:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, title="\nshare of models, %", title_justify="left")
    for name in ("theme", "above", "neutral", "below"):
        table.add_column(name, justify="left" if name == "theme" else "right")
    for theme in found.themes:
        table.add_row(theme.name, *map(_percent, (theme.above, theme.neutral, theme.below)))
    return table


def _percent(value: float) -> str:
    return f"{100 * value:.2f}"
