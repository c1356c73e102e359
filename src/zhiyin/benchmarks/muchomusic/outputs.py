"""Answers that a model gave elsewhere, in the JSON of the published code, as a run folder.

Each item has ``id``, ``dataset``, ``prompt``, ``answers`` (in the order shown), ``answer_orders``
(for each of them its place in the data; 0 is right), ``genre``, ``reasoning``, ``knowledge`` and
``model_output``; ours have the ``question`` too. One file is one run of the paper's three;
several files become repeats.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from zhiyin import __version__
from zhiyin.benchmarks.muchomusic.benchmark import MuChoMusic
from zhiyin.benchmarks.muchomusic.dimensions import groups_of
from zhiyin.benchmarks.muchomusic.trials import KEYS
from zhiyin.contract.policies import open_policy
from zhiyin.engine.log import Manifest, RunFolder
from zhiyin.engine.scoring import judge_choice
from zhiyin.errors import InputError
from zhiyin.files import NOT_JSON, Place, Places, as_paths
from zhiyin.record import Exchange, Record, Reply, Turn
from zhiyin.trial import Option, Trial, say


class Output(msgspec.Struct, frozen=True):
    """One item of the published JSON. Fields that are not named here are passed over."""

    id: int | str
    dataset: str
    prompt: str
    answers: tuple[str, ...]
    answer_orders: tuple[int, ...]
    model_output: str
    reasoning: tuple[str, ...]
    knowledge: tuple[str, ...]
    genre: str | None = None
    audio_path: str | None = None
    question: str = ""


def import_outputs(
    files: Places, out: Place | None = None, extract: str = "robust", model: str = ""
) -> Path:
    """Write a run folder of published outputs.

    Parameters
    ----------
    files : sequence of Path
        One file for each repeat.
    out : Path, optional
        The folder; by default named after the first file and the content.
    extract : str
        The extraction policy to score with; ``zhiyin rescore`` takes any other.
    model : str
        What the model is to be called; by default the first file's name.

    Returns
    -------
    Path
        The folder.

    Raises
    ------
    InputError
        For an unknown policy, a file that is not such a JSON, orders that are no permutations,
        or files that do not ask the same questions.
    """
    files, out = as_paths(files), None if out is None else Path(out)
    policy = open_policy(extract)
    trials = [list(_read(path, number)) for number, path in enumerate(files, 1)]
    _require_same_questions(files, trials)
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()
    folder = out or Path("runs") / f"muchomusic-{files[0].stem}-{digest[:8]}"
    manifest = _manifest(model or files[0].stem, extract, digest, sum(map(len, trials)))
    with RunFolder(folder, manifest) as log:
        for trial, output in (pair for pairs in trials for pair in pairs):
            if trial.id in log.answered:
                continue
            exchange = Exchange((Turn(Reply(output)),))
            log.append(Record(trial.id, judge_choice(trial, exchange, policy), trial, exchange))
    return folder


def _manifest(model: str, extract: str, digest: str, planned: int) -> Manifest:
    options: dict[str, Any] = {"extract": extract, "imported": True}
    return Manifest(
        benchmark=MuChoMusic.name,
        model=model,
        config={
            "benchmark": MuChoMusic.name,
            "benchmark_version": MuChoMusic.version,
            "options": options,
            "data": digest,
            "model": model,
        },
        options=options,
        planned=planned,
        versions={"zhiyin": __version__},
        remarks=["answers that were given elsewhere; what was played is not known"],
    )


def _read(path: Path, repeat: int) -> Iterator[tuple[Trial, str]]:
    """Each item as a trial, and what the model said."""
    counts: dict[str, int] = {}
    for number, output in enumerate(_decode(path), 1):
        where = f"{path}, item {number} (id {output.id})"
        if not 2 <= len(output.answers) <= len(KEYS):
            raise InputError(f"{where}: {len(output.answers)} answers; give two to {len(KEYS)}")
        if not all(text.strip() for text in output.answers):
            raise InputError(f"{where}: an answer is blank; give the words of every option")
        if sorted(output.answer_orders) != list(range(len(output.answers))):
            raise InputError(
                f"{where}: answer_orders {list(output.answer_orders)} is no permutation of "
                f"0 to {len(output.answers) - 1}; give each option's place in the data once"
            )
        place = f"{output.dataset}/{output.id}"
        counts[place] = counts.get(place, 0) + 1
        yield _trial(output, place, counts[place], repeat), output.model_output


def _decode(path: Path) -> list[Output]:
    try:
        outputs = msgspec.json.decode(path.read_bytes(), type=list[Output])
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); correct its name") from None
    except NOT_JSON as error:
        raise InputError(f"{path}: {error}; give the JSON that the published code scores") from None
    if not outputs:
        raise InputError(f"{path}: holds no items; give the JSON that the published code scores")
    return outputs


def _trial(output: Output, place: str, number: int, repeat: int) -> Trial:
    asked = output.prompt.rpartition("Question:")[2].partition("Options:")[0]
    question = (output.question or asked).strip()
    options = tuple(
        Option(KEYS[shown], text, KEYS[order])
        for shown, (text, order) in enumerate(
            zip(output.answers, output.answer_orders, strict=True)
        )
    )
    return Trial(
        id=f"{place}/{number}/r{repeat}",
        messages=(say("user", output.prompt),),
        stem=question or output.prompt,
        options=options,
        target=KEYS[0],
        groups=groups_of(output.knowledge, output.reasoning, output.genre, output.dataset),
        cluster=place,
        tags={
            "item": f"{place}/{number}",
            "dataset": output.dataset,
            "genre": output.genre or None,
            "knowledge": ", ".join(output.knowledge),
            "reasoning": ", ".join(output.reasoning),
            "heard": output.audio_path,
            "repeat": repeat,
        },
        item=f"{place}/{number}",
    )


def _require_same_questions(
    files: Sequence[Path], trials: Sequence[Sequence[tuple[Trial, str]]]
) -> None:
    first = {trial.tags["item"]: trial.stem for trial, _ in trials[0]}
    for path, pairs in zip(files[1:], trials[1:], strict=True):
        for trial, _ in pairs:
            if first.get(trial.tags["item"]) != trial.stem:
                raise InputError(
                    f"{path}: asks {trial.stem[:40]!r} as {trial.tags['item']}, and {files[0]} "
                    "does not; give files of one set of questions, in one order"
                )
        if len(pairs) != len(first):
            raise InputError(f"{path}: {len(pairs)} items, but {files[0]} has {len(first)}")
