"""A process of its own that engraves: JSON lines in, JSON lines out (Verovio, LGPL).

Verovio's importers can end the process on odd input, and a tune may come from anywhere. They also
keep the key of the tune before where a tune's own has no accidental (C after D sounds F sharp, in
Verovio 6.4, in a new toolkit too). So each tune is engraved in a copy of this process that has
engraved none.
"""

from __future__ import annotations

import json
import os
import re
import signal
import sys
from pathlib import Path
from typing import Any

PATIENCE_S = 60
"""How long one tune may take: a thousand times what one does take, for a busy machine."""
_LAYOUT = json.loads(Path(__file__).with_name("engraver.json").read_text("utf-8"))


_NOTE = re.compile(r'<g id="([^"]+)" class="note"')
_MOST_NOTES = 2000


def _sounding(toolkit: Any, svg: str) -> str:
    """The notes of what was drawn: onset and length in milliseconds, and MIDI pitch, in order."""
    toolkit.renderToTimemap()  # without it no note knows its time
    notes = []
    for name in _NOTE.findall(svg)[:_MOST_NOTES]:
        values = toolkit.getMIDIValuesForElement(name)
        if values and values.get("duration"):
            notes.append((round(values["time"]), round(values["duration"]), int(values["pitch"])))
    return ";".join(",".join(map(str, note)) for note in sorted(set(notes)))


def main() -> None:
    """Engrave until standard input ends. A tune that cannot be read gives null."""
    os.nice(5)  # the page itself comes first
    import verovio  # type: ignore[import-not-found,unused-ignore]

    verovio.enableLog(verovio.LOG_OFF)
    toolkit = verovio.toolkit()
    for line in sys.stdin:
        if not (copy := os.fork()):
            _engrave(toolkit, line)
        if os.waitpid(copy, 0)[1]:
            _tell(None)


def _engrave(toolkit: Any, line: str) -> None:
    """Engrave one tune, and end the process."""
    signal.alarm(PATIENCE_S)
    order = json.loads(line)
    toolkit.setOptions({**_LAYOUT, "inputFrom": order["format"]})
    read = toolkit.loadData(order["text"])
    svg = toolkit.renderToSVG(1) if read and toolkit.getPageCount() else None
    if svg and (notes := _sounding(toolkit, svg)):
        svg = svg.replace("<svg ", f'<svg data-notes="{notes}" ', 1)
    _tell(svg)
    os._exit(0)


def _tell(svg: str | None) -> None:
    sys.stdout.write(json.dumps(svg) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
