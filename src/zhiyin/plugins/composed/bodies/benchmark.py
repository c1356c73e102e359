"""The benchmark: items, and each of them in every body that can carry it.

A piece in each body, and folders of pieces: written, or a user's looked through.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import msgspec

from zhiyin.contract.benchmark import Benchmark, deferred
from zhiyin.contract.declared import CheckResult, Flaw
from zhiyin.contract.declared import Skill as HearingSkill
from zhiyin.contract.options import OwnPrompts
from zhiyin.errors import InputError, reworded
from zhiyin.files import cache_folder, write_cached
from zhiyin.flags import Flag
from zhiyin.picture import image_part
from zhiyin.plugins.composed.bodies import COMMANDS
from zhiyin.plugins.composed.digests import digest_of
from zhiyin.plugins.music.engraved import label, picture
from zhiyin.plugins.music.made_files import whole_folder
from zhiyin.plugins.music.notated import NotatedPiece, writing
from zhiyin.plugins.music.notated.asking import NotatedQuestion, about, fresh
from zhiyin.plugins.music.notated.composing import KINDS, any_plan, compose
from zhiyin.plugins.music.notated.files import files_in, read_file
from zhiyin.plugins.music.render import Renderer, open_renderer
from zhiyin.plugins.music.stimuli import Dice, balanced
from zhiyin.prompts import Prompts
from zhiyin.sound import audio_part
from zhiyin.trial import Audio, Image, Message, Option, Part, Tag, Text, Trial, say
from zhiyin.words import Said, said

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
    "midi": writing.write_midi_text,
    "abc": writing.write_abc,
    "musicxml": writing.write_musicxml,
    "kern": writing.write_kern,
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
        source = writing.write_musicxml(piece)
        words = f"{_VERSION}\0{made_by}\0{ending}\0{source}"
        name = hashlib.sha256(words.encode()).hexdigest()[:24]
        path = cache_folder("bodies") / f"{name}{ending}"
        if not path.is_file():
            if ending == ".wav":
                write_cached(path, writing.play(piece, self.renderer))
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
        raise InputError(said("bodies-out"))
    out, n, seed = Path(options["out"]), int(options.get("n") or 12), int(options.get("seed") or 0)
    with reworded(f"{out}: cannot be written (", "): name another"):
        if out.exists() and any(out.iterdir()):
            raise InputError(said("bodies-there", out=out))
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
        raise InputError(said("bodies-data"))
    flaws, count = [], 0
    for path in files_in(Path(str(options["data"]))):
        count += 1
        try:
            read_file(path)
        except InputError as error:
            flaws.append(Flaw("unusable", path.name, path.stem, str(error)))
    return CheckResult(count, flaws)


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
                raise InputError(said("bodies-leave-out", why=error)) from None
            faults.append(str(error))
            continue
        pieces.append((path.relative_to(root).as_posix(), piece))
    if not pieces:
        raise InputError(said("bodies-no-file", place=place, faults=faults[0]))
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
    check = deferred(f"{__name__}:check")
    """Look through notation of a user. Raises `InputError` where there is none."""
    make = deferred(f"{__name__}:make")
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
            raise InputError(said("bodies-none-of", data=settings.data, skills=settings.skills))
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
            stem=question.stem, options=item.options, target=item.target, groups=(body, item.skill),
            cluster=item.cluster, tags={"body": body, "skill": item.skill}, item=item.id,
            condition=body,
        )  # fmt: skip

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
