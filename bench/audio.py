"""What it costs to prepare MuChoMusic's sound: ``python bench/audio.py [--clips N]``.

As many questions as the benchmark has (1,187 on 644 clips) are prepared as a chat server takes
them: read, checked by SHA-256, cut or transcoded where needed, base64. Clips per second count
each clip once. Memory is the process's peak.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import soundfile

from zhiyin.models.playback import SoundParts
from zhiyin.music.conditions import noise_like
from zhiyin.sound import audio_part
from zhiyin.trial import Audio

QUESTIONS, CLIPS, SECONDS, RATE = 1187, 644, 30, 44100
KINDS = {
    # name: format, subtype, channels, rate, length in seconds, window
    "MP3, 2 min, first 30 s": ("MP3", None, 2, RATE, 120, (0.0, 30.0)),
    "MP3, 30 s, whole": ("MP3", None, 2, RATE, SECONDS, (None, None)),
    "WAV stereo, 30 s, whole": ("WAV", "PCM_16", 2, RATE, SECONDS, (None, None)),
    "WAV mono 16 kHz, 30 s, whole": ("WAV", "PCM_16", 1, 16000, SECONDS, (None, None)),
    "FLAC stereo, 30 s, whole": ("FLAC", "PCM_16", 2, RATE, SECONDS, (None, None)),
}


def write_clips(folder: Path, count: int, kind: tuple) -> list[Audio]:
    """Clips of a chord in noise. They are links to one file; nothing that is timed knows it."""
    form, subtype, channels, rate, seconds, window = kind
    time_s = np.arange(seconds * rate) / rate
    chord = sum(np.sin(2 * np.pi * hz * time_s) for hz in (220, 277.2, 329.6, 440)) / 10
    noise = np.random.default_rng(0).normal(0, 0.01, len(time_s))
    samples = np.repeat((chord + noise)[:, None], channels, axis=1)
    first = folder / f"0.{form.lower()}"
    soundfile.write(first, samples, rate, format=form, subtype=subtype)
    paths = [first]
    for number in range(1, count):
        paths.append(folder / f"{number}.{form.lower()}")
        os.link(first, paths[-1])
    part = audio_part(first)
    return [Audio(str(path), part.sha256, part.seconds, *window) for path in paths]


def steps(sounds: list[Audio]) -> Iterator[Audio]:
    """What is asked for: questions spread over the clips, those of one clip together."""
    for number in range(QUESTIONS * len(sounds) // CLIPS):
        yield sounds[number * CLIPS // QUESTIONS]


async def prepare(sounds: list[Audio]) -> tuple[float, int]:
    """Seconds, and bytes sent, for all questions: sixteen under way at once, in two threads."""
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(2))
    parts, asked = SoundParts(), steps(sounds)
    sent = 0

    async def work() -> None:
        nonlocal sent
        for sound in asked:
            part = await parts.get(sound)
            sent += len(part.json)

    begun = time.perf_counter()
    await asyncio.gather(*(work() for _ in range(16)))
    return time.perf_counter() - begun, sent


def report(name: str, sounds: list[Audio]) -> None:
    seconds, sent = asyncio.run(prepare(sounds))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{name:32s} {len(sounds) / seconds:8.0f} clips/s  {sent / 2**20 / seconds:7.0f} MB/s sent"
        f"  peak {peak:5.0f} MB"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clips", type=int, default=CLIPS)
    count = parser.parse_args().clips
    for name, kind in KINDS.items():
        with tempfile.TemporaryDirectory() as folder:
            sounds = write_clips(Path(folder), count, kind)
            report(name, sounds[: max(2, count // 8)])
            report(f"  all {count}", sounds)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ZHIYIN_CACHE"] = folder
        sounds = write_clips(Path(folder), 1, KINDS["WAV stereo, 30 s, whole"])
        few = [noise_like(sounds[0], str(seed)) for seed in range(24)]
        begun = time.perf_counter()
        again = [noise_like(sounds[0], str(seed)) for seed in range(24)]
        print(f"noise, found in the cache: {24 / (time.perf_counter() - begun):.0f} a second")
        assert again == few
        report("noise, mono 30 s", few)


if __name__ == "__main__":
    main()
