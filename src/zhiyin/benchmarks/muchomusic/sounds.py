"""What is played for a question under a condition, made once and remembered."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import msgspec

from zhiyin.benchmarks.muchomusic.data import Question
from zhiyin.benchmarks.muchomusic.library import find_recordings
from zhiyin.benchmarks.muchomusic.settings import Settings
from zhiyin.benchmarks.muchomusic.trials import Played
from zhiyin.errors import InputError
from zhiyin.music.conditions import draw_order, noise_like, silence_like
from zhiyin.sound import audio_part
from zhiyin.trial import Audio

_SHOWN = 3


class Stage:
    """The recordings of the questions, and what is played in their place.

    Only headers are decoded, but for noise, whose level is the recording's. Several threads may
    ask at once.

    Parameters
    ----------
    data : Path
        Folder of the data.
    questions : sequence of Question
        All questions of the file.
    settings : Settings

    Attributes
    ----------
    places : list of str
        The tracks whose recordings are here, in the order of the data.

    Raises
    ------
    InputError
        Where recordings are missing and `settings.partial` does not allow it, or all are.
    """

    def __init__(self, data: Path, questions: Sequence[Question], settings: Settings) -> None:
        self._settings = settings
        self._recordings = find_recordings(data, questions)
        self.places = list(self._recordings)
        self._genres = {q.place: q.genre for q in questions if q.place in self._recordings}
        self._locks: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)
        self._whole: dict[str, Audio] = {}
        self._made: dict[tuple[str, str], Audio] = {}
        wanted = dict.fromkeys(question.place for question in questions)
        missing = [place for place in wanted if place not in self._recordings]
        if missing and not (settings.partial and self.places):
            raise InputError(
                f"{data}: no recording for {len(missing)} of {len(wanted)} tracks "
                f"({', '.join(missing[:_SHOWN])}{', ...' if len(missing) > _SHOWN else ''}); "
                "put them where the docs say"
                + (", or run what is there with --partial" if self.places else "")
            )

    def whole(self, place: str) -> Audio:
        """A track's whole recording. Raises `InputError` where it cannot be read."""
        with self._locks[place]:
            if place not in self._whole:
                self._whole[place] = audio_part(self._recordings[place].open())
            return self._whole[place]

    def play(self, question: Question, audio: str) -> Played:
        """What is played for a question.

        Parameters
        ----------
        question : Question
        audio : {"true", "none", "silence", "noise", "swap"}

        Raises
        ------
        InputError
            Where a recording cannot be read, noise cannot be made, or there is no other track.
        """
        if audio == "none":
            return Played(None, None)
        if audio == "swap":
            other = self._other(question)
            return Played(self._part(other), other)
        if audio == "true":
            return Played(self._part(question.place), question.place)
        return Played(self._substitute(question.place, audio), None)

    def _part(self, place: str) -> Audio:
        """What the clip policy leaves of a recording."""
        whole = self.whole(place)
        start, end = self._settings.window.window(whole.seconds)
        return msgspec.structs.replace(whole, start=start, end=end)

    def _substitute(self, place: str, audio: str) -> Audio:
        part = self._part(place)
        with self._locks[f"{place} {audio}"]:
            if (place, audio) not in self._made:
                self._made[place, audio] = (
                    silence_like(part)
                    if audio == "silence"
                    else noise_like(part, str(self._settings.seed))
                )
            return self._made[place, audio]

    def _other(self, question: Question) -> str:
        """Another track, drawn for the question by the seed.

        It is one of the same data set, of a known and other genre; ``--swap-any`` allows every
        genre, ``--swap-from all`` every track there is. A second copy of the same recording is
        no other track.
        """
        candidates = [
            place
            for place in self.places
            if place != question.place and self._fits(question, place)
        ]
        same = self.whole(question.place).sha256
        for place in draw_order(self._settings.seed, question.id, candidates):
            if self.whole(place).sha256 != same:
                return place
        where = "the data" if self._settings.swap_whole else question.dataset
        further = [] if self._settings.swap_whole else ["--swap-from all"]
        if not (self._settings.swap_any or self._settings.swap_whole):
            where += " has no other track of another known genre"
            further.insert(0, "--swap-any")
        else:
            where += " has no other track"
        mend = f"give {' or '.join(further)}, or " if further else ""
        raise InputError(
            f"{question.place}: {where} to swap it for: {mend}leave swap out of --audio"
        )

    def _fits(self, question: Question, place: str) -> bool:
        if self._settings.swap_whole:
            return True
        if not place.startswith(f"{question.dataset}/"):
            return False
        genre = self._genres[place]
        return self._settings.swap_any or (genre is not None and genre != question.genre)
