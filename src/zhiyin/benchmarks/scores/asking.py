"""From an example or a fresh item to a trial: picture, words, and what tells right from wrong."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from zhiyin.benchmarks.scores.data import Example
from zhiyin.benchmarks.scores.fresh.asked import CHOICES, TASKS, Task
from zhiyin.benchmarks.scores.fresh.knobs import Level
from zhiyin.benchmarks.scores.fresh.made import Made
from zhiyin.benchmarks.scores.settings import Settings
from zhiyin.benchmarks.scores.words import option_text, voice_text
from zhiyin.contract.clips import LETTERS
from zhiyin.prompts import LAYOUT, Prompts, lay_out
from zhiyin.trial import Image, Option, Tag, Trial, say

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


class Asker:
    """Makes trials by the user's settings.

    Parameters
    ----------
    settings : Settings
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.prompts = Prompts(
            "zhiyin.benchmarks.scores",
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

    def generated(self, task: Task, level: Level, item: Made, picture: Image) -> Trial:
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
            values["options"] = self._option_list(options)
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
            id=item.id,
            messages=(say("user", self.prompts.fill(frame, **values), picture),),
            stem=stem,
            options=options,
            target=item.answer,
            groups=tuple(groups),
            cluster=picture.sha256[:16],
            tags=tags,
            item=item.id,
        )

    def _stem(self, task: Task, item: Made) -> str:
        values = {"bar": str(item.bar), "number": str(item.number)}
        if item.voice:
            values["voice"] = voice_text(item.voice, self.settings.language)
        values["place"] = self.prompts.fill("place-voice" if item.voice else "place", **values)
        name = f"ask-{task}"
        if task == "meter" and 'print-object="no"' in item.xml:
            name += "-counted"
        if task == "transcribe" and item.voice:
            name += "-voice"
        stem = self.prompts.fill(name, **values)
        return stem[:1].upper() + stem[1:]

    def _option_list(self, options: tuple[Option, ...]) -> str:
        lines = [self.prompts.fill("option", letter=o.letter, text=o.text) for o in options]
        return lay_out(self.prompts.templates["options"], lines).fill({})


def write_mistakes(mistakes: Mapping[str, str]) -> str:
    """What wrong options stand for, as a tag: ``C3: line; C4: octave``."""
    return "; ".join(f"{option}: {mistake}" for option, mistake in sorted(mistakes.items()))


def read_mistakes(tag: str) -> dict[str, str]:
    """The inverse of `write_mistakes`."""
    parts = (part.partition(": ") for part in tag.split("; "))
    return {option: mistake for option, _, mistake in parts}


def published_key(example: Example) -> str:
    """What an example is known by: its id and a hash of its answer, so that no other passes."""
    return f"{example.id} {hashlib.sha256(' '.join(example.notes).encode()).hexdigest()[:8]}"
