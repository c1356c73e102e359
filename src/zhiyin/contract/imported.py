"""Replies that were given elsewhere, written as a run."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from zhiyin import __version__
from zhiyin.contract.benchmark import Benchmark
from zhiyin.engine.log import Manifest, RunFolder
from zhiyin.record import Exchange, Record, Reply, Turn, Verdict
from zhiyin.trial import Trial


def write_run(
    kind: type[Benchmark[Any]],
    answers: Sequence[tuple[Trial, Reply]],
    score: Callable[[Trial, Exchange], Verdict],
    files: Sequence[Path],
    out: Path | None,
    extract: str,
    model: str,
    remarks: Iterable[str] = (),
    lacking: int = 0,
    unknown: str = "what was played is not known",
) -> Path:
    """A run folder of replies.

    Parameters
    ----------
    kind : type of Benchmark
    answers : sequence of (Trial, Reply)
    score : callable
        As `Benchmark.score`.
    files : sequence of Path
        What the replies were read from.
    out : Path or None
        The folder; None for one named after the first file and the content of all.
    extract, model : str
        As in `Benchmark.import_answers`.
    remarks : iterable of str
        What there is to say of the replies.
    lacking : int
        Trials whose replies are missing: the run is not whole.
    unknown : str
        What of the trials cannot be known.

    Returns
    -------
    Path
        The folder. Written again from the same files, it is the same.
    """
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()
    name = files[0].name.partition(".")[0]
    folder = out or Path("runs") / f"{kind.name}-{name}-{digest[:8]}"
    return write_replies(
        kind,
        answers,
        score,
        folder,
        digest,
        model=model or name,
        options={"extract": extract, "imported": True},
        remarks=[f"answers that were given elsewhere; {unknown}", *remarks],
        lacking=lacking,
    )


def write_replies(
    kind: type[Benchmark[Any]],
    answers: Sequence[tuple[Trial, Reply]],
    score: Callable[[Trial, Exchange], Verdict],
    folder: Path,
    digest: str,
    *,
    model: str,
    options: dict[str, Any],
    remarks: list[str],
    lacking: int = 0,
    label: str = "",
    declared: Mapping[str, Any] | None = None,
) -> Path:
    """As `write_run`, into a folder that is named, with a digest of what was read.

    `label` is what tables call the run; `declared` what `contract.registry.declared` says of the
    benchmark, for runs that are to be read where it has changed.
    """
    manifest = Manifest(
        benchmark=kind.name,
        model=model,
        config={
            "benchmark": kind.name,
            "benchmark_version": kind.version,
            "options": options,
            "data": digest,
            "model": model,
        },
        options=options,
        planned=len(answers) + lacking,
        versions={"zhiyin": __version__},
        remarks=[*remarks],
        label=label,
        declared=dict(declared or {}),
    )
    with RunFolder(folder, manifest) as log:
        for trial, reply in answers:
            if trial.id not in log.answered:
                exchange = Exchange((Turn(reply),))
                log.append(Record(trial.id, score(trial, exchange), trial, exchange))
    return folder
