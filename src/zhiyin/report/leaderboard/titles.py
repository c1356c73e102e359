"""What the tables of one benchmark are called: by the settings in which they differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from zhiyin.contract.settings import published_config
from zhiyin.report.leaderboard.board import FlatSettings
from zhiyin.words import Said, Text, said


def flat_settings(config: Mapping[str, Any], *, whole: bool = False) -> FlatSettings:
    """The settings of a run by their paths, without the model's; those that are None with `whole`.

    Runs that share them were asked the same in the same way.
    """
    flat: FlatSettings = {}

    def walk(settings: Mapping[str, Any], prefix: str) -> None:
        for name, value in settings.items():
            if isinstance(value, dict):
                walk(value, f"{prefix}{name}.")
            elif whole or value is not None:
                flat[prefix + name] = value

    walk(published_config(config), "")
    flat.pop("model", None)
    return flat


_LAST_RESORT = ("data", "benchmark_version", "model_data")
"""Settings that say nothing to a reader: named only where nothing else tells tables apart."""
_LONGEST = 28


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
        What a limit counts, see `analysis.extent.limit_units`.

    Returns
    -------
    list of Said
        ``"triads: first 200 trials, 5 examples"``.
    """
    plain = [name for name in names if name not in _LAST_RESORT]
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
        name: words for name in names if (words := _words(name, settings.get(name), own, units))
    }
    if "limit" in told and settings.get("limit") is None and _is_part(told, settings, own):
        del told["limit"]
    return said("boards-title", benchmark=benchmark, clauses=list(told.values()))


def _is_part(told: Mapping[str, Text], settings: FlatSettings, own: Mapping[str, str]) -> bool:
    """Whether a setting says what alone is asked, so that "all trials" would be wrong beside it."""
    return any(
        own.get(name.rpartition(".")[2]) == "only {}" and settings.get(name) for name in told
    )


def _words(setting: str, value: Any, own: Mapping[str, str], units: str) -> Said | None:
    """A setting in words; None where it is off."""
    name = setting.rpartition(".")[2]
    if name == "limit":
        return said("boards-limit", limit=value, units=units)
    if name == "shots" and (value is None or isinstance(value, int)):
        return said("boards-shots", n=int(value or 0))
    if value is None or value is False:
        return None
    if own.get(name) == "only {}":
        return said("boards-only", value=_short(value))
    if name in own:
        return said("boards-value", value=_short(value))
    if name == "extract":
        return said("boards-extract", policy=value)
    if name == "language":
        return said("boards-language", language=value)
    if len(name) == 1:
        return said("boards-letter", name=name, value=str(value))
    shown = None if value is True else _short(value)
    return said("boards-setting", name=name.replace("_", " "), value=shown)


def _short(value: object) -> str:
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    text = ", ".join(part.strip() for part in text.replace("_", " ").split(","))
    if len(text) >= 32 and " " not in text:
        return text[:8]  # a fingerprint
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
