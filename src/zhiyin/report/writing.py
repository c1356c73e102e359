"""Writes a report: what either kind goes through, and the folder that opens from disk."""

from __future__ import annotations

import contextlib
import fcntl
import gc
import itertools
import os
import shutil
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.errors import InputError
from zhiyin.files import UNFINISHED, Place, Places, as_paths, cache_folder, take_over
from zhiyin.numerals import size
from zhiyin.report import media
from zhiyin.report.front import RenderedPage, page, rendered
from zhiyin.report.notation import Library, Progress, engravings, lost_tunes, silent
from zhiyin.report.overview import overview
from zhiyin.report.page_data import PageData, describe, index, page_data, pictures_of, sounds_of
from zhiyin.report.processes import Journal, PaperFigure, in_second_process
from zhiyin.report.run_set import RunSet, not_listed
from zhiyin.shown import pages
from zhiyin.trial import one_line
from zhiyin.words import Text, said

SCRIPTS = (
    pages.TONGUES,
    *("base.js", "export.js", "music.js", "trial.js", "trials.js", "main.js"),
)
STYLE = "style.css"
FILE_POLICY = (
    "default-src 'none'; script-src 'self' file:; style-src 'self' file:; "
    "img-src 'self' file:; media-src 'self' file:; base-uri 'none'; form-action 'none'"
)
_PAGE = "index.html"
_PARTS = ("assets", "data", "audio", "pictures", "notation", "figures", "tables")
CHUNK_TRIALS, CHUNK_BYTES = 200, 2_000_000
"""A file of trials holds no more than so many, nor (but for its last one) more than so much."""
MOST_IN_JOURNAL = 10_000
_JOURNAL_BYTES = 8_000  # a trial, in the two processes together
_MANY_ANSWERS = 5_000
"""From so many on a second process pays."""


class Report(msgspec.Struct):
    """What was written: where, how large, how many recordings and tunes; what could not be."""

    out: Path
    bytes: int
    trials: int
    sounds: int = 0
    engraved: int = 0
    notes: list[Text] = []

    @property
    def page(self) -> Path:
        """The page to open."""
        return self.out if self.out.is_file() else self.out / _PAGE

    def __repr__(self) -> str:
        """On one line: where, and how much."""
        return one_line("Report", str(self.page), "", f"{self.trials:,} trials", size(self.bytes))

    def _repr_html_(self) -> str:
        amount = f"{self.trials:,} trials, {self.sounds:,} recordings, {size(self.bytes)}"
        page = escape(str(self.page))
        notes = "".join(f"<p>note: {escape(str(note))}</p>" for note in self.notes)
        return f'<p>Report: <a href="{page}" target="_blank">{page}</a> ({amount})</p>{notes}'


class ReportOutput:
    """What a report is written into: a folder, or one file (`zhiyin.report.single`)."""

    def put(self, name: str, value: Any) -> None:
        """Keep data for the page's scripts."""
        raise NotImplementedError

    def put_trials(self, first: int, portion: list[dict[str, Any]]) -> None:
        """Keep a portion of the trials, in full."""
        self.put(f"trials-{first}", portion)

    def put_sound(self, sha256: str, recording: media.Recording) -> str | None:
        """Keep a recording. Its address; None where there is no room."""
        raise NotImplementedError

    def put_picture(self, sha256: str, shown: media.Shown) -> str | None:
        """Keep a picture. Its address; None where there is no room."""
        raise NotImplementedError

    def put_engraving(self, name: str, svg: bytes) -> bool:
        """Keep a tune's picture. Whether it has a file of its own."""
        raise NotImplementedError

    def figures(self) -> tuple[list[PaperFigure], list[Text]]:
        """Figures for a paper that are made beside the page, and what is missing of them."""
        return [], []

    def finish(self, rendered_page: RenderedPage, notes: list[Text], data: PageData) -> None:
        """Write the page itself, with its data."""
        raise NotImplementedError


def write_to(
    output: ReportOutput, run_set: RunSet, *, sound: bool, notation: bool, progress: Progress
) -> Report:
    """Write a report on runs; `Report.out` and `Report.bytes` are still to be filled in.

    What the page says is made in a second process while the trials are written.
    """
    tunes = Library(cache_folder("notation"), wanted=notation, progress=progress)
    many = run_set.trials * len(run_set.runs) >= _MANY_ANSWERS
    coming = in_second_process(lambda: rendered(overview(run_set)), worth=many)
    tunes.start()
    try:
        starts = [first for first, _ in _portions(run_set)]
        output.put("trials", index(run_set, starts))
        heard, shown = _put_trials(output, run_set, tunes)
        sounds, silent_ones = _put_sounds(output, run_set, heard if sound else set())
        pictures, unseen = _put_pictures(output, run_set, shown if sound else set())
        rendered_page = coming()
        figures, missing = output.figures()
        tunes.finish()
    except BaseException:
        tunes.stop()
        raise
    played: dict[str, str] = {}
    beside = []
    for name, svg, sounding in engravings(tunes):
        played[name] = sounding
        beside += [name] if output.put_engraving(name, svg) else []
    output.put("played", {name: own for name, own in played.items() if own})
    rendered_page.figures = figures
    notes = [*lost_tunes(tunes, len(played)), *silent_ones, *unseen, *missing, *not_listed(run_set)]
    data = page_data(run_set, rendered_page.labels)
    data.sounds, data.pictures, data.engraved = sounds, pictures, beside
    output.finish(rendered_page, notes, data)
    return Report(Path(), 0, len(run_set.cases), len(sounds), len(played), notes)


def _portions(run_set: RunSet) -> Iterator[tuple[int, int]]:
    """The first trial of each file of trials, and that after its last."""
    first = held = 0
    for place, case in enumerate(run_set.cases):
        held += sum([answer.length for answer in case.answers.values()])
        if place + 1 - first >= CHUNK_TRIALS or held >= CHUNK_BYTES:
            yield first, place + 1
            first, held = place + 1, 0
    if first < len(run_set.cases):
        yield first, len(run_set.cases)


def _put_trials(output: ReportOutput, run_set: RunSet, tunes: Library) -> tuple[set[str], set[str]]:
    """Keep all trials in full. What is heard and seen in any."""
    heard: set[str] = set()
    shown: set[str] = set()
    records = run_set.records(0, len(run_set.cases))
    for first, end in _portions(run_set):
        portion = [
            describe(case, each, tunes) for case, each in itertools.islice(records, end - first)
        ]
        heard |= sounds_of(portion) if run_set.sounds else set()
        shown |= pictures_of(portion) if run_set.pictures else set()
        output.put_trials(first, portion)
    return heard, shown


def _put_sounds(
    output: ReportOutput, run_set: RunSet, wanted: set[str]
) -> tuple[dict[str, media.SoundEntry], list[Text]]:
    """The recordings that are kept, and what is to be said of others."""
    sounds, found = {}, 0
    for sha256, recording in media.recordings(run_set.sounds, wanted):
        found += 1
        if url := output.put_sound(sha256, recording):
            sounds[sha256] = media.SoundEntry(url, recording.seconds, recording.peaks)
    notes: list[Text] = []
    if lost := len(wanted) - found:
        notes.append(said("without-recordings", n=lost))
    if left := found - len(sounds):
        notes.append(said("left-out-recordings", n=left))
    return sounds, notes


def _put_pictures(
    output: ReportOutput, run_set: RunSet, wanted: set[str]
) -> tuple[dict[str, media.PictureEntry], list[Text]]:
    pictures, found = {}, 0
    for sha256 in sorted(wanted):
        if shown := media.open_picture(run_set.pictures[sha256]):
            found += 1
            if url := output.put_picture(sha256, shown):
                pictures[sha256] = media.PictureEntry(url, shown.width, shown.height)
    notes: list[Text] = []
    if lost := len(wanted) - found:
        notes.append(said("without-pictures", n=lost))
    if left := found - len(pictures):
        notes.append(said("left-out-pictures", n=left))
    return pictures, notes


class ReportFolder(ReportOutput):
    """A report as a folder whose page opens from disk.

    Parameters
    ----------
    out : Path
        An empty folder.
    paper : Journal, optional
        Makes figures and tables for a paper.
    """

    def __init__(self, out: Path, paper: Journal | None = None) -> None:
        self._out, self._paper = out, paper
        for part in ("assets", "data", "audio", "pictures", "notation"):
            (out / part).mkdir()

    def put(self, name: str, value: Any) -> None:
        """As a script: a call that hands its contents to the page, for file:// knows no fetch."""
        # U+2028 and U+2029 end a line in scripts of older engines.
        text = msgspec.json.encode(value).replace(b"\xe2\x80\xa8", b"\\u2028")
        text = text.replace(b"\xe2\x80\xa9", b"\\u2029")
        script = b'Zhiyin.receive("' + name.encode() + b'",' + text + b");\n"
        (self._out / "data" / f"{name}.js").write_bytes(script)

    def put_sound(self, sha256: str, recording: media.Recording) -> str:
        """As a file of its own."""
        return self._put_file(f"audio/{sha256}.{recording.suffix}", recording.data)

    def put_picture(self, sha256: str, shown: media.Shown) -> str:
        """As a file of its own."""
        return self._put_file(f"pictures/{sha256}.{shown.suffix}", shown.data)

    def put_engraving(self, name: str, svg: bytes) -> bool:
        """As a file of its own."""
        return bool(self._put_file(f"notation/{name}.svg", svg))

    def _put_file(self, name: str, data: bytes) -> str:
        (self._out / name).write_bytes(data)
        return name

    def figures(self) -> tuple[list[PaperFigure], list[Text]]:
        """Those of the journal, when they are made."""
        return self._paper.finish() if self._paper else ([], [])

    def finish(self, rendered_page: RenderedPage, notes: list[Text], data: PageData) -> None:
        """The page, its data, its scripts and style."""
        self.put("report", data)
        for name in (*SCRIPTS, STYLE):
            (self._out / "assets" / name).write_text(asset(name), "utf-8")
        html = page(rendered_page, notes, linked_look(FILE_POLICY))
        (self._out / _PAGE).write_text(html, "utf-8")


def write_folder(
    runs: Places,
    out: Place,
    *,
    sound: bool = True,
    notation: bool = True,
    journal: bool | None = None,
    progress: Progress = silent,
) -> Report:
    """Write a report as a folder. Open its index.html; it needs neither server nor network.

    It is a function of its runs: written again, it has the same bytes. All is written beside the
    report that is there, in a folder within it, and then takes its place; so a report that is
    killed leaves the one before, and can be written again.

    Parameters
    ----------
    runs : list of Path
        Run folders. The same trial in several runs is shown side by side.
    out : Path
        The folder; made if it is not there, taken over if it holds a report.
    sound : bool
        Whether recordings and pictures are copied into it.
    notation : bool
        Whether the tunes are engraved: all of them. Engravings are kept for the next report.
    journal : bool, optional
        Whether figures and tables for a paper are written beside the page. By default where there
        are no more than `MOST_IN_JOURNAL` replies: they take longer than all the rest, and hold
        all replies in memory.
    progress : callable
        Is given the number of tunes engraved and of all, as it goes on.

    Raises
    ------
    InputError
        When a folder is not a run, `out` holds something else, or cannot be written.
    """
    runs, out = as_paths(runs), Path(out)
    with uncollected():
        run_set = RunSet(runs)
        replies = run_set.trials * len(run_set.runs)
        left_out = journal is None and replies > MOST_IN_JOURNAL
        with _only_writer(out) as lock, _workshop(out) as place:
            wanted = journal or (journal is None and not left_out)
            paper = Journal(runs, place, lock) if wanted else None
            try:
                written = write_to(
                    ReportFolder(place, paper),
                    run_set,
                    sound=sound,
                    notation=notation,
                    progress=progress,
                )
            except BaseException:
                if paper:
                    paper.stop()
                raise
    if left_out:
        memory = 1 + replies * _JOURNAL_BYTES // 10**9
        written.notes.append(said("without-figures", most=MOST_IN_JOURNAL, memory=memory))
    held = sum(path.stat().st_size for path in out.rglob("*") if path.is_file())
    return msgspec.structs.replace(written, out=out, bytes=held)


def asset(name: str) -> str:
    """One of the page's own files; of its style, that which all pages have comes first."""
    if name == STYLE:
        return pages.asset(STYLE) + pages.asset("report/report.css")
    return pages.asset(name if name == pages.TONGUES else f"report/{name}")


def linked_look(policy: str) -> pages.Look:
    """The look of a page whose scripts and style are files beside it."""
    scripts = tuple(f"assets/{name}" for name in SCRIPTS)
    return pages.Look(policy=policy, sheets=(f"assets/{STYLE}",), scripts=scripts)


@contextlib.contextmanager
def uncollected() -> Iterator[None]:
    """Without the garbage collector: it would take a quarter of the time and find nothing."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


@contextlib.contextmanager
def _only_writer(out: Path) -> Iterator[int]:
    """Hold the folder, made if it is not there, while it is written; others wait their turn."""
    if out.exists() and not out.is_dir():
        raise InputError(f"{out} is a file: give a folder, or a name that ends in .html")
    try:
        out.mkdir(parents=True, exist_ok=True)
        folder = os.open(out, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise InputError(f"cannot write {out}: {error.strerror}; choose another with -o") from None
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield folder
    finally:
        os.close(folder)


@contextlib.contextmanager
def _workshop(out: Path) -> Iterator[Path]:
    """A folder within the report's to write it in; when all is written, its parts take their place.

    A folder that holds neither a report nor the workshop of one that was killed is refused. Only
    one process is here at a time, so that a workshop that is found is of a dead one.
    """
    left = list(out.glob(f"{UNFINISHED}*"))
    ours = left or ((out / "data" / "report.js").is_file() and (out / _PAGE).is_file())
    if not ours and any(out.iterdir()):
        raise InputError(
            f"{out} holds something else than a report: choose another with -o, or empty it"
        )
    place = out / f"{UNFINISHED}{os.urandom(8).hex()}"
    try:
        place.mkdir()
        for other in left:
            shutil.rmtree(other)
        yield place
        take_over(place, out, (*_PARTS, _PAGE))  # figures of the report before go with it
    except OSError as error:
        raise InputError(f"cannot write {out}: {error.strerror}; choose another with -o") from None
    finally:
        shutil.rmtree(place, ignore_errors=True)
