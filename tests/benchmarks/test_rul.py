"""RUListening: passes, the majority, the published reading, the index, and the questions before."""

import json

import pytest

from listening_help import by_ear, complaint, make_rul, section, zhiyin
from said_help import texts
from servers import ChatServer
from zhiyin.contract.registry import open_benchmark
from zhiyin.engine.folder import read_records
from zhiyin.plugins.benchmarks.rul.benchmark import gather
from zhiyin.plugins.benchmarks.rul.reading import as_released, majority
from zhiyin.trial import Option

OPTIONS = tuple(
    Option(a, text, a) for a, text in zip("ABCD", ("a flute", "Drums", "C", "an oboe"), strict=True)
)


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return make_rul(tmp_path_factory.mktemp("rul"))


def trials(folder, **options):
    return list(open_benchmark("rul", {"data": str(folder), **options}).trials())


def scripted(path, made, say):
    path.write_text("\n".join(json.dumps({"id": t.id, "text": say(t)}) for t in made))
    return f"replay:{path}"


@pytest.mark.parametrize(
    ("reply", "letter"),
    [
        ("[[A]] or rather [[B]]", "B"),
        ("My guess is c", "C"),
        ("I chose B. No: select D", "D"),
        ("(D) it is, not (B)", "B"),  # the first letter, in the order of the alphabet
        ("I hear DRUMS", "B"),
        ("The options are (A) a flute (B) Drums", "A"),  # the list repeated
        ("[[E]]", "E"),  # not offered: an answer, and wrong
        ("B", None),
        ("", None),
    ],
)
def test_the_released_reading(reply, letter):
    assert as_released(reply, OPTIONS).letter == letter


def test_the_majority_is_by_text_and_ties_go_to_the_first_met():
    assert majority(["x", "y", "y", None]) == "y"
    assert majority(["x", "y", "y", "x"]) == "x"
    assert majority([None, None, None, None]) is None


def test_each_pass_leaves_one_wrong_answer_out_and_never_the_right_one(data):
    made = trials(data)
    assert len(made) == 8 * 4 == len(open_benchmark("rul", {"data": str(data)}))
    for number in {trial.item for trial in made}:
        passes = [trial for trial in made if trial.item == number]
        rights = {next(o.text for o in trial.options if o.key == trial.target) for trial in passes}
        assert len(rights) == 1
        left_out = [
            {o.text for p in passes for o in p.options} - {o.text for o in trial.options}
            for trial in passes
        ]
        assert len({frozenset(one) for one in left_out}) == 4
        assert all(len(one) == 1 and not one & rights for one in left_out)
    assert len({trial.options[0].key for trial in made}) > 1  # the right one is not always first


def test_nothing_that_is_asked_tells_the_answer(data):
    for trial in trials(data):
        said = trial.messages[0].text
        assert "A tone of" not in said  # the caption
        assert trial.item not in said.replace(trial.stem, "")
        assert all(option.key == option.letter for option in trial.blind().options)


@pytest.mark.slow
def test_who_listens_is_right_and_noise_is_not(capsys, data, tmp_path):
    with ChatServer(by_ear) as server:
        status, summary = zhiyin(
            capsys, "run", "rul", "--data", data, "-m", server.spec, "--out", tmp_path / "run",
            "--audio", "true,noise", "--distractors", "all,own",
        )  # fmt: skip
    assert status == 0, summary
    assert summary["groups"]["all"]["accuracy"] == 1
    assert summary["groups"]["all"]["n"] == 32
    assert summary["groups"]["audio=noise/distractors=all"]["accuracy"] == 0
    rows, notes = section(summary, "How much")
    assert rows["audio=noise"]["main - now"][0] == 0.75  # no answer to noise is a guess
    assert rows["distractors=own"]["main - now"][0] == 0
    assert any("without hearing" in note for note in notes)
    # two questions are about one track, by the table of the questions before
    clusters = {t.cluster for t in trials(data, distractors="all,own")}
    assert clusters == {f"sdd/{k}" for k in range(4)}


def test_the_majority_does_not_depend_on_the_order_in_which_replies_came(capsys, data, tmp_path):
    """Right in pass 1 and wrong in pass 2: a draw, which the first pass decides."""
    made = trials(data)

    def say(trial):
        wrong = [o.letter for o in trial.options if o.key != trial.target]
        right = next(o.letter for o in trial.options if o.key == trial.target)
        chosen = {1: right, 2: wrong[0]}.get(trial.tags["repeat"])
        return f"[[{chosen}]]" if chosen else "A pleasant tone."

    model = scripted(tmp_path / "answers.jsonl", made, say)
    run = tmp_path / "run"
    zhiyin(capsys, "run", "rul", "--data", data, "-m", model, "--out", run)
    in_order = sorted(read_records(run), key=lambda record: record.id)
    for records in (in_order, in_order[::-1]):
        gathered = gather(records)
        assert all(majority(q.texts["rul"]) == q.right for q in gathered.values())


def test_majority_and_index_against_hand_arithmetic(capsys, data, tmp_path):
    """Right in passes 1 to 3 for low indices, in pass 1 alone for high ones, silent in pass 4."""
    made = trials(data)

    def say(trial):
        repeat, low = trial.tags["repeat"], trial.tags["perceptual_index"] < 0.5
        right = next(o.letter for o in trial.options if o.key == trial.target)
        wrong = next(o.letter for o in trial.options if o.key != trial.target)
        if repeat == 4:
            return "A pleasant tone."
        return f"[[{right if low or repeat == 1 else wrong}]]"

    model = scripted(tmp_path / "answers.jsonl", made, say)
    status, summary = zhiyin(
        capsys, "run", "rul", "--data", data, "-m", model, "--out", tmp_path / "run"
    )
    assert status == 0, summary
    low = sum(1 for k in range(8) if 0.1 + 0.1 * k < 0.5)
    assert summary["groups"]["all"]["accuracy"] == pytest.approx((3 * low + (8 - low)) / 32)
    rows, _ = section(summary, "By the majority")
    assert rows["released"]["majority, %"] >= 100 * low / 8
    assert rows["released"]["no vote"] == 0
    rows, notes = section(summary, "By the perceptual index")
    assert [row["acc., %"] for row in rows.values()] == [75, 75, 25, 25]
    assert any(" points for each 0.1 of the index" in n and "changes by −" in n for n in notes)
    rules, _ = section(summary, "One log")
    assert rules["All"]["robust, %"] == rules["All"]["released, %"]


def test_equal_recordings_are_one_cluster_whatever_their_number(tmp_path):
    folder = make_rul(tmp_path / "rul", 4)
    (folder / "1011.mp3").write_bytes((folder / "1010.mp3").read_bytes())
    clusters = {trial.item: trial.cluster for trial in trials(folder)}
    assert clusters["1010"] == clusters["1011"] != clusters["1012"]


def test_missing_recordings_are_told_and_left_out_if_allowed(capsys, tmp_path):
    folder = make_rul(tmp_path / "rul", 4)
    (folder / "1012.mp3").unlink()
    run = ("run", "rul", "--data", folder, "-m", "first", "--out", tmp_path / "run")
    assert "no recording for 1 of 4 (1012.mp3)" in complaint(capsys, *run)
    status, summary = zhiyin(capsys, *run, "--partial")
    assert status == 0
    assert summary["groups"]["all"]["n"] == 12
    assert any("1 of 4 questions left out" in remark for remark in texts(summary["remarks"]))
    status, found = zhiyin(capsys, "data", "check", "rul", "--data", folder)
    assert status == 2
    assert "missing" in json.dumps(found)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda e: e["1010"].pop("correct_answer"), "question 1010: no correct_answer"),
        (lambda e: e["1010"].update(distractors=["x"]), "distractors is no list of 4"),
        (lambda e: e["1010"].update(distractors=["x", "", "y", "z"]), "distractors is blank"),
        (lambda e: e["1010"].update(PI=1.5), "PI 1.5 is no number from 0 to 1"),
        (lambda e: e["1010"].update(question=" "), "question 1010: no question"),
        (lambda e: e.update(ten=e.pop("1010")), "question ten: its key is no number"),
        (lambda e: e.clear(), "no question that can be asked"),
    ],
)
def test_bad_data_is_one_line(capsys, tmp_path, change, told):
    folder = make_rul(tmp_path / "rul", 3, sound=False)
    path = folder / "RUL-MuchoMusic.json"
    entries = json.loads(path.read_text())
    change(entries)
    path.write_text(json.dumps(entries))
    line = complaint(capsys, "run", "rul", "--data", folder, "-m", "first", "--audio", "none")
    assert told in line


def test_other_bad_input_is_one_line(capsys, tmp_path):
    folder = make_rul(tmp_path / "rul", 3, sound=False)
    run = ("run", "rul", "-m", "first", "--audio", "none", "--data")
    assert "no such file" in complaint(capsys, *run, tmp_path)
    (folder / "muchomusic.csv").write_text("question\n")
    assert "no column" in complaint(capsys, *run, folder, "--distractors", "all,own")
    (folder / "muchomusic.csv").unlink()
    assert "muchomusic.csv" in complaint(capsys, *run, folder, "--distractors", "all,own")
    (folder / "RUL-MuchoMusic.json").write_text("{")
    assert ":1: not JSON" in complaint(capsys, *run, folder)
    (folder / "RUL-MuchoMusic.json").write_text("[]")
    assert "no object of questions" in complaint(capsys, *run, folder)


def test_the_released_way_of_asking(data, tmp_path, capsys):
    run = ("run", "rul", "--data", data, "-m", "first", "--protocol", "rul-released")
    status, summary = zhiyin(capsys, *run, "--out", tmp_path / "run")
    assert status == 0, summary
    assert summary["protocol"]["departures"] == []
    trial = trials(data, protocol="rul-released")[0]
    assert "Options: (A)" in trial.messages[0].text
    assert " (D) " in trial.messages[0].text


@pytest.mark.slow
def test_the_published_data_and_their_flaws(capsys, shared):
    folder = shared / "rul"
    if not folder.is_dir():
        pytest.skip("no data of RUListening in the shared folder")
    status, found = zhiyin(capsys, "data", "check", "rul", "--data", folder, "--partial")
    assert status == 2
    kinds = [flaw["kind"] for flaw in found["flaws"]]
    assert found["items"] == 1187
    assert kinds.count("target-within-distractor") == 33
    assert kinds.count("repeated-option") == 3
    assert kinds.count("repeated-question") == 4
    assert kinds.count("distractor-in-caption") == 44
    assert len(trials(folder, audio="none")) == 4748
