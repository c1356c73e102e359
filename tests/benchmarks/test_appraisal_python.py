"""The Python interface of ReactionEval, as its README shows it, against a local judge server."""

import asyncio
import json
import math
import re
import shutil

import pytest
from music_appraisal_benchmark import MusicAppraisalBenchmark, run_comprehensive_benchmark

from judge_help import judge_answer
from servers import ChatServer
from zhiyin.errors import InputError

pytestmark = pytest.mark.slow


@pytest.fixture
def data(tmp_path, pytestconfig, monkeypatch):
    shutil.copytree(pytestconfig.rootpath / "tests/data/appraisal_small", tmp_path / "data")
    monkeypatch.chdir(tmp_path)
    return {"qa_data_path": "data/option_qa.jsonl", "song_details_path": "data/song_details.jsonl"}


def qa(audio_path, question, options):
    return "I think the answer is A" if len(options) < 5 else "F"


def write(audio_path):
    assert "lantern" not in audio_path
    return "旋律平稳。"


def test_a_whole_evaluation(data, tmp_path, capsys):
    with ChatServer(judge_answer) as server:
        benchmark = MusicAppraisalBenchmark(
            **data, llm_api_key="secret-key", llm_base_url=server.url, llm_model="judge-1"
        )
        result = benchmark.evaluate_model(qa, write)
        assert {call.headers["Authorization"] for call in server.seen} == {"Bearer secret-key"}
        assert {call.body["model"] for call in server.seen} == {"judge-1"}
    assert (result.qa_total_questions, result.qa_correct_answers) == (3, 2)
    assert result.precision_score == 0.75
    assert result.precision_details["total_claims"] == 8
    assert result.novelty_score == pytest.approx(0.9)
    assert 0 < result.completeness_score <= result.completeness_max_score == 16
    expected = 0.3 * 2 / 3 + 0.4 * result.completeness_score / 16 + 0.2 * 0.75 + 0.1 * 0.9
    assert result.overall_score == pytest.approx(expected)
    assert result.overall_bounds == (result.overall_score, result.overall_score)
    low, high = result.overall_interval
    assert low < result.overall_score < high
    assert [song["review"] for song in result.songs] == ["旋律平稳。"] * 2
    benchmark.print_detailed_report(result)
    text = capsys.readouterr().out
    lines = [line.rstrip() for line in text.splitlines()]
    assert [line for line in lines if line[:2] in ("1.", "2.", "3.", "4.", "5.")] == [
        "1. OPTION-BASED QUESTION ANSWERING",
        "2. COMPLETENESS EVALUATION",
        "3. PRECISION EVALUATION",
        "4. NOVELTY EVALUATION",
        "5. OVERALL ASSESSMENT",
    ]
    share = 100 * result.completeness_score / 16
    assert {
        "COMPREHENSIVE MUSIC APPRAISAL EVALUATION REPORT",
        "   Accuracy: 0.6667 (66.67%)",
        "   Correct: 2/3",
        f"   Score: {result.completeness_score:.2f}/16.00",
        f"   Percentage: {share:.1f}%",
        f"   Assessment: {result.completeness_assessment}",
        "   Overall Accuracy: 0.7500 (75.00%)",
        "   Total Claims: 8",
        "   Correct Claims: 6",
        "   Incorrect Claims: 2",
        "   Files Evaluated: 2",
        "   Overall Novelty: 0.9000 (90.00%)",
        "   Novel Statements: 10",
        "   Music-Related Ratio: 100.0%",
        "   Insight Types Found:",
        f"   Overall Score: {expected:.4f} ({100 * expected:.2f}%)",
        "模型综合评估结果：",
        "- 选择题准确率: 66.67% (2/3)",
        f"- 完整性评分: {result.completeness_score:.1f}/16.0 ({share:.1f}%)",
        "- 事实准确率: 75.00%",
        "- 新颖性得分: 90.00%",
        f"- 综合得分: {100 * expected:.2f}%",
    } <= set(lines)
    benchmark.save_results(result, str(tmp_path / "results.json"))
    saved = json.loads((tmp_path / "results.json").read_text())
    assert saved["summary"]["overall_score"] == pytest.approx(expected)
    assert saved["songs"][0]["review"] == "旋律平稳。"
    assert "secret-key" not in (tmp_path / "results.json").read_text()
    with pytest.raises(InputError, match="cannot be written"):
        benchmark.save_results(result, str(tmp_path / "no/folder.json"))


@pytest.mark.parametrize("failure", [RuntimeError("no GPU"), SystemExit("bye")])
def test_what_fails_is_nan_and_never_zero(data, failure):
    def broken(audio_path):
        raise failure

    with ChatServer("nonsense") as server:
        result = run_comprehensive_benchmark(
            qa, write, **data, llm_api_key="k", llm_base_url=server.url
        )
        assert math.isnan(result.completeness_score)
        assert math.isnan(result.novelty_score)
        assert f"{result.precision_score:.2%}" == "nan%"
        assert math.isnan(result.overall_score)  # questions alone are not the benchmark
        assert result.judge_errors == 6
        assert result.overall_bounds == (pytest.approx(0.2), pytest.approx(0.9))
        assert "缺失 6 项" in result.summary
        with pytest.raises(InputError, match="holds no review"):
            run_comprehensive_benchmark(qa, broken, **data, llm_base_url=server.url)


def test_parts_can_be_left_out_and_weights_changed(data):
    settings = {"judge": "lexical", "weights": (1, 0, 0, 0)}
    result = run_comprehensive_benchmark(
        qa, write, **data, enable_precision_eval=False, enable_novelty_eval=False, **settings
    )
    assert math.isnan(result.precision_score)
    assert math.isnan(result.novelty_score)
    assert result.overall_score == result.qa_accuracy == pytest.approx(2 / 3)
    without = run_comprehensive_benchmark(
        qa, write, data["qa_data_path"], judge="lexical", heard=False
    )
    assert math.isnan(without.precision_score)
    assert any("precision" in note for note in map(str, without.notes))


def test_confidence(data):
    def sure(audio_path, question, options):
        return 0.9 if len(options) < 5 else {"A": 0.1, "F": 0.9}

    benchmark = MusicAppraisalBenchmark(**data, judge="lexical")
    result = benchmark.evaluate_model(
        qa, write, include_qa_confidence=True, qa_confidence_function=sure
    )
    assert result.confidence["sources"] == {"function": 2, "log-probabilities": 1}
    assert result.confidence["calibration"]["ece"] == pytest.approx(0.9 - 2 / 3)
    assert result.confidence["brier"]["score"] == pytest.approx((0.81 + 2 * 0.01) / 3)
    assert "Expected calibration error" in result.report
    with pytest.raises(InputError, match="qa_confidence_function"):
        benchmark.evaluate_model(qa, write, include_qa_confidence=True)


def test_a_review_may_come_with_its_confidence(data):
    given = iter([("旋律平稳。", 0.95), ("旋律平稳。", None)])
    benchmark = MusicAppraisalBenchmark(**data, judge="lexical")
    result = benchmark.evaluate_model(qa, lambda audio_path: next(given))
    rows = {row["part"]: row for row in result.confidences}
    assert [song["review"] for song in result.songs] == ["旋律平稳。"] * 2
    assert (rows["completeness"]["n"], rows["completeness"]["unknown"]) == (1, 1)
    share = result.completeness_score / 16
    assert rows["completeness"]["bias"]["mean"] == pytest.approx(0.95 - share)
    assert rows["completeness"]["gap"] == pytest.approx(0.95 - share)
    assert (rows["qa"]["n"], rows["qa"]["unknown"]) == (0, 3)
    assert "CONFIDENCE BY PART" in result.report
    plain = benchmark.evaluate_model(qa, write)
    assert plain.confidences == []
    assert "CONFIDENCE" not in plain.report
    with pytest.raises(InputError, match="holds no review"):
        benchmark.evaluate_model(qa, lambda audio_path: ("旋律平稳。", "very"))


def test_async_functions_within_a_running_loop(data):
    async def later(audio_path, question, options):
        await asyncio.sleep(0)
        return "A"

    async def notebook():
        return run_comprehensive_benchmark(later, write, **data, judge="lexical")

    assert asyncio.run(notebook()).qa_correct_answers == 1


def test_a_kept_run_asks_only_what_is_missing(data, tmp_path):
    asked = []

    def counting(audio_path, question, options):
        asked.append(question)
        return "A"

    for _ in range(2):
        run_comprehensive_benchmark(
            counting, write, **data, judge="lexical", output_dir=str(tmp_path / "kept")
        )
    assert len(asked) == 3


def blocks(shared):
    file = next((shared.parent / "seeds").glob("003_*.txt"), None)
    if file is None:
        pytest.skip("the README of the paper's code is not beside the data")
    return re.findall(r"```python\n(.*?)```", file.read_text(encoding="utf-8"), re.DOTALL)


def test_every_block_of_the_readme_runs(shared, data, monkeypatch, tmp_path, capsys):
    basic, advanced, structure, novelty = blocks(shared)
    with ChatServer(judge_answer) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "k")
        space = {"List": list, "my_confidence_model": lambda audio, question, options: 0.5}
        exec(basic, space)
        assert server.seen[-1].body["model"] == "deepseek-v3"
        assert "Precision: 75.00%" in capsys.readouterr().out
        exec(advanced.replace("your-llm-endpoint", server.url), space)
    assert json.loads((tmp_path / "results.json").read_text())["confidence"]
    named = re.findall(r"^    (\w+): ", structure, re.MULTILINE)
    assert set(named) <= set(vars(space["result"]))
    expected = eval(novelty.replace("[...]", "[]"))
    found = space["result"].novelty_details
    assert expected.keys() <= found.keys()
    for part in ("novel_content_categories", "insight_type_counts"):
        assert expected[part].keys() == found[part].keys()
