"""How the released script asks: see github.com/yongyizang/AreYouReallyListening (MIT)."""

from __future__ import annotations

from zhiyin.contract.protocols import Protocol

RELEASED = Protocol(
    name="rul-released",
    summary="options on one line, thinking first, the letter in double brackets, four passes",
    source="yongyizang/AreYouReallyListening, ExampleAudioEval, commit d3971de",
    sets={
        "audio": ("true", "noise"),
        "distractors": "all",
        "passes": "leave-one-out",
        "prompts": None,
        "temperature": None,
        "top_p": None,
        "top_k": None,
        "max_tokens": None,
        "extract": "rul",
    },
    differs=(
        "its words are not repeated; ours stand in its layout",
        "its orders of the options are drawn without a seed; ours by --seed",
        "its noise lasts 10 s at full scale; ours is as long and as loud as the recording",
        "its majority over the passes is a table of its own; the first line is over single passes",
    ),
)
PROTOCOLS = (RELEASED,)
