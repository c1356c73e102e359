"""The tables of some runs, as CSV for machines, Markdown for pages and LaTeX for papers."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

import msgspec

from zhiyin.analysis.compare import compare
from zhiyin.analysis.comparison import Comparison
from zhiyin.analysis.health import Health, health
from zhiyin.analysis.summary import details
from zhiyin.contract.declared import Section
from zhiyin.engine.tally import ALL, nested
from zhiyin.errors import InputError
from zhiyin.files import write_atomically
from zhiyin.numerals import p_value
from zhiyin.paths import Place, Places, as_paths
from zhiyin.report.figures import FigureRun, gather
from zhiyin.report.figures.scores import reference_of
from zhiyin.text import csv_row

Cell = str | float | int | None

_LONG = 40  # rows that a page holds
_LATEX = {
    "\\": r"\textbackslash{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
}


class Table(msgspec.Struct, frozen=True):
    """A table: cells are text, numbers or None for what is not known.

    Attributes
    ----------
    name : str
        Stem of its files: ``triads-scores``.
    title : str
    columns : list of str
    rows : list of list
        Fractions as they are, 0 to 1; `percent` names the columns that people read in per cent.
    notes : list of str
    percent : frozenset of str
    """

    name: str
    title: str
    columns: list[str]
    rows: list[list[Cell]]
    notes: list[str] = []
    percent: frozenset[str] = frozenset()


def write_tables(runs: Places, out: Place) -> list[Table]:
    """Write all tables of some runs: each as ``NAME.csv``, ``NAME.md`` and ``NAME.tex``.

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
    for table in tables:
        for suffix, written in (("csv", as_csv), ("md", as_markdown), ("tex", as_latex)):
            text = written(table)
            write_atomically(out / f"{table.name}.{suffix}", text.encode())
    return tables


def make_tables(runs: Places) -> list[Table]:
    """Scores, published rows, comparison, health and the benchmarks' own tables."""
    runs = as_paths(runs)
    tables = []
    for benchmark, own in gather(runs).items():
        tables.append(_scores(benchmark, own))
        if (published := _published(benchmark, own)) is not None:
            tables.append(published)
        tables += _compared(benchmark, own)
        if (sound := _health(benchmark, own)) is not None:
            tables.append(sound)
        for run in own:
            for number, section in enumerate(details(run.folder, run.manifest), 1):
                tables.append(_of_section(benchmark, run, number, section))
    return tables


def as_csv(table: Table) -> str:
    """The table as CSV with full precision, fractions as fractions."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(csv_row(table.columns))
    writer.writerows(map(csv_row, table.rows))
    return text.getvalue()


def as_markdown(table: Table) -> str:
    """The table as GitHub's Markdown, its title above and its notes below."""
    sides = ["---" if _is_text(table, place) else "---:" for place in range(len(table.columns))]
    lines = [table.columns, *(_printed(table, row) for row in table.rows)]
    body = ["| " + " | ".join(map(markdown, cells)) + " |" for cells in lines]
    body.insert(1, "|" + "|".join(sides) + "|")
    notes = [f"\n{markdown(note)}" for note in table.notes]
    return "\n".join([f"**{markdown(table.title)}**\n", *body, *notes]) + "\n"


def as_latex(table: Table) -> str:
    """The table as LaTeX for the package booktabs (and longtable, over 40 rows), escaped."""
    sides = "".join("l" if _is_text(table, n) else "r" for n in range(len(table.columns)))
    caption = rf"\caption{{{latex(table.title)}}}\label{{tab:{table.name}}}"
    head = [r"\toprule", _latex_row(table.columns), r"\midrule"]
    body = [_latex_row(_printed(table, row)) for row in table.rows]
    notes = [rf"\par\footnotesize {latex(note)}" for note in table.notes]
    if len(table.rows) > _LONG:
        start = [rf"\begin{{longtable}}{{{sides}}}", rf"{caption} \\", *head, r"\endhead"]
        lines = [*start, *body, r"\bottomrule", r"\end{longtable}", *notes]
    else:
        start = [r"\begin{table}", caption, rf"\begin{{tabular}}{{{sides}}}", *head]
        lines = [*start, *body, r"\bottomrule", r"\end{tabular}", *notes, r"\end{table}"]
    return "\n".join(lines) + "\n"


def _latex_row(cells: Sequence[str]) -> str:
    r"""A row. A star or a bracket at its beginning would belong to the ``\\`` of the row above."""
    row = " & ".join(map(latex, cells))
    return f"{'{}' * row.startswith(('*', '['))}{row} \\\\"


def latex(text: str) -> str:
    """`text` with LaTeX's own signs escaped, on one line."""
    return "".join(_LATEX.get(sign, sign) for sign in " ".join(text.split()))


def markdown(text: str) -> str:
    """`text` with Markdown's own signs escaped, on one line."""
    escaped = "".join(f"\\{sign}" if sign in "\\|*_`<>[]" else sign for sign in text)
    return " ".join(escaped.split())


def _is_text(table: Table, place: int) -> bool:
    return any(isinstance(row[place], str) for row in table.rows)


def _printed(table: Table, row: Sequence[Cell]) -> list[str]:
    """Cells as people read them: per cent with one decimal where the column says so."""
    cells = []
    for name, cell in zip(table.columns, row, strict=True):
        if cell is None:
            cells.append("–")
        elif isinstance(cell, float):
            cells.append(f"{100 * cell:.1f}" if name in table.percent else _number(cell))
        else:
            cells.append(str(cell))
    return cells


def _number(value: float) -> str:
    return p_value(value) if 0 < value < 1e-4 else f"{value:.4g}"


def _scores(benchmark: str, runs: list[FigureRun]) -> Table:
    """Every group of every run: accuracy with its interval, precision, F1, rate of answers."""
    rows: list[list[Cell]] = []
    for run in runs:
        groups = run.judged.by_group()
        groups[ALL] = run.plain or run.judged
        for name in nested(list(groups)):
            items, n = groups[name].by_item(), len(groups[name])
            interval = items.interval()
            figures = (interval.mean, interval.low, interval.high)
            others = [items.value("precision"), items.value("f1"), items.value("ifr")]
            rows.append([run.label, name, n, interval.n, interval.clusters, *figures, *others])
    percent = ["accuracy", "low", "high", "precision", "F1", "IFR"]
    return Table(
        f"{benchmark}-scores",
        f"{benchmark}: scores, %",
        ["run", "group", "trials", "items", "clusters", *percent],
        rows,
        [
            "Low, high: 95 % interval of the accuracy, clustered. Repeats, rotations, conditions "
            "of an item are averaged first. IFR: share of replies with a readable answer. Trials "
            "that failed are in no figure; altered sound and fewer distractors are not in all.",
            *(f"{run.label}: {caution}." for run in runs if (caution := run.extent.caution)),
        ],
        frozenset(percent),
    )


def _published(benchmark: str, runs: list[FigureRun]) -> Table | None:
    reference = reference_of(runs)
    if reference is None:
        return None
    ran = {group for run in runs for group in run.groups if run.extent.whole(group)}
    rows: list[list[Cell]] = [
        [name, reference.kinds.get(name, "model"), group, figure, value]
        for name, row in reference.rows.items()
        for group, figures in row.items()
        if group in ran
        for figure, value in figures.items()
    ]
    if not rows:
        return None
    notes = [reference.source]
    columns = ["row", "kind", "group", "figure", "value"]
    title, percent = f"{benchmark}: published, %", frozenset({"value"})
    return Table(f"{benchmark}-published", title, columns, rows, notes, percent)


def _compared(benchmark: str, runs: list[FigureRun]) -> list[Table]:
    """The ranking and the differences; nothing where the runs cannot be paired."""
    if len(runs) < 2:
        return []
    try:
        comparison = compare([run.folder for run in runs])
    except InputError:
        return []
    label = {str(run.folder): run.label for run in runs}
    short = {run.label: label[run.run] for run in comparison.runs}
    return [_ranking(benchmark, comparison, short), _differences(benchmark, comparison, short)]


def _ranking(benchmark: str, comparison: Comparison, short: dict[str, str]) -> Table:
    return Table(
        f"{benchmark}-ranking",
        f"{benchmark}: ranking on {comparison.items} common items, %",
        ["run", "score", "low", "high", "groups"],
        [
            [short[r.label], r.score.mean, r.score.low, r.score.high, r.letters]
            for r in comparison.ranking
        ],
        [
            "Runs that share a letter are not told apart (paired tests, Holm, "
            f"{comparison.alpha:g})."
        ],
        frozenset({"score", "low", "high"}),
    )


def _differences(benchmark: str, comparison: Comparison, short: dict[str, str]) -> Table:
    percent = ["first score", "second score", "difference", "low", "high", "MDE"]
    return Table(
        f"{benchmark}-differences",
        f"{benchmark}: paired differences, points",
        ["first", "second", "group", "items", *percent, "test", "p", "p adjusted", "resolved"],
        [
            [
                *(short[pair.first], short[pair.second], row.group, row.items, row.first),
                *(row.second, row.difference, row.low, row.high, _shown(row.detectable), row.test),
                *(row.p, row.p_adjusted, "yes" if row.resolved else "no"),
            ]
            for pair in comparison.pairs
            for row in pair.groups
        ],
        [
            "First minus second with its 95 % cluster-robust interval. MDE: smallest true "
            "difference found with 80 % power. Adjusted: Holm over pairs for the whole, "
            "Benjamini-Hochberg over the groups. Not resolved is not equal."
        ],
        frozenset(percent),
    )


def _shown(detectable: float) -> float | None:
    """None where no difference is as large as what would be found."""
    return detectable if detectable <= 1 else None


def _health(benchmark: str, runs: list[FigureRun]) -> Table | None:
    checked: list[tuple[str, Health]] = []
    for run in runs:
        if run.judged.choices:
            checked.append((run.label, health(run.folder)))
    if not checked:
        return None
    percent = ["accuracy", "given an answer", "corrected", "best constant", "RStd", "by chance"]
    rows: list[list[Cell]] = []
    for label, one in checked:
        for group in one.groups:
            behaviour, letters = group.behaviour, group.letters
            test = letters.chosen_against_key
            rows.append(
                [
                    *(
                        label,
                        group.group,
                        behaviour.judged,
                        group.accuracy.mean,
                        group.given_answer,
                    ),
                    *(group.corrected.corrected, group.constant.accuracy, letters.rstd),
                    *(letters.rstd_by_chance, test.p if test else None, behaviour.evasions),
                    *(behaviour.refusals, behaviour.truncated, behaviour.bare),
                ]
            )
    further = ["p letters", "evasions", "refusals", "cut off", "bare letters"]
    return Table(
        f"{benchmark}-health",
        f"{benchmark}: multiple-choice health, %",
        ["run", "group", "trials", *percent, *further],
        rows,
        [
            "Corrected: 0 is guessing, 1 (100 %) all right. Best constant: one letter for all. "
            "RStd: standard deviation of the letters' recalls. p letters: chosen letters against "
            "the key, chi-square over items: the answers to an item weigh 1 together."
        ],
        frozenset(percent),
    )


def _of_section(benchmark: str, run: FigureRun, number: int, section: Section) -> Table:
    """A benchmark's own table, whose figures are in per cent already."""
    name = f"{benchmark}-details-{run.place + 1}-{number}"
    rows = [list(row) for row in section.rows]
    return Table(name, f"{section.title} ({run.label})", section.columns, rows, section.notes)
