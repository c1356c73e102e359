"""Makes trials of questions: their words, their examples, the order of their options.

The released prompt has no licence to be shipped, and is read from the user's clone.
Nothing of the clone is run. The one text is taken out of the syntax tree of
``src/zero-shot-eval.py`` in github.com/zcli-charlie/ZIQI-Eval: what the function ``make_prompt``
formats with the question and the four options.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import permutations
from pathlib import Path
from string import Formatter

from msgspec import structs

from zhiyin.errors import InputError, reworded
from zhiyin.plugins.benchmarks.ziqi.data import LETTERS, ZiqiCategory, ZiqiItem, ZiqiSheet
from zhiyin.plugins.benchmarks.ziqi.flaws import fold, is_order_bound
from zhiyin.prompts import LAYOUT, Language, Prompts, Template, lay_out, named_as
from zhiyin.trial import Message, Option, Tag, Text, Trial
from zhiyin.words import said

FILES = ("src/zero-shot-eval.py", "zero-shot-eval.py")
_PLACES = ("question", "a", "b", "c", "d")
_MEND = said("clone-of", repository="zcli-charlie/ZIQI-Eval")


def read_released(folder: str) -> tuple[str, Template]:
    """The released prompt.

    Parameters
    ----------
    folder : str
        The clone, or its folder ``src``.

    Returns
    -------
    text : str
        As it stands in the program.
    template : Template
        With places for ``question`` and ``a`` to ``d``.

    Raises
    ------
    InputError
        There is no such file, it is no Python, or it does not format one text with five values.
    """
    path = next((p for name in FILES if (p := Path(folder) / name).is_file()), None)
    if path is None:
        raise InputError(said("ziqi-released", folder=folder, files=FILES[0], mend=_MEND))
    try:
        with reworded(said("ziqi-unread", path=path, why="", mend=_MEND)):
            tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise InputError(said("ziqi-no-program", path=path, mend=_MEND)) from None
    prompts = [
        prompt
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef) and function.name == "make_prompt"
        for prompt in _formatted(function)
    ]
    if len(prompts) != 1:
        raise InputError(said("ziqi-no-prompt", path=path, mend=_MEND))
    return prompts[0]


def _formatted(function: ast.FunctionDef) -> list[tuple[str, Template]]:
    """The texts in a function that have five places to be filled in order."""
    texts = []
    for node in ast.walk(function):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            template = _template(node.value)
            if template.placeholders == set(_PLACES):
                texts.append((node.value, template))
    return texts


def _template(text: str) -> Template:
    """A text that ``str.format`` fills, its first empty places named; without any if it is none."""
    template, names = Template(), iter(_PLACES)
    try:
        for literal, place, form, convert in Formatter().parse(text):
            template.parts[-1] += literal
            if place is None:
                continue
            if place or form or convert:
                return Template()
            template.parts += [next(names, "too many"), ""]
    except ValueError:
        return Template()
    return template


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
        raise InputError(said("ziqi-two-prompts", folder=folder, released=released))
    prompts = Prompts(
        "zhiyin.plugins.benchmarks.ziqi", PLACES, language=language, folder=folder, pack=pack
    )
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


PUBLISHED_ORDER: tuple[int, ...] = (0, 1, 2, 3)
ORDERS = tuple(permutations(PUBLISHED_ORDER))


def shuffled_order(seed: int, trial_id: str) -> tuple[int, ...]:
    """Draw which published option stands first, second, third and fourth.

    One of the 24 orders, each as likely as any other, from the BLAKE2b hash of seed and id: it
    depends on nothing else, so leaving out or adding questions moves no option of the rest.
    """
    digest = blake2b(f"{seed}/{trial_id}".encode(), digest_size=8).digest()
    return ORDERS[int.from_bytes(digest, "big") % len(ORDERS)]


def count_rotations(item: ZiqiItem) -> int:
    """Count the rotations of options that `item` allows: all four, or none but the published."""
    return 1 if is_order_bound(item) else len(LETTERS)


class ZiqiTrialMaker:
    """Makes the trials of one category.

    Parameters
    ----------
    category : ZiqiCategory
    wording : Prompts
    language : {"zh", "en"}
        In which language the prompt names the category.
    shuffle_seed : int or None
        Seed of the options' order; None for the published order.
    shots : int
        How many examples stand before each question, 0 to 5.
    examples : ZiqiSheet or None
        Where they are taken from, in order; needed when `shots` is not 0.
    as_printed : bool
        Send the white space around questions and options too, as the released code does.

    Raises
    ------
    InputError
        There are fewer examples than `shots`.
    """

    def __init__(
        self,
        category: ZiqiCategory,
        wording: Prompts,
        language: Language,
        shuffle_seed: int | None = None,
        shots: int = 0,
        examples: ZiqiSheet | None = None,
        as_printed: bool = False,
    ) -> None:
        self._category = category
        self._as_printed = as_printed
        name = "continuation" if category.kind == "generation" else "question"
        named = category.zh if language == "zh" else category.en
        self._turn = turn(wording, name, named, LETTERS)
        self._seed = shuffle_seed
        self._shots = shots
        self._examples: dict[str, tuple[Message, Message]] = {}
        self._tags: dict[tuple[str, int], dict[str, Tag]] = {}
        self._groups: dict[str, tuple[str, ...]] = {}
        if shots and examples is not None:
            self._examples = {
                fold(item.question): self._example(item, wording.templates["answer"])
                for item in examples.items
            }
            if len(self._examples) < shots:
                raise InputError(said(
                    "ziqi-few-examples", path=examples.path, examples=len(self._examples),
                    shots=shots,
                ))  # fmt: skip
        self._opening = self._examples_but(None)

    def rotations(self, item: ZiqiItem) -> Iterator[Trial]:
        """`item` under each cyclic rotation of its options; once where their order is bound.

        The trials are of one item and one cluster, and tagged with `rotation` and `item`.
        """
        for rotation in range(count_rotations(item)):
            trial = self.make(item, rotation)
            name = trial.id
            yield structs.replace(
                trial,
                id=f"{name}/rotation={rotation}",
                cluster=name,
                tags={**trial.tags, "item": name, "rotation": rotation},
            )

    def make(self, item: ZiqiItem, rotation: int = 0) -> Trial:
        """The trial of `item`, its options turned on by `rotation` places.

        Trials of one subcategory share one dictionary of tags.
        """
        trial_id = f"{self._category.stem}/{item.id}"
        order = PUBLISHED_ORDER
        if self._seed is not None and not is_order_bound(item):
            order = shuffled_order(self._seed, trial_id)
        order = order[rotation:] + order[:rotation]
        texts = [text.strip() for text in item.options]
        options = tuple(
            Option(letter, texts[place], LETTERS[place])
            for letter, place in zip(LETTERS, order, strict=True)
        )
        question = item.question.strip()
        asked = (
            self._ask(item.question, item.options, order)
            if self._as_printed
            else self._ask(question, texts, order)
        )
        opening = self._opening
        if self._shots and (folded := fold(item.question)) in self._examples:
            opening = self._examples_but(folded)
        return Trial(
            id=trial_id, messages=(*opening, asked), stem=question, options=options,
            target=item.answer, groups=self._groups_of(item.subtheme),
            tags=self._tags_of(item.subtheme, len(opening) // 2), item=trial_id,
        )  # fmt: skip

    def is_example(self, item: ZiqiItem) -> bool:
        """Tell whether `item` is itself among the examples: it is then asked without that one."""
        return fold(item.question) in self._examples

    def _ask(self, question: str, texts: Sequence[str], order: tuple[int, ...]) -> Message:
        """The user's turn: the question and its options in an order."""
        values = {
            letter.lower(): texts[place] for letter, place in zip(LETTERS, order, strict=True)
        }
        return Message("user", (Text(self._turn.fill({"question": question, **values})),))

    def _example(self, item: ZiqiItem, answer: Template) -> tuple[Message, Message]:
        right = named_as(item.answer, item.options[LETTERS.index(item.answer)].strip())
        reply = Message("assistant", (Text(answer.fill({"letter": right})),))
        words = [item.question, *item.options]
        if not self._as_printed:
            words = [text.strip() for text in words]
        return self._ask(words[0], words[1:], PUBLISHED_ORDER), reply

    def _examples_but(self, folded: str | None) -> tuple[Message, ...]:
        """The first examples, passing over the one whose question is `folded`."""
        others = [turns for question, turns in self._examples.items() if question != folded]
        return tuple(turn for turns in others[: self._shots] for turn in turns)

    def _groups_of(self, subtheme: str) -> tuple[str, ...]:
        if subtheme not in self._groups:
            self._groups[subtheme] = self._category.groups(subtheme)
        return self._groups[subtheme]

    def _tags_of(self, subtheme: str, shots: int) -> dict[str, Tag]:
        if (subtheme, shots) not in self._tags:
            category = self._category
            self._tags[subtheme, shots] = {
                "kind": category.kind,
                "category": category.en,
                "category_zh": category.zh,
                "subcategory": category.subcategories.get(subtheme, subtheme),
                "subcategory_zh": subtheme,
                "shots": shots,
            }
        return self._tags[subtheme, shots]
