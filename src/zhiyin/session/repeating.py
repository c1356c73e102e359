"""A run again, from its manifest: the same settings, model and seeds; how the replies compare."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.contract.registry import is_missing, known
from zhiyin.contract.settings import RunSettings, settings_of
from zhiyin.contract.stand_in import read_declaration
from zhiyin.engine.folder import Manifest, read_manifest
from zhiyin.engine.log import differences
from zhiyin.engine.runner import Limits
from zhiyin.errors import InputError
from zhiyin.record import Record
from zhiyin.runs.rows import records_of

_MOST_EXAMPLES = 3
_PASSING = frozenset({"limit", "sample"})


class Beside(msgspec.Struct):
    """Two runs of the same settings, reply by reply.

    Attributes
    ----------
    first, second : Path
    trials : int
        That both hold.
    items, replies, verdicts : int
        Of these, how many were asked otherwise, answered otherwise, judged otherwise.
    only_first, only_second : int
        Trials that one of them lacks.
    settings, versions, servers : list of str
        In what the runs differ, a clause each; `servers` as replies name the model.
    examples : list of str
        A line for each of the first replies that differ.
    """

    first: Path
    second: Path
    trials: int = 0
    items: int = 0
    replies: int = 0
    verdicts: int = 0
    only_first: int = 0
    only_second: int = 0
    settings: list[str] = []
    versions: list[str] = []
    servers: list[str] = []
    examples: list[str] = []

    @property
    def same(self) -> bool:
        """Whether every trial is in both, asked, answered and judged alike."""
        parts = self.items, self.replies, self.verdicts, self.only_first, self.only_second
        return not any(parts)


def order_again(
    folder: Path, out: str, limits: Limits, model: str = "", data: str = ""
) -> RunSettings:
    """What a run was ordered as, from its manifest.

    Parameters
    ----------
    folder : Path
    out : str
        The folder of the new run.
    limits : Limits
        Of calls; they change no answer and are not in the manifest.
    model : str
        Whom to ask; "" for the model of the run.
    data : str
        Where the benchmark's data lie now; "" for where they lay.

    Raises
    ------
    InputError
        It is no run, or its benchmark is not here.
    """
    manifest = read_manifest(folder)
    if Path(out).resolve() == folder.resolve():
        raise InputError(f"--out {out} is the run itself: choose another folder")
    settings = settings_of(manifest)
    return msgspec.structs.replace(
        settings,
        benchmark=_benchmark(manifest),
        model=model or settings.model,
        options=settings.options | ({"data": data} if data else {}),
        out=out,
        limits=limits,
        label=_label(manifest, model),
        canary=bool(manifest.canary),
    )


def _label(manifest: Manifest, model: str) -> str:
    """What the new run is called: after the run, or after another model that is asked."""
    name = manifest.label or manifest.model
    if model and model not in (manifest.spec, manifest.model):
        return f"{model}, in the place of {name}"
    return f"{name}, again"


def _benchmark(manifest: Manifest) -> Any:
    kind, kept = known(manifest), read_declaration(manifest.declared)
    if is_missing(kind):
        remedy = kept.origin.remedy if kept else "install it"
        raise InputError(f"benchmark {manifest.benchmark!r} is not here: {remedy}")
    return kind


def beside(first: Path, second: Path) -> Beside:
    """Compare two runs reply by reply."""
    result = Beside(first, second)
    one, two = read_manifest(first), read_manifest(second)
    changes = differences(one.config, two.config)
    result.settings = [change for change in changes if change.split()[0] not in _PASSING]
    result.versions = list(differences(one.versions, two.versions))
    theirs = {record.id: record for record in records_of(second)}
    servers: tuple[set[str], set[str]] = set(), set()
    for record in records_of(first):
        other = theirs.pop(record.id, None)
        servers[0].update(_servers(record))
        if other is None:
            result.only_first += 1
            continue
        servers[1].update(_servers(other))
        _compare(result, record, other)
    result.only_second = len(theirs)
    if servers[0] != servers[1]:
        before, now = (", ".join(sorted(names)) or "none" for names in servers)
        result.servers = [f"the model as its server names it was {before}, now {now}"]
    return result


def _compare(result: Beside, record: Record, other: Record) -> None:
    result.trials += 1
    mine, theirs = record.verdict, other.verdict
    result.items += _question(record) != _question(other)
    result.verdicts += (mine.state, mine.answer) != (theirs.state, theirs.answer)
    if (before := list(_replies(record))) != (now := list(_replies(other))):
        result.replies += 1
        if len(result.examples) < _MOST_EXAMPLES:
            old, new = (
                " ".join((texts[-1] if texts else "no reply").split()) for texts in (before, now)
            )
            result.examples.append(f"{record.id}: {old[:80]!r}, now {new[:80]!r}")


def _question(record: Record) -> bytes:
    """What was asked, wherever sound and pictures lie."""
    trial = msgspec.to_builtins(record.trial)
    for message in trial["messages"]:
        for part in message["parts"]:
            part.pop("path", None)
    return msgspec.json.encode(trial, order="sorted")


def _replies(record: Record) -> Iterator[str]:
    for turn in record.exchange.turns:
        yield turn.reply.text
        if turn.reply.logprobs:
            yield str(sorted(turn.reply.logprobs.items()))


def _servers(record: Record) -> Iterator[str]:
    for turn in record.exchange.turns:
        if name := turn.reply.detail.get("model"):
            yield str(name)
