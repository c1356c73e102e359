"""An item in a body: words, sounds or pictures. Sounds and pictures are kept in the cache."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cached_property

from zhiyin.benchmarks.bodies.settings import Body
from zhiyin.files import cache_folder, write_cached
from zhiyin.music.engraved import label, picture
from zhiyin.music.notated.piece import Piece
from zhiyin.music.notated.writing import (
    play,
    write_abc,
    write_kern,
    write_midi_text,
    write_musicxml,
)
from zhiyin.music.render import Renderer, open_renderer
from zhiyin.picture import image_part
from zhiyin.sound import audio_part
from zhiyin.trial import Audio, Image, Text

_VERSION = 1
"""Raised whenever the same piece would sound or look otherwise: part of every file's name."""
WRITERS: dict[Body, Callable[[Piece], str]] = {
    "midi": write_midi_text,
    "abc": write_abc,
    "musicxml": write_musicxml,
    "kern": write_kern,
}
"""How a piece is written in each symbolic body."""


class Maker:
    """Gives pieces their bodies, each file made once."""

    @cached_property
    def renderer(self) -> Renderer:
        """What plays."""
        return open_renderer()

    def body(self, piece: Piece, body: Body) -> Text | Audio | Image:
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

    def _file(self, piece: Piece, made_by: str, ending: str) -> str:
        """Named after what it is made of, which is hashed: a name says nothing of the answer."""
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
