"""Replies that were given elsewhere: their files, and the run that they become (`write_run`)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from zhiyin import __version__
from zhiyin.engine.folder import Manifest
from zhiyin.engine.log import RunFolder
from zhiyin.errors import InputError
from zhiyin.record import Exchange, Record, Reply, Turn, Verdict
from zhiyin.trial import Trial
from zhiyin.words import Text, said
from zhiyin.words.findings import kept

if TYPE_CHECKING:
    from zhiyin.contract.benchmark import Benchmark
    from zhiyin.contract.options import Options


def files_below(
    places: Iterable[Path], inside: Callable[[Path], Iterable[Path]], absent: str
) -> list[Path]:
    """Files as they are given, and those that `inside` finds in folders, each folder's sorted.

    Raises
    ------
    InputError
        A folder has none; `absent` says of what, and what to do.
    """
    paths: list[Path] = []
    for place in places:
        found = sorted(inside(place)) if place.is_dir() else [place]
        if not found:
            raise InputError(said("error-at", where=place, why=absent))
        paths += found
    return paths


def each_once(
    files: Sequence[Path], what: str, key: Callable[[Path], object] = Path.read_bytes
) -> tuple[list[Path], list[str]]:
    """Files without copies, and a note of how many there were; the same by `key` are copies."""
    distinct: dict[object, Path] = {}
    for path in files:
        distinct.setdefault(key(path), path)
    copies = len(files) - len(distinct)
    note = f"{copies} {what} stand twice, the same to the byte: each counts once"
    return list(distinct.values()), [note] if copies else []


def repeated(trial: Trial, repeat: int) -> Trial:
    """The trial of one of several replies to a question, from 1."""
    return msgspec.structs.replace(
        trial, id=f"{trial.id}/r{repeat}", tags={**trial.tags, "repeat": repeat}
    )


def write_run(
    kind: type[Benchmark[Any]],
    answers: Sequence[tuple[Trial, Reply]],
    score: Callable[[Trial, Exchange], Verdict],
    files: Sequence[Path],
    out: Path | None,
    extract: str,
    model: str,
    remarks: Iterable[Text] = (),
    lacking: int = 0,
    unknown: str = "played",
    options: Options | None = None,
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
    remarks : iterable of Text
        What there is to say of the replies.
    lacking : int
        Trials whose replies are missing: the run is not whole.
    unknown : {"played", "pictures"}
        What of the trials cannot be known: what was played, or the pictures.
    options : mapping, optional
        Further options of the run.

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
        options={**(options or {}), "extract": extract, "imported": True},
        remarks=[said("given-elsewhere", unknown=unknown), *remarks],
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
    options: Options,
    remarks: Iterable[Text],
    lacking: int = 0,
    label: str = "",
    declared: Mapping[str, Any] | None = None,
) -> Path:
    """Write a run as `write_run` does, into a given folder, with a digest of what was read.

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
        remarks=kept(remarks),
        label=label,
        declared=dict(declared or {}),
    )
    with RunFolder(folder, manifest) as log:
        for trial, reply in answers:
            if trial.id not in log.answered:
                exchange = Exchange((Turn(reply),))
                log.append(Record(trial.id, score(trial, exchange), trial, exchange))
    return folder
