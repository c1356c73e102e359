"""Sections of `zhiyin show` for a run: F1 in two ways, and the type of model.

The three types of models of the paper's section 6.1 are decided by what the replies are like.
The paper describes the types and gives no rule. Ours, on the judged questions of generation:

relatively good appreciation
    The 95 % interval of the accuracy lies above chance.
lack of melodic understanding
    It does not, and most replies evade the question or give a letter without any analysis, or
    one letter makes up half of the answers (of ChatGLM2-6B's, up to 60 % were A).
limited appreciation
    It does not, although most replies analyse the music.
"""

from __future__ import annotations

import re
import statistics
from collections import Counter
from typing import Literal

import msgspec

from zhiyin.contract.declared import Cell, Section, heads
from zhiyin.engine.folder import Manifest
from zhiyin.plugins.benchmarks.ziqi.data import (
    ELSEWHERE,
    KINDS,
    WORLD,
    published_categories,
)
from zhiyin.plugins.benchmarks.ziqi.measures import subtheme
from zhiyin.reader.refusal import evasion_in
from zhiyin.runs.estimates import estimate
from zhiyin.runs.figures import Figures, figures
from zhiyin.runs.measures import Estimate
from zhiyin.runs.rows import Rows
from zhiyin.words import said

Kind = Literal[
    "I, lack of melodic understanding",
    "II, limited appreciation",
    "III, relatively good appreciation",
    "undecided",
]
CHANCE, LEAST, HALF = 0.25, 30, 0.5
"""Chance level; the fewest replies that decide a type; what makes "most"."""
ANALYSIS = 15
"""Chinese characters and words of other languages beyond which a reply is more than its answer."""

_UNITS = re.compile(r"[\u3400-\u9fff]|[^\W\d_\u3400-\u9fff]{2,}")


class Phenomena(msgspec.Struct, frozen=True):
    """The character of the replies to questions of generation.

    Attributes
    ----------
    accuracy : Estimate
    evasive, analysing : float
        Shares of all replies: without an answer and saying that there is no telling, or refused;
        with more than `ANALYSIS` words.
    letter : str
        The letter chosen most often, "" where none was chosen; `share` is its share of the
        answers.
    kind : str
        The type.
    """

    accuracy: Estimate
    evasive: float
    analysing: float
    letter: str
    share: float
    kind: Kind


def describe(rows: Rows) -> Phenomena | None:
    """Figures and type of judged replies; None where there are none."""
    accuracy = estimate(rows)
    if accuracy.low is None:
        return None
    evasive = analysing = 0
    for record in rows.judged.records():
        turns, state = record.exchange.turns, record.verdict.state
        text = turns[-1].reply.text if turns else ""
        evades = state == "refused" or (state == "no_answer" and evasion_in(text) is not None)
        evasive += evades
        analysing += not evades and len(_UNITS.findall(text)) > ANALYSIS
    n, letters = accuracy.n, Counter(row.letter for row in rows if row.letter is not None)
    letter, most = next(iter(letters.most_common(1)), ("", 0))
    share = most / letters.total() if letters else 0.0
    kind: Kind = "II, limited appreciation"
    if n < LEAST:
        kind = "undecided"
    elif accuracy.low > CHANCE:
        kind = "III, relatively good appreciation"
    elif analysing / n < HALF or share >= HALF:
        kind = "I, lack of melodic understanding"
    return Phenomena(accuracy, evasive / n, analysing / n, letter, share, kind)


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
        own = subtheme(groups)
        for group in groups:
            if group != own:
                under.setdefault(group, set()).add(own)
    f1 = _f1_section(counted, under)
    tables = [f1] if f1.rows else []  # a run within one subtheme has nothing to average
    melodies = rows.settled.which(lambda kind: "generation" in kind.groups)
    if (phenomena := describe(melodies)) is not None:
        tables.append(_types_section(phenomena))
    return tables


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
    notes = [said("ziqi-f1-note", group=f"{WORLD}/{ELSEWHERE}")]
    columns = heads("f1-share", "n", "subthemes", "pooled", "mean")
    return Section(said("ziqi-f1"), columns, rows, notes)


def _f1(tally: Figures, group: str) -> float:
    return _percent(tally, "f1", group)


def _percent(tally: Figures, figure: str, group: str) -> float:
    """A figure of a group, of which something has been judged."""
    value = tally.figure(figure, group)
    assert value is not None
    return 100 * value


def _types_section(phenomena: Phenomena) -> Section:
    """The type of section 6.1, with the figures that decide it."""
    mean, low, high = phenomena.accuracy.ends or (0.0, 0.0, 1.0)
    cells: dict[str, Cell] = {
        "type": said("ziqi-type", kind=phenomena.kind.partition(",")[0]),
        "replies": phenomena.accuracy.n,
        "accuracy-share": 100 * mean,
        "interval-95": (100 * low, 100 * high),
        "evading": 100 * phenomena.evasive,
        "analysing": 100 * phenomena.analysing,
        "letter-most": phenomena.letter or None,
        "letter-share": 100 * phenomena.share,
    }
    rows = [[head, cell] for head, cell in zip(heads(*cells), cells.values(), strict=True)]
    notes = [said("ziqi-types-note", least=LEAST, words=ANALYSIS)]
    return Section(said("ziqi-types"), ["", *heads("value")], rows, notes)
