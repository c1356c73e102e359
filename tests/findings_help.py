"""Run folders written by hand: models of known gifts, so that findings can be checked."""

from __future__ import annotations

import itertools
import math
import operator
import random
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import msgspec

from zhiyin.contract import Benchmark
from zhiyin.contract.registry import register
from zhiyin.engine.folder import MANIFEST, RECORDS, Manifest
from zhiyin.record import Exchange, Record, Reply, Turn, Verdict
from zhiyin.trial import Audio, Message, Option, Text, Trial, say

LETTERS = "ABCD"


@register
class Tracks(Benchmark):
    """A benchmark with what MuChoMusic has, and no data: for tests of the core."""

    name = "tracks"
    description = "tracks.toml"

    def trials(self):
        return mucho_trials()


def manifest(benchmark: str, model: str, planned: int, **changes) -> Manifest:
    config = {
        "benchmark": benchmark,
        "benchmark_version": "1",
        "options": {"extract": "robust", "shots": int(benchmark == "muchomusic")},
        "data": "f" * 64,
        "model": model,
        "sampling": {"temperature": 0.0, "max_tokens": None},
        "limit": None,
    }
    for key, value in changes.items():
        section, _, name = key.partition("__")
        if name:
            config[section][name] = value
        else:
            config[section] = value
    return Manifest(benchmark, model, config, {}, planned, {"zhiyin": "0.1.0", "python": "3.11"})


def write_run(
    folder: Path, benchmark: str, model: str, records: Iterable[Record], **changes
) -> Path:
    """A run folder of these records. `changes` are to the settings: ``options__extract="x"``."""
    records = list(records)
    folder.mkdir(parents=True, exist_ok=True)
    lines = [msgspec.json.encode(record) + b"\n" for record in records]
    (folder / RECORDS).write_bytes(b"".join(lines))
    made = manifest(benchmark, model, len(records), **changes)
    (folder / MANIFEST).write_bytes(msgspec.json.encode(made))
    return folder


def choice(
    name: str,
    *,
    groups: tuple[str, ...] = (),
    cluster: str | None = None,
    tags: dict | None = None,
    gold: str = "A",
    letters: str = LETTERS,
    sound: Audio | None = None,
) -> Trial:
    """A multiple-choice trial whose key is the letter `gold`."""
    options = tuple(Option(letter, f"{name} says {letter}", letter) for letter in letters)
    message = say("user", f"Question {name}?")
    if sound is not None:
        message = Message("user", (sound, Text(f"Question {name}?")))
    return Trial(name, (message,), f"Question {name}?", options, gold, groups, cluster, tags or {})


def answered(
    trial: Trial, letter: str | None, text: str | None = None, *, state: str | None = None, **reply
) -> Record:
    """The record of a trial that was answered with `letter`, or not at all."""
    key = next((o.key for o in trial.options if o.letter == letter), None)
    if state is None:
        state = "no_answer" if letter is None else "correct" if key == trial.target else "wrong"
    said = Reply(text if text is not None else letter or "", **reply)
    verdict = Verdict(state, key, letter, "a lone letter", "robust/1")
    return Record(trial.id, verdict, trial, Exchange((Turn(said),)))


def failed(trial: Trial) -> Record:
    return Record(trial.id, Verdict("error", None), trial, error="the server said 500")


def flips(excess: Iterable[float]) -> float:
    """How often sums of these, each with a sign drawn anew, lie as far from 0 as their own sum."""
    draw, terms = random.Random(1), [x for x in excess if abs(x) > 1e-12]
    least = abs(sum(terms)) - 1e-9
    if len(terms) <= 10:
        signs = itertools.product((-1, 1), repeat=len(terms))
    else:
        signs = (draw.choices((-1, 1), k=len(terms)) for _ in range(3000))
    found = [abs(sum(map(operator.mul, own, terms))) >= least for own in signs]
    return sum(found) / len(found)


def beyond(clusters: Iterable[Sequence[float]], chance: float) -> bool | None:
    """Whether clusters of scores differ from chance by a test; None where it is near."""
    clusters = list(map(list, clusters))
    flat, size = list(itertools.chain(*clusters)), len(clusters)
    if len(flat) == size and set(flat) <= {0, 1}:
        right = sum(flat)
        each = [
            math.comb(size, k) * chance**k * (1 - chance) ** (size - k) for k in range(size + 1)
        ]
        p = 2 * min(sum(each[: int(right) + 1]), sum(each[int(right) :]))
    else:
        p = flips(sum(own) - chance * len(own) for own in clusters)
    exact = size <= 10 or len(flat) == size
    return p < 0.05 if exact or not 0.03 < p < 0.08 else None


def student(seed: str, gift: float, favour: str | None = None) -> Callable[[Trial], Record]:
    """Answers rightly with probability `gift`, less on hard items; else by a favourite letter."""

    def answer(trial: Trial) -> Record:
        hard = random.Random(trial.stem).random()
        draw = random.Random(f"{seed}/{trial.id}")
        shown = [option.letter for option in trial.options]
        gold = next(o.letter for o in trial.options if o.key == trial.target)
        letter = gold if draw.random() < gift * (1.4 - 0.8 * hard) else favour or draw.choice(shown)
        sure = min(0.97, max(0.3, 0.4 + 0.5 * (1 - hard) + draw.gauss(0, 0.08)))
        other = math.log((1 - sure) / (len(shown) - 1))
        return answered(
            trial,
            letter,
            f"The answer is {letter}." if draw.random() < 0.5 else letter,
            usage={"prompt_tokens": 80, "completion_tokens": int(20 + 200 * gift)},
            latency_s=0.2 + gift,
            logprobs={name: math.log(sure) if name == letter else other for name in shown},
        )

    return answer


KNOWLEDGE = ("melody", "harmony", "metre and rhythm", "instrumentation", "performance", "structure")
REASONING = ("mood and expression", "genre and style", "functional context",
             "interpretation of lyrics")  # fmt: skip


def groups_of(know: str, reason: str | None) -> tuple[str, ...]:
    """The groups of one of MuChoMusic's questions, about a track of rock."""
    named = [("knowledge", know), *([("reasoning", reason)] if reason else [])]
    groups = {}
    for category, label in named:
        name = f"{category}/{label.replace(' ', '_')}"
        deeper = f"{name}/{label}" if label == "performance" else name
        groups |= dict.fromkeys((category, name, deeper))
    return (*groups, "genre/rock", "source/sdd")


def mucho_trials(
    tracks: int = 40,
    *,
    audio: tuple[str, ...] = ("true",),
    distractors: tuple[str, ...] = ("all",),
    repeats: int = 1,
    shots: int = 0,
) -> list[Trial]:
    """Two questions a track, named and tagged as MuChoMusic's."""
    trials = []
    for number in range(2 * tracks):
        know, reason = KNOWLEDGE[number % 6], REASONING[number % 4]
        for played in audio:
            for offered in distractors:
                for repeat in range(1, repeats + 1):
                    condition = "" if played == "true" else f"/audio={played}"
                    condition += "" if offered == "all" else f"/distractors={offered}"
                    own = groups_of(know, reason if number % 2 else None)
                    several = len(audio) > 1
                    prefix = f"audio={played}"
                    shown = 4 if offered == "all" else 2 + offered.count("+")
                    trials.append(
                        choice(
                            f"q{number}{condition}/r{repeat}",
                            groups=(prefix, *(f"{prefix}/{g}" for g in own)) if several else own,
                            cluster=f"track{number // 2}",
                            gold="A",
                            letters=LETTERS[:shown],
                            tags={
                                "item": f"q{number}",
                                "audio": played,
                                "distractors": offered,
                                "repeat": repeat,
                                "shots": shots,
                            },
                        )
                    )
    return trials


def perception_trials(stimuli: int = 20) -> list[Trial]:
    """Three tasks, heard and read, zero-shot, named and tagged as perception's."""
    trials = []
    for task, letters in (("syncopation", "ABCDE"), ("transposition", "AB"), ("chords", "ABCD")):
        for modality in ("audio", "midi"):
            for number in range(stimuli):
                cell = f"{task}/{modality}/zero/standalone"
                trials.append(
                    choice(
                        f"{cell}/{task}{number}",
                        groups=(task, f"{task}/{modality}", cell),
                        cluster=f"{task}{number}",
                        gold=letters[number % len(letters)],
                        letters=letters,
                        tags={
                            "task": task,
                            "modality": modality,
                            "shots": "zero",
                            "strategy": "standalone",
                        },
                    )
                )
    return trials


def fidelity_records(stimuli: int = 12) -> list[Record]:
    """LogicLM on chords and syncopation: MIDI written down faithfully, sound only in part."""
    records = []
    for task, label in (("chords", "quality"), ("syncopation", "level")):
        for modality, hit in (("audio", 0.3), ("midi", 0.95)):
            for number in range(stimuli):
                draw = random.Random(f"{task}{modality}{number}")
                value = ("major", "minor")[number % 2] if task == "chords" else number % 4
                trial = choice(
                    f"{task}/{modality}/zero/logiclm/{number}",
                    groups=(task, f"{task}/{modality}"),
                    cluster=f"{task}{number}",
                    gold=LETTERS[number % 4],
                    tags={
                        "task": task,
                        "modality": modality,
                        "shots": "zero",
                        "strategy": "logiclm",
                        label: value,
                    },
                )
                gold = str(trial.target)
                letter = gold if draw.random() < hit else LETTERS[(number + 1) % 4]
                record = answered(trial, letter)
                masks = ("pitch",) if task == "chords" else ("on_beat", "off_beat")
                for mask in masks:
                    found = sum(draw.random() < hit for _ in range(4))
                    record.verdict.scores |= {
                        f"{mask}_tp": float(found),
                        f"{mask}_fp": float(4 - found),
                        f"{mask}_fn": float(4 - found),
                    }
                record.exchange.notes = {
                    "transcription": "[]",
                    "executable": True,
                    "repairs": 0,
                    "faults": [],
                }
                records.append(record)
    return records
