"""Whether a folder of stimuli is what its truth file says, by its own MIDI and sound files."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from zhiyin.errors import InputError
from zhiyin.music import solvers
from zhiyin.music.midi import Score, read_midi
from zhiyin.music.render import RATE
from zhiyin.music.stimuli.item import QUALITY_LETTERS, Item, load
from zhiyin.music.stimuli.syncopation import KICK, SNARE
from zhiyin.music.theory import QUALITIES, pitch_class

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
            raise InputError(f"{folder}: {item.id}: {problem}: make the stimuli again")
    return items


def _problems(folder: Path, item: Item) -> Iterator[str]:
    """What disagrees in one item, worst first."""
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
    """What the MIDI of a chord says: the block, the arpeggio, and what chord that is."""
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
    """What the MIDI of a drum pattern says: slots, off-beats and level."""
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
    """What the MIDI of a pair says: both melodies, their rhythm, and whether they are one."""
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
