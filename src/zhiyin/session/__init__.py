"""Sessions: what a user ordered is carried out, extended, and scored again."""

from zhiyin.session.estimating import CostEstimate, estimate
from zhiyin.session.running import Result, Watch, carry_out, silent
from zhiyin.session.setup import check, short_name

__all__ = [
    "CostEstimate",
    "Result",
    "Watch",
    "carry_out",
    "check",
    "estimate",
    "short_name",
    "silent",
]
