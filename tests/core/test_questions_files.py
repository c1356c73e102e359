"""Files of questions: formats, what columns may be called, and one clear line for each fault."""

import csv
import importlib.util
import io
import json
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from questions_help import jsonl, refused, run, tone, trials, write
from said_help import texts
from zhiyin.cli import main
from zhiyin.contract.registry import open_benchmark
from zhiyin.contract.tables import read_table
from zhiyin.errors import InputError, adding
from zhiyin.runs.estimates import chance_of
from zhiyin.runs.rows import rows_of

BAD = {
    "no question": ({"question": "", "options": ["a", "b"], "answer": "A"}, "no question"),
    "answer": (
        {"question": "?", "options": ["a", "b"], "answer": "C"},
        "the answer 'C' is not one of the 2 options: write one of A, B, or an option's text",
    ),
    "two options alike": (
        {"question": "?", "options": ["six", "two", "Six."], "answer": "six"},
        "the answer 'six' is the text of options A, C alike",
    ),
    "no answer": ({"question": "?", "options": ["a", "b"]}, "no answer: name one of A, B"),
    "empty option": (
        {"question": "?", "options": ["a", "", "b"], "answer": "A"}, "option B is empty",
    ),
    "no scorer": ({"question": "?", "answer": "Bach"}, "no options and no scorer: say --scorer"),
    "scorer": (
        {"question": "?", "answer": "Bach", "scorer": "exakt"}, "did you mean exact",
    ),
    "bound": (
        {"question": "?", "answer": "3", "scorer": "number:many"}, "scorer 'number:many'",
    ),
    "number": (
        {"question": "?", "answer": "three", "scorer": "number"}, "'three' is no number",
    ),
    "pattern": (
        {"question": "?", "answer": "(", "scorer": "regex"}, "'(' is no regular expression",
    ),
    "endless pattern": (
        {"question": "?", "answer": "(a+)+$", "scorer": "regex"}, "takes too long on 'a'",
    ),
    "notes": (
        {"question": "?", "answer": "do re", "scorer": "notes"}, "'do re' is no list of notes",
    ),
    "free answer": ({"question": "?", "answer": "", "scorer": "exact"}, "no answer"),
    "both": (
        {"question": "?", "options": ["a", "b"], "answer": "A", "scorer": "exact"},
        "options, and a scorer for free answers",
    ),
    "example": (
        {"question": "?", "options": ["a", "b"], "answer": "A", "example": "perhaps"},
        "'perhaps' is neither yes nor no",
    ),
    "group": (
        {"question": "?", "options": ["a", "b"], "answer": "A", "group": "all"},
        "a group called 'all'",
    ),
    "missing sound": (
        {"question": "?", "options": ["a", "b"], "answer": "A", "audio": "no.wav"},
        "'no.wav' is not there",
    ),
    "address": (
        {"question": "?", "options": ["a", "b"], "answer": "A", "audio": "https://x.org/a.wav"},
        "is an address: download it",
    ),
    "outside": (
        {"question": "?", "options": ["a", "b"], "answer": "A", "audio": "../a.wav"},
        "leaves the folder",
    ),
    "picture": (
        {"question": "?", "options": ["a", "b"], "answer": "A", "image": "score.png"},
        "'score.png' is not there",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_a_bad_row_is_one_line_with_its_place(tmp_path: Path, capsys, name) -> None:
    row, message = BAD[name]
    good = {"question": "Fine?", "options": ["p", "q"], "answer": "B"}
    path = jsonl(tmp_path / "in" / "q.jsonl", good, row)
    told = refused(capsys, "run", path, "-m", "first", "--out", tmp_path / "run")
    assert f"{path}:2: " in told
    assert message in told
    assert not (tmp_path / "run").exists()


needs_calamine = pytest.mark.skipif(
    importlib.util.find_spec("python_calamine") is None,
    reason="python-calamine is not installed (extra questions)",
)
needs_arrow = pytest.mark.skipif(
    importlib.util.find_spec("pyarrow") is None, reason="pyarrow is not installed (extra parquet)"
)

ROWS = [
    {"question": "Which is bowed?", "A": "viola", "B": "lute", "C": "", "answer": "A"},
    {"question": "Sharps in D major?", "A": "one", "B": "two", "C": "three", "answer": "B"},
]


def seen(found) -> list[tuple[str, tuple[str, ...], str | None]]:
    """What each trial asks, offers and wants."""
    return [(t.stem, tuple(o.text for o in t.options), t.target) for t in found]


EXPECTED = [
    ("Which is bowed?", ("viola", "lute"), "A"),
    ("Sharps in D major?", ("one", "two", "three"), "B"),
]


def test_a_csv_as_a_spreadsheet_exports_it(tmp_path: Path) -> None:
    text = (
        "Question;A;B;C;Answer;Category\r\n"
        '"Which is\r\nbowed? ""Rubbed"", that is; with a bow";viola;lute;;A;instruments\r\n'
        ";;;;;\r\n"
        "Sharps in D major?;one;two;three;b;theory/keys\r\n"
    )
    found = trials(write(tmp_path / "q.csv", text, "utf-8-sig"))
    assert seen(found) == [
        ('Which is\r\nbowed? "Rubbed", that is; with a bow', ("viola", "lute"), "A"),
        EXPECTED[1],
    ]
    assert [trial.tags["line"] for trial in found] == [2, 5]
    assert [trial.groups for trial in found] == [("instruments",), ("theory", "theory/keys")]


@pytest.mark.parametrize(
    ("name", "delimiter", "encoding", "head"),
    [
        ("q.csv", ",", "utf-8", ""),
        ("q.csv", ";", "utf-8", "sep=;\r\n"),
        ("q.tsv", "\t", "utf-8", ""),
        ("q.txt", "\t", "utf-16", ""),
        ("q.csv", "|", "utf-8-sig", ""),
    ],
)
def test_delimiters_and_encodings(tmp_path, name, delimiter, encoding, head) -> None:
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, list(ROWS[0]), delimiter=delimiter)
    writer.writeheader()
    writer.writerows(ROWS)
    path = write(tmp_path / name, head + out.getvalue(), encoding)
    assert seen(trials(path)) == EXPECTED
    first = trials(path)[0].tags["line"]
    assert first == (3 if head else 2)


def test_the_csv_of_a_chinese_spreadsheet_is_read_and_that_is_said(tmp_path, capsys) -> None:
    path = tmp_path / "q.csv"
    path.write_bytes("question,A,B,answer\n五声音阶有几个音？,五个,六个,A\n".encode("gbk"))
    assert [o.text for o in trials(path)[0].options] == ["五个", "六个"]
    order = ["run", str(path), "-m", "random", "--out", str(tmp_path / "run")]
    assert main(order) == 0
    assert "was read as GB18030" in capsys.readouterr().out
    path.write_bytes("question,A,B,answer\nWie heißt es?,fünf,sechs,A\n".encode("cp1252"))
    assert main(order) == 2
    assert "iconv -f CP1252" in capsys.readouterr().err


def test_jsonl_with_two_to_ten_options(tmp_path: Path) -> None:
    rows = [
        {"prompt": f"Which is {n}?", "choices": [str(10 * i) for i in range(n)], "key": "AB"[n % 2]}
        for n in range(2, 11)
    ]
    found = trials(jsonl(tmp_path / "q.jsonl", *rows))
    assert [len(trial.options) for trial in found] == list(range(2, 11))
    assert [trial.target for trial in found] == ["AB"[n % 2] for n in range(2, 11)]
    assert [o.letter for o in found[-1].options] == list("ABCDEFGHIJ")
    listed = write(tmp_path / "q.json", json.dumps(rows))
    assert seen(trials(listed)) == seen(found)


def test_26_options_are_asked_and_27_are_not(tmp_path: Path) -> None:
    most = {"question": "?", "options": [f"o{i}" for i in range(26)], "answer": "Z"}
    assert trials(jsonl(tmp_path / "q.jsonl", most))[0].target == "Z"
    for number in (1, 27):
        row = {**most, "options": [f"o{i}" for i in range(number)], "answer": "A"}
        with pytest.raises(InputError, match=rf":1: {number} options, and a choice has 2 to 26"):
            trials(jsonl(tmp_path / "q.jsonl", row))


@needs_arrow
def test_parquet_with_packed_sound(tmp_path: Path) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    raw = tone(tmp_path / "x.wav").read_bytes()
    table = pa.table(
        {
            "question": ["Which?", "Who?"],
            "choices": [["a", "b"], ["c", "d", "e"]],
            "answer": [0, 2],
            "audio": [{"bytes": raw, "path": "a.wav"}, {"bytes": None, "path": "x.wav"}],
        }
    )
    parquet.write_table(table, tmp_path / "q.parquet")
    found = trials(tmp_path / "q.parquet")
    assert [trial.target for trial in found] == ["A", "C"]
    sounds = [trial.messages[0].parts[0] for trial in found]
    assert sounds[0].sha256 == sounds[1].sha256
    assert Path(sounds[0].path).read_bytes() == raw


@needs_arrow
def test_a_folder_that_datasets_wrote(tmp_path: Path, capsys) -> None:
    """The layout of `save_to_disk`: written by hand, as `datasets` itself is not needed."""
    import pyarrow as pa

    features = {"label": {"names": ["A", "B"], "_type": "ClassLabel"}}
    schema = pa.schema(
        [("question", pa.string()), ("choices", pa.list_(pa.string())), ("label", pa.int64())],
        metadata={"huggingface": json.dumps({"info": {"features": features}})},
    )
    rows = [{"question": "Which?", "choices": ["a", "b"], "label": 1}]
    table = pa.Table.from_pylist(rows, schema=schema)
    for split in ("train", "test"):
        folder = tmp_path / "set" / split
        folder.mkdir(parents=True)
        with pa.ipc.new_stream(folder / "data-00000-of-00001.arrow", schema) as stream:
            stream.write_table(table)
        state = {"_data_files": [{"filename": "data-00000-of-00001.arrow"}]}
        write(folder / "state.json", json.dumps(state))
    write(tmp_path / "set" / "dataset_dict.json", json.dumps({"splits": ["train", "test"]}))
    assert seen(trials(tmp_path / "set" / "test")) == [("Which?", ("a", "b"), "B")]
    assert seen(trials(tmp_path / "set", split="train")) == [("Which?", ("a", "b"), "B")]
    run = ("run", tmp_path / "set", "-m", "first")
    assert "several splits: say --split NAME: train, test" in refused(capsys, *run)
    assert "did you mean train" in refused(capsys, *run, "--split", "trian")


@needs_calamine
def test_a_spreadsheet(tmp_path: Path, capsys) -> None:
    openpyxl = pytest.importorskip("openpyxl", reason="openpyxl writes the file of this test")
    book = openpyxl.Workbook()
    sheet = book.active
    for row in [["Question", "A", "B", "C", "Answer", "level"],
                ["Which is bowed?", "viola", "lute", None, "A", 3],
                [None, None, None, None, None, None],
                ["How many beats has 3/4?", 2, 3, 4, "B", 1]]:  # fmt: skip
        sheet.append(row)
    book.save(tmp_path / "q.xlsx")
    found = trials(tmp_path / "q.xlsx")
    assert seen(found) == [EXPECTED[0], ("How many beats has 3/4?", ("2", "3", "4"), "B")]
    assert found[1].tags["line"] == 4
    book.create_sheet("more")["A1"] = "question"
    book.save(tmp_path / "two.xlsx")
    run = ("run", tmp_path / "two.xlsx", "-m", "first")
    assert "several sheets: say --sheet NAME: Sheet, more" in refused(capsys, *run)
    assert seen(trials(tmp_path / "two.xlsx", sheet="Sheet")) == seen(found)
    write(tmp_path / "bad.xlsx", "not a spreadsheet")
    assert "not a spreadsheet" in refused(capsys, "run", tmp_path / "bad.xlsx", "-m", "first")


def test_a_missing_package_is_named_with_its_extra(tmp_path: Path, monkeypatch, capsys) -> None:
    import sys

    write(tmp_path / "q.xlsx", "")
    write(tmp_path / "q.parquet", "")
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    told = refused(capsys, "run", tmp_path / "q.xlsx", "-m", "first")
    assert adding("questions") in told
    told = refused(capsys, "run", tmp_path / "q.parquet", "-m", "first")
    assert adding("parquet") in told


@pytest.mark.parametrize(
    "options",
    [
        ["lute", "viola"],
        "lute | viola",
        "lute; viola",
        "lute\nviola",
        '["lute", "viola"]',
        "['lute', 'viola']",
        "A. lute\nB. viola",
        "lute；viola",
        "A. lute B. viola",
        "A．lute　B．viola",
        "A、lute；B、viola",
        "（A）lute（B）viola",
        "甲、lute 乙、viola",
        "(A) lute | (B) viola",
        {"text": ["lute", "viola"], "label": ["1", "2"]},
        {"A": "lute", "B": "viola"},
    ],
)
def test_options_in_one_cell(tmp_path: Path, options) -> None:
    row = {"question": "Bowed?", "options": options, "answer": "viola"}
    assert seen(trials(jsonl(tmp_path / "q.jsonl", row))) == [("Bowed?", ("lute", "viola"), "B")]


@pytest.mark.parametrize("options", ["A. lute C. viola", "see A. lute B. viola", "A. lute"])
def test_letters_in_one_line_that_do_not_count_part_nothing(tmp_path: Path, options) -> None:
    path = jsonl(tmp_path / "q.jsonl", {"question": "?", "options": options, "answer": "A"})
    with pytest.raises(InputError, match="cannot be distinguished"):
        trials(path)


def test_commas_part_options_only_where_the_user_says_so(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "q.jsonl", {"question": "?", "options": "a, b", "answer": "b"})
    with pytest.raises(InputError, match="cannot be distinguished: write a list"):
        trials(path)
    assert seen(trials(path, delimiter=",")) == [("?", ("a", "b"), "B")]


@pytest.mark.parametrize(
    ("answers", "targets"),
    [
        (["A", "B", "C"], "ABC"),
        (["a)", "(b)", " C "], "ABC"),
        (["甲", "乙", "（丙）"], "ABC"),
        (["Ａ", "（Ｂ）", "ｃ"], "ABC"),
        (["A．", "选B", "选项C"], "ABC"),
        (["甲、lute", "乙", "oboe"], "ABC"),
        ([0, 1, 2], "ABC"),
        ([1, 2, 3], "ABC"),
        (["1", "3", "2"], "ACB"),
        (["lute", "VIOLA", "oboe"], "ABC"),
        (["B", "viola", "A"], "BBA"),
    ],
)
def test_answers_by_letter_number_and_text(tmp_path: Path, answers, targets) -> None:
    rows = [
        {"question": f"{i}?", "options": ["lute", "viola", "oboe"], "answer": answer}
        for i, answer in enumerate(answers)
    ]
    found = trials(jsonl(tmp_path / "q.jsonl", *rows))
    assert "".join(str(trial.target) for trial in found) == targets


def test_numbers_that_could_count_from_0_or_1_are_not_guessed(tmp_path: Path) -> None:
    rows = [{"question": f"{i}?", "options": ["x", "y", "z"], "answer": i} for i in (1, 2)]
    path = jsonl(tmp_path / "q.jsonl", *rows)
    with pytest.raises(InputError, match=r":1: the answer '1' can be read as index-0 or as index"):
        trials(path)
    assert [trial.target for trial in trials(path, answers="index-0")] == ["B", "C"]
    assert [trial.target for trial in trials(path, answers="index-1")] == ["A", "B"]


def test_a_letter_that_is_also_an_options_text(tmp_path: Path) -> None:
    """Notes are called by letters: the file as a whole says which is meant."""
    notes = {"question": "Which note?", "options": ["C", "A", "E"], "answer": "A"}
    letter = {"question": "Which key?", "options": ["G", "D", "F"], "answer": "B"}
    path = jsonl(tmp_path / "q.jsonl", notes, letter)
    assert [trial.target for trial in trials(path)] == ["A", "B"]
    path = jsonl(tmp_path / "q.jsonl", notes, {**letter, "answer": "G"})
    assert [trial.target for trial in trials(path)] == ["B", "A"]
    with pytest.raises(InputError, match="--answers letter or --answers text"):
        trials(jsonl(tmp_path / "q.jsonl", notes))
    stems = {"question": "天干第二位？", "options": ["乙", "甲", "丙"], "answer": "乙"}
    with pytest.raises(InputError, match="--answers letter or --answers text"):
        trials(jsonl(tmp_path / "q.jsonl", stems))


@pytest.mark.parametrize("answer", [["A", "C"], "A, C", "AC", "A C", "a and c", "x; z", [0, 2],
                                    "A、C", "A和C", "甲丙", "甲、丙", "x；z"])  # fmt: skip
def test_several_right_answers(tmp_path: Path, answer) -> None:
    one = {
        "question": "One?",
        "options": ["x", "y", "z"],
        "answer": [0] if answer == [0, 2] else "A",
    }
    row = {"question": "Which?", "options": ["x", "y", "z"], "answer": answer}
    found = trials(jsonl(tmp_path / "q.jsonl", row, one))
    assert [trial.target for trial in found] == ["A,C", "A"]
    assert [trial.tags["kind"] for trial in found] == ["several", "choice"]


@pytest.mark.parametrize("several", [False, True])
def test_guessing_is_known_where_one_option_is_right(tmp_path: Path, several) -> None:
    one = {"question": "One?", "options": ["x", "y", "z", "w"], "answer": "A", "group": "one"}
    rows = [one, {**one, "question": "Which?", "answer": "A,C", "group": "sets"}]
    options = {"several": True} if several else {}
    run(jsonl(tmp_path / "q.jsonl", *rows), lambda _: "A", tmp_path / "run", **options)
    asked = rows_of(tmp_path / "run")
    found = {name: chance_of(asked.within(name)) for name in ("all", "one", "sets")}
    # a set has no chance level, nor has one letter where any number of letters may be named
    assert found == {"all": None, "one": None if several else 0.25, "sets": None}
    assert asked.choices.items.size == (0 if several else 1)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("none.csv", None, "no such file"),
        ("empty.csv", "", "is empty"),
        ("bare.csv", "question,A,B,answer\n", "holds no row below the names of its columns"),
        ("twice.csv", "question,question\n", "two columns are called 'question'"),
        ("quote.csv", 'question,A,B,answer\n"open,a,b,A\n', "not CSV from here on"),
        (
            "long.csv",
            "question,A,B,answer\nWhich, then?,a,b,A\n",
            "5 cells, and the header names 4",
        ),
        ("gap.csv", "question,A,B,C,answer\nWhich?,a,,c,A\n", "option 'B' is empty and one behind"),
        ("bad.jsonl", '{"question": \n', ":1: not JSON"),
        ("list.jsonl", "[1]\n", "not an object"),
        ("bad.json", "{", "not JSON"),
        ("deep.json", "[" * 100_000, "not JSON"),
        ("deep.jsonl", "[" * 100_000, ":1: not JSON"),
        ("long.json", "[" + "9" * 5000 + "]", "not JSON"),
        ("object.json", "{}", "not a list"),
        ("q.docx", "words", "not a file of questions: it may end in .csv"),
        ("latin.csv", b"question,A,B,answer\nh\xf6r,a,b,A\n", "not UTF-8: save it as UTF-8"),
        ("book.csv", b"PK\x03\x04\x14\0", "not a text table: it is a workbook: name it .xlsx"),
        ("old.jsonl", b"\xd0\xcf\x11\xe0\0", "not a text table: it is a workbook: name it .xls,"),
        ("a.csv", b"\x89PNG\r\n\x1a\n\0", "not a text table: it is a picture, a PDF"),
        ("a.txt", b"%PDF-1.4\n\xe2", "not a text table: it is a picture, a PDF"),
        ("a.json", b"\0\1\2\n", "not a text table: it is a picture, a PDF"),
        ("le.csv", "题目,A\n".encode("utf-16-le"), "iconv -f UTF-16LE -t UTF-8 le.csv > utf8.csv"),
        ("be.csv", "question,A\r\n".encode("utf-16-be"), "iconv -f UTF-16BE -t UTF-8 be.csv"),
        ("a.xlsx", b"\x89PNG\r\n\x1a\n\0", "save it anew, as .xlsx or as CSV in UTF-8"),
        ("bad.parquet", "words", "not a Parquet file"),
    ],
)
def test_a_bad_file_is_one_line(tmp_path: Path, capsys, name, text, message) -> None:
    path = tmp_path / name
    if name.endswith("parquet"):
        pytest.importorskip("pyarrow")
    if text is not None:
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    assert message in refused(capsys, "run", path, "-m", "first")


def test_a_kind_of_fault_is_told_once_with_its_lines(tmp_path: Path, capsys) -> None:
    rows = [{"question": f"{i}?", "options": ["a", "b"], "answer": "Q"} for i in range(12)]
    path = jsonl(tmp_path / "q.jsonl", *rows, {"question": "", "options": ["a", "b"]})
    told = refused(capsys, "run", path, "-m", "first")
    lines = "lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 ..., 12 in all"
    assert f"13 rows cannot be asked: the answer 'Q' is not one of the 2 options ({lines})" in told
    assert "; no question (line 13): write it" in told
    rows[4]["answer"] = "Z"
    told = refused(capsys, "run", jsonl(path, *rows[:6]), "-m", "first")
    assert "options (lines 1, 2, 3, 4, 6; alike: the answer 'Z' is not one of the 2" in told
    assert "(line 5)): write one of A, B" in told
    for n, row in enumerate(rows):
        row["answer"] = "QRSTUV"[n % 6]
    rows[1]["options"] = ["a", "b", "c"]
    told = refused(capsys, "run", jsonl(path, *rows[:6]), "-m", "first")
    assert "the answer 'R' is not one of the 3 options (line 2)" in told
    assert "the answer 'T' is not one of the 2 options (line 4); lines 5, 6): write" in told


def test_an_id_is_told_twice_though_the_first_row_that_has_it_is_faulty(tmp_path, capsys) -> None:
    good = {"question": "Which?", "options": ["a", "b"], "answer": "A"}
    rows = [{**good, "id": "x", "answer": "Q"}, {**good, "id": "y"}, {**good, "id": "x"}]
    told = refused(capsys, "run", jsonl(tmp_path / "q.jsonl", *rows), "-m", "first")
    assert "2 rows cannot be asked" in told
    assert "the answer 'Q'" in told
    assert "(line 3): " in told.partition("'x'")[2]


def test_ten_kinds_of_faults_are_told_and_the_rest_counted(tmp_path: Path, capsys) -> None:
    rows = [{"question": f"{i}?", "answer": "x", "scorer": f"s{i}"} for i in range(12)]
    path = jsonl(tmp_path / "q.jsonl", *rows)
    told = refused(capsys, "run", path, "-m", "first")
    assert told.count("unknown scorer") == 10
    assert f"and 2 more kinds: `zhiyin data check {path} --all` lists them" in told


def test_a_column_of_options_with_another_head_is_told_once(tmp_path: Path, capsys) -> None:
    path = tmp_path / "q.csv"
    rows = [f"第{i}题?,笛|二胡|鼓,古诗,B" for i in range(6)]
    path.write_text("\n".join(["题目,备 选,poem,答案", *rows]), "utf-8")
    told = refused(capsys, "run", path, "-m", "first")
    assert told.count("no column of options among") == told.count("--columns 'options=备 选'") == 1
    args = ["run", str(path), "-m", "first", "--out", str(tmp_path / "r")]
    assert main([*args, "--columns", "options=备 选"]) == 0
    capsys.readouterr()
    path.write_text("题目,poem,答案\n几?,古诗,B\n", "utf-8")  # nothing there looks like options
    told = refused(capsys, "run", path, "-m", "first")
    assert "no options and no scorer: say --scorer NAME" in told


def test_partial_leaves_wrong_rows_out_and_says_so(tmp_path: Path, capsys) -> None:
    rows = [{"question": f"{i}?", "options": ["a", "b"], "answer": "AQB"[i]} for i in range(3)]
    path = jsonl(tmp_path / "q.jsonl", *rows)
    args = ["run", str(path), "-m", "first", "--out", str(tmp_path / "r"), "--partial"]
    assert main([*args, "--json"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary["trials"] == 2
    assert any(
        "left out" in line and "1 row (line 2)" in line for line in texts(summary["remarks"])
    )
    jsonl(path, rows[1])
    assert "the answer 'Q' is not one" in refused(capsys, *args)


def test_ids_are_the_files_or_hold_when_rows_are_left_out(tmp_path: Path, capsys) -> None:
    rows = [{"question": f"{i}?", "options": ["a", "b"], "answer": "A"} for i in range(4)]
    ids = [trial.id for trial in trials(jsonl(tmp_path / "q.jsonl", *rows))]
    fewer = [trial.id for trial in trials(jsonl(tmp_path / "q.jsonl", *rows[2:]))]
    assert ids[2:] == fewer
    twice = [trial.id for trial in trials(jsonl(tmp_path / "q.jsonl", rows[0], rows[0]))]
    assert twice == [ids[0], f"{ids[0]}-2"]
    named = [{**row, "id": "one"} for row in rows[:2]]
    told = refused(capsys, "run", jsonl(tmp_path / "q.jsonl", *named), "-m", "first")
    assert "the id 'one' stands in an earlier row too" in told


def test_a_file_and_data_are_not_given_together(tmp_path: Path, capsys) -> None:
    path = write(tmp_path / "q.csv", "question\n")
    told = refused(capsys, "run", path, "--data", "x", "-m", "first")
    assert "is the data: leave --data out" in told
    assert "no file of questions" in refused(capsys, "run", "questions", "-m", "first")


WORDS = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cs", "Cc", "Zl", "Zp", "Z", "Cf", "Cn")),
    min_size=1, max_size=12,
)  # fmt: skip


@st.composite
def tables(draw):
    """Questions as we know them, to be written in any format and read again."""
    rows = []
    for number in range(draw(st.integers(1, 5))):
        options = draw(st.lists(WORDS, min_size=2, max_size=6, unique_by=lambda s: s.casefold()))
        key = draw(st.integers(0, len(options) - 1))
        rows.append((f"{draw(WORDS)} {number}", options, "ABCDEF"[key]))
    return rows


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(tables(), st.sampled_from([",", ";", "\t"]), st.sampled_from(["\n", "\r\n"]))
def test_what_is_written_is_read_again(tmp_path, rows, delimiter, end) -> None:
    expected = [(text, tuple(options), key) for text, options, key in rows]
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter, lineterminator=end)
    writer.writerow(["question", *"ABCDEF", "answer"])
    for text, options, key in rows:
        writer.writerow([text, *options, *[""] * (6 - len(options)), key])
    lettered = write(tmp_path / "q.csv", out.getvalue(), "utf-8-sig")
    objects = [{"question": text, "options": o, "answer": key} for text, o, key in rows]
    listed = jsonl(tmp_path / "q.jsonl", *objects)
    assert seen(trials(lettered, answers="letter")) == expected
    assert seen(trials(listed, answers="letter")) == expected
    ids = [[trial.id for trial in trials(path, answers="letter")] for path in (lettered, listed)]
    assert ids[0] == ids[1]


def test_the_fingerprint_is_of_bytes_sounds_and_settings(tmp_path: Path) -> None:
    tone(tmp_path / "a.wav")
    row = {"question": "?", "options": ["a", "b"], "answer": "A", "audio": "a.wav"}
    path = jsonl(tmp_path / "q.jsonl", row)

    def fingerprint(**options) -> str:
        return open_benchmark("questions", {"data": str(path), **options}).fingerprint()

    first = fingerprint()
    assert fingerprint() == first
    assert fingerprint(shuffle=True) != first
    assert fingerprint(language="zh") != first
    assert fingerprint(audio_root=str(tmp_path)) == first
    tone(tmp_path / "a.wav", 300)
    second = fingerprint()
    assert second != first
    jsonl(path, row, {**row, "question": "!"})
    assert fingerprint() != second


def test_what_is_no_column_of_ours_is_a_fact(tmp_path: Path) -> None:
    row = {"question": "?", "options": ["a", "b"], "answer": "A", "level": 3, "repeat": 1}
    tags = trials(jsonl(tmp_path / "q.jsonl", {**row, "long": "x" * 500, "none": None}))[0].tags
    assert tags == {"level": 3, "line": 1, "kind": "choice"}


def test_a_table_tells_lines_and_rows_apart(tmp_path: Path) -> None:
    table = read_table(write(tmp_path / "q.json", '[{"question": "?"}]'))
    assert table.at(3).endswith("q.json, row 3")


def sheet_of(path: Path, rows: str) -> Path:
    """A spreadsheet of one sheet with these rows, as little of one as Excel would open."""
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types"/>',
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" '
        f'Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets>'
        '<sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}/relationships">'
        f'<Relationship Id="r1" Type="{office}/worksheet" Target="worksheets/sheet1.xml"/>'
        "</Relationships>",
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main}"><sheetData>{rows}</sheetData>'
        "</worksheet>",
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in parts.items():
            packed.writestr(name, text)
    return path


def open_document(path: Path, rows: str) -> Path:
    names = "urn:oasis:names:tc:opendocument:xmlns"
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    content = (
        f'<office:document-content xmlns:office="{names}:office:1.0" '
        f'xmlns:table="{names}:table:1.0" xmlns:text="{names}:text:1.0"><office:body>'
        f'<office:spreadsheet><table:table table:name="S">{rows}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    manifest = (
        f'<manifest:manifest xmlns:manifest="{names}:manifest:1.0"><manifest:file-entry '
        f'manifest:full-path="/" manifest:media-type="{kind}"/></manifest:manifest>'
    )
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("mimetype", kind)
        packed.writestr("content.xml", content)
        packed.writestr("META-INF/manifest.xml", manifest)
    return path


def cell(place: str, text: str) -> str:
    row = "".join(filter(str.isdigit, place))
    return f'<row r="{row}"><c r="{place}" t="inlineStr"><is><t>{text}</t></is></c></row>'


@needs_calamine
@pytest.mark.parametrize("far", ["XFD1048576", "XFD2000", "K1048576"])
def test_a_small_spreadsheet_with_endless_room_is_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], far: str
) -> None:
    path = sheet_of(tmp_path / "q.xlsx", cell("A1", "question") + cell(far, "x"))
    assert path.stat().st_size < 2000
    told = refused(capsys, "run", path, "-m", "first")
    assert "more than 10,000,000 cells: delete what stands far" in told
    assert told.count("\n") == 1


@needs_calamine
def test_a_repeated_cell_of_a_spreadsheet_is_room_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def row(repeated: int, cells: str) -> str:
        return f'<table:table-row table:number-rows-repeated="{repeated}">{cells}</table:table-row>'

    def words(text: str, repeated: int = 1) -> str:
        return (
            f'<table:table-cell office:value-type="string" table:number-columns-repeated='
            f'"{repeated}"><text:p>{text}</text:p></table:table-cell>'
        )

    bomb = open_document(tmp_path / "bomb.ods", row(1000, words("x", 16384)))
    assert "1,000 rows by 16,384 columns" in refused(capsys, "run", bomb, "-m", "first")
    # What LibreOffice writes around every table: empty cells to the end of the sheet.
    rest = '<table:table-cell table:number-columns-repeated="16380"/>'
    kept = "".join(map(words, ("question", "answer"))) + rest
    asked = "".join(map(words, ("Which clef is the bass clef?", "F"))) + rest
    rows = row(1, kept) + row(1, asked)
    rows += '<table:table-row table:number-rows-repeated="1048570">' + rest + "</table:table-row>"
    found = trials(open_document(tmp_path / "q.ods", rows), scorer="exact")
    assert [trial.stem for trial in found] == ["Which clef is the bass clef?"]


@pytest.mark.slow
def test_a_long_file_is_read_once_and_held_in_little(tmp_path: Path, monkeypatch, capsys) -> None:
    """A row took 1.3 kB while it was read, and each was read twice before the first call."""
    import tracemalloc

    from zhiyin.benchmarks.questions import benchmark, items

    path = tmp_path / "long.csv"
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["id", "question", "A", "B", "C", "D", "answer", "topic"])
        for n in range(3_000):
            stem = f"Which interval lies between the two notes of place {n}, sounded at once?"
            rows.writerow([f"q{n}", stem, "third", "fourth", "fifth", "sixth", "ABCD"[n % 4], "t"])
    opened = open_benchmark("questions", {"data": str(path)})
    tracemalloc.start()
    try:
        assert len(opened.questions) == 3_000
        kept, most = (size / 3_000 for size in tracemalloc.get_traced_memory())
    finally:
        tracemalloc.stop()
    assert kept < 950
    assert most < 1_150
    passes = []
    read = items.Reader.questions
    monkeypatch.setattr(items.Reader, "questions", lambda self: passes.append(1) or read(self))
    tables = []
    real = benchmark.read_table
    monkeypatch.setattr(benchmark, "read_table", lambda *a, **k: tables.append(1) or real(*a, **k))
    run = ["run", str(path), "-m", "first", "--limit", "2", "--out", str(tmp_path / "run")]
    assert main([*run, "--quiet"]) == 0
    assert (len(passes), len(tables)) == (1, 1)


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl", ".parquet"])
def test_a_long_file_is_held_in_little_whatever_its_format(
    tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each object of JSON Lines kept the names of its columns once more: 1.1 kB a row."""
    import gc
    import tracemalloc

    from zhiyin.benchmarks.questions.trials import QuestionTrials

    path = tmp_path / f"long{suffix}"
    names = ["id", "question", "A", "B", "C", "D", "answer", "topic"]
    rows = []
    for n in range(3_000):
        stem = f"Which interval lies between the two notes of place {n}, sounded at once?"
        cells = [f"q{n}", stem, "third", "fourth", "fifth", "sixth", "ABCD"[n % 4], "t"]
        rows.append(dict(zip(names, cells, strict=True)))
    if suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    elif suffix == ".parquet":
        pyarrow = pytest.importorskip("pyarrow")
        pytest.importorskip("pyarrow.parquet").write_table(pyarrow.Table.from_pylist(rows), path)
    else:
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, names, delimiter="\t" if suffix == ".tsv" else ",")
            writer.writeheader()
            writer.writerows(rows)
    del rows
    opened = open_benchmark("questions", {"data": str(path)})
    tracemalloc.start()
    try:
        assert len(opened.questions) == 3_000
        kept = tracemalloc.get_traced_memory()[0] / 3_000
    finally:
        tracemalloc.stop()
    assert kept < 900
    # What the collector of garbage need not walk through again and again.
    held = [*opened.questions, *opened.table.rows, *(row.cells for row in opened.table.rows)]
    assert not any(map(gc.is_tracked, held))
    made = []
    make = QuestionTrials._trial
    monkeypatch.setattr(QuestionTrials, "_trial", lambda *a: made.append(1) or make(*a))
    assert len(opened) == 3_000
    assert not made
    next(iter(opened.trials()))
    assert len(made) == 1


def test_examples_that_stand_before_no_question_are_told_of(tmp_path: Path, capsys) -> None:
    line = {"options": ["a", "b"], "answer": "A", "example": "yes"}
    judged = {"scorer": "judge", "rubric": "r", "example": "yes"}
    rows = [
        {"question": "first?", "options": ["a", "b"], "answer": "B"},
        {"question": "first?", **line},
        *({"question": f"{n}?", **line} for n in range(3)),
        {"question": "how?", **judged},
        {"question": "name?", "answer": "Bach", "scorer": "exact", "example": "yes"},
        {"question": "second?", "options": ["a", "b"], "answer": "B"},
    ]
    path = jsonl(tmp_path / "q.jsonl", *rows)
    args = ["run", str(path), "-m", "first", "--json", "--out"]
    assert main([*args, str(tmp_path / "r"), "--shots", "2"]) == 0
    told = "\n".join(texts(json.loads(capsys.readouterr().out)["remarks"]))
    assert "line 6 (without an answer)" in told
    assert "line 7 (of a kind that no question is of)" in told
    assert "line 5 (behind the first ones of the kind, which are enough)" in told
    assert "each asked without itself: 1" in told
    sent = [trial.messages for trial in trials(path, shots=2)]
    assert [sum("first?" in str(turn) for turn in messages) for messages in sent] == [1, 1]
    assert main([*args, str(tmp_path / "none")]) == 0
    told = "\n".join(texts(json.loads(capsys.readouterr().out)["remarks"]))
    assert "6, and none is shown without --shots" in told


def test_a_judged_example_without_an_answer_is_none(tmp_path: Path, capsys) -> None:
    own = {"scorer": "judge", "rubric": "r"}
    rows = [{"question": "why?", **own}, {"question": "how?", **own, "example": "yes"}]
    path = jsonl(tmp_path / "q.jsonl", *rows)
    run = ("run", path, "-m", "first", "--judge", "first", "--shots", "1")
    assert "0 worked examples with an answer" in refused(capsys, *run)


def test_answers_that_are_letters_in_one_row_and_words_in_another_are_not_guessed(
    tmp_path: Path, capsys
) -> None:
    """Options that are names of notes: "B" is a letter and an option, and rows speak for either."""
    path = tmp_path / "notes.csv"
    rows = ["one,F;G;A;B,B", "two,x;y;z,A", "three,C;D;E;G,G", "four,erhu;dizi,erhu"]
    path.write_text("\n".join(["question,options,answer", *rows]), "utf-8")
    told = refused(capsys, "run", path, "-m", "first")
    assert "say --answers letter or --answers text" in told
    path.write_text("\n".join(["question,options,answer", *rows[:1], *rows[2:]]), "utf-8")
    assert main(["data", "check", str(path)]) == 0  # nothing speaks for letters
