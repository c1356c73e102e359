"""Writes a report: runs as a page that opens from disk."""

from __future__ import annotations

import contextlib
import gc
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from zhiyin.analysis.parts import of_parts
from zhiyin.errors import InputError
from zhiyin.files import Place, as_paths, cache_folder
from zhiyin.numerals import size
from zhiyin.report import media
from zhiyin.report.front import RenderedPage, rendered
from zhiyin.report.media import Engravings, Progress, open_engravings, silent
from zhiyin.report.outputs import (
    MOST_SOUND_BYTES,
    ReportFile,
    ReportFolder,
    ReportOutput,
    only_writer,
    workshop,
)
from zhiyin.report.overview import overview
from zhiyin.report.page_data import describe, index, media_of, page_data
from zhiyin.report.processes import PaperFigure, PaperJob, in_second_process
from zhiyin.report.run_set import RunSet, in_rank, not_listed
from zhiyin.shown.pages import PAGE
from zhiyin.trial import one_line
from zhiyin.words import Said, Text, said

CHUNK_TRIALS, CHUNK_BYTES = 200, 2_000_000
"""A file of trials holds no more than so many, nor (but for its last one) more than so much."""
_MANY_ANSWERS = 5_000
"""From so many on a second process pays."""
Medium = TypeVar("Medium", media.PlayableRecording, media.Shown)
Entry = TypeVar("Entry", media.SoundEntry, media.PictureEntry)


class Report(msgspec.Struct):
    """Result of writing: place, size, counts of recordings and tunes, and what could not be."""

    out: Path
    bytes: int
    trials: int
    sounds: int = 0
    engraved: int = 0
    notes: list[Text] = []

    @property
    def page(self) -> Path:
        """The page to open."""
        return self.out if self.out.is_file() else self.out / PAGE

    def __repr__(self) -> str:
        """Write place and size on one line."""
        return one_line("Report", str(self.page), "", f"{self.trials:,} trials", size(self.bytes))

    def _repr_html_(self) -> str:
        amount = f"{self.trials:,} trials, {self.sounds:,} recordings, {size(self.bytes)}"
        page = escape(str(self.page))
        notes = "".join(f"<p>note: {escape(str(note))}</p>" for note in self.notes)
        return f'<p>Report: <a href="{page}" target="_blank">{page}</a> ({amount})</p>{notes}'


def report(
    *runs: Place,
    out: Place = "report",
    sound: bool = True,
    figures: bool = True,
    notation: bool = True,
    given: Mapping[str, Any] | None = None,
    small_sound: bool | None = None,
    languages: Sequence[str] = ("en",),
    progress: Progress = silent,
) -> Report:
    """Write runs as a report: findings, charts, every trial with its sound.

    It needs neither server nor network, and is a function of its runs: written again, it has the
    same bytes. A folder is written beside the report that is there, within it, and then takes its
    place; so a report that is killed leaves the one before, and can be written again.

    Parameters
    ----------
    *runs : path or Run
        The same trial in several runs is shown side by side.
    out : Path
        A folder, made if it is not there and taken over if it holds a report, whose ``index.html``
        opens; or a file that ends in ``.html`` and holds everything, for small runs.
    sound : bool
        Whether recordings and pictures are in it.
    figures : bool
        Whether figures and tables for a paper are written beside it; a single file has none.
    notation : bool
        Whether tunes are engraved. A tune takes about a tenth of a second, once: it is kept.
    given : mapping
        Settings of what plug-ins say: with `errata`, a file of errata, the figures without the
        flawed items, too.
    small_sound : bool, optional
        Whether recordings are compressed copies (MP3, mono, 22,050 Hz), and not bit for bit what
        was played. By default where they would be more than 60 MB; in one file they always are.
    languages : sequence of {"en", "zh"}
        Of the page; those after the first stand beside it ("index.zh.html"), linked to one another.
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
    folders, place = in_rank(as_paths(runs)), Path(out)
    if not folders:
        raise InputError(said("report-no-run"))
    with _uncollected():
        run_set = RunSet(folders)
        names = dict.fromkeys(run.manifest.benchmark for run in run_set.runs)
        of_parts(lambda part: part.check(given or {}, names))

        def write(output: ReportOutput) -> Report:
            tunes = open_engravings(cache_folder("notation"), wanted=notation, progress=progress)
            return _write(
                output, run_set, given or {}, tunes, languages, sound=sound, small_sound=small_sound
            )

        if place.suffix.lower() in (".html", ".htm"):
            written = write(ReportFile(place))
            return msgspec.structs.replace(written, out=place, bytes=place.stat().st_size)
        with only_writer(place) as lock, workshop(place) as shop:
            paper = PaperJob(folders, shop, lock) if figures else None
            try:
                written = write(ReportFolder(shop, paper))
            except BaseException:
                if paper:
                    paper.stop()
                raise
    held = sum(path.stat().st_size for path in place.rglob("*") if path.is_file())
    return msgspec.structs.replace(written, out=place, bytes=held)


@contextlib.contextmanager
def _uncollected() -> Iterator[None]:
    """Turn the garbage collector off: it would take a quarter of the time and find nothing."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _write(
    output: ReportOutput, run_set: RunSet, given: Mapping[str, Any], tunes: Engravings,
    languages: Sequence[str], *, sound: bool, small_sound: bool | None,
) -> Report:  # fmt: skip
    """Write a report on runs; `Report.out` and `Report.bytes` are still to be filled in.

    What the page says is made in a second process while the trials are written.
    """
    many = run_set.trials * len(run_set.runs) >= _MANY_ANSWERS

    def told() -> dict[str, RenderedPage]:
        about = overview(run_set, given)
        return {language: rendered(about, language) for language in languages}

    coming = in_second_process(told, worth=many)
    tunes.start()
    try:
        starts = [first for first, _ in _portions(run_set)]
        output.put("trials", index(run_set, starts))
        heard, shown = _put_trials(output, run_set, tunes)
        heard, shown = (heard, shown) if sound else (set(), set())
        bare = media.bytes_of(run_set.sounds, heard)
        heavy = bare > MOST_SOUND_BYTES
        output.small = heavy if small_sound is None else small_sound
        recordings = media.recordings(run_set.sounds, heard, output.fitted)
        sounds = _put_media(recordings, output.put_sound, media.SoundEntry.of)
        open_ones = media.open_pictures(run_set.pictures, shown)
        pictures = _put_media(open_ones, output.put_picture, media.PictureEntry.of)
        made = coming()
        figures, missing = output.figures()
        tunes.finish()
    except BaseException:
        tunes.stop()
        raise
    played: dict[str, str] = {}
    beside = []
    for name, svg, sounding in tunes.drawn():
        played[name] = sounding
        beside += [name] if output.put_engraving(name, svg) else []
    output.put("played", {name: own for name, own in played.items() if own})
    notes: list[Text] = [
        *tunes.told(len(played)),
        *_not_there("recordings", len(heard), sounds),
        *_not_there("pictures", len(shown), pictures),
        *missing,
        *([said("figures-in-english")] if "zh" in languages and _english_alone(figures) else []),
        *([said("small-sound", size=size(bare))] if heavy and small_sound is None else []),
        *not_listed(run_set),
    ]
    data = page_data(run_set, languages)
    data.sounds, data.pictures, data.engraved = _kept(sounds), _kept(pictures), beside
    output.finish(made, notes, data, figures)
    return Report(Path(), 0, len(run_set.cases), len(data.sounds), len(played), notes)


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


def _put_trials(
    output: ReportOutput, run_set: RunSet, tunes: Engravings
) -> tuple[set[str], set[str]]:
    """Keep all trials in full. What is heard and seen in any."""
    heard: set[str] = set()
    shown: set[str] = set()
    records = run_set.records(0, len(run_set.cases))
    for first, end in _portions(run_set):
        portion = [
            describe(case, each, tunes) for case, each in itertools.islice(records, end - first)
        ]
        if run_set.sounds or run_set.pictures:
            sounds, pictures = media_of(portion)
            heard, shown = heard | sounds, shown | pictures
        output.put_trials(first, portion)
    return heard, shown


def _put_media(
    found: Iterable[tuple[str, Medium]],
    put: Callable[[str, Medium], str | None],
    entry: Callable[[str, Medium], Entry],
) -> dict[str, Entry | None]:
    """Store recordings or pictures; return each page entry, None where there was no room."""
    return {
        sha256: entry(url, medium) if (url := put(sha256, medium)) else None
        for sha256, medium in found
    }


def _kept(entries: dict[str, Entry | None]) -> dict[str, Entry]:
    return {sha256: entry for sha256, entry in entries.items() if entry}


def _english_alone(figures: Sequence[PaperFigure]) -> bool:
    """Tell whether there are figures, and none has words in Chinese."""
    return bool(figures) and all(own.files["zh"] == own.files["en"] for own in figures)


def _not_there(kind: str, wanted: int, found: dict[str, Entry | None]) -> Iterator[Said]:
    """Yield notes on recordings or pictures that are not in a report."""
    if lost := wanted - len(found):
        yield said("without-media", kind=kind, n=lost)
    if left := len(found) - len(_kept(found)):
        yield said("left-out-media", kind=kind, n=left)
