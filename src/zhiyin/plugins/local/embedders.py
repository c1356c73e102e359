"""Models that give the meaning of texts as vectors: sentence-transformers, or a function.

The option whose meaning is nearest to a reply, by a model that gives texts as vectors.

There is always one: an empty reply, a refusal and noise are read as a choice, and "not the violin"
lies near the violin. So it is read only to explain figures that were had so.
Source: Kumar et al. 2025 (arXiv:2508.13992), by their scoring script (lines 413-442 at commit
960e93a), where the model is NV-Embed-v2 without an instruction.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Any

from zhiyin.errors import InputError, imported
from zhiyin.models.function import load_object
from zhiyin.reader.policy import Policy, Reading
from zhiyin.trial import Option
from zhiyin.words import said

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
            raise InputError(said("local-function", spec=spec))
        encode: Encoder = function
        return encode
    package = imported("sentence_transformers", "sentence-transformers", "judges")
    try:
        model = package.SentenceTransformer(spec)
    except (OSError, ValueError) as error:
        line = " ".join(str(error).split())[:200]
        raise InputError(said("local-embedder", spec=repr(spec), line=line)) from None
    return lambda texts: model.encode(texts, normalize_embeddings=True)


NEAREST = "nearest:"
"""What stands before the name of the model in the name of such a policy."""
_KEPT = 2**16  # vectors: replies and options come again in tables and when scored again


def nearest(spec: str) -> Policy:
    """The policy ``nearest:SPEC``, by the model of the user's that `open_embedder` opens."""
    if not spec:
        raise InputError(said("local-which", nearest=NEAREST))
    return nearest_policy(spec, open_embedder(spec))


def nearest_policy(spec: str, encode: Callable[[list[str]], Any]) -> Policy:
    """The policy ``nearest:SPEC``.

    Parameters
    ----------
    spec : str
        How the model is called.
    encode : callable
        From n texts to their vectors, shape (n, d); pure.

    Returns
    -------
    Policy
        Of equally near options the first in the order of the data is read, as published.
    """

    @lru_cache(maxsize=_KEPT)
    def direction(text: str) -> Any:
        import numpy as np

        vectors = np.asarray(encode([text]), dtype=float)
        if vectors.ndim != 2 or len(vectors) != 1 or not np.isfinite(vectors).all():
            raise InputError(said("local-vector", nearest=NEAREST, spec=spec))
        length = float(np.linalg.norm(vectors[0]))
        return vectors[0] / length if length else vectors[0]

    def extract(text: str, options: Sequence[Option]) -> Reading:
        reply = direction(text)
        near = {
            option.letter: float(reply @ direction(option.text))
            for option in sorted(options, key=lambda option: option.key)
        }
        if not near:
            return Reading(None, "no options")
        letter = max(near, key=near.__getitem__)  # the first of equal ones
        how = "nothing was said, and it is nearest to nothing" if not text.strip() else "nearest"
        return Reading(letter, f"{how} by {spec}")

    summary = "the option nearest in meaning by a model of yours; always one"
    return Policy(f"{NEAREST}{spec}", 1, summary, extract)
