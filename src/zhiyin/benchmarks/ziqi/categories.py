"""What the files and subthemes of ZIQI-Eval are called, in English beside the Chinese."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

Kind = Literal["comprehension", "generation"]
KINDS: tuple[Kind, ...] = ("comprehension", "generation")

WORLD, EUROPEAN, ELSEWHERE = "world_ethnic_music", "欧洲音乐", "outside_europe"
"""The two sides of region bias (paper, section 5.3): European music, and all the rest."""
THEORY = "composition_theory"
"""Harmony, form and rudiments; the other files of questions ask what one knows."""


class Category(msgspec.Struct, frozen=True):
    """One file of the benchmark.

    `subcategories` maps the Chinese name in the column ``subtheme`` to the English one. A
    subtheme that is not there goes by its own text in both languages.
    """

    stem: str
    kind: Kind
    en: str
    zh: str
    subcategories: dict[str, str] = {}

    def groups(self, subtheme: str) -> tuple[str, ...]:
        """The names under which a question is counted, from the widest to the narrowest."""
        name = self.subcategories.get(subtheme, subtheme)
        groups: tuple[str, ...] = (self.kind, self.stem, f"{self.stem}/{slug(name)}")
        if self.stem == WORLD and subtheme != EUROPEAN:
            groups += (f"{self.stem}/{ELSEWHERE}",)
        return groups


def slug(name: str) -> str:
    """`name` in lower case with an underscore for whatever is neither letter nor digit."""
    return re.sub(r"\W+", "_", name.lower()).strip("_") or name


@cache
def published_categories() -> dict[str, Category]:
    """The eleven published files by stem: ten of comprehension, then generation."""
    text = (Path(__file__).parent / "categories.json").read_bytes()
    return {c.stem: c for c in msgspec.json.decode(text, type=list[Category])}


def category_of(stem: str) -> Category:
    """The category of the file called `stem`; one that is not published goes by its stem."""
    known = published_categories().get(stem)
    return known or Category(stem, "comprehension", stem.replace("_", " ").capitalize(), stem)
