"""A picture of notation: MusicXML engraved by Verovio, its drawing turned into a PNG by resvg.

Both are packages of the extra ``notation``.
"""

from __future__ import annotations

import importlib
from functools import cache
from typing import Any

from zhiyin.errors import InputError, missing_package

LAYOUT = {
    "adjustPageHeight": True,
    "adjustPageWidth": True,
    "breaks": "auto",
    "footer": "none",
    "header": "none",
    "pageHeight": 20000,
    "pageMarginBottom": 60,
    "pageMarginLeft": 60,
    "pageMarginRight": 60,
    "pageMarginTop": 60,
    "pageWidth": 2400,
    "scale": 60,
    "xmlIdSeed": 1,
}
"""Options of Verovio: up to about 1,450 pixels wide, as high as the music needs, no headings."""


def engrave(musicxml: str, **options: Any) -> str:
    """MusicXML as a drawing (SVG). The same text gives the same drawing.

    Parameters
    ----------
    musicxml : str
    **options
        Of Verovio, in the place of those in `LAYOUT`.

    Raises
    ------
    InputError
        Verovio is not installed, or cannot read the text.
    """
    toolkit = _toolkit()
    toolkit.setOptions({**LAYOUT, **options, "inputFrom": "xml"})
    if not toolkit.loadData(musicxml) or not toolkit.getPageCount():
        raise InputError("Verovio cannot read this MusicXML: is it a whole document?")
    return str(toolkit.renderToSVG(1))


def rasterised(svg: str, zoom: float = 1.0, *, words: bool = True) -> bytes:
    """A drawing as a PNG file on white. Raises `InputError` where resvg_py is not installed.

    Words in it (names of instruments, numbers of bars) are drawn in the font of matplotlib where
    that is installed, so that they look alike everywhere, else in one of the system's; or left
    out.
    """
    try:
        resvg: Any = importlib.import_module("resvg_py")
    except ImportError:
        raise missing_package("resvg_py", "notation") from None
    fonts = _fonts() if words else []
    made = resvg.svg_to_bytes(
        svg_string=svg, background="white", zoom=zoom, font_files=fonts,
        skip_system_fonts=bool(fonts) or not words,
        serif_family="DejaVu Serif", font_family="DejaVu Serif",
    )  # fmt: skip
    return bytes(made)


@cache
def _toolkit() -> Any:
    try:
        verovio: Any = importlib.import_module("verovio")
    except ImportError:
        raise missing_package("verovio", "notation") from None
    verovio.enableLog(verovio.LOG_OFF)
    return verovio.toolkit()


@cache
def _fonts() -> list[str]:
    from importlib.util import find_spec
    from pathlib import Path

    spec = find_spec("matplotlib")
    for folder in spec.submodule_search_locations or () if spec else ():
        found = Path(folder) / "mpl-data" / "fonts" / "ttf" / "DejaVuSerif.ttf"
        if found.is_file():
            return [str(found)]
    return []


def label() -> str:
    """What engraves, with its versions and the options of the layout."""
    import json
    from importlib.metadata import PackageNotFoundError, version

    try:
        packages = [f"{name} {version(name)}" for name in ("verovio", "resvg_py")]
    except PackageNotFoundError as error:
        raise missing_package(str(error.name), "notation") from None
    return ", ".join([*packages, json.dumps(LAYOUT), str(len(_fonts()))])
