"""A run in the JSON that the published code of MuChoMusic scores; see `outputs` for its fields."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from zhiyin.benchmarks.muchomusic.trials import KEYS
from zhiyin.errors import InputError
from zhiyin.files import write_atomically
from zhiyin.record import Record
from zhiyin.runs.rows import records_of
from zhiyin.trial import Audio


def write_outputs(run: Path, out: Path) -> tuple[list[Path], list[str]]:
    """Write a run as published outputs: a file for each repeat.

    Parameters
    ----------
    run : Path
    out : Path
        The file; with several repeats "-1", "-2", ... are added before its ending.

    Returns
    -------
    files : list of Path
    notes : list of str
        What the user should know, a line each.

    Raises
    ------
    InputError
        The run was asked in a way that the JSON cannot hold: several conditions, rotations, or a
        part of the options.
    """
    repeats: dict[int, list[Record]] = {}
    failed = 0
    for record in records_of(run):
        if not record.exchange.turns or record.exchange.broken:
            failed += 1
            continue
        _refuse(run, record)
        repeats.setdefault(int(record.trial.tags.get("repeat") or 1), []).append(record)
    if not repeats:
        raise InputError(f"{run}: holds no answers yet")
    files = [_file(out, number, len(repeats)) for number in sorted(repeats)]
    for path in files:
        if path.exists():
            raise InputError(f"{path} is there already: remove it, or choose another place with -o")
    for path, number in zip(files, sorted(repeats), strict=True):
        items = [_item(record) for record in sorted(repeats[number], key=_place)]
        write_atomically(path, msgspec.json.format(msgspec.json.encode(items)) + b"\n")
    return files, [f"{failed} trials have no answer and are left out"] if failed else []


def _file(out: Path, number: int, of: int) -> Path:
    return out if of == 1 else out.with_name(f"{out.stem}-{number}{out.suffix}")


def _refuse(run: Path, record: Record) -> None:
    tags = record.trial.tags
    if record.trial.condition or "rotation" in tags or len(record.trial.options) != len(KEYS):
        raise InputError(
            f"{run}: the published JSON holds one way of asking, with all four options: run "
            "muchomusic without --audio, --distractors and --rotations"
        )


def _place(record: Record) -> tuple[str, int]:
    """Where a question stands: its track, and its number there."""
    place, _, number = record.trial.item.rpartition("/")
    return place, int(number)


def _item(record: Record) -> dict[str, Any]:
    trial = record.trial
    dataset, _, track = (trial.cluster or "").partition("/")
    sounds = [p for m in trial.messages for p in m.parts if isinstance(p, Audio)]
    return {
        "id": int(track) if track.isdecimal() and str(int(track)) == track else track,
        "dataset": dataset,
        "prompt": trial.messages[-1].text,
        "question": trial.stem,
        "answers": [option.text for option in trial.options],
        "answer_orders": [KEYS.index(option.key) for option in trial.options],
        "genre": trial.tags.get("genre"),
        "reasoning": _list(trial.tags.get("reasoning")),
        "knowledge": _list(trial.tags.get("knowledge")),
        "audio_path": Path(sounds[0].path).name if sounds else None,
        "model_output": record.exchange.final.text,
    }


def _list(joined: Any) -> list[str]:
    return str(joined).split(", ") if joined else []
