"""How fresh pictures look."""

from __future__ import annotations

from zhiyin.music.engraved import Layout

LAYOUT = Layout(
    {"pageWidth": 2000, "scale": 100, "staffLineWidth": 0.22, "svgViewBox": False},
    zoom=2 / 3,
    words=False,
    extra="scores",
)
"""A space of the staff is 12 pixels high: a whole number, so that all lines are equally dark.

Without words no number of a bar is drawn, and a picture needs no font, so that it is the same on
every machine.
"""
