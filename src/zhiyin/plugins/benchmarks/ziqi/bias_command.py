"""`zhiyin stats bias`: ZIQI-Eval's analysis of gender, race and region."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from zhiyin.contract.declared import Cell, Kind, Reference, Section
from zhiyin.contract.resolved import run_names
from zhiyin.engine.log import read_manifest
from zhiyin.engine.scoring import ALL
from zhiyin.errors import InputError
from zhiyin.plugins.benchmarks.ziqi.benchmark import Ziqi
from zhiyin.plugins.benchmarks.ziqi.bias import (
    BLACK_AFRICAN,
    FEMALE,
    Bias,
    BiasReport,
    PeopleFigure,
    analyse,
    cautions,
    figures_of,
    published_figures,
)
from zhiyin.runs.measures import Estimate
from zhiyin.runs.rows import rows_of
from zhiyin.words import Said, Text, said


def execute(runs: tuple[Path, ...] = (), *, published: bool = False) -> BiasReport:
    """ZIQI-Eval's bias analysis (section 5): F1 on music by women, Black African music, European
    music and music from elsewhere, each model against the mean of all; within 5 % of the mean
    counts as neutral.

    Parameters
    ----------
    runs : RUN
        runs of ziqi
    published
        the paper's 16 models, alone or beside the runs
    """
    if not runs and not published:
        raise InputError("give runs of ziqi, or --published for the paper's models")
    reference = Ziqi.published()
    assert reference is not None
    figures = run_figures(runs)
    notes = cautions(dict(zip(figures, runs, strict=True)))
    if published:
        figures = {**figures, **published_figures(reference)}
    source = "; ".join(dict.fromkeys(reference.of(name).source for name in sorted(reference.own)))
    return BiasReport(analyse(figures), people_rows(reference), source, notes)


def run_figures(folders: Sequence[Path]) -> dict[str, dict[str, Estimate]]:
    """F1 of each run in the groups that the analysis needs, under the run's short name.

    Raises
    ------
    InputError
        When a folder is not a run of ziqi.
    """
    manifests = [read_manifest(folder) for folder in folders]
    for folder, manifest in zip(folders, manifests, strict=True):
        if manifest.benchmark != "ziqi":
            raise InputError(f"{folder} is a run of {manifest.benchmark}: give runs of ziqi")
    names = run_names(folders, manifests)
    return {name: figures_of(rows_of(folder)) for name, folder in zip(names, folders, strict=True)}


def people_rows(reference: Reference) -> list[PeopleFigure]:
    """People by education and background: name, group and precision (Tables 3 and 4)."""
    return [
        PeopleFigure(name, group, figures["precision"])
        for name, row in reference.rows.items()
        if reference.kinds.get(name) == "human"
        for group, figures in row.items()
    ]


def show(report: BiasReport) -> list[Section]:
    """F1 by theme, the shares of the paper's rule, runs against themselves, and people."""
    bias, regions = report.bias, report.bias.regions
    better, above = _percent(regions.european_better), _percent(regions.above_european_mean)
    notes: list[Text] = [
        said("ziqi-bias-regions", better=better, above=above),
        said("ziqi-bias-rule"),
        *(said("ziqi-bias-warning", caution=note) for note in report.notes),
    ]
    shares: list[list[Cell]] = [
        [_head(theme.name), *map(_percent, (theme.above, theme.neutral, theme.below))]
        for theme in bias.themes
    ]
    columns = [_head(name) for name in ("theme", "above", "neutral", "below")]
    sections = [_models(bias), Section(said("ziqi-bias-shares"), columns, shares, notes)]
    if own := _own(bias):
        heads: list[Text] = [
            *map(_head, ("run", "theme")),
            "n",
            "F1, %",
            _head("interval"),
        ]
        kinds: list[Kind] = ["text", "text", "count", "share", "share", "points"]
        heads.append(_head("points"))
        sections.append(Section(said("ziqi-bias-own"), heads, own, kinds=kinds))
    return [*sections, _people(report)]


def _head(name: str) -> Said:
    """The heading of a column or row."""
    return said("ziqi-bias-head", name=name)


def _models(bias: Bias) -> Section:
    rows: list[list[Cell]] = []
    for place, first in enumerate(bias.themes[0].models):
        placed = [theme.models[place] for theme in bias.themes]
        cells = [f"{_percent(one.figure.value or 0.0)} {one.side:<7}" for one in placed]
        rows.append([first.model, *cells])
    rows.append([_head("mean"), *(f"{_percent(theme.mean)}        " for theme in bias.themes)])
    return Section("F1, %", ["", *(_head(theme.name) for theme in bias.themes)], rows)


def _own(bias: Bias) -> list[list[Cell]]:
    """Runs against their own level, with intervals; none where there are only published rows."""
    return [
        [one.model, _head(theme.name), one.figure.items, one.figure.value,
         (one.figure.low, one.figure.high), one.against_own]
        for theme in bias.themes
        for one in theme.models
        if one.figure.low is not None and one.figure.high is not None
    ]  # fmt: skip


def _people(report: BiasReport) -> Section:
    groups: dict[str, Text] = {ALL: said("ziqi-bias-asked")}
    groups |= {FEMALE: FEMALE, BLACK_AFRICAN: BLACK_AFRICAN}
    rows: list[list[Cell]] = [
        [one.people, groups[one.group], _percent(one.precision)]
        for one in report.people
        if one.group in groups
    ]
    columns = [_head(name) for name in ("people", "group", "precision")]
    source = said("ziqi-bias-source", source=report.source)
    return Section(said("ziqi-bias-people"), columns, rows, [source])


def _percent(value: float) -> str:
    return f"{100 * value:.2f}"
