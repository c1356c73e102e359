"""Chords, drum loops and melodies to listen to, played by the built-in synthesiser."""

import io
from functools import cache

import numpy as np
import soundfile

from zhiyin.plugins.music.midi import DRUM_CHANNEL, Note
from zhiyin.plugins.music.render import RATE, open_renderer
from zhiyin.sound import Sound

KICK, SNARE, HAT = 36, 38, 42
GUITAR, FLUTE = 25, 73


@cache
def _renderer():
    return open_renderer("builtin")


def play(notes, seconds):
    samples = _renderer().render(notes, seconds)
    return Sound((samples / np.max(np.abs(samples)) * 0.7).astype(np.float32), RATE)


def chord(pitches, arpeggio=True):
    notes = [Note(0.2, 1.8, pitch) for pitch in pitches]
    if arpeggio:
        notes += [Note(2.0 + i * 0.5, 0.5, pitch) for i, pitch in enumerate(sorted(pitches))]
    return play(notes, 3.0 + 0.5 * len(pitches))


def loop(kicks, snares, tempo=120.0, lead=0.0, hat=True):
    eighth = 30.0 / tempo
    struck = [(slot, KICK, 100) for slot in kicks] + [(slot, SNARE, 100) for slot in snares]
    if hat:
        struck += [(slot, HAT, 60 + 20 * (slot % 2)) for slot in range(1, 33)]
    notes = [
        Note(lead + (slot - 1) * eighth, 0.1, drum, velocity, DRUM_CHANNEL)
        for slot, drum, velocity in struck
    ]
    return play(notes, lead + 32 * eighth)


def melody(pitches, lengths, program=0, tempo=120.0):
    beat = 60.0 / tempo
    starts = np.cumsum([0.0, *lengths[:-1]]) * beat
    notes = [
        Note(float(start), length * beat * 0.95, pitch, program=program)
        for start, length, pitch in zip(starts, lengths, pitches, strict=True)
    ]
    return play(notes, float(starts[-1]) + lengths[-1] * beat + 0.3)


def with_noise(sound, decibels):
    power = np.mean(sound.samples**2) / 10 ** (decibels / 10)
    noise = np.random.default_rng(0).normal(0, np.sqrt(power), len(sound.samples))
    return Sound((sound.samples + noise).astype(np.float32), sound.rate)


def wav(sound, channels=1, rate=None, subtype="PCM_16"):
    from zhiyin.sound import resample

    sound = resample(sound, rate or sound.rate)
    file = io.BytesIO()
    samples = np.repeat(sound.samples[:, None], channels, axis=1)
    soundfile.write(file, samples, sound.rate, format="WAV", subtype=subtype)
    return file.getvalue()


SILENCE = Sound(np.zeros(88200, np.float32), 44100)
NOISE = Sound(np.random.default_rng(1).normal(0, 0.1, 176400).astype(np.float32), 44100)
