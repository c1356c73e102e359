"""Where pictures, questions and replies are published."""

from __future__ import annotations

from functools import cache
from importlib import resources

import msgspec

from zhiyin.contract.published import DATA, Archive, Source

_COMMIT = "d1af7c552550717643a37f8067c4a3bb988c1d75"
_SPLITS = ("dev", "public_test")


@cache
def sources() -> tuple[Source, ...]:
    """Both published splits, with the replies beside them, out of the repository's archive.

    The contents of what we have seen are known; of the replies of other models the first fetch
    counts.
    """
    text = resources.files(__package__).joinpath("sha256.json").read_bytes()
    return (
        Source(
            name=DATA,
            what="pictures and questions of two splits, and the replies of its models",
            home="https://github.com/jlebar/music-bench",
            licence="Apache-2.0",
            revision=_COMMIT,
            base="https://codeload.github.com/jlebar/music-bench/zip",
            archives=(
                Archive(
                    _COMMIT,
                    {f"data/expanded/{split}": split for split in _SPLITS},
                    known=msgspec.json.decode(text, type=dict[str, str]),
                ),
            ),
        ),
    )
