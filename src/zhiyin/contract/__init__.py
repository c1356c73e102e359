"""The interface of a benchmark, and what every benchmark may use."""

from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.declared import (
    CheckResult,
    Drawn,
    FigureRun,
    Flaw,
    Headline,
    Published,
    Reference,
    Section,
)
from zhiyin.contract.protocols import Protocol
from zhiyin.engine.folder import Manifest
from zhiyin.extensions import Command
from zhiyin.flags import Flag
from zhiyin.runs.measures import ACCURACY, F1, IFR, PRECISION, USUAL, Measure, score
from zhiyin.runs.rows import Rows
from zhiyin.runs.ways import Way

__all__ = [
    "ACCURACY",
    "F1",
    "IFR",
    "PRECISION",
    "USUAL",
    "Benchmark",
    "CheckResult",
    "Command",
    "Drawn",
    "FigureRun",
    "Flag",
    "Flaw",
    "Headline",
    "Manifest",
    "Measure",
    "Protocol",
    "Published",
    "Reference",
    "Rows",
    "Section",
    "Way",
    "score",
]
