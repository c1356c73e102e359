"""Small files of questions that run as they are, to be filled with one's own."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

from zhiyin.errors import InputError, did_you_mean

Cells = dict[str, str]

CHOICE: tuple[Cells, ...] = (
    {
        "id": "example-1", "question": "Which clef puts middle C on the middle line?",
        "A": "treble clef", "B": "alto clef", "C": "tenor clef", "D": "bass clef",
        "answer": "B", "group": "notation", "example": "yes",
    },
    {
        "id": "sharps", "question": "How many sharps has the key signature of E major?",
        "A": "two", "B": "three", "C": "four", "D": "five",
        "answer": "C", "group": "theory/keys", "example": "",
    },
    {
        "id": "viola", "question": "Which of these instruments is bowed?",
        "A": "viola", "B": "mandolin", "C": "bassoon", "D": "celesta",
        "answer": "A", "group": "instruments", "example": "",
    },
    {
        "id": "minor", "question": "Which chords are minor?",
        "A": "C E G", "B": "A C E", "C": "G B D", "D": "D F A",
        "answer": "B, D", "group": "theory/chords", "example": "",
    },
    {
        "id": "dotted", "question": "A dotted crotchet lasts as long as three quavers.",
        "A": "true", "B": "false", "C": "", "D": "",
        "answer": "A", "group": "notation", "example": "",
    },
)  # fmt: skip
FREE: tuple[Cells, ...] = (
    {
        "id": "composer", "question": "Who wrote the opera 'The Magic Flute'?",
        "answer": "Mozart | Wolfgang Amadeus Mozart", "scorer": "normalised", "group": "history",
    },
    {
        "id": "tuning", "question": "At how many hertz do most orchestras tune A4?",
        "answer": "440", "scorer": "number:3", "group": "acoustics",
    },
    {
        "id": "scale", "question": "Name the first five notes of E major, from E upwards.",
        "answer": "E F# G# A B", "scorer": "notes", "group": "theory",
    },
    {
        "id": "quartet", "question": "Which kinds of instrument play in a string quartet?",
        "answer": "violin, viola, cello", "scorer": "set-f1", "group": "instruments",
    },
    {
        "id": "leading", "question": "Is B the leading note of C major?",
        "answer": "yes", "scorer": "yes-no", "group": "theory",
    },
)  # fmt: skip
AUDIO: tuple[Cells, ...] = (
    {
        "id": "higher", "question": "Which of the two recordings is higher?",
        "options": "the first | the second | both are equally high", "answer": "B",
        "audio": "clips/clip-1.wav | clips/clip-2.wav", "group": "pitch",
    },
    {
        "id": "notes", "question": "How many notes are played?",
        "options": "one | two | three", "answer": "C",
        "audio": "clips/clip-3.wav", "group": "counting",
    },
    {
        "id": "direction", "question": "Do the notes rise or fall?",
        "options": "they rise | they fall", "answer": "A",
        "audio": "clips/clip-3.wav", "group": "pitch",
    },
)  # fmt: skip
_CLIPS = {"clip-1": (60,), "clip-2": (67,), "clip-3": (60, 64, 67)}
"""MIDI pitches of the recordings, one after another."""
_ROWS = {"choice": CHOICE, "free": FREE, "audio": AUDIO}
_SUFFIXES = (".csv", ".tsv", ".jsonl")


def write_template(path: Path, kind: str = "choice") -> str:
    """Write a small file of questions; returns what was written, and what to do next.

    Parameters
    ----------
    path : Path
        A file that is not there yet, ending in .csv, .tsv or .jsonl.
    kind : {"choice", "free", "audio"}

    Raises
    ------
    InputError
        The kind or the ending is another, or a file is there already.
    """
    if kind not in _ROWS:
        raise InputError(f"--kind {kind}: {did_you_mean(kind, _ROWS)}")
    if path.suffix not in _SUFFIXES:
        raise InputError(f"{path}: a template is written as {', '.join(_SUFFIXES)}")
    clips = {path.parent / "clips" / f"{name}.wav": notes for name, notes in _CLIPS.items()}
    for each in (path, *(clips if kind == "audio" else ())):
        if each.exists():
            raise InputError(f"{each}: is there already: give another name")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if kind == "audio":
            (path.parent / "clips").mkdir(exist_ok=True)
            for clip, notes in clips.items():
                clip.write_bytes(_play(notes))
        path.write_text(_written(_ROWS[kind], path.suffix), "utf-8")
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None
    also = f" and {len(clips)} recordings in {path.parent / 'clips'}" if kind == "audio" else ""
    return f"wrote {path}{also}: fill in your own, then zhiyin data check {path}"


def _written(rows: tuple[Cells, ...], suffix: str) -> str:
    if suffix == ".jsonl":
        filled = ({name: text for name, text in row.items() if text} for row in rows)
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in filled)
    out = io.StringIO(newline="")
    writer = csv.DictWriter(
        out, list(rows[0]), delimiter="\t" if suffix == ".tsv" else ",", lineterminator="\n"
    )
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def _play(pitches: tuple[int, ...]) -> bytes:
    """Notes one after another, half a second each, as a WAV file."""
    from zhiyin.music.midi import Note
    from zhiyin.music.render import normalised, wav_bytes
    from zhiyin.music.render.builtin import BuiltinRenderer

    notes = [Note(0.5 * place, 0.45, pitch) for place, pitch in enumerate(pitches)]
    rate = 16000
    sound = BuiltinRenderer().render(notes, 0.5 * len(pitches) + 0.3, rate)
    return wav_bytes(normalised(sound), rate)
