"""Runs in the formats of other tools: Parquet, CSV, Inspect's log, the Hugging Face hub."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from zhiyin.errors import InputError, did_you_mean
from zhiyin.files import Place, Places, as_paths, whole_or_nothing
from zhiyin.text import csv_cell

FORMATS = {
    "parquet": "everything that was said, a row a trial",
    "csv": "the same for spreadsheets; lists and messages as JSON",
    "inspect": "a log for `inspect view`, sounds included",
    "hf": "evaluation results for a model card on the Hugging Face hub",
    "published": "what the benchmark's published code scores, where a format is known",
}


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
    kind : {"parquet", "csv", "inspect", "hf", "published"}
    out : Path
        The file; for "hf" a folder.
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
    if len(runs) != 1 and kind in ("inspect", "hf", "published"):
        raise InputError(f"--to {kind} takes one run, not {len(runs)}: export them one by one")
    if partial and kind != "hf":
        raise InputError(f"--partial is for --to hf; --to {kind} takes any run: leave it out")
    if kind != "hf":
        refuse_existing(out)
    try:
        (out if kind == "hf" else out.parent).mkdir(parents=True, exist_ok=True)
        return _writer(kind, partial)(runs, out)
    except OSError as error:
        raise InputError(f"cannot write {out}: {error.strerror or error}") from None


def refuse_existing(path: Path) -> None:
    """Raise `InputError` where there is a file already: it may be somebody's work."""
    if path.exists():
        raise InputError(f"{path} is there already: remove it, or choose another place with -o")


def _writer(kind: str, partial: bool) -> Callable[[Sequence[Path], Path], Exported]:
    if kind == "inspect":
        from zhiyin.report.export.inspect_log import write_inspect

        return lambda runs, out: write_inspect(runs[0], out)
    if kind == "hf":
        from zhiyin.report.export.hub import write_hub

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
