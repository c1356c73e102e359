"""From a question, a condition and a repeat to a trial: what is played, what is said."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from hashlib import blake2b
from itertools import permutations

import msgspec
from msgspec import structs

from zhiyin.benchmarks.muchomusic.data import Question
from zhiyin.benchmarks.muchomusic.dimensions import groups_of
from zhiyin.benchmarks.muchomusic.settings import Settings
from zhiyin.benchmarks.muchomusic.wording import Wording, recording_of
from zhiyin.contract.conditions import EVERY, KINDS, kinds_of
from zhiyin.errors import InputError
from zhiyin.sound import audio_part
from zhiyin.trial import Audio, Message, Option, Part, Tag, Text, Trial, say

KEYS = "ABCD"
"""Keys of the options in the order of the data: the right answer, then IR, CU and IU."""
_RIGHT_AT = (1, 3, 0, 2, 1)
"""Where the right option of each example stands, so that no letter is taught."""


class Condition(msgspec.Struct, frozen=True):
    """One way of asking: what is played, and which distractors are offered."""

    audio: str = "true"
    distractors: str = EVERY

    @property
    def id(self) -> str:
        """What it adds to a trial's id; nothing for the paper's own way of asking."""
        audio = "" if self.audio == "true" else f"/audio={self.audio}"
        return audio + ("" if self.distractors == EVERY else f"/distractors={self.distractors}")


class Played(msgspec.Struct, frozen=True):
    """What is played for a question: the sound (None for nothing), and whose it is."""

    sound: Audio | None
    track: str | None

    @property
    def seconds(self) -> float:
        """How long what is played lasts, in seconds."""
        return round(self.sound.played, 3) if self.sound else 0.0


@cache
def _orders(count: int) -> tuple[tuple[int, ...], ...]:
    return tuple(permutations(range(count)))


def shuffled(seed: int, item: str, repeat: int, count: int) -> tuple[int, ...]:
    """Which of `count` options stands first, second, ...

    One of the orders, each as likely as any other, from the hash of seed, item and repeat. It
    does not depend on what is played, so that conditions differ in nothing else, nor on which
    other questions there are.
    """
    digest = blake2b(f"{seed}/{item}/{repeat}".encode(), digest_size=8).digest()
    orders = _orders(count)
    return orders[int.from_bytes(digest, "big") % len(orders)]


class TrialMaker:
    """Makes trials.

    Parameters
    ----------
    settings : Settings
    wording : Wording

    Raises
    ------
    InputError
        Where there are fewer examples than `settings.shots`.
    """

    def __init__(self, settings: Settings, wording: Wording) -> None:
        count = len(wording.released or wording.examples)
        if count < settings.shots:
            where = f"--released {settings.released}" if wording.released else "examples.json"
            raise InputError(f"{count} examples in {where}; --shots {settings.shots} needs as many")
        self._settings, self._wording = settings, wording
        shown = () if wording.released else wording.examples[: settings.shots]
        self._heard = [audio_part(recording_of(settings.prompts, e)) for e in shown if e.audio]
        if self._heard and len(self._heard) < len(shown):
            raise InputError(
                f"{len(self._heard)} of the {len(shown)} examples of --shots have a recording: "
                f'give each an "audio" in examples.json, or none'
            )
        self._shown = {name: self._examples(name) for name in settings.sets}
        self._several = (len(settings.audio) > 1, len(settings.sets) > 1)

    def rotations(self, distractors: str) -> int:
        """Under how many rotations each order of a set of options is asked."""
        return len(_offered(distractors)) if self._settings.rotates else 1

    def make(
        self, question: Question, condition: Condition, repeat: int, played: Played
    ) -> Iterator[Trial]:
        """A question under a condition, asked for the `repeat`-th time (from 1).

        One trial, or one for each rotation of the options' order.
        """
        if not self._settings.rotates:
            yield self._trial(question, condition, repeat, played, 0)
            return
        for rotation in range(self.rotations(condition.distractors)):
            trial = self._trial(question, condition, repeat, played, rotation)
            yield structs.replace(
                trial,
                id=f"{trial.id}/rotation={rotation}",
                tags={**trial.tags, "rotation": rotation},
            )

    def _trial(
        self, question: Question, condition: Condition, repeat: int, played: Played, rotation: int
    ) -> Trial:
        options = self._options(question, condition.distractors, repeat, rotation)
        text = self._wording.fill(
            "question",
            examples="" if self._heard else self._shown[condition.distractors],
            question=question.text,
            options=self._wording.options({o.letter: o.text for o in options}),
        )
        parts: tuple[Part, ...] = (Text(text),)
        if played.sound is not None:
            parts = (played.sound, *parts)
        return Trial(
            id=f"{question.id}{condition.id}/r{repeat}",
            messages=(*self._example_turns(condition), Message("user", parts)),
            stem=question.text,
            options=options,
            target=KEYS[0],
            groups=self._groups(question, condition),
            cluster=question.place,
            tags=self._tags(question, condition, repeat, played),
            item=question.id,
            condition=condition.id.lstrip("/"),
        )

    def _options(
        self, question: Question, distractors: str, repeat: int, rotation: int
    ) -> tuple[Option, ...]:
        offered = _offered(distractors)
        order = shuffled(self._settings.seed, question.id, repeat, len(offered))
        order = order[rotation:] + order[:rotation]
        return tuple(
            Option(KEYS[place], question.options[offered[which]], KEYS[offered[which]])
            for place, which in enumerate(order)
        )

    def _examples(self, distractors: str) -> str:
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

    def _example_turns(self, condition: Condition) -> Iterator[Message]:
        """Examples that have recordings, as turns.

        These are played whatever is played in the place of the question's; but none are where
        nothing is played at all.
        """
        for number, sound in enumerate(self._heard):
            question, lettered, letter = self._example(number, condition.distractors)
            text = self._wording.fill(
                "question",
                examples="",
                question=question,
                options=self._wording.options(lettered),
            )
            start, end = self._settings.window.window(sound.seconds)
            played = structs.replace(sound, start=start, end=end)
            parts = (Text(text),) if condition.audio == "none" else (played, Text(text))
            yield Message("user", parts)
            yield say("assistant", letter)

    def _example(self, number: int, distractors: str) -> tuple[str, dict[str, str], str]:
        """An example's question, its options by letter, and the right letter."""
        example, offered = self._wording.examples[number], _offered(distractors)
        order = list(offered[1:])
        order.insert(_RIGHT_AT[number] % len(offered), offered[0])
        lettered = {KEYS[i]: example.options[which] for i, which in enumerate(order)}
        return example.question, lettered, KEYS[order.index(0)]

    def _groups(self, question: Question, condition: Condition) -> tuple[str, ...]:
        """The question's groups; below the condition's own where several are run."""
        own = groups_of(question.knowledge, question.reasoning, question.genre, question.dataset)
        names = (f"audio={condition.audio}", f"distractors={condition.distractors}")
        prefix = "/".join(n for n, several in zip(names, self._several, strict=True) if several)
        return (prefix, *(f"{prefix}/{group}" for group in own)) if prefix else own

    def _tags(
        self, question: Question, condition: Condition, repeat: int, played: Played
    ) -> dict[str, Tag]:
        shots = self._settings.shots
        return {
            "item": question.id,
            "dataset": question.dataset,
            "genre": question.genre,
            "knowledge": ", ".join(question.knowledge),
            "reasoning": ", ".join(question.reasoning),
            "audio": condition.audio,
            "heard": played.track,
            "clip": self._settings.window.name,
            "seconds": played.seconds,
            "distractors": condition.distractors,
            "repeat": repeat,
            "shots": f"{shots} with sound" if self._heard else shots,
        }


def _offered(distractors: str) -> tuple[int, ...]:
    """Places in the data of the options of a set: the right answer and its distractors."""
    return (0, *(1 + KINDS.index(kind) for kind in kinds_of(distractors)))
