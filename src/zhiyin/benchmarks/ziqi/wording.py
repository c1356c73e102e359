"""The words around a question: which prompts there are, and how they make a user's turn."""

from __future__ import annotations

from zhiyin.prompts import Language, Prompts, Template

PLACES = {
    "question": ("question", "options", "category?"),
    "continuation": ("question", "options", "category?"),
    "option": ("letter", "text"),
    "answer": ("letter",),
}
"""The prompts and their places: a question, a continuation of a tune, an option, an example's
answer."""


def open_wording(language: Language, folder: str | None = None) -> Prompts:
    """The prompts of `language`: our own, but for those that `folder` has.

    Parameters
    ----------
    language : {"zh", "en"}
    folder : str or None
        Files named as ours (``question.zh.txt`` and so on) replace them.

    Raises
    ------
    InputError
        The folder or a file in it cannot be used: see `zhiyin.prompts.Prompts`.
    """
    return Prompts("zhiyin.benchmarks.ziqi", PLACES, language=language, folder=folder)


def turn(wording: Prompts, name: str, category: str, letters: str) -> Template:
    """The user's turn: what remains is ``{question}`` and a place per letter (``{a}``...).

    Parameters
    ----------
    wording : Prompts
        See `open_wording`.
    name : str
        "question" or "continuation".
    category : str
        The name for ``{category}``.
    letters : str
        The letters of the options, one line each.
    """
    option = wording.templates["option"]
    lines = [option.put(letter=x, text=Template(f"{{{x.lower()}}}")) for x in letters]
    rows = Template("\n".join(f"{{{x}}}" for x in letters.lower()))
    block = rows.put(**dict(zip(letters.lower(), lines, strict=True)))
    return wording.templates[name].put(category=category, options=block)
