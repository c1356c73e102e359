"""What a trial asks of the listener: which task, in which form, about which sounds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from zhiyin.music.miditext import parse_midi_texts
from zhiyin.music.solvers import CHORDS, LEVELS, Kind
from zhiyin.trial import Audio, Message, Option

if TYPE_CHECKING:
    from zhiyin.music.midi import Note

Source = Audio | tuple["Note", ...]
"""Something to listen to, or to read: a recording, or the notes of a block of MIDI text."""

SCHEMA = re.compile(r"\b(rhythm|melody|chord)\s*\(\s*[\w.-]+\s*,\s*\[")
IDENTIFIER = re.compile(r"identifier\W{0,3}\s*`([^`\s]+)`", re.IGNORECASE)
CHOICE = re.compile(r"^[^\w\n]*+([A-Z])[.):][^\S\n]++(.+)$", re.MULTILINE)
SENTENCE = re.compile(r"^[^\w\n]*+((?:Yes|No)\b[^\n]*+)$", re.MULTILINE)
SOUNDS: dict[Kind, int] = {"rhythm": 1, "melody": 2, "chord": 1}


@dataclass(frozen=True)
class Question:
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


def understand(messages: Sequence[Message], options: Sequence[Option]) -> Question | str:
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
    Question or str

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
    return Question(kind, played, choices, ids, closing)


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
    """Which task the choices belong to; None for any other question."""
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
