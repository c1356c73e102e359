import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from listener_help import NOISE, SILENCE, loop, with_noise
from zhiyin.plugins.music.listener.rhythm import SlotGrid, find_grid, hear_rhythm
from zhiyin.sound import Sound, read_sound

LOOPS = {
    "straight": ((1, 5, 9, 13, 17, 21, 25, 29), (3, 7, 11, 15, 19, 23, 27, 31)),
    "pushed": ((1, 4, 9, 12, 17, 20, 25, 28), (3, 7, 11, 15, 19, 23, 27, 31)),
    "sparse": ((1, 17), (8, 24)),
    "dense": ((1, 2, 5, 8, 9, 10, 13, 16, 17, 21, 25, 29), (3, 7, 11, 15, 18, 22, 27, 31)),
}


@pytest.mark.parametrize("tempo", [90.0, 120.0, 160.0])
@pytest.mark.parametrize("name", LOOPS)
def test_loops_are_transcribed(name, tempo):
    kicks, snares = LOOPS[name]
    heard = hear_rhythm(loop(kicks, snares, tempo))
    assert (heard.kicks, heard.snares) == (kicks, snares)
    assert heard.offbeats == sum(slot % 2 == 0 for slot in {*kicks, *snares})
    assert heard.tempo == pytest.approx(tempo, rel=0.005)
    assert set(heard.hats) == set(range(1, 33)) - {*kicks, *snares}
    assert heard.slots == tuple(sorted({*kicks, *snares}))


def test_silence_before_the_loop_is_not_counted():
    kicks, snares = LOOPS["pushed"]
    heard = hear_rhythm(loop(kicks, snares, lead=0.37))
    assert (heard.kicks, heard.snares) == (kicks, snares)


def test_kick_and_snare_together():
    heard = hear_rhythm(loop((1, 9, 15, 17, 25), (7, 15, 23, 31)))
    assert heard.slots == (1, 7, 9, 15, 17, 23, 25, 31)
    assert 15 in heard.kicks
    assert 15 in heard.snares


@pytest.mark.slow
@pytest.mark.parametrize("decibels", [30, 20])
def test_noise_is_heard_through(decibels):
    kicks, snares = LOOPS["dense"]
    heard = hear_rhythm(with_noise(loop(kicks, snares), decibels))
    assert (heard.kicks, heard.snares) == (kicks, snares)


@pytest.mark.parametrize("sound", [SILENCE, NOISE], ids=["silence", "noise"])
def test_nothing_is_no_answer(sound):
    heard = hear_rhythm(sound)
    assert (heard.offbeats, heard.tempo, heard.slots) == (None, None, ())
    assert heard.why.startswith("heard no")


def test_two_bars_are_not_four():
    sound = loop(*LOOPS["straight"])
    assert hear_rhythm(Sound(sound.samples[: len(sound.samples) // 2], sound.rate)).tempo is None


@pytest.mark.slow
@settings(max_examples=20)
@given(
    eighth=st.floats(0.18, 0.36),
    start=st.floats(0.0, 0.5),
    missing=st.sets(st.integers(1, 30), max_size=12),
    seed=st.integers(0, 99),
)
def test_a_grid_is_found_in_strokes_that_waver(eighth, start, missing, seed):
    slots = np.array([slot for slot in range(32) if slot not in missing])
    waver = np.random.default_rng(seed).normal(0.0, 0.003, len(slots))
    times = start + eighth * slots + waver
    grid = find_grid(times, np.ones(len(times)), start + 32 * eighth)
    assert isinstance(grid, SlotGrid)
    assert grid.eighth == pytest.approx(eighth, rel=0.01)
    assert np.abs(grid.times - start - eighth * np.arange(32)).max() < 0.03


@pytest.mark.slow
def test_published_loops(shared):
    # Sync3_A is labelled 6. It plays kicks on 1 5 10 13 and snares on 4 8 12 15 of two bars,
    # twice: 8 off the beat.
    files = sorted((shared / "muse" / "stimuli" / "Intermediate").glob("*Sync*.wav"))
    assert len(files) >= 12
    for file in files:
        name = file.stem
        level = 8 if name == "Sync3_A" else 0 if name.startswith("No") else 2 * int(name[4])
        assert hear_rhythm(read_sound(file)).offbeats == level, name
