"""The released prompt of ZIQI-Eval, read from the user's clone: it has no licence to be shipped.

Nothing of the clone is run. The one text is taken out of the syntax tree of
``src/zero-shot-eval.py`` in github.com/zcli-charlie/ZIQI-Eval: what the function ``make_prompt``
formats with the question and the four options.
"""

from __future__ import annotations

import ast
from pathlib import Path
from string import Formatter

from zhiyin.errors import InputError
from zhiyin.prompts import Template

FILES = ("src/zero-shot-eval.py", "zero-shot-eval.py")
_PLACES = ("question", "a", "b", "c", "d")
_MEND = "give the folder of a clone of zcli-charlie/ZIQI-Eval"


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
        raise InputError(f"--released {folder}: no {FILES[0]} in it: {_MEND}")
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise InputError(f"{path}: not the released program: {_MEND}") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}): {_MEND}") from None
    prompts = [
        prompt
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef) and function.name == "make_prompt"
        for prompt in _formatted(function)
    ]
    if len(prompts) != 1:
        raise InputError(f"{path}: no one prompt with five places in make_prompt: {_MEND}")
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
