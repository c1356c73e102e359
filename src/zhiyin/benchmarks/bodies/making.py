"""Pieces of our own as files, and a look through files of a user."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec

from zhiyin.benchmarks.bodies.bodying import WRITERS, Maker
from zhiyin.contract.declared import CheckResult, Flaw
from zhiyin.errors import InputError
from zhiyin.files import whole_folder
from zhiyin.flags import Flag
from zhiyin.music.notated.composing import KINDS, any_plan, compose
from zhiyin.music.notated.files import files_in, read_file
from zhiyin.music.notated.piece import Piece
from zhiyin.music.stimuli.dice import Dice, balanced
from zhiyin.trial import Audio, Image

ENDINGS = {"midi": ".txt", "abc": ".abc", "musicxml": ".musicxml", "kern": ".krn"}


class Making(msgspec.Struct, frozen=True):
    """What may be set of ``zhiyin data make``."""

    out: Annotated[str | None, Flag("the folder, a new or an empty one", "DIR")] = None
    n: Annotated[int, Flag("pieces"), msgspec.Meta(ge=1, le=10_000)] = 12
    seed: Annotated[int, Flag("of the pieces")] = 0


def pieces(n: int, seed: int) -> list[Piece]:
    """Pieces of all kinds: tunes, duets and tunes over chords by turns."""
    made_pieces = []
    for number, kind in zip(range(n), balanced(KINDS, seed, "kinds"), strict=False):
        dice = Dice(seed, "piece", number)
        made_pieces.append(compose(any_plan(kind, dice), dice))
    return made_pieces


def make(options: dict[str, Any]) -> str:
    """Write pieces in all six bodies.

    Raises
    ------
    InputError
        No folder is named, it cannot be written, or it holds something.
    """
    if not options.get("out"):
        raise InputError("--out: name the folder to write")
    out, n, seed = Path(options["out"]), int(options.get("n") or 12), int(options.get("seed") or 0)
    try:
        if out.exists() and any(out.iterdir()):
            raise InputError(f"{out}: is not empty: name a new folder")
        maker = Maker()
        with whole_folder(out) as place:
            for number, piece in enumerate(pieces(n, seed), 1):
                stem = place / f"piece-{number:04d}"
                for body, write in WRITERS.items():
                    stem.with_suffix(ENDINGS[body]).write_text(write(piece), "utf-8")
                for body, ending in (("sound", ".wav"), ("image", ".png")):
                    part = maker.body(piece, body)  # type: ignore[arg-type]
                    assert isinstance(part, Audio | Image)
                    stem.with_suffix(ending).write_bytes(Path(part.path).read_bytes())
    except OSError as error:
        raise InputError(f"{out}: cannot be written ({error.strerror}): name another") from None
    return f"{out}: {n} pieces in six formats"


def check(options: Mapping[str, Any]) -> CheckResult:
    """Each file of notation that cannot be used, and why."""
    if not options.get("data"):
        raise InputError("give --data, a file of MusicXML, ABC or kern, or a folder of them")
    flaws, count = [], 0
    for path in files_in(Path(str(options["data"]))):
        count += 1
        try:
            read_file(path)
        except InputError as error:
            flaws.append(Flaw("unusable", path.name, path.stem, str(error)))
    return CheckResult(count, flaws)
