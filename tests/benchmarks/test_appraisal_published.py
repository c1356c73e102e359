"""The published interface: its order of parameters, its evaluators, its files, its pairs."""

import inspect
import json
import math
import shutil

import pytest
from music_appraisal_benchmark import (
    AudioLLMEvaluator,
    AudioNoveltyEvaluator,
    AudioPrecisionEvaluator,
    AudioQABenchmark,
    MusicAppraisalBenchmark,
    NoveltyEvaluationResult,
    run_benchmark,
    run_comprehensive_benchmark,
)

from judge_help import CLAIMING, DETAILS, REVIEW, judge_answer
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
    return "旋律平稳。"


def names(function):
    return [name for name in inspect.signature(function).parameters if name != "self"]


def test_parameters_stand_in_the_published_order():
    """A key that is given by its place must not be taken for a path, and told in an error."""
    assert names(MusicAppraisalBenchmark)[:5] == [
        *("qa_data_path", "llm_api_key", "llm_base_url", "song_details_path", "llm_model")
    ]
    assert names(MusicAppraisalBenchmark.evaluate_model) == [
        *("qa_model_function", "appraisal_model_function", "include_qa_confidence"),
        *("qa_confidence_function", "enable_precision_eval", "enable_novelty_eval"),
    ]
    assert names(run_comprehensive_benchmark)[:11] == [
        *("qa_model_function", "appraisal_model_function", "qa_data_path", "song_details_path"),
        *("llm_api_key", "llm_base_url", "output_path", "include_qa_confidence"),
        *("qa_confidence_function", "enable_precision_eval", "enable_novelty_eval"),
    ]
    assert names(AudioLLMEvaluator)[:3] == ["api_key", "base_url", "model"]


def test_confidence_functions_return_answer_and_confidence(data):
    asked = []

    def sure(audio_path, question, options):
        asked.append(question)
        return ("A", 0.9) if len(options) < 5 else ("F", 0.4)

    def never(audio_path, question, options):
        raise AssertionError("the confidence function answers in its place")

    result = run_comprehensive_benchmark(
        never,
        write,
        **data,
        judge="lexical",
        include_qa_confidence=True,
        qa_confidence_function=sure,
    )
    assert len(asked) == 3
    assert (result.qa_total_questions, result.qa_correct_answers) == (3, 2)
    assert result.confidence["sources"] == {"function": 3}
    assert [one["confidence"] for one in result.qa_detailed_results] == [0.9, 0.9, 0.4]


@pytest.mark.parametrize("given", ["high", ("A", "high"), ("A", 1.4), math.nan, [0.1, -2]])
def test_what_is_no_confidence_is_an_error_that_says_so(data, given):
    result = run_comprehensive_benchmark(
        qa,
        write,
        **data,
        judge="lexical",
        include_qa_confidence=True,
        qa_confidence_function=lambda path, question, options: given,
    )
    assert result.qa_total_questions == 0
    assert all("as a confidence" in one["error"] for one in result.qa_detailed_results)


def test_results_and_their_file_are_as_published(data, tmp_path):
    with ChatServer(judge_answer) as server:
        result = run_comprehensive_benchmark(
            qa, write, *data.values(), "a-key", server.url, "results.json", llm_model="judge-1"
        )
    saved = json.loads((tmp_path / "results.json").read_text())
    assert list(saved["summary"]) == [
        *("qa_accuracy", "qa_total_questions", "qa_correct_answers", "completeness_score"),
        *("completeness_max_score", "precision_score", "novelty_score", "overall_score"),
        "summary",
    ]
    details = saved["detailed_results"]
    assert list(details) == [
        *("qa_results", "completeness_details", "precision_details", "novelty_details")
    ]
    assert saved["summary"]["overall_score"] == pytest.approx(result.overall_score)
    first = details["qa_results"][0]
    assert first["question_id"] == 0
    assert (first["correct_answer"], first["is_correct"]) == ("C", False)
    assert first["predicted_answer"] == "I think the answer is A"
    assert first["response_time"] > 0
    assert set(first) >= {"audio_path", "question", "options", "metadata"}
    found = details["completeness_details"]
    assert len(found["individual_scores"]) == len(found["assessments"]) == 2
    assert found["average_total_score"] == pytest.approx(result.completeness_score)
    found = details["precision_details"]
    assert (found["total_claims"], found["total_correct_claims"]) == (8, 6)
    assert found["overall_precision"] == found["average_score"] == 0.75
    assert found["claim_breakdown"][0].keys() == {"audio_path", "claim", "is_correct"}
    found = details["novelty_details"]
    assert found["individual_scores"] == [0.9, 0.9]
    said = found["novel_content_categories"]["creative_interpretations"]
    assert said[0].keys() == {"audio_path", "content"}


def test_a_file_that_cannot_be_written_is_said_before_anything_is_asked(data):
    def never(*arguments):
        raise AssertionError

    with pytest.raises(InputError, match="make its folder first"):
        run_comprehensive_benchmark(
            never, never, **data, judge="lexical", output_path="no/such/results.json"
        )


def test_questions_alone(data, tmp_path):
    lines = (tmp_path / "data/option_qa.jsonl").read_text().splitlines()
    lines[0] = json.dumps({**json.loads(lines[0]), "metadata": {"from": "us"}})
    (tmp_path / "data/option_qa.jsonl").write_text("\n".join(lines))
    result = run_benchmark(qa, data["qa_data_path"], "qa.json")
    assert (result.total_questions, result.correct_answers) == (3, 2)
    assert result.accuracy == pytest.approx(2 / 3)
    assert result.average_response_time > 0
    assert result.detailed_results[0]["metadata"] == {"from": "us"}
    saved = json.loads((tmp_path / "qa.json").read_text())
    assert saved["summary"]["accuracy"] == pytest.approx(2 / 3)
    assert len(saved["detailed_results"]) == 3
    benchmark = AudioQABenchmark(data["qa_data_path"])
    assert [item.answer for item in benchmark.qa_items] == ["C", "A", "F"]
    sure = benchmark.evaluate_model(qa, True, lambda *question: ("A", 0.5))
    assert sure.confidence_scores == [0.5] * 3
    statistics = benchmark.get_statistics(sure)
    assert (statistics["correct_answers"], statistics["incorrect_answers"]) == (1, 2)
    assert statistics["average_confidence"] == 0.5
    with pytest.raises(InputError, match="confidence_function"):
        benchmark.evaluate_model(qa, True)


def test_a_question_that_failed_is_named_and_in_no_figure(data):
    def broken(audio_path, question, options):
        if len(options) > 4:
            raise RuntimeError("no GPU")
        return "A"

    result = run_benchmark(broken, data["qa_data_path"])
    assert (result.total_questions, result.correct_answers) == (2, 1)
    assert "no GPU" in result.detailed_results[2]["error"]


def test_each_evaluator_alone():
    with ChatServer(judge_answer) as server:
        where = ("key", server.url, "judge-1")
        complete = AudioLLMEvaluator(*where).evaluate_appraisal(REVIEW)
        precise = AudioPrecisionEvaluator(*where).evaluate_precision(CLAIMING, DETAILS)
        novel = AudioNoveltyEvaluator(*where).evaluate_novelty(REVIEW, DETAILS)
        assert {call.headers["Authorization"] for call in server.seen} == {"Bearer key"}
    assert 0 < complete.total_score <= complete.max_score == 16
    assert complete.overall_assessment == "完整"
    assert precise.precision_score == 0.75
    assert (precise.total_claims, precise.correct_claims, precise.incorrect_claims) == (4, 3, 1)
    assert sum(claim["is_correct"] for claim in precise.claim_breakdown) == 3
    assert novel.novelty_score == pytest.approx(0.9)
    assert (novel.music_relevance_score, novel.depth_score) == (1, pytest.approx(2 / 3))
    assert novel.total_novel_statements == novel.music_related_novel_statements == 5
    assert novel.has_creative_interpretations
    assert not novel.has_cultural_context
    assert len(novel.novel_content_categories["creative_interpretations"]) == 2


def test_an_evaluator_that_fails_says_why_and_gives_no_zero():
    with ChatServer("I cannot") as server:
        found = AudioLLMEvaluator("k", server.url).evaluate_appraisal(REVIEW)
        claims = AudioPrecisionEvaluator("k", server.url)
        broken = claims.evaluate_precision(CLAIMING, DETAILS)
    assert math.isnan(found.total_score)
    assert "no JSON" in found.reasoning
    assert math.isnan(broken.precision_score)
    bare = AudioPrecisionEvaluator(judge="lexical").evaluate_precision(CLAIMING, {})
    assert math.isnan(bare.precision_score)
    assert "nothing is known of the song" in bare.detailed_analysis
    assert math.isnan(claims.calculate_average_precision([broken, bare]))


def test_the_released_rules_from_python(data):
    result = run_comprehensive_benchmark(
        qa, write, **data, judge="lexical", protocol="reaction-released"
    )
    assert "by reaction-released" in result.report
    insight = AudioNoveltyEvaluator(judge="lexical", protocol="reaction-released")
    found = insight.evaluate_novelty(REVIEW, DETAILS)
    kinds = found.novel_content_categories
    own = len(kinds["personal_reactions"]) + len(kinds["creative_interpretations"])
    assert found.personal_insight_score == min(1, own / 5) > 0
    with pytest.raises(InputError, match="unknown protocol"):
        MusicAppraisalBenchmark(data["qa_data_path"], protocol="theirs")


def test_means_of_novelty_leave_out_what_failed():
    judged = NoveltyEvaluationResult(0.5, 1.0, 0.25, 0.75, {}, 4, 3, "", *[False] * 5)
    other = NoveltyEvaluationResult(0.25, 0.5, 0.75, math.nan, {}, 2, 1, "", *[False] * 5)
    failed = NoveltyEvaluationResult(*[math.nan] * 4, {}, 0, 0, "no JSON", *[False] * 5)
    average = AudioNoveltyEvaluator(judge="lexical").calculate_average_novelty
    assert average([judged, other, failed]) == {
        "avg_novelty_score": 0.375,
        "avg_music_relevance": 0.75,
        "avg_depth_score": 0.5,
        "avg_personal_insight": 0.75,
    }
    assert all(math.isnan(value) for value in average([failed]).values())
