"""What a benchmark promises, and what every benchmark may use."""

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
from zhiyin.flags import Flag
from zhiyin.plugins import Command
from zhiyin.runs.rows import Rows
from zhiyin.runs.ways import Way

__all__ = [
    "Benchmark",
    "CheckResult",
    "Command",
    "Drawn",
    "FigureRun",
    "Flag",
    "Flaw",
    "Headline",
    "Manifest",
    "Protocol",
    "Published",
    "Reference",
    "Rows",
    "Section",
    "Way",
]
