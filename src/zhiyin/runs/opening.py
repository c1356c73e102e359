"""The table of a run: read once for each state of its log, and kept for the next time."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any

import numpy as np

from zhiyin.engine.folder import find_log, stamp_of
from zhiyin.engine.log import is_being_written
from zhiyin.files import Place
from zhiyin.runs import cache
from zhiyin.runs.table import Floats, RunTable
from zhiyin.runs.ways import ways_in

_open: dict[Path, tuple[tuple[int, ...], RunTable, str]] = {}
"""Tables that were read last, with the stamps of their logs, and what their facts are of."""
_MOST_OPEN = 8


def read_table(
    folder: Place,
    facts: Callable[[Any], Hashable] | None = None,
    of: str = "",
    *,
    questions: bool = False,
) -> RunTable:
    """The table of a run: the one of before where its log is as it was then, or one that is kept.

    Parameters
    ----------
    folder : Path
    facts : callable, optional
        See `RunTable`. It must be the same for all readers of a run that give any.
    of : str, optional
        Which of `cache.FACTS` these are, so that a table with them may be kept.
    questions : bool
        Whether what each trial asks will be looked at, so that it is kept, too.

    Raises
    ------
    InputError
        The folder is not a run, or its log is damaged.
    """
    path = find_log(folder).absolute()
    stamp = stamp_of(path)
    known = _open.pop(path, None)
    table = None
    if known is not None and (known[1].has_facts or not facts):
        facts, of = known[1].wanted_facts, known[2]
        if known[0] == stamp or known[1].grow():
            table = known[1]
    if table is None:
        table = _opened(Path(folder), path, stamp, facts, of)
    if questions and table.unasked:
        table.question  # noqa: B018  # which makes it
        if of or not facts:
            cache.keep(path, stamp, table.kept(of))
    _open[path] = stamp, table, of
    while len(_open) > _MOST_OPEN:
        del _open[next(iter(_open))]
    return table


def _opened(
    folder: Path,
    path: Path,
    stamp: tuple[int, ...],
    facts: Callable[[Any], Hashable] | None,
    of: str,
) -> RunTable:
    """The table of a run that was kept, or a new one, which is kept then."""
    ways = ways_in(folder)
    old = cache.find(path, stamp, of) if of or not facts else None
    if old is not None and old.ways == ways:
        return RunTable.of_kept(folder, old, facts)
    table = RunTable(folder, facts, ways)
    if (of or not facts) and not is_being_written(folder):
        cache.keep(path, stamp, table.kept(of))
    return table


def latencies(table: RunTable) -> Floats:
    """Seconds from sending to the last byte, of all calls of which they are known."""
    known = [alike.latency_s[~np.isnan(alike.latency_s)] for alike in table.calls()]
    return np.concatenate([np.empty(0), *known])
