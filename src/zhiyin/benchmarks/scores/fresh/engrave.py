"""From MusicXML to a picture: engraved by Verovio, rasterised by resvg. Draws no words."""

from __future__ import annotations

import importlib.util
from functools import cache
from importlib.metadata import version
from typing import Any

from zhiyin.errors import InputError, missing_package

EXTRA = "scores"
_ZOOM = 2 / 3
"""Makes a space of the staff 12 pixels high: a whole number, so that all lines are equally dark."""
_LAYOUT = {
    "adjustPageHeight": True,
    "adjustPageWidth": True,
    "breaks": "auto",
    "footer": "none",
    "header": "none",
    "inputFrom": "musicxml",
    "pageHeight": 20000,
    "pageMarginBottom": 60,
    "pageMarginLeft": 60,
    "pageMarginRight": 60,
    "pageMarginTop": 60,
    "pageWidth": 2000,
    "scale": 100,
    "staffLineWidth": 0.22,
    "svgViewBox": False,
    "xmlIdSeed": 1,
}


def label() -> str:
    """Engraver and rasteriser with their versions: with others, pictures may differ.

    Raises
    ------
    InputError
        One of them is missing.
    """
    for module in ("verovio", "resvg_py"):
        if importlib.util.find_spec(module) is None:
            raise missing_package(module.replace("_", "-"), EXTRA)
    return f"verovio {version('verovio')}, resvg {version('resvg-py')}"


@cache
def _toolkit() -> Any:
    import verovio

    verovio.enableLog(verovio.LOG_OFF)
    return verovio.toolkit()


def engrave(xml: str) -> bytes:
    """The picture of a piece, as PNG on white.

    Fonts of the system are left out, so that bar numbers, the only words that Verovio would
    write, are not drawn, and a picture is the same on every machine.
    """
    label()
    import resvg_py

    toolkit = _toolkit()
    toolkit.setOptions(_LAYOUT)
    if not toolkit.loadData(xml) or toolkit.getPageCount() != 1:
        raise InputError("Verovio cannot engrave the piece: install another version of it")
    svg = toolkit.renderToSVG(1)
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg, background="#ffffff", skip_system_fonts=True, zoom=_ZOOM
        )
    )
