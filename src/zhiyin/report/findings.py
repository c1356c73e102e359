"""What the figures say: each finding computed from the data, each leading to its trials."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from zhiyin.contract.declared import Reference
from zhiyin.engine.tally import ALL
from zhiyin.runs.figures import GroupFigures
from zhiyin.statistics.choice import LetterBias
from zhiyin.statistics.intervals import Interval, wilson
from zhiyin.words import Said, said

ALPHA = 0.05
_MOST_NAMED = 4


class Finding(msgspec.Struct, frozen=True):
    """Something that the figures say.

    Attributes
    ----------
    topic : str
        The question that it answers.
    words : Said
    show : dict of str to str or None
        The filter of the trial list that it speaks of.
    """

    topic: str
    words: Said
    show: dict[str, str] | None = None


def finding(topic: str, words: Said, **show: str) -> Finding:
    """A finding, and the filter of the trial list that it speaks of."""
    return Finding(topic, words, show or None)


def headline(
    label: str,
    run: int,
    figures: dict[str, GroupFigures],
    *,
    group: str = ALL,
    heard: bool = True,
    within: dict[str, str] | None = None,
    title: str = "",
    instead: Said | None = None,
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
    of = None if group == ALL else title or group
    yield finding("score", instead or _accuracy(label, whole, share, of))
    yield from _unread_and_wrong(label, run, whole, heard, within)


def _accuracy(label: str, whole: GroupFigures, share: Interval, group: str | None) -> Said:
    chance, guess = whole.chance, str(whole.guess)
    if guess == "open" and chance is not None and not share.low <= chance <= share.high:
        guess = "untold"
    uneven = abs(whole.correct - whole.n * share.mean) >= 0.5
    return said(
        "finding-accuracy",
        who=label,
        value=share.mean,
        n=whole.n,
        items=whole.items if uneven else None,
        group=group,
        low=share.low,
        high=share.high,
        guess="free" if chance is None else guess,
        chance=chance,
        clusters=share.clusters,
        over="clusters" if whole.clusters else "items",
    )


def _unread_and_wrong(
    label: str, run: int, whole: GroupFigures, heard: bool, within: dict[str, str]
) -> Iterator[Finding]:
    if whole.ifr is not None and whole.ifr < 0.995:
        missing = whole.n - whole.answered
        words = said("finding-unread", n=missing, who=label, share=missing / whole.n)
        yield finding("score", words, run=str(run), state="unanswered", **within)
    wrong = whole.answered - whole.correct  # no answer is none, as in the counts of states
    if wrong:
        words = said("finding-wrong", who=label, n=wrong, heard=heard)
        yield finding("mistakes", words, run=str(run), state="wrong", **within)


def _without_headline(label: str, figures: dict[str, GroupFigures], state: str) -> Said:
    """What to say of a run that has no figure under "all"."""
    altered = [name for name, own in figures.items() if own.n and is_condition(name)]
    if altered:
        return said("finding-altered", who=label, ways=altered)
    if any(own.n for own in figures.values()):
        return said("finding-outside", who=label)
    if state == "measured":
        return said("finding-measured", who=label)
    if state == "ungraded":
        return said("finding-ungraded", who=label)
    if any(own.errors for own in figures.values()):
        return said("finding-dead", who=label)
    return said("finding-empty", who=label)


def is_condition(group: str) -> bool:
    """Whether a group is that of an altered condition."""
    return all("=" in part for part in group.split("/"))


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
    ways = []
    for tag, main in mixed.items():
        others = sorted({str(facts[tag]) for facts in all_facts if tag in facts} - {main})
        if tag == "audio":
            ways.append(said("finding-altered-sound", values=others))
        else:
            ways.append(said("finding-fewer-distractors", values=others))
    if ways:
        show = {f"tag.{tag}": main for tag, main in mixed.items()}
        yield finding("score", said("finding-mixed", ways=ways), **show)


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
    best = {}
    for pair in pairs:
        if order[0] in (pair["first"], pair["second"]):
            other = pair["second"] if pair["first"] == order[0] else pair["first"]
            best[other] = pair
    words = said(
        "finding-ranking",
        items=shared,
        runs=[said("finding-group", group=labels[run], value=score) for run, score in ranked],
        best=labels[order[0]],
        open=[labels[r] for r in order[1:] if r not in best or not _wins(best[r], order[0])],
    )
    nearest = next((best[run] for run in order[1:] if run in best), None)
    return [finding("comparison", words)], [nearest] if nearest else []


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
    words = _compared(first, second, rows[ALL])
    yield finding("comparison", words, agree=f"apart:{pair['first']}:{pair['second']}")
    yield from _by_group(rows, groups, (pair["first"], pair["second"]), (first, second))


def _compared(first: str, second: str, whole: dict[str, Any]) -> Said:
    """Two runs on all that both were judged on."""
    items, low, high, p = whole["n"], whole["low"], whole["high"], whole["adjusted"]
    if p < ALPHA:
        better, worse = (first, second) if whole["mean"] > 0 else (second, first)
        low, high = (low, high) if whole["mean"] > 0 else (-high, -low)
        return said(
            "finding-better",
            better=better,
            worse=worse,
            mean=abs(whole["mean"]),
            items=items,
            low=low,
            high=high,
            p=p,
        )
    if low == high:
        return said("finding-same", first=first, second=second, items=items)
    beyond = low > 0 or high < 0  # of an interval that rests on few clusters
    return said(
        "finding-apart",
        first=first,
        second=second,
        items=items,
        mean=whole["mean"],
        low=low,
        high=high,
        p=p if beyond else None,
        detectable=whole["detectable"] if not beyond and whole["detectable"] <= 1 else None,
        over="clusters" if whole["clusters"] < items else "items",
    )


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
            other, ends = (second, pair) if sign > 0 else (first, (pair[1], pair[0]))
            words = said(
                "finding-better-in",
                better=name,
                worse=other,
                groups=[
                    said("finding-better-by", group=label, mean=abs(row["mean"]))
                    for label, row in won[:_MOST_NAMED]
                ],
                more=max(0, len(won) - _MOST_NAMED),
            )
            show = {"group": won[0][1]["group"], "agree": f"only:{ends[0]}:{ends[1]}"}
            yield finding("comparison", words, **show)
    open_ones = sum(row["adjusted"] >= ALPHA for _, row in upper)
    if open_ones and rows[ALL]["low"] < rows[ALL]["high"]:
        yield finding(
            "comparison",
            said("finding-open-groups", open=open_ones, of=len(upper), first=first, second=second),
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
    name, chosen, keyed = liked["letter"], liked["chosen"], liked["keyed"]
    both = bias.rstd is not None and bias.rstd_by_chance is not None
    rstd, by_chance = (bias.rstd, bias.rstd_by_chance) if both else (None, None)
    if liked["verdict"] == "always":
        words = said("finding-always", who=label, letter=name)
    elif liked["verdict"] == "favours":
        words = said(
            "finding-favours",
            who=label,
            letter=name,
            chosen=chosen,
            keyed=keyed,
            p=liked["p"],
            rstd=rstd,
            by_chance=by_chance,
        )
    else:
        words = said(
            "finding-no-letter",
            who=label,
            letter=name,
            chosen=chosen,
            keyed=keyed,
            rstd=rstd,
            by_chance=by_chance,
        )
    yield finding("letters", words, run=str(run), letter=name)


def _favoured(bias: LetterBias, name: str) -> bool:
    """Whether a letter is chosen more often than by one who spreads guesses evenly."""
    chosen = next(letter.chosen for letter in bias.letters if letter.letter == name)
    share = chosen / bias.answered
    return wilson(share * bias.units, bias.units).low > 1 / len(bias.letters)


def listening(label: str, gaps: Sequence[dict[str, Any]]) -> Iterator[Finding]:
    """Whether the answers depend on the sound, and whether reading goes better than hearing."""
    for gap in gaps:
        verdict = "open" if gap["p"] >= ALPHA else "better" if gap["mean"] > 0 else "worse"
        facts = {name: gap[name] for name in ("a", "b", "n", "mean", "low", "high", "p")}
        if gap["tag"] == "audio":
            instead = "no-sound" if gap["second"] == "none" else gap["second"]
            words = said("finding-listening", who=label, verdict=verdict, instead=instead, **facts)
        else:
            words = said("finding-reading", who=label, verdict=verdict, **facts)
        yield finding("listening", words)


_COMPARED = ("accuracy", "f1", "recall", "precision")


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
    for kind in ("human", "model"):
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
            unread = figure == "precision" and own.answered < own.n
            words = said(
                "finding-published",
                kind=kind,
                name=name,
                figure=figure,
                value=value,
                who=label,
                ours=value_here,
                answered=own.answered / own.n if unread else None,
                accuracy=highest,
                source=reference.source,
            )
            yield finding("published", words)
