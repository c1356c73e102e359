"""What a benchmark promises, and what every benchmark may use."""

from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.declared import CheckResult, Flaw, Headline, Published, Reference, Section
from zhiyin.contract.flags import Flag
from zhiyin.contract.protocols import Protocol

__all__ = [
    "Benchmark",
    "CheckResult",
    "Flag",
    "Flaw",
    "Headline",
    "Protocol",
    "Published",
    "Reference",
    "Section",
]
