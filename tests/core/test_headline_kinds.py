"""Who stands in a headline: models among themselves, and baselines in a sentence of their own."""

import json

import pytest

from findings_help import answered, choice, write_run
from zhiyin.report.chapters import PageVoice
from zhiyin.report.overview import overview
from zhiyin.report.run_set import RunSet, in_rank
from zhiyin.report.writing import report
from zhiyin.words import LANGUAGES, say

TRIALS = [choice(f"q{n}", gold="ABCD"[n % 4], letters="ABCD") for n in range(80)]
OTHERS = [choice(f"x{n}", gold="ABCD"[n % 4], letters="ABCD") for n in range(80)]


def taker(root, name, right, trials=TRIALS, people=0):
    """A run in which so many of the questions are right; the others are answered in turn."""
    given = [
        answered(t, t.target if n < right else "ABCD"[(n + n // 4) % 4])
        for n, t in enumerate(trials)
    ]
    folder = write_run(root / name, "quiz", name, given)
    if people:
        path = folder / "run.json"
        about = json.loads(path.read_text())
        about["decoding"] = {"kind": "people", "people": people}
        path.write_text(json.dumps(about))
    return folder


def told(root, people=(), others=(), **right):
    """The chapter on runs with so many right answers."""
    folders = [
        taker(root, name, n, OTHERS if name in others else TRIALS, 3 if name in people else 0)
        for name, n in right.items()
    ]
    (chapter,) = overview(RunSet(folders)).benchmarks
    return chapter


def english(chapter):
    first, more = chapter.told
    return say(first).replace("\u00a0", " "), [say(one).replace("\u00a0", " ") for one in more]


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "cache"))


def test_one_model_and_a_baseline(tmp_path):
    first, more = english(told(tmp_path, mine=60, random=0))
    assert first.startswith("mine answers 8")
    assert "better than chance (25.0 %)" in first
    assert "random" not in first
    assert more[0].startswith("For scale: random ")


@pytest.mark.slow
def test_two_models_and_baselines(tmp_path):
    chapter = told(tmp_path, random=0, mine=70, listener=80, other=30, first=0)
    first, more = english(chapter)
    assert first.startswith("mine answers ")
    assert ", better than other by " in first
    assert not {"random", "first", "listener"} & set(first.replace(",", " ").split())
    assert more[0].startswith("For scale: listener 100.0 %, ") or more[0].startswith(
        "For scale: listener 100.0 %"
    )
    kinds = {own.kind for own in chapter.lead.standings if own.for_scale}
    assert kinds == {"listener", "baseline"}
    assert [c.other for c in chapter.lead.contests] == [3]


def test_baselines_alone_have_the_sentence(tmp_path):
    first, more = english(told(tmp_path, random=0, longest=2))
    assert "random" in first
    assert "longest" in first
    assert not [one for one in more if one.startswith("For scale")]


def test_the_listener_speaks_where_there_is_no_model(tmp_path):
    first, more = english(told(tmp_path, listener=80, first=0))
    assert first == "listener answers 100.0 % right, better than chance (25.0 %)."
    assert more[0].startswith("For scale: first ")


def test_people_are_compared_with_models_and_baselines_are_not(tmp_path):
    first, more = english(told(tmp_path, people=("crowd",), mine=20, crowd=75, random=0))
    assert first.startswith("crowd answers ")
    assert ", better than mine by " in first
    assert "random" not in first
    assert more[0].startswith("For scale: random ")


def test_models_that_tie_tie_among_themselves(tmp_path):
    first, more = english(told(tmp_path, mine=40, same=40, random=80))
    assert "mine" in first
    assert "same" in first
    assert "random" not in first
    beside = "against random, the best blind baseline, mine and same are worse."
    assert more[0] == f"For scale: random 100.0 %; {beside}"


def test_each_model_is_held_against_the_best_baseline(tmp_path):
    """Above it, below it, or neither: of one alone with the difference, in both languages."""
    chapter = told(tmp_path, mine=75, near=42, bad=10, longest=40, random=5)
    lead = chapter.lead
    rule = next(own.run for own in lead.standings if own.for_scale)
    assert lead.rule == rule  # the best of two
    assert {one.other: one.side for one in lead.ruled} == {0: "above", 1: "open", 2: "below"}
    (scale,) = [one for one in chapter.told[1] if one.name == "lead-scale"]
    words = say(scale).replace("\u00a0", " ")
    assert "near is not shown to be better (" in words
    assert "mine is better (" in words
    assert "bad is worse (" in words
    chinese = say(scale, "zh")
    assert "bad 更差（落后" in chinese
    assert "near 未显示更好" in chinese


def test_a_model_that_was_asked_other_items_than_the_baseline_is_not_held_against_it(tmp_path):
    chapter = told(tmp_path, others=("mine",), mine=60, random=40)
    assert chapter.lead.ruled == []
    assert "blind baseline" not in " ".join(english(chapter)[1])


def test_runs_that_share_nothing_are_not_compared_whatever_the_baseline_shares(tmp_path):
    first, more = english(told(tmp_path, others=("other",), mine=60, other=50, random=0))
    assert "they cannot be compared" in first
    assert "as no item is shared by both" in first
    assert "random" not in first
    assert more[0].startswith("For scale: random ")


def test_a_baseline_on_other_items_does_not_take_the_items_of_models(tmp_path):
    chapter = told(tmp_path, others=("random",), mine=60, other=20, random=0)
    assert english(chapter)[0].startswith("mine answers ")
    assert (chapter.lead.shared, chapter.lead.own) == (80, True)


@pytest.mark.slow
def test_no_headline_has_more_than_two_facts(tmp_path):
    names = {f"m{n}": 0 for n in range(5)}
    chapter = told(tmp_path, **names, random=0)
    first, more = chapter.told
    assert len(first.facts["clauses"]) == 2
    assert len(more) > 1


def test_names_stand_in_their_typeface_and_hold_no_signs_of_their_own(tmp_path):
    chapter = told(tmp_path, **{"mi\u2068n<e": 60, "random": 0})
    for language in LANGUAGES:
        voice = PageVoice(language)
        html = str(voice.words(chapter.told[0]))
        assert html.count('<bdi class="run">mi\\u2068n&lt;e</bdi>') == 1
        assert "\u2068" not in html
        assert '<bdi class="run">random</bdi>' in str(voice.words(chapter.told[1][0]))


def test_a_report_has_its_runs_in_one_order_the_best_first_and_baselines_last(tmp_path):
    names = {"longest": 70, "weak": 20, "best": 75, "random": 40, "fair": 50}
    folders = [taker(tmp_path, name, n) for name, n in names.items()]
    wanted = ["best", "fair", "weak", "longest", "random"]
    for given in (folders, folders[::-1]):
        assert [folder.name for folder in in_rank(given)] == wanted
    report(*folders, out=tmp_path / "out", notation=False, figures=False)
    page = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    said = page[: page.index("not clearly favour a letter")].rpartition("<li")[2]
    places = [said.index(f'<bdi class="run">{name}</bdi>') for name in wanted]
    assert places == sorted(places)
