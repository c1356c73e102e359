"""Sessions: what a user ordered is carried out, extended, and scored again."""

from zhiyin.session.running import (
    Order,
    Result,
    Watch,
    carry_out,
    check,
    short_name,
    silent,
    write_trials,
)

__all__ = [
    "Order",
    "Result",
    "Watch",
    "carry_out",
    "check",
    "short_name",
    "silent",
    "write_trials",
]
