"""The rules by which items are found flawed, and what they find.

Each rule has a name, a version that rises whenever it finds other things, and a class: ``key`` (the
key is not the one right answer), ``options`` (fewer different options than are counted), ``text``
(the question is answered without music), ``lost`` (what is asked about is not there), ``suspect``
(only a person can judge it: left out of no figure, and offered to a study).

Rules that hold items against each other.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import prod
from typing import Any, Literal

import msgspec

from zhiyin.contract.declared import Flaw
from zhiyin.plugins.making.errata import (
    COMPARING,
    FIGURE,
    FIGURE_EN,
    NOTE,
    POINTING,
    AskedItem,
    folded,
)
from zhiyin.plugins.music.clips import LETTERS
from zhiyin.text import option_form
from zhiyin.words import Text, said

EXAMPLE = "example:"
"""How the id of an erratum begins that is of a worked example, and of no item."""
Class = Literal["key", "options", "text", "lost", "suspect"]
Find = Callable[[Sequence[AskedItem]], Iterator["Erratum"]]


class Erratum(Flaw, frozen=True):
    """A flaw of an item with its witness: what proves it, to be looked at by anybody.

    `kind` is the rule, `id` the item; `file` stays empty, since items are of any benchmark.
    """

    witness: dict[str, Any] = {}


class Rule(msgspec.Struct, frozen=True):
    """A rule.

    Attributes
    ----------
    name : str
    says : Text
        What it proves, in one line.
    class_ : str
    find : callable
        From all items of a benchmark to errata.
    version : int
    """

    name: str
    says: Text
    class_: Class
    find: Find
    version: int = 1


def erratum(item: AskedItem, rule: str, detail: Text, **witness: Any) -> Erratum:
    """Make a rule's finding on an item, with the item's question, options and key as witnesses."""
    shown = {"question": item.stem, "options": list(item.options), "key": item.keyed}
    return Erratum(rule, "", item.id, detail, shown | witness)


def keyed_twice(items: Sequence[AskedItem]) -> Iterator[Erratum]:
    """The keyed option stands again among the others, written the same but for its form."""
    for item in items:
        if not item.right:
            continue
        right = {option_form(item.options[place]) for place in item.right}
        again = [item.options[n] for n in item.wrong if option_form(item.options[n]) in right]
        again += [item.options[n] for n in item.right[1:] if len(right) < len(item.right)]
        if again:
            yield erratum(
                item, "keyed-twice", said("errata-again", option=repr(again[0])), again=again
            )


def repeated_option(items: Sequence[AskedItem]) -> Iterator[Erratum]:
    """Find items of which two wrong options are the same but for their form."""
    for item in items:
        right = {option_form(item.options[place]) for place in item.right}
        seen: dict[str, str] = {}
        twice = []
        for text in (item.options[place] for place in item.wrong):
            form = option_form(text)
            if form in seen and form not in right:
                twice.append([seen[form], text])
            seen.setdefault(form, text)
        if twice:
            one, other = twice[0]
            same = one == other
            detail = said("errata-twice", one=repr(one), other=repr(other), same=same)
            yield erratum(item, "repeated-option", detail, twice=twice)


def no_right_option(items: Sequence[AskedItem]) -> Iterator[Erratum]:
    """Find items whose key is none of the options."""
    for item in items:
        if item.options and not item.right:
            detail = said("errata-none-right", key=repr(item.target))
            yield erratum(item, "no-right-option", detail)


def missing_figure(items: Sequence[AskedItem]) -> Iterator[Erratum]:
    """The question speaks of a picture, a score or an excerpt, and nothing is shown or played."""
    for item in items:
        if item.pictures or item.sounds:
            continue
        found = FIGURE.search(item.stem) or FIGURE_EN.search(item.stem)
        # Notation may be given in words: then more is sent than the question itself.
        if found and not notated(item.sent):
            detail = said("errata-not-shown", what=repr(found[0]))
            yield erratum(item, "missing-figure", detail, words=found[0])


_BARE = re.compile(r"(?:自然|和声|旋律)?[大小]调|[宫商角徵羽]调式?")
_RUN_TOGETHER = re.compile(r"[a-z][A-Z][a-z]++ \w++,? ")
_LOST_IN_STEM = re.compile(r"\[/?ann\]|^\s*[大小]调的(?:关系|平行|等音|同名|同主音)")


def _run_together(text: str) -> bool:
    """Tell whether two sentences run together without a sign, the second of them a question."""
    match = _RUN_TOGETHER.search(text)
    return match is not None and "?" in text[match.end() :]


def lost_content(items: Sequence[AskedItem]) -> Iterator[Erratum]:
    """Find items whose signs or pictures got lost on the way into the data.

    All options are bare letters (of pictures that are not there), the keyed option names a mode
    without its note while another has one, the question asks about a key without its note, or a
    whole question stands run together with an option.
    """
    for item in items:
        if item.pictures or len(item.options) < 2 or not item.right:
            continue
        texts = [text.strip() for text in item.options]
        found = _LOST_IN_STEM.search(item.stem)
        if (
            texts == list(LETTERS[: len(texts)])
            and len(texts) > 2
            and not _ASKS_NOTE.search(item.stem)
        ):
            detail = said("errata-letters")
        elif together := next(filter(_run_together, texts), None):
            detail = said("errata-together", option=repr(together))
        elif found and not item.sounds:
            detail = said("errata-lost", what=repr(found[0]))
        elif _BARE.fullmatch(item.keyed.strip()) and any(
            re.fullmatch(NOTE + " ?" + re.escape(item.keyed.strip()), text) for text in texts
        ):
            detail = said("errata-lost", what=repr(item.keyed))
        else:
            continue
        yield erratum(item, "lost-content", detail)


_ASKS_NOTE = re.compile(
    r"音名|(?:哪个|什么)(?:音(?!程)|调)|_音|音是|调是|主音|属音|导音|\bnotes?\b|\bpitch|\bchord\b"
    r"|\bkey\b(?! signature)|\btonic\b|dominant\b|mediant\b|\bleading tone|\broot\b|\bdegree\b",
    re.IGNORECASE,
)
"""What a letter alone can answer: a note, a key, a chord."""


def nested(items: Sequence[AskedItem]) -> Iterator[Erratum]:
    """A wrong option about something heard says what the keyed one does, and more, or less.

    "Pan flute" beside "flute": only an ear can say whether both are right.
    """
    for item in items:
        if not item.sounds or len(item.right) != 1:
            continue
        key = words_said(item.keyed)
        others = [text for n in item.wrong if _adds(key, words_said(text := item.options[n]))]
        if others:
            detail = said("errata-nested", key=repr(item.keyed), other=repr(others[0]))
            yield erratum(item, "nested", detail, others=others)


def words_said(text: str) -> str:
    """The words of a text in small letters, one blank between them."""
    return re.sub(r"[\W_]+", " ", text.lower()).strip()


def _adds(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    added = long.removesuffix(short)
    return bool(short) and added != long and added[-1:] == " " and not _NEGATION.search(added)


_NEGATION = re.compile(
    r"\b(?:not?|non|never|without|don t|does|isn t|and|or|both|un|but|\w+ty|hundred)\b|\d"
)


def notated(text: str) -> bool:
    """Tell whether a text holds notation in ABC, kern, MusicXML or our own form of MIDI."""
    return any(mark in text for mark in ("K:", "**kern", "<note", "<score-partwise", "note_on"))


RULES: dict[str, Rule] = {}


def add_rules(rules: Iterable[Rule]) -> None:
    """Make rules known, in the order in which they are told."""
    RULES.update((rule.name, rule) for rule in rules)


def all_rules() -> dict[str, Rule]:
    """Every rule by name."""
    if not RULES:
        from zhiyin.plugins.making.errata import solving

        add_rules([
            Rule("keyed-twice", said("rule-keyed-twice"), "key", keyed_twice, 2),
            Rule("no-right-option", said("rule-no-right-option"), "key", no_right_option),
            Rule("same-by-sound", said("rule-same-by-sound"), "key", solving.same_by_sound),
            Rule("contradicted", said("rule-contradicted"), "key", contradicted),
            Rule("refuted", said("rule-refuted"), "key", solving.refuted),
            Rule("several-right", said("rule-several-right"), "key", solving.several_right),
            Rule("several-orders", said("rule-several-orders"), "key", solving.several_orders),
            Rule("heard-otherwise", said("rule-heard-otherwise"), "key", solving.heard_otherwise),
            Rule("missing-figure", said("rule-missing-figure"), "lost", missing_figure),
            Rule("lost-content", said("rule-lost-content"), "lost", lost_content, 2),
            Rule("repeated-option", said("rule-repeated-option"), "options", repeated_option, 2),
            Rule("stem-names-key", said("rule-stem-names-key"), "text", stem_names_key),
            Rule("header-shows-key", said("rule-header-shows-key"), "text", solving.header_shows),
            Rule("solved-unheard", said("rule-solved-unheard"), "text", solving.solved_unheard),
            Rule("contested", said("rule-contested"), "suspect", contested),
            Rule("nested", said("rule-nested"), "suspect", nested),
        ])  # fmt: skip
    return RULES


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
        stem = folded(item.stem)
        speaks = FIGURE.search(item.stem) or FIGURE_EN.search(item.stem)
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
    if COMPARING.search(item.stem) or _points(item, other):
        return False
    offered = {option_form(text) for text in item.options}
    return theirs in offered or ours in {option_form(text) for text in other.options}


def _points(*items: AskedItem) -> bool:
    """Tell whether a key speaks of other options ("all of the above")."""
    return any(POINTING.search(item.keyed) for item in items)


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
