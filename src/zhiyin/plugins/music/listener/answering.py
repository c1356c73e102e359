"""Answering about a piece: free questions by what is heard, those of notation by its notes.

The stem decides the subject; options that claim nothing of that subject are left aside. An
answer needs two options that contradict each other and of which exactly one agrees with what
was heard. Of mood, style, use, history, words, texture and touch the listener knows nothing,
and says so.

Questions of the schemas: what a trial asks, and the same findings read in MIDI text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction

import msgspec
import numpy as np

from zhiyin.errors import InputError
from zhiyin.parsing import read_beside
from zhiyin.plugins.music.listener.chords import HeardChord
from zhiyin.plugins.music.listener.instruments import hear_contour, hear_family
from zhiyin.plugins.music.listener.melody import HeardMelody, hear_melody
from zhiyin.plugins.music.listener.pieces import (
    Hearing,
    hear_dynamics,
    hear_key,
    hear_metre,
    hear_sections,
    hear_tempo,
)
from zhiyin.plugins.music.listener.rhythm import SLOTS, HeardRhythm, find_grid, nothing
from zhiyin.plugins.music.listener.spectrum import pitch_class_name, pitch_name
from zhiyin.plugins.music.midi import KICKS, SNARES, Note
from zhiyin.plugins.music.miditext import parse_midi_texts
from zhiyin.plugins.music.notated import NotatedEvent, NotatedPart, NotatedPiece
from zhiyin.plugins.music.notated.reading import find_pieces
from zhiyin.plugins.music.notated.solving import TWO, solve
from zhiyin.plugins.music.notated.solving import understand as understand_notation
from zhiyin.plugins.music.solvers import CHORDS, LEVELS, Kind, chord_quality, count_offbeats
from zhiyin.plugins.music.theory import Key, parse_key, pitch_class
from zhiyin.sound import Sound
from zhiyin.trial import Audio, Message, Option

Claim = str | tuple[float, float] | tuple[int | None, str]
"""What an option says of a subject: a word, a range of tempos, or a tonic with a mode."""


class _Words(msgspec.Struct, frozen=True):
    """Patterns: what a stem asks about, what an option claims of it, and which tempo a word is."""

    subjects: dict[str, str]
    claims: dict[str, dict[str, str]]
    paces: tuple[tuple[str, tuple[float, float]], ...]


_WORDS = read_beside(__file__, "answering.toml", _Words)
_KEY = re.compile(r"\b([A-G](?:#|b|♯|♭|[ -]?sharp|[ -]?flat)?) ((?i:major|minor))\b")


@dataclass(frozen=True)
class ListenerAnswer:
    """The letter of the option chosen, or None; and why, to stand after "I"."""

    letter: str | None
    why: str


def answer(stem: str, options: Sequence[Option], open_sound: Callable[[], Sound]) -> ListenerAnswer:
    """Answer a question about one recording, if it is about something that can be heard here.

    Parameters
    ----------
    stem : str
        The question alone.
    options : sequence of Option
    open_sound : callable
        Gives the recording; called only where the question is understood.

    Raises
    ------
    InputError
        The recording cannot be read.
    """
    named = (s for s, words in _WORDS.subjects.items() if re.search(words, stem.lower()))
    subject = next(named, None)
    if subject is None:
        return ListenerAnswer(None, "have no ear for what this asks")
    claims = [(option, claim_of(subject, option.text)) for option in options]
    claimed = [(option, claim) for option, claim in claims if claim is not None]
    if len({claim for _, claim in claimed}) < 2:
        return ListenerAnswer(None, f"find no two options that differ about the {subject}")
    hearing = Hearing(open_sound())
    if hearing.samples is None:
        return ListenerAnswer(None, "heard nothing: the recording is silent")
    heard = hear(subject, hearing, [claim for _, claim in claimed])
    if heard is None:
        return ListenerAnswer(None, f"heard no clear {subject}")
    right = [option for option, claim in claimed if agrees(claim, heard)]
    description = _describe(subject, heard)
    if len(right) != 1:
        return ListenerAnswer(
            None, f"heard {description}, which {'several' if right else 'none'} claim"
        )
    return ListenerAnswer(right[0].letter, f"heard {description}")


def claim_of(subject: str, text: str) -> Claim | None:
    """Read what an option claims of a subject; None for nothing, or for more than one thing."""
    if subject == "key":
        return _key_claim(text)
    lower = text.lower()
    if subject == "tempo":
        return _tempo_claim(lower)
    values = [value for value, words in _WORDS.claims[subject].items() if re.search(words, lower)]
    if subject == "family":
        return values[0] if len(values) == 1 else None
    return values[0] if values else None


def _key_claim(text: str) -> Claim | None:
    match = _KEY.search(text)
    if match:
        try:
            key = parse_key(" ".join(match.groups()))
        except InputError:
            return None
        return pitch_class(key.tonic), key.mode
    modes = re.findall(r"\b(major|minor)\b", text.lower())
    return (None, modes[0]) if len(set(modes)) == 1 else None


def _tempo_claim(lower: str) -> tuple[float, float] | None:
    """A range of beats a minute, from figures or else from words."""
    figures = [float(f) for f in re.findall(r"\b\d{2,3}\b", lower)]
    if len(figures) == 2:
        return min(figures), max(figures)
    if len(figures) == 1:
        if re.search(r"\b(below|under|less than|up to)\b", lower):
            return 0.0, figures[0]
        if re.search(r"\b(above|over|more than|at least)\b", lower):
            return figures[0], 400.0
        return 0.94 * figures[0], 1.06 * figures[0]
    return next((span for words, span in _WORDS.paces if re.search(words, lower)), None)


def hear(subject: str, hearing: Hearing, claims: Sequence[Claim]) -> Claim | None:
    """Listen for a subject; None where it is not clear."""
    if subject == "tempo":
        bpm = hear_tempo(hearing)
        return None if bpm is None else (bpm, bpm)
    if subject == "key":
        return hear_key(hearing)
    if subject == "sections":
        count = hear_sections(hearing)
        return None if count is None else str(count)
    if subject == "family":
        return hear_family(hearing, [claim for claim in claims if isinstance(claim, str)])
    listen = {"metre": hear_metre, "contour": hear_contour, "dynamics": hear_dynamics}[subject]
    return listen(hearing)


def agrees(claim: Claim, heard: Claim) -> bool:
    """Tell whether a claim fits what was heard: a range holds it, a mode alone needs no tonic."""
    if isinstance(claim, tuple) and isinstance(claim[1], float):
        low, high = claim
        # Half a beat a minute either way is no other tempo.
        return float(low or 0.0) - 0.5 <= float(heard[0] or 0.0) <= float(high) + 0.5
    if isinstance(claim, tuple):
        return claim[1] == heard[1] and claim[0] in (None, heard[0])
    return claim == heard


def _describe(subject: str, heard: Claim) -> str:
    """Put what was heard in words."""
    if subject == "tempo":
        return f"{float(heard[0] or 0.0):.0f} beats a minute"
    if isinstance(heard, tuple):
        return f"{pitch_class_name(int(heard[0] or 0))} {heard[1]}"
    names = {
        "sections": f"{heard} different section(s)",
        "metre": f"a {heard} metre",
        "contour": f"a tune that begins {heard}",
        "dynamics": f"a loudness that is {heard}",
        "family": f"{heard} in the lead",
    }
    return names[subject]


# Answering about a piece in any body: notation by parsing, sound by hearing its notes.
#
# What it reads it answers from the text alone. What it hears is one voice: of chords, of
# instruments, of metre and of a picture it says that it cannot tell.

F = Fraction
BY_EAR = frozenset(
    ("pitch", "interval", "contour", "key", "repeated bar", "form", "transposition", "changed note")
)
"""Skills that need the notes of one voice and nothing else."""
ONE_VOICE = 0.5
"""Least median clarity of a voice that sounds alone (see `melody.HeardMelody`)."""


def read_piece(
    stem: str, texts: Sequence[str], options: Sequence[Option]
) -> tuple[str | None, str] | None:
    """The letter of the right option by the notation in a message, or None, and why.

    Returns
    -------
    tuple or None
        None for a question that is not understood.

    Raises
    ------
    InputError
        Notation that is not as it is written here.
    """
    asked = understand_notation(stem)
    if asked is None:
        return None
    pieces = find_pieces("\n\n".join(texts))
    if not pieces:
        return None, "find no notation that I can read"
    return _letter(*asked, pieces, options), f"read {len(pieces[0].tune)} notes of the tune"


def hear_piece(
    stem: str, sounds: Sequence[Sound], options: Sequence[Option]
) -> tuple[str | None, str] | None:
    """The letter of the right option by ear, or None, and why; None for another question."""
    asked = understand_notation(stem)
    if asked is None:
        return None
    skill, places = asked
    if skill not in BY_EAR:
        return None, f"have no ear for a question of {skill}"
    if len(sounds) != (2 if skill in TWO else 1):
        return None, f"was played {len(sounds)} sounds"
    heard = [hear_melody(sound) for sound in sounds]
    for each in heard:
        if not each.pitches:
            return None, each.why
        if sorted(each.clarity)[len(each.clarity) // 2] < ONE_VOICE:
            return None, "heard more than one voice"
    lengths = {len(each.pitches) for each in heard}
    if len(lengths) > 1:
        return None, f"heard {' and '.join(map(str, sorted(lengths)))} notes"
    bar = F(places["s"]) if "s" in places else F(4)
    return _letter(skill, places, [as_piece(h, bar) for h in heard], options), heard[0].why


def as_piece(heard: HeardMelody, bar: Fraction) -> NotatedPiece:
    """Turn a heard melody into a piece whose quarter notes are seconds and bars `bar` long."""
    plain = Key("C")
    events = []
    begins = heard.onsets[0]
    for pitch, onset, length in zip(heard.pitches, heard.onsets, heard.durations, strict=True):
        place = F(onset - begins).limit_denominator(1000)
        events.append(NotatedEvent(place, F(length).limit_denominator(1000), (plain.spell(pitch),)))
    bars = max(1, round(float(events[-1].end / bar)))
    return _Timed((NotatedPart(tuple(events)),), (4, 4), bars, seconds=bar)


class _Timed(NotatedPiece, frozen=True):
    """A piece whose bars are as long as somebody said, whatever its metre."""

    seconds: Fraction = F(4)

    @property
    def bar(self) -> Fraction:
        return self.seconds


def _letter(
    skill: str, places: dict[str, str], pieces: Sequence[NotatedPiece], options: Sequence[Option]
) -> str | None:
    right = solve(skill, places, pieces, [option.text for option in options])
    return next((option.letter for option in options if option.text == right), None)


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
