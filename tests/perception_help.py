"""A made-up folder of published recordings, and ways of answering for the tests of perception."""

import asyncio
from pathlib import Path

import numpy as np
import soundfile

from zhiyin.plugins.benchmarks.perception import muse
from zhiyin.plugins.benchmarks.perception.tasks import TASKS
from zhiyin.plugins.music.midi import Note, Score, midi_bytes
from zhiyin.plugins.music.solvers import CHORDS, write_schema
from zhiyin.record import Record, Reply

LOOPS = [entry.recordings[0] for entry in muse.SCORED["syncopation"]]
EXAMPLE_MELODIES = ("M11_CMaj_180_Piano", "M11_EMaj_180_Piano", "M12_FMaj_155_Piano")
TUNE = (0, 2, 4, 0, 5, 7)


def notes_of(name: str) -> tuple[Note, ...]:
    """What a published recording might hold, by the facts in its name."""
    if name.isdecimal():
        steps = CHORDS[muse.SCORED["chords"][int(name) - 1].fact[1]]
        root = 48 + (int(name) - 1) // 4
        pitches = [root, *(root + 12 + step for step in sorted(steps))]
        block = tuple(Note(0.0, 2.0, pitch) for pitch in pitches)
        return block + tuple(Note(2 + i * 0.5, 0.5, pitch) for i, pitch in enumerate(pitches))
    if "Sync" in name:
        number = LOOPS.index(name)
        off = [4 * hit + 2 + 2 * (number % 2) for hit in range(2 * muse.level_of(name))]
        slots = sorted({1, 5 + 8 * (number % 3), *off})
        hits = tuple(Note((slot - 1) / 4, 0.1, 36 + 2 * (slot % 2), 90, 9) for slot in slots)
        return tuple(sorted(hits + tuple(Note(i / 4, 0.1, 42, 70, 9) for i in range(32))))
    melody, key = int(name.split("_")[0][1:]), sum(map(ord, name)) % 12
    tune = [60 + key + (step * melody) % 13 for step in TUNE]
    return tuple(Note(i * 0.5, 0.5, pitch) for i, pitch in enumerate(tune))


def names() -> dict[str, str]:
    """Every published recording that the benchmark uses, with its folder."""
    pairs = {key for entry in muse.SCORED["transposition"] for key in entry.recordings}
    return {
        **{str(number): "Chords" for number in range(1, 49)},
        **dict.fromkeys(LOOPS, "Intermediate"),
        **dict.fromkeys((*sorted(pairs), *EXAMPLE_MELODIES), "."),
    }


def make_muse(root: Path, midi: bool = True, without: tuple[str, ...] = ()) -> Path:
    """Write a folder laid out as published: short noises, each another one, and MIDI files."""
    for seed, (name, folder) in enumerate(names().items()):
        if name in without:
            continue
        place = root / "stimuli" / folder
        place.mkdir(parents=True, exist_ok=True)
        noise = np.random.default_rng(seed).uniform(-0.1, 0.1, 800)
        soundfile.write(place / f"{name}.wav", noise, 8000)
        if midi:
            (place / f"{name}.mid").write_bytes(midi_bytes(Score(notes_of(name))))
    return root


def truth_of(trial):
    return [
        [int(number) for number in row.split()] for row in trial.tags["transcription"].split("|")
    ]


def perfect(trial, messages) -> str:
    """Who hears everything."""
    task = TASKS[trial.tags["task"]]
    if tuple(messages) == trial.messages and trial.tags["strategy"] == "logiclm":
        return write_schema(task.kind, truth_of(trial), task.ids)
    option = next(option for option in trial.options if option.key == trial.target)
    return f"Final Answer: {option.text if task.name == 'transposition' else option.letter}"


def take(benchmark, answer) -> list[Record]:
    """Have every trial answered by `answer(trial, messages) -> text or Reply`, and scored."""

    async def one(trial):
        async def ask(messages, sampling=None):
            said = answer(trial, messages)
            return said if isinstance(said, Reply) else Reply(said)

        exchange = await benchmark.strategy(trial)(trial, ask)
        return Record(trial.id, benchmark.score(trial, exchange), trial, exchange)

    async def everything():
        return [await one(trial) for trial in benchmark.trials()]

    return asyncio.run(everything())


def words(message) -> str:
    """The words of a message, MIDI data left out."""
    lines, inside = [], False
    for line in message.text.splitlines():
        inside = inside or line == "BEGIN MIDI"
        if not inside:
            lines.append(line)
        inside = inside and line != "END MIDI"
    return "\n".join(lines)
