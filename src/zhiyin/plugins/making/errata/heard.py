"""The rule that listens: what the reference listener hears against what is keyed."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from zhiyin.errors import InputError
from zhiyin.plugins.making.errata.items import AskedItem
from zhiyin.plugins.making.errata.rules import EXAMPLE, Erratum, erratum
from zhiyin.trial import Audio, Message, Option
from zhiyin.words import said

_LEAST, _SHARE = 8, 0.95
"""So many sounds of a kind must have been heard as keyed, and such a share of all of them."""


class HeardQuestion(NamedTuple):
    """A question, or a worked example: what is keyed and what was heard, as keys of options."""

    item: AskedItem
    key: str
    found: str
    why: str
    example: bool
    recording: str

    def erratum(self, agreed: int) -> Erratum:
        """Return the flaw, given how many others of the kind the listener agreed with."""
        texts = {option.key: option.text for option in self.item.trial.options}
        recording = Path(self.recording).name
        detail = said("errata-heard", found=repr(texts[self.found]), why=self.why, n=agreed,
                      recording=recording)  # fmt: skip
        one = erratum(self.item, "heard-otherwise", detail, heard=texts[self.found], why=self.why,
                      agreed=agreed, recording=recording)  # fmt: skip
        witness = one.witness | {"key": texts[self.key]}
        name = f"{EXAMPLE}{recording}" if self.example else one.id
        return msgspec.structs.replace(one, id=name, witness=witness)


def heard_otherwise(items: Sequence[AskedItem]) -> Iterator[Erratum]:
    """The reference listener, right on nearly all others of the kind, hears another option.

    Worked examples are heard too: what they say is as much a key as that of an item.
    """
    from zhiyin.plugins.music.listener.spectrum import one_core

    kinds: dict[tuple[str, ...], list[HeardQuestion]] = defaultdict(list)
    seen: set[tuple[str, ...]] = set()
    with one_core():
        for item in items:
            for messages, key in _questions(item):
                sounds = [p for m in messages for p in m.parts if isinstance(p, Audio)]
                kind = tuple(sorted(option.text for option in item.trial.options))
                name = (*(sound.sha256 for sound in sounds), *kind)
                if not sounds or name in seen:
                    continue
                seen.add(name)
                if (answer := _answer(messages, item)) is not None:
                    example = messages[-1] is not item.trial.messages[-1]
                    kinds[kind].append(HeardQuestion(item, key, *answer, example, sounds[-1].path))
    for several in kinds.values():
        agreed = sum(one.key == one.found for one in several)
        if agreed < max(_LEAST, _SHARE * (len(several) - 1)):
            continue
        yield from (one.erratum(agreed) for one in several if one.key != one.found)


def _questions(item: AskedItem) -> Iterator[tuple[list[Message], str]]:
    """Yield the question and each worked example before it, with the key of its answer."""
    messages = list(item.trial.messages)
    system = [message for message in messages if message.role == "system"]
    options = item.trial.options
    for place, message in enumerate(messages[:-1]):
        if message.role == "user" and messages[place + 1].role == "assistant":
            key = _said(messages[place + 1].text, options)
            yield from [([*system, message], key)] if key else []
    if len(item.right) == 1 and item.trial.target in {option.key for option in options}:
        yield [*system, messages[-1]], str(item.trial.target)


def _said(text: str, options: Sequence[Option]) -> str | None:
    """The key of the option that a worked answer ends with; None where that is not clear."""
    last = text.strip().rpartition("\n")[2].strip()
    letter = re.fullmatch(r"(?:Final Answer: *)?([A-Z])\.?(?: .*)?", last)
    named = [o.key for o in options if o.text.strip().rstrip(".") in last]
    if len(named) == 1:
        return named[0]
    found = [o.key for o in options if letter and o.letter == letter[1]]
    return found[0] if found else None


def _answer(messages: list[Message], item: AskedItem) -> tuple[str, str] | None:
    """The key of the option that the listener hears, and why; None where it does not say."""
    from zhiyin.plugins.music.listener.model import reply

    options = item.trial.options
    try:
        said_ = reply(messages, options, item.trial.stem)
    except (InputError, OSError):
        return None
    key = _said(said_.text, options)
    return None if key is None else (key, str(said_.detail.get("why", "")))
