"""Sound, pictures and notation of a study, and the sounds of its checks."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import random
import secrets
import subprocess
import sys
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from zhiyin.errors import InputError, imported, reworded
from zhiyin.files import read_regular, write_atomically
from zhiyin.picture import format_of
from zhiyin.plugins.music.midi import read_midi
from zhiyin.plugins.music.notation import Press, find_tunes
from zhiyin.plugins.studies.design import StudyMedium
from zhiyin.sound import decoder
from zhiyin.trial import Audio, Image, Trial
from zhiyin.words import naming, said

LOUDNESS = -23.0
"""To which every sound is brought, in LUFS (EBU R 128)."""
_PEAK = 0.97
_SHORTEST_S = 0.4
"""Below the length of one block of ITU-R BS.1770 there is no integrated loudness."""
_ANCHOR_HZ = 3500.0
"""Cut-off of the low anchor (ITU-R BS.1534-3, section 5.1)."""
_LONGEST_TUNE_S = 120.0
_LEAST_FILLED = 64

TYPES = {
    "flac": "audio/flac", "png": "image/png", "jpeg": "image/jpeg", "webp": "image/webp",
    "gif": "image/gif", "svg": "image/svg+xml",
}  # fmt: skip


class MediaLibrary:
    """The media folder of a study that is being made.

    Parameters
    ----------
    folder : Path
        Exists. Files get random names, which tell neither order nor contents.
    matched : bool
        Whether every sound is brought to `LOUDNESS`.
    """

    def __init__(self, folder: Path, *, matched: bool = True) -> None:
        self._folder, self._matched = folder, matched
        self._tunes_of_examples: dict[str, list[StudyMedium]] = {}
        self._press = Press()
        self._examples: dict[tuple[str, float | None, float | None], StudyMedium] = {}
        self.remarks: list[str] = []

    def of_trial(self, trial: Trial) -> list[StudyMedium]:
        """All sounds, pictures and tunes of what a trial asks last."""
        media = []
        parts = trial.messages[-1].parts if trial.messages else ()
        for part in parts:
            if isinstance(part, Audio):
                media.append(self.sound(part))
            elif isinstance(part, Image):
                media.append(self.picture(part))
        return media + self._tunes(trial)

    def of_examples(self, trial: Trial) -> list[StudyMedium]:
        """The sounds and notation of worked examples, by the number of each.

        What many trials have is kept once.
        """
        media = []
        asked = [message for message in trial.messages[:-1] if message.role == "user"]
        for number, message in enumerate(asked, 1):
            key = message.text
            if key not in self._tunes_of_examples:
                alone = Trial(f"{trial.id}, example {number}", (message,), "")
                self._tunes_of_examples[key] = [
                    msgspec.structs.replace(
                        one, kind="example_tune" if one.kind == "tune" else "example"
                    )
                    for one in self._tunes(alone)
                ]
            media += [
                msgspec.structs.replace(one, label=str(number))
                for one in self._tunes_of_examples[key]
            ]
            for part in message.parts:
                if isinstance(part, Audio):
                    place = part.sha256, part.start, part.end
                    if place not in self._examples:
                        self._examples[place] = self.sound(part)
                    media.append(
                        msgspec.structs.replace(
                            self._examples[place], kind="example", label=str(number)
                        )
                    )
        return media

    def sound(self, part: Audio, slot: str = "", *, anchor: bool = False) -> StudyMedium:
        """A sound, cut to what is asked about. Raises `InputError` where it is not what it was."""
        import soundfile

        data = _read_unchanged(part)
        start = part.start or 0.0
        try:
            with decoder(data) as file:
                rate = file.samplerate
                file.seek(min(round(start * rate), file.frames))
                stop = -1 if part.end is None else round((part.end - start) * rate)
                samples = file.read(stop, dtype="float64", always_2d=True)
        except soundfile.SoundFileError:
            raise InputError(said("study-no-audio", path=part.path)) from None
        if not len(samples):
            raise InputError(said("study-no-sound", path=part.path))
        if anchor:
            samples = _low_passed(samples, rate)
        if self._matched:
            samples = self._level(samples, rate, part.path)
        return StudyMedium("sound", self._write(flac(samples, rate), "flac"), len(samples) / rate,
                      slot=slot)  # fmt: skip

    def as_large(self, media: Sequence[StudyMedium]) -> None:
        """Give the sounds of one page one size: the anchor's would be smaller, others' alike."""
        paths = [self._folder / medium.file for medium in media if medium.kind == "sound"]
        contents = [path.read_bytes() for path in paths]
        size = max(map(len, contents)) + _LEAST_FILLED
        for path, data in zip(paths, contents, strict=True):
            write_atomically(path, filled(data, size))

    def picture(self, part: Image) -> StudyMedium:
        """A picture, without what a camera or a program wrote beside it."""
        import PIL.Image

        data = _read_unchanged(part)
        form = format_of(data)
        if form not in TYPES:
            raise InputError(said("study-no-picture", path=part.path))
        out = io.BytesIO()
        with PIL.Image.open(io.BytesIO(data)) as opened:
            opened.convert("RGBA" if opened.mode in ("P", "LA", "RGBA") else "RGB").save(out, "PNG")
        return StudyMedium("picture", self._write(out.getvalue(), "png"))

    def close(self) -> None:
        """End the engraver."""
        self._press.close()

    def _tunes(self, trial: Trial) -> list[StudyMedium]:
        media = []
        for tune in find_tunes(trial):
            label = "" if tune.label == "tune" else tune.label
            svg = self._press.engrave(tune)
            if svg is None:
                self.remarks.append(naming(said("study-tune-text", id=trial.id)))
                continue
            media.append(StudyMedium("tune", self._write(svg.encode(), "svg"), label=label))
            samples = played(tune.format, tune.text)
            if samples is not None:
                file = self._write(flac(samples[0].reshape(-1, 1), samples[1]), "flac")
                seconds = len(samples[0]) / samples[1]
                media.append(StudyMedium("tune_sound", file, seconds, label=label))
        return media

    def _level(self, samples: NDArray[np.float64], rate: int, name: str) -> NDArray[np.float64]:
        """The same sound at `LOUDNESS`, or as near as its peaks let it."""
        pyloudnorm = imported("pyloudnorm", "pyloudnorm", "study")
        if len(samples) < _SHORTEST_S * rate:
            self.remarks.append(naming(said("study-short", name=name)))
            return samples
        loudness = pyloudnorm.Meter(rate).integrated_loudness(samples)
        if not np.isfinite(loudness):
            self.remarks.append(naming(said("study-silent", name=name)))
            return samples
        gain = 10 ** ((LOUDNESS - loudness) / 20)
        most = _PEAK / float(np.abs(samples).max())
        if gain > most:
            excess = 20 * np.log10(gain / most)
            self.remarks.append(naming(said("study-below", name=name, db=f"{excess:.1f}")))
        level: NDArray[np.float64] = samples * min(gain, most)
        return level

    def _write(self, data: bytes, suffix: str) -> str:
        name = f"{secrets.token_hex(16)}.{suffix}"
        write_atomically(self._folder / name, data)
        return name


def flac(samples: NDArray[np.float64], rate: int) -> bytes:
    """Samples of shape (n, channels) as FLAC of 16 bit, without loss on every browser."""
    import soundfile

    out = io.BytesIO()
    soundfile.write(out, samples, rate, format="FLAC", subtype="PCM_16")
    return out.getvalue()


def filled(data: bytes, size: int) -> bytes:
    """A FLAC file brought to a size by a block of random bytes, which decoders skip.

    The block is of the kind APPLICATION and stands after STREAMINFO (RFC 9639, sections 8.1, 8.4).
    Where more than its length can say is lacking, it stays smaller.
    """
    more = min(size - len(data) - 4, 2**24 - 1)
    info, last = data[4:42], data[4] & 0x80
    header = bytes([2 | last]) + more.to_bytes(3, "big")
    chance = b"zhyn" + secrets.token_bytes(more - 4)
    return data[:4] + bytes([info[0] & 0x7F]) + info[1:] + header + chance + data[42:]


_TO_MIDI = """
import json, sys, verovio
verovio.enableLog(verovio.LOG_OFF)
order, toolkit = json.load(sys.stdin), verovio.toolkit()
toolkit.setOptions({"inputFrom": order["format"]})
json.dump(toolkit.renderToMIDI() if toolkit.loadData(order["text"]) else None, sys.stdout)
"""
"""From a tune to a MIDI file in base64: a process of its own, which odd input may end."""


def played(form: str, text: str) -> tuple[NDArray[np.float64], int] | None:
    """A tune as the built-in synthesiser plays it, mono, and its rate; None where it cannot be."""
    from zhiyin.plugins.music.render import RATE, open_renderer

    order = json.dumps({"format": form, "text": text})
    try:
        completed = subprocess.run(
            [sys.executable, "-c", _TO_MIDI],
            input=order, capture_output=True, text=True, timeout=20, check=True,
        )  # fmt: skip
        notes = read_midi(base64.b64decode(json.loads(completed.stdout))).notes
    except (subprocess.SubprocessError, ValueError, TypeError, InputError):
        return None
    if not notes:
        return None
    seconds = min(_LONGEST_TUNE_S, max(note.start + note.duration for note in notes) + 0.5)
    return open_renderer("builtin").render(notes, seconds, RATE).astype("float64"), RATE


def _low_passed(samples: NDArray[np.float64], rate: int) -> NDArray[np.float64]:
    from scipy.signal import butter, sosfiltfilt

    if rate / 2 <= _ANCHOR_HZ:
        raise InputError(said("study-anchor", what=f"{2 * _ANCHOR_HZ:g}"))
    wave: NDArray[np.float64] = sosfiltfilt(
        butter(8, _ANCHOR_HZ, fs=rate, output="sos"), samples, axis=0
    )
    return wave


def _read_unchanged(part: Audio | Image) -> bytes:
    with reworded(said("error-cannot-read", path=part.path, why="")):
        data = read_regular(part.path)
    if hashlib.sha256(data).hexdigest() != part.sha256:
        raise InputError(said("study-other-file", path=part.path))
    return data


CHECK_HZ = 44100
ENOUGH = {"woods": 5, "huggins": 6}
"""Of six: five for the tones (Woods et al. 2017), all for the noise (Milne et al. 2020)."""
_TONE_HZ, _TONE_S, _RAMP_S, _GAP_S = 200.0, 1.0, 0.1, 0.5
_QUIETER_DB = 6.0
_NOISE_S, _PITCH_HZ, _BAND = 1.0, 600.0, 0.06


def right_places(kind: str, seed: str) -> list[int]:
    """Draw the place, 0 to 2, of the quiet or pitched one of three sounds, for six trials.

    Each place is right twice.
    """
    places = [0, 0, 1, 1, 2, 2]
    random.Random(f"{kind}/{seed}").shuffle(places)
    return places


@lru_cache(maxsize=64)
def trial_sound(kind: str, right: int, seed: int = 0) -> bytes:
    """Three sounds in a row as FLAC, stereo.

    Parameters
    ----------
    kind : {"woods", "huggins"}
        Woods: tones of 200 Hz, one quieter by 6 dB, and of the others one with its channels in
        opposite phase, which loudspeakers cancel. Huggins: noise, in one of three with a phase
        shift of 360 degrees between the ears across 6 % about 600 Hz, a pitch for two ears alone.
    right : int
        0 to 2.
    seed : int
        Of the noise, and of which tone is in opposite phase.

    References
    ----------
    Woods, Siegel, Traer and McDermott (2017), doi 10.3758/s13414-017-1361-2.
    Milne, Bianco, Poole et al. (2020), doi 10.3758/s13428-020-01514-0.
    """
    draw = np.random.default_rng(seed)
    turned = [place for place in range(3) if place != right][seed % 2]
    gap = np.zeros((round(_GAP_S * CHECK_HZ), 2))
    parts = []
    for place in range(3):
        if kind == "woods":
            level = 0.3 * (10 ** (-_QUIETER_DB / 20) if place == right else 1.0)
            tone = level * _ramped(np.sin(2 * np.pi * _TONE_HZ * _times(_TONE_S)))
            parts.append(np.column_stack([tone, -tone if place == turned else tone]))
        else:
            parts.append(_noise(draw, pitched=place == right))
        parts.append(gap)
    return flac(np.vstack(parts[:-1]), CHECK_HZ)


@lru_cache(maxsize=1)
def volume_sound() -> bytes:
    """Five seconds of pink noise at the loudness of the questions, for setting the volume."""
    draw = np.random.default_rng(1)
    size = 5 * CHECK_HZ
    spectrum = np.fft.rfft(draw.standard_normal(size))
    spectrum[1:] /= np.sqrt(np.arange(1, len(spectrum)))
    spectrum[0] = 0
    noise = np.fft.irfft(spectrum, size)
    # Root mean square that gives about -23 LUFS for pink noise in one channel.
    return flac(_ramped(noise / np.sqrt(np.mean(noise**2)) * 0.07).reshape(-1, 1), CHECK_HZ)


def _noise(draw: np.random.Generator, *, pitched: bool) -> NDArray[np.float64]:
    size = round(_NOISE_S * CHECK_HZ)
    left = draw.standard_normal(size)
    right = left
    if pitched:
        spectrum = np.fft.rfft(left)
        hertz = np.fft.rfftfreq(size, 1 / CHECK_HZ)
        # From 0 to 360 degrees across the band: nothing changes outside of it.
        share = np.clip((hertz / _PITCH_HZ - 1 + _BAND) / (2 * _BAND), 0, 1)
        right = np.fft.irfft(spectrum * np.exp(2j * np.pi * share), size)
    both = np.column_stack([_ramped(left), _ramped(right)])
    level: NDArray[np.float64] = 0.1 * both / np.sqrt(np.mean(left**2))
    return level


def _times(seconds: float) -> NDArray[np.float64]:
    return np.arange(round(seconds * CHECK_HZ)) / CHECK_HZ


def _ramped(wave: NDArray[np.float64]) -> NDArray[np.float64]:
    n = round(_RAMP_S * CHECK_HZ)
    ramp = np.sin(np.linspace(0, np.pi / 2, n)) ** 2
    shaped = wave.copy()
    shaped[:n] *= ramp
    shaped[-n:] *= ramp[::-1]
    return shaped
