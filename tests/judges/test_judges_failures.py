"""Naming failures: by rule first, then by a judge that has to quote."""

import asyncio
import json

import pytest

from judge_help import choice, dump, judge
from servers import ChatServer
from zhiyin import cli
from zhiyin.engine.folder import Manifest
from zhiyin.engine.log import RunFolder
from zhiyin.errors import InputError
from zhiyin.plugins.judges import choices as failures
from zhiyin.plugins.judges.choices import first_pass
from zhiyin.plugins.judges.grades import named_by_judge, read_grades
from zhiyin.plugins.judges.language import open_language
from zhiyin.plugins.judges.reading import UnreadableJudgement
from zhiyin.plugins.methods.health import is_evasion
from zhiyin.trial import Audio

REASONED = "The bow on the strings is clear, so the timbre is that of a piano. Answer: A"


@pytest.mark.parametrize(
    ("reply", "answered", "mode", "quote"),
    [
        ("", False, "silence", ""),
        ("  \n", False, "silence", ""),
        ("It is impossible to determine the answer from this.", False, "evasion", "impossible to"),
        ("None of the options fits.", False, "evasion", "None of the options"),
        ("根据题目无法判断正确答案。", False, "evasion", "无法判断"),
        ("I'm sorry, but I can't listen to audio.", False, "refusal", "sorry"),
        (
            "The intended purpose of this song is not mentioned in the caption",
            False,
            "training_data_bias",
            "not mentioned in the caption",
        ),
        ("Unable to determine, need more information.", False, "evasion", "Unable to determine"),
        ("I am not sure about this one.", False, "evasion", "not sure"),
        ("It cannot be determined for sure, but the trill points to A.", True, None, ""),
        ("My best guess is B.", True, "guess", "My best guess"),
        ("我猜是A", True, "guess", "我猜"),
        ("A", True, "bare_letter", "A"),
        ("答案：B", True, "bare_letter", "答案：B"),
        ("(B).", True, "bare_letter", "(B)."),
        ("The correct answer is: **A**", True, "bare_letter", "**A**"),
        ("A piano", True, None, ""),
        (REASONED, True, None, ""),
        (
            "The song is an instrumental. The tempo is medium. This song can be played in a film.",
            False,
            "caption",
            "The tempo is medium",
        ),
        ("The recording features a piano. Answer: A", True, None, ""),
    ],
)
def test_first_pass(reply, answered, mode, quote):
    found = first_pass(reply, "AB", answered)
    assert (found.mode if found else None) == mode
    if found:
        assert quote in found.quote
        assert found.mode in failures.BY_RULE


def test_a_finding_must_quote_the_reply():
    good = {"mode": "reasoning_error", "quote": "so the timbre is that of a piano", "reason": "r"}
    assert failures.read_failure(dump(good), REASONED, "read").scores == {"reasoning_error": 1}
    with pytest.raises(UnreadableJudgement, match="does not stand"):
        failures.read_failure(dump(good | {"quote": "the drums are loud"}), REASONED, "read")
    with pytest.raises(UnreadableJudgement, match="quotation was missing"):
        failures.read_failure(dump(good | {"quote": ""}), REASONED, "read")
    with pytest.raises(UnreadableJudgement, match='"mode" was "reasoning_error"'):
        failures.read_failure(dump(good), REASONED, "heard")


@pytest.fixture
def run(tmp_path):
    folder = tmp_path / "run"
    sound = Audio("x.wav", "0" * 64, 1.0)
    with RunFolder(folder, Manifest("muchomusic", "toy", {}, {}, 6)) as log:
        log.append(choice("right", "It is A, a piano.", "correct"))
        log.append(choice("read", REASONED, "wrong"))
        log.append(choice("heard", f"I hear drums. {REASONED}", "wrong", sound=sound))
        log.append(choice("bare", "A", "wrong"))
        log.append(choice("evading", "It is hard to tell from this clip.", "no_answer"))
        log.append(choice("lost", "", "error"))
    return folder


def name_it(call):
    asked = call.body["messages"][0]["content"]
    mode = "auditory_hallucination" if "auditory_hallucination" in asked else "matching_error"
    return dump({"mode": mode, "quote": "so the timbre is that of a piano", "reason": "不符"})


def test_judge_and_rules_together(run):
    with ChatServer(name_it) as server:
        folder = judge(run, server.spec, aspects="failures")
        assert server.calls == 2  # neither right, lost nor ruled ones are asked about
        prompts = [call.body["messages"][0]["content"] for call in server.seen]
    assert all("正确答案：B. violin" in prompt for prompt in prompts)
    found = {n.case: n for n in named_by_judge(run, folder).failures}
    assert {case: n.mode for case, n in found.items()} == {
        "read": "matching_error",
        "heard": "auditory_hallucination",
        "bare": "bare_letter",
        "evading": "evasion",
    }
    assert found["bare"].by == "rule"
    assert found["read"].quote in REASONED


def test_a_judge_that_invents_quotations_is_an_error(run):
    invented = dump({"mode": "other", "quote": "never said", "reason": ""})
    with ChatServer(invented) as server:
        folder = judge(run, server.spec, aspects="failures")
        assert server.calls == 4
    found = named_by_judge(run, folder)
    assert found.missing == 2
    assert len(read_grades(folder).errors) == 2
    assert found.counts == {"bare_letter": 1, "evasion": 1}


def test_the_majority_of_draws_names(run):
    modes = iter(["guess", "other", "other", "guess", "other", "other"])

    def answer(call):
        return dump({"mode": next(modes), "quote": "that of a piano", "reason": ""})

    with ChatServer(answer) as server:
        folder = judge(run, server.spec, aspects="failures", draws=3, concurrency=1)
    found = {n.case: n for n in named_by_judge(run, folder).failures}
    assert found["read"].agreeing == pytest.approx(2 / 3)


def test_the_command_needs_no_judge_for_the_first_pass(run, capsys):
    args = ["judge", str(run), "--aspects", "failures", "-m", "lexical"]
    assert cli.main(args) == 0
    text = capsys.readouterr().out
    assert "named by rule alone: 4 choices" in " ".join(text.split())
    assert "without a name: 2" in text
    assert cli.main([*args, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["counts"] == {"bare_letter": 1, "evasion": 1}
    with ChatServer(name_it) as server:
        assert cli.main([*args[:-1], server.spec, "--quiet"]) == 0
    text = capsys.readouterr().out
    assert "auditory_hallucination: 1 (25.0\u00a0%)" in text
    assert "heard, by http" in text


def test_nothing_wrong_is_said(tmp_path, capsys):
    folder = tmp_path / "run"
    with RunFolder(folder, Manifest("ziqi", "toy", {}, {}, 1)) as log:
        log.append(choice("right", "A", "correct"))
    assert cli.main(["judge", str(folder), "--aspects", "failures", "-m", "lexical"]) == 2
    assert "no choice in it went wrong" in capsys.readouterr().err


def test_the_lexical_judge_names_none(run):
    from zhiyin.engine.runner import Limits
    from zhiyin.plugins.judges.judging import JudgeRequest, judge_run

    with pytest.raises(InputError, match="names no failures beyond"):
        asyncio.run(judge_run(JudgeRequest(str(run), "lexical", {"aspects": "failures"}, Limits())))


def test_definitions_are_those_of_the_papers():
    """ZIQI-Eval, section 6.2; MuChoMusic, section 6."""
    chinese, english = (open_language(name).words.modes for name in ("zh", "en"))
    assert "associates facts wrongly" in english["matching_error"]
    assert "作曲家" in chinese["matching_error"]
    assert "likeness" not in english["matching_error"]
    assert "deviates from the topic" in english["language_hallucination"]
    assert "偏离题目" in chinese["language_hallucination"]
    assert "not mentioned in the caption" in english["training_data_bias"]


@pytest.mark.parametrize(
    "text",
    [
        *("It is impossible to tell.", "None of the options fits.", "I don't know", "信息不足"),
        *("Not sure.", "hard to say", "以上都不对", "The tempo rises.", "B", "缺少上下文"),
    ],
)
def test_an_evasion_is_one_for_failures_and_for_health(text):
    named = first_pass(text, "AB", False)
    assert (named is not None and named.mode == "evasion") == is_evasion(text)
