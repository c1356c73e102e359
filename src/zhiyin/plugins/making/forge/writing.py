"""Tasks that a language model writes for: questions, wrong answers, what a question tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import msgspec

from zhiyin.errors import InputError, reworded
from zhiyin.files import NOT_JSON
from zhiyin.plugins.judges.language import fenced
from zhiyin.plugins.judges.reading import UnreadableJudgement, read_object, words
from zhiyin.plugins.making.forge import (
    KINDS,
    TAXONOMY,
    Asking,
    Distractor,
    Fallen,
    ForgeItem,
    ForgeTrack,
    lack_of,
)
from zhiyin.plugins.making.forge.checks import bare
from zhiyin.record import Record
from zhiyin.words import said

_KINDS = {kind.replace(" but ", " ").replace(" and ", " "): kind for kind in KINDS}


class Writing(Asking):
    """Questions about tracks: what a model is asked to write."""

    name = "forge-write"
    version = "1"
    summary = "questions that a model writes from captions (use `zhiyin forge questions`)"
    paper = "none; the pipeline is that of section 3.2 of Weck et al. 2024, arXiv:2408.01337"
    kind = ForgeTrack

    def words(self, item: ForgeTrack) -> str:
        """The prompt about a track. Title and performer are not in it."""
        captions = "\n".join(item.captions)
        labels = ", ".join((*([item.style] if item.style else []), *item.labels))
        return self.prompts.fill(
            "write",
            count=str(self.settings.count),
            captions=fenced(captions),
            labels=fenced(labels) if labels else "none",
            examples=self.prompts.texts["examples"],
        )

    def read(self, text: str) -> list[dict[str, Any]]:
        """The questions in a reply, as they stand there.

        Raises
        ------
        UnreadableJudgement
            There is no JSON object, it was cut off, or it holds no list of questions.
        """
        questions = read_object(text, ("questions",)).get("questions")
        if not isinstance(questions, list) or not questions:
            raise UnreadableJudgement('"questions" was no list of questions')
        return questions


def read_items(
    tracks: Sequence[ForgeTrack], records: Mapping[str, Record], writing: Writing
) -> tuple[list[ForgeItem], list[Fallen], list[Fallen]]:
    """The questions of all replies.

    Returns
    -------
    items : list of ForgeItem
        Those that are whole.
    malformed : list of Fallen
        Questions that lack a part, or are more than were asked for: nothing is put in its place.
    unwritten : list of Fallen
        Tracks without a reply that can be used.
    """
    items: list[ForgeItem] = []
    malformed: list[Fallen] = []
    unwritten: list[Fallen] = []
    for track in tracks:
        record = records.get(track.id)
        if record is None or lack_of(record):
            why = "unreadable" if record and not record.error else "failed"
            unwritten.append(Fallen(track.id, why, lack_of(record)))
            continue
        text = record.exchange.final.text
        summary = words(read_object(text, ("questions",)).get("summary"))
        for number, entry in enumerate(writing.read(text), 1):
            name = f"{track.id}/{number}"
            if number > writing.settings.count:
                detail = f"{writing.settings.count} were asked for"
                malformed.append(Fallen(name, "too-many", detail))
                continue
            item = _item(name, track.id, entry, summary)
            (items if isinstance(item, ForgeItem) else malformed).append(item)  # type: ignore[arg-type]
    return items, malformed, unwritten


def _item(name: str, track: str, entry: Any, summary: str) -> ForgeItem | Fallen:
    """A question, or what it lacks."""
    if not isinstance(entry, dict):
        return Fallen(name, "malformed", "it is no object")
    for part in ("question", "answer", "evidence"):
        if not words(entry.get(part)):
            return Fallen(name, "malformed", f"it has no {part}")
    given = entry.get("distractors")
    if not isinstance(given, list) or len(given) != len(KINDS):
        count = len(given) if isinstance(given, list) else 0
        return Fallen(name, "malformed", f"it has {count} distractors and not {len(KINDS)}")
    distractors = []
    for one in given:
        kind = _kind(one.get("kind")) if isinstance(one, dict) else None
        if kind is None or not words(one.get("text")):
            return Fallen(name, "malformed", "a distractor lacks its text or its kind")
        distractors.append(Distractor(words(one["text"]), kind, words(one.get("why"))))
    if {one.kind for one in distractors} != set(KINDS):
        return Fallen(name, "malformed", "its distractors are not one of each kind")
    return ForgeItem(
        name,
        track,
        _line(entry["question"]),
        _line(entry["answer"]),
        tuple(Distractor(_line(d.text), d.kind, d.why) for d in distractors),
        words(entry["evidence"]),
        summary,
    )


def _kind(value: Any) -> str | None:
    name = " ".join(words(value).lower().replace("-", " ").replace("_", " ").split())
    return _KINDS.get(name.replace(" but ", " ").replace(" and ", " "))


def _line(text: str) -> str:
    return " ".join(words(text).split())


class Proposing(Asking):
    """Questions with their right answers, for which wrong ones are wanted."""

    name = "forge-propose"
    version = "1"
    summary = "wrong answers that a model proposes (use `zhiyin forge distractors`)"
    paper = "none; the step is that of Zang et al. 2025, arXiv:2504.00369"
    kind = ForgeItem

    def words(self, item: ForgeItem) -> str:
        """The prompt about a question."""
        about = f"Question: {item.question}\nRight answer: {item.answer}"
        return self.prompts.fill("propose", count=str(self.settings.count), item=fenced(about))

    def read(self, text: str) -> list[str]:
        """The proposals in a reply.

        Raises
        ------
        UnreadableJudgement
            It holds no list of texts.
        """
        wrong = read_object(text, ("wrong",)).get("wrong")
        if not isinstance(wrong, list) or not all(isinstance(each, str) for each in wrong):
            raise UnreadableJudgement('"wrong" was no list of texts')
        if not wrong:
            raise UnreadableJudgement('"wrong" was empty')
        return [" ".join(words(each).split()) for each in wrong if words(each)]


def usable(item: ForgeItem, proposals: list[str]) -> list[str]:
    """Proposals that can be wrong answers, each once.

    Left out is what holds the right answer or is held by it (small words aside), so that
    it is clear which of the two is right.
    """
    right = f" {bare(item.answer)} "
    distinct: dict[str, str] = {}
    for text in proposals:
        plain = bare(text)
        inside = f" {plain} " in right or right in f" {plain} "
        if plain and not inside:
            distinct.setdefault(plain, text)
    return list(distinct.values())


class Category(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A category: what it is about, and its dimensions with their descriptions."""

    about: str
    dimensions: dict[str, str]


class Taxonomy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Categories by name, and where they are from."""

    categories: dict[str, Category]
    source: str = ""

    @property
    def names(self) -> dict[str, str]:
        """Every "category/dimension" by its folded form, and by that of the dimension alone."""
        by_words: dict[str, str] = {}
        twice: set[str] = set()
        for category, entry in self.categories.items():
            for dimension in entry.dimensions:
                name = f"{category}/{dimension}"
                by_words[_folded(name)] = name
                if _folded(dimension) in by_words:
                    twice.add(_folded(dimension))
                by_words.setdefault(_folded(dimension), name)
        return {key: name for key, name in by_words.items() if key not in twice}


def read_taxonomy(text: str, where: str) -> Taxonomy:
    """A taxonomy from JSON. Raises `InputError` where it is none, or has no dimension."""
    with reworded(f"{where}: no taxonomy (", "); see docs/how-to/forge.md", of=NOT_JSON):
        taxonomy = msgspec.json.decode(text, type=Taxonomy)
    if not any(category.dimensions for category in taxonomy.categories.values()):
        raise InputError(said("forge-no-dimension", where=where))
    return taxonomy


class Labelling(Asking):
    """Questions with their right answers, to be filed under dimensions."""

    name = "forge-label"
    version = "1"
    summary = "dimensions that questions test, named by a model (use `zhiyin forge questions`)"
    paper = "none; the step is that of section 3.2 of Weck et al. 2024, arXiv:2408.01337"
    kind = ForgeItem

    @cached_property
    def taxonomy(self) -> Taxonomy:
        """The taxonomy in use."""
        return read_taxonomy(self.prompts.texts[TAXONOMY], str(self.prompts.paths[TAXONOMY]))

    def words(self, item: ForgeItem) -> str:
        """The prompt about a question: with its right answer alone, as in the paper."""
        lines = []
        for category, entry in self.taxonomy.categories.items():
            lines.append(f"{category.upper()}: {entry.about}")
            lines += [f"- {category}/{name}: {text}" for name, text in entry.dimensions.items()]
        about = f"Question: {item.question}\nRight answer: {item.answer}"
        return self.prompts.fill("label", taxonomy="\n".join(lines), item=fenced(about))

    def read(self, text: str) -> tuple[tuple[str, ...], str]:
        """The dimensions in a reply, and the explanation.

        Raises
        ------
        UnreadableJudgement
            None is named, or one that the taxonomy does not have.
        """
        reply = read_object(text, ("dimensions",))
        named = reply.get("dimensions")
        if not isinstance(named, list) or not named:
            raise UnreadableJudgement('"dimensions" was no list of dimensions')
        known = self.taxonomy.names
        for name in named:
            if _folded(words(name)) not in known:
                raise UnreadableJudgement(f"{words(name)[:60]!r} is not one of the dimensions")
        dimensions = tuple(dict.fromkeys(known[_folded(words(name))] for name in named))
        return dimensions, words(reply.get("explanation"))


def _folded(name: str) -> str:
    return " ".join(name.casefold().replace("_", " ").split())


def label(
    items: Sequence[ForgeItem], records: Mapping[str, Record], labelling: Labelling
) -> tuple[list[ForgeItem], list[Fallen]]:
    """The questions with their categories, and those of which no reply can be used."""
    kept, fallen = [], []
    for item in items:
        record = records.get(item.id)
        if record is None or lack_of(record):
            fallen.append(Fallen(item.id, "unlabelled", lack_of(record)))
            continue
        categories, explanation = labelling.read(record.exchange.final.text)
        kept.append(msgspec.structs.replace(item, categories=categories, explanation=explanation))
    return kept, fallen
