"""MIDI that mido printed as text: read as the file that it was printed from."""

import io

import mido
import pytest

from zhiyin.errors import InputError
from zhiyin.plugins.music.midi import Note, Score, midi_bytes, open_midi, read_midi
from zhiyin.plugins.music.miditext import midi_text, parse_midi_text, read_midi_lines

TUNE = Score(
    (
        Note(0.0, 0.5, 60, 90),
        Note(0.5, 0.25, 64, 80),
        Note(0.75, 1.0, 55, 70),
        Note(0.75, 1.0, 38, 100, 9),
    ),
    tempo=90.0,
    metre=(3, 4),
    key="F#m",
)


def file_of(score: Score) -> mido.MidiFile:
    return mido.MidiFile(file=io.BytesIO(midi_bytes(score)))


def as_strings(midi: mido.MidiFile) -> str:
    lines = [f"ticks_per_beat: {midi.ticks_per_beat}"]
    for number, track in enumerate(midi.tracks):
        lines += [f"Track {number}: {track.name}", *map(str, track)]
    return "\n".join(lines)


def in_seconds(midi: mido.MidiFile) -> str:
    return "\n".join(map(str, midi))


PRINTED = {
    "str of each message": as_strings,
    "repr of the file": lambda midi: repr(midi),
    "repr of each message": lambda midi: "\n".join(
        ["Ticks per beat: 480", *(repr(m) for track in midi.tracks for m in track)]
    ),
    "str of the file, in seconds": in_seconds,
    "as older versions print": lambda midi: (
        as_strings(midi).replace("MetaMessage('", "<meta message ").replace("', ", " ")
    ),
}


def about(notes) -> list[tuple[float, float, int, int, int]]:
    return [
        (round(n.start, 3), round(n.duration, 3), n.pitch, n.velocity, n.channel) for n in notes
    ]


@pytest.mark.parametrize("form", PRINTED)
def test_what_mido_prints_is_the_file_that_it_was(tmp_path, form):
    path = tmp_path / "17.txt"
    path.write_text(PRINTED[form](file_of(TUNE)))
    read = read_midi(path)
    assert about(read.notes) == about(read_midi(midi_bytes(TUNE)).notes)
    assert read.tempo == pytest.approx(90.0, rel=1e-5)
    assert (read.metre, read.key) == ((3, 4), "F#m")
    assert about(parse_midi_text(midi_text(path))) == about(read.notes)


def test_names_in_the_text_are_not_passed_on(tmp_path):
    midi = file_of(TUNE)
    midi.tracks[0].insert(0, mido.MetaMessage("track_name", name="M1_EbMaj note"))
    midi.tracks[0].insert(1, mido.MetaMessage("text", text="diminished"))
    midi.tracks[0].insert(2, mido.Message("control_change", control=64, value=10, time=480))
    path = tmp_path / "x.txt"
    path.write_text("File: M1_EbMaj_90.mid\n" + as_strings(midi))
    said = midi_text(path)
    assert "EbMaj" not in said
    assert "diminished" not in said
    assert read_midi(path).notes[0].start == pytest.approx(0.5, abs=1e-3), "mute time counts"


def test_several_tracks_begin_together(tmp_path):
    midi = file_of(TUNE)
    midi.tracks.append(mido.MidiTrack([mido.Message("note_on", note=40, velocity=9, time=480)]))
    midi.tracks[1].append(mido.Message("note_off", note=40, time=480))
    path = tmp_path / "x.TXT"
    path.write_text(as_strings(midi))
    assert len(open_midi(path).tracks) == 2
    low = next(note for note in read_midi(path).notes if note.pitch == 40)
    assert low.start == pytest.approx(60 / 90, abs=1e-3)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no line such as"),
        ("a poem", "no line such as"),
        ("note_on channel=0 note=60 velocity=64 time=0", "how long a tick is"),
        ("ticks_per_beat=0\nnote_on note=60 velocity=64 time=0", "ticks_per_beat is 0"),
        (
            "ticks_per_beat=480\nnote_on channel=0 velocity=64 time=0",
            "line 2: note_on without note",
        ),
        ("ticks_per_beat=480\nnote_on note=60 velocity=64", "line 2: note_on without time"),
        ("ticks_per_beat=480\nnote_on note=200 velocity=64 time=0", "note_on with"),
        ("ticks_per_beat=480\nnote_on note=60 velocity=64 time=48e480", "ticks between"),
        ("ticks_per_beat=480\nset_tempo tempo=0 time=0\nnote_on note=1 velocity=1 time=0", "tempo"),
    ],
)
def test_what_is_no_such_text_is_refused_in_one_line(tmp_path, text, said):
    path = tmp_path / "x.txt"
    path.write_text(text)
    with pytest.raises(InputError, match=said) as refusal:
        read_midi_lines(path)
    assert str(path) in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_what_cannot_be_read_is_refused(tmp_path):
    for name, content in {"big": b"a" * 4_000_001, "bytes": b"\xff\xfe\x00"}.items():
        (tmp_path / f"{name}.txt").write_bytes(content)
        with pytest.raises(InputError, match=name):
            read_midi_lines(tmp_path / f"{name}.txt")
    with pytest.raises(InputError, match="cannot read"):
        read_midi_lines(tmp_path / "none.txt")
