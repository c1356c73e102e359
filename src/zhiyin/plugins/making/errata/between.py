"""Rules that hold items against each other."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from math import prod

from zhiyin.plugins.making.errata import wording
from zhiyin.plugins.making.errata.items import AskedItem
from zhiyin.plugins.making.errata.rules import Erratum, erratum, notated, words_said
from zhiyin.text import option_form
from zhiyin.words import said

_SHORTEST = 6
"""Signs of a folded question; shorter ones ("which is right") say too little to be the same."""
_BY_CHANCE = 0.01
"""So likely at most may it be that a frame names the key in all its questions by chance."""


def contradicted(items: Sequence[AskedItem]) -> Iterator[Erratum]:
    """Find items that ask the same of the same and offer both keys, each keying another."""
    return _between(items, "contradicted", _contradicts)


def contested(items: Sequence[AskedItem]) -> Iterator[Erratum]:
    """Find items whose key is a wrong option of another item that asks the same.

    Where a question has a best answer rather than a right one, both may hold: a person has to say.
    """
    return _between(items, "contested", _contests)


def _between(
    items: Sequence[AskedItem], rule: str, clashes: Callable[[AskedItem, AskedItem], bool]
) -> Iterator[Erratum]:
    together: dict[tuple[str, str, str], list[AskedItem]] = defaultdict(list)
    for item in items:
        stem = wording.folded(item.stem)
        speaks = wording.FIGURE.search(item.stem) or wording.FIGURE_EN.search(item.stem)
        if len(stem) >= _SHORTEST and not (speaks and not item.about) and len(item.right) <= 1:
            together[stem, _given(item), item.about].append(item)
    for several in together.values():
        for item in several if len(several) > 1 else ():
            other = next((each for each in several if clashes(item, each)), None)
            if other is not None:
                detail = said("errata-contradicted", other=other.id, key=repr(item.keyed),
                              theirs=repr(other.keyed))  # fmt: skip
                theirs = {"item": other.id, "question": other.stem, "options": list(other.options),
                          "key": other.keyed}  # fmt: skip
                yield erratum(item, rule, detail, other=theirs)


def _given(item: AskedItem) -> str:
    """Return what is sent beside the question and belongs to it: notation, a list of parts."""
    if item.options and not notated(item.sent):
        return ""
    lines = item.trial.messages[-1].text.split("\n") if item.trial.messages else []
    ends = tuple(option.strip() for option in item.options if option.strip())
    return "\n".join(line for line in lines if not (ends and line.rstrip().endswith(ends)))


def _contradicts(item: AskedItem, other: AskedItem) -> bool:
    """Tell whether two items of the same question cannot both be keyed right, whatever is true."""
    ours, theirs = option_form(item.keyed), option_form(other.keyed)
    if other is item or ours == theirs:
        return False
    sets = [{option_form(text) for text in each.options} for each in (item, other)]
    if sets[0] == sets[1]:
        return True
    return all({ours, theirs} <= offered for offered in sets) and not _points(item, other)


def _contests(item: AskedItem, other: AskedItem) -> bool:
    """Tell whether one of two items offers the other's key and keys something else."""
    ours, theirs = option_form(item.keyed), option_form(other.keyed)
    if other is item or ours in theirs or theirs in ours or _contradicts(item, other):
        return False
    if wording.COMPARING.search(item.stem) or _points(item, other):
        return False
    offered = {option_form(text) for text in item.options}
    return theirs in offered or ours in {option_form(text) for text in other.options}


def _points(*items: AskedItem) -> bool:
    """Tell whether a key speaks of other options ("all of the above")."""
    return any(wording.POINTING.search(item.keyed) for item in items)


def stem_names_key(items: Sequence[AskedItem]) -> Iterator[Erratum]:
    """Questions of one frame that name one of their options each, and always the keyed one.

    The frame is the question with the option's words taken out. At least so many questions share it
    that chance would hardly name the key in all of them; one that names another option clears it.
    """
    frames: dict[str, list[tuple[AskedItem, str, bool]]] = defaultdict(list)
    for item in items:
        if len(item.right) != 1 or len(item.options) < 2:
            continue
        stem = words_said(item.stem)
        named = [n for n, text in enumerate(item.options) if _names(stem, words_said(text))]
        if len(named) == 1:
            words = words_said(item.options[named[0]])
            frame = _find(words, stem)
            frames[stem[: frame.start()] + "_" + stem[frame.end() :] if frame else stem].append(
                (item, words, named[0] in item.right)
            )
    for shared, found in frames.items():
        by_chance = prod(1 / len(item.options) for item, _, _ in found)
        if all(right for _, _, right in found) and by_chance <= _BY_CHANCE:
            for item, words, _ in found:
                detail = said("errata-named", words=repr(words), n=len(found), frame=repr(shared))
                yield erratum(item, "stem-names-key", detail, frame=shared,
                              items=[each.id for each, _, _ in found])  # fmt: skip


def _find(words: str, stem: str) -> re.Match[str] | None:
    if len(words) < 2:
        return None
    if words.isascii():
        return re.search(rf"\b{re.escape(words)}\b", stem)
    return re.search(re.escape(words), stem)


def _names(stem: str, words: str) -> bool:
    return _find(words, stem) is not None
