"""`zhiyin data check FILE` and `zhiyin data template`."""

import importlib.util
import json
import math
import random
from collections import Counter
from itertools import product
from pathlib import Path

import pytest

from questions_help import jsonl, refused, tone, write
from zhiyin.benchmarks.questions import flaws
from zhiyin.benchmarks.questions.items import OwnQuestion
from zhiyin.cli import main
from zhiyin.contract.declared import CheckResult, Flaw
from zhiyin.contract.registry import find
from zhiyin.plugins.making.errata_command import print_flaws

needs_rapidfuzz = pytest.mark.skipif(
    importlib.util.find_spec("rapidfuzz") is None, reason="rapidfuzz is not installed"
)


def check(path: Path, **options) -> dict[str, list[str]]:
    """The flaws of a file: kind -> ids."""
    found: dict[str, list[str]] = {}
    for flaw in find("questions").check({"data": str(path), **options}).flaws:
        found.setdefault(flaw.kind, []).append(flaw.id)
    return found


BASE = {"options": ["viola", "lute"], "answer": "A"}
OTHER = {"options": ["lute", "viola"], "answer": "B"}


@needs_rapidfuzz
def test_every_flaw_of_single_rows_is_found_and_no_other(tmp_path: Path) -> None:
    tone(tmp_path / "the viola.wav", 440)
    tone(tmp_path / "copy.wav", 440)
    tone(tmp_path / "quiet.wav", level=0.0)
    write(tmp_path / "words.wav", "no sound")
    rows = [
        {**BASE, "id": "1", "question": "Which of these instruments is bowed?"},
        {**BASE, "id": "2", "question": "which of these instruments is  bowed?"},
        {**BASE, "id": "3", "question": "Which of these instruments is bowed?", "answer": "B"},
        {**BASE, "id": "4", "question": "Which of those instruments is bowed?"},
        {
            **BASE,
            "id": "5",
            "question": "Twice?",
            "options": ["lute", "harp", "Lute "],
            "answer": "A",
        },
        {**BASE, "id": "6", "question": "Key?", "answer": "Z"},
        {**OTHER, "id": "7", "question": "Ex?", "example": "yes"},
        {**OTHER, "id": "8", "question": "Ex?"},
        {**BASE, "id": "9", "question": "All?", "options": ["x", "y", "none of the above"]},
        {**OTHER, "id": "10", "question": "What is heard?", "audio": "the viola.wav"},
        {**OTHER, "id": "11", "question": "And what here?", "audio": "copy.wav"},
        {**OTHER, "id": "12", "question": "Quiet?", "audio": "quiet.wav"},
        {**OTHER, "id": "13", "question": "Broken?", "audio": "words.wav"},
        {**BASE, "id": "14", "question": "Absent?", "audio": "absent.wav"},
        {**OTHER, "id": "8", "question": "Id?"},
    ]
    assert check(jsonl(tmp_path / "q.jsonl", *rows)) == {
        "bad-answer": ["6"],
        "bad-sound": ["14"],
        "repeated-id": ["8"],
        "sound-names-answer": ["10"],
        "repeated-sound": ["11"],
        "silent-sound": ["12"],
        "unreadable-sound": ["13"],
        "repeated-option": ["5"],
        "order-bound": ["9"],
        "repeated-question": ["2"],
        "conflicting-answers": ["3"],
        "near-repeat": ["4"],
        "example-in-test": ["8"],
    }


def test_the_same_words_about_other_sounds_or_with_another_key_are_no_repeat(tmp_path) -> None:
    tone(tmp_path / "a.wav", 440)
    tone(tmp_path / "b.wav", 550)
    heard = [{**BASE, "question": "Which instrument plays?", "audio": f"{x}.wav"} for x in "ab"]
    drills = [
        {"question": f"Which note is a fourth above {x}?", "options": list("CDEFG"), "answer": y}
        for x, y in (("C", "D"), ("A", "E"))
    ]
    found = check(jsonl(tmp_path / "q.jsonl", *heard, *drills), answers="letter")
    assert found == {}


@needs_rapidfuzz
@pytest.mark.parametrize(
    ("question", "first", "second", "near"),
    [
        ("这位作曲家晚年在维也纳写作的两部清唱剧中的第一部，体裁是*。", "____", "__)", True),
        ("下列哪*部作品属于舞曲体裁的音乐，并且不是歌剧？", "一", "", True),
        ("哪个音比*高纯四度，写在高音谱表上？", "C", "D", False),
        ("高音谱表的第*线上是哪一个音，不加变音记号？", "二", "三", False),
        ("Which note stands on the * line of the staff?", "second", "third", False),
        ("Which chord do the notes Cb, * and Gb make?", "Ebb", "Eb", False),
        ("Which notes are in the key of A * here?", "major", "minor", False),
        ("Is the chord of these four notes a * or more?", "VI", "IV", False),
    ],
)
def test_near_repeats_differ_in_words_not_in_values(
    tmp_path: Path, question: str, first: str, second: str, near: bool
) -> None:
    rows = [
        {**BASE, "id": text, "question": question.replace("*", text), "options": [*"xyz", wrong]}
        for text, wrong in ((first or "-", "1"), (second or "-", "2"))
    ]
    found = check(jsonl(tmp_path / "q.jsonl", *rows))
    assert found == ({"near-repeat": [second or "-"]} if near else {})


def file_of(path: Path, longest: float, overlap: float = 0.25, n: int = 80) -> Path:
    """Questions whose longest (and whose most similar) option is right that often."""
    draw, rows = random.Random(5), []
    for i in range(n):
        options = [f"{word}{i}" for word in ("quam", "brix", "vond", "jelp")]
        key = draw.randrange(4)
        long = key if draw.random() < longest else draw.choice([k for k in range(4) if k != key])
        options[long] += "zzzz"
        like = key if draw.random() < overlap else draw.choice([k for k in range(4) if k != key])
        rows.append(
            {"question": f"Say {options[like]}?", "options": options, "answer": "ABCD"[key]}
        )
    return jsonl(path, *rows)


def test_longest_is_right_is_told_with_its_p(tmp_path: Path, capsys) -> None:
    path = file_of(tmp_path / "q.jsonl", 0.6)
    assert set(check(path)) == {"longest-is-right"}
    capsys.readouterr()
    assert main(["data", "check", str(path)]) == 0
    out = capsys.readouterr().out
    assert "longest-is-right: the longest option is right in" in out
    assert "of 80, by chance in 20.0 (p " in out


@pytest.mark.slow
def test_answerable_blind_and_uneven_keys(tmp_path: Path) -> None:
    assert set(check(file_of(tmp_path / "q.jsonl", 0.25, 0.7))) == {"answerable-blind"}
    rows = [
        {"question": f"{i}?", "options": ["wx", "xy", "yz", "zw"], "answer": "ABCBBBBB"[i % 8]}
        for i in range(64)
    ]
    assert set(check(jsonl(tmp_path / "q.jsonl", *rows))) == {"uneven-keys"}


@pytest.mark.slow
def test_files_without_a_fault_are_rarely_blamed() -> None:
    """With p below 0.05 by Holm, at most one file in twenty, but for the luck of the draw."""
    draw, blamed = random.Random(1), 0
    for _ in range(200):
        questions = []
        for i in range(40):
            options = tuple("".join(draw.choices("abcdef", k=draw.randint(3, 9))) for _ in range(4))
            stem = "".join(draw.choices("abcdef ", k=30))
            questions.append(
                OwnQuestion(str(i), i, stem, "choice", options, (draw.choice("ABCD"),))
            )  # fmt: skip
        blamed += any(test.adjusted < 0.05 for test in flaws.tests_of(questions))
    assert blamed <= 19  # 10 expected at most; 19 is 3 standard deviations above


@pytest.mark.parametrize("shares", [[0.5], [0.25] * 6, [0.5, 0.25, 0.1, 1 / 3, 0.2]])
def test_the_upper_tail_against_all_outcomes(shares) -> None:
    for hits in range(len(shares) + 1):
        exact = sum(
            math.prod(s if met else 1 - s for s, met in zip(shares, outcome, strict=True))
            for outcome in product((0, 1), repeat=len(shares))
            if sum(outcome) >= hits
        )
        assert flaws.upper_tail(shares, hits) == pytest.approx(exact, abs=1e-12)


def test_check_as_json_with_the_flags_of_reading(tmp_path: Path, capsys) -> None:
    path = write(tmp_path / "q.csv", "words,answer\nWho?,Bach\n")
    args = ["data", "check", str(path), "--columns", "question=words", "--json"]
    assert main(args) == 2  # no question of it can be asked
    found = json.loads(capsys.readouterr().out)
    assert (found["counts"], found["refused"]) == ({"no-scorer": 1}, 1)
    assert main([*args, "--scorer", "normalised"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["counts"], found["items"]) == ({}, 1)
    assert "no column of questions" in refused(capsys, "data", "check", path)
    assert "no such file" in refused(capsys, "data", "check", tmp_path / "none.csv")


@pytest.mark.parametrize("kind", ["choice", "free", "audio", "image"])
@pytest.mark.parametrize("suffix", ["csv", "tsv", "jsonl"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_template_has_no_flaws_and_runs(
    tmp_path, monkeypatch, capsys, kind, suffix, language
) -> None:
    monkeypatch.chdir(tmp_path)
    path = Path("mine") / f"q.{suffix}"
    monkeypatch.setenv("ZHIYIN_LANG", language)
    assert main(["data", "template", str(path), "--kind", kind]) == 0
    assert ("wrote {}" if language == "en" else "已写出 {}").format(path) in capsys.readouterr().out
    monkeypatch.delenv("ZHIYIN_LANG")
    written = path.read_bytes()
    assert ("题目".encode() in written) == (language == "zh")
    assert written.startswith(b"\xef\xbb\xbf") == (language == "zh" and suffix != "jsonl")
    assert check(path) == {}
    write(Path("m.py"), "def answer(messages):\n    return 'Answer: B'\n")
    args = ["run", str(path), "-m", "python:m.py:answer", "--json", "--out", "run"]
    if kind == "choice":
        args += ["--shots", "1"]
    assert main(args) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary["complete"]
    assert summary["states"]["correct"] + summary["states"]["wrong"] >= 2
    assert "is there already" in refused(capsys, "data", "template", path, "--kind", kind)


def test_templates_that_cannot_be(tmp_path: Path, capsys) -> None:
    assert "is written as" in refused(capsys, "data", "template", tmp_path / "q.xlsx")
    assert "--kind" in refused(capsys, "data", "template", tmp_path / "q.csv", "--kind", "x")


def test_many_flaws_fit_a_screen_by_kind_and_all_lists_them(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    flaws = [Flaw(f"kind-{n % 3}", "questions.csv", str(n), "a flaw " * 9) for n in range(60)]
    result = CheckResult(70, flaws, ["a note"])
    kinds = Counter(flaw.kind for flaw in flaws)
    print_flaws(result, kinds, False)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= 25
    assert sum(line.startswith("20 kind-") for line in lines) == 3
    assert "--all lists them" in " ".join(lines)
    print_flaws(result, kinds, True)
    assert capsys.readouterr().out.count("questions.csv  id ") == 60


@pytest.mark.slow
def test_a_tie_of_two_options_is_nobodys_choice():
    """Drawn a dozen times, some ties came out alike each time, and were counted."""
    from zhiyin.benchmarks.questions.flaws import tests_of
    from zhiyin.benchmarks.questions.items import OwnQuestion

    def question(n, options):
        text = f"Which of these is number {n}?"
        return OwnQuestion(f"q{n}", n, text, "choice", tuple(options), keys=("A",))

    tied = [question(n, ("abcd", "efgh", "i")) for n in range(6_000)]
    alone = [question(n, ("abcdefgh", "efg", "i")) for n in range(6_000, 6_040)]
    (longest,) = [one for one in tests_of([*tied, *alone]) if one.kind == "longest-is-right"]
    assert "in 40 of 40" in str(longest.summary)
    assert "(p\xa0<\xa00.001)" in str(longest.summary)


def test_chinese_questions_between_english_words_are_told_of(tmp_path, capsys):
    japanese, chinese = "管楽器はどれですか？", "哪一个是管乐器？"
    asked = ((chinese, [], True), (chinese, ["--language", "zh"], False), (japanese, [], False))
    for n, (stem, flags, told) in enumerate(asked):
        (tmp_path / f"{n}.csv").write_text(f"题目,A,B,正确答案\n{stem},长笛,小提琴,A\n", "utf-8")
        run = ["run", str(tmp_path / f"{n}.csv"), "-m", "first", "--quiet"]
        assert main([*run, *flags, "--out", str(tmp_path / f"run{n}")]) == 0
        assert main(["show", str(tmp_path / f"run{n}")]) == 0
        said = " ".join(capsys.readouterr().out.split())
        assert ("--language zh asks wholly in Chinese" in said) is told


def test_a_file_that_a_run_refuses_is_no_success(tmp_path: Path, capsys, monkeypatch) -> None:
    path = write(tmp_path / "q.csv", "question,A,B,answer,poet\nWho?,x,y,A,me\nHow?,x,y,Q,me\n")
    assert main(["data", "check", str(path)]) == 2
    out = capsys.readouterr().out
    assert "2 rows: 1 can be asked, 1 cannot; flaws: 1 bad-answer" in out
    assert "facts alone: poet" in out
    assert main(["data", "check", str(path), "--partial"]) == 0
    capsys.readouterr()
    monkeypatch.setenv("ZHIYIN_LANG", "zh")
    main(["data", "check", str(path)])
    assert "2 行：1 题可以提问，1 行不能；缺陷：1 处答案有误" in capsys.readouterr().out


def test_what_a_run_refuses_stands_first_with_its_cure(tmp_path, capsys, monkeypatch) -> None:
    rows = ["Who?,x,y,A", ",x,y,A", "How?,z,z,A", "Why?,x,y,Q", ",x,y,B", "When?,x,y,Z"]
    path = write(tmp_path / "q.csv", "\n".join(["question,A,B,answer", *rows, ""]))
    monkeypatch.setenv("COLUMNS", "200")

    def lines(*flags: str) -> list[str]:
        assert main(["data", "check", str(path), *flags]) == 2
        return capsys.readouterr().out.splitlines()

    head = "q.csv: 4 rows that a run refuses; mend them, or leave them out by --partial:"
    answer = "the answer '{}' is not one of the 2 options (line {}): write one of A, B, or an"
    nobody = "  no question (lines 3, 6): write it"
    assert lines()[:2] == [head, nobody]
    assert (
        answer.format("Q", "5; alike: the answer 'Z' is not one of the 2 options (line 7)")
        in lines()[2]
    )
    assert lines()[3] == "what does not stop a run:"
    assert "repeated-option: line 4: options A, B are the same" in lines()[4]
    whole = lines("--all")
    assert whole[:2] == [head, nobody]
    assert answer.format("Q", 5) in whole[2]
    assert answer.format("Z", 7) in whole[3]
    monkeypatch.setenv("ZHIYIN_LANG", "zh")
    assert "没有题目（第 3、6 行）：请写上" in lines()[1]
    path.write_text("question,A,B,answer\n,x,y,A\n")  # nothing would be left by --partial
    assert lines()[0] == "q.csv：有 1 行无法提问，运行会拒绝；请改正："
