import numpy as np
import pytest

from listener_help import NOISE, SILENCE, chord, wav, with_noise
from zhiyin.plugins.music.listener.chords import hear_chord, lowest, recognise
from zhiyin.plugins.music.listener.spectrum import HIGH, LOW
from zhiyin.plugins.music.solvers import CHORDS
from zhiyin.sound import Sound, read_sound

pytestmark = pytest.mark.slow

QUALITIES = ("diminished", "dominant", "major", "minor")


@pytest.mark.parametrize("quality", CHORDS)
@pytest.mark.parametrize("root", [41, 50, 59, 68])
def test_chords_are_heard_with_every_pitch(quality, root):
    pitches = [root + step for step in sorted(CHORDS[quality])] + [root + 12]
    heard = hear_chord(chord(pitches))
    assert (heard.root, heard.quality) == (root % 12, quality)
    assert heard.pitches == tuple(pitches)
    assert heard.confidence > 0.9


@pytest.mark.parametrize(
    ("pitches", "root", "quality"),
    [
        ((52, 55, 60), 0, "major"),
        ((55, 60, 63), 0, "minor"),
        ((58, 60, 64, 67), 0, "dominant"),
        ((54, 57, 60, 66), 6, "diminished"),
    ],
)
def test_inversions_keep_their_root(pitches, root, quality):
    heard = hear_chord(chord(pitches))
    assert (heard.root, heard.quality) == (root, quality)


def test_a_block_alone_is_enough():
    assert hear_chord(chord((48, 64, 67, 72), arpeggio=False)).quality == "major"


@pytest.mark.parametrize("decibels", [30, 20, 10])
def test_noise_is_heard_through(decibels):
    heard = hear_chord(with_noise(chord((45, 57, 60, 64)), decibels))
    assert (heard.root, heard.quality) == (9, "minor")


@pytest.mark.parametrize("how", [{"channels": 2}, {"rate": 48000}, {"rate": 16000, "channels": 2}])
def test_the_format_of_the_recording_does_not_matter(how):
    data = wav(chord((50, 53, 56, 62)), subtype="PCM_24", **how)
    assert hear_chord(read_sound(data)).quality == "diminished"


def test_loudness_does_not_matter():
    sound = chord((50, 54, 57))
    for gain in (0.02, 1.4):
        assert hear_chord(Sound(sound.samples * np.float32(gain), sound.rate)).quality == "major"


@pytest.mark.parametrize("sound", [SILENCE, NOISE], ids=["silence", "noise"])
def test_nothing_is_no_answer(sound):
    heard = hear_chord(sound)
    assert (heard.pitches, heard.root, heard.quality) == ((), None, None)
    assert heard.why.startswith("heard no")


def test_another_chord_is_named_as_none_of_the_four():
    heard = hear_chord(chord((48, 50, 54, 56)))
    assert heard.pitches == (48, 50, 54, 56)
    assert heard.quality is None
    assert "none of the four" in heard.why


def test_the_lowest_note_is_a_distribution():
    present = np.zeros(HIGH - LOW + 1)
    present[[48 - LOW, 55 - LOW]] = 0.5, 1.0
    assert lowest(present)[[0, 7]] == pytest.approx([0.5, 0.5])
    assert recognise(np.zeros(HIGH - LOW + 1))[:2] == (None, None)


@pytest.mark.trust  # whole published data
def test_published_chords(shared):
    files = sorted((shared / "muse" / "stimuli" / "Chords").glob("*.wav"))
    assert len(files) >= 24
    for file in files:
        number = int(file.stem) - 1
        heard = hear_chord(read_sound(file))
        root = (number // 4 + 8) % 12
        assert (heard.root, heard.quality) == (root, QUALITIES[number % 4]), file.name
