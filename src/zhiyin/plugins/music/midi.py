"""Notes and scores, and Standard MIDI Files read and written (through mido).

Conventions
-----------
Times are seconds from the beginning of the file. Channels count from 0; channel 9 is General
MIDI's percussion channel, where a pitch names a drum and a program a kit.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from zhiyin.errors import InputError, reworded
from zhiyin.files import read_regular
from zhiyin.words import said

if TYPE_CHECKING:
    import mido

DRUM_CHANNEL = 9
KICKS, SNARES = frozenset({35, 36}), frozenset({37, 38, 40})
"""General MIDI drum numbers: bass drums; side stick and snares."""
TICKS_PER_BEAT = 480
_LONGEST_S = 86_400.0
LONGEST_WAIT = 0x0FFFFFFF
"""Ticks between two events: the largest number that SMF 1.0 can write, in four bytes."""
DEFAULT_TEMPO_US = 500_000
"""Microseconds per quarter note where a file names no tempo (SMF 1.0): 120 BPM."""


class Note(msgspec.Struct, frozen=True, order=True):
    """One sounding note.

    Attributes
    ----------
    start, duration : float
        Seconds, not negative.
    pitch : int
        MIDI number 0 to 127, C4 = 60; on channel 9 a General MIDI drum.
    velocity : int
        1 to 127.
    channel : int
        0 to 15; 9 for drums.
    program : int
        General MIDI program 0 to 127 (counted from 0); on channel 9 the kit.
    """

    start: float
    duration: float
    pitch: int
    velocity: int = 80
    channel: int = 0
    program: int = 0

    @property
    def end(self) -> float:
        """Time at which the note is released, in seconds."""
        return self.start + self.duration

    @property
    def is_drum(self) -> bool:
        """True if the pitch names a drum."""
        return self.channel == DRUM_CHANNEL


class Score(msgspec.Struct, frozen=True):
    """Notes with what a MIDI file says about them at its beginning.

    Attributes
    ----------
    notes : tuple of Note
        By start, then pitch.
    tempo : float
        Quarter notes a minute.
    metre : tuple of int
        Time signature, for example (3, 4).
    key : str or None
        Key signature as MIDI writes it ("Eb", "F#m"); None where there is none.
    """

    notes: tuple[Note, ...]
    tempo: float = 120.0
    metre: tuple[int, int] = (4, 4)
    key: str | None = None


class MidiEvent(msgspec.Struct, frozen=True):
    """One event of a MIDI file at an absolute tick, reduced to what can be heard or notated."""

    tick: int
    track: int
    kind: Literal[
        "tempo", "time_signature", "key_signature", "program", "note_on", "note_off", "end"
    ]
    channel: int = 0
    value: int | str | tuple[int, int] = 0
    """Microseconds per quarter, metre, key, program or pitch, by kind."""
    velocity: int = 0


def read_midi(source: str | Path | bytes) -> Score:
    """Read a Standard MIDI File of format 0 or 1.

    Tempo changes are followed throughout; `Score` keeps the first tempo, metre and key. A
    note-off ends the oldest sounding note of its pitch and channel. A release of a silent
    note is ignored, and a note that is never released sounds until its track ends, as a
    synthesiser would play it.

    Parameters
    ----------
    source : str, Path or bytes
        A file's path, or its content.

    Raises
    ------
    InputError
        The file is absent, is no MIDI file, is cut off, lasts more than a day, or holds no notes.
    """
    label = "MIDI data" if isinstance(source, bytes) else str(source)
    midi = open_midi(source)
    events = events_of(midi)
    notes = notes_of(events, midi.ticks_per_beat)
    if not notes:
        raise InputError(f"{label} holds no notes: give a MIDI file with at least one")
    if max(note.start + note.duration for note in notes) > _LONGEST_S:
        raise InputError(f"{label} lasts more than a day: no piece does; export it again")
    first: dict[str, MidiEvent] = {}
    for event in sorted(events, key=lambda event: event.tick):
        first.setdefault(event.kind, event)
    tempo = first["tempo"].value if "tempo" in first else DEFAULT_TEMPO_US
    metre = first["time_signature"].value if "time_signature" in first else (4, 4)
    key = first["key_signature"].value if "key_signature" in first else None
    assert isinstance(tempo, int)
    assert isinstance(metre, tuple)
    return Score(tuple(notes), 60e6 / tempo, metre, None if key is None else str(key))


def open_midi(source: str | Path | bytes) -> mido.MidiFile:
    """Open a file of format 0 or 1 with mido; `InputError` for anything else.

    A path that ends in ``.txt`` is MIDI that mido printed (see `midilines`).
    """
    import mido

    if not isinstance(source, bytes) and Path(source).suffix.lower() == ".txt":
        from zhiyin.plugins.music.miditext import read_midi_lines

        return read_midi_lines(Path(source))
    label = "MIDI data" if isinstance(source, bytes) else str(source)
    with reworded(f"cannot read {label}: "):
        data = source if isinstance(source, bytes) else read_regular(source)
    try:
        midi = mido.MidiFile(file=BytesIO(data))
    except Exception as error:  # mido meets damage with whatever its parser trips over
        reason = str(error) or type(error).__name__
        raise InputError(f"{label} is not a whole MIDI file ({reason}): export it again") from error
    if midi.type == 2:
        raise InputError(said("midi-format", label=label))
    if any(event.time > LONGEST_WAIT for track in midi.tracks for event in track):
        raise InputError(f"{label} is not a whole MIDI file (a wait without end): export it again")
    if any(event.type == "set_tempo" and event.tempo == 0 for t in midi.tracks for event in t):
        raise InputError(f"{label} names a tempo of 0 microseconds per beat: export it again")
    if midi.ticks_per_beat <= 0:
        raise InputError(f"{label} counts SMPTE frames, not beats: save it with ticks per beat")
    return midi


def events_of(midi: mido.MidiFile) -> list[MidiEvent]:
    """The audible and notated events of a file, track by track, at absolute ticks."""
    events: list[MidiEvent] = []
    for index, track in enumerate(midi.tracks, start=1):
        tick = 0
        for message in track:
            tick += message.time
            if message.type == "set_tempo":
                events.append(MidiEvent(tick, index, "tempo", value=message.tempo))
            elif message.type == "time_signature":
                metre = (message.numerator, message.denominator)
                events.append(MidiEvent(tick, index, "time_signature", value=metre))
            elif message.type == "key_signature":
                events.append(MidiEvent(tick, index, "key_signature", value=message.key))
            elif message.type == "program_change":
                change = MidiEvent(tick, index, "program", message.channel, message.program)
                events.append(change)
            elif message.type in ("note_on", "note_off"):
                sounds = message.type == "note_on" and message.velocity > 0
                events.append(
                    MidiEvent(
                        tick,
                        index,
                        "note_on" if sounds else "note_off",
                        message.channel,
                        message.note,
                        message.velocity if sounds else 0,
                    )
                )
        events.append(MidiEvent(tick, index, "end"))
    return events


class _Clock:
    """Ticks to seconds under the tempo changes of a file."""

    def __init__(self, events: Iterable[MidiEvent], ticks_per_beat: int) -> None:
        changes = sorted(
            ((e.tick, int(e.value)) for e in events if e.kind == "tempo"),  # type: ignore[arg-type]
            key=lambda change: change[0],
        )
        self._scale = 1e6 * ticks_per_beat
        self._changes = [(0, 0, DEFAULT_TEMPO_US)]
        for tick, tempo in changes:
            before, micro, pace = self._changes[-1]
            self._changes.append((tick, micro + (tick - before) * pace, tempo))

    def seconds(self, tick: int) -> float:
        """Time of a tick. Whole microseconds times ticks are added up, so nothing drifts."""
        index = bisect_right(self._changes, tick, key=lambda change: change[0]) - 1
        before, micro, pace = self._changes[index]
        return (micro + (tick - before) * pace) / self._scale


def notes_of(events: Sequence[MidiEvent], ticks_per_beat: int) -> list[Note]:
    """Pair the note events of a file into notes, ordered by start and pitch."""
    clock = _Clock(events, ticks_per_beat)
    programs = dict.fromkeys(range(16), 0)
    ends = {event.track: event.tick for event in events if event.kind == "end"}
    sounding: dict[tuple[int, int], deque[tuple[MidiEvent, int]]] = {}
    notes: list[Note] = []

    def close(started: MidiEvent, program: int, tick: int) -> None:
        start = clock.seconds(started.tick)
        pitch = started.value
        assert isinstance(pitch, int)
        length = clock.seconds(tick) - start
        notes.append(Note(start, length, pitch, started.velocity, started.channel, program))

    for event in sorted(events, key=lambda event: event.tick):
        if event.kind == "program":
            programs[event.channel] = event.value  # type: ignore[assignment]
        elif event.kind == "note_on":
            pending = sounding.setdefault((event.channel, event.value), deque())  # type: ignore[arg-type]
            pending.append((event, programs[event.channel]))
        elif event.kind == "note_off":
            pending = sounding.get((event.channel, event.value), deque())  # type: ignore[arg-type]
            if pending:
                close(*pending.popleft(), event.tick)
    for pending in sounding.values():
        for started, program in pending:
            close(started, program, max(ends.get(started.track, 0), started.tick))
    return sorted(notes, key=lambda note: (note.start, note.pitch, note.channel))


def midi_bytes(score: Score) -> bytes:
    """A score as a MIDI file of format 0, without names or other text.

    Times are rounded to 1/480 of a quarter note.

    Raises
    ------
    InputError
        No notes, a value out of range, or two programs on one channel at the same moment.
    """
    import mido

    check_notes(score.notes)
    if not 4 <= score.tempo <= 1000:
        raise InputError(f"tempo {score.tempo} lies outside 4-1000 quarter notes a minute")
    tempo = round(60e6 / score.tempo)
    track = mido.MidiTrack()
    track.append(mido.MetaMessage("set_tempo", tempo=tempo))
    track.extend(_signatures(score))
    now = 0
    for tick, message in _messages(score.notes, tempo):
        track.append(message.copy(time=tick - now))
        now = tick
    midi = mido.MidiFile(type=0, ticks_per_beat=TICKS_PER_BEAT, tracks=[track])
    buffer = BytesIO()
    midi.save(file=buffer)
    return buffer.getvalue()


def _signatures(score: Score) -> list[mido.MetaMessage]:
    """Time and key signature. Raises `InputError` for one that MIDI cannot say."""
    from mido import MetaMessage

    numerator, denominator = score.metre
    if not (1 <= numerator <= 255 and denominator in (1, 2, 4, 8, 16, 32, 64)):
        raise InputError(said("midi-metre", metre=f"{numerator}/{denominator}"))
    metre = MetaMessage("time_signature", numerator=numerator, denominator=denominator)
    if score.key is None:
        return [metre]
    try:
        return [metre, MetaMessage("key_signature", key=score.key)]
    except ValueError as error:
        raise InputError(f"key {score.key!r} is none of MIDI's: write Eb or F#m") from error


def _messages(notes: Sequence[Note], tempo: int) -> list[tuple[int, mido.Message]]:
    """Note and program messages at absolute ticks: releases first, then programs, then notes."""
    from mido import Message

    ticks_per_second = TICKS_PER_BEAT * 1e6 / tempo
    timed: list[tuple[int, int, Message]] = []
    programs: dict[int, tuple[int, int]] = {}
    for note in sorted(notes, key=lambda note: (note.start, note.pitch)):
        on = round(note.start * ticks_per_second)
        off = max(on + 1, round(note.end * ticks_per_second))
        program, since = programs.get(note.channel, (-1, -1))
        if program != note.program:
            if since == on:
                raise InputError(
                    f"channel {note.channel} has programs {program} and {note.program} "
                    f"at {note.start} s: give each instrument a channel of its own"
                )
            programs[note.channel] = (note.program, on)
            change = Message("program_change", channel=note.channel, program=note.program)
            timed.append((on, 1, change))
        place = {"channel": note.channel, "note": note.pitch}
        timed.append((on, 2, Message("note_on", velocity=note.velocity, **place)))
        timed.append((off, 0, Message("note_off", velocity=0, **place)))
    return [(tick, message) for tick, _, message in sorted(timed, key=lambda t: t[:2])]


def check_notes(notes: Sequence[Note]) -> None:
    """Raise `InputError` for no notes at all or for the first one with a value out of range."""
    if not notes:
        raise InputError("a score without notes cannot be written or played: give at least one")
    limits = {"pitch": (0, 127), "velocity": (1, 127), "channel": (0, 15), "program": (0, 127)}
    for index, note in enumerate(notes):
        for field, (low, high) in limits.items():
            value = getattr(note, field)
            if not low <= value <= high:
                raise InputError(f"note {index}: {field} {value} lies outside {low}-{high}")
        for field in ("start", "duration"):
            value = getattr(note, field)
            if not 0 <= value < 86_400:
                raise InputError(f"note {index}: {field} {value} s is negative or beyond a day")
