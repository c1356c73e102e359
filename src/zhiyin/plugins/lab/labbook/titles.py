"""Titles of one benchmark's tables: by the settings in which they differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zhiyin.analysis.beside import LAST_RESORT
from zhiyin.contract.resolved import setting_in_words
from zhiyin.words import Said, Text, said

FlatSettings = Mapping[str, object]


def titles(
    benchmark: Text,
    boards: Sequence[FlatSettings],
    names: Sequence[str],
    wording: Mapping[str, str],
    *,
    units: str = "trials",
) -> list[Said]:
    """A heading for each table of a benchmark, all different.

    Parameters
    ----------
    benchmark : Text
    boards : sequence of mapping
        The settings of each table, flat: ``{"limit": 200, "options.shots": 5}``.
    names : sequence of str
        The settings in which they differ.
    wording : mapping of str to str
        How the benchmark says some of them, see `Flag.told`.
    units : str
        What a limit counts, see `contract.resolved.limit_units`.

    Returns
    -------
    list of Said
        ``"triads: first 200 trials, 5 shots"``.
    """
    plain = [name for name in names if name not in LAST_RESORT]
    headings = [_title(benchmark, board, plain, wording, units) for board in boards]
    if any(headings.count(title) > 1 for title in headings):
        headings = [_title(benchmark, board, names, wording, units) for board in boards]
    return [
        title
        if headings.count(title) == 1
        else said("boards-again", title=title, number=headings[: place + 1].count(title))
        for place, title in enumerate(headings)
    ]


def _title(
    benchmark: Text,
    settings: FlatSettings,
    names: Sequence[str],
    own: Mapping[str, str],
    units: str,
) -> Said:
    told = {
        name: words
        for name in names
        if (words := setting_in_words(name, settings.get(name), own, units))
    }
    if "limit" in told and settings.get("limit") is None and _is_part(told, settings, own):
        del told["limit"]
    return said("boards-title", benchmark=benchmark, clauses=list(told.values()))


def _is_part(told: Mapping[str, Text], settings: FlatSettings, own: Mapping[str, str]) -> bool:
    """Tell whether a setting says what alone is asked: "all trials" would be wrong beside it."""
    return any(
        own.get(name.rpartition(".")[2]) == "only {}" and settings.get(name) for name in told
    )
