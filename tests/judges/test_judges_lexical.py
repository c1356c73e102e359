"""The embedded judge: what it names, what it checks, and how far it agrees with graded examples."""

import asyncio
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_help import CLAIMING, DETAILS, REVIEW, judge, make_run
from zhiyin import cli
from zhiyin.errors import FatalError, InputError
from zhiyin.models import open_model
from zhiyin.plugins.judges import aspects, rubric
from zhiyin.plugins.judges.aspects import Dossier
from zhiyin.plugins.judges.combine import combine
from zhiyin.plugins.judges.grades import read_all, read_grades
from zhiyin.plugins.judges.lexical import LexicalJudge, closeness, examples, open_lexical
from zhiyin.plugins.judges.lexical.facts import check_facts, lists
from zhiyin.record import Sampling
from zhiyin.trial import Trial

SONG = {
    "artist": "蔡健雅、陶喆",
    "title": "Low Tide",
    "release_year": 1998,
    "album": "Harbour",
    "genre": "jazz",
    "key": "Eb minor",
    "tempo_bpm": 72,
    "time_signature": "6/8",
    "instruments": ["piano", "bass"],
    "theme": "leaving a harbour at dusk",
}


def verdicts(text, details=SONG):
    return {claim.claim: claim.verdict for claim in check_facts(text, details)}


def test_lists_match_the_rubrics():
    assert set(lists().categories) == set(rubric.CATEGORIES)
    points = lists().points
    assert set(points["ours"]) == set(rubric.OURS.points) - {"clarity", "register"}
    assert set(points["reaction-released"]) == set(rubric.RELEASED.points)


def test_the_worked_example_of_precision():
    found = verdicts(CLAIMING, DETAILS)
    assert found["year 2004"] == found["album 城南"] == "supported"
    assert found["genre rnb"] == "contradicted"
    assert found["theme: 讲的是对回忆的惦念"] == "supported"


@pytest.mark.parametrize(
    ("text", "claim", "verdict"),
    [
        ("It came out in 1998.", "year 1998", "supported"),
        ("It was released in 1999.", "year 1999", "contradicted"),
        ("It recalls the sound of 1975, I think.", "year 1975", "not_in_details"),
        ("这首《高潮》是好歌。", "title 高潮", "contradicted"),
        ("和《红豆》不同。", "work 红豆", "not_in_details"),
        ("收录在专辑《海港》中。", "album 海港", "contradicted"),
        ("由张三演唱。", "artist 张三", "contradicted"),
        ("张三的《Low Tide》很好听。", "artist 张三", "contradicted"),
        ("歌手是Adele，很动人。", "artist Adele", "contradicted"),
        ("李四的声音清亮。", "artist 李四", "contradicted"),
        ("作为王五的代表作，它很动人。", "artist 王五", "contradicted"),
        ("A tender ballad by Mara Quill.", "artist Mara Quill", "contradicted"),
        ("Mara Quill's soft voice drifts.", "artist Mara Quill", "contradicted"),
        ("Performed by Mara Quill, it drifts.", "artist Mara Quill", "contradicted"),
        ("一首爵士风格的歌曲", "genre jazz", "supported"),
        ("It is a rock song.", "genre rock", "contradicted"),
        ("It is in E-flat minor.", "key E-flat minor", "supported"),
        ("It is in D# minor.", "key D# minor", "supported"),
        ("降E小调的作品", "key 降E小调", "supported"),
        ("It is in E minor.", "key E minor", "contradicted"),
        ("About 73 bpm.", "tempo 73", "supported"),
        ("每分钟120拍。", "tempo 120", "contradicted"),
        ("In 6/8 time.", "metre 6/8", "supported"),
        ("In 4/4 time.", "metre 4/4", "contradicted"),
        ("The piano leads.", "instrument piano", "supported"),
        ("A saxophone answers.", "instrument saxophone", "contradicted"),
        ("It tells of leaving.", "theme: It tells of leaving", "supported"),
    ],
)
def test_claims(text, claim, verdict):
    assert verdicts(text)[claim] == verdict


def test_what_details_do_not_hold_contradicts_nothing():
    text = "由张三演唱，1990年发行的摇滚歌曲，C大调，每分钟90拍，4/4，有钢琴。"
    assert "contradicted" not in verdicts(text, {"title": "别的歌"}).values()
    assert verdicts("无法判断主题是关于什么的。") == {}


# The worked examples of the Comprehensive Music Appraisal Benchmark's README, in our own words but
# with its facts in its order: the song by name, singer, year, album, style, theme; and a memory,
# two likenesses, a remark on the drums, a comparison.
WORKED = (
    "《倒带》是{singer}于2004年推出的歌曲，出自专辑《城堡》。曲风是R&B，讲述的是回忆。",
    "前奏刚起，我就像回到了青涩的年代。蔡依林的嗓音如同丝绸般顺滑，鼓点的处理很讲究，"
    "每一次敲击都像心跳一样规律。我认为它和王菲的《红豆》异曲同工。",
)


def graded(aspect, text):
    dossier = Dossier(
        aspect, text, DETAILS | {"artist": "蔡依林", "album": "城堡", "title": "倒带"}
    )
    reply = msgspec.json.encode(LexicalJudge().judge(dossier)).decode()
    return aspects.read(dossier, reply)


def test_three_of_four_claims_of_the_worked_example_are_right():
    """The song's name and its singer say which song is meant: they are no claims there."""
    scores = graded("precision", WORKED[0].format(singer="蔡依林")).scores
    assert (scores["supported"], scores["checked"]) == (3, 4)


def test_another_singer_is_a_wrong_claim():
    scores = graded("precision", WORKED[0].format(singer="王菲")).scores
    assert (scores["supported"], scores["checked"]) == (3, 5)
    short = "王菲的《倒带》发行于2004年，收录在专辑《城堡》中。"
    assert graded("precision", short).scores["score"] < 1


@pytest.mark.parametrize(
    "text",
    [
        "由陶喆演唱，蔡健雅的声音清亮。",
        "让我想起了王菲的声音。",
        "温柔的声音，深情演绎，安静的《Low Tide》。",
        "It recalls a song by Mara Quill.",
        "She sings it softly; the singer's voice is low.",
        "《low tide》是好歌。",
    ],
)
def test_its_own_singer_a_likeness_and_an_adjective_are_no_wrong_singer(text):
    assert "contradicted" not in verdicts(text).values()


HELLO = {"artist": "Adele", "title": "Hello", "album": "25", "release_year": 2015}
REWIND = {
    "artist": "蔡依林 (Jolin Tsai)", "title": "倒带", "album": "城堡", "composer": "周杰伦",
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("歌手王菲在2004年推出《倒带》。", "artist 王菲"),
        ("《倒带》由五月天演唱。", "artist 五月天"),
        ("由香港歌手王菲作词作曲并演唱。", "artist 王菲"),
        ("《倒带》是李宗盛作曲，方文山作词，王菲演唱的歌曲。", "artist 王菲"),
        ("演唱者：王菲", "artist 王菲"),
        ("王菲的《倒带》很动人。", "artist 王菲"),
        ("作曲：李宗盛。", "composer 李宗盛"),
        ("《红豆》是一首抒情歌曲，发行于1998年。", "title 红豆"),
        ("歌手声线温柔，由王菲演唱的《倒带》", "artist 王菲"),
        ("Beyoncé's Hello came out in 2015.", "artist Beyoncé"),
        ("Beyoncé’s “Hello” is loud.", "artist Beyoncé"),
        ("“Hello” by Beyoncé is loud.", "artist Beyoncé"),
        ("Hello is a song recorded by American singer Beyoncé.", "artist Beyoncé"),
        ("The singer Beyoncé sings it softly.", "artist Beyoncé"),
        ("A ballad written by Ryan Tedder and sung by Beyoncé.", "artist Beyoncé"),
        ("“Halo” is a ballad by Beyoncé.", "title Halo"),
        ("From the album “21”.", "album 21"),
    ],
)
def test_who_or_what_is_not_of_this_song_is_wrong(text, wrong):
    latin = text.isascii() or "Beyoncé" in text
    claims = check_facts(text, HELLO if latin else REWIND, language="en" if latin else "zh")
    assert [c.claim for c in claims if c.verdict == "contradicted"] == [wrong]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("歌手周杰伦在2004年推出《倒带》。", None),  # the details name him, if as its composer
        ("Jolin的《倒带》，由Jolin Tsai演唱。", None),
        ("蔡依林的《倒带》收录在《城堡》。", None),
        ("由周杰伦作曲。", None),
        ("由方文山作词。", "person 方文山"),  # no detail says who wrote the words
        ("和王菲的《红豆》异曲同工。", "work 红豆"),
        ("不像王菲的《红豆》那么冷。", "work 红豆"),
        ("听过《红豆》，再听《倒带》。", "work 红豆"),
        ("王菲演唱的《红豆》也好听，《倒带》更好。", "person 王菲"),
        ("翻唱自王菲的《倒带》。", None),
        ("与王力宏合唱，原唱是王菲。", None),
        ("歌手自己的故事，歌手声线在副歌里拔高，让人着迷的《倒带》。", None),
        ("Unlike Beyoncé's Halo, this is quiet.", None),
        ("A cover of Lionel Richie's Hello.", "person Lionel Richie"),
        ("Originally recorded by Beyoncé.", "person Beyoncé"),
        ("Hello (feat. Beyoncé) is loud.", None),
        ("Composed by Greg Kurstin.", "person Greg Kurstin"),
        ("Adele's Hello, by Adele, from her album “25”.", None),
        ("The singer's hello and her sister's voice are warm.", None),
        ("On “Halo”, sung by Beyoncé, the drums are louder.", "person Beyoncé"),
    ],
)
def test_what_cannot_be_told_is_left_out_and_counted(text, left):
    latin = text.isascii() or "“" in text or "é" in text
    claims = check_facts(text, HELLO if latin else REWIND, language="en" if latin else "zh")
    assert "contradicted" not in [c.verdict for c in claims]
    open_ones = [c.claim for c in claims if c.verdict == "not_in_details"]
    assert left is None or left in open_ones


@pytest.mark.slow
def test_grades_by_other_rules_are_another_judging(tmp_path, monkeypatch, capsys):
    """They are told apart, and never taken for the same in a comparison."""
    from zhiyin.plugins.judges import judging

    runs = [make_run(tmp_path / name, [REVIEW, CLAIMING], model=name) for name in ("a", "b")]
    before = judge(runs[0], "lexical")
    assert judge(runs[0], "lexical") == before
    monkeypatch.setattr(judging, "RULES", judging.RULES + 1)
    after = judge(runs[0], "lexical")
    assert after != before
    assert len({grades.title for grades in read_all([before, after], runs[0])}) == 2
    judge(runs[1], "lexical")
    assert cli.main(["compare", *map(str, runs)]) == 0
    assert capsys.readouterr().out.count("judged by lexical") == 1


@pytest.mark.slow
def test_how_many_claims_are_open_is_said(tmp_path, capsys):
    details = {"artist": "蔡依林", "title": "倒带", "release_year": 2004}
    run = make_run(tmp_path / "run", ["由方文山作词，2004年发行。", "《红豆》也好听。"], details)
    for words in (["judge", "-m", "lexical", "--quiet"], ["show", "--groups", "all"]):
        assert cli.main([words[0], str(run), *words[1:]]) == 0
        assert "which are in no figure: 2" in " ".join(capsys.readouterr().out.split())


def test_the_original_singer_that_the_details_name_is_no_wrong_one():
    details = {"artist": "单依纯", "title": "李白", "background": "改编自李荣浩的歌曲"}
    assert "contradicted" not in verdicts("李荣浩的《李白》被重新编曲。", details).values()
    assert "contradicted" in verdicts("王菲的《李白》被重新编曲。", details).values()


def test_the_worked_example_has_five_new_statements_about_music():
    scores = graded("novelty", WORKED[1]).scores
    assert (scores["statements"], scores["related"]) == (5, 5)
    found = LexicalJudge().judge(Dossier("novelty", WORKED[1], DETAILS))
    kinds = [s.category for s in found["statements"]]
    assert {kind: kinds.count(kind) for kind in kinds} == {
        "personal_reactions": 1,
        "creative_interpretations": 2,
        "technical_analysis": 1,
        "comparative_analysis": 1,
    }


def test_statements_of_fact_are_not_new():
    found = LexicalJudge().judge(Dossier("novelty", CLAIMING, DETAILS))
    assert not any("2004" in s.quote for s in found["statements"])


def test_embeddings_drop_what_the_details_say_in_other_words():
    def encode(texts):
        return [[1.0, 0.0] if "刺绣" in text or "手艺" in text else [0.0, 1.0] for text in texts]

    text = "旋律像刺绣。节奏让人想起雨声。"
    dossier = Dossier("novelty", text, {"theme": "手艺"})
    plain = LexicalJudge().judge(dossier)["statements"]
    meant = LexicalJudge("lexical:toy", encode).judge(dossier)["statements"]
    assert [s.quote for s in plain] == ["旋律像刺绣", "节奏让人想起雨声"]
    assert [s.quote for s in meant] == ["节奏让人想起雨声"]


def test_embeddings_need_a_package(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(InputError, match="sentence-transformers is not installed"):
        open_lexical("some-model")


@pytest.mark.slow
@given(st.text(max_size=400))
def test_whatever_it_writes_is_a_judgement(text):
    for aspect in ("completeness", "precision", "novelty"):
        dossier = Dossier(aspect, text, SONG)
        reply = msgspec.json.encode(LexicalJudge().judge(dossier)).decode()
        judged = aspects.read(dossier, reply)
        assert not judged.mended
        assert judged.detail.unquoted == 0


@pytest.mark.slow
def test_agreement_with_graded_examples_is_what_we_say():
    close = {c.aspect: c for c in closeness(LexicalJudge())}
    assert [c.n for c in close.values()] == [12, 8, 12]
    assert len(examples()) == 12
    assert close["completeness"].rank.rho > 0.9
    assert close["precision"].rank.rho > 0.9
    assert close["novelty"].rank.rho > 0.6
    assert close["completeness"].off_by < 2.5
    assert close["novelty"].off_by < 2


@pytest.mark.slow
def test_it_says_everywhere_that_it_is_not_comparable(tmp_path, capsys):
    run = make_run(tmp_path / "run", [REVIEW, CLAIMING])
    assert cli.main(["judge", str(run), "-m", "lexical", "--quiet"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "not comparable with a language model's" in text
    assert "agreement of the lexical judge with 12 graded examples" in text
    assert cli.main(["show", str(next(run.glob("judged-lexical-*")))]) == 0
    assert "not comparable" in capsys.readouterr().out


def test_the_whole_way(tmp_path):
    run = make_run(tmp_path / "run", [REVIEW, CLAIMING])
    found = combine(read_grades(judge(run, "lexical")), run)
    assert not any(part.errors for part in found.components.values())
    assert 0 < found.total < 1


def test_examined_as_a_model_it_stops_the_run_with_the_reason(tmp_path, capsys):
    small = str(Path(__file__).parent.parent / "data" / "ziqi_small")
    args = ["run", "ziqi", "--data", small, "--partial", "-m", "lexical"]
    assert cli.main([*args, "--out", str(tmp_path / "run")]) == 2
    assert "use `zhiyin judge RUN -m lexical`" in capsys.readouterr().err


def test_it_answers_no_questions():
    model = open_model("lexical")
    with pytest.raises(FatalError, match="lexical only judges: use"):
        asyncio.run(model.generate((), Sampling(), Trial("a", (), "What key?")))
