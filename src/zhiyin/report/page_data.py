"""What a page's scripts are given: words, and trials in columns that a browser filters at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zhiyin.record import STATES
from zhiyin.report.pictures import MARKS, STATE_WORDS
from zhiyin.report.run_set import RunSet
from zhiyin.words import LANGUAGES, Said, say
from zhiyin.words.messages import words_in
from zhiyin.words.reasons import reason

_MOST_VALUES = 400
"""A tag with more different values than these is searched, not listed."""
_SNIPPET = 90
"""Characters of a question in the list of trials."""


class _Placeholders(dict[str, str]):
    """Facts that the script puts in: "{n}" for n."""

    def __missing__(self, fact: str) -> str:
        return f"{{{fact}}}"


def labels() -> dict[str, dict[str, str]]:
    """By language the words of messages as ``label-find`` ("find"), and of names in data
    ("name-length").
    """
    given = {}
    for language in LANGUAGES:
        words = words_in(language)
        own = {
            name.removeprefix("label-"): words.say(name, _Placeholders())
            for name in sorted(words.names)
            if name.startswith(("label-", "name-"))
        }
        states = {f"name-{state}": say(one, language) for state, one in STATE_WORDS.items()}
        given[language] = {**own, **{name.replace("_", "-"): own for name, own in states.items()}}
    return given


def page_data(run_set: RunSet, words: dict[str, dict[str, str]]) -> dict[str, Any]:
    """What the page's scripts know of the runs, and the words that they show: `labels`."""
    reasons = {why: reason(why) for why in sorted(run_set.reasons)}
    return {
        "runs": [
            {"label": run.label, "benchmark": run.manifest.benchmark, "running": run.running}
            for run in run_set.runs
        ],
        "states": STATES,
        "marks": MARKS,
        "words": words,
        "reasons": {why: say(one, "zh") for why, one in reasons.items() if isinstance(one, Said)},
    }


def index(run_set: RunSet) -> dict[str, Any]:
    """All trials in columns: small enough that a browser holds 50,000 and filters at once.

    Returns
    -------
    dict
        ``ids`` and ``stems`` (the first characters), one for each trial; ``benchmark``,
        ``groups`` and each of ``tags`` as ``values`` and ``codes`` (-1: without the tag);
        ``runs``, for each run ``states`` (a digit for each trial, the place in
        `record.STATES`; "-" for not asked) and ``letters`` (a character for each trial, "-" for
        none), ``read`` (how surely an answer was read) and ``cause`` (why there is none);
        ``gold``, the letters of the key.
    """
    cases = run_set.cases
    names = dict.fromkeys(tag for case in cases for tag in case.tags)
    tags = {tag: _coded([case.tags.get(tag) for case in cases]) for tag in names}
    for number, run in enumerate(run_set.runs):
        own = dict.fromkeys(t for c in cases if number in c.answers for t in c.answers[number].tags)
        for tag in own:
            column = [
                case.answers[number].tags.get(tag) if number in case.answers else None
                for case in cases
            ]
            tags[f"{tag} ({run.label})" if len(run_set.runs) > 1 else tag] = _coded(column)
    return {
        "ids": [case.id for case in cases],
        "stems": [" ".join(case.stem[: 2 * _SNIPPET].split())[:_SNIPPET] for case in cases],
        "gold": "".join(_letter(case.gold) for case in cases),
        "benchmark": _coded([case.benchmark for case in cases]),
        "groups": _coded([case.groups for case in cases]),
        "tags": {tag: column for tag, column in tags.items() if _listed(column)},
        "runs": [_column(run_set, number) for number in range(len(run_set.runs))],
    }


def _column(run_set: RunSet, number: int) -> dict[str, Any]:
    answers = [case.answers.get(number) for case in run_set.cases]
    return {
        "states": "".join("-" if a is None else str(STATES.index(a.state)) for a in answers),
        "letters": "".join(_letter(None if a is None else a.letter) for a in answers),
        "read": _coded([a.confidence or None if a else None for a in answers]),
        "cause": _coded([a.cause or None if a else None for a in answers]),
    }


def _letter(letter: str | None) -> str:
    return letter if letter and len(letter) == 1 and letter.isascii() else "-"


def _coded(column: Sequence[Any]) -> dict[str, Any]:
    """A column as its different values, as text, and for each row the place of its own."""
    values: dict[Any, int] = {}
    kept: list[Any] = []
    codes = []
    for value in column:
        if value is None:
            codes.append(-1)
            continue
        key = value if isinstance(value, tuple) else str(value)
        if key not in values:
            values[key] = len(kept)
            kept.append(key)
        codes.append(values[key])
    return {"values": kept, "codes": codes}


def _listed(column: dict[str, Any]) -> bool:
    different = len(column["values"]) + (-1 in column["codes"])
    return different >= 2 and len(column["values"]) <= _MOST_VALUES
