"""The pictures of a report's chapter as figures: what its page shows, on paper."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from zhiyin.contract.arguments import OWN
from zhiyin.contract.declared import Cell, Drawn
from zhiyin.contract.registry import known
from zhiyin.contract.resolved import resolved
from zhiyin.engine.naming import briefs, models_in
from zhiyin.engine.scoring import ALL
from zhiyin.idioms import grouped
from zhiyin.plugins.paper.figures.dots import dot_of, draw_dots
from zhiyin.plugins.paper.figures.style import humanly
from zhiyin.report.findings import ALPHA
from zhiyin.report.measures import ListedGroup
from zhiyin.report.overview import Charts
from zhiyin.report.paper_runs import PaperRun, common_way, headlines
from zhiyin.report.pictures import beside, by_group, differences, drawn_rows
from zhiyin.report.printed import MOST
from zhiyin.report.run_cards import RunMark
from zhiyin.runs.estimates import Frame, chance_of, estimate
from zhiyin.runs.measures import ACCURACY, IFR, SHARE
from zhiyin.runs.rows import Rows
from zhiyin.runs.ways import Changes
from zhiyin.shown.charts import Series
from zhiyin.shown.dots import Dot, DotPicture, DotRow
from zhiyin.words import Text, said

_MOST_ROWS, _FEW_GROUPS = 26, 3
_PLAYED = ("true", "swap", "noise", "silence", "none")
_SHOTS = {"zero": 0.0, "few": 1.0}


def draw_pictures(
    charts: Charts, marks: Sequence[RunMark], runs: list[PaperRun]
) -> Iterator[Drawn]:
    """Draw every picture of a chapter that its runs hold the data for; the overview first.

    Parameters
    ----------
    charts : Charts
    marks : sequence of RunMark
        Of the runs of this chapter.
    runs : list of PaperRun
        Those with judged trials.
    """
    name = charts.name
    if charts.drawn:
        made = charts.drawn.picture
        title, limits = said("figure-overview", benchmark=name), _limits(runs, [charts.headline])
        caption = said("figure-overview-caption", notes=_notes(made), limits=limits)
        yield draw_dots(f"{name}-overview", title, caption, made)
    if not runs:
        return
    yield from _headline(charts, marks, runs)
    main = main_groups(charts, known(runs[0].manifest).panels, common_way(runs))
    yield from _groups(charts, marks, main)
    if pair := _best_pair(charts, marks, main):
        yield pair
    yield from draw_dimensions(name, runs)
    yield from draw_shots(name, runs)
    yield from _conditions(charts, marks, runs)
    if charts.opening:
        made = charts.opening.picture
        caption = said("figure-dose-caption", notes=_notes(made))
        yield draw_dots(f"{name}-dose", said("figure-dose", benchmark=name), caption, made)


def _notes(made: DotPicture) -> list[Text]:
    """List the notes on a picture; of intervals, that they are clustered, too."""
    lines = said("dots-lines")
    return [said("figure-intervals") if note == lines else note for note in made.read]


def _limits(runs: Sequence[PaperRun], groups: Sequence[str]) -> list[Text]:
    """List what keeps runs from being compared with what is published, or with the default set."""
    alike = grouped(
        ((str(cover.apart), cover.set_otherwise), run)
        for run in runs
        if (cover := run.coverage).apart and not all(map(cover.whole, groups))
    )
    return [
        said("figure-limit", who=[run.label for run in own], why=own[0].coverage.apart,
             settings=settings)
        for (_, settings), own in alike.items()
    ]  # fmt: skip


def _headline(charts: Charts, marks: Sequence[RunMark], runs: list[PaperRun]) -> Iterator[Drawn]:
    """Draw the figure that papers give, in its groups, beside what is published (Table 1 of the
    paper, drawn); nothing where the overview has it.
    """
    measures = {measure.group: measure.name for measure in headlines(runs)}
    shown = [group for group in charts.groups if group.name in measures]
    rows = (drawn_rows(charts, group.name, measures[group.name]) for group in shown)
    drawn = dict.fromkeys(row.name for each in rows for row in each)
    if shown and (drawn or charts.lead.measure.name not in measures.values()):
        pictures = [beside(charts, marks, group, measures[group.name]) for group in shown]
        notes = {str(note): note for made in pictures for note in _notes(made)}
        source = charts.reference.cited(*drawn) if charts.reference and drawn else None
        there = {row.name for row in charts.published for group in shown
                 if measures[group.name] in row.groups.get(group.name, {})}  # fmt: skip
        less = len(there - drawn.keys()) if drawn else 0
        other = len(charts.published) - less - len(drawn) if drawn else 0
        caption = said("figure-headline-caption", source=source, less=less, most=MOST, other=other,
                       notes=[*notes.values()], limits=_limits(runs, [*measures]))  # fmt: skip
        title = said("figure-headline", benchmark=charts.name, beside=bool(drawn))
        yield draw_dots(f"{charts.name}-headline", title, caption, *pictures)


def main_groups(charts: Charts, panels: Sequence[str], way: str) -> list[ListedGroup]:
    """The groups of a figure: those that the benchmark says, those of the first level, or of two
    levels where the first has few; in the altered `way` where all was asked in one.
    """

    def bare(name: str) -> str:
        return name.removeprefix(f"{way}/")

    counted = {
        name for each in charts.figures.values() for name, own in each.items() if own.n
    }  # fmt: skip
    own = [
        one for one in charts.groups
        if one.name in counted - {ALL} and "=" not in bare(one.name) and not one.same
    ]  # fmt: skip
    if panels:
        return [one for one in own if one.level < 2 and bare(one.name).partition("/")[0] in panels]
    main, finer = [one for one in own if one.main], [one for one in own if one.level < 2]
    return finer if len(main) <= _FEW_GROUPS and len(finer) <= _MOST_ROWS else main


def _groups(
    charts: Charts, marks: Sequence[RunMark], shown: Sequence[ListedGroup]
) -> Iterator[Drawn]:
    """Right answers by group (Weck et al. 2024, Figure 4), unless the overview has them all."""
    drawn = charts.drawn.tasks if charts.drawn and charts.lead.measure == ACCURACY else {}
    if charts.drawn is None:
        shown = [*(group for group in charts.groups if group.name == ALL), *shown]
    if any(group.name not in drawn for group in shown):
        made = by_group(charts, _with(charts, marks, shown), shown, said("dots-right"))
        caption = said("figure-groups-caption", notes=_notes(made))
        title = said("figure-groups", benchmark=charts.name)
        yield draw_dots(f"{charts.name}-groups", title, caption, made)


def _with(charts: Charts, marks: Sequence[RunMark], groups: Sequence[ListedGroup]) -> list[RunMark]:
    """The runs that have a figure in one of some groups."""
    names = {group.name for group in groups}
    return [run for run in marks if names & charts.figures.get(run.number, {}).keys()]


def _best_pair(
    charts: Charts, marks: Sequence[RunMark], groups: Sequence[ListedGroup]
) -> Drawn | None:
    """Draw the two best runs of those that were paired: where does one really do better?"""
    figures = {run.number: charts.figures[run.number].get(ALL) for run in marks}
    best = sorted(figures, key=lambda n: -(((own := figures[n]) and own.accuracy) or 0.0))
    places = [sorted(map(best.index, pair)) for pair in charts.pairs]
    if not places:
        return None
    made = [*differences(charts, marks)][places.index(min(places))]
    wanted = {ALL, *(group.name for group in groups)}
    told = [next(dot.facts for dot in row.dots if dot) for row in made.rows]
    facts = told[0]
    kept = [n for n, row in enumerate(made.rows)  # not again what holds all that both were asked
            if row.key in wanted and (not n or told[n]["items"] != facts["items"])]  # fmt: skip
    first, second = facts["first"], facts["second"]
    made = replace(
        made,
        title=said("picture-difference", first=first, second=second),
        rows=tuple(made.rows[n] for n in kept),
        signs=tuple(made.signs[n] for n in kept),
    )
    caption = said("figure-differences-caption", first=first, second=second, items=facts["items"],
                   alpha=ALPHA)  # fmt: skip
    title = said("figure-differences", benchmark=charts.name, first=first, second=second)
    return draw_dots(f"{charts.name}-differences", title, caption, made)


def draw_dimensions(benchmark: str, runs: Sequence[PaperRun]) -> Iterator[Drawn]:
    """How many questions there are of each kind (Weck et al. 2024, Figure 2).

    Of benchmarks that say which kinds stand side by side, and of own questions of two categories
    with finer ones in them.
    """
    names = list(dict.fromkeys(name for run in runs for name in run.groups))
    sides: Sequence[str] = known(runs[0].manifest).panels
    if not sides and benchmark.partition("-")[0] == OWN:
        sides = list(dict.fromkeys(name.partition("/")[0] for name in names if "/" in name))
    pictures, table = [], list[list[Cell]]()
    for side in sides:
        counts = {
            group: len({n for run in runs if group in run.groups
                        for n in run.groups[group].items.tolist()})
            for group in names
            if group.startswith(f"{side}/") and group.count("/") == 1
        }  # fmt: skip
        shown = sorted(counts, key=lambda group: -counts[group])
        table += [[side, group, counts[group]] for group in shown]
        rows = tuple(DotRow(humanly(group), dots=(Dot(counts[group]),)) for group in shown)
        pictures.append(DotPicture("", humanly(side), "questions", ((Series("s0"), ""),), rows))
    if len(pictures) == 2 and all(made.rows for made in pictures):
        title, caption = (
            said("figure-dimensions", benchmark=benchmark),
            said("figure-dimensions-caption"),
        )
        columns = ["category", "dimension", "questions"]
        yield draw_dots(
            f"{benchmark}-dimensions", title, caption, *pictures, table=(columns, table)
        )


def _conditions(
    charts: Charts, marks: Sequence[RunMark], runs: Sequence[PaperRun]
) -> Iterator[Drawn]:
    """Right answers by the distractors offered, and with something else played (Weck et al. 2024,
    Figure 6).
    """
    name = charts.name
    if shown := _altered(charts, runs, "options"):
        given = sorted(shown, key=lambda given: (-(shown[given].chance or 0.0), given))
        offered = {one: one.upper().replace("+", " + ") for one in given}
        words: dict[str, Text] = {**offered, "all": said("picture-all-three")}
        made = _by_condition(charts, marks, {one: (shown[one], words[one]) for one in given})
        title = said("figure-distractors", benchmark=name)
        caption = said("figure-distractors-caption", notes=_notes(made))
        yield draw_dots(f"{name}-distractors", title, caption, made)
    shown = _altered(charts, runs, "sound")
    played = [one for one in _PLAYED if one in shown]
    if len(played) > 1:
        each = {one: (shown[one], said("picture-played", played=f"of-{one}")) for one in played}
        made = _by_condition(charts, marks, each)
        title = said("figure-attention", benchmark=name)
        caption = said("figure-attention-caption", notes=_notes(made))
        yield draw_dots(f"{name}-attention", title, caption, made)


def _altered(charts: Charts, runs: Sequence[PaperRun], changes: Changes) -> dict[str, ListedGroup]:
    """Return the groups of what was asked in ways that change something, by what was given; nothing
    where all was asked in one of them.
    """
    way = next(filter(None, (run.rows.ways.that_change(changes) for run in runs)), None)
    if way is None or not any(run.plain and not run.way for run in runs):
        return {}
    groups = {group.name: group for group in charts.groups if "/" not in group.name}
    own = {name.partition("=")[2]: group for name, group in groups.items()
           if name.startswith(f"{way.name}=")}  # fmt: skip
    return {str(way.plain): groups[ALL], **own} if own else {}


def _by_condition(
    charts: Charts, marks: Sequence[RunMark], each: Mapping[str, tuple[ListedGroup, Text]]
) -> DotPicture:
    shown = [group for group, _ in each.values()]
    made = by_group(charts, marks, shown, said("dots-right"))
    rows = [
        replace(row, name=words, key=given)
        for row, (given, (_, words)) in zip(made.rows, each.items(), strict=True)
    ]
    return replace(made, rows=tuple(rows))


def draw_shots(benchmark: str, runs: list[PaperRun]) -> Iterator[Drawn]:
    """Accuracy and instruction-following rate against worked examples (Figure 5)."""
    by_model: dict[str, dict[float, list[Rows]]] = {}
    names: dict[float, str] = {}
    models = models_in([run.manifest for run in runs])
    for run, model in zip(runs, models, strict=True):
        usual = resolved(run.manifest).get("options", {}).get("shots")
        way = run.rows.ways.that_change("examples")
        each = {usual: run.plain} if type(usual) is int else run.plain.by_way(way, usual)
        for given, own in each.items():  # a number is one way: an example itself is given fewer
            shots = _SHOTS.get(given) if isinstance(given, str) else given
            if shots is not None:
                names[float(shots)] = str(given)
                by_model.setdefault(model, {}).setdefault(shots, []).append(own)
    several = {model: own for model, own in by_model.items() if len(own) > 1}
    if not several:
        return
    labels = dict(zip(several, briefs(list(several)), strict=True))  # a line is of several runs
    signs = {model: run.series for run, model in [*zip(runs, models, strict=True)][::-1]}
    who = tuple((signs[model], labels[model]) for model in several)
    pictures = []
    for measure, title in ((ACCURACY, said("picture-score")), (IFR, said("picture-following"))):
        rule = chance_of(runs[0].plain) if measure == ACCURACY else None
        rows = [
            DotRow(
                names[shots],
                dots=tuple(
                    dot_of(estimate(Frame(*own[shots]), measure)) if shots in own else None
                    for own in several.values()
                ),
                rule=rule,
            )
            for shots in sorted(names)
        ]
        head = said("picture-examples")
        pictures.append(DotPicture(head, title, SHARE, who, tuple(rows), joined=True))
    title, caption = said("figure-shots", benchmark=benchmark), said("figure-shots-caption")
    yield draw_dots(f"{benchmark}-shots", title, caption, *pictures)
