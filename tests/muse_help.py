"""Made-up recordings and run logs in MUSE's published layout."""

import hashlib
import random
import wave
from pathlib import Path

from zhiyin.plugins.benchmarks.muse.stimuli import items, listed
from zhiyin.plugins.benchmarks.muse.tasks import TASKS

SEEDS = (1, 2, 3)
"""Of the published runs; the seed says in which order the ten trials come."""
HEAD = "2025-09-07 15:37:18,605 - "


def in_order(task, group, seed):
    """The ten trials in the order of a published run: `random.shuffle` with its seed."""
    order = list(listed(task, group))
    random.Random(seed).shuffle(order)
    return order


def write_recordings(folder: Path, only=lambda item: True) -> Path:
    """A folder with `stimuli/`: short sounds, each another one, for the items that are wanted."""
    for item in items():
        for name in item.recordings if only(item) else ():
            path = folder / "stimuli" / f"{name}.wav"
            path.parent.mkdir(parents=True, exist_ok=True)
            with wave.open(str(path), "wb") as file:
                file.setnchannels(1)
                file.setsampwidth(2)
                file.setframerate(8000)
                file.writeframes(hashlib.sha256(name.encode()).digest() * 20)
    return folder


def write_log(folder, task, mode, group, seed, reply, label="Made", model="made-1.0", **facts):
    """A run log; `reply(item)` is what the model said, `facts["parsed"]` what was read of it."""
    folder.mkdir(parents=True, exist_ok=True)
    shown = mode.upper()
    name = f"{task}_{label}_CHAT_{shown}_Group{group}_seed{seed}.log"
    lines = [
        f"=== RUN START (A task • CHAT+SysInst • {shown} • Group{group}) ===",
        f"Config: model={model}, temp=1.0, seed={seed}, group=Group{group}, log={name}",
        "Confirmation response: Yes, I understand.",
    ]
    right = 0
    for number, item in enumerate(in_order(task, group, seed), 1):
        said = reply(item)
        key = TASKS[task].answer(item.answer)
        parsed = facts.get("parsed", lambda text: text)(said)
        right += parsed == key
        places = [f"/somewhere/stimuli/{name}.wav" for name in item.recordings]
        lines.append(f"\n--- Question {number} ---\n")
        if len(places) == 1:
            lines.append(f"Stimulus: file={places[0]}")
        elif facts.get("joined"):
            joined = "__".join(item.names)
            lines.append(f"Stimulus (combined): file=stimuli/combined/{joined}.wav")
        else:
            lines.append(f"Stimuli: file1={places[0]}, file2={places[1]}")
        lines.append(f"[{shown}/Group{group}] Q{number} - LLM Full Response:\n{said}")
        if not parsed:  # the runners then go on to the next question
            lines.append("Parse Error: missing/malformed final answer phrase.")
            continue
        lines.append(f"Parsed Final Answer: {parsed}")
        lines.append(
            "Evaluation: Correct" if parsed == key else f"Evaluation: Incorrect (expected={key})"
        )
    lines += [f"Total Correct: {right} out of 10", "=== RUN END ==="]
    (folder / name).write_text("".join(f"{HEAD}{line}\n" for line in lines), "utf-8")
    return folder / name


def right_answer(item):
    return TASKS[item.task].answer(item.answer)
