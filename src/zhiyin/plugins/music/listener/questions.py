"""Questions of the schemas: what a trial asks, and the same findings read in MIDI text."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from zhiyin.plugins.music.listener.chords import HeardChord
from zhiyin.plugins.music.listener.melody import HeardMelody
from zhiyin.plugins.music.listener.notes import pitch_name
from zhiyin.plugins.music.listener.rhythm import SLOTS, HeardRhythm, find_grid, nothing
from zhiyin.plugins.music.midi import KICKS, SNARES
from zhiyin.plugins.music.miditext import parse_midi_texts
from zhiyin.plugins.music.solvers import CHORDS, LEVELS, Kind, chord_quality, count_offbeats
from zhiyin.trial import Audio, Message, Option

if TYPE_CHECKING:
    from zhiyin.plugins.music.midi import Note


Source = Audio | tuple["Note", ...]
"""Something to listen to, or to read: a recording, or the notes of a block of MIDI text."""

SCHEMA = re.compile(r"\b(rhythm|melody|chord)\s*\(\s*[\w.-]+\s*,\s*\[")
IDENTIFIER = re.compile(r"identifier\W{0,3}\s*`([^`\s]+)`", re.IGNORECASE)
CHOICE = re.compile(r"^[^\w\n]*+([A-Z])[.):][^\S\n]++(.+)$", re.MULTILINE)
SENTENCE = re.compile(r"^[^\w\n]*+((?:Yes|No)\b[^\n]*+)$", re.MULTILINE)
SOUNDS: dict[Kind, int] = {"rhythm": 1, "melody": 2, "chord": 1}


@dataclass(frozen=True)
class ListenerQuestion:
    """A question that the listener understands.

    Attributes
    ----------
    kind : {"rhythm", "melody", "chord"}
    sources : tuple
        What it is about: one recording or block of MIDI, two for melodies.
    options : tuple of Option
        The choices in the order shown.
    ids : tuple of str
        Identifiers of the sources where schema lines are asked for; empty where an answer is.
    stated : str
        The words of a closing message without sound: a transcription may stand in them.
    """

    kind: Kind
    sources: tuple[Source, ...]
    options: tuple[Option, ...]
    ids: tuple[str, ...] = ()
    stated: str = ""


def understand(messages: Sequence[Message], options: Sequence[Option]) -> ListenerQuestion | str:
    """Read a conversation, or say in one line why it cannot be answered.

    The last user message with sound (or MIDI text) is the trial; what stands before are worked
    examples, and a user message after it closes a LogicLM conversation.

    Parameters
    ----------
    messages : sequence of Message
        The conversation so far.
    options : sequence of Option
        The trial's choices; where there are none, those written in the messages.

    Returns
    -------
    ListenerQuestion or str

    Raises
    ------
    InputError
        For MIDI text that breaks its grammar.
    """
    heard = [(i, sources(m)) for i, m in enumerate(messages) if m.role == "user"]
    place, played = next(((i, s) for i, s in reversed(heard) if s), (-1, ()))
    if not played:
        return "there is no sound in the conversation"
    relevant = [m for m in messages if m.role == "system"] + [messages[place]]
    words = "\n".join(m.text for m in relevant)
    closing = messages[-1].text if place < len(messages) - 1 else ""
    choices = tuple(options) or written_options(f"{words}\n{closing}")
    wanted = None if closing else SCHEMA.search(words)
    kind = task(choices)
    if kind is None:
        return "it asks neither for a rhythm, nor for melodies, nor for a chord"
    if len(played) != SOUNDS[kind]:
        return f"a question about a {kind} needs {SOUNDS[kind]} sounds, it has {len(played)}"
    ids = identifiers(messages[place].text, len(played)) if wanted else ()
    return ListenerQuestion(kind, played, choices, ids, closing)


def sources(message: Message) -> tuple[Source, ...]:
    """The recordings of a message, or else the notes of its blocks of MIDI text."""
    sounds = tuple(part for part in message.parts if isinstance(part, Audio))
    return sounds or tuple(tuple(notes) for notes in parse_midi_texts(message.text))


def identifiers(text: str, count: int) -> tuple[str, ...]:
    """The identifiers that a message gives its sounds, or Audio1, Audio2 where it gives none."""
    given = IDENTIFIER.findall(text)
    return tuple(given) if len(given) == count else tuple(f"Audio{i + 1}" for i in range(count))


def written_options(text: str) -> tuple[Option, ...]:
    """Choices that a text lists as ``A. words``, or else as sentences with Yes and No."""
    lettered = {letter: words.rstrip() for letter, words in CHOICE.findall(text)}
    if lettered:
        return tuple(Option(letter, words, letter) for letter, words in lettered.items())
    sentences = list(dict.fromkeys(map(_to_last_word, SENTENCE.findall(text))))
    return tuple(Option(chr(65 + i), words, chr(65 + i)) for i, words in enumerate(sentences))


def _to_last_word(sentence: str) -> str:
    """A sentence without what stands after its last letter or digit."""
    end = len(sentence)
    while end and not (sentence[end - 1].isalnum() or sentence[end - 1] == "_"):
        end -= 1
    return sentence[:end]


def task(options: Sequence[Option]) -> Kind | None:
    """Name the task that the choices belong to; None for any other question."""
    words = [option.text.strip().lower() for option in options]
    if len(words) < 2:
        return None
    if all(first_word(text) in CHORDS for text in words):
        return "chord"
    if all(first_word(text) in ("yes", "no") for text in words):
        return "melody"
    if all(first_word(text) in map(str, LEVELS.values()) for text in words):
        return "rhythm"
    return None


def first_word(text: str) -> str:
    """The first run of letters or digits in a text, in lower case."""
    match = re.search(r"[a-z]+|\d+", text.lower())
    return match[0] if match else ""


# Reading instead of hearing: the same findings from the notes of MIDI text.


def read_chord(notes: Sequence[Note]) -> HeardChord:
    """The chord of all notes together; the lowest is its root."""
    pitches = tuple(sorted({note.pitch for note in notes}))
    quality = chord_quality(pitches)
    root = pitches[0] % 12 if quality else None
    names = " ".join(map(pitch_name, pitches))
    return HeardChord(pitches, root, quality, float(quality is not None), f"read {names}")


def read_melody(notes: Sequence[Note]) -> HeardMelody:
    """The melody of all notes in the order of their onsets."""
    ordered = sorted(notes, key=lambda note: (note.start, note.pitch))
    return HeardMelody(
        tuple(note.pitch for note in ordered),
        tuple(note.start for note in ordered),
        tuple(note.duration for note in ordered),
        (1.0,) * len(ordered),
        "read " + " ".join(pitch_name(note.pitch) for note in ordered),
    )


def read_rhythm(notes: Sequence[Note]) -> HeardRhythm:
    """Four bars of drums on the grid of eighth notes that the strokes themselves form."""
    times = np.unique([note.start for note in notes])
    grid = find_grid(times, np.ones(len(times)), float("inf")) if notes else None
    if grid is None:
        return nothing("read no steady eighth notes over four bars")

    def slots(keep: Collection[int] | None) -> tuple[int, ...]:
        starts = [n.start for n in notes if (n.pitch in keep if keep else True)]
        places = {round((start - grid.start) / grid.eighth) + 1 for start in starts}
        return tuple(sorted(places & set(range(1, SLOTS + 1))))

    kicks, snares = slots(KICKS), slots(SNARES)
    hats = tuple(sorted({*slots(None)} - {*kicks, *snares}))
    count = count_offbeats({*kicks, *snares})
    tempo = 30.0 / grid.eighth
    why = f"read kick {list(kicks)}, snare {list(snares)}: {count} off the beat"
    return HeardRhythm(kicks, snares, hats, tempo, count, why)
