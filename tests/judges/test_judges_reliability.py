"""Judges against themselves, each other, people and length."""

import msgspec
import pytest

from judge_help import REVIEW, dump, judge, judge_answer, make_run, points
from servers import ChatServer
from zhiyin import cli
from zhiyin.errors import InputError
from zhiyin.plugins.judges import rubric
from zhiyin.plugins.judges.cases import JudgedCase
from zhiyin.plugins.judges.combine import mean_score, parts_of
from zhiyin.plugins.judges.grades import Grade, Grades, read_grades
from zhiyin.plugins.judges.reliability import PeoplesGrades, assess, family, kinship, read_human
from zhiyin.plugins.judges.rubric import Judgement
from zhiyin.statistics.parts import part_interval


def graded(tmp_path, table, judge_name="judge-a", aspect="completeness"):
    """Grades from a table: case -> scores of its draws (None for a lost one)."""
    cases = [JudgedCase(name, f"song {name}", "x" * (10 * k + 1)) for k, name in enumerate(table)]
    grades = [
        Grade(aspect, k, name, None if s is None else Judgement({"score": s}))
        for name, row in table.items()
        for k, s in enumerate(row)
    ]
    draws = max(len(row) for row in table.values())
    return Grades(tmp_path, judge_name, draws, (aspect,), cases, grades, [])


def test_spread_of_draws(tmp_path):
    found = assess([graded(tmp_path, {"a": (4, 8), "b": (10, 10), "c": (5, None)})], "toy").spread
    assert len(found) == 1
    assert found[0].sd == pytest.approx(2.0)  # variances 8 and 0
    assert (found[0].widest, found[0].texts, found[0].draws) == (4, 2, 2)


def test_draws_differ_through_a_server_that_differs(tmp_path):
    run = make_run(tmp_path / "run", [REVIEW])
    given = iter([16, 12, 14])

    def answer(call):
        low = 16 - next(given)
        return dump(points(dict.fromkeys(list(rubric.OURS.points)[:low], 0)))

    with ChatServer(answer) as server:
        folder = judge(run, server.spec, aspects="completeness", draws=3, concurrency=1)
        assert server.calls == 3
    found = assess([read_grades(folder)], "toy").spread[0]
    assert found.sd == pytest.approx(2.0)


def test_agreement_of_judges(tmp_path):
    rows = {"a": (4,), "b": (8,), "c": (12,), "d": (15,)}
    one = graded(tmp_path, rows)
    same = assess([one, graded(tmp_path, rows, "judge-b")], "toy").agreement[0]
    assert same.alpha.alpha == 1
    assert same.kappa.kappa == 1
    turned = {name: (19 - row[0],) for name, row in rows.items()}
    against = assess([one, graded(tmp_path, turned, "judge-b")], "toy").agreement[0]
    assert against.alpha.alpha < 0
    assert against.kappa.kappa < 0
    three = [one, one, graded(tmp_path, rows | {"a": (None,)}, "judge-c")]
    assert assess(three, "toy").agreement[0].kappa is None
    assert assess([one], "toy").agreement == []


def test_a_judge_without_a_grade_agrees_with_nobody(tmp_path):
    rows = {"a": (4,), "b": (8,), "c": (12,), "d": (15,)}
    lost = graded(tmp_path, dict.fromkeys(rows, (None,)), "judge-c")
    two = [graded(tmp_path, rows), graded(tmp_path, rows, "judge-b")]
    (found,) = assess([*two, lost], "toy").agreement
    assert found.judges == ["judge-a", "judge-b"]
    assert found.kappa.kappa == 1
    assert assess([two[0], lost], "toy").agreement == []


def test_correlation_with_length(tmp_path):
    found = assess([graded(tmp_path, {"a": (1,), "b": (5,), "c": (9,), "d": (10,)})], "toy")
    assert found.length[0].rank.rho == 1
    assert assess([graded(tmp_path, {"a": (1,), "b": (5,)})], "toy").length == []


def test_against_people_and_the_corrected_mean(tmp_path):
    """A judge that gives everybody two points too many is corrected to people's mean."""
    table = {f"s{k}": (float(k % 9 + 4),) for k in range(40)}
    grades = graded(tmp_path, table)
    file = tmp_path / "human.csv"
    rows = [f"song s{k},{table[f's{k}'][0] - 2}" for k in range(20)]
    file.write_text("song,completeness\n" + "\n".join(rows) + "\n")
    people = PeoplesGrades(read_human(file, grades.cases))
    found = assess([grades], "toy", people).human[0]
    assert (found.bias, found.texts) == (pytest.approx(2), 20)
    assert found.rank.rho == pytest.approx(1)
    true = sum(row[0] - 2 for row in table.values()) / 40
    assert found.powered.low <= true <= found.powered.high
    assert abs(found.powered.mean - true) < 0.2 < abs(found.powered.judge_mean - true)


def test_several_people_count_with_their_mean(tmp_path):
    grades = graded(tmp_path, {"a": (8,), "b": (4,)})
    file = tmp_path / "human.csv"
    file.write_text("\ufeffrater,song,completeness,novelty\nx,a,8,\ny,song a,10,3\n\nx,b,4,2\n")
    assert read_human(file, grades.cases) == {
        "completeness": {"a": 9, "b": 4},
        "novelty": {"a": 3, "b": 2},
    }


def test_a_song_with_two_reviews_counts_with_both_and_is_not_graded_by_name(tmp_path):
    cases = [
        JudgedCase(name, song, "x") for name, song in (("a", "one"), ("b", "one"), ("c", "two"))
    ]
    grades = graded(tmp_path, {"a": (16,), "b": (0,), "c": (8,)})
    grades = msgspec.structs.replace(grades, cases=cases)
    found = part_interval(parts_of(grades, []), "completeness")
    assert (found.mean, found.clusters) == (0.5, 2)
    assert found.mean == mean_score(grades.of("completeness"), 16).value
    file = tmp_path / "human.csv"
    file.write_text("song,completeness\nb,4\ntwo,9\n")
    assert read_human(file, cases) == {"completeness": {"b": 4, "c": 9}}
    file.write_text("song,completeness\none,4\n")
    with pytest.raises(InputError, match="2 reviews are of 'one': write the trial's id"):
        read_human(file, cases)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "1: write a header"),
        ("song,mood\n", "1: write a header"),
        ("song,completeness\nz,3\n", "2: no song 'z'"),
        ("song,completeness\na,17\n", "2: completeness '17' is no number from 0 to 16"),
        ("song,completeness\na,3\na,good\n", "3: completeness 'good'"),
        ("song,novelty\na,nan\n", "2: novelty 'nan'"),
    ],
)
def test_faulty_human_grades(tmp_path, text, told):
    file = tmp_path / "human.csv"
    file.write_text(text)
    with pytest.raises(InputError) as raised:
        read_human(file, graded(tmp_path, {"a": (8,)}).cases)
    assert told in str(raised.value)
    assert "human.csv" in str(raised.value)


@pytest.mark.parametrize(
    ("model", "who"),
    [
        ("openai:gpt-4o", "OpenAI"),
        ("openai:o3-mini", "OpenAI"),
        ("openai:deepseek-v3", "DeepSeek"),
        ("http://localhost:8000/v1#Qwen/Qwen2-Audio-7B-Instruct", "Qwen"),
        ("https://openai.example/v1#my-model", None),
        ("lexical", None),
        ("listener", None),
        ("http://x/v1#claude-x", "Anthropic"),
        ("python:mine.py:f", None),
    ],
)
def test_families(model, who):
    assert family(model) == who


def test_kinship():
    assert "one family (Qwen)" in str(kinship("openai:qwen-max", "http://x/v1#Qwen2-Audio"))
    assert "same model" in str(kinship("mine", "mine"))
    assert family("litellm:openai/llama-3-70b") == "Meta"
    assert family("openai-responses:m") is None
    assert family("mistral:voxtral-small") == "Mistral"
    assert "Anthropic" in str(
        kinship("anthropic:claude-opus-4-8", "inspect:anthropic/claude-haiku-4-5")
    )
    assert kinship("openai:deepseek-v3", "openai:gpt-4o") is None
    distilled = "hf:deepseek-ai/DeepSeek-R1-Distill-Qwen-7B"  # of its teacher's and its base's
    assert "one family (DeepSeek)" in str(kinship("openai:deepseek-v3", distilled))
    assert "one family (Qwen)" in str(kinship("dashscope:qwen-max", distilled))
    assert kinship("lexical", "listener") is None


@pytest.mark.slow
def test_the_report_tells_it_all(tmp_path, capsys):
    run = make_run(
        tmp_path / "run", [f"{REVIEW}{'长' * k}" for k in range(8)], model="openai:gpt-4o"
    )
    human = tmp_path / "human.csv"
    human.write_text("song,completeness\n" + "".join(f"song-{k},{10 + k % 3}\n" for k in range(4)))
    with ChatServer(judge_answer) as one, ChatServer(judge_answer) as two:
        specs = [f"{one.url}#gpt-judge", f"{two.url}#qwen-judge"]
        flags = [flag for spec in specs for flag in ("-m", spec)]
        args = ["judge", str(run), *flags, "--draws", "2", "--human", str(human), "--quiet"]
        args += ["--groups", "all"]
        assert cli.main(args) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "2 draws of 8 texts differ by SD 0.000" in text
    assert "Krippendorff's alpha 1.000" in text
    assert "weighted kappa 1.000" in text
    assert "against people, completeness: alpha" in text
    assert "corrected mean (prediction-powered)" in text
    assert "completeness with length: rank correlation" in text
    assert "one family (OpenAI)" in text
    assert "one family (Qwen)" not in text
