"""The tables of some runs, as CSV for machines, Markdown for pages and LaTeX for papers.

A run's measured figures, in the form of every export: the headline first.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from zhiyin.analysis.beside import asked_alike
from zhiyin.analysis.compare import compare
from zhiyin.analysis.comparison import Comparison
from zhiyin.analysis.summary import details
from zhiyin.contract.registry import known
from zhiyin.engine.folder import Manifest, read_manifest
from zhiyin.engine.scoring import ALL, nested
from zhiyin.errors import InputError
from zhiyin.files import Place, Places, as_paths, write_atomically
from zhiyin.plugins.methods.health import health
from zhiyin.record import SCORE
from zhiyin.report.methods import methods_paragraph
from zhiyin.report.paper_columns import has_figure
from zhiyin.report.paper_runs import PaperRun, gather, headlines, paper_name, reference_of
from zhiyin.runs.estimates import Frame, Made, estimate
from zhiyin.runs.figures import group_name
from zhiyin.runs.measures import ACCURACY, SHARE, USUAL, Estimate, Ints, Measure, measure_named
from zhiyin.runs.rows import rows_of
from zhiyin.session import short_name
from zhiyin.shown.charts import Series
from zhiyin.shown.paper import as_csv, as_latex, as_markdown, text_as_latex
from zhiyin.shown.table import Cell, Column, Kind, Table, kinds_of, table_of
from zhiyin.statistics.choice import LEAST_KEYS
from zhiyin.words import Text, say


def write_tables(runs: Places, out: Place) -> list[Table]:
    """Write tables of runs as ``NAME.csv``, ``.md``, ``.tex``; ``methods.txt``, ``methods.zh.txt``.

    Parameters
    ----------
    runs : sequence of Path
    out : Path
        Folder for the files; made if it is not there.

    Returns
    -------
    list of Table

    Raises
    ------
    InputError
        When a folder is not a run.
    """
    runs, out = as_paths(runs), Path(out)
    out.mkdir(parents=True, exist_ok=True)
    tables = make_tables(runs)
    titles = {one.benchmark: known(one).titles for one in map(read_manifest, runs)}
    for stem, language in (("methods", "en"), ("methods.zh", "zh")):
        methods = methods_paragraph(runs, language)
        write_atomically(out / f"{stem}.txt", f"{methods}\n".encode())
        write_atomically(out / f"{stem}.tex", text_as_latex(methods).encode())
    for table in tables:
        of = max((name for name in titles if table.name.startswith(f"{name}-")), key=len)
        paper = as_latex(_on_paper(table, titles[of]))
        for suffix, text in (("csv", as_csv(table)), ("md", as_markdown(table)), ("tex", paper)):
            write_atomically(out / f"{table.name}.{suffix}", text.encode())
    return tables


_MOST_ROWS, _MOST_PARTS = 30, 3
"""So many rows a float holds beside its notes, and so many floats main groups may take."""


def _on_paper(table: Table, titles: Mapping[str, Text]) -> Table:
    """A table as one float holds it: an interval behind its figure, what all rows share below,
    groups by their names in words.

    Of groups of questions too many for it, the main ones stand there, or the whole alone.
    """
    heads = [column.head() for column in table.columns]
    lines: list[list[Any]] = [[*row.cells] for row in table.rows]
    columns, notes = [*table.columns], [*table.notes]
    if "group" in heads:
        place = heads.index("group")
        joint = "/"
        while one := _holds_all(lines, place):
            lines = [line for line in lines if line[place] != one]
            for line in lines:
                line[place] = str(line[place]).removeprefix(f"{one}/")
            notes.append(f"All with {one}." if "=" in one else f"All of {_in_words(one, titles)}.")
            joint = joint if "=" in one else "/="  # how difficult items are is no part of a task
            titles = {name.removeprefix(f"{one}/"): words for name, words in titles.items()}
        every = [line for line in lines if line[place] == ALL]
        again = [line for line in lines if "=" not in str(line[place])
                 and [*line[:place], ALL, *line[place + 1 :]] in every]  # fmt: skip
        others = {ALL, *(str(line[place]) for line in lines if line not in again)}
        lines = [line for line in lines if line not in again or str(line[place]) in others]
        main = [line for line in lines if not {*joint} & {*str(line[place])}]
        whole = [line for line in lines if line[place] == ALL] or lines
        sizes = (lines, _MOST_ROWS), (main, _MOST_ROWS * _MOST_PARTS)
        kept = next((own for own, most in sizes if len(own) <= most), whole)
        if len(kept) < len(lines):
            what = "all questions together" if kept == whole else "the main groups of questions"
            notes.append(f"Of {what} alone; {table.name}.csv has every group.")
        lines = kept
        for line in lines:
            line[place] = _in_words(str(line[place]), titles)
    if "low" in heads:
        low = heads.index("low")
        del columns[low : low + 2]
        for line in lines:
            figure = tuple(line[low - 1 : low + 2])
            line[low - 1 : low + 2] = [figure[0] if None in figure else figure]
    texts = [n for n, column in enumerate(columns) if column.kind == "text"]
    alike = [n for n in texts if len({str(line[n]) for line in lines}) == 1 < len(lines)]
    if alike:
        shared = (f"{columns[n].head()} {lines[0][n]}" for n in alike)
        notes.insert(0, f"All rows: {', '.join(shared)}.")
        columns = [column for n, column in enumerate(columns) if n not in alike]
        lines = [[cell for n, cell in enumerate(line) if n not in alike] for line in lines]
    return table_of(table.name, columns, lines, table.title, notes)


def _in_words(group: str, titles: Mapping[str, Text]) -> str:
    """A group as a paper calls it, behind the one above it where that has a title, too."""
    above = group.rpartition("/")[0]
    words = say(titles.get(group) or group_name(group), "en")
    return f"{say(titles[above], 'en')}: {words}" if {above, group} <= titles.keys() else words


def _holds_all(lines: Sequence[list[Any]], place: int) -> str:
    """A group, such as a way or a task, that holds what the whole holds and all others lie within:
    "" for none.
    """
    groups = {str(line[place]) for line in lines} - {ALL}
    whole = [[*line[:place], *line[place + 1 :]] for line in lines if line[place] == ALL]
    for one in groups:
        same = ([*line[:place], *line[place + 1 :]] for line in lines if line[place] == one)
        within = all(each == one or each.startswith(f"{one}/") for each in groups)
        if within and all(line in whole for line in same):
            return one
    return ""


def make_tables(runs: Places) -> list[Table]:
    """Scores, published rows, comparison, health and the benchmarks' own tables."""
    runs = as_paths(runs)
    tables: list[Table] = []
    for benchmark, every in gather(runs, lambda run: True).items():
        own = [run for run in every if run.judged]
        found = [
            _scores(benchmark, own) if own else None,
            _measured(benchmark, every),
            _published(benchmark, own),
            *_compared(benchmark, [run for run in every if run in own or has_figure(run)]),
            _health(benchmark, own),
        ]
        called = paper_name(every)
        tables += [replace(one, title=f"{called}: {one.title}") for one in found if one]
        for run in own:
            for number, section in enumerate(details(run.every, run.manifest), 1):
                titled = replace(section, title=f"{section.title} ({run.label})")
                tables.append(titled.table(f"{benchmark}-details-{every.index(run) + 1}-{number}"))
    return tables


def _shares(*names: str) -> dict[str, Kind | Column]:
    return dict.fromkeys(names, "share")


def _scores(benchmark: str, runs: list[PaperRun]) -> Table:
    """Every group of every run: accuracy with its interval, precision, F1, rate of answers."""
    rows: list[tuple[Cell, ...]] = []
    for run in runs:
        groups = run.every.judged.by_group()
        groups[ALL] = run.plain or run.judged
        for name in nested(list(groups)):
            frame, made = Frame(groups[name]), Made()
            own, *others = (
                estimate(frame, measure, made=made, ends=measure is ACCURACY) for measure in USUAL
            )
            figures = (own.value, own.low, own.high, *(other.value for other in others))
            rows.append((run.label, name, own.n, own.items, own.clusters, *figures))
    return table_of(
        f"{benchmark}-scores",
        {
            "run": "text", "group": "text", "trials": "count", "items": "count",
            "clusters": "count",
            **_shares("accuracy", "low", "high", "precision", "F1", "IFR"),
        },
        rows,
        "scores, %",
        [
            "Accuracy with its 95 % interval, clustered. Repeats, rotations, conditions "
            "of an item are averaged first. IFR: share of replies with a readable answer. Trials "
            "that failed are in no figure; altered sound and fewer distractors are not in all.",
            *(f"{run.label}: {caution}." for run in runs if (caution := run.coverage.caution)),
        ],
    )  # fmt: skip


def _measured(benchmark: str, runs: list[PaperRun]) -> Table | None:
    """Table of measures beside the usual shares, in their own units; None for nothing."""
    rows: list[tuple[Cell, ...]] = []
    for run in runs:
        for one in measured(run.folder, run.manifest):
            of = one.measure
            if of.weighted or any(of.of == usual.of for usual in USUAL):
                continue
            better = "lower" if of.lower_is_better else "higher" if of.declared else ""
            ends = one.value, one.low, one.high
            rows.append((run.label, of.name, unit_of(of), better, one.group, one.items, *ends))
    columns: dict[str, Kind] = {
        **dict.fromkeys(("run", "measure", "unit", "better", "group"), "text"), "items": "count",
        **dict.fromkeys(("value", "low", "high"), "number"),
    }  # fmt: skip
    note = ["With the 95 % interval, clustered. A proportion is of 1."]
    name, title = f"{benchmark}-measures", "measures"
    return table_of(name, columns, rows, title, note) if rows else None


def _published(benchmark: str, runs: list[PaperRun]) -> Table | None:
    reference = reference_of(runs)
    if reference is None:
        return None
    ran = {group for run in runs for group in run.groups if run.coverage.whole(group)}
    rows = [
        (name, reference.kinds.get(name, "model"), group, figure, value, reference.of(name).told)
        for name, row in reference.rows.items()
        for group, figures in row.items()
        if group in ran
        for figure, value in figures.items()
    ]
    if not rows:
        return None
    columns: dict[str, Kind] = {
        "row": "text", "kind": "text", "group": "text", "figure": "text", "value": "share",
        "settings": "text",
    }  # fmt: skip
    name, title = f"{benchmark}-published", "published, %"
    return table_of(name, columns, rows, title, [reference.source])


def _compared(benchmark: str, runs: list[PaperRun]) -> Iterator[Table]:
    """The ranking and the differences of runs that were asked alike, where they can be paired."""
    ways = [[runs[place] for place in own] for own in asked_alike(runs)]
    for number, own in enumerate([own for own in ways if len(own) > 1], 1):
        with contextlib.suppress(InputError):
            comparison = compare([run.folder for run in own])
            label = {str(run.folder): run.label for run in own}
            short = {run.label: label[run.run] for run in comparison.runs}
            name = benchmark if number == 1 else f"{benchmark}-{number}"
            yield _ranking(name, comparison, short)
            yield _differences(name, comparison, short)


def _ranking(benchmark: str, comparison: Comparison, short: dict[str, str]) -> Table:
    return table_of(
        f"{benchmark}-ranking",
        {"run": "text", **dict.fromkeys(("score", "low", "high"), kinds_of(comparison.scale)[0]),
         "groups": "text"},
        [(short[r.label], r.score.mean, r.score.low, r.score.high,
          r.letters if r.finished else "unfinished") for r in comparison.ranking],
        f"ranking on {comparison.items:,} common items{_where(comparison)}, {_of(comparison)}",
        [
            "No significant difference was found between runs that share a letter (paired tests, "
            f"Holm, {comparison.alpha:g})."
        ],
    )  # fmt: skip


def _differences(benchmark: str, comparison: Comparison, short: dict[str, str]) -> Table:
    where, kinds = _where(comparison), {*map(comparison.for_scale, comparison.pairs)}
    apart = "; pairs with baselines or unfinished runs apart" if len(kinds) > 1 else ""
    return table_of(
        f"{benchmark}-differences",
        {
            "first": "text", "second": "text", "group": "text", "items": "count",
            **dict.fromkeys(
                ("first score", "second score", "difference", "low", "high", "MDE"),
                kinds_of(comparison.scale)[0],
            ),
            "test": "text", "p": "p", "p adjusted": "p", "resolved": "text",
        },
        [
            (
                *(short[pair.first], short[pair.second], row.group, row.items, row.first),
                *(row.second, row.difference, row.low, row.high),
                *(row.findable(comparison.scale), row.test),
                *(row.p, row.p_adjusted, "yes" if row.resolved else "no"),
            )
            for pair in comparison.pairs
            for row in pair.groups
        ],
        "paired differences, "
        + ("points" if comparison.scale == SHARE else _of(comparison)),
        [
            "First minus second with its 95 % cluster-robust interval, each for itself. MDE: "
            "smallest true difference found with 80 % power. Adjusted: Holm over pairs for the "
            f"whole{' and' * bool(where)}{where}, Benjamini-Hochberg over the groups (exploratory)"
            f"{apart}: an interval may lie "
            "clear of 0 beside a large p. Not significant is not equal."
        ],
    )  # fmt: skip


def _where(comparison: Comparison) -> str:
    """The part of the questions that a ranking is of."""
    return f" in {comparison.part}" if comparison.part else ""


def _of(comparison: Comparison) -> str:
    """The unit of a comparison, and which way is better if that is lower."""
    unit = "%" if comparison.scale == SHARE else f"{comparison.measure} {comparison.scale}".strip()
    return f"{unit}, lower is better" if comparison.lower_is_better else unit


def _health(benchmark: str, runs: list[PaperRun]) -> Table | None:
    checked = [(run.label, health(run.folder)) for run in runs if run.judged.choices]
    if not checked:
        return None
    rows: list[tuple[Cell, ...]] = []
    for label, one in checked:
        for group in one.groups:
            behaviour, letters = group.behaviour, group.letters
            test = letters.chosen_against_key
            rows.append(
                (
                    *(label, group.group, behaviour.judged, group.accuracy.mean),
                    *(group.given_answer, group.corrected.corrected, group.constant.accuracy),
                    *(letters.rstd, letters.rstd_by_chance, test.p if test else None),
                    *(behaviour.evasions, behaviour.refusals, behaviour.truncated, behaviour.bare),
                )
            )
    further: dict[str, Kind] = dict.fromkeys(
        ("evasions", "refusals", "cut off", "bare letters"), "count"
    )
    return table_of(
        f"{benchmark}-health",
        {
            "run": "text", "group": "text", "trials": "count",
            **_shares("accuracy", "given an answer", "corrected", "best constant", "RStd"),
            **_shares("by chance"), "p letters": "p", **further,
        },
        rows,
        "multiple-choice health, %",
        [
            "Corrected: 0 is guessing, 1 (100 %) all right. Best constant: one letter for all. "
            "RStd: standard deviation of the recalls of letters that are the key of "
            f"{LEAST_KEYS} items or more. p letters: chosen letters against the key, chi-square "
            "over items: the answers to an item weigh 1 together."
        ],
    )  # fmt: skip


def measured(folder: Path, manifest: Manifest) -> list[Estimate]:
    """Every declared measure of a run that has a value.

    The headline comes first, then the share of right answers, or the headline where that is none,
    of each group; then each other declared measure, and each score that nobody declares, of the
    whole; at last scores that are made of parts.

    Returns
    -------
    list of Estimate
        With their groups; of a total made of parts with the judge in the measure.
    """
    run = PaperRun("", Series("s0"), folder, manifest)
    frame, declared = Frame(rows_of(folder)), known(manifest).measures
    leads = headlines([run])
    by_group = ACCURACY if any(leads[0].of == each.of for each in USUAL) else leads[0]
    names = frame.several[0].table.score_names
    wanted = [
        *((measure, measure.group) for measure in leads),
        *((by_group, group) for group in frame.groups(tree=False)),
        *((measure, measure.group) for measure in declared),
        *((measure_named(f"{SCORE}{name}", declared), ALL) for name in names),
    ]
    found = [
        own for own in known(manifest).by_degrees(run.rows.settled) if own.interval is not None
    ]
    for measure, group in dict.fromkeys(wanted):
        if not any((one.measure.name, one.group) == (measure.name, group) for one in found):
            own = estimate(frame, measure, places_of(frame, group), test=True)
            found += [replace(own, group=group)] if own.value is not None else []
    return [*found, *_of_parts(frame, manifest)]


def places_of(frame: Frame, group: str) -> Ints:
    """The trials of a group as logged, or of one without the names of ways in the main way."""
    own = frame.places(group)
    return own if len(own) or group == ALL else frame.places(group, "")


def _of_parts(frame: Frame, manifest: Manifest) -> Iterator[Estimate]:
    """The total and the parts of a run, under each judge."""
    for place, total in enumerate(known(manifest).totals(frame.several[0].folder)):
        for measure in (total, *total.parts):
            own = estimate(frame, measure)
            if own.value is None or (place and not measure.by and measure is not total):
                continue
            name = "score" if measure.by else "accuracy"
            named = replace(measure, name=name, group=measure.name)
            yield replace(own, measure=named, group=measure.name)


def name_of(one: Estimate, every: Sequence[Estimate]) -> str:
    """Name a figure: its group, and its judge if others of a run have another."""
    judges = {other.measure.by for other in every} - {""}
    many = one.measure.by and len(judges) > 1
    return f"{one.group}_{short_name(one.measure.by)}" if many else one.group


def unit_of(measure: Measure) -> str:
    """The unit of what goes out in words."""
    return "proportion" if measure.unit == SHARE else measure.unit or "not declared"
