"""Additions to reports of runs: how far the judges can be relied on."""

from __future__ import annotations

from zhiyin.analysis.parts import ChapterPart, ChapterRun, ChapterRuns, Folded, RunPart
from zhiyin.engine.folder import MANIFEST
from zhiyin.errors import InputError
from zhiyin.words import Text, said


class JudgesPart(RunPart):
    """Judges' part of a report; judgements lie in folders within that of their run."""

    def chapter(self, chapter: ChapterRuns) -> ChapterPart:
        return ChapterPart(
            folded=[
                Folded("front", "reliability", said("report-judges"), [], lines, run.label)
                for run in chapter.runs
                if (lines := _reliability(run))
            ]
        )


def _reliability(run: ChapterRun) -> list[Text]:
    """Say how far the judges of a run can be relied on; empty if it was not judged."""
    if not any(run.folder.glob(f"*/{MANIFEST}")):
        return []
    from zhiyin.plugins.judges.judging import graded_folders
    from zhiyin.plugins.judges.report import build, reliability_words

    if not (folders := graded_folders(run.folder)):
        return []
    try:
        words: list[Text] = [*reliability_words(build(run.folder, folders).reliability)]
    except InputError as error:
        words = [str(error)]
    return words or [said("judges-unknown")]
