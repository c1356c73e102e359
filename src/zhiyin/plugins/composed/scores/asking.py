"""Settings of a run, and the trials that are made by them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec

from zhiyin.contract.options import OwnPrompts
from zhiyin.errors import InputError
from zhiyin.flags import Flag
from zhiyin.parsing import read_beside
from zhiyin.plugins.composed.scores.data import Example
from zhiyin.plugins.composed.scores.music import KNOBS, LEVELS, Clef, Level, PictureKnobs
from zhiyin.plugins.composed.scores.pictures import FreshPicture
from zhiyin.plugins.composed.scores.questions import CHOICES, TASKS, Task
from zhiyin.plugins.music.clips import LETTERS
from zhiyin.plugins.music.theory import spell
from zhiyin.prompts import LAYOUT, Language, Prompts, lay_out
from zhiyin.trial import Image, Option, Tag, Trial, say
from zhiyin.words import said

_SHARE = msgspec.Meta(ge=0, le=1)
_MUSIC = ("clefs", "keys", "accidentals", "ledger", "rests", "chords", "voices", "dynamics")


class ScoresSettings(msgspec.Struct, frozen=True):
    """Settings of a run: which pictures, from where, in which language."""

    source: Annotated[
        Literal["published", "generated"], Flag("the published pictures, by --data, or fresh ones")
    ] = "published"
    split: Annotated[
        tuple[str, ...],
        Flag("published: which folders of --data; default all that are there", "S,...", once=True),
    ] = ()
    asking: Annotated[
        Literal["ours", "published"],
        Flag("published: our own words, or the question as the data have it"),
    ] = "ours"
    language: Annotated[Literal["en", "zh"], Flag("of the words around a picture")] = "en"
    task: Annotated[
        tuple[Task, ...], Flag(f"generated: of {','.join(TASKS)}; default all", "T,...", once=True)
    ] = ()
    difficulty: Annotated[
        tuple[Level, ...], Flag(f"generated: {', '.join(LEVELS)}", "L,...", once=True, chooses=True)
    ] = ("default",)
    n: Annotated[
        int,
        Flag("generated: pictures a task and difficulty", chooses=True),
        msgspec.Meta(ge=1, le=10_000),
    ] = 20
    clefs: Annotated[
        tuple[Clef, ...],
        Flag(
            "generated: treble,bass,alto,tenor; default by difficulty",
            "C,...",
            once=True,
            chooses=True,
        ),
    ] = ()
    keys: Annotated[
        int | None,
        Flag("most sharps or flats of a key signature", chooses=True),
        msgspec.Meta(ge=0, le=7),
    ] = None
    accidentals: Annotated[
        float | None,
        Flag("probability that a note is altered against its key", chooses=True),
        _SHARE,
    ] = None
    ledger: Annotated[
        int | None, Flag("most ledger lines of a note", chooses=True), msgspec.Meta(ge=0, le=4)
    ] = None
    rests: Annotated[
        float | None, Flag("probability of a rest", chooses=True), msgspec.Meta(ge=0, le=0.8)
    ] = None
    chords: Annotated[float | None, Flag("probability of a chord", chooses=True), _SHARE] = None
    voices: Annotated[
        int | None, Flag("on the staff: 1 or 2", chooses=True), msgspec.Meta(ge=1, le=2)
    ] = None
    dynamics: Annotated[
        Literal["yes", "no"] | None,
        Flag("whether marks from pp to ff are drawn and asked for", chooses=True),
    ] = None
    prompts: OwnPrompts = None
    seed: Annotated[int, Flag("of generated pictures")] = 0
    data: Annotated[str | None, Flag("the published pictures", place=True)] = None
    extract: Annotated[str, Flag("how replies are read")] = "robust"
    partial: Annotated[bool, Flag("pictures may be missing", place=True)] = False

    def __post_init__(self) -> None:
        if self.source == "generated":
            for name in ("data", "split"):
                if getattr(self, name):
                    raise InputError(said("scores-for-published", name=name))
            if self.extract == "music-bench":
                raise InputError(said("scores-music-bench"))
            if self.asking == "published":
                raise InputError(said("scores-asking"))
            return
        for name in ("task", *_MUSIC):
            if getattr(self, name) not in (None, ()):
                raise InputError(said("scores-generated", name=name))
        if self.asking == "published" and self.language == "zh":
            raise InputError(said("scores-english"))

    def knobs(self, level: Level) -> PictureKnobs:
        """The difficulty of pictures at a level, with what the user set."""
        given = {name: getattr(self, name) for name in _MUSIC}
        given["dynamics"] = None if self.dynamics is None else self.dynamics == "yes"
        return msgspec.structs.replace(
            KNOBS[level],
            **{name: value for name, value in given.items() if value not in (None, ())},
        )

    def tasks(self, level: Level) -> tuple[Task, ...]:
        """The tasks that are asked: where the user named none, all for which there is music."""
        if self.task:
            return self.task
        knobs = self.knobs(level)
        needs: dict[Task, bool] = {
            "triad": knobs.chords > 0,
            "signature": knobs.keys > 1,
            "marking": knobs.dynamics,
            "silences": knobs.rests > 0,
        }
        return tuple(task for task in TASKS if needs.get(task, True))


class _OptionWords(msgspec.Struct, frozen=True):
    """Words of options and places in a language."""

    numbers: tuple[str, ...]
    voices: tuple[str, str]
    qualities: dict[str, str]
    values: dict[str, str]


_WORDS = read_beside(__file__, "options.toml", dict[Language, _OptionWords])


def option_text(task: Task, option: str, language: Language) -> str:
    """An option of `Question` in words."""
    words = _WORDS[language]
    if task == "interval":
        number, quality = words.numbers[int(option[0]) - 1], words.qualities[option[1:]]
        return f"{quality} {number}" if language == "en" else quality + number
    if task == "signature":
        return _key(spell(int(option)), language)
    if task == "value":
        shape = words.values[option.rstrip(".")]
        if language == "en":
            return f"{'dotted ' if option.endswith('.') else ''}{shape} note"
        return f"{'附点' if option.endswith('.') else ''}{shape}音符"
    return option


def _key(tonic: str, language: Language) -> str:
    if language == "en":
        return f"{tonic} major"
    sign = {"#": "升", "b": "降"}.get(tonic[1:], "")
    return f"{sign}{tonic[0]}大调"


# From an example or a fresh item to a trial: picture, words, and what tells right from wrong.

_PLACED = ("note", "interval", "triad", "value")
PLACES = {
    "choice": ("question", "options"),
    "number": ("question",),
    "list": ("question",),
    "option": ("letter?", "text"),
    "options": LAYOUT,
    "place": ("number", "bar"),
    "place-voice": ("number", "bar", "voice"),
    **{f"ask-{task}": ("place",) if task in _PLACED else () for task in TASKS},
    "ask-meter-counted": (),
    "ask-marking": ("bar",),
    "ask-transcribe": ("bar",),
    "ask-transcribe-voice": ("bar", "voice"),
    "ask-notes": ("bar",),
}
"""The prompts and what each must hold."""


class ScoresAsker:
    """Makes trials by the user's settings.

    Parameters
    ----------
    settings : ScoresSettings
    """

    def __init__(self, settings: ScoresSettings) -> None:
        self.settings = settings
        self.prompts = Prompts(
            "zhiyin.plugins.composed.scores",
            PLACES,
            language=settings.language,
            folder=settings.prompts,
            pack="music-bench" if settings.asking == "published" else None,
        )

    def published(self, example: Example, picture: Image | None) -> Trial:
        """The trial of a published example; without a picture for replies given elsewhere."""
        stem = example.question
        if self.settings.asking == "ours":
            stem = self.prompts.fill("ask-transcribe", bar=str(example.bar))
        split = example.split
        groups = [split]
        groups += [f"{split}/clef={example.clef}"] if example.clef else []
        groups += [f"{split}/accidentals={'some' if example.accidentals else 'none'}"]
        groups += [f"{split}/ledger={'some' if example.ledger else 'none'}"]
        return Trial(
            id=example.id,
            messages=(
                say(
                    "user",
                    self.prompts.fill("list", question=stem),
                    *([picture] if picture else []),
                ),
            ),
            stem=stem,
            target=" ".join(example.notes),
            groups=tuple(groups),
            cluster=f"{split}/{example.family}",
            tags={
                "answer": "notes",
                "source": "published",
                "bar": example.bar,
                "measures": "|".join(" ".join(bar) for bar in example.measures),
                "recording": published_key(example),
                "family": f"{split}/{example.family}",
                "role": example.role,
            },
            item=example.id,
        )

    def generated(self, task: Task, level: Level, item: FreshPicture, picture: Image) -> Trial:
        """The trial of a fresh item."""
        language, stem = self.settings.language, self._stem(task, item)
        options = tuple(
            Option(letter, option_text(task, option, language), option)
            for letter, option in zip(LETTERS, item.options, strict=False)
        )
        kind = "choice" if task in CHOICES else "free"
        frame = "choice" if options else "list" if task == "transcribe" else "number"
        values = {"question": stem}
        if options:
            lines = [self.prompts.fill("option", letter=o.letter, text=o.text) for o in options]
            values["options"] = lay_out(self.prompts.templates["options"], lines).fill({})
        groups = [kind, f"{kind}/{task}"]
        if len(self.settings.difficulty) > 1:
            groups += [f"difficulty={level}", f"{kind}/{task}/difficulty={level}"]
        tags: dict[str, Tag] = {
            "answer": {"choice": "choice", "list": "notes"}.get(frame, "number"),
            "source": "generated",
            "task": task,
            "difficulty": level,
        }
        if item.mistakes:
            tags["mistakes"] = write_mistakes(item.mistakes)
        return Trial(
            id=item.id, messages=(say("user", self.prompts.fill(frame, **values), picture),),
            stem=stem, options=options, target=item.answer, groups=tuple(groups),
            cluster=picture.sha256[:16], tags=tags, item=item.id,
        )  # fmt: skip

    def _stem(self, task: Task, item: FreshPicture) -> str:
        values = {"bar": str(item.bar), "number": str(item.number)}
        if item.voice:
            # the first or second voice of a staff, from 1
            values["voice"] = _WORDS[self.settings.language].voices[item.voice - 1]
        values["place"] = self.prompts.fill("place-voice" if item.voice else "place", **values)
        name = f"ask-{task}"
        if task == "meter" and 'print-object="no"' in item.xml:
            name += "-counted"
        if task == "transcribe" and item.voice:
            name += "-voice"
        stem = self.prompts.fill(name, **values)
        return stem[:1].upper() + stem[1:]


def write_mistakes(mistakes: Mapping[str, str]) -> str:
    """Write the mistakes that wrong options stand for as a tag: ``C3: line; C4: octave``."""
    return "; ".join(f"{option}: {mistake}" for option, mistake in sorted(mistakes.items()))


def read_mistakes(tag: str) -> dict[str, str]:
    """The inverse of `write_mistakes`."""
    parts = (part.partition(": ") for part in tag.split("; "))
    return {option: mistake for option, _, mistake in parts}


def published_key(example: Example) -> str:
    """Identify an example by its id and a hash of its answer, so that no other passes for it."""
    return f"{example.id} {hashlib.sha256(' '.join(example.notes).encode()).hexdigest()[:8]}"
