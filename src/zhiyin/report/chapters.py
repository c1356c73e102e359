"""What a report holds: its runs, and a chapter for each benchmark, as facts."""

from __future__ import annotations

import msgspec

from zhiyin.contract.declared import Section
from zhiyin.report.conditions import ConditionGap
from zhiyin.report.findings import Finding
from zhiyin.report.groups import ListedGroup
from zhiyin.report.measures import Pairs
from zhiyin.report.standings import Lead
from zhiyin.runs.figures import GroupFigures
from zhiyin.statistics.choice import LetterBias
from zhiyin.words import Text
from zhiyin.words.findings import Warning


class RunCard(msgspec.Struct):
    """A run as a report shows it.

    Attributes
    ----------
    number : int
        Its place among the runs of the report, which its colour and shape follow.
    label, model, folder, benchmark : str
    started : str or None
    config : list of (str, str)
        Settings that are set.
    versions : dict of str to str
    running : bool
    warnings, remarks : list of Warning
    trials, planned : int
    states : dict of str to int
    elapsed_s : float
    """

    number: int
    label: str
    model: str
    folder: str
    benchmark: str
    started: str | None
    config: list[tuple[str, str]]
    versions: dict[str, str]
    running: bool
    warnings: list[Warning]
    remarks: list[Warning]
    trials: int
    planned: int
    states: dict[str, int]
    elapsed_s: float


class PublishedRow(msgspec.Struct, frozen=True):
    """A published row: its figures in those groups that some run here holds whole."""

    name: str
    kind: str
    groups: dict[str, dict[str, float]]


class PartialGroups(msgspec.Struct, frozen=True):
    """Why a run may not stand beside published figures, and in which groups."""

    why: Text
    groups: list[str]


class ReliabilityLines(msgspec.Struct, frozen=True):
    """How far the judges of a run can be relied on, in lines."""

    run: int
    lines: list[Text]


class Chapter(msgspec.Struct):
    """What a report says of one benchmark.

    Attributes
    ----------
    summary : Text
    name, paper, licence : str
    trials : int
    headline : str
        The group that its headline is of.
    lead : Lead
        The facts of the first screen, `sentence` in words by language.
    judges : list of ReliabilityLines
    runs : list of int
    groups : list of ListedGroup
    figures : dict of int to dict of str to GroupFigures
        By run and group.
    pairs : dict
        See `measures.Pairs`.
    letters : dict of int to LetterBias or None
    conditions : dict of int to list of ConditionGap
        By run.
    published : list of PublishedRow
    source : str or None
        Of the published rows.
    in_part : dict of int to PartialGroups
    findings : list of Finding
    sections : list of (int, Section)
        The benchmark's own tables, by run.
    """

    name: str
    summary: Text
    paper: str
    licence: str
    trials: int
    headline: str
    lead: Lead
    sentence: dict[str, str]
    judges: list[ReliabilityLines]
    runs: list[int]
    groups: list[ListedGroup]
    figures: dict[int, dict[str, GroupFigures]]
    pairs: Pairs
    letters: dict[int, LetterBias | None]
    conditions: dict[int, list[ConditionGap]]
    published: list[PublishedRow]
    source: str | None
    in_part: dict[int, PartialGroups]
    findings: list[Finding]
    sections: list[tuple[int, Section]]


class Overview(msgspec.Struct):
    """Everything on a report's page but its trials.

    Attributes
    ----------
    methods : str
        The paragraph for a paper.
    runs : list of RunCard
    benchmarks : list of Chapter
    todo : list of (int, Warning)
        The warnings that something can be done about, and the numbers of their runs.
    """

    methods: str
    runs: list[RunCard]
    benchmarks: list[Chapter]
    todo: list[tuple[int, Warning]]
