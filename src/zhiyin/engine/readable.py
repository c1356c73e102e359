"""Values of adapters and benchmarks in a form that the log can hold and read again.

JSON knows no lone surrogates, no infinities and no objects, and a record that cannot be read
back would stop every later command. So a reply is checked as it arrives: what has an obvious
meaning is mended, and ``detail["mended"]`` says so; what has none is a `ModelError`.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from zhiyin.errors import ModelError
from zhiyin.record import FINISHES, Exchange, Finish, Record, Reply, Turn, Verdict
from zhiyin.trial import Trial

NEVER = -9999.0
"""Written for a log-probability of minus infinity, as in OpenAI's API ("very unlikely")."""

UNWRITABLE = (msgspec.MsgspecError, TypeError, ValueError, RecursionError, OverflowError)
"""What msgspec raises for values that JSON cannot hold, or that do not fit their field."""

_DEEPEST, _MOST_VALUES, _LONGEST_REPR, _MOST_BITS = 40, 50_000, 200, 4096
_ELSEWHERE: dict[Any, Finish] = {
    "max_tokens": "length",
    "max_length": "length",
    "content_filter": "refusal",
    "safety": "refusal",
}
"""Other words for what ended a reply; a word that is not here is a plain end."""

_SHORTEST = {letter: Reply(letter) for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
"""A letter and nothing else, as baselines answer: known to be in order."""

N = TypeVar("N", int, float)
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Reply).decode


def readable(reply: Any) -> Reply:
    """A reply that comes back from the log as it was; the same object where it is one already.

    Raises
    ------
    ModelError
        When it is no reply, or its text no text.
    """
    if type(reply) is Reply and type(reply.text) is str:
        try:
            if reply != _SHORTEST.get(reply.text):
                _decode(_encode(reply))
        except UNWRITABLE:
            return _mended(reply)
        return reply
    if not isinstance(reply, Reply):
        raise ModelError(f"the model returned {type(reply).__name__}, and not a Reply")
    if not isinstance(reply.text, str):
        raise ModelError(f"the reply's text is of type {type(reply.text).__name__}, and not a str")
    return _mended(reply)


def _mended(reply: Reply) -> Reply:
    detail = plain(reply.detail) if isinstance(reply.detail, dict) else {}
    new = Reply(
        _text(reply.text),
        _finish(reply.finish),
        _numbers(reply.usage, _whole),
        _seconds(reply.latency_s),
        _numbers(reply.logprobs, _log_probability),
        detail,
    )
    changed = [
        f"{name} was {_shown(getattr(reply, name))}"
        for name in ("text", "finish", "usage", "latency_s", "logprobs")
        if getattr(reply, name) != getattr(new, name)
    ]
    if changed:
        detail["mended"] = [_text(line) for line in changed]
    return new


def plain(value: Any) -> Any:
    """`value` as JSON can hold it: objects as their `repr`, what is too deep as "..."."""
    return _plain(value, 0, [_MOST_VALUES])


def _plain(value: Any, depth: int, room: list[int]) -> Any:
    room[0] -= 1
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, int):
        return int(value) if value.bit_length() < _MOST_BITS else _shown(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if depth >= _DEEPEST or room[0] <= 0:
        return "..."
    if isinstance(value, dict):
        return {_key(k): _plain(v, depth + 1, room) for k, v in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(one, depth + 1, room) for one in value]
    if isinstance(value, msgspec.Struct):
        return _fields(value, depth, room)
    try:
        return operator.index(value)  # a whole number of numpy's
    except Exception:
        return _shown(value)


def _fields(value: msgspec.Struct, depth: int, room: list[int]) -> Any:
    """A struct as `msgspec.convert` reads it again."""
    fields = {
        field.encode_name: _plain(getattr(value, field.name), depth + 1, room)
        for field in msgspec.structs.fields(value)
    }
    config = value.__struct_config__
    if config.array_like:
        return list(fields.values())
    return fields if config.tag is None else {str(config.tag_field): config.tag, **fields}


def _key(value: Any) -> str:
    return _text(value) if isinstance(value, str) else _shown(value)


def _text(value: str) -> str:
    """Join surrogates in pairs to their character, and replace those that stand alone."""
    return str.encode(value, "utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _shown(value: Any) -> str:
    """The `repr` of a value, cut short, or its type where it has none."""
    if isinstance(value, int) and value.bit_length() >= _MOST_BITS:
        return f"a number of {value.bit_length()} bits"
    try:
        return _text(repr(value)[:_LONGEST_REPR])
    except Exception:
        return f"<{type(value).__name__}>"


def _finish(value: Any) -> Finish:
    word = str(value).lower()
    return next((known for known in FINISHES if known == word), _ELSEWHERE.get(word, "stop"))


def _seconds(value: Any) -> float | None:
    try:
        seconds = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return seconds if math.isfinite(seconds) else None


def _numbers(values: Any, read: Callable[[Any], N | None]) -> dict[str, N]:
    """The entries whose value is a number; others are left out."""
    numbers = {}
    for key, value in values.items() if isinstance(values, dict) else ():
        try:
            number = read(value)
        except (TypeError, ValueError, OverflowError):
            continue
        if number is not None:
            numbers[_key(key)] = number
    return numbers


def _whole(value: Any) -> int | None:
    if isinstance(value, bool) or (isinstance(value, float) and not value.is_integer()):
        return None
    return int(value) if isinstance(value, float) else operator.index(value)


def _log_probability(value: Any) -> float | None:
    number = float(value)
    if number == -math.inf:
        return NEVER
    return number if math.isfinite(number) else None


def mended_record(record: Record, fault: Exception) -> Record:
    """A record that JSON could not hold, or that would not come back, as one that does.

    Where plain values are enough it says the same as before; otherwise it is an error record
    that keeps the replies.
    """
    try:
        mended = msgspec.convert(plain(record), Record)
        msgspec.json.decode(_encode(mended), type=Record)
    except UNWRITABLE:
        return _last_resort(record, fault)
    return mended


def _last_resort(record: Record, fault: Exception) -> Record:
    name = _key(record.id)
    error = f"the record of this trial cannot be written as JSON: {_text(str(fault))[:300]}"
    try:
        trial = msgspec.convert(plain(record.trial), Trial)
    except UNWRITABLE:
        trial = Trial(name, ())
    turns = record.exchange.turns
    kept = tuple(Turn(_mended(turn.reply)) for turn in turns if isinstance(turn.reply.text, str))
    exchange = Exchange(kept, broken=record.exchange.broken or len(kept) < len(turns))
    return Record(name, Verdict("error", None), trial, exchange, error, record.attempts)
