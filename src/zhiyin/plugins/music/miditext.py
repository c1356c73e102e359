"""MIDI as text that a language model can read, and back to notes; and MIDI that mido printed.

Grammar
-------
A block stands between the lines ``BEGIN MIDI`` and ``END MIDI`` and may be embedded in a longer
text. Blank lines and surrounding spaces mean nothing. The first line is ``ticks_per_beat N``
(ticks in a quarter note). ``track N`` opens a track; every other line is an event that begins
with its absolute tick, which never decreases within a track::

    TICK tempo MICROSECONDS_PER_BEAT
    TICK time_signature NUMERATOR/DENOMINATOR
    TICK key_signature KEY
    TICK program channel=C program=P
    TICK note_on channel=C note=N velocity=V
    TICK note_off channel=C note=N
    TICK end

Channels count from 0 (9 is percussion), programs from 0, note 60 is middle C. Names, lyrics and
every other text of the file are left out: they may hold the answer.

Printed by mido
---------------
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

from zhiyin.errors import InputError, reworded
from zhiyin.plugins.music.midi import (
    DEFAULT_TEMPO_US,
    LONGEST_WAIT,
    MidiEvent,
    Note,
    events_of,
    notes_of,
    open_midi,
)
from zhiyin.words import said

if TYPE_CHECKING:
    import mido


BEGIN = "BEGIN MIDI"
END = "END MIDI"
_MEND = "write it as zhiyin.plugins.music.miditext describes"

_RANGES = {
    **dict.fromkeys(("voice", "on", "off"), (0, 15)),
    **dict.fromkeys(("numerator", "denominator"), (1, 99999)),
    "tempo": (1, 0xFFFFFF),
}
"""What numbers of an event may be; 0 to 127 where nothing else is said."""

_HEAD = re.compile(r"ticks_per_beat ([1-9]\d{0,4})")
_TRACK = re.compile(r"track (\d{1,5})")
_EVENT = re.compile(
    r"(?P<tick>\d{1,12}) (?:"
    r"tempo (?P<tempo>\d{1,8})"
    r"|time_signature (?P<numerator>\d{1,3})/(?P<denominator>\d{1,5})"
    r"|key_signature (?P<key>[A-G][#b]?m?)"
    r"|program channel=(?P<voice>\d{1,2}) program=(?P<program>\d{1,3})"
    r"|note_on channel=(?P<on>\d{1,2}) note=(?P<high>\d{1,3}) velocity=(?P<velocity>\d{1,3})"
    r"|note_off channel=(?P<off>\d{1,2}) note=(?P<low>\d{1,3})"
    r"|(?P<end>end))"
)


def midi_text(source: str | Path | mido.MidiFile) -> str:
    """A MIDI file as text in the grammar above, from ``BEGIN MIDI`` to ``END MIDI``.

    Raises
    ------
    InputError
        The file is absent, damaged, or of a kind that `midi.read_midi` refuses.
    """
    midi = open_midi(source) if isinstance(source, str | Path) else source
    lines = [BEGIN, f"ticks_per_beat {midi.ticks_per_beat}"]
    track = 0
    for event in events_of(midi):
        if event.track != track:
            track = event.track
            lines.append(f"track {track}")
        lines.append(f"{event.tick} {_words(event)}")
    return "\n".join([*lines, END])


def _words(event: MidiEvent) -> str:
    """An event's line after its tick."""
    if event.kind == "time_signature":
        assert isinstance(event.value, tuple)
        return f"time_signature {event.value[0]}/{event.value[1]}"
    if event.kind == "program":
        return f"program channel={event.channel} program={event.value}"
    if event.kind == "note_on":
        return f"note_on channel={event.channel} note={event.value} velocity={event.velocity}"
    if event.kind == "note_off":
        return f"note_off channel={event.channel} note={event.value}"
    return "end" if event.kind == "end" else f"{event.kind} {event.value}"


def parse_midi_text(text: str) -> list[Note]:
    """The notes of the one block of MIDI text that `text` contains.

    Parameters
    ----------
    text : str
        A block as `midi_text` writes it, alone or within other words.

    Returns
    -------
    list of Note
        By start, then pitch; the same notes that `midi.read_midi` finds in the file.

    Raises
    ------
    InputError
        No block or several, or a line that breaks the grammar (it is named by its number).
    """
    blocks = parse_midi_texts(text)
    if len(blocks) != 1:
        raise InputError(f"the text holds {len(blocks)} blocks '{BEGIN}' ... '{END}': give one")
    return blocks[0]


def parse_midi_texts(text: str) -> list[list[Note]]:
    """The notes of every block of MIDI text in `text`, in order; empty where there is none.

    Raises
    ------
    InputError
        A block is not closed, or a line in it breaks the grammar.
    """
    blocks: list[list[Note]] = []
    open_since, lines = 0, list[tuple[int, str]]()
    for number, line in enumerate(map(str.strip, text.splitlines()), start=1):
        if line == BEGIN:
            if open_since:
                raise InputError(f"MIDI text line {number}: '{BEGIN}' within a block; {_MEND}")
            open_since, lines = number, []
        elif line == END and open_since:
            blocks.append(_parse_block(lines, open_since))
            open_since = 0
        elif open_since and line:
            lines.append((number, line))
    if open_since:
        raise InputError(f"MIDI text line {open_since}: block without '{END}'; {_MEND}")
    return blocks


def _parse_block(lines: list[tuple[int, str]], begin: int) -> list[Note]:
    """The notes of the lines between the begin and end of a block."""
    head = _HEAD.fullmatch(lines[0][1]) if lines else None
    if head is None:
        raise InputError(f"MIDI text line {begin + 1}: expected 'ticks_per_beat N'; {_MEND}")
    events: list[MidiEvent] = []
    track = 0
    for number, line in lines[1:]:
        opened = _TRACK.fullmatch(line)
        if opened:
            track = int(opened[1])
            continue
        event = _parse_event(line, track, number)
        if events and events[-1].track == track and events[-1].tick > event.tick:
            raise InputError(f"MIDI text line {number}: tick {event.tick} goes back; {_MEND}")
        events.append(event)
    return notes_of(events, int(head[1]))


def _parse_event(line: str, track: int, number: int) -> MidiEvent:
    """One event line. Raises `InputError` that names the line."""
    match = _EVENT.fullmatch(line)
    if match is None:
        raise InputError(f"MIDI text line {number}: cannot read {line[:60]!r}; {_MEND}")
    fields = {name: text for name, text in match.groupdict().items() if text is not None}
    tick = int(fields.pop("tick"))
    if "end" in fields:
        return MidiEvent(tick, track, "end")
    if "key" in fields:
        return MidiEvent(tick, track, "key_signature", value=fields["key"])
    values = {name: int(digits) for name, digits in fields.items()}
    for name, value in values.items():
        low, high = _RANGES.get(name, (0, 127))
        if not low <= value <= high:
            raise InputError(f"MIDI text line {number}: {value} is out of range in {line[:60]!r}")
    if "tempo" in values:
        return MidiEvent(tick, track, "tempo", value=values["tempo"])
    if "numerator" in values:
        metre = (values["numerator"], values["denominator"])
        return MidiEvent(tick, track, "time_signature", value=metre)
    if "program" in values:
        return MidiEvent(tick, track, "program", values["voice"], values["program"])
    if "off" in values:
        return MidiEvent(tick, track, "note_off", values["off"], values["low"])
    if values["velocity"] == 0:
        return MidiEvent(tick, track, "note_off", values["on"], values["high"])
    return MidiEvent(tick, track, "note_on", values["on"], values["high"], values["velocity"])


_MOST_BYTES = 4_000_000
_TICKS_WHERE_SECONDS = 9_600

_TICKS_HEAD = re.compile(r"ticks[_ ]per[_ ]beat\W{1,3}(\d{1,5})\b", re.IGNORECASE)
_TRACK_HEADING = re.compile(r"\W*(?:midi)?track\b(?!_)", re.IGNORECASE)
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
    text = _printed(path)
    lines = list(_lines(path, text))
    if not any(line.kind == "note_on" for line in lines):
        raise InputError(said("midi-no-note", path=path))
    in_seconds = any(not line.time.isdecimal() for line in lines)
    head = _TICKS_HEAD.search(text)
    if head is None and not in_seconds:
        raise InputError(said("midi-no-ticks", path=path))
    ticks = _TICKS_WHERE_SECONDS if in_seconds or head is None else int(head[1])
    if ticks == 0:
        raise InputError(f"{path}: ticks_per_beat is 0: write how many ticks a quarter note has")
    return _file(path, lines, ticks, in_seconds)


def _printed(path: Path) -> str:
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
            track += bool(_TRACK_HEADING.match(line))
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
                said("midi-lacking", path=path, number=str(number), name=name, lacking=lacking)
            )
        messages.append(_Line(track, time[1], name, values))
    return messages


def _file(path: Path, lines: list[_Line], ticks: int, in_seconds: bool) -> mido.MidiFile:
    import mido

    tracks: dict[int, mido.MidiTrack] = {}
    tempo, ticks_due = DEFAULT_TEMPO_US, dict.fromkeys((line.track for line in lines), 0.0)
    for line in lines:
        track = tracks.setdefault(line.track, mido.MidiTrack())
        scale = 1e6 / tempo * ticks if in_seconds else 1.0
        ticks_due[line.track] += float(line.time) * scale
        if not line.kind or (line.kind == "key_signature" and "key" not in line.values):
            continue
        if not ticks_due[line.track] <= LONGEST_WAIT:
            raise InputError(
                said("midi-wait", path=path, kind=line.kind, time=line.time, most=LONGEST_WAIT)
            )
        time = round(ticks_due[line.track])
        ticks_due[line.track] -= time
        if line.kind == "set_tempo":
            tempo = line.values["tempo"] or tempo
        with reworded(f"{path}: {line.kind} with {line.values}: ", of=(ValueError, TypeError)):
            track.append(_message(line, time))
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
