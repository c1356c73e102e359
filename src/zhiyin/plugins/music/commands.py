"""`zhiyin listen`: what the reference listener hears.

`zhiyin hearing`: what a model hears, on one page.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal

from zhiyin.cli.output import languages_of, print_json


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


def hearing(runs: tuple[Path, ...], *, out: Path = Path("hearing"), lang: str = "") -> int:
    """Write a page for each model that shows what it hears, with figures for a paper.

    Parameters
    ----------
    out : -o DIR
        the folder to write
    lang : en|zh|en,zh
        the page's language, or a page in each, linked; without it that of the terminal
    """
    from zhiyin.plugins.music.hearing_page import write_hearing

    for page in write_hearing(runs, out, languages_of(lang)):
        sys.stderr.write(f"wrote {page}\n")
    return 0
