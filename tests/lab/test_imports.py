"""Files of other programs become runs: recognised, joined, and refused where they differ.

``data/foreign`` holds what lm-evaluation-harness 0.4.13, lmms-eval 0.7.3, EvalScope 1.14.1 and
inspect_ai 0.3.285 wrote when they asked four questions of ours; formats of programs that cannot be
installed are written here as their source has it at the commits that `imports.formats` names.
"""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from zhiyin import cli
from zhiyin.plugins.lab.imports import FORMATS, recognise
from zhiyin.plugins.lab.imports.joining import names_key
from zhiyin.runs.rows import records_of
from zhiyin.trial import Option, Trial

FOREIGN = Path(__file__).parent.parent / "data" / "foreign"

ENTRIES: list[dict[str, Any]] = [
    {
        "id": f"m{number}",
        "audio_id": f"./audios/clip-{number}.wav",
        "question": question,
        "choices": choices,
        "answer": answer,
        "task": "music",
        "category": "Reasoning",
        "sub-category": "Sound",
        "difficulty": "easy",
        "dataset": "ours",
        "split": "test",
    }
    for number, (question, choices, answer) in enumerate(
        [
            ("Which instrument plays?", ["Piano", "Violin", "Oboe"], "Violin"),
            ("Which instrument plays?", ["Piano", "Violin", "Oboe"], "Oboe"),
            ("Which metre is it in?", ["3/4", "4/4"], "3/4"),
        ]
    )
]
SAID = ["Violin", "(A) Piano", "The answer is (A)."]
VERDICTS = ["correct", "wrong", "correct"]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "mmau"
    folder.mkdir()
    (folder / "mmau-test-mini.json").write_text(json.dumps(ENTRIES))
    return folder


def prompt_of(entry: dict[str, Any]) -> str:
    listed = " ".join(f"({'ABC'[n]}) {text}" for n, text in enumerate(entry["choices"]))
    return f"{entry['question']}\nChoose the right one: {listed}"


def key_of(entry: dict[str, Any]) -> str:
    return f"({'ABC'[entry['choices'].index(entry['answer'])]}) {entry['answer']}"


def write_lines(path: Path, rows: Iterable[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def import_file(data: Path, path: Path, *more: str) -> tuple[int, Path]:
    out = data.parent / f"run-{path.name}"
    words = ["import", "mmau", str(path), "--from", "auto", "--data", str(data), "--out", str(out)]
    return cli.main([*words, *more]), out


def states(run: Path) -> list[str]:
    return [r.verdict.state for r in sorted(records_of(run), key=lambda r: r.trial.item)]


Row = Callable[[int, dict[str, Any], str], dict[str, Any]]
WRITTEN: dict[str, Row] = {
    "lmms-eval": lambda n, e, said: {
        "doc_id": n, "target": key_of(e), "input": prompt_of(e), "filtered_resps": [said],
        "token_counts": None, "doc_hash": "0", "accuracy": 1.0,
    },
    "audio-flamingo": lambda n, e, said: {
        "id": f"/data/clip-{n}.wav", "question": prompt_of(e), "gt_answer": key_of(e), "pred": said,
    },
    "kimi-audio-evalkit": lambda n, e, said: {
        "index": n, "audio_path": [f"/data/clip-{n}.wav"], "question": prompt_of(e),
        "answer": key_of(e)[1], "subset": "music", "prediction": said, "real_prompt": "-",
    },
    "mimo-audio-eval": lambda n, e, said: {
        **{k: v for k, v in e.items() if k != "id"}, "uid": f"m{n}", "response": said,
    },
    "midashenglm": lambda n, e, said: {
        "key": f"m{n}", "category": "music", "question": e["question"], "answer": e["answer"],
        "choices": e["choices"], "task": "Choice", "prompt": prompt_of(e), "model_output": said,
    },
    "nemo-skills": lambda n, e, said: {
        "id": f"m{n}", "problem": prompt_of(e), "question": e["question"], "choices": e["choices"],
        "audio_path": [f"/data/clip-{n}.wav"], "expected_answer": e["answer"], "generation": said,
    },
    "openai-batch": lambda n, e, said: {
        "id": f"batch_req_{n}", "custom_id": f"m{n}", "error": None,
        "response": {"status_code": 200, "body": {"choices": [
            {"index": 0, "message": {"role": "assistant", "content": said},
             "finish_reason": "stop"}]}},
    },
    "audiobench": lambda n, e, said: {
        "instruction": prompt_of(e), "answer": e["answer"], "task_type": "MCQ",
        "model_prediction": said, "audio": f"clip-{n}.wav",
    },
}  # fmt: skip


@pytest.mark.parametrize("name", WRITTEN)
def test_each_format_is_recognised_and_gives_the_same_verdicts(
    name: str, data: Path, tmp_path: Path
) -> None:
    entries = ENTRIES if name != "audiobench" else [ENTRIES[0], ENTRIES[2]]
    if name == "audiobench":  # it names no clip: what is worded alike cannot be joined by words
        (data / "mmau-test-mini.json").write_text(json.dumps(entries))
    rows = [WRITTEN[name](ENTRIES.index(e), e, SAID[ENTRIES.index(e)]) for e in entries]
    found = recognise(rows[0])
    assert found is not None
    assert found.name == name
    status, run = import_file(data, write_lines(tmp_path / "replies.jsonl", rows))
    assert status == 0
    assert states(run) == [VERDICTS[ENTRIES.index(e)] for e in entries]


def test_a_json_list_and_responses_of_the_newer_api(data: Path, tmp_path: Path) -> None:
    rows = [
        {"custom_id": e["id"], "error": None, "response": {"body": {"output": [
            {"type": "reasoning", "summary": []},
            {"type": "message", "content": [{"type": "output_text", "text": said}]},
        ]}}}
        for e, said in zip(ENTRIES, SAID, strict=True)
    ]  # fmt: skip
    rows[1]["error"], rows[1]["response"] = {"code": "x"}, None  # that request failed
    path = tmp_path / "replies.json"
    path.write_text(json.dumps(rows))
    status, run = import_file(data, path)
    assert status == 0
    assert states(run) == ["correct", "correct"]
    manifest = json.loads((run / "run.json").read_text())
    assert manifest["planned"] == 3, "a request that failed is no wrong answer, and is lacking"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "form", "verdicts"),
    [
        ("samples_zy_toy.jsonl", "lm-eval", 4),
        ("lmms_samples_zhiyin_questions.jsonl", "lmms-eval", 4),
        ("evalscope_predictions.jsonl", "evalscope", 4),
        ("evalscope_reviews.jsonl", "evalscope-reviews", 4),
        pytest.param("toy.eval", "inspect", 8, marks=pytest.mark.xdist_group("inspect")),
    ],
)
def test_what_installed_programs_wrote(
    file: str, form: str, verdicts: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if form == "inspect":
        pytest.importorskip("inspect_ai")
    out = tmp_path / "run"
    words = ["import", str(FOREIGN / "questions.jsonl"), str(FOREIGN / file), "--from", "auto"]
    assert cli.main([*words, "--out", str(out)]) == 0
    records = list(records_of(out))
    assert len(records) == verdicts
    assert json.loads((out / "run.json").read_text())["options"]["from"] == form
    right = {"inspect": 8, "lmms-eval": 2}.get(form, 1)  # as those programs counted
    assert sum(r.verdict.state == "correct" for r in records) == right
    capsys.readouterr()


# What `zhiyin trials` wrote for another program


def written(folder: Path, layout: str, *words: str) -> tuple[list[dict[str, Any]], str]:
    """The rows that another program reads, and what the command said."""
    assert cli.main(["trials", *words, "--layout", layout, "--out", str(folder)]) == 0
    name = json.loads((folder / "manifest.json").read_text())["files"][0]
    return [json.loads(line) for line in (folder / name).read_text().splitlines()], name


def batch_row(name: str, text: str | None, finish: str = "stop", **message: Any) -> dict[str, Any]:
    return {
        "id": "batch_req_1", "custom_id": name, "error": None,
        "response": {"status_code": 200, "body": {"choices": [
            {"index": 0, "message": {"role": "assistant", "content": text, **message},
             "finish_reason": finish}]}},
    }  # fmt: skip


PAIRS = ("pairs", "--n", "2", "--fact", "third", "--change", "gain")


def test_a_batch_comes_back_by_its_ids(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Failed rows are no replies; refusals and what was cut off are none that are wrong."""
    asked, _ = written(tmp_path / "away", "openai-batch", str(FOREIGN / "questions.jsonl"))
    assert "zhiyin import" in capsys.readouterr().out
    names = [row["custom_id"] for row in asked]
    failed = {"id": "b", "custom_id": names[0], "response": None, "error": {"code": "expired"}}
    slow = {"error": {"message": "slow down", "type": "requests"}}
    busy = {"custom_id": names[1], "error": None, "response": {"status_code": 429, "body": slow}}
    rows = [
        batch_row(names[2], None, refusal="I cannot help with that."),
        batch_row(names[3], "It may be", "length"),
    ]
    path, errors = tmp_path / "output.jsonl", tmp_path / "errors.jsonl"
    write_lines(path, rows)
    write_lines(errors, [failed, busy])
    words = ["import", str(FOREIGN / "questions.jsonl"), "--from", "auto"]
    assert cli.main([*words, str(path), str(errors), "--out", str(tmp_path / "run")]) == 0
    assert sorted(states(tmp_path / "run")) == ["refused", "truncated"]
    assert json.loads((tmp_path / "run" / "run.json").read_text())["planned"] == 4
    held_back = batch_row(names[2], None, "content_filter")
    output = [{"type": "message", "content": [{"type": "refusal", "refusal": "No."}]}]
    newer = {"custom_id": names[0], "error": None, "response": {"body": {"output": output}}}
    write_lines(path, [held_back, newer])
    assert cli.main([*words, str(path), "--out", str(tmp_path / "more")]) == 0
    assert states(tmp_path / "more") == ["refused", "refused"]


@pytest.mark.slow
def test_what_was_written_with_flags_is_known_by_the_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Flags change what is asked, and the order of the options: the manifest has them."""
    folder, own = tmp_path / "away", str(FOREIGN / "questions.jsonl")
    keyed, _ = written(tmp_path / "keyed", "evalscope", own, "--shuffle", "--seed", "3")
    written(folder, "openai-batch", own, "--shuffle", "--seed", "3")
    assert [row["options"] for row in keyed] != [
        row["options"] for row in written(tmp_path / "plain", "evalscope", own)[0]
    ]
    rows = [batch_row(row["id"], f"Answer: {row['answer']}") for row in keyed]
    outside = write_lines(tmp_path / "output.jsonl", rows)
    assert cli.main(["import", own, str(outside), "--from", "auto"]) == 2
    assert "move the file into the folder that it wrote" in capsys.readouterr().err
    path = write_lines(folder / "output.jsonl", rows)
    assert cli.main(["import", own, str(path), "--from", "auto", "--out", str(folder / "r")]) == 0
    assert states(folder / "r") == ["correct"] * 4
    assert json.loads((folder / "r" / "run.json").read_text())["options"]["shuffle"] is True
    # Two files of other questions are parts; two of the same are repeats.
    parts = [str(write_lines(folder / "1.jsonl", rows[:2]))]
    parts.append(str(write_lines(folder / "2.jsonl", rows[2:])))
    for files, repeats in ((parts, {1}), ([*parts, str(path)], {1, 2})):
        out = tmp_path / f"parts{len(files)}"
        assert cli.main(["import", own, *files, "--from", "auto", "--out", str(out)]) == 0
        assert {r.trial.tags["repeat"] for r in records_of(out)} == repeats


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["evalscope", "lmms-eval"])
def test_programs_without_ids_are_joined_by_the_order_of_the_file(
    layout: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Many of these questions are worded alike: their places alone part them."""
    folder = tmp_path / "away"
    asked, _ = written(folder, layout, *PAIRS)
    rows: list[dict[str, Any]] = []
    for n, row in enumerate(asked):
        said = f"Answer: {row['answer']}"
        if layout == "lmms-eval":
            own = {"doc_id": n, "target": row["answer"], "input": row["prompt"]}
            rows.append({**own, "filtered_resps": said, "token_counts": [None]})
            continue
        text = row["question"].replace("<audio 1>", "").replace("<audio 2>", "")
        messages = [{"role": "user", "content": [{"type": "audio", "audio": row["audio_1"]},
                                                 {"type": "text", "text": text}]}]  # fmt: skip
        output = {"choices": [{"message": {"content": said}, "stop_reason": "stop"}], "error": None}
        rows.append({"index": n, "model": "mock", "model_output": output, "messages": messages,
                     "agent_trace": None, "metadata": {}})  # fmt: skip
    place = folder / "outputs" / "predictions" / "mock"
    place.mkdir(parents=True)
    path = write_lines(place / "general_vmcq_default.jsonl", rows[::-1])
    words = ["import", str(path), "--from", "auto"]  # the folder says which benchmark
    assert cli.main([*words, "--out", str(tmp_path / "run")]) == 0
    assert states(tmp_path / "run") == ["correct"] * len(asked)
    capsys.readouterr()
    rows[1], key = dict(rows[1]), "input" if layout == "lmms-eval" else "messages"
    rows[1][key] = "Something else?"
    write_lines(path, rows)
    assert cli.main([*words, "--out", str(tmp_path / "again")]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "line 2: " in told


@pytest.mark.slow
def test_a_table_of_vlmevalkit_keeps_the_ids(tmp_path: Path) -> None:
    pytest.importorskip("openpyxl")
    pytest.importorskip("python_calamine")
    import openpyxl

    folder = tmp_path / "away"
    order = ["exercises", "--limit", "9"]
    assert cli.main(["trials", *order, "--layout", "vlmevalkit", "--out", str(folder)]) == 0
    with (folder / "zhiyin_exercises.tsv").open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file, delimiter="\t"))
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append([*lines[0], "prediction"])
    for line in lines:
        sheet.append([int(line["index"]), *list(line.values())[1:], line["answer"]])
    (folder / "outputs").mkdir()
    book.save(path := folder / "outputs" / "m_zhiyin_exercises.xlsx")
    words = ["import", "exercises", str(path), "--from", "auto", "--out", str(tmp_path / "run")]
    assert cli.main(words) == 0
    assert states(tmp_path / "run") == ["correct"] * 9


def test_sequences_have_no_replies_of_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_lines(tmp_path / "out.jsonl", [batch_row("0123456789abcdef0123", "A")])
    assert cli.main(["import", "thresholds", str(path), "--from", "auto"]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "thresholds" in told


# The same rows in other clothes


def as_gzip(path: Path, text: str) -> Path:
    place = path.with_suffix(".jsonl.gz")
    place.write_bytes(gzip.compress(text.encode()))
    return place


def as_text(suffix: str, encoding: str = "utf-8", end: str = "\n") -> Callable[[Path, str], Path]:
    def write(path: Path, text: str) -> Path:
        place = path.with_suffix(suffix)
        place.write_bytes(text.replace("\n", end).encode(encoding))
        return place

    return write


def as_table(delimiter: str, suffix: str) -> Callable[[Path, str], Path]:
    def write(path: Path, text: str) -> Path:
        rows = [json.loads(line) for line in text.splitlines()]
        place = path.with_suffix(suffix)
        with place.open("w", encoding="utf-8-sig", newline="") as file:
            columns = ["id", "audio_path", "prediction", "answer"]
            writer = csv.DictWriter(file, columns, delimiter=delimiter, extrasaction="ignore")
            writer.writeheader()
            writer.writerows(rows)
        return place

    return write


def as_parquet(path: Path, text: str) -> Path:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    place = path.with_suffix(".parquet")
    rows = [json.loads(line) for line in text.splitlines()]
    parquet.write_table(pyarrow.Table.from_pylist(rows), place)
    return place


@pytest.mark.parametrize(
    "write",
    [
        as_gzip, as_text(".jsonl", "utf-8-sig", "\r\n"), as_text(".jsonl", "utf-16"),
        as_text(".json"), as_table(",", ".csv"), as_table("\t", ".tsv"), as_table(";", ".csv"),
        as_parquet,
    ],
)  # fmt: skip
def test_files_in_other_clothes(
    write: Callable[[Path, str], Path], data: Path, tmp_path: Path
) -> None:
    text = "".join(json.dumps(row) + "\n" for row in FULL)
    status, run = import_file(data, write(tmp_path / "replies", text))
    assert status == 0
    assert states(run) == VERDICTS


@pytest.mark.parametrize(
    "content", [b"\x1f\x8b\x08\x00damaged", b"", b"\xff\xfe\x00", b"[1]", b"{}"]
)
def test_damaged_files_are_one_line(
    content: bytes, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "replies.jsonl.gz").write_bytes(content)
    status, _ = import_file(data, tmp_path / "replies.jsonl.gz")
    assert status == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_free_question_in_a_prompt_offers_nothing(tmp_path: Path) -> None:
    row = {"id": "f", "question": "How many?", "answer": "7", "scorer": "number"}
    asked = write_lines(tmp_path / "mine.jsonl", [row])
    said = {"question": "How many? Answer: a number. (A) is none.", "prediction": "Answer: 7"}
    path = write_lines(tmp_path / "replies.jsonl", [said])
    words = ["import", str(asked), str(path), "--from", "auto", "--out", str(tmp_path / "run")]
    assert cli.main(words) == 0
    assert states(tmp_path / "run") == ["correct"]


def test_evalscope_is_joined_by_words_where_it_names_no_id(tmp_path: Path) -> None:
    lines = (FOREIGN / "evalscope_reviews.jsonl").read_text().splitlines()
    rows = [json.loads(line) for line in lines]
    for row in rows:
        row["sample_score"]["sample_metadata"] = None
    path = write_lines(tmp_path / "reviews.jsonl", rows)
    out = tmp_path / "run"
    words = ["import", str(FOREIGN / "questions.jsonl"), str(path), "--from", "auto"]
    assert cli.main([*words, "--out", str(out)]) == 0
    by_item = {r.trial.item: r.exchange.final.text for r in records_of(out)}
    said = {f"q{row['index'] + 1}": row["sample_score"]["score"]["prediction"] for row in rows}
    assert by_item == said


def test_two_fields_are_asked_about(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [
        {"id": e["id"], "model_output": f"The correct answer is: {said}", "model_prediction": said}
        for e, said in zip(ENTRIES, SAID, strict=True)
    ]
    path = write_lines(tmp_path / "replies.jsonl", rows)
    status, _ = import_file(data, path)
    line = capsys.readouterr().err
    assert status == 2
    assert line.count("\n") == 1
    assert f"zhiyin import mmau {path} --from auto --data {data} --field model_prediction" in line
    status, run = import_file(data, path, "--field", "model_prediction")
    assert status == 0
    assert {r.exchange.final.text for r in records_of(run)} == set(SAID)


def test_two_fields_that_agree_are_one(data: Path, tmp_path: Path) -> None:
    rows = [
        {"id": e["id"], "prediction": said, "response": said}
        for e, said in zip(ENTRIES, SAID, strict=True)
    ]
    status, run = import_file(data, write_lines(tmp_path / "replies.jsonl", rows))
    assert status == 0
    assert states(run) == VERDICTS


def change(rows: list[dict[str, Any]], **changes: Any) -> list[dict[str, Any]]:
    """The rows with something else in the second."""
    return [{**row, **(changes if number == 1 else {})} for number, row in enumerate(rows)]


FULL = [
    {**e, "audio_path": e["audio_id"], "prediction": said}
    for e, said in zip(ENTRIES, SAID, strict=True)
]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"answer": "Piano"}, "the key differs from m1: 'Piano' there, 'Oboe' here"),
        (
            {"choices": ["Violin", "Piano", "Oboe"]},
            "the order of the options differs from m1: 'Violin'",
        ),
        ({"choices": ["Piano", "Viola", "Oboe"]}, "the options differ from m1: 'Viola' there"),
        ({"audio_path": "x/clip-0.wav"}, "the clip differs from m1: 'x/clip-0.wav' there"),
        ({"id": "m9"}, "'m9' is the id of no question"),
        ({"id": "m0"}, "the clip differs from m0"),
    ],
)
def test_the_first_difference_is_told(
    changes: dict[str, Any],
    told: str,
    data: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = write_lines(tmp_path / "replies.jsonl", change(FULL, **changes))
    status, _ = import_file(data, path)
    line = capsys.readouterr().err
    assert status == 2
    assert "line 2" in line
    assert line.count("\n") == 1
    assert told in line
    status, run = import_file(data, path, "--partial")
    assert status == 0
    assert states(run) == ["correct", "correct"], "the row that differs is left out, and no other"
    assert json.loads((run / "run.json").read_text())["planned"] == 3


def test_a_prompt_in_another_order_is_refused(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [WRITTEN["audio-flamingo"](n, e, SAID[n]) for n, e in enumerate(ENTRIES)]
    rows[0]["question"] = rows[0]["question"].replace("Piano (B) Violin", "Violin (B) Piano")
    rows[0]["gt_answer"] = "(A) Violin"
    status, _ = import_file(data, write_lines(tmp_path / "replies.jsonl", rows))
    assert status == 2
    assert "the order of the options differs from m0: 'Violin' there" in capsys.readouterr().err


def test_twice_in_a_file(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_lines(tmp_path / "replies.jsonl", [*FULL, FULL[0]])
    status, run = import_file(data, path)
    assert status == 0
    assert states(run) == VERDICTS, "word for word the same counts once"
    path = write_lines(tmp_path / "differs.jsonl", [*FULL, {**FULL[0], "prediction": "Oboe"}])
    capsys.readouterr()
    status, _ = import_file(data, path)
    assert status == 2
    assert "a second reply to m0" in capsys.readouterr().err
    repeats = [{**row, "repeat": n} for n in (1, 2) for row in FULL]
    status, run = import_file(data, write_lines(tmp_path / "repeats.jsonl", repeats))
    assert status == 0
    assert len(states(run)) == 6
    assert {r.trial.tags["repeat"] for r in records_of(run)} == {1, 2}


def test_no_reply_is_no_wrong_answer(data: Path, tmp_path: Path) -> None:
    rows = [WRITTEN["kimi-audio-evalkit"](n, e, SAID[n]) for n, e in enumerate(ENTRIES)]
    rows[1]["prediction"] = "null"
    status, run = import_file(data, write_lines(tmp_path / "replies.jsonl", rows))
    assert status == 0
    assert states(run) == ["correct", "correct"]
    manifest = json.loads((run / "run.json").read_text())
    assert manifest["planned"] == 3


def test_likelihoods_are_no_replies(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [
        {"doc_id": n, "doc": e, "target": 1, "arguments": {}, "resps": [[[-1.5, False]]],
         "filtered_resps": [[-1.5, False]]}
        for n, e in enumerate(ENTRIES)
    ]  # fmt: skip
    status, _ = import_file(data, write_lines(tmp_path / "replies.jsonl", rows))
    assert status == 2
    assert "no reply in words (resps.0.0 is [-1.5, false]" in capsys.readouterr().err


def test_a_file_alone_finds_its_questions(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_lines(tmp_path / "replies.jsonl", FULL)
    out = ["--data", str(data), "--out", str(tmp_path / "run")]
    assert cli.main(["import", str(path), "--from", "auto", *out]) == 0
    assert json.loads((tmp_path / "run" / "run.json").read_text())["benchmark"] == "mmau"
    other = write_lines(tmp_path / "other.jsonl", [{"id": "z", "prediction": "A"}])
    capsys.readouterr()
    assert cli.main(["import", str(other), "--from", "auto", *out]) == 2
    assert f"zhiyin import BENCHMARK {other} --from auto" in capsys.readouterr().err


def test_faults_of_the_command(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def complaint(*words: object) -> str:
        assert cli.main(["import", *map(str, words)]) == 2
        line = capsys.readouterr().err
        assert line.count("\n") == 1
        return line

    path = write_lines(tmp_path / "replies.jsonl", FULL)
    assert "did you mean lm-eval" in complaint("mmau", path, "--from", "lmeval", "--data", data)
    assert "--from auto" in complaint("ziqi", path, "--field", "prediction")
    assert "--from auto" in complaint("mmau", path, "--partial")
    assert "no file of answers" in complaint("mmau")
    assert "no file of replies" in complaint("mmau", "--from", "auto")
    odd = write_lines(tmp_path / "odd.jsonl", [{"a": 1}])
    assert "line 1: has a: not of" in complaint("mmau", odd, "--from", "auto", "--data", data)
    broken = tmp_path / "broken.jsonl"
    broken.write_text('{"id": 1,')
    assert "broken.jsonl:1: not JSON" in complaint("mmau", broken, "--from", "auto", "--data", data)


def test_data_that_list_the_right_answer_first_need_the_order_that_was_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A letter means the option that stood there in the file, not the one of the data."""
    wrong = ["Flute", "Oboe", "Harp", "Drums"]
    entry = {"question": "What plays?", "correct_answer": "Violin", "distractors": wrong, "PI": 0.5}
    other = {**entry, "question": "What plays second?"}
    (tmp_path / "RUL-MuchoMusic.json").write_text(json.dumps({"1": entry, "2": other}))
    shown = ["Flute", "Violin", "Oboe", "Harp", "Drums"]
    rows = [
        {"id": "1", "choices": shown, "prediction": "The answer is B."},
        {"id": "2", "choices": shown, "prediction": "The answer is A."},
    ]
    path = write_lines(tmp_path / "replies.jsonl", rows)
    words = ["import", "rul", str(path), "--from", "auto", "--data", str(tmp_path)]
    assert cli.main([*words, "--out", str(tmp_path / "run")]) == 0
    assert states(tmp_path / "run") == ["correct", "wrong"]
    assert [o.text for o in next(iter(records_of(tmp_path / "run"))).trial.options] == shown
    del rows[1]["choices"]
    write_lines(path, rows)
    capsys.readouterr()
    assert cli.main([*words, "--out", str(tmp_path / "again")]) == 2
    assert "does not say in which order the options were shown" in capsys.readouterr().err


def test_keys_as_programs_write_them() -> None:
    options = (Option("A", "Piano", "A"), Option("B", "Violin", "B"))
    trial = Trial("t", (), options=options, target="B")
    for key in ("B", "b", "(B)", "B.", "violin", "Violin.", "(B) Violin", "B. Violin", "ANSWER: B"):
        assert names_key(key, trial), key
    for key in ("A", "Piano", "(A) Violin", "(B) Piano", "", "Viola", "BB"):
        assert not names_key(key, trial), key


def test_formats_have_names_and_sources_of_their_own() -> None:
    assert len({each.name for each in FORMATS}) == len(FORMATS)
    assert all(each.source for each in FORMATS if each.name != "rows")


@pytest.mark.slow
def test_replies_of_desta_by_either_field(
    shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """661 and 598 of 1,000 by MMAU's rule: reference, data/mmau_replies/README.md."""
    replies = shared / "mmau_replies" / "desta25_test_mini.jsonl"
    if not replies.is_file():
        pytest.skip("the published replies are not here")
    words = ["import", "mmau", str(replies), "--from", "auto", "--data", str(shared / "mmau")]
    assert cli.main(words) == 2
    assert "model_output and model_prediction" in capsys.readouterr().err
    for field, right in (("model_prediction", 661), ("model_output", 598)):
        out = tmp_path / field
        more = ["--field", field, "--extract", "string-match", "--out", str(out)]
        assert cli.main([*words, *more]) == 0
        assert states(out).count("correct") == right


@pytest.mark.slow
def test_replies_to_mmar_in_three_chains(shared: Path, tmp_path: Path) -> None:
    """99 questions, three chains each, of 1,000: see data/mmar_replies/README.md."""
    replies = shared / "mmar_replies" / "qwen25omni_99x3.jsonl"
    if not replies.is_file():
        pytest.skip("the published replies are not here")
    out = tmp_path / "run"
    words = ["import", "mmar", str(replies), "--from", "auto", "--data", str(shared / "mmar")]
    assert cli.main([*words, "--out", str(out)]) == 0
    records = list(records_of(out))
    assert len(records) == 297
    assert len({r.trial.item for r in records}) == 99
    assert {r.trial.tags["repeat"] for r in records} == {1, 2, 3}
