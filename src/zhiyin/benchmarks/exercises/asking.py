"""From an exercise to a trial, and to a row of a question file."""

from __future__ import annotations

from zhiyin.benchmarks.exercises.items import Item
from zhiyin.benchmarks.exercises.settings import Settings
from zhiyin.benchmarks.exercises.words import (
    PITCHES,
    WITH_OCTAVES,
    fact_in_words,
    octaves_below,
    option,
)
from zhiyin.contract.clips import LETTERS
from zhiyin.prompts import LAYOUT, Prompts, lay_out
from zhiyin.trial import Option, Tag, Trial, say

PLACES = {
    "choice": ("question", "options"),
    "option": ("letter?", "text"),
    "options": LAYOUT,
    "ask-interval": ("low", "high"),
    "ask-enharmonic": ("note",),
    "ask-clef": ("clef", "place"),
    "ask-transposition": ("notes", "direction", "interval"),
    "ask-instrument": ("notes", "clarinet"),
    "ask-scale": ("tonic", "scale"),
    "ask-mode": ("tonic", "notes"),
    "ask-signature": ("signature", "mode"),
    "ask-spelling": ("root", "chord"),
    "ask-quality": ("notes",),
    "ask-inversion": ("notes",),
    "ask-roman": ("key", "notes"),
    "ask-figured": ("key", "bass", "figure"),
    "ask-cadence": ("key", "first", "last"),
    "ask-metre": ("signature",),
    "ask-bar": ("values",),
    "ask-value": ("long", "tied", "unit"),
    "ask-counterpoint": ("lower", "upper"),
    "ask-row": ("row", "form", "start"),
    "ask-gong": ("note", "given", "wanted"),
    "ask-pentatonic": ("tonic", "notes"),
    "ask-altered": ("note", "given", "wanted"),
    "ask-added": ("gong", "notes"),
    "ask-jianpu-read": ("tonic", "line"),
    "ask-jianpu-write": ("tonic", "notes"),
    "ask-jianpu-length": ("line",),
    "ask-gongche-read": ("line",),
    "ask-gongche-write": ("line",),
    "ask-gongche-key": ("diao", "degree"),
    "ask-banyan-metre": ("banyan", "bars"),
    "ask-banyan-beat": ("number",),
    "ask-banyan-count": ("banyan", "what", "bars"),
    "ask-continuation": ("opening",),
}
"""The prompts and what each must hold."""


class Asker:
    """Puts exercises in words.

    Parameters
    ----------
    settings : Settings
    """

    def __init__(self, settings: Settings) -> None:
        self.language = settings.language
        self.levels = len(settings.difficulty)
        self.prompts = Prompts(
            "zhiyin.benchmarks.exercises",
            PLACES,
            language=settings.language,
            folder=settings.prompts,
        )

    def stem(self, item: Item) -> str:
        """The question in words, without its options."""
        facts = item.exercise.facts
        if item.task == "continuation":
            return self.prompts.fill("ask-continuation", **facts)
        words = {place: fact_in_words(place, code, self.language) for place, code in facts.items()}
        if item.kind in WITH_OCTAVES:
            words |= {place: octaves_below(words[place]) for place in PITCHES & words.keys()}
        return self.prompts.fill(f"ask-{item.kind}", **words)

    def texts(self, item: Item) -> list[str]:
        """The options in words."""
        answers = item.exercise.answers
        if item.task == "continuation":
            return list(answers)
        return [option(item.kind, code, self.language) for code in answers]

    def groups(self, item: Item) -> tuple[str, ...]:
        """Task and kind; difficulties too, where there are several."""
        groups = [item.task, f"{item.task}/{item.kind}"]
        if self.levels > 1 and item.level:
            groups += [f"difficulty={item.level}", f"{item.task}/{item.kind}/{item.level}"]
        return tuple(groups)

    def trial(self, item: Item) -> Trial:
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


def tags(item: Item) -> dict[str, Tag]:
    """What the log keeps of an exercise beside its question."""
    values: dict[str, Tag] = {"task": item.task, "kind": item.kind}
    if item.level:
        values["difficulty"] = item.level
    wrong = zip(item.exercise.answers, item.exercise.mistakes, strict=True)
    if item.task != "continuation":
        values["mistakes"] = "; ".join(f"{answer}: {name}" for answer, name in wrong if name)
    return values | item.tags
