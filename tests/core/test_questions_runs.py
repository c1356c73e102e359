"""Runs on files of questions: scoring of every kind, judges, examples, clusters, published rows."""

import importlib.util
import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from questions_help import Says, jsonl, refused, run, tone, trials, write
from said_help import texts
from servers import ChatServer
from zhiyin.benchmarks.questions.scoring import open_scorer
from zhiyin.cli import main
from zhiyin.contract.registry import find, is_missing, known
from zhiyin.errors import InputError, ModelError, adding
from zhiyin.record import Reply
from zhiyin.trial import Audio

needs_rapidfuzz = pytest.mark.skipif(
    importlib.util.find_spec("rapidfuzz") is None, reason="rapidfuzz is not installed"
)

EDITS = [
    ("edit", "Köchel", "Answer: kochel", "wrong"),
    ("edit:0.8", "Köchel", "Answer: kochel", "correct"),
    ("wer", "freude schöner götterfunken", "Answer: Freude, schöner Götterfunken!", "correct"),
    ("wer", "freude schöner götterfunken", "Answer: Freude schöner Götter", "wrong"),
    ("wer:0.4", "freude schöner götterfunken", "Answer: Freude schöner Götter", "correct"),
    ("wer", "one two. three\nfour", "Sure:\nAnswer: one two. Three\nfour", "correct"),
    ("cer:0.25", "茉莉花开", "答案：茉莉花", "correct"),
    ("cer:0.2", "茉莉花开", "答案：茉莉花", "wrong"),
]


def scored(tmp_path: Path, rows) -> list[tuple[str, str, str]]:
    path = jsonl(
        tmp_path / "q.jsonl",
        *(
            {"id": str(i), "question": f"{i}?", "answer": key, "scorer": scorer}
            for i, (scorer, key, _, _) in enumerate(rows)
        ),
    )
    replies = {str(i): reply for i, (_, _, reply, _) in enumerate(rows)}
    _, records = run(path, lambda trial: replies[trial.id], tmp_path / "run")
    states = {record.id: record.verdict.state for record in records}
    return [(*row[:3], states[str(i)]) for i, row in enumerate(rows)]


@pytest.mark.slow
def test_a_pattern_that_a_reply_makes_endless_is_an_error_and_can_be_scored_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No check before the run can know every reply: what takes too long is never a wrong answer."""
    from zhiyin import text

    monkeypatch.setattr(text, "_TRIED_LETTERS", 1)
    text.trouble_with.cache_clear()
    path = jsonl(
        tmp_path / "q.jsonl",
        {"id": "1", "question": "1?", "answer": "(a|aa)+$", "scorer": "regex"},
        {"id": "2", "question": "2?", "answer": "a{9}", "scorer": "regex"},
    )
    begun = time.process_time()
    _, records = run(path, "a" * 40 + "!", tmp_path / "run")
    assert time.process_time() - begun < 20
    text.trouble_with.cache_clear()
    states = {record.id: record.verdict.state for record in records}
    assert states == {"1": "error", "2": "correct"}
    assert "took more than 2 s on this reply" in (records[0].error or records[1].error or "")
    assert all(record.exchange.turns for record in records)  # what was paid for is kept


@needs_rapidfuzz
def test_free_answers_by_edits(tmp_path: Path) -> None:
    assert scored(tmp_path, EDITS) == EDITS


def test_an_absent_package_is_told_before_anything_is_asked(tmp_path, monkeypatch, capsys) -> None:
    real = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "rapidfuzz" else real(name)
    )
    path = jsonl(tmp_path / "q.jsonl", {"question": "?", "answer": "a", "scorer": "wer"})
    told = refused(capsys, "run", path, "-m", "first")
    assert f"rapidfuzz is not installed: {adding('questions')}" in told


@pytest.mark.parametrize(
    "spec", ["exact:1", "number:", "number:x", "set-f1:2", "set-f1:0", "notes:loud", "wer:5%", "f2"]
)
def test_bounds_that_no_scorer_takes(spec) -> None:
    with pytest.raises(InputError):
        open_scorer(spec)


def test_one_scorer_for_all_rows_and_its_mean_score(tmp_path: Path) -> None:
    rows = [{"question": f"{i}?", "answer": ["a", "b", "c"]} for i in range(2)]
    path = jsonl(tmp_path / "q.jsonl", *rows)
    summary, records = run(
        path, lambda t: "Answer: a, b, c" if t.stem == "0?" else "Answer: a", tmp_path / "r",
        scorer="set-f1",
    )  # fmt: skip
    assert summary.groups["all"].accuracy == 0.5
    assert {r.verdict.scores["f1"] for r in records} == {1.0, 0.5}
    (section,) = summary.in_english().details
    assert section.rows == [["set-f1", 2, 50.0, None, "f1", 0.75]]


def test_several_right_answers(tmp_path: Path) -> None:
    row = {"question": "Which are minor?", "options": ["C", "Am", "G", "Dm"], "answer": "B, D"}
    path = jsonl(tmp_path / "q.jsonl", {**row, "id": "1"}, {**row, "id": "2"}, {**row, "id": "3"})
    said = {"1": "Answer: D, B", "2": "Answer: B", "3": "hmm"}
    summary, records = run(path, lambda trial: said[trial.id], tmp_path / "r", confirm=True)
    assert {len(record.exchange.turns) for record in records} == {1}
    found = {r.id: (r.verdict.state, r.verdict.answer, r.verdict.scores) for r in records}
    assert found["1"] == ("correct", "B,D", {"f1": 1.0})
    assert found["2"] == ("wrong", "B", {"f1": pytest.approx(2 / 3)})
    assert found["3"][0] == "no_answer"
    assert "One or more of these options are right" in records[0].trial.messages[0].text
    row = summary.in_english().details[0].rows[0]
    assert row[:4] == ["several", 3, pytest.approx(100 / 3), None]


def test_shuffling_hangs_on_seed_and_id_alone(tmp_path: Path) -> None:
    rows = [
        {"id": str(i), "question": f"{i}?", "options": list("vwxyz"), "answer": "x"}
        for i in range(200)
    ]
    path = jsonl(tmp_path / "q.jsonl", *rows)
    orders = {t.id: tuple(o.text for o in t.options) for t in trials(path, shuffle=True, seed=3)}
    jsonl(path, *rows[50:])
    again = {t.id: tuple(o.text for o in t.options) for t in trials(path, shuffle=True, seed=3)}
    assert again == {name: orders[name] for name in again}
    other = {t.id: tuple(o.text for o in t.options) for t in trials(path, shuffle=True, seed=4)}
    assert sum(other[name] != again[name] for name in again) > 140
    at = [next(i for i, o in enumerate(t.options) if o.key == t.target)
          for t in trials(path, shuffle=True, seed=3)]  # fmt: skip
    assert all(15 <= at.count(place) <= 50 for place in range(5))
    assert {trial.target for trial in trials(path, shuffle=True)} == {"C"}


def test_sound_may_lie_elsewhere_where_the_user_says_so(tmp_path: Path, capsys) -> None:
    tone(tmp_path / "sounds" / "a.wav")
    row = {"question": "?", "options": ["a", "b"], "answer": "A", "audio": "../sounds/a.wav"}
    path = jsonl(tmp_path / "in" / "q.jsonl", row)
    assert "name the folder above both by --audio-root" in refused(
        capsys, "run", path, "-m", "first"
    )
    path = jsonl(tmp_path / "in" / "q.jsonl", {**row, "audio": "a.wav"})
    (trial,) = trials(path, audio_root=str(tmp_path / "sounds"))
    assert isinstance(trial.messages[0].parts[0], Audio)
    write(tmp_path / "sounds" / "a.wav", "no sound")
    told = refused(
        capsys, "run", path, "-m", "first", "--audio-root", tmp_path / "sounds"
    )  # fmt: skip
    assert "not audio that can be decoded" in told


@pytest.mark.slow
def test_a_judge_behind_a_server_is_asked_closed_and_believed_only_with_its_key(
    tmp_path, monkeypatch
) -> None:
    with ChatServer(lambda call: '{"reason": "so", "verdict": "right"}') as server:
        path = jsonl(tmp_path / "q.jsonl", {"question": "?"}, {"question": "!"})
        args = f"run {path} -m python:{write(tmp_path / 'm.py', MODEL)}:answer --scorer judge"
        done = subprocess.run(
            [sys.executable, "-X", "dev", "-m", "zhiyin", *args.split(), "--rubric", "so",
             "--judge", server.spec, "--json", "--out", str(tmp_path / "r")],
            capture_output=True, text=True, timeout=120, check=True,
        )  # fmt: skip
        assert json.loads(done.stdout)["states"]["correct"] == 2
        assert "Unclosed" not in done.stderr
        body = server.seen[-1].body["messages"][-1]["content"]
        assert "So it is." in body
    fatal = write(
        tmp_path / "fatal.py",
        "from zhiyin.errors import FatalError\n"
        "async def grade(messages):\n    raise FatalError('the key is wrong')\n",
    )
    many = jsonl(tmp_path / "many.jsonl", *({"question": f"{i}?"} for i in range(300)))
    model = Says("So.")
    summary, records = run(
        many, model, tmp_path / "f", scorer="judge", rubric="so", judge=f"python:{fatal}:grade"
    )
    assert model.asked < 20
    assert any("--judge: the key is wrong" in line for line in texts(summary.warnings))
    assert all(record.exchange.turns[0].reply.text == "So." for record in records)


MODEL = "def answer(messages):\n    return 'So it is.'\n"


def test_chinese_words_and_prompts_of_ones_own(tmp_path: Path) -> None:
    rows = [
        {"id": "1", "question": "哪一件是拉弦乐器？", "options": ["二胡", "琵琶"], "answer": "A"},
        {"id": "2", "question": "哪些弹拨？", "options": ["二胡", "琵琶", "古筝"], "answer": "BC"},
        {"id": "3", "question": "A4 是多少赫兹？", "answer": "440", "scorer": "number"},
    ]  # fmt: skip
    path = jsonl(tmp_path / "q.jsonl", *rows)
    said = {"1": "答案：A", "2": "答案：B、C", "3": "答案：440"}
    summary, records = run(path, lambda t: said[t.id], tmp_path / "r", language="zh")
    assert summary.states["correct"] == 3
    assert "以上选项中只有一项正确" in records[0].trial.messages[0].text
    write(tmp_path / "pack" / "number.en.txt", "My own: {question}")
    found = trials(path, prompts=str(tmp_path / "pack"))
    assert found[2].messages[0].text == "My own: A4 是多少赫兹？"


def test_errors_and_cut_replies_are_what_they_are(tmp_path: Path) -> None:
    path = jsonl(
        tmp_path / "q.jsonl",
        *({"id": str(i), "question": f"{i}?", "answer": "3", "scorer": "number"} for i in range(3)),
    )
    said = {"0": ModelError("gone"), "1": Reply("Let me think", "length"), "2": "Answer: 3"}
    _, records = run(path, lambda trial: said[trial.id], tmp_path / "r")
    states = {record.id: record.verdict.state for record in records}
    assert states == {"0": "error", "1": "truncated", "2": "correct"}


PUBLISHED = {
    "title": "Table 1",
    "source": "A paper",
    "rows": {"people": {"all": {"accuracy": 0.9}, "keys": {"accuracy": 0.8}}},
    "kinds": {"people": "human"},
}


def questions(path: Path) -> Path:
    rows = [
        {"question": f"{i}?", "options": ["a", "b"], "answer": "A", "group": "keys"}
        for i in range(4)
    ]
    return jsonl(path, *rows)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["json", "csv"])
def test_published_rows_stand_beside_a_whole_run_and_no_part(tmp_path, kind, capsys) -> None:
    path = questions(tmp_path / "q.jsonl")
    text = json.dumps(PUBLISHED)
    if kind == "csv":
        text = "Name,group,accuracy,kind\npeople,,0.9,human\npeople,keys,0.8,\n"
    own = write(tmp_path / f"q.published.{kind}", text)
    run_it = ["run", str(path), "-m", "first", "--quiet", "--out"]
    assert main([*run_it, str(tmp_path / "whole")]) == 0
    parts = {"limit": ["--limit", "2"], "sample": ["--sample", "2"], "partial": ["--partial"]}
    for name, flags in parts.items():
        assert main([*run_it, str(tmp_path / name), *flags]) == 0
    own.unlink()
    capsys.readouterr()
    assert main(["show", str(tmp_path / "whole"), "--json"]) == 0
    beside = json.loads(capsys.readouterr().out)["published"]
    assert beside["rows"]["people"] == {"all": {"accuracy": 0.9}, "keys": {"accuracy": 0.8}}
    assert main(["show", str(tmp_path / "whole")]) == 0
    assert capsys.readouterr().out.count("people") == 1
    for name in parts:
        assert main(["show", str(tmp_path / name), "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["published"] is None


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("q.published.json", "{}", "missing required field `rows`"),
        ("q.published.json", '{"rows": {"x": {"all": {"accuracy": 63}}}}', "write a share, 0 to 1"),
        ("q.published.json", '{"rows": {"x": {"all": {"hits": 0.1}}}}', "not in accuracy, f1"),
        ("q.published.json", '{"rows": {}, "sha256": "0"}', "about another q.jsonl"),
        ("q.published.csv", "name,accuracy\nx,much\n", ":2: accuracy 'much' is no number"),
        ("q.published.csv", "model,accuracy\n", "no column 'name'"),
    ],
)
def test_faulty_rows_are_told_before_anything_is_asked(tmp_path, capsys, name, text, message):
    path = questions(tmp_path / "q.jsonl")
    write(tmp_path / name, text)
    told = refused(capsys, "run", path, "-m", "first", "--out", tmp_path / "r")
    assert message in told


def test_rows_that_are_no_utf8_are_told_in_a_line(tmp_path, capsys):
    path = questions(tmp_path / "q.jsonl")
    rows = '{"title": "音乐", "rows": {}}'
    (tmp_path / "q.published.json").write_bytes(rows.encode("gb18030"))
    told = refused(capsys, "run", path, "-m", "first", "--out", tmp_path / "r")
    assert "q.published.json: " in told
    assert "utf-8" in told.lower()


def test_runs_of_different_files_have_different_names(tmp_path: Path, capsys) -> None:
    for name in ("piano", "violin"):
        path = questions(tmp_path / f"{name}.jsonl")
        args = ["run", str(path), "-m", "first", "--quiet", "--out", str(tmp_path / "r" / name)]
        assert main(args) == 0
    capsys.readouterr()
    assert main(["show", str(tmp_path / "r" / "piano"), str(tmp_path / "r" / "violin")]) == 0
    out = capsys.readouterr().out
    assert "questions-piano" in out
    assert "questions-violin" in out
    both = [str(tmp_path / "r" / name) for name in ("piano", "violin")]
    assert "runs of two benchmarks cannot be compared" in refused(capsys, "compare", *both)
    assert find("questions-piano") is find("questions")
    assert is_missing(known("piano"))


def test_nothing_that_a_model_sees_holds_key_place_or_name(tmp_path: Path) -> None:
    tone(tmp_path / "sonata.wav")
    row = {
        "id": "secret-id", "question": "Which form?", "options": ["rondo", "suite"],
        "answer": "B", "audio": "sonata.wav", "group": "hidden-group", "fact": "hidden-fact",
    }  # fmt: skip
    (trial,) = trials(jsonl(tmp_path / "q.jsonl", row))
    blind = trial.blind()
    assert (blind.target, blind.groups, blind.cluster, blind.tags) == (None, (), None, {})
    words = " ".join(message.text for message in blind.messages)
    for leak in ("secret-id", "hidden", "sonata", "q.jsonl"):
        assert leak not in words
