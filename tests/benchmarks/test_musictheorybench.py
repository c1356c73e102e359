"""MusicTheoryBench: both splits of the published layout, examples, flaws, and faults in a line."""

from collections import Counter

import pytest

from listening_help import complaint, zhiyin
from notation_help import DEV, SCORE, TEST, make_theory, row
from zhiyin.contract.registry import open_benchmark


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return make_theory(tmp_path_factory.mktemp("mtb"))


def trials(folder, **options):
    return list(open_benchmark("musictheorybench", {"data": str(folder), **options}).trials())


def test_questions_become_trials(data):
    made = trials(data)
    assert Counter(trial.groups for trial in made) == {("knowledge",): 3, ("reasoning",): 3}
    assert [trial.target for trial in made] == ["B", "C", "D", "A", "B", "C"]
    assert made[3].stem == f"Which triad?\n{SCORE}"
    assert made[3].cluster == made[4].cluster != made[5].cluster
    assert "plain to see" not in "".join(trial.messages[0].text for trial in made)
    assert len(trials(data, subject=("reasoning",))) == 3


def test_examples_are_the_first_of_dev(data):
    trial = trials(data, shots=2, protocol="musictheorybench-few-shot")[0]
    assert [message.role for message in trial.messages] == ["user", "assistant"] * 2 + ["user"]
    assert [message.text for message in trial.messages[1::2]] == ["A", "B"]
    assert trial.messages[-1].text.endswith("\nD. augmented\nAnswer:")


def test_shuffled_options_keep_their_key(data):
    for trial in trials(data, shuffle=True, seed=3):
        texts = {option.key: option.text for option in trial.options}
        assert texts == {"A": "major", "B": "minor", "C": "diminished", "D": "augmented"}
    assert {t.options[0].letter for t in trials(data, shuffle=True)} == {"A"}
    assert len({t.options[0].key for t in trials(data, shuffle=True)}) > 1


def test_parquet_of_the_published_names_gives_the_same_trials(data, tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    (tmp_path / "data").mkdir()
    for split, rows in (("test", TEST), ("dev", DEV)):
        name = f"{split}-00000-of-00001-0b1d2a25639002c2.parquet"
        parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "data" / name)
    assert trials(tmp_path, shots=5) == trials(data, shots=5)
    assert trials(data / "test.jsonl", shots=5) == trials(data, shots=5)


def test_a_run_and_its_protocol(capsys, data, tmp_path):
    run = ("run", "musictheorybench", "--data", data, "-m", "first")
    protocol = ("--protocol", "musictheorybench-few-shot")
    status, summary = zhiyin(capsys, *run, *protocol, "--out", tmp_path / "run")
    assert status == 0, summary
    assert summary["protocol"]["departures"] == []
    assert summary["groups"]["all"]["accuracy"] == pytest.approx(1 / 6)
    assert summary["groups"]["reasoning"]["accuracy"] == pytest.approx(1 / 3)


def test_flaws_are_found(capsys, tmp_path):
    same = {"A": "major", "B": "major", "C": "x", "D": "y"}
    wrong = {"A": "x", "B": "y", "C": "y", "D": "major"}
    test = [
        row(1, options=same, answer="A"), row(2, options=wrong), row(3, options=wrong, answer="D"),
        row(4, stem=DEV[0]["stem"]), row(5), row(6, stem=row(5)["stem"], answer="A"),
        row(7, stem=row(5)["stem"], answer="B"),
    ]  # fmt: skip
    _, found = zhiyin(
        capsys, "data", "check", "musictheorybench", "--data", make_theory(tmp_path / "d", test)
    )
    kinds = {(flaw["kind"], flaw["id"]) for flaw in found["flaws"]}
    assert found["items"] == 12
    assert kinds == {
        ("target-repeated", "1"), ("target-repeated", "2"), ("repeated-option", "3"),
        ("example-in-test", "4"), ("conflicting-answers", "6"), ("repeated-question", "7"),
        ("incomplete", ""),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"answer": "E"}, "answer 'E' is none of its choices"),
        ({"answer": None}, "no answer"),
        ({"options": {"A": "x"}}, "1 choice, which must be 2"),
        ({"options": "x"}, "0 choices"),
        ({"stem": " "}, "no stem"),
        ({"id": 2}, "the id 2 stands twice"),
    ],
)
def test_bad_rows_are_one_line(capsys, tmp_path, change, told):
    folder = make_theory(tmp_path / "bad", [row(2), row(1, **change)])
    line = complaint(capsys, "run", "musictheorybench", "--data", folder, "-m", "first")
    assert told in line
    assert "row 2" in line


def test_other_bad_input_is_one_line(capsys, tmp_path, data):
    run = ("run", "musictheorybench", "-m", "first", "--data")
    assert "holds none of data/test-*.parquet" in complaint(capsys, *run, tmp_path)
    (tmp_path / "test.jsonl").write_text('{"stem": "x"}\n')
    assert "no column id" in complaint(capsys, *run, tmp_path)
    few = make_theory(tmp_path / "few", dev=DEV[:2])
    assert "--shots 5 needs 5" in complaint(capsys, *run, few, "--shots", "5")
    assert "shots" in complaint(capsys, *run, data, "--shots", "6")


def test_numbers_of_each_subject_are_told_apart(tmp_path):
    rows = [row(1), row(1, subject="reasoning"), row(2)]
    assert [trial.id for trial in trials(make_theory(tmp_path, rows))] == [
        "1", "reasoning-1", "2",
    ]  # fmt: skip
