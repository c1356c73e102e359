"""What it costs to prepare MuChoMusic's sound: ``python bench/audio.py [--clips N]``.

As many questions as the benchmark has (1,187 on 644 clips) are prepared as a chat server takes
them: read, checked by SHA-256, cut or transcoded where needed, base64; first with an empty
cache, then with a warm one. Clips per second count each clip once. Memory is the peak of a
process that does nothing else. Every clip has bytes of its own.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import multiprocessing
import os
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np
import soundfile

from zhiyin.models.dialects import CHAT
from zhiyin.models.media import MediaParts
from zhiyin.models.playback import AS_IT_IS, SoundPolicy
from zhiyin.sound import audio_part
from zhiyin.trial import Audio

QUESTIONS, CLIPS, RATE, UNDER_WAY = 1187, 644, 44100, 16


class Kind(NamedTuple):
    """Clips of one sort: 16 bits, 44.1 kHz, stereo; the seconds to be played; how to send them."""

    form: str
    seconds: int
    window: tuple[float | None, float | None] = (None, None)
    policy: SoundPolicy = AS_IT_IS


KINDS = {
    "MP3, 2 min, first 30 s": Kind("MP3", 120, (0.0, 30.0)),
    "MP3, 2 min, last 30 s, 16 kHz mono": Kind(
        "MP3", 120, (90.0, 120.0), SoundPolicy(rate=16000, mono=True)
    ),
    "MP3, 2 min, first 30 s, as FLAC": Kind("MP3", 120, (0.0, 30.0), SoundPolicy("flac")),
    "FLAC, 30 s, whole": Kind("FLAC", 30),
    "WAV, 30 s, whole": Kind("WAV", 30),
    "MP3, 30 s, whole": Kind("MP3", 30),
}


def write_clips(folder: Path, count: int, kind: Kind) -> list[Audio]:
    """Clips of a chord in noise: encoded once, then distinguished by bytes that nobody hears."""
    time_s = np.arange(kind.seconds * RATE) / RATE
    chord = sum(np.sin(2 * np.pi * hz * time_s) for hz in (220, 277.2, 329.6, 440)) / 10
    noise = np.random.default_rng(0).normal(0, 0.01, (len(time_s), 2))
    target = io.BytesIO()
    soundfile.write(target, chord[:, None] + noise, RATE, format=kind.form)
    data, sounds = target.getvalue(), []
    for number in range(count):
        path = folder / f"{number}.{kind.form.lower()}"
        path.write_bytes(distinguished(data, kind.form, number))
        part = audio_part(path)
        sounds.append(Audio(part.path, part.sha256, part.seconds, *kind.window))
    return sounds


def distinguished(data: bytes, form: str, number: int) -> bytes:
    """An ID3v1 tag (MP3), the checksum that libsndfile does not read (FLAC), or the last sample."""
    mark = number.to_bytes(4, "big")
    if form == "MP3":
        return data + b"TAG" + mark.hex().encode().ljust(125, b"\0")
    return data[:26] + mark + data[30:] if form == "FLAC" else data[:-4] + mark


def steps(sounds: list[Audio]) -> Iterator[Audio]:
    """What is asked for: questions spread over the clips, those of one clip together."""
    for number in range(QUESTIONS * len(sounds) // CLIPS):
        yield sounds[number * CLIPS // QUESTIONS]


async def prepare(sounds: list[Audio], policy: SoundPolicy) -> tuple[float, int]:
    """Seconds, and bytes sent, for all questions: sixteen under way at once, in two threads."""
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(2))
    parts, asked = MediaParts(CHAT, policy), steps(sounds)
    sent = 0

    async def work() -> None:
        nonlocal sent
        for sound in asked:
            hold = await parts.hold([sound])
            sent += len(hold.parts[0].json)
            hold.release()

    begun = time.perf_counter()
    await asyncio.gather(*(work() for _ in range(UNDER_WAY)))
    return time.perf_counter() - begun, sent


class Cost(NamedTuple):
    """Clips and MB sent a second, processor time in ms a clip, and the peak of memory in MB."""

    clips: float
    sent: float
    cpu: float
    peak: float

    def __str__(self) -> str:
        return (
            f"{self.clips:6.0f} clips/s {self.sent:6.0f} MB/s sent, "
            f"{self.cpu:5.1f} ms of processor a clip, peak {self.peak:4.0f} MB"
        )


def measure(sounds: list[Audio], policy: SoundPolicy) -> Cost:
    """What all questions cost in this process, which does nothing else."""
    import scipy.signal  # noqa: F401 - so that importing is not timed

    before = time.process_time()
    seconds, sent = asyncio.run(prepare(sounds, policy))
    cpu = time.process_time() - before
    status = Path("/proc/self/status").read_text()  # getrusage would tell the parent's peak
    peak = int(status.partition("VmHWM:")[2].split()[0]) / 1024
    count = len(sounds)
    return Cost(count / seconds, sent / 2**20 / seconds, 1000 * cpu / count, peak)


def apart(sounds: list[Audio], policy: SoundPolicy) -> Cost:
    """What `measure` finds in a fresh process."""
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawn) as pool:
        return pool.submit(measure, sounds, policy).result()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clips", type=int, default=CLIPS)
    parser.add_argument("--kinds", type=int, default=len(KINDS), help="only the first so many")
    args = parser.parse_args()
    for name, kind in list(KINDS.items())[: args.kinds]:
        with tempfile.TemporaryDirectory() as folder:
            os.environ["ZHIYIN_CACHE"] = f"{folder}/cache"
            sounds = write_clips(Path(folder), args.clips, kind)
            few = sounds[: max(2, args.clips // 8)]
            print(f"{name}, {args.clips} clips")
            print(f"  nothing kept yet   {apart(sounds, kind.policy)}")
            print(f"  all kept           {apart(sounds, kind.policy)}")
            print(f"  an eighth of them  {apart(few, kind.policy)}", flush=True)


if __name__ == "__main__":
    main()
