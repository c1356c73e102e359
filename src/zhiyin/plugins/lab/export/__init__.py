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
from typing import Any

import msgspec

from zhiyin.analysis.coverage import coverage_of
from zhiyin.analysis.question_set import set_of_runs
from zhiyin.contract.registry import known
from zhiyin.contract.resolved import resolved
from zhiyin.engine.folder import Manifest, read_manifest
from zhiyin.engine.scoring import ALL
from zhiyin.errors import InputError, did_you_mean, reworded
from zhiyin.files import Place, Places, as_paths, whole_or_nothing
from zhiyin.plugins.paper.tables import measured, name_of, unit_of
from zhiyin.runs.estimates import estimate
from zhiyin.runs.measures import SHARE, Estimate
from zhiyin.runs.rows import rows_of
from zhiyin.text import csv_cell
from zhiyin.words import naming, said

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
    """Files that were written, and notes for the user, a line each."""

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
        raise InputError(said("export-unknown", kind=repr(kind), hint=did_you_mean(kind, FORMATS)))
    if len(runs) != 1 and kind in _SINGLE:
        raise InputError(said("export-one", kind=kind, runs=len(runs)))
    if partial and kind != "hf":
        raise InputError(said("export-partial", kind=kind))
    if kind not in _FOLDERS:
        refuse_existing(out)
    with reworded(said("error-not-written", path=out, why="")):
        (out if kind in _FOLDERS else out.parent).mkdir(parents=True, exist_ok=True)
        return _writer(kind, partial)(runs, out)


def refuse_existing(path: Path) -> None:
    """Raise `InputError` where there is a file already: it may be somebody's work."""
    if path.exists():
        raise InputError(said("export-there", path=path))


def _writer(kind: str, partial: bool) -> Callable[[Sequence[Path], Path], Exported]:
    if kind == "inspect":
        from zhiyin.plugins.lab.export.inspect_log import write_inspect

        return lambda runs, out: write_inspect(runs[0], out)
    if kind == "eee":
        from zhiyin.plugins.lab.export.every_eval_ever import write_eee

        return lambda runs, out: write_eee(runs[0], out)
    if kind == "hf":
        return lambda runs, out: write_hub(runs[0], out, partial=partial)
    if kind == "published":
        return _write_published
    return _write_csv if kind == "csv" else _write_parquet


@contextlib.contextmanager
def _polars_file(out: Path) -> Iterator[Path]:
    """Write as `whole_or_nothing` does; Polars' error of a full disk becomes an `OSError`."""
    from polars import exceptions

    try:
        with whole_or_nothing(out) as place:
            yield place
    except (exceptions.PolarsError, exceptions.PanicException) as error:
        raise OSError(" ".join(str(error).split())) from None


def _write_parquet(runs: Sequence[Path], out: Path) -> Exported:
    """Write portions, which Polars then joins without holding them."""
    from zhiyin.runs.frames import frames, polars_here

    polars = polars_here()

    with _polars_file(out) as place, tempfile.TemporaryDirectory(dir=out.parent) as parts:
        for number, frame in enumerate(frames(runs)):
            frame.write_parquet(Path(parts) / f"{number:06}.parquet")
        polars.scan_parquet(sorted(Path(parts).iterdir())).sink_parquet(place)
    return Exported([out])


def _write_published(runs: Sequence[Path], out: Path) -> Exported:
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
    coverage, ways = coverage_of(run, manifest), rows_of(run).ways
    if coverage.judged and not coverage.plain:
        raise InputError(said("export-condition", run=run, part=coverage.part))
    totals, rows = known(manifest).totals(run), rows_of(run)
    judged = any(one.by for one in totals)
    scores = [
        one
        for one in measured(run, manifest)
        if not ways.is_altered(one.group) and (not totals or one.measure.weighted)
        and ("/" not in one.group or one.measure.group == one.group)
    ]  # fmt: skip
    if not scores or (totals and not judged and not coverage.judged):
        raise InputError(said("export-unjudged", run=run))
    part = str(coverage.apart or "")
    if part and not partial:
        raise InputError(said("export-part", run=run, part=part))
    unsaid = [str(note) for one in totals for note in estimate(rows, one).warnings]
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
    notes = [naming(said("hub-part", part=part))] if part else []
    notes += unsaid
    notes += [naming(said("hub-merge"))]
    if dataset is None:
        notes.append(naming(said("hub-none", benchmark=manifest.benchmark)))
    else:
        notes.append(naming(said("hub-registered", file=results.name, dataset=dataset)))
    return Exported([results, card], notes)


def dataset_of(manifest: Manifest) -> str | None:
    """The benchmark's data set on the hub, from its reference."""
    match = _DATA.search(known(manifest).paper)
    return match.group(1) if match else None


def _how(manifest: Manifest, part: str | None) -> str:
    """Describe in a line what a reader has to know to repeat the figure."""
    options = resolved(manifest).get("options") or {}
    parts = [f"PART OF THE BENCHMARK: {part}"] if part else []
    parts += [f"zhiyin {manifest.versions.get('zhiyin', 'unknown')}"]
    settings = ("shots", "language", "extract")
    parts += [f"{name} {options[name]}" for name in settings if options.get(name) is not None]
    parts.append(f"data and prompts {str(manifest.config.get('data'))[:16]}")
    return ", ".join(parts)


def _told(one: Estimate) -> str:
    """Describe a figure in a line: its measure, interval, range and direction."""
    measure, ends = one.measure, one.ends
    low, high = ("-inf" if end is None else f"{end:g}" for end in measure.range)
    parts = [
        measure.name,
        f"95 % interval {ends[1]:.4f} to {ends[2]:.4f}" if ends else "",
        f"n {one.items}",
        "" if measure.unit == SHARE else f"unit {unit_of(measure)}, from {low} to "
        + high.removeprefix("-"),
        "lower is better" if measure.lower_is_better else "",
    ]  # fmt: skip
    return ", ".join(filter(None, parts))


def _results(manifest: Manifest, scores: list[Estimate], dataset: str | None, how: str) -> str:
    lines = []
    for one in scores:
        name = name_of(one, scores).removeprefix(ALL)
        task = f"{manifest.benchmark}_{name}" if name else manifest.benchmark
        task += "" if one.measure.name in ("accuracy", "score") else f"_{one.measure.name}"
        lines += [
            "- dataset:",
            f"    id: {_quoted(dataset or 'OWNER/DATASET')}",
            f"    task_id: {_quoted(task)}",
            f"  value: {round(one.value or 0.0, _DIGITS)}",
        ]
        if date := (manifest.sessions[-1].started[:10] if manifest.sessions else None):
            lines.append(f"  date: {_quoted(date)}")
        judged = f"judged by {one.measure.by}" if one.measure.by else ""
        lines.append(f"  notes: {_quoted('; '.join(filter(None, (_told(one), judged, how))))}")
    return "\n".join(lines) + "\n"


def _card(
    manifest: Manifest, scores: list[Estimate], dataset: str | None, how: str, asked: str
) -> str:
    lines = ["---", "model-index:", f"- name: {_quoted(manifest.model)}", "  results:"]
    for one in scores:
        name = name_of(one, scores).removeprefix(ALL)
        judged = f"judged by {one.measure.by}" if one.measure.by else ""
        settings = ", ".join(filter(None, (judged, how)))
        lines += [
            "  - task:",
            "      type: question-answering",
            "      name: music understanding",
            "    dataset:",
            f"      name: {_quoted(f'{asked} ({name})' if name else asked)}",
            f"      type: {_quoted(dataset or 'OWNER/DATASET')}",
            "    metrics:",
            f"    - type: {_quoted(one.measure.name)}",
            f"      name: {_quoted(one.measure.name)}",
            f"      value: {round(one.value or 0.0, _DIGITS)}",
            "      args:",
            *(f"        {k}: {json.dumps(v)}" for k, v in _arguments(one, settings).items()),
        ]
    return "\n".join([*lines, "---"]) + "\n"


def _arguments(one: Estimate, how: str) -> dict[str, Any]:
    ends = dict(zip(("low", "high"), one.ends[1:], strict=True)) if one.ends else {}
    rounded = {name: round(end, _DIGITS) for name, end in ends.items()}
    told = {"n": one.items, "unit": unit_of(one.measure), "settings": how}
    return {**rounded, **told, "lower_is_better": one.measure.lower_is_better}


def _quoted(text: str) -> str:
    """A YAML string: JSON's quoting is part of YAML 1.2."""
    return json.dumps(text, ensure_ascii=False)
