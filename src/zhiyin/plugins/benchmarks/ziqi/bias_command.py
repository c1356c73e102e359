"""`zhiyin stats bias`: ZIQI-Eval's analysis of gender, race and region.

Analysis of whether models do worse on music by women, Black Africans, non-Europeans (ZIQI-Eval).

The paper's rule (Li et al. 2024, arXiv:2406.15885, section 5) holds a set of models against
their own mean: above it a model counts as unbiased, within 5 % *of the mean* as neutral, below as
biased. It compares models with each other and says little of any one of them: a weak model is
"biased" on every theme. So beside it stands `against_own`: the model's F1 on the theme minus its
F1 on all comprehension questions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Literal

import msgspec

from zhiyin.analysis.coverage import coverage_of
from zhiyin.contract.declared import Cell, Drawn, FigureRun, Kind, Reference, Section
from zhiyin.contract.resolved import run_names
from zhiyin.engine.folder import read_manifest
from zhiyin.engine.scoring import ALL
from zhiyin.errors import InputError
from zhiyin.plugins.benchmarks.ziqi.benchmark import Ziqi
from zhiyin.plugins.benchmarks.ziqi.data import MEAN_F1
from zhiyin.plugins.paper.figures.dots import draw_panel
from zhiyin.plugins.paper.figures.style import (
    INK,
    SOFT,
    TWO_COLUMNS,
    PictureText,
    letter,
    rows_axis,
)
from zhiyin.runs.estimates import estimate
from zhiyin.runs.measures import F1, SHARE, Estimate
from zhiyin.runs.rows import Rows, rows_of
from zhiyin.shown.charts import Series
from zhiyin.shown.dots import Dot, DotPicture, DotRow
from zhiyin.words import Said, Text, said

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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
        raise InputError(said("bias-runs"))
    reference = Ziqi.published()
    assert reference is not None
    figures = run_figures(runs)
    notes = cautions(dict(zip(figures, runs, strict=True)))
    if published:
        figures = {**figures, **published_figures(reference)}
    source = str(reference.cited(*sorted(reference.own)))
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
            raise InputError(said("bias-other", folder=folder, benchmark=manifest.benchmark))
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
        heads: list[Text] = [*map(_head, ("run", "theme")), "n", _F1, _head("interval")]
        kinds: list[Kind] = ["text", "text", "count", "share", "share", "points"]
        heads.append(_head("points"))
        sections.append(Section(said("ziqi-bias-own"), heads, own, kinds=kinds))
    return [*sections, _people(report)]


_F1 = said("head", name="f1-share")


def _head(name: str) -> Said:
    """The heading of a column or row."""
    return said("ziqi-bias-head", name=name)


def _models(bias: Bias) -> Section:
    rows: list[list[Cell]] = []
    for place, first in enumerate(bias.themes[0].models):
        placed = [theme.models[place] for theme in bias.themes]
        rows.append([first.model])
        for one in placed:
            figure = _percent(one.figure.value or 0.0)
            rows[-1].append(said("ziqi-bias-placed", figure=figure, side=one.side))
    means = [_percent(theme.mean) for theme in bias.themes]
    rows.append([_head("mean"), *(said("ziqi-bias-placed", figure=x, side=None) for x in means)])
    return Section(_F1, ["", *(_head(theme.name) for theme in bias.themes)], rows)


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
    groups = {ALL: "all", FEMALE: "female", BLACK_AFRICAN: "black"}
    rows: list[list[Cell]] = [
        [one.people, said("ziqi-bias-asked", of=groups[one.group]), _percent(one.precision)]
        for one in report.people
        if one.group in groups
    ]
    columns = [_head(name) for name in ("people", "group", "precision")]
    reference = Ziqi.published()
    assert reference is not None
    source = said("ziqi-bias-source", source=reference.cited(*sorted(reference.own)))
    return Section(said("ziqi-bias-people"), columns, rows, [source])


def _percent(value: float) -> str:
    return f"{100 * value:.2f}"


Side = Literal["above", "neutral", "below"]

FEMALE = "female_music"
BLACK_AFRICAN = "world_ethnic_music/black_african_music"
EUROPEAN = "world_ethnic_music/european_music"
ELSEWHERE = "world_ethnic_music/outside_europe"
COMPREHENSION = "comprehension"
THEMES = {"gender": FEMALE, "race": BLACK_AFRICAN, "region": EUROPEAN, "elsewhere": ELSEWHERE}
"""What is looked at, and the group of questions that it is looked at in."""
NEUTRAL = 0.05
"""Half the width of the neutral band, as a share of the mean."""


Figures = Mapping[str, Mapping[str, Estimate]]
"""Model -> group -> F1."""


class Placed(msgspec.Struct, frozen=True):
    """A model on one theme.

    Attributes
    ----------
    model : str
    figure : Estimate
    deviation : float
        (F1 - mean) / mean: -0.5 is half the mean.
    side : {"above", "neutral", "below"}
    against_own : float or None
        F1 on the theme minus F1 on all comprehension questions; None where that is not known.
    """

    model: str
    figure: Estimate
    deviation: float
    side: Side
    against_own: float | None


class Theme(msgspec.Struct, frozen=True):
    """One theme: the mean F1, each model's place, and the shares of the three sides, 0 to 1."""

    name: str
    group: str
    mean: float
    models: list[Placed]
    above: float
    neutral: float
    below: float


class Regions(msgspec.Struct, frozen=True):
    """European music against all other in world and ethnic music.

    Attributes
    ----------
    gaps : dict of str to float
        Model -> F1 on European minus F1 on other music.
    european_better : float
        Share of models with a gap above 0.
    above_european_mean : float
        Share of models "above" by the rule among European music.
    """

    gaps: dict[str, float]
    european_better: float
    above_european_mean: float


class Bias(msgspec.Struct, frozen=True):
    """The analysis of a set of models. `left_out` names those without figures for a theme."""

    models: int
    themes: list[Theme]
    regions: Regions
    left_out: list[str]


class PeopleFigure(msgspec.Struct, frozen=True):
    """Published precision of some people in a group of questions, 0 to 1."""

    people: str
    group: str
    precision: float


class BiasReport(msgspec.Struct, frozen=True):
    """The report of ``zhiyin stats bias``; `notes` are about runs of a part of the questions."""

    bias: Bias
    people: list[PeopleFigure]
    source: str
    notes: list[str]


def analyse(figures: Figures) -> Bias:
    """Apply the paper's rule to a set of models.

    Parameters
    ----------
    figures : mapping of str to mapping of str to Estimate
        For each model its F1, in [0, 1], in the four groups `FEMALE`, `BLACK_AFRICAN`,
        `EUROPEAN` and `ELSEWHERE`, and in `COMPREHENSION` where it is known. Models without one
        of the four are left out.

    Returns
    -------
    Bias

    Raises
    ------
    InputError
        When fewer than two models are left: one is its own mean.

    References
    ----------
    Li et al. (2024), section 5 and Table 2.
    """
    needed = {FEMALE, BLACK_AFRICAN, EUROPEAN, ELSEWHERE}
    whole = {name: row for name, row in figures.items() if needed <= row.keys()}
    if len(whole) < 2:
        raise InputError(said("ziqi-few-models", one=bool(whole)))
    themes = [_theme(name, group, whole) for name, group in THEMES.items()]
    gaps = {name: _value(row[EUROPEAN]) - _value(row[ELSEWHERE]) for name, row in whole.items()}
    region = next(theme for theme in themes if theme.name == "region")
    regions = Regions(gaps, sum(gap > 0 for gap in gaps.values()) / len(gaps), region.above)
    return Bias(len(whole), themes, regions, [name for name in figures if name not in whole])


def figures_of(answers: Rows) -> dict[str, Estimate]:
    """F1 of a run in the groups that the analysis needs, each with its interval.

    That of `ELSEWHERE` is the mean of its subthemes' F1, as in the paper (section 5.3: "the average
    F1 for other subthemes"); the others are over all questions of the group.

    Parameters
    ----------
    answers : Rows
        Of one run; those that failed are left out.
    """
    wanted = (COMPREHENSION, FEMALE, BLACK_AFRICAN, EUROPEAN)
    members = answers.judged.by_group()
    figures = {}
    if elsewhere := members.get(ELSEWHERE):
        figures[ELSEWHERE] = estimate(elsewhere, MEAN_F1)
    for group in wanted:
        if rows := members.get(group):
            figures[group] = estimate(rows, F1)
    return figures


def _value(figure: Estimate) -> float:
    return figure.value or 0.0


def published_figures(reference: Reference) -> dict[str, dict[str, Estimate]]:
    """F1 of the published models by group, as far as it is known."""
    return {
        name: {
            group: Estimate(F1, figures["f1"]) for group, figures in row.items() if "f1" in figures
        }
        for name, row in reference.rows.items()
        if reference.kinds.get(name) == "model" and any("f1" in f for f in row.values())
    }


def cautions(runs: Mapping[str, Path]) -> list[str]:
    """List the runs, by name, that cover only a part of the published questions."""
    remarks = {name: coverage_of(folder).caution for name, folder in runs.items()}
    return [f"{name}: {caution}" for name, caution in remarks.items() if caution]


def _theme(name: str, group: str, figures: Figures) -> Theme:
    mean = sum(_value(row[group]) for row in figures.values()) / len(figures)
    placed = []
    for model, row in figures.items():
        own, f1 = row.get(COMPREHENSION), _value(row[group])
        apart = (f1 - mean) / mean if mean else 0.0
        against = None if own is None else f1 - _value(own)
        placed.append(Placed(model, row[group], apart, _side(f1, mean), against))
    shares = [sum(p.side == side for p in placed) / len(placed) for side in SIDES]
    return Theme(name, group, mean, placed, *shares)


SIDES: tuple[Side, ...] = ("above", "neutral", "below")


def _side(f1: float, mean: float) -> Side:
    if abs(f1 - mean) <= NEUTRAL * mean + 1e-12:  # the edge itself is neutral
        return "neutral"
    return "above" if f1 > mean else "below"


PANELS = {
    FEMALE: "women",
    BLACK_AFRICAN: "black-africa",
    EUROPEAN: "europe",
    ELSEWHERE: "elsewhere",
}
"""The themes, and what the message that names them knows them by."""
_SHADES = {"above": "#0072B2", "neutral": "#b5b5b5", "below": "#E69F00"}


def draw_bias(runs: Sequence[FigureRun], reference: Reference) -> Drawn | None:
    """The runs among the published models: F1 by theme, and the shares of the paper's rule."""
    whole = [run for run in runs if _is_whole(run)]
    ours = {run.label: figures_of(run.judged) for run in whole}
    ours = {name: row for name, row in ours.items() if row.keys() >= PANELS.keys()}
    if not ours:
        return None
    theirs = {
        f"{name} (published)" if name in ours else name: row
        for name, row in published_figures(reference).items()
        if row.keys() >= PANELS.keys()
    }
    figures = {**theirs, **ours}
    bias = analyse(figures)
    means = {name: fmean(_value(row[group]) for group in PANELS) for name, row in figures.items()}
    names = sorted(figures, key=lambda name: -means[name])
    from matplotlib.figure import Figure as Canvas

    heights = (0.155 * len(names) + 0.6, 0.8)
    canvas = Canvas(figsize=(TWO_COLUMNS, 0.5 + sum(heights)))
    upper, lower = canvas.subplots(2, 4, height_ratios=heights, sharey="row")
    marks_by = {run.label: run.series for run in runs}
    rows: list[list[Cell]] = []
    for theme, left, right in zip(bias.themes, upper, lower, strict=True):
        own = {placed.model: placed.figure for placed in theme.models}
        low, high = (1 - NEUTRAL) * theme.mean, (1 + NEUTRAL) * theme.mean
        left.axvspan(low, high, color="#eeeeee", linewidth=0, zorder=0)
        left.axvline(theme.mean, color=SOFT, linewidth=0.8, zorder=1)
        marks = [
            DotRow(name, dots=(Dot(own[name].value, own[name].low, own[name].high),))
            for name in names
        ]
        signs = tuple(
            marks_by[name] if name in marks_by else Series("model", hollow=True) for name in names
        )
        draw_panel(left, DotPicture("", _F1, SHARE, (), tuple(marks), signs))
        left.set_xticks([0, 0.5, 1])
        left.plot([means[name] for name in names], range(len(names)), color=INK,
                  linewidth=1.0, zorder=2)  # fmt: skip
        left.set_title(PictureText(said("ziqi-theme", theme=PANELS[theme.group])))
        _shares(right, theme)
        figures_here = [[own[name].value, own[name].low, own[name].high] for name in names]
        for name, cells in zip(names, figures_here, strict=True):
            rows.append(["F1", name, theme.group, *cells])
        rows.append(["F1", "mean of all models", theme.group, theme.mean, None, None])
        for side in SIDES:
            rows.append(["share of models", side, theme.group, getattr(theme, side), None, None])
    rows += [["F1", name, "mean of the four", means[name], None, None] for name in names]
    lower[0].set_title(PictureText(said("ziqi-models")))
    letter(upper[0], 0)
    letter(lower[0], 1)
    return Drawn(
        "bias",
        said("ziqi-bias-figure"),
        said("ziqi-bias-caption", runs=len(ours), published=len(theirs)),
        canvas,
        ["what", "name", "group", "value", "low", "high"],
        rows,
    )


def _is_whole(run: FigureRun) -> bool:
    """Tell whether a run was asked all questions on the themes."""
    coverage = coverage_of(run.folder, run.manifest)
    return all(map(coverage.whole, PANELS))


def _shares(axes: Axes, theme: Theme) -> None:
    """The shares of models on the three sides of one theme."""
    for y, side in enumerate(SIDES):
        share = getattr(theme, side)
        axes.barh(y, share, height=0.66, color=_SHADES[side])
        axes.annotate(f"{100 * share:.1f}", (share, y), (3, 0), textcoords="offset points",
                      va="center", fontsize=6.5)  # fmt: skip
    rows_axis(axes, [said("ziqi-side", side=side) for side in SIDES])
    axes.set_xlim(0, 1)
    axes.set_xticks([])
    axes.spines["bottom"].set_visible(False)
