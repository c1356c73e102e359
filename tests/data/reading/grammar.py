"""Writes the generated part of the marked replies, always the same ones.

Templates (``templates.jsonl``) are filled with questions (``items.jsonl``) by the rules of
``rules.json``. In all three, ``⟨a¦b¦c⟩`` is a choice by chance and ``{name}`` a slot: another
rule, or a part of the question.

Slots of a question: ``q`` the question; ``k`` the answer's letter, ``kt`` its text, ``kf`` what is
known of it; ``a``, ``b``, ``c`` three wrong options in random order (``at``, ``af`` and so on).

Run as ``python tests/data/reading/grammar.py`` to print the lines.
"""

import hashlib
import json
import random
import re
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SEED = 20240611
ASIDE_PER_MILLE = 330

NOTES = "ABCDEFG"
CHECKED = {"en": [("✅", "❌"), ("yes", "no"), ("✓", "✗"), ("**Yes**", "No"), ("correct", "wrong")]}
CHECKED["zh"] = [("√", "×"), ("✓", "✗"), ("正确", "错误"), ("对", "错"), ("✅", "❌")]
BOXES = [("[x]", "[ ]"), ("[X]", "[ ]"), ("☑", "☐"), ("- [x]", "- [ ]"), ("(x)", "( )")]
MARKS = {
    "en": [
        ("{o}: right.", "{o}: wrong.", " "),
        ("{o} ✓", "{o} ✗", "⟨, ¦  ¦\n⟩"),
        ("{o} is true", "{o} is false", "⟨, ¦; ⟩"),
        ("{o} - ⟨correct¦right⟩", "{o} - ⟨incorrect¦wrong⟩", "\n"),
        ("{o}. {ot} ✅", "{o}. {ot} ❌", "\n"),
        ("({o}) ⟨True¦Yes⟩", "({o}) ⟨False¦No⟩", "\n"),
    ],
    "zh": [
        ("{o}对", "{o}错", "，"),
        ("{o}√", "{o}×", "⟨ ¦，¦\n⟩"),
        ("{o}：正确", "{o}：错误", "⟨；¦\n⟩"),
        ("{o}项正确", "{o}项错误", "，"),
        ("{o}. {ot} ✅", "{o}. {ot} ❌", "\n"),
        ("{o}、{ot}（⟨对¦正确⟩）", "{o}、{ot}（⟨错¦不正确⟩）", "\n"),
    ],
}
EACH = {
    "en": [
        ("Option {o}: {ot} {of}.", " "),
        ("- {o}. {ot}: {it} {of}.", "\n"),
        ("{o}) {ot} {of}.", "\n"),
    ],
    "zh": [("选项{o}：{ot}{of}。", ""), ("{o}. {ot}：{of}。", "\n"), ("{o}项，{ot}{of}。", "")],
}
ON_OWN_LINES = ("-", "{o}.", "{o})")


def split_of(text: str) -> str:
    """The part a reply belongs to, from nothing but its text."""
    number = int(hashlib.sha256(text.encode()).hexdigest()[:8], 16)
    return "aside" if number % 1000 < ASIDE_PER_MILLE else "open"


def read_lines(name: str) -> list[dict[str, Any]]:
    """The JSON lines of a file beside this one."""
    text = (HERE / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


class Reply:
    """One filling of a template: a question, its options in random order, and chance.

    Parameters
    ----------
    rules
        The rules of the language, by name.
    item
        A line of ``items.jsonl``.
    other
        The question of another item, for models that go on to the next one.
    rng
        Source of chance.
    """

    def __init__(
        self, rules: dict[str, str], item: dict[str, Any], other: str, rng: random.Random
    ) -> None:
        self.rules, self.item, self.rng = rules, item, rng
        self.lang: str = item["lang"]
        self.options = list(item["facts"])
        rng.shuffle(self.options)
        self.letters = dict(zip(self.options, "ABCDEF", strict=False))
        wrong = [text for text in self.options if text != item["key"]]
        self.wrong = list(wrong)
        rng.shuffle(wrong)
        self.key: str = self.letters[item["key"]]
        notes = rng.sample(NOTES, 3)
        beyond = ord("A") + len(self.options) + rng.randrange(2)
        self.slots = {
            "q": item["question"],
            "q2": other,
            "kl": self.key.lower(),
            "kwide": chr(ord(self.key) + 0xFEE0),
            "kcirc": chr(ord(self.key) - ord("A") + 0x24B6),
            "n1": notes[0],
            "n2": notes[1],
            "n3": notes[2],
            "x": chr(beyond),
            "it": "he" if item["people"] else "it",
            "It": "He" if item["people"] else "It",
            "p": str(rng.choice([55, 60, 65, 70, 75, 80, 85, 90, 95])),
        }
        for slot, text in zip("kabc", [item["key"], *wrong], strict=False):
            self.slots |= {slot: self.letters[text], f"{slot}t": text}
            self.slots[f"{slot}f"] = item["facts"][text]

    def expand(self, text: str, **extra: str) -> str:
        """Make every choice in `text` and fill its slots; `extra` goes before other slots."""
        while choice := re.search(r"⟨([^⟨⟩]*)⟩", text):
            picked = self.rng.choice(choice[1].split("¦"))
            text = text[: choice.start()] + picked + text[choice.end() :]
        return re.sub(r"\{(\w+)\}", lambda slot: self.fill(slot[1], extra), text)

    def fill(self, name: str, extra: dict[str, str]) -> str:
        """What stands in one slot."""
        if name in extra:
            return extra[name]
        if name in self.rules:
            return self.expand(self.rules[name])
        if name in self.slots:
            return self.slots[name]
        method: str = getattr(self, f"slot_{name}")()
        return method

    def option(self, template: str, text: str) -> str:
        """`template` filled for one option: {o} its letter, {ot} its text, {of} what it is."""
        fact = self.item["facts"][text]
        return self.expand(template, o=self.letters[text], ot=text, of=fact)

    def discussed(self, names: list[str], right: bool) -> str:
        """Every wrong option, or every option, in the order of the letters."""
        name = self.rng.choice(names)
        template = self.rules[f"wrongs{name}"]
        own_lines = template.startswith(ON_OWN_LINES) or self.rng.random() < 0.3
        between = "\n" if own_lines else {"en": " ", "zh": ""}[self.lang]
        parts = []
        for text in self.options if right else self.wrong:
            is_key = text == self.item["key"]
            parts.append(self.option(self.rules[f"right{name}"] if is_key else template, text))
        written = between.join(parts)
        return re.sub("；$", "。", "\n" + written if own_lines else written)

    def slot_wrongs(self) -> str:
        """The wrong options, discussed in one manner."""
        return self.discussed([n[6:] for n in self.rules if n.startswith("wrongs")], False)

    def slot_all(self) -> str:
        """All options, discussed in one manner."""
        return self.discussed([n[5:] for n in self.rules if n.startswith("right")], True)

    def slot_each(self) -> str:
        """All options with a fact each and no verdict."""
        template, between = self.rng.choice(EACH[self.lang])
        return between.join(self.option(template, text) for text in self.options)

    def slot_names(self) -> str:
        """The letters of the wrong options as a list."""
        letters = [self.letters[text] for text in self.wrong]
        if self.lang == "zh":
            return self.rng.choice(["、", "，"]).join(letters)
        return f"{', '.join(letters[:-1])} and {letters[-1]}"

    def slot_list(self) -> str:
        """The options as a question shows them."""
        template = self.rng.choice(["{o}. {ot}", "({o}) {ot}", "{o}) {ot}"])
        lines = [self.option(template, text) for text in self.options]
        return self.rng.choice(["\n", "\n", "  "]).join(lines)

    def slot_rows3(self) -> str:
        """Rows of a table: letter, text, mark."""
        right, wrong = self.rng.choice(CHECKED[self.lang])
        marks = {text: right if text == self.item["key"] else wrong for text in self.options}
        return "\n".join(f"| {self.letters[t]} | {t} | {mark} |" for t, mark in marks.items())

    def slot_rowsf(self) -> str:
        """Rows of a table: letter with text, fact."""
        return "\n".join(
            f"| {self.letters[t]}. {t} | {self.item['facts'][t]} |" for t in self.options
        )

    def slot_boxes(self) -> str:
        """The options with a box before each, one of them ticked."""
        ticked, empty = self.rng.choice(BOXES)
        template = self.rng.choice(["{o}", "{o}. {ot}", "{o}) {ot}"])
        key = self.item["key"]
        lines = [
            f"{ticked if t == key else empty} {self.option(template, t)}" for t in self.options
        ]
        return "\n".join(lines)

    def slot_marks(self) -> str:
        """A verdict after every letter."""
        right, wrong, between = self.rng.choice(MARKS[self.lang])
        key = self.item["key"]
        parts = [self.option(right if t == key else wrong, t) for t in self.options]
        return self.expand(between).join(parts)


def fits(template: dict[str, Any], item: dict[str, Any]) -> bool:
    """Whether the mark of the template is sure to hold with this question."""
    if template["lang"] != item["lang"]:
        return False
    if not template["answered"] and not item["neutral"]:
        return False  # its facts tell which option is right
    return not (template["kind"] == "note-names" and item["pitches"])


def generate() -> list[dict[str, Any]]:
    """All generated lines.

    Returns
    -------
    list of dict
        Lines in the format of ``open.jsonl``.
    """
    rules = json.loads((HERE / "rules.json").read_text(encoding="utf-8"))
    items = read_lines("items.jsonl")
    made: dict[str, dict[str, Any]] = {}
    for number, template in enumerate(read_lines("templates.jsonl")):
        rng = random.Random(f"{SEED} {number}")
        usable = [item for item in items if fits(template, item)]
        wanted = len(made) + template["lines"]
        while len(made) < wanted:
            item = rng.choice(usable)
            other = rng.choice([i for i in items if i["lang"] == item["lang"] and i != item])
            reply = Reply(rules[item["lang"]], item, other["question"], rng)
            text = re.sub(r"\n{3,}", "\n\n", reply.expand(template["text"])).strip()
            made.setdefault(
                text,
                {
                    "set": "generated",
                    "kind": template["kind"],
                    "lang": template["lang"],
                    "text": text,
                    "options": reply.options,
                    "expect": reply.key if template["answered"] else None,
                    "split": "aside" if template["aside"] else split_of(text),
                },
            )
    return list(made.values())


if __name__ == "__main__":
    for line in generate():
        print(json.dumps(line, ensure_ascii=False))
