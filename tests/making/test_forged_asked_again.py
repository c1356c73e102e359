"""A forged set takes what MuChoMusic takes: repeats, rotations, figures of dimensions and shots."""

import csv
import itertools
import json
from collections import Counter, defaultdict

import pytest

import questions_help
from zhiyin import cli
from zhiyin.engine.folder import read_manifest, read_records
from zhiyin.plugins.paper.figures import write_figures
from zhiyin.runs.estimates import estimate
from zhiyin.runs.rows import rows_of

CATEGORIES = ("knowledge/melody", "knowledge/harmony", "reasoning/mood", "reasoning/genre")


@pytest.fixture(scope="module")
def forged(tmp_path_factory):
    """A folder in the layout of the forge: twelve questions, two worked examples."""
    folder = tmp_path_factory.mktemp("forged")
    rows = []
    for number in range(14):
        questions_help.tone(folder / "audio" / f"{number}.wav", 200 + 20 * number)
        rows.append({
            "id": f"q{number}", "question": f"What is heard in {number}?",
            "audio": f"audio/{number}.wav", "options": ["a lute", "a drum", "an oboe", "a bell"],
            "answer": "ABCD"[number % 4], "category": [CATEGORIES[number % 4]],
            "distractor_kinds": ["right" if n == number % 4 else kind
                                 for n, kind in enumerate(("ir", "cu", "iu", "ir"))],
            "example": number >= 12, "cluster": f"t{number}",
        })  # fmt: skip
    questions_help.jsonl(folder / "forged.jsonl", *rows)
    (folder / "listener.py").write_text(
        "import hashlib\n\ndef answer(messages):\n"
        "    text = str(messages)\n"
        "    return 'Answer: ' + 'ABCD'[hashlib.md5(text.encode()).digest()[0] % 4]\n"
    )
    return folder


def run(folder, out, *flags):
    words = ["run", folder / "forged.jsonl", "-m", f"python:{folder}/listener.py:answer"]
    assert cli.main([*map(str, words), "--out", str(out), "--quiet", *flags]) == 0
    return list(read_records(out))


def orders(records, item, **wanted):
    return [
        tuple(option.key for option in record.trial.options)
        for record in records
        if record.trial.item == item and wanted.items() <= record.trial.tags.items()
    ]


@pytest.mark.slow
def test_repeats_are_asked_in_fresh_order_and_count_as_one_item(forged, tmp_path):
    records = run(forged, tmp_path / "r", "--repeats", "3")
    assert len(records) == 36 == read_manifest(tmp_path / "r").planned
    assert Counter(record.trial.item for record in records) == {f"q{n}": 3 for n in range(12)}
    assert {record.trial.tags["repeat"] for record in records} == {1, 2, 3}
    fresh = [len({*orders(records, f"q{n}")}) for n in range(12)]
    assert sum(each > 1 for each in fresh) >= 10
    for record in records:
        keyed = {option.key: option.text for option in record.trial.options}
        assert keyed == dict(zip("ABCD", ("a lute", "a drum", "an oboe", "a bell"), strict=True))
    whole = estimate(rows_of(tmp_path / "r"))
    assert whole.items == 12


@pytest.mark.slow
def test_each_order_is_turned_round_and_round(forged, tmp_path):
    records = run(forged, tmp_path / "r", "--rotations", "all", "--repeats", "2")
    assert len(records) == 12 * 2 * 4
    assert len({record.id for record in records}) == len(records)
    for number, repeat in itertools.product(range(12), (1, 2)):
        found = orders(records, f"q{number}", repeat=repeat)
        first = found[0]
        assert found == [first[n:] + first[:n] for n in range(4)]
    places = Counter(r.trial.options[0].key for r in records)
    assert len({*places.values()}) == 1


@pytest.mark.slow
def test_with_other_conditions_each_is_asked_as_often(forged, tmp_path):
    flags = ("--audio", "true,none", "--distractors", "all,ir", "--rotations", "all")
    records = run(forged, tmp_path / "r", *flags)
    counts = defaultdict(set)
    for record in records:
        tags = record.trial.tags
        counts[record.trial.item, tags["audio"], tags["distractors"]].add(tags["rotation"])
    assert {len(own) for (_, _, kinds), own in counts.items() if kinds == "all"} == {4}
    assert all(
        len(own) == len(orders(records, item, audio=audio, distractors="ir"))
        for (item, audio, kinds), own in counts.items()
        if kinds == "ir"
    )


@pytest.mark.slow
def test_a_run_of_before_is_the_same_run(forged, tmp_path):
    """Asked once, ids, order and fingerprint are those of a run without these flags."""
    records = run(forged, tmp_path / "a")
    assert [record.id for record in records] == [f"q{n}" for n in range(12)]
    assert {tuple(o.key for o in record.trial.options) for record in records} == {tuple("ABCD")}
    assert not any({"repeat", "rotation"} & record.trial.tags.keys() for record in records)
    again = run(forged, tmp_path / "b", "--repeats", "1", "--rotations", "none")
    assert [r.trial for r in again] == [r.trial for r in records]


@pytest.mark.slow
def test_its_runs_have_the_figures_of_dimensions_and_shots(forged, tmp_path):
    for shots in (0, 2):
        run(forged, tmp_path / f"s{shots}", "--shots", str(shots), "--repeats", "2")
    write_figures([tmp_path / "s0", tmp_path / "s2"], tmp_path / "f", ("svg",))
    names = {path.stem for path in (tmp_path / "f").glob("*.csv")}
    assert {"questions-forged-dimensions", "questions-forged-shots"} <= names
    with (tmp_path / "f" / "questions-forged-dimensions.csv").open(newline="") as file:
        found = {row["dimension"]: int(row["questions"]) for row in csv.DictReader(file)}
    assert found == dict.fromkeys(CATEGORIES, 3)
    with (tmp_path / "f" / "questions-forged-shots.csv").open(newline="") as file:
        assert {row["row"] for row in csv.DictReader(file)} == {"0", "2"}


@pytest.mark.parametrize("flag", [("--repeats", "0"), ("--rotations", "some")])
def test_what_cannot_be_is_one_line(forged, tmp_path, capsys, flag):
    words = ["run", str(forged / "forged.jsonl"), "-m", "first", "--out", str(tmp_path / "r")]
    assert cli.main([*words, *flag]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1


def test_a_free_answer_is_repeated_and_never_turned(tmp_path):
    questions_help.jsonl(tmp_path / "forged.jsonl", {"id": "a", "question": "Which key?",
                                                     "answer": "C major"})  # fmt: skip
    (tmp_path / "listener.py").write_text("def answer(messages):\n    return 'C major'\n")
    again = ("--repeats", "2", "--rotations", "all")
    records = run(tmp_path, tmp_path / "r", "--scorer", "exact", *again)
    assert [r.id for r in records] == ["a/r1/rotation=0", "a/r2/rotation=0"]
    assert json.loads((tmp_path / "r" / "run.json").read_text())["planned"] == 2
