"""What became of registered hypotheses, said wherever the same runs are tested otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from zhiyin.analysis.hypotheses import HypothesisResult, expected, plan_reports
from zhiyin.contract.plan import PLAN
from zhiyin.engine.folder import read_manifest
from zhiyin.words import Said, said


def outcome_in_words(one: HypothesisResult) -> Said:
    """What became of a hypothesis: "the registered hypothesis H1 (...) is supported (...)"."""
    own = one.hypothesis
    return said(
        "plan-outcome",
        name=own.name,
        expects=expected(own),
        fate=one.fate,
        effect=one.effect,
        p=one.adjusted,
        sides="two" if own.direction == "different" else "one",
    )


def registered_remark(folders: Sequence[Path]) -> Said | None:
    """That hypotheses on these runs were registered, and what became of them; None where none were.

    For tables whose own tests nobody registered.
    """
    by_plan: dict[str, set[str]] = {}
    for manifest in map(read_manifest, folders):
        if named := manifest.config.get(PLAN):
            by_plan.setdefault(named, set()).add(manifest.spec)
    plans, _ = plan_reports(folders) if by_plan else ([], [])
    each = [
        outcome_in_words(one)
        for plan in plans
        for one in plan.results
        if {one.hypothesis.model, one.hypothesis.other} - {""} <= by_plan[plan.sha256]
    ]
    return said("plan-beside", each=each) if each else None
