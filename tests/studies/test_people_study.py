"""From the study's folder to the tables: people whose answers are known, in each kind of study."""

import contextlib
import json
import random
import re
import threading
from collections import Counter, defaultdict

import msgspec
import pytest
from test_study_research import at_the_desk

from people_help import brute_alpha
from runs_help import told
from study_help import OPEN, Person, choice, opened, reply, review, run_of, sounds_to_rate, study
from zhiyin.plugins.studies.research_tables import judged_table
from zhiyin.plugins.studies.results import export, judgements_in

VOLUME = ("volume = true", "volume = false")


def exported(folder):
    with opened(folder / "s") as store:
        export(store, folder / "answers.jsonl")
    return folder / "answers.jsonl"


def figures(*words):
    return json.loads(told("study", "show", *words, "--json"))


def answered(person, do):
    """Answer everything: `do` is given the page, and says what is sent."""
    while page := person.look():
        got = person.answer(**do(page))
        assert got.json() == {"state": "saved"}, got.text


def by_text(page, texts):
    """Where the options with these texts stand on the page."""
    shown = re.findall(r'name="chosen".*?class="text">(.*?)</span>', page)
    return [shown.index(text) for text in texts]


def stem_of(page):
    return re.search(r'class="stem">(.*?)</h1>', page, re.S)[1]


@pytest.mark.slow
def test_an_exam_from_the_file_to_the_leaderboard(tmp_path):
    lines = ["id,question,A,B,C,D,answer,topic"]
    lines += [
        f"q{n},Question {n}?,right {n},wrong {n},bad {n},odd {n},A,{'rhythm' if n % 2 else 'pitch'}"
        for n in range(10)
    ]
    file = tmp_path / "exam.csv"
    file.write_text("\n".join(lines) + "\n")
    told("study", "make", "--from", file, "--kind", "exam", "--attention", "2",
         "--out", tmp_path / "s")  # fmt: skip
    text = (tmp_path / "s" / "study.toml").read_text()
    (tmp_path / "s" / "study.toml").write_text(text.replace(*VOLUME))
    told("run", file, "-m", "first", "--out", tmp_path / "runs" / "first", "--quiet")
    told("run", file, "-m", "random", "--out", tmp_path / "runs" / "random", "--quiet")
    draw, truth = random.Random(4), defaultdict(dict)
    with opened(tmp_path / "s") as store:
        words = {"north", "east", "south", "west"}
        for n in range(9):
            person = Person.of(store)
            degree = ("bachelor", "master", "doctorate")[n % 3]
            person.begin({"education": degree, "music_major": "yes", "music_background": "yes"})
            inattentive = n == 8

            def do(page, n=n, degree=degree, inattentive=inattentive):
                if "Question" not in stem_of(page):
                    [asked] = [word for word in words if f"“{word}”" in stem_of(page)]
                    [place] = by_text(page, [asked])
                    return {"chosen": [(place + inattentive) % 4]}
                number = page.partition('class="stem">Question ')[2].partition("?")[0]
                knows = draw.random() < 0.3 + 0.2 * (n % 3)
                if not inattentive:
                    truth[degree, n][number] = knows
                kind = "right" if knows else draw.choice(["wrong", "bad", "odd"])
                return {"chosen": by_text(page, [f"{kind} {number}"])}

            answered(person, do)
    page = told("study", "show", tmp_path / "s")
    taken = dict(re.findall(r"right (\d) ✓ (\d+)", page))
    knew = {q: sum(own[q] for own in truth.values()) for q in map(str, range(10))}
    assert {q: int(n) for q, n in taken.items()} == {q: n for q, n in knew.items() if n}
    assert "Of models" not in page
    path = exported(tmp_path)
    common = (path, "--exam", tmp_path / "runs" / "first", "--by", "education")
    found = figures(*common, "--least-people", 2, "--model", tmp_path / "runs" / "random",
                    "--pass", 50, "--out", tmp_path / "runs" / "people")  # fmt: skip
    shown = found["figures"]
    assert shown["excluded"] == {"attention_wrong": 1}
    assert shown["population"]["counted"] == 8
    for one in shown["rows"]:
        mine = [sum(t.values()) / 10 for (degree, _), t in truth.items()
                if one["label"] in (f"education={degree}", "all people")]  # fmt: skip
        assert one["score"]["mean"] == pytest.approx(sum(mine) / len(mine))
        assert (one["lowest"], one["highest"]) == (min(mine), max(mine))
        assert shown["passed"][one["label"]]["passed"] == sum(mean >= 0.5 for mean in mine)
        assert one["score"]["low"] < one["score"]["mean"] < one["score"]["high"]
        for topic, odd in (("rhythm", 1), ("pitch", 0)):
            part = [r for (degree, _), t in truth.items() for q, r in t.items()
                    if one["label"] in (f"education={degree}", "all people")
                    and int(q) % 2 == odd]  # fmt: skip
            mean = shown["categories"][topic][one["label"]]["mean"]
            assert mean == pytest.approx(sum(part) / len(part))
    master = tmp_path / "runs" / "people" / "education-master"
    right = sum(sum(t.values()) for (degree, _), t in truth.items() if degree == "master")
    assert json.loads(told("show", master, "--json"))["states"]["correct"] == right
    compared = json.loads(told("compare", master, tmp_path / "runs" / "random", "--json"))
    assert not compared["settings"]
    told("leaderboard", tmp_path / "runs", "--out", tmp_path / "board")
    board = (tmp_path / "board" / "leaderboard.csv").read_text()
    assert all(name in board for name in ("(education=master)", "random", "first"))
    told("report", master, tmp_path / "runs" / "first", "--out", tmp_path / "report.html")


def test_two_of_each_group_are_of_the_finest_groups(tmp_path):
    """A group that sums up others beside it, as ZIQI's "outside Europe" does, is none of them."""
    places = ["asia"] * 4 + ["africa"] * 3 + ["europe"] * 5
    questions = [
        msgspec.structs.replace(choice(n), groups=(
            "world", f"world/{place}", *(["world/elsewhere"] if place != "europe" else [])
        ))
        for n, place in enumerate(places)
    ]  # fmt: skip
    study(tmp_path / "s", questions, per_group=2)
    with opened(tmp_path / "s") as store:
        found = Counter(item.group for item in store.items.values())
    assert found == {"world/asia": 2, "world/africa": 2, "world/europe": 2}


def test_a_fault_undoes_its_own_write_and_not_its_neighbours(tmp_path):
    study(tmp_path / "s", [choice(1)])
    with opened(tmp_path / "s") as store:

        def write(name, *, fault):
            with contextlib.suppress(ZeroDivisionError), store.write() as connection:
                store.note(connection, name, "there")
                assert not fault or 1 / 0

        with store._committing:  # both wait for the disk, in one transaction
            threads = [threading.Thread(target=write, args=(name,), kwargs={"fault": fault})
                       for name, fault in (("fine", False), ("faulty", True))]  # fmt: skip
            for thread in threads:
                thread.start()
            threads[0].join(0.2)
            assert all(thread.is_alive() for thread in threads)
        for thread in threads:
            thread.join()
    with opened(tmp_path / "s") as store, store.read() as connection:
        assert store.fact(connection, "fine") == "there"
        assert store.fact(connection, "faulty") == ""


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["exam", "validate"])
def test_several_right_answers_can_be_given_and_are_right(tmp_path, kind):
    (tmp_path / "q.csv").write_text(
        'id,question,A,B,C,answer\nq1,Which are strings?,viola,lute,oboe,"A, B"\n'
        "q2,Which is wind?,viola,lute,oboe,C\n"
    )
    told("study", "make", "--from", tmp_path / "q.csv", "--kind", kind, "--out", tmp_path / "s")
    file = tmp_path / "s" / "study.toml"
    file.write_text(file.read_text().replace("stop_when_agreed = true", ""))
    with opened(tmp_path / "s") as store:
        for n in range(4):
            person = Person.of(store)
            person.begin()

            def do(page, n=n):
                several = "Which are strings" in page
                assert ("One or more answers are right" in page) == (several and kind == "exam")
                assert ('value="cannot_tell"' in page) == (kind == "validate")
                texts = ["viola", "lute"][: 1 + (n > 0)] if several else ["oboe"]
                return {"chosen": by_text(page, texts)}

            answered(person, do)
    path = exported(tmp_path)
    if kind == "validate":
        decisions = {one["trial"]: one for one in figures(path)["questions"]}
        assert (decisions["q1"]["right"], decisions["q1"]["distractors"]) == (0.75, 0)
        assert decisions["q2"]["right"] == 1
        return
    told("run", tmp_path / "q.csv", "-m", "first", "--out", tmp_path / "run", "--quiet")
    [row] = figures(path, "--exam", tmp_path / "run")["figures"]["rows"]
    assert row["score"]["mean"] == pytest.approx(7 / 8)
    told_of = json.loads(told("study", "show", tmp_path / "s", "--json"))
    assert {one["kept"] for one in told_of["items"]} == {None}


@pytest.mark.slow
def test_a_validation_gives_the_decisions_and_the_alpha_of_its_marks(tmp_path):
    questions = [choice(n) for n in range(1, 9)]
    study(tmp_path / "s", questions, VOLUME, *OPEN,
          kind="validate")  # fmt: skip
    marks = defaultdict(dict)
    with opened(tmp_path / "s") as store:
        for n in range(4):
            person = Person.of(store)
            person.begin()

            def do(page, n=n):
                number = page.partition('class="stem">Question ')[2].partition("?")[0]
                draw = random.Random(f"{n}/{number}")  # the order of pages differs each time
                if draw.random() < 0.15:
                    marks[number][n] = ""
                    return {"said": draw.choice(["odd", "cannot_tell"])}
                letters = "B" if draw.random() < 0.6 else draw.choice(["A", "AC", "BD"])
                marks[number][n] = letters
                return {"chosen": by_text(page, [f"answer {x}{number}" for x in letters])}

            answered(person, do)
    found = figures(exported(tmp_path))
    units = [[x in m for m in each.values()] for each in marks.values() for x in "ABCD"]
    assert found["alpha"]["alpha"] == pytest.approx(brute_alpha(units))
    for one in found["questions"]:
        given = list(marks[one["trial"].rpartition("/")[2]].values())
        fine = sum("B" in m for m in given) >= 2 and sum(bool(set(m) - {"B"}) for m in given) <= 2
        assert one["decision"] == ("keep" if fine else "drop")
    assert len({one["decision"] for one in found["questions"]}) == 2


def _of(found):
    return {(one["of"], one["measure"]): one["score"]["mean"] for one in found["figures"]}


@pytest.mark.slow
def test_grades_of_two_runs_stand_side_by_side(tmp_path):
    runs = [run_of(tmp_path / f"run{k}", [reply(review(n), f"Text {k}{n}.", "ungraded")
                                          for n in range(4)]) for k in (1, 2)]  # fmt: skip
    study(tmp_path / "s", runs, VOLUME, *OPEN,
          kind="rate")  # fmt: skip
    given = defaultdict(list)
    with opened(tmp_path / "s") as store:
        for n in range(3):
            person = Person.of(store)
            person.begin()

            def do(page, n=n):
                run = page.partition('class="said">Text ')[2][0]
                grades = [3 + n, int(run) * 3, 9 - n]
                for aspect, grade in zip(("completeness", "precision", "novelty"), grades,
                                         strict=True):  # fmt: skip
                    given[f"run-{run}", aspect].append(grade)
                return {"grades": grades}

            answered(person, do)
    path = exported(tmp_path)
    found = figures(path)
    assert _of(found) == {key: pytest.approx(sum(v) / len(v)) for key, v in given.items()}
    assert {one["score"]["items"] for one in found["figures"]} == {4}
    assert found["alphas"]["precision"]["alpha"] == 1
    assert found["alphas"]["completeness"]["alpha"] < 0
    page = told("study", "show", path)
    assert "run-2: precision" in page
    assert "6.00" in page


def test_the_interval_of_a_grade_stays_within_its_scale(tmp_path):
    book = {"items": {f"p{n}": {"scales": {"a": [0, 100]}} for n in range(3)}}
    path = tmp_path / "rated.jsonl"
    path.with_suffix(".codebook.json").write_text(json.dumps(book))
    asked = [{"id": f"p{n}", "messages": [], "stem": "?"} for n in range(3)]
    path.with_suffix(".trials.jsonl").write_text("\n".join(map(json.dumps, asked)))
    rows = [
        {"format": 1, "kind": "rate", "participant": who, "trial": f"p{n}", "item": f"p{n}",
         "form": "slots", "grades": {"a": grade}}
        for who, grades in {"x": (100, 98, 60), "y": (99, 100, 80), "z": (97, 20, 100)}.items()
        for n, grade in enumerate(grades)
    ]  # fmt: skip
    path.write_text("\n".join(map(json.dumps, rows)))
    [one] = figures(path)["figures"]
    assert one["score"]["mean"] == pytest.approx(sum(row["grades"]["a"] for row in rows) / 9)
    assert 0 < one["score"]["low"] < one["score"]["mean"] < one["score"]["high"] < 100
    path.with_suffix(".codebook.json").unlink()  # the ends are not known: t on the plain scale
    assert figures(path)["figures"][0]["score"]["high"] > 100


@pytest.mark.slow
def test_pairs_sounds_and_failures_give_their_shares(tmp_path):
    runs = [run_of(tmp_path / f"run{k}", [reply(review(n), f"Text {k}{n}.", "ungraded")
                                          for n in range(4)]) for k in (1, 2)]  # fmt: skip
    study(tmp_path / "s", runs, VOLUME, kind="rate", pairs=True)
    with opened(tmp_path / "s") as store:
        for n in range(3):
            person = Person.of(store)
            person.begin()

            def do(page, n=n):
                first = page.find('class="said">Text 1') < page.find('class="said">Text 2')
                return {"chosen": [2 if n == 2 else 0 if first else 1]}

            answered(person, do)
    found = figures(exported(tmp_path))
    assert _of(found) == {("run-1", "preferred"): pytest.approx(5 / 6),
                          ("run-2", "preferred"): pytest.approx(1 / 6)}  # fmt: skip
    # Two of three are of one mind on each item, whichever text they saw first.
    assert found["alphas"]["preferred"]["alpha"] == pytest.approx(1 - (2 / 3) / (64 / 132))
    sounds = tmp_path / "sounds"
    sounds.mkdir()
    study(sounds / "s", sounds_to_rate(sounds), VOLUME, ("least = 1\n", "least = 0\n"),
          kind="rate")  # fmt: skip
    with opened(sounds / "s") as store:
        for n in range(2):
            person = Person.of(store)
            person.begin()
            person.look()
            person.answer(grades=[10 + n] * 3, listens=[0] * 4)
    found = figures(exported(sounds))
    assert {round(mean, 9) for mean in _of(found).values()} == {10.5}
    assert {key for key, _ in _of(found)} == {"ref", "a", "anchor-3500"}
    gaps = {one["of"]: one["score"]["mean"] for one in found["differences"]}
    assert gaps == {f"{one} − {other}": 0 for one, other in
                    (("a", "anchor-3500"), ("a", "ref"), ("anchor-3500", "ref"))}  # fmt: skip
    for more in ((), ("--by", "education")):  # answers by group say the whole themselves
        page = told("study", "show", sounds / "s", *more)
        assert page.count("What was judged\n") == 1
        assert page.count("Krippendorff") == 1
    # The study's own folder and the researcher's page say it, without an export.
    with opened(sounds / "s") as store:
        (row, *_) = judged_table(judgements_in(store)).rows
        assert row.cells[1:4] == (2, 1, 10.5)
        assert store.study.annotations.most is None
        assert "<td>anchor-3500</td>" in at_the_desk(store).get("/").text
    named = tmp_path / "named"
    named.mkdir()
    wrong = [reply(choice(n), "As the caption says.") for n in range(1, 4)]
    study(named / "s", [run_of(named / "run", wrong)], VOLUME, kind="annotate")
    counts, answers = Counter(), 0
    with opened(named / "s") as store:
        items = next(iter(store.items.values()))
        texts = [one.text for one in items.choices]
        for n in range(2):
            person = Person.of(store)
            person.begin()

            def do(page, n=n):
                nonlocal answers
                answers += 1
                counts[items.choices[n].key] += 1
                return {"chosen": by_text(page, [texts[n]])}

            answered(person, do)
    shown = _of(figures(exported(named)))
    assert shown == {(choice.key, "named"): pytest.approx(counts[choice.key] / answers)
                     for choice in items.choices}  # fmt: skip
