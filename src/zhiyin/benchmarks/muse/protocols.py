"""How MUSE asks and generates."""

from __future__ import annotations

from zhiyin.contract.protocols import Protocol

_SOURCE = "brandoncarone/MUSE_music_benchmark, the runners of Gemini and Qwen, commit a9e4acd"
_SETS = {
    "source": "published",
    "mode": ("sysinst,cot", "sysinst", "cot"),
    "chat": "stateful",
    "keep": None,
    "examples": "standard",
    "group": ("A,B", "A", "B"),
    "order": ("1,2,3", "1", "2", "3"),
    "prompts": None,
    "temperature": 1.0,
    "top_p": 0.95,
    "top_k": 40,
    "max_tokens": 8192,
    "extract": "muse",
}
_DIFFERS = (
    "instructions and steps are in our own words, with the published answers letter for letter",
    "file names are never sent; the published worked steps of transposition name the files, and so "
    "the answer",
    "examples and the request to confirm are one turn where the published ones are several user "
    "turns in a row",
    "no random generator of the model is seeded with the order's number",
)
MUSE = Protocol(
    name="muse",
    summary="chats of ten trials that remember, three orders, temperature 1, top-p 0.95",
    source=_SOURCE,
    sets=_SETS,
    differs=_DIFFERS,
)
QWEN = Protocol(
    name="muse-qwen",
    summary="as muse, with the last four trials in the history: meter and progression matching",
    source=_SOURCE,
    sets={**_SETS, "keep": 4, "task": "chord_progression_matching,meter_identification"},
    differs=(
        *_DIFFERS,
        "the request to confirm stays in the history; the published runner keeps its reply alone",
        "no least number of new tokens is asked for",
    ),
)
AF3 = Protocol(
    name="muse-af3",
    summary="as muse, each trial alone and without examples, read as the runners of AF3 read",
    source="brandoncarone/MUSE_music_benchmark, the runners of Audio Flamingo 3, commit a9e4acd",
    sets={**_SETS, "chat": "fresh", "examples": "none", "extract": "muse-af3"},
    differs=(
        *_DIFFERS[:2],
        "the instruction is a system message; the published runner merges it with the question",
        "two recordings are two clips, or with --join-clips one with silence between; the "
        "published runner plays one file in which a voice announces each",
        "a reply that cannot be read is not asked for again with a bare question",
    ),
)
PROTOCOLS = (MUSE, QWEN, AF3)
