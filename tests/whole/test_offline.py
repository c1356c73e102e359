"""Questions written out for a model that runs elsewhere, and runs made of what comes back."""

from __future__ import annotations

import json
import re

import pytest

import muchomusic_help
from conftest import REPOSITORY
from questions_help import jsonl, refused, tone
from zhiyin.cli import main
from zhiyin.engine.folder import read_manifest, read_records


@pytest.fixture
def questions(tmp_path):
    rows = [
        {"id": f"secret-{n}-answer-{'AB'[n % 2]}", "question": f"Which is it, {n}?", "A": "do",
         "B": "re", "answer": "AB"[n % 2],
         "audio": tone(tmp_path / f"this_is_{'AB'[n % 2]}_{n}.wav", 300 + 50 * n).name}
        for n in range(6)
    ]  # fmt: skip
    return jsonl(tmp_path / "mine.jsonl", *rows)


def out(questions, folder, *more):
    status = main(["trials", str(questions), "--out", str(folder), *map(str, more)])
    path = folder / "trials.jsonl"
    return status, [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def play(questions, answers, folder, *more):
    arguments = ["run", str(questions), "-m", f"replay:{answers}", "--out", str(folder), "--quiet"]
    return main([*arguments, *map(str, more)])


def verdicts(folder):
    return {r.id: (r.verdict.state, r.verdict.letter) for r in read_records(folder)}


def test_what_comes_back_is_the_run_that_the_model_here_would_make(tmp_path, questions) -> None:
    (tmp_path / "mine.py").write_text(
        "def plain(messages):\n"
        "    text = messages[-1]['content'][-1]['text']\n"
        "    return 'Answer: ' + 'AB'[sum(map(ord, text)) % 2]\n"
    )
    assert main(["run", str(questions), "-m", f"python:{tmp_path}/mine.py:plain", "--out",
                 str(tmp_path / "here"), "--quiet"]) == 0  # fmt: skip
    status, lines = out(questions, tmp_path / "away")
    assert status == 0
    said = [
        {"id": line["id"], "text": "Answer: " + "AB"[sum(map(ord, text)) % 2]}
        for line in lines
        for text in [line["messages"][-1]["content"][-1]["text"]]
    ]
    jsonl(tmp_path / "away/answers.jsonl", *said[::-1])
    assert play(questions, tmp_path / "away/answers.jsonl", tmp_path / "there") == 0
    assert verdicts(tmp_path / "there") == verdicts(tmp_path / "here")
    assert len(verdicts(tmp_path / "there")) == 6
    again = json.loads((tmp_path / "away/manifest.json").read_text())
    assert again["trials"] == again["media"] == 6


def test_answers_beside_an_unreadable_name_of_their_model_are_refused(
    tmp_path, questions, capsys
) -> None:
    _, lines = out(questions, tmp_path / "away")
    jsonl(tmp_path / "away/answers.jsonl", {"id": lines[0]["id"], "text": "A"})
    (tmp_path / "away/answers.model").write_bytes(b"\xff\xfe")
    capsys.readouterr()
    assert main(["batch", str(tmp_path / "away"), "-m", "first"]) == 2
    told = capsys.readouterr().err
    assert "holds answers that something else wrote" in told
    assert "Traceback" not in told


def test_nothing_that_tells_the_answer_is_written(tmp_path, questions) -> None:
    _, lines = out(questions, tmp_path / "away")
    for line in lines:
        assert set(line) == {"id", "messages", "settings", "question", "options"}
        assert re.fullmatch("[0-9a-f]{20}", line["id"])
        path = line["messages"][0]["content"][0]["path"]
        assert re.fullmatch(r"media/[0-9a-f]{32}\.wav", path)
        assert (tmp_path / "away" / path).is_file()
    assert [line["id"] for line in lines] == sorted(line["id"] for line in lines)
    everything = b"".join(p.read_bytes() for p in (tmp_path / "away").rglob("*") if p.is_file())
    names = "".join(str(p) for p in (tmp_path / "away").rglob("*"))
    for told in ("secret", "this_is", "target", "cluster", "groups"):
        assert told.encode() not in everything, told
        assert told not in names.removeprefix(str(tmp_path))


def test_the_same_command_writes_the_same_and_others_other_ids(tmp_path, questions) -> None:
    _, first = out(questions, tmp_path / "one")
    _, second = out(questions, tmp_path / "two")
    assert first == second
    assert out(questions, tmp_path / "one")[1] == first  # in place of what it wrote before
    _, warm = out(questions, tmp_path / "warm", "--temperature", 1)
    _, turned = out(questions, tmp_path / "turned", "--shuffle", "--seed", 3)
    ids = {line["id"] for line in first}
    assert not ids & {line["id"] for line in warm}
    assert ids != {line["id"] for line in turned}


def test_a_recording_that_is_another_is_another_question(tmp_path, questions, capsys) -> None:
    _, lines = out(questions, tmp_path / "away")
    jsonl(tmp_path / "away/answers.jsonl", *({"id": x["id"], "text": "B"} for x in lines))
    for n in range(6):
        tone(tmp_path / f"this_is_{'AB'[n % 2]}_{n}.wav", 800 + 50 * n)
    line = refused(capsys, "run", questions, "-m", f"replay:{tmp_path}/away/answers.jsonl",
                   "--out", tmp_path / "run")  # fmt: skip
    assert "none of its 6 ids" in line
    assert "data was" in line


def test_missing_unknown_and_broken_answers_are_one_line_each(tmp_path, questions, capsys) -> None:
    _, lines = out(questions, tmp_path / "away")
    ids = [line["id"] for line in lines]
    answers = [{"id": name, "text": "A"} for name in ids[:4]]
    jsonl(tmp_path / "part.jsonl", *answers, {"id": "stranger", "text": "B"})
    capsys.readouterr()
    assert play(questions, tmp_path / "part.jsonl", tmp_path / "run") == 1
    told = " ".join(capsys.readouterr().out.split())
    assert "1 of 5 answers were not asked for (stranger)" in told
    assert "2 x no answer for this trial" in told
    assert sum(state == "error" for state, _ in verdicts(tmp_path / "run").values()) == 2

    jsonl(tmp_path / "double.jsonl", *answers, answers[1])
    line = refused(capsys, "run", questions, "-m", f"replay:{tmp_path}/double.jsonl")
    assert "double.jsonl, line 5: id" in line
    assert "has an answer already" in line
    jsonl(tmp_path / "other.jsonl", answers[2])
    spec = f"replay:{tmp_path}/part.jsonl,{tmp_path}/other.jsonl"
    line = refused(capsys, "run", questions, "-m", spec, "--out", tmp_path / "two")
    assert "is asked once: keep one" in line
    assert not (tmp_path / "two").exists()


def test_several_files_hold_the_answers_together(tmp_path, questions) -> None:
    _, lines = out(questions, tmp_path / "away")
    ids = [line["id"] for line in lines]
    jsonl(tmp_path / "a.jsonl", *({"id": name, "reply": "Answer: A"} for name in ids[:2]))
    rows = "".join(f'{name},"Well, ""B"".\nAnswer: B"\n' for name in ids[2:4])
    (tmp_path / "b.csv").write_text("id,response\n" + rows)
    listed = [{"id": name, "model_output": "Answer: A"} for name in ids[4:]]
    (tmp_path / "c.json").write_text(json.dumps(listed))
    spec = ",".join(str(tmp_path / name) for name in ("a.jsonl", "b.csv", "c.json"))
    assert play(questions, spec, tmp_path / "run") == 0
    letters = [letter for _, letter in verdicts(tmp_path / "run").values()]
    assert sorted(letters) == list("AAAABB")
    before = read_manifest(tmp_path / "run").config["model_data"]
    (tmp_path / "c.json").write_text(json.dumps([{**one, "x": 1} for one in listed]))
    assert play(questions, spec, tmp_path / "again") == 0
    assert read_manifest(tmp_path / "again").config["model_data"] != before


REPEATED = """
import zhiyin as zy


class Same(zy.Benchmark):
    name = "same"

    def trials(self):
        options = (zy.Option("A", "do", "A"), zy.Option("B", "re", "B"))
        for repeat in range(3):
            message = zy.say("user", "Which?")
            yield zy.Trial(f"q/r{repeat}", (message,), "Which?", options, "A", item="q")
"""


def test_repeats_of_one_question_are_distinguished_and_shared_out(tmp_path, capsys) -> None:
    (tmp_path / "same.py").write_text(REPEATED)
    spec = f"{tmp_path}/same.py:Same"
    status, lines = out(spec, tmp_path / "away")
    assert status == 0
    name = lines[0]["id"]
    assert [line["id"] for line in lines] == [name, f"{name}-2", f"{name}-3"]
    jsonl(
        tmp_path / "each.jsonl",
        *({"id": line["id"], "text": text} for line, text in zip(lines, "ABA", strict=True)),
    )
    assert play(spec, tmp_path / "each.jsonl", tmp_path / "one") == 0
    assert [letter for _, letter in verdicts(tmp_path / "one").values()] == list("ABA")
    # The same file of questions answered three times, a file each.
    for n, text in enumerate("BAB"):
        jsonl(tmp_path / f"run{n}.jsonl", {"id": name, "text": text})
    three = ",".join(str(tmp_path / f"run{n}.jsonl") for n in range(3))
    assert play(spec, three, tmp_path / "two") == 0
    assert [letter for _, letter in verdicts(tmp_path / "two").values()] == list("BAB")
    jsonl(tmp_path / "run3.jsonl", {"id": name, "text": "A"})
    line = refused(capsys, "run", spec, "-m", f"replay:{three},{tmp_path}/run3.jsonl")
    assert "is asked 3 times: keep one" in line


def test_a_run_that_is_broken_off_goes_on_with_the_same_answers(tmp_path) -> None:
    (tmp_path / "same.py").write_text(REPEATED)
    spec = f"{tmp_path}/same.py:Same"
    _, lines = out(spec, tmp_path / "away")
    jsonl(
        tmp_path / "each.jsonl",
        *({"id": line["id"], "text": text} for line, text in zip(lines, "ABA", strict=True)),
    )
    assert play(spec, tmp_path / "each.jsonl", tmp_path / "run", "--limit", 1) == 0
    assert play(spec, tmp_path / "each.jsonl", tmp_path / "run") == 0
    assert [letter for _, letter in verdicts(tmp_path / "run").values()] == list("ABA")


def test_what_cannot_be_written_out_beforehand_is_said(tmp_path, questions, capsys) -> None:
    line = refused(capsys, "trials", questions, "--confirm", "--out", tmp_path / "away")
    assert "asks again after a reply" in line
    own = REPOSITORY / "tests/sequences.py"
    line = refused(capsys, "trials", f"{own}:Staircase", "--out", tmp_path / "away")
    assert "cannot be written out beforehand" in line
    line = refused(capsys, "trials", questions, "-m", "random", "--out", tmp_path / "away")
    assert "nobody is asked here" in line
    assert "required: --out" in refused(capsys, "trials", questions)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/thesis.tex").write_text("all of it")
    line = refused(capsys, "trials", questions, "--out", tmp_path / "mine")
    assert "holds thesis.tex already" in line
    assert (tmp_path / "mine/thesis.tex").is_file()


def test_answers_are_never_removed_with_the_questions(tmp_path, questions, capsys) -> None:
    out(questions, tmp_path / "away")
    jsonl(tmp_path / "away/answers.jsonl", {"id": "x", "text": "paid for"})
    line = refused(capsys, "trials", questions, "--out", tmp_path / "away")
    assert "holds answers.jsonl already" in line
    assert (tmp_path / "away/answers.jsonl").is_file()


@pytest.mark.slow
def test_muchomusics_own_layout_goes_out_and_comes_back(tmp_path, capsys) -> None:
    muchomusic_help.make_data(tmp_path / "data")
    status = main(["trials", "muchomusic", "--data", str(tmp_path / "data"), "--repeats", "2",
                   "--out", str(tmp_path / "away"), "--layout", "list"])  # fmt: skip
    assert status == 0
    items = json.loads((tmp_path / "away/trials.json").read_text("utf-8"))
    assert all(set(item) == {"id", "prompt", "answers", "audio_path"} for item in items)
    for item in items:
        item["model_output"] = f"({'ABCD'[len(item['prompt']) % 4]})"
    (tmp_path / "outputs.json").write_text(json.dumps(items[::-1]), "utf-8")
    spec = f"replay:{tmp_path}/outputs.json"
    arguments = ["--data", str(tmp_path / "data"), "--repeats", "2", "--quiet"]
    assert main(["run", "muchomusic", "-m", spec, "--out", str(tmp_path / "run"), *arguments]) == 0
    records = list(read_records(tmp_path / "run"))
    assert len(records) == len(items)
    for record in records:
        text = record.trial.messages[-1].text
        assert record.verdict.letter == "ABCD"[len(text) % 4]
    # And out again, whole, for the published scoring; and in again, with the same figures.
    assert main(["export", str(tmp_path / "run"), "--to", "published", "-o",
                 str(tmp_path / "scored.json")]) == 0  # fmt: skip
    capsys.readouterr()
    parts = sorted(tmp_path.glob("scored*.json"))
    assert len(parts) == 2
    assert main(["import", "muchomusic", *map(str, parts), "--out", str(tmp_path / "back"),
                 "--json"]) == 0  # fmt: skip
    back = json.loads(capsys.readouterr().out)
    assert main(["show", str(tmp_path / "run"), "--json"]) == 0
    there = json.loads(capsys.readouterr().out)
    for group, figures in there["groups"].items():
        assert back["groups"][group]["accuracy"] == figures["accuracy"], group
        assert back["groups"][group]["n"] == figures["n"]


def test_the_layout_is_refused_where_it_does_not_fit(tmp_path, capsys) -> None:
    rows = [{"id": "f", "question": "Why?", "answer": "because"}]
    path = jsonl(tmp_path / "free.jsonl", *rows)
    line = refused(capsys, "trials", path, "--out", tmp_path / "away", "--layout", "list",
                   "--scorer", "normalised")  # fmt: skip
    assert "leave --layout out" in line
