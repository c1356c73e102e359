"""One trial in full, as the page shows it: what was sent, what came back, what it was judged."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any

import msgspec

from zhiyin.record import Finish, Record, State, Turn
from zhiyin.report.notation import Library, find_tunes
from zhiyin.report.run_set import Case
from zhiyin.trial import Audio, Image, Message, Part, Tag, Trial

_KINDS = {"syncopation": "rhythm", "transposition": "melody", "chords": "chord"}
Rows = list[list[int]]


class Call(msgspec.Struct, omit_defaults=True, gc=False):
    """One call of the model; the page knows what is left out (`trial.js`)."""

    text: str
    sent: list[dict[str, Any]] | None = None
    purpose: str = "answer"
    finish: Finish = "stop"
    latency: float | None = None
    usage: dict[str, int] = {}
    reasoning: str | None = None


class Outcome(msgspec.Struct, omit_defaults=True, gc=False):
    """What one run made of a trial; `asked` is the number of the way in which it was put."""

    run: int
    asked: int
    state: State
    letter: str | None
    key: str | None
    why: str
    policy: str
    confidence: str
    span: tuple[int, int] | None
    turns: list[Call]
    scores: dict[str, float] = {}
    tags: dict[str, Tag] = {}
    error: str | None = None
    attempts: int = 1
    heard: Rows | None = None
    faults: list[str] = []


def describe(case: Case, records: dict[int, Record], notation: Library) -> dict[str, Any]:
    """A JSON-able object about one trial.

    Parameters
    ----------
    case : Case
    records : dict of int to Record
        By the number of the run.
    notation : Library
        Notes every tune that the trial's words hold.

    Returns
    -------
    dict
        ``id``; ``asked``, the different ways in which the runs put it (messages, options,
        target); ``runs``, what each made of it, as `Outcome`; ``roll``
        (kind and true numbers, where they are known); ``step``, its sequence and its place in it
        from 1 on, None for a trial by itself; ``notation`` (labels and ids).
    """
    asked: list[dict[str, Any]] = []
    runs = []
    ways: list[Trial] = []  # most runs ask alike: what is equal is put into words once
    for number, record in records.items():
        place = next((n for n, trial in enumerate(ways) if _alike(trial, record.trial)), None)
        if place is None:
            place = len(ways)
            ways.append(record.trial)
            asked.append(_way(record.trial))
        runs.append(_outcome(number, place, record))
    trial = next(iter(records.values())).trial
    return {
        "id": case.id,
        "stem": trial.stem,
        "asked": asked,
        "runs": runs,
        "tags": case.tags,
        "step": [trial.sequence, trial.step] if trial.sequence else None,
        "roll": {"kind": _KINDS.get(str(case.tags.get("task"))), "truth": _truth(trial)},
        "notation": [[tune.label, notation.want(tune)] for tune in find_tunes(trial)],
    }


def _alike(one: Trial, two: Trial) -> bool:
    """Whether two trials put a question in the same way."""
    same = one.messages, one.options, one.target
    return one is two or same == (two.messages, two.options, two.target)


def _way(trial: Trial) -> dict[str, Any]:
    return {
        "messages": [_message(message) for message in trial.messages],
        "options": [[o.letter, o.text, o.key] for o in trial.options],
        "target": trial.target,
    }


def _message(message: Message) -> dict[str, Any]:
    return {"role": message.role, "parts": [_part(part) for part in message.parts]}


def _part(part: Part) -> dict[str, Any]:
    if isinstance(part, Audio):
        return {"sound": part.sha256, "start": part.start, "end": part.end}
    if isinstance(part, Image):
        return {"picture": part.sha256, "width": part.width, "height": part.height}
    return {"text": part.text}


def _outcome(run: int, asked: int, record: Record) -> Outcome:
    verdict, notes = record.verdict, record.exchange.notes
    return Outcome(
        run=run,
        asked=asked,
        state=verdict.state,
        letter=verdict.letter,
        key=verdict.answer,
        why=verdict.why,
        policy=verdict.policy,
        confidence=verdict.confidence,
        span=verdict.span,
        turns=[_call(turn) for turn in record.exchange.turns],
        scores=verdict.scores,
        tags=verdict.tags,
        error=record.error,
        attempts=record.attempts,
        heard=_heard(record),
        faults=_faults(notes) if notes else [],
    )


def _call(turn: Turn) -> Call:
    reply, detail = turn.reply, turn.reply.detail
    reasoning = (detail.get("reasoning") or detail.get("why")) if detail else None
    return Call(
        text=reply.text,
        sent=None if turn.sent is None else [_message(message) for message in turn.sent],
        purpose=turn.purpose,
        finish=reply.finish,
        latency=reply.latency_s,
        usage=reply.usage,
        reasoning=reasoning if isinstance(reasoning, str) else None,
    )


def _faults(notes: dict[str, Any]) -> list[str]:
    faults = notes.get("faults") or []
    return [str(fault.get("message")) for fault in faults if isinstance(fault, dict)]


def _truth(trial: Trial) -> Rows | None:
    """The true numbers, where a tag holds them as ``60 64 67 | 62 65``."""
    packed = trial.tags.get("transcription")
    if not isinstance(packed, str):
        return None
    try:
        return [[int(number) for number in row.split()] for row in packed.split("|")]
    except ValueError:
        return None


def _heard(record: Record) -> Rows | None:
    """What was written down: by LogicLM's transcription, or by a model that gives it."""
    exchange = record.exchange
    candidates = [exchange.notes.get("transcription")] if exchange.notes else []
    candidates += [t.reply.detail.get("heard") for t in exchange.turns if t.reply.detail]
    for candidate in candidates:
        if candidate is not None:
            with contextlib.suppress(msgspec.ValidationError):
                return msgspec.convert(candidate, Rows)
    return None


def sounds_of(details: Sequence[dict[str, Any]]) -> set[str]:
    """The SHA-256 of every recording that is heard in some trials."""
    return _named(details, "sound")


def pictures_of(details: Sequence[dict[str, Any]]) -> set[str]:
    """The SHA-256 of every picture that is shown in some trials."""
    return _named(details, "picture")


def _named(details: Sequence[dict[str, Any]], kind: str) -> set[str]:
    names = set()
    for detail in details:
        conversations = [way["messages"] for way in detail["asked"]]
        conversations += [turn.sent or [] for run in detail["runs"] for turn in run.turns]
        for messages in conversations:
            names |= {p[kind] for m in messages for p in m["parts"] if kind in p}
    return names
