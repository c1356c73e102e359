"""The tables that a benchmark makes of several runs, those with the same columns as one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from zhiyin.contract.declared import Kind, Section
from zhiyin.words import Text, said


def joined(several: Sequence[tuple[str, Section]], head: Text) -> list[Section]:
    """The tables of runs, those with one title and the same columns as one that names the runs.

    A note that is not of all of them names its run.

    Parameters
    ----------
    several : sequence of (str, Section)
        With what their runs are called.
    head : Text
        What the column of these names is called.
    """
    alike: dict[tuple[str, ...], list[tuple[str, Section]]] = {}
    for label, one in several:
        alike.setdefault((str(one.title), *map(str, one.columns)), []).append((label, one))
    return [_as_one(own, head) for own in alike.values()]


def _as_one(own: Sequence[tuple[str, Section]], head: Text) -> Section:
    (_, first), runs = own[0], {label for label, _ in own}
    rows = [(label, row) for label, one in own for row in one.rows]
    whole = msgspec.structs.replace(first, rows=[row for _, row in rows])
    kinds: list[Kind] = ["text", *(column.kind for column in whole.table().columns)]
    noted = {(label, str(note)): note for label, one in own for note in one.notes}
    times = Counter(text for _, text in noted)
    notes: list[Text] = [
        said("of-run", who=label, what=note)
        for (label, text), note in noted.items()
        if times[text] < len(runs)
    ]
    notes += {text: note for (_, text), note in noted.items() if times[text] == len(runs)}.values()
    return msgspec.structs.replace(
        first, columns=[head, *first.columns], rows=[[label, *row] for label, row in rows],
        notes=notes, kinds=kinds,
    )  # fmt: skip
