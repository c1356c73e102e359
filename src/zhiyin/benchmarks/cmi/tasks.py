"""The tasks: what kind of answer each wants, how it is scored, and by which figures."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Literal

import msgspec

from zhiyin.benchmarks.cmi import beats, choices, events, numbers, tags, words
from zhiyin.benchmarks.cmi.measures import Measure
from zhiyin.contract.declared import Skill
from zhiyin.errors import InputError, missing_package
from zhiyin.record import State, Verdict

Kind = Literal[
    "label", "pitch", "key", "number", "tags", "beats", "melody", "lyrics", "description", "events"
]
MEASURES: dict[Kind, tuple[Measure, ...]] = {
    "label": choices.ACCURACY,
    "pitch": choices.ACCURACY,
    "key": choices.KEY,
    "number": numbers.MEASURES,
    "tags": tags.MEASURES,
    "beats": beats.MEASURES,
    "melody": beats.MELODY,
    "lyrics": words.LYRICS,
    "description": words.DESCRIPTIONS,
    "events": events.MEASURES,
}
NEEDS: dict[Kind, tuple[str, ...]] = {
    "key": ("mir_eval",),
    "beats": ("mir_eval",),
    "melody": ("mir_eval",),
    "lyrics": ("jiwer", "num2words"),
    "description": ("nltk", "rouge_score"),
}
CHOICES = ("label", "pitch", "key")
SKILLS: dict[str, Skill] = {
    "classification/instrument": "timbre",
    "classification/pitch": "pitch",
    "classification/key": "harmony",
    "classification/singing_technique": "timbre",
    "regression/arousal": "mood",
    "regression/valence": "mood",
    "tagging/emotion": "mood",
    "tagging/instrument": "timbre",
    "beats/gtzan": "rhythm",
    "downbeats/gtzan": "rhythm",
    "beats/ballroom": "rhythm",
    "downbeats/ballroom": "rhythm",
    "melody/medleydb": "pitch",
    "description/song_describer": "writing",
    "description/musiccaps": "writing",
    "playing_technique/guzheng": "timbre",
}
"""What a task shows; genre and mixed tags show no one skill, nor do lyrics."""


class Task(msgspec.Struct, frozen=True):
    """One task.

    Attributes
    ----------
    name : str
        As the published files call it.
    kind : Kind
    group : str
        What it is counted under; "classification" where one label of a closed set is wanted.
    """

    name: str
    kind: Kind
    group: str


TASKS = {
    task.name: task
    for task in (
        Task("GTZAN", "label", "classification/genre"),
        Task("Nsynth_instrument", "label", "classification/instrument"),
        Task("Nsynth_pitch", "pitch", "classification/pitch"),
        Task("GS_key", "key", "classification/key"),
        Task("VocalSet_tech", "label", "classification/singing_technique"),
        Task("EMO_arousal", "number", "regression/arousal"),
        Task("EMO_valence", "number", "regression/valence"),
        Task("MTG_emotion", "tags", "tagging/emotion"),
        Task("MTG_genre", "tags", "tagging/genre"),
        Task("MTG_instrument", "tags", "tagging/instrument"),
        Task("MTG_top50tags", "tags", "tagging/top_50"),
        Task("MTT", "tags", "tagging/magnatagatune"),
        Task("gtzan_beat", "beats", "beats/gtzan"),
        Task("gtzan_downbeat", "beats", "downbeats/gtzan"),
        Task("ballroom_beat", "beats", "beats/ballroom"),
        Task("ballroom_downbeat", "beats", "downbeats/ballroom"),
        Task("MedleyDB", "melody", "melody/medleydb"),
        Task("DSing", "lyrics", "lyrics/dsing"),
        Task("SDD", "description", "description/song_describer"),
        Task("MusicCaps", "description", "description/musiccaps"),
        Task("Guzheng_Tech", "events", "playing_technique/guzheng"),
    )
}


def require(tasks: Sequence[Task]) -> None:
    """Raise `InputError` where a library that scores one of the tasks is not installed."""
    for task in tasks:
        for module in NEEDS.get(task.kind, ()):
            try:
                importlib.import_module(module)
            except ImportError:
                raise missing_package(module.replace("_", "-"), "mir") from None


def judge(task: Task, label: str, reply: str, labels: Sequence[str] = ()) -> Verdict:
    """The verdict on a reply: right or wrong for one label of a closed set, else scores alone.

    Parameters
    ----------
    task : Task
    label : str
        The right answer.
    reply : str
    labels : sequence of str
        The closed set, where one is chosen from.

    Returns
    -------
    Verdict
        What cannot be read is `no_answer`; in a task that is scored by degrees, the score
        ``read`` is 0. Its other scores are then those of an empty answer.
    """
    if task.kind in CHOICES:
        return _choice(task, label, reply, labels)
    scores: dict[str, float] = {}
    if task.kind == "number":
        number, why = numbers.read_number(reply)
        scores["read"] = float(number is not None)
        scores |= {"number": number} if number is not None else {}
        theirs = numbers.published_number(reply)
        scores |= {"published": theirs} if theirs is not None else {}
    elif task.kind == "tags":
        scores["read"], why = float(bool(reply.strip())), "tags that stand in the reply"
    elif task.kind == "events":
        events_read = events.read_events(reply)
        scores["read"] = float(bool(events_read) or "no tech" in reply.lower())
        why = f"{len(events_read)} events"
    else:
        score = {
            "beats": beats.score,
            "melody": beats.score_melody,
            "lyrics": words.score_lyrics,
            "description": words.score_description,
        }[task.kind]
        scores, why = score(label, reply)
    return Verdict("ungraded", None, why=why, scores=scores)


def _choice(task: Task, label: str, reply: str, labels: Sequence[str]) -> Verdict:
    scores: dict[str, float] = {}
    if task.kind == "key":
        answer, why = choices.read_key(reply)
        theirs = choices.published_key(reply)
        scores["published"] = choices.weighted(label, theirs)
        scores["published_exact"] = float(theirs == label)
        scores["weighted"] = choices.weighted(label, answer)
    else:
        read = choices.read_pitch if task.kind == "pitch" else None
        answer, why = read(reply) if read else choices.read_label(reply, labels)
        scores["published"] = float(choices.published_right(label, reply, labels))
    state: State = "no_answer" if answer is None else "correct" if answer == label else "wrong"
    scores["right"] = float(state == "correct")
    return Verdict(state, answer, why=why, scores=scores)


def check_label(task: Task, label: str) -> str:
    """What is wrong with a label; "" for nothing."""
    if task.kind == "number":
        try:
            float(label)
        except ValueError:
            return f"{label!r} is no number"
    if task.kind == "key" and label not in choices.KEYS:
        return f"{label!r} is no key such as 'Eb minor'"
    if task.kind == "beats" and not beats.published_times(label):
        return "no list of times such as '0.38s,0.82s'"
    if task.kind in ("label", "pitch", "lyrics", "description") and not label.strip():
        return "is blank"
    return ""


def read_tasks(names: Sequence[str]) -> list[Task]:
    """Tasks by their names, whatever their case. Raises `InputError` for an unknown one."""
    from zhiyin.errors import did_you_mean

    known = {name.lower(): task for name, task in TASKS.items()}
    for name in names:
        if name.lower() not in known:
            raise InputError(f"--tasks {name!r}: {did_you_mean(name, TASKS)}")
    return [known[name.lower()] for name in dict.fromkeys(names)]
