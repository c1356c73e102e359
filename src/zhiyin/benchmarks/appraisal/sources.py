"""Where its data come from: they are fetched by hand."""

from __future__ import annotations

from zhiyin.contract.published import DATA, Source

SOURCES = (
    Source(
        name=DATA,
        what="option questions and song details",
        home="",
        licence="none is stated",
        by_hand=(
            "no licence allows a download: get option_qa.jsonl and song_details.jsonl from the "
            "authors, and lay them in one folder with the songs, as its page says",
        ),
    ),
)
