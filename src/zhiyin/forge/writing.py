"""Questions from captions, by a language model, and what is read of its replies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from zhiyin.forge.asking import Asking
from zhiyin.forge.items import KINDS, Distractor, Item, Track
from zhiyin.forge.stages import Fallen
from zhiyin.judges.reading import Unreadable, read_object, words
from zhiyin.judges.wording import fenced
from zhiyin.record import Record

_KINDS = {kind.replace(" but ", " ").replace(" and ", " "): kind for kind in KINDS}


class Writing(Asking):
    """Questions about tracks: what a model is asked to write."""

    name = "forge-write"
    version = "1"
    summary = "questions that a model writes from captions (use `zhiyin forge questions`)"
    paper = "none; the pipeline is that of section 3.2 of Weck et al. 2024, arXiv:2408.01337"
    kind = Track

    def words(self, item: Track) -> str:
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

    def read(self, text: str, item_id: str) -> list[dict[str, Any]]:
        """The questions in a reply, as they stand there.

        Raises
        ------
        Unreadable
            There is no JSON object, it was cut off, or it holds no list of questions.
        """
        questions = read_object(text, ("questions",)).get("questions")
        if not isinstance(questions, list) or not questions:
            raise Unreadable('"questions" was no list of questions')
        return questions


def read_items(
    tracks: Sequence[Track], records: Mapping[str, Record], writing: Writing
) -> tuple[list[Item], list[Fallen], list[Fallen]]:
    """The questions of all replies.

    Returns
    -------
    items : list of Item
        Those that are whole.
    malformed : list of Fallen
        Questions that lack a part, or are more than were asked for: nothing is put in its place.
    unwritten : list of Fallen
        Tracks without a reply that can be used.
    """
    items: list[Item] = []
    malformed: list[Fallen] = []
    unwritten: list[Fallen] = []
    for track in tracks:
        record = records.get(track.id)
        if record is None or record.verdict.state == "error":
            detail = (record.error or record.verdict.why) if record else "it was not asked about"
            why = "unreadable" if record and not record.error else "failed"
            unwritten.append(Fallen(track.id, why, detail))
            continue
        text = record.exchange.final.text
        summary = words(read_object(text, ("questions",)).get("summary"))
        for number, entry in enumerate(writing.read(text, track.id), 1):
            name = f"{track.id}/{number}"
            if number > writing.settings.count:
                detail = f"{writing.settings.count} were asked for"
                malformed.append(Fallen(name, "too-many", detail))
                continue
            item = _item(name, track.id, entry, summary)
            (items if isinstance(item, Item) else malformed).append(item)  # type: ignore[arg-type]
    return items, malformed, unwritten


def _item(name: str, track: str, entry: Any, summary: str) -> Item | Fallen:
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
    return Item(
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
