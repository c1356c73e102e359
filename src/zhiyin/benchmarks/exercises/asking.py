"""What exercises are called in English and Chinese, and how they become trials."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from pathlib import Path

import msgspec

from zhiyin.benchmarks.exercises.exercise import ExerciseItem, ExerciseSettings
from zhiyin.contract.clips import LETTERS
from zhiyin.prompts import LAYOUT, Language, Prompts, Template, lay_out
from zhiyin.trial import Option, Tag, Trial, say

TERMS = msgspec.json.decode(
    Path(__file__).with_name("terms.json").read_bytes(),
    type=dict[str, dict[str, tuple[str, str]]],
)
"""What terms are called in English and Chinese, by their places in prompts; "words" for others."""
TERMS["quality"] = TERMS["chord"]
_LENGTHS = frozenset({"values", "long", "tied", "unit"})
_LISTS = re.compile(r"[A-G](?:#|b){0,2}-?\d?(?: [A-G](?:#|b){0,2}-?\d?)+")


def fact_in_words(place: str, code: str, language: Language) -> str:
    """A fact of a question in words.

    Parameters
    ----------
    place : str
        The name of its place, such as ``interval``.
    code : str
        As exercises have it: ``m3``.
    language : {"zh", "en"}
    """
    column = 0 if language == "en" else 1
    if place == "figure":
        return "/".join(code)
    if place in _LENGTHS:
        lengths = (TERMS["length"][each][column] for each in code.split(", "))
        return ("，" if column else ", ").join(lengths)
    if place == "key":
        tonic, mode = code.split()
        return f"{tonic}{TERMS['words'][mode][1]}" if column else code
    known = TERMS.get(place, TERMS["words"])
    return known[code][column] if code in known else listed(code)


WITH_OCTAVES = frozenset({"jianpu-read", "jianpu-write"})
"""Kinds of pitches with octaves beside jianpu, whose numbers are degrees."""
PITCHES = frozenset({"tonic", "notes"})
"""The places in these kinds that hold pitches."""
_BELOW = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def octaves_below(pitches: str) -> str:
    """Pitches with their octaves below the line, ``C₄``: they are no numbers of jianpu.

    Written alike, "5" the degree and "5" the octave made right answers more like their questions.
    """
    return pitches.translate(_BELOW)


def option(kind: str, code: str, language: Language) -> str:
    """An answer in words. `kind` is that of the exercise."""
    if kind == "roman":
        return _numeral(code, language)
    if kind == "jianpu-read":
        return octaves_below(listed(code))
    return fact_in_words(kind, code, language)


def listed(code: str) -> str:
    """Several notes with commas between them; anything else as it is."""
    return code.replace(" ", ", ") if _LISTS.fullmatch(code) else code


def _numeral(code: str, language: Language) -> str:
    """``V65/V`` as ``V6/5 of V``; ``V7`` and ``ii6`` as they are."""
    chord, _, goal = code.partition("/")
    chord = re.sub(r"(\d)(\d)$", r"\1/\2", chord)
    if not goal:
        return chord
    return f"{chord} of {goal}" if language == "en" else f"{goal}级的{chord}"


_PACKAGE = "zhiyin.benchmarks.exercises"
PLACES = {"choice": ("question", "options"), "option": ("letter?", "text"), "options": LAYOUT}
"""The prompts that all exercises share, and what each must hold."""


@cache
def _places() -> dict[str, tuple[str, ...]]:
    """The prompts and what each must hold: that of a kind, the facts that our own words name."""
    ours = resources.files(_PACKAGE) / "prompts"
    kinds = {
        file.name.removesuffix(".en.txt"): tuple(
            sorted(Template(file.read_text("utf-8")).placeholders)
        )
        for file in ours.iterdir()
        if file.name.startswith("ask-") and file.name.endswith(".en.txt")
    }
    return PLACES | dict(sorted(kinds.items()))


class ExerciseWording:
    """Puts exercises in words.

    Parameters
    ----------
    settings : ExerciseSettings
    """

    def __init__(self, settings: ExerciseSettings) -> None:
        self.language = settings.language
        self.levels = len(settings.difficulty)
        self.prompts = Prompts(
            _PACKAGE,
            _places(),
            language=settings.language,
            folder=settings.prompts,
        )

    def stem(self, item: ExerciseItem) -> str:
        """The question in words, without its options."""
        facts = item.exercise.facts
        if item.task == "continuation":
            return self.prompts.fill("ask-continuation", **facts)
        words = {place: fact_in_words(place, code, self.language) for place, code in facts.items()}
        if item.kind in WITH_OCTAVES:
            words |= {place: octaves_below(words[place]) for place in PITCHES & words.keys()}
        return self.prompts.fill(f"ask-{item.kind}", **words)

    def texts(self, item: ExerciseItem) -> list[str]:
        """The options in words."""
        answers = item.exercise.answers
        if item.task == "continuation":
            return list(answers)
        return [option(item.kind, code, self.language) for code in answers]

    def groups(self, item: ExerciseItem) -> tuple[str, ...]:
        """Task and kind; difficulties too, where there are several."""
        groups = [item.task, f"{item.task}/{item.kind}"]
        if self.levels > 1 and item.level:
            groups += [f"difficulty={item.level}", f"{item.task}/{item.kind}/{item.level}"]
        return tuple(groups)

    def trial(self, item: ExerciseItem) -> Trial:
        """The trial of an exercise."""
        stem, texts = self.stem(item), self.texts(item)
        options = tuple(
            Option(letter, text, answer)
            for letter, text, answer in zip(LETTERS, texts, item.exercise.answers, strict=False)
        )
        lines = [self.prompts.fill("option", letter=o.letter, text=o.text) for o in options]
        option_lines = lay_out(self.prompts.templates["options"], lines).fill({})
        return Trial(
            id=item.id,
            messages=(
                say("user", self.prompts.fill("choice", question=stem, options=option_lines)),
            ),
            stem=stem,
            options=options,
            target=item.exercise.answer,
            groups=self.groups(item),
            cluster=item.cluster,
            tags=tags(item),
            item=item.id,
        )


def tags(item: ExerciseItem) -> dict[str, Tag]:
    """What the log keeps of an exercise beside its question."""
    values: dict[str, Tag] = {"task": item.task, "kind": item.kind}
    if item.level:
        values["difficulty"] = item.level
    wrong = zip(item.exercise.answers, item.exercise.mistakes, strict=True)
    if item.task != "continuation":
        values["mistakes"] = "; ".join(f"{answer}: {name}" for answer, name in wrong if name)
    return values | item.tags
