"""Runs of people's answers: a folder for each group, or for each person, as models have them."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from zhiyin import __version__
from zhiyin.contract.policies import open_policy
from zhiyin.engine.folder import Manifest
from zhiyin.engine.log import RunFolder
from zhiyin.engine.naming import PEOPLE
from zhiyin.engine.scoring import judge_choice
from zhiyin.errors import InputError
from zhiyin.files import stem_of
from zhiyin.plugins.people import AnsweredBenchmark, PersonAnswer, StudyAnswers
from zhiyin.plugins.people.rules import exclusions, languages_in, population
from zhiyin.plugins.people.validation import JudgedUnit, agreement_on
from zhiyin.record import Exchange, Record, Reply, Turn
from zhiyin.trial import Audio, Image, Message, Option, Text, Trial
from zhiyin.words import said
from zhiyin.words.findings import kept

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def write_runs(
    study: StudyAnswers, exam: AnsweredBenchmark, groups: Mapping[str, Sequence[str]],
    names: Mapping[str, str], out: Path, *, single: bool = False,
) -> list[Path]:  # fmt: skip
    """Write a run for each group of people.

    Parameters
    ----------
    study : StudyAnswers
    exam : AnsweredBenchmark
    groups : mapping of str to sequence of str
        People by the label of the run.
    names : mapping of str to str
        Pseudonym of each person.
    out : Path
        The folder that the runs lie in.
    single : bool
        Whether each run is one person's: its trials keep their ids.

    Returns
    -------
    list of Path
        The run folders. Written again from the same answers, they are the same.

    Raises
    ------
    InputError
        A folder holds a run of other answers.
    """
    given: dict[str, list[PersonAnswer]] = {}
    for answer in study.valid():
        given.setdefault(answer.person, []).append(answer)
    folders: list[Path] = []
    for label, people in groups.items():
        records = [
            record_of(seen_by_people(study, answer), answer, exam, names[person], single)
            for person in people
            for answer in given.get(person, [])
        ]
        places = {name: place for place, name in enumerate(study.trials)}
        records.sort(key=lambda pair: (places.get(pair.trial.item, len(places)), pair.id))
        if not single:
            records = _numbered(records)
        folder = out / stem_of(label, [place.name for place in folders])
        manifest = _manifest(study, exam, label, len(people), records)
        if not single:
            manifest.decoding |= _kept_apart(study) | _agreement(study, people, given)
            manifest.decoding["languages"] = languages_in(study.speaking(people), study.translated)
        with RunFolder(folder, manifest) as log:
            for record in records:
                if record.id not in log.answered:
                    log.append(record)
        folders.append(folder)
    return folders


def _kept_apart(study: StudyAnswers) -> dict[str, Any]:
    """Summarise what no figure includes: how many people, by which rules, and which questions."""
    asked = {
        role: len({answer.trial for answer in study.answers if answer.role == role})
        for role in ("attention", "practice")
    }
    told = population(study)
    return {
        "took_part": told["people"], "set_aside": told["excluded"], "by_hand": told["by_hand"],
        "under_way": told["under_way"], "set_aside_by": dict(sorted(exclusions(study).items())),
        "attention_questions": asked["attention"], "practice_questions": asked["practice"],
    }  # fmt: skip


def _agreement(
    study: StudyAnswers, people: Sequence[str], given: Mapping[str, Sequence[PersonAnswer]]
) -> dict[str, Any]:
    """Measure how far people agree in their choices; empty if no question has two answers.

    Each option of a question is a unit that is chosen or not, as on the page of a study.
    """
    units: dict[tuple[str, str], JudgedUnit] = {}
    for person in people:
        for answer in given.get(person, ()):
            trial = study.trials[answer.trial]
            for option in trial.options if answer.keys else ():
                unit = JudgedUnit(trial.id, trial.cluster or trial.id, {})
                unit = units.setdefault((trial.id, option.key), unit)
                unit.values[person] = float(option.key in answer.keys)
    found = agreement_on(units.values(), "nominal")
    if found is None or found.alpha is None:
        return {}
    told = {"alpha": found.alpha, "low": found.low, "high": found.high}
    return {"agreement": {**told, "questions": found.questions}}


def _numbered(records: Sequence[Record]) -> list[Record]:
    """Number further people's answers to a question as its repeats, not as further questions."""
    times: Counter[tuple[str, str]] = Counter()
    numbered = []
    for record in records:
        trial = record.trial
        times[trial.item, trial.condition] += 1
        tags = {**trial.tags, "repeat": times[trial.item, trial.condition]}
        numbered.append(
            msgspec.structs.replace(record, trial=msgspec.structs.replace(trial, tags=tags))
        )
    return numbered


def record_of(
    trial: Trial, answer: PersonAnswer, exam: AnsweredBenchmark, name: str, single: bool
) -> Record:
    """One person's answer as a record.

    What is logged is what the person saw: see `seen_by_people`, with the options in the order
    shown, where that is known. The reply is the letter under which the chosen option stood, and is
    scored as a model's.
    """
    shown = as_shown(trial, answer.order)
    shown = msgspec.structs.replace(
        shown, id=trial.id if single else f"{trial.id}@{name}", item=trial.item or trial.id
    )
    letters = {option.key: option.letter for option in shown.options}
    if letters and (strange := [key for key in answer.keys if key not in letters]):
        raise InputError(
            said("people-no-option", place=answer.place, strange=repr(strange[0]), trial=trial.id)
        )
    text = answer.text if not shown.options else ", ".join(letters[key] for key in answer.keys)
    detail: dict[str, Any] = {"person": name}
    if answer.seconds is not None:
        detail["seconds"] = round(answer.seconds, 2)
    if not answer.order:
        detail["order"] = "not known"
    exchange = Exchange((Turn(Reply(text, detail=detail)),))
    verdict = exam.benchmark.score(shown, exchange)
    if len(answer.keys) == 1 and shown.options and verdict.answer not in answer.keys:
        # a published rule may read nothing but the words that it asks a model for
        verdict = judge_choice(shown, exchange, open_policy("robust"))
    return Record(shown.id, verdict, shown, exchange)


def seen_by_people(study: StudyAnswers, answer: PersonAnswer) -> Trial:
    """Return the trial as a person saw it: system message and worked examples only if shown.

    Where it is not known how a question was shown, it is left as it is.
    """
    trial = study.trials[answer.trial]
    if not answer.order or not trial.options:
        return trial
    said = [
        message
        for message in trial.messages[:-1]
        if (study.instructed if message.role == "system" else study.examples)
    ]
    return msgspec.structs.replace(trial, messages=(*said, *trial.messages[-1:]))


def as_shown(trial: Trial, order: Sequence[str]) -> Trial:
    """The trial as a person was asked it: the last message with its options in their order.

    Without an order the trial is left as it is.
    """
    if not order or not trial.options:
        return trial
    texts = {option.key: option.text for option in trial.options}
    if sorted(order) != sorted(texts):
        raise InputError(said("people-order", trial=trial.id))
    options = tuple(
        Option(letter, texts[key], key) for letter, key in zip(_LETTERS, order, strict=False)
    )
    lines = "\n".join(f"{option.letter}. {option.text}" for option in options)
    parts = trial.messages[-1].parts if trial.messages else ()
    media = tuple(part for part in parts if isinstance(part, Audio | Image))
    message = Message("user", (Text(f"{trial.stem}\n\n{lines}"), *media))
    return msgspec.structs.replace(trial, messages=(*trial.messages[:-1], message), options=options)


def _manifest(
    study: StudyAnswers, exam: AnsweredBenchmark, label: str, people: int, records: Sequence[Record]
) -> Manifest:
    """Build the manifest of the run. Nothing in it says who or where people are."""
    benchmark = exam.benchmark
    content = b"".join(msgspec.json.encode(record) for record in records)
    options = dict(exam.config.get("options") or {})
    if options.get("shots") and not study.examples:
        options["shots"] = 0  # people were shown no worked examples
    name = f"people: {label}" if people > 1 else label
    orders = sum(1 for record in records if "order" in record.exchange.final.detail)
    items = len({record.trial.item for record in records})
    remarks = [said("people-answers", people=people, n=items)] if people > 1 else []
    if people > 1:
        remarks.append(said("people-averaged"))
    if orders:
        remarks.append(said("people-orders", n=orders))
    config = {
        "benchmark": benchmark.name, "benchmark_version": benchmark.version, **exam.config,
        "options": options,  # other answers under the same label are another run
        "model": f"{name} {hashlib.sha256(content).hexdigest()[:12]}",
    }  # fmt: skip
    return Manifest(
        benchmark=benchmark.name, model=name,
        config=msgspec.json.decode(msgspec.json.encode(config)),
        options=msgspec.json.decode(msgspec.json.encode({**exam.options, **options})),
        planned=len(records), versions={"zhiyin": __version__}, remarks=kept(remarks),
        declared=dict(exam.declared), decoding={"kind": PEOPLE, "people": people},
    )  # fmt: skip
