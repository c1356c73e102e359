"""Glossary of short heads and words of the trade: a key under a table on a terminal, a list on a
page.

A term is known by how heads of tables write it, in either language, and is explained only where one
of them does; some are words of sentences, and are explained where a page has them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from zhiyin.words import Said, said, say

if TYPE_CHECKING:
    from markupsafe import Markup


_WRITTEN = {
    "n": r"n",
    "answered": r"ans\.|answered\b.*|可读(回答.*)?",
    "accuracy": r"(.+ )?acc\.(, %)?|accuracy\b.*|正确率.*",
    "right": r"right, %",
    "interval": r"95 % (int\.|interval)|95 % 区间",
    "precision": r"(.+ )?prec\.|precision\b.*|精确率.*",
    "F1": r"(.+ )?F1(, %|，%)?",
    "IFR": r"(.+ )?IFR|(.+ )?可读率",
    "chance": r"chance(, %)?|随机(，%)?",
    "recall": r"recall(, %)?|召回率.*",
    "MDE": r"MDE|detectable|可检出",
    "p": r"p(, adjusted)?|校正后 p",
    "SD": r"SD",
    "SE": r"SE",
    "kappa": r"(.+ )?(κ|kappa)",
    "alpha": r"(.+ )?(α|alpha)",
    "floor": r"floor|随机水平",
    "body": r"body|bodies|形式",
    "RStd": r"(.+ )?RStd",
}


_TERMS = {name: re.compile(written, re.IGNORECASE) for name, written in _WRITTEN.items()}


_IN_TEXT = {
    "RStd": ("RStd",),
    "Holm": ("Holm",),
    "flips": ("whole clusters", "整个聚类", "整簇"),
    "canary": ("canary", "探测题", "探测未通过"),
    "policy": ("robust@",),
}
"""Words of sentences, by what a page holds where it says them."""


SHORT = {
    "answered": "ans.", "accuracy": "acc.", "precision": "prec.", "IFR": "IFR", "MDE": "MDE"
}  # fmt: skip
"""What a terminal writes for some terms, and explains below a table."""
_CHINESE = {"precision": "精确率", "IFR": "可读率"}
"""What it explains in Chinese: words that stand beside 正确率 and mean something else."""


_HEAD = '<th scope="col"'


_TAG = re.compile(r"<[^<>]*+>")


def terms_in(heads: Iterable[str]) -> list[str]:
    """The terms that heads of tables write, in the order of the glossary."""
    heads = {" ".join(head.split()) for head in heads}
    return [name for name, term in _TERMS.items() if any(map(term.fullmatch, heads))]


def shortened_in(heads: Iterable[str]) -> list[str]:
    """The terms that heads write in short, or in Chinese like another one."""
    words = {word for head in heads for word in head.split()}
    return [name for name, short in SHORT.items() if {short, _CHINESE.get(name)} & words]


def key_of(terms: Iterable[str]) -> Said:
    """A line that says in a few words what some of the terms in `SHORT` mean."""
    return said("glossary-key", terms=[said("term-brief", name=name) for name in terms])


def glossary_of(page: str, language: str = "en") -> Markup:
    """The terms that a page, or a part of one, has in heads of tables and sentences, folded away.

    Parameters
    ----------
    page : str
        HTML.
    language : {"en", "zh"}

    Returns
    -------
    Markup
        Empty where there are none.
    """
    from markupsafe import Markup

    from zhiyin.shown.pages import macro

    heads = (part.partition(">")[2].partition("</th>")[0] for part in page.split(_HEAD)[1:])
    pieces = (piece for head in heads for piece in _TAG.split(head))
    found = dict.fromkeys(terms_in(piece.replace("&nbsp;", " ") for piece in pieces))
    found |= {name: None for name, own in _IN_TEXT.items() if any(one in page for one in own)}
    terms = [
        (say(said("term", name=name), language), say(said("term-meaning", name=name), language))
        for name in found
    ]
    if not terms:
        return Markup("")
    return macro("folded_glossary", language)(say(said("glossary-title"), language), terms)
