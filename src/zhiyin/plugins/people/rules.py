"""Declared rules on people: whose answers are set aside, and who always chose the same."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Annotated, Any, NamedTuple

import msgspec

from zhiyin.analysis.within import MOST_ALIKE, SHARE_ALIKE
from zhiyin.errors import InputError
from zhiyin.plugins.people import Count, PersonAnswer, Share, StudyAnswers
from zhiyin.plugins.people.tables import read_toml
from zhiyin.trial import right_keys
from zhiyin.words import Said, said

Seconds = Annotated[float, msgspec.Meta(ge=0)]


UNDER_WAY = "under_way"
"""Stands in an export in the place of the rule `unfinished` while a person may still go on."""
BY_HAND = "by_hand"
"""Stands in an export for a person whom the researcher set aside, for a reason that is kept."""


def rules_of(excluded: Sequence[str]) -> list[str]:
    """The declared rules among what excludes a person."""
    return [why for why in excluded if why not in (UNDER_WAY, BY_HAND)]


class Exclude(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Rules that exclude people, declared before answers are seen. None or False: no such rule.

    Attributes
    ----------
    attention_wrong : int or None
        Excluded with at least so many attention questions wrong.
    gold_right : float or None
        Excluded with a smaller share of the questions with a known answer right, in [0, 1].
    median_seconds : float or None
        Excluded where the median time on a question, without idle time, is shorter; from when its
        sounds had been heard, where they had to be.
    reference_below, reference_share : float or None, float
        Excluded who grades the hidden reference below the first in more than the second of their
        trials; ITU-R BS.1534-3 (2015) sets people aside below 90 in more than 15 %.
    same_place : float or None
        Excluded where more than this share of the choices stands at one place of the list, if
        there are so many choices that chance does that less than once in a hundred people.
    headphones, unfinished : bool
        Excluded where the headphone check was not passed; where the study was not completed.
    """

    attention_wrong: Annotated[Count | None, msgspec.Meta(examples=[2])] = None
    gold_right: Annotated[Share | None, msgspec.Meta(examples=[0.5])] = None
    median_seconds: Annotated[Seconds | None, msgspec.Meta(examples=[2.0])] = None
    same_place: Annotated[Share | None, msgspec.Meta(examples=[0.9])] = None
    reference_below: Annotated[float | None, msgspec.Meta(examples=[90.0])] = None
    reference_share: Share = 0.15
    headphones: bool = False
    unfinished: bool = False


def declared(rules: Exclude) -> dict[str, float | bool]:
    """The rules that are set, by name."""
    none = msgspec.structs.asdict(Exclude())
    return {name: value for name, value in msgspec.structs.asdict(rules).items()
            if value != none.get(name)}  # fmt: skip


class ExclusionRules(Exclude, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Rules of a file of their own, named as in a study file, and one more.

    Attributes
    ----------
    least_answers : int or None
        Excluded with fewer answers that count.
    """

    least_answers: int | None = None


class _RulesFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    exclude: ExclusionRules


def read_rules(path: Path) -> ExclusionRules:
    """Rules from the table [exclude] of a TOML file. Raises `InputError`."""
    remedies = said("people-correct", flag="--rules"), said("people-see-exclusions")
    return read_toml(path, _RulesFile, *remedies).exclude


def exclude(study: StudyAnswers, rules: ExclusionRules) -> None:
    """Mark the people of a study whom the rules exclude.

    Raises
    ------
    InputError
        A rule asks about what no answer says: it would exclude nobody.
    """
    _refuse_unanswerable(study, rules)
    given: defaultdict[str, list[GivenAnswer]] = defaultdict(list)
    for answer in study.answers:
        if answer.role != "practice":
            given[answer.person].append(_as_given(study, answer))
    for name, person in study.people.items():
        broken = broken_rules(rules, given[name], person.outcome, person.headphones)
        person.excluded += [why for why in broken if why not in person.excluded]


class GivenAnswer(NamedTuple):
    """An answer as the rules see it.

    `place` is where the one choice stands in the list as shown, from 0; None where several were
    chosen or it is not known. `among` is how many places there are. `seconds` are without idle
    time, and after the sound where that is known; None where they are not known. `text` is what was
    chosen, in words; `reference` the grade of the hidden reference, where there is one.
    """

    role: str
    right: bool
    place: int | None
    among: int
    seconds: float | None
    text: str = ""
    reference: float | None = None


def place_of(keys: Sequence[str], order: Sequence[str]) -> int | None:
    """Place of the one key that was chosen; None for several, and where it was not shown."""
    return order.index(keys[0]) if len(keys) == 1 and keys[0] in order else None


def idle_rules(
    rules: Exclude, attention: int, gold: int, choices: int, places: int, *, hidden: bool
) -> Iterator[tuple[str, Said]]:
    """Rules that can set nobody aside, each with what would have to change.

    Parameters
    ----------
    rules : Exclude
    attention, gold, choices : int
        Attention checks, questions with a known answer and choices of one person, at most.
    places : int
        The fewest that a choice is among.
    hidden : bool
        Whether a reference is hidden among sounds.
    """
    wrong, right = rules.attention_wrong, rules.gold_right
    if wrong is not None and wrong > attention:
        yield "attention_wrong", said("rule-attention", wrong=wrong, n=attention)
    if right is not None and not (right and gold):
        yield "gold_right", said("rule-gold", n=gold)
    if rules.reference_below is not None and not hidden:
        yield "reference_below", said("rule-reference")
    if rules.median_seconds == 0:
        yield "median_seconds", said("rule-seconds")
    alike = [GivenAnswer("plain", False, 0, places, None)] * choices
    if rules.same_place is not None and not is_one_place(alike, rules.same_place):
        yield "same_place", said("rule-place", n=choices, whole=rules.same_place >= 1)
    least = rules.least_answers if isinstance(rules, ExclusionRules) else None
    if least is not None and least < 1:
        yield "least_answers", said("rule-answers")


class SoleChoice(msgspec.Struct, frozen=True):
    """What a person always chose: an option's words, None for other words at one place."""

    words: str | None
    place: int

    @property
    def told(self) -> Said:
        """Text beside the person: "always B", "always option 3"."""
        return said("person-always", words=self.words, place=self.place)


def sole_choice(given: Sequence[GivenAnswer]) -> SoleChoice | None:
    """Find the one answer, or the one place, that a person always chose; None where there is none,
    where chance may have done it, and where it was right nearly each time.
    """
    given = [one for one in given if one.among > 1]
    if sum(one.right for one in given) > MOST_ALIKE * len(given):
        return None
    texts = list(dict.fromkeys(one.text for one in given))
    if is_one_place([one._replace(place=texts.index(one.text)) for one in given], SHARE_ALIKE):
        return SoleChoice(Counter(one.text for one in given).most_common(1)[0][0], 1)
    if is_one_place(given, SHARE_ALIKE):
        places = Counter(one.place for one in given if one.place is not None)
        return SoleChoice(None, places.most_common(1)[0][0] + 1)
    return None


def sole_choices(study: StudyAnswers) -> dict[str, SoleChoice]:
    """The people whose answers count, and who always chose the same, by their name."""
    given: defaultdict[str, list[GivenAnswer]] = defaultdict(list)
    for answer in study.valid():
        if answer.keys:
            given[answer.person].append(_as_given(study, answer))
    found = {name: sole_choice(chosen) for name, chosen in given.items()}
    return {name: one for name, one in found.items() if one is not None}


_RARE = 0.01


def is_one_place(given: Sequence[GivenAnswer], share: float) -> bool:
    """Tell whether more than a share of the choices is at one place, too many for chance.

    Of n choices among k places (the fewest of any), somebody who chooses at random has m or more
    at one place with a probability of at most k P(X >= m), X binomial with n and 1/k. That must be
    below 0.01: of four places, five choices; of two, eight.
    """
    chosen = [(one.place, one.among) for one in given if one.place is not None and one.among > 1]
    if not chosen:
        return False
    n, most = len(chosen), max(Counter(place for place, _ in chosen).values())
    k = min(among for _, among in chosen)
    tail = sum(math.comb(n, m) * (k - 1) ** (n - m) for m in range(most, n + 1)) / k**n
    return most / n > share and k * tail < _RARE


def broken_rules(
    rules: Exclude, given: Sequence[GivenAnswer], outcome: str, headphones: bool | None, *,
    settled: bool = True,
) -> list[str]:  # fmt: skip
    """The rules that exclude a person; none for a person who is kept.

    Parameters
    ----------
    rules : Exclude
    given : sequence of GivenAnswer
        All of the person's answers but those to practice questions.
    outcome : str
        "complete", "screened_out" or empty.
    headphones : bool or None
        Whether the check was passed; None where there was none.
    settled : bool
        Whether the person may no longer do better by a rule that looks at all answers.
    """
    attention = [one.right for one in given if one.role == "attention"]
    gold = [one.right for one in given if one.role == "gold"]
    asked = [one for one in given if one.role != "attention"]
    times = [one.seconds for one in asked if one.seconds is not None]
    graded = [one.reference for one in given if one.reference is not None]
    low = sum(one < (rules.reference_below or 0) for one in graded)
    least = rules.least_answers if isinstance(rules, ExclusionRules) else None
    wrong, right, fastest, most = (
        rules.attention_wrong, rules.gold_right, rules.median_seconds, rules.same_place,
    )  # fmt: skip
    broken = {
        "attention_wrong": wrong is not None and len(attention) - sum(attention) >= wrong,
        "gold_right": right is not None and gold and sum(gold) / len(gold) < right,
        "median_seconds": settled and fastest is not None and times and median(times) < fastest,
        "same_place": settled and most is not None and is_one_place(asked, most),
        "reference_below": settled and low > rules.reference_share * len(graded),
        "least_answers": least is not None and len(asked) < least,
        "headphones": rules.headphones and headphones is False,
        "unfinished": settled and rules.unfinished and outcome != "complete",
    }  # fmt: skip
    return [name for name, is_broken in broken.items() if is_broken]


def _as_given(study: StudyAnswers, answer: PersonAnswer) -> GivenAnswer:
    trial = study.trials.get(answer.trial)  # what is judged is an item of the study, and no trial
    target = answer.expected or (right_keys(trial) if trial else ())
    order = answer.order or tuple(option.key for option in (trial.options if trial else ()))
    right = not answer.flag and sorted(answer.keys) == sorted(target)
    seconds = answer.seconds if answer.after is None else answer.after
    place = place_of(answer.keys, order)
    texts = {option.key: option.text for option in trial.options} if trial else {}
    text = "; ".join(texts.get(key, key) for key in answer.keys)
    reference = answer.grades.get(study.references.get(answer.trial, ""))
    return GivenAnswer(answer.role, right, place, len(order), seconds, text, reference)


def _refuse_unanswerable(study: StudyAnswers, rules: ExclusionRules) -> None:
    roles = {answer.role for answer in study.answers}
    people = study.people.values()
    lacks = {
        "attention_wrong": rules.attention_wrong is not None and "attention" not in roles,
        "gold_right": rules.gold_right is not None and "gold" not in roles,
        "median_seconds": rules.median_seconds is not None
        and all(answer.seconds is None for answer in study.answers),
        "same_place": rules.same_place is not None
        and all(len(answer.keys) != 1 or answer.role == "attention" for answer in study.answers),
        "headphones": rules.headphones and all(one.headphones is None for one in people),
        "unfinished": rules.unfinished and not any(one.outcome for one in people),
    }
    for name, lacking in lacks.items():
        if lacking:
            raise InputError(said("rule-unknown", name=name))
    asked = Counter((answer.person, answer.role) for answer in study.answers)
    attention, gold = (max((n for (_, one), n in asked.items() if one == role), default=0)
                       for role in ("attention", "gold"))  # fmt: skip
    # Of choices there may be any number, for more may come.
    hidden = bool(study.references)
    for name, why in idle_rules(rules, attention, gold, choices=100, places=2, hidden=hidden):
        raise InputError(said("rule-idle", rule=name, why=why))


def exclusions(study: StudyAnswers) -> dict[str, int]:
    """Count the people that each rule excludes. One person may be excluded by several."""
    return dict(Counter(why for one in study.people.values() for why in rules_of(one.excluded)))


def languages_in(people: Counter[str], translated: Mapping[str, str]) -> list[dict[str, str | int]]:
    """In which languages how many people answered, and which questions were translated for them.

    Empty where all of them read the questions in the one language that these are in.
    """
    found: list[dict[str, str | int]] = [
        {"language": one, "n": n, "questions": translated.get(one, "own")}
        for one, n in people.most_common() if one
    ]  # fmt: skip
    return found if len(found) > 1 or any(one["questions"] != "own" for one in found) else []


def population(study: StudyAnswers) -> Mapping[str, Any]:
    """People and answers: how many there are, how many count, and in which languages these read."""
    valid, excluded = study.valid(), [one.excluded for one in study.people.values()]
    counted = {answer.person for answer in valid}
    ended = any(one.outcome for one in study.people.values())  # else a table says nothing of it
    return {
        "people": len(study.people), "excluded": sum(map(bool, map(rules_of, excluded))),
        "by_hand": sum(BY_HAND in why and not rules_of(why) for why in excluded),
        "under_way": sum(why == [UNDER_WAY] for why in excluded), "counted": len(counted),
        "unfinished": sum(ended and not study.people[name].outcome for name in counted),
        "answers": len(study.answers), "answers_counted": len(valid),
        "languages": languages_in(study.speaking(counted), study.translated),
    }  # fmt: skip
