"""Makes the trials of questions: words, recordings and pictures, and the order of the options."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

import msgspec

from zhiyin.benchmarks.questions.cells import letters
from zhiyin.benchmarks.questions.items import OwnQuestion
from zhiyin.benchmarks.questions.settings import QuestionSettings
from zhiyin.contract.conditions import EVERY, LISTENING_WAYS, OFFERED, RIGHT, SOUND, kinds_of
from zhiyin.contract.question_table import MediaFile
from zhiyin.errors import InputError
from zhiyin.picture import image_part
from zhiyin.prompts import LAYOUT, Prompts, Template, lay_out, named_as
from zhiyin.sound import audio_part
from zhiyin.trial import Audio, Image, Message, Option, Part, Tag, Text, Trial, say
from zhiyin.words import Said, said

PLACES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("choice", "several"), ("question", "options")),
    **dict.fromkeys(
        ("short", "number", "notes", "list", "yes-no", "transcript", "open"), ("question",)
    ),
    "option": ("letter", "text"),
    "options": LAYOUT,
    "answer": ("answer",),
    "sound": ("number",),
    "picture": ("number",),
    "judge": ("question", "rubric", "expected", "reply"),
    "again": ("fault",),
}
"""The prompts, and the places that each must have."""
ASKED = {
    "number": "number",
    "notes": "notes",
    "set-f1": "list",
    "yes-no": "yes-no",
    **dict.fromkeys(("edit", "wer", "cer"), "transcript"),
    **dict.fromkeys(("contains", "regex", "judge"), "open"),
}
"""The prompt of each scorer of free answers; "short" for the others."""


@cache
def _pointing(count: int) -> re.Pattern[str]:
    """Compile a pattern for one of so many options that points at others and must stay put."""
    lines = Path(__file__).with_name("pointing.txt").read_text("utf-8").splitlines()
    last = letters(count)[-1]
    shown = f"(?:option |答案|选项)?[A-{last}]"
    patterns = [line.replace("{L}", shown) for line in lines if line and line[0] != "#"]
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


def is_order_bound(question: OwnQuestion) -> bool:
    """Tell whether an option speaks of the others, so that their order must stay."""
    points = _pointing(len(question.options)).search if question.options else bool
    return any(points(" ".join(option.split()).rstrip(".。")) for option in question.options)


class QuestionAsked(NamedTuple):
    """What is played and offered when a question is asked, for which time, and how turned."""

    audio: str = "true"
    distractors: str = EVERY
    repeat: int = 1
    rotation: int = 0


def order_of(question: OwnQuestion, seed: int | None, repeat: int = 1) -> tuple[int, ...]:
    """Order the options of the data, by the hash of seed, id, repeat and place.

    It depends on nothing else: leaving questions out moves no option of the rest.
    """
    places = range(len(question.options))
    if seed is None or is_order_bound(question):
        return tuple(places)

    def drawn(place: int) -> bytes:
        again = f"{question.id}/r{repeat}" if repeat > 1 else question.id
        return blake2b(f"{seed}/{again}/{place}".encode(), digest_size=16).digest()

    return tuple(sorted(places, key=drawn))


class MediaShelf:
    """The recordings and pictures that have been looked at, each once."""

    def __init__(self) -> None:
        self._audio: dict[Path, Audio] = {}
        self._images: dict[Path, Image] = {}

    def audio(self, place: MediaFile) -> Audio:
        """The part of a message for a recording. Raises `InputError` where it is no audio."""
        if place.path not in self._audio:
            self._audio[place.path] = audio_part(place.path)
        return self._audio[place.path]

    def play(
        self, place: MediaFile, what: str, seed: int, item: str, others: Iterable[MediaFile]
    ) -> tuple[Audio, str]:
        """Return the sound to play in the place of a recording, and the name of its file.

        Parameters
        ----------
        place : MediaFile
        what : {"true", "silence", "noise", "swap"}
        seed : int
            Of the noise, and of what is drawn.
        item : str
            The question: each gets a recording of its own.
        others : iterable of MediaFile
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
        from zhiyin.contract.control_sounds import draw_order, noise_like, silence_like

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
        raise InputError(said("questions-no-swap", path=place.path))

    def image(self, place: MediaFile) -> Image:
        """The part of a message for a picture. Raises `InputError` where it cannot be sent."""
        if place.path not in self._images:
            self._images[place.path] = image_part(place.path)
        return self._images[place.path]


class QuestionTrials:
    """Makes trials.

    Parameters
    ----------
    prompts : Prompts
    shelf : MediaShelf
    examples : sequence of OwnQuestion
        The rows marked as examples.
    settings : QuestionSettings
        How many examples of a question's own kind stand before it, whether its options are
        shuffled, what is played and which wrong answers are offered.
    questions : sequence of OwnQuestion
        Whatever is asked: their recordings are those that are swapped.
    clusters : mapping of str to str
        The cluster of each question by id; empty where every one stands alone.
    """

    def __init__(
        self,
        prompts: Prompts,
        shelf: MediaShelf,
        examples: Sequence[OwnQuestion],
        settings: QuestionSettings,
        questions: Sequence[OwnQuestion],
        clusters: dict[str, str],
    ) -> None:
        self._prompts, self._shelf, self._settings = prompts, shelf, settings
        self._seed = settings.seed if settings.shuffle else None
        self._shots, self._clusters = settings.shots, clusters
        self._examples = [(_kind(each), each.asked, each) for each in examples if _answers(each)]
        self._questions = questions

    def check(self) -> None:
        """Make sure that every question can be asked in every way.

        Raises
        ------
        InputError
            There are too few examples for one, no recording to put another in the place of, or
            nothing says which kinds of wrong answers it has.
        """
        audio = [what for what in self._settings.audio if what not in ("true", "none")]
        asked = self._questions if audio or self._shots or self._settings.sets != (EVERY,) else ()
        for question in asked:
            examples = self._examples_for(question)
            if audio and not question.sounds:
                raise InputError(
                    said("questions-no-recording", audio=audio[0], line=str(question.line))
                )
            if "swap" in audio:
                self._message(question, (), "swap")
            for distractors in self._settings.sets:
                for each in (question, *examples):
                    _offered(each, distractors)

    def conditions(self) -> list[tuple[str, str]]:
        """The ways in which every question is asked: what is played, and what is offered."""
        return [(what, sets) for what in self._settings.audio for sets in self._settings.sets]

    def askings(self, question: OwnQuestion) -> list[QuestionAsked]:
        """How a question is asked: every way, again and again, under all rotations if asked for."""
        own, found = self._settings, []
        for audio, distractors in self.conditions():
            turned = own.rotations == "all" and not is_order_bound(question)
            rotations = len(_offered(question, distractors)) if turned else 0
            for repeat in range(1, own.repeats + 1):
                found += [
                    QuestionAsked(audio, distractors, repeat, n) for n in range(max(rotations, 1))
                ]
        return found

    def every(self, question: OwnQuestion) -> Iterator[Trial]:
        """Every trial of a question."""
        for asking in self.askings(question):
            trial = self._trial(question, asking)
            if self._settings.once:
                yield trial
                continue
            tags: dict[str, Tag] = {**trial.tags, "repeat": asking.repeat}
            name = f"{trial.id}/r{asking.repeat}"
            if self._settings.rotations == "all":
                tags["rotation"] = asking.rotation
                name = f"{name}/rotation={asking.rotation}"
            yield msgspec.structs.replace(trial, id=name, tags=tags, item=question.id)

    def _trial(self, question: OwnQuestion, asking: QuestionAsked) -> Trial:
        """The trial of a question under a condition."""
        audio, distractors = asking.audio, asking.distractors
        options = self._options(question, asking)
        condition = LISTENING_WAYS.of({SOUND.name: audio, OFFERED.name: distractors})
        message, heard = self._message(question, options, audio)
        trial = Trial(
            id=f"{question.id}/{condition}" if condition else question.id,
            messages=(*self._example_turns(question, audio, distractors), message),
            stem=question.text,
            options=options,
            target=",".join(question.keys) if options else " | ".join(question.accept) or None,
            groups=question.groups,
            cluster=self._clusters.get(question.id),
            tags=self._tags(question),
        )
        if self._settings.plain:
            return trial
        tags: dict[str, Tag] = {**trial.tags, SOUND.name: audio, OFFERED.name: distractors}
        return msgspec.structs.replace(
            trial,
            groups=self._under(question.groups, audio, distractors),
            tags={**tags, "heard": ", ".join(heard)} if heard else tags,
            item=question.id,
            condition=condition,
        )

    def _under(self, groups: tuple[str, ...], audio: str, distractors: str) -> tuple[str, ...]:
        """A question's groups, below the condition's own where several are asked."""
        own = self._settings
        parts = [f"audio={audio}"] if len(own.audio) > 1 else []
        parts += [f"distractors={distractors}"] if len(own.sets) > 1 else []
        prefix = "/".join(parts)
        return (prefix, *(f"{prefix}/{group}" for group in groups)) if prefix else groups

    def _options(self, question: OwnQuestion, asking: QuestionAsked) -> tuple[Option, ...]:
        keys, offered = letters(len(question.options)), _offered(question, asking.distractors)
        # Some of the options in the order of all may stand as no dice would have put them.
        plain = asking.distractors == EVERY and self._settings.repeats == 1
        seed = self._seed if plain else self._settings.seed
        order = [n for n in order_of(question, seed, asking.repeat) if n in offered]
        order = order[asking.rotation :] + order[: asking.rotation]
        return tuple(
            Option(letter, question.options[place], keys[place])
            for letter, place in zip(keys, order, strict=False)
        )

    def _message(
        self, question: OwnQuestion, options: tuple[Option, ...], audio: str
    ) -> tuple[Message, list[str]]:
        """The sounds, the pictures, each numbered where there are several; then the words.

        And whose recordings are heard.
        """
        parts: list[Part] = []
        heard: list[str] = []
        for number, place in enumerate(question.sounds if audio != "none" else (), 1):
            if len(question.sounds) > 1:
                parts.append(Text(self._prompts.fill("sound", number=str(number))))
            others = self._others(question) if audio == "swap" else ()
            seed = self._settings.seed
            item = f"{question.id}/{number}" if len(question.sounds) > 1 else question.id
            part, name = self._shelf.play(place, audio, seed, item, others)
            parts.append(part)
            heard += [name] if name else []
        for number, place in enumerate(question.pictures, 1):
            if len(question.pictures) > 1:
                parts.append(Text(self._prompts.fill("picture", number=str(number))))
            parts.append(self._shelf.image(place))
        return Message("user", (*parts, Text(self._words(question, options)))), heard

    def _others(self, question: OwnQuestion) -> list[MediaFile]:
        """The recordings of other clusters."""
        own = self._cluster(question)
        return [place for place, cluster in self._places.values() if cluster != own]

    def _cluster(self, question: OwnQuestion) -> str:
        return self._clusters.get(question.id, question.id)

    @cached_property
    def _places(self) -> dict[str, tuple[MediaFile, str]]:
        """Every recording by name, with its cluster."""
        return {p.name: (p, self._cluster(q)) for q in self._questions for p in q.sounds}

    def _words(self, question: OwnQuestion, options: tuple[Option, ...]) -> str:
        if not options:
            prompt = ASKED.get(question.scorer.partition(":")[0], "short")
            return self._prompts.fill(prompt, question=question.text)
        lines = [self._prompts.fill("option", letter=o.letter, text=o.text) for o in options]
        listing = lay_out(Template(self._prompts.texts["options"]), lines).fill({})
        return self._prompts.fill(question.kind, question=question.text, options=listing)

    def _example_turns(self, question: OwnQuestion, audio: str, distractors: str) -> list[Message]:
        """The worked examples before a question, as turns.

        With wrong answers of the same kinds. Their own recordings are played, whatever is played
        in the place of the question's; but none where there is no sound at all.
        """
        messages = []
        for example in self._examples_for(question):
            options = self._options(example, QuestionAsked(audio, distractors))
            right = [named_as(o.letter, o.text) for o in options if o.key in example.keys]
            answer = ", ".join(right or _answers(example))
            message, _ = self._message(example, options, "none" if audio == "none" else "true")
            messages.append(message)
            messages.append(say("assistant", self._prompts.fill("answer", answer=answer)))
        return messages

    def _examples_for(self, question: OwnQuestion) -> list[OwnQuestion]:
        """The first examples of a question's own kind that have an answer, itself passed over."""
        if not self._shots:
            return []
        own, asked = _kind(question), question.asked
        alike = [each for kind, what, each in self._examples if kind == own and what != asked]
        if len(alike) < self._shots:
            facts = {"shots": str(self._shots), "line": str(question.line)}
            kind = repr(_kind(question))
            raise InputError(said("error-few-examples", n=str(len(alike)), kind=kind, **facts))
        return alike[: self._shots]

    def unshown(self, examples: Sequence[OwnQuestion]) -> list[Said]:
        """Say which of the worked examples stand before no question, and why."""
        shown = {each.id for question in self._questions for each in self._examples_for(question)}
        kinds = {_kind(question) for question in self._questions}
        found: dict[str, list[str]] = {}
        for each in examples:
            why = "further" if _kind(each) in kinds else "kind"
            if each.id not in shown:
                found.setdefault(why if _answers(each) else "answer", []).append(str(each.line))
        return [said("questions-unshown-for", why=why, lines=each) for why, each in found.items()]

    def without_itself(self) -> int:
        """Count the questions that are worked examples too: none is shown with its own answer."""
        examples = {asked for _, asked, _ in self._examples} if self._shots else ()
        return sum(question.asked in examples for question in self._questions)

    def _tags(self, question: OwnQuestion) -> dict[str, Tag]:
        tags: dict[str, Tag] = {**question.facts, "line": question.line, "kind": question.kind}
        if self._shots:
            tags["shots"] = self._shots
        if question.kind == "free":
            tags["scorer"] = question.scorer
            tags["accept"] = msgspec.json.encode(question.accept).decode()
            if question.rubric:
                tags["rubric"] = question.rubric
        return tags


def _offered(question: OwnQuestion, distractors: str) -> frozenset[int]:
    """The places of the options that are offered: the right one, and those of some kinds.

    Raises
    ------
    InputError
        Nothing says which those are, or there is none of a kind.
    """
    if distractors == EVERY:
        return frozenset(range(len(question.options)))
    for kind in kinds_of(distractors):
        if question.kind != "choice" or kind not in question.kinds:
            raise InputError(said(
                "questions-no-distractor", distractors=distractors, line=str(question.line),
                kind=kind,
            ))  # fmt: skip
    wanted = (RIGHT, *kinds_of(distractors))
    return frozenset(place for place, kind in enumerate(question.kinds) if kind in wanted)


def _answers(example: OwnQuestion) -> tuple[str, ...]:
    """What is right, for a worked example to end with: one of the answers, or all of a set."""
    return example.keys or example.accept[: None if example.scorer == "set-f1" else 1]


def _kind(question: OwnQuestion) -> str:
    """Return what a worked example must share with the question that it stands before."""
    return question.scorer.partition(":")[0] or "choice"
