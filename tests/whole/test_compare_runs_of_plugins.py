"""`zhiyin compare`: pairs, clusters, families, rankings, and what is refused."""

import shutil

import msgspec

from findings_help import answered, choice, student, write_run
from said_help import texts
from zhiyin.analysis.compare import compare
from zhiyin.cli import main
from zhiyin.engine.folder import MANIFEST, Manifest


def test_the_group_of_a_benchmarks_headline_is_tested_as_the_whole(tmp_path):
    """Groups that say nothing do not make the music of MMAU, all that was asked, exploratory."""
    asked = [choice(f"{i}", groups=("music", f"music/{i % 10}")) for i in range(40)]
    runs = [
        write_run(tmp_path / name, "mmau", name, map(student(name, gift), asked))
        for name, gift in (("good", 0.8), ("bad", 0.35))
    ]
    rows = {row.group: row for row in compare(runs).pairs[0].groups}
    assert rows["music"].p_adjusted == rows["music"].p == rows["all"].p_adjusted
    assert (rows["music"].family, rows["music/0"].family) == ("music", "exploratory")
    declared = compare(runs, families=["music*"]).pairs[0].groups
    assert {row.family for row in declared} == {"all", "music*"}


def test_a_copy_of_a_run_is_no_second_measurement(tmp_path, capsys):
    """All its letters are right, so that nothing but its id tells it from another's."""
    trials = [choice(f"q{n}", groups=("source/zhiyin",), gold="ABCD"[n % 4]) for n in range(40)]
    replies = [answered(trial, "ABCD"[n % 4], "ABCD"[n % 4]) for n, trial in enumerate(trials)]
    folder = write_run(tmp_path / "runs" / "a", "toy", "a", replies)
    place = folder / MANIFEST
    manifest = msgspec.json.decode(place.read_bytes(), type=Manifest)
    manifest.id = "0123456789abcdef"
    place.write_bytes(msgspec.json.encode(manifest))
    copy = tmp_path / "runs" / "b"
    shutil.copytree(folder, copy)
    found = compare([folder, copy])
    assert any("are copies of one run" in line for line in texts(found.warnings))
    assert main(["compare", str(folder), str(copy)]) == 0
    line = next(x for x in capsys.readouterr().out.splitlines() if x.startswith("all "))
    assert line.split()[4:8] == ["0.0", "-", "-", "-"]
    assert main(["leaderboard", str(tmp_path / "runs"), "-o", str(tmp_path / "page")]) == 0
    assert "are copies of one run" in " ".join(capsys.readouterr().out.split())
    manifest.id = "fedcba9876543210"
    (copy / MANIFEST).write_bytes(msgspec.json.encode(manifest))
    assert not any("copies of one run" in line for line in texts(compare([folder, copy]).warnings))
