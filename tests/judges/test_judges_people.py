"""What people gave reviews in a study of ours, beside a judge's scores of the same texts."""

import json
import re
from collections import defaultdict
from statistics import fmean

import msgspec
import pytest
import scipy.stats

from judge_help import make_run
from runs_help import told
from study_help import OPEN, Person, opened, study
from zhiyin.errors import InputError
from zhiyin.plugins.judges.cases import reviews
from zhiyin.plugins.judges.reliability import means, read_people
from zhiyin.plugins.judges.report import build, people_lines
from zhiyin.plugins.methods.calibration import prediction_powered
from zhiyin.plugins.studies.results import export

PLAIN = (("volume = true", "volume = false"), *OPEN)
WORDS = ("夏天", "旋律", "鼓点", "细雨", "湖面", "前奏", "和弦", "节奏")


def texts(run, n=8):
    """Reviews whose number of words grows, so that any judge tells them apart."""
    return [f"第{run}篇第{k}首。" + "，".join(WORDS[: k + 1]) + "。" for k in range(n)]


def rated(folder, runs, people=3, careless=False, **wish):
    """An export of a study of runs: person n gives text k of run r the grades of `grade`."""
    edits = PLAIN
    if careless:
        edits = (*PLAIN, ("# median_seconds = 2.0", "median_seconds = 2.0"))
    study(folder / "s", runs, *edits, kind="rate", **wish)
    given = defaultdict(list)
    with opened(folder / "s") as store:
        for n in range(people + careless):
            person = Person.of(store)
            person.begin()
            while page := person.look():
                run, k = map(int, re.search(r"第(\d)篇第(\d)首", page).groups())
                grades = [1 + k, 10 - k, 3 + (n + k) % 3]
                kept = n < people
                if kept:
                    given[run, k].append(grades)
                sent = {"grades": grades if kept else [10, 10, 10]}
                person.answer(active_ms=3000 if kept else 10, **sent)
        export(store, folder / "answers.jsonl")
    return folder / "answers.jsonl", given


@pytest.fixture
def runs(tmp_path):
    """Two runs on the same songs, with other texts."""
    return [make_run(tmp_path / f"run{r}", texts(r)) for r in (1, 2)]


@pytest.mark.slow
def test_each_run_gets_the_grades_of_its_own_texts(tmp_path, runs):
    path, given = rated(tmp_path, runs, careless=True)
    for number, run in enumerate(runs, 1):
        found = read_people(path, reviews(run))
        for place, aspect in enumerate(("completeness", "precision", "novelty")):
            assert found.means[aspect] == {
                f"appraisal/song-{k}": fmean(grades[place] for grades in rows)
                for (r, k), rows in given.items()
                if r == number
            }
        assert found.scales == dict.fromkeys(found.means, (1, 10))
        assert set(found.people.values()) == {3}  # whom the rules exclude is not among them


@pytest.mark.slow
def test_on_scales_of_their_own_there_are_ranks_and_a_mean_on_peoples(tmp_path, runs):
    path, given = rated(tmp_path, runs, sample=9, seed=3)
    told("judge", runs[0], "-m", "lexical", "--quiet")
    [folder] = runs[0].glob("judged-*")
    report = build(runs[0], [folder], people=read_people(path, reviews(runs[0])))
    by_aspect = {human.aspect: human for human in report.reliability.human}
    both = sorted(k for run, k in given if run == 1)
    assert 2 < len(both) < 7
    from zhiyin.plugins.judges.grades import read_grades

    score = means(read_grades(folder, runs[0]), "completeness")
    judge = {k: score[f"appraisal/song-{k}"] for k in range(8)}
    people = [fmean(grades[0] for grades in given[1, k]) for k in both]
    one = by_aspect["completeness"]
    assert (one.alpha, one.bias, one.scale, one.texts) == (None, None, (1, 10), len(both))
    rho = scipy.stats.spearmanr([judge[k] for k in both], people).statistic
    assert one.rank.rho == pytest.approx(rho)
    brought = {k: 1 + 9 * value / 16 for k, value in judge.items()}
    rest = [brought[k] for k in range(8) if k not in both]
    expected = prediction_powered(people, [brought[k] for k in both], rest)
    assert one.powered == expected
    assert 1 < one.powered.mean < 10
    page = "\n".join(people_lines(report.reliability))
    assert f"lexical against 3 people, completeness: rank correlation {rho:.3f}" in page
    assert "bias +" not in page
    assert "judge alone" not in page
    assert page.count("people graded from 1 to 10") == 1


@pytest.mark.slow
def test_the_command_shows_people_on_its_first_screen(tmp_path, runs):
    path, _ = rated(tmp_path, runs)
    page = told("judge", runs[1], "-m", "lexical", "--human", path, "--quiet")
    assert "lexical against 3 people, completeness: rank correlation" in page
    found = json.loads(told("judge", runs[1], "-m", "lexical", "--human", path, "--json"))
    held = {one["aspect"]: one["people"] for one in found["reliability"]["human"]}
    assert held == {"completeness": 3, "novelty": 3}  # these texts make no claim to be checked


@pytest.mark.slow
def test_other_texts_and_other_studies_are_refused(tmp_path, runs):
    path, _ = rated(tmp_path, [runs[0]])
    with pytest.raises(InputError, match="no text graded in it is of this run"):
        read_people(path, reviews(runs[1]))
    with pytest.raises(InputError, match="is a folder: give a table, or what `zhiyin study export"):
        read_people(tmp_path / "s", reviews(runs[0]))
    book = path.with_suffix(".codebook.json")
    known = msgspec.json.decode(book.read_bytes())
    for item in known["items"].values():
        del item["quoted"]  # as written before texts were in it
    book.write_bytes(msgspec.json.encode(known))
    with pytest.raises(InputError, match="does not hold the texts that were graded: export"):
        read_people(path, reviews(runs[0]))
    (tmp_path / "pairs").mkdir()
    study(tmp_path / "pairs" / "s", runs, *PLAIN, kind="rate", pairs=True)
    with opened(tmp_path / "pairs" / "s") as store:
        person = Person.of(store)
        person.begin()
        person.look()
        person.answer(chosen=[0])
        export(store, tmp_path / "pairs" / "answers.jsonl")
    with pytest.raises(InputError, match="nobody graded texts in it"):
        read_people(tmp_path / "pairs" / "answers.jsonl", reviews(runs[0]))


def test_nobody_is_asked_to_grade_an_empty_page(tmp_path):
    run = make_run(tmp_path / "run", ["一首好歌。", "", " \n"])
    other = make_run(tmp_path / "other", ["另一首。", "再一首。", "又一首。"])
    made = study(tmp_path / "s", [run, other], kind="rate")
    assert made.counts == {"plain": 4}
    named = [f"run-1: {run} (toy)", f"run-2: {other} (toy)"]  # else nobody knows whose they are
    assert made.remarks[:2] == named
    assert made.remarks[-1] == f"{run}: 2 texts not written, and left out"
    file = (tmp_path / "s" / "study.toml").read_text("utf-8")
    assert all(f"\n# {name}\n" in file for name in named)
    assert study(tmp_path / "p", [run, other], kind="rate", pairs=True).counts == {"plain": 1}
