from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from listener_help import FLUTE, GUITAR, NOISE, SILENCE, melody, with_noise
from zhiyin.plugins.music.listener.melody import HeardMelody, align, hear_melody, same_melody
from zhiyin.sound import read_sound

pytestmark = pytest.mark.slow

TUNE = (60, 64, 67, 65, 64, 62, 60, 60, 67, 72)
LENGTHS = (1, 0.5, 0.5, 1, 1, 0.5, 0.5, 1, 1, 2)
OTHER = (67, 65, 69, 62, 64, 60, 71, 67, 66, 64)


def moved(pitches, shift):
    return tuple(pitch + shift for pitch in pitches)


def known(pitches, lengths=LENGTHS, rate=1.0):
    """A melody as if every note had been heard without doubt."""
    onsets = np.cumsum([0.0, *lengths[:-1]]) * rate
    lasting = tuple(length * rate for length in lengths)
    return HeardMelody(tuple(pitches), tuple(onsets), lasting, (1.0,) * len(pitches), "")


@pytest.mark.parametrize("program", [0, GUITAR])
@pytest.mark.parametrize("shift", [-7, 0, 5])
def test_melodies_are_transcribed(program, shift):
    heard = hear_melody(melody(moved(TUNE, shift), LENGTHS, program))
    assert heard.pitches == moved(TUNE, shift)
    starts = np.cumsum([0.0, *LENGTHS[:-1]]) / 2.0
    assert np.abs(np.array(heard.onsets) - starts).max() < 0.05
    assert heard.durations[0] == pytest.approx(0.5, abs=0.06)


def test_a_flute_is_transcribed_where_no_note_repeats():
    assert hear_melody(melody(OTHER, LENGTHS, FLUTE)).pitches == OTHER


@pytest.mark.parametrize("shift", [-8, 0, 5])
def test_the_same_melody_is_recognised(shift):
    a = hear_melody(melody(TUNE, LENGTHS, GUITAR))
    b = hear_melody(melody(moved(TUNE, shift), LENGTHS, GUITAR, tempo=110.0))
    match = same_melody(a, b)
    assert (match.same, match.shift, match.altered) == (True, shift, False)
    assert match.cost < 0.1


@pytest.mark.parametrize("place", [1, 4, 7])
@pytest.mark.parametrize("step", [-2, 1])
def test_one_changed_note_is_an_altered_melody(place, step):
    changed = list(moved(TUNE, 4))
    changed[place] += step
    match = same_melody(hear_melody(melody(TUNE, LENGTHS)), hear_melody(melody(changed, LENGTHS)))
    assert (match.same, match.shift, match.altered) == (False, 4, True)


def test_another_melody_is_different():
    match = same_melody(hear_melody(melody(TUNE, LENGTHS)), hear_melody(melody(OTHER, LENGTHS)))
    assert (match.same, match.altered) == (False, False)
    assert "different" in match.why


@pytest.mark.parametrize("decibels", [30, 20, 10])
def test_noise_is_heard_through(decibels):
    sounds = (melody(TUNE, LENGTHS), melody(moved(TUNE, 3), LENGTHS))
    match = same_melody(*(hear_melody(with_noise(sound, decibels)) for sound in sounds))
    assert (match.same, match.shift) == (True, 3)


@pytest.mark.parametrize("sound", [SILENCE, NOISE], ids=["silence", "noise"])
def test_nothing_is_no_answer(sound):
    heard = hear_melody(sound)
    assert heard.pitches == ()
    match = same_melody(heard, known(TUNE))
    assert (match.same, match.shift) == (None, None)
    assert match.why.startswith("heard no")


@given(
    st.lists(st.integers(48, 76), min_size=8, max_size=20),
    st.integers(-12, 12),
    st.floats(0.6, 1.6),
)
def test_a_known_melody_is_the_same_in_every_key_and_tempo(pitches, shift, rate):
    lengths = (1.0, 0.5, 1.5, 0.5) * 5
    a = known(pitches, lengths[: len(pitches)])
    b = known(moved(pitches, shift), lengths[: len(pitches)], rate)
    match = same_melody(a, b)
    assert match.same
    assert match.cost < 0.05


def test_a_missed_note_is_no_other_melody():
    missed = known((*TUNE[:2], *TUNE[3:]), (1, 1, *LENGTHS[3:]))
    assert same_melody(known(TUNE), missed).same


def test_alignment_of_equal_sequences_is_the_diagonal():
    pitches, shares = np.array(TUNE), np.full(len(TUNE), 1 / len(TUNE))
    cost, equal = align(pitches, pitches, shares, shares)
    assert cost == 0.0
    assert sorted(equal) == [(i, i) for i in range(len(TUNE))]


@pytest.mark.trust  # whole published data
def test_published_melodies(shared):
    files = sorted((shared / "muse" / "stimuli").glob("M*.wav"))
    assert len(files) >= 18
    heard = {file.stem: hear_melody(read_sound(file)) for file in files}
    for one, other in combinations(heard, 2):
        tune = {name: (name.split("_")[0], "Odd" in name) for name in (one, other)}
        expected = tune[one] == tune[other]
        assert same_melody(heard[one], heard[other]).same == expected, (one, other)


@pytest.mark.parametrize(("program", "least"), [(0, 0.95), (GUITAR, 0.95), (FLUTE, 0.9)])
def test_transcription_by_the_measures_of_the_field(program, least):
    """Precision, recall and F of notes as mir_eval has them: 50 ms, a quarter tone."""
    transcription = pytest.importorskip("mir_eval.transcription")
    starts = np.cumsum([0.0, *LENGTHS[:-1]]) / 2.0
    scores = []
    for shift in (-5, 0, 4):
        pitches = moved(OTHER, shift)
        heard = hear_melody(melody(pitches, LENGTHS, program))
        true = np.column_stack([starts, starts + np.array(LENGTHS) * 0.475])
        own = np.column_stack([heard.onsets, np.add(heard.onsets, heard.durations)])
        scores.append(
            transcription.precision_recall_f1_overlap(
                true, _hz(pitches), own, _hz(heard.pitches), offset_ratio=None
            )[:3]
        )
    assert np.mean(scores, axis=0).min() >= least
    missed = transcription.precision_recall_f1_overlap(
        true, _hz(pitches), own[:-2], _hz(heard.pitches[:-2]), offset_ratio=None
    )
    assert missed[1] < scores[-1][1]  # it can fail


def _hz(pitches):
    return 440.0 * 2 ** ((np.array(pitches) - 69) / 12)
