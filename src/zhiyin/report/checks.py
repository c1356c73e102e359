"""Four checks of a benchmark's figures: the whole of it, read rightly, one answer, listening."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import msgspec

from zhiyin.analysis.within import Within
from zhiyin.report.headlines import favours_a_letter, is_listening, is_whole
from zhiyin.report.standings import Lead, Standing
from zhiyin.shown.table import ShortAnswer
from zhiyin.words import Named, Said, Text, said

_READ = 0.98
"""Where this share of replies holds an answer, reading is no doubt of its own."""
_MOODS = ("bad", "soft", "good")


class Check(msgspec.Struct, frozen=True):
    """Result of a check of all models.

    Attributes
    ----------
    question : Said
    mood : {"good", "bad", "soft"}
        The worst of any model.
    verdict, detail : Text
    """

    question: Said
    mood: Literal["good", "bad", "soft"]
    verdict: Text
    detail: Text


def checks_of(
    lead: Lead, labels: Sequence[Named], within: Mapping[int, Within], tasks: Mapping[str, Text]
) -> list[Check]:
    """The checks of the models that a headline speaks of; of all runs where it speaks of none.

    Parameters
    ----------
    lead : Lead
    labels : sequence of Named
        Of all runs, by number.
    within : dict of int to Within
        What was found in groups of each run.
    tasks : dict of str to Text
        The groups that are tasks, and what they are called.
    """
    judged = [own for own in lead.standings if own.state == "judged"]
    able = [own for own in judged if not own.for_scale or own.kind == "constant"] or judged
    able = able or [own for own in lead.standings if own.state == "measured"]
    if not able:
        return []

    def one_answer(own: Standing) -> ShortAnswer:
        found, here = favours_a_letter(own), within[own.run]
        n = sum(task in here.always for task in tasks)
        if own.letter and own.letter.verdict == "always":
            return found
        liked = own.letter.letter if own.letter and found.mood == "bad" else ""
        often = {name: one.told for name, one in here.often.items() if one.letter != liked}
        others = told(often)
        if n:
            return ShortAnswer("bad", said("check-in-tasks", n=n, of=len(tasks)), others)
        if found.mood == "bad":
            return ShortAnswer("bad", found.text, both(found.detail, others))
        return ShortAnswer("bad", others) if others else ShortAnswer("soft", found.text)

    def listens(own: Standing) -> ShortAnswer:
        found = is_listening(own)
        adds = within[own.run].adds
        here = {name: one.told for name, one in adds.items()}
        if found.mood == "bad" or not (others := told(here, any(o.listens for o in adds.values()))):
            return found
        return ShortAnswer("soft", said("short-in-part"), both(found.detail, others))

    def both(first: Text | None, second: Said | None) -> Text | None:
        several = [each for each in (first, second) if each]
        return said("check-each", each=several) if len(several) > 1 else first or second

    def told(found: Mapping[str, Text], so: bool = True) -> Said | None:
        """Name the tasks that differ from the whole, and in what; those where it is not `so`."""
        each = [said("check-task", task=title, text=found[name])
                for name, title in tasks.items() if name in found]  # fmt: skip
        return said("check-within", each=each, so=so) if each else None

    fond = any(one_answer(own).mood == "bad" for own in judged if own not in able)
    every_good = all(_is_read([own]).mood == "good" for own in able)
    asked: list[tuple[Said, Callable[[Standing], ShortAnswer]]] = [
        (said("ask-whole"), lambda own: is_whole(own, lead.unit)),
        (said("ask-read"), lambda own: _is_read(able if every_good else [own])),
        (said("ask-letter"), one_answer),
        (said("ask-listening"), listens),
    ]
    return [
        _check(question, [(labels[o.run], of(o)) for o in able], named=fond and of is one_answer)
        for question, of in asked
    ]


def _is_read(several: Sequence[Standing]) -> ShortAnswer:
    """Tell whether the replies of runs hold an answer that could be read."""
    counts = [(state, n) for own in several for state, n in own.main.items() if state != "error"]
    replies = sum(n for _, n in counts)
    unread = sum(n for state, n in counts if state in ("no_answer", "refused", "truncated"))
    if not replies:
        return ShortAnswer("soft", said("short-not-known"))
    good = (replies - unread) / replies >= _READ
    detail = said("check-read-of", n=replies - unread, of=replies)
    return ShortAnswer("good" if good else "bad", said("check-read", good=good), detail)


def _check(question: Said, each: Sequence[tuple[Named, ShortAnswer]], *, named: bool) -> Check:
    """The answers of several models as one, with what the bad ones rest on: of none bad, all; and
    with names where others on the page have another answer.
    """
    alike: dict[tuple[str, str], list[tuple[Named, ShortAnswer]]] = {}
    for who, answer in each:
        alike.setdefault((answer.mood, str(answer.text)), []).append((who, answer))
    groups = sorted(alike.values(), key=lambda group: _MOODS.index(group[0][1].mood))
    verdict: Text = groups[0][0][1].text
    if len(groups) > 1 or named:
        parts = [
            said("check-of", who=[who for who, _ in group], text=group[0][1].text)
            for group in groups
        ]
        verdict = said("check-each", each=parts)
    bad = [one for group in groups for one in group if one[1].mood == "bad"]
    of = bad or each
    told = [(who, answer.detail) for who, answer in of if answer.detail]
    every = len(told) == len(of) or len(groups) == 1
    alone = len({str(text) for _, text in told}) == 1 and every
    detail: Text = said("check-each", each=[said("check-of", who=[who], text=text)
                                            for who, text in told]) if told else ""  # fmt: skip
    if alone:
        detail = told[0][1]
    return Check(question, groups[0][0][1].mood, verdict, detail)
