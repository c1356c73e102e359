"""ZIQI-Eval: does a text model know music, and can it tell how a tune goes on?

Four-option questions in Chinese on ten fields of music in 56 subcategories, and tunes in ABC
notation to be continued. `docs/benchmarks/ziqi.md` is its page.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zhiyin.benchmarks import CheckResult, Reference, Section
from zhiyin.benchmarks.ziqi.protocols import PROTOCOLS as PROTOCOLS

if TYPE_CHECKING:
    from zhiyin.benchmarks.ziqi.benchmark import Ziqi
    from zhiyin.coverage import Published

NAME = "ziqi"
SUMMARY = "ZIQI-Eval: 14,334 Chinese multiple-choice questions on music and ABC continuation"
PAPER = (
    "Jiajia Li, Lu Yang, Mingni Tang, Cong Chen, Zuchao Li, Ping Wang, Hai Zhao: The Music "
    "Maestro or The Musically Challenged, A Massive Music Evaluation Benchmark for Large "
    "Language Models. arXiv:2406.15885, 2024. Data: "
    "https://huggingface.co/datasets/MYTH-Lab/ZIQI-Eval"
)
LICENCE = "CC BY-NC-SA 4.0"
BIBTEX = """\
@article{li2024ziqi,
  title   = {The Music Maestro or The Musically Challenged, A Massive Music Evaluation
             Benchmark for Large Language Models},
  author  = {Li, Jiajia and Yang, Lu and Tang, Mingni and Chen, Cong and Li, Zuchao and
             Wang, Ping and Zhao, Hai},
  journal = {arXiv preprint arXiv:2406.15885},
  year    = {2024}
}
"""
CHANCE = 0.25


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the benchmark's own flags to ``zhiyin run ziqi``."""
    parser.add_argument(
        "--language",
        choices=("zh", "en"),
        default="zh",
        help="language of the instructions; the questions are Chinese (default: zh)",
    )
    parser.add_argument(
        "--category",
        action="append",
        metavar="STEM[,STEM]",
        help="only these files, or 'comprehension' or 'generation' (default: all)",
    )
    parser.add_argument(
        "--prompts", metavar="DIR", help="folder with prompts that replace ours by file name"
    )
    parser.add_argument(
        "--shuffle",
        action="store_true",
        help="shuffle each question's options by --seed (default: the published order)",
    )
    parser.add_argument(
        "--rotations",
        choices=("none", "all"),
        default="none",
        help="ask every question under each cyclic rotation of its options (default: none)",
    )
    parser.add_argument(
        "--clean",
        action="store_true",
        help="leave flawed questions out (zhiyin data check ziqi lists them)",
    )


def from_options(options: dict[str, Any]) -> Ziqi:
    """ZIQI-Eval as `options` say: parsed flags, or a run's manifest. Other keys are ignored.

    Reads no data, so that a run can be scored again without it.

    Raises
    ------
    InputError
        A value that no flag takes (shots, language, extraction policy).
    """
    from zhiyin.benchmarks.ziqi.benchmark import Ziqi, read_settings

    return Ziqi(read_settings(options))


def published() -> Reference:
    """The paper's Tables 1 to 4 under the names of our groups, in [0, 1]."""
    import msgspec

    text = (Path(__file__).parent / "published.json").read_bytes()
    return msgspec.json.decode(text, type=Reference)


def expected() -> Published:
    """What the published data hold."""
    from zhiyin.coverage import read_published

    return read_published(Path(__file__).with_name("published_counts.json"))


def check(options: dict[str, Any]) -> CheckResult:
    """Every flaw of the data in ``options["data"]``; see `zhiyin.benchmarks.ziqi.flaws`."""
    from zhiyin.benchmarks.ziqi.flaws import check_folder

    return check_folder(options.get("data"), bool(options.get("partial")))


def details(folder: Path) -> list[Section]:
    """F1 as the mean of subthemes, the type of section 6.1, the repository's leaderboard."""
    from zhiyin.benchmarks.ziqi.sections import sections

    return sections(folder)
