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

FILES = ("src/zero-shot-eval.py", "zero-shot-eval.py")
_PLACES = ("question", "a", "b", "c", "d")
_MEND = "give the folder of a clone of zcli-charlie/ZIQI-Eval"


def read_released(folder: str) -> str:
    """The released prompt, with ``{question}`` and ``{a}`` to ``{d}`` where these are put.

    Parameters
    ----------
    folder : str
        The clone, or its folder ``src``.

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
    found = [
        text
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef) and function.name == "make_prompt"
        for text in _formatted(function)
    ]
    if len(found) != 1:
        raise InputError(f"{path}: no one prompt with five places in make_prompt: {_MEND}")
    return found[0]


def _formatted(function: ast.FunctionDef) -> list[str]:
    """The texts in a function that have five places to be filled in order, with ours in them."""
    found = []
    for node in ast.walk(function):
        if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
            continue
        try:
            parts = list(Formatter().parse(node.value))
        except ValueError:
            continue
        if [part[1] for part in parts if part[1] is not None] == [""] * len(_PLACES):
            names = iter(_PLACES)
            found.append(
                "".join(
                    said + (f"{{{next(names)}}}" if place is not None else "")
                    for said, place, _, _ in parts
                )
            )
    return found
