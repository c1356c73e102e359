"""Runs in the formats of other tools: Parquet, CSV, Inspect's log, Every Eval Ever, the hub.

For a model's page on the hub there are two files, for it reads two forms:
``.eval_results/NAME.yaml`` (for data sets that are registered as benchmarks there;
https://huggingface.co/docs/hub/eval-results) and ``README.md`` with ``model-index`` in its front
matter, to be merged into a model card (for all others;
https://github.com/huggingface/hub-docs/blob/main/modelcard.md).
"""

from __future__ import annotations

import contextlib
import json
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from zhiyin.analysis.compare_parts import scorings
from zhiyin.analysis.extent import extent_of
from zhiyin.analysis.question_set import set_of_runs
from zhiyin.contract.registry import known
from zhiyin.engine.log import Manifest, read_manifest
from zhiyin.engine.scoring import ALL
from zhiyin.errors import InputError, did_you_mean, reworded
from zhiyin.files import Place, Places, as_paths, whole_or_nothing
from zhiyin.runs.estimates import estimate
from zhiyin.runs.rows import Rows, rows_of
from zhiyin.session import short_name
from zhiyin.statistics.intervals import Interval
from zhiyin.statistics.parts import TOTAL, Scored, part_interval
from zhiyin.text import csv_cell

FORMATS = {
    "parquet": "everything that was said, a row a trial",
    "csv": "the same for spreadsheets; lists and messages as JSON",
    "inspect": "a log for `inspect view`, sounds included",
    "eee": "an aggregate and its samples in the schema of Every Eval Ever",
    "hf": "evaluation results for a model card on the Hugging Face hub",
    "published": "what the benchmark's published code scores, where a format is known",
}

_FOLDERS, _SINGLE = ("hf", "eee"), ("inspect", "hf", "eee", "published")
"""Formats that are several files in a folder; those that hold one run."""


class Exported(msgspec.Struct, frozen=True):
    """What was written: the files, and what the user should know of them, a line each."""

    files: list[Path]
    notes: list[str] = []


def export(runs: Places, kind: str, out: Place, *, partial: bool = False) -> Exported:
    """Write runs in another format.

    Parameters
    ----------
    runs : sequence of Path
        Parquet and CSV take several; the others one.
    kind : {"parquet", "csv", "inspect", "eee", "hf", "published"}
    out : Path
        The file; for "hf" and "eee" a folder.
    partial : bool
        For "hf": whether a run of a part of the benchmark is taken.

    Raises
    ------
    InputError
        On an unknown format, more runs than it takes, a folder that is not a run, a file that
        is there already or cannot be written, a package that is not installed; for "hf" on a run
        that holds a part of its benchmark, unless `partial`.
    """
    runs, out = as_paths(runs), Path(out)
    if kind not in FORMATS:
        raise InputError(f"unknown format {kind!r}: {did_you_mean(kind, FORMATS)}")
    if len(runs) != 1 and kind in _SINGLE:
        raise InputError(f"--to {kind} takes one run, not {len(runs)}: export them one by one")
    if partial and kind != "hf":
        raise InputError(f"--partial is for --to hf; --to {kind} takes any run: leave it out")
    if kind not in _FOLDERS:
        refuse_existing(out)
    with reworded(f"cannot write {out}: "):
        (out if kind in _FOLDERS else out.parent).mkdir(parents=True, exist_ok=True)
        return _writer(kind, partial)(runs, out)


def refuse_existing(path: Path) -> None:
    """Raise `InputError` where there is a file already: it may be somebody's work."""
    if path.exists():
        raise InputError(f"{path} is there already: remove it, or choose another place with -o")


def _writer(kind: str, partial: bool) -> Callable[[Sequence[Path], Path], Exported]:
    if kind == "inspect":
        from zhiyin.report.export.inspect_log import write_inspect

        return lambda runs, out: write_inspect(runs[0], out)
    if kind == "eee":
        from zhiyin.report.export.every_eval_ever import write_eee

        return lambda runs, out: write_eee(runs[0], out)
    if kind == "hf":
        return lambda runs, out: write_hub(runs[0], out, partial=partial)
    if kind == "published":
        return _write_published
    return _write_csv if kind == "csv" else _write_parquet


@contextlib.contextmanager
def _polars_file(out: Path) -> Iterator[Path]:
    """As `whole_or_nothing`; what Polars says of a full disk becomes an `OSError`."""
    from polars import exceptions

    try:
        with whole_or_nothing(out) as place:
            yield place
    except (exceptions.PolarsError, exceptions.PanicException) as error:
        raise OSError(" ".join(str(error).split())) from None


def _write_parquet(runs: Sequence[Path], out: Path) -> Exported:
    """In portions, which Polars then joins without holding them."""
    from zhiyin.runs.frames import frames, polars_here

    polars = polars_here()

    with _polars_file(out) as place, tempfile.TemporaryDirectory(dir=out.parent) as parts:
        for number, frame in enumerate(frames(runs)):
            frame.write_parquet(Path(parts) / f"{number:06}.parquet")
        polars.scan_parquet(sorted(Path(parts).iterdir())).sink_parquet(place)
    return Exported([out])


def _write_published(runs: Sequence[Path], out: Path) -> Exported:
    from zhiyin.contract.registry import known
    from zhiyin.engine.log import read_manifest

    return Exported(*known(read_manifest(runs[0])).export_answers(runs[0], out))


def _write_csv(runs: Sequence[Path], out: Path) -> Exported:
    from zhiyin.runs.frames import frames, polars_here

    polars = polars_here()

    words = polars.col(polars.String)
    with _polars_file(out) as place, place.open("wb") as file:
        for number, frame in enumerate(frames(runs)):
            groups = [msgspec.json.encode(names.to_list()).decode() for names in frame["groups"]]
            column = polars.Series("groups", groups, dtype=polars.String)
            frame.replace_column(frame.columns.index("groups"), column)
            safe = frame.with_columns(words.map_elements(csv_cell, return_dtype=polars.String))
            safe.write_csv(file, include_header=number == 0)
    return Exported([out])


_DATA = re.compile(r"https://huggingface\.co/datasets/([\w.-]+/[\w.-]+)")
_DIGITS = 6


def write_hub(run: Place, out: Place, *, partial: bool = False) -> Exported:
    """Write the metadata of a run into the folder `out`.

    Parameters
    ----------
    run : Path
    out : Path
    partial : bool
        Whether a run of a part of the benchmark is taken; the files say so then.

    Returns
    -------
    Exported
        With notes on what to fill in or check before it is uploaded.

    Raises
    ------
    InputError
        When the folder is not a run, no trial in it has been judged, it holds a part of the
        benchmark and `partial` is False, or one of the files is there already.
    """
    run, out = Path(run), Path(out)
    manifest = read_manifest(run)
    named = rows_of(run).judged.main.by_group(conditions=False)
    groups = {name: rows for name, rows in named.items() if "/" not in name}
    extent = extent_of(run, manifest)
    if extent.judged and not groups:
        raise InputError(
            f"{run}: {extent.part}; the hub shows figures for the true sound and all distractors: "
            "run these"
        )
    in_parts = scorings(run)
    if not groups and not any(one.by for one in in_parts or ()):
        raise InputError(f"{run}: no trial has been judged yet; finish the run first")
    part = str(extent.apart or "")
    if part and not partial:
        raise InputError(
            f"{run}: {part}; readers of the hub would take it for the whole: finish or repeat the "
            "run, or say --partial, and the files tell it"
        )
    scores, unsaid = part_scores(in_parts) if in_parts is not None else (_of_groups(groups), [])
    dataset = dataset_of(manifest)
    results = out / ".eval_results" / f"{manifest.benchmark}.yaml"
    card = out / "README.md"
    for path in (results, card):
        refuse_existing(path)
    results.parent.mkdir(parents=True, exist_ok=True)
    how, asked = _how(manifest, part), str(set_of_runs([(manifest, rows_of(run))]))
    with whole_or_nothing(results) as first, whole_or_nothing(card) as second:
        first.write_text(_results(manifest, scores, dataset, how), encoding="utf-8")
        second.write_text(_card(manifest, scores, dataset, how, asked), encoding="utf-8")
    notes = [f"part of the benchmark ({part}): both files say so"] if part else []
    notes += unsaid
    notes += ["merge the front matter of README.md into the model's own card"]
    if dataset is None:
        notes.append(f"{manifest.benchmark} is no data set on the hub: put its id in both files")
    else:
        notes.append(
            f"the hub shows {results.name} only if {dataset} is registered as a benchmark with "
            "these task ids"
        )
    return Exported([results, card], notes)


def dataset_of(manifest: Manifest) -> str | None:
    """The benchmark's data set on the hub, from its reference."""
    match = _DATA.search(known(manifest).paper)
    return match.group(1) if match else None


def _how(manifest: Manifest, part: str | None) -> str:
    """What a reader has to know to repeat the figure, in a line."""
    options = manifest.config.get("options") or {}
    parts = [f"PART OF THE BENCHMARK: {part}"] if part else []
    parts += [f"zhiyin {manifest.versions.get('zhiyin', 'unknown')}"]
    settings = ("shots", "language", "extract")
    parts += [f"{name} {options[name]}" for name in settings if options.get(name) is not None]
    parts.append(f"data and prompts {str(manifest.config.get('data'))[:16]}")
    return ", ".join(parts)


def _date(manifest: Manifest) -> str | None:
    return manifest.sessions[-1].started[:10] if manifest.sessions else None


class HubScore(NamedTuple):
    """A figure as the hub has it: under which name, of what kind, and a remark on it."""

    name: str
    metric: str
    score: Interval
    remark: str = ""


def _of_groups(groups: dict[str, Rows]) -> list[HubScore]:
    """Accuracy of every group."""
    each = ((name, estimate(own).interval) for name, own in groups.items())
    return [HubScore("" if n == ALL else n, "accuracy", own) for n, own in each if own]


def part_scores(scored: list[Scored]) -> tuple[list[HubScore], list[str]]:
    """The total and the parts of a run, under each judge, and what they do not hold."""
    scores: list[HubScore] = []
    notes: list[str] = []
    many = sum(bool(one.by) for one in scored) > 1
    for place, one in enumerate(scored):
        names = [TOTAL] * one.total + list(one.parts.names)
        for name in names:
            free = name in one.free
            score = part_interval(one.parts, name)
            if score is None or (free and place):
                continue
            own = f"{name}_{short_name(one.by)}" if many and not free else name
            metric = "accuracy" if free else "score"
            scores.append(HubScore(own, metric, score, "" if free else one.name))
        notes += map(str, one.notes)
    return scores, notes


def _results(manifest: Manifest, scores: list[HubScore], dataset: str | None, how: str) -> str:
    lines = []
    for name, metric, score, remark in scores:
        task = f"{manifest.benchmark}_{name}" if name else manifest.benchmark
        lines += [
            "- dataset:",
            f"    id: {_quoted(dataset or 'OWNER/DATASET')}",
            f"    task_id: {_quoted(task)}",
            f"  value: {round(score.mean, _DIGITS)}",
        ]
        if date := _date(manifest):
            lines.append(f"  date: {_quoted(date)}")
        note = f"{metric}, 95 % interval {score.low:.4f} to {score.high:.4f}, n {score.n}"
        note_text = "; ".join(filter(None, (note, remark, how)))
        lines.append(f"  notes: {_quoted(note_text)}")
    return "\n".join(lines) + "\n"


def _card(
    manifest: Manifest, scores: list[HubScore], dataset: str | None, how: str, asked: str
) -> str:
    lines = ["---", "model-index:", f"- name: {_quoted(manifest.model)}", "  results:"]
    for name, metric, score, remark in scores:
        pretty = f"{asked} ({name})" if name else asked
        settings = ", ".join(filter(None, (remark, how)))
        lines += [
            "  - task:",
            "      type: question-answering",
            "      name: music understanding",
            "    dataset:",
            f"      name: {_quoted(pretty)}",
            f"      type: {_quoted(dataset or 'OWNER/DATASET')}",
            "    metrics:",
            f"    - type: {metric}",
            f"      name: {metric}",
            f"      value: {round(score.mean, _DIGITS)}",
            "      args:",
            *(f"        {k}: {json.dumps(v)}" for k, v in _arguments(score, settings).items()),
        ]
    return "\n".join([*lines, "---"]) + "\n"


def _arguments(score: Interval, how: str) -> dict[str, Any]:
    ends = {"low": round(score.low, _DIGITS), "high": round(score.high, _DIGITS)}
    return {**ends, "n": score.n, "settings": how}


def _quoted(text: str) -> str:
    """A YAML string: JSON's quoting is part of YAML 1.2."""
    return json.dumps(text, ensure_ascii=False)
