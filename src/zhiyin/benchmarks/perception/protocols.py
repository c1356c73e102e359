"""How MUSE generates and reads; the perception study builds on it and prints no decoding."""

from __future__ import annotations

from zhiyin.contract.protocols import Protocol

MUSE = Protocol(
    name="muse",
    summary="the published recordings, temperature 1, top-p 0.95, top-k 40, 8,192 tokens",
    source=(
        "decoding: brandoncarone/MUSE_music_benchmark, the runners, commit a9e4acd; all else: "
        "Carone, Roman and Ripollés, sections 2.2 to 2.5, S1 and S2"
    ),
    sets={
        "source": "muse",
        "prompts": None,
        "temperature": 1.0,
        "top_p": 0.95,
        "top_k": 40,
        "max_tokens": 8192,
        "sampling_seed": (1, 2, 3),
        "extract": "final-line",
    },
    differs=(
        "instructions are our own words, with every fact and the example lines of S2",
        "sounds go by neutral identifiers, not by file names, which hold the answer",
        "each trial stands alone, as in the study; MUSE's own runs are chats of ten trials",
    ),
)
PROTOCOLS = (MUSE,)
