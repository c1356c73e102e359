"""Two small benchmarks of sequences: a chat that remembers, and an adaptive staircase.

Used by tests of the engine, and as ``tests/sequences.py:Chat`` and ``:Staircase`` by commands.
"""

import hashlib
import wave
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import msgspec

from zhiyin.contract import Benchmark, Flag
from zhiyin.record import Reply, Verdict
from zhiyin.sequence import Sequence, Stepwise, conversation
from zhiyin.trial import Audio, Option, Trial, say

NOTES = ("C", "D", "E", "F", "G", "A", "B")


def write_tone(folder: Path, note: str) -> Audio:
    """A short file that differs from note to note."""
    path = folder / f"{hashlib.sha256(note.encode()).hexdigest()[:8]}.wav"
    if not path.exists():
        with wave.open(str(path), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(8000)
            file.writeframes(bytes([ord(note), 0]) * 80)
    return Audio(str(path), hashlib.sha256(path.read_bytes()).hexdigest(), 0.01)


class ChatSettings(msgspec.Struct, frozen=True):
    data: Annotated[str, Flag("where the sounds lie", place=True)] = ""
    chats: Annotated[int, Flag("how many conversations")] = 3
    rounds: Annotated[int, Flag("questions of each")] = 5


class Melody(Sequence):
    """Note after note is played; each time all of them are to be named."""

    def __init__(self, number: int, rounds: int, sounds: dict[str, Audio]) -> None:
        self.id, self.sounds = f"chat{number}", sounds
        self.at_least = self.at_most = rounds
        self.notes = [NOTES[(number + 2 * step) % 7] for step in range(rounds)]

    def next(self, done):
        step = len(done)
        if step == self.at_most:
            return None
        before = conversation(done[-1]) if done else (say("system", "Remember every note."),)
        words = f"Note {step + 1} is played. Name all notes so far."
        return Trial(
            f"{self.id}/{step + 1}",
            (*before, say("user", words, self.sounds[self.notes[step]])),
            words,
            target=" ".join(self.notes[: step + 1]),
            groups=("first" if step == 0 else "later",),
        )


class Chat(Benchmark[ChatSettings]):
    name = "chat"
    summary = "notes to be remembered"
    Settings = ChatSettings

    def sequences(self) -> Iterator[Melody]:
        folder = Path(self.settings.data)
        assert self.settings.data, "the sounds need a folder"
        sounds = {note: write_tone(folder, note) for note in NOTES}
        for number in range(self.settings.chats):
            yield Melody(number, self.settings.rounds, sounds)

    def score(self, trial, exchange):
        said = exchange.final.text
        return Verdict("correct" if said == trial.target else "wrong", said)


class StairSettings(msgspec.Struct, frozen=True):
    stairs: Annotated[int, Flag("how many staircases")] = 4
    reversals: Annotated[int, Flag("after how many turns a staircase ends")] = 6
    plain: Annotated[int, Flag("plain questions beside them")] = 0


class Stair(Stepwise[dict]):
    """Two right answers in a row make the interval smaller, a wrong one larger."""

    at_least, at_most = 3, 60

    def __init__(self, number: int, reversals: int) -> None:
        self.id, self.reversals = f"stair{number}", reversals
        self.start = 60 + 10 * number

    def begin(self):
        return {"cents": self.start, "right": 0, "up": None, "turns": 0, "step": 0}

    def moved(self, state, record):
        state["step"] += 1
        right = record.verdict.state == "correct"
        state["right"] = state["right"] + 1 if right else 0
        if right and state["right"] < 2:
            return state
        up = not right
        state["turns"] += state["up"] not in (None, up)
        state["up"], state["right"] = up, 0
        state["cents"] = max(1, round(state["cents"] * (1.4 if up else 0.7)))
        return state

    def ask(self, state):
        if state["turns"] >= self.reversals or state["step"] >= self.at_most:
            return None
        stem = f"Is the second tone {state['cents']} cents higher or lower? (#{state['step']})"
        target = "ab"[int(hashlib.sha256(f"{self.id}{stem}".encode()).hexdigest(), 16) % 2]
        options = (Option("A", "higher", "a"), Option("B", "lower", "b"))
        return Trial(
            f"{self.id}/{state['step'] + 1}",
            (say("user", f"{stem}\nA. higher\nB. lower"),),
            stem,
            options,
            target,
            tags={"cents": state["cents"]},
        )


class Staircase(Benchmark[StairSettings]):
    name = "staircase"
    summary = "the smallest interval that is heard"
    Settings = StairSettings

    def sequences(self) -> Iterator[Stair]:
        for number in range(self.settings.stairs):
            yield Stair(number, self.settings.reversals)

    def trials(self) -> Iterator[Trial]:
        options = (Option("A", "do", "A"), Option("B", "re", "B"))
        for number in range(self.settings.plain):
            stem = f"Question {number}?"
            yield Trial(f"plain/{number}", (say("user", stem),), stem, options, "A")


def hears(messages) -> str:
    """Names the notes whose sounds it was played, as a model with the conversation before it."""
    heard = []
    for message in messages:
        parts = message["content"]
        for part in parts if isinstance(parts, list) else ():
            if part["type"] == "audio":
                with wave.open(part["path"], "rb") as file:
                    heard.append(chr(file.readframes(1)[0]))
    return " ".join(heard)


def guesses(messages) -> str:
    """A or B by the words alone: the same question gets the same answer."""
    told = hashlib.sha256(str(messages[-1]["content"]).encode()).hexdigest()
    return f"Answer: {'AB'[int(told, 16) % 3 % 2]}"


class Remembering:
    """A model that keeps what it was told, and checks each time that nothing of it has changed."""

    name, concurrency = "remembering", 8

    def __init__(self) -> None:
        self.told: dict[str, list[tuple[object, ...]]] = {}

    async def generate(self, messages, sampling, trial):
        chat = trial.id.partition("/")[0]
        before = self.told.setdefault(chat, [])
        now = [(m.role, m.parts) for m in messages]
        assert now[: len(before)] == before
        notes = [p for m in messages for p in m.parts if isinstance(p, Audio)]
        text = f"heard {len(notes)}, {sum(m.role == 'assistant' for m in messages)} said"
        self.told[chat] = [*now, ("assistant", say("assistant", text).parts)]
        return Reply(text)

    async def close(self):
        pass
