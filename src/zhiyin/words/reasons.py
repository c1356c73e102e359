"""Reasons why replies were read as they were: the clauses that a log keeps, as messages.

A log keeps them in English, for it is read by other programs too. Here alone they are looked at.
"""

from __future__ import annotations

import re
import shlex
from functools import cache

from fluent.syntax import ast

from zhiyin.words import Said, Text, said
from zhiyin.words.messages import words_in

_KEPT = "log-"
"""What the names of messages begin with that are kept in English, with facts and no choices."""

ALONE = {
    "the letter alone": "letter",
    "empty reply": "empty",
    "nothing said outside the reasoning": "reasoning",
    "no option named": "unnamed",
    "no option is said to fit": "fits-none",
    "an option is named where the reply declines": "declines",
    "ambiguous: one option in one case, another in the other": "cases",
    "ambiguous: it depends": "depends",
    "ambiguous: several options equally likely": "equally",
    "ambiguous: several options on lines of their own": "lines",
    "ambiguous: several options said to be right": "several-right",
    "ambiguous: several options held possible": "several-possible",
    "ambiguous: several options named": "several-named",
    "ambiguous: several options named, none declared": "none-declared",
    "ambiguous: several options listed, none declared": "listed",
    "cut off before an answer": "cut-off",
    "a draft, and no answer": "draft",
    "a letter or text that is no single option": "no-single",
    "options rejected, none declared": "rejected",
    "an option is discussed, none declared": "discussed",
    "the words of one option and of no other": "words",
    "the only option named": "only",
    "the only one left of those declared": "left",
    "concluded: the option that the sentence comes to": "sentence",
    "the one that is wrong, and all others are right": "wrong",
    "the one marked as right": "marked",
    "first of a ranking": "ranking",
    "full text of one option": "full-text",
    "letter and text": "letter-text",
    "a letter and a text of different options": "different",
    "ambiguous: two answers stand side by side": "side-by-side",
    "ambiguous: several options named together": "together",
    "a lone letter": "lone",
    "whole reply is one option's letter": "whole",
    "no upper-case A to D": "no-capital",
    "no A to D set apart": "none-apart",
    "no words": "no-words",
    "no option": "no-option",
    "all words of one option alone": "all-words",
    "words of another option stand there too": "other-words",
    "not all words of any option stand there": "not-all-words",
    # Of published rules.
    "first A to D set apart, in either case": "either-case",
    "first upper-case A to D": "first-capital",
    "letter glued to a word for option": "glued",
    "the last capital of the reply": "last-capital",
    "the last capital is no option's": "last-foreign",
    "no capital": "capital-none",
    "neither a letter nor a text in the forms looked for": "no-form",
    'no letter behind "answer is"': "none-behind",
    'the letter behind "answer is"': "behind",
    "behind the last ANSWER: stands more than one letter": "marker-several",
    "no ANSWER: with a letter": "marker-none",
    "the last ANSWER: with a label": "marker",
    "the last ANSWER: with a label has several": "label-several",
    "the last 答案： with a label": "marker-zh",
    "the last 答案： with a label has several": "label-several-zh",
    "neither the first character nor the last but one is A to D": "no-ends",
    "the first character": "first-sign",
    "the last character but one": "last-but-one",
    "a capital in parentheses": "bracketed",
    "the first letter in parentheses": "bracketed-first",
    "an option's text": "an-option",
    "a text that no option has": "no-option-text",
    "a letter behind a colon": "colon",
    "a letter in the short form": "short-form",
    "the last a to d set apart": "last-apart",
    "no such option, so answered and wrong": "no-such",
    "no options": "no-options",
    "the first letter before a parenthesis": "before-bracket",
    "the first letter behind a parenthesis": "behind-bracket",
    "the first letter behind a word for it": "behind-word",
    "the last letter in parentheses": "bracketed-last",
    "a letter before a blank or a full stop": "before-stop",
    "the option whose text stands last": "stands-last",
    "the first letter after ANSWER:": "after-marker",
    "the letter within <Conclusion>": "in-conclusion",
    "the letter at the end": "at-end",
    "no letter within <Conclusion> or at the end": "no-conclusion",
    "the whole reply": "whole-reply",
    "no letter in the forms looked for": "no-letter-form",
    "first option whose text is contained": "first-contained",
    "the only option whose text is contained": "only-contained",
    "no option's text is contained, or several": "not-one-contained",
    "several capitals among A to D": "several-capitals",
    "no capital, no text": "no-capital-text",
    "the only capital among A to D": "only-capital",
    "several options given": "several-given",
    "no option given": "none-given",
    "the only option given": "only-given",
    "no letter and no option's text": "neither",
    "A, which it takes for any reply that it cannot read": "takes-a",
    "the first letter that stands as an option anywhere": "stands-as",
    "the last letter after words of choosing": "after-choosing",
    "the last letter in double brackets": "double-brackets",
    "equal to an option": "equal",
    "left to an embedding": "embedding",
    "the published answer that ends last": "ends-last",
    "the published answer without its full stop": "no-stop",
    "the letter of an option": "option-letter",
    "the words of an option": "option-words",
    "a number that no option has": "no-number",
}
BEFORE = {
    "no option in ": "none-in",
    "declared: ": "declared",
    "held possible: ": "possible",
    "the likeliest: ": "likeliest",
    "concluded: ": "concluded",
    "corrected: ": "corrected",
    "instead: ": "instead",
    "said of it: ": "said-of-it",
    "asked once more: ": "asked-again",
    "last line: ": "last-line",
    "Final Answer: ": "final-answer",
}
"""What stands before the words of a reply, or before another reason."""
_FURTHER = ", before a further question"
_UNSUPPORTED = "unsupported: "
"""What `UnsupportedError` begins with."""
_QUOTED, _LISTED = "quoted_", "listed_"
_WORD = r"""(?:[^\s'"`]|'[^']*'|"[^"]*")+"""
"""A word of a shell."""


@cache
def _kept() -> list[tuple[str, re.Pattern[str]]]:
    """Messages that a log or JSON keeps in English, as what their English words match."""
    words = words_in("en")
    forms = {
        name: "".join(map(_form, words.pattern(name).elements))
        for name in words.names
        if name.startswith(_KEPT)
    }
    exact = sorted(forms, key=lambda name: (-len(forms[name]), name))
    return [(name, re.compile(forms[name])) for name in exact]


def _form(part: ast.TextElement | ast.Placeable) -> str:
    if isinstance(part, ast.TextElement):
        return re.escape(part.value)
    if isinstance(part.expression, ast.FunctionReference):
        (held,) = part.expression.arguments.positional
        assert isinstance(held, ast.VariableReference)
        if part.expression.id.name == "NAMES":
            return f"(?P<{_LISTED}{held.id.name}>.+)"
        return f"(?P<{_QUOTED}{held.id.name}>{_WORD})"
    assert isinstance(part.expression, ast.VariableReference)
    return f"(?P<{part.expression.id.name}>.+)"


def _fact(name: str, text: str) -> tuple[str, Text | list[str]]:
    """A fact of a message as it was read from its words, without a shell's quotes."""
    if name.startswith(_LISTED):
        return name.removeprefix(_LISTED), text.split(", ")
    if name.startswith(_QUOTED):
        return name.removeprefix(_QUOTED), "".join(shlex.split(text))
    return name, reason(text)


def is_spent(why: str) -> bool:
    """Tell whether a run ended since its budget is spent: the same command alone asks no more."""
    return "--budget" in why


def reason(text: str) -> Text:
    """A log's reason as a message; as it is where it is in other words."""
    if text in ALONE:
        return said("reading-why", why=ALONE[text], what="")
    for name, form in [] if text.startswith((*BEFORE,)) else _kept():
        if found := form.fullmatch(text):
            return Said(name, dict(_fact(*pair) for pair in found.groupdict().items()))
    if text.startswith(_UNSUPPORTED):
        return said("unsupported", why=reason(text.removeprefix(_UNSUPPORTED)))
    first, several, rest = text.partition("; ")
    if several:
        return said("causes", each=[reason(first), reason(rest)])
    if text.endswith(_FURTHER):
        inner = reason(text.removesuffix(_FURTHER))
        return said("reading-why", why="before-another", what=inner)
    for start, why in BEFORE.items():
        if text.startswith(start):
            return said("reading-why", why=why, what=reason(text.removeprefix(start)))
    return text


@cache
def _choices(message: str) -> dict[str, str]:
    """The choices of a message by their English words."""
    (part,) = words_in("en").pattern(message).elements
    assert isinstance(part, ast.Placeable)
    assert isinstance(part.expression, ast.SelectExpression)
    keys = [one.key.name for one in part.expression.variants if isinstance(one.key, ast.Identifier)]
    return {words_in("en").say(message, {"name": key}): key for key in keys if key != "other"}


def as_said(message: str, text: str) -> Said:
    """The choice of a message that has these words in English; else the words as they are."""
    return Said(message, {"name": _choices(message).get(text, text)})


def heading(text: Text) -> Text:
    """A heading as a message, where it is written in English; as it is where it is somebody's."""
    return as_said("head", text) if isinstance(text, str) else text
