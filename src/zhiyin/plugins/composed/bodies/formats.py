"""A piece in each body, and folders of pieces: written, or a user's looked through."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import msgspec

from zhiyin.contract.declared import CheckResult, Flaw
from zhiyin.contract.declared import Skill as HearingSkill
from zhiyin.contract.options import OwnPrompts
from zhiyin.errors import InputError, reworded
from zhiyin.files import cache_folder, whole_folder, write_cached
from zhiyin.flags import Flag
from zhiyin.picture import image_part
from zhiyin.plugins.music.engraved import label, picture
from zhiyin.plugins.music.notated.composing import KINDS, any_plan, compose
from zhiyin.plugins.music.notated.files import files_in, read_file
from zhiyin.plugins.music.notated.piece import NotatedPiece
from zhiyin.plugins.music.notated.writing import (
    play,
    write_abc,
    write_kern,
    write_midi_text,
    write_musicxml,
)
from zhiyin.plugins.music.render import Renderer, open_renderer
from zhiyin.plugins.music.stimuli.dice import Dice, balanced
from zhiyin.sound import audio_part
from zhiyin.trial import Audio, Image, Text

Body = Literal["sound", "midi", "abc", "musicxml", "kern", "image"]
Skill = Literal[
    "pitch", "spelling", "interval", "key", "metre", "contour", "chord", "cadence",
    "repeated-bar", "repeat-marks", "upbeat", "form", "transposition", "instruments",
    "changed-note",
]  # fmt: skip
BODIES: tuple[Body, ...] = get_args(Body)
SKILLS: tuple[Skill, ...] = get_args(Skill)


HEARD: Mapping[str, HearingSkill] = {
    "pitch": "pitch", "interval": "pitch", "contour": "pitch", "transposition": "pitch",
    "changed-note": "pitch", "key": "harmony", "chord": "harmony", "cadence": "harmony",
    "metre": "rhythm", "upbeat": "rhythm", "repeated-bar": "form", "repeat-marks": "form",
    "form": "form", "instruments": "timbre",
}  # fmt: skip
"""What is shown by answering of the sound; of every other body it is reading."""


class BodySettings(msgspec.Struct, frozen=True):
    """Settings of a run: which questions, in which formats, about which pieces."""

    body: Annotated[
        tuple[Body, ...],
        Flag(f"of {','.join(BODIES)}; default all", "B,...", once=True, chooses=True),
    ] = ()
    skill: Annotated[
        tuple[Skill, ...], Flag("what is asked for; default all", "S,...", once=True, chooses=True)
    ] = ()
    n: Annotated[
        int, Flag("pieces of our own for each skill", chooses=True), msgspec.Meta(ge=1, le=10_000)
    ] = 10
    seed: Annotated[int, Flag("of pieces, questions and options")] = 0
    data: Annotated[
        str | None,
        Flag("MusicXML, ABC or kern of yours in the place of our own pieces", chooses=True),
    ] = None
    partial: Annotated[bool, Flag("leave out files that cannot be used")] = False
    prompts: OwnPrompts = None
    extract: Annotated[str, Flag("how replies are read")] = "robust"

    @property
    def bodies(self) -> tuple[Body, ...]:
        """The bodies that are asked in."""
        return self.body or BODIES

    @property
    def skills(self) -> tuple[Skill, ...]:
        """The skills that are asked for; all where none is named."""
        return self.skill or SKILLS


_VERSION = 1
"""Raised whenever the same piece would sound or look otherwise: part of every file's name."""
WRITERS: dict[Body, Callable[[NotatedPiece], str]] = {
    "midi": write_midi_text,
    "abc": write_abc,
    "musicxml": write_musicxml,
    "kern": write_kern,
}
"""How a piece is written in each symbolic body."""


class BodyMaker:
    """Gives pieces their bodies, each file made once."""

    @cached_property
    def renderer(self) -> Renderer:
        """The renderer that plays the pieces."""
        return open_renderer()

    def body(self, piece: NotatedPiece, body: Body) -> Text | Audio | Image:
        """A piece as part of a message.

        Raises
        ------
        InputError
            A package for pictures is missing, or the cache cannot be written.
        """
        if body == "sound":
            return audio_part(self._file(piece, self.renderer.label, ".wav"))
        if body == "image":
            return image_part(self._file(piece, label(), ".png"))
        return Text(WRITERS[body](piece))

    def _file(self, piece: NotatedPiece, made_by: str, ending: str) -> str:
        """Make a file named by a hash of its source: the name says nothing of the answer."""
        source = write_musicxml(piece)
        words = f"{_VERSION}\0{made_by}\0{ending}\0{source}"
        name = hashlib.sha256(words.encode()).hexdigest()[:24]
        path = cache_folder("bodies") / f"{name}{ending}"
        if not path.is_file():
            if ending == ".wav":
                write_cached(path, play(piece, self.renderer))
            else:
                write_cached(path, picture(source))
        return str(path)


# Pieces of our own as files, and a look through files of a user.

ENDINGS: dict[Body, str] = {
    "sound": ".wav", "midi": ".txt", "abc": ".abc", "musicxml": ".musicxml", "kern": ".krn",
    "image": ".png",
}  # fmt: skip


class MakingBodies(msgspec.Struct, frozen=True):
    """Settings of ``zhiyin data make``."""

    out: Annotated[str | None, Flag("the folder, a new or an empty one", "DIR")] = None
    n: Annotated[int, Flag("pieces"), msgspec.Meta(ge=1, le=10_000)] = 12
    seed: Annotated[int, Flag("of the pieces")] = 0


def pieces(n: int, seed: int) -> list[NotatedPiece]:
    """Pieces of all kinds: tunes, duets and tunes over chords by turns."""
    made_pieces = []
    for number, kind in zip(range(n), balanced(KINDS, seed, "kinds"), strict=False):
        dice = Dice(seed, "piece", number)
        made_pieces.append(compose(any_plan(kind, dice), dice))
    return made_pieces


def make(options: Mapping[str, Any]) -> str:
    """Write pieces in all six bodies.

    Raises
    ------
    InputError
        No folder is named, it cannot be written, or it holds something.
    """
    if not options.get("out"):
        raise InputError("--out: name the folder to write")
    out, n, seed = Path(options["out"]), int(options.get("n") or 12), int(options.get("seed") or 0)
    with reworded(f"{out}: cannot be written (", "): name another"):
        if out.exists() and any(out.iterdir()):
            raise InputError(f"{out}: is not empty: name a new folder")
        maker = BodyMaker()
        with whole_folder(out) as place:
            for number, piece in enumerate(pieces(n, seed), 1):
                stem = place / f"piece-{number:04d}"
                for body, ending in ENDINGS.items():
                    part = maker.body(piece, body)
                    if isinstance(part, Text):
                        contents = part.text.encode()
                    else:
                        contents = Path(part.path).read_bytes()
                    stem.with_suffix(ending).write_bytes(contents)
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
