"""Where its questions are published."""

from __future__ import annotations

from zhiyin.contract.published import DATA, File, Source

SOURCES = (
    Source(
        name=DATA,
        what="the 1,000 questions of test-mini",
        home="https://github.com/Sakshi113/MMAU",
        licence="Apache-2.0; the recordings have terms of their own",
        revision="110127f54c0dfba3faa5ec9feee4a7e4148679c5",
        base="https://raw.githubusercontent.com/Sakshi113/MMAU/"
        "110127f54c0dfba3faa5ec9feee4a7e4148679c5",
        files=(
            File(
                "mmau-test-mini.json",
                sha256="9f18fda99f8dbc2bc5ecd6323fb5063309f54969810b5c6f1caeb3b8d904cf1c",
                size=590_823,
            ),
        ),
        by_hand=(
            "recordings: get test-mini-audios from the authors' page, and lay it beside the "
            "questions: test-mini-audios/ID.wav",
        ),
    ),
)
