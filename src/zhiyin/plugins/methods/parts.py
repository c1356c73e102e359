"""Methods' part of pages on runs: doses, other words, audits of reading, registered plans."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from zhiyin.analysis import parts
from zhiyin.contract.declared import Section
from zhiyin.runs.estimates import Frame
from zhiyin.runs.measures import Estimate, Ints
from zhiyin.runs.rows import Rows
from zhiyin.words import Said


class MethodsPart(parts.RunPart):
    """Methods' part of pages: each is looked for where the run has it, and imported then."""

    def tables(self, rows: Rows) -> Iterable[Section]:
        from zhiyin.plugins.methods.dependence import dependence_in, dependence_sections
        from zhiyin.plugins.methods.dose import dose_sections

        return [*dose_sections(rows), *dependence_sections(dependence_in(rows))]

    def audit(self, folder: Path) -> parts.ReadingAudit | None:
        from zhiyin.plugins.methods.audit.marks import AUDIT

        if not (folder / AUDIT).is_file():
            return None
        from zhiyin.plugins.methods.audit.result import audited

        return audited(folder)

    def registrations(self, folders: Sequence[Path]) -> tuple[list[parts.Registration], list[Said]]:
        if not _follow_a_plan(folders):
            return [], []
        from zhiyin.plugins.methods.registered import plan_reports

        plans, faults = plan_reports(folders)
        return [plan.registration for plan in plans], faults

    def remarks(self, folders: Sequence[Path]) -> Iterable[Said]:
        if not _follow_a_plan(folders):
            return []
        from zhiyin.plugins.methods.registered import registered_remark

        found = registered_remark(folders)
        return [found] if found else []

    def chapter(self, chapter: parts.ChapterRuns) -> parts.ChapterPart:
        from zhiyin.plugins.methods.chapter import chapter_of

        return chapter_of(chapter)

    def opening(self, chapter: parts.ChapterRuns) -> parts.Opening | None:
        from zhiyin.plugins.methods.chapter import doses_picture

        return doses_picture(chapter.runs)

    def for_other_people(
        self, own: Estimate, sides: Sequence[tuple[Frame, Ints]], level: float
    ) -> Estimate | None:
        from zhiyin.plugins.methods.crossed import for_other_people

        return for_other_people(own, sides, level)

    def facts(self, folders: Sequence[Path]) -> Mapping[str, Any]:
        if not (followed := _follow_a_plan(folders)):
            return {}
        from zhiyin.plugins.methods.registered import plan_reports

        return {"plans": [plan.in_english() for plan in plan_reports(followed)[0]]}


def _follow_a_plan(folders: Sequence[Path]) -> list[Path]:
    from zhiyin.engine.folder import read_manifest
    from zhiyin.plugins.methods.plan import PLAN

    return [folder for folder in folders if PLAN in read_manifest(folder).config]
