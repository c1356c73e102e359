"""Figures of a run by rules other than its own, read from its log again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np

from zhiyin.contract.declared import Cell, Kind, Section, heads
from zhiyin.contract.policies import open_policy
from zhiyin.engine.scoring import judge_choice
from zhiyin.record import Record, Verdict
from zhiyin.runs.estimates import Frame
from zhiyin.runs.figures import group_in_words
from zhiyin.runs.rows import Rows
from zhiyin.words import Said, Text, said
from zhiyin.words.reasons import reason

_MOST_CAUSES = 3


def verdict_by(rule: str, record: Record) -> Verdict:
    """The verdict on a record by a named policy; its own where that is what it was read by."""
    policy = open_policy(rule)
    if policy.label == record.verdict.policy:
        return record.verdict
    return judge_choice(record.trial, record.exchange, policy)


def sections_by_rules(rows: Rows, rules: Mapping[str, str]) -> list[Section]:
    """Accuracy and instruction-following rate by group under each rule, and why two rules differ.

    Parameters
    ----------
    rows : Rows
        Of choices.
    rules : mapping of str to str
        Policies and how their columns are headed; ours first, with which the others are compared.

    Returns
    -------
    list of Section
        None where nothing has been judged. Intervals as in every table: repeats averaged within
        items, by cluster.
    """
    judged = rows.judged
    if not judged:
        return []
    ours, *others = rules
    gone: dict[str, Counter[str]] = {rule: Counter() for rule in others}
    won: Counter[str] = Counter()
    right, read = ({rule: np.zeros(len(judged)) for rule in rules} for _ in range(2))
    for place, record in enumerate(judged.records()):
        verdicts = {rule: verdict_by(rule, record) for rule in rules}
        for rule, verdict in verdicts.items():
            right[rule][place] = verdict.state == "correct"
            read[rule][place] = verdict.state in ("correct", "wrong")
        for rule in others:
            if verdicts[ours].state == "correct" != verdicts[rule].state:
                gone[rule][verdicts[rule].why] += 1
            won[rule] += verdicts[rule].state == "correct" != verdicts[ours].state
    frame, lines = Frame(judged), list[list[Cell]]()
    for name in frame.groups(tree=False):
        if name.count("/") > 1 and "/" in rows.ways.bare(name):
            continue
        places, cells = frame.places(name), list[Cell]()
        for rule in rules:
            own, ifr = (frame.mean(values[rule], places) for values in (right, read))
            assert own is not None
            assert ifr is not None
            cells += [own.ends, ifr.mean]
        lines.append([group_in_words(name), len(np.unique(frame.item[places])), *cells])
    columns: list[Text] = [*heads("group", "items")]
    for heading in rules.values():
        columns += [f"{heading}, %", said("one-log-ifr", rule=heading)]
    named = [f"{heading}: --extract {rule}" for rule, heading in rules.items()]
    notes = [said("one-log-columns", rules=named)]
    notes += [
        _difference_line(rules[ours], rules[rule], gone[rule], won[rule], len(judged))
        for rule in others
    ]
    shares: list[Kind] = ["share", "share"] * len(rules)
    kinds: list[Kind] = ["text", "count", *shares]
    return [Section(said("one-log-title"), columns, lines, notes, kinds=kinds)]


def _difference_line(ours: str, other: str, gone: Counter[str], won: int, total: int) -> Said:
    """Count how often two rules differ, and say why the other finds no right answer."""
    lost = gone.total()
    if not lost and not won:
        return said("one-log-same", ours=ours, other=other, n=total)
    causes = [said("cause", n=n, what=reason(why)) for why, n in gone.most_common(_MOST_CAUSES)]
    return said(
        "one-log-differ", ours=ours, other=other, n=lost, of=total, won=won, causes=causes or None
    )
