"""A picture of notation: MusicXML engraved by Verovio, its drawing turned into a PNG by resvg.

Both are packages of the extras ``notation`` and ``scores``.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.errors import InputError, imported, missing_package
from zhiyin.parsing import read_beside

Options = dict[str, str | int | float | bool]

PLAIN = read_beside(__file__, "engraved.json", Options)
"""Options of Verovio in every layout: one page, as large as the music needs, no headings."""


class PictureLayout(msgspec.Struct, frozen=True):
    """The look of a picture.

    Attributes
    ----------
    options : dict
        Of Verovio, beside those of `PLAIN`.
    zoom : float
        Pixels of the picture for one of the drawing.
    words : bool
        Whether names of instruments and numbers of bars are drawn. In the font of matplotlib
        where that is installed, so that they look alike everywhere, else in one of the system's.
    extra : str
        Of Zhiyin, to be installed where a package is missing.
    """

    options: Options
    zoom: float = 1.0
    words: bool = True
    extra: str = "notation"


LAYOUT = PictureLayout({"pageWidth": 2400, "scale": 60})
"""Up to about 1,450 pixels wide."""


def picture(musicxml: str, layout: PictureLayout = LAYOUT) -> bytes:
    """MusicXML as a PNG file on white. The same text gives the same picture.

    Raises
    ------
    InputError
        A package is not installed, or Verovio cannot read the text.
    """
    return rasterised(engrave(musicxml, layout), layout)


def engrave(musicxml: str, layout: PictureLayout = LAYOUT) -> str:
    """MusicXML as a drawing (SVG); raises as `picture` does."""
    toolkit = _toolkit(layout.extra)
    toolkit.resetOptions()  # those of another layout would stay
    toolkit.setOptions({**PLAIN, **layout.options})
    if not toolkit.loadData(musicxml) or toolkit.getPageCount() != 1:
        raise InputError("Verovio cannot read this MusicXML: is it a whole document?")
    return str(toolkit.renderToSVG(1))


def rasterised(svg: str, layout: PictureLayout = LAYOUT) -> bytes:
    """A drawing as a PNG file on white. Raises `InputError` where resvg_py is not installed."""
    resvg = imported("resvg_py", "resvg_py", layout.extra)
    fonts = _fonts() if layout.words else []
    png = resvg.svg_to_bytes(
        svg_string=svg, background="white", zoom=layout.zoom, font_files=fonts,
        skip_system_fonts=bool(fonts) or not layout.words,
        serif_family="DejaVu Serif", font_family="DejaVu Serif",
    )  # fmt: skip
    return bytes(png)


def label(layout: PictureLayout = LAYOUT) -> str:
    """Name the engraver, with its versions and layout: with others, pictures may differ.

    Raises `InputError` where a package is not installed.
    """
    try:
        packages = [f"{name} {version(name)}" for name in ("verovio", "resvg_py")]
    except PackageNotFoundError as error:
        raise missing_package(str(error.name), layout.extra) from None
    options = json.dumps(PLAIN | layout.options, sort_keys=True)
    words = str(len(_fonts())) if layout.words else "no words"
    return ", ".join([*packages, options, str(layout.zoom), words])


@cache
def _toolkit(extra: str) -> Any:
    verovio = imported("verovio", "verovio", extra)
    verovio.enableLog(verovio.LOG_OFF)
    return verovio.toolkit()


@cache
def _fonts() -> list[str]:
    spec = find_spec("matplotlib")
    for folder in spec.submodule_search_locations or () if spec else ():
        font = Path(folder) / "mpl-data" / "fonts" / "ttf" / "DejaVuSerif.ttf"
        if font.is_file():
            return [str(font)]
    return []
