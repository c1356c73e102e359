"""A run is what was written: every later change of a byte is found, and what is open is said."""

import asyncio
import json
import random
import shutil
import subprocess

import msgspec
import pytest

from engine import Scripted, examine, manifest, score, trials
from shards_help import run as run_songs
from zhiyin.cli import main
from zhiyin.engine import sums
from zhiyin.engine.folder import FAILURES, MANIFEST, RECORDS, Shard, read_manifest, read_records
from zhiyin.engine.log import RunFolder
from zhiyin.engine.merging import merge
from zhiyin.engine.sums import SUMS, Sum, Tree, check_sums, proof_of, read_sums, root_by, seal
from zhiyin.labbook.notes import Notebook
from zhiyin.record import Exchange, Record, Reply, Turn
from zhiyin.report.methods import methods_paragraph
from zhiyin.session.signing import check_signature
from zhiyin.session.verifying import Verified, _check_media, verify

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
    """What the sums alone find, of all that `verify` looks at."""
    files, wrong = check_sums(folder)
    return wrong + [one.why for one in files if one.state in ("changed", "missing")]


def states(folder):
    return {one.file: one.state for one in check_sums(folder)[0]}


def changed_records(folder):
    log = folder / RECORDS
    data = bytearray(log.read_bytes())
    data[data.index(b'"text":"') + len(b'"text":"')] ^= 1
    log.write_bytes(data)


# every byte


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


def test_lines_that_are_gone_or_swapped_are_found(larger, tmp_path):
    folder = tmp_path / "run"
    lines = (larger / RECORDS).read_bytes().splitlines(True)
    for edited in (lines[:-1], lines[1:], [lines[1], lines[0], *lines[2:]], []):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(larger, folder)
        (folder / RECORDS).write_bytes(b"".join(edited))
        assert any(RECORDS in fault for fault in verify(folder).faults)


def test_a_file_that_is_gone_is_found_and_one_that_is_new_is_named(larger, tmp_path):
    folder = tmp_path / "run"
    shutil.copytree(larger, folder)
    (folder / "more.txt").write_text("more")
    found = verify(folder)
    assert not found.faults
    assert not found.covered
    assert any("more.txt" in note for note in found.notes)
    assert main(["verify", str(folder)]) == 0
    assert main(["verify", str(folder), "--strict"]) == 1
    assert main(["verify", str(folder), "--seal", "--strict"]) == 0
    (folder / "more.txt").unlink()
    assert main(["verify", str(folder)]) == 1


# what becomes of a run


def test_a_run_under_way_verifies_and_says_what_is_open(tmp_path):
    with RunFolder(tmp_path, manifest(6)) as log:
        log.append(record(0))
    assert verify(tmp_path).covered
    with RunFolder(tmp_path, manifest(6)) as log:
        log.append(record(1))
        log.append(record(2))
        found = verify(tmp_path)
        assert not found.faults
        assert "1 records are covered, and 2 after them are not: a session is going on" in (
            " ".join(found.notes)
        )
        assert states(tmp_path) == {RECORDS: "grown", MANIFEST: "sealed"}
    assert verify(tmp_path).covered


def test_a_killed_run_verifies_and_its_next_session_covers_all(tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr("zhiyin.engine.log.seal_quietly", lambda *_: None)  # killed before that
        with RunFolder(tmp_path, manifest(6)) as log:
            log.append(record(0))
    with (tmp_path / RECORDS).open("ab") as file:
        file.write(b'{"id":"t/1","ver')
    found = verify(tmp_path)
    assert not found.faults
    assert any("torn" in note for note in found.notes)
    assert any(RECORDS in note and "not covered" in note for note in found.notes)
    with RunFolder(tmp_path, manifest(6)) as log:
        log.append(record(1))
    assert verify(tmp_path).covered


@pytest.mark.parametrize("moment", ["seal", "_part", "announce", "replace", "after"])
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
        patch.setattr("zhiyin.engine.log.seal_quietly", lambda *_: None)
        if moment == "_part":
            patch.setattr(RunFolder, "_separate", die)
        elif moment in ("seal", "announce"):
            patch.setattr(f"zhiyin.engine.log.{moment}", die)
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


@pytest.mark.parametrize("moment", ["before", "between"])
def test_a_kill_around_the_manifest_damages_nothing(tmp_path, monkeypatch, moment):
    with RunFolder(tmp_path, manifest(2)) as log:
        log.append(record(0))
    with monkeypatch.context() as patch:
        patch.setattr("zhiyin.engine.log.seal_quietly", lambda *_: None)
        log = RunFolder(tmp_path, manifest(2))
        log.manifest.label = "other"
        place = "write_summed" if moment == "before" else "write_atomically"
        module = "log" if moment == "before" else "sums"
        patch.setattr(f"zhiyin.engine.{module}.{place}", lambda *_, **__: None)
        log.write_manifest()
        log.close()
    assert verify(tmp_path).faults == []
    with RunFolder(tmp_path, manifest(2)):
        pass
    assert verify(tmp_path).covered


def test_an_edit_is_not_covered_up_by_another_session(tmp_path):
    with RunFolder(tmp_path, manifest(4)) as log:
        log.append(record(0))
        log.append(record(1))
    changed_records(tmp_path)
    with RunFolder(tmp_path, manifest(4)) as log:
        log.append(record(2))
    found = verify(tmp_path)
    assert all(one.state == "sealed" for one in found.files)
    assert any("changed by something else" in fault for fault in found.faults)


def test_an_edit_of_the_manifest_is_not_covered_up_either(tmp_path):
    with RunFolder(tmp_path, manifest(4)) as log:
        log.append(record(0))
    path = tmp_path / MANIFEST
    path.write_text(path.read_text().replace('"label": ""', '"label": "x"'))
    with RunFolder(tmp_path, manifest(4)) as log:
        log.append(record(1))
    assert any(MANIFEST in fault for fault in verify(tmp_path).faults)


def test_shards_and_what_is_merged_of_them_verify(tmp_path):
    for index in (1, 2):
        run_songs(tmp_path / str(index), shard=Shard(index, 2))
        assert verify(tmp_path / str(index)).covered
    merge([tmp_path / "1", tmp_path / "2"], tmp_path / "whole")
    found = verify(tmp_path / "whole", rescore=False)
    assert found.covered
    assert found.records == sum(verify(tmp_path / str(index)).records for index in (1, 2))


@pytest.mark.slow
def test_notes_are_covered_as_they_are_made(larger, tmp_path):
    folder = tmp_path / "run"
    shutil.copytree(larger, folder)
    notes = Notebook(folder)
    notes.add("note", "odd")
    notes.add("tag", "first")
    assert verify(folder).covered
    size = (folder / "notes.jsonl").stat().st_size
    assert all(flipped(folder, "notes.jsonl", at, 0) for at in range(size))


@pytest.mark.slow
def test_judged_and_rescored_runs_verify_with_all_within(tmp_path, capsys):
    run, again = tmp_path / "run", tmp_path / "again"
    reviewer = "python:zhiyin.benchmarks.appraisal.reviewer:review"
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


def test_a_run_from_before_there_were_sums_says_so(larger, tmp_path, capsys):
    folder = tmp_path / "run"
    shutil.copytree(larger, folder)
    (folder / SUMS).unlink()
    assert main(["verify", str(folder)]) == 0
    assert "nobody has summed it" in " ".join(capsys.readouterr().out.split())
    assert main(["verify", str(folder), "--seal", "--strict"]) == 0
    # Sums that somebody asks for later say nothing of what was before, then and ever after.
    for words in ([], ["--seal"], ["--rescore"]):
        capsys.readouterr()
        assert main(["verify", str(folder), *words]) == 0
        told = " ".join(capsys.readouterr().out.split())
        assert "is what it was when it was sealed" in told
        assert "what it was before nobody can say" in told
        assert "is what was written" not in told


def test_what_a_session_sums_is_not_called_late(larger, tmp_path, capsys):
    folder = tmp_path / "run"
    shutil.copytree(larger, folder)
    assert main(["verify", str(folder), "--seal"]) == 0  # nothing was left to sum
    assert "is what was written" in " ".join(capsys.readouterr().out.split())
    assert not any(one.late for one in check_sums(folder)[0])
    (folder / "more.jsonl").write_text("{}\n")
    assert main(["verify", str(folder), "--seal"]) == 0
    assert [one.file for one in check_sums(folder)[0] if one.late] == ["more.jsonl"]


def test_a_sum_that_was_torn_is_found_and_the_next_session_goes_on(tmp_path):
    with RunFolder(tmp_path, manifest(2)) as log:
        log.append(record(0))
    path = tmp_path / SUMS
    path.write_bytes(path.read_bytes()[:-20])
    assert any("torn" in fault for fault in verify(tmp_path).faults)
    with RunFolder(tmp_path, manifest(2)) as log:
        log.append(record(1))
    assert verify(tmp_path).covered


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
    run = shutil.copytree(larger, tmp_path / "run")
    (run / "link").symlink_to("/dev/zero")
    with sums._appending(run) as (_, add):
        add(Sum(name, "now", 5, "0" * 64))
    faults = verify(run).faults
    assert any("line" in fault or "is gone" in fault for fault in faults)


# scored again


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
    (folder / SUMS).unlink()  # whoever may write the folder may write new sums, and yet:
    assert main(["verify", str(folder), "--seal"]) == 0
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


# the tree


def plain_root(leaves):
    """The definition of RFC 6962, word for word."""
    import hashlib

    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return hashlib.sha256(b"\0" + leaves[0]).digest()
    k = 1
    while 2 * k < len(leaves):
        k *= 2
    return hashlib.sha256(b"\1" + plain_root(leaves[:k]) + plain_root(leaves[k:])).digest()


def test_the_tree_is_that_of_the_standard_and_shows_single_leaves():
    for size in range(34):
        leaves = [bytes([n]) * n for n in range(size)]
        tree = Tree()
        for leaf in leaves:
            tree.add(leaf)
        assert tree.root() == plain_root(leaves).hex()
        for n, leaf in enumerate(leaves):
            assert root_by(leaf, proof_of(leaves, n)) == tree.root()
            assert root_by(leaf + b"x", proof_of(leaves, n)) != tree.root()


def test_a_record_is_shown_to_belong_to_a_run_without_the_others(larger, tmp_path, capsys):
    one = next(read_records(larger))
    path = tmp_path / "one.json"
    assert main(["verify", str(larger), "--prove", one.id, "--out", str(path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["root"] == verify(larger).root
    assert main(["verify", str(path), "--root", told["root"]]) == 0
    assert repr(one.id) in capsys.readouterr().out
    shown = json.loads(path.read_text("utf-8"))
    assert msgspec.json.decode(shown["line"], type=Record) == one

    def refused(*words):
        assert main(["verify", *map(str, words)]) == 2
        return capsys.readouterr().err

    assert "no record 'other'" in refused(larger, "--prove", "other")
    assert "64 hexadecimal" in refused(path, "--root", "12")
    assert "does not show" in refused(path, "--root", "0" * 64)
    assert "is no proof" in refused(larger / MANIFEST, "--root", told["root"])
    assert "give one run" in refused(larger, path, "--root", told["root"])
    assert "give one run" in refused(larger, "--out", path)
    for change in ({"line": shown["line"].replace("1", "2", 1)}, {"path": shown["path"][1:]}):
        path.write_text(json.dumps(shown | change))
        assert "does not show" in refused(path, "--root", told["root"])
    path.write_text(json.dumps(shown | {"path": ["X"]}))
    assert "something else than hashes" in refused(path, "--root", told["root"])


def test_what_no_sum_covers_proves_nothing(small, tmp_path, capsys):
    run = shutil.copytree(small, tmp_path / "run")
    one = next(read_records(run))
    with (run / RECORDS).open("ab") as log:
        log.write((run / RECORDS).read_bytes().splitlines(keepends=True)[-1])
    assert main(["verify", str(run), "--prove", one.id]) == 2
    assert "prove nothing" in capsys.readouterr().err


def test_a_torn_line_that_was_summed_is_no_record_to_prove(small, tmp_path, capsys):
    run = shutil.copytree(small, tmp_path / "run")
    one = next(read_records(run))
    with (run / RECORDS).open("ab") as log:
        log.write(b'{"id": "torn')
    seal(run)
    assert main(["verify", str(run), "--prove", "other"]) == 2
    assert "no record 'other'" in capsys.readouterr().err
    path = tmp_path / "one.json"
    assert main(["verify", str(run), "--prove", one.id, "--out", str(path)]) == 0
    assert main(["verify", str(path), "--root", verify(run).root]) == 0


def test_two_who_write_sums_at_once_lose_none(tmp_path):
    from concurrent.futures import ThreadPoolExecutor

    from zhiyin.engine.sums import seal

    names = [f"{n}.txt" for n in range(16)]
    for name in names:
        (tmp_path / name).write_text(name)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda name: seal(tmp_path, [name]), names))
    known, wrong = read_sums(tmp_path)
    assert not wrong
    assert sorted(known) == sorted(names)


# signatures


@pytest.fixture
def signed(larger, tmp_path, capsys):
    folder, key = tmp_path / "run", tmp_path / "lab.key"
    shutil.copytree(larger, folder)
    assert main(["sign", "--new", str(key)]) == 0
    assert main(["sign", str(folder), "--key", str(key)]) == 0
    capsys.readouterr()
    return folder, f"{key}.pub"


def test_a_signature_is_good_for_its_key_and_no_other(signed, tmp_path, capsys):
    folder, key = signed
    assert main(["verify", str(folder), "--key", key, "--strict"]) == 0
    assert (tmp_path / "lab.key").stat().st_mode & 0o077 == 0
    assert main(["sign", "--new", str(tmp_path / "other.key")]) == 0
    assert main(["verify", str(folder), "--key", str(tmp_path / "other.key.pub")]) == 1
    line = (tmp_path / "lab.key.pub").read_text().splitlines()[1]
    assert main(["verify", str(folder), "--key", line]) == 0
    assert main(["verify", str(folder), "--key", "nonsense"]) == 2


@pytest.mark.slow
@pytest.mark.parametrize("name", ["signed.json", "signed.json.minisig"])
def test_every_byte_of_a_signature_matters(signed, name):
    folder, _ = signed
    draw = random.Random(name)
    size = (folder / name).stat().st_size

    def find(folder):
        return check_signature(folder).why

    missed = [at for at in range(size) if not flipped(folder, name, at, draw.randrange(8), find)]
    assert missed == []


def test_a_run_that_was_changed_with_new_sums_is_not_the_signed_one(signed, capsys):
    folder, key = signed
    changed_records(folder)
    (folder / SUMS).unlink()
    assert main(["verify", str(folder), "--seal", "--key", key]) == 1
    assert "is not what was signed" in " ".join(capsys.readouterr().out.split())


def test_a_note_does_not_touch_a_signature_and_going_on_does(signed, capsys):
    folder, key = signed
    Notebook(folder).add("note", "signed")
    assert main(["verify", str(folder), "--key", key, "--strict"]) == 0
    assert main([*LARGER, "--out", str(folder)]) == 0
    assert main(["verify", str(folder), "--key", key]) == 1


def test_verdicts_that_do_not_follow_are_not_signed_whatever_the_sums_say(signed, tmp_path, capsys):
    folder, _ = signed
    key = str(tmp_path / "lab.key")
    statement = json.loads((folder / "signed.json").read_text())
    assert statement["rescored"] == statement["records"] > 0
    assert "late" not in statement
    log = folder / RECORDS
    written = log.read_bytes()
    log.write_bytes(written.replace(b'"state":"wrong"', b'"state":"correct"'))
    assert log.read_bytes() != written
    (folder / SUMS).unlink()
    assert main(["verify", str(folder), "--seal", "--rescore"]) == 1
    capsys.readouterr()
    assert main(["sign", str(folder), "--key", key]) == 2
    told = capsys.readouterr().err
    assert "scored again" in told
    assert told.count("\n") == 1
    # The true verdicts under late sums are signed, and the statement says that they are late.
    log.write_bytes(written)
    (folder / SUMS).unlink()
    assert main(["verify", str(folder), "--seal"]) == 0  # signed as it is again
    capsys.readouterr()
    assert main(["sign", str(folder), "--key", key]) == 0
    assert "summed by --seal" in " ".join(capsys.readouterr().out.split())
    assert json.loads((folder / "signed.json").read_text())["late"] is True
    assert main(["verify", str(folder), "--key", f"{key}.pub"]) == 0


def test_the_terminals_leaderboard_names_a_signature_that_does_not_hold(signed, tmp_path, capsys):
    folder, _ = signed
    words = ["leaderboard", str(folder.parent), "-o", str(tmp_path / "board")]
    assert main(words) == 0
    assert "signature" not in capsys.readouterr().out
    statement = (folder / "signed.json").read_text()
    (folder / "signed.json").write_text(statement.replace('"accuracy": 0', '"accuracy": 1'))
    assert main(words) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "its signature is not valid: statement or signature were changed" in told


def test_what_is_not_covered_is_not_signed(signed, tmp_path, capsys):
    folder, _ = signed
    changed_records(folder)
    assert main(["sign", str(folder), "--key", str(tmp_path / "lab.key")]) == 2
    assert "not every byte is covered" in capsys.readouterr().err


def test_a_key_may_have_a_password(larger, tmp_path, monkeypatch, capsys):
    folder, key = tmp_path / "run", tmp_path / "key"
    shutil.copytree(larger, folder)
    monkeypatch.setenv("ZHIYIN_KEY_PASSWORD", "la la la")
    assert main(["sign", "--new", str(key)]) == 0
    assert main(["sign", "--new", str(key)]) == 2  # it is not written over
    assert main(["sign", str(folder), "--key", str(key)]) == 0
    monkeypatch.delenv("ZHIYIN_KEY_PASSWORD")
    assert main(["sign", str(folder), "--key", str(key)]) == 2
    assert "la la la" not in capsys.readouterr().err


def test_minisign_itself_finds_the_signature_good(signed):
    folder, key = signed
    if shutil.which("minisign") is None:
        pytest.skip("minisign is not installed")
    words = ["minisign", "-V", "-p", key, "-m", str(folder / "signed.json")]
    assert subprocess.run(words, capture_output=True, check=False).returncode == 0
    (folder / "signed.json").write_text("{}")
    assert subprocess.run(words, capture_output=True, check=False).returncode != 0


def test_a_leaderboard_shows_signed_runs_and_what_was_signed(signed, tmp_path, capsys):
    folder, key = signed
    root, out = tmp_path / "runs", tmp_path / "board"
    shutil.copytree(folder, root / "mine")
    words = ["leaderboard", str(root), "-o", str(out), "--json", "--lang", "en,zh"]

    def row(*more):
        assert main([*words, *more]) == 0
        return json.loads(capsys.readouterr().out)["boards"][0]["rows"][0]

    name = row("--key", key)["signed"]
    assert name in (tmp_path / "lab.key.pub").read_text()
    for file, word in (("index.html", "signed by"), ("index.zh.html", "签名者")):
        page = (out / file).read_text(encoding="utf-8")
        assert f'<a href="signed/1/signed.json"><bdi>{name}</bdi></a>' in page
        assert word in page
    for file in ("signed.json", "signed.json.minisig"):
        assert (out / "signed" / "1" / file).read_bytes() == (folder / file).read_bytes()
    main(["sign", "--new", str(tmp_path / "other")])
    capsys.readouterr()
    foreign = row("--key", str(tmp_path / "other.pub"))
    assert foreign["signed"] == ""
    assert "none of those given" in foreign["notes"][-1]["text"]
    changed_records(root / "mine")
    assert row()["signed"] == ""
    assert "is not valid" in row()["notes"][-1]["text"]


# private seeds


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


def test_a_statement_tells_of_the_commitment_and_not_of_the_seed(tmp_path, capsys):
    file, run, key = (str(tmp_path / name) for name in ("seed", "run", "key"))
    main(["seed", file])
    main([*EXERCISES, "--private-seed", file, "--out", run])
    main(["sign", "--new", key])
    main(["sign", run, "--key", key])
    seed = json.loads((tmp_path / "seed").read_text())["seed"]
    statement = (tmp_path / "run" / "signed.json").read_text()
    assert json.loads(statement)["seed_commitment"]
    assert str(seed) not in statement
    assert str(seed) in (tmp_path / "run" / MANIFEST).read_text()


def test_a_leaderboard_tells_of_the_commitment_and_not_of_the_seed(tmp_path, capsys):
    """It is published with the signed statements, before the seed is."""
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


# again


def write_model(folder, body):
    (folder / "answering.py").write_text(f"def answer(messages):\n    {body}\n")
    return f"python:{folder / 'answering.py'}:answer"


def test_a_run_again_is_compared_reply_by_reply(larger, tmp_path, capsys):
    assert main(["repeat", str(larger), "--out", str(tmp_path / "b"), "--quiet"]) == 0
    assert "asked, answered and judged alike" in capsys.readouterr().out
    assert main(["repeat", str(larger), "--out", str(larger)]) == 2
    with_other = ["repeat", str(larger), "--out", str(tmp_path / "c"), "-m", "random", "--json"]
    capsys.readouterr()
    assert main(with_other) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["items"] == 0
    assert found["replies"] > 0
    assert found["settings"] == ["model was first, now random"]
    assert found["examples"]


@pytest.mark.slow
def test_a_function_that_answers_otherwise_now_is_told(tmp_path, capsys):
    """Without a word on its settings: the function itself is what changed."""
    model = write_model(tmp_path, "return 'B'")
    run = [*EXERCISES[:-3], "-m", model, "--limit", "4", "--quiet", "--out", str(tmp_path / "a")]
    assert main(run) == 0
    script = tmp_path / "again.py"
    script.write_text("import sys\nfrom zhiyin.cli import main\nsys.exit(main(sys.argv[1:]))\n")
    # Longer: what was compiled in the same second counts as newer, where the size is the same.
    write_model(tmp_path, "return str('A')")
    words = ["repeat", str(tmp_path / "a"), "--out", str(tmp_path / "b"), "--quiet", "--json"]
    import sys

    done = subprocess.run(
        [sys.executable, str(script), *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done.stderr
    found = json.loads(done.stdout)
    assert (found["trials"], found["replies"], found["items"]) == (4, 4, 0)


def test_items_and_versions_that_are_others_are_told(larger, tmp_path, capsys):
    folder = tmp_path / "a"
    shutil.copytree(larger, folder)
    path = folder / MANIFEST
    told = json.loads(path.read_text())
    told["options"]["seed"] = 7
    told["versions"]["zhiyin"] = "0.0.1"
    path.write_text(json.dumps(told))
    main(["repeat", str(folder), "--out", str(tmp_path / "b"), "--json"])
    found = json.loads(capsys.readouterr().out)
    assert found["items"] + found["only_first"] > 0
    assert found["versions"][0].startswith("zhiyin was 0.0.1")
    assert any(one.startswith("data was") for one in found["settings"])
