"""The samples of a run in the form of Every Eval Ever: a line a trial.

See `zhiyin.plugins.lab.every_eval_ever` for the form.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from zhiyin.engine.scoring import ALL
from zhiyin.plugins.lab.every_eval_ever import (
    EXCHANGE,
    FAILURE,
    SCHEMA,
    TRIAL,
    VERDICT,
    Attribution,
    SampleEvaluation,
    SampleInput,
    SampleLine,
    SampleMessage,
    SampleOutput,
    TokenUsage,
    without_paths,
)
from zhiyin.record import Exchange, Record, Reply, Turn
from zhiyin.runs.ways import Ways
from zhiyin.trial import Audio, Image, Message, Option, Text, Trial, right_keys

EeeObject = dict[str, Any]
"""An object of the schema, as JSON has it."""


class EvaluationPlace(NamedTuple):
    """Names under which a run is exported."""

    evaluation: str
    model: str
    stem: str
    """``data/COLLECTION/DEVELOPER/MODEL/UUID``."""


class ResultOutlet(NamedTuple):
    """A result: its id, its name, and what belongs to it."""

    id: str
    name: str
    group: str


def sample_of(
    record: Record, place: EvaluationPlace, benchmark: str, outlet: ResultOutlet | None
) -> SampleLine:
    """The line of a record; one without a result has no score either."""
    trial, turns = record.trial, record.exchange.turns
    single = len(turns) == 1 and turns[0].sent is None and len(trial.messages) == 1
    reference = [_words_of(trial.options, key) for key in right_keys(trial)]
    asked = "\n\n".join(_told(message) for message in trial.messages)
    raw, right = trial.stem or asked, record.verdict.state == "correct"
    return SampleLine(
        schema_version=SCHEMA,
        evaluation_id=place.evaluation,
        model_id=place.model,
        evaluation_name=outlet.name if outlet else benchmark,
        evaluation_result_id=outlet.id if outlet else None,
        sample_id=record.id,
        sample_hash=hashlib.sha256("".join([raw, *reference]).encode()).hexdigest(),
        interaction_type="single_turn" if single else "multi_turn",
        input=SampleInput(raw, reference, asked, [o.text for o in trial.options] or None),
        output=SampleOutput([turns[0].reply.text]) if single else None,
        messages=None if single else _conversation(record),
        answer_attribution=[_attribution(record, single)],
        evaluation=SampleEvaluation(float(right), right, len(turns) or None) if outlet else None,
        token_usage=_tokens([turn.reply for turn in turns]),
        performance=_latency([turn.reply for turn in turns]),
        error=record.error,
        metadata=_metadata(record, single),
    )


def outlet_of(trial: Trial, ways: Ways, outlets: dict[str, ResultOutlet]) -> ResultOutlet:
    """The result that a sample belongs to: that of the whole, or of another way of asking."""
    whole = outlets[ALL]
    if not ways.of(trial.tags):
        return whole
    return next((outlets[group] for group in trial.groups if group in outlets), whole)


def _words_of(options: Sequence[Option], key: str | None) -> str:
    """An option's words by its key; of an answer that is free the answer."""
    return next((option.text for option in options if option.key == key), key or "")


def _attribution(record: Record, single: bool) -> Attribution:
    """Describe how the answer was read; what could not be read has no value."""
    verdict, turns = record.verdict, record.exchange.turns
    method = ": ".join(filter(None, (verdict.policy, verdict.why))) or verdict.state
    place = 0 if single else max(0, len(_conversation(record)) - 1)
    source = "output.raw" if single else f"messages[{place}].content"
    value = _words_of(record.trial.options, verdict.answer) if turns else ""
    return Attribution(place, source, value, method, True)


def _conversation(record: Record) -> list[SampleMessage]:
    said: list[tuple[str, str]] = [(m.role, _told(m)) for m in record.trial.messages]
    for turn in record.exchange.turns:
        said += [(m.role, _told(m)) for m in turn.sent or ()]
        said.append(("assistant", turn.reply.text))
    return [SampleMessage(n, role, text) for n, (role, text) in enumerate(said)]


def _told(message: Message) -> str:
    """A message in words, with marks where sound and pictures stand."""
    marks = {Audio: "[sound]", Image: "[picture]"}
    return "\n\n".join(p.text if isinstance(p, Text) else marks[type(p)] for p in message.parts)


def _tokens(replies: Sequence[Reply]) -> TokenUsage | None:
    total = Counter[str]()
    for reply in replies:
        total.update(reply.usage)
    if not total:
        return None
    sent, received = total["prompt_tokens"], total["completion_tokens"]
    return TokenUsage(sent, received, sent + received)


def _latency(replies: Sequence[Reply]) -> EeeObject | None:
    known_times = [reply.latency_s for reply in replies if reply.latency_s is not None]
    return {"latency_ms": 1000 * sum(known_times)} if known_times else None


def _metadata(record: Record, single: bool) -> dict[str, str]:
    """Facts in words for everybody, and all that a run of ours needs as JSON."""
    trial, verdict = record.trial, record.verdict
    media = [p.sha256 for m in trial.messages for p in m.parts if not isinstance(p, Text)]
    facts = {
        "state": verdict.state,
        "groups": ", ".join(trial.groups),
        "cluster": trial.cluster or "",
        "item": trial.item,
        "condition": trial.condition,
        "media_sha256": " ".join(media),
        "confidence": verdict.confidence,
        FAILURE: record.error or "",
    }
    asked = msgspec.structs.replace(trial, messages=without_paths(trial.messages))
    kept = {TRIAL: asked, VERDICT: verdict, EXCHANGE: _exchange(record.exchange, single)}
    written = {name: msgspec.json.encode(value).decode() for name, value in kept.items()}
    return {name: text for name, text in facts.items() if text} | written


def _exchange(exchange: Exchange, single: bool) -> Exchange:
    """Strip what the sample has already, what adapters noted, and places of files."""
    turns = tuple(
        Turn(
            msgspec.structs.replace(turn.reply, detail={}, **({"text": ""} if single else {})),
            None if turn.sent is None else without_paths(turn.sent),
            turn.purpose,
        )
        for turn in exchange.turns
    )
    return Exchange(turns, exchange.notes, exchange.broken)
