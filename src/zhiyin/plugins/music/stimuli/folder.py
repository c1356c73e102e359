"""A folder of sound, MIDI and truth: made from a task, a number and a seed, and checked.

It is checked against its own MIDI and sound files.

Chord items: a chord as a block, then its notes one by one from the lowest up.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations, groupby, islice, pairwise
from pathlib import Path

import msgspec

from zhiyin.errors import InputError, did_you_mean, reworded
from zhiyin.plugins.music import solvers
from zhiyin.plugins.music.midi import Note, Score, midi_bytes, read_midi
from zhiyin.plugins.music.render import RATE, Renderer, normalised, open_renderer, wav_bytes
from zhiyin.plugins.music.stimuli import (
    INSTRUMENTS,
    QUALITY_LETTERS,
    TRUTH,
    Dice,
    Difficulty,
    Item,
    StimulusPlan,
    Task,
    apply_effects,
    balanced,
    crossed,
    is_reserved,
    load,
    save_truth,
    syncopation,
    transposition,
)
from zhiyin.plugins.music.stimuli.syncopation import KICK, SNARE
from zhiyin.plugins.music.theory import QUALITIES, ROOTS, pitch_class, spell_chord
from zhiyin.words import said

TEMPO = 120
BLOCK_BEATS = 4
TOTAL_BEATS = 18
"""Nine seconds at 120 quarter notes a minute."""
LAST_BEAT = 16
"""When the arpeggio's last note is released."""

_LOWEST = (40, 63)
"""Range of the lowest pitch, E2 to Eb4: every root in two octaves."""
_SPAN = 26
_SIZES = range(4, 8)
"""How many notes a chord has, octave doublings included."""


def designs(
    kits: Sequence[int], seed: int, difficulty: Difficulty, reserved: bool
) -> Iterator[StimulusPlan]:
    """Chord items without end, each root and quality once in every round.

    Raises
    ------
    InputError
        All voicings of a root and quality have been used.
    """
    stream = "examples" if reserved else "items"
    words = (seed, "chords", stream)
    instruments = balanced(difficulty.instruments or ("piano",), *words, "instruments")
    used: dict[tuple[str, str], int] = {}
    pairs = crossed(ROOTS, difficulty.qualities, *words, "pairs")
    for index, (root, quality) in enumerate(pairs):
        voicings = _voicings(pitch_class(root), quality, difficulty.inversions, reserved)
        shuffled = Dice(*words, root, quality).shuffled(voicings)
        place = used.get((root, quality), 0)
        used[root, quality] = place + 1
        if place >= len(shuffled):
            raise InputError(said("stimuli-few", index=index))
        dice = Dice(*words, "item", index)
        yield _plan(root, quality, shuffled[place], next(instruments), difficulty, dice)


@cache
def _voicings(
    root: int, quality: str, inversions: bool, reserved: bool
) -> tuple[tuple[int, ...], ...]:
    """All voicings of a chord, pitches low to high, that may be scored (or are reserved).

    Four to seven notes within about two octaves, every chord tone present and at least one
    doubled, no gap wider than an octave, and no close intervals in the bass (below C3 at least
    a fourth), which would blur. An augmented chord is its own inversion, on another root: it
    has none here.
    """
    inverted = inversions and quality != "augmented"
    tones = {(root + step) % 12 for step in QUALITIES[quality]}
    voicings = []
    for lowest in range(_LOWEST[0], _LOWEST[1] + 1):
        if lowest % 12 not in tones or (not inverted and lowest % 12 != root):
            continue
        above = [p for p in range(lowest + 1, lowest + _SPAN + 1) if p % 12 in tones]
        for size in _SIZES:
            for rest in combinations(above, size - 1):
                pitches = (lowest, *rest)
                complete = {p % 12 for p in pitches} == tones and size > len(tones)
                if complete and _is_clear(pitches) and is_reserved(pitches) == reserved:
                    voicings.append(pitches)
    return tuple(voicings)


def _is_clear(pitches: tuple[int, ...]) -> bool:
    """Tell whether neighbouring notes are not too far apart or too close for their register."""
    return all((5 if low < 48 else 1) <= high - low <= 12 for low, high in pairwise(pitches))


def _plan(
    root: str,
    quality: str,
    pitches: tuple[int, ...],
    instrument: str,
    difficulty: Difficulty,
    dice: Dice,
) -> StimulusPlan:
    slow, fast = difficulty.tempo or (TEMPO, TEMPO)
    tempo = float(dice.whole(slow, fast))
    beat = 60 / tempo
    program = INSTRUMENTS[instrument]
    block = dice.whole(76, 92)
    notes = [
        Note(0.0, BLOCK_BEATS * beat, pitch, block + dice.whole(-4, 4), 0, program)
        for pitch in pitches
    ]
    for step, pitch in enumerate(pitches):
        beats = LAST_BEAT - BLOCK_BEATS - step if step == len(pitches) - 1 else 1
        velocity = dice.whole(78, 96)
        start = (BLOCK_BEATS + step) * beat
        notes.append(Note(start, beats * beat, pitch, velocity, 0, program))
    names = spell_chord(root, quality)
    inversion = [(pitch_class(root) + step) % 12 for step in QUALITIES[quality]].index(
        pitches[0] % 12
    )
    truth = {
        "root": root,
        "quality": quality,
        "tones": names,
        "pitches": pitches,
        "inversion": inversion,
        "instrument": instrument,
        "tempo": tempo,
    }
    seconds = TOTAL_BEATS * beat
    return StimulusPlan((Score(tuple(notes), tempo),), (seconds,), QUALITY_LETTERS[quality], truth)


_MOST_ITEMS = 1_000_000
Designs = Callable[[Sequence[int], int, Difficulty, bool], Iterator[StimulusPlan]]

_DESIGNS: dict[str, Designs] = {
    "syncopation": syncopation.designs,
    "transposition": transposition.designs,
    "chords": designs,
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
        raise InputError(said("stimuli-many", n=n, mostitems=_MOST_ITEMS))
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
        raise InputError(said("stimuli-task", task=repr(task), hint=did_you_mean(task, _DESIGNS)))
    if seed < 0:
        raise InputError(said("stimuli-seed", seed=seed))
    difficulty.check(task)
    if (out / TRUTH).exists():
        raise InputError(said("stimuli-there", out=out))
    player = open_renderer(renderer) if isinstance(renderer, str) else renderer
    kits = player.kits() if task == "syncopation" else ()
    # Everything is planned before anything is written: too large an n leaves no half-made folder.
    plans = list(islice(_DESIGNS[task](kits, seed, difficulty, reserved), n))
    with reworded(said("error-no-folder-made", path=out, why="")):
        out.mkdir(parents=True, exist_ok=True)
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
    plan: StimulusPlan,
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


_TOLERANCE = 0.01
"""Seconds, or beats, by which a written time may differ from the truth."""


def verify(folder: str | Path) -> list[Item]:
    """Read a folder's items and check each against its MIDI and sound files.

    What the truth says of pitches, slots, rhythm and key distance is worked out again from the
    MIDI, the answer from that; every file's SHA-256 and every sound's format and length are
    compared too, and ids and answers are checked for what the task allows.

    Returns
    -------
    list of Item
        All items of the folder, every one in agreement.

    Raises
    ------
    InputError
        The first disagreement: item, field, what the truth says and what the files hold.
    """
    folder = Path(folder)
    items = load(folder)
    for item in items:
        for problem in _problems(folder, item):
            raise InputError(said("stimuli-again", folder=folder, id=item.id, problem=problem))
    return items


def _problems(folder: Path, item: Item) -> Iterator[str]:
    """Yield what disagrees in one item, worst first."""
    try:
        yield from _disagreements(folder, item)
    except (AttributeError, KeyError, TypeError) as error:
        yield f"the truth lacks or garbles a field ({error})"
    except ValueError as error:
        yield str(error)


def _disagreements(folder: Path, item: Item) -> Iterator[str]:
    wanted = 2 if item.task == "transposition" else 1
    if len(item.sounds) != wanted or len(item.scores) != wanted:
        yield f"needs {wanted} sounds and scores, names {len(item.sounds)} and {len(item.scores)}"
        return
    scores = [read_midi(folder / name) for name in item.scores]
    compare = {
        "chords": _chord_truth,
        "syncopation": _syncopation_truth,
        "transposition": _transposition_truth,
    }[item.task]
    for field, value in compare(item, scores).items():
        stated = item.answer if field == "answer" else item.truth.get(field)
        if stated != value:
            yield f"{field} is {stated!r} in the truth and {value!r} in the MIDI file"
    yield from _file_problems(folder, item)


def _file_problems(folder: Path, item: Item) -> Iterator[str]:
    """Files whose bytes, format or length are not those of the truth."""
    import soundfile

    hashes = item.truth.get("files", {})
    for name in (*item.scores, *item.sounds):
        digest = hashlib.sha256((folder / name).read_bytes()).hexdigest()
        if hashes.get(name) != digest:
            yield f"{name} is not the file that was made (its SHA-256 differs)"
    for name in item.sounds:
        info = soundfile.info(str(folder / name))
        if (info.samplerate, info.channels, info.subtype) != (RATE, 1, "PCM_16"):
            yield f"{name} is not 44.1 kHz, 16 bit, mono"
        if abs(info.frames / RATE - item.truth.get("seconds", 0)) > _TOLERANCE:
            yield f"{name} lasts {info.frames / RATE:.2f} s, not {item.truth.get('seconds')} s"


def _chord_truth(item: Item, scores: list[Score]) -> dict[str, object]:
    """Read a chord from its MIDI: the block, the arpeggio, and what chord that is."""
    onsets = [
        sorted(note.pitch for note in group)
        for _, group in groupby(scores[0].notes, key=lambda note: round(note.start, 3))
    ]
    block, arpeggio = onsets[0], [pitch for onset in onsets[1:] for pitch in onset]
    if arpeggio != block:
        raise ValueError(f"the arpeggio {arpeggio} is not the block {block}")
    root = pitch_class(item.truth["root"])
    classes = {(pitch - root) % 12 for pitch in block}
    quality = next((name for name, steps in QUALITIES.items() if set(steps) == classes), None)
    steps = QUALITIES[quality] if quality else ()
    place = (block[0] - root) % 12
    return {
        "pitches": block,
        "quality": quality,
        "inversion": steps.index(place) if place in steps else None,
        "tempo": round(scores[0].tempo, 2),
        "answer": QUALITY_LETTERS.get(quality or ""),
    }


def _syncopation_truth(item: Item, scores: list[Score]) -> dict[str, object]:
    """Read a drum pattern from its MIDI: slots, off-beats and level."""
    step = 30 / scores[0].tempo
    slots: dict[int, list[int]] = {}
    for note in scores[0].notes:
        slot = note.start / step + 1
        if abs(slot - round(slot)) > _TOLERANCE:
            raise ValueError(f"a hit at {note.start:.3f} s lies off the grid of eighth notes")
        slots.setdefault(note.pitch, []).append(round(slot))
    kick, snare = slots.pop(KICK, []), slots.pop(SNARE, [])
    if list(slots.values()) != [list(range(1, 33))]:
        raise ValueError("the hi-hat does not play every eighth note")
    if set(kick) & set(snare):
        raise ValueError("kick and snare fall together")
    offbeats = solvers.count_offbeats(kick + snare)
    return {
        "kick": kick,
        "snare": snare,
        "offbeats": offbeats,
        "level": offbeats,
        "tempo": round(scores[0].tempo, 2),
        "answer": solvers.syncopation_letter(offbeats),
    }


def _transposition_truth(item: Item, scores: list[Score]) -> dict[str, object]:
    """Read a pair from its MIDI: both melodies, their rhythm, and whether they are one."""
    tempo = round(scores[0].tempo, 2)
    beat = 60 / scores[0].tempo
    pitches = [[note.pitch for note in score.notes] for score in scores]
    for score in scores:
        written = [(note.start / beat, note.duration / beat) for note in score.notes]
        truth = list(zip(item.truth["onsets"], item.truth["durations"], strict=False))
        if len(written) != len(truth) or any(
            abs(a - b) > _TOLERANCE
            for pair in zip(written, truth, strict=True)
            for a, b in zip(*pair, strict=True)
        ):
            raise ValueError("onsets and durations are not those of the MIDI file")
    first, second = pitches
    if len(first) != len(second):
        raise ValueError(f"the melodies have {len(first)} and {len(second)} notes")
    same = solvers.are_transpositions(first, second)
    shifts = [b - a for a, b in zip(first, second, strict=True)]
    changed = sum(shift != item.truth["shift"] for shift in shifts)
    return {
        "pitches": pitches,
        "tempo": tempo,
        "metre": f"{scores[0].metre[0]}/{scores[0].metre[1]}",
        "shift": shifts[0] if same else item.truth["shift"],
        "kind": "transposed" if same else "altered" if changed == 1 else "different",
        "answer": "Yes" if same and shifts[0] else "No",
    }
