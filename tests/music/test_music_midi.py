import mido
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhiyin.errors import InputError
from zhiyin.plugins.music.midi import Note, Score, midi_bytes, read_midi
from zhiyin.plugins.music.miditext import midi_text, parse_midi_text, parse_midi_texts

TUNE = (
    Note(0.0, 0.5, 60, 90, 0, 24),
    Note(0.5, 0.25, 64, 80, 0, 24),
    Note(0.5, 1.0, 36, 100, 9, 8),
    Note(1.0, 0.5, 67, 70, 0, 24),
)


def midi_file(*tracks, kind=1, ticks=480):
    file = mido.MidiFile(type=kind, ticks_per_beat=ticks)
    for messages in tracks:
        file.tracks.append(mido.MidiTrack(messages))
    return file


def saved(tmp_path, file):
    file.save(tmp_path / "x.mid")
    return tmp_path / "x.mid"


def test_round_trip_keeps_notes_and_head(tmp_path):
    path = tmp_path / "tune.mid"
    path.write_bytes(midi_bytes(Score(TUNE, 96.0, (3, 4), "Ebm")))
    score = read_midi(path)
    assert (round(score.tempo, 6), score.metre, score.key) == (96.0, (3, 4), "Ebm")
    assert len(score.notes) == 4
    for wrote, read in zip(
        sorted(TUNE, key=lambda n: (n.start, n.pitch)), score.notes, strict=True
    ):
        assert (wrote.pitch, wrote.velocity, wrote.channel, wrote.program) == (
            read.pitch,
            read.velocity,
            read.channel,
            read.program,
        )
        assert abs(wrote.start - read.start) < 0.001
        assert abs(wrote.duration - read.duration) < 0.002
    assert read_midi(path.read_bytes()) == score


def test_tempo_changes_move_every_track(tmp_path):
    on, off = mido.Message("note_on", note=60), mido.Message("note_off", note=60)
    tempo = [
        mido.MetaMessage("set_tempo", tempo=1_000_000),
        mido.MetaMessage("set_tempo", tempo=250_000, time=960),
    ]
    tune = [on, off.copy(time=480), on.copy(time=480), off.copy(time=480)]
    notes = read_midi(saved(tmp_path, midi_file(tempo, tune))).notes
    assert [(n.start, n.duration) for n in notes] == [(0.0, 1.0), (2.0, 0.25)]


def test_unreleased_notes_sound_to_the_end_and_stray_releases_are_silent(tmp_path):
    track = [
        mido.Message("note_off", note=50),
        mido.Message("note_on", note=60, velocity=64),
        mido.MetaMessage("end_of_track", time=960),
    ]
    assert read_midi(saved(tmp_path, midi_file(track))).notes == (Note(0.0, 1.0, 60, 64),)


def test_overlapping_notes_end_first_in_first_out(tmp_path):
    on = mido.Message("note_on", note=60, velocity=64)
    silent_on = mido.Message("note_on", note=60, velocity=0, time=480)
    track = [on, on.copy(time=240), silent_on, silent_on]
    notes = read_midi(saved(tmp_path, midi_file(track))).notes
    assert [(n.start, n.duration) for n in notes] == [(0.0, 0.75), (0.25, 1.0)]


def test_bad_files(tmp_path):
    good = midi_bytes(Score(TUNE))
    with pytest.raises(InputError, match="cannot read"):
        read_midi(tmp_path / "absent.mid")
    for data in (b"", b"RIFF....WAVE", good[:40], good[:-9], b"MThd" + bytes(20)):
        with pytest.raises(InputError):
            read_midi(data)
    empty = saved(tmp_path, midi_file([mido.MetaMessage("set_tempo")]))
    with pytest.raises(InputError, match="holds no notes"):
        read_midi(empty)
    two = midi_file([mido.Message("note_on")], kind=2)
    with pytest.raises(InputError, match="format 2"):
        read_midi(saved(tmp_path, two))
    with pytest.raises(InputError, match="SMPTE"):
        read_midi(good[:12] + b"\xe7\x28" + good[14:])


@given(st.integers(0, 200), st.integers(0, 255), st.integers(0, 200))
def test_damaged_files_never_raise_anything_else(place, value, length):
    data = bytearray(midi_bytes(Score(TUNE)))
    data[place % len(data)] = value
    damaged = bytes(data[: max(length, 1)] if length % 3 == 0 else data)
    try:
        notes = read_midi(damaged).notes
    except InputError:
        return
    assert all(0 <= note.pitch <= 127 and note.duration >= 0 for note in notes)


@pytest.mark.parametrize(
    "note",
    [
        Note(-0.1, 1, 60),
        Note(0, float("nan"), 60),
        Note(0, 1, 128),
        Note(0, 1, 60, 0),
        Note(0, 1, 60, 80, 16),
        Note(0, 1, 60, 80, 0, 128),
    ],
)
def test_bad_notes_are_not_written(note):
    with pytest.raises(InputError):
        midi_bytes(Score((note,)))


def test_bad_scores_are_not_written():
    with pytest.raises(InputError):
        midi_bytes(Score(()))
    with pytest.raises(InputError, match="tempo"):
        midi_bytes(Score(TUNE, tempo=2))
    with pytest.raises(InputError, match="metre"):
        midi_bytes(Score(TUNE, metre=(4, 3)))
    with pytest.raises(InputError, match="key"):
        midi_bytes(Score(TUNE, key="H"))
    clash = (Note(0, 1, 60, 80, 0, 0), Note(0, 1, 64, 80, 0, 24))
    with pytest.raises(InputError, match="channel of its own"):
        midi_bytes(Score(clash))


notes = st.builds(
    Note,
    st.integers(0, 4000).map(lambda t: t / 480),
    st.integers(1, 2000).map(lambda t: t / 480),
    st.integers(0, 127),
    st.integers(1, 127),
    st.sampled_from([0, 3, 9]),
    st.just(7),
)


@given(st.lists(notes, min_size=1, max_size=30), st.integers(30, 250))
def test_text_says_what_the_file_says(tmp_path_factory, score, tempo):
    path = tmp_path_factory.mktemp("midi") / "x.mid"
    path.write_bytes(midi_bytes(Score(tuple(score), tempo, (7, 8), "F#")))
    text = midi_text(path)
    assert parse_midi_text(text) == list(read_midi(path).notes)
    wrapped = f"Here it is:\n\n  {text}  \n\nWhat is it?\n"
    assert parse_midi_text(wrapped.replace("\n", "\r\n")) == list(read_midi(path).notes)


def test_text_of_several_tracks_leaves_names_out():
    file = midi_file(
        [mido.MetaMessage("track_name", name="secret"), mido.MetaMessage("text", text="secret")],
        [mido.Message("note_on", note=61), mido.Message("note_off", note=61, time=9)],
    )
    text = midi_text(file)
    assert "secret" not in text
    assert text.splitlines() == [
        "BEGIN MIDI", "ticks_per_beat 480", "track 1", "0 end", "track 2",
        "0 note_on channel=0 note=61 velocity=64", "9 note_off channel=0 note=61", "9 end",
        "END MIDI",
    ]  # fmt: skip
    assert parse_midi_texts(f"a\n{text}\nb\n{text}\nc")[1] == parse_midi_text(text)
    assert parse_midi_texts("no music here") == []
    with pytest.raises(InputError, match="2 blocks"):
        parse_midi_text(text + "\n" + text)


HEAD = "BEGIN MIDI\nticks_per_beat 480\ntrack 1\n"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "BEGIN MIDI\nEND MIDI",
        "BEGIN MIDI\nticks_per_beat 0\nEND MIDI",
        HEAD + "0 note_on channel=0 note=60 velocity=80",
        HEAD + "0 note_on channel=0 note=128 velocity=80\nEND MIDI",
        HEAD + "0 note_on channel=16 note=60 velocity=80\nEND MIDI",
        HEAD + "0 note_on note=60\nEND MIDI",
        HEAD + "5 end\n4 end\nEND MIDI",
        HEAD + "-1 end\nEND MIDI",
        HEAD + "0 tempo 99999999\nEND MIDI",
        HEAD + "0 end\nBEGIN MIDI\nEND MIDI",
    ],
)
def test_malformed_text(text):
    with pytest.raises(InputError):
        parse_midi_text(text)


@given(st.text(alphabet="BEGINMDticks_per0123456789 =note\n", max_size=200))
def test_any_text_is_read_or_refused(text):
    try:
        notes = parse_midi_text(HEAD + text + "\nEND MIDI")
    except InputError:
        return
    assert all(0 <= note.pitch <= 127 for note in notes)
