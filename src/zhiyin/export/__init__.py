"""Runs in the formats of other tools: Parquet, CSV, Inspect's log, the Hugging Face hub."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from zhiyin.errors import InputError, did_you_mean

FORMATS = {
    "parquet": "everything that was said, a row a trial",
    "csv": "the same for spreadsheets; lists and messages as JSON",
    "inspect": "a log for `inspect view`, sounds included",
    "hf": "evaluation results for a model card on the Hugging Face hub",
}


class Exported(msgspec.Struct, frozen=True):
    """What was written: the files, and what the user should know of them, a line each."""

    files: list[Path]
    notes: list[str] = []


def export(runs: Sequence[Path], kind: str, out: Path) -> Exported:
    """Write runs in another format.

    Parameters
    ----------
    runs : sequence of Path
        Parquet and CSV take several; the others one.
    kind : {"parquet", "csv", "inspect", "hf"}
    out : Path
        The file; for "hf" a folder.

    Raises
    ------
    InputError
        On an unknown format, more runs than it takes, a folder that is not a run, a file that
        cannot be written, or a package that is not installed.
    """
    if kind not in FORMATS:
        raise InputError(f"unknown format {kind!r}: {did_you_mean(kind, FORMATS)}")
    if len(runs) != 1 and kind in ("inspect", "hf"):
        raise InputError(f"--to {kind} takes one run, not {len(runs)}: export them one by one")
    try:
        (out if kind == "hf" else out.parent).mkdir(parents=True, exist_ok=True)
        return _writer(kind)(runs, out)
    except OSError as error:
        raise InputError(f"cannot write {out}: {error.strerror or error}") from None


def _writer(kind: str) -> Callable[[Sequence[Path], Path], Exported]:
    if kind == "inspect":
        from zhiyin.export.inspect_log import write_inspect

        return lambda runs, out: write_inspect(runs[0], out)
    if kind == "hf":
        from zhiyin.export.hub import write_hub

        return lambda runs, out: write_hub(runs[0], out)
    return _write_csv if kind == "csv" else _write_parquet


def _write_parquet(runs: Sequence[Path], out: Path) -> Exported:
    from zhiyin.frame import read_frame

    read_frame(runs).write_parquet(out)
    return Exported([out])


def _write_csv(runs: Sequence[Path], out: Path) -> Exported:
    from zhiyin.frame import read_frame

    frame = read_frame(runs)
    import polars

    groups = [msgspec.json.encode(names.to_list()).decode() for names in frame["groups"]]
    place = frame.columns.index("groups")
    frame.replace_column(place, polars.Series("groups", groups, dtype=polars.String))
    frame.write_csv(out)
    return Exported([out])
