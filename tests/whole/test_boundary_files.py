"""Whatever breaks of disk, clock or process, the same command ends as a calm run does."""

import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest

import sequences  # noqa: F401 - before root acts as somebody who may not read Python's own files
import warm
from fault_help import carried_out, jumping, logs, no_room, only_reading, open_to_all
from judge_help import CLAIMING, REVIEW, make_run
from suites_help import suite
from zhiyin import cli
from zhiyin.cli import main
from ziqi_layout import CATEGORIES, write_ziqi

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent.parent


SMALL = HERE / "data" / "ziqi_small"


STAIRS = f"{HERE}/sequences.py"


def run_words(folder):
    data = ["--data", str(SMALL), "--partial", "--limit", "40"]
    return ["run", "ziqi", *data, "-m", "first", "--out", str(folder / "out"), "--quiet"]


def adaptive_words(folder):
    model = f"python:{STAIRS}:guesses"
    return ["run", f"{STAIRS}:Staircase", "-m", model, "--stairs", "2", "--plain", "5",
            "--out", str(folder / "out"), "--quiet"]  # fmt: skip


def judge_words(folder, model="lexical"):
    if not (folder / "out").exists():
        make_run(folder / "out", [f"{CLAIMING if n % 2 else REVIEW}第{n}首。" for n in range(6)])
    return ["judge", str(folder / "out"), "-m", model, "--quiet"]


def suite_words(folder):
    text = suite(models=("Good", "Poor"), benchmarks=("Ears", "Talks"), items=6)
    (folder / "small.toml").write_text(text)
    return ["suite", str(folder / "small.toml"), "--out", str(folder / "out"), "--quiet",
            "--no-report"]  # fmt: skip


WORKS = {"run": run_words, "adaptive": adaptive_words, "judge": judge_words, "suite": suite_words}


works = pytest.mark.parametrize("work", WORKS.values(), ids=WORKS)


def calm(work, tmp_path, capsys):
    """The logs of a run that nothing disturbed, and the sizes of the files that it wrote."""
    words = work(tmp_path / "calm") if (tmp_path / "calm").mkdir() is None else []
    there = set((tmp_path / "calm").rglob("*"))
    carried_out(words, capsys)
    sizes = {p.stat().st_size for p in (tmp_path / "calm").rglob("*") if p.is_file()
             and p not in there}  # fmt: skip
    return logs(tmp_path / "calm"), sorted(sizes)


# Full disks -------------------------------------------------------------------------------------
@pytest.mark.parametrize("most", [2, pytest.param(10_000, marks=pytest.mark.trust)])
@works
def test_a_full_disk_is_one_line_and_the_same_command_goes_on(work, most, tmp_path, capsys):
    """The disk is full before each file, in its middle, and at its last byte."""
    expected, sizes = calm(work, tmp_path, capsys)
    rooms = sorted({room for size in sizes for room in (0, size // 2, size - 1)} - {-1})
    for number, room in enumerate(random.Random(1).sample(rooms, min(most, len(rooms)))):
        folder = tmp_path / f"full{number}"
        folder.mkdir()
        words = work(folder)
        with no_room(room):
            status, said = carried_out(words, capsys, (0, 1, 2))
        assert status or room >= sizes[-1] // 2, room
        if status == 2:
            assert re.search(r"make room|mend that|full|too large", said), said
        carried_out(words, capsys)
        assert logs(folder) == expected, room


# Folders that may not be written ----------------------------------------------------------------
@works
def test_a_folder_that_may_not_be_written_is_one_line(work, capsys):
    """Not even by root; and nothing was asked in vain: the same command goes on afterwards."""
    with open_to_all() as folder:
        words = work(folder)
        with only_reading(folder):
            _, said = carried_out(words, capsys, (2,))
            assert re.search(r"cannot (write|be written)|Permission denied", said), said
        carried_out(words, capsys)
        with only_reading(folder):
            for command in (["show", folder / "out"], ["verify", folder / "out"]):
                if work is not suite_words:
                    carried_out(command, capsys, (0, 1))
            carried_out(words, capsys, (0, 2))


@pytest.mark.parametrize("place", ["file/out", "/proc/1/out", "/dev/null/out", "/dev/null"])
@pytest.mark.parametrize("work", [run_words, adaptive_words, suite_words])
def test_a_place_where_no_folder_can_be_is_one_line(work, place, tmp_path, capsys):
    (tmp_path / "file").write_text("")
    words = work(tmp_path)
    words[words.index("--out") + 1] = str(tmp_path / place)
    carried_out(words, capsys, (2,))


# Clocks -----------------------------------------------------------------------------------------
@pytest.mark.sample(2)
@works
def test_a_clock_that_jumps_changes_no_record_and_no_sum(work, tmp_path, capsys, monkeypatch):
    expected, _ = calm(work, tmp_path, capsys)
    words = work(tmp_path)
    jumps = jumping(monkeypatch)
    carried_out(words, capsys)
    carried_out(words, capsys)
    assert len(jumps) > 3
    assert logs(tmp_path / "out") == {
        name.removeprefix("out/"): records for name, records in expected.items()
    }
    _, said = carried_out(["status", tmp_path / "out"], capsys, (0, 1, 2))
    assert not re.search(r"(?<!e)-\d+(\.\d+)? ?(s|min|h|days?)\b", said), said
    assert "100%" in said
    if work is not suite_words:
        carried_out(["verify", tmp_path / "out"], capsys, (0, 1))


# Two at once ------------------------------------------------------------------------------------
@works
def test_of_two_processes_on_one_folder_the_second_is_refused(work, tmp_path, capsys):
    """The first is another process: a lock of our own would be no proof."""
    words = work(tmp_path)
    carried_out(words, capsys)
    places = [log.parent for log in (tmp_path / "out").rglob("records.jsonl")]
    place = next((p for p in places if p.name.startswith("judged-")), places[0])
    held = tmp_path / "out" / ".lock" if work is suite_words else place / "records.jsonl"
    holder = "import fcntl, sys; f = open(sys.argv[1], 'r+'); fcntl.flock(f, fcntl.LOCK_EX)"
    holder += "; print('held', flush=True); sys.stdin.read()"
    process = subprocess.Popen(
        [sys.executable, "-IS", "-c", holder, str(held)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    with process:
        assert process.stdout.readline() == b"held\n"
        _, said = carried_out(words, capsys, (2,))
        assert "another" in said
        process.stdin.close()
    carried_out(words, capsys)


# Kills ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("kills", [1, pytest.param(20, marks=pytest.mark.trust)])
def test_judging_that_is_killed_ends_as_if_it_were_not(kills, tmp_path, capsys):
    model = f"python:{HERE}/fault_help.py:slow_judge"
    (tmp_path / "calm").mkdir()
    (tmp_path / "killed").mkdir()
    carried_out(judge_words(tmp_path / "calm", model), capsys)
    expected = logs(tmp_path / "calm")
    words, draw, inside = judge_words(tmp_path / "killed", model), random.Random(2), 0
    whole = max(p.stat().st_size for p in (tmp_path / "calm").rglob("judged-*/records.jsonl"))

    def size():
        found = (tmp_path / "killed").rglob("judged-*/records.jsonl")
        return max((path.stat().st_size for path in found), default=0)

    for mark in sorted(draw.uniform(0.1, 0.9) for _ in range(kills)):
        process = warm.Started(words)
        while process.poll() is None and size() < mark * whole:
            time.sleep(0.001)
        process.send_signal(signal.SIGKILL)
        process.wait()
        inside += 0 < size() < whole
    carried_out(words, capsys)
    assert inside, "no kill landed inside: make it slower"
    assert logs(tmp_path / "killed") == expected


# Damaged logs -----------------------------------------------------------------------------------
@pytest.mark.sample(2)
@pytest.mark.parametrize("every", [397, pytest.param(1, marks=pytest.mark.trust)])
@works
def test_a_log_cut_at_any_byte_of_its_last_record_is_gone_on_with(work, every, tmp_path, capsys):
    words = work(tmp_path)
    carried_out(words, capsys)
    expected = logs(tmp_path / "out")
    every_log = sorted((tmp_path / "out").rglob("records.jsonl"))
    log = next((p for p in every_log if p.parent.name.startswith("judged-")), every_log[0])
    whole = log.read_bytes()
    last = whole.rstrip(b"\n").rfind(b"\n") + 1
    for cut in range(last, len(whole), every):
        log.write_bytes(whole[:cut])
        if work is suite_words:  # a killed one has not called the run done
            state = tmp_path / "out" / "suite.json"
            state.write_text(state.read_text().replace('"done"', '"stopped"'))
        carried_out(words, capsys)
        assert logs(tmp_path / "out") == expected, cut


@pytest.mark.sample(2)
@works
def test_a_log_damaged_in_its_middle_is_named_with_its_line(work, tmp_path, capsys):
    words = work(tmp_path)
    carried_out(words, capsys)
    every_log = sorted((tmp_path / "out").rglob("records.jsonl"))
    log = next((p for p in every_log if p.parent.name.startswith("judged-")), every_log[0])
    lines = log.read_bytes().splitlines(keepends=True)
    for damaged in (b"\n", b"\0" * 40 + b"\n", lines[1][:30] + b"\n", b"\xff\xfe\n", b"[]\n"):
        log.write_bytes(b"".join([lines[0], damaged, *lines[2:]]))
        _, said = carried_out(words, capsys, (1, 2))
        assert "line 2" in said, (damaged, said)
        assert log.read_bytes().count(b"\n") == len(lines)


@pytest.mark.sample(2)
@works
def test_a_manifest_that_is_half_written_is_named(work, tmp_path, capsys):
    words = work(tmp_path)
    carried_out(words, capsys)
    every = sorted((tmp_path / "out").rglob("run.json"))
    file = next((p for p in every if p.parent.name.startswith("judged-")), every[0])
    if work is suite_words:
        file = tmp_path / "out" / "suite.json"
    whole, log = file.read_bytes(), logs(tmp_path / "out")
    for cut in (0, 1, len(whole) // 3, len(whole) - 2):
        file.write_bytes(whole[:cut])
        _, said = carried_out(words, capsys, (2,))
        assert file.name in said
        assert logs(tmp_path / "out") == log
    file.write_bytes(whole)
    carried_out(words, capsys)


# Studies ----------------------------------------------------------------------------------------
def answered(person, count):
    """Answer so many questions; how many were saved, and how many were told to have failed."""
    saved = failed = 0
    for _ in range(count):
        if not person.look():
            break
        got = person.answer(chosen=[0])
        if got.status_code == 200:
            assert got.json()["state"] in ("saved", "already")
            saved += got.json()["state"] == "saved"
        else:
            assert got.status_code >= 500, got.text
            failed += 1
    return saved, failed


def test_a_study_on_a_full_disk_loses_no_answer_that_it_acknowledged(tmp_path):
    from study_help import Person, opened, study, trials
    from zhiyin.plugins.studies.results import rows

    study(tmp_path / "s", trials(12), ("volume = true", "volume = false"))
    with opened(tmp_path / "s") as store:
        person = Person.of(store)
        person.begin()
        saved, failed = answered(person, 3)
        there = max(path.stat().st_size for path in (tmp_path / "s").iterdir())
        for room in (0, there // 2, there, there + 5000, there + 20000):
            person.look()
            with no_room(room):
                got = person.answer(chosen=[0])
            saved += got.status_code == 200
            failed += got.status_code >= 500
            assert len(list(rows(store))) == saved
        assert failed
        assert answered(person, 20) == (12 - saved, 0)
        found = [row.item for row in rows(store)]
        assert len(found) == len(set(found)) == 12


def test_a_study_goes_on_whatever_the_clock_says(tmp_path, monkeypatch):
    """Jumps of a day back and forth: nobody loses an answer, and no time is below 0."""
    from study_help import Person, opened, study, trials
    from zhiyin.plugins.studies.results import rows

    study(tmp_path / "s", trials(8), ("volume = true", "volume = false"))
    with opened(tmp_path / "s") as store:
        person, other = Person.of(store), Person.of(store)
        person.begin(query="&PROLIFIC_PID=a&SESSION_ID=a")
        other.begin(query="&PROLIFIC_PID=b&SESSION_ID=b")
        jumps = jumping(monkeypatch)
        assert answered(person, 20) == (8, 0)
        assert answered(other, 20) == (8, 0)
        assert len(jumps) > 16
        found = list(rows(store))
        assert len({(row.participant, row.item) for row in found}) == len(found) == 16
        times = [time for row in found for time in (row.active_s, row.idle_s) if time]
        assert all(value >= 0 for value in times)


def test_a_working_folder_that_is_gone_is_told(tmp_path, monkeypatch, capsys):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    words = run_words(Path())
    assert main(words) == 2
    assert "out cannot be made: choose another folder with --out" in capsys.readouterr().err


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A set large enough that a kill lands in the middle."""
    return write_ziqi(tmp_path_factory.mktemp("ziqi"), 1100)


def command(data, out):
    return ["run", "ziqi", "--data", str(data), "-m", "first", "--out", str(out), "--quiet"]


def log_of(folder):
    return (folder / "records.jsonl").read_bytes()


def size_of(folder):
    log = folder / "records.jsonl"
    return log.stat().st_size if log.exists() else -1


@pytest.mark.parametrize("runs", [2, pytest.param(10, marks=pytest.mark.trust)])
def test_a_killed_run_ends_as_an_undisturbed_one(large, tmp_path, runs):
    warm.run(command(large, tmp_path / "whole"), check=True)
    undisturbed = log_of(tmp_path / "whole")
    draw, killed_inside = random.Random(11), 0
    for attempt in range(runs):
        out = tmp_path / f"killed{attempt}"
        for _ in range(2):
            process = warm.Started(command(large, out))
            wanted = draw.uniform(0, 0.8) * len(undisturbed)
            while process.poll() is None and size_of(out) < wanted:
                time.sleep(0.0005)
            process.send_signal(signal.SIGKILL)
            process.wait()
            killed_inside += 0 < size_of(out) < len(undisturbed)
        warm.run(command(large, out), check=True)
        assert log_of(out) == undisturbed
    assert killed_inside >= runs / 2, "no kill landed inside a run: make the set larger"
    ids = [msgspec.json.decode(line)["id"] for line in undisturbed.splitlines()]
    assert len(ids) == len(set(ids)) == 1100 * len(CATEGORIES)


SMALL_ABSURD_VALUES = Path(__file__).parent.parent / "data" / "ziqi_small"


RUN = ["run", "ziqi", "--data", str(SMALL_ABSURD_VALUES), "--partial", "--quiet"]


@pytest.fixture(scope="module")
def small_run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "run"
    assert cli.main([*RUN, "-m", "first", "--out", str(folder)]) == 0
    return folder


def with_full_disk(command, most=3000):
    """A command in a process whose files may not grow beyond `most` bytes."""
    return warm.run(command, env=os.environ | {warm.LIMIT: str(most)}, timeout=100)


@pytest.mark.parametrize("kind", ["parquet", "csv", "inspect"])
def test_an_export_to_a_full_disk_leaves_nothing(small_run, tmp_path, kind):
    done = with_full_disk(["export", small_run, "--to", kind, "-o", tmp_path / f"x.{kind}"])
    assert done.returncode == 2, done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith(f"zhiyin: cannot write {tmp_path}/x.{kind}")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "command",
    [
        ["report", "{run}", "-o", "{out}/report"],
        ["leaderboard", "{run}", "-o", "{out}/board"],
        ["rescore", "{run}", "--extract", "robust", "--out", "{out}/again"],
        ["export", "{run}", "--to", "hf", "-o", "{out}/hf", "--partial"],
        [*RUN, "-m", "first", "--out", "{out}/run"],
        ["stimuli", "make", "--task", "chords", "--n", "2", "--out", "{out}/s"],
        ["data", "make", "muchomusic", "--out", "{out}/m", "--clips", "4"],
    ],
)
def test_a_full_disk_is_one_line(small_run, tmp_path, command):
    words = [word.format(run=small_run, out=tmp_path) for word in command]
    done = with_full_disk(words, 1000)
    assert done.returncode == 2, done.stderr
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr
