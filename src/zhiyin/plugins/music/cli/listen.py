"""`zhiyin listen`: what the reference listener hears."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Literal

from zhiyin.cli.output import print_json

if TYPE_CHECKING:
    pass


def listen(
    files: tuple[str, ...],
    *,
    task: Literal["chords", "syncopation", "transposition"],
    json: bool = False,
) -> int:
    """Report what the reference listener hears in a recording.

    Parameters
    ----------
    files : FILE
        a recording (two to compare)
    task
        what to listen for
    """
    from zhiyin.plugins.music.listener import hear

    heard = hear(task, files)
    if json:
        print_json(heard)
    else:
        sys.stdout.write(f"{heard['why']}\n")
    return 0
