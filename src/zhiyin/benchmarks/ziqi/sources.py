"""Where its questions are published."""

from __future__ import annotations

from zhiyin.benchmarks.ziqi.data import HOME
from zhiyin.contract.published import DATA, File, Source

_CATEGORIES = (
    "chinese_music_history", "chinese_traditional_music", "composition_theory", "female_music",
    "music_aesthetics", "music_education", "music_generation", "music_performance",
    "popular_music", "western_music_history", "world_ethnic_music",
)  # fmt: skip
SOURCES = (
    Source(
        name=DATA,
        what="14,334 questions and five examples of each category",
        home=HOME,
        licence="CC BY-NC-SA 4.0",
        revision="fbe754f",
        hub="MYTH-Lab/ZIQI-Eval",
        files=tuple(
            File(f"{part}/{name}.csv", f"ZIQI-Eval/{part}/{name}.csv")
            for part in ("test", "dev")
            for name in _CATEGORIES
        ),
    ),
)
