"""Findings on groups of a run alone: one answer, a favoured letter, altered sound.

One answer to everything is found where all readable replies of a group say the same, or nearly all.
How often such an answer is right says what the key is, and nothing of the model. Where no letter is
the same throughout, but the option behind it, or a free answer, that is found, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

import msgspec
import numpy as np

from zhiyin.analysis.run import RunKind, kind_of_run
from zhiyin.engine.folder import Manifest
from zhiyin.engine.scoring import ALL
from zhiyin.runs.differences import Contrast, contrasted, side_of
from zhiyin.runs.estimates import Frame
from zhiyin.runs.figures import ByItself
from zhiyin.runs.measures import ANSWERED, UNREAD, Estimate, Ints, Measure, ratio
from zhiyin.runs.rows import Rows
from zhiyin.runs.sums import reduced, summed
from zhiyin.runs.ways import NO_SOUND, Codes, Way
from zhiyin.statistics.choice import LetterBias, letter_bias
from zhiyin.statistics.intervals import Floats, in_order, wilson
from zhiyin.words import Said, Text, said

SHARE_ALIKE = 0.99
"""Where so many say the same, the others move a figure by less than a point."""
LEAST, LEAST_ITEMS = 10, 5
"""Of fewer readable replies, or about fewer items, one answer tells nothing."""
MOST_ALIKE = 0.8
"""Where one answer is right more often than this, who is right gives it nearly always, too."""
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
        """Its name: its letter, as wherever letters are told of; its words where it has none."""
        return self.letter or self.text

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


ALPHA = 0.05
LEAST_ANSWERS = 20
"""Of fewer it is not said that no letter is favoured: nothing could have been found."""
_LARGE_RUN = 0.2
"""By how much a letter's share of a group's answers is above its share of the key, to be told."""


class FavouredLetter(msgspec.Struct, frozen=True):
    """The letter that most exceeds the key, and whether it is favoured.

    Attributes
    ----------
    verdict : {"always", "favours", "none"}
    letter : str
    chosen, keyed : float
        Shares of the answers and of the key.
    p : float or None
    by_itself : ByItself or None
        Of one that is favoured by itself, and not after the correction for all runs of a page.
    """

    verdict: Literal["always", "favours", "none"]
    letter: str
    chosen: float
    keyed: float
    p: float | None
    by_itself: ByItself | None = None

    @property
    def told(self) -> Said:
        """Text beside the figure: "often A"."""
        return said("short-often", letter=self.letter)


def letters_in(rows: Rows) -> LetterBias | None:
    """Chosen letters against the key; None without lettered options, and where nothing is right or
    wrong.
    """
    rows = rows.judged.which(lambda kind: kind.gold is not None)
    if not rows:
        return None
    outcomes, kinds = rows.table.outcomes, rows.table.kinds
    chosen = [outcomes[n].letter for n in rows.table.outcome[rows.numbers].tolist()]
    gold = [kinds[n].gold or "" for n in rows.table.kind[rows.numbers].tolist()]
    return letter_bias(chosen, gold, rows.items.tolist())


def favoured_letter(bias: LetterBias | None) -> FavouredLetter | None:
    """Find the letter that is favoured, if any.

    None where there are no letters to favour, or too few answers to tell.
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
    verdict: Literal["always", "favours", "none"] = "none"
    # More often than by one who spreads guesses evenly.
    is_often = wilson(chosen * bias.units, bias.units).low > 1 / len(bias.letters)
    if sum(letter.chosen > 0 for letter in bias.letters) == 1 and bias.answered >= LEAST_ANSWERS:
        verdict = "always"
    elif test is None:
        return None
    elif test.p < ALPHA and is_often:
        verdict = "favours"
    if verdict == "none" and bias.answered < LEAST_ANSWERS:
        return None
    return FavouredLetter(verdict, name, chosen, keyed, None if test is None else test.p)


def letters_within(frame: Frame) -> dict[str, FavouredLetter]:
    """The groups of a run in which a letter is favoured by far, the whole among them.

    None within a group of which the same is found. Corrected by Bonferroni for all groups with
    enough answers; of altered conditions none is.
    """
    (rows,) = frame.several
    table, ways = rows.table, rows.ways
    codes = Codes[str | None](None)
    letters = np.array([codes[one.letter] for one in table.outcomes], dtype=np.int64)
    keys = np.array([codes[one.gold] for one in table.kinds], dtype=np.int64)
    took, right = letters[table.outcome[rows.numbers]], keys[table.kind[rows.numbers]]
    counted = ANSWERED[frame.state] & (took > 0) & (right > 0)
    looked_at = {
        group: own
        for group in frame.groups()
        if not ways.is_altered(group)
        and len(own := (places := frame.places(group))[counted[places]]) >= LEAST_ANSWERS
    }
    found: dict[str, FavouredLetter] = {}
    for group, places in looked_at.items():
        chosen, keyed = (np.bincount(x[places], minlength=len(codes)) for x in (took, right))
        excess, above = chosen - keyed, group.split("/")
        wider = {ALL, *("/".join(above[:n]) for n in range(len(above)))} & found.keys()
        letter = codes.names[excess.argmax()]
        if excess.max() < _LARGE_RUN * len(places) or letter in {
            found[one].letter for one in wider
        }:
            continue
        own = favoured_letter(letters_in(frame.rows(frame.places(group))))
        if own and own.verdict == "favours" and (own.p or 0.0) * len(looked_at) < ALPHA:
            found[group] = own
    return found


_LEAST = 10
"""Of fewer clusters, here or elsewhere, nothing is said of a group."""
_LARGE = 0.1
"""By how much what the sound adds to a group is other than elsewhere, to be told."""


class ConditionGap(NamedTuple):
    """A run's accuracy on the same items under two conditions.

    Attributes
    ----------
    way : Way
        What the conditions are of.
    first, second : str
        The conditions: values of the tag.
    gap : Estimate
        First minus second, paired by item; p by flipping the signs of whole clusters.
    guessed : bool
        Whether replies without an answer count as guesses in it.
    """

    way: Way
    first: str
    second: str
    gap: Estimate
    guessed: bool = False

    @property
    def of_hearing(self) -> bool:
        """Tell whether what was played, or whether anything was, is what differs."""
        return self.way.changes in ("sound", "dose", "medium")

    @property
    def listens(self) -> bool:
        """True if the first is shown to be better."""
        return self.gap.p is not None and self.gap.p < ALPHA and (self.gap.value or 0.0) > 0

    @property
    def told(self) -> Said:
        """Text beside a figure: "+12.0 points over no sound"."""
        return said("short-points-over", gap=self.gap.value, other=self.second)


def condition_gaps(rows: Rows) -> list[ConditionGap]:
    """Compare a run's accuracy under conditions that are set against each other.

    Found by the first way with a contrast that the run has values of, with item and all ways
    without a contrast equal. Repeats are averaged first, and what was asked about one item in
    several other conditions after.
    """
    for way, asked, declared in _set_apart(rows):
        if found := contrasted(asked, declared, fewest=2):
            guessed = way.changes in ("sound", "dose") and bool(UNREAD[asked.states].any())
            return [ConditionGap(way, *one.sides, one, guessed) for one in found]
    return []


def _set_apart(rows: Rows) -> Iterator[tuple[Way, Rows, list[Contrast]]]:
    """Each way with a contrast, what was asked in it, and what is set against what."""
    within = tuple(way.name for way in rows.ways if not way.contrast)
    for way in rows.ways:
        if not way.contrast:
            continue
        asked = rows.judged.which(lambda kind, way=way: way.name in kind.tags)  # type: ignore[misc]
        for other in rows.ways:
            if other.above_benchmarks and other != way:
                asked = asked.in_main(other)
        values = [
            str(value)
            for value in asked.by_way(way)
            if str(value) != way.contrast and (way.changes != "dose" or value == NO_SOUND)
        ]
        sides = [(side_of(way, way.contrast), side_of(way, value)) for value in values]
        yield way, asked, [Contrast(*two, within=within) for two in sides]


def listening_within(frame: Frame) -> dict[str, ConditionGap]:
    """The groups of a run in which true sound adds nothing, where it does elsewhere; or the other
    way about.

    What it adds to a group is tested against what it adds to all other items (jackknife over
    clusters; Bonferroni over groups and conditions).
    """
    (rows,) = frame.several
    tested = []
    for way, asked, declared in _set_apart(rows):
        if way.changes not in ("sound", "dose"):
            continue
        parts = asked.by_kind(lambda kind: [one for one in kind.bare if one not in ("", ALL)])
        for each in declared:
            both, _ = each.laid(asked)
            gaps, home = ratio(both.first) - ratio(both.second), in_order(both.clusters)[0]
            for group, part in parts.items():
                inside = np.isin(both.names, np.unique(part.items))
                halves = (inside, ~inside)
                if min(len(np.unique(home[half])) for half in halves) >= _LEAST:
                    columns = [x * half for half in halves for x in (gaps, np.ones(len(gaps)))]
                    sums = summed(home, np.array(columns).T)
                    tested.append((way, asked, part, each, sums, group))
    found: dict[str, ConditionGap] = {}
    family = max(1, len(tested))
    for way, asked, part, each, sums, group in tested:
        value, low, high, *_ = reduced(_APART, sums, 0, 1 - ALPHA / family)
        if value is None or low is None or high is None or abs(value) < _LARGE:
            continue
        if low <= 0 <= high or group in found:
            continue
        here, whole = (
            ConditionGap(way, *one.sides, one)
            for of in (part, asked)
            for one in contrasted(of, [each])
        )
        certain = here.listens and (here.gap.p or 0.0) * family < ALPHA
        if here.listens != whole.listens and certain == here.listens:
            found[group] = here
    return found


def _apart(sums: Floats) -> Floats:
    """Subtract the mean of all else from that of a group."""
    return ratio(sums[..., :2]) - ratio(sums[..., 2:])


_APART = Measure("apart", range=(None, None), value=_apart, method="jackknife")


class Within(msgspec.Struct, frozen=True):
    """Findings on groups of a run, by their names.

    Attributes
    ----------
    always : dict of str to SoleAnswer
        The one answer that was given to everything.
    often : dict of str to FavouredLetter
    adds : dict of str to ConditionGap
        What true sound adds, where that is other than elsewhere; names without ways before them.
    """

    always: Mapping[str, SoleAnswer] = {}
    often: Mapping[str, FavouredLetter] = {}
    adds: Mapping[str, ConditionGap] = {}

    @classmethod
    def of(cls, frame: Frame) -> Within:
        """Find what there is in the groups of a run."""
        return cls(constant_answers(frame), letters_within(frame), listening_within(frame))

    def told(self, group: str) -> Iterator[Text]:
        """Yield texts beside a group's figure and its interval."""
        if often := self.often.get(group):
            yield often.told
        if adds := self.adds.get(group):
            yield adds.told
