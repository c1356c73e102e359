"""One answer to everything: groups in which all readable replies say the same, or nearly all.

How often such an answer is right says what the key is, and nothing of the model. Where no letter is
the same throughout, but the option behind it, or a free answer, that is found, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec
import numpy as np

from zhiyin.analysis.run_kind import RunKind, kind_of_run
from zhiyin.engine.folder import Manifest
from zhiyin.engine.scoring import ALL
from zhiyin.runs.estimates import Frame
from zhiyin.runs.measures import ANSWERED, Ints
from zhiyin.runs.rows import Rows
from zhiyin.runs.ways import Codes
from zhiyin.words import Text, said

SHARE_ALIKE = 0.99
"""Where so many say the same, the others move a figure by less than a point."""
LEAST, LEAST_ITEMS = 10, 5
"""Of fewer readable replies, or about fewer items, one answer tells nothing."""
MOST_ALIKE = 0.8
"""Where one answer is right more often than this, who is right gives it nearly always, too."""
_BRIEF = 20
"""So many signs are few, in the place of a letter."""
_LOOKED_AT = 64
"""So many records of a group, spread evenly, are read to know what was offered and what right."""


class SoleAnswer(msgspec.Struct, frozen=True):
    """The answer that all readable replies of a group give, or all but one in a hundred.

    Attributes
    ----------
    letter : str or None
        Under which it was shown throughout; None where the letters differ, or there are none.
    text : str
        The option's words where they are the same throughout, or a free answer; "" otherwise.
    n, items : int
        Replies, and what they are about.
    others : int
        Replies that say something else.
    """

    letter: str | None
    text: str
    n: int
    items: int
    others: int = 0

    @property
    def named(self) -> str:
        """Its name: its words, where these are few, else its letter."""
        brief = len(self.text) <= _BRIEF or self.letter is None
        return self.text if self.text and brief else self.letter or ""

    @property
    def told(self) -> Text:
        """Text beside the figure: "always A", "always A but 3"."""
        return said("short-always", letter=self.named, others=self.others)


def constant_answers(
    run: Rows | Frame, groups: Sequence[str] | None = None
) -> dict[str, SoleAnswer]:
    """The groups of a run in which one answer was given to (nearly) all questions, and that answer.

    Parameters
    ----------
    run : Rows or Frame
        Of one run, with its log.
    groups : sequence of str, optional
        As `Frame.places` takes them; by default all.

    Returns
    -------
    dict of str to SoleAnswer
        Only of groups whose right answers differ enough (see `MOST_ALIKE`), and of those within
        them: what all replies of a whole say, each part of it says, however small.
    """
    frame = run if isinstance(run, Frame) else Frame(run)
    (rows,) = frame.several
    outcomes = rows.table.outcomes
    letters, keys = _codes([one.letter for one in outcomes]), _codes([one.key for one in outcomes])
    found: dict[str, SoleAnswer] = {}
    replies: dict[str, Ints] = {}
    otherwise: dict[str, Ints] = {}
    for group in frame.groups() if groups is None else groups:
        places = frame.places(group)
        replies[group] = places = places[ANSWERED[frame.state[places]]]
        if len(places) < LEAST:
            continue
        given = rows.table.outcome[rows.numbers[places]]
        alike = [codes[given] == np.bincount(codes[given]).argmax() for codes in (letters, keys)]
        same_letter, same_key = (same.mean() >= SHARE_ALIKE for same in alike)
        if not (same_letter or same_key):
            continue
        items = len(np.unique(frame.item[places]))
        same = alike[0] if same_letter else alike[1]
        one = outcomes[given[same.argmax()]]
        own = _shown(frame, places, one.letter if same_letter else None, one.key, same_key)
        if own is not None and items >= LEAST_ITEMS:
            found[group] = SoleAnswer(*own, len(places), items, int((~same).sum()))
            otherwise[group] = places[~same]
    wholes = sorted(found, key=lambda group: len(replies[group]))
    within = np.full(len(frame.state), -1)  # the widest whole that holds each reply
    for number, group in enumerate(wholes):
        within[replies[group]] = number
    for group, places in replies.items():
        if group not in found and len(places) and within[places[0]] >= 0:
            number = within[places[0]]
            if (within[places] == number).all():
                items = len(np.unique(frame.item[places]))
                one = found[wholes[number]]
                others = int(np.isin(places, otherwise[wholes[number]]).sum())
                if others <= (1 - SHARE_ALIKE) * len(places):
                    found[group] = SoleAnswer(one.letter, one.text, len(places), items, others)
    return found


def kind_of_answers(manifest: Manifest, frame: Frame) -> RunKind:
    """Return the kind of who answered in a run: "constant" for a model with one answer to all.

    Its figure says what the key is, so it stands beside the models for scale, as a rule does.
    """
    kind = kind_of_run(manifest)
    return "constant" if kind == "model" and constant_answers(frame, [ALL]) else kind


def _shown(
    frame: Frame, places: Ints, letter: str | None, key: str | None, same_key: bool
) -> tuple[str | None, str] | None:
    """Letter and words of the one answer; None where nearly all questions have it."""
    kinds, times = frame.several[0].table.kinds, Counter[str | None]()
    for kind, n in zip(*np.unique(frame.kind[places], return_counts=True), strict=True):
        times[kinds[kind].gold] += int(n)
    by_letter = letter is not None and None not in times and _differ(times)
    looked_at = np.linspace(0, len(places) - 1, min(len(places), _LOOKED_AT)).astype(int)
    right, texts = Counter[str | None](), set[str]()
    for record in frame.rows(places[looked_at]).records() if same_key else ():
        offered = {option.key: option.text for option in record.trial.options}
        texts.add(offered.get(key or "", "") if offered else key or "")
        right[record.trial.target] += 1
    text = texts.pop() if len(texts) == 1 else ""
    if by_letter:
        return letter, text
    return (letter, text) if text and _differ(right) else None


def _codes(values: Sequence[str | None]) -> Ints:
    known = Codes[str | None]()
    return np.array([known[value] for value in values], dtype=np.int64)


def _differ(right: Counter[str | None]) -> bool:
    """Tell whether the right answers of a group differ enough."""
    return max(right.values()) <= MOST_ALIKE * right.total()
