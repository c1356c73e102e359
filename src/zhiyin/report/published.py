"""Published rows beside runs, those that cannot be compared, and the origin of replies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from zhiyin.analysis.run import origins_beside
from zhiyin.report.paper_runs import reference_of
from zhiyin.runs.measures import Estimate, Measure
from zhiyin.words import Said, said

if TYPE_CHECKING:
    from zhiyin.contract.declared import Reference
    from zhiyin.report.paper_runs import PaperRun
    from zhiyin.words.findings import Warning

Columns = Mapping[str, tuple[Measure, str]]
"""Measure and group by the name of their column."""


class PublishedRow(NamedTuple):
    """A published row: its name, whose it is, and by column its figures, which have no interval."""

    name: str
    kind: Any
    cells: dict[str, Estimate]


MOST = 10
"""Published rows beside runs on a page."""


def most_telling(reference: Reference, figures: Mapping[str, float], sign: int = 1) -> list[str]:
    """At most ten of some rows, newest first: the best, the set's own, and the newest.

    Parameters
    ----------
    reference : Reference
    figures : mapping of str to float
        By row.
    sign : {1, -1}
        -1 where less is better.
    """
    best = sorted(figures, key=lambda name: -sign * figures[name])
    kinds = {reference.kinds.get(name, "model"): name for name in reversed(best)}
    newest = sorted(best, key=lambda name: reference.of(name).date, reverse=True)
    own = [name for name in best if name in reference.own][: MOST // 2]
    kept = list(dict.fromkeys([*kinds.values(), *own, *newest]))[:MOST]
    return [name for name in newest if name in kept]


def why_apart(reference: Reference, name: str) -> Said | None:
    """Say why a row cannot be compared; None where it can."""
    flag, value = reference.apart.get(name, ("", ""))
    return said("published-why", flag=flag, value=value) if flag else None


def all_apart(reference: Reference | None) -> Said | None:
    """Say how many rows cannot be compared, and why; None where all can."""
    if reference is None or not reference.apart:
        return None
    counts = Counter(reference.apart.values())
    whys = [said("published-why-n", n=n, flag=flag, value=value)
            for (flag, value), n in counts.most_common()]  # fmt: skip
    return said("published-apart", n=len(reference.apart), whys=whys)


def origins(runs: Sequence[PaperRun]) -> list[Warning]:
    """Warn the readers of several runs of where their replies are from."""
    names, folders = [run.label for run in runs], [run.folder for run in runs]
    return [one for _, one in origins_beside(names, folders, [run.manifest for run in runs])]


_SAME = {"accuracy": ("accuracy", "recall")}
"""Recall over all questions is accuracy."""


def published_rows(
    figures: Columns, runs: Sequence[PaperRun], *, aside: bool = False
) -> list[PublishedRow]:
    """List the published rows for groups that every run here holds whole, newest first.

    `aside`: those that cannot be compared with these runs for another reason.
    """
    reference = reference_of(runs)
    if reference is None:
        return []
    rows = []
    for name, row in (reference.aside if aside else reference.rows).items():
        cells = {}
        for column, (measure, group) in figures.items():
            published = row.get(group, {})
            names = _SAME.get(measure.name, (measure.name,))
            value = next((published[one] for one in names if one in published), None)
            if value is not None and all(run.coverage.whole(group) for run in runs):
                cells[column] = Estimate(measure, value)
        if cells:
            rows.append(PublishedRow(name, reference.kinds.get(name, "model"), cells))
    rows.sort(key=lambda row: -(next(iter(row.cells.values())).value or 0.0))
    return sorted(rows, key=lambda row: reference.of(row.name).date, reverse=True)
