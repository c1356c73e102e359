"""Roles of a study's items: practice, known answers that count, and attention checks."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable

import msgspec

from zhiyin.plugins.studies.design import ItemRoles, StudyChoice, StudyItem
from zhiyin.plugins.studies.languages import words_of
from zhiyin.plugins.studies.settings import FaultyStudyError, StudyFault
from zhiyin.trial import Message, Text, Trial
from zhiyin.words import said


def numbers_of(items: Iterable[StudyItem]) -> ItemRoles:
    """How many items have which role."""
    found = Counter(item.role for item in items)
    return ItemRoles(found["practice"], found["gold"], found["attention"])


def with_roles(items: Iterable[StudyItem], wish: ItemRoles, seed: int) -> list[StudyItem]:
    """Set the last items apart for practice and others as gold; add attention questions.

    Roles that items had before count for nothing. Raises `FaultyStudyError` for too few items.
    """
    items = [item for item in items if item.role != "attention"]
    known = [item for item in items if item.expected]
    if wish.gold > len(known) or wish.practice >= len(items):
        why = said("study-items-few", n=len(items), known=len(known))
        raise FaultyStudyError([StudyFault("items.practice", why)])
    practice = {item.id for item in items[len(items) - wish.practice :]}
    gold = {item.id for item in known if item.id not in practice}
    gold = set(random.Random(seed + 1).sample(sorted(gold), min(wish.gold, len(gold))))
    # Expected answers stay with plain items too: figures need them, and people never see them.
    named = [
        msgspec.structs.replace(
            item, role="practice" if item.id in practice else "gold" if item.id in gold else "plain"
        )
        for item in items
    ]
    return named + [_attention(number, seed) for number in range(1, wish.attention + 1)]


def _attention(number: int, seed: int) -> StudyItem:
    """A question that asks for a certain answer; a page has its words in its own language."""
    words, keys = words_of("en"), ("north", "east", "south", "west")
    right = random.Random(f"{seed}/{number}").choice(keys)
    stem = words["attention"].replace("{word}", words[f"word_{right}"])
    choices = tuple(StudyChoice(key, words[f"word_{key}"]) for key in keys)
    trial = Trial(f"attention-{number}", (Message("user", (Text(stem),)),), stem)
    return StudyItem(
        trial.id, trial, "one", stem, choices, role="attention", expected=(right,)
    )  # fmt: skip
