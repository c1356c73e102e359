"""Published rows as they stand beside runs, and what is known of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

OWN = "the set's authors"
"""Who measured a published figure: those who made the set."""
READER, ITEMS = "extract", "items"
"""Settings of a published row: the rule that read its replies; how much of the set was asked."""


class RowFacts(msgspec.Struct, frozen=True):
    """What is known of a published row.

    Attributes
    ----------
    date, source, settings, by : str
        As in `published_table.PublishedFigure`.
    other : str
        The set that it is of, where the benchmark asks another part of it.
    """

    date: str = ""
    source: str = ""
    settings: str = ""
    by: str = ""
    other: str = ""

    @property
    def asked(self) -> dict[str, str]:
        """The flags among its settings."""
        pairs = (part.split("=", 1) for part in self.settings.split(";") if "=" in part)
        return {name.strip(): value.strip() for name, value in pairs}

    def differing(self, options: Mapping[str, Any]) -> tuple[str, str]:
        """Name the setting, and what it is here, that forbids comparing it with a run; or ""."""
        if self.other:
            return "set", self.other
        for name, value in self.asked.items():
            if name == ITEMS or (name in options and str(options[name]) != value):
                return name, value
        return "", ""


Rows = dict[str, dict[str, dict[str, float]]]


class Reference(msgspec.Struct, frozen=True):
    """Published results: for each row (a model, a group of people), groups of named figures.

    `rows` maps a row's name to a mapping from group name to figures such as
    ``{"precision": 0.6315, "recall": 0.6293, "f1": 0.6304}``, all in [0, 1]. The group names
    are those of our own runs. `kinds` names what a row is: "model", "human" or "chance".
    `in_details` says that the benchmark's own tables hold these rows for a single run. `ranges`
    are lowest and highest single scores behind a figure, by row, group and figure. `facts` says
    what else is known of a row. `aside` are rows that cannot be compared with a run, and `apart`
    why not: the setting, and what it was. `newer` is the date of a table that the user fetched,
    where rows are from it.
    """

    title: str
    source: str
    rows: Rows
    kinds: dict[str, str] = {}
    in_details: bool = False
    ranges: dict[str, dict[str, dict[str, tuple[float, float]]]] = {}
    facts: dict[str, RowFacts] = {}
    aside: Rows = {}
    apart: dict[str, tuple[str, str]] = {}
    newer: str = ""

    def of(self, name: str) -> RowFacts:
        """What is known of a row; of some only the source that all have."""
        return self.facts.get(name) or RowFacts(source=self.source)

    @property
    def every(self) -> Rows:
        """All rows, those aside too."""
        return {**self.rows, **self.aside}

    def higher(self, value: float, group: str, figure: str) -> dict[str, float]:
        """The rows aside, of other questions or settings, that lie above a figure."""
        known = ((name, row.get(group, {}).get(figure)) for name, row in self.aside.items())
        return {name: one for name, one in known if one is not None and one > value}

    @property
    def own(self) -> set[str]:
        """The rows that those who made the set published first; all where nobody is named."""
        dates = {name: self.of(name).date for name in self.every if self.of(name).by in ("", OWN)}
        return {name for name, date in dates.items() if date == min(dates.values())}

    def beside(self, *runs: Mapping[str, Any]) -> Reference:
        """The rows that can be compared with one of some runs, by their options; the rest aside.

        People are asked a part of a set alone, and stand beside it all the same.
        """
        rows: Rows = {}
        apart = {}
        for name, row in self.rows.items():
            each = [self.of(name).differing(options) for options in runs]
            why = each[0] if all(one[0] for one in each) else ("", "")
            if why[0] and not (why[0] == ITEMS and self.kinds.get(name) == "human"):
                apart[name] = why
            else:
                rows[name] = row
        aside = {name: self.rows[name] for name in apart}
        return msgspec.structs.replace(self, rows=rows, aside=aside, apart=apart)

    def only(self, groups: Iterable[str]) -> Reference | None:
        """The rows with these groups alone; None where nothing is published for them."""
        kept = set(groups)
        rows = {
            name: chosen
            for name, row in self.rows.items()
            if (chosen := {group: figures for group, figures in row.items() if group in kept})
        }
        return msgspec.structs.replace(self, rows=rows) if rows else None
