"""From what language models write to a judgement: prose, fences, bad JSON, wrong sums."""

import contextlib
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_help import CLAIMING, REVIEW, dump, five_statements, four_claims, points
from zhiyin.plugins.judges import choices, reading, rubric
from zhiyin.plugins.judges.benchmark import JudgeSettings, Judging
from zhiyin.plugins.judges.reading import UnreadableJudgement
from zhiyin.record import Reply
from zhiyin.words import said, say
from zhiyin.words.reasons import reason

GOOD = dump(four_claims())
PRETTY = json.dumps(four_claims(), ensure_ascii=False, indent=2)
WAYS = {
    "bare": GOOD,
    "prose": f"好的，我来核对。\n\n{GOOD}\n\n以上就是结果 {{完}}。".replace("{完}", "完"),
    "fenced": f"Here you are:\n```json\n{PRETTY}\n```\nAnything else?",
    "fence without language": f"```\n{PRETTY}\n```",
    "open fence": f"```json\n{PRETTY}",
    "thinking": f'<think>maybe {{"claims": []}}?</think>\n{GOOD}',
    "two fences": f'A draft:\n```json\n{{"other": 1}}\n```\nFinal:\n```json\n{GOOD}\n```',
    "trailing comma": GOOD.replace("}]}", "},]}"),
    "single quotes": GOOD.replace('"', "'"),
    "comments": PRETTY.replace("{\n", "{\n// the claims\n", 1),
    "full-width colons": GOOD.replace('": ', '"：').replace('", "', '"，"'),
    "full-width braces": GOOD.replace("{", "｛")
    .replace("}", "｝")
    .replace("[", "［")
    .replace("]", "］"),
    "curly quotes": GOOD.replace('": "', "”：“")
    .replace('", "', "”，“")
    .replace('{"', "{“")
    .replace('"}', "”}")
    .replace('": [', "”：["),
    "one in a list": f"[{GOOD}]",
    "braces in the prose": f"根据 {{资料}} 核对：\n{GOOD}\n以上 {{完}}。",
    "the form before the answer": f'Form: {{"claims": [{{"verdict": "..."}}]}}\nAnswer:\n{GOOD}',
    "a thought that never ends": f'<think>perhaps {{"claims": []}}? No.\n{GOOD}',
    "said twice": f"{GOOD}\n\n{GOOD}",
    "wrapped": dump({"result": four_claims()}),
    "quotes within": GOOD.replace("2004年问世", '2004年"问世"').replace("\\", ""),
    "a raw line break": GOOD.replace("2004年问世", "2004年\n问世"),
    "Python": str(four_claims()),
}


@pytest.mark.parametrize("way", WAYS)
def test_precision_of_the_worked_example_is_read_from(way):
    judged = rubric.read_claims(WAYS[way], CLAIMING)
    assert judged.scores["score"] == 0.75
    assert judged.scores["checked"] == 4
    assert judged.detail.unquoted == 0


@pytest.mark.parametrize("end", [20, 60, 150, len(GOOD) - 1])
@pytest.mark.parametrize("before", ["", "```json\n", "结果如下：\n"])
def test_what_was_cut_off_is_not_completed(before, end):
    with pytest.raises(UnreadableJudgement, match="cut off"):
        rubric.read_claims(before + GOOD[:end], CLAIMING)


def test_a_draft_before_a_cut_off_answer_does_not_count():
    with pytest.raises(UnreadableJudgement, match="cut off"):
        rubric.read_claims(f'{{"claims": []}} is not enough. Final:\n{GOOD[:90]}', CLAIMING)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_form_in_a_prompt_is_no_judgement(language):
    """A judge that only repeats the form must not be believed."""
    read = {
        "completeness": rubric.read_completeness,
        "precision": rubric.read_claims,
        "novelty": rubric.read_novelty,
    }
    prompts = Judging(JudgeSettings("", ("completeness",), language=language)).wording
    for aspect, reader in read.items():
        text = prompts.texts[aspect]
        form = text[text.index("{", text.index("JSON")) : text.rindex("}") + 1]
        with pytest.raises(UnreadableJudgement):
            reader(form.partition("\n")[0], "x")


@pytest.mark.parametrize("text", ["", "I give it 12 of 16.", "抱歉，我无法评分。"])
def test_no_json_is_said(text):
    with pytest.raises(UnreadableJudgement, match="no JSON"):
        rubric.read_completeness(text, "x")


def test_another_object_is_said():
    with pytest.raises(UnreadableJudgement, match="none of the fields claims"):
        rubric.read_claims('{"score": 3}', "x")


def test_our_sum_counts():
    judged = rubric.read_completeness(dump(points({"melody": 0}, total=99)), REVIEW)
    assert judged.scores["score"] == 15
    assert not judged.mended  # 99 is no total at all
    judged = rubric.read_completeness(dump(points({"melody": 0}, total=12)), REVIEW)
    assert (judged.scores["score"], judged.mended) == (15, True)


def test_parts_and_dimensions():
    judged = rubric.read_completeness(
        dump(points({"melody": 0, "clarity": 0.5, "scene": "0"})), REVIEW
    )
    scores = judged.scores
    assert (scores["song_analysis"], scores["singer"], scores["music_understanding"]) == (3, 3, 6)
    assert (scores["background"], scores["language"], scores["persona"]) == (3, 1.5, 3)
    assert scores["score"] == 13.5
    most = rubric.read_completeness(dump(points()), REVIEW).scores
    assert [most[name] for name in rubric.OURS.dimensions] == [7, 4, 2, 3]


def test_points_as_a_list_by_part_and_as_numbers():
    whole = points({"theme": 0})["points"]
    as_list = {"points": [{"name": name, **point} for name, point in whole.items()]}
    by_part = {
        "points": {p: {i: whole[i] for i in items} for p, items in rubric.OURS.parts.items()}
    }
    numbers = {"scores": {name: point["score"] for name, point in whole.items()}}
    for form in (as_list, by_part, numbers, whole):
        assert rubric.read_completeness(dump(form), REVIEW).scores["score"] == 15


def test_a_missing_point_is_a_fault_and_not_a_zero():
    found = points()
    del found["points"]["voice"]
    with pytest.raises(UnreadableJudgement, match="missing: voice"):
        rubric.read_completeness(dump(found), REVIEW)


@pytest.mark.parametrize(
    ("value", "score"),
    [
        (1, 1), ("1", 1), ("1/1", 1), ("0/10", 0), ("0.5分", 0.5), ("１", 1), (" 1 point ", 1),
        (0, 0),
    ],
)  # fmt: skip
def test_scores(value, score):
    assert reading.number(value, 1, "x") == score


@pytest.mark.parametrize("value", ["5/10", 2, -1, "N/A", "", None, True, [1], {"a": 1}, "满分"])
def test_no_scores(value):
    with pytest.raises(UnreadableJudgement, match='"x" was'):
        reading.number(value, 1, "x")


def test_nan_is_no_score():
    with pytest.raises(UnreadableJudgement):
        reading.number(json.loads("NaN"), 1, "x")


def test_zero_of_ten_as_total_is_zero():
    found = five_statements() | {"statements": [], "total": "0/10"}
    found |= {"novelty_score": "0/4", "music_relevance_score": "0/3", "insight_depth_score": "0"}
    judged = rubric.read_novelty(dump(found), REVIEW)
    assert (judged.scores["score"], judged.mended) == (0, False)


def test_novelty_of_the_worked_example():
    judged = rubric.read_novelty(dump(five_statements(total=7)), REVIEW)
    assert judged.scores["score"] == 9
    assert judged.mended
    assert judged.scores["statements"] == judged.scores["related"] == 5
    assert sum(judged.scores[name] > 0 for name in rubric.CATEGORIES) == 4
    assert judged.scores["personal_insight"] == pytest.approx((0 + 0.5 + 0 + 0.5 + 1) / 5)
    assert judged.detail.unquoted == 0


def test_words_in_chinese_and_other_words_are_known():
    found = five_statements()
    found["statements"][0] |= {"category": "个人感受", "music_related": "是", "depth": "表面"}
    found["statements"][3] |= {"category": "Technical Analysis", "depth": "Deep"}
    scores = rubric.read_novelty(dump(found), REVIEW).scores
    assert (scores["personal_reactions"], scores["technical_analysis"]) == (1, 1)
    verdicts = [
        ("正确", "supported"),
        ("Incorrect", "contradicted"),
        ("无法验证", "not_in_details"),
    ]
    for word, meant in verdicts:
        found = {"claims": [{"claim": "x", "verdict": word}]}
        assert rubric.read_claims(dump(found), "x").scores[meant] == 1


def test_an_unknown_word_is_a_fault():
    with pytest.raises(UnreadableJudgement, match=r"claims\[0\].verdict"):
        rubric.read_claims('{"claims": [{"claim": "x", "verdict": "perhaps"}]}', "x")


def test_nothing_checked_is_no_precision():
    found = {
        "claims": [
            {"claim": "x", "verdict": "not_in_details"},
            {"claim": "y", "verdict": "subjective"},
        ]
    }
    scores = rubric.read_claims(dump(found), "x").scores
    assert "score" not in scores
    assert scores["not_in_details"] == scores["subjective"] == 1


def test_invented_quotations_are_counted():
    found = four_claims()
    found["claims"][0]["quote"] = "发布于二十年前"
    assert rubric.read_claims(dump(found), CLAIMING).detail.unquoted == 1


@given(st.text(max_size=300))
def test_any_reply_is_read_or_named(text):
    for read in (rubric.read_completeness, rubric.read_claims, rubric.read_novelty):
        with contextlib.suppress(UnreadableJudgement):
            assert read(text, text).scores


_json = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 20) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["claims", "statements", "points", "verdict", "score", "melody"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(_json)
def test_any_json_is_read_or_named(value):
    for read in (rubric.read_completeness, rubric.read_claims, rubric.read_novelty):
        try:
            judged = read(dump({"claims": value, "statements": value, "points": value}), "x")
        except UnreadableJudgement:
            continue
        assert 0 <= judged.scores.get("score", 0) <= 16


@given(
    st.lists(st.text(alphabet="abc，。：“”「」{}[]\"' \\\n", max_size=12), min_size=1, max_size=4)
)
def test_strings_survive_mending(quotes):
    """Good JSON is never touched, whatever stands in its strings."""
    found = {"claims": [{"claim": q, "quote": q, "verdict": "supported"} for q in quotes]}
    judged = rubric.read_claims(f"```json\n{dump(found)}\n```", "x")
    assert [c.quote for c in judged.detail.claims] == [q.strip() for q in quotes]


FAULTY = {
    "nothing": ("", "claims"),
    "other fields": ('{"a": 1}', "claims"),
    "cut off": (GOOD[:60], "claims"),
    "no list": ('{"claims": null}', "claims"),
    "no objects": ('{"claims": ["x"]}', "claims"),
    "no word": (GOOD.replace("supported", "也许"), "claims"),
    "a list for a word": (GOOD.replace('"supported"', "[1, 2]"), "claims"),
    "heard": (GOOD.replace('"verdict"', '"evidence": "heard", "verdict"'), "claims"),
    "points": (dump({"points": {"melody": 1}}), "points"),
    "no number": (dump(points({"melody": True})), "points"),
    "words": (dump(points()).replace("1.0", "\"许多\"", 1), "points"),
    "too much": (dump(points({"melody": 9})), "points"),
    "another scale": (dump(points()).replace("1.0", "\"1/10\"", 1), "points"),
    "no score": ('{"score": {"a": 1}}', "score"),
    "below": ('{"score": 0.5}', "score"),
    "neither": (dump(five_statements()).replace("true", '"maybe"'), "statements"),
    "no mode": ('{"mode": "other", "quote": ""}', "mode"),
    "no such words": ('{"mode": "other", "quote": "drums"}', "mode"),
    "criterion": ('{"criteria": [{"criterion": 0, "met": true}]}', "criteria"),
    "twice": (dump({"criteria": [{"criterion": 1, "met": True}] * 2}), "criteria"),
    "two points": (dump(points({"melody": 9, "rhythm": True})), "points"),
    "two statements": (
        dump({**five_statements(), "creativity_score": 9}).replace("true", '"maybe"'), "statements"
    ),
    "words and a mode": ('{"mode": "odd", "quote": "drums"}', "mode"),
    "lost": ('{"criteria": [{"criterion": 1, "met": true}]}', "criteria"),
}  # fmt: skip


def test_all_faults_of_a_reply_are_told() -> None:
    fault = reading.fault_in(
        Reply(FAULTY["two points"][0], "stop"), lambda text: rubric.read_completeness(text, REVIEW)
    )
    one, other = str(fault).split("; also: ")
    assert "melody.score" in one
    assert "rhythm.score" in other
    text = dump({"claims": [{"claim": "a", "verdict": v} for v in ("odd", "supported", "even")]})
    told = str(reading.fault_in(Reply(text), lambda text: rubric.read_claims(text, CLAIMING)))
    assert told.count("; also: ") == 1
    assert "claims[0]" in told
    assert "claims[2]" in told


@pytest.mark.parametrize("case", FAULTY)
@pytest.mark.parametrize("finish", ["stop", "length"])
def test_a_fault_is_kept_in_english_and_told_in_both_languages(case, finish):
    reply, kind = FAULTY[case]
    read = {
        "claims": lambda text: rubric.read_claims(text, CLAIMING),
        "points": lambda text: rubric.read_completeness(text, REVIEW),
        "score": lambda text: rubric.read_score(text, REVIEW, (1.0, 5.0)),
        "statements": lambda text: rubric.read_novelty(text, REVIEW),
        "mode": lambda text: choices.read_failure(text, REVIEW, "read"),
        "criteria": lambda text: choices.read_criteria(text, 2),
    }[kind]
    fault = reading.fault_in(Reply(reply, finish), read)
    logged = str(said("log-judge-error", why=str(fault)))
    assert say(reason(logged)) == logged
    chinese = say(reason(logged), "zh")
    assert chinese == say(said("log-judge-error", why=fault), "zh")
    assert not re.search(r"\b(?:was|the|of|and|in|not|missing)\b|[\"']|, |: ", chinese), chinese
