"""`reaction-released`: released reading, scoring and prompts, against an independent reading."""

import itertools
import json
import random
import re

import pytest

from judge_help import CLAIMING, REVIEW, aspect_of, dump, four_claims, judge, make_run
from said_help import texts
from servers import ChatServer
from zhiyin import cli
from zhiyin.engine.folder import read_manifest
from zhiyin.errors import InputError
from zhiyin.plugins.judges import rubric, rules
from zhiyin.plugins.judges.benchmark import Judging, read_settings
from zhiyin.plugins.judges.combine import combine
from zhiyin.plugins.judges.grades import read_grades
from zhiyin.plugins.judges.reading import UnreadableJudgement

PROTOCOL = {"protocol": "reaction-released", "top_p": 0.95, "no_heard": True}
STAGED = "appraisal/released_prompts"


def words(dice, *pieces):
    """A reply of random pieces, some repeated, some left out."""
    chosen = dice.choices(pieces, k=dice.randint(0, 9))
    return dice.choice(("\n", "", " ")).join(chosen)


def after(text, mark):
    """What stands behind a mark, up to the mark's next appearance."""
    return text.split(mark)[1] if mark in text else ""


def first_number(text):
    """The first run of digits, with a point and further digits behind it, by hand."""
    begun = next((i for i, c in enumerate(text) if c.isdecimal()), None)
    if begun is None:
        return None
    digits = "".join(itertools.takewhile(str.isdecimal, text[begun:]))
    rest = text[begun + len(digits) :]
    if rest.startswith("."):
        digits += "." + "".join(itertools.takewhile(str.isdecimal, rest[1:]))
    return float(digits)


def labelled(text, label, unit=""):
    """The number behind "label:" that `unit` follows, by looking at every place of the label."""
    for place in (m.start() for m in re.finditer(re.escape(label), text)):
        rest = text[place + len(label) :]
        if rest[:1] not in ("：", ":"):
            continue
        rest = rest[1:].lstrip()
        if rest[:1].isdecimal():
            digits = "".join(itertools.takewhile(str.isdecimal, rest))
            tail = rest[len(digits) :]
            whole = digits
            if unit and tail.startswith("."):
                whole += "." + "".join(itertools.takewhile(str.isdecimal, tail[1:]))
                tail = rest[len(whole) :]
            if tail.startswith(unit):
                return float(whole)
    return None


def hand(aspect, reply):
    """The released score of a reply, or None where the released code finds none (and counts 0)."""
    if aspect == "completeness":
        total = first_number(after(reply, "**总分**"))
        return None if total is None or total > 16 else total
    if aspect == "novelty":
        part = labelled(reply, "新颖性得分", "/4")
        return None if part is None or part > 4 else part
    stated, every = labelled(reply, "准确率", "%"), labelled(reply, "总计事实声明")
    right = labelled(reply, "正确事实") or 0.0
    if stated is not None:
        return stated / 100 if stated <= 100 else None
    if every is None:
        return None
    return (right / every if right <= every else None) if every else 0.0


PIECES = {
    "completeness": ("**总分**", "：", "12", ".5", "/16分", "16", "3.", "无", "总分：9", "20"),
    "precision": (
        *(
            "总计事实声明：5条",
            "总计事实声明: 0条",
            "正确事实：3条",
            "正确事实： 7",
            "错误事实：2条",
        ),
        *("准确率：60%", "准确率: 62.5%", "准确率：", "准确率：120%", "80%", "**准确率**：70%"),
    ),
    "novelty": (
        *("新颖性得分：3/4分", "新颖性得分: 2.5/4", "新颖性得分：9/4", "新颖性得分：3", "/4"),
        *("音乐相关性得分：2/3分", "洞察深度得分：1/3", "综合得分：8/10分"),
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("aspect", PIECES)
def test_20000_random_replies_are_read_as_released(aspect):
    dice = random.Random(aspect)
    seen = {"read": 0, "not": 0}
    for _ in range(20_000):
        reply = words(dice, *PIECES[aspect])
        expected = hand(aspect, reply)
        try:
            found = rules.read_released(aspect, reply).scores["score"]
        except UnreadableJudgement:
            found = None
        assert found == pytest.approx(expected) if expected is not None else found is None, reply
        seen["read" if expected is not None else "not"] += 1
    assert min(seen.values()) > 1000


def test_the_rubric_is_the_released_one():
    used = rubric.RELEASED
    assert used.total == 16
    sums = {p: sum(points.values()) for p, points in used.parts.items()}
    assert sums == {"song_analysis": 4, "singer": 3, "background": 4, "language": 2, "persona": 3}
    assert used.most["colloquial"] == 2
    given = {name: {"score": most, "evidence": "x"} for name, most in used.most.items()}
    judged = rubric.read_completeness(dump({"points": given}), "x", used)
    assert judged.scores["score"] == 16
    given["colloquial"]["score"] = 2.5
    with pytest.raises(UnreadableJudgement, match="colloquial"):
        rubric.read_completeness(dump({"points": given}), "x", used)


KINDS = """**新颖内容识别**：
- 个人情感反应: [想起夏天, 心里一暖，无]
- 深度技术分析: [鼓点讲究]
- 创意解读: [像细雨
如同脉搏]
- 文化背景: [无]
**音乐相关性评估**：
- 音乐相关的新颖内容: 4条
- 音乐相关性得分: 2/3分
- 洞察深度得分: 1.5/3分
- 总计新颖内容: 5条
- 新颖性得分: 3/4分"""


def test_kinds_and_insight_as_released():
    scores = rules.read_released("novelty", KINDS).scores
    assert scores["score"] == 3
    assert (scores["personal_reactions"], scores["creative_interpretations"]) == (2, 2)
    assert scores["personal_insight"] == pytest.approx(4 / 5)
    assert (scores["statements"], scores["related"]) == (5, 4)
    assert (scores["music_relevance"], scores["insight_depth"]) == (2, 1.5)
    assert rules.insight_of(4, 9) == 1


def answer_in_json(call):
    """A judge that answers our own prompts, the released rubric's points among them."""
    aspect = aspect_of(call)
    if aspect == "completeness":
        most = rubric.RELEASED.most
        points = {n: {"score": m if n != "style" else 0, "evidence": ""} for n, m in most.items()}
        return dump({"points": points, "total": 15, "assessment": "好"})
    if aspect == "novelty":
        kinds = ["personal_reactions", "creative_interpretations", "technical_analysis"]
        said = [
            {"quote": "", "category": k, "music_related": True, "depth": "surface"} for k in kinds
        ]
        parts = {"novelty_score": 3, "music_relevance_score": 1, "insight_depth_score": 1}
        return dump({"statements": said, **parts, "total": 5})
    claims = four_claims()["claims"]
    if CLAIMING not in call.body["messages"][-1]["content"]:
        return dump({"claims": []})
    undecided = {"claim": "x", "quote": "x", "field": "", "verdict": "not_in_details"}
    return dump({"claims": [*claims, undecided]})


def test_scores_are_put_together_as_released(tmp_path):
    run = make_run(tmp_path / "run", [CLAIMING, REVIEW])
    with ChatServer(answer_in_json) as server:
        folder = judge(run, server.spec, **PROTOCOL)
        bodies = [call.body for call in server.seen]
    found = combine(read_grades(folder), run)
    assert found.protocol == "reaction-released"
    assert {body["top_p"] for body in bodies} == {0.95}
    assert found.components["completeness"].value == 15 / 16
    # three of five claims, and 0 for the review without any, meant over the songs
    assert found.components["precision"].value == pytest.approx((3 / 5 + 0) / 2)
    assert found.components["novelty"].value == 3 / 4
    assert found.songs[0].found["novelty"][0]["scores"]["personal_insight"] == 2 / 5
    expected = 0.3 * 0.5 + 0.4 * 15 / 16 + 0.2 * 0.3 + 0.1 * 0.75
    assert found.total == pytest.approx(expected)
    assert any("without a claim, which count 0" in note for note in map(str, found.notes))
    ours = make_run(tmp_path / "ours", [CLAIMING, REVIEW])
    with ChatServer(answer_in_json) as server:
        pooled = combine(read_grades(judge(ours, server.spec, aspects="precision,novelty")), ours)
    assert pooled.components["precision"].value == 3 / 4
    assert pooled.components["novelty"].value == 5 / 10


def test_the_released_prompt_is_read_from_the_users_clone(tmp_path, shared):
    run = make_run(tmp_path / "run", [REVIEW])
    replies = {"system": "### **总分**\n**12.5/16分**\n**总体评价**：不错。"}

    def answer(call):
        first = call.body["messages"][0]
        return replies.get(first["role"]) or answer_in_json(call)

    clone = str(shared / STAGED)
    with ChatServer(answer) as server:
        args = ["judge", str(run), "-m", server.spec, "--protocol", "reaction-released"]
        assert cli.main([*args, "--released", clone, "--quiet"]) == 0
        asked = [c.body for c in server.seen if c.body["messages"][0]["role"] == "system"]
    (body,) = asked
    assert body["messages"][0]["content"] == (
        (shared / STAGED / "prompt_llm_score.txt").read_text("utf-8-sig")
    )
    assert REVIEW in body["messages"][1]["content"]
    assert "response_format" not in body
    assert (body["temperature"], body["top_p"], body["max_tokens"]) == (0.6, 0.95, 4096)
    (folder,) = run.glob("judged-*")
    found = combine(read_grades(folder), run)
    assert found.songs[0].completeness == 12.5
    assert found.songs[0].found["completeness"][0]["assessment"] == "不错。"
    manifest = read_manifest(folder)
    assert any("no prompt for precision, novelty" in remark for remark in texts(manifest.remarks))
    assert clone not in json.dumps(manifest.config)
    assert manifest.config["options"]["protocol"] == "reaction-released"


PROGRAM = '''
"""Another's program, of the released form; its words are this test's own."""
raise SystemExit("it must not be run")


class Evaluator:
    def _get_{aspect}_prompt(self):
        return """You check {aspect}."""

    def evaluate_{aspect}(self, appraisal_text, ground_truth):
        truth_info = self._format(ground_truth)
        user_message = f"""Check:
{{appraisal_text}}
against
{{truth_info}}
!"""
        return user_message
'''


@pytest.fixture
def clone(tmp_path):
    folder = tmp_path / "clone"
    (folder / "prompt").mkdir(parents=True)
    (folder / "prompt/prompt_llm_score.txt").write_text("Grade it.")
    for aspect in ("precision", "novelty"):
        text = PROGRAM.format(aspect=aspect)
        (folder / f"{aspect}_evaluator.py").write_text(text)
    (folder / "llm_evaluator.py").write_text(
        "class E:\n    def evaluate_appraisal(self, appraisal_text):\n"
        "        user_message = f'Grade: {appraisal_text}'\n"
    )
    return folder


def test_prompts_within_programs_are_read_and_never_run(clone):
    forms = rules.read_clone(clone)
    assert forms["completeness"] == rules.ReleasedForm("Grade it.", "Grade: {text}")
    assert forms["precision"].system == "You check precision."
    details = {"genre": "流行", "artist": "林小满", "awards": "无", "language": "中文"}
    asked = rules.fill_released(forms["precision"], "precision", "{details} in a review", details)
    assert asked == (
        "Check:\n{details} in a review\nagainst\n歌手：林小满\n音乐风格：流行\nawards：无\n"
        "language：中文\n!"
    )
    asked = rules.fill_released(forms["novelty"], "novelty", "x", details)
    assert "\nartist: 林小满\ngenre: 流行\nawards: 无\n!" in asked
    assert "language" not in asked


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda c: (c / "prompt/prompt_llm_score.txt").unlink(), "give a clone of"),
        (lambda c: (c / "novelty_evaluator.py").write_text("def x(:"), "is no Python program"),
        (lambda c: (c / "novelty_evaluator.py").write_text("x = 1"), "returns no text"),
        (
            lambda c: (c / "llm_evaluator.py").write_text(
                "def evaluate_appraisal(a):\n    user_message = f'{secret()}'\n"
            ),
            "holds something unknown",
        ),
    ],
)
def test_a_faulty_clone_is_one_line(clone, change, told, tmp_path):
    change(clone)
    run = make_run(tmp_path / "run", [REVIEW])
    with pytest.raises(InputError, match=told):
        judge(run, "lexical", **PROTOCOL, released=str(clone))


def test_the_lexical_judge_takes_no_prompts(clone, tmp_path):
    run = make_run(tmp_path / "run", [REVIEW])
    with pytest.raises(InputError, match="leave --released out"):
        judge(run, "lexical", **PROTOCOL, released=str(clone))


def test_a_clone_belongs_to_the_released_rules(clone, tmp_path, capsys):
    run = make_run(tmp_path / "run", [REVIEW])
    args = ["judge", str(run), "-m", "lexical", "--released", str(clone)]
    assert cli.main(args) == 2
    assert "give --protocol reaction-released" in capsys.readouterr().err


@pytest.mark.slow
def test_departures_are_named(tmp_path, capsys):
    run = make_run(tmp_path / "run", [REVIEW])
    args = ["judge", str(run), "-m", "lexical", "--protocol", "reaction-released", "--quiet"]
    assert cli.main([*args, "--temperature", "0.1"]) == 0
    (folder,) = run.glob("judged-*")
    capsys.readouterr()
    assert cli.main(["show", str(folder), "--json"]) == 0
    protocol = json.loads(capsys.readouterr().out)["protocol"]
    assert protocol["name"] == "reaction-released"
    assert protocol["departures"][0] == "temperature 0.1, not temperature own"
    assert "in our own words" in protocol["departures"][1]
    assert any("missing, with bounds, and not 0" in said for said in protocol["differs"])


def test_the_run_asks_only_about_songs_with_details(tmp_path, pytestconfig, capsys):
    import shutil

    data = tmp_path / "data"
    shutil.copytree(pytestconfig.rootpath / "tests/data/appraisal_small", data)
    lines = (data / "song_details.jsonl").read_text().splitlines()
    (data / "song_details.jsonl").write_text(lines[0] + "\n")
    mine = tmp_path / "mine.py"
    mine.write_text("def review(p, q, o):\n    return 'This is a bridge' if o else '一首歌。'\n")
    out = tmp_path / "run"
    args = ["run", "appraisal", "--data", str(data), "-m", f"python:{mine}:review"]
    args += ["--protocol", "reaction-released", "--judge", "lexical", "--out", str(out), "--json"]
    assert cli.main(args) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary["states"]["ungraded"] == 1
    assert summary["protocol"]["name"] == "reaction-released"
    assert summary["protocol"]["departures"] == []
    assert summary["groups"]["qa"]["accuracy"] == 1 / 3  # the article is read as A, as released
    assert summary["details"][1]["title"] == "Judged by lexical by reaction-released"
    (folder,) = out.glob("judged-*")
    settings = Judging(read_settings(read_manifest(folder).options)).settings
    assert (settings.protocol, settings.top_p, settings.no_heard) == (
        "reaction-released",
        0.95,
        True,
    )
