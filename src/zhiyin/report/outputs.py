"""Outputs of a report: a folder that opens from disk, or one file with everything."""

from __future__ import annotations

import base64
import contextlib
import fcntl
import gzip
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
from markupsafe import Markup

from zhiyin.errors import InputError, reworded, system_words
from zhiyin.files import UNFINISHED, take_over
from zhiyin.report import media
from zhiyin.report.front import RenderedPage, page
from zhiyin.report.page_data import PageData, TrialDetails
from zhiyin.report.processes import PaperFigure, PaperJob
from zhiyin.shown import pages
from zhiyin.shown.pages import PAGE, TONGUES, Others, page_in, write_pages
from zhiyin.words import Text, said

SCRIPTS = ("base.js", "export.js", "music.js", "trial.js", "trials.js", "main.js")
STYLE = "style.css"
FILE_POLICY = (
    "default-src 'none'; script-src 'self' file:; style-src 'self' file:; "
    "img-src 'self' file:; media-src 'self' file: data:; font-src data:; base-uri 'none'; "
    "form-action 'none'"
)
_PARTS = ("assets", "data", "audio", "pictures", "notation")
_PACKED_BYTES = 50_000
"""Data that are larger than this are packed."""
_LEVEL = 3
"""A fifth larger than at level 6, in a third of the time."""
MOST_SOUND_BYTES = 60_000_000
"""How much sound one file holds; a browser still opens that at once. A folder whose recordings are
more has compressed copies of them."""
_SINGLE_PICTURE_BYTES = 30_000_000
"""Likewise of pictures."""


Made = Mapping[str, RenderedPage]
"""A page by language."""


class ReportOutput:
    """A place for the parts of a report.

    Attributes
    ----------
    small : bool
        Whether recordings are compressed.
    """

    small = False

    def put(self, name: str, value: Any) -> None:
        """Keep data for the page's scripts."""
        raise NotImplementedError

    def put_trials(self, first: int, portion: list[TrialDetails]) -> None:
        """Keep a portion of the trials, in full."""
        self.put(f"trials-{first}", portion)

    def fitted(self, recording: media.PlayableRecording) -> media.PlayableRecording:
        """A recording as it is kept here. Several threads ask at once."""
        return media.small(recording) if self.small else recording

    def put_sound(self, sha256: str, recording: media.PlayableRecording) -> str | None:
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

    def finish(
        self, made: Made, notes: Sequence[Text], data: PageData, figures: Sequence[PaperFigure]
    ) -> None:
        """Write the page itself in its languages, with its data."""
        raise NotImplementedError


class ReportFolder(ReportOutput):
    """A report as a folder whose page opens from disk.

    Parameters
    ----------
    out : Path
        An empty folder.
    paper : PaperJob, optional
        Makes figures and tables for a paper.
    """

    def __init__(self, out: Path, paper: PaperJob | None = None) -> None:
        self._out, self._paper = out, paper
        for part in _PARTS:
            (out / part).mkdir()

    def put(self, name: str, value: Any) -> None:
        """Write a script: a call that hands its contents to the page (file:// has no fetch)."""
        text = msgspec.json.encode(value)
        if name.startswith("trials-") and len(text) >= _PACKED_BYTES:
            text = msgspec.json.encode(_packed(text))
        # U+2028 and U+2029 end a line in scripts of older engines.
        text = text.replace(b"\xe2\x80\xa8", b"\\u2028").replace(b"\xe2\x80\xa9", b"\\u2029")
        script = b'Zhiyin.receive("' + name.encode() + b'",' + text + b");\n"
        (self._out / "data" / f"{name}.js").write_bytes(script)

    def put_sound(self, sha256: str, recording: media.PlayableRecording) -> str:
        """Write the recording to a file of its own."""
        return self._put_file(f"audio/{sha256}.{recording.suffix}", recording.data)

    def put_picture(self, sha256: str, shown: media.Shown) -> str:
        """Write the picture to a file of its own."""
        return self._put_file(f"pictures/{sha256}.{shown.suffix}", shown.data)

    def put_engraving(self, name: str, svg: bytes) -> bool:
        """Write the engraving to a file of its own."""
        return bool(self._put_file(f"notation/{name}.svg", svg))

    def _put_file(self, name: str, data: bytes) -> str:
        (self._out / name).write_bytes(data)
        return name

    def figures(self) -> tuple[list[PaperFigure], list[Text]]:
        """Return the figures of the journal, when they are made."""
        return self._paper.finish() if self._paper else ([], [])

    def finish(
        self, made: Made, notes: Sequence[Text], data: PageData, figures: Sequence[PaperFigure]
    ) -> None:
        """The page, its data, its scripts and style."""
        self.put("report", data)
        for name in (*SCRIPTS, STYLE):
            (self._out / "assets" / name).write_text(asset(name), "utf-8")
        look = linked_look(FILE_POLICY)

        def whole(language: str, others: Others) -> str:
            return page(made[language], notes, look, others=others, figures=figures)

        write_pages(self._out / PAGE, list(made), whole)


class ReportFile(ReportOutput):
    """A report as one HTML file: data are elements in it, and media addresses that hold them.

    Trials with notation hold their engravings, and are packed when these are made; all else at
    once, beside what is still being read.
    """

    def __init__(self, out: Path) -> None:
        self._out = out
        self._packers: ThreadPoolExecutor | None = None
        self._blocks: dict[str, Future[str] | list[TrialDetails]] = {}
        self._engraved: dict[str, str] = {}
        self._sound_bytes = self._picture_bytes = 0

    def put(self, name: str, value: Any) -> None:
        """Keep data as an element of the page."""
        self._packers = self._packers or ThreadPoolExecutor(2)
        self._blocks[name] = self._packers.submit(_block, name, value)

    def put_trials(self, first: int, portion: list[TrialDetails]) -> None:
        """Keep a portion of trials as an element, completed when its engravings are there."""
        for detail in portion:
            detail.engraved = {}
        if any(detail.notation for detail in portion):
            self._blocks[f"trials-{first}"] = portion
        else:
            super().put_trials(first, portion)

    def fitted(self, recording: media.PlayableRecording) -> media.PlayableRecording:
        """Compressed, where there is room left."""
        return recording if self._sound_bytes > MOST_SOUND_BYTES else media.small(recording)

    def put_sound(self, sha256: str, recording: media.PlayableRecording) -> str | None:
        """Put the recording into its address, as a data URL."""
        if self._sound_bytes > MOST_SOUND_BYTES:
            return None
        self._sound_bytes += len(recording.data)
        return _data_url(recording.data, recording.mime)

    def put_picture(self, sha256: str, shown: media.Shown) -> str | None:
        """Put the picture into its address, as a data URL."""
        if self._picture_bytes + len(shown.data) > _SINGLE_PICTURE_BYTES:
            return None
        self._picture_bytes += len(shown.data)
        return _data_url(shown.data, shown.mime)

    def put_engraving(self, name: str, svg: bytes) -> bool:
        """Keep the engraving for the trials that it belongs to."""
        self._engraved[name] = svg.decode()
        return False

    def finish(
        self, made: Made, notes: Sequence[Text], data: PageData, figures: Sequence[PaperFigure]
    ) -> None:
        """The file, in each language with all that is in it."""
        for name, portion in list(self._blocks.items()):
            if isinstance(portion, list):
                for detail in portion:
                    own = (tune for _, tune in detail.notation if tune in self._engraved)
                    detail.engraved = {tune: self._engraved[tune] for tune in own}
                self.put(name, portion)
        blocks = [one.result() for one in self._blocks.values() if isinstance(one, Future)]
        if self._packers:
            self._packers.shutdown()
        elements = Markup("".join([_element("report", _inert(data)), *blocks]))

        def whole(language: str, others: Others) -> str:
            return page(made[language], notes, _look(), elements, others=others)

        try:
            self._out.parent.mkdir(parents=True, exist_ok=True)
            write_pages(self._out, list(made), whole)
        except OSError as error:
            why = system_words(error)
            raise InputError(said("error-write", out=self._out, why=why)) from None


def _data_url(data: bytes, mime: str) -> str:
    return f"data:{mime};base64,{base64.b64encode(data).decode()}"


def _look() -> pages.Look:
    """Scripts and style in the page itself; only these may run, by their hash."""
    scripts = tuple(f"report/{name}" for name in SCRIPTS)
    rules = "img-src data:; media-src data:"
    return pages.in_page(styles=("report/report.css",), scripts=scripts, rules=rules)


def _packed(text: bytes) -> str:
    return base64.b64encode(gzip.compress(text, _LEVEL, mtime=0)).decode()


def _block(name: str, value: Any) -> str:
    """Data as an element that does nothing; what is large is packed."""
    text = msgspec.json.encode(value)
    if len(text) < _PACKED_BYTES:
        return _element(name, _inert(value))
    packed = _packed(text)
    return _element(name, packed, ' data-packed="gzip"')


def _element(name: str, text: str, more: str = "") -> str:
    return f'<script type="application/json" data-name="{name}"{more}>{text}</script>\n'


def _inert(value: Any) -> str:
    """JSON that cannot end the element that it stands in."""
    text = msgspec.json.encode(value).decode()
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def asset(name: str) -> str:
    """One of the page's own files; of its style, that which all pages have comes first."""
    if name == STYLE:
        return pages.asset(STYLE) + pages.asset("report/report.css")
    return pages.asset(f"report/{name}")


def linked_look(policy: str) -> pages.Look:
    """The look of a page whose scripts and style are files beside it."""
    scripts = tuple(f"assets/{name}" for name in SCRIPTS)
    return pages.Look(policy=policy, sheets=(f"assets/{STYLE}",), scripts=scripts)


@contextlib.contextmanager
def only_writer(out: Path) -> Iterator[int]:
    """Hold the folder, made if it is not there, while it is written; others wait their turn."""
    if out.exists() and not out.is_dir():
        raise InputError(said("error-out-file", out=out))
    with reworded(said("error-write", out=out, why="")):
        out.mkdir(parents=True, exist_ok=True)
        folder = os.open(out, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield folder
    finally:
        os.close(folder)


@contextlib.contextmanager
def workshop(out: Path) -> Iterator[Path]:
    """A folder within the report's to write it in; when all is written, its parts take their place.

    A folder that holds neither a report nor the workshop of one that was killed is refused. Only
    one process is here at a time, so that a workshop that is found is of a dead one.
    """
    left = list(out.glob(f"{UNFINISHED}*"))
    ours = left or ((out / "data" / "report.js").is_file() and (out / PAGE).is_file())
    if not ours and any(out.iterdir()):
        raise InputError(said("error-no-report", out=out))
    place = out / f"{UNFINISHED}{os.urandom(8).hex()}"
    try:
        place.mkdir()
        for other in left:
            shutil.rmtree(other)
        yield place
        # Figures of the report before go with it, and its page in other languages.
        in_others = (page_in(Path(PAGE), language).name for language in TONGUES)
        take_over(place, out, (*_PARTS, "figures", "tables", *in_others, PAGE))
    except OSError as error:
        raise InputError(said("error-write", out=out, why=system_words(error))) from None
    finally:
        shutil.rmtree(place, ignore_errors=True)
