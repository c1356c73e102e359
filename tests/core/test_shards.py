"""Shards: disjoint shares of a run that, merged, are the run of one machine."""

import random
import re
import shutil
import subprocess
import sys
from collections import defaultdict

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import suites_help
from conftest import REPOSITORY
from shards_help import Settings, Songs, Sure, canonical, killed, order, records, run
from zhiyin.analysis.summary import summarise
from zhiyin.cli import main
from zhiyin.engine.folder import SHARE, Shard, read_manifest, read_records
from zhiyin.engine.merging import merge
from zhiyin.errors import InputError
from zhiyin.session import estimate
from zhiyin.session.selection import Selection

pytestmark = pytest.mark.slow


def shards(of):
    return [Shard(index, of) for index in range(1, of + 1)]


def share(index, of, limit=None, sample=None, songs=12):
    return Selection(Songs(Settings(songs)), limit, sample, 3, Shard(index, of))


@given(
    st.integers(1, 64),
    st.integers(0, 40),
    st.one_of(st.none(), st.integers(1, 60)),
    st.one_of(st.none(), st.integers(1, 30)),
)
@settings(max_examples=25)
def test_shares_are_disjoint_whole_and_keep_together_what_belongs_together(
    of, songs, limit, sample
):
    every = Selection(Songs(Settings(songs)), limit, sample, 3)
    ids, sequences, owner = [], [], defaultdict(set)
    for index in range(1, of + 1):
        own = share(index, of, limit, sample, songs)
        here = list(own)
        assert len(own) == len(here)
        ids += [trial.id for trial in here]
        sequences += [sequence.id for sequence in own.sequences]
        for trial in here:
            owner["cluster", trial.cluster or trial.id].add(index)
            owner["item", trial.item or trial.id].add(index)
        for sequence in own.sequences:
            owner["item", sequence.item].add(index)
    assert sorted(ids) == sorted(trial.id for trial in every)
    assert sorted(sequences) == sorted(sequence.id for sequence in every.sequences)
    assert all(len(machines) == 1 for machines in owner.values())


def test_a_share_is_stable_when_the_run_is_extended():
    for index in (1, 2, 3):
        pilot, whole = share(index, 3, limit=20), share(index, 3)
        assert {t.id for t in pilot} <= {t.id for t in whole}
        assert {s.id for s in pilot.sequences} <= {s.id for s in whole.sequences}


def end_as_one(tmp_path, of, seed, **more):
    draw = random.Random(seed)
    whole = tmp_path / "whole"
    run(whole, **more)
    parts = []
    for shard in draw.sample(shards(of), of):
        out = tmp_path / f"shard{shard.index}"
        for _ in range(draw.randrange(3)):
            killed(out, draw.randrange(0, 12), draw, shard, **more)
        run(out, shard=shard, **more)
        parts.append(out)
    merged = merge(parts, tmp_path / "merged")
    assert records(merged.folder) == canonical(whole, songs=more.get("songs", 12))
    one, all_ = read_manifest(whole), read_manifest(merged.folder)
    for name in ("config", "options", "planned", "sequences", "declared", "benchmark", "model"):
        assert getattr(one, name) == getattr(all_, name), name
    assert all_.shard is None
    first, second = summarise(whole), summarise(merged.folder)
    for name in ("groups", "states", "complete", "warnings", "trials"):
        assert getattr(first, name) == getattr(second, name), name
    # It is that run: the same command finds nothing to ask.
    again = run(merged.folder, Sure(0), **more)
    assert again.outcome.asked == 0


@pytest.mark.sample(2)
@pytest.mark.parametrize(("of", "seed"), [(2, 1), (3, 2), (7, 3), (64, 5), (16, 4)])
def test_merged_shards_with_kills_in_between_are_the_run_of_one_machine(tmp_path, of, seed):
    end_as_one(tmp_path, of, seed)


def test_so_are_shards_of_a_sample(tmp_path):
    end_as_one(tmp_path, 4, 6, sample=9)


@pytest.mark.trust
@pytest.mark.parametrize("of", range(2, 65))
def test_so_are_any_number_of_shards(tmp_path, of):
    end_as_one(tmp_path, of, 100 + of, songs=20)


@pytest.fixture(scope="module")
def three(tmp_path_factory):
    folder = tmp_path_factory.mktemp("three")
    for shard in shards(3):
        run(folder / f"s{shard.index}", shard=shard)
    return folder


@pytest.fixture
def parts(three, tmp_path):
    return [shutil.copytree(three / f"s{n}", tmp_path / f"s{n}") for n in (1, 2, 3)]


def refused(parts, tmp_path):
    with pytest.raises(InputError) as error:
        merge(parts, tmp_path / "merged")
    assert not (tmp_path / "merged").exists()
    assert "\n" not in str(error.value)
    return str(error.value)


def test_shards_of_another_number_are_refused(parts, tmp_path):
    run(tmp_path / "other", shard=Shard(2, 4))
    told = refused([parts[0], tmp_path / "other", parts[2]], tmp_path)
    assert "shard was one of 3, now one of 4" in told


def test_missing_shards_are_named(parts, tmp_path):
    assert "shard 2 of 3 missing" in refused([parts[0], parts[2]], tmp_path)
    assert "shards 1, 3 of 3 missing" in refused([parts[1]], tmp_path)


def test_a_shard_that_is_given_twice_is_refused(parts, tmp_path):
    again = shutil.copytree(parts[0], tmp_path / "again")
    assert "are both shard 1/3" in refused([*parts, again], tmp_path)


def test_shares_that_overlap_are_refused_with_the_trial(parts, tmp_path):
    line = (parts[0] / SHARE).read_text().splitlines()[-1]
    with (parts[1] / SHARE).open("a") as file:
        file.write(line + "\n")
    name = msgspec.json.decode(line)[1]
    told = refused(parts, tmp_path)
    assert f"trial {name!r} is in {parts[0]} (1/3) and in {parts[1]} (2/3)" in told


def test_what_is_no_shard_is_refused(parts, tmp_path):
    run(tmp_path / "plain")
    assert "is no shard of a run" in refused([*parts, tmp_path / "plain"], tmp_path)


def test_a_folder_that_holds_something_is_left_alone(parts, tmp_path):
    (tmp_path / "merged").mkdir()
    (tmp_path / "merged" / "thesis.txt").write_text("mine")
    with pytest.raises(InputError, match="is there already"):
        merge(parts, tmp_path / "merged")
    assert (tmp_path / "merged" / "thesis.txt").read_text() == "mine"


def test_a_place_that_cannot_be_written_is_told_with_the_way_out(parts, tmp_path):
    (tmp_path / "notes").write_text("a file")
    with pytest.raises(InputError, match=r"cannot write .*/notes/merged: .*; choose another --out"):
        merge(parts, tmp_path / "notes" / "merged")


def test_failed_trials_are_merged_and_asked_again_by_one_machine(tmp_path):
    whole, parts = tmp_path / "whole", []
    run(whole, Sure(fails=True))
    for shard in shards(3):
        parts.append(tmp_path / f"s{shard.index}")
        run(parts[-1], Sure(fails=True), shard)
    merged = merge(parts, tmp_path / "merged").folder
    assert records(merged) == canonical(whole)
    assert summarise(merged).states["error"]
    run(merged)
    run(whole)
    assert sorted(r["id"] for r in records(merged)) == sorted(r["id"] for r in records(whole))
    assert summarise(merged).complete


def test_a_shard_goes_on_with_no_other_share(tmp_path):
    run(tmp_path / "s", shard=Shard(1, 3))
    for other, told in ((Shard(2, 3), "shard was 1/3, now 2/3"), (None, "now unset")):
        with pytest.raises(InputError, match=told):
            run(tmp_path / "s", shard=other)


def test_a_shard_without_a_trial_is_a_run_that_is_done(tmp_path):
    empty = next(shard for shard in shards(64) if not share(shard.index, 64).planned)
    found = run(tmp_path / "s", shard=empty)
    assert found.summary.complete
    assert found.outcome.asked == 0
    assert main(["show", str(tmp_path / "s")]) == 0


def test_an_estimate_is_of_the_share(tmp_path):
    import asyncio

    planned = [asyncio.run(estimate(order(tmp_path / "s", Sure(), s))).planned for s in shards(4)]
    whole = asyncio.run(estimate(order(tmp_path / "s", Sure()))).planned
    assert sum(planned) == whole


def test_the_commands_of_a_job_array(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    here = REPOSITORY / "tests" / "shards_help.py"
    for index in (1, 2, 3):
        command = ["run", f"{here}:Songs", "-m", "first", "--shard", f"{index}/3", "--quiet"]
        assert main(command) == 0
    parts = sorted((tmp_path / "runs").glob("songs-first-*-shard-*-of-3"))
    assert [part.name[-4:] for part in parts] == ["of-3"] * 3
    assert main(["merge", *map(str, parts), "--out", "merged"]) == 0
    told = capsys.readouterr()
    assert re.search(r"merged 3 shards: \d+ trials", told.err)
    assert main(["merge", *map(str, parts[:2]), "--out", "other"]) == 2
    assert "shard 3 of 3 missing" in capsys.readouterr().err


def test_a_shard_that_is_being_asked_is_refused(parts, tmp_path):
    script = "import fcntl, sys, time; file = open(sys.argv[1], 'ab'); fcntl.flock(file, 2)"
    script += "; print(1, flush=True); time.sleep(60)"
    holder = subprocess.Popen(
        [sys.executable, "-c", script, str(parts[0] / "records.jsonl")], stdout=subprocess.PIPE
    )
    try:
        assert holder.stdout
        holder.stdout.readline()
        assert "is being written" in refused(parts, tmp_path)
    finally:
        holder.kill()
        holder.wait()


def suite_of(folder, *words):
    """The command of the suite in a folder, without its long report; its exit status."""
    words = ["suite", folder / "small.toml", "--quiet", "--no-report", *words]
    return main([*map(str, words)])


def test_shards_of_a_suite_make_the_suite_that_one_machine_makes(tmp_path, capsys):

    (tmp_path / "small.toml").write_text(suites_help.suite(items=6))
    parts = [tmp_path / f"part-{number}" for number in (1, 2)]
    for number, part in enumerate(parts, 1):
        assert suite_of(tmp_path, "--shard", f"{number}/2", "--out", part) == 0
        assert not (part / "index.html").exists()  # figures of a share are nobody's
    assert suite_of(tmp_path, "--out", tmp_path / "whole") == 0
    capsys.readouterr()

    def refused(*words):
        assert main(list(map(str, words))) == 2
        return capsys.readouterr().err

    made = tmp_path / "made"
    assert "shard 2/2 missing" in refused("merge", parts[0], "--out", made)
    assert "both shard 1/2" in refused("merge", parts[0], parts[0], "--out", made)
    assert "no shard of a suite" in refused("merge", tmp_path / "whole", *parts, "--out", made)
    other = refused("suite", tmp_path / "small.toml", "--shard", "2/2", "--out", parts[0])
    assert "holds shard 1/2, not shard 2/2" in other
    assert "not the whole suite" in refused("suite", tmp_path / "small.toml", "--out", parts[0])
    assert not made.exists()

    assert main(["merge", *map(str, reversed(parts)), "--out", str(made)]) == 0
    assert suite_of(tmp_path, "--out", made) == 0  # nothing is left to ask: it is told
    assert (made / "index.html").exists()
    assert suites_help.logs(made) == suites_help.logs(tmp_path / "whole")


def test_a_shard_of_a_suite_that_is_not_done_is_not_merged(tmp_path, capsys):

    (tmp_path / "small.toml").write_text(suites_help.suite(items=6))
    parts = [tmp_path / f"part-{number}" for number in (1, 2)]
    for number, part in enumerate(parts, 1):
        assert suite_of(tmp_path, "--shard", f"{number}/2", "--out", part) == 0
    log = next((parts[1] / "runs").glob("*/records.jsonl"))
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:-1]))
    assert main(["merge", *map(str, parts), "--out", str(tmp_path / "made")]) == 2
    assert "not all is asked yet" in capsys.readouterr().err
    assert not (tmp_path / "made").exists()


def logged(run):
    return {record.id: record.exchange.final.text for record in read_records(run)}


def test_sequences_that_go_by_the_answers_are_shared_out_whole(tmp_path, capsys):
    ask = ["run", "thresholds", "-m", "random", "--quiet", "--limit", "3", "--cache", "off"]
    whole, parts = tmp_path / "whole", [tmp_path / "one", tmp_path / "two"]
    assert main([*ask, "--out", str(whole)]) == 0
    for number, part in enumerate(parts, 1):
        assert main([*ask, "--shard", f"{number}/2", "--out", str(part)]) == 0
    begun = [{r.trial.sequence for r in read_records(part)} for part in parts]
    assert all(begun)
    assert not begun[0] & begun[1]
    made = tmp_path / "made"
    assert main(["merge", *map(str, parts), "--out", str(made)]) == 0
    assert logged(made) == logged(whole)
    assert summarise(made).sequences == summarise(whole).sequences
