"""Cases of a run that are to be judged: its reviews of songs, or the choices that went wrong."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from zhiyin.contract.registry import known
from zhiyin.engine.folder import read_manifest
from zhiyin.errors import InputError
from zhiyin.plugins.judges.aspects import SongDetails
from zhiyin.plugins.judges.choices import RuleFinding, first_pass
from zhiyin.plugins.judges.heard import NOTHING, HeardFacts, read_heard, sound_of
from zhiyin.plugins.judges.rubrics import CRITERIA, Criterion, unpack_rubric
from zhiyin.record import Record
from zhiyin.runs.rows import rows_of
from zhiyin.runs.ways import item_of
from zhiyin.trial import Audio
from zhiyin.words import said

if TYPE_CHECKING:
    from zhiyin.contract.settings import RunSettings

WRITTEN = "written"
"""The score of a trial that asks for a review: 1 where one was written, else 0."""


class JudgedCase(msgspec.Struct, frozen=True, omit_defaults=True):
    """One text to be judged.

    Attributes
    ----------
    id : str
        Of the trial it answers.
    song : str
        Under which song it is shown.
    text : str
        What the model wrote.
    details : dict
        What is known of the song; empty where nothing is.
    heard : dict
        What was measured in the song's recording, see `heard.measure`.
    question, key, kind : str
        Of a failed choice: the question with its options, the right answer, and whether it was
        "heard" or "read".
    rule : Finding or None
        What the first pass named the failure.
    right : bool
        Of reasoning: whether the answer is right. A wrong one needs no judge.
    criteria : tuple of Criterion
        Of reasoning: what it is held against, and `reference`, a reasoning that is right.
    groups : tuple of str
        Of reasoning: under which its question is counted.
    plain : bool
        Whether it was asked in the benchmark's main way.
    """

    id: str
    song: str
    text: str
    details: SongDetails = {}
    heard: HeardFacts = NOTHING
    question: str = ""
    key: str = ""
    kind: str = ""
    rule: RuleFinding | None = None
    right: bool = True
    criteria: tuple[Criterion, ...] = ()
    reference: str = ""
    groups: tuple[str, ...] = ()
    plain: bool = True


class NoReviewsError(InputError):
    """A run that holds no review to judge."""


def run_judged(order: RunSettings) -> str:
    """The run that is judged: it lies around what is made of it, wherever both were moved since."""
    if order.out is None:
        return str(order.options["run"])
    return os.fspath(Path(order.out).parent)


def reviews(folder: Path) -> list[JudgedCase]:
    """The reviews in a run, in the order of its log: whatever was written, but failures.

    Raises
    ------
    InputError
        The folder is no run, or holds no review.
    """
    heard = read_heard(folder)
    cases = [_review(record, record.exchange.final.text, heard) for record in reviewed(folder)]
    if not cases and (empty := len(unwritten(folder))):
        raise InputError(said("judge-none-written", folder=folder, empty=empty))
    if not cases:
        raise NoReviewsError(said("judge-no-review", folder=folder))
    return cases


def unwritten(folder: Path) -> list[JudgedCase]:
    """The reviews that a run was asked for and that the model did not write, without a word.

    Raises
    ------
    InputError
        The folder is no run.
    """
    heard = read_heard(folder)
    return [
        _review(record, "", heard)
        for record in _asked_for_review(folder)
        if record.verdict.state != "error" and not is_review(record)
    ]


def _review(record: Record, text: str, heard: dict[str, HeardFacts]) -> JudgedCase:
    return JudgedCase(
        record.id,
        str(record.trial.tags.get("song", record.id)),
        text,
        msgspec.json.decode(record.trial.target or "{}"),
        heard.get(sound.sha256, NOTHING) if (sound := sound_of(record)) else NOTHING,
    )


def reviewed(folder: Path) -> Iterator[Record]:
    """The records of a run that hold a review."""
    return filter(is_review, _asked_for_review(folder))


def _asked_for_review(folder: Path) -> Iterator[Record]:
    group = known(read_manifest(folder)).reviews
    return rows_of(folder).which(lambda kind: bool(group) and group in kind.groups).records()


def is_review(record: Record) -> bool:
    """Tell whether a trial that asked for a review got one. (Logs of version 1 say "correct".)"""
    verdict = record.verdict
    if verdict.state == "ungraded":
        return verdict.scores.get(WRITTEN, 0.0) > 0
    return verdict.state == "correct"


def wrong_choices(folder: Path) -> list[JudgedCase]:
    """The choices in a run that were not right, each with the finding of the first pass.

    Raises
    ------
    InputError
        The folder is no run, or no choice in it went wrong.
    """
    cases = [
        _choice(record)
        for record in rows_of(folder).judged.which(lambda kind: kind.options > 0).records()
        if record.verdict.state != "correct"
    ]
    if not cases:
        raise InputError(said("judge-none-wrong", folder=folder))
    return cases


def reasoned(folder: Path) -> list[JudgedCase]:
    """The answered choices in a run whose questions bring criteria for their reasoning.

    What is judged is the reasoning that the model gave apart; where it gave none, its reply.

    Raises
    ------
    InputError
        The folder is no run, or no question in it brings criteria.
    """
    cases = []
    rows = rows_of(folder)
    for record in rows.judged.records():
        packed = record.trial.tags.get(CRITERIA)
        if not isinstance(packed, str):
            continue
        rubric = unpack_rubric(packed)
        reply = record.exchange.final
        thought = reply.detail.get("reasoning")
        question, key = _asked(record)
        cases.append(
            JudgedCase(
                record.id,
                _cluster_of(record),
                thought if isinstance(thought, str) and thought.strip() else reply.text,
                question=question,
                key=key,
                right=record.verdict.state == "correct",
                criteria=rubric.criteria,
                reference=rubric.reference,
                groups=record.trial.groups,
                plain=rows.ways.is_main(record.trial.tags),
            )
        )
    if not cases:
        raise InputError(said("judge-no-criteria", folder=folder))
    return cases


def _cluster_of(record: Record) -> str:
    """The group of dependent choices: its track, else its item, which may be repeated."""
    trial = record.trial
    return trial.cluster or item_of(trial.id, trial.item, trial.condition, trial.tags)[0]


def _asked(record: Record) -> tuple[str, str]:
    """The question with its options, and the right one."""
    trial = record.trial
    lines = [trial.stem, *(f"{o.letter}. {o.text}" for o in trial.options)]
    key = next((f"{o.letter}. {o.text}" for o in trial.options if o.key == trial.target), "")
    return "\n".join(lines), key


def _choice(record: Record) -> JudgedCase:
    trial, text = record.trial, record.exchange.final.text
    heard = any(isinstance(part, Audio) for m in trial.messages for part in m.parts)
    question, key = _asked(record)
    answered = record.verdict.answer is not None
    rule = first_pass(text, [o.letter for o in trial.options], answered)
    return JudgedCase(
        record.id, _cluster_of(record), text, question=question, key=key,
        kind="heard" if heard else "read", rule=rule,
    )  # fmt: skip
