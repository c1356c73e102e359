"""Why replies were read as they were: the clauses that a log keeps, as messages.

A log keeps them in English, for it is read by other programs too. Here alone they are looked at.
"""

from __future__ import annotations

from zhiyin.words import Text, said

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
    "all words of one option alone": "all-words",
    "words of another option stand there too": "other-words",
    "not all words of any option stand there": "not-all-words",
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
}
"""What stands before the words of a reply, or before another reason."""
_FURTHER = ", before a further question"


def reason(text: str) -> Text:
    """A log's reason as a message; as it is where it is in other words."""
    if text in ALONE:
        return said("reading-why", why=ALONE[text], what="")
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
