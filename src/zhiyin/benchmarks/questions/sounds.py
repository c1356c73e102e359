"""The recordings and pictures of questions: where they may lie, and what is known of them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import msgspec

from zhiyin.errors import InputError
from zhiyin.picture import image_part
from zhiyin.sound import audio_part
from zhiyin.trial import Audio, Image


class Place(msgspec.Struct, frozen=True):
    """Where a file lies, and what it is called: its path from the root, the same for all."""

    path: Path
    name: str


def place_of(written: str, root: Path, *, anywhere: bool = False) -> Place | str:
    r"""The place of a recording or a picture, or what is wrong with how it is written.

    Parameters
    ----------
    written : str
        A path relative to `root`, with / or, from a spreadsheet of Windows, \\.
    root : Path
    anywhere : bool
        Whether the user named the root: a message need not say how to.
    """
    if "://" in written:
        return "is an address: download it, and write the path of the file"
    folder = os.path.abspath(root)  # noqa: PTH100 - links are the user's, and stay unresolved
    place = os.path.normpath(os.path.join(folder, written))  # noqa: PTH118
    if "\\" in written and not os.path.exists(place):  # noqa: PTH110
        place = os.path.normpath(os.path.join(folder, written.replace("\\", "/")))  # noqa: PTH118
    if not _lies_in(place, folder):
        hint = "" if anywhere else ": name the folder above both by --audio-root"
        return f"leaves the folder {root}{hint}"
    if not os.path.isfile(place):  # noqa: PTH113
        return f"is not there (looked in {root})"
    return Place(Path(place), Path(os.path.relpath(place, folder)).as_posix())


def _lies_in(place: str, folder: str) -> bool:
    try:
        return os.path.commonpath([folder, place]) == folder
    except ValueError:  # on another drive
        return False


Heard = tuple[Audio, str]


class Shelf:
    """The recordings and pictures that have been looked at, each once."""

    def __init__(self) -> None:
        self._audio: dict[Path, Audio] = {}
        self._images: dict[Path, Image] = {}

    def audio(self, place: Place) -> Audio:
        """The part of a message for a recording. Raises `InputError` where it is no audio."""
        if place.path not in self._audio:
            self._audio[place.path] = audio_part(place.path)
        return self._audio[place.path]

    def play(self, place: Place, what: str, seed: int, item: str, others: Iterable[Place]) -> Heard:
        """What is played in the place of a recording.

        Parameters
        ----------
        place : Place
        what : {"true", "silence", "noise", "swap"}
        seed : int
            Of the noise, and of what is drawn.
        item : str
            The question: each gets a recording of its own.
        others : iterable of Place
            What may be played for "swap": one of these is drawn that is another recording.

        Returns
        -------
        part : Audio
        name : str
            Of the recording that is heard; "" for none.

        Raises
        ------
        InputError
            It cannot be read, noise cannot be made, or there is no other recording.
        """
        from zhiyin.music.conditions import draw_order, noise_like, silence_like

        own = self.audio(place)
        if what == "true":
            return own, place.name
        if what != "swap":
            return (silence_like(own) if what == "silence" else noise_like(own, str(seed))), ""
        by_name = {other.name: other for other in others}
        for name in draw_order(seed, item, by_name):
            part = self.audio(by_name[name])
            if part.sha256 != own.sha256:
                return part, name
        raise InputError(
            f"{place.path}: there is no other recording to swap it for: leave swap out of --audio"
        )

    def image(self, place: Place) -> Image:
        """The part of a message for a picture. Raises `InputError` where it cannot be sent."""
        if place.path not in self._images:
            self._images[place.path] = image_part(place.path)
        return self._images[place.path]
