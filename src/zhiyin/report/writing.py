"""Writes a report: a folder that opens from disk, or one file that holds everything."""

from __future__ import annotations

import contextlib
import fcntl
import gc
import itertools
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from markupsafe import Markup

from zhiyin.analysis.summary import Summary, summarise
from zhiyin.engine.log import find_log
from zhiyin.errors import InputError
from zhiyin.files import UNFINISHED, Place, Places, as_paths, cache_folder, take_over
from zhiyin.record import STATES
from zhiyin.report import media
from zhiyin.report.chapters import Overview
from zhiyin.report.details import describe, pictures_of, sounds_of
from zhiyin.report.front import PageNotes, page, rendered_chapters
from zhiyin.report.journal import Journal
from zhiyin.report.labels import labels
from zhiyin.report.notation import Library, Progress, notes_of, silent
from zhiyin.report.overview import overview
from zhiyin.report.pictures import MARKS
from zhiyin.report.run_set import RunSet, not_listed
from zhiyin.report.second_process import in_second_process
from zhiyin.report.trial_index import index
from zhiyin.shown import pages
from zhiyin.words import Said, Text, said, say
from zhiyin.words.reasons import reason

T = TypeVar("T")
SCRIPTS = (
    pages.TONGUES,
    *("base.js", "export.js", "music.js", "trial.js", "trials.js", "main.js"),
)
STYLE = "style.css"
_PAGE = "index.html"
_PARTS = ("assets", "data", "audio", "pictures", "notation", "figures", "tables")
CHUNK_TRIALS, CHUNK_BYTES = 200, 2_000_000
"""A file of trials holds no more than so many, nor (but for its last one) more than so much."""
MOST_IN_JOURNAL = 10_000
_JOURNAL_BYTES = 8_000  # a trial, in the two processes together
_MANY_ANSWERS, _MANY_BYTES = 5_000, 5_000_000
"""From so many on a second process pays."""


class Written(msgspec.Struct):
    """What was written: where, how large, how many recordings and tunes; what could not be."""

    out: Path
    bytes: int
    trials: int
    sounds: int = 0
    engraved: int = 0
    notes: list[Text] = []


def asset(name: str) -> str:
    """One of the page's own files; of its style, that which all pages have comes first."""
    if name == STYLE:
        return pages.asset(STYLE) + pages.asset("report/report.css")
    return pages.asset(name if name == pages.TONGUES else f"report/{name}")


def page_data(about: Overview, run_set: RunSet) -> dict[str, Any]:
    """What the page's scripts know of the runs, and the words that they show."""
    return {
        "runs": [
            {"label": run.label, "benchmark": run.benchmark, "running": run.running}
            for run in about.runs
        ],
        "states": STATES,
        "marks": MARKS,
        "words": labels(),
        "reasons": {
            why: say(one, "zh")
            for why in sorted(run_set.reasons)
            if isinstance(one := reason(why), Said)
        },
    }


def linked_look(policy: str) -> pages.Look:
    """The look of a page whose scripts and style are files beside it."""
    scripts = tuple(f"assets/{name}" for name in SCRIPTS)
    return pages.Look(policy=policy, sheets=(f"assets/{STYLE}",), scripts=scripts)


FILE_POLICY = (
    "default-src 'none'; script-src 'self' file:; style-src 'self' file:; "
    "img-src 'self' file:; media-src 'self' file:; base-uri 'none'; form-action 'none'"
)


def write_folder(
    runs: Places,
    out: Place,
    *,
    sound: bool = True,
    notation: bool = True,
    journal: bool | None = None,
    progress: Progress = silent,
) -> Written:
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
    with uncollected():
        runs, out = as_paths(runs), Path(out)
        coming = summaries_of(runs)
        run_set = RunSet(runs)
        tunes = Library(cache_folder("notation"), wanted=notation, progress=progress)
        summaries = coming()
        with _only_writer(out) as lock, _workshop(out) as place:
            written = _write(runs, place, lock, run_set, summaries, tunes, sound, journal)
        size = sum(path.stat().st_size for path in out.rglob("*") if path.is_file())
        return msgspec.structs.replace(written, out=out, bytes=size)


def _write(
    runs: list[Path],
    out: Path,
    lock: int,
    run_set: RunSet,
    summaries: list[Summary],
    tunes: Library,
    sound: bool,
    journal: bool | None,
) -> Written:
    for part in ("assets", "data", "audio", "pictures", "notation"):
        (out / part).mkdir()
    coming = overview_beside(run_set, summaries, lambda listed: _script("trials", listed))
    replies = run_set.trials * len(run_set.runs)
    left_out = journal is None and replies > MOST_IN_JOURNAL
    paper = Journal(runs, out, lock) if journal or (journal is None and not left_out) else None
    tunes.start()
    try:
        heard, shown = _write_chunks(run_set, tunes, out / "data")
        sounds = _write_sounds(run_set, heard if sound else set(), out / "audio")
        pictures = _write_pictures(run_set, shown if sound else set(), out / "pictures")
        about, chapters, listed = coming()
        made = paper.finish() if paper else {}
        tunes.finish()
    except BaseException:
        tunes.stop()
        if paper:
            paper.stop()
        raise
    played = {}
    for name, svg, sounding in engravings(tunes):
        played[name] = sounding
        (out / "notation" / f"{name}.svg").write_bytes(svg)
    _put(out / "data", "played", {name: own for name, own in played.items() if own})
    notes: list[Text] = remarks(tunes, len(played), len(heard) - len(sounds) if sound else 0)
    notes += lost_pictures(len(shown) - len(pictures) if sound else 0)
    notes += [*made.pop("without", []), *not_listed(run_set)]
    if left_out:
        memory = 1 + replies * _JOURNAL_BYTES // 10**9
        notes.append(said("without-figures", most=MOST_IN_JOURNAL, memory=memory))
    media_of = {"sounds": sounds, "pictures": pictures, "engraved": list(played)}
    _put_script(out / "data", "trials", listed)
    _put(out / "data", "report", page_data(about, run_set) | media_of)
    for name in (*SCRIPTS, STYLE):
        (out / "assets" / name).write_text(asset(name), "utf-8")
    late = PageNotes(notes, made.get("figures", []))
    html = page(about, chapters, late, linked_look(FILE_POLICY))
    (out / _PAGE).write_text(html, "utf-8")
    return Written(out, 0, len(run_set.cases), len(sounds), len(played), notes)


def summaries_of(folders: Sequence[Path]) -> Callable[[], list[Summary]]:
    """The summaries of runs, made while their trials are read."""
    size = sum(find_log(folder).stat().st_size for folder in folders)
    return in_second_process(
        lambda: [summarise(folder) for folder in folders], worth=size >= _MANY_BYTES
    )


def overview_beside(
    run_set: RunSet, summaries: list[Summary], packed: Callable[[dict[str, Any]], T]
) -> Callable[[], tuple[Overview, Markup, T]]:
    """The page's facts, its chapters, and the list of trials `packed`, made while the trials are
    written.
    """

    def made() -> tuple[Overview, Markup, T]:
        starts = [first for first, _ in portions(run_set)]
        about = overview(run_set, summaries)
        return about, rendered_chapters(about), packed({**index(run_set), "starts": starts})

    return in_second_process(made, worth=len(run_set.cases) * len(run_set.runs) >= _MANY_ANSWERS)


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


def _script(name: str, value: Any) -> bytes:
    """A data file: a call that hands its contents to the page, for file:// knows no fetch."""
    # U+2028 and U+2029 end a line in scripts of older engines.
    text = msgspec.json.encode(value).replace(b"\xe2\x80\xa8", b"\\u2028")
    text = text.replace(b"\xe2\x80\xa9", b"\\u2029")
    return b'Zhiyin.receive("' + name.encode() + b'",' + text + b");\n"


def _put(folder: Path, name: str, value: Any) -> None:
    _put_script(folder, name, _script(name, value))


def _put_script(folder: Path, name: str, script: bytes) -> None:
    try:
        (folder / f"{name}.js").write_bytes(script)
    except OSError as error:
        raise InputError(f"cannot write {folder}: {error.strerror}; choose another") from None


def portions(run_set: RunSet) -> Iterator[tuple[int, int]]:
    """The first trial of each file of trials, and that after its last."""
    first = size = 0
    for place, case in enumerate(run_set.cases):
        size += sum([answer.length for answer in case.answers.values()])
        if place + 1 - first >= CHUNK_TRIALS or size >= CHUNK_BYTES:
            yield first, place + 1
            first, size = place + 1, 0
    if first < len(run_set.cases):
        yield first, len(run_set.cases)


def chunks(run_set: RunSet, tunes: Library) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """All trials in full: the number of the first of each portion, and the portion."""
    records = run_set.records(0, len(run_set.cases))
    for first, end in portions(run_set):
        portion = itertools.islice(records, end - first)
        yield first, [describe(case, each, tunes) for case, each in portion]


def _write_chunks(run_set: RunSet, tunes: Library, folder: Path) -> tuple[set[str], set[str]]:
    """What is heard and seen in any trial."""
    heard: set[str] = set()
    shown: set[str] = set()
    for first, portion in chunks(run_set, tunes):
        _put(folder, f"trials-{first}", portion)
        heard |= sounds_of(portion) if run_set.sounds else set()
        shown |= pictures_of(portion) if run_set.pictures else set()
    return heard, shown


def recordings(run_set: RunSet, wanted: Iterable[str]) -> Iterator[tuple[str, media.Recording]]:
    """The recordings that are wanted and still there, by their SHA-256."""
    cache = cache_folder("waveforms")

    def one(sha256: str) -> tuple[str, media.Recording | None]:
        return sha256, media.open_recording(run_set.sounds[sha256], cache)

    with ThreadPoolExecutor(2) as pool:
        for sha256, recording in pool.map(one, sorted(wanted)):
            if recording is not None:
                yield sha256, recording


def _write_sounds(run_set: RunSet, wanted: set[str], folder: Path) -> dict[str, Any]:
    sounds = {}
    for sha256, recording in recordings(run_set, wanted):
        name = f"{sha256}.{recording.suffix}"
        (folder / name).write_bytes(recording.data)
        sounds[sha256] = sound_entry(recording, f"audio/{name}")
    return sounds


def _write_pictures(run_set: RunSet, wanted: set[str], folder: Path) -> dict[str, Any]:
    pictures = {}
    for sha256 in sorted(wanted):
        if shown := media.open_picture(run_set.pictures[sha256]):
            (folder / f"{sha256}.{shown.suffix}").write_bytes(shown.data)
            pictures[sha256] = picture_entry(shown, f"pictures/{sha256}.{shown.suffix}")
    return pictures


def picture_entry(shown: media.Shown, url: str) -> dict[str, Any]:
    """What the page knows of a picture."""
    return {"url": url, "width": shown.width, "height": shown.height}


def lost_pictures(lost: int) -> list[Text]:
    """What to say of pictures that cannot be shown."""
    return [said("without-pictures", n=lost)] if lost else []


def sound_entry(recording: media.Recording, url: str) -> dict[str, Any]:
    """What the page knows of a recording."""
    return {"url": url, "seconds": recording.seconds, "peaks": recording.peaks}


def engravings(tunes: Library) -> Iterator[tuple[str, bytes, str]]:
    """Of each engraved tune its name, its picture, and what sounds in it; see `notes_of`."""
    for name in tunes.tunes:
        if svg := tunes.kept(name):
            yield name, slim(svg), notes_of(svg)


def remarks(tunes: Library, engraved: int, lost: int) -> list[Text]:
    """What to say of tunes that are not engraved, and of recordings that cannot be played."""
    notes: list[Text] = []
    if tunes.wanted and tunes.tunes and not tunes.available:
        notes.append(said("without-notation"))
    elif tunes.wanted and (unread := len(tunes.tunes) - engraved):
        notes.append(said("without-tunes", n=unread))
    if lost:
        notes.append(said("without-recordings", n=lost))
    return notes


def slim(svg: bytes) -> bytes:
    """An engraving without white space and names that nothing refers to: half as large."""
    return _NOTED.sub(b"<svg ", _NAMED.sub(rb"<g", _GAPS.sub(rb"><", svg)))


_GAPS = re.compile(rb">\s+<")
_NOTED = re.compile(rb'^<svg data-notes="[^"]*" ')
_NAMED = re.compile(rb'<g id="(?![0-9A-F]{4}-)[^"]*"')
"""Groups but those of the signs, which are drawn by their name."""
