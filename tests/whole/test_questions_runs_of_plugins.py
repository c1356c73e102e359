"""Runs on files of questions: scoring of every kind, judges, examples, clusters, published rows."""

from pathlib import Path

from test_questions_runs import EDITS, scored

from questions_help import Says, jsonl, refused, run, write
from zhiyin.benchmarks.questions.scoring import scorers
from zhiyin.cli import main
from zhiyin.session.rescore import rescore

FREE = [
    ("exact", "Op. 18", "Answer: Op. 18", "correct"),
    ("exact", "Op. 18", "Answer: op. 18", "wrong"),
    ("exact", "F#", "The answer is F#.", "correct"),
    ("exact", "F", "The answer is F#.", "wrong"),
    ("exact", "C♯", "Answer: C♯", "correct"),
    ("exact", "Bb", "Answer: B♭", "correct"),
    ("normalised", "Mozart | W. A. Mozart", "I'd say so.\nAnswer: w. a.  MOZART.", "correct"),
    ("normalised", "C♯ minor", "Answer: C# minor", "correct"),
    ("normalised", "C minor", "Answer: C# minor", "wrong"),
    ("normalised", "贝多芬", "答案：贝多芬", "correct"),
    ("contains", "fugue", "It opens as a Fugue, then wanders.", "correct"),
    ("contains", "fugue", "It is fugued throughout.", "wrong"),
    ("contains", "赋格", "这是一首赋格曲", "correct"),
    ("number", "440", "Answer: 440 Hz", "correct"),
    ("number", "440", "Answer: 441", "wrong"),
    ("number:3", "440", "Answer: 442.5", "correct"),
    ("number:3", "440", "Answer: 444", "wrong"),
    ("number:5%", "120", "Answer: 126", "correct"),
    ("number:5%", "120", "Answer: 127", "wrong"),
    ("number", "0.5", "Answer: 1/2", "correct"),
    ("number", "3", "between 3 and 4", "no_answer"),
    ("regex", r"(?i)\bsonata[- ]allegro\b", "It is in Sonata-Allegro form.", "correct"),
    ("regex", r"^sonata", "It is a sonata", "wrong"),
    ("set-f1", "violin, viola, cello", "Answer: cello, violin and viola", "correct"),
    ("set-f1", "violin, viola, cello", "Answer: cello, violin", "wrong"),
    ("set-f1", "drum and bass, techno", "Answer: Techno and Drum and Bass", "correct"),
    ("set-f1", "drum and bass, techno", "Answer: drum, bass, techno", "wrong"),
    ("set-f1:0.8", "violin, viola, cello", "Answer: cello, violin", "correct"),
    ("set-f1", "violin, viola", "These are:\n1. viola\n2. violin", "correct"),
    ("set-f1", "violin, viola", "These are:\n- viola\n- violin\n- harp", "wrong"),
    ("notes", "E F# G#", "Answer: E, F#, G#", "correct"),
    ("notes", "E F# G#", "Answer: E, Gb, G#", "wrong"),
    ("notes:enharmonic", "E F# G#", "Answer: E, Gb, Ab", "correct"),
    ("notes", "E F# G#", "Answer: E, F#", "wrong"),
    ("notes", "C4 E4", "Answer: C4 E4", "correct"),
    ("notes", "C4 E4", "Answer: C5 E4", "wrong"),
    ("notes", "C E", "Answer: C5 E4", "correct"),
    ("notes:enharmonic", "B#3", "Answer: C4", "correct"),
    ("yes-no", "yes", "Yes, it is.", "correct"),
    ("yes-no", "no", "Answer: yes", "wrong"),
    ("yes-no", "是", "答案：是", "correct"),
    ("exact", "x", "", "no_answer"),
    ("number", "3", "I'm sorry, but I can't help with that.", "refused"),
]  # fmt: skip


def test_free_answers_with_each_scorer(tmp_path: Path) -> None:
    assert scored(tmp_path, FREE) == FREE
    tried = {scorer.partition(":")[0] for scorer, *_ in (*FREE, *EDITS)} | {"judge"}
    assert tried == set(scorers())


def test_rescored_from_the_log_without_the_file(tmp_path: Path) -> None:
    rows = [
        {"question": "Which?", "options": ["a", "b"], "answer": "B"},
        {"question": "Which all?", "options": ["a", "b"], "answer": "AB"},
        {"question": "How many?", "answer": "3", "scorer": "number:0.5"},
        {"question": "Why?", "scorer": "judge", "rubric": "says so", "answer": ""},
    ]
    path = jsonl(tmp_path / "q.jsonl", *rows)
    judge = write(tmp_path / "judge.py", JUDGE)
    replies = {"Which?": "Answer: B", "Which all?": "Answer: A, B", "How many?": "Answer: 3.2"}
    before, _ = run(
        path, lambda t: replies.get(t.stem, "So."), tmp_path / "r",
        judge=f"python:{judge}:grade",
    )  # fmt: skip
    assert before.states["correct"] == 4
    path.unlink()
    judge.unlink()
    after = rescore(tmp_path / "r", "robust", tmp_path / "again")
    assert after.states == before.states
    assert after.groups == before.groups
    assert after.benchmark == "questions-q"
    assert main(["show", str(tmp_path / "r")]) == 0


JUDGE = """
import re
def grade(messages):
    text = messages[-1]["content"]
    said = re.search(r"\\[\\[TEXT \\w+\\]\\]\\n(.*?)\\n\\[\\[END", text, re.S)
    if len(messages) > 1:
        return '{"reason": "asked again", "verdict": "wrong"}'
    word = {"So.": "right", "Half.": "partly"}.get(said[1], "nonsense")
    return '{"reason": "it does", "verdict": "%s"}' % word
"""


def test_a_judge_with_the_users_rubric(tmp_path: Path, capsys) -> None:
    rows = [{"id": str(i), "question": f"{i}?", "answer": ""} for i in range(4)]
    path = jsonl(tmp_path / "q.jsonl", *rows)
    judge = write(tmp_path / "judge.py", JUDGE)
    rubric = write(tmp_path / "rubric.txt", "The answer says so.")
    options = {"judge": f"python:{judge}:grade", "rubric": str(rubric)}
    said = {"0": "So.", "1": "Half.", "2": "Else.", "3": ""}
    _, records = run(
        path, lambda t: said[t.id], tmp_path / "one", scorer="judge", **options
    )  # fmt: skip
    found = {r.id: (r.verdict.state, r.verdict.scores.get("judged")) for r in records}
    assert found == {
        "0": ("correct", 1.0), "1": ("wrong", 0.5), "2": ("wrong", 0.0), "3": ("no_answer", None),
    }  # fmt: skip
    (exchange,) = [r.exchange for r in records if r.id == "2"]
    assert exchange.final.text == "Else."
    assert len(exchange.notes["judge"]["replies"]) == 2
    _, records = run(path, lambda t: said[t.id], tmp_path / "two", scorer="judge:0.5", **options)
    assert {r.id: r.verdict.state for r in records}["1"] == "correct"
    (tmp_path / "so.py").write_text("def answer(messages):\n    return 'So.'\n")
    model = f"python:{tmp_path / 'so.py'}:answer"
    run_it = ("run", path, "-m", model, "--scorer", "judge", "--rubric", "so")
    assert "say --judge MODEL" in refused(capsys, *run_it)
    assert "--judge: unknown model 'nobody'" in refused(capsys, *run_it, "--judge", "nobody")
    gone = ("--judge", "http://127.0.0.1:9/v1#none")
    assert "cannot reach" in refused(capsys, *run_it, *gone)


def test_a_judge_that_fails_is_an_error_and_its_replies_can_be_judged_again(tmp_path) -> None:
    path = jsonl(tmp_path / "q.jsonl", {"id": "1", "question": "?", "answer": "x"})
    bad = write(tmp_path / "bad.py", "def grade(messages):\n    raise ValueError('broken')\n")
    good = write(tmp_path / "good.py", JUDGE)
    model = Says("So.")
    options = {"scorer": "judge", "rubric": "so"}
    summary, (record,) = run(path, model, tmp_path / "r", judge=f"python:{bad}:grade", **options)
    assert record.verdict.state == "error"
    assert record.verdict.why.startswith("judge_error: ")
    assert "broken" in record.verdict.why
    assert record.exchange.final.text == "So."
    assert summary.groups["all"].n == 0
    from zhiyin.models import open_model

    replay = open_model(f"replay:{tmp_path / 'r'}")
    _, (again,) = run(path, replay, tmp_path / "s", judge=f"python:{good}:grade", **options)
    assert again.verdict.state == "correct"
    assert model.asked == 1


def test_another_judge_or_rubric_is_another_run(tmp_path: Path) -> None:
    from zhiyin.contract.registry import open_benchmark

    path = jsonl(tmp_path / "q.jsonl", {"question": "?"})
    base = {"data": str(path), "scorer": "judge", "rubric": "a", "judge": "random"}

    def fingerprint(**options) -> str:
        return open_benchmark("questions", {**base, **options}).fingerprint()

    assert fingerprint() == fingerprint()
    assert len({fingerprint(), fingerprint(judge="first"), fingerprint(rubric="b")}) == 3


def test_a_judge_wants_a_rubric(tmp_path, capsys):
    path = jsonl(tmp_path / "q.jsonl", {"question": "?", "scorer": "judge"})
    told = refused(capsys, "run", path, "-m", "first", "--out", tmp_path / "run")
    assert f"{path}:1: " in told
    assert "a judge without a rubric: say --rubric" in told
