"""What the figures say, in sentences: each computed from the data, each leading to its trials."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from zhiyin.benchmarks import Reference
from zhiyin.statistics.choice import LetterBias
from zhiyin.statistics.intervals import wilson
from zhiyin.tally import ALL

ALPHA = 0.05
_MOST_NAMED = 4

Finding = dict[str, Any]
"""``topic``, ``text``, and ``show``: the filter of the trial list that the sentence speaks of."""


def _finding(topic: str, text: str, **show: str) -> Finding:
    return {"topic": topic, "text": text, "show": show or None}


def percent(value: float) -> str:
    """A fraction as per cent with one decimal."""
    return f"{100 * value:.1f}\u00a0%"


def signed(value: float) -> str:
    """A difference of fractions in percentage points, with its sign."""
    return f"{100 * value:+.1f}".replace("-", "−")


def points(value: float) -> str:
    """A difference of fractions in percentage points, without its sign."""
    return f"{100 * abs(value):.1f} points"


def p_words(p: float) -> str:
    """A p-value as a sentence has it."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}" if p < 0.1 else f"p = {p:.2f}"


def headline(
    label: str, run: int, figures: dict[str, dict[str, Any]], chance: float | None
) -> Iterator[Finding]:
    """How much was right, how sure that is, and whether guessing does as well."""
    whole = figures.get(ALL)
    if not whole or not whole["n"]:
        yield _finding("score", f"{label} has answered nothing yet.")
        return
    low, high = whole["ci95"]
    text = (
        f"{label} answers {percent(whole['accuracy'])} of {whole['n']:,} trials right "
        f"(95 % interval {percent(low)} to {percent(high)})"
    )
    if chance is not None:
        if low > chance:
            text += f", more than guessing would ({percent(chance)})"
        elif high < chance:
            text += f", less than guessing would ({percent(chance)}): look at how it was read"
        else:
            text += f"; guessing ({percent(chance)}) cannot be told from that"
    yield _finding("score", f"{text}.")
    if whole["ifr"] < 0.995:
        missing = whole["n"] - whole["answered"]
        yield _finding(
            "score",
            f"{missing:,} replies of {label} ({percent(missing / whole['n'])}) hold no readable "
            "answer; they count as wrong.",
            run=str(run),
            state="unanswered",
        )
    wrong = round(whole["n"] * (1 - whole["accuracy"]))
    if wrong:
        yield _finding(
            "mistakes",
            f"{label} got {wrong:,} trials wrong: read them, see them, hear them.",
            run=str(run),
            state="not right",
        )


def mixture(tags: Iterable[dict[str, Any]]) -> Iterator[Finding]:
    """That the figures of the whole are over true and altered sound together, where they are."""
    held = {str(facts["audio"]) for facts in tags if "audio" in facts}
    if "true" in held and len(held) > 1:
        altered = ", ".join(sorted(held - {"true"}))
        yield _finding(
            "score",
            "The figures of the whole are over trials with the true sound and with altered sound "
            f'(audio: {altered}) together: under "Is it listening?" they are apart.',
            **{"tag.audio": "true"},
        )


def comparison(
    pair: dict[str, Any], labels: Sequence[str], groups: Sequence[dict[str, Any]]
) -> Iterator[Finding]:
    """Who is better, by how much, and in which of the uppermost groups that holds."""
    first, second = labels[pair["first"]], labels[pair["second"]]
    rows = {row["group"]: row for row in pair["rows"]}
    whole = rows[ALL]
    if whole["adjusted"] < ALPHA:
        better, worse = (first, second) if whole["mean"] > 0 else (second, first)
        ends = (whole["low"], whole["high"])
        low, high = ends if whole["mean"] > 0 else (-ends[1], -ends[0])
        text = (
            f"{better} is better than {worse} by {points(whole['mean'])} on the {whole['n']:,} "
            f"trials that both answered (95 % interval {100 * low:.1f} to {100 * high:.1f}; "
            f"{p_words(whole['adjusted'])})"
        )
    else:
        text = (
            f"Between {first} and {second} no difference is resolved on {whole['n']:,} shared "
            f"trials ({signed(whole['mean'])} points, 95 % interval {signed(whole['low'])} "
            f"to {signed(whole['high'])}; {_power(whole['detectable'])})"
        )
    yield _finding(
        "comparison",
        f"{text}.",
        agree=f"apart:{pair['first']}:{pair['second']}",
    )
    yield from _by_group(rows, groups, (pair["first"], pair["second"]), (first, second))


def _power(detectable: float) -> str:
    """What so many trials could have shown."""
    if math.isinf(detectable):
        return "so few trials can show nothing"
    return f"one of {points(detectable)} would have been found four times in five"


def _by_group(
    rows: dict[str, dict[str, Any]],
    groups: Sequence[dict[str, Any]],
    pair: tuple[int, int],
    names: tuple[str, str],
) -> Iterator[Finding]:
    first, second = names
    upper = [(g["label"], rows[g["name"]]) for g in groups if not g["level"] and g["name"] in rows]
    if len(upper) < 2:
        return
    for name, sign in zip(names, (1, -1), strict=True):
        won = [
            (label, row)
            for label, row in upper
            if row["adjusted"] < ALPHA and row["mean"] * sign > 0
        ]
        won.sort(key=lambda entry: -abs(entry[1]["mean"]))
        if won:
            named = [f"{label} (by {points(row['mean'])})" for label, row in won[:_MOST_NAMED]]
            more = f" and {len(won) - _MOST_NAMED} more" if len(won) > _MOST_NAMED else ""
            other, ends = (second, pair) if sign > 0 else (first, (pair[1], pair[0]))
            yield _finding(
                "comparison",
                f"{name} is really better than {other} in {', '.join(named)}{more}.",
                group=won[0][1]["group"],
                agree=f"only:{ends[0]}:{ends[1]}",
            )
    open_ones = sum(row["adjusted"] >= ALPHA for _, row in upper)
    if open_ones:
        yield _finding(
            "comparison",
            f"In {open_ones} of {len(upper)} main groups nothing is resolved between {first} and "
            f"{second} (false discovery rate 5\u00a0%): that is not to say that they are equal.",
        )


def preference(label: str, run: int, bias: LetterBias | None) -> Iterator[Finding]:
    """Whether an examinee favours a letter: chosen against the key."""
    if bias is None or not bias.answered or len(bias.letters) < 2:
        return
    gold = sum(letter.gold for letter in bias.letters)
    shares = [
        (letter.chosen / bias.answered, letter.gold / gold, letter.letter)
        for letter in bias.letters
    ]
    chosen, keyed, name = max(shares, key=lambda share: share[0] - share[1])
    words = f"{name} in {percent(chosen)} of its answers, where the key is {percent(keyed)}"
    test = bias.marginal or bias.chosen_against_key
    only = sum(letter.chosen > 0 for letter in bias.letters) == 1
    if only and bias.answered >= 20:
        text = f"{label} always answers {name}: its choices say nothing of the music."
    elif test is not None and test.p < ALPHA and _favoured(bias, name):
        text = f"{label} favours option {name}: it chooses {words} ({p_words(test.p)})."
    elif test is None:
        return
    else:
        text = f"{label} shows no clear liking for a letter: at most it chooses {words}."
    if bias.rstd is not None and bias.rstd_by_chance is not None and not only:
        text += (
            f" Recall differs between letters by {100 * bias.rstd:.1f} points (RStd; "
            f"{100 * bias.rstd_by_chance:.1f} by chance)."
        )
    yield _finding("letters", text, run=str(run), letter=name)


def _favoured(bias: LetterBias, name: str) -> bool:
    """Whether a letter is chosen more often than by one who spreads guesses evenly."""
    chosen = next(letter.chosen for letter in bias.letters if letter.letter == name)
    return wilson(chosen, bias.answered).low > 1 / len(bias.letters)


_WITHOUT = {
    "noise": "noise in its place",
    "swap": "another piece in its place",
    "silence": "silence",
    "none": "no sound at all",
}


def listening(label: str, found: Sequence[dict[str, Any]]) -> Iterator[Finding]:
    """Whether the answers depend on the sound, and whether reading goes better than hearing."""
    for gap in found:
        numbers = (
            f"{percent(gap['a'])} against {percent(gap['b'])} on the same {gap['n']:,} questions "
            f"(difference {signed(gap['mean'])} points, 95 % interval {signed(gap['low'])} "
            f"to {signed(gap['high'])}; {p_words(gap['p'])})"
        )
        if gap["tag"] == "audio":
            instead = _WITHOUT.get(gap["second"], gap["second"])
            if gap["p"] < ALPHA and gap["mean"] > 0:
                text = f"{label} listens: with the true sound it does better than with {instead}"
            else:
                text = (
                    f"That {label} listens is not shown: with the true sound it does no better "
                    f"than with {instead}"
                )
        elif gap["p"] < ALPHA:
            better = (
                "reads better than it hears" if gap["mean"] > 0 else "hears better than it reads"
            )
            text = f"{label} {better}: from MIDI text and by ear,"
        else:
            text = f"Between reading and hearing, no difference of {label} is resolved:"
        joint = "," if gap["tag"] == "audio" else ""
        yield _finding("listening", f"{text}{joint} {numbers}.")


def beside_people(
    reference: Reference | None, labels: Sequence[str], whole: Sequence[float | None]
) -> Iterator[Finding]:
    """The best published model and the best people beside the best run here."""
    held = [(value, label) for value, label in zip(whole, labels, strict=True) if value is not None]
    if reference is None or not held:
        return
    best, label = max(held)
    for kind, words in (("human", "The best people"), ("model", "The best published model")):
        rows = [
            (figures[ALL][figure], name, figure)
            for name, figures in reference.rows.items()
            for figure in ("accuracy", "recall", "precision")
            if reference.kinds.get(name) == kind and figure in figures.get(ALL, {})
        ]
        if rows:
            value, name, figure = max(rows)
            yield _finding(
                "published",
                f"{words} in the literature ({name}) reached a {figure} of {percent(value)}; "
                f"the best run here, {label}, answers {percent(best)} right. {reference.source}.",
            )


def extremes(
    label: str, figures: dict[str, dict[str, Any]], groups: Sequence[dict[str, Any]]
) -> Iterator[Finding]:
    """The groups of the first level in which an examinee is clearly above and below itself."""
    whole = figures.get(ALL)
    if not whole or not whole["n"]:
        return
    upper = [
        (figures[g["name"]], g["label"])
        for g in groups
        if g["level"] == 0 and figures.get(g["name"], {}).get("ci95")
    ]
    above = [(f, name) for f, name in upper if f["ci95"][0] > whole["ci95"][1]]
    below = [(f, name) for f, name in upper if f["ci95"][1] < whole["ci95"][0]]
    parts = []
    for found, word, best in ((above, "strongest", True), (below, "weakest", False)):
        found.sort(key=lambda entry: entry[0]["accuracy"], reverse=best)
        if found:
            named = ", ".join(f"{name} ({percent(f['accuracy'])})" for f, name in found[:3])
            parts.append(f"{word} in {named}")
    if parts:
        yield _finding("score", f"{label} is {'; '.join(parts)}.")
