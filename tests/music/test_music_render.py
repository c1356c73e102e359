import io

import numpy as np
import pytest
import soundfile

from zhiyin.errors import InputError
from zhiyin.plugins.music import render
from zhiyin.plugins.music.midi import Note
from zhiyin.plugins.music.render import FONT_VARIABLE, NAMES, normalised, open_renderer, wav_bytes

RATE = 44100


def renderer_or_skip(name):
    try:
        return open_renderer(name)
    except InputError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module", params=NAMES)
def renderer(request):
    return renderer_or_skip(request.param)


def heard_pitch(samples, near):
    """Strongest frequency within a quarter tone or so of a pitch, as a fractional pitch, and
    how strong everything below it is."""
    size = 1 << 18
    part = samples[int(0.25 * RATE) : int(1.25 * RATE)]
    spectrum = np.abs(np.fft.rfft(part * np.hanning(len(part)), size))
    hertz = np.arange(len(spectrum)) * RATE / size
    wanted = 440 * 2 ** ((near - 69) / 12)
    close = np.abs(hertz / wanted - 1) < 0.03
    found = hertz[close][spectrum[close].argmax()]
    below = spectrum[(hertz > 25) & (hertz < 0.94 * wanted)].max()
    return 69 + 12 * np.log2(found / 440), below / spectrum[close].max()


@pytest.mark.parametrize("program", [0, 24, 25, 27, 33, 73])
def test_the_pitch_asked_for_sounds(renderer, program):
    for pitch in (40, 52, 60, 71, 84) if program != 33 else (28, 36, 45):
        samples = renderer.render([Note(0.1, 1.3, pitch, 90, 0, program)], 1.6)
        found, below = heard_pitch(samples, pitch)
        assert abs(found - pitch) < 0.15
        assert below < 0.1


def test_notes_begin_and_end_when_they_should(renderer):
    samples = renderer.render([Note(0.5, 0.5, 60, 90, 0, 16)], 2.0)
    assert samples.shape == (2 * RATE,)
    assert samples.dtype == np.float32
    energy = [float(np.sqrt(np.mean(part**2))) for part in np.split(samples, 8)]
    assert max(energy[:2]) < 1e-4  # 16-bit dither at most
    assert min(energy[2:4]) > 10 * energy[-1]


def test_louder_when_struck_harder(renderer):
    soft, loud = (
        np.abs(renderer.render([Note(0, 0.5, 60, velocity)], 0.5)).max() for velocity in (40, 110)
    )
    assert loud > 1.5 * soft


def test_drums_differ_and_are_drums(renderer):
    kits = renderer.kits()
    assert {0, 8, 16, 24, 25} <= set(kits)
    for kit in (0, 8, 16, 24, 25):
        shares = []
        for drum in (36, 38, 42):
            samples = renderer.render([Note(0, 0.1, drum, 100, 9, kit)], 0.5)
            power = np.abs(np.fft.rfft(samples)) ** 2
            hertz = np.fft.rfftfreq(len(samples), 1 / RATE)
            shares.append([power[hertz < 120].sum(), power[hertz > 4000].sum()] / power.sum())
        kick, snare, hat = shares
        assert kick[0] > 0.5 > snare[0] > hat[0]
        assert hat[1] > max(0.3, snare[1])
        assert snare[1] > kick[1]


def phrases():
    rng = np.random.default_rng(5)
    for index in range(25):
        channel, program = (9, 0) if index % 3 == 0 else (0, int(rng.choice([0, 24, 27, 40])))
        keys = [36, 38, 42] if channel == 9 else range(40, 85)
        yield [
            Note(
                float(start),
                float(rng.uniform(0.05, 1.5)),
                int(rng.choice(keys)),
                int(rng.integers(30, 127)),
                channel,
                program,
            )
            for start in rng.uniform(0, 1.5, 8)
        ]


@pytest.mark.slow
def test_a_used_renderer_sounds_as_a_fresh_one(renderer):
    for notes in phrases():
        used = renderer.render(notes, 1.7)
        fresh = open_renderer(renderer.name).render(notes, 1.7)
        assert used.tobytes() == fresh.tobytes()


def test_an_error_leaves_nothing_sounding(renderer):
    notes = [Note(0, 1, 60)]
    before = renderer.render(notes, 0.5)
    with pytest.raises(InputError):
        renderer.render([Note(0, 1, 60), Note(0.1, 1, 60, 90, 9, 77)], 1.0)
    assert renderer.render(notes, 0.5).tobytes() == before.tobytes()


def test_bad_requests(renderer):
    for notes, seconds, rate in (
        ([], 1, RATE),
        ([Note(0, 1, 60)], 0, RATE),
        ([Note(0, 1, 60)], float("nan"), RATE),
        ([Note(0, 1, 60)], 1, 100),
        ([Note(0, 1, 200)], 1, RATE),
    ):
        with pytest.raises(InputError):
            renderer.render(notes, seconds, rate)


def test_other_rates_keep_pitch(renderer):
    samples = renderer.render([Note(0, 2, 69, 90, 0, 16)], 2.0, 22050)
    spectrum = np.abs(np.fft.rfft(samples[11025:33075] * np.hanning(22050)))
    assert abs(int(spectrum[300:600].argmax()) + 300 - 440) <= 3


def test_builtin_says_what_it_lacks():
    player = open_renderer("builtin")
    for note in (Note(0, 1, 60, 80, 0, 127), Note(0, 1, 60, 80, 9, 5), Note(0, 1, 81, 80, 9, 0)):
        with pytest.raises(InputError, match="built-in synthesiser has no"):
            player.render([note], 1.0)


def test_a_note_longer_than_the_sound_costs_no_more():
    samples = open_renderer("builtin").render([Note(0, 80_000, 60)], 0.5)
    assert len(samples) == RATE // 2


def test_auto_falls_back_to_builtin(monkeypatch):
    monkeypatch.setattr(render, "find_soundfont", lambda: None)
    assert open_renderer("auto").name == "builtin"
    with pytest.raises(InputError, match="no sound font"):
        open_renderer("tinysoundfont")


def test_unknown_renderer_and_font(monkeypatch, tmp_path):
    with pytest.raises(InputError, match="did you mean builtin"):
        open_renderer("buildin")
    monkeypatch.setenv(FONT_VARIABLE, str(tmp_path / "absent.sf2"))
    with pytest.raises(InputError, match="is no file"):
        open_renderer()
    (tmp_path / "bad.sf2").write_bytes(b"not a font")
    monkeypatch.setenv(FONT_VARIABLE, str(tmp_path / "bad.sf2"))
    pytest.importorskip("tinysoundfont")
    with pytest.raises(InputError, match="not a sound font"):
        open_renderer("tinysoundfont")


def test_normalised_and_written():
    samples = np.sin(np.arange(4410) / 10).astype(np.float32) * 3
    loud = normalised(samples)
    assert abs(np.abs(loud).max() - render.PEAK) < 1e-3
    assert loud[-1] == 0
    read, rate = soundfile.read(io.BytesIO(wav_bytes(loud)), dtype="int16")
    info = soundfile.info(io.BytesIO(wav_bytes(loud)))
    assert (rate, info.channels, info.subtype) == (RATE, 1, "PCM_16")
    assert np.array_equal(read, np.rint(loud * np.float32(32767)).astype(np.int16))
    with pytest.raises(InputError, match="silence"):
        normalised(np.zeros(100, np.float32))
