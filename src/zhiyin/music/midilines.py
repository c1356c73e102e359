"""MIDI that mido printed as text, read back: the ``.txt`` files of Carone et al.

The study turned its MIDI recordings into ``.txt`` files with mido and a script that is not
published. Read here is what mido prints of a message, however it is wrapped, a message a line::

    note_on channel=9 note=36 velocity=100 time=0
    Message('note_on', channel=9, note=36, velocity=100, time=0)
    MetaMessage('set_tempo', tempo=500000, time=0)
    <meta message set_tempo tempo=500000 time=0>

``time`` is the delta since the message before: ticks, or seconds where any of them has a
decimal point (as mido gives them when a whole file is gone through). A line that begins with
"Track" opens a track, one with ``ticks_per_beat=480`` (or "Ticks per beat: 480") says how long
ticks are. Other headings, names and lyrics are passed over: they may hold the answer.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from zhiyin.errors import InputError

if TYPE_CHECKING:
    import mido

_MOST_BYTES = 4_000_000
_TICKS_WHERE_SECONDS = 9_600
_DEFAULT_TEMPO_US = 500_000
_MOST_TICKS = 0x0FFFFFFF
"""Between two messages: no MIDI file can hold more."""

_HEAD = re.compile(r"ticks[_ ]per[_ ]beat\W{1,3}(\d{1,5})\b", re.IGNORECASE)
_TRACK = re.compile(r"\W*(?:midi)?track\b(?!_)", re.IGNORECASE)
_KIND = re.compile(r"\b(note_on|note_off|program_change|set_tempo|time_signature|key_signature)\b")
_TIME = re.compile(r"\btime=(\d{1,12}(?:\.\d{1,20})?(?:e-?\d{1,3})?)")
_NUMBER = re.compile(r"\b(channel|note|velocity|program|tempo|numerator|denominator)=(\d{1,9})\b")
_KEY = re.compile(r"\bkey='?([A-G][#b]?m?)\b")
_NEEDED = {
    "note_on": ("note", "velocity"),
    "note_off": ("note",),
    "program_change": ("program",),
    "set_tempo": ("tempo",),
    "time_signature": ("numerator", "denominator"),
    "key_signature": (),
}


class _Line(NamedTuple):
    """A message: its track, the time since the one before, its kind ("" if mute), its values."""

    track: int
    time: str
    kind: str
    values: dict[str, Any]


def read_midi_lines(path: Path) -> mido.MidiFile:
    """The MIDI file that a text describes.

    Parameters
    ----------
    path : Path
        UTF-8, up to 4 MB.

    Raises
    ------
    InputError
        The file cannot be read, a note in it cannot, or it does not say how long its ticks are.
    """
    text = _text(path)
    lines = list(_lines(path, text))
    if not any(line.kind == "note_on" for line in lines):
        raise InputError(
            f"{path}: no line such as note_on channel=0 note=60 velocity=80 time=0: is it MIDI "
            "that mido printed?"
        )
    in_seconds = any(not line.time.isdecimal() for line in lines)
    head = _HEAD.search(text)
    if head is None and not in_seconds:
        raise InputError(
            f"{path}: says nowhere how long a tick is: add a first line such as ticks_per_beat=480"
        )
    ticks = _TICKS_WHERE_SECONDS if in_seconds or head is None else int(head[1])
    if ticks == 0:
        raise InputError(f"{path}: ticks_per_beat is 0: write how many ticks a quarter note has")
    return _file(path, lines, ticks, in_seconds)


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
        if len(data) > _MOST_BYTES:
            raise InputError(f"{path}: above {_MOST_BYTES:,} bytes: is it MIDI that mido printed?")
        return data.decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError:
        raise InputError(f"{path}: not UTF-8: save it as UTF-8") from None


def _lines(path: Path, text: str) -> list[_Line]:
    """Every message of a text. Raises `InputError` for one that lacks a value it needs."""
    messages: list[_Line] = []
    track = 0
    for number, line in enumerate(text.splitlines(), start=1):
        kind, time = _KIND.search(line), _TIME.search(line)
        if kind is None and time is None:
            track += bool(_TRACK.match(line))
            continue
        values: dict[str, Any] = {name: int(digits) for name, digits in _NUMBER.findall(line)}
        if key := _KEY.search(line):
            values["key"] = key[1]
        name = kind[1] if kind else ""
        lacking = [need for need in _NEEDED.get(name, ()) if need not in values]
        if time is None:
            lacking.append("time")
        if time is None or lacking:
            raise InputError(
                f"{path}, line {number}: {name} without {', '.join(lacking)}: write messages as "
                "mido prints them"
            )
        messages.append(_Line(track, time[1], name, values))
    return messages


def _file(path: Path, lines: list[_Line], ticks: int, in_seconds: bool) -> mido.MidiFile:
    import mido

    tracks: dict[int, mido.MidiTrack] = {}
    tempo, ticks_due = _DEFAULT_TEMPO_US, dict.fromkeys((line.track for line in lines), 0.0)
    for line in lines:
        track = tracks.setdefault(line.track, mido.MidiTrack())
        scale = 1e6 / tempo * ticks if in_seconds else 1.0
        ticks_due[line.track] += float(line.time) * scale
        if not line.kind or (line.kind == "key_signature" and "key" not in line.values):
            continue
        if not ticks_due[line.track] <= _MOST_TICKS:
            raise InputError(
                f"{path}: {line.kind} at time={line.time}: a MIDI file holds at most "
                f"{_MOST_TICKS:,} ticks between two messages"
            )
        time = round(ticks_due[line.track])
        ticks_due[line.track] -= time
        if line.kind == "set_tempo":
            tempo = line.values["tempo"] or tempo
        try:
            track.append(_message(line, time))
        except (ValueError, TypeError) as error:
            raise InputError(f"{path}: {line.kind} with {line.values}: {error}") from None
    return mido.MidiFile(type=1, ticks_per_beat=ticks, tracks=list(tracks.values()))


def _message(line: _Line, time: int) -> mido.Message | mido.MetaMessage:
    """A message as mido has it. Raises ValueError for a value out of range."""
    import mido

    values, place = line.values, {"channel": line.values.get("channel", 0), "time": time}
    if line.kind in ("note_on", "note_off"):
        velocity = values.get("velocity", 0)
        return mido.Message(line.kind, note=values["note"], velocity=velocity, **place)
    if line.kind == "program_change":
        return mido.Message("program_change", program=values["program"], **place)
    if line.kind == "set_tempo":
        if not values["tempo"]:
            raise ValueError("a tempo of no length")
        return mido.MetaMessage("set_tempo", tempo=values["tempo"], time=time)
    if line.kind == "time_signature":
        metre = {name: values[name] for name in ("numerator", "denominator")}
        return mido.MetaMessage("time_signature", **metre, time=time)
    return mido.MetaMessage("key_signature", key=values["key"], time=time)
