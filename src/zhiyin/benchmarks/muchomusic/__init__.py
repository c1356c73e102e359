"""MuChoMusic: what does an audio model understand of a recording, and does it listen at all?

Questions with four options about real tracks. `docs/benchmarks/muchomusic.md` is its page.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zhiyin.benchmarks import CheckResult, Reference, Section
from zhiyin.benchmarks.muchomusic.protocols import PROTOCOLS as PROTOCOLS

if TYPE_CHECKING:
    from zhiyin.benchmarks.muchomusic.benchmark import MuChoMusic
    from zhiyin.coverage import Published

NAME = "muchomusic"
SUMMARY = "MuChoMusic: 1,187 multiple-choice questions on 644 recordings; audio attention test"
PAPER = (
    "Benno Weck, Ilaria Manco, Emmanouil Benetos, Elio Quinton, George Fazekas, Dmitry Bogdanov: "
    "MuChoMusic, Evaluating Music Understanding in Multimodal Audio-Language Models. ISMIR 2024, "
    "arXiv:2408.01337. Data: https://doi.org/10.5281/zenodo.12709974"
)
LICENCE = "questions CC BY-SA 4.0; recordings by the terms of Song Describer and MusicCaps"
BIBTEX = """\
@inproceedings{weck2024muchomusic,
  title     = {{MuChoMusic}: Evaluating Music Understanding in Multimodal Audio-Language Models},
  author    = {Weck, Benno and Manco, Ilaria and Benetos, Emmanouil and Quinton, Elio and
               Fazekas, Gy{\\"o}rgy and Bogdanov, Dmitry},
  booktitle = {Proceedings of the 25th International Society for Music Information Retrieval
               Conference},
  year      = {2024}
}
"""
CHANCE = 0.25
WITHOUT_SOUND = "--audio none"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the benchmark's own flags to ``zhiyin run muchomusic``."""
    from zhiyin.benchmarks.muchomusic.settings import add_flags

    add_flags(parser)


def from_options(options: dict[str, Any]) -> MuChoMusic:
    """MuChoMusic as `options` say: parsed flags, or a run's manifest. Other keys are ignored.

    Reads no data, so that a run can be scored again without it.

    Raises
    ------
    InputError
        A value that no flag takes.
    """
    from zhiyin.benchmarks.muchomusic.benchmark import MuChoMusic
    from zhiyin.benchmarks.muchomusic.settings import read_settings

    return MuChoMusic(read_settings(options))


def published() -> Reference:
    """The paper's Table 3 under the names of our groups, in [0, 1]."""
    from zhiyin.benchmarks.muchomusic.table import table_3

    return table_3()


def expected() -> Published:
    """What the published data hold."""
    from zhiyin.coverage import read_published

    return read_published(Path(__file__).with_name("published_counts.json"))


def check(options: dict[str, Any]) -> CheckResult:
    """Every flaw of the questions and recordings in ``options["data"]``; decodes every file."""
    from zhiyin.benchmarks.muchomusic.flaws import check_folder

    return check_folder(options.get("data"), bool(options.get("partial")))


def details(folder: Path) -> list[Section]:
    """Intervals by track, spread over repeats, reading rules, distractors, attention."""
    from zhiyin.benchmarks.muchomusic.sections import sections

    return sections(folder)


def make(options: dict[str, Any]) -> str:
    """Write a small benchmark of ours in the published layout; says what was made."""
    from zhiyin.benchmarks.muchomusic import small

    return small.make(options)
