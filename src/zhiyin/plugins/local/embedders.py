"""Models that give the meaning of texts as vectors: sentence-transformers, or a function."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from zhiyin.errors import InputError, imported
from zhiyin.models.function import load_object

Encoder = Callable[[list[str]], Any]
"""From n texts to their vectors, shape (n, d)."""
_PYTHON = "python:"


@cache
def open_embedder(spec: str) -> Encoder:
    """The embedder that a spec names; its weights are loaded when it is opened.

    Parameters
    ----------
    spec : str
        A model of sentence-transformers (a name of the hub, or a folder), or
        ``python:FILE.py:FUNCTION``, a function from n texts to n vectors.

    Raises
    ------
    InputError
        The package is missing, or there is no such model or function.
    """
    if spec.startswith(_PYTHON):
        function = load_object(spec.removeprefix(_PYTHON))
        if not callable(function):
            raise InputError(f"{spec}: no function: write one from a list of texts to vectors")
        encode: Encoder = function
        return encode
    package = imported("sentence_transformers", "sentence-transformers", "judges")
    try:
        model = package.SentenceTransformer(spec)
    except (OSError, ValueError) as error:
        line = " ".join(str(error).split())[:200]
        raise InputError(f"embedder {spec!r}: cannot be loaded ({line}): name another") from None
    return lambda texts: model.encode(texts, normalize_embeddings=True)
