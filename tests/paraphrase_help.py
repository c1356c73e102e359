"""A quiz whose questions are asked in every order and again, and models with known answers."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from hashlib import blake2b
from typing import Annotated

import msgspec

from zhiyin.contract.benchmark import Benchmark
from zhiyin.flags import Flag
from zhiyin.record import Exchange, Verdict
from zhiyin.trial import Option, Trial, say

LETTERS = "ABCD"
FRUIT = ("apples", "cherries", "damsons", "elderberries")


class QuizSettings(msgspec.Struct, frozen=True):
    """How much is asked."""

    items: Annotated[int, Flag("questions")] = 24
    repeats: Annotated[int, Flag("times that each is asked")] = 1
    rotations: Annotated[bool, Flag("every rotation of the options")] = False
    seed: Annotated[int, Flag("of the orders")] = 0


class Quiz(Benchmark[QuizSettings]):
    """Questions about baskets, two of a cluster."""

    name, version, summary = "quiz", "1", "baskets"
    licence, paper, chance = "CC0-1.0", "none", 0.25
    Settings = QuizSettings

    def trials(self) -> Iterator[Trial]:
        own = self.settings
        for item in range(own.items):
            stem = f"Which of the following is in basket {item}, based on the list?"
            texts = [f"{fruit} of garden {item}" for fruit in FRUIT]
            start = random.Random(f"{own.seed}/{item}").randrange(4)
            for rotation in range(4 if own.rotations else 1):
                places = [(start + rotation + n) % 4 for n in range(4)]
                options = tuple(
                    Option(letter, texts[place], LETTERS[place])
                    for letter, place in zip(LETTERS, places, strict=True)
                )
                listing = "\n".join(f"{o.letter}. {o.text}" for o in options)
                for repeat in range(1, own.repeats + 1):
                    yield Trial(
                        f"q{item}/o{rotation}/r{repeat}",
                        (say("user", f"Choose.\n\n{stem}\n\n{listing}\n\nReply with a letter."),),
                        stem, options, "A", (f"half{item % 2}",), f"basket{item // 2}",
                        {"rotation": rotation, "repeat": repeat}, f"q{item}",
                    )  # fmt: skip

    def __len__(self) -> int:
        own = self.settings
        return own.items * own.repeats * (4 if own.rotations else 1)

    def score(self, trial: Trial, exchange: Exchange) -> Verdict:
        letter = exchange.final.text.strip()[:1]
        key = next((o.key for o in trial.options if o.letter == letter), None)
        state = "no_answer" if key is None else "correct" if key == trial.target else "wrong"
        return Verdict(state, letter or None, key, policy="letter")

    def fingerprint(self) -> str:
        return "quiz"


def _text(messages) -> str:
    content = messages[-1]["content"]
    return content if isinstance(content, str) else "".join(p.get("text", "") for p in content)


def _letter(prompt: str, fruit: str) -> str:
    return re.search(rf"^([A-D])\. {fruit}", prompt, re.MULTILINE)[1]


def _drawn(*words: object) -> bool:
    return blake2b("/".join(map(str, words)).encode(), digest_size=1).digest()[0] % 2 == 0


def oracle(messages) -> str:
    """Knows everything."""
    return _letter(_text(messages), "apples")


def by_order(messages) -> str:
    """Takes what stands first."""
    return "A"


def by_word(messages) -> str:
    """Knows the answer where the words of the stem please it, whatever the order."""
    prompt = _text(messages)
    return _letter(prompt, "apples" if _drawn(prompt.split("\n\n")[1]) else "cherries")


class Coin:
    """Right or wrong by a coin, thrown anew each time it is asked."""

    def __init__(self) -> None:
        self.times: Counter[str] = Counter()

    def __call__(self, messages) -> str:
        prompt = _text(messages)
        self.times[prompt] += 1
        right = _drawn(prompt, self.times[prompt])
        return _letter(prompt, "apples" if right else "cherries")
