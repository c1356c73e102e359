"""The types of this room: a person, an answer, and all answers to one study."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Literal, get_args

import msgspec

from zhiyin.errors import InputError
from zhiyin.trial import Trial

Role = Literal["plain", "gold", "attention", "practice"]
ROLES: tuple[Role, ...] = get_args(Role)
COUNTED: frozenset[str] = frozenset(("plain", "gold"))
"""Roles of questions whose answers are figures; practice and attention checks are none."""
FIELDS = ("education", "music_major", "music_background")
"""What is known of people's background (Li et al. 2024, arXiv:2406.15885, section 7)."""


class Person(msgspec.Struct):
    """Somebody who answered.

    Attributes
    ----------
    name : str
        As in the source. It is written nowhere.
    background : dict of str to str
        Answers to the questionnaire by field.
    outcome : str
        "complete", "screened_out", or empty.
    headphones : bool or None
        Whether the check was passed; None where there was none.
    excluded : list of str
        The declared rules by which the answers are set aside; empty for none.
    """

    name: str
    background: dict[str, str] = {}
    outcome: str = ""
    headphones: bool | None = None
    excluded: list[str] = []


class Answer(msgspec.Struct, frozen=True):
    """What one person answered to one question.

    Attributes
    ----------
    person : str
    trial : str
        The id of the trial that was asked.
    keys : tuple of str
        Keys of the options chosen, as in the data.
    text : str
        A free answer.
    flag : str
        "cannot_tell" or "odd" in the place of marks; empty otherwise.
    order : tuple of str
        Keys of the options in the order shown; empty where it is not known.
    seconds : float or None
        Time on the question.
    role : str
    expected : tuple of str
        Keys that are right, for questions that are no trial (attention checks).
    place : str
        Where it stands in the source: "FILE, row 3".
    form : str
        How a judgement was given: "grades", "slots", "pair" or "many"; `trial` is the study's item.
    grades : dict of str to int
        By aspect or stimulus.
    """

    person: str
    trial: str
    keys: tuple[str, ...] = ()
    text: str = ""
    flag: str = ""
    order: tuple[str, ...] = ()
    seconds: float | None = None
    role: Role = "plain"
    expected: tuple[str, ...] = ()
    place: str = ""
    form: str = ""
    grades: dict[str, int] = {}


class Keep(msgspec.Struct, frozen=True):
    """Which questions are kept after validation (Weck et al. 2024, arXiv:2408.01337, section 3.2).

    Kept with at least `annotations` answers, of which at least the share `right` marks the right
    option and at most the share `distractors` marks a wrong one. `rule` "any" counts answers that
    mark one or more wrong options; "each" looks at every wrong option by itself.
    """

    annotations: int = 3
    right: float = 0.5
    distractors: float = 0.5
    rule: Literal["any", "each"] = "any"


class Study(msgspec.Struct):
    """All answers to one study.

    Attributes
    ----------
    kind : str
        "exam", "validate", "rate" or "annotate".
    people : dict of str to Person
    answers : list of Answer
        In the order of the source; a person and a trial stand together once.
    trials : dict of str to Trial
        What was asked, by id.
    keep : Keep
    digest : str
        SHA-256 of the source.
    notes : list of str
        Remarks of the reading.
    scales : dict
        Of grades: lowest and highest, by the study's item and what is graded; empty where it is
        not known.
    texts : dict
        What models wrote and people judged, by the study's item and the run's number; empty where
        it is not known.
    """

    kind: str
    people: dict[str, Person]
    answers: list[Answer]
    trials: dict[str, Trial]
    keep: Keep = Keep()
    digest: str = ""
    notes: list[str] = []
    scales: dict[str, dict[str, tuple[float, float]]] = {}
    texts: dict[str, dict[str, str]] = {}

    def valid(self) -> list[Answer]:
        """The answers that count: of people who are not excluded, to plain and gold questions."""
        return [
            answer
            for answer in self.answers
            if answer.role in COUNTED and not self.people[answer.person].excluded
        ]


def once(answers: Iterable[Answer]) -> tuple[list[Answer], int]:
    """The first answer of each person to each trial, and how many later ones there were."""
    seen: set[tuple[str, str]] = set()
    kept: list[Answer] = []
    later = 0
    for answer in answers:
        pair = answer.person, answer.trial
        if pair in seen:
            later += 1
            continue
        seen.add(pair)
        kept.append(answer)
    return kept, later


def pseudonyms(people: Iterable[str], seed: int, purpose: str) -> dict[str, str]:
    """A number for each person: "p001" and on, in an order of chance.

    No hash of a name, which could be looked up by trying names. Another purpose gives other
    numbers, so that the runs of two groupings cannot be joined by person.

    Parameters
    ----------
    people : iterable of str
    seed : int
    purpose : str
        What the numbers are for.
    """
    names = sorted(set(people))
    random.Random(f"{seed}/{purpose}").shuffle(names)
    width = max(3, len(str(len(names))))
    return {name: f"p{place:0{width}}" for place, name in enumerate(names, 1)}


def by_group(
    study: Study, fields: Sequence[str], least: int
) -> tuple[dict[str, list[str]], dict[str, int]]:
    """People who are not excluded and have an answer that counts, by what they have in common.

    Parameters
    ----------
    study : Study
    fields : sequence of str
        Of the background; none for all people together.
    least : int
        Groups of fewer people are not given, so that nobody is known by a background.

    Returns
    -------
    groups : dict of str to list of str
        Names of people by the group's label, "education=master".
    small : dict of str to int
        How many people the groups that are left out have.

    Raises
    ------
    InputError
        A field that nobody was asked for.
    """
    asked = {name for person in study.people.values() for name in person.background}
    for field in fields:
        if field not in asked:
            known = ", ".join(sorted(asked)) or "nothing is known of these people"
            raise InputError(f"--by {field}: the answers do not say it; known: {known}")
    answered = {answer.person for answer in study.valid()}
    members: dict[str, list[str]] = {}
    for name, person in study.people.items():
        if name in answered:
            members.setdefault(label_of(person, fields), []).append(name)
    return (
        {
            label: sorted(members[label])
            for label in sorted(members)
            if len(members[label]) >= least
        },
        {label: len(members[label]) for label in sorted(members) if len(members[label]) < least},
    )


def label_of(person: Person, fields: Sequence[str]) -> str:
    """The label of a person's group; "all people" without fields."""
    if not fields:
        return "all people"
    return ", ".join(f"{field}={person.background.get(field) or 'unsaid'}" for field in fields)
