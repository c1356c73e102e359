"""Headings of tables: the benchmark, and in a few words what sets one table apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

_LAST_RESORT = ("data", "benchmark_version", "model_data")
"""Settings that say nothing to a reader: named only where nothing else tells tables apart."""
_LANGUAGES = {"zh": "Chinese", "en": "English"}
_LONGEST = 28
_ALL = "all trials"


def titles(
    benchmark: str,
    boards: Sequence[Mapping[str, Any]],
    names: Sequence[str],
    wording: Mapping[str, str],
) -> list[str]:
    """A heading for each table of a benchmark, all different.

    Parameters
    ----------
    benchmark : str
    boards : sequence of mapping
        The settings of each table, flat: ``{"limit": 200, "options.shots": 5}``.
    names : sequence of str
        The settings in which they differ.
    wording : mapping of str to str
        How the benchmark says some of them, see `Flag.told`.

    Returns
    -------
    list of str
        ``"triads: first 200 trials, 5 examples"``.
    """
    plain = [name for name in names if name not in _LAST_RESORT]
    headings = [_title(benchmark, board, plain, wording) for board in boards]
    if len(set(headings)) < len(headings):
        headings = [_title(benchmark, board, names, wording) for board in boards]
    return [
        title if headings.count(title) == 1 else f"{title} ({headings[: place + 1].count(title)})"
        for place, title in enumerate(headings)
    ]


def _title(
    benchmark: str, settings: Mapping[str, Any], names: Sequence[str], own: Mapping[str, str]
) -> str:
    clauses = [words for name in names if (words := _words(name, settings.get(name), own))]
    if any(words.startswith("only ") for words in clauses):
        clauses = [words for words in clauses if words != _ALL]
    return f"{benchmark}: {', '.join(clauses)}" if clauses else benchmark


def _words(setting: str, value: Any, own: Mapping[str, str]) -> str:
    """A setting in words; empty where it is off."""
    name = setting.rpartition(".")[2]
    if name == "limit":
        return _ALL if value is None else f"first {value:,} trials"
    if name == "shots":
        return "no examples" if value in (None, 0, "0") else f"{value} examples"
    if value is None or value is False:
        return ""
    if name in own:
        return own[name].format(_short(value))
    if name == "extract":
        return f"read by {value}"
    if name == "language":
        return _LANGUAGES.get(value, str(value))
    if len(name) == 1:
        return f"{name} = {value}"
    words = name.replace("_", " ")
    return words if value is True else f"{words} {_short(value)}"


def _short(value: Any) -> str:
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    text = ", ".join(part.strip() for part in text.replace("_", " ").split(","))
    if len(text) >= 32 and " " not in text:
        return text[:8]  # a fingerprint
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
