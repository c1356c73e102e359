"""How MuChoMusic's released code asks: see github.com/mulab-mir/muchomusic (MIT)."""

from __future__ import annotations

from zhiyin.contract.protocols import Protocol

RELEASED = Protocol(
    name="muchomusic-released",
    summary="options on one line, one text example, each model's own sampling, three runs",
    source=(
        "mulab-mir/muchomusic, prepare_prompts.py and muchomusic_eval/, commit 51d5160; sampling "
        "and runs by section 4.2 of the paper"
    ),
    sets={
        "audio": "true",
        "distractors": "all",
        "repeats": 3,
        "rotations": "none",
        "shots": "1",
        "clip": "all",
        "swap_from": "all",
        "prompts": None,
        "temperature": None,
        "top_p": None,
        "top_k": None,
        "max_tokens": None,
        "extract": "muchomusic-code",
    },
    differs=(
        "its orders of the options are drawn without a seed; ours by --seed",
        "where each model's own wrapper puts the sound and cuts it is not released",
        "white space around questions and options is not sent",
    ),
    released="a clone of mulab-mir/muchomusic",
)
PROTOCOLS = (RELEASED,)
