"""The page of a suite: its file with its hash, what came of each run, and the report cards."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from html import escape
from importlib import resources
from pathlib import Path
from shlex import join
from string import Template
from typing import TYPE_CHECKING, Any

from zhiyin import __version__
from zhiyin.contract.command import run_command
from zhiyin.engine.naming import MARK, red
from zhiyin.files import write_atomically
from zhiyin.numerals import percent
from zhiyin.suite.folder import RUNS, SuiteState

if TYPE_CHECKING:
    from zhiyin.analysis.skills import Figure, Line, Part
    from zhiyin.suite.results import Cards

_STATES = {
    "planned": "not begun",
    "done": "done",
    "failed": "failed",
    "stopped": "stopped",
    "missing": "left out",
}


def write_page(
    folder: Path,
    state: SuiteState,
    cards: Sequence[Cards],
    written: Mapping[str, str],
    notes: Iterable[str],
    deaf: Collection[str] = (),
) -> Path:
    """Write the page, which opens from disk and takes nothing from elsewhere.

    Parameters
    ----------
    folder : Path
        The suite's.
    state : SuiteState
    cards : sequence of Cards
    written : mapping
        Report and leaderboard by name; empty where there is none.
    notes : iterable of str
    deaf : collection of str
        The runs whose model failed its canary.

    Returns
    -------
    Path

    Raises
    ------
    OSError
        It cannot be written.
    """
    template = resources.files("zhiyin.suite").joinpath("page.html").read_text("utf-8")
    links = [name for name, place in written.items() if place]
    content = Template(template).substitute(
        name=escape(state.name),
        about=f"<p>{escape(state.about)}</p>" if state.about else "",
        links=" ".join(f'<a href="{name}/index.html">{name}</a>' for name in links),
        notes="".join(f"<p class=note>{_marked_note(note)}</p>" for note in notes),
        finding=_finding(state, cards),
        hash=f"SHA-256 <code>{state.now.sha256[:16]}…</code>",
        cards="".join(_section(each, len(cards) > 1) for each in cards) + _unplaced(state, cards),
        runs=_runs(state, deaf),
        method=_method(folder, state),
        version=escape(__version__),
    )
    path = folder / "index.html"
    write_atomically(path, content.encode("utf-8", "replace"))
    return path


def _marked_note(note: str) -> str:
    name, mark, rest = note.partition(f"{MARK}: ")
    return f'<span class="bad">{escape(note)}</span>' if mark else escape(name + rest)


def _finding(state: SuiteState, cards: Sequence[Cards]) -> str:
    """How far the suite is, and which model is best at which skill, in some sentences."""
    done = sum(run.state == "done" for run in state.runs)
    sentences = [f"{done:,} of {len(state.runs):,} runs are done."]
    for each in cards:
        where = f"With {each.condition}, " if len(cards) > 1 and each.condition else ""
        ahead: dict[str, list[str]] = {}
        for order in each.orders:
            ahead.setdefault(order.ahead, []).append(order.title)
        level = ahead.pop("", [])
        clauses = [f"{name} is best at {', '.join(skills)}" for name, skills in ahead.items()]
        clauses += [f"nobody is told apart as the best at {', '.join(level)}"] if level else []
        sentences += [f"{where}{'; '.join(clauses)}."] if clauses else []
    return f'<p class="says">{escape(" ".join(sentences))}</p>'


def _unplaced(state: SuiteState, cards: Sequence[Cards]) -> str:
    """The benchmarks that were asked and are in no skill."""
    placed = {
        part.benchmark
        for each in cards
        for card in each.cards
        for line in card.lines
        for part in line.parts
    }
    asked = dict.fromkeys(run.benchmark for run in state.runs if run.state == "done")
    left = [name for name in asked if name not in placed]
    if not left or not cards:
        return ""
    return f"<p>In no report card, for they name no skill: {escape(', '.join(left))}.</p>"


def _section(cards: Cards, several: bool) -> str:
    title = f", {escape(cards.condition)}" if several and cards.condition else ""
    parts = [f"<h2>Which model for which skill{title}</h2>"]
    if cards.orders:
        rows = [
            [
                escape(order.title),
                f"{order.items:,}",
                ", ".join(
                    f"{escape(row.name)} {percent(row.value)} <sup>{row.letters}</sup>"
                    for row in order.ranked
                ),
                escape(order.sentence),
            ]
            for order in cards.orders
        ]
        tests = cards.orders[0].tests
        parts.append(_table(("skill", "items", "right, %, best first", "told apart?"), rows, (1,)))
        parts.append(
            "<p>On the items that all models judged. Models that share a letter are not told "
            f"apart by paired tests (signs of whole clusters flipped, Holm over {tests} tests, "
            "5 %).</p>"
        )
    else:
        parts.append("<p>With one model there is nothing to compare.</p>")
    for card in cards.cards:
        parts.append(f"<h2>Report card: {escape(card.model)}{title}</h2>")
        parts.append(_card(card.lines))
        parts += [
            f"<p class=note>missing: {escape(benchmark)}: {escape(what)}</p>"
            for benchmark, what in card.get.items()
        ]
    return "".join(parts)


def _card(lines: Sequence[Line]) -> str:
    rows: list[list[str]] = []
    unasked = [line.title for line in lines if not (line.parts or line.missing)]
    for line in lines:
        if line.title in unasked:
            continue
        name = f"<b>{escape(line.title)}</b>"
        rows.append([name, f"{line.items:,}", *_figure(line.figure), _share(line.floor), ""])
        rows += [_part(part) for part in line.parts]
        rows += [[f"&emsp;{escape(name)}", "missing", "", "", "", ""] for name in line.missing]
    columns = ("skill, and its parts", "items", "right, %", "95 %", "floor", "people")
    return (_table(columns, rows, (1, 2, 3, 4)) if rows else "") + (
        f"<p>Nothing was asked of {escape(', '.join(unasked))}.</p>" if unasked else ""
    )


def _part(part: Part) -> list[str]:
    name = f"&emsp;{escape(part.benchmark)}"
    if part.scored:
        name += f": {escape(part.scored)}"
    if not part.items:
        name += " (by degrees, neither right nor wrong)"
        return [name, f"{part.degrees:,}", "-", "", "", ""]
    people = "<br>".join(
        f"{escape(p.who)}: {percent(p.value)}"
        + (" (precision)" if p.figure == "precision" else "")
        + ("" if p.same else ", on the whole of the data")
        for p in part.people
    )
    return [name, f"{part.items:,}", *_figure(part.figure), _share(part.floor), people]


def _runs(state: SuiteState, deaf: Collection[str]) -> str:
    rows = [
        [
            f'<a href="{RUNS}/{escape(run.name)}">{escape(run.name)}</a>'
            f"{red(MARK) if run.name in deaf else ''}",
            _STATES[run.state],
            escape(run.told),
            f"<code>{escape(run_command(run.asked, run.spec, run.cell.words))}</code>",
        ]
        for run in state.runs
    ]
    return _table(("run", "state", "told", "as a command"), rows)


def _method(folder: Path, state: SuiteState) -> str:
    """The file as it was given last, with its hash; and those before it."""
    given = state.now
    text = (folder / given.file).read_text("utf-8", "replace")
    flags = f" with <code>{escape(join(given.given))}</code>" if given.given else ""
    parts = [f"<p>SHA-256 <code>{given.sha256}</code>, since {_moment(given.since)}{flags}</p>"]
    parts.append(f'<pre tabindex="0" aria-label="the file">{escape(text)}</pre>')
    if len(state.files) > 1:
        before = "".join(
            f"<li><a href='{escape(each.file)}'>{escape(each.file)}</a> "
            f"{escape(each.sha256[:16])}, since {_moment(each.since)} "
            f"{escape(join(each.given))}</li>"
            for each in state.files[:-1]
        )
        parts.append(f"<p>Begun with other files or flags:</p><ul>{before}</ul>")
    return "".join(parts)


def _moment(text: str) -> str:
    """A time in the log, as people write it: 2026-01-31 09:30 UTC."""
    return escape(text[:16].replace("T", " ") + " UTC" if text.endswith("+00:00") else text)


def _table(
    columns: Sequence[str], rows: Iterable[Sequence[str]], numbers: Sequence[int] = ()
) -> str:
    """A table; `numbers`: the columns of figures. An empty column is left out."""
    rows = list(rows)
    shown = [place for place in range(len(columns)) if any(row[place] for row in rows)]
    kinds = {place: ' class="n"' if place in numbers else "" for place in shown}
    head = "".join(f'<th scope="col"{kinds[p]}>{columns[p]}</th>' for p in shown)
    body = "".join(
        f"<tr>{''.join(_cell(columns[p], row[p], kinds[p]) for p in shown)}</tr>" for row in rows
    )
    return (
        f'<div class=wide tabindex="0" role="group" aria-label="{columns[0]}"><table><thead><tr>'
        f"{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _cell(column: str, text: str, kind: str) -> str:
    """A cell, which on a phone stands beside the name of its column."""
    return f'<td{kind} data-label="{column}">{f"<span>{text}</span>" if text else ""}</td>'


def _figure(figure: Figure | None) -> list[Any]:
    if figure is None:
        return ["-", ""]
    return [percent(figure.value), f"{percent(figure.low)} to {percent(figure.high)}"]


def _share(value: float | None) -> str:
    return "-" if value is None else percent(value)
