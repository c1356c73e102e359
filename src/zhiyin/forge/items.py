"""What the forge works on: tracks with their captions, and questions about them."""

from __future__ import annotations

import hashlib

import msgspec

KINDS = ("incorrect but related", "correct but unrelated", "incorrect and unrelated")
"""The three kinds of wrong answer: does it fit the recording, does it suit the question?"""


class Track(msgspec.Struct, frozen=True, omit_defaults=True):
    """A recording and what people wrote of it.

    Attributes
    ----------
    id : str
    captions : tuple of str
    recording : str
        Path of its file; "" where it has none.
    title, artist : str
        Never shown: questions that hold them fall.
    style : str
        Its genre; "" where it is not stated.
    labels : tuple of str
        Further words about it.
    quality, licence, dataset : str
        As the source has it; "" where it says nothing.
    outside : str
        Why the source itself leaves it out; "" for what belongs to it.
    """

    id: str
    captions: tuple[str, ...]
    recording: str = ""
    title: str = ""
    artist: str = ""
    style: str = ""
    labels: tuple[str, ...] = ()
    quality: str = ""
    licence: str = ""
    dataset: str = ""
    outside: str = ""


class Distractor(msgspec.Struct, frozen=True, omit_defaults=True):
    """A wrong answer: which of `KINDS`, its text, and why it is wrong."""

    text: str
    kind: str = ""
    why: str = ""


class Item(msgspec.Struct, frozen=True, omit_defaults=True):
    """A question about a track.

    Attributes
    ----------
    id, track : str
    question, answer : str
    distractors : tuple of Distractor
    evidence : str
        The words of a caption that the answer rests on.
    summary : str
        What the writer took from the captions.
    index : dict of str to float
        Perceptual index by text model: 1 minus its probability of the right answer, unheard.
    annotations : int
        How many people judged it.
    categories : tuple of str
        Such as "CATEGORY/DIMENSION"; of several, the first counts it first.
    explanation : str
        Why these categories.
    """

    id: str
    track: str
    question: str
    answer: str
    distractors: tuple[Distractor, ...]
    evidence: str = ""
    summary: str = ""
    index: dict[str, float] = {}
    annotations: int = 0
    categories: tuple[str, ...] = ()
    explanation: str = ""

    @property
    def options(self) -> tuple[str, ...]:
        """The texts of all options, the right one first."""
        return (self.answer, *(one.text for one in self.distractors))


def chance_of(*words: object) -> float:
    """A number in [0, 1) that depends on the words alone: a draw that is the same everywhere."""
    digest = hashlib.blake2b("\0".join(map(str, words)).encode(), digest_size=8).digest()
    return int.from_bytes(digest) / 2**64
