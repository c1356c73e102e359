"""Figures of trials that are said one by one, as no run has them."""

from zhiyin.record import STATES
from zhiyin.runs.columns import clusters_of, names_of
from zhiyin.runs.figures import Figures, figures
from zhiyin.runs.rows import read_table
from zhiyin.runs.ways import Codes


def figures_in(folder):
    """The figures of a run."""
    return figures(read_table(folder))


class Tally:
    """Trials, added one by one; it is asked as `Figures` are."""

    def __init__(self):
        self._rows = []

    def add(self, state, groups, cluster=None, *, item="", condition="", plain=True, options=0):
        """A trial; without an item it is one of its own."""
        item = item or ("alone", len(self._rows))
        self._rows.append((state, tuple(groups), cluster, repr(item), condition, plain, options))

    def __getattr__(self, name):
        sorts, ways = Codes(), Codes("")
        return getattr(
            Figures(
                sorts.names,
                [sorts[row[5], row[1]] for row in self._rows],
                [STATES.index(row[0]) for row in self._rows],
                names_of(row[3] for row in self._rows),
                [ways[row[4]] for row in self._rows],
                clusters_of([row[2] for row in self._rows]),
                [row[6] for row in self._rows],
            ),
            name,
        )
