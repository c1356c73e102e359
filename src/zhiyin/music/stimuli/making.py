"""From a task, a number and a seed to a folder of sound, MIDI and truth."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import msgspec

from zhiyin.errors import InputError, did_you_mean
from zhiyin.music.midi import midi_bytes
from zhiyin.music.render import RATE, Renderer, normalised, open_renderer, wav_bytes
from zhiyin.music.stimuli import chords, syncopation, transposition
from zhiyin.music.stimuli.effects import apply_effects
from zhiyin.music.stimuli.item import TRUTH, Difficulty, Item, Plan, Task, save_truth

_MOST_ITEMS = 1_000_000
Designs = Callable[[Sequence[int], int, Difficulty, bool], Iterator[Plan]]

_DESIGNS: dict[str, Designs] = {
    "syncopation": syncopation.designs,
    "transposition": transposition.designs,
    "chords": chords.designs,
}


def make(
    task: Task,
    n: int,
    seed: int,
    out: str | Path,
    difficulty: Difficulty | None = None,
    renderer: str | Renderer = "auto",
) -> list[Item]:
    """Make `n` items of a task in a folder.

    An item depends on seed, task, difficulty and its own number, not on `n`: the first twenty
    of a hundred are the twenty. In every beginning, levels, kits, roots, qualities, keys,
    shifts, instruments and answers are balanced (counts differ by at most 1), and no two items
    are alike.

    Parameters
    ----------
    task : str
        "syncopation", "transposition" or "chords".
    n : int
        How many, at least 1. 48 chords are every root and quality once.
    seed : int
        Not negative.
    out : str or Path
        Folder to write to; made if absent. Its truth file is written last, in one step.
    difficulty : Difficulty, optional
        The paper's when not given.
    renderer : str or Renderer
        A name for `render.open_renderer`, or one that is open.

    Raises
    ------
    InputError
        A setting makes no sense, fewer than `n` items exist, `out` holds stimuli already, or
        the renderer lacks what is needed.
    """
    if not 1 <= n <= _MOST_ITEMS:
        raise InputError(f"{n} items cannot be made: ask for 1 to {_MOST_ITEMS:,}")
    return _make(task, n, seed, Path(out), difficulty or Difficulty(), renderer, False)


def make_exemplars(
    task: Task,
    seed: int,
    out: str | Path,
    difficulty: Difficulty | None = None,
    renderer: str | Renderer = "auto",
) -> list[Item]:
    """Make the worked examples of few-shot trials: 2, 2, and one for each chord quality.

    Their musical content is of a kind that `make` never uses, whatever the seed (see
    `dice.is_reserved`): no example is ever equal to a scored item. The two of syncopation have
    different levels; of transposition one is "Yes" and one is "No".

    Raises
    ------
    InputError
        As `make`.
    """
    difficulty = difficulty or Difficulty()
    n = len(difficulty.qualities) if task == "chords" else 2
    return _make(task, n, seed, Path(out), difficulty, renderer, True)


def _make(
    task: Task,
    n: int,
    seed: int,
    out: Path,
    difficulty: Difficulty,
    renderer: str | Renderer,
    reserved: bool,
) -> list[Item]:
    if task not in _DESIGNS:
        raise InputError(f"unknown task {task!r}: {did_you_mean(task, _DESIGNS)}")
    if seed < 0:
        raise InputError(f"seed {seed} is negative: give 0 or more")
    difficulty.check(task)
    if (out / TRUTH).exists():
        raise InputError(f"{out} holds stimuli already: give another folder, or remove this one")
    player = open_renderer(renderer) if isinstance(renderer, str) else renderer
    kits = player.kits() if task == "syncopation" else ()
    # Everything is planned before anything is written: too large an n leaves no half-made folder.
    plans = list(islice(_DESIGNS[task](kits, seed, difficulty, reserved), n))
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make the folder {out}: {error.strerror}") from error
    stem = f"{task}-example" if reserved else task
    items = [
        _write(f"{stem}-{number:04d}", task, plan, seed, out, difficulty, player)
        for number, plan in enumerate(plans, start=1)
    ]
    save_truth(out, items)
    return items


def _write(
    name: str,
    task: Task,
    plan: Plan,
    seed: int,
    out: Path,
    difficulty: Difficulty,
    player: Renderer,
) -> Item:
    """Render one item, write its files, and say what was made."""
    several = len(plan.scores) > 1
    parts = [f"{name}-{index}" if several else name for index in range(1, len(plan.scores) + 1)]
    files = {}
    for part, score, seconds in zip(parts, plan.scores, plan.seconds, strict=True):
        samples = player.render(score.notes, seconds, RATE)
        samples = apply_effects(samples, difficulty, seed, part)
        contents = {".wav": wav_bytes(normalised(samples)), ".mid": midi_bytes(score)}
        for suffix, content in contents.items():
            (out / f"{part}{suffix}").write_bytes(content)
            files[f"{part}{suffix}"] = hashlib.sha256(content).hexdigest()
    hard = msgspec.to_builtins(difficulty)
    truth = {**plan.truth, "seconds": plan.seconds[0], "difficulty": hard, "files": files}
    # Through JSON, so that what is returned is equal to what `load` will read.
    truth = msgspec.json.decode(msgspec.json.encode(truth))
    return Item(
        id=name,
        task=task,
        sounds=tuple(f"{part}.wav" for part in parts),
        scores=tuple(f"{part}.mid" for part in parts),
        answer=plan.answer,
        truth=truth,
        renderer=player.label,
    )
