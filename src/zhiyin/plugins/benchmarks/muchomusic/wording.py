"""The words around a question: the prompts, and the example questions shown before it.

Settings of a run: the conditions of each question, and the part of a recording played.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from zhiyin.contract import conditions
from zhiyin.errors import InputError, imported, reworded
from zhiyin.files import NOT_JSON, inside
from zhiyin.flags import Flag
from zhiyin.plugins.benchmarks.listening import ListeningSettings
from zhiyin.prompts import LAYOUT, LINES, Prompts, Template, lay_out, named_as, to_people
from zhiyin.sound import audio_part
from zhiyin.text import number_in
from zhiyin.trial import Message, Part, Text, say
from zhiyin.words import said

PLACES = {
    "question": ("examples", "question", "options"),
    "example": ("question", "options", "letter"),
    "examples": ("examples",),
    "option": ("letter", "text"),
    "options": LAYOUT,
}
"""The templates and what each must hold. ``examples`` frames the finished examples; where there
are none, ``{examples}`` in ``question`` is nothing. ``options`` says how options stand."""
EXAMPLES = "examples.json"
RELEASED_FILE = "muchomusic_eval/configs/default.yaml"
_CLONE = said("clone-of", repository="mulab-mir/muchomusic")
KEYS = "ABCD"
"""Keys of the options in the order of the data: the right answer, then IR, CU and IU."""
_RIGHT_AT = (1, 3, 0, 2, 1)
"""Where the right option of each example stands, so that no letter is taught."""


class ExampleQuestion(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An example question; options in the order of the data.

    `audio` is its recording, a path in the folder of the prompts; ours have none.
    """

    question: str
    options: tuple[str, str, str, str]
    audio: str = ""


class PromptTemplates(msgspec.Struct, frozen=True, omit_defaults=True):
    """The prompts: templates by name, and the example questions in the order of their use.

    `released` are examples that are finished texts, in place of `examples`. `sounds` are the
    SHA-256 of the examples' recordings, where they have some. A layout with a
    line for each option is not among the templates: a run has the hash that it had before
    there were others.
    """

    templates: dict[str, str]
    examples: tuple[ExampleQuestion, ...]
    released: tuple[str, ...] = ()
    sounds: tuple[str, ...] = ()

    def fill(self, name: str, **values: str) -> str:
        """A template with its places filled. What is filled in is not read again."""
        return Template(self.templates[name]).fill(values)

    def options(self, lettered: Mapping[str, str]) -> str:
        """The options, laid out."""
        lines = [self.fill("option", letter=a, text=text) for a, text in lettered.items()]
        return lay_out(Template(self.templates.get("options", LINES)), lines).fill({})


def open_wording(
    folder: str | None = None, pack: str | None = None, released: str | None = None
) -> PromptTemplates:
    """Our prompts, but for those that `folder` has.

    Parameters
    ----------
    folder : str or None
        Files ``question.txt``, ``example.txt``, ``examples.txt``, ``option.txt``,
        ``options.txt`` and ``examples.json`` replace ours.
    pack : str or None
        A pack of ours, for a protocol.
    released : str or None
        A clone of the published repository, for its worked example.

    Raises
    ------
    InputError
        The folder or a file in it cannot be used (see `zhiyin.prompts.Prompts` and `released`),
        ``examples.json`` is no list of questions, or both folders are given.
    """
    if folder and released:
        raise InputError(said("mucho-two-prompts", folder=folder, released=released))
    prompts = Prompts(
        "zhiyin.plugins.benchmarks.muchomusic", PLACES, folder=folder, pack=pack, others=(EXAMPLES,)
    )
    texts = {name: prompts.texts[name] for name in PLACES}
    if texts["options"] == LINES:
        del texts["options"]
    # The frame of the examples ends in a blank line, so that the question stands apart from it,
    # unless it says itself what stands between them.
    if not texts["examples"][-1].isspace():
        texts["examples"] += "\n\n"
    with reworded(said("mucho-shown", path=prompts.paths[EXAMPLES], why=""), of=NOT_JSON):
        examples = msgspec.json.decode(prompts.texts[EXAMPLES], type=tuple[ExampleQuestion, ...])
    sounds = tuple(
        audio_part(recording_of(folder, example)).sha256 for example in examples if example.audio
    )
    return PromptTemplates(texts, examples, read_released(released) if released else (), sounds)


def recording_of(folder: str | None, example: ExampleQuestion) -> Path:
    """The file of an example's recording. Raises `InputError` where it is not there."""
    root = Path(folder or ".")
    path = inside(root, example.audio)
    if not path.is_file():
        raise InputError(said("mucho-no-audio", root=root / EXAMPLES, audio=repr(example.audio)))
    return path


def read_released(folder: str) -> tuple[str, ...]:
    """The worked examples in the released configuration, word for word and in its order.

    Parameters
    ----------
    folder : str
        The clone.

    Raises
    ------
    InputError
        PyYAML is not installed, there is no such file, or it holds no list of texts.
    """
    yaml = imported("yaml", "PyYAML", "released")
    path = Path(folder) / RELEASED_FILE
    unread = said("mucho-released", folder=folder, file=RELEASED_FILE, why="", clone=_CLONE)
    try:
        with reworded(unread):
            config = yaml.safe_load(path.read_bytes())
    except (yaml.YAMLError, UnicodeDecodeError, ValueError, RecursionError):
        raise InputError(said("mucho-yaml", path=path, clone=_CLONE)) from None
    examples = config.get("in_context_examples") if isinstance(config, dict) else None
    if not (examples and isinstance(examples, list) and all(isinstance(e, str) for e in examples)):
        raise InputError(said("mucho-no-texts", path=path, clone=_CLONE))
    return tuple(examples)


class Examples:
    """The worked examples that stand before a question, as text or as turns with their sound.

    Parameters
    ----------
    wording : PromptTemplates
    settings : MuChoMusicSettings

    Raises
    ------
    InputError
        Where there are fewer examples than `settings.shots`, or some of them have a recording.
    """

    def __init__(self, wording: PromptTemplates, settings: MuChoMusicSettings) -> None:
        count = len(wording.released or wording.examples)
        if count < settings.shots:
            where = f"--released {settings.released}" if wording.released else EXAMPLES
            raise InputError(said("mucho-examples", count=count, where=where, shots=settings.shots))
        self._settings, self._wording = settings, wording
        shown = () if wording.released else wording.examples[: settings.shots]
        self.sounds = [audio_part(recording_of(settings.prompts, e)) for e in shown if e.audio]
        if self.sounds and len(self.sounds) < len(shown):
            raise InputError(
                said("mucho-recorded", sounds=len(self.sounds), shown=len(shown), examples=EXAMPLES)
            )
        self._texts = {name: self._text(name) for name in settings.sets}

    def text(self, distractors: str) -> str:
        """Text before the question in its own message: nothing for examples with sound, nor for
        people, who read each example by itself.
        """
        return "" if self.sounds or to_people() else self._texts[distractors]

    def _text(self, distractors: str) -> str:
        """The examples in their frame: with the same kinds of distractors, always in one order."""
        if not self._settings.shots:
            return ""
        if released := self._wording.released[: self._settings.shots]:
            return self._wording.fill("examples", examples=" ".join(released))
        blocks = []
        for number in range(self._settings.shots):
            question, lettered, letter = self._example(number, distractors)
            blocks.append(
                self._wording.fill(
                    "example",
                    question=question,
                    options=self._wording.options(lettered),
                    letter=letter,
                )
            )
        return self._wording.fill("examples", examples="\n\n".join(blocks))

    def turns(self, distractors: str, audio: str) -> Iterator[Message]:
        """Examples that have recordings, as turns.

        These are played whatever is played in the place of the question's; but none are where
        nothing is played at all.
        """
        unheard = self._settings.shots if to_people() and not self._wording.released else 0
        for number, sound in enumerate(self.sounds or [None] * unheard):
            question, lettered, letter = self._example(number, distractors)
            text = self._wording.fill(
                "question", examples="", question=question, options=self._wording.options(lettered)
            )
            parts: tuple[Part, ...] = (Text(text),)
            if sound is not None and audio != "none":
                start, end = self._settings.window.window(sound.seconds)
                parts = (msgspec.structs.replace(sound, start=start, end=end), *parts)
            yield Message("user", parts)
            yield say("assistant", named_as(letter, lettered[letter]))

    def _example(self, number: int, distractors: str) -> tuple[str, dict[str, str], str]:
        """An example's question, its options by letter, and the right letter."""
        example, offered = self._wording.examples[number], offered_places(distractors)
        order = list(offered[1:])
        order.insert(_RIGHT_AT[number] % len(offered), offered[0])
        lettered = {KEYS[i]: example.options[which] for i, which in enumerate(order)}
        return example.question, lettered, KEYS[order.index(0)]


def offered_places(distractors: str) -> tuple[int, ...]:
    """Places in the data of the options of a set: the right answer and its distractors."""
    return (0, *(1 + conditions.KINDS.index(kind) for kind in conditions.kinds_of(distractors)))


class Clip(msgspec.Struct, frozen=True):
    """The part of a recording that is played: all of it, or some seconds from start or middle."""

    kind: str = "all"
    seconds: float = 0.0

    @property
    def name(self) -> str:
        """Name in the form of the flag: ``all``, ``first:30``, ``middle:30``."""
        return self.kind if self.kind == "all" else f"{self.kind}:{self.seconds:g}"

    def window(self, duration: float) -> tuple[float | None, float | None]:
        """Start and end in seconds within a recording of `duration` seconds; None for whole."""
        if self.kind == "all" or duration <= self.seconds:
            return None, None
        start = 0.0 if self.kind == "first" else (duration - self.seconds) / 2
        return round(start, 6), round(start + self.seconds, 6)


class MuChoMusicSettings(ListeningSettings, frozen=True):
    """Settings of a run of MuChoMusic. `data` is read only when a trial is asked for."""

    audio: Annotated[
        tuple[conditions.AudioCondition, ...],
        Flag(f"what is played: {', '.join(conditions.AUDIO)}", "A,...", once=True),
    ] = ("true",)  # type: ignore[assignment]  # another track may be played, too
    swap_any: Annotated[bool, Flag("a swapped track may have the same genre")] = False
    swap_from: Annotated[
        Literal["source", "all"] | None,
        Flag(
            "where a swapped track is drawn: its own data set (default), or all tracks of either, "
            "whatever their genre, as in the paper"
        ),
    ] = None
    distractors: Annotated[tuple[str, ...], Flag(conditions.SETS, "D,...", once=True)] = (
        conditions.EVERY,
    )
    repeats: Annotated[
        int,
        Flag("how often each question is asked, its options in fresh order"),
        msgspec.Meta(ge=1, le=100),
    ] = 3
    rotations: Annotated[
        Literal["none", "all"], Flag("ask each order under all its cyclic rotations", stated=True)
    ] = "none"
    clip: Annotated[str, Flag("all, first:SECONDS or middle:SECONDS", "PART")] = "all"
    shots: Annotated[int, Flag("worked examples"), msgspec.Meta(ge=0, le=5)] = 1
    released: Annotated[
        str | None, Flag("a clone of the published repository, for its example", place=True)
    ] = None

    def __post_init__(self) -> None:
        read_clip(self.clip)
        conditions.read_sets(self.distractors)

    @property
    def window(self) -> Clip:
        """The part of a recording that is played."""
        return read_clip(self.clip)

    @property
    def sets(self) -> tuple[str, ...]:
        """Sets of distractors: kinds joined by "+", or "all"; small ones first."""
        return conditions.read_sets(self.distractors)

    @property
    def swap_whole(self) -> bool:
        """True if the other track of a swap may be of another data set."""
        return self.swap_from == "all"


def read_clip(text: str) -> Clip:
    """The part of a recording that a flag names. Raises `InputError` for anything else."""
    kind, _, length = text.partition(":")
    if text == "all":
        return Clip()
    seconds = number_in(length)
    if kind not in ("first", "middle") or not 0 < seconds < math.inf:
        raise InputError(said("mucho-clip", text=text))
    return Clip(kind, seconds)
