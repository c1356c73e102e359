"""The marked replies, the explainers, and the options that tests of the reader show."""

from __future__ import annotations

import json
import re
import string
from pathlib import Path
from typing import Any

from zhiyin.trial import Option

HERE = Path(__file__).parent / "data" / "reading"
KEYS = [
    ["贝多芬", "莫扎特", "巴赫", "德彪西"],
    ["Major", "Minor", "Dominant", "Diminished"],
    ["A minor", "C major", "G major", "D minor"],
    ["1824年", "1803年", "1827年", "1770年"],
    ["以弹拨乐器为主的合奏", "以吹打为主的民间乐种", "一种说唱音乐", "一种戏曲声腔"],
    ["Piano", "Violin", "Guitar", "Drums"],
    ["G B D F", "C E G B", "D F A C", "F A C E"],
    ["c B A G|F E D C|]", "^F ^G ^A ^c|^d4|]", "[M:7/8] _e/_d/_c/_B/ z2|", "F,,4|F,,4|F,,4|"],
]
"""Options of the kinds that ZIQI has: names, chords, keys, years, phrases, notes, ABC."""


def shown(options: int | list[str]) -> list[Option]:
    """Options as a policy takes them, of their texts or of their number."""
    texts = [""] * options if isinstance(options, int) else options
    return [Option(a, text, a) for a, text in zip(string.ascii_uppercase, texts, strict=False)]


def lines(path: Path) -> list[dict[str, Any]]:
    """The JSON objects of a file with one a line."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def explainers(split: str) -> list[str]:
    """Templates of a model that is always right and says why."""
    return [e["template"] for e in lines(HERE / "explainers.jsonl") if e["split"] == split]


def explain(template: str, options: list[Option], key: str) -> str:
    """What the explainer says where the option lettered `key` is right."""
    right = next(option for option in options if option.letter == key)
    slots = {"key": right.letter, "key_text": right.text}
    for number, option in enumerate((o for o in options if o.letter != key), 1):
        slots |= {f"wrong{number}": option.letter, f"wrong{number}_text": option.text}
    return re.sub(r"\{(\w+)\}", lambda slot: slots.get(slot[1], slot[0]), template)
