"""Every number that the commands tell of small runs of all kinds stays, to nine digits.

Some of the runs were written long ago (tests/data/runs-1), the others are made here: with
baselines, conditions, repeats, rotations, clusters, sequences, failures, lines that a later one
supersedes, kept replies and drawn parts. A command may tell more than is pinned. Where a number
is meant to change, ``python tests/whole/test_facts_pinned.py`` writes those of today. Words,
times and places are not pinned.
"""

import csv
import io
import json
import math
import os
import shutil
import sys
import tarfile
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import msgspec
import numpy as np
import pytest

from conftest import REPOSITORY
from muchomusic_help import make_data
from report_help import answered, choice
from runs_help import inside
from zhiyin.cli import main
from zhiyin.engine.folder import Manifest, Session
from zhiyin.engine.log import RunFolder
from zhiyin.plugins.paper.tables import write_tables
from zhiyin.record import Exchange, Record, Reply, Turn, Verdict

pytestmark = pytest.mark.slow

PINNED = REPOSITORY / "tests" / "golden" / "facts.json"
DATA = REPOSITORY / "tests" / "data"
CLOCKED = (
    *("asked_s", "elapsed_s", "held_s", "latency_s", "left_s", "per_second", "since_s"),
    *("slowest_s", "trials_per_s", "waited_s", "since", "until", "servers"),
)
NOT_PINNED = frozenset((*CLOCKED, "notes", "remarks", "settings", "warnings"))
"""What hangs on the clock, the settings, and text."""
ANSWERS = """
from hashlib import sha256

from zhiyin.record import Reply


def number(*words):
    return int.from_bytes(sha256("|".join(words).encode()).digest()[:6], "big")


def says(name, question, options):
    if not options:
        return Reply("The song has a calm voice, soft drums and a theme of home.")
    kind, rest = divmod(number(name, question, *options), 20)[::-1]
    if kind == 0:
        raise RuntimeError("the model is worn out")
    if kind == 1:
        return Reply("I am sorry, but I cannot help with that.", "refusal")
    if kind == 2:
        return Reply("Let me think. The first looks likely, since", "length")
    letter = "ABCDEFGHIJ"[rest % len(options)]
    usage = {"prompt_tokens": 40 + rest % 9, "completion_tokens": 3 + rest % 5}
    return Reply(f"The answer is {letter}.", "stop", usage)


def first(audio_path, question, options):
    return says("first" + " hears" * bool(audio_path), question, options)


def second(audio_path, question, options):
    return says("second" + " hears" * bool(audio_path), question, options)
"""
OWN = """Question;A;B;C;D;answer;group;track
Which note is a fifth above C?;F;G;A;B;B;intervals;one
Which note is a third above C?;E;F;G;A;A;intervals;one
How many lines has a staff?;three;four;five;six;C;signs;two
What does piano mean?;loud;soft;fast;slow;B;signs;two
Which voice is the lowest?;alto;bass;soprano;tenor;B;voices;three
"""
FREE = '{"question": "How many beats has a bar of 3/4?", "answer": "3", "scorer": "number"}\n'
COMMANDS = r"""
run ziqi --data ziqi --partial -m python:answers.py:first --out runs/ziqi-first
run ziqi --data ziqi --partial -m python:answers.py:second --out runs/ziqi-second
run ziqi --data ziqi --partial -m longest --sample 12 --out runs/ziqi-drawn
run ziqi --data ziqi --partial -m random --limit 9 --out runs/ziqi-begun
run ziqi --data ziqi --partial -m overlap --rotations all --limit 24 --out runs/ziqi-rotated
run muchomusic --data muchomusic --partial -m python:answers.py:first \
  --audio true,none --distractors all,ir --repeats 2 --out runs/mucho-first
run muchomusic --data muchomusic --partial -m python:answers.py:second \
  --audio true,none --distractors all,ir --repeats 2 --out runs/mucho-second
run perception -m random --n 2 --task chords,transposition --out runs/perception
run thresholds -m random --dimension pitch,gap --most 10 --out runs/thresholds
run own.csv -m python:answers.py:first --out runs/own-first
run own.csv -m overlap --out runs/own-overlap
run free.jsonl -m python:answers.py:first --out runs/free
run appraisal --data appraisal -m python:answers.py:second --out runs/appraisal
judge runs/appraisal -m lexical
"""
PAIRS = {
    "made": (
        ("ziqi-first", "ziqi-second"),
        ("ziqi-first", "ziqi-drawn"),
        ("mucho-first", "mucho-second"),
        ("own-first", "own-overlap"),
        ("quiz-one", "quiz-other"),
    ),
    "older": (
        ("ziqi-first", "ziqi-second"),
        ("muchomusic-first", "muchomusic-second"),
        ("own-first", "own-overlap"),
        ("plugin-three", "plugin-right"),
    ),
}


def told(*words):
    """What a command prints, and how it ended: 1 says that some trials failed."""
    out, errors = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(errors):
        status = main([str(word) for word in words])
    return status, out.getvalue(), errors.getvalue()


def quiz(folder, seed):
    """Runs of a benchmark that is not here: all that stands in their records is by hand."""
    draw = np.random.default_rng(seed)
    about = Manifest(
        benchmark="quiz", model=f"made-{seed}", config={"benchmark": "quiz", "data": "0" * 64},
        options={}, planned=130,
        sessions=[Session("2026-01-01T00:00:00+00:00", asked=120, elapsed_s=8.0,
                          ended="2026-01-01T00:00:08+00:00")],
    )  # fmt: skip
    with RunFolder(folder, about) as log:
        for number in range(60):
            for repeat in range(2):
                log.append(_record(number, repeat, draw))
        for number in range(0, 60, 9):  # asked once more: of several lines one counts
            log.append(_record(number, 0, draw))


def _record(number, repeat, draw):
    trial = msgspec.structs.replace(
        choice(number), id=f"quiz/{number}/{repeat}", item=f"quiz/{number}",
        cluster=f"song{number // 5}", condition="hint=yes" if number % 4 == 3 else "",
    )  # fmt: skip
    letter = trial.target if draw.random() < 0.5 else "ABCD"[int(draw.integers(4))]
    found = answered(trial, letter if draw.random() < 0.9 else None)
    usage = {"prompt_tokens": int(draw.integers(20, 90)), "completion_tokens": 4}
    cached, kind = bool(draw.random() < 0.3), int(draw.integers(12))
    detail = {"cached": True, "kept_by": "0f" * 8, "kept_at": "2026-01-02T03:04:05"}
    reply = Reply(found.exchange.final.text, "stop", usage, 0.5, detail=detail if cached else {})
    if kind == 0:
        cause = ("no answer within 300 s", "HTTP 500: busy")[number % 2]
        return Record(trial.id, Verdict("error", None), trial, error=cause)
    if kind == 1:
        verdict = Verdict("truncated", None, None, "cut off before an answer", "robust@1")
        return Record(trial.id, verdict, trial, Exchange((Turn(reply),)))
    scores = {"depth": float(draw.random())} if kind > 5 else {}
    verdict = msgspec.structs.replace(found.verdict, scores=scores)
    return Record(trial.id, verdict, trial, Exchange((Turn(reply),)))


def make_runs(kind, folder):
    """The runs of a kind, in `folder`/runs."""
    if kind == "older":
        with tarfile.open(DATA / "runs-1" / "runs.tar.xz") as archive:
            archive.extractall(folder, filter="data")
        return
    for name, source in (("ziqi", "ziqi_small"), ("appraisal", "appraisal_small")):
        shutil.copytree(DATA / source, folder / name)
    make_data(folder / "muchomusic", tracks=4)
    for name, text in (("answers.py", ANSWERS), ("own.csv", OWN), ("free.jsonl", FREE)):
        (folder / name).write_text(text, "utf-8")
    with inside(folder):
        for line in COMMANDS.replace("\\\n", "").strip().splitlines():
            calm = ("--retries", "0", "--no-canary") if line.startswith("run") else ()
            status, _, errors = told(*line.split(), *calm, "--quiet")
            assert status != 2, f"{line}: {errors}"
        for seed, name in enumerate(("one", "other")):
            quiz(Path("runs", f"quiz-{name}"), seed)


def facts(kind, folder):
    """All numbers of the runs of a kind, by the command that tells them and their path there."""
    make_runs(kind, folder)
    with inside(folder):
        runs = sorted(str(path.parent) for path in Path("runs").rglob("run.json"))
        found = {}
        for run in runs:
            for command in (["show"], ["stats", "health"], ["status"]):
                found[" ".join([*command, run])] = _json(*command, run)
        for pair in PAIRS[kind]:
            found[f"compare {' '.join(pair)}"] = _json("compare", *(f"runs/{x}" for x in pair))
        found["leaderboard"] = _json("leaderboard", "runs", "--apart", "-o", "board")
        found["leaderboard.csv"] = _rows(Path("board", "leaderboard.csv"))
        write_tables([Path(run) for run in runs if run.count(os.sep) == 1], "tables")
        for path in sorted(Path("tables").glob("*.csv")):
            found[f"table {path.name}"] = _rows(path)
    return {name: dict(_numbers(value, "")) for name, value in found.items()}


def _json(*words):
    """What a command tells as JSON; where it refuses, that it does."""
    status, out, _ = told(*words, "--json")
    return json.loads(out) if out and status != 2 else status


def _rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        return [{k: _cell(v) for k, v in row.items()} for row in csv.DictReader(file)]


def _cell(text):
    try:
        return float(text)
    except ValueError:
        return text


def _numbers(value, path):
    """Each number with its path, and the paths of what is empty: the keys are pinned too."""
    if isinstance(value, dict):
        for name, each in value.items():
            if name not in NOT_PINNED:
                yield from _numbers(each, f"{path}/{name}")
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from _numbers(each, f"{path}/{number}")
    if isinstance(value, bool | int | float) and not isinstance(value, str):
        yield path, value
    elif value is None or value == {} or value == []:
        yield path, None


def _tree(numbers):
    """The same as JSON, to eleven digits, with the places in a list for names."""
    if "" in numbers:
        return numbers[""]
    found = {}
    for path, value in numbers.items():
        inner, (*places, last) = found, path.split("/")[1:]
        for place in places:
            inner = inner.setdefault(place, {})
        inner[last] = float(f"{value:.11g}") if isinstance(value, float) else value
    return found


def same(one, other):
    if one is None or other is None or isinstance(one, bool) or isinstance(other, bool):
        return one is other
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)


@pytest.mark.parametrize("kind", PAIRS)
def test_every_number_is_that_of_the_last_time(kind, tmp_path):
    pinned = json.loads(PINNED.read_text("utf-8"))[kind]
    kept = {name: dict(_numbers(value, "")) for name, value in pinned.items()}
    now = facts(kind, tmp_path)
    faults = [name for name in kept if name not in now]
    for name, value in now.items():
        before = kept.get(name, {})
        faults += [
            f"{name} {path}: {before.get(path, '-')} then, {value.get(path, '-')} now"
            for path in before
            if path not in value or not same(before[path], value[path])
        ]
    assert not faults, "\n".join(sorted(faults)[:30])


def test_another_number_is_seen():
    assert same(0.1, 0.1 + 1e-11)
    assert not same(0.1, 0.1 + 1e-8)
    assert not same(None, 0)
    assert not same(True, 1)
    assert dict(_numbers({"a": [1, {"b": None}], "settings": {"n": 3}, "c": "text"}, "")) == {
        "/a/0": 1,
        "/a/1/b": None,
    }
    assert dict(_numbers(_tree({"/a/0": 1 / 3, "/a/1/b": None}), "")) == {
        "/a/0": 0.33333333333, "/a/1/b": None,
    }  # fmt: skip


def write():
    """Pin the numbers of today."""
    with tempfile.TemporaryDirectory() as cache:
        for name in ("ZHIYIN_CACHE", "XDG_CONFIG_HOME", "ZHIYIN_DATA", "ZHIYIN_PRICES"):
            os.environ[name] = cache
        found = {}
        for kind in PAIRS:
            with tempfile.TemporaryDirectory() as folder:
                found[kind] = facts(kind, Path(folder))
    lines = [
        f"{json.dumps(kind)}: {{\n"
        + ",\n".join(f"{json.dumps(k)}: {json.dumps(_tree(v))}" for k, v in each.items())
        + "\n}"
        for kind, each in found.items()
    ]
    PINNED.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
    sys.stdout.write(f"{sum(len(v) for each in found.values() for v in each.values()):,} numbers\n")


if __name__ == "__main__":
    write()
