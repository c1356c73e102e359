"""People's answers: read, set apart by declared rules, and made into runs and tables.

A person, an answer, all answers to one study, and the exam that they are to.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, get_args

import msgspec

from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.registry import declared, find, open_benchmark
from zhiyin.engine.folder import read_manifest
from zhiyin.engine.naming import EVERYBODY
from zhiyin.errors import InputError
from zhiyin.runs.rows import records_of
from zhiyin.trial import Trial
from zhiyin.words import Said, Text, naming, said

Count = Annotated[int, msgspec.Meta(ge=1)]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Role = Literal["plain", "gold", "attention", "practice"]
ROLES: tuple[Role, ...] = get_args(Role)
COUNTED: tuple[Role, ...] = ("plain", "gold")
"""Roles of questions whose answers are figures; practice and attention checks are none."""
JUDGED = ("rate", "annotate")
"""Kinds of study in which people judge, so that their answers are no answers to an exam."""
FIELDS = (
    *("education", "music_major", "music_background", "lessons_years", "instrument", "age"),
    *("hearing", "language"),
)  # fmt: skip
"""What is known of people's background (the first three: Li et al. 2024, arXiv:2406.15885,
section 7)."""


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


class PersonAnswer(msgspec.Struct, frozen=True):
    """One person's answer to one question.

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
    after : float or None
        Of that, from when its sounds had been heard as often as was asked; None where it is not
        known apart.
    role : str
    expected : tuple of str
        Keys that are right, for questions that are no trial (attention checks).
    place : Text
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
    place: Text = ""
    form: str = ""
    grades: dict[str, int] = {}
    after: float | None = None


class Keep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Rule that keeps questions after validation (Weck et al. 2024, arXiv:2408.01337, section 3.2).

    Kept with at least `annotations` answers, of which at least the share `right` marks the right
    option and at most the share `distractors` marks a wrong one. `rule` "any" counts answers that
    mark one or more wrong options; "each" looks at every wrong option by itself.
    """

    annotations: Count = 3
    right: Share = 0.5
    distractors: Share = 0.5
    rule: Literal["any", "each"] = "any"


class StudyAnswers(msgspec.Struct):
    """All answers to one study.

    Attributes
    ----------
    kind : str
        "exam", "validate", "rate" or "annotate".
    people : dict of str to Person
    answers : list of PersonAnswer
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
    instructed, examples : bool
        Whether people were shown the system message of a trial, and its worked examples.
    translated : dict
        What of the questions is translated for readers of a language: "all", "some" or "nothing";
        "own" where they are in it. Empty where it is not known.
    references : dict
        Of graded sounds: the hidden reference, by the study's item.
    """

    kind: str
    people: dict[str, Person]
    answers: list[PersonAnswer]
    trials: dict[str, Trial]
    keep: Keep = Keep()
    digest: str = ""
    notes: list[str] = []
    scales: dict[str, dict[str, tuple[float, float]]] = {}
    texts: dict[str, dict[str, str]] = {}
    instructed: bool = False
    examples: bool = False
    translated: dict[str, str] = {}
    references: dict[str, str] = {}

    def valid(self) -> list[PersonAnswer]:
        """The answers that count: of people who are not excluded, to plain and gold questions."""
        return [
            answer
            for answer in self.answers
            if answer.role in COUNTED and not self.people[answer.person].excluded
        ]

    def speaking(self, people: Iterable[str]) -> Counter[str]:
        """Count these people by the language in which they read the study; "" for not known."""
        return Counter(self.people[name].background.get("language", "") for name in people)


def once(answers: Iterable[PersonAnswer]) -> tuple[list[PersonAnswer], int]:
    """The first answer of each person to each trial, and how many later ones there were."""
    seen: set[tuple[str, str]] = set()
    kept: list[PersonAnswer] = []
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
    study: StudyAnswers, fields: Sequence[str], least: int
) -> tuple[dict[str, list[str]], dict[str, int]]:
    """People who are not excluded and have an answer that counts, by what they have in common.

    Parameters
    ----------
    study : StudyAnswers
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
            raise InputError(said("people-not-said", field=field, known=sorted(asked) or None))
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
        return EVERYBODY
    return ", ".join(f"{field}={person.background.get(field) or 'unsaid'}" for field in fields)


def group_in_words(label: str, n: int | None = None) -> Said:
    """A group by its label, as people read it, with its size: "highest education: master (3)"."""
    if label == EVERYBODY:
        return said("study-people-n", n=n)
    parts = (part.split("=", 1) for part in re.split(r", (?=\w+=)", label))
    each = [said("study-field-is", field=value_in_words(field), value=value_in_words(value))
            for field, value in parts]  # fmt: skip
    return said("study-group-n", group=said("study-each", each=each), n=n)


def value_in_words(value: str) -> Said:
    """A question about people, or an answer to it; a range of years as "18–24"."""
    return said("study-value", value=value, shown=value.replace("over_", "> ").replace("_", "–"))


_OF_MODELS = ("model", "model_data", "shard", "score", "confirm")
"""Settings that say how a model was asked, and nothing of the exam."""


class AnsweredBenchmark(NamedTuple):
    """The exam that people or models take.

    Attributes
    ----------
    benchmark : Benchmark
    declared, config, options : mapping
        As in the manifest of a run on it; empty where only its name is known.
    trials : dict of str to Trial
        By id; empty likewise.
    """

    benchmark: Benchmark[Any]
    declared: Mapping[str, Any]
    config: Mapping[str, Any]
    options: Mapping[str, Any]
    trials: dict[str, Trial]


def open_exam(name: str) -> AnsweredBenchmark:
    """The exam of a run folder, with its trials; or of a benchmark's name, without.

    A run that asks an item several times (repeats, rotations) gives its first trial, under the
    item's name too.

    Raises
    ------
    InputError
        Neither a run nor a benchmark.
    """
    folder = Path(name)
    if not (folder / "run.json").is_file():
        kind = find(name)
        return AnsweredBenchmark(kind.from_options({}), declared(kind), {}, {}, {})
    manifest = read_manifest(folder)
    benchmark = open_benchmark(manifest, manifest.options)
    trials: dict[str, Trial] = {}
    for record in records_of(folder):
        trials[record.trial.id] = record.trial
    for trial in sorted(trials.values(), key=_turn):  # a log is in the order of the replies
        if trial.item and not trial.condition:
            trials.setdefault(trial.item, trial)
    if not trials:
        raise InputError(said("people-nothing-asked", folder=folder))
    config = {name: value for name, value in manifest.config.items() if name not in _OF_MODELS}
    return AnsweredBenchmark(benchmark, manifest.declared, config, manifest.options, trials)


def _turn(trial: Trial) -> list[float]:
    """Numbers of a trial's repeat and rotation; 0 where it has none."""
    numbers = [trial.tags.get(name) for name in ("repeat", "rotation")]
    return [float(n) if isinstance(n, int | float) else 0.0 for n in numbers]


def check_same(study: StudyAnswers, exam: AnsweredBenchmark, name: str) -> None:
    """Refuse answers to other questions than those of the exam's run, and note what it lacks."""
    answered = {answer.trial: study.trials[answer.trial] for answer in study.valid()}
    if lacking := lacking_of(answered, exam, name):
        study.notes.append(naming(said("people-lacking", n=lacking, name=name)))


def lacking_of(asked: Mapping[str, Trial], exam: AnsweredBenchmark, name: str) -> int:
    """Number of people's questions that a run was not asked.

    Raises
    ------
    InputError
        The run, called `name`, was asked none of these questions, or something else by their ids.
    """
    if not exam.trials:  # only the benchmark is known
        return 0
    shared = [trial for trial in asked if trial in exam.trials]
    if asked and not shared:
        raise InputError(said("people-other-exam", name=name))
    for trial in shared:
        if _asked(asked[trial]) != _asked(exam.trials[trial]):
            raise InputError(said("people-other-question", name=name, trial=trial))
    return len(asked) - len(shared)


def _asked(trial: Trial) -> tuple[object, ...]:
    """Return what a trial asks as a key that does not depend on the order of its options."""
    return trial.stem, trial.target, sorted((o.key, o.text) for o in trial.options)
