"""The words around a question: the prompts, and the example questions shown before it."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from zhiyin.errors import InputError
from zhiyin.prompts import Prompts, Template

PLACES = {
    "question": ("examples", "question", "options"),
    "example": ("question", "options", "letter"),
    "examples": ("examples",),
    "option": ("letter", "text"),
}
"""The templates and what each must hold. ``examples`` frames the finished examples; where there
are none, ``{examples}`` in ``question`` is nothing."""
EXAMPLES = "examples.json"


class Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An example question of ours, about no recording; options in the order of the data."""

    question: str
    options: tuple[str, str, str, str]


class Wording(msgspec.Struct, frozen=True):
    """The prompts: templates by name, and the example questions in the order of their use."""

    templates: dict[str, str]
    examples: tuple[Example, ...]

    def fill(self, name: str, **values: str) -> str:
        """A template with its places filled. What is filled in is not read again."""
        return Template(self.templates[name]).fill(values)

    def options(self, lettered: Mapping[str, str]) -> str:
        """A line for each option."""
        lines = (self.fill("option", letter=a, text=text) for a, text in lettered.items())
        return "\n".join(lines)


def open_wording(folder: str | None = None) -> Wording:
    """Our prompts, but for those that `folder` has.

    Parameters
    ----------
    folder : str or None
        Files ``question.txt``, ``example.txt``, ``examples.txt``, ``option.txt`` and
        ``examples.json`` replace ours.

    Raises
    ------
    InputError
        The folder or a file in it cannot be used (see `zhiyin.prompts.Prompts`), or
        ``examples.json`` is no list of questions.
    """
    prompts = Prompts("zhiyin.benchmarks.muchomusic", PLACES, folder=folder, others=(EXAMPLES,))
    texts = {name: prompts.texts[name] for name in PLACES}
    # The frame of the examples ends in a blank line, so that the question stands apart from it.
    texts["examples"] += "\n\n"
    try:
        examples = msgspec.json.decode(prompts.texts[EXAMPLES], type=tuple[Example, ...])
    except msgspec.MsgspecError as error:
        raise InputError(
            f"{prompts.paths[EXAMPLES]}: {error}: write a list of question and four options, the "
            "right one first"
        ) from None
    return Wording(texts, examples)
