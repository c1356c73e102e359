"""A process of its own that turns one tune into MIDI: JSON in, JSON out (Verovio, LGPL)."""

from __future__ import annotations

import json
import sys


def main() -> None:
    """Read one order and print its MIDI file in base64, or null."""
    import verovio  # type: ignore[import-not-found,unused-ignore]

    verovio.enableLog(verovio.LOG_OFF)
    order = json.load(sys.stdin)
    toolkit = verovio.toolkit()
    toolkit.setOptions({"inputFrom": order["format"]})
    json.dump(toolkit.renderToMIDI() if toolkit.loadData(order["text"]) else None, sys.stdout)


if __name__ == "__main__":
    main()
