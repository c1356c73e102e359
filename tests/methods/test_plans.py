"""Plans that bind: registered before the run, refused or marked where left, stopped, and read."""

import json
import re
import shutil
from pathlib import Path

import msgspec
import numpy as np
import pytest

from zhiyin.analysis.compare import compare
from zhiyin.analysis.coverage import coverage_of
from zhiyin.chance import place_at_random
from zhiyin.cli import main
from zhiyin.engine.folder import read_manifest, read_records
from zhiyin.errors import InputError
from zhiyin.plugins.methods.betting import MeanWatch, counts_as, prospect
from zhiyin.plugins.methods.hypotheses import results_of
from zhiyin.plugins.methods.plan import PLAN_FILE, read_plan, read_registered
from zhiyin.plugins.methods.planned import StopRule
from zhiyin.plugins.methods.registered import plan_reports
from zhiyin.report.overview import overview
from zhiyin.report.run_set import RunSet
from zhiyin.report.writing import report
from zhiyin.words import say

WORDS = ["red", "green", "blue", "gold"]
MODEL = """
import random, re
def answer(messages):
    text = str(messages[-1]["content"])
    number = int(re.search(r"number (\\d+)", text).group(1))
    own = random.Random(number)
    lines = re.findall(r"([A-D])[).:] *(\\w+)", text)
    right = next((a for a, b in lines if b == %r[number %% 4]), "A")
    return "Answer: " + (right if own.random() < %s else own.choice("ABCD"))
""" % (WORDS, "{share}")  # noqa: UP031
PLAN = """
title = "Colours"
benchmark = "colours.jsonl"
models = ["python:good.py:answer", "python:poor.py:answer"]
n = 200
{more}
[[hypotheses]]
name = "H1"
model = "python:good.py:answer"
smallest = 5

[[hypotheses]]
name = "H2"
model = "python:poor.py:answer"
than = "python:good.py:answer"
direction = "less"
smallest = 5

[[hypotheses]]
name = "H3"
model = "python:poor.py:answer"
smallest = 15
"""


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A set of 240 questions, a model that knows most of them, and one that knows none."""
    monkeypatch.chdir(tmp_path)
    rows = [
        {
            "id": f"q{n}",
            "question": f"Which colour has number {n}?",
            "options": WORDS,
            "answer": WORDS[n % 4],
        }
        for n in range(240)
    ]
    Path("colours.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    for name, share in (("good", 0.7), ("poor", 0.0)):
        Path(f"{name}.py").write_text(MODEL.replace("{share}", str(share)))
    return tmp_path


def register(more="", name="plan.toml"):
    Path(name).write_text(PLAN.format(more=more))
    assert main(["plan", "--register", name]) == 0
    return Path(name).with_suffix(".plan.json")


def carried_out(plan, model, *more):
    words = ["run", "colours.jsonl", "-m", f"python:{model}.py:answer", "--sample", "200"]
    assert main([*words, "--plan", str(plan), "--out", f"runs/{model}", "--quiet", *more]) == 0
    return Path(f"runs/{model}")


def fates(*runs):
    plans, faults = plan_reports(runs)
    assert not faults
    return {one.hypothesis.name: one.fate for one in plans[0].results}


@pytest.mark.slow
def test_a_plan_is_asked_whole_and_its_hypotheses_are_read(desk, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    plan = register()
    good = carried_out(plan, "good")
    assert fates(good) == {"H1": "supported", "H2": "undecided", "H3": "undecided"}
    poor = carried_out(plan, "poor")
    assert fates(good, poor) == {"H1": "supported", "H2": "supported", "H3": "refuted"}
    assert fates(good) == fates(good, poor)  # the other one lies beside it
    assert len(list(read_records(poor))) == read_manifest(poor).planned == 200
    capsys.readouterr()
    assert main(["show", str(poor)]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "refuted by the smallest" in shown
    assert "supported" in shown
    assert "is taken as known" not in shown  # no hypothesis of this plan is about a share
    made = report(good, poor, out=desk / "page", figures=False, languages=("en", "zh")).page
    page = made.read_text("utf-8")
    assert page.index("Registered hypotheses") < page.index('id="overview"')
    chinese = made.with_name("index.zh.html").read_text("utf-8")
    assert chinese.index("预注册的假设") < chinese.index('id="overview"')
    assert "No departure from the plan was found" in page


@pytest.mark.slow
def test_a_share_that_is_given_is_said_to_be_taken_as_known(desk, capsys):
    """People's share, for one: how many people it rests on is not in the test."""
    Path("plan.toml").write_text(
        'benchmark = "colours.jsonl"\nmodels = ["first"]\nn = 40\n'
        '[[hypotheses]]\nname = "H1"\nmodel = "first"\nthan = 60\nsmallest = 5\n'
    )
    assert main(["plan", "--register", "plan.toml"]) == 0
    words = ["run", "colours.jsonl", "-m", "first", "--sample", "40", "--out", "runs/first"]
    assert main([*words, "--quiet", "--plan", "plan.plan.json"]) == 0
    assert main(["show", "runs/first"]) == 0
    shown = " ".join(capsys.readouterr().out.split())  # however wide the terminal is
    assert "is taken as known: if it is a share of people" in shown


@pytest.mark.slow
def test_a_run_stops_by_itself_as_soon_as_its_hypotheses_are_decided(desk):
    plan = register('stop = "always-valid"')
    good = carried_out(plan, "good")  # H2 cannot be decided yet: it goes on to its end
    assert len(list(read_records(good))) == 200
    poor = carried_out(plan, "poor", "--concurrency", "1")
    manifest, asked = read_manifest(poor), len(list(read_records(poor)))
    assert asked == manifest.planned < 200
    assert any("stopped by its plan" in str(one) for one in manifest.remarks)
    assert "stopped" not in str(coverage_of(good, read_manifest(good)).part)
    part = str(coverage_of(poor, manifest).part)  # stopping once decided is no figure of the whole
    assert f"stopped by its plan after {asked} of 200 trials" in part
    found = fates(good, poor)
    assert found["H2"] == "supported"
    assert found["H3"] == "refuted"
    order = [place_at_random(0, None, one.trial.item or one.id) for one in read_records(poor)]
    assert order == sorted(order)
    carried_out(plan, "poor")  # the same command asks no more
    assert len(list(read_records(poor))) == asked


@pytest.mark.slow
def test_only_a_beginning_of_the_order_is_looked_at(desk):
    """Answers that come quickly may be the right ones: what is still open hides what follows."""
    plan = read_registered(register('stop = "always-valid"'))
    good = carried_out(Path("plan.plan.json"), "good")
    trials = [record.trial for record in read_records(good)]
    trials.sort(key=lambda one: place_at_random(0, one.cluster, one.item or one.id))
    for first, seen in ((0, False), (150, True)):
        lines = (good / "records.jsonl").read_bytes().splitlines(keepends=True)
        kept = [line for line in lines if json.loads(line)["id"] != trials[first].id]
        part = desk / f"part-{first}" / "run"
        shutil.copytree(good, part)
        (part / "records.jsonl").write_bytes(b"".join(kept))
        rule = StopRule(plan, None, part, "python:good.py:answer")
        assert rule.decided(trials) is False  # H2 has nobody to be compared with yet
        found = results_of(plan, {"python:good.py:answer": part}, rule.beginning(trials))
        assert found[0].decided is seen
        assert found[0].items == first


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (["--sample", "100"], "sample"),
        (["--seed", "3"], "seed"),
        (["--temperature", "1"], "temperature"),
        (["--extract", "strict"], "extract"),
        (["--limit", "6"], "limit left out, not 6"),
    ],
)
def test_what_changes_what_is_asked_is_refused(desk, words, fault, capsys):
    plan = register()
    own = ["run", "colours.jsonl", "-m", "python:good.py:answer", "--plan", str(plan), *words]
    own += [] if {"--sample", "--limit"} & {*words} else ["--sample", "200"]
    assert main(own) == 2
    assert fault in capsys.readouterr().err
    assert not Path("runs").exists()


@pytest.mark.slow
def test_other_data_and_other_models_are_refused(desk, capsys):
    plan = register()
    words = ["run", "colours.jsonl", "--sample", "200", "--plan", str(plan), "-m"]
    assert main([*words, "random"]) == 2
    assert "not in the plan" in capsys.readouterr().err
    rows = Path("colours.jsonl").read_text().replace("Which colour", "What colour")
    Path("colours.jsonl").write_text(rows)
    assert main([*words, "python:good.py:answer"]) == 2
    assert "data" in capsys.readouterr().err


@pytest.mark.slow
def test_what_is_known_only_afterwards_is_marked(desk):
    plan = register()
    good = carried_out(plan, "good")
    manifest = read_manifest(good)
    manifest.versions["zhiyin"] = "0.0.1"
    manifest.decoding["left_out"] = ["temperature"]
    manifest.sessions[0].started = "2020-01-01T00:00:00+00:00"
    manifest.config["options"]["extract"] = "strict"
    (good / "run.json").write_bytes(msgspec.json.encode(manifest))
    (told,), _ = plan_reports([good])
    words = " ".join(say(one.text) for one in told.departures)
    for part in ("0.0.1", "temperature", "before the plan was registered", "extract"):
        assert part in words
    assert "注册之前" in " ".join(say(one.text, "zh") for one in told.departures)


@pytest.mark.slow
def test_a_model_whose_file_was_changed_departs_from_the_plan(desk):
    plan = register()
    code = Path("good.py").read_text()
    Path("good.py").write_text(code + "\n# better now\n")
    (told,), _ = plan_reports([carried_out(plan, "good")])
    assert [(one.model, say(one.text)) for one in told.departures] == [
        ("python:good.py:answer", "the file of the model is not the one that was registered")
    ]
    Path("good.py").write_text(code)
    again = carried_out(plan, "good")  # what was answered by the other file stays what it is
    assert any("has changed since" in str(one) for one in read_manifest(again).remarks)


def test_a_plan_of_before_keeps_its_sum(desk):
    plan = read_registered(register())
    assert plan.codes.keys() == set(plan.configs)
    older = msgspec.structs.replace(plan, codes={})
    assert b"codes" not in older.encode()
    Path("older.json").write_bytes(older.encode())
    assert read_registered(Path("older.json")) == older


@pytest.mark.slow
def test_a_plan_that_was_changed_is_no_plan(desk, capsys):
    plan = register()
    good = carried_out(plan, "good")
    changed = Path("other.json")
    changed.write_text(plan.read_text().replace("{", "{ ", 1))
    with pytest.raises(InputError, match="was changed since"):
        read_registered(changed)
    other = read_registered(plan)
    (good / PLAN_FILE).write_bytes(msgspec.structs.replace(other, at="2020").encode())
    plans, faults = plan_reports([good])
    assert main(["verify", str(good)]) == 1
    assert not plans
    assert "not the plan" in say(faults[0])
    assert main(["plan", "--register", "plan.toml"]) == 2
    assert "registered once" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('than = "python:good.py:answer"', 'than = "python:god.py:answer"', "did you mean"),
        ("smallest = 15", "", "it lacks `smallest`"),
        ('than = "python:good.py:answer"', 'than = "people"', "give their share in per cent"),
        ("smallest = 15", "smallest = 90", "outside the scale from 0 to 100"),
        ('name = "H2"', 'name = "H1"', "two hypotheses"),
        ("n = 200", "m = 200", "unknown field"),
        ("n = 200", 'n = 200\nfingerprint = "00"', "fingerprint"),
        ("smallest = 15", 'smallest = 15\ngroup = "none"', "no item is in the group"),
    ],
)
def test_a_faulty_plan_says_what_is_wrong(desk, old, new, fault, capsys):
    Path("plan.toml").write_text(PLAN.format(more="").replace(old, new))
    assert main(["plan", "--register", "plan.toml"]) == 2
    assert fault in capsys.readouterr().err


GRADED = """
benchmark = "answers.jsonl"
models = ["python:graded.py:near", "python:graded.py:far"]

[flags]
scorer = "set-f1"

[[hypotheses]]
name = "F1"
model = "python:graded.py:near"
score = "f1"
smallest = 0.1
{more}

[[hypotheses]]
name = "F2"
model = "python:graded.py:near"
than = 0.9
direction = "less"
score = "f1"
smallest = 0.05
"""
LISTS = """
def near(messages):
    return "Answer: C, E, A"

def far(messages):
    return "Answer: C, A, B"
"""
RIVAL = 'than = "python:graded.py:far"'


@pytest.fixture
def answers(tmp_path, monkeypatch):
    """Thirty questions with a list of notes for an answer, and two models that are never right."""
    monkeypatch.chdir(tmp_path)
    row = {"answer": "C, E, G", "scorer": "set-f1"}
    rows = [row | {"id": f"q{n}", "question": f"Which notes has chord {n}?"} for n in range(30)]
    Path("answers.jsonl").write_text("".join(json.dumps(one) + "\n" for one in rows))
    Path("graded.py").write_text(LISTS)


def graded(more):
    Path("plan.toml").write_text(GRADED.format(more=more))
    assert main(["plan", "--register", "plan.toml"]) == 0
    for name in ("near", "far"):
        words = ["run", "answers.jsonl", "-m", f"python:graded.py:{name}", "--scorer", "set-f1"]
        words += ["--plan", "plan.plan.json", "--out", f"runs/{name}", "--quiet"]
        assert main(words) == 0
    return Path("runs/near"), Path("runs/far")


@pytest.mark.slow
@pytest.mark.parametrize("stop", ["n", "always-valid"])
def test_a_named_score_is_tested_on_its_scale(answers, stop, capsys):
    runs = graded(f'{RIVAL}\nscale = [0, 2]\n\n[[hypotheses]]\nname = "F0"\nscore = "f1"\n'
                  f'model = "python:graded.py:near"\nsmallest = 0.1\n{RIVAL}')  # fmt: skip
    (told,), _ = plan_reports(runs)
    found = {one.hypothesis.name: one for one in told.results}
    assert {name: one.fate for name, one in found.items()} == dict.fromkeys(found, "supported")
    # two of three notes against one of three: F1 of 2/3 and of 1/3
    assert found["F0"].effect == pytest.approx(1 / 3)
    assert found["F1"].effect == pytest.approx(1 / 6)  # of a scale that is twice as long
    assert found["F2"].effect == pytest.approx(2 / 3 - 0.9)
    assert told.departures == []
    capsys.readouterr()
    assert main(["show", *map(str, runs), "--json"]) == 0
    (plan,) = json.loads(capsys.readouterr().out)["plans"]
    assert plan["results"][0]["fate"] == "supported"
    assert plan["results"][0]["hypothesis"]["score"] == "f1"
    assert main(["show", str(runs[0]), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["plans"] == [plan]
    assert main(["show", str(runs[0]), "--groups", "all"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "in f1" in shown
    assert "per cent of its scale" in shown


@pytest.mark.slow
def test_a_score_outside_its_scale_is_not_tested(answers):
    runs = graded(f"{RIVAL}\nscale = [0, 0.5]")
    (told,), _ = plan_reports(runs)
    assert told.results[0].fate == "undecided"
    assert told.results[0].effect is None
    assert "outside 0 to 0.5 in 30 trials: F1" in " ".join(say(one.text) for one in told.departures)
    assert told.in_english().departures[0].text.startswith("f1 lies outside")


@pytest.mark.slow
def test_trials_without_the_score_are_told(answers):
    runs = graded(f'{RIVAL}\n\n[[hypotheses]]\nname = "F0"\nscore = "loudness"\n'
                  f'model = "python:graded.py:near"\nsmallest = 0.1\n{RIVAL}')  # fmt: skip
    (told,), _ = plan_reports(runs)
    fates = {one.hypothesis.name: one.fate for one in told.results}
    assert fates["F0"] == "undecided"
    words = [say(one.text) for one in told.departures]
    assert words == ["30 trials without loudness: left out of F0"] * 2


@pytest.mark.parametrize(
    ("more", "fault"),
    [
        ("", "guessing gets no known f1"),
        ("than = 1.5", "outside the scale from 0 to 1"),
        (f"{RIVAL}\nscale = [1, 1]", "has no width"),
        (f"{RIVAL}\nscale = [0, 0.1]", "as wide as the scale"),
        ("than = 0.95", "0.1 beyond 0.95 is outside"),
    ],
)
def test_a_faulty_scale_is_one_line(answers, more, fault, capsys):
    Path("plan.toml").write_text(GRADED.format(more=more))
    assert main(["plan", "--register", "plan.toml"]) == 2
    told = capsys.readouterr().err
    assert fault in told
    assert told.count("\n") == 1


def test_names_of_hypotheses_and_words_of_runs(desk):
    Path("plan.toml").write_text(PLAN.format(more='reader = "strict"\nseed = 4'))
    words = read_plan(Path("plan.toml")).words("random")
    assert words == [
        *("colours.jsonl", "-m", "random", "--sample", "200", "--seed", "4"),
        *("--extract", "strict"),
    ]


@pytest.mark.slow
def test_false_alarms_are_rare_however_often_one_looks():
    draw, level = np.random.default_rng(5), 0.05
    for mean in (0.1, 0.5):
        watch = MeanWatch((mean,), whole=False, runs=2000)
        for _ in range(300):
            watch.add((draw.random(2000) < mean).astype(float))
        for p in (watch.p_above, watch.p_below, watch.p_apart):
            assert (p(mean) <= level).mean() <= level


LARGE = {"one of a hundred": [100] + [1] * 300, "a tail": [100 // k for k in range(1, 101)] * 2}


def watched(sizes, most, truth, runs=400, null=0.5):
    """How often bets find a truth that is not the null, and how often an ordinary test does."""
    draw = np.random.default_rng(7)
    order = np.argsort(draw.random((runs, len(sizes))), axis=1)
    watch = MeanWatch((null,), most, whole=False, runs=runs)
    mean, squares = np.zeros(runs), np.zeros(runs)
    for place in range(len(sizes)):
        many = np.array(sizes)[order[:, place]]
        like = draw.binomial(many, 0.3)
        sums = draw.binomial(many - like, truth) + like * (draw.random(runs) < truth)
        watch.add(sums, many)
        off = (sums - null * many) * np.minimum(many, most) / many
        mean, squares = mean + off, squares + off**2
    found = [watch.p_above(null), watch.p_below(null), watch.p_apart(null)]
    return [float((p <= 0.05).mean()) for p in found], float((mean > 1.645 * squares**0.5).mean())


@pytest.mark.slow
@pytest.mark.parametrize("sizes", LARGE.values(), ids=LARGE.keys())
def test_one_large_cluster_does_not_stop_all_bets(sizes):
    """As heavy as its items it left bets of a hundredth on all others, which found nothing."""
    most = counts_as(sizes, 0.1)
    assert 1 <= most <= 6
    (above, _, _), usual = watched(sizes, most, 0.62)
    assert usual > 0.95
    assert above > 0.8
    assert watched(sizes, max(sizes), 0.62)[0][0] < 0.05
    assert max(watched(sizes, most, 0.5, 1000)[0]) <= 0.05


def test_clusters_of_one_size_count_whole():
    assert counts_as([4] * 100, 0.1) == 4
    assert counts_as([1] * 100, 0.1) == 1


@pytest.mark.slow
def test_what_bets_will_find_is_foreseen():
    sizes = LARGE["one of a hundred"]
    seen = prospect(sizes, counts_as(sizes, 0.1), 0.5, 0.12, 0.05)
    assert seen.found == pytest.approx(watched(sizes, counts_as(sizes, 0.1), 0.62)[0][0], abs=0.12)
    assert seen.by < 400
    assert seen.least < 0.12
    assert prospect(sizes, 100, 0.5, 0.12, 0.05).found < 0.05
    assert prospect([1] * 20, 1, 0.5, 0.02, 0.05).by is None
    assert prospect([1] * 4, 1, 0.5, 0.4, 0.05).least is None
    less = prospect([1] * 200, 1, 0.75, -0.2, 0.05)
    assert less.found > 0.9
    two = prospect([1] * 300, 1, 0.5, 0.1, 0.05, discordant=0.25)
    assert two.found > 0.9


@pytest.mark.slow
def test_registering_says_what_can_be_found_and_by_when(desk, capsys):
    plan = read_registered(register('stop = "always-valid"'))
    said = " ".join(capsys.readouterr().out.split())
    assert re.search(r"H1: an effect of 5\.0 points is found in about \d+ % of runs", said)
    assert re.search(
        r"H3: .*in half of them by \d+ of 200 items; in 80 % one of \d+\.\d points", said
    )
    assert plan.counts == {"H1": 1, "H2": 1, "H3": 1}
    before = msgspec.structs.replace(plan, counts={})
    assert b"counts" not in before.encode()  # the sum of an older plan stays
    Path("once.toml").write_text(PLAN.format(more=""))
    assert main(["plan", "--register", "once.toml", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["notes"] == []


@pytest.mark.slow
def test_a_plan_with_one_large_cluster_is_decided(desk, capsys):
    """Sixty questions on one piece, and each other one by itself."""
    rows = [json.loads(line) for line in Path("colours.jsonl").read_text().splitlines()]
    for n, row in enumerate(rows):
        row["cluster"] = "piece" if n < 60 else f"piece {n}"
    Path("colours.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    plan = read_registered(register('stop = "always-valid"'))
    assert plan.largest > 20
    assert plan.counts["H1"] <= 6
    assert "no cluster counts as more than" in " ".join(capsys.readouterr().out.split())
    good = carried_out(Path("plan.plan.json"), "good")
    assert fates(good)["H1"] == "supported"
    heavy = msgspec.structs.replace(plan, counts={})
    found = results_of(heavy, {"python:good.py:answer": good})
    assert found[0].fate != "supported"  # as it was


@pytest.mark.slow
def test_intervals_at_all_times_hold_and_shrink():
    draw, held, widths = np.random.default_rng(6), [], []
    for _ in range(60):
        watch, inside = MeanWatch(largest=3), True
        for number in range(120):
            size = int(draw.integers(1, 4))
            watch.add(draw.binomial(size, 0.7), size)
            if number % 20 == 19:
                low, high = watch.interval()
                inside &= low <= 0.7 <= high
                widths.append(high - low)
        held.append(inside)
    assert np.mean(held) >= 0.95
    assert widths[5] < widths[0]


@pytest.mark.slow
def test_a_page_says_what_was_registered_before_its_own_tests(desk, capsys):
    """Registered one-sided, p = 0.04; by the page's own two-sided test nothing is significant."""
    rows = [
        {"id": f"q{n}", "question": f"Is it {n}?", "options": ["yes", "no"], "answer": "AB"[n > 25]}
        for n in range(40)
    ]
    Path("colours.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    text = 'benchmark = "colours.jsonl"\nmodels = ["first"]\nn = 40\n'
    text += '[[hypotheses]]\nname = "H1"\nmodel = "first"\nsmallest = 5\n'
    Path("plan.toml").write_text(text)
    assert main(["plan", "--register", "plan.toml"]) == 0
    words = ["run", "colours.jsonl", "-m", "first", "--sample", "40", "--out", "runs/first"]
    assert main([*words, "--quiet", "--plan", "plan.plan.json"]) == 0
    assert main([*words[:3], "random", *words[4:6], "--out", "runs/random", "--quiet"]) == 0
    about = overview(RunSet([Path("runs/first"), Path("runs/random")]))
    (chapter,) = about.benchmarks
    first, more = say(chapter.told[0]), say(chapter.told[1][0])
    assert first.startswith("The registered hypothesis H1 (first is better than chance) is supp")
    assert "one-sided" in first
    assert more.startswith("Exploratory, by this page’s own two-sided tests")
    assert "significantly better than chance" in more
    assert say(chapter.told[0], "zh").startswith("预注册的假设 H1（first 优于随机水平）得到支持")
    own = next(each for each in chapter.lead.standings if each.run == 0)
    assert own.registered.prediction.fate == "supported"
    assert own.guess == "open"
    of_score = [say(one.words) for one in chapter.findings if one.topic == "score"]
    assert of_score[0].startswith("Confirmatory: the registered hypothesis H1")
    assert "which is exploratory: H1 of the registered plan comes first" in of_score[1]
    assert "exploratory" not in of_score[2]  # the other run follows no plan
    assert "two-sided: where a test is one-sided" in say(about.plans[0].notes[0])
    assert about.plans[0].cautions == []  # chance is no measured share
    assert re.search(r"was registered on \d{4}-\d\d-\d\d, before", say(about.plans[0].told))
    capsys.readouterr()
    assert main(["table", "runs/first", "runs/random"]) == 0
    assert "Registered before the runs" in capsys.readouterr().out


@pytest.mark.slow
def test_other_tables_say_what_was_registered_of_both_runs(desk, capsys):
    plan = register()
    runs = carried_out(plan, "good"), carried_out(plan, "poor")
    told = [one.text for one in compare(runs).warnings]
    assert any("H2 (python:poor.py:answer is worse than python:good.py" in one for one in told)
    (chapter,) = overview(RunSet(runs)).benchmarks
    told = say(chapter.told[0])
    assert told.startswith("Of 3 registered hypotheses 2 are supported (H1, H2) and 1 is refuted")
    pair = [say(one.words) for one in chapter.findings if one.topic == "comparison"]
    assert "H2 of the registered plan comes first" in pair[-1]


def test_equal_options_are_told_before_anybody_is_asked(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("own.csv").write_text("id,question,A,B,answer\nq1,Which?,lute,Lute.,B\nq2,One?,a,b,A\n")
    Path("plan.toml").write_text(
        'benchmark = "own.csv"\nmodels = ["first"]\n'
        '[[hypotheses]]\nname = "H1"\nmodel = "first"\nsmallest = 5\n'
    )
    told = "two options are the same in one question (q1)"
    assert main(["plan", "--register", "plan.toml"]) == 0
    assert told in capsys.readouterr().out
    assert main(["run", "own.csv", "-m", "first", "--out", "run"]) == 0
    assert told in capsys.readouterr().out
    words = ["study", "make", "--from", "own.csv", "--kind", "exam", "--practice", "1"]
    assert main([*words, "--out", "study"]) == 0
    shown = capsys.readouterr().out
    assert "1 question is for practice and in no figure" in shown
    assert "Figures are of the other 1" in shown
    assert "two options that are the same (q1)" in shown
