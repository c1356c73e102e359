"""Makes the trials of questions: their words, sounds and pictures, the order of their options."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from hashlib import blake2b

import msgspec

from zhiyin.benchmarks.questions.cells import letters
from zhiyin.benchmarks.questions.items import Question
from zhiyin.benchmarks.questions.sounds import Shelf
from zhiyin.errors import InputError
from zhiyin.prompts import LAYOUT, Prompts, Template, lay_out
from zhiyin.trial import Message, Option, Part, Tag, Text, Trial, say

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

BOUND = re.compile(
    r"\b(?:all|none|both|neither|either|any)\b[^\n]{0,20}\b(?:above|options?|choices?|these)\b"
    r"|^[ \t]*+(?:both[ \t]++)?\(?[A-Z]\)?[ \t]*+(?:and|or|&)[ \t]*+\(?[A-Z]\)?[ \t]*+$"
    r"|以上|上述|^[ \t]*+(?:都|均|皆)不?(?:是|对)|^[ \t]*+[A-Z][ \t]*+[和与及][ \t]*+[A-Z]",
    re.IGNORECASE | re.MULTILINE,
)
"""Options that point at other options, and so must stay where they are."""


def is_order_bound(question: Question) -> bool:
    """Whether an option speaks of the others, so that their order must stay."""
    return any(BOUND.search(option) for option in question.options)


def order_of(question: Question, seed: int | None) -> tuple[int, ...]:
    """Which option of the data stands first, second, ...; by the hash of seed, id and place.

    It depends on nothing else: leaving questions out moves no option of the rest.
    """
    places = range(len(question.options))
    if seed is None or is_order_bound(question):
        return tuple(places)

    def drawn(place: int) -> bytes:
        return blake2b(f"{seed}/{question.id}/{place}".encode(), digest_size=16).digest()

    return tuple(sorted(places, key=drawn))


class TrialMaker:
    """Makes trials.

    Parameters
    ----------
    prompts : Prompts
    shelf : Shelf
    examples : sequence of Question
        The rows marked as examples.
    shots : int
        How many of them, of a question's own kind, stand before it.
    seed : int or None
        Of the options' order; None for the file's.
    clusters : mapping of str to str
        The cluster of each question by id; empty where every one stands alone.

    """

    def __init__(
        self,
        prompts: Prompts,
        shelf: Shelf,
        examples: Sequence[Question],
        shots: int,
        seed: int | None,
        clusters: dict[str, str],
    ) -> None:
        self._prompts, self._shelf, self._seed = prompts, shelf, seed
        self._examples, self._shots, self._clusters = examples, shots, clusters

    def check(self, questions: Iterable[Question]) -> None:
        """Make sure that there are enough examples for each question. Raises `InputError`."""
        for question in questions:
            self._examples_for(question)

    def make(self, question: Question) -> Trial:
        """The trial of a question."""
        options = self._options(question)
        return Trial(
            id=question.id,
            messages=(*self._example_turns(question), self._message(question, options)),
            stem=question.text,
            options=options,
            target=",".join(question.keys) if options else " | ".join(question.accept) or None,
            groups=question.groups,
            cluster=self._clusters.get(question.id),
            tags=self._tags(question),
        )

    def _options(self, question: Question) -> tuple[Option, ...]:
        keys = letters(len(question.options))
        return tuple(
            Option(letter, question.options[place], keys[place])
            for letter, place in zip(keys, order_of(question, self._seed), strict=True)
        )

    def _message(self, question: Question, options: tuple[Option, ...]) -> Message:
        """The sounds, the pictures, each numbered where there are several; then the words."""
        parts: list[Part] = []
        for number, place in enumerate(question.sounds, 1):
            if len(question.sounds) > 1:
                parts.append(Text(self._prompts.fill("sound", number=str(number))))
            parts.append(self._shelf.audio(place))
        for number, place in enumerate(question.pictures, 1):
            if len(question.pictures) > 1:
                parts.append(Text(self._prompts.fill("picture", number=str(number))))
            parts.append(self._shelf.image(place))
        return Message("user", (*parts, Text(self._words(question, options))))

    def _words(self, question: Question, options: tuple[Option, ...]) -> str:
        if not options:
            prompt = ASKED.get(question.scorer.partition(":")[0], "short")
            return self._prompts.fill(prompt, question=question.text)
        lines = [self._prompts.fill("option", letter=o.letter, text=o.text) for o in options]
        listing = lay_out(Template(self._prompts.texts["options"]), lines).fill({})
        return self._prompts.fill(question.kind, question=question.text, options=listing)

    def _example_turns(self, question: Question) -> list[Message]:
        """The worked examples before a question, as turns."""
        messages = []
        for example in self._examples_for(question):
            options = self._options(example)
            right = [o.letter for o in options if o.key in example.keys]
            answer = ", ".join(right) or self._answer_text(example)
            messages.append(self._message(example, options))
            messages.append(say("assistant", self._prompts.fill("answer", answer=answer)))
        return messages

    def _examples_for(self, question: Question) -> list[Question]:
        """The first examples of a question's own kind."""
        alike = [each for each in self._examples if _kind(each) == _kind(question)]
        if len(alike) < self._shots:
            raise InputError(
                f"--shots {self._shots}: {len(alike)} worked examples of the kind "
                f"{_kind(question)!r}, which line {question.line} needs: mark rows as example, or "
                "ask with fewer"
            )
        return alike[: self._shots]

    def _answer_text(self, example: Question) -> str:
        return ", ".join(example.accept) if example.scorer == "set-f1" else example.accept[0]

    def _tags(self, question: Question) -> dict[str, Tag]:
        tags: dict[str, Tag] = {**question.facts, "line": question.line, "kind": question.kind}
        if self._shots:
            tags["shots"] = self._shots
        if question.kind == "free":
            tags["scorer"] = question.scorer
            tags["accept"] = msgspec.json.encode(question.accept).decode()
            if question.rubric:
                tags["rubric"] = question.rubric
        return tags


def _kind(question: Question) -> str:
    """What a worked example must share with the question that it stands before."""
    return question.scorer.partition(":")[0] or "choice"
