"""One self-contained HTML page for one or more runs: figures, and every trial with its sound."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable
from html import escape
from importlib import resources
from pathlib import Path
from string import Template
from typing import Any

import msgspec

from zhiyin.benchmarks import Reference
from zhiyin.errors import InputError
from zhiyin.log import read_records
from zhiyin.record import STATES, Record
from zhiyin.summary import published, summarise
from zhiyin.tally import ALL
from zhiyin.trial import Audio, Trial

_SOUND_RATE = 22050


class Row(msgspec.Struct):
    """One trial and what each run made of it."""

    trial: Trial
    records: dict[int, Record]


def write_page(runs: list[Path], out: Path, most_trials: int = 500) -> None:
    """Write a page about `runs` that opens from disk and needs no other file.

    Parameters
    ----------
    runs : list of Path
        Run folders. Trials with the same id are shown side by side.
    out : Path
        The HTML file.
    most_trials : int
        No more trials than these are listed (the figures are always of all).

    Raises
    ------
    InputError
        When a folder is not a run, or the page cannot be written.
    """
    summaries = [summarise(run) for run in runs]
    rows, left_out = _rows(runs, most_trials)
    template = Template(resources.files(__package__).joinpath("page.html").read_text("utf-8"))
    title = " and ".join(dict.fromkeys(s["benchmark"] for s in summaries))
    page = template.substitute(
        title=escape(title),
        overview="".join(map(_overview, summaries)),
        published="".join(_published(summaries)),
        models="".join(f"<th>{escape(s['model'])}</th>" for s in summaries),
        trials="".join(_trial_rows(rows, len(runs))),
        left_out=f"{left_out} further trials are in the run folders." if left_out else "",
        states="".join(f'<option value="{s}">{s.replace("_", " ")}</option>' for s in STATES),
    )
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(page, "utf-8")
    except OSError as error:
        raise InputError(f"cannot write {out}: {error.strerror}; choose another with -o") from None


def _rows(runs: list[Path], most: int) -> tuple[list[Row], int]:
    rows: dict[str, Row] = {}
    left_out: set[str] = set()
    for number, run in enumerate(runs):
        for record in read_records(run):
            row = rows.get(record.id)
            if row is None:
                if len(rows) >= most:
                    left_out.add(record.id)
                    continue
                row = rows[record.id] = Row(record.trial, {})
            row.records[number] = record
    return list(rows.values()), len(left_out)


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f}"


def _overview(summary: dict[str, Any]) -> str:
    lines = [_figures_row(name, group) for name, group in summary["groups"].items()]
    notes = [*summary["remarks"], *summary["warnings"]]
    states = ", ".join(f"{n} {s.replace('_', ' ')}" for s, n in summary["states"].items() if n)
    return (
        f"<section><h2>{escape(summary['model'])} <small>on {escape(summary['benchmark'])}</small>"
        f"</h2><p>{summary['trials']} trials: {states}.</p><div class=scroll><table><thead><tr>"
        "<th>group<th>n<th>accuracy, %<th>95 % interval<th>precision<th>F1<th>IFR</tr></thead>"
        f"<tbody>{''.join(lines)}</tbody></table></div>"
        + "".join(f"<p class=note>{escape(note)}</p>" for note in notes)
        + "</section>"
    )


def _figures_row(name: str, group: dict[str, Any]) -> str:
    low, high = group["ci95"] or (None, None)
    figures = [
        str(group["n"]),
        _percent(group["accuracy"]),
        f"{_percent(low)} to {_percent(high)}",
        _percent(group["precision"]),
        _percent(group["f1"]),
        _percent(group["ifr"]),
    ]
    label = "everything" if name == ALL else name
    return f"<tr><th scope=row>{escape(label)}" + "".join(f"<td>{f}" for f in figures) + "</tr>"


def _published(summaries: list[dict[str, Any]]) -> Iterable[str]:
    for name in dict.fromkeys(s["benchmark"] for s in summaries):
        reference = published(name)
        if reference is None:
            continue
        runs = [s for s in summaries if s["benchmark"] == name]
        yield _reference_table(reference, runs)


def _reference_table(reference: Reference, runs: list[dict[str, Any]]) -> str:
    """Accuracy of each published row in the groups that a run here has too."""
    ran = {group for run in runs for group in run["groups"]}
    groups = [
        group
        for group in dict.fromkeys(g for row in reference.rows.values() for g in row)
        if group in ran and any("accuracy" in r.get(group, {}) for r in reference.rows.values())
    ]
    if not groups:
        return ""
    head = "".join(f"<th>{escape(group)}" for group in groups)
    body = [
        f"<tr class=ours><th scope=row>{escape(run['model'])} (here)"
        + "".join(f"<td>{_percent(run['groups'].get(g, {}).get('accuracy'))}" for g in groups)
        for run in runs
    ]
    body += [
        f"<tr><th scope=row>{escape(name)}"
        + "".join(f"<td>{_percent(row.get(g, {}).get('accuracy'))}" for g in groups)
        for name, row in reference.rows.items()
        if any(g in row for g in groups)
    ]
    return (
        f"<section><h2>Beside what has been published</h2><div class=scroll><table><thead><tr>"
        f"<th>accuracy, %{head}</tr></thead><tbody>{''.join(body)}</tbody></table></div>"
        f"<p class=note>{escape(reference.source)}. Published figures are on other items than "
        "these unless the run used the same recordings.</p></section>"
    )


def _trial_rows(rows: list[Row], runs: int) -> Iterable[str]:
    sounds: dict[str, str] = {}
    for row in rows:
        yield _trial_row(row, runs, sounds)


def _trial_row(row: Row, runs: int, sounds: dict[str, str]) -> str:
    trial = row.trial
    parts = [p for p in trial.messages[-1].parts if isinstance(p, Audio)]
    players = "".join(_player(part, sounds) for part in parts)
    target = next((o.text for o in trial.options if o.key == trial.target), trial.target or "")
    states = " ".join(sorted({r.verdict.state for r in row.records.values()}))
    cells = "".join(_answer_cell(trial, row.records.get(n)) for n in range(runs))
    asked = "\n\n".join(f"{m.role}: {m.text}" for m in trial.messages)
    return (
        f'<tr data-states="{states}"><td><code>{escape(trial.id)}</code><details><summary>asked'
        f"</summary><pre>{escape(asked)}</pre></details>"
        f"<td>{players or escape(trial.stem)}<td>{escape(target)}{cells}</tr>"
    )


def _answer_cell(trial: Trial, record: Record | None) -> str:
    if record is None:
        return "<td>not asked"
    verdict = record.verdict
    answer = next((o.text for o in trial.options if o.key == verdict.answer), verdict.answer)
    said = record.exchange.final.text if record.exchange.turns else record.error or ""
    label = answer if answer is not None else verdict.state.replace("_", " ")
    return (
        f"<td class={verdict.state}><span class=mark>{_MARKS[verdict.state]}</span> "
        f"{escape(label)}<details><summary>reply</summary><pre>{escape(said)}</pre>"
        f"<p class=note>{escape(verdict.state.replace('_', ' '))}: {escape(verdict.why)}</p>"
        "</details>"
    )


_MARKS = {
    "correct": "✓", "wrong": "✗", "no_answer": "?", "refused": "?", "truncated": "…", "error": "!",
}  # fmt: skip


def _player(part: Audio, sounds: dict[str, str]) -> str:
    """An audio player that holds the sound; a line of text where the file is gone."""
    if part.sha256 not in sounds:
        sounds[part.sha256] = _as_data_url(Path(part.path))
    url = sounds[part.sha256]
    if not url:
        return "<p class=note>the recording is no longer where it was</p>"
    return f'<audio controls preload="none" src="{url}"></audio>'


def _as_data_url(path: Path) -> str:
    """The sound as MP3 in a data URL: small enough that a page can hold hundreds."""
    import soundfile

    from zhiyin.sound import read_sound, resample

    if not path.is_file():
        return ""
    sound = resample(read_sound(path), _SOUND_RATE)
    buffer = io.BytesIO()
    soundfile.write(buffer, sound.samples, sound.rate, format="MP3")
    return "data:audio/mpeg;base64," + base64.b64encode(buffer.getvalue()).decode()
