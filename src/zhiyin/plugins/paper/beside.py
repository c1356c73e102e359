"""Files for a paper beside a report: its figures and its tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from zhiyin.report.processes import PaperFigure
from zhiyin.words import LANGUAGES, say


def figures(runs: Sequence[Path], out: Path, formats: Sequence[str] | None) -> list[PaperFigure]:
    """Draw them into a folder of their own."""
    from zhiyin.plugins.paper.figures import write_figures

    return [
        PaperFigure(
            {language: say(figure.words[0], language) for language in LANGUAGES},
            {language: say(figure.words[1], language) for language in LANGUAGES},
            {
                lang: [f.relative_to(out).as_posix() for f in figure.in_language(lang)]
                for lang in LANGUAGES
            },
        )
        for figure in write_figures(runs, out / "figures", formats)
    ]


def tables(runs: Sequence[Path], out: Path, formats: Sequence[str] | None) -> list[PaperFigure]:
    """Write them into a folder of their own; the page shows none of them."""
    from zhiyin.plugins.paper.tables import write_tables

    write_tables(runs, out / "tables")
    return []
