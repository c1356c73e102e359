"""Where recordings and run logs are published."""

from __future__ import annotations

from functools import cache

from zhiyin.benchmarks.muse.design import items
from zhiyin.benchmarks.muse.holdings import hashes
from zhiyin.contract.published import DATA, Archive, File, Source

_COMMIT = "a9e4acde97b731e607b1e79f25c898487449e5b0"
_REPOSITORY = "brandoncarone/MUSE_music_benchmark"
_HOME = f"https://github.com/{_REPOSITORY}"


@cache
def sources() -> tuple[Source, ...]:
    """The recordings that trials and examples use, each a file; and the logs, out of an archive.

    Of the recordings that we have seen the contents are known; of the others the first fetch
    counts.
    """
    names = sorted({name for item in items() for name in item.recordings})
    known = hashes()
    return (
        Source(
            name=DATA,
            what="the recordings of all trials and examples",
            home=_HOME,
            licence="© 2025 Brandon Carone, non-commercial research and education only",
            revision=_COMMIT,
            base=f"https://raw.githubusercontent.com/{_REPOSITORY}/{_COMMIT}",
            files=tuple(
                File(f"stimuli/{name}.wav", sha256=known.get(name.rpartition("/")[2], ""))
                for name in names
            ),
        ),
        Source(
            name="logs",
            what="the run logs of four models",
            home=_HOME,
            licence="the repository says MIT, without the text of the licence",
            revision=_COMMIT,
            base=f"https://codeload.github.com/{_REPOSITORY}/zip",
            archives=(Archive(_COMMIT, keep={"*_CHAT_*_Group?_seed?.log": "logs"}),),
        ),
    )
