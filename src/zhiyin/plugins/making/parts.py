"""Additions to reports of runs: their figures without the flawed items."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from zhiyin.analysis.parts import ChapterPart, ChapterRuns, Finding, Folded, RunPart
from zhiyin.errors import InputError
from zhiyin.words import said


class MakingPart(RunPart):
    """Making's part of a report; errata are those of a file, given as `errata`."""

    def check(self, given: Mapping[str, Any], benchmarks: Iterable[str]) -> None:
        if place := given.get("errata"):
            from zhiyin.plugins.making.errata.finding import read_errata

            of, names = read_errata(place).head.benchmark, list(benchmarks)
            if of not in names:
                raise InputError(said("errata-of", of=of, names=", ".join(names)))

    def chapter(self, chapter: ChapterRuns) -> ChapterPart:
        if not (place := chapter.given.get("errata")):
            return ChapterPart()
        from zhiyin.plugins.making.errata.finding import (
            errata_sections,
            errata_words,
            read_errata,
            without_errata,
        )

        errata = read_errata(place)
        if errata.head.benchmark != chapter.benchmark:
            return ChapterPart()
        found = [(o, r.label) for r in chapter.runs for o in without_errata(r.folder, errata)]
        if not found:
            return ChapterPart()
        tables = [("", one) for one in errata_sections(*zip(*found, strict=True))]
        title = said("report-errata", name=chapter.benchmark)
        return ChapterPart(
            [
                Finding("score", words, table=f"errata-{chapter.benchmark}")
                for one, label in found
                if one.group == chapter.group and (words := errata_words(one, label))
            ],
            [Folded("tables", "errata", title, tables)],
        )
