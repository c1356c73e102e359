"""What the figures say, in sentences: each computed from the data, each leading to its trials."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from zhiyin import numerals
from zhiyin.contract.declared import Reference
from zhiyin.engine.tally import ALL
from zhiyin.numerals import p_words
from zhiyin.runs.figures import GroupFigures
from zhiyin.statistics.choice import LetterBias
from zhiyin.statistics.intervals import Interval, wilson

ALPHA = 0.05
_MOST_NAMED = 4

Finding = dict[str, Any]
"""``topic``, ``text``, and ``show``: the filter of the trial list that the sentence speaks of."""


def finding(topic: str, text: str, **show: str) -> Finding:
    """A sentence, and the filter of the trial list that it speaks of."""
    return {"topic": topic, "text": text, "show": show or None}


def percent(value: float) -> str:
    """A fraction as per cent with one decimal."""
    return f"{numerals.percent(value)}\u00a0%"


def signed(value: float) -> str:
    """A difference of fractions in percentage points, with its sign."""
    return f"{100 * value:+.1f}".replace("-", "−")


def points(value: float) -> str:
    """A difference of fractions in percentage points, without its sign."""
    return f"{100 * abs(value):.1f} points"


def count(number: int, one: str, many: str = "") -> str:
    """A number and what it counts: "1 trial", "1,200 trials"."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def headline(
    label: str,
    run: int,
    figures: dict[str, GroupFigures],
    *,
    group: str = ALL,
    heard: bool = True,
    within: dict[str, str] | None = None,
    title: str = "",
    instead: str = "",
    state: str = "",
) -> Iterator[Finding]:
    """How much was right, how sure that is, and whether guessing does as well.

    `group` is the one that the benchmark's accuracy is of, `title` its plain label, and `within`
    the filter of the trials that are in it; `heard` says whether there was any sound in them.
    `instead` is given where another figure than accuracy is the headline; `state` is that of
    `lead.Standing`.
    """
    whole = figures.get(group)
    within = {**(within or {}), **({} if group == ALL else {"group": group})}
    share = whole.interval if whole else None
    if not whole or not share:
        yield finding("score", _without_headline(label, figures, state))
        return
    yield finding("score", instead or _accuracy(label, whole, share, group, title))
    yield from _unread_and_wrong(label, run, whole, heard, within)


def _accuracy(label: str, whole: GroupFigures, share: Interval, group: str, title: str) -> str:
    low, high = share.low, share.high
    chance = whole.chance
    of = "" if group == ALL else f" in {title or group}"
    trials = count(whole.n, "trial")
    of_what = f"of {trials}{of} right"
    if abs(whole.correct - whole.n * share.mean) >= 0.5:
        of_what = f"right on {count(whole.items, 'item')}{of} in {trials}"
    text = (
        f"{label} answers {percent(share.mean)} {of_what} "
        f"(95 % interval {percent(low)} to {percent(high)})"
    )
    if chance is not None:
        guessing = f"than guessing ({percent(chance)})"
        if whole.guess == "better":
            text += f": better {guessing}"
        elif whole.guess == "worse":
            text += f": worse {guessing}; look at how its replies were read"
        else:
            text += f": not told apart from guessing ({percent(chance)})"
            if not low <= chance <= high:
                units = "cluster" if whole.clusters else "item"
                text += f" by a test on {count(share.clusters, units)}"
    return f"{text}."


def _unread_and_wrong(
    label: str, run: int, whole: GroupFigures, heard: bool, within: dict[str, str]
) -> Iterator[Finding]:
    if whole.ifr is not None and whole.ifr < 0.995:
        missing = whole.n - whole.answered
        yield finding(
            "score",
            f"{count(missing, 'reply', 'replies')} of {label} ({percent(missing / whole.n)}) "
            f"{'holds' if missing == 1 else 'hold'} no readable answer and "
            f"{'counts' if missing == 1 else 'count'} as wrong.",
            run=str(run),
            state="unanswered",
            **within,
        )
    wrong = whole.answered - whole.correct  # no answer is none, as in the counts of states
    if wrong:
        yield finding(
            "mistakes",
            f"{label} got {count(wrong, 'trial')} wrong: read "
            f"{'it' if wrong == 1 else 'them'}{', and hear what it was about' if heard else ''}.",
            run=str(run),
            state="wrong",
            **within,
        )


def _without_headline(label: str, figures: dict[str, GroupFigures], state: str) -> str:
    """The sentence on a run that has no figure under "all"."""
    altered = [name for name, own in figures.items() if own.n and is_condition(name)]
    if altered:
        return (
            f"{label} was judged with {' and '.join(altered)} alone: it has no figure beside runs "
            "with the true sound and all distractors."
        )
    if any(own.n for own in figures.values()):
        return f"{label} was asked nothing of what its benchmark is named by."
    if state == "measured":
        return f"{label} is not marked right or wrong: what was measured is in the tables below."
    if state == "ungraded":
        return f"The replies of {label} have no right answer, and nobody has judged them yet."
    if any(own.errors for own in figures.values()):
        return f"Every trial of {label} failed: it has no figure."
    return f"{label} has answered nothing yet."


def is_condition(group: str) -> bool:
    """Whether a group is that of an altered condition."""
    return all("=" in part for part in group.split("/"))


_ALTERED = {"audio": "altered sound (audio: {})", "distractors": "fewer distractors ({})"}


def mixture(mixed: dict[str, str], tags: Iterable[dict[str, Any]]) -> Iterator[Finding]:
    """That trials asked in another than the main way are in no figure of the whole.

    Parameters
    ----------
    mixed : dict of str to str
        As `measures.Sheet.mixed` has it.
    tags : iterable of dict
        Of all trials.
    """
    all_facts = list(tags)
    parts = []
    for tag, main in mixed.items():
        others = sorted({str(facts[tag]) for facts in all_facts if tag in facts} - {main})
        parts.append(_ALTERED[tag].format(", ".join(others)))
    if parts:
        yield finding(
            "score",
            f"Trials with {' or '.join(parts)} are in no figure of everything: they have groups "
            "of their own.",
            **{f"tag.{tag}": main for tag, main in mixed.items()},
        )


MOST_PAIRS_RUNS = 3
"""With more runs than these there is a ranking, and each is compared with the best alone."""


def ranking(
    pairs: Sequence[dict[str, Any]],
    labels: Sequence[str],
    ranked: Sequence[tuple[int, float]],
    shared: int,
) -> tuple[list[Finding], list[dict[str, Any]]]:
    """The ranking of many runs as a sentence, and the pairs worth a sentence of their own.

    Parameters
    ----------
    pairs : sequence of dict
        As `measures.compare` gives them.
    labels : sequence of str
    ranked, shared
        As `measures.ranking` gives them.

    Returns
    -------
    list of Finding
        Empty where the runs are few enough for a sentence on each pair.
    list of dict
        All pairs then; else that of the best run and the second alone.
    """
    if len(ranked) <= MOST_PAIRS_RUNS:
        return [], list(pairs)[:MOST_PAIRS_RUNS]
    order = [run for run, _ in ranked]
    named = [f"{labels[run]} ({percent(score)})" for run, score in ranked]
    text = (
        f"On {count(shared, 'item')} that each of these was judged on, highest share first: "
        f"{', '.join(named)}."
    )
    best = {}
    for pair in pairs:
        if order[0] in (pair["first"], pair["second"]):
            other = pair["second"] if pair["first"] == order[0] else pair["first"]
            best[other] = pair
    beaten = [run for run in order[1:] if run in best and _wins(best[run], order[0])]
    open_ones = [run for run in order[1:] if run not in beaten]
    if open_ones:
        others = ", ".join(labels[run] for run in open_ones)
        text += f" {labels[order[0]]} is not shown to be better than {others}."
    else:
        text += f" {labels[order[0]]} is better than each of the others."
    nearest = next((best[run] for run in order[1:] if run in best), None)
    return [finding("comparison", text)], [nearest] if nearest else []


def _wins(pair: dict[str, Any], run: int) -> bool:
    """Whether a run is shown to be better than the other of its pair."""
    row = _whole(pair)
    return bool(row["adjusted"] < ALPHA and (row["mean"] > 0) == (pair["first"] == run))


def _whole(pair: dict[str, Any]) -> dict[str, Any]:
    return next(row for row in pair["rows"] if row["group"] == ALL)


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
            f"{better} is better than {worse} by {points(whole['mean'])} on the "
            f"{count(whole['n'], 'item')} that both were judged on (95 % interval "
            f"{100 * low:.1f} to {100 * high:.1f}; {p_words(whole['adjusted'])})"
        )
    elif whole["low"] == whole["high"]:
        text = (
            f"{first} and {second} gave the same replies, word for word, to the "
            f"{count(whole['n'], 'shared item')}: nothing here tells them apart"
        )
    else:
        beyond = whole["low"] > 0 or whole["high"] < 0  # of an interval that rests on few clusters
        text = (
            f"{first} and {second} are not told apart on {count(whole['n'], 'shared item')} "
            f"({signed(whole['mean'])} points, 95 % interval {signed(whole['low'])} "
            f"to {signed(whole['high'])}; "
            f"{p_words(whole['adjusted']) if beyond else _power(whole)})"
        )
    yield finding(
        "comparison",
        f"{text}.",
        agree=f"apart:{pair['first']}:{pair['second']}",
    )
    yield from _by_group(rows, groups, (pair["first"], pair["second"]), (first, second))


def _power(whole: dict[str, Any]) -> str:
    """What so many items could have shown."""
    if whole["detectable"] > 1:
        units = "clusters" if whole["clusters"] < whole["n"] else "items"
        return f"so few {units} can show nothing"
    return f"one of {points(whole['detectable'])} would have been found four times in five"


def _by_group(
    rows: dict[str, dict[str, Any]],
    groups: Sequence[dict[str, Any]],
    pair: tuple[int, int],
    names: tuple[str, str],
) -> Iterator[Finding]:
    first, second = names
    upper = [(g["label"], rows[g["name"]]) for g in groups if g["main"] and g["name"] in rows]
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
            yield finding(
                "comparison",
                f"{name} is better than {other} in {', '.join(named)}{more}.",
                group=won[0][1]["group"],
                agree=f"only:{ends[0]}:{ends[1]}",
            )
    open_ones = sum(row["adjusted"] >= ALPHA for _, row in upper)
    if open_ones and rows[ALL]["low"] < rows[ALL]["high"]:
        yield finding(
            "comparison",
            f"In {open_ones} of {len(upper)} main groups {first} and {second} are not told apart "
            "(false discovery rate 5\u00a0%), which is not to say that they are equal.",
        )


def liking(bias: LetterBias | None) -> dict[str, Any] | None:
    """Whether a letter is favoured, and which: the one that most exceeds the key.

    Returns
    -------
    dict or None
        ``verdict``: "always", "favours" or "none"; ``letter``; ``chosen`` and ``keyed``, shares
        of the answers and of the key; ``p``. None where there are no letters to favour, or too
        few answers to tell.
    """
    if bias is None or not bias.answered or len(bias.letters) < 2:
        return None
    gold = sum(letter.gold for letter in bias.letters)
    shares = [
        (letter.chosen / bias.answered, letter.gold / gold, letter.letter)
        for letter in bias.letters
    ]
    chosen, keyed, name = max(shares, key=lambda share: share[0] - share[1])
    test = bias.marginal or bias.chosen_against_key
    verdict = "none"
    if sum(letter.chosen > 0 for letter in bias.letters) == 1 and bias.answered >= 20:
        verdict = "always"
    elif test is None:
        return None
    elif test.p < ALPHA and _favoured(bias, name):
        verdict = "favours"
    p = None if test is None else test.p
    return {"verdict": verdict, "letter": name, "chosen": chosen, "keyed": keyed, "p": p}


_LEAST_ANSWERS = 20
"""Of fewer it is not said that no letter is favoured: nothing could have been found."""


def preference(
    label: str, run: int, bias: LetterBias | None, liked: dict[str, Any] | None
) -> Iterator[Finding]:
    """Whether an examinee favours a letter: chosen against the key; `liked` as `liking` has it."""
    if liked is None or bias is None:
        return
    if liked["verdict"] == "none" and bias.answered < _LEAST_ANSWERS:
        return
    name = liked["letter"]
    words = (
        f"{name} in {percent(liked['chosen'])} of its answers, where the key is "
        f"{percent(liked['keyed'])}"
    )
    if liked["verdict"] == "always":
        text = f"{label} always answers {name}: its choices say nothing of the music."
    elif liked["verdict"] == "favours":
        text = f"{label} favours option {name}: it chooses {words} ({p_words(liked['p'])})."
    else:
        text = f"{label} shows no clear liking for a letter: most beyond the key, it chooses "
        text += f"{words}."
    if bias.rstd is not None and bias.rstd_by_chance is not None and liked["verdict"] != "always":
        text += (
            f" Recall differs between letters by {100 * bias.rstd:.1f} points (RStd; "
            f"{100 * bias.rstd_by_chance:.1f} by chance)."
        )
    yield finding("letters", text, run=str(run), letter=name)


def _favoured(bias: LetterBias, name: str) -> bool:
    """Whether a letter is chosen more often than by one who spreads guesses evenly."""
    chosen = next(letter.chosen for letter in bias.letters if letter.letter == name)
    share = chosen / bias.answered
    return wilson(share * bias.units, bias.units).low > 1 / len(bias.letters)


_WITHOUT = {
    "noise": "noise in its place",
    "swap": "another piece in its place",
    "half": "noise in the place of one recording of two",
    "silence": "silence",
    "none": "no sound at all",
}


def listening(label: str, gaps: Sequence[dict[str, Any]]) -> Iterator[Finding]:
    """Whether the answers depend on the sound, and whether reading goes better than hearing."""
    for gap in gaps:
        numbers = (
            f"{percent(gap['a'])} against {percent(gap['b'])} on the same {gap['n']:,} questions "
            f"(difference {signed(gap['mean'])} points, 95 % interval {signed(gap['low'])} "
            f"to {signed(gap['high'])}; {p_words(gap['p'])})"
        )
        if gap["tag"] == "audio":
            instead = _WITHOUT.get(gap["second"], gap["second"])
            if gap["p"] < ALPHA and gap["mean"] > 0:
                text = f"{label} listens: with the true sound it does better than with {instead}"
            elif gap["p"] < ALPHA:
                text = (
                    f"That {label} listens is not shown: with the true sound it does worse than "
                    f"with {instead}"
                )
            else:
                text = (
                    f"That {label} listens is not shown: the true sound and {instead} are not "
                    "told apart"
                )
        elif gap["p"] < ALPHA:
            better = (
                "reads better than it hears" if gap["mean"] > 0 else "hears better than it reads"
            )
            text = f"{label} {better}: from MIDI text and by ear,"
        else:
            text = f"Whether {label} reads or hears better is not shown: from MIDI text and by ear,"
        joint = "," if gap["tag"] == "audio" else ""
        yield finding("listening", f"{text}{joint} {numbers}.")


_COMPARED = {"accuracy": "accuracy", "f1": "F1", "recall": "recall", "precision": "precision"}


def beside_people(
    reference: Reference | None, runs: Sequence[tuple[str, GroupFigures]]
) -> Iterator[Finding]:
    """The best published model and the best people beside the best run here, on one figure.

    The best run is that with the highest accuracy, whatever the figure: precision leaves out
    replies that cannot be read, and would put a run first that hardly answers.

    Parameters
    ----------
    reference : Reference or None
    runs : sequence of tuple
        Label and figures of the whole, of each run that holds the whole benchmark.
    """
    if reference is None:
        return
    for kind, words in (("human", "The best people"), ("model", "The best published model")):
        rows = {
            name: row[ALL]
            for name, row in reference.rows.items()
            if reference.kinds.get(name) == kind and ALL in row
        }
        figure = next((f for f in _COMPARED if any(f in row for row in rows.values())), None)
        ours = [(own.accuracy, label, own) for label, own in runs if own.accuracy]
        if figure and ours:
            value, name = max((row[figure], name) for name, row in rows.items() if figure in row)
            highest, label, own = max(ours, key=lambda entry: entry[:2])
            value_here: float | None = getattr(own, figure)
            if value_here is None:
                continue
            best = f"{_COMPARED[figure]} {percent(value_here)}"
            if figure == "precision" and own.answered < own.n:
                best += (
                    f" of the {percent(own.answered / own.n)} of the questions to which it "
                    f"gave a readable answer, {percent(highest)} of all"
                )
            yield finding(
                "published",
                f"{words} in the literature ({name}): {_COMPARED[figure]} {percent(value)}; the "
                f"run here with the highest accuracy, {label}: {best}. {reference.source}.",
            )
