"""Runs as a Polars frame of all questions and replies, whole or in portions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from zhiyin.engine.folder import read_manifest
from zhiyin.errors import missing_package
from zhiyin.files import Places, as_paths
from zhiyin.record import NOT_JUDGED, Record
from zhiyin.runs.rows import records_of
from zhiyin.runs.ways import gold_of, item_of

if TYPE_CHECKING:
    import polars

_ROWS = 5_000


def read_frame(folders: Places) -> polars.DataFrame:
    """Run folders as one Polars frame, a row a trial.

    Columns
    -------
    run, benchmark, model : str
    id, item, condition, stem, target, target_letter, cluster : str
    sequence : str
        Empty for a plain trial.
    step : int
        Its place in the sequence, from 1; 0 for a plain trial.
    groups : list of str
    options : str
        JSON: a list of letter, text and key.
    messages : str
        JSON, as logged; sounds by path and SHA-256.
    state, answer, letter, why, policy : str
        The verdict.
    score : float
        1 or 0; null for an error and for what has no right answer.
    reply, finish, error : str
        The last reply's text and finish reason; the error of a trial without verdict.
    turns, attempts : int
    latency_s : float
        Seconds, summed over turns; null for what answers at once.
    ``usage.*`` : int
        Token counts as the server names them, summed over turns.
    ``logprob.*`` : float
        Log-probability of each letter in the last reply.
    ``tag.*``, ``verdict.*``, ``score.*``
        The trial's and the verdict's tags, and the named scores. A tag of several types is text.

    Raises
    ------
    InputError
        When Polars is not installed, or a folder is not a run.
    """
    frame: polars.DataFrame = polars_here().concat(frames(as_paths(folders)), rechunk=True)
    return frame


def polars_here() -> Any:
    """The package. Raises `InputError` where it is not installed."""
    try:
        import polars
    except ImportError:
        raise missing_package("polars", "tables") from None
    return polars


def frames(folders: Sequence[Path]) -> Iterator[polars.DataFrame]:
    """The frame of `read_frame` in portions of equal columns, of some thousand rows; at least one.

    Reads each log twice: which columns there are is known at its end.
    """
    types = _types(_rows(folders))
    waiting = _rows(folders)
    portion = list(islice(waiting, _ROWS))
    while True:
        yield _frame(portion, types)
        if not (portion := list(islice(waiting, _ROWS))):
            return


def _rows(folders: Sequence[Path]) -> Iterator[dict[str, object]]:
    for folder in folders:
        manifest = read_manifest(folder)
        head = {"run": str(folder), "benchmark": manifest.benchmark, "model": manifest.model}
        for record in records_of(folder):
            yield head | _row(record)


def _frame(
    rows: Sequence[dict[str, object]], types: dict[str, polars.DataType]
) -> polars.DataFrame:
    import polars

    columns = {}
    for name, dtype in types.items():
        values = [row.get(name) for row in rows]
        if dtype == polars.String:
            values = [v if v is None or isinstance(v, str) else _json(v) for v in values]
        columns[name] = polars.Series(name, values, dtype=dtype, strict=False)
    return polars.DataFrame(columns)


_FIXED = (
    "run", "benchmark", "model", "id", "item", "condition", "stem", "options", "target",
    "target_letter", "groups", "cluster", "sequence", "step", "messages", "state", "score",
    "answer", "letter", "why", "policy", "reply", "finish", "error", "turns", "attempts",
    "latency_s",
)  # fmt: skip
_NUMBERS = {"score": float, "latency_s": float, "step": int, "turns": int, "attempts": int}


def _row(record: Record) -> dict[str, object]:
    trial, verdict, turns = record.trial, record.verdict, record.exchange.turns
    last = turns[-1].reply if turns else None
    item, condition = item_of(record.id, trial.item, trial.condition, trial.tags)
    seconds = [turn.reply.latency_s for turn in turns if turn.reply.latency_s is not None]
    usage: dict[str, int] = {}
    for turn in turns:
        for name, count in turn.reply.usage.items():
            usage[f"usage.{name}"] = usage.get(f"usage.{name}", 0) + count
    return {
        "id": record.id, "item": item, "condition": condition, "stem": trial.stem,
        "options": _json(trial.options), "target": trial.target,
        "target_letter": gold_of(trial.options, trial.target, trial.tags),
        "groups": list(trial.groups), "cluster": trial.cluster, "sequence": trial.sequence,
        "step": trial.step, "messages": _json(trial.messages), "state": verdict.state,
        "score": None if verdict.state in NOT_JUDGED else float(verdict.state == "correct"),
        "answer": verdict.answer, "letter": verdict.letter, "why": verdict.why,
        "policy": verdict.policy, "reply": last.text if last else None,
        "finish": last.finish if last else None, "error": record.error, "turns": len(turns),
        "attempts": record.attempts, "latency_s": sum(seconds) if seconds else None, **usage,
        **({f"logprob.{k}": v for k, v in last.logprobs.items()} if last else {}),
        **{f"tag.{k}": v for k, v in trial.tags.items()},
        **{f"verdict.{k}": v for k, v in verdict.tags.items()},
        **{f"score.{k}": v for k, v in verdict.scores.items()},
    }  # fmt: skip


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _types(rows: Iterable[dict[str, object]]) -> dict[str, polars.DataType]:
    """The type of each column: the fixed ones, then the others by kind in order of appearance."""
    import polars

    columns: dict[str, set[type]] = {}
    for row in rows:
        for name, value in row.items():
            kinds = columns.setdefault(name, set())
            if value is not None:
                kinds.add(type(value))
    order = [name for name in columns if name not in _FIXED]
    kinds_of = ("usage.", "logprob.", "tag.", "verdict.", "score.")
    order.sort(key=lambda n: next(i for i, k in enumerate(kinds_of) if n.startswith(k)))
    fixed = {name: _type({_NUMBERS.get(name, str)}) for name in _FIXED}
    fixed["groups"] = polars.List(polars.String)
    return fixed | {name: _type(columns[name]) for name in order}


def _type(kinds: set[type]) -> Any:
    """One type for values of some kinds: text where they are of several."""
    import polars

    if kinds == {int, float}:
        return polars.Float64
    plain: dict[type, Any] = {int: polars.Int64, float: polars.Float64, bool: polars.Boolean}
    return plain.get(next(iter(kinds)), polars.String) if len(kinds) == 1 else polars.String
