"""What is not music, and what is of too common a genre, falls: by ear and by the captions."""

import wave

import numpy as np
import pytest

from zhiyin.plugins.making.forge import ForgeTrack
from zhiyin.plugins.making.forge.selecting import Selecting, genre_of, hear_music, select
from zhiyin.sound import Sound, read_sound

RATE = 16000
SAID = ("A quiet afternoon with the old radio.", "It goes on like this for a while.")


def noise(seconds=8, seed=0):
    return 0.1 * np.random.default_rng(seed).standard_normal(seconds * RATE)


def tune(seconds=8, wobble=0.1):
    """Half a second a note, seven partials, a slow vibrato."""
    pitches = [60, 62, 64, 65, 67, 65, 64, 62]
    count = seconds * 2
    played = np.repeat([pitches[n % 8] for n in range(count)], RATE // 2).astype(float)
    played += wobble * np.sin(2 * np.pi * 5.5 * np.arange(len(played)) / RATE)
    phase = 2 * np.pi * np.cumsum(440 * 2 ** ((played - 69) / 12)) / RATE
    return 0.1 * sum(np.sin(k * phase) / k for k in range(1, 8))


def drums(seconds=8):
    """Bursts of noise alone, on a beat."""
    samples, burst = 0.001 * noise(seconds), noise(1, 3)[: RATE // 10]
    for place in range(0, (seconds - 1) * RATE, RATE // 2):
        loud = 1.0 if (place // (RATE // 2)) % 2 else 3.0
        samples[place : place + len(burst)] += loud * burst * np.exp(-np.arange(len(burst)) / 400)
    return samples


def rain(seconds=8):
    """Drops at any time."""
    draw = np.random.default_rng(5)
    samples, burst = 0.01 * noise(seconds), noise(1, 4)[: RATE // 50]
    for time in draw.uniform(0, seconds - 0.2, 20 * seconds):
        place = int(time * RATE)
        samples[place : place + len(burst)] += draw.random() * burst
    return samples


def syllables(seconds=8, seed=0):
    """As somebody talks: gliding pitch and formants, consonants, pauses of any length."""
    draw, parts = np.random.default_rng(seed), []
    while sum(map(len, parts)) < seconds * RATE:
        count = int(draw.uniform(0.12, 0.3) * RATE)
        bend = np.linspace(draw.uniform(-0.15, 0.15), draw.uniform(-0.25, 0.1), count)
        hertz = draw.uniform(95, 160) * np.exp(bend)
        phase = 2 * np.pi * np.cumsum(hertz) / RATE
        ranges = ((300, 800), (900, 2200), (2600, 2700))
        formants = [np.linspace(*draw.uniform(*between, 2), count) for between in ranges]
        voiced = np.zeros(count)
        for k in range(1, 35):
            level = 0.01 + sum(1 / (1 + ((k * hertz - f) / 120) ** 2) for f in formants)
            voiced += level * np.sin(k * phase) / k**0.3
        hiss = 0.03 * draw.random() * draw.standard_normal(int(draw.uniform(0.03, 0.12) * RATE))
        pause = np.zeros(int(draw.uniform(0.2, 0.6) * RATE * (draw.random() < 0.12)))
        parts += [0.1 * voiced * np.sin(np.pi * np.arange(count) / count) ** 0.5, hiss, pause]
    return np.concatenate(parts)[: seconds * RATE]


def heard(samples):
    return hear_music(Sound(np.asarray(samples, np.float32), RATE))


@pytest.mark.parametrize("samples", [tune(), tune(8, 0.3), drums(), tune() + 0.3 * noise()])
def test_music_is_heard_as_such(samples):
    assert heard(samples).is_music


@pytest.mark.parametrize(
    "samples", [noise(), rain(), 0 * noise(), *(syllables(seed=n) for n in range(2))]
)
def test_what_is_none_is_distinguished(samples):
    assert not heard(samples).is_music


@pytest.mark.slow
def test_most_of_what_is_spoken_is_distinguished():
    assert sum(heard(syllables(seed=n)).is_music for n in range(8)) <= 2


def test_too_little_to_tell_is_not_judged():
    assert heard(noise(3)) is None


@pytest.mark.slow
def test_recordings_of_others(shared):
    """Every piece, scale and pattern of the stimuli at hand passes."""
    files = [p for p in sorted((shared / "muse").rglob("*.wav")) if "Check" not in p.name]
    found = {path.name: hear_music(read_sound(path)) for path in files}
    judged = {name: one for name, one in found.items() if one is not None}
    assert len(judged) > 20
    assert not [name for name, one in judged.items() if not one.is_music]


def track(folder, name, samples, *captions, **more):
    path = folder / f"{name}.wav"
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes((32000 * np.clip(samples, -1, 1)).astype("<i2").tobytes())
    return ForgeTrack(name, captions or SAID, recording=str(path), **more)


@pytest.mark.slow
def test_each_falls_for_its_own_reason(tmp_path):
    tracks = [
        track(tmp_path, "tune", tune()),
        track(tmp_path, "noise", noise()),
        track(tmp_path, "voice", syllables()),
        track(tmp_path, "solo", syllables(seed=1), "She sings alone, freely.", "Free singing."),
        track(tmp_path, "silent", 0 * noise(), "Drums.", "Loud drums."),
        track(tmp_path, "said", tune(9), "There is no music here.", "Somebody talks."),
        track(tmp_path, "theory", tune(10), "No music theory is needed to like it.", "Nice."),
    ]
    kept, fallen = select(tracks, Selecting())
    assert [t.id for t in kept] == ["tune", "solo", "theory"]
    assert {f.id: f.why for f in fallen} == dict.fromkeys(("noise", "voice", "silent", "said"),
                                                          "not-music")  # fmt: skip
    details = {f.id: f.detail for f in fallen}
    assert details["noise"].startswith("by ear: steady pitch in 0 %".replace(" %", "%"))
    assert "no music" in details["said"]


def test_common_genres_are_read_from_captions_where_none_is_stated():
    said = [f"A rock song with guitars, take {n}." for n in range(6)]
    tracks = [ForgeTrack(f"r{n}", (text, "Punk rock.")) for n, text in enumerate(said)]
    tracks += [
        ForgeTrack("j", ("A jazz trio.", "Slow.")),
        ForgeTrack("x", ("Rocking chairs.", "Odd.")),
    ]
    tracks += [ForgeTrack("s", ("A rock song.", "Loud."), style="Folk")]
    assert [genre_of(t) for t in tracks[-3:]] == ["jazz", "", "folk"]
    kept, fallen = select(tracks, Selecting(sound=False, per_style=2))
    assert len([t for t in kept if t.id.startswith("r")]) == 2
    assert {"j", "x", "s"} <= {t.id for t in kept}
    assert [f.detail for f in fallen] == ["rock: 2 others were drawn"] * 4
