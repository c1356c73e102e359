"""Language of a page: words in one language, texts of others marked."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

from zhiyin.shown.pages import with_names
from zhiyin.text import printable
from zhiyin.words import Said, Text, say
from zhiyin.words.findings import Warning

_SENTENCE = re.compile(r"[A-Za-z]{2} [A-Za-z]{2}")


class PageVoice:
    """The language that a page speaks.

    Parameters
    ----------
    language : {"en", "zh"}
    """

    def __init__(self, language: str) -> None:
        self.language = language

    def words(self, one: Warning | Text) -> str:
        """A message or a finding in words."""
        return with_names(one, self.language) if isinstance(one, Said) else say(one, self.language)

    def marked(self, text: Text) -> str | Markup:
        """Words of ours, or a text of others: marked as English where it is a sentence."""
        if isinstance(text, Said) or self.language == "en" or not _SENTENCE.search(text):
            return self.words(text)
        return Markup('<span lang="en">') + escape(printable(text)) + Markup("</span>")

    def noted(self, one: Warning) -> str | Markup:
        """A warning in words: where it is an English sentence of others, marked as such."""
        words = self.words(one)
        return self.marked(words) if words == one.text else words
