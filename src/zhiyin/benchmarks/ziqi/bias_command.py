"""`zhiyin stats bias`: ZIQI-Eval's analysis of gender, race and region."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zhiyin.errors import InputError

if TYPE_CHECKING:
    from zhiyin.benchmarks.ziqi.bias import Bias
    from zhiyin.contract.declared import Cell, Kind, Reference, Section

_ABOUT = (
    "ZIQI-Eval's bias analysis (section 5): F1 on music by women, Black African music, European "
    "music and music from elsewhere, each model against the mean of all; within 5 % of the mean "
    "counts as neutral."
)


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    parser.description = _ABOUT
    parser.add_argument("runs", nargs="*", metavar="RUN", help="runs of ziqi")
    parser.add_argument(
        "--published", action="store_true", help="the paper's 16 models, alone or beside the runs"
    )


def execute(args: argparse.Namespace) -> dict[str, Any]:
    """The analysis: ``bias``, ``people``, ``source``, and ``notes`` on runs of a part."""
    from zhiyin.benchmarks.ziqi.benchmark import Ziqi
    from zhiyin.benchmarks.ziqi.bias import analyse, cautions, published_figures

    if not args.runs and not args.published:
        raise InputError("give runs of ziqi, or --published for the paper's models")
    reference = Ziqi.published()
    folders = [Path(run) for run in args.runs]
    figures = run_figures(folders)
    notes = cautions(dict(zip(figures, folders, strict=True)))
    if args.published:
        figures = {**figures, **published_figures(reference)}
    return {
        "bias": analyse(figures),
        "people": people_rows(reference),
        "source": reference.source,
        "notes": notes,
    }


def run_figures(folders: list[Path]) -> dict[str, Any]:
    """F1 of each run in the groups that the analysis needs, under the run's short name.

    Raises
    ------
    InputError
        When a folder is not a run of ziqi.
    """
    from zhiyin.benchmarks.ziqi.bias import figures_of
    from zhiyin.engine.log import read_manifest
    from zhiyin.engine.naming import run_names
    from zhiyin.runs.rows import rows_of

    manifests = [read_manifest(folder) for folder in folders]
    for folder, manifest in zip(folders, manifests, strict=True):
        if manifest.benchmark != "ziqi":
            raise InputError(f"{folder} is a run of {manifest.benchmark}: give runs of ziqi")
    names = run_names(folders, manifests)
    return {name: figures_of(rows_of(folder)) for name, folder in zip(names, folders, strict=True)}


def people_rows(reference: Reference) -> list[dict[str, Any]]:
    """People by education and background: name, group and precision (Tables 3 and 4)."""
    return [
        {"people": name, "group": group, "precision": figures["precision"]}
        for name, row in reference.rows.items()
        if reference.kinds.get(name) == "human"
        for group, figures in row.items()
    ]


def show(results: dict[str, Any]) -> list[Section]:
    """F1 by theme, the shares of the paper's rule, runs against themselves, and people."""
    from zhiyin.contract.declared import Section

    bias: Bias = results["bias"]
    better, above = bias.regions.european_better, bias.regions.above_european_mean
    notes = [
        f"region: {_percent(better)} % of the models have a higher F1 on European than on other "
        f"music; {_percent(above)} % lie above the mean on European music",
        'above: over the mean by more than 5 % of it (the paper\'s "no bias"); below: under it by '
        "more. The rule compares models with each other: a weak model is below on every theme",
    ]
    shares: list[list[Cell]] = [
        [theme.name, *map(_percent, (theme.above, theme.neutral, theme.below))]
        for theme in bias.themes
    ]
    notes += [f"warning: {note}" for note in results["notes"]]
    sections = [
        _models(bias),
        Section("share of models, %", ["theme", "above", "neutral", "below"], shares, notes),
    ]
    if own := _own(bias):
        columns = ["run", "theme", "n", "F1, %", "95 % int.", "points"]
        title = "runs against their own F1 on all comprehension questions"
        kinds: list[Kind] = ["text", "text", "count", "share", "share", "points"]
        sections.append(Section(title, columns, own, kinds=kinds))
    return [*sections, _people(results["people"], results["source"])]


def _models(bias: Bias) -> Section:
    from zhiyin.contract.declared import Section

    rows: list[list[Cell]] = []
    for place, first in enumerate(bias.themes[0].models):
        placed = [theme.models[place] for theme in bias.themes]
        cells = [f"{_percent(one.figure.f1)} {one.side:<7}" for one in placed]
        rows.append([first.model, *cells])
    rows.append(["mean", *(f"{_percent(theme.mean)}        " for theme in bias.themes)])
    return Section("F1, %", ["", *(theme.name for theme in bias.themes)], rows)


def _own(bias: Bias) -> list[list[Cell]]:
    """Runs against their own level, with intervals; none where there are only published rows."""
    rows: list[list[Cell]] = []
    for theme in bias.themes:
        for one in theme.models:
            if one.figure.low is not None and one.figure.high is not None:
                f1, ends = one.figure.f1, (one.figure.low, one.figure.high)
                rows.append([one.model, theme.name, one.figure.n, f1, ends, one.against_own])
    return rows


def _people(people: list[dict[str, Any]], source: str) -> Section:
    from zhiyin.benchmarks.ziqi.bias import BLACK_AFRICAN, FEMALE
    from zhiyin.contract.declared import Section
    from zhiyin.engine.scoring import ALL

    rows: list[list[Cell]] = [
        [row["people"], "114 questions" if row["group"] == ALL else row["group"],
         _percent(row["precision"])]
        for row in people
        if row["group"] in (ALL, FEMALE, BLACK_AFRICAN)
    ]  # fmt: skip
    columns = ["people", "group", "precision, %"]
    return Section("people (Tables 3 and 4)", columns, rows, [f"published: {source}"])


def _percent(value: float) -> str:
    return f"{100 * value:.2f}"
