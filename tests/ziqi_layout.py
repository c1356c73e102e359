"""Made-up questions in ZIQI-Eval's layout, as many as a test wants."""

import csv
import random
from pathlib import Path

CATEGORIES = [
    "chinese_music_history", "chinese_traditional_music", "composition_theory", "female_music",
    "music_aesthetics", "music_education", "music_generation", "music_performance",
    "popular_music", "western_music_history", "world_ethnic_music",
]  # fmt: skip
THEMES = {"world_ethnic_music": ["欧洲音乐", "黑人非洲音乐", "南美洲音乐"]}
"""Subthemes that figures are published for; any other category has one called "x"."""
COLUMNS = ["id", "question", "A", "B", "C", "D", "answer", "subtheme"]


def write_ziqi(data: Path, questions: int, examples: int = 5) -> Path:
    """Write `questions` test and `examples` dev items into each category's file."""
    draw = random.Random(3)
    for part, n in (("test", questions), ("dev", examples)):
        (data / part).mkdir(parents=True)
        for stem in CATEGORIES:
            with (data / part / f"{stem}.csv").open("w", encoding="utf-8", newline="") as file:
                writer = csv.writer(file)
                writer.writerow(COLUMNS)
                for i in range(n):
                    options = [f"{part} {stem} {i} {draw.random()}" for _ in range(4)]
                    theme = THEMES.get(stem, ["x"])
                    answer = draw.choice("ABCD")
                    row = [i, f"{part} {stem} {i}?", *options, answer, theme[i % len(theme)]]
                    writer.writerow(row)
    return data
