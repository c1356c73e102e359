"""Figures of answers that stand in no table: their columns, by hand."""

import numpy as np

from zhiyin.errors import InputError
from zhiyin.record import SCORE
from zhiyin.statistics.scores import ALONE, Answers, Index, mean_score


def items_of(entries):
    """Right and readable answers by item, as of the rows of a run."""
    judged = [entry for entry in entries if entry.judged]
    if not judged:
        raise InputError("no trial has been judged: there is no figure to give")
    index = Index()
    for one in judged:
        index.number(one.item, one.condition, one.trial.cluster)
    codes = [2 * bool(one.right) + one.answered for one in judged]
    return Answers.of(index, np.arange(len(judged)), np.array(codes, dtype=np.uint8)).by_item()


def score_interval(entries, figure="accuracy"):
    return items_of(entries).interval(figure)


def figure_interval(entries, figure):
    if not figure.startswith(SCORE):
        return score_interval(entries, figure)
    name = figure.removeprefix(SCORE)
    own = [entry for entry in entries if entry.judged and name in entry.verdict.scores]
    values, items, ways, clusters = (
        np.array(column)
        for column in (
            [entry.verdict.scores[name] for entry in own],
            [hash(entry.item) for entry in own],
            [hash(entry.condition) if entry.condition else 0 for entry in own],
            [ALONE if one.trial.cluster is None else hash(one.trial.cluster) for one in own],
        )
    )
    return mean_score(name, values, items, ways, clusters, lambda place: own[place].item)
