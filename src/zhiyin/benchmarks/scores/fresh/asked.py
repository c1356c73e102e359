"""What is asked of a picture, independent of language."""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

from zhiyin.benchmarks.scores.fresh.music import Piece

Task = Literal[
    "note", "highest", "interval", "triad", "signature", "meter", "value", "marking",
    "transcribe", "notes", "silences",
]  # fmt: skip
TASKS: tuple[Task, ...] = get_args(Task)
CHOICES: tuple[Task, ...] = TASKS[:8]
"""Tasks in which one of four options is right; the others are answered freely."""


class Question(msgspec.Struct, frozen=True):
    """A piece and what is asked of it.

    Attributes
    ----------
    piece : Piece
    options : tuple of str
        Without words: ``F#4``, ``3m`` (a minor third), ``-2`` (two flats), ``6/8``, ``4.``, ``mf``.
        None where the answer is free.
    answer : str
        One of the options; or notes parted by spaces; or a number.
    mistakes : dict of str to str
        What a wrong option stands for, as far as it is known.
    bar, number, voice : int
        From 1: the bar, the note among those of its voice in the bar, and the voice, where the
        question names one; else 0.
    """

    piece: Piece
    answer: str
    options: tuple[str, ...] = ()
    mistakes: dict[str, str] = {}
    bar: int = 0
    number: int = 0
    voice: int = 0
