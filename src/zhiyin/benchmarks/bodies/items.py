"""Items: a question with its piece, the place of its options, and the bodies that can carry it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from zhiyin.benchmarks.bodies.settings import Settings, Skill
from zhiyin.errors import InputError
from zhiyin.music.notated.asking import Question, about, fresh
from zhiyin.music.notated.files import files_in, read_file
from zhiyin.music.notated.piece import Piece
from zhiyin.music.stimuli.dice import Dice, balanced
from zhiyin.trial import Option

LETTERS = "ABCD"


class Item(msgspec.Struct, frozen=True):
    """One question.

    Attributes
    ----------
    id : str
        ``pitch-0-0003``: skill, seed, number; of a user's piece the file's name and the skill.
    skill : str
    question : Question
    options : tuple of Option
        As they are shown. Keys are letters in the order of the question, whose first is right
        and whose key is drawn too.
    target : str
        Key of the right one.
    cluster : str
        The piece.
    """

    id: str
    skill: Skill
    question: Question
    options: tuple[Option, ...]
    target: str
    cluster: str


def own_items(settings: Settings) -> Iterator[Item]:
    """`n` items of each skill, each about a piece of its own."""
    for skill in settings.skills:
        letters = balanced(LETTERS, settings.seed, "letters", skill)
        for number, letter in zip(range(1, settings.n + 1), letters, strict=False):
            dice = Dice(settings.seed, "bodies", skill, number)
            name = f"{skill}-{settings.seed}-{number:04d}"
            yield _item(name, skill, fresh(skill.replace("-", " "), dice), letter, dice, name)


def items_about(settings: Settings, pieces: list[tuple[str, Piece]]) -> Iterator[Item]:
    """For each piece of a user an item of each skill that it gives one for."""
    for skill in settings.skills:
        letters = balanced(LETTERS, settings.seed, "letters", skill)
        for name, piece in pieces:
            dice = Dice(settings.seed, "bodies", skill, name)
            question = about(skill.replace("-", " "), piece, dice)
            if question is not None:
                yield _item(f"{skill}-{name}", skill, question, next(letters), dice, name)


def read_pieces(settings: Settings) -> tuple[list[tuple[str, Piece]], list[str]]:
    """The pieces of ``--data`` by name, and a line for each file that is left out.

    Raises
    ------
    InputError
        Nothing is there, a file cannot be used (without ``--partial``), or none can.
    """
    place = Path(str(settings.data))
    root = place if place.is_dir() else place.parent
    pieces: list[tuple[str, Piece]] = []
    faults = []
    for path in files_in(place):
        try:
            piece = read_file(path)
        except InputError as error:
            if not settings.partial:
                raise InputError(f"{error} (or leave it out: --partial)") from None
            faults.append(str(error))
            continue
        pieces.append((path.relative_to(root).as_posix(), piece))
    if not pieces:
        raise InputError(f"{place}: no file can be used; the first: {faults[0]}")
    return pieces, faults


def _item(
    name: str, skill: Skill, question: Question, letter: str, dice: Dice, cluster: str
) -> Item:
    order = dice.shuffled(question.options[1:])
    order.insert(LETTERS.index(letter), question.options[0])
    # Keys say nothing of what is right: they are the letters shown.
    options = tuple(Option(a, text, a) for a, text in zip(LETTERS, order, strict=True))
    return Item(name, skill, question, options, letter, cluster)
