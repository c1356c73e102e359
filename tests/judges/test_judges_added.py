"""Aspects that others declare: in a file or a package, through every view of a judged run."""

from pathlib import Path

import pytest

from judge_help import CLAIMING, REVIEW, aspect_of, dump, judge, judge_answer, make_run, points
from servers import ChatServer
from zhiyin import cli, extensions
from zhiyin.engine.folder import read_manifest, read_records
from zhiyin.engine.naming import brief
from zhiyin.errors import InputError
from zhiyin.plugins.benchmarks.appraisal.results import totals
from zhiyin.plugins.judges import aspects
from zhiyin.plugins.judges.aspects import ALONE, GRADED, OURS, read_aspect, read_aspects
from zhiyin.plugins.judges.combine import COMPONENTS, WEIGHTS, combine
from zhiyin.plugins.judges.grades import read_all, read_grades
from zhiyin.plugins.judges.rules import OURS as RULES
from zhiyin.session.rescore import rescore
from zhiyin.words import say

CANDOUR = """
name = "candour"
scale = [1, 5]
weight = 60
given = ["details"]
temperature = 0.1
prompt = \"\"\"
Is it open about what it does not know?
{details}
{text}\"\"\"
"""


def write(folder: Path, text: str = CANDOUR, name: str = "candour.toml") -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def grading(scores):
    """A judge that gives `scores`, by a word of the text, for the aspect that is not ours."""

    def answer(call):
        if aspect_of(call):
            return judge_answer(call) if aspect_of(call) != "completeness" else dump(points())
        asked = call.body["messages"][0]["content"]
        score = next(score for word, score in scores.items() if word in asked)
        return dump({"score": score, "quote": "", "reason": "so"})

    return answer


@pytest.fixture
def run(tmp_path):
    return make_run(tmp_path / "run", [CLAIMING, REVIEW])


SCORES = {"林小满": 5, "十七岁": 2}


def test_its_title_is_its_name_in_chinese_and_in_chinese_alone(run, tmp_path, capsys, monkeypatch):
    path = write(tmp_path, f'title = "坦率"\n{CANDOUR}')
    with ChatServer(grading(SCORES)) as server:
        judge(run, server.spec, aspects=f"completeness,{path}")
    for language, shown, hidden in (("zh", "坦率", "candour"), ("en", "candour", "坦率")):
        monkeypatch.setenv("ZHIYIN_LANG", language)
        for words in (["show", str(run), "--groups", "all"], ["table", str(run)]):
            assert cli.main(words) == 0
            printed = capsys.readouterr().out
            assert shown in printed
            assert hidden not in printed
    (folder,) = run.glob("judged-*")
    assert "candour" in combine(read_grades(folder), run).components


def test_ours_are_declared_in_the_same_form():
    assert (*GRADED, *ALONE) == tuple(OURS)
    assert COMPONENTS == ("qa", "completeness", "precision", "novelty")
    assert WEIGHTS == (30, 40, 20, 10)
    assert {name: OURS[name].scale[1] for name in GRADED} == RULES.most
    assert OURS["precision"].needs == "evidence"


def test_it_is_asked_with_what_it_is_given_and_counts_by_its_weight(run, tmp_path):
    path = write(tmp_path)
    with ChatServer(grading(SCORES)) as server:
        folder = judge(run, server.spec, aspects=f"completeness,{path}")
        own = [call for call in server.seen if not aspect_of(call)]
    asked = own[0].body["messages"][0]["content"]
    assert "Is it open" in asked
    assert "album: 城南" in asked
    assert "1 到 5" in asked  # the run was asked in Chinese
    assert own[0].body["temperature"] == 0.1
    assert own[0].body["response_format"]["json_schema"]["strict"]
    found = combine(read_grades(folder), run)
    part = found.components["candour"]
    assert part.value == pytest.approx((1 + 0.25) / 2)  # 5 and 2 on a scale from 1
    assert (part.n, part.errors) == (2, 0)
    assert found.total == pytest.approx((30 * 0.5 + 40 * 1 + 60 * part.value) / 130)
    assert [song.added for song in found.songs] == [{"candour": 5}, {"candour": 2}]
    assert part.interval is not None
    assert found.interval.low < found.total < found.interval.high


@pytest.mark.slow
def test_every_view_has_it(run, tmp_path, capsys):
    path, other = write(tmp_path), make_run(tmp_path / "other", [REVIEW, CLAIMING], model="other")
    args = ["--aspects", f"completeness,{path}", "--quiet"]
    human = tmp_path / "people.csv"
    human.write_text("song,candour\nsong-0,4\nsong-1,1\n", "utf-8")

    def told(*words, status=0):
        assert cli.main([str(word) for word in words]) == status, capsys.readouterr().err
        return capsys.readouterr().out

    with ChatServer(grading(SCORES)) as server, ChatServer(grading({"": 3})) as second:
        said = told(
            "judge", run, "-m", server.spec, "-m", second.spec, *args,
            "--groups", "all", "--human", human,
        )  # fmt: skip
        told("judge", other, "-m", server.spec, *args)
    assert "CANDOUR" in said
    assert "candour 5.00" in said
    assert "Krippendorff" in said.partition("candour, 2 texts")[2]
    assert "people, candour" in said or "person, candour" in said
    # The declaration is in the run: nothing is read from the file again.
    path.unlink()
    shown = told("show", run, "--groups", "all")
    assert "candour" in shown
    folder = next(one for one in sorted(run.glob("judged-*")))
    assert "candour" in told("show", folder, "--groups", "all")
    assert "candour" in told("compare", run, other)
    assert "71.2" in told("table", run, other, "--to", "md")  # the total, (15 + 40 + 37.5) / 130
    told("report", run, other, "--out", tmp_path / "page.html", "--no-figures")
    page = (tmp_path / "page.html").read_text("utf-8")
    assert "candour" in page
    again = rescore(folder, "robust", tmp_path / "again")
    assert again.changed == 0
    states = {record.id: record.verdict.scores for record in read_records(tmp_path / "again")}
    assert {scores["score"] for name, scores in states.items() if "candour" in name} <= {2, 3, 5}


def test_reviews_that_were_not_written_have_the_lowest_score(run, tmp_path):
    with ChatServer(grading(SCORES)) as server:
        grades = read_grades(judge(run, server.spec, aspects=str(write(tmp_path))))
    from msgspec.structs import replace

    case = replace(grades.cases[0], id="empty", song="empty", text="")
    found = combine(replace(grades, unwritten=[case]), run)
    assert found.components["candour"].value == pytest.approx((1 + 0.25 + 0) / 3)


def test_a_score_beyond_the_scale_is_asked_for_again_and_then_missing(run, tmp_path):
    path = write(tmp_path)
    with ChatServer(grading({"林小满": 0, "十七岁": 6})) as server:
        folder = judge(run, server.spec, aspects=str(path))
    records = list(read_records(folder))
    assert {len(record.exchange.turns) for record in records} == {2}
    assert {record.verdict.state for record in records} == {"error"}
    found = combine(read_grades(folder), run)
    assert found.components["candour"].why == "every judgement failed"
    assert found.total is None
    assert "not from 1 to 5" in records[0].verdict.why


def test_a_total_of_other_aspects_is_named_by_them_and_stands_behind_the_usual(run, tmp_path):
    path = write(tmp_path)
    with ChatServer(grading(SCORES)) as server:
        for aspects_ in (str(path), f"completeness,precision,novelty,{path}", ""):
            judge(run, server.spec, **({"aspects": aspects_} if aspects_ else {}))
        usual, *others = [one.by for one in totals(run)]
    assert usual == server.spec
    assert sorted(one.removeprefix(server.spec) for one in others) == [
        " (for candour only)",
        " (for completeness, precision, novelty and candour)",
    ]
    named = {say(brief(one), "zh").partition("（")[2] for one in others}
    assert named == {"只评坦率）", "评完整性、属实性、新颖性和坦率）"}


@pytest.mark.slow
def test_another_wording_is_another_judging(run, tmp_path):
    path = write(tmp_path)
    with ChatServer(grading(SCORES)) as server:
        first = judge(run, server.spec, aspects=str(path))
        assert judge(run, server.spec, aspects=str(path)) == first
        n = len(server.seen)
        write(tmp_path, CANDOUR.replace("open about", "honest about"))
        second = judge(run, server.spec, aspects=str(path))
        assert len(server.seen) == 2 * n
    assert second != first
    titles = {grades.title for grades in read_all([first, second], run)}
    assert len(titles) == 2
    assert not any("{" in title for title in titles)
    assert "declared" not in read_manifest(judge(run, "lexical")).options


def test_a_package_declares_one_by_an_entry_point(run, tmp_path, monkeypatch):
    place = write(tmp_path)
    every = extensions.every

    def found(group, of=""):
        return {"candour": str(place)} if group == "zhiyin.aspects" else every(group, of)

    monkeypatch.setattr(extensions, "every", found)
    aspects.installed.cache_clear()
    try:
        assert [one.name for one in read_aspects("novelty,candour")] == ["novelty", "candour"]
        with ChatServer(grading(SCORES)) as server:
            folder = judge(run, server.spec, aspects="candour")
    finally:
        aspects.installed.cache_clear()
    monkeypatch.undo()
    assert combine(read_grades(folder), run).components["candour"].n == 2


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("weight = 60", ""), "missing required field `weight`"),
        (('name = "candour"', ""), "missing required field `name`"),
        (("scale = [1, 5]", ""), "missing required field `scale`"),
        (("scale = [1, 5]", 'scale = ["low", "high"]'), "Expected `float`, got `str`"),
        (("scale = [1, 5]", "scale = [5, 1]"), "the lowest score, 0 or more, and then the highest"),
        (("scale = [1, 5]", "scale = [3]"), "Expected `array` of length 2"),
        (('"candour"', '"novelty"'), "the name 'novelty' is taken"),
        (('"candour"', '"total"'), "the name 'total' is taken"),
        (('"candour"', '"Can Dour"'), "small letters"),
        (("{details}\n", ""), "no {details}"),
        (("{text}", ""), "no {text}"),
        (("{text}", "{text} {heard}"), "unknown placeholder {heard}"),
        (('given = ["details"]', ""), "unknown placeholder {details}"),
        (('given = ["details"]', 'given = ["lyrics"]'), "lyrics"),
        (("weight = 60", "weight = -1"), "weight"),
        (("weight = 60", 'of = "choices"\nweight = 60'), "leave it out"),
        (("weight = 60", "wieght = 60"), "wieght"),
        (("scale =", "scale"), "not TOML"),
    ],
)
def test_a_wrong_file_is_one_line(tmp_path, change, told):
    path = write(tmp_path, CANDOUR.replace(*change))
    with pytest.raises(InputError) as refusal:
        read_aspect(path)
    assert told in str(refusal.value)
    assert str(path) in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_an_aspect_without_a_prompt_and_names_that_meet(run, tmp_path, capsys):
    head = CANDOUR.partition("prompt")[0]
    with pytest.raises(InputError, match="no prompt"):
        read_aspect(write(tmp_path, head, "no.toml"))
    one, two = write(tmp_path), write(tmp_path, name="two.toml")
    for value, told in (
        (f"{one},{two}", "is taken by another one"),
        (f"failures,{one}", "are of choices"),
        (str(tmp_path / "absent.toml"), "No such file"),
        ("candor", "unknown --aspects 'candor'"),
    ):
        assert cli.main(["judge", str(run), "-m", "first", "--aspects", value]) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert told in line
    assert cli.main(["judge", str(run), "-m", "lexical", "--aspects", str(one)]) == 2
    assert "has none for candour" in capsys.readouterr().err
    assert not list(run.glob("judged-*"))
