"""A small MuChoMusic in the published layout: tones that are known by their pitch."""

from __future__ import annotations

import csv
import math
import re
from pathlib import Path

import numpy as np
import soundfile

from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.registry import open_benchmark

COLUMNS = (
    "question", "correct_answer", "distractor_1_answer", "distractor_2_answer",
    "distractor_3_answer", "dataset", "dataset_identifier", "genre", "music_knowledge",
    "music_reasoning",
)  # fmt: skip
GENRES = ("Hip Hop", "Folk, World, & Country", "Funk / Soul")
LABELS = (
    ("['melody', 'harmony']", "[]"),
    ("['performance']", "['lyrics']"),
    ("['dynamics and expression']", "[]"),
    ("[]", "['mood and expression']"),
)
RATE = 16000


def pitch(index: int) -> int:
    """The pitch of a track in Hz: all different, and none near another's."""
    return round(200 * 1.08**index)


def identifiers(tracks: int) -> list[tuple[str, str]]:
    """Data set and identifier of each track, the data sets by turns."""
    return [
        ("sdd", str(400 + i)) if i % 2 == 0 else ("musiccaps", f"-x_{i}Y_{10 * i}")
        for i in range(tracks)
    ]


def tone(hz: float, seconds: float = 1.0, level: float = 0.2, rate: int = RATE) -> np.ndarray:
    return level * np.sin(2 * math.pi * hz * np.arange(round(seconds * rate)) / rate)


def question_rows(tracks: int, each: int = 2) -> list[dict[str, str]]:
    """`each` questions on every track: which tone sounds?"""
    rows = []
    for index, (dataset, name) in enumerate(identifiers(tracks)):
        for number in range(each):
            knowledge, reasoning = LABELS[(index + number) % len(LABELS)]
            rows.append(
                dict(
                    zip(
                        COLUMNS,
                        (
                            f"Which tone sounds, asked {number}?",
                            f"One of {pitch(index)} Hz",
                            f"One of {pitch(index + tracks)} Hz",
                            "It lasts a moment",
                            "Many voices sing",
                            dataset,
                            f"{name}.json",
                            GENRES[index % len(GENRES)],
                            knowledge,
                            reasoning,
                        ),
                        strict=True,
                    )
                )
            )
    return rows


def write_questions(folder: Path, rows: list[dict[str, str]]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "muchomusic.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    return path


def write_catalogues(folder: Path, tracks: int, seconds: float = 1.0) -> None:
    for name in ("sdd", "musiccaps"):
        (folder / name / "audio").mkdir(parents=True, exist_ok=True)
    sdd, caps = ["track_id,path,duration"], ["ytid,start_s,end_s"]
    for dataset, name in identifiers(tracks):
        if dataset == "sdd":
            sdd.append(f"{name},{int(name) % 10:02d}/{name}.mp3,{seconds}")
        else:
            ytid, _, start = name.rpartition("_")
            caps.append(f"{ytid},{start}.0,{int(start) + 1}.0")
    (folder / "sdd" / "song_describer.csv").write_text("\n".join(sdd) + "\n")
    (folder / "musiccaps" / "musiccaps-public.csv").write_text("\n".join(caps) + "\n")


def place_of(folder: Path, dataset: str, name: str) -> Path:
    """Where a recording lies in the published layout."""
    if dataset == "sdd":
        return folder / "sdd" / "audio" / f"{int(name) % 10:02d}" / f"{name}.2min.mp3"
    ytid, _, start = name.rpartition("_")
    return folder / "musiccaps" / "audio" / f"[{ytid}]-[{start}-{int(start) + 1}].wav"


def make_data(folder: Path, tracks: int = 6, each: int = 2, seconds: float = 1.0) -> Path:
    """Questions, catalogues and recordings (MP3 and WAV) as published; returns the folder."""
    write_questions(folder, question_rows(tracks, each))
    write_catalogues(folder, tracks, seconds)
    for index, (dataset, name) in enumerate(identifiers(tracks)):
        path = place_of(folder, dataset, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        kind = "MP3" if dataset == "sdd" else "WAV"
        soundfile.write(path, tone(pitch(index), seconds), RATE, format=kind)
    return folder


def opened(folder: Path, **options) -> Benchmark:
    """MuChoMusic on the data in a folder."""
    return open_benchmark("muchomusic", {"data": str(folder), **options})


def heard_pitch(samples: np.ndarray, rate: int) -> float | None:
    """The pitch in Hz of a tone; None for noise and silence."""
    mono = samples.mean(axis=1)
    power = np.abs(np.fft.rfft(mono * np.hanning(len(mono)))) ** 2
    if power.sum() < 1e-9:
        return None
    top = int(power.argmax())
    near = power[max(0, top - 4) : top + 5].sum()
    return top * rate / len(mono) if near > 0.5 * power.sum() else None


def options_in(text: str) -> dict[str, str]:
    """The options of the question itself: letter and words."""
    own = text.rpartition("Question:")[2]
    return dict(re.findall(r"^([A-D])\. (.+)$", own, re.MULTILINE))


def listener(call) -> str:
    """Answers by what it hears; the first option where that is no help."""
    pitches = [heard_pitch(samples, rate) for samples, rate in call.waves()]
    for letter, words in options_in(call.text).items():
        said = re.search(r"(\d+) Hz", words)
        if said and any(hz and abs(hz / int(said[1]) - 1) < 0.03 for hz in pitches):
            return f"Letter: {letter}"
    return "Letter: A"


def reader(call) -> str:
    """Answers from the text alone: by turns the higher and the lower of two pitches."""
    hz = {
        letter: int(said[1])
        for letter, words in options_in(call.text).items()
        if (said := re.search(r"(\d+) Hz", words))
    }
    choose = max if sum(hz.values()) % 3 == 0 else min
    return f"Letter: {choose(hz, key=lambda letter: hz[letter])}"
