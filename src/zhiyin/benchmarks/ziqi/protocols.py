"""How ZIQI-Eval's released code asks: see github.com/zcli-charlie/ZIQI-Eval."""

from __future__ import annotations

from zhiyin.contract.protocols import Protocol

RELEASED = Protocol(
    name="ziqi-released",
    summary="options on one line after the question, [[答案：]] and an explanation, 100 tokens",
    source="zcli-charlie/ZIQI-Eval, src/zero-shot-eval.py, commit aae53bd",
    sets={
        "language": "zh",
        "shots": "0",
        "shuffle": False,
        "rotations": "none",
        "clean": False,
        "prompts": None,
        "temperature": None,
        "top_p": None,
        "top_k": None,
        "max_tokens": 100,
        "extract": "first-letter",
    },
    differs=(
        "its program takes a letter out of a Python set, by chance where a reply has several; we "
        "read as its paper does",
        "its program gave the text to be continued, without the turns of a chat",
    ),
    released="a clone of zcli-charlie/ZIQI-Eval",
)
PROTOCOLS = (RELEASED,)
