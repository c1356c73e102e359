import hashlib
import io

import numpy as np
import pytest
import soundfile
from hypothesis import given
from hypothesis import strategies as st

from zhiyin.errors import InputError
from zhiyin.sound import Sound, audio_part, read_sound, resample

TONE = (0.5 * np.sin(2 * np.pi * 440 * np.arange(22050) / 44100)).astype(np.float32)


def encoded(samples, rate=44100, **how):
    file = io.BytesIO()
    soundfile.write(file, samples, rate, **{"format": "WAV", **how})
    return file.getvalue()


@pytest.mark.parametrize(
    ("how", "tolerance"),
    [
        ({"subtype": "PCM_16"}, 1e-4),
        ({"subtype": "PCM_24"}, 1e-6),
        ({"subtype": "FLOAT"}, 0),
        ({"format": "FLAC", "subtype": "PCM_24"}, 1e-6),
        ({"format": "OGG", "subtype": "VORBIS"}, 0.05),
    ],
)
def test_every_common_format_is_read(how, tolerance):
    sound = read_sound(encoded(TONE, **how))
    assert sound.rate == 44100
    assert sound.samples.dtype == np.float32
    assert sound.seconds == pytest.approx(0.5)
    assert np.max(np.abs(sound.samples - TONE)) <= tolerance


def test_channels_are_averaged(tmp_path):
    path = tmp_path / "stereo.wav"
    soundfile.write(path, np.stack([TONE, -TONE / 2], axis=1), 48000, subtype="FLOAT")
    sound = read_sound(path)
    assert sound.rate == 48000
    assert np.allclose(sound.samples, TONE / 4)


def test_mp3_named_wav_is_read(tmp_path):
    path = tmp_path / "speech.wav"
    path.write_bytes(encoded(TONE, format="MP3", subtype="MPEG_LAYER_III"))
    assert read_sound(str(path)).seconds == pytest.approx(0.5, abs=0.1)
    assert audio_part(path).seconds == pytest.approx(0.5, abs=0.1)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "not audio"),
        (b"RIFF\x10\x00\x00\x00WAVEfmt ", "not audio"),
        (b"plain words", "not audio"),
        (encoded(np.zeros(0, np.float32)), "no samples"),
    ],
)
def test_what_is_not_sound_is_refused_in_one_line(tmp_path, data, says):
    path = tmp_path / "a.wav"
    path.write_bytes(data)
    for attempt in (read_sound, audio_part):
        with pytest.raises(InputError, match=says) as caught:
            attempt(path)
        assert str(path) in str(caught.value)
        assert "\n" not in str(caught.value)
    with pytest.raises(InputError, match=says):
        read_sound(data)


def test_a_sample_that_is_not_a_number_is_named_by_its_time():
    broken = TONE.copy()
    broken[11025] = np.nan
    with pytest.raises(InputError, match=r"0\.250 s is not a number"):
        read_sound(encoded(broken, subtype="FLOAT"))


def test_absent_file(tmp_path):
    for attempt in (read_sound, audio_part):
        with pytest.raises(InputError, match="No such file"):
            attempt(tmp_path / "none.wav")


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data):
    try:
        said = str(len(read_sound(b"RIFF" + data).samples))
    except InputError as problem:
        said = str(problem)
    assert said
    assert "\n" not in said


def test_audio_part_names_the_bytes(tmp_path):
    path = tmp_path / "tone.wav"
    data = encoded(TONE)
    path.write_bytes(data)
    part = audio_part(path)
    assert part.path == str(path)
    assert part.sha256 == hashlib.sha256(data).hexdigest()
    assert part.seconds == pytest.approx(0.5)


@pytest.mark.parametrize("rate", [8000, 11025, 16000, 48000])
def test_resampling_keeps_a_tone(rate):
    sound = resample(Sound(TONE, 44100), rate)
    assert sound.rate == rate
    assert sound.seconds == pytest.approx(0.5, abs=1 / rate)
    expected = 0.5 * np.sin(2 * np.pi * 440 * np.arange(len(sound.samples)) / rate)
    middle = slice(rate // 10, -rate // 10)
    assert np.max(np.abs(sound.samples[middle] - expected[middle])) < 0.01


def test_resampling_to_nothing_is_refused():
    with pytest.raises(InputError, match="above 0"):
        resample(Sound(TONE, 44100), 0)
