"""From notes to recordings: as they are, or with a change that says nothing of the fact."""

from __future__ import annotations

import hashlib
import io
from functools import cached_property
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from zhiyin.benchmarks.pairs.facts import Clip
from zhiyin.benchmarks.pairs.settings import Change
from zhiyin.errors import InputError
from zhiyin.files import cache_folder, write_cached
from zhiyin.music.conditions import noise_like, silence_like
from zhiyin.music.render import RATE, Renderer, open_renderer, wav_bytes
from zhiyin.music.stimuli.dice import Dice
from zhiyin.music.stimuli.item import Difficulty, apply_effects
from zhiyin.sound import Sound, audio_part, read_sound, resample
from zhiyin.trial import Audio

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Samples = NDArray[np.float32]

_VERSION = 1
"""Raised whenever the same notes would sound otherwise: part of every file's name."""
SENT_RATE = 22050
"""Samples per second of what is played, in Hz."""
SECONDS = 5.0
"""Of every recording, whatever is played: its length says nothing."""
LEAD_S = 0.25
"""Silence before the first note."""
LEVEL = 0.06
"""Root mean square of every recording, full scale being 1: its loudness says nothing either."""
GAIN_DB = -10.0
NARROW_RATE = 16000
PADDING_S = 1.5
REVERB_S = 0.7
CODEC_LEVEL = 0.6
"""libsndfile's compression level of Ogg Vorbis, 0 to 1."""


class Studio:
    """Makes recordings, each file once."""

    @cached_property
    def renderer(self) -> Renderer:
        """What plays usually."""
        return open_renderer()

    @cached_property
    def other(self) -> Renderer | None:
        """Another synthesiser with its own sounds; None where there is only the built-in one."""
        return None if self.renderer.name == "builtin" else open_renderer("builtin")

    def can(self, change: Change) -> bool:
        """Whether a change can be made on this machine."""
        return change != "font" or self.other is not None

    def record(self, clip: Clip, change: Change | None, name: str) -> Audio:
        """A clip as a recording.

        Parameters
        ----------
        clip : Clip
        change : str or None
        name : str
            Of the item: what a room and a shift of key are seeded from.

        Raises
        ------
        InputError
            The clip is too long, or the cache cannot be written.
        """
        label = self.renderer.label + (self.other.label if change == "font" and self.other else "")
        words = (str(_VERSION), label, str(change), name, msgspec.json.encode(clip).decode())
        file = hashlib.sha256("\0".join(words).encode()).hexdigest()[:24]
        path = cache_folder("pairs") / f"{file}.wav"
        if not path.is_file():
            samples, rate = self._samples(clip, change, name)
            write_cached(path, wav_bytes(samples, rate))
        return audio_part(path)

    def _samples(self, clip: Clip, change: Change | None, name: str) -> tuple[Samples, int]:
        if change == "key":
            shift = Dice(name, "key").choice((-5, -4, -3, 3, 4, 5))
            clip = tuple(msgspec.structs.replace(note, pitch=note.pitch + shift) for note in clip)
        renderer = self.other if change == "font" and self.other else self.renderer
        notes = [msgspec.structs.replace(note, start=note.start + LEAD_S) for note in clip]
        if max(note.end for note in notes) > SECONDS:
            raise InputError(f"{name}: longer than {SECONDS:g} s: make its notes shorter")
        samples = renderer.render(notes, SECONDS, RATE)
        if change == "reverb":
            samples = apply_effects(samples, Difficulty(reverb_s=REVERB_S), name, "room")
        samples = _levelled(resample(Sound(samples, RATE), SENT_RATE).samples)
        return _altered(samples, change)


def _levelled(samples: Samples) -> Samples:
    """At `LEVEL`, faded out at the end."""
    faded = samples.copy()
    fade = round(0.02 * SENT_RATE)
    faded[-fade:] *= np.linspace(1, 0, fade, dtype=np.float32)
    level = float(np.sqrt(np.mean(np.square(faded, dtype=np.float64))))
    if level < 1e-6:
        raise InputError("the renderer gave silence: choose another sound font")
    loud: Samples = faded * np.float32(LEVEL / level)
    return np.clip(loud, -1.0, 1.0)


def _altered(samples: Samples, change: Change | None) -> tuple[Samples, int]:
    """Samples and their rate after a change that needs no notes."""
    if change == "gain":
        return samples * np.float32(10 ** (GAIN_DB / 20)), SENT_RATE
    if change == "resampling":
        return resample(Sound(samples, SENT_RATE), NARROW_RATE).samples, NARROW_RATE
    if change == "padding":
        silence = np.zeros(round(PADDING_S * SENT_RATE), dtype=np.float32)
        return np.concatenate([samples, silence]), SENT_RATE
    if change == "codec":
        return _coded(samples), SENT_RATE
    return samples, SENT_RATE


def _coded(samples: Samples) -> Samples:
    """Samples that have been an Ogg Vorbis file, as many as before."""
    import soundfile

    target = io.BytesIO()
    soundfile.write(
        target, samples, SENT_RATE, format="OGG", subtype="VORBIS",
        compression_level=CODEC_LEVEL,
    )  # fmt: skip
    decoded = read_sound(target.getvalue()).samples
    padded = np.zeros_like(samples)
    padded[: len(decoded)] = decoded[: len(samples)]
    return np.clip(padded, -1.0, 1.0)


def replaced(audio: Audio, control: str, seed: str) -> Audio:
    """Silence or noise in the place of a recording, as long; noise is as loud too."""
    return silence_like(audio) if control == "silence" else noise_like(audio, seed)
