"""How music-bench asks and reads."""

from __future__ import annotations

from zhiyin.contract.protocols import Protocol

MUSIC_BENCH = Protocol(
    name="music-bench",
    summary="the published question, 256 tokens, a reply that is a JSON object or nothing",
    source="jlebar/music-bench, commit d1af7c5",
    sets={
        "source": "published",
        "asking": "published",
        "language": "en",
        "prompts": None,
        "max_tokens": 256,
        "temperature": (None, 0.0),
        "extract": "music-bench",
    },
    differs=(
        "no JSON schema is sent; OpenAI's and Google's models were held to one, Anthropic's not",
        "temperature 0 went to Google's models alone; give --temperature 0 for those",
        "that nothing but the JSON is wanted is said in our own words",
    ),
)
PROTOCOLS = (MUSIC_BENCH,)
