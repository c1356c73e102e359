"""MuChoMusic: what does an audio model understand of a recording, and does it listen at all?

Questions with four options about real tracks. `docs/benchmarks/muchomusic.md` is its page.
"""

from __future__ import annotations

from zhiyin.extensions import Command

COMMANDS = {
    "attention": Command(
        "does the model answer worse when it does not hear the music?",
        "zhiyin.plugins.benchmarks.muchomusic.results",
    )
}
