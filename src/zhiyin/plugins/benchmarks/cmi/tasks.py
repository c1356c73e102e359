"""The tasks: what kind of answer each wants, how it is scored, and by which figures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import msgspec

from zhiyin.errors import InputError, did_you_mean, imported
from zhiyin.plugins.benchmarks.cmi import beats, choices, events, numbers, tags, words
from zhiyin.plugins.benchmarks.cmi.measures import CmiMeasure
from zhiyin.record import State, Verdict
from zhiyin.words import Said, said

Kind = Literal[
    "label", "pitch", "key", "number", "tags", "beats", "melody", "lyrics", "description", "events"
]
Score = Callable[[str, str], tuple[dict[str, float], str]]


class AnswerKind(msgspec.Struct, frozen=True):
    """The way in which answers of a kind are scored.

    Attributes
    ----------
    measures : tuple of CmiMeasure
        The figures of a task.
    score : callable, optional
        From a label and a reply to scores, and how the reply was read; None where one label of a
        closed set is right, and the others wrong.
    needs : tuple of str
        Modules of other packages.
    """

    measures: tuple[CmiMeasure, ...]
    score: Score | None = None
    needs: tuple[str, ...] = ()


KINDS: dict[Kind, AnswerKind] = {
    "label": AnswerKind(choices.ACCURACY),
    "pitch": AnswerKind(choices.ACCURACY),
    "key": AnswerKind(choices.KEY, needs=("mir_eval",)),
    "number": AnswerKind(numbers.MEASURES, numbers.score),
    "tags": AnswerKind(tags.measures_of(), tags.score),
    "beats": AnswerKind(beats.MEASURES, beats.score, ("mir_eval",)),
    "melody": AnswerKind(beats.MELODY, beats.score_melody, ("mir_eval",)),
    "lyrics": AnswerKind(words.LYRICS, words.score_lyrics, ("jiwer", "num2words")),
    "description": AnswerKind(words.DESCRIPTIONS, words.score_description, ("nltk", "rouge_score")),
    "events": AnswerKind(events.MEASURES, events.score),
}


class CmiTask(msgspec.Struct, frozen=True):
    """One task.

    Attributes
    ----------
    name : str
        As the published files call it.
    kind : Kind
    group : str
        What it is counted under; "classification" where one label of a closed set is wanted.
    tags : int
        How many tags its published set has; 0 for other kinds, and where it is not known.
    """

    name: str
    kind: Kind
    group: str
    tags: int = 0

    @property
    def measures(self) -> tuple[CmiMeasure, ...]:
        """The measures of the task's answers."""
        return tags.measures_of(self.tags) if self.tags else KINDS[self.kind].measures

    @property
    def chooses(self) -> bool:
        """True if one label of a closed set is wanted."""
        return KINDS[self.kind].score is None


TASKS = {
    task.name: task
    for task in (
        CmiTask("GTZAN", "label", "classification/genre"),
        CmiTask("Nsynth_instrument", "label", "classification/instrument"),
        CmiTask("Nsynth_pitch", "pitch", "classification/pitch"),
        CmiTask("GS_key", "key", "classification/key"),
        CmiTask("VocalSet_tech", "label", "classification/singing_technique"),
        CmiTask("EMO_arousal", "number", "regression/arousal"),
        CmiTask("EMO_valence", "number", "regression/valence"),
        CmiTask("MTG_emotion", "tags", "tagging/emotion", 56),
        CmiTask("MTG_genre", "tags", "tagging/genre", 87),
        CmiTask("MTG_instrument", "tags", "tagging/instrument", 40),
        CmiTask("MTG_top50tags", "tags", "tagging/top_50"),
        CmiTask("MTT", "tags", "tagging/magnatagatune", 50),
        CmiTask("gtzan_beat", "beats", "beats/gtzan"),
        CmiTask("gtzan_downbeat", "beats", "downbeats/gtzan"),
        CmiTask("ballroom_beat", "beats", "beats/ballroom"),
        CmiTask("ballroom_downbeat", "beats", "downbeats/ballroom"),
        CmiTask("MedleyDB", "melody", "melody/medleydb"),
        CmiTask("DSing", "lyrics", "lyrics/dsing"),
        CmiTask("SDD", "description", "description/song_describer"),
        CmiTask("MusicCaps", "description", "description/musiccaps"),
        CmiTask("Guzheng_Tech", "events", "playing_technique/guzheng"),
    )
}


def require(tasks: Sequence[CmiTask]) -> None:
    """Raise `InputError` where a library that scores one of the tasks is not installed."""
    for task in tasks:
        for module in KINDS[task.kind].needs:
            imported(module, module.replace("_", "-"), "mir")


def judge(task: CmiTask, label: str, reply: str, labels: Sequence[str] = ()) -> Verdict:
    """The verdict on a reply: right or wrong for one label of a closed set, else scores alone.

    Parameters
    ----------
    task : CmiTask
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
    score = KINDS[task.kind].score
    if score is None:
        return _choice(task, label, reply, labels)
    scores, why = score(label, reply)
    return Verdict("ungraded", None, why=why, scores=scores)


def _choice(task: CmiTask, label: str, reply: str, labels: Sequence[str]) -> Verdict:
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


def check_label(task: CmiTask, label: str) -> Said | None:
    """Describe what is wrong with a label; None for nothing."""
    if task.kind == "number":
        try:
            float(label)
        except ValueError:
            return said("flaw-is-no", field="output", value=repr(label), what="number")
    if task.kind == "key" and label not in choices.KEYS:
        return said("flaw-is-no", field="output", value=repr(label), what="key")
    if task.kind == "beats" and not beats.published_times(label):
        return said("flaw-is-no", field="output", value=None, what="times")
    if task.kind in ("label", "pitch", "lyrics", "description") and not label.strip():
        return said("flaw-none", field="output")
    return None


def read_tasks(names: Sequence[str]) -> list[CmiTask]:
    """Tasks by their names, whatever their case. Raises `InputError` for an unknown one."""
    known = {name.lower(): task for name, task in TASKS.items()}
    for name in names:
        if name.lower() not in known:
            raise InputError(f"--tasks {name!r}: {did_you_mean(name, TASKS)}")
    return [known[name.lower()] for name in dict.fromkeys(names)]
