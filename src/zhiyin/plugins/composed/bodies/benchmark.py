"""The benchmark: items, and each of them in every body that can carry it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

import msgspec

from zhiyin.contract.benchmark import Benchmark, deferred, digest_of
from zhiyin.contract.declared import Skill as HearingSkill
from zhiyin.errors import InputError
from zhiyin.plugins.composed.bodies import COMMANDS
from zhiyin.plugins.composed.bodies.formats import (
    HEARD,
    Body,
    BodyMaker,
    BodySettings,
    MakingBodies,
    Skill,
)
from zhiyin.plugins.music.notated.asking import NotatedQuestion, about, fresh
from zhiyin.plugins.music.notated.files import files_in, read_file
from zhiyin.plugins.music.notated.piece import NotatedPiece
from zhiyin.plugins.music.stimuli.dice import Dice, balanced
from zhiyin.prompts import Prompts
from zhiyin.trial import Message, Option, Part, Tag, Text, Trial, say
from zhiyin.words import Said, said

LETTERS = "ABCD"


class BodyItem(msgspec.Struct, frozen=True):
    """One question.

    Attributes
    ----------
    id : str
        ``pitch-0-0003``: skill, seed, number; of a user's piece the file's name and the skill.
    skill : str
    question : NotatedQuestion
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
    question: NotatedQuestion
    options: tuple[Option, ...]
    target: str
    cluster: str


def own_items(settings: BodySettings) -> Iterator[BodyItem]:
    """`n` items of each skill, each about a piece of its own."""
    for skill in settings.skills:
        letters = balanced(LETTERS, settings.seed, "letters", skill)
        for number, letter in zip(range(1, settings.n + 1), letters, strict=False):
            dice = Dice(settings.seed, "bodies", skill, number)
            name = f"{skill}-{settings.seed}-{number:04d}"
            yield _item(name, skill, fresh(skill.replace("-", " "), dice), letter, dice, name)


def items_about(
    settings: BodySettings, pieces: list[tuple[str, NotatedPiece]]
) -> Iterator[BodyItem]:
    """Yield for each piece of a user one item of each skill that the piece allows."""
    for skill in settings.skills:
        letters = balanced(LETTERS, settings.seed, "letters", skill)
        for name, piece in pieces:
            dice = Dice(settings.seed, "bodies", skill, name)
            question = about(skill.replace("-", " "), piece, dice)
            if question is not None:
                yield _item(f"{skill}-{name}", skill, question, next(letters), dice, name)


def read_pieces(settings: BodySettings) -> tuple[list[tuple[str, NotatedPiece]], list[str]]:
    """The pieces of ``--data`` by name, and a line for each file that is left out.

    Raises
    ------
    InputError
        Nothing is there, a file cannot be used (without ``--partial``), or none can.
    """
    place = Path(str(settings.data))
    root = place if place.is_dir() else place.parent
    pieces: list[tuple[str, NotatedPiece]] = []
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
    name: str, skill: Skill, question: NotatedQuestion, letter: str, dice: Dice, cluster: str
) -> BodyItem:
    order = dice.shuffled(question.options[1:])
    order.insert(LETTERS.index(letter), question.options[0])
    # Keys say nothing of what is right: they are the letters shown.
    options = tuple(Option(a, text, a) for a, text in zip(LETTERS, order, strict=True))
    return BodyItem(name, skill, question, options, letter, cluster)


class Bodies(Benchmark[BodySettings]):
    """One piece in six bodies as a `Benchmark`.

    Parameters
    ----------
    settings : BodySettings
    """

    name = "bodies"
    version = "1"
    summary = said("bodies-summary")
    description = "benchmark.toml"
    commands = COMMANDS
    Settings = BodySettings
    Making = MakingBodies
    check = deferred("zhiyin.plugins.composed.bodies.formats:check")
    """Look through notation of a user. Raises `InputError` where there is none."""
    make = deferred("zhiyin.plugins.composed.bodies.formats:make")
    """Write pieces of our own in all six bodies; says what was made."""
    figures = deferred("zhiyin.plugins.composed.bodies.results:draw_figures")
    """Reading, hearing and seeing side by side, and skill by body."""
    hearing = deferred("zhiyin.plugins.composed.bodies.results:draw_losses")
    """Reading against hearing, and seeing where it was asked."""
    details = deferred("zhiyin.plugins.composed.bodies.results:sections", 1)
    """What is lost from reading to hearing to seeing, and skill by body."""

    def __init__(self, settings: BodySettings) -> None:
        super().__init__(settings)
        places = {
            "system": (), "question": ("question", "options"), "first": (), "second": (),
            "piece": (),
        }  # fmt: skip
        self._prompts = Prompts(__package__, places, folder=settings.prompts)
        self._maker = BodyMaker()
        self._parts: dict[tuple[int, Body], Part] = {}

    @cached_property
    def _items_and_remarks(self) -> tuple[list[BodyItem], list[Said]]:
        """The items, and what the user should know."""
        settings = self.settings
        if not settings.data:
            return list(own_items(settings)), []
        pieces, faults = read_pieces(settings)
        items = list(items_about(settings, pieces))
        if not items:
            raise InputError(f"{settings.data}: gives no question of {', '.join(settings.skills)}")
        remarks = [said("bodies-left-out", fault=fault) for fault in faults]
        asked = {item.skill for item in items}
        if missing := [skill for skill in settings.skills if skill not in asked]:
            remarks.append(said("bodies-no-question", skills=missing))
        return items, remarks

    @property
    def items(self) -> list[BodyItem]:
        """Every question."""
        return self._items_and_remarks[0]

    def remarks(self) -> list[Said]:
        """Files that were left out, and skills that no piece gave a question for."""
        return self._items_and_remarks[1]

    def _items_by_body(self) -> Iterator[tuple[BodyItem, Body]]:
        for item in self.items:
            for body in self.settings.bodies:
                if body in item.question.bodies:
                    yield item, body

    def __len__(self) -> int:
        return sum(1 for _ in self._items_by_body())

    def trials(self) -> Iterator[Trial]:
        """Each item in each body that carries it; sounds and pictures are made where missing."""
        for item, body in self._items_by_body():
            yield self._trial(item, body)

    def _part(self, piece: NotatedPiece, body: Body) -> Part:
        """A piece in a body: written once, since trials are made several times over."""
        key = id(piece), body
        if key not in self._parts:
            self._parts[key] = self._maker.body(piece, body)
        return self._parts[key]

    def _trial(self, item: BodyItem, body: Body) -> Trial:
        question = item.question
        option_lines = "\n".join(f"{option.letter}. {option.text}" for option in item.options)
        names = ("first", "second") if len(question.pieces) > 1 else ("piece",)
        parts: list[Part] = []
        for name, piece in zip(names, question.pieces, strict=True):
            parts += [Text(self._prompts.texts[name]), self._part(piece, body)]
        parts.append(
            Text(self._prompts.fill("question", question=question.stem, options=option_lines))
        )
        return Trial(
            id=f"{item.id}/{body}",
            messages=(say("system", self._prompts.texts["system"]), Message("user", tuple(parts))),
            stem=question.stem,
            options=item.options,
            target=item.target,
            groups=(body, item.skill),
            cluster=item.cluster,
            tags={"body": body, "skill": item.skill},
            item=item.id,
            condition=body,
        )

    @classmethod
    def shows(cls, groups: Sequence[str], tags: Mapping[str, Tag]) -> Mapping[HearingSkill, str]:
        """Reading, of what is written or engraved; of sound what the question is about."""
        if tags.get("body") != "sound":
            return {"reading": str(tags.get("body"))}
        skill = str(tags.get("skill"))
        return {HEARD[skill]: skill} if skill in HEARD else {}

    def fingerprint(self) -> str:
        """SHA-256 over prompts, questions, answers and what is sent; not over files' places."""
        return digest_of(self._prompts.as_bytes(), self.trials())
