"""Where its questions are published."""

from __future__ import annotations

from zhiyin.contract.published import DATA, File, Source

SOURCES = (
    Source(
        name=DATA,
        what="the 1,000 questions with reasoning and rubrics",
        home="https://github.com/ddlBoJack/MMAR",
        licence="CC BY-NC 4.0 by the authors' data page; the recordings come from videos of others",
        revision="3bce090a967db576c8ad433b290a8da582d6d2a0",
        base="https://raw.githubusercontent.com/ddlBoJack/MMAR/"
        "3bce090a967db576c8ad433b290a8da582d6d2a0",
        files=(
            File(
                "MMAR-meta.jsonl",
                sha256="1c9a343e7bebf1037482b935c54eacd43cc63df7b2c668724b5560caf1f84fad",
                size=2_700_936,
            ),
        ),
        by_hand=(
            "recordings: get them from huggingface.co/datasets/BoJack/MMAR, and lay them beside "
            "the questions: audio/ID.wav",
        ),
    ),
)
