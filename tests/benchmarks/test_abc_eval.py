"""ABC-Eval: ten files as published, every right answer, orders and tau, macro-F1, keys proved."""

import csv
import json
from collections import Counter
from fractions import Fraction

import pytest

from listening_help import complaint, section, zhiyin
from notation_help import FILES, TUNE, make_abc_eval
from zhiyin.contract.registry import open_benchmark
from zhiyin.engine.folder import read_records
from zhiyin.plugins.benchmarks.abc_eval.benchmark import judge_order, kendall_tau, macro_f1
from zhiyin.plugins.benchmarks.abc_eval.data import TASKS, right_orders, split_choices
from zhiyin.plugins.benchmarks.abc_eval.reading import by_index, read_order
from zhiyin.plugins.music import notated
from zhiyin.record import Reply
from zhiyin.trial import Option


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return make_abc_eval(tmp_path_factory.mktemp("abc") / "csv", crlf=True).parent


def trials(folder, **options):
    return {t.id: t for t in open_benchmark("abc-eval", {"data": str(folder), **options}).trials()}


def test_the_ten_files_and_the_ten_tasks_are_one():
    assert [kind.stem for kind in TASKS.values()] != sorted(FILES)
    assert {kind.stem for kind in TASKS.values()} == FILES.keys()


def test_rows_become_trials(data):
    made = trials(data)
    assert len(made) == sum(len(rows) for _, rows in FILES.values())
    bar = made["next_bar_prediction/1"]
    assert [len(t.options) for t in made.values() if t.options] == [4] * 17
    assert Counter(option.key for option in bar.options) == {"0": 2, "2": 1, "3": 1}
    assert bar.target == "0"
    assert made["bar_sequencing/1"].target == "01243"  # the zero in front is kept
    assert made["bar_count_estimation/1"].target == "4"
    assert made["error_detection/1"].stem.endswith("how many are there?")
    assert made["metadata_qa/3"].groups == ("metadata_qa", "metadata_qa/unit")
    assert made["music_captioning/1"].cluster == "Kitty O'Niel"
    assert made["emotion_recognition/4"].cluster == "song-3"
    assert made["metadata_qa/1"].cluster == made["next_bar_prediction/1"].cluster


def test_titles_are_never_sent(data):
    for trial in trials(data).values():
        text = trial.messages[0].text
        assert "Irishman" not in text
        assert ".abc" not in text
        assert trial.cluster not in text or trial.id.startswith("music_captioning")


def test_the_released_layout_counts_from_0_in_the_published_order(data):
    made = trials(data, protocol="abc-eval-released", order="published")
    text = made["next_bar_prediction/2"].messages[0].text
    assert '\nOptions:\n0. "G"G6\n1. a6\n2. b6\n3. "C"G6\n' in text
    assert made["bar_sequencing/2"].messages[0].text.count("\n0. a6\n1. b6\n2. c6\n3. e6\n") == 1


@pytest.mark.parametrize(
    ("text", "expected", "found"),
    [
        ("['a', 'b']", 2, ("a", "b")),
        ("['c'2|', '\\\nd']", 2, ("c'2|", "\\\nd")),
        ("[\"O'Neil\", 'b']", 2, ("O'Neil", "b")),
        ("['b', \"O'Neil\", 'c']", 3, ("b", "O'Neil", "c")),
        ("[4, 2, 3, 5]", 4, ("4", "2", "3", "5")),
        ("null", 4, ()),
        ("", 4, ()),
        ("[" * 5000, 4, ()),
    ],
)
def test_choices_are_cut_whatever_their_quotes(text, expected, found):
    assert split_choices(text, expected) == found


OPTIONS = tuple(Option(a, t, a) for a, t in zip("ABCD", ("4", "2", "4/4", "G"), strict=True))


@pytest.mark.parametrize(
    ("reply", "letter"),
    [
        ("0", "A"),
        ("3.", "D"),
        ("(2)", "C"),
        ("<think>1 or 2?</think>\n2", "C"),
        ("The answer is 1.", "B"),
        ("Answer: 0", "A"),
        ("B", "B"),
        ("4/4", "C"),
        ("7", None),
        ("", None),
        ("I cannot tell.", None),
    ],
)
def test_an_index_from_0_is_read(reply, letter):
    assert by_index(reply, OPTIONS).letter == letter


@pytest.mark.parametrize(
    ("reply", "order"),
    [
        ("3102", "3102"),
        ("01342", "01342"),
        ("3, 1, 0, 2", "3102"),
        ("3 → 1 → 0 → 2", "3102"),
        ("[3, 1, 0, 2]", "3102"),
        ('{"order": "3102"}', "3102"),
        ("Perhaps 0123. No.\nAnswer: 3102", "3102"),
        ("**Answer:** 3 1 0 2", "3102"),
        ("3302", "3302"),
        ("0123 or 3102", None),
        ("no idea", None),
        ("", None),
    ],
)
def test_an_order_is_read(reply, order):
    assert read_order(reply).value == order


def test_every_order_of_the_same_bars_is_right():
    assert right_orders("1320", "0113") == ["1320", "2310"]
    assert len(right_orders("134250", "011311")) == 24
    assert right_orders("0123", "0123") == ["0123"]


def test_tau_is_between_places_of_bars_and_of_permutations_alone():
    assert kendall_tau("3102", "3102") == 1
    assert kendall_tau("2013", "3102") == -1
    # bars by place: 0 at 2, 1 at 1, 2 at 3, 3 at 0 against 0, 1, 2, 3: pairs 2 right, 4 wrong
    assert kendall_tau("0123", "3102") == pytest.approx((2 - 4) / 6)
    assert kendall_tau("0122", "3102") is None
    assert kendall_tau("310", "3102") is None


def test_orders_are_judged_with_their_scores(data):
    trial = trials(data)["bar_sequencing/1"]
    verdicts = [judge_order(trial, Reply(text)) for text in ("01243", "02143", "01234", "0124")]
    assert [v.state for v in verdicts] == ["correct", "correct", "wrong", "wrong"]
    assert verdicts[1].scores == {"published_key": 0, "tau": 0.8, "tau_nearest": 1}
    assert verdicts[3].scores == {"published_key": 0}
    assert judge_order(trial, Reply("", finish="length")).state == "truncated"
    assert judge_order(trial, Reply("I can't help with that.")).state == "refused"


def test_macro_f1_by_hand():
    pairs = [("a", "a"), ("a", "b"), ("b", "b"), ("c", None)]
    # a: 2·1/(2+1), b: 2·1/(1+2), c: 0
    assert macro_f1(pairs) == pytest.approx((2 / 3 + 2 / 3 + 0) / 3)


def test_a_run_and_its_tables_against_hand_arithmetic(capsys, data, tmp_path):
    """The published key everywhere but where another answer is as right, and one of each slip."""
    said = {
        "bar_count_estimation/1": "Answer: 4", "bar_count_estimation/2": "Answer: 2",
        "bar_sequencing/1": "Answer: 02143", "bar_sequencing/2": "Answer: 3102",
        "bar_sequencing/3": "Answer: 0122",
    }  # fmt: skip
    lines = []
    for name, trial in trials(data).items():
        if trial.options:
            other = name == "next_bar_prediction/1"
            right = [o.letter for o in trial.options if o.key == trial.target]
            letter = next(x for x in right if (x == trial.tags["published"]) != other)
            wrong = next(o.letter for o in trial.options if o.key != trial.target)
            text = "Answer: " + (wrong if name == "emotion_recognition/4" else letter)
        else:
            text = said[name]
        lines.append(json.dumps({"id": name, "text": text}))
    (tmp_path / "answers.jsonl").write_text("\n".join(lines))
    model = f"replay:{tmp_path / 'answers.jsonl'}"
    status, summary = zhiyin(
        capsys, "run", "abc-eval", "--data", data, "-m", model, "--out", tmp_path / "run"
    )
    assert status == 0, summary
    figures = {name: group["accuracy"] for name, group in summary["groups"].items()}
    assert figures["bar_sequencing"] == pytest.approx(2 / 3)
    assert figures["bar_count_estimation"] == 0.5
    assert figures["emotion_recognition"] == 0.75
    rows, _ = section(summary, "By every right answer")
    assert rows["order of bars"]["published key, %"] == pytest.approx(1 / 3)
    assert rows["order of bars"]["only by any"] == 1
    assert rows["the next bar"]["published key, %"] == 0.5
    rows, _ = section(summary, "Order of bars")
    (row,) = rows.values()
    assert (row["permutations"], row["no permutation"]) == (2, 1)
    assert row["mean tau"] == pytest.approx((0.8 + 1) / 2)
    assert row["mean tau, nearest"] == 1
    rows, _ = section(summary, "Macro-F1")
    assert rows["emotion"]["accuracy, %"] == 0.75
    assert rows["emotion"]["classes"] == 3


def test_indices_of_the_released_way_are_read_and_scored(capsys, data, tmp_path):
    replies = {"bar_sequencing/2": "3102", "bar_count_estimation/1": "4", "metadata_qa/3": "0"}
    made = trials(data, protocol="abc-eval-released", order="published")
    lines = [json.dumps({"id": n, "text": replies.get(n, "2")}) for n in made]
    (tmp_path / "answers.jsonl").write_text("\n".join(lines))
    words = ["run", "abc-eval", "--data", data, "--protocol", "abc-eval-released"]
    model = f"replay:{tmp_path / 'answers.jsonl'}"
    status, summary = zhiyin(capsys, *words, "-m", model, "--out", tmp_path / "run")
    assert status == 0, summary
    assert summary["protocol"]["departures"] == []
    states = {record.id: record.verdict.state for record in read_records(tmp_path / "run")}
    right = {name for name, state in states.items() if state == "correct"}
    assert right == {
        "bar_sequencing/2", "bar_count_estimation/1", "metadata_qa/1", "metadata_qa/3",
        "emotion_recognition/4", "composer_recognition/1",
    }  # fmt: skip


def test_flaws_are_found_without_being_told(capsys, data):
    status, found = zhiyin(capsys, "data", "check", "abc-eval", "--data", data)
    kinds = Counter((flaw["kind"], flaw["id"]) for flaw in found["flaws"])
    assert found["items"] == 22
    assert status == 0
    wanted = {
        ("key-refuted", "bar_count_estimation/2"), ("error-not-there", "error_detection/1"),
        ("key-refuted", "error_detection/2"), ("bars-differ", "error_detection/2"),
        ("answer-in-question", "metadata_qa/1"), ("key-doubtful", "metadata_qa/1"),
        ("answer-in-question", "metadata_qa/2"), ("key-refuted", "metadata_qa/3"),
        ("answer-in-question", "metadata_qa/3"), ("relative-key", "metadata_prediction/1"),
        ("several-right", "metadata_prediction/2"), ("key-refuted", "metadata_prediction/3"),
        ("several-right", "next_bar_prediction/1"), ("same-notes", "next_bar_prediction/2"),
        ("several-orders", "bar_sequencing/1"), ("no-bar", "bar_sequencing/1"),
        ("given-order", "bar_sequencing/3"), ("answer-in-question", "music_captioning/1"),
        ("key-refuted", "genre_recognition/1"), ("two-keys", "composer_recognition/1"),
    }  # fmt: skip
    incomplete = {kind for kind in kinds if kind[0] == "incomplete"}
    assert kinds.keys() - incomplete == wanted
    assert sum(kinds[kind] for kind in incomplete) == 5


def test_a_cell_may_hold_a_whole_piece(tmp_path):
    """Scores of piano music are longer than what the csv module takes by default."""
    folder = make_abc_eval(tmp_path / "long")
    columns, (first,) = FILES["Composer_Recognition"]
    score = "X:1\nK:C\n" + "[G,2G2]E2 | C12 |\n" * 20_000
    with (folder / "Composer_Recognition.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([columns, (first[0], score, *first[2:])])
    (trial,) = trials(folder, task=("composer_recognition",)).values()
    assert score.strip() in trial.messages[0].text


def test_missing_files_are_told_and_left_out_if_allowed(capsys, tmp_path):
    folder = make_abc_eval(tmp_path / "part", without=("Error_Detection", "Genre_Recognition"))
    words = ("run", "abc-eval", "--data", folder, "-m", "first", "--out", tmp_path / "run")
    assert "no Error_Detection.csv (2 of 10 files are missing)" in complaint(capsys, *words)
    options = {"data": str(folder), "partial": True}
    benchmark = open_benchmark("abc-eval", options)
    assert len(benchmark) == 19
    (remark,) = benchmark.remarks()
    assert "error_detection, genre_recognition" in str(remark)
    assert len(trials(folder, task=("bar_sequencing",))) == 3
    assert "no file such as" in complaint(capsys, *words[:3], tmp_path, "-m", "first")


@pytest.mark.parametrize(
    ("stem", "place", "cell", "told"),
    [
        ("Metadata_QA", 2, "['a', 'b']", "2 choices could be read, not 4"),
        ("Metadata_QA", 4, "4", "target_index '4' is no place from 0 to 3"),
        ("Metadata_QA", 4, "null", "target_index '' is no place"),
        ("Metadata_QA", 1, "", "no score"),
        ("Bar_Sequencing", 3, "1342", "target '1342' is no order of the bars that could be read ("),
        ("Bar_Sequencing", 3, "01244", "is no order of the bars that could be read (5)"),
        ("Bar_Count_Estimation", 3, "many", "target 'many' is no number"),
    ],
)
def test_bad_rows_are_one_line(capsys, tmp_path, stem, place, cell, told):
    folder = make_abc_eval(tmp_path / "bad")
    columns, rows = FILES[stem]
    first = list(rows[0])
    first[place] = cell
    with (folder / f"{stem}.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([columns, first, *rows[1:]])
    line = complaint(capsys, "run", "abc-eval", "--data", folder, "-m", "first")
    assert told in line
    assert "row 1" in line


@pytest.mark.parametrize(
    ("bar", "units"),
    [
        ("GABcd2", 6),
        ("d>e f<g", 4),
        ("d>>e", 2),
        ("(3ABc d2", 4),
        ("(3:2:2A2B d", 3),
        ("A/B/ c//d//", Fraction(3, 2)),
        ("[CEG]2 [C2E2]", 4),
        ("d3/2e/2 z2", 4),
        ('"G7"{ag}!trill!d4', 4),
        ("|1 G4:", 4),
        ("[2 ^f=g __a", 3),
        ("", 0),
    ],
)
def test_lengths_of_bars(bar, units):
    assert notated.length_of(bar) == units


def test_bars_of_a_tune_as_people_write_it():
    assert len(notated.bars_of(TUNE)) == 7
    assert notated.usual_length(TUNE) == 6
    assert notated.stated(TUNE, "K") == ["G", "D"]
    assert notated.stated("M:2/4\nK:G\nG|", "L") == ["1/16"]
    assert notated.bars_of("K:G\nG2|A2\nd:|B2||") == ["\nG2", "A2\nd", "B2"]
    assert notated.played('P:B\n"G"G2 A:|') == notated.played("G2A")
    assert [notated.fifths(key) for key in ("Bb", "Gm", "F#m", "Ador", "none")] == [
        -2, -2, 3, None, None
    ]  # fmt: skip


@pytest.mark.slow
def test_the_published_files_and_their_flaws(capsys, shared):
    folder = shared / "abc_eval"
    if not folder.is_dir():
        pytest.skip("no data of ABC-Eval in the shared folder")
    _, found = zhiyin(capsys, "data", "check", "abc-eval", "--data", folder, "--partial")
    kinds = Counter((flaw["file"], flaw["kind"]) for flaw in found["flaws"])
    assert found["items"] == 418
    assert kinds["Bar_Sequencing.csv", "several-orders"] == 19
    assert kinds["Bar_Sequencing.csv", "no-bar"] == kinds["Bar_Sequencing.csv", "given-order"] == 4
    assert kinds["Next_Bar_Prediction.csv", "several-right"] == 9
    assert kinds["Next_Bar_Prediction.csv", "repeated-option"] == 15
    assert kinds["Next_Bar_Prediction.csv", "same-notes"] == 3
    assert kinds["Metadata_QA.csv", "answer-in-question"] == 60
    assert kinds["Metadata_QA.csv", "key-refuted"] == 1  # Orange in Bloom
    assert kinds["Metadata_Prediction.csv", "several-right"] == 1  # Verdi's Waltz
    assert kinds["Metadata_Prediction.csv", "key-refuted"] == 0
    assert kinds["Metadata_Prediction.csv", "relative-key"] == 5
    assert not [kind for kind in kinds if kind[1] in ("bad-choices", "bad-answer", "incomplete")]
    orders = [t for t in trials(folder, partial=True).values() if t.tags["answer"] == "order"]
    assert Counter(len(t.target) for t in orders) == {4: 48, 5: 38, 6: 33}
