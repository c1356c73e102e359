"""Where its questions are published."""

from __future__ import annotations

from zhiyin.benchmarks.muchomusic.data import HOME, NAME
from zhiyin.contract.published import DATA, File, Source

SOURCES = (
    Source(
        name=DATA,
        what="the 1,187 questions",
        home=HOME,
        licence="CC BY-SA 4.0; the recordings by the terms of Song Describer and MusicCaps",
        revision="7f9f6bd",
        hub="mulab-mir/muchomusic",
        files=(File(NAME),),
        by_hand=(
            "Song Describer: get song_describer.csv and the audio from its page, and lay them as "
            "sdd/song_describer.csv and sdd/audio/",
            "MusicCaps: get musiccaps-public.csv from its page and the clips from their videos, "
            "and lay them as musiccaps/musiccaps-public.csv and musiccaps/audio/[ytid]-[s-e].wav",
        ),
    ),
)
