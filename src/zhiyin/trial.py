"""Questions: trials, their messages and their options. Imports nothing of ours.

A `Trial` is one thing asked of a model, whoever that is. It is complete in itself:
everything that is sent, everything that scoring needs. Text is held in full; sound and pictures
are held by path and SHA-256, so that a logged trial can be asked again and a changed file is
noticed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal
from unicodedata import east_asian_width

import msgspec

Role = Literal["system", "user", "assistant"]
Tag = str | int | float | bool | None


class Text(msgspec.Struct, frozen=True, tag="text", gc=False):
    """Words in a message."""

    text: str


class Audio(msgspec.Struct, frozen=True, tag="audio", omit_defaults=True):
    """Sound in a message.

    Attributes
    ----------
    path : str
        Where the file lies. Never shown to a model: a file name may hold the answer.
    sha256 : str
        Hash of the file's bytes, in hexadecimal.
    seconds : float
        Duration of the whole file, in seconds; 0 where it was not measured.
    start, end : float or None
        The part to be sent, in seconds from the beginning; None for the whole file.
    """

    path: str
    sha256: str
    seconds: float = 0.0
    start: float | None = None
    end: float | None = None

    @property
    def played(self) -> float:
        """Seconds of the part to be sent; 0 where the file was not measured."""
        if not self.seconds:
            return 0.0
        end = self.seconds if self.end is None else min(self.end, self.seconds)
        return end - (self.start or 0.0)


class Image(msgspec.Struct, frozen=True, tag="image", omit_defaults=True):
    """A picture in a message: a score, a spectrogram, a photograph.

    Attributes
    ----------
    path : str
        Where the file lies. Never shown to a model: a file name may hold the answer.
    sha256 : str
        Hash of the file's bytes, in hexadecimal.
    width, height : int
        In pixels; 0 where they are not known.
    """

    path: str
    sha256: str
    width: int = 0
    height: int = 0


Part = Text | Audio | Image


class Message(msgspec.Struct, frozen=True):
    """One turn of a conversation: who speaks, and what is said or played."""

    role: Role
    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        """All the words of the message, a blank line between text parts."""
        return "\n\n".join(part.text for part in self.parts if isinstance(part, Text))


Messages = Sequence[Message]
"""A conversation, or what is said next in it."""


class Option(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One choice of a multiple-choice trial.

    Attributes
    ----------
    letter : str
        The letter under which the option is shown, "A" to "Z".
    text : str
        The option's words.
    key : str
        The option's letter in the data, before any shuffling. Verdicts and targets speak of
        keys; prompts and replies speak of letters. A model never sees it: in some data the
        key of the right option is always the same.
    """

    letter: str
    text: str
    key: str


class Trial(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing asked.

    Attributes
    ----------
    id : str
        Stable and unique within a run. Never sent to a model.
    messages : tuple of Message
        The conversation as it is opened.
    stem : str
        The question alone, without instruction and options.
    options : tuple of Option
        The choices in the order shown; empty for a free answer.
    target : str or None
        The key of the right option, or the expected answer of a free one.
    groups : tuple of str
        The names under which the trial is counted in tables, beside the whole.
    cluster : str or None
        What makes trials dependent on each other (a track, a stimulus, a song); intervals
        treat trials of one cluster as one draw. None: the trial stands alone.
    tags : mapping
        Facts about the item for breakdowns (category, level, modality, ...). Never sent.
    item : str
        What is asked about: a question, a stimulus, a song. Repeats, rotations and conditions of
        one item share it, and figures average them first, so that they are no further items.
        Empty: nothing else is asked about the same.
    condition : str
        The way in which the item is asked, where there are several: "audio=noise",
        "theory/keys". Repeats and rotations of one condition share it; runs are compared
        within it. Empty for the benchmark's only way.
    sequence : str
        The sequence that it is a trial of (see `zhiyin.sequence`); empty for a plain trial. This
        and `step` are set by the engine.
    step : int
        Its place in the sequence, from 1; 0 for a plain trial.
    """

    id: str
    messages: tuple[Message, ...]
    stem: str = ""
    options: tuple[Option, ...] = ()
    target: str | None = None
    groups: tuple[str, ...] = ()
    cluster: str | None = None
    tags: Mapping[str, Tag] = {}
    item: str = ""
    condition: str = ""
    sequence: str = ""
    step: int = 0

    def __repr__(self) -> str:
        """Return one line: the trial, and what it asks."""
        about = [f"{len(self.options)} options"] if self.options else []
        sounds = sum(isinstance(p, Audio) for m in self.messages for p in m.parts)
        about += [f"{sounds} sounds"] if sounds else []
        pictures = sum(isinstance(p, Image) for m in self.messages for p in m.parts)
        about += [f"{pictures} pictures"] if pictures else []
        about += [f"target {self.target!r}"] if self.target is not None else []
        return one_line("Trial", self.id, self.stem, *about)

    def blind(self) -> Trial:
        """The trial as a model may see it: no target, groups, cluster, tags, item or keys.

        Its options carry the letter shown in the key's place.
        """
        options = self.options
        for option in options:
            if option.key != option.letter:
                options = tuple([Option(o.letter, o.text, o.letter) for o in options])
                break
        return Trial(self.id, self.messages, self.stem, options)


_LINE, _STEM = 80, 30


def one_line(kind: str, name: str, words: str = "", *about: str) -> str:
    """Format an object so that it fits a line of a terminal.

    Parameters
    ----------
    kind, name : str
    words : str
        Shortened to what fits.
    about : str
        Facts, as many of them as fit.
    """
    text = f"{kind}({short(name, _STEM)!r}"
    if words:
        text += f", {short(words, _STEM)!r}"
    for fact in about:
        if len(text) + len(fact) + 3 <= _LINE:
            text += f", {fact}"
    return f"{text})"


def right_keys(trial: Trial) -> tuple[str, ...]:
    """The keys of all right options; of a question without options, what it states as right."""
    if trial.target is None:
        return ()
    known = {option.key for option in trial.options}
    keys = tuple(trial.target.split(","))
    return keys if trial.target not in known and known.issuperset(keys) else (trial.target,)


def short(text: str, longest: int) -> str:
    """The beginning of a text, on one line of `longest` columns; Chinese signs take two."""
    line = " ".join(text[: 4 * longest].split())
    end = width = 0
    while end < len(line) and width < longest:
        width += 2 if east_asian_width(line[end]) in "WF" else 1
        end += 1
    return line if end == len(line) and width <= longest else f"{line[: end - 1]}…"


def say(role: Role, text: str, *media: Audio | Image) -> Message:
    """A message of some words, followed by any sounds and pictures."""
    return Message(role, (Text(text), *media))
