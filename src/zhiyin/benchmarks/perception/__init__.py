"""Core music perception: syncopation, transposition and chord quality, by ear and from MIDI."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zhiyin.benchmarks import Benchmark, CheckResult, Reference, Section
from zhiyin.benchmarks.perception.protocols import PROTOCOLS as PROTOCOLS
from zhiyin.errors import InputError

if TYPE_CHECKING:
    from zhiyin.coverage import Published

NAME = "perception"
SUMMARY = "syncopation, transposition and chord quality, heard or read, in three strategies"
PAPER = (
    "Brandon James Carone, Iran R. Roman and Pablo Ripollés: LLMs can read music, but struggle "
    "to hear it. An evaluation of core music perception tasks"
)
LICENCE = (
    "generated items: none needed; MUSE recordings: © 2025 Brandon Carone, non-commercial "
    "research and education only"
)
BIBTEX = """@misc{carone-read-hear,
  title  = {{LLMs} can read music, but struggle to hear it. An evaluation of core music
            perception tasks},
  author = {Carone, Brandon James and Roman, Iran R. and Ripoll{\\'e}s, Pablo}
}
@article{carone2025muse,
  title   = {The {MUSE} Benchmark: Probing Music Perception and Auditory Relational Reasoning
             in Audio {LLMs}},
  author  = {Carone, Brandon J. and Roman, Iran R. and Ripoll{\\'e}s, Pablo},
  journal = {arXiv preprint arXiv:2510.19055},
  year    = {2025}
}"""
CHANCE = 0.2
"""The lowest of the tasks' chance levels (0.2, 0.5, 0.25): whichever of them a run holds, its
headline is at least this by chance. `published` gives the level of each cell."""
WITHOUT_SOUND = "--modality midi"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add this benchmark's flags to ``zhiyin run perception``."""
    from zhiyin.benchmarks.perception.settings import add_flags

    add_flags(parser)


def from_options(options: dict[str, Any]) -> Benchmark:
    """Open the benchmark from flags or a manifest. Raises `InputError` for faulty ones."""
    from zhiyin.benchmarks.perception.benchmark import Perception
    from zhiyin.benchmarks.perception.settings import read_settings

    return Perception(read_settings(options))


def published() -> Reference:
    """Table 1 of the paper, by cell."""
    from zhiyin.benchmarks.perception.paper import table_1

    return table_1()


def expected() -> Published:
    """What the published recordings hold: the items of each task, in every cell of the grid."""
    import msgspec

    from zhiyin.benchmarks.perception.paper import cells_of
    from zhiyin.coverage import read_published

    declared = read_published(Path(__file__).with_name("published_counts.json"))
    counts = {cell: n for task, n in declared.counts.items() for cell in cells_of(task)}
    return msgspec.structs.replace(declared, counts=counts)


def details(folder: Path) -> list[Section]:
    """Table 1's grid for this run and, where LogicLM was asked, what became of it."""
    from zhiyin.benchmarks.perception.tables import sections

    return sections(folder)


def check(options: dict[str, Any]) -> CheckResult:
    """Look through a folder of the MUSE recordings. Raises `InputError` where there is none."""
    from zhiyin.benchmarks.perception.checking import check_folder

    if not options.get("data"):
        raise InputError("give --data, the folder of the MUSE recordings")
    return check_folder(str(options["data"]), bool(options.get("partial")))
