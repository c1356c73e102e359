"""The words around a question: which prompts there are, and how they make a user's turn."""

from __future__ import annotations

from zhiyin.benchmarks.ziqi.released import read_released
from zhiyin.errors import InputError
from zhiyin.prompts import LAYOUT, Language, Prompts, Template, lay_out

PLACES = {
    "question": ("question", "options", "category?"),
    "continuation": ("question", "options", "category?"),
    "option": ("letter", "text"),
    "options": LAYOUT,
    "answer": ("letter",),
}
"""The prompts and their places: a question, a continuation of a tune, an option, how options
stand, an example's answer."""


def open_wording(
    language: Language,
    folder: str | None = None,
    pack: str | None = None,
    released: str | None = None,
) -> Prompts:
    """The prompts of `language`: our own, but for those that `folder` has.

    Parameters
    ----------
    language : {"zh", "en"}
    folder : str or None
        Files named as ours (``question.zh.txt`` and so on) replace them.
    pack : str or None
        A pack of ours, for a protocol.
    released : str or None
        A clone of the published repository: its prompt, which is Chinese, is that of questions
        and of continuations.

    Raises
    ------
    InputError
        The folder or a file in it cannot be used: see `zhiyin.prompts.Prompts` and `released`;
        or both folders are given.
    """
    if folder and released:
        raise InputError(f"--prompts {folder} and --released {released}: give one of the two")
    prompts = Prompts("zhiyin.benchmarks.ziqi", PLACES, language=language, folder=folder, pack=pack)
    if released:
        text, template = read_released(released)
        for name in ("question", "continuation"):
            prompts.texts[name], prompts.templates[name] = text, template
    return prompts


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
        The letters of the options.
    """
    option = wording.templates["option"]
    lines = [option.put(letter=x, text=Template(f"{{{x.lower()}}}")) for x in letters]
    block = lay_out(wording.templates["options"], lines)
    return wording.templates[name].put(category=category, options=block)
