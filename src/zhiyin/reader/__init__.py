"""Extraction policies that read an option from free text, named and versioned.

`zhiyin.contract.policies` finds them by name, and those of benchmarks and plug-ins beside them.
"""

from __future__ import annotations

from zhiyin.reader import published, robust
from zhiyin.reader.policy import Policy, Reading
from zhiyin.reader.refusal import is_refusal

__all__ = ["OF_EVERY_USE", "ROBUST", "Policy", "Reading", "is_refusal"]

ROBUST = Policy("robust", 6, "the last declared answer that stands; our default", robust.read)
OF_EVERY_USE = (
    ROBUST,
    Policy(
        "first-letter",
        2,
        "first upper-case A to D anywhere (Li et al. 2024, section 4.1)",
        published.first_letter,
        "arXiv:2406.15885, section 4.1",
    ),
    Policy(
        "final-line",
        2,
        "the last 'Final Answer: X', or the last line (Carone, Roman and Ripollés)",
        published.final_line,
        "Carone, Roman and Ripollés, section 2.3 and supplement S2",
    ),
    Policy(
        "flexible",
        2,
        "first a to d set apart, the article included (ReactionEval)",
        published.flexible,
        "karroyan/ReactionEvalBenchmark: _normalize_answer",
    ),
)
