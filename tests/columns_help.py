"""Trials that stand in no log, said one by one: their rows and figures."""

from zhiyin.analysis.compare import two_runs
from zhiyin.analysis.pairs import shared_items
from zhiyin.record import Exchange, Record, Verdict
from zhiyin.runs.estimates import Frame, estimate
from zhiyin.runs.figures import Figures, figures
from zhiyin.runs.measures import measure_named
from zhiyin.runs.rows import Rows, read_table
from zhiyin.runs.table import RunTable
from zhiyin.trial import Option, Trial


def rows_from(records):
    """Rows of records that stand in no log, each of a trial of its own."""
    table = RunTable.of(records, hold=True)
    return Rows(table, table.rows)


def record_of(
    number,
    state,
    groups=(),
    cluster=None,
    *,
    item="",
    condition="",
    plain=True,
    options=0,
    scores=None,
):
    """A record in a state; without an item it is one of its own."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[:options]
    trial = Trial(
        f"t{number}", (), groups=tuple(groups), cluster=cluster, item=item or f"alone {number}",
        condition=condition, options=tuple(Option(x, x, x) for x in letters),
        target="A" if options else None, tags={} if plain else {"audio": "noise"},
    )  # fmt: skip
    return Record(trial.id, Verdict(state, None, scores=scores or {}), trial, Exchange(()))


def rows_of_answers(answers):
    """Rows of answers: item (None for one of its own), condition, cluster, right, readable."""
    return rows_from(
        record_of(
            n,
            "correct" if right else "wrong" if readable else "no_answer",
            cluster=cluster,
            item="" if item is None else f"item {item}",
            condition=condition,
        )
        for n, (item, condition, cluster, right, readable) in enumerate(answers)
    )


def interval_of(rows, figure="accuracy"):
    """A figure with its interval; None where there is none."""
    return estimate(rows, measure_named(figure)).interval


class Tally:
    """Trials, added one by one; it is asked as `Figures` are."""

    def __init__(self):
        self._records = []

    def add(self, state, groups, cluster=None, **asked):
        """A trial; without an item it is one of its own."""
        self._records.append(record_of(len(self._records), state, groups, cluster, **asked))

    def __getattr__(self, name):
        return getattr(Figures(Frame(rows_from(self._records))), name)


def figures_in(folder):
    """The figures of a run."""
    return figures(read_table(folder))


def paired_scores(first, second):
    """What two runs share: the values of either by item, and the clusters of the items."""
    both = shared_items(*two_runs(first, second))
    return both.first[:, 0], both.second[:, 0], both.clusters
