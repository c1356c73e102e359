"""A small set of our own in the published layout: pairs of pictures that differ in one note."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.benchmarks.scores.data import MANIFEST
from zhiyin.benchmarks.scores.fresh.compose import Frame, compose, places, put
from zhiyin.benchmarks.scores.fresh.knobs import KNOBS
from zhiyin.benchmarks.scores.fresh.layout import LAYOUT
from zhiyin.benchmarks.scores.fresh.music import BOTTOM, Piece, Pitch
from zhiyin.benchmarks.scores.fresh.xml import write_xml
from zhiyin.errors import InputError
from zhiyin.files import write_atomically
from zhiyin.music.engraved import picture
from zhiyin.music.stimuli.dice import Dice
from zhiyin.music.theory import alteration, spell

SPLIT = "made"
_KNOBS = msgspec.structs.replace(
    KNOBS["default"], clefs=("treble", "bass"), rests=0.0, chords=0.0,
    metres=((2, 4), (3, 4), (4, 4)), keys=2,
)  # fmt: skip


def make_set(options: Mapping[str, Any]) -> str:
    """Write the folder ``made`` with manifest and pictures; says what was made.

    Raises
    ------
    InputError
        No folder is named, it holds a set already, or it cannot be written.
    """
    if not options.get("out"):
        raise InputError("give --out, the folder to make")
    families, seed = int(options.get("n") or 6), int(options.get("seed") or 0)
    folder = Path(str(options["out"])) / SPLIT
    if (folder / MANIFEST).exists():
        raise InputError(f"{folder}: holds a set already; give another --out")
    try:
        (folder / "images").mkdir(parents=True, exist_ok=True)
        lines: list[bytes] = []
        for family in range(families):
            for role, piece, bar in _pair(seed, family):
                entry = _entry(len(lines), family, role, piece, bar)
                (folder / entry["image_path"]).write_bytes(picture(write_xml(piece), LAYOUT))
                lines.append(msgspec.json.encode(entry) + b"\n")
        write_atomically(folder / MANIFEST, b"".join(lines))
    except OSError as error:
        raise InputError(f"{folder}: cannot be written ({error.strerror})") from None
    return f"{len(lines)} pictures in {families} families in {folder}: zhiyin run with --data" + (
        f" {folder.parent}"
    )


def _pair(seed: int, family: int) -> list[tuple[str, Piece, int]]:
    """A piece, and the same with one note of one bar moved or altered."""
    dice = Dice(seed, "scores", SPLIT, family)
    fifths = dice.whole(-_KNOBS.keys, _KNOBS.keys)
    piece = compose(
        _KNOBS, Frame(dice.choice(_KNOBS.clefs), fifths, dice.choice(_KNOBS.metres)), dice
    )
    place = dice.choice(places(piece))
    old = piece.bars[place.bar].voices[0][place.event].pitches[0]
    step = 1 if old.place < BOTTOM[piece.clef] + 4 else -1
    moved = Pitch(old.place + step)
    new = Pitch(moved.place, alteration(moved.letter, fifths))
    return [("base", piece, place.bar), ("contrast", put(piece, place, (new,)), place.bar)]


def _entry(number: int, family: int, role: str, piece: Piece, bar: int) -> dict[str, Any]:
    bars = [[e.pitches[0] for e in each.voices[0]] for each in piece.bars]
    altered = sum(not pitch.in_key(piece.fifths) for pitch in bars[bar])
    name = f"{SPLIT}-{number:04d}"
    return {
        "id": name,
        "split": SPLIT,
        "image_path": f"images/{name}.png",
        "question": f"Which notes has bar {bar + 1}? Reply with JSON: a list named notes.",
        "target_measure": bar + 1,
        "answer_notes": [pitch.name for pitch in bars[bar]],
        "metadata": {
            "clef": piece.clef,
            "key_signature": f"{spell(piece.fifths).lower()}_major",
            "time_signature": f"{piece.metre[0]}/{piece.metre[1]}",
            "measure_note_sequences": [[pitch.name for pitch in each] for each in bars],
            "accidental_count": altered,
            "family_id": f"{SPLIT}-family-{family}",
            "family_role": role,
        },
    }
