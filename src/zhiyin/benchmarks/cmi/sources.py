"""Where question files and replies are published."""

from __future__ import annotations

from functools import cache
from importlib import resources

import msgspec

from zhiyin.contract.published import DATA, Archive, Source

_COMMIT = "4c15f410bf0c7ff59d654b2a96f3295f3dec5aa5"
_BASE = "https://codeload.github.com/nicolaus625/CMI-bench/zip"
_HOME = "https://github.com/nicolaus625/CMI-bench"


@cache
def _known() -> dict[str, str]:
    """SHA-256 of the question and reply files that we have seen."""
    text = resources.files(__package__).joinpath("sha256.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, str])


def _part(folder: str) -> dict[str, str]:
    return {name: sha256 for name, sha256 in _known().items() if name.startswith(f"{folder}/")}


@cache
def sources() -> tuple[Source, ...]:
    """The question files and the replies of its models, both out of the repository's archive."""
    return (
        Source(
            name=DATA,
            what="the question files of its tasks",
            home=_HOME,
            licence="CC BY 4.0; the recordings by the terms of their data sets",
            revision=_COMMIT,
            base=_BASE,
            archives=(
                Archive(
                    _COMMIT,
                    {
                        # The folder of MusicCaps holds a file of this name too.
                        "data/VocalSet/CMI_VocalSet_tech.jsonl": "labels/CMI_VocalSet_tech.jsonl",
                        "data/*/CMI_*.jsonl": "labels",
                    },
                    known=_part("labels"),
                ),
            ),
            by_hand=(
                "recordings: get each task's data set from its own page, and lay it so that the "
                "paths of the question files lead to it",
            ),
        ),
        Source(
            name="replies",
            what="the published replies of its models",
            home=_HOME,
            licence="CC BY 4.0",
            revision=_COMMIT,
            base=_BASE,
            archives=(
                Archive(
                    _COMMIT,
                    {"model/results": "results", "eval/output": "results"},
                    known=_part("results"),
                ),
            ),
        ),
    )
