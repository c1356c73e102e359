"""The words around a question: the prompts, and the example questions shown before it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from zhiyin.benchmarks.muchomusic.released import read_released
from zhiyin.errors import InputError
from zhiyin.files import NOT_JSON, inside
from zhiyin.prompts import LAYOUT, LINES, Prompts, Template, lay_out
from zhiyin.sound import audio_part

PLACES = {
    "question": ("examples", "question", "options"),
    "example": ("question", "options", "letter"),
    "examples": ("examples",),
    "option": ("letter", "text"),
    "options": LAYOUT,
}
"""The templates and what each must hold. ``examples`` frames the finished examples; where there
are none, ``{examples}`` in ``question`` is nothing. ``options`` says how options stand."""
EXAMPLES = "examples.json"


class Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An example question; options in the order of the data.

    `audio` is its recording, a path in the folder of the prompts; ours have none.
    """

    question: str
    options: tuple[str, str, str, str]
    audio: str = ""


class Wording(msgspec.Struct, frozen=True, omit_defaults=True):
    """The prompts: templates by name, and the example questions in the order of their use.

    `released` are examples that are finished texts, in place of `examples`. `sounds` are the
    SHA-256 of the examples' recordings, where they have some. A layout with a
    line for each option is not among the templates: a run has the hash that it had before
    there were others.
    """

    templates: dict[str, str]
    examples: tuple[Example, ...]
    released: tuple[str, ...] = ()
    sounds: tuple[str, ...] = ()

    def fill(self, name: str, **values: str) -> str:
        """A template with its places filled. What is filled in is not read again."""
        return Template(self.templates[name]).fill(values)

    def options(self, lettered: Mapping[str, str]) -> str:
        """The options, laid out."""
        lines = [self.fill("option", letter=a, text=text) for a, text in lettered.items()]
        return lay_out(Template(self.templates.get("options", LINES)), lines).fill({})


def open_wording(
    folder: str | None = None, pack: str | None = None, released: str | None = None
) -> Wording:
    """Our prompts, but for those that `folder` has.

    Parameters
    ----------
    folder : str or None
        Files ``question.txt``, ``example.txt``, ``examples.txt``, ``option.txt``,
        ``options.txt`` and ``examples.json`` replace ours.
    pack : str or None
        A pack of ours, for a protocol.
    released : str or None
        A clone of the published repository, for its worked example.

    Raises
    ------
    InputError
        The folder or a file in it cannot be used (see `zhiyin.prompts.Prompts` and `released`),
        ``examples.json`` is no list of questions, or both folders are given.
    """
    if folder and released:
        raise InputError(f"--prompts {folder} and --released {released}: give one of the two")
    prompts = Prompts(
        "zhiyin.benchmarks.muchomusic", PLACES, folder=folder, pack=pack, others=(EXAMPLES,)
    )
    texts = {name: prompts.texts[name] for name in PLACES}
    if texts["options"] == LINES:
        del texts["options"]
    # The frame of the examples ends in a blank line, so that the question stands apart from it,
    # unless it says itself what stands between them.
    if not texts["examples"][-1].isspace():
        texts["examples"] += "\n\n"
    try:
        examples = msgspec.json.decode(prompts.texts[EXAMPLES], type=tuple[Example, ...])
    except NOT_JSON as error:
        raise InputError(
            f"{prompts.paths[EXAMPLES]}: {error}: write a list of question and four options, the "
            "right one first"
        ) from None
    sounds = tuple(
        audio_part(recording_of(folder, example)).sha256 for example in examples if example.audio
    )
    return Wording(texts, examples, read_released(released) if released else (), sounds)


def recording_of(folder: str | None, example: Example) -> Path:
    """The file of an example's recording. Raises `InputError` where it is not there."""
    root = Path(folder or ".")
    path = inside(root, example.audio)
    if not path.is_file():
        raise InputError(f"{root / EXAMPLES}: {example.audio!r} is not there: mend its path")
    return path
