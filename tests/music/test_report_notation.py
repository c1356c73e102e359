"""From a trial's words to engraved notation: what is found, how MIDI is written, what is safe."""

import re

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from report_help import abc_trial, choice
from zhiyin.errors import InputError
from zhiyin.plugins.music.midi import Note, Score, midi_bytes
from zhiyin.plugins.music.miditext import midi_text
from zhiyin.plugins.music.notation import Library, Press, Tune, find_tunes, without_midi, write_mei
from zhiyin.trial import say

SIXTEENTH = 0.125
"""Seconds at 120 beats a minute."""


def text_of(*notes, channel=0):
    """The MIDI text of (start, length, pitch) in sixteenths."""
    score = Score(
        tuple(Note(a * SIXTEENTH, n * SIXTEENTH, p, channel=channel) for a, n, p in notes)
    )
    import io

    import mido

    return midi_text(mido.MidiFile(file=io.BytesIO(midi_bytes(score))))


def lengths(mei):
    """For each measure the sum of what its first layer holds, in sixteenths."""
    sums = []
    for measure in re.findall(r"<measure.*?</measure>", mei):
        layer = re.search(r"<layer.*?</layer>", measure)[0]
        total = 0.0
        for value, dots in re.findall(r'<(?:chord|rest) dur="(\d+)"(?: dots="(\d)")?', layer):
            total += 16 / int(value) * (1.5 if dots else 1)
        sums.append(total)
    return sums


def test_a_melody_is_spelled_tied_and_barred():
    mei = write_mei(text_of((0, 4, 60), (4, 8, 63), (12, 8, 67)))
    assert lengths(mei) == [16, 16]
    assert re.findall(r'<note pname="(\w)" oct="4"(?: accid="(\w)")?', mei) == [
        ("c", ""), ("e", "f"), ("g", ""), ("g", ""),
    ]  # fmt: skip
    assert re.findall(r'tie="(\w)"', mei) == ["i", "t"]


def test_minor_on_c_sharp_is_spelled_in_sharps():
    mei = write_mei(text_of((0, 16, 61), (0, 16, 64), (0, 16, 68)))
    assert re.findall(r'pname="(\w)" oct="4"(?: accid="(\w)")?', mei) == [
        ("c", "s"), ("e", ""), ("g", "s"),
    ]  # fmt: skip


def test_drums_stand_on_a_drum_staff():
    mei = write_mei(text_of((0, 1, 36), (0, 1, 42), (4, 1, 38), channel=9))
    assert 'clef.shape="perc"' in mei
    assert 'head.shape="x"' in mei


@pytest.mark.slow
@given(
    st.lists(
        st.tuples(st.integers(0, 90), st.integers(1, 30), st.integers(24, 100)),
        min_size=1, max_size=25,
    )
)  # fmt: skip
def test_every_bar_is_full(notes):
    mei = write_mei(text_of(*notes))
    assert set(lengths(mei)) == {16}


@pytest.mark.parametrize("text", ["BEGIN MIDI\nEND MIDI", "BEGIN MIDI\nticks_per_beat 0\nEND MIDI"])
def test_odd_midi_is_refused(text):
    with pytest.raises(InputError):
        write_mei(text)


def test_tunes_of_a_trial():
    tunes = find_tunes(abc_trial())
    assert [tune.label for tune in tunes] == ["tune", "A", "B", "C", "D"]
    assert tunes[1].text.startswith("X:1\nM:4/4\nL:1/8\nK:D\nd2 a2")
    assert find_tunes(choice(1)) == []
    # Of a reply that was imported too: the tune stands in what was sent, and the question is short.
    sent = abc_trial()
    sent = msgspec.structs.replace(sent, stem="How does it go on?")
    assert find_tunes(sent) == tunes


def test_midi_in_a_prompt_is_found_with_its_name():
    import msgspec

    block = text_of((0, 4, 60))
    trial = msgspec.structs.replace(
        choice(1), messages=(say("user", f"Identifier: `clip1`\n{block}\nWhat is it?"),)
    )
    (tune,) = find_tunes(trial)
    assert (tune.label, tune.format) == ("clip1", "mei")
    assert without_midi(f"Identifier: `clip1`\n{block}\nWhat is it?") == "What is it?"
    assert without_midi("BEGIN MIDI\nnever ended") == "BEGIN MIDI\nnever ended"


@pytest.mark.slow
def test_what_kills_the_engraver_stops_nothing(tmp_path):
    pytest.importorskip("verovio", reason="verovio is not installed (extra: notation)")
    press = Press()
    try:
        good = Tune("tune", "abc", "X:1\nM:4/4\nL:1/8\nK:D\nd2 fa d2 fa|\n")
        assert "<svg" in (press.engrave(good) or "")
        press._process.kill()  # by somebody else: the tune is not at fault
        assert "<svg" in (press.engrave(good) or "")
    finally:
        press.close()


@pytest.mark.slow
def test_a_tune_that_kills_every_engraver_is_given_up(tmp_path, monkeypatch):
    import zhiyin.plugins.music.notation as notation

    monkeypatch.setattr(notation.sys, "executable", "false")
    press = Press()
    assert press.engrave(Tune("tune", "abc", "X:1\nK:D\nd2|\n")) is None
    assert press._process is None


@pytest.mark.slow
def test_an_engraving_is_the_same_whatever_was_engraved_before():
    pytest.importorskip("verovio", reason="verovio is not installed (extra: notation)")
    tunes = [Tune("tune", "abc", f"X:1\nM:4/4\nL:1/8\nK:{key}\nd2 fa d2 fa|\n") for key in "CDEFG"]
    drawn = []
    for order in (tunes, tunes[::-1]):
        press = Press()
        try:
            drawn.append({tune.id: press.engrave(tune) for tune in order})
        finally:
            press.close()
    assert drawn[0] == drawn[1]


@pytest.mark.slow
def test_a_cache_that_cannot_be_written_costs_no_tune(tmp_path):
    pytest.importorskip("verovio", reason="verovio is not installed (extra: notation)")
    (tmp_path / "taken").write_text("a file where the cache is to be")
    told = []
    library = Library(tmp_path / "taken", progress=lambda *numbers: told.append(numbers))
    library.start()
    name = library.want(Tune("tune", "abc", "X:1\nM:4/4\nL:1/8\nK:D\nd2 fa d2 fa|\n"))
    library.finish()
    assert b"<svg" in (library.kept(name) or b"")
    assert told[-1] == (1, 1)


@pytest.mark.slow
def test_what_cannot_be_read_is_remembered(tmp_path):
    pytest.importorskip("verovio", reason="verovio is not installed (extra: notation)")
    library = Library(tmp_path)
    name = library.want(Tune("tune", "mei", "this is no music"))
    assert library.engraving(name) is None
    assert library.kept(name) == b""
    with pytest.raises(InputError, match="no tune of these runs"):
        library.engraving("0" * 32)
