"""Runs as a report that opens from disk."""

from __future__ import annotations

from pathlib import Path

from zhiyin.errors import InputError
from zhiyin.files import Place, as_paths
from zhiyin.report.notation import Progress, silent
from zhiyin.report.single import write_single
from zhiyin.report.writing import Report as Report
from zhiyin.report.writing import write_folder


def report(
    *runs: Place,
    out: Place = "report",
    sound: bool = True,
    figures: bool | None = None,
    notation: bool = True,
    progress: Progress = silent,
) -> Report:
    """Write runs as a report: findings, charts, every trial with its sound.

    Parameters
    ----------
    *runs : path or Run
    out : path
        A folder, or a file that ends in ``.html`` and holds everything.
    sound : bool
        Whether recordings are in it.
    figures : bool, optional
        Whether figures and tables for a paper are written beside it; a single file has none. By
        default where there are at most 10,000 replies.
    notation : bool
        Whether tunes are engraved. A tune takes about a tenth of a second, once: it is kept.
    progress : callable
        Is given the number of tunes engraved and of all, as it goes on.

    Returns
    -------
    Report

    Raises
    ------
    InputError
        No run is given, a folder is not a run, or `out` holds something else or cannot be written.
    """
    folders, place = as_paths(runs), Path(out)
    if not folders:
        raise InputError("no run is given: name one or more")
    if place.suffix.lower() in (".html", ".htm"):
        return write_single(folders, place, sound=sound, notation=notation, progress=progress)
    return write_folder(
        folders, place, sound=sound, notation=notation, journal=figures, progress=progress
    )
