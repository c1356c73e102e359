"""Where its questions are published."""

from __future__ import annotations

from zhiyin.contract.published import DATA, File, Source

SOURCES = (
    Source(
        name=DATA,
        what="the 1,187 questions with harder wrong answers",
        home="https://github.com/yongyizang/AreYouReallyListening",
        licence="MIT; captions and recordings by the terms of MusicCaps and Song Describer",
        revision="d3971de18934a283deb41f472d21b34eb19e10c2",
        base="https://raw.githubusercontent.com/yongyizang/AreYouReallyListening/"
        "d3971de18934a283deb41f472d21b34eb19e10c2",
        files=(
            File(
                "RUL-MuchoMusic.json",
                sha256="c6508f282eeeb34beb3446911587434f3787e5c720c708092e6cbc25deffea48",
                size=722_055,
            ),
        ),
        by_hand=(
            "recordings: lay those of the questions before beside the file: audio/NUMBER.mp3, by "
            "the numbers of the file",
            "--distractors own: lay the questions before beside it too",
        ),
    ),
)
