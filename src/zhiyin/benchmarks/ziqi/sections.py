"""What `zhiyin show` adds to a run: F1 in two ways, the type of model, the repository's rows."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from pathlib import Path

from zhiyin.analysis.extent import extent_of
from zhiyin.benchmarks.ziqi.categories import ELSEWHERE, KINDS, WORLD, published_categories
from zhiyin.benchmarks.ziqi.leaderboard import REMARKS, SHOTS, leaderboard
from zhiyin.benchmarks.ziqi.phenomena import (
    ANALYSIS,
    LEAST,
    Phenomena,
    Reply,
    describe,
    reply_of,
)
from zhiyin.benchmarks.ziqi.protocols import RELEASED
from zhiyin.contract.declared import Cell, Section
from zhiyin.engine.folder import Manifest
from zhiyin.engine.tally import ALL
from zhiyin.runs.figures import Figures, figures
from zhiyin.runs.rows import Rows
from zhiyin.statistics.scores import Figure

HEADINGS = {
    ALL: "all",
    "composition_theory": "theory",
    "world_ethnic_music": "world",
    "popular_music": "popular",
    "western_music_history": "western",
    "chinese_music_history": "Chin. hist.",
    "chinese_traditional_music": "Chin. trad.",
    "music_aesthetics": "aesthetics",
    "music_education": "education",
    "music_performance": "performing",
    "female_music": "female",
}
"""The groups of the leaderboard, and short names that fit a line."""
_ACROSS = 6


def sections(rows: Rows, manifest: Manifest) -> list[Section]:
    """The further tables of a run; none where nothing has been judged yet.

    Raises
    ------
    InputError
        Where the folder is not a run.
    """
    table, settled = rows.table, rows.settled.numbers
    if not len(settled):
        return []
    counted, under = figures(table), dict[str, set[str]]()
    for groups in {table.kinds[kind].groups: None for kind in table.kind[settled].tolist()}:
        own = _subtheme(groups)
        for group in groups:
            if group != own:
                under.setdefault(group, set()).add(own)
    f1 = _f1_section(counted, under)
    tables = [f1] if f1.rows else []  # a run within one subtheme has nothing to average
    if (phenomena := describe(_melodies(rows.settled))) is not None:
        tables.append(_types_section(phenomena))
    return [*tables, *_leaderboard_sections(rows.folder, manifest, counted)]


def _melodies(rows: Rows) -> list[Reply]:
    """The judged replies to questions of melodies to be generated."""
    replies = []
    for record in rows.which(lambda kind: "generation" in kind.groups).records():
        turns = record.exchange.turns
        text, verdict = turns[-1].reply.text if turns else "", record.verdict
        cluster = record.trial.cluster or record.id
        replies.append(reply_of(text, verdict.state, verdict.letter, cluster))
    return replies


def _subtheme(groups: tuple[str, ...]) -> str:
    """The narrowest of a trial's groups that is a subtheme."""
    return next((g for g in groups if "/" in g and not g.endswith(f"/{ELSEWHERE}")), groups[-1])


def _f1_section(tally: Figures, under: dict[str, set[str]]) -> Section:
    """F1 of all questions of a group together, and the mean of its subthemes' F1."""
    order = [*KINDS, *published_categories(), f"{WORLD}/{ELSEWHERE}"]
    names = sorted(under, key=lambda group: order.index(group) if group in order else len(order))
    rows: list[list[Cell]] = []
    for group in names:
        members = [_f1(tally, subtheme) for subtheme in sorted(under[group])]
        if len(members) > 1:
            n = tally.counts[group].judged
            rows.append([group, n, len(members), _f1(tally, group), statistics.fmean(members)])
    notes = [
        "pooled: of all questions together, so that large subthemes weigh more; mean: of the "
        "subthemes' F1, each weighing the same. Table 2's \"Other\" is the mean of "
        f"{WORLD}/{ELSEWHERE}",
    ]
    columns = ["F1, %", "n", "subthemes", "pooled", "mean"]
    return Section("F1 pooled, and as the mean of subthemes", columns, rows, notes)


def _f1(tally: Figures, group: str) -> float:
    return _percent(tally, "f1", group)


def _percent(tally: Figures, figure: Figure, group: str) -> float:
    """A figure of a group, of which something has been judged."""
    value = tally.figure(figure, group)
    assert value is not None
    return 100 * value


def _types_section(phenomena: Phenomena) -> Section:
    """The type of section 6.1, with the figures that decide it."""
    rows: list[list[Cell]] = [
        ["type", phenomena.kind],
        ["replies", phenomena.n],
        ["accuracy, %", 100 * phenomena.accuracy],
        ["95 % interval", (100 * phenomena.low, 100 * phenomena.high)],
        ["evading, %", 100 * phenomena.evasive],
        ["analysing, %", 100 * phenomena.analysing],
        ["letter chosen most", phenomena.letter or None],
        ["its share of the answers, %", 100 * phenomena.share],
    ]
    notes = [
        "section 6.1 gives no rule; ours: III, the interval lies above chance (25 %); else I, "
        "fewer than half of the replies analyse the music or one letter makes half of the "
        f"answers; else II. Undecided below {LEAST} replies. Analysing: more than {ANALYSIS} "
        "words or characters, and no evasion; a prompt that asks for the letter alone makes a "
        "type I",
    ]
    return Section("Continuations: which type of model (section 6.1)", ["", "value"], rows, notes)


def _leaderboard_sections(folder: Path, manifest: Manifest, tally: Figures) -> Iterator[Section]:
    """The repository's rows, beside a run of its protocol that holds whole categories."""
    options = manifest.options
    shots = str(options.get("shots") or "0")
    if options.get("protocol") != RELEASED.name or shots not in SHOTS:
        return
    extent = extent_of(folder, manifest)
    whole = [g for g in HEADINGS if g in tally.counts and extent.whole(g)]
    reference = leaderboard(shots)
    parts = [whole[start : start + _ACROSS] for start in range(0, len(whole), _ACROSS)]
    for number, groups in enumerate(parts, 1):
        ours: list[Cell] = ["this run"]
        ours += [_percent(tally, "accuracy", group) for group in groups]
        rows: list[list[Cell]] = [ours]
        for name, row in reference.rows.items():
            rows.append([name, *(100 * row[group]["accuracy"] for group in groups)])
        title = reference.title + (f" ({number} of {len(parts)})" if len(parts) > 1 else "")
        notes = [reference.source, *REMARKS] if number == len(parts) else []
        columns = ["accuracy, %", *(HEADINGS[group] for group in groups)]
        yield Section(title, columns, rows, notes)
