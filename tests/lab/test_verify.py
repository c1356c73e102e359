"""A run is what was written: every later change of a byte is found, and what is open is said."""

import asyncio
import hashlib
import json
import random
import re
import shutil
import subprocess

import pytest

from conftest import REPOSITORY
from engine import Scripted, examine, manifest, score, trials
from servers import ChatServer
from shards_help import run as run_songs
from zhiyin.cli import main
from zhiyin.engine.appending import EARLIER_SUMS, SUMS, write_sums
from zhiyin.engine.folder import FAILURES, MANIFEST, RECORDS, Shard, read_manifest
from zhiyin.engine.log import RunFolder
from zhiyin.engine.merging import merge
from zhiyin.plugins.lab.labbook import Notebook
from zhiyin.plugins.lab.verifying import Verified, _check_media, check_sums, verify
from zhiyin.record import Exchange, Record, Reply, Turn
from zhiyin.report.methods import methods_paragraph

EXERCISES = ("run", "exercises", "--n", "1", "-m", "random", "--quiet")
LARGER = ("run", "exercises", "--n", "4", "-m", "first", "--quiet")


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A run of one exercise."""
    folder = tmp_path_factory.mktemp("verify") / "run"
    assert main([*EXERCISES, "--limit", "1", "--out", str(folder)]) == 0
    return folder


@pytest.fixture(scope="module")
def larger(tmp_path_factory):
    folder = tmp_path_factory.mktemp("verify") / "run"
    assert main([*LARGER, "--out", str(folder)]) == 0
    return folder


def record(number: int, text: str = "A") -> Record:
    trial = next(t for t in trials(number + 1) if t.id == f"t/{number}")
    exchange = Exchange((Turn(Reply(text)),))
    return Record(trial.id, score(trial, exchange), trial, exchange)


def flipped(folder, name, place, bit, find=lambda folder: verify(folder).faults):
    """What is found with one bit of a file the other way; the file is as it was after."""
    path = folder / name
    before = path.read_bytes()
    after = bytearray(before)
    after[place] ^= 1 << bit
    path.write_bytes(after)
    try:
        return find(folder)
    finally:
        path.write_bytes(before)


def by_sums(folder):
    """What the list of sums alone finds, of all that `verify` looks at."""
    return [why for why in check_sums(folder).values() if why]


def changed_records(folder):
    log = folder / RECORDS
    data = bytearray(log.read_bytes())
    data[data.index(b'"text":"') + len(b'"text":"')] ^= 1
    log.write_bytes(data)


# every byte


@pytest.mark.slow
@pytest.mark.parametrize("name", [RECORDS, MANIFEST, SUMS])
def test_bytes_all_over_a_small_run_matter(small, name):
    draw = random.Random(name)
    assert verify(small).covered
    size = (small / name).stat().st_size
    missed = [
        at
        for at in range(draw.randrange(7), size, 7)
        if not flipped(small, name, at, draw.randrange(8), by_sums)
    ]
    assert not missed
    assert verify(small).covered


@pytest.mark.slow
def test_random_bytes_of_a_larger_run_matter(larger):
    draw = random.Random(5)
    for _ in range(60):
        name = draw.choice([RECORDS, MANIFEST, SUMS])
        place = draw.randrange((larger / name).stat().st_size)
        assert flipped(larger, name, place, draw.randrange(8)), (name, place)


@pytest.mark.trust
@pytest.mark.parametrize("bit", range(8))
@pytest.mark.parametrize("name", [RECORDS, MANIFEST, SUMS])
def test_every_bit_of_a_small_run_matters(small, name, bit):
    size = (small / name).stat().st_size
    assert [at for at in range(size) if not flipped(small, name, at, bit, by_sums)] == []


def test_a_journal_of_calls_that_was_changed_is_found(tmp_path):
    """It is written where a budget is kept, and says what was paid."""
    with ChatServer("A") as server:
        run = ["run", "exercises", "--n", "1", "--limit", "3", "-m", server.spec, "--quiet"]
        assert main([*run, "--budget", "9calls", "--out", str(tmp_path / "run")]) == 0
    assert main(["verify", str(tmp_path / "run")]) == 0
    journal = tmp_path / "run" / "calls.jsonl"
    journal.write_text(journal.read_text("utf-8").replace('"call":3', '"call":4'), "utf-8")
    assert main(["verify", str(tmp_path / "run")]) == 1


def test_lines_that_are_gone_or_swapped_are_found(larger, tmp_path):
    folder = tmp_path / "run"
    lines = (larger / RECORDS).read_bytes().splitlines(True)
    for edited in (lines[:-1], lines[1:], [lines[1], lines[0], *lines[2:]], []):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(larger, folder)
        (folder / RECORDS).write_bytes(b"".join(edited))
        assert any(RECORDS in fault for fault in verify(folder).faults)


def test_a_file_that_is_gone_is_found_and_one_that_came_later_is_named(larger, tmp_path):
    folder = tmp_path / "run"
    shutil.copytree(larger, folder)
    (folder / "more.json").write_text("{}")
    found = verify(folder)
    assert found.covered
    assert any("more.json" in note for note in found.notes)
    (folder / FAILURES).write_text("")
    found = verify(folder)
    assert not found.faults
    assert not found.covered
    assert any(FAILURES in note for note in found.notes)
    assert main(["verify", str(folder)]) == 0
    assert main(["verify", str(folder), "--strict"]) == 1
    (folder / RECORDS).write_bytes(b"")
    assert any(RECORDS in fault for fault in verify(folder).faults)


@pytest.mark.slow
def test_sha256sum_itself_reads_the_list(larger, tmp_path):
    if shutil.which("sha256sum") is None:
        pytest.skip("sha256sum is not installed")
    folder = shutil.copytree(larger, tmp_path / "run")
    words = ["sha256sum", "--strict", "-c", SUMS]
    assert subprocess.run(words, cwd=folder, capture_output=True, check=False).returncode == 0
    changed_records(folder)
    assert subprocess.run(words, cwd=folder, capture_output=True, check=False).returncode != 0


def test_a_list_that_sha256sum_wrote_is_read(larger, tmp_path):
    folder = shutil.copytree(larger, tmp_path / "run")
    lines = (folder / SUMS).read_text("utf-8")
    (folder / SUMS).write_text(lines.replace("  ", " *"))
    assert verify(folder).covered


# what becomes of a run


def test_a_run_under_way_has_no_list_and_verifies(tmp_path):
    with RunFolder(tmp_path, manifest(6)) as log:
        log.append(record(0))
    assert verify(tmp_path).covered
    with RunFolder(tmp_path, manifest(6)) as log:
        log.append(record(1))
        found = verify(tmp_path)
        assert not (tmp_path / SUMS).exists()
        assert not found.faults
        assert not found.covered
        assert any("a session is going on" in note for note in found.notes)
    assert verify(tmp_path).covered


def test_a_killed_run_verifies_and_its_next_session_covers_all(tmp_path, monkeypatch):
    with RunFolder(tmp_path, manifest(6)) as log:
        log.append(record(0))
    with monkeypatch.context() as patch:
        patch.setattr("zhiyin.engine.log.write_sums", lambda _: None)  # killed before that
        with RunFolder(tmp_path, manifest(6)) as log:
            log.append(record(1))
    with (tmp_path / RECORDS).open("ab") as file:
        file.write(b'{"id":"t/1","ver')
    found = verify(tmp_path)
    assert not found.faults
    assert not found.covered
    assert any("torn" in note for note in found.notes)
    assert any(f"there is no {SUMS}" in note for note in found.notes)
    with RunFolder(tmp_path, manifest(6)) as log:
        log.append(record(2))
    assert verify(tmp_path).covered


def test_a_run_on_a_full_disk_ends_without_a_list(tmp_path, monkeypatch):
    def full(_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("zhiyin.engine.log.write_sums", full)
        with RunFolder(tmp_path, manifest(6)) as log:
            log.append(record(0))
    assert verify(tmp_path).faults == []


@pytest.mark.parametrize("moment", ["_separate", "replace", "after"])
def test_a_kill_while_superseded_lines_move_damages_nothing(tmp_path, monkeypatch, moment):
    class KilledError(BaseException):
        pass

    def die(*_):
        raise KilledError

    answers = Scripted(lambda name, before: ValueError("no") if name == "t/1" else "A")
    asyncio.run(examine(tmp_path, answers, 4))
    with monkeypatch.context() as patch:
        log = RunFolder(tmp_path, manifest(4))
        log.append(record(1))
        patch.setattr("zhiyin.engine.log.write_sums", lambda _: None)
        if moment == "_separate":
            patch.setattr(RunFolder, "_separate", die)
        elif moment == "replace":
            patch.setattr("pathlib.Path.replace", die)
        if moment == "after":
            log.retire_superseded()
        else:
            with pytest.raises(KilledError):
                log.retire_superseded()
        log.close()
    assert verify(tmp_path).faults == []
    with RunFolder(tmp_path, manifest(4)) as log:
        log.retire_superseded()
    found = verify(tmp_path)
    assert found.covered
    assert found.records == 4
    assert (tmp_path / FAILURES).is_file()


def test_shards_and_what_is_merged_of_them_verify(tmp_path):
    for index in (1, 2):
        run_songs(tmp_path / str(index), shard=Shard(index, 2))
        assert verify(tmp_path / str(index)).covered
    merge([tmp_path / "1", tmp_path / "2"], tmp_path / "whole")
    found = verify(tmp_path / "whole", rescore=False)
    assert found.covered
    assert found.records == sum(verify(tmp_path / str(index)).records for index in (1, 2))


def test_notes_leave_the_list_as_it_is_and_are_named(larger, tmp_path):
    folder = shutil.copytree(larger, tmp_path / "run")
    before = (folder / SUMS).read_bytes()
    Notebook(folder).add("note", "odd")
    found = verify(folder)
    assert (folder / SUMS).read_bytes() == before
    assert found.covered
    assert any("notes.jsonl" in note for note in found.notes)


@pytest.mark.slow
def test_judged_and_rescored_runs_verify_with_all_within(tmp_path, capsys):
    run, again = tmp_path / "run", tmp_path / "again"
    reviewer = "python:zhiyin.plugins.benchmarks.appraisal.reviewer:review"
    words = ["--source", "generated", "--n", "1", "--language", "en", "--quiet"]
    main(["run", "appraisal", *words, "-m", reviewer, "--out", str(run)])
    assert main(["judge", str(run), "-m", "lexical"]) == 0
    main(["rescore", str(run), "--extract", "flexible", "--out", str(again)])
    capsys.readouterr()
    assert main(["verify", str(run), str(again), "--strict", "--rescore", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["runs"]
    assert len(found) == 3
    assert all(one["covered"] and one["rescored"]["differ"] == [] for one in found)
    judged = next(run.glob("judged-*"))
    changed = (judged / MANIFEST).read_bytes().replace(b'"planned": ', b'"planned":1')
    (judged / MANIFEST).write_bytes(changed)
    assert main(["verify", str(run)]) == 1


def test_a_run_without_a_list_says_so_and_its_command_writes_one(larger, tmp_path, capsys):
    folder = shutil.copytree(larger, tmp_path / "run")
    (folder / SUMS).unlink()
    assert main(["verify", str(folder)]) == 0
    assert "giving its command again writes it" in " ".join(capsys.readouterr().out.split())
    assert main(["verify", str(folder), "--strict"]) == 1
    assert main([*LARGER, "--out", str(folder)]) == 0
    assert main(["verify", str(folder), "--strict"]) == 0


def test_a_torn_list_is_found_and_the_next_session_writes_it_anew(tmp_path):
    with RunFolder(tmp_path, manifest(2)) as log:
        log.append(record(0))
    path = tmp_path / SUMS
    path.write_bytes(path.read_bytes()[:-20])
    assert verify(tmp_path).faults == [
        f"{SUMS}: line 2 names no file of the folder with its SHA-256"
    ]
    with RunFolder(tmp_path, manifest(2)) as log:
        log.append(record(1))
    assert verify(tmp_path).covered


# sums of earlier versions


def earlier(run, *more):
    """A run with the sums of an earlier version, of which records are a tree of hashes."""
    lines = [
        {
            "file": name, "at": "2026-01-02", "bytes": len(data),
            "digest": "0" * 64 if name == RECORDS else hashlib.sha256(data).hexdigest(),
        }
        for name in sorted(path.name for path in run.iterdir() if path.name != SUMS)
        if (data := (run / name).read_bytes())
    ]  # fmt: skip
    (run / SUMS).unlink()
    text = "".join(json.dumps({"chain": "", **one}) + "\n" for one in [*lines, *more])
    (run / EARLIER_SUMS).write_text(text)
    return run


def test_sums_of_an_earlier_version_are_checked_as_far_as_that_goes(larger, tmp_path):
    run = shutil.copytree(larger, tmp_path / "run")
    Notebook(run).add("note", "odd")
    earlier(run)
    (run / "signed.json").write_text("{}")
    Notebook(run).add("note", "odder")  # a file of lines that has only grown
    found = verify(run)
    assert found.faults == []
    assert not found.covered
    told = " ".join(found.notes)
    assert "not checked any more: the tree of hashes" in told
    assert "its signature" in told
    assert f"not checked by a sum: {RECORDS}" in told
    for name in (MANIFEST, "notes.jsonl"):
        assert flipped(run, name, 5, 0, by_sums), name
    (run / RECORDS).write_bytes((run / RECORDS).read_bytes().splitlines(True)[0])
    assert any(RECORDS in fault for fault in verify(run).faults)


def test_what_an_earlier_version_found_changed_stays_told(small, tmp_path):
    manifest_now = (small / MANIFEST).read_bytes()
    line = {
        "file": MANIFEST, "at": "2026-01-03", "bytes": len(manifest_now),
        "digest": hashlib.sha256(manifest_now).hexdigest(), "changed": "was changed by hand",
    }  # fmt: skip
    run = earlier(shutil.copytree(small, tmp_path / "run"), line)
    assert verify(run).faults == [f"{MANIFEST}: was changed by hand (seen 2026-01-03)"]
    (run / EARLIER_SUMS).write_text("torn")
    assert any("torn by a power cut" in fault for fault in verify(run).faults)


def test_a_file_whose_coming_sum_was_written_before_it_is_no_fault(small, tmp_path):
    coming = {"file": MANIFEST, "at": "2026-01-03", "bytes": 3, "digest": "1" * 64, "coming": True}
    assert verify(earlier(shutil.copytree(small, tmp_path / "run"), coming)).faults == []


@pytest.mark.slow
def test_going_on_with_a_run_of_an_earlier_version_writes_the_list(larger, tmp_path):
    run = earlier(shutil.copytree(larger, tmp_path / "run"))
    assert main([*LARGER, "--out", str(run)]) == 0
    assert not (run / EARLIER_SUMS).exists()
    assert main(["verify", str(run), "--strict", "--rescore"]) == 0


@pytest.mark.slow
def test_records_of_another_form_and_another_sound_are_found(tmp_path, capsys):
    run = tmp_path / "run"
    chords, sounds = ["--task", "chords", "--n", "1"], str(tmp_path / "s")
    main(["stimuli", "make", *chords, "--seed", "1", "--out", sounds])
    words = [*chords, "--stimuli", sounds, "-m", "first", "--limit", "2", "--quiet"]
    main(["run", "perception", *words, "--source", "generated", "--out", str(run)])
    assert verify(run).covered
    sound = next((tmp_path / "s").rglob("*.wav"))
    data = bytearray(sound.read_bytes())
    data[-1] ^= 1
    sound.write_bytes(data)
    assert any("SHA-256" in fault for fault in verify(run).faults)
    sound.unlink()
    found = verify(run)
    assert not found.faults
    assert any("not here" in note for note in found.notes)
    found = Verified(run)
    _check_media(found, {("a\0b", "x"): None, ("/dev/zero", "x"): None})
    assert found.notes == ["2 of 2 sounds and pictures are not here"]
    with (run / RECORDS).open("ab") as file:
        file.write(b'{"id":1}\n')
    assert any("not a record" in fault for fault in verify(run).faults)


@pytest.mark.parametrize("name", ["/dev/zero", "../other", "link"])
def test_sums_of_somebody_else_open_nothing_outside_the_folder(larger, tmp_path, name):
    (tmp_path / "other").write_text("")
    run = shutil.copytree(larger, tmp_path / "run")
    (run / "link").symlink_to("/dev/zero")
    empty = hashlib.sha256(b"").hexdigest()
    with (run / SUMS).open("a") as file:
        file.write(f"{empty}  {name}\n")
    assert len(verify(run).faults) == 1
    (run / "link").unlink()
    line = {"file": name, "at": "2026", "bytes": 0, "digest": empty}
    found = check_sums(earlier(run, line))
    assert found.get(name) != ""


# scored again


@pytest.mark.slow
def test_every_record_scored_again_is_what_is_written(larger, tmp_path):
    assert main(["verify", str(larger), "--rescore"]) == 0
    folder = tmp_path / "run"
    shutil.copytree(larger, folder)
    log = folder / RECORDS
    lines = log.read_text().splitlines(True)
    record = json.loads(lines[0])
    state = record["verdict"]["state"]
    other = "correct" if state == "wrong" else "wrong"
    lines[0] = lines[0].replace(f'"state":"{state}"', f'"state":"{other}"', 1)
    log.write_text("".join(lines))
    (folder / SUMS).unlink()  # whoever may write the folder may write a new list, and yet:
    write_sums(folder)
    assert main(["verify", str(folder)]) == 0
    assert main(["verify", str(folder), "--rescore"]) == 1


def test_items_that_are_made_otherwise_are_found(larger, tmp_path):
    folder = tmp_path / "run"
    shutil.copytree(larger, folder)
    path = folder / MANIFEST
    told = json.loads(path.read_text())
    told["options"]["seed"] = 5
    path.write_text(json.dumps(told))
    (folder / SUMS).unlink()
    assert any("items are others" in fault for fault in verify(folder, rescore=True).faults)


# signatures, which other programs make


@pytest.mark.slow
def test_minisign_signs_the_list_as_the_page_shows(larger, tmp_path):
    if shutil.which("minisign") is None:
        pytest.skip("minisign is not installed")
    shutil.copytree(larger, tmp_path / "runs" / "mine")
    page = (REPOSITORY / "docs" / "verify.md").read_text("utf-8")
    make, sign, check = re.findall(r"^minisign -.*?(?=$| &&)", page, re.MULTILINE)

    def done(line, *more):
        words = [*line.split(), *more]
        return subprocess.run(words, cwd=tmp_path, check=False, capture_output=True).returncode == 0

    assert done(make, "-W")  # without a password, which would be asked for
    assert done(sign)
    assert done(check)
    assert verify(tmp_path / "runs" / "mine").covered
    with (tmp_path / "runs" / "mine" / SUMS).open("a") as file:
        file.write("\n")
    assert not done(check)


@pytest.mark.parametrize(
    "words",
    [
        *(["repeat", "RUN", "--out", "x"], ["sign", "RUN", "--key", "me"]),
        *(["verify", "RUN", "--key", "me.pub"], ["verify", "RUN", "--prove", "x"]),
        *(["verify", "FILE", "--root", "x"], ["verify", "RUN", "--seal"]),
        ["leaderboard", "RUN", "-o", "board", "--key=me.pub"],
    ],
)
def test_who_types_what_is_gone_is_told_what_does_it_now(words, capsys):
    assert main(words) == 2
    told = capsys.readouterr().err
    assert "is gone" in told
    assert ("zhiyin compare" if words[0] == "repeat" else "SHA256SUMS") in told
    assert told.count("\n") == 1


# private seeds


@pytest.mark.slow
def test_a_private_seed_is_committed_to_and_shown_later(tmp_path, capsys):
    file, run = str(tmp_path / "seed"), str(tmp_path / "run")
    assert main(["seed", file, "--json"]) == 0
    commitment = json.loads(capsys.readouterr().out)["commitment"]
    assert main([*EXERCISES, "--private-seed", file, "--out", run]) == 0
    assert main(["seed", file, "--check", commitment, "--run", run]) == 0
    assert main(["seed", file]) == 2  # it is not drawn again
    assert main(["seed", file, "--check", "0" * 64]) == 2
    plain = str(tmp_path / "plain")
    assert main([*EXERCISES, "--out", plain]) == 0
    assert main(["seed", file, "--check", commitment, "--run", plain]) == 2
    assert main([*EXERCISES, "--private-seed", file, "--seed", "4", "--out", plain]) == 2


@pytest.mark.slow
def test_a_leaderboard_tells_of_the_commitment_and_not_of_the_seed(tmp_path, capsys):
    """It is published before the seed is."""
    root, board = tmp_path / "runs", tmp_path / "board"
    for name in ("one", "two"):
        main(["seed", str(tmp_path / name)])
        words = ["--private-seed", str(tmp_path / name), "--out", str(root / name)]
        assert main([*EXERCISES, *words]) == 0
    words = ["leaderboard", str(root), "-o", str(board)]
    capsys.readouterr()
    assert main([*words, "--no-apart"]) == 2
    told = capsys.readouterr().err
    assert main([*words, "--apart", "--json"]) == 0
    written = "".join(path.read_text() for path in sorted(board.iterdir()) if path.is_file())
    printed = capsys.readouterr()
    for name in ("one", "two"):
        seed = str(json.loads((tmp_path / name).read_text())["seed"])
        assert read_manifest(root / name).config["seed_commitment"] in written
        assert seed not in written + told + printed.out + printed.err
        assert seed not in methods_paragraph([root / name])
    assert "private seed" not in printed.err
    assert main([*words, "--apart", "--reports"]) == 0
    assert "hold the questions of a private seed" in capsys.readouterr().err
