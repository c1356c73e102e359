"""Errata as a page that opens from disk: each with its rule and its witness."""

from __future__ import annotations

from typing import Any

from zhiyin import __version__
from zhiyin.plugins.making.errata.finding import Errata, ErratumLine
from zhiyin.plugins.making.errata.rules import all_rules
from zhiyin.shown.pages import Others, in_page, render
from zhiyin.words import Text

_SHOWN = {"question", "options", "key"}


def errata_page(errata: Errata, language: str = "en", others: Others = ()) -> str:
    """The page of a file of errata."""
    rules = all_rules()
    sections: list[tuple[str, Text, list[tuple[ErratumLine, Text, list[str]]]]] = []
    texts = errata.texts or [line.says for line in errata.lines]
    for name, n in errata.counts.items():
        says: Text = rules[name].says if name in rules else errata.head.rules[name].says
        lines = [
            (line, text, _proof(line.witness))
            for line, text in zip(errata.lines, texts, strict=True)
            if line.rule == name
        ]
        assert len(lines) == n
        sections.append((name, says, lines))
    flawed = errata.flawed()
    doubted = {line.item for line in errata.lines} - flawed.keys()
    facts = {"head": errata.head, "sections": sections, "version": __version__}
    counts = {"flawed": len(flawed), "doubted": len(doubted)}
    return render(
        "zhiyin.plugins.making.errata/errata.html",
        language,
        look=in_page(),
        others=others,
        **facts,
        **counts,
    )


def _proof(witness: dict[str, Any]) -> list[str]:
    """List what a witness holds beside question, options and key, a line each."""
    return [f"{name}: {_told(value)}" for name, value in witness.items() if name not in _SHOWN]


def _told(value: Any) -> str:
    if isinstance(value, dict):
        return "; ".join(f"{name}: {_told(each)}" for name, each in value.items())
    if isinstance(value, list):
        return " / ".join(map(_told, value))
    return str(value)
