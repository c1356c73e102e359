"""Generated sounds and pictures that are easy to tell apart."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Literal

from zhiyin.trial import Audio, Image

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL.ImageDraw import ImageDraw

Medium = Literal["sound", "image"]

SOUNDS: Mapping[str, str] = {
    "hum": "a low hum",
    "beep": "a high beep",
    "hiss": "a steady hiss, like rain",
    "clicks": "separate short clicks",
}
"""What is played, and in which words it is offered."""
PICTURES: Mapping[str, str] = {
    "circle": "a red circle",
    "square": "a blue square",
    "triangle": "a green triangle",
    "cross": "a black cross",
}
"""What is shown, and in which words it is offered."""
RATE = 16000
SECONDS = 2.0
"""Of one sound."""

_LEVEL = 0.4
_CLICK_S, _CLICKS_A_SECOND = 0.005, 3
_FADE_S = 0.02
_SIDE = 256
_COLOURS = {"circle": "red", "square": "blue", "triangle": "green", "cross": "black"}


def wave_of(kind: str, draw: Random) -> NDArray[np.float32]:
    """The samples of a sound.

    Parameters
    ----------
    kind : str
        One of `SOUNDS`: a hum of 100 Hz with five overtones, a sine of 2 kHz, white noise, or
        three bursts of noise a second, of 5 ms each.
    draw : Random
        Of noise and phases, so that no two clips are the same bytes.

    Returns
    -------
    ndarray of float32, shape (SECONDS * RATE,)
        Within -0.4 to 0.4.
    """
    import numpy as np

    dice = np.random.default_rng(draw.getrandbits(64))
    n = round(SECONDS * RATE)
    time = np.arange(n) / RATE + dice.random()
    if kind == "hum":
        wave = sum(np.sin(2 * np.pi * 100 * h * time) / h for h in range(1, 7))
    elif kind == "beep":
        wave = np.sin(2 * np.pi * 2000 * time)
    else:
        wave = dice.uniform(-1, 1, n)
        if kind == "clicks":
            wave *= time % (1 / _CLICKS_A_SECOND) < _CLICK_S
    fade = np.minimum(1.0, np.arange(n) / (_FADE_S * RATE))
    wave = np.asarray(wave) * fade * fade[::-1]
    samples: NDArray[np.float32] = (_LEVEL * wave / np.abs(wave).max()).astype(np.float32)
    return samples


def sound_of(kinds: Mapping[float, str], seconds: float, draw: Random, folder: Path) -> Audio:
    """A recording with a sound of `SECONDS` at each of some moments, and silence between.

    Parameters
    ----------
    kinds : mapping of float to str
        The moments, in seconds, and which of `SOUNDS` begins there.
    seconds : float
        Of the whole recording.
    draw : Random
    folder : Path
        Where it is written, under a random name that does not give the answer away.
    """
    import numpy as np
    import soundfile

    samples = np.zeros(round(seconds * RATE), np.float32)
    for begin, kind in kinds.items():
        wave, at = wave_of(kind, draw), round(begin * RATE)
        samples[at : at + len(wave)] += wave[: len(samples) - at]
    from zhiyin.sound import audio_part

    path = folder / f"{_neutral(draw)}.wav"
    soundfile.write(path, samples, RATE, subtype="PCM_16")
    return audio_part(path)


def picture_of(kind: str, draw: Random, folder: Path) -> Image:
    """A shape on white, 256 by 256 pixels, its place and size drawn.

    Parameters
    ----------
    kind : str
        One of `PICTURES`.
    draw : Random
    folder : Path
        Where it is written, under a random name that does not give the answer away.
    """
    import PIL.Image
    import PIL.ImageDraw

    from zhiyin.picture import image_part

    picture = PIL.Image.new("RGB", (_SIDE, _SIDE), "white")
    _paint(PIL.ImageDraw.Draw(picture), kind, draw)
    path = folder / f"{_neutral(draw)}.png"
    picture.save(path)
    return image_part(path)


def _paint(pen: ImageDraw, kind: str, draw: Random) -> None:
    size = draw.randint(100, 160)
    left, top = (draw.randint(10, _SIDE - size - 10) for _ in range(2))
    right, bottom, colour = left + size, top + size, _COLOURS[kind]
    if kind == "circle":
        pen.ellipse((left, top, right, bottom), fill=colour)
    elif kind == "square":
        pen.rectangle((left, top, right, bottom), fill=colour)
    elif kind == "triangle":
        pen.polygon([((left + right) // 2, top), (left, bottom), (right, bottom)], fill=colour)
    else:
        for begin, end in (((left, top), (right, bottom)), ((left, bottom), (right, top))):
            pen.line([begin, end], fill=colour, width=size // 8)


def _neutral(draw: Random) -> str:
    return blake2b(draw.randbytes(16), digest_size=16).hexdigest()
