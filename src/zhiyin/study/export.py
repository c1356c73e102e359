"""The export: one line an answer, the trials, and a codebook that says what each column means."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa

from zhiyin import __version__
from zhiyin.errors import InputError
from zhiyin.files import write_atomically
from zhiyin.study.exclusions import excluded_people, is_right
from zhiyin.study.items import Item
from zhiyin.study.store import Store
from zhiyin.study.tables import ANSWERS, PEOPLE, PLACES

FORMAT = 1
COLUMNS: dict[str, str] = {
    "format": "version of this layout",
    "study": "name of the study",
    "kind": "exam, validate, rate or annotate",
    "participant": "pseudonym of the person, drawn by chance",
    "language": "language in which the person saw the study when the answers were exported",
    "education": "high_school, bachelor, master, doctorate (finished or under way), other, unsaid",
    "music_major": "yes, no, unsaid",
    "music_background": "yes, no, unsaid",
    "scores": "score of each subscale of the study's scale; empty without one",
    "statements": "step chosen for each statement of the scale, from 1",
    "headphones": "headphone check: none, woods or huggins",
    "headphones_hits": "of six; null where there was no check",
    "headphones_passed": "null where there was no check",
    "item": "id of the item in the study",
    "trial": "id of the trial: a line of the file of trials, as runs have them",
    "trial_item": "what the trial asks about, as in runs (Trial.item)",
    "condition": "way in which it is asked (Trial.condition)",
    "group": "group for drawing in proportion",
    "form": "one, many, text, grades, slots or pair",
    "role": "plain, gold (known answer looked at), attention, practice",
    "position": "place in the person's order of pages, from 1",
    "order": "keys in the order shown: of options, of stimuli, or of the two texts",
    "keys": "keys chosen, as in the data; 'same' where two texts are equally good",
    "said": "cannot_tell or odd in the place of marks; empty otherwise",
    "grades": "grade by key of the scale or stimulus",
    "text": "free answer",
    "expected": "keys that are right, where that is known; empty otherwise",
    "right": "whether exactly these were chosen; null where it is not known",
    "listens": "times that each sound was heard to its end, in the order of the item's sounds",
    "given": "when the page was made for the person, seconds since 1970 (UTC)",
    "saved": "when the answer was on the disk, likewise",
    "active_s": "time on the page without idle time, as the browser says, in seconds",
    "idle_s": "idle time on the page, likewise",
    "outcome": "complete, screened_out, or empty while the person has not finished",
    "excluded": "rules of the study file by which the person is excluded; empty for none",
}
"""Every column of the export and what it means: the contract with its readers."""


class Exported(NamedTuple):
    """Where the export lies, and how many answers of how many people it holds."""

    file: Path
    trials: Path
    codebook: Path
    answers: int
    people: int


def rows(store: Store) -> Iterator[dict[str, Any]]:
    """One answer after another, by person and place: the columns of `COLUMNS`."""
    study = store.study
    with store.read() as connection:
        out = excluded_people(store, connection)
        people = {row.id: row for row in connection.execute(sa.select(PEOPLE))}
        query = (
            sa.select(PLACES, ANSWERS)
            .select_from(PLACES.join(ANSWERS))
            .order_by(PLACES.c.person, PLACES.c.position)
        )
        answers = connection.execute(query).all()
    for row in answers:
        person, item = people[row.person], store.items[row.item]
        about, checks = person.background, person.checks
        yield {
            "format": FORMAT, "study": study.name, "kind": study.kind,
            "participant": person.pseudonym, "language": person.language,
            "education": about.get("education"), "music_major": about.get("music_major"),
            "music_background": about.get("music_background"),
            "scores": about.get("scores", {}), "statements": about.get("statements", {}),
            "headphones": checks.get("headphones", "none"),
            "headphones_hits": checks.get("headphones_hits"),
            "headphones_passed": checks.get("headphones_passed"),
            "item": item.id, "trial": item.trial.id, "trial_item": item.trial.item,
            "condition": item.trial.condition, "group": item.group, "form": item.form,
            "role": item.role, "position": row.position, "order": row.order, "keys": row.keys,
            "said": row.said, "grades": row.grades, "text": row.text,
            "expected": list(item.expected), "right": _right(item, row), "listens": row.listens,
            "given": row.given, "saved": row.saved, "active_s": row.active_ms / 1000,
            "idle_s": row.idle_ms / 1000, "outcome": person.outcome,
            "excluded": out.get(row.person, []),
        }  # fmt: skip


def _right(item: Item, row: Any) -> bool | None:
    """A free answer is not compared here: that is its benchmark's business."""
    return None if not item.expected or item.form == "text" else is_right(item, row.keys, row.said)


def export(store: Store, out: Path) -> Exported:
    """Write answers, trials and codebook: FILE.jsonl, FILE.trials.jsonl, FILE.codebook.json.

    Raises
    ------
    InputError
        `out` does not end in .jsonl, or cannot be written.
    """
    if out.suffix != ".jsonl":
        raise InputError(f"--out {out}: give a name that ends in .jsonl")
    trials, codebook = out.with_suffix(".trials.jsonl"), out.with_suffix(".codebook.json")
    answers = list(rows(store))
    asked: dict[str, Any] = {}
    for item in store.items.values():
        asked.setdefault(item.trial.id, item.trial)
    try:
        write_atomically(out, _lines(answers))
        write_atomically(trials, _lines(asked.values()))
        write_atomically(codebook, msgspec.json.format(msgspec.json.encode(codebook_of(store))))
    except OSError as error:
        raise InputError(f"{out}: cannot be written ({error.strerror})") from None
    return Exported(
        out, trials, codebook, len(answers), len({row["participant"] for row in answers})
    )


def codebook_of(store: Store) -> dict[str, Any]:
    """What the columns mean, the study as it was declared, and what each item shows.

    `quoted` are the texts that were judged: by them a run is known again.
    """
    items = {
        item.id: {
            "stem": item.stem, "form": item.form, "role": item.role,
            "choices": {choice.key: choice.text for choice in item.choices},
            "scales": {scale.key: [scale.low, scale.high] for scale in item.scales},
            "slots": item.roles,
            "quoted": {text.key: text.text for text in item.quoted},
        }
        for item in store.items.values()
    }  # fmt: skip
    with store.read() as connection:
        design = store.fact(connection, "design")
    return {
        "format": FORMAT, "zhiyin": __version__, "fingerprint": design, "columns": COLUMNS,
        "study": msgspec.to_builtins(store.study), "items": items,
    }  # fmt: skip


def _lines(values: Any) -> bytes:
    return b"".join(msgspec.json.encode(value) + b"\n" for value in values)
