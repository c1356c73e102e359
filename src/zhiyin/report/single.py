"""Writes a report as one file that holds everything."""

from __future__ import annotations

import base64
import gzip
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
from markupsafe import Markup

from zhiyin.errors import InputError
from zhiyin.files import Place, Places, as_paths, write_atomically
from zhiyin.report import media
from zhiyin.report.front import RenderedPage, page
from zhiyin.report.notation import Progress, silent
from zhiyin.report.page_data import PageData
from zhiyin.report.run_set import RunSet
from zhiyin.report.writing import SCRIPTS, Report, ReportOutput, uncollected, write_to
from zhiyin.shown import pages
from zhiyin.words import Text

_PACKED_BYTES = 50_000
"""Data that are larger than this are packed."""
_LEVEL = 3
"""A fifth larger than at level 6, in a third of the time."""
_SINGLE_SOUND_BYTES = 60_000_000
"""How much sound one file holds; a browser still opens that at once."""
_SINGLE_PICTURE_BYTES = 30_000_000
"""Likewise of pictures."""


def write_single(
    runs: Places,
    out: Place,
    *,
    sound: bool = True,
    notation: bool = True,
    progress: Progress = silent,
) -> Report:
    """Write a report as one HTML file with everything in it, sound as MP3.

    For small runs: a page that is mailed or kept. Parameters and errors as `write_folder`.
    """
    folders, out = as_paths(runs), Path(out)
    with uncollected():
        run_set = RunSet(folders)
        file = ReportFile(out)
        written = write_to(file, run_set, sound=sound, notation=notation, progress=progress)
    return msgspec.structs.replace(written, out=out, bytes=out.stat().st_size)


class ReportFile(ReportOutput):
    """A report as one HTML file: data are elements in it, and media addresses that hold them.

    Trials with notation hold their engravings, and are packed when these are made; all else at
    once, beside what is still being read.
    """

    def __init__(self, out: Path) -> None:
        self._out = out
        self._packers: ThreadPoolExecutor | None = None
        self._blocks: dict[str, Future[str] | list[dict[str, Any]]] = {}
        self._engraved: dict[str, str] = {}
        self._sound_bytes = self._picture_bytes = 0

    def put(self, name: str, value: Any) -> None:
        """As an element."""
        self._packers = self._packers or ThreadPoolExecutor(2)
        self._blocks[name] = self._packers.submit(_block, name, value)

    def put_trials(self, first: int, portion: list[dict[str, Any]]) -> None:
        """As an element, when its engravings are there."""
        for detail in portion:
            detail["engraved"] = {}
        if any(detail["notation"] for detail in portion):
            self._blocks[f"trials-{first}"] = portion
        else:
            super().put_trials(first, portion)

    def put_sound(self, sha256: str, recording: media.Recording) -> str | None:
        """As MP3 in its address."""
        if self._sound_bytes > _SINGLE_SOUND_BYTES:
            return None
        small = recording.suffix in ("mp3", "ogg")
        data = recording.data if small else media.as_mp3(recording.data)
        self._sound_bytes += len(data)
        return _data_url(data, recording.mime if small else "audio/mpeg")

    def put_picture(self, sha256: str, shown: media.Shown) -> str | None:
        """In its address."""
        if self._picture_bytes + len(shown.data) > _SINGLE_PICTURE_BYTES:
            return None
        self._picture_bytes += len(shown.data)
        return _data_url(shown.data, shown.mime)

    def put_engraving(self, name: str, svg: bytes) -> bool:
        """In the trials that it belongs to."""
        self._engraved[name] = svg.decode()
        return False

    def finish(self, rendered_page: RenderedPage, notes: list[Text], data: PageData) -> None:
        """The file."""
        for name, portion in list(self._blocks.items()):
            if isinstance(portion, list):
                for detail in portion:
                    own = (tune for _, tune in detail["notation"] if tune in self._engraved)
                    detail["engraved"] = {tune: self._engraved[tune] for tune in own}
                self.put(name, portion)
        made = [one.result() for one in self._blocks.values() if isinstance(one, Future)]
        if self._packers:
            self._packers.shutdown()
        elements = Markup("".join([_element("report", _inert(data)), *made]))
        html = page(rendered_page, notes, _look(), elements)
        try:
            self._out.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(self._out, html.encode())
        except OSError as error:
            why = f"cannot write {self._out}: {error.strerror}; choose another with -o"
            raise InputError(why) from None


def _data_url(data: bytes, mime: str) -> str:
    return f"data:{mime};base64,{base64.b64encode(data).decode()}"


def _look() -> pages.Look:
    """Scripts and style in the page itself; only these may run, by their hash."""
    scripts = (pages.TONGUES, *(f"report/{name}" for name in SCRIPTS if name != pages.TONGUES))
    rules = "img-src data:; media-src data:"
    return pages.in_page(styles=("report/report.css",), scripts=scripts, rules=rules)


def _block(name: str, value: Any) -> str:
    """Data as an element that does nothing; what is large is packed."""
    text = msgspec.json.encode(value)
    if len(text) < _PACKED_BYTES:
        return _element(name, _inert(value))
    packed = base64.b64encode(gzip.compress(text, _LEVEL, mtime=0)).decode()
    return _element(name, packed, ' data-packed="gzip"')


def _element(name: str, text: str, more: str = "") -> str:
    return f'<script type="application/json" data-name="{name}"{more}>{text}</script>\n'


def _inert(value: Any) -> str:
    """JSON that cannot end the element that it stands in."""
    text = msgspec.json.encode(value).decode()
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
