"""A chat with sound and a staircase, killed at random instants: the log is that of a calm run."""

import random
import signal
import subprocess
import time
from pathlib import Path

import msgspec
import pytest

import warm

HERE = Path(__file__).parent.parent
SPEC = f"{HERE}/sequences.py"
_CHAT = (f"{SPEC}:Chat", f"python:{SPEC}:hears", "--chats", 10, "--rounds", 12)
_STAIRS = (f"{SPEC}:Staircase", f"python:{SPEC}:guesses", "--stairs", 8, "--plain", 20)


def command(folder, out, order):
    benchmark, model, *flags = order
    data = ["--data", folder] if benchmark.endswith("Chat") else []
    words = ["run", benchmark, "-m", model, *flags, *data, "--out", out, "--quiet"]
    return [*map(str, words), "--concurrency", "3"]


def size_of(folder):
    log = folder / "records.jsonl"
    return log.stat().st_size if log.exists() else -1


def log_of(folder):
    """The records by id, without the times, and each sequence's trials in the order of the log."""
    records, order = {}, {}
    for line in (folder / "records.jsonl").read_bytes().splitlines():
        record = msgspec.json.decode(line)
        for turn in record["exchange"]["turns"]:
            turn["reply"].pop("latency_s", None)
        assert record["id"] not in records
        records[record["id"]] = record
        order.setdefault(record["trial"].get("sequence"), []).append(record["trial"].get("step"))
    order.pop(None, None)
    assert all(steps == list(range(1, len(steps) + 1)) for steps in order.values())
    return records


@pytest.mark.slow
@pytest.mark.parametrize("order", [_CHAT, _STAIRS], ids=["chat", "staircase"])
def test_a_killed_run_of_sequences_ends_as_an_undisturbed_one(order, tmp_path):
    calm = tmp_path / "calm"
    warm.run(command(tmp_path, calm, order), check=True)
    undisturbed, whole = log_of(calm), size_of(calm)
    draw, killed_inside = random.Random(5), 0
    for attempt in range(3):
        out = tmp_path / f"killed{attempt}"
        for _ in range(3):
            process = warm.Started(command(tmp_path, out, order))
            wanted = draw.uniform(0, 0.9) * whole
            while process.poll() is None and size_of(out) < wanted:
                time.sleep(0.0005)
            process.send_signal(signal.SIGKILL)
            process.wait()
            killed_inside += 0 < size_of(out) < whole
        warm.run(command(tmp_path, out, order), check=True)
        assert log_of(out) == undisturbed
    assert killed_inside >= 4, "no kill landed inside a run: make the set larger"


@pytest.mark.slow
def test_ctrl_c_leaves_sequences_where_they_are_and_the_same_command_goes_on(tmp_path):
    (tmp_path / "slow.py").write_text(
        "import time\n\ndef slow(messages):\n    time.sleep(0.05)\n    return 'Answer: A'\n",
        "utf-8",
    )
    order = (f"{SPEC}:Staircase", f"python:{tmp_path}/slow.py:slow", "--stairs", 3)
    out = tmp_path / "run"
    words = command(tmp_path, out, order)
    process = warm.Started(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while process.poll() is None and size_of(out) < 3000:
        time.sleep(0.001)
    process.send_signal(signal.SIGINT)
    told, _ = process.communicate()
    assert process.returncode == 130
    assert "unfinished: 3 of 3 sequences not at their end" in told
    begun = len(log_of(out))
    warm.run(command(tmp_path, out, order), check=True)
    calm = tmp_path / "calm"
    warm.run(command(tmp_path, calm, order), check=True)
    assert log_of(out) == log_of(calm)
    sessions = msgspec.json.decode((out / "run.json").read_bytes())["sessions"]
    assert [session["asked"] for session in sessions] == [begun, len(log_of(calm)) - begun]
