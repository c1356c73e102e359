"""People's answers become runs and tables: a study whose truth is known gives exactly that."""

import json
import math
import random
import re
import shutil
from collections import defaultdict
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

from findings_help import choice, student, write_run
from people_help import KEYS, brute_alpha, exam, row, write_export
from runs_help import told
from zhiyin.cli import main
from zhiyin.engine.folder import read_manifest, read_records
from zhiyin.errors import InputError
from zhiyin.plugins.methods.item_analysis import analyse
from zhiyin.plugins.methods.table import read_runs
from zhiyin.plugins.people import figures as figures_of
from zhiyin.plugins.people import open_exam
from zhiyin.plugins.people.tables import table as read_rows
from zhiyin.report.methods import methods_paragraph
from zhiyin.report.printed import printed_named
from zhiyin.statistics.intervals import wilson
from zhiyin.trial import Option


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    """An exam as a file of questions, and a model's run on it."""
    folder = tmp_path_factory.mktemp("people")
    trials = exam(["melody", "harmony"], 6)
    lines = ["id,question,A,B,C,D,answer,topic"]
    lines += [
        ",".join([t.id, t.stem, *(o.text for o in t.options), "B", t.groups[0]]) for t in trials
    ]
    (folder / "exam.csv").write_text("\n".join(lines) + "\n")
    told("run", folder / "exam.csv", "-m", "first", "--out", folder / "model", "--quiet")
    return folder


def figures(*words):
    return json.loads(told("study", "show", *words, "--json"))


def refused(capsys, *words):
    assert main(["study", "show", *map(str, words)]) == 2
    found = capsys.readouterr().err
    assert "Traceback" not in found
    assert found.count("\n") == 1
    return found


# A simulated study


@pytest.mark.slow
def test_groups_are_what_a_count_by_hand_gives(desk, tmp_path):
    draw = random.Random(1)
    trials = exam(["melody", "harmony"], 6)
    people = {
        f"person{n}": {"education": draw.choice(["bachelor", "master"]),
                       "music_major": draw.choice(["yes", "no"])}
        for n in range(40)
    }  # fmt: skip
    chosen = {(p, t.id): draw.choice("ABBC") for p in people for t in trials if draw.random() < 0.7}
    rows = [row(p, t, k, **people[p], order=draw.sample(KEYS, 4)) for (p, t), k in chosen.items()]
    path = write_export(tmp_path, trials, rows)
    found = figures(path, "--exam", desk / "model", "--by", "education,music_major",
                    "--pass", 55, "--model", desk / "model", "--out", tmp_path / "runs",
                    "--each-person")  # fmt: skip
    shown = found["figures"]
    own = defaultdict(lambda: defaultdict(list))
    for (person, trial), key in chosen.items():
        about = people[person]
        label = f"education={about['education']}, music_major={about['music_major']}"
        for name in (label, "all people"):
            own[name][person].append((trial, key == "B"))
    assert {one["label"] for one in shown["rows"]} == set(own)
    for one in shown["rows"]:
        means = [sum(r for _, r in each) / len(each) for each in own[one["label"]].values()]
        assert one["people"] == len(means)
        assert (one["lowest"], one["highest"]) == (min(means), max(means))
        assert one["score"]["mean"] == pytest.approx(sum(means) / len(means))
        reached = sum(mean >= 0.55 for mean in means)
        assert shown["passed"][one["label"]]["passed"] == reached
        # the model says A throughout and A is never right
        level = sum(0.5 * (mean == 0) for mean in means) / len(means)
        place = shown["percentiles"]["first"][one["label"]]
        assert place["share"] == pytest.approx(level)
        assert place["low"] <= wilson(level * len(means), len(means)).low
        assert place["high"] >= wilson(level * len(means), len(means)).high
        for topic in ("melody", "harmony"):
            part = [
                [right for trial, right in each if trial.startswith(topic)]
                for each in own[one["label"]].values()
            ]
            part = [sum(each) / len(each) for each in part if each]
            told_of = shown["categories"][topic][one["label"]]
            assert told_of["mean"] == pytest.approx(sum(part) / len(part))
    # runs hold the same answers, as they were shown
    total = 0
    for folder in found["runs"]:
        for record in read_records(folder):
            total += "each-person" in folder
            letter = record.exchange.final.text
            option = next(o for o in record.trial.options if o.letter == letter)
            assert option.key == record.verdict.answer
            assert (record.verdict.state == "correct") == (option.key == "B")
    assert total == len(chosen)
    group = next(folder for folder in found["runs"] if "each-person" not in folder)
    said = methods_paragraph([group])
    people_asked = people
    people = len(own[read_manifest(Path(group)).model.removeprefix("people: ")])
    assert re.search(
        rf"{people} people answered \(\d+ of the {len(people_asked)} who took part were set aside"
        r".*\).*; each of them counts as much, and intervals are for other people",
        said,
    )
    # A group's run has the mean, the interval and the lead that `study show` gives.
    for label, folder in zip((one["label"] for one in shown["rows"]), found["runs"], strict=False):
        if label == "all people":
            continue
        score = next(one["score"] for one in shown["rows"] if one["label"] == label)
        whole = json.loads(told("show", folder, "--json"))["groups"]["all"]
        ends = (score["mean"], score["low"], score["high"])
        assert (whole["accuracy"], *whole["ci95"]) == pytest.approx(ends)
        ahead = shown["leads"]["first"][label]
        for runs, sign in (([desk / "model", folder], 1), ([folder, desk / "model"], -1)):
            pairs = json.loads(told("compare", *runs, "--json"))["pairs"]
            gap = pairs[0]["groups"][0]
            assert gap["test"] == "crossed"
            assert gap["difference"] == pytest.approx(sign * ahead["mean"])
            low, high = sorted((sign * ahead["low"], sign * ahead["high"]))
            assert (gap["low"], gap["high"]) == pytest.approx((low, high))
            assert gap["first"] - gap["second"] == pytest.approx(gap["difference"])
    # Of two groups of people other people are meant on both sides.
    one, two = (folder for folder in found["runs"][:2])
    gaps = [json.loads(told("compare", *runs, "--json"))["pairs"][0]["groups"][0]
            for runs in ((one, two), (two, one))]  # fmt: skip
    assert gaps[0]["difference"] == pytest.approx(-gaps[1]["difference"])
    assert gaps[0]["low"] == pytest.approx(-gaps[1]["high"])
    assert "options that people chose were taken as they are" in said
    assert "temperature" not in said
    assert 'given by the rule "first"' in methods_paragraph([desk / "model"])
    # A group is no model, and a model without people does not know that they are drawn.
    assert "several people" in read_runs([desk / "model", group]).cautions[0]
    assert "several people" in told("stats", "glmm", desk / "model", group)
    with pytest.raises(InputError, match="--each-person"):
        analyse([desk / "model"], [group])
    single = [folder for folder in found["runs"] if "each-person" in folder]
    assert read_runs(single).cautions == []
    assert len(analyse([desk / "model"], single).people) == len(single)
    # A run of people is known by its manifest, wherever it stands.
    assert analyse([single[0], desk / "model", *single[1:]]).people == single


@pytest.mark.slow
def test_a_report_draws_people_and_says_for_whom_their_interval_is(desk, tmp_path):
    trials = exam(["melody", "harmony"], 6)
    draw = random.Random(3)
    rows = [row(f"p{n}", t.id, draw.choice("ABBC")) for n in range(5) for t in trials]
    path = write_export(tmp_path, trials, rows)
    told("study", "show", path, "--exam", desk / "model", "--out", tmp_path / "people")
    told("report", desk / "model", tmp_path / "people/all-people", "--out", tmp_path / "report")
    page = (tmp_path / "report/index.html").read_text("utf-8")
    first = re.search(r'</table></div>\s*<p class="note">(.*?)</p>', page, re.S)[1]
    assert (
        "This group of 5 people: each person counts as much, and intervals are for other" in first
    )
    # People saw no letters, and their name begins a sentence with a capital.
    assert "of 5 people does not clearly favour" not in page
    assert not re.search(r"(?:<p[^>]*>|\. )(?:<[^>]*>)*this group of", page)


def test_nothing_in_a_run_names_people(desk, tmp_path):
    trials = exam(["melody", "harmony"], 6)
    names = [f"5f3a9c{n:02}deadbeef" for n in range(6)]
    rows = [row(name, t.id, "B", education="master") for name in names for t in trials]
    path = write_export(tmp_path / "secret-place", trials, rows)
    for by in ("education", ""):
        figures(path, "--exam", desk / "model", "--by", by, "--out", tmp_path / f"runs-{by}",
                "--each-person")  # fmt: skip
    for file in tmp_path.glob("runs-*/**/*"):
        if file.is_file():
            text = file.read_text("utf-8")
            assert not any(name in text for name in (*names, "secret-place"))
            assert "master" not in text or "each-person" not in file.parts
    runs = tmp_path / "runs-education" / "education-master", tmp_path / "runs-" / "all-people"
    assert read_manifest(runs[0]).model == "people: education=master"
    assert len({record.id for record in read_records(runs[1])}) == 72


def test_a_small_group_is_counted_and_not_shown(desk, tmp_path, capsys):
    trials = exam(["melody", "harmony"], 6)
    rows = [
        row(f"p{n}", t.id, "B", education="master" if n else "doctorate")
        for n in range(4)
        for t in trials
    ]
    path = write_export(tmp_path, trials, rows)
    common = (path, "--exam", desk / "model", "--by", "education")
    found = figures(*common, "--out", tmp_path / "runs")
    assert found["figures"]["small"] == {"education=doctorate": 1}
    # all people less three would be what the fourth answered
    assert [one["label"] for one in found["figures"]["rows"]] == ["education=master"]
    assert "what 1 person answered" in found["figures"]["notes"][0]
    assert len(found["runs"]) == 1
    shown = figures(*common, "--least-people", 1)["figures"]["rows"]
    assert shown[0]["label"] == "education=doctorate"
    assert shown[0]["people"] == 1
    assert "no group has 5" in refused(capsys, *common, "--least-people", 5)
    alone = (path, "--exam", desk / "model", "--least-people", 5)
    assert "4 people answered, fewer than --least-people 5" in refused(capsys, *alone)
    out = [{**one, "excluded": ["gold_right"]} for one in rows]
    path = write_export(tmp_path / "out", trials, out)
    told_why = refused(capsys, path, *common[1:])
    assert "4 excluded by the declared rules (known answers wrong: 4): 0 count" in told_why


@pytest.mark.slow
def test_the_exam_is_the_one_that_people_took(desk, tmp_path, capsys):
    """Runs of people on another exam's name would stand beside its models."""
    trials = exam(["melody", "harmony"], 6)
    path = write_export(
        tmp_path, trials, [row(f"p{n}", t.id, "B") for n in range(3) for t in trials]
    )
    text = (desk / "exam.csv").read_text()
    other, changed, part = tmp_path / "other.csv", tmp_path / "exam.csv", tmp_path / "part.csv"
    other.write_text(text.replace("melody", "rhythm").replace("harmony", "form"))
    head, _, body = text.partition("\n")
    changed.write_text(f"{head}\n{body.replace(',B,', ',C,')}")
    part.write_text("".join(text.splitlines(keepends=True)[:9]))
    for file in (other, changed, part):
        told("run", file, "-m", "first", "--out", tmp_path / file.stem, "--quiet")
    assert "none of people’s questions" in refused(capsys, path, "--exam", tmp_path / "other")
    assert "asks something else" in refused(capsys, path, "--exam", tmp_path / "exam")
    notes = figures(path, "--exam", tmp_path / "part")["figures"]["notes"]
    assert any("people answered 4 questions that" in note for note in notes)


@pytest.mark.slow
def test_people_stand_beside_models_everywhere(desk, tmp_path):
    trials = exam(["melody", "harmony"], 6)
    draw = random.Random(2)
    rows = [row(f"p{n}", t.id, draw.choice("BC")) for n in range(5) for t in trials]
    path = write_export(tmp_path, trials, rows)
    told("study", "show", path, "--exam", desk / "model", "--out", tmp_path / "all")
    # For whom an interval is: said of people's rows alone.
    alone = told("table", desk / "model")
    beside = told("table", desk / "model", tmp_path / "all" / "all-people")
    assert "model or people" in beside
    assert "This group of 5 people: each person counts as much" in beside
    assert "people" not in alone
    people = tmp_path / "all" / "all-people"
    right = sum(one["keys"] == ["B"] for one in rows)
    summary = json.loads(told("show", people, "--json"))
    assert summary["states"]["correct"] == right
    assert summary["groups"]["all"]["items"] == 12
    repeats = defaultdict(list)
    for record in read_records(people):  # people are no further questions
        repeats[record.trial.item].append(record.trial.tags["repeat"])
    assert all(found == [1, 2, 3, 4, 5] for found in repeats.values())
    compared = json.loads(told("compare", people, desk / "model", "--json"))
    assert not compared["settings"], compared["settings"]
    said_so = told("compare", people, desk / "model")
    said_so = " ".join(said_so.split())
    assert "12 items that all models, and at least one person of each group, answered" in said_so
    assert "for other people and other items" in said_so
    both = tmp_path / "both"
    both.mkdir()
    (both / "people").symlink_to(people)
    (both / "model").symlink_to(desk / "model")
    told("leaderboard", both, "--out", tmp_path / "board")
    assert "this group of 5 people" in (tmp_path / "board" / "leaderboard.csv").read_text()
    board = (tmp_path / "board" / "index.html").read_text()
    assert "all models, and at least one person of each group, answered" in board
    told("report", people, desk / "model", "--out", tmp_path / "report.html")
    again = told("rescore", people, "--extract", "robust")
    assert f"{right} correct" in again
    strange = write_export(tmp_path / "strange", trials, [{**rows[0], "keys": ["Z"]}])
    words = ["study", "show", str(strange), "--exam", str(desk / "model"), "--least-people", "1"]
    assert main(words) == 2
    # other answers under the same name are another run
    rows[0]["keys"] = ["D"]
    other = write_export(tmp_path / "other", trials, rows)
    assert main(["study", "show", str(other), "--exam", str(desk / "model"), "--out",
                 str(tmp_path / "all")]) == 2  # fmt: skip


@pytest.mark.slow
def test_two_runs_of_one_model_keep_their_own_figures(desk, tmp_path):
    trials = exam(["melody", "harmony"], 6)
    path = write_export(tmp_path, trials, [
        row(f"p{n}", t.id, "B" if n < 2 else "C") for n in range(4) for t in trials
    ])  # fmt: skip
    told("run", desk / "exam.csv", "-m", "first", "--shuffle", "--out", tmp_path / "run", "--quiet")
    runs = [desk / "model", tmp_path / "run"]
    words = ["--exam", desk / "model", "--pass", 50]
    apart = [figures(path, *words, "--model", run)["figures"] for run in runs]
    both = figures(path, *words, "--model", runs[0], "--model", runs[1])["figures"]
    assert len({one["label"] for one in both["models"]}) == 2
    for one, alone in zip(both["models"], apart, strict=True):
        assert one["scores"] == alone["models"][0]["scores"]
        (own,) = alone["percentiles"].values()
        assert both["percentiles"][one["label"]] == own


def test_letters_are_those_of_the_first_rotation_whatever_the_log_s_order(desk, tmp_path):
    turned = []
    for record in read_records(desk / "model"):
        for rotation in (2, 0, 1):  # as replies came
            options = record.trial.options[rotation:] + record.trial.options[:rotation]
            shown = tuple(Option(x, o.text, o.key) for x, o in zip(KEYS, options, strict=True))
            name = f"{record.id}/rotation={rotation}"
            trial = msgspec.structs.replace(
                record.trial, id=name, options=shown, tags={"rotation": rotation}, item=record.id
            )
            turned.append(msgspec.structs.replace(record, id=name, trial=trial))
    run = tmp_path / "turned"
    shutil.copytree(desk / "model", run)
    (run / "records.jsonl").write_bytes(b"".join(msgspec.json.encode(r) + b"\n" for r in turned))
    exam_ = open_exam(str(run))
    assert [o.letter for o in exam_.trials["melody/0"].options if o.key == "B"] == ["B"]


def test_practice_attention_and_excluded_people_are_in_no_figure(desk, tmp_path):
    trials = exam(["melody", "harmony"], 6)
    rows = []
    for n in range(8):
        out = ["attention_wrong"] if n < 2 else ["attention_wrong", "headphones"] if n == 2 else []
        for t in trials:
            rows.append(row(f"p{n}", t.id, "C" if out else "B", excluded=out))
        rows.append(row(f"p{n}", "look/1", "A", role="attention", expected=["A"], item="look"))
        rows[-13]["role"] = "practice"
        rows[-13]["keys"] = ["D"]
        rows.append(dict(rows[-2], keys=["D"]))  # given twice
    found = figures(write_export(tmp_path, trials, rows), "--exam", desk / "model")["figures"]
    assert found["excluded"] == {"attention_wrong": 3, "headphones": 1}
    assert found["population"]["excluded"] == 3
    assert found["population"]["counted"] == 5
    assert found["rows"][0]["score"]["mean"] == 1
    assert found["rows"][0]["questions"] == [11, 11]
    assert "8 repeated answers: the first of each is taken" in found["notes"]


def test_declared_rules_exclude_exactly_whom_they_name(desk, tmp_path, capsys):
    trials = exam(["melody", "harmony"], 6)
    rows = []
    for n in range(6):
        for at, t in enumerate(trials):
            rows.append(row(
                f"p{n}", t.id, "A" if n == 1 else "ABCD"[at % 4],
                active_s=0.5 if n == 2 else 5.0, outcome="" if n == 3 else "complete",
                role="gold" if at < 4 else "plain",
            ))  # fmt: skip
            if n == 4 and at < 4:
                rows[-1]["keys"] = ["C"]
        rows += [
            row(f"p{n}", f"look/{k}", "B" if n == 5 else "A", role="attention", expected=["A"])
            for k in range(2)
        ]
    path = write_export(tmp_path, trials, rows)
    rules = tmp_path / "rules.toml"
    rules.write_text(
        "[exclude]\nattention_wrong = 2\nmedian_seconds = 2.0\nsame_place = 0.8\n"
        "unfinished = true\ngold_right = 0.25\n"
    )
    found = figures(path, "--exam", desk / "model", "--rules", rules, "--least-people", 1)[
        "figures"
    ]
    assert found["excluded"] == {
        "same_place": 1, "median_seconds": 1, "unfinished": 1, "gold_right": 2,
        "attention_wrong": 1,
    }  # fmt: skip
    assert found["population"]["counted"] == 1
    rules.write_text("[exclude]\nheadphones = true\n")
    assert "rule headphones" in refused(capsys, path, "--exam", desk / "model", "--rules", rules)
    rules.write_text("[exclude]\nhappy = true\n")
    assert "happy" in refused(capsys, path, "--exam", desk / "model", "--rules", rules)
    rules.write_text("[exclude]\nsame_place = 0.8\n")
    grades = [  # of judgements nothing stands at a place of a list
        row(f"p{n}", t.id, [], kind="rate", form="grades", order=[], grades={"good": n},
            item=f"run-1/{t.id}")
        for n in range(3) for t in trials
    ]  # fmt: skip
    path = write_export(tmp_path / "grades", trials, grades)
    assert "rule same_place" in refused(capsys, path, "--rules", rules)
    for n, broken in ((7, {}), (8, {"same_place": 1})):  # 2 / 2**7 is no rare pattern, 2 / 2**8 is
        pairs = [row("p9", trials[0].id, ["b"], kind="rate", form="pair", order=["a", "b"],
                     item=f"1/{pair}") for pair in range(n)]  # fmt: skip
        path = write_export(tmp_path / f"both-{n}", trials, grades + pairs)
        assert figures(path, "--rules", rules)["excluded"] == broken


# Validation


@pytest.mark.parametrize("rule", ["any", "each"])
def test_keep_or_drop_and_alpha_are_those_of_the_definition(tmp_path, rule):
    draw = random.Random(7)
    trials = exam(["q"], 30)
    rows, marks = [], defaultdict(dict)
    for trial in trials:
        for person in draw.sample(range(12), draw.randint(2, 5)):
            said = draw.choice(["", "", "", "", "cannot_tell", "odd"])
            keys = [] if said else [k for k in KEYS if draw.random() < (0.7 if k == "B" else 0.3)]
            out = ["median_seconds"] if person == 11 else []
            rows.append(row(f"p{person}", trial.id, keys, kind="validate", form="many", said=said,
                            excluded=out))  # fmt: skip
            if not out:
                marks[trial.id][person] = set(keys)
    keep = {"annotations": 3, "right": 0.5, "distractors": 0.5, "rule": rule}
    path = write_export(tmp_path, trials, rows, keep)
    found = figures(path, "--kept", tmp_path / "kept.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "kept.jsonl").read_text().splitlines()]
    assert lines == found["questions"]
    assert {one["trial"] for one in lines} == set(marks)
    decisions = set()
    for one in lines:
        given = list(marks[one["trial"]].values())
        right = sum("B" in keys for keys in given)
        wrong = max(
            sum(bool(keys & set(part)) for keys in given)
            for part in (["ACD"] if rule == "any" else ["A", "C", "D"])
        )
        dropped = 2 * right < len(given) or 2 * wrong > len(given)
        expected = "open" if len(given) < 3 else "drop" if dropped else "keep"
        assert one["decision"] == expected
        decisions.add(expected)
    assert decisions == {"open", "drop", "keep"}
    units = [[key in keys for keys in each.values()] for each in marks.values() for key in KEYS]
    assert found["alpha"]["alpha"] == pytest.approx(brute_alpha(units))


# Tables of others


def table(folder, name, text):
    (folder / name).write_text(text, "utf-8")
    return folder / name


def five(found):
    """People, answers, and mean: what every layout below has to give."""
    shown = found["figures"]
    return (shown["population"]["counted"], shown["population"]["answers_counted"],
            round(shown["rows"][-1]["score"]["mean"], 6))  # fmt: skip


def layouts(folder):
    """The same six answers in every layout: (file or folder, map)."""
    ids = ["melody/0", "melody/1", "harmony/0"]
    given = {"ann": "BBC", "bob": "BAB"}
    flat = [(p, i, k) for p, keys in given.items() for i, k in zip(ids, keys, strict=True)]
    text = {(i, k): f"{k} of {i.replace('/', ' ')}" for i in ids for k in KEYS}
    columns = '[columns]\nperson = "who"\nitem = "q"\nanswer = "a"\n'
    long = "who,q,a\n" + "".join(f"{p},{i},{k}\n" for p, i, k in flat)
    yield table(folder, "long.csv", long), columns
    yield table(folder, "long.tsv", long.replace(",", "\t")), columns
    options = "".join(f'{{"who": "{p}", "q": "{i}", "a": "{text[i, k]}"}}\n' for p, i, k in flat)
    yield table(folder, "long.jsonl", options), f'answers = "text"\n{columns}'
    wide = "who;Q1;Q2;Q3\n" + "".join(f"{p};{';'.join(keys)}\n" for p, keys in given.items())
    items = "".join(f'Q{n} = "{i}"\n' for n, i in enumerate(ids, 1))
    yield (table(folder, "wide.csv", wide),
           f'layout = "wide"\n[columns]\nperson = "who"\n[items]\n{items}')  # fmt: skip
    trials = [[{"trial_type": "instructions", "rt": 900, "subject": p}]
              + [{"trial_type": "audio-button-response", "rt": 1500, "response": KEYS.index(k),
                  "subject": p, "question": i} for i, k in zip(ids, keys, strict=True)]
              for p, keys in given.items()]  # fmt: skip
    named = '[columns]\nperson = "subject"\nitem = "question"\n'
    yield (table(folder, "jspsych.json", json.dumps(trials)),
           f'layout = "jspsych"\n{named}')  # fmt: skip
    survey = "subject,question,rt,response\n" + "".join(
        f'{p},{i},1000,"{{""Q0"":""{text[i, k]}""}}"\n' for p, i, k in flat
    )
    yield (table(folder, "survey.csv", survey),
           f'layout = "jspsych"\n{named}answer = "response.Q0"\n')  # fmt: skip
    for person, keys in given.items():
        (folder / "potato" / person).mkdir(parents=True)
        table(folder / "potato" / person, "annotated_instances.jsonl", "".join(
            json.dumps({"id": i, "displayed_text": "x", "span_annotations": {},
                        "label_annotations": {"pick": {k: "true", "Z": ""}}}) + "\n"
            for i, k in zip(ids, keys, strict=True)
        ))  # fmt: skip
    yield folder / "potato", 'layout = "potato"\n[columns]\nanswer = "pick"\n'
    tasks = [{"id": n, "data": {"name": i}, "predictions": [], "annotations": [
        {"completed_by": {"id": p, "email": "x@y"}, "was_cancelled": False, "lead_time": 4.5,
         "result": [{"from_name": "pick", "to_name": "text", "type": "choices",
                     "value": {"choices": [keys[n]]}}]} for p, keys in given.items()
    ] + [{"completed_by": "ann", "was_cancelled": True, "result": []}]}
        for n, i in enumerate(ids)]  # fmt: skip
    yield (table(folder, "ls.json", json.dumps(tasks)),
           'layout = "label-studio"\n[columns]\nitem = "data.name"\nanswer = "pick"\n')  # fmt: skip


def test_every_layout_gives_the_same(desk, tmp_path):
    seen = 0
    for n, (source, words) in enumerate(layouts(tmp_path)):
        found = figures(source, "--exam", desk / "model", "--least-people", 2, "--columns",
                        table(tmp_path, f"map{n}.toml", words))  # fmt: skip
        assert five(found) == (2, 6, round(4 / 6, 6)), source
        seen += 1
        if "label" in words:
            assert "3 annotations were skipped by their annotators" in found["figures"]["notes"]
        if source.name == "jspsych.json":
            assert "2 rows without an item are no answers" in found["figures"]["notes"]
    assert seen == 8


def test_a_german_survey_is_read_as_it_comes(tmp_path, capsys):
    """Semicolons, decimal commas, ends of ids, and answers in German or in words of the map."""
    lines = "".join(f"chords/plain/c-{n},Which?,Major,Minor,A\n" for n in range(1, 4))
    table(tmp_path, "exam.csv", f"id,question,A,B,answer\n{lines}")
    told("run", tmp_path / "exam.csv", "-m", "first", "--out", tmp_path / "run", "--quiet")
    columns = "".join(
        f'{ours} = "{theirs}"\n'
        for ours, theirs in (
            ("person", "Person"),
            ("item", "Frage"),
            ("answer", "Antwort"),
            ("seconds", "Zeit"),
        )
    )
    mapped = table(tmp_path, "map.toml", f'[columns]\n{columns}[values.answer]\nDur = "Major"\n')
    words = (tmp_path / "q.csv", "--exam", tmp_path / "run", "--columns", mapped)
    survey = "Person;Frage;Antwort;Zeit\n" + "".join(
        f"{who};{item};{said};5,81\n" for who in "abc"
        for item, said in (("c-1", "Dur"), ("c-2", "Dur-Akkord"), ("chords/plain/c-3", "B"))
    )  # fmt: skip
    table(tmp_path, "q.csv", survey)
    found = figures(*words)["figures"]
    assert found["population"]["answers_counted"] == 9
    assert found["rows"][-1]["score"]["mean"] == pytest.approx(2 / 3)
    rules = table(tmp_path, "rules.toml", "[exclude]\nmedian_seconds = 5.9\n")
    assert "too fast" in refused(capsys, *words, "--rules", rules)
    table(tmp_path, "q.csv", survey.replace("c-2", "chord-2"))
    error = refused(capsys, *words)
    assert "'chord-2' is no trial of the exam, which has chords/plain/c-" in error
    table(tmp_path, "q.csv", survey.replace("Dur-Akkord", "Moll"))
    error = refused(capsys, *words)
    assert "'Moll' names no option of chords/plain/c-2 as key or text; options: Major" in error
    assert "say under [values.answer] which it is" in error


def test_a_line_of_json_ends_where_json_says(tmp_path):
    """JSON leaves U+2028 and U+0085 as they are, which end a line elsewhere."""
    answers = [{"person": "a", "answer": "one\u2028two"}, {"person": "b", "answer": "x\u0085y"}]
    lines = "".join(json.dumps(one, ensure_ascii=False) + "\r\n" for one in answers)
    source = table(tmp_path, "answers.jsonl", lines)
    assert [row.cells for row in read_rows(source)] == answers
    nested = table(tmp_path, "nested.json", json.dumps([[answers[0], [answers[1]]], answers[0]]))
    assert [row.cells for row in read_rows(nested)] == [*answers, answers[0]]


def test_background_comes_from_a_table_of_its_own(desk, tmp_path):
    table(tmp_path, "who.csv", "id,degree\nann,BA\nbob,PhD\neve,BA\n")
    source = table(tmp_path, "a.csv", "person,item,answer\nann,melody/0,B\nbob,melody/0,A\n")
    words = ('[people]\nfile = "who.csv"\nperson = "id"\neducation = "degree"\n'
             '[values.education]\nBA = "bachelor"\n')  # fmt: skip
    found = figures(source, "--exam", desk / "model", "--least-people", 1, "--by", "education",
                    "--columns", table(tmp_path, "m.toml", words))  # fmt: skip
    labels = [one["label"] for one in found["figures"]["rows"]]
    assert labels == ["education=PhD", "education=bachelor", "all people"]


SEVERAL = (
    "id,question,A,B,C,D,answer\n"
    "chords,Minor?,C E G,A C E,D F A,G B D,BC\n"
    "one,How many?,1,2,3,4,B\n"
)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("person,item,answer\nx,chords,A C E | D F A\nx,one,2\ny,chords,A C E\ny,one,2\n",
         'kind = "exam"\nseveral = "|"\n'),
        ('person,chords,one\nx,"B,C",B\ny,B,B\n',
         'layout = "wide"\nanswers = "letter"\nseveral = ","\n'),
    ],
)  # fmt: skip
def test_several_right_answers_stand_in_a_cell(tmp_path, capsys, rows, words):
    """Columns of a wide table that are called as a question need no name in the map."""
    questions, run = table(tmp_path, "exam.csv", SEVERAL), tmp_path / "model"
    told("run", questions, "-m", "first", "--out", run, "--quiet")
    source, found = table(tmp_path, "a.csv", rows), table(tmp_path, "m.toml", words)
    common = ("--exam", run, "--columns", found, "--least-people", 1)
    (one,) = figures(source, *common)["figures"]["rows"]
    assert (one["lowest"], one["highest"]) == (0.5, 1)
    source.write_text(rows.replace(",2\n", ",2|3\n").replace(",B\n", ',"B,C"\n'))
    assert "2 answers where one is asked" in refused(capsys, source, *common)
    source.write_text(rows.replace("chords", "Q1").replace("one", "Q2"))
    assert "[items]" in refused(capsys, source, *common)


def test_where_people_answered_different_questions_a_model_has_both_weightings(tmp_path):
    rows = "".join(f"q{n},Question {n}?,a{n},b{n},{'A' if n < 2 else 'B'}\n" for n in range(6))
    (tmp_path / "exam.csv").write_text(f"id,question,A,B,answer\n{rows}")
    told("run", tmp_path / "exam.csv", "-m", "first", "--out", tmp_path / "model", "--quiet")
    common = ("--exam", tmp_path / "model", "--model", tmp_path / "model")
    every = "".join(f"{p},q{n},A\n" for p in "abc" for n in range(6))
    for some, ours in (("", "33.3"), ("d,q0,A\n", "50.0")):  # of d's one question it has all
        source = table(tmp_path, "a.csv", f"person,item,answer\n{every}{some}")
        printed = " ".join(told("study", "show", source, *common).split())
        assert f"points, {ours} % against {ours} %" in printed
        beside = (
            "each person counting as much (of the model, each question counting as much: 33.3 %)"
        )
        assert (beside in printed) == bool(some)


def test_groups_are_named_in_words_with_a_column_each(desk, tmp_path):
    rows = "person,item,answer,degree\n" + "".join(
        f"{p},melody/{n},{'ABCD'[(at + n) % 4]},{'master' if at % 2 else 'bachelor'}\n"
        for at, p in enumerate("abcdef") for n in range(6)
    )  # fmt: skip
    words = table(tmp_path, "m.toml", '[columns]\neducation = "degree"\n')
    page = tmp_path / "edu.html"
    common = (table(tmp_path, "a.csv", rows), "--exam", desk / "model", "--columns", words,
              "--by", "education", "--model", desk / "model")  # fmt: skip
    printed = told("study", "show", *common, "--out", page)
    seen = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page.read_text("utf-8")))
    for degree in ("bachelor", "master"):
        group = f"highest education: {degree}"
        rank = f"among 3 people ({group})"
        assert rank in " ".join(printed.split())
        assert rank in seen
        assert f"first minus people ({group})" in seen
        assert f"{group} (3)" in seen[seen.index("By category") :]
    assert "education=" not in printed + seen
    assert " - " not in seen[seen.index("By category") :]


def test_an_interval_that_is_too_narrow_is_said_to_be(desk, tmp_path):
    """Where the model is nearly always right on few questions it holds in 90 %, not 95."""
    rows = "person,item,answer\n" + "".join(
        f"{p},{topic}/{n},{'B' if (at + n) % 3 else 'C'}\n"
        for at, p in enumerate("abcd") for topic in ("melody", "harmony") for n in range(6)
    )  # fmt: skip
    source = table(tmp_path, "a.csv", rows)
    perfect = tmp_path / "right"
    shutil.copytree(desk / "model", perfect)
    lines = (desk / "model" / "records.jsonl").read_text()
    log = lines.replace('"state":"wrong"', '"state":"correct"')
    (perfect / "records.jsonl").write_text(log)
    (perfect / "SHA256SUMS").unlink()
    for run, narrow in ((perfect, True), (desk / "model", False)):
        common = ("study", "show", source, "--exam", desk / "model", "--model", run)
        (lead,) = json.loads(told(*common, "--json"))["figures"]["leads"]["first"].values()
        assert lead["narrow"] is narrow
        assert ("too narrow" in told(*common)) is narrow


@pytest.mark.parametrize(
    ("rows", "words", "told_of"),
    [
        ("who,q,a\nx,melody/0,Z\n", "", "bad.csv, row 2, column a: 'Z' names no option"),
        ("who,q,a\nx,melody/9,B\n", "", "bad.csv, row 2, column q: 'melody/9' is no trial"),
        ("who,q,a\n,melody/0,B\n", "", "bad.csv, row 2, column who: names nobody"),
        ("who,q,a\nx,melody/0\n", "", "bad.csv, row 2: 2 cells under 3 headings"),
        ("who,q,b\nx,melody/0,B\n", "", "no column 'a'"),
        ("who,q,a,d\nx,melody/0,B,u\nx,melody/1,B,v\n", 'education = "d"\n',
         "bad.csv, row 3, column d: 'v', and the same person said 'u'"),
        ("who,q,a,t\nx,melody/0,B,soon\n", 'seconds = "t"\n', "column t: 'soon' is no time"),
        ("who,q,a,r\nx,melody/0,B,odd\n", 'role = "r"\n', "column r: 'odd' is no role"),
        ("who,q,a,o\nx,melody/0,B,A|B\n", 'order = "o"\n', "column o: not every key"),
        ('who,q,a\nx,melody/0,"B\n', "", "bad.csv:2: not CSV"),
        ("", "", "holds no rows"),
        ("who,q,a\nx,melody/0,B\n", 'colour = "t"\n', "colour"),
    ],
)  # fmt: skip
def test_faults_are_told_with_file_row_and_column(desk, tmp_path, capsys, rows, words, told_of):
    source = table(tmp_path, "bad.csv", rows)
    usual = '[columns]\nperson = "who"\nitem = "q"\nanswer = "a"\n'
    found = table(tmp_path, "m.toml", usual + words)
    assert told_of in refused(capsys, source, "--exam", desk / "model", "--columns", found)


def test_an_empty_answer_is_missing_or_wrong_as_declared(desk, tmp_path):
    rows = "person,item,answer\n" + "".join(
        f"{p},melody/{n},{'B' if n else ''}\n" for p in "abc" for n in range(3)
    )
    source = table(tmp_path, "a.csv", rows)
    missing = figures(source, "--exam", desk / "model")
    assert missing["figures"]["rows"][0]["score"]["mean"] == 1
    assert "3 empty answers are missing, and in no figure" in missing["figures"]["notes"]
    counted = figures(source, "--exam", desk / "model", "--columns",
                      table(tmp_path, "m.toml", 'empty = "no_answer"\n'))  # fmt: skip
    assert counted["figures"]["rows"][0]["score"]["mean"] == 1  # precision is of what was given
    assert "3 empty answers are blanks, as the map says" in counted["figures"]["notes"]
    assert counted["figures"]["rows"][0]["questions"] == [3, 3]
    assert missing["figures"]["rows"][0]["questions"] == [2, 2]


def test_what_cannot_be_is_refused_in_a_line(desk, tmp_path, capsys):
    trials = exam(["melody"], 6)
    path = write_export(
        tmp_path, trials, [row(f"p{n}", t.id, "B") for n in range(3) for t in trials]
    )
    assert "--exam is missing" in refused(capsys, path)
    assert "no such file" in refused(capsys, tmp_path / "none.jsonl")
    assert "--by age" in refused(capsys, path, "--exam", desk / "model", "--by", "age")
    (tmp_path / "study.toml").write_text("")
    assert "study.toml" in refused(capsys, tmp_path)
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0].replace('"format": 1', '"format": 9'), *lines[1:]]))
    assert "layout 9" in refused(capsys, path, "--exam", desk / "model")


# The published tables


TABLE_3 = [
    ("no", "no", "high_school", 21, 51, 34.50), ("no", "no", "bachelor", 26, 62, 39.91),
    ("no", "no", "master", 29, 60, 45.80), ("no", "no", "doctorate", 26, 51, 44.00),
    ("no", "yes", "bachelor", 27, 70, 45.83), ("no", "yes", "master", 51, 65, 57.75),
    ("no", "yes", "doctorate", 64, 64, 64.00), ("yes", "yes", "high_school", 26, 71, 37.81),
    ("yes", "yes", "bachelor", 30, 88, 51.52), ("yes", "yes", "master", 35, 89, 64.75),
    ("yes", "yes", "doctorate", 28, 88, 64.91),
]  # fmt: skip
"""Li et al. (2024), Table 3: major, background, education, range of scores, mean."""


def whole(low, high, mean):
    """The fewest whole scores from `low` to `high` with both ends whose mean is the printed one."""
    if low == high:
        return [low]
    for n in range(2, 60):
        total = round(mean * n)
        if round(total / n + 1e-9, 2) == mean and low * (n - 1) + high <= total:
            scores, left = [low] * (n - 1) + [high], total - low * (n - 1) - high
            for place in range(1, n - 1):
                more = min(left, high - low)
                scores[place] += more
                left -= more
            if not left:
                return scores
    raise AssertionError((low, high, mean))


@pytest.mark.slow
def test_table_3_of_ziqi_comes_out(desk, tmp_path):
    trials = exam(["question"], 100)
    lines = ["id,question,A,B,C,D,answer"]
    lines += [",".join([t.id, t.stem, *(o.text for o in t.options), "B"]) for t in trials]
    file = table(tmp_path, "hundred.csv", "\n".join(lines) + "\n")
    told("run", file, "-m", "first", "--out", tmp_path / "model", "--quiet")
    rows = []
    for at, (major, background, degree, *scores) in enumerate(TABLE_3):
        for n, score in enumerate(whole(*scores)):
            rows += [
                row(f"p{at}-{n}", t.id, "B" if place < score else "C", education=degree,
                    music_major=major, music_background=background)
                for place, t in enumerate(trials)
            ]  # fmt: skip
    path = write_export(tmp_path, trials, rows)
    by = "music_major,music_background,education"
    found = figures(path, "--exam", tmp_path / "model", "--by", by, "--least-people", 1)
    shown = {one["label"]: one for one in found["figures"]["rows"]}
    for major, background, degree, low, high, mean in TABLE_3:
        label = f"music_major={major}, music_background={background}, education={degree}"
        one = shown[label]
        assert (100 * one["lowest"], 100 * one["highest"]) == pytest.approx((low, high))
        assert round(100 * one["score"]["mean"] + 1e-9, 2) == mean
        assert one["right"] == pytest.approx([low, high, one["right"][2]])


TABLE_4 = {
    "western_music_history": (16, 66.28, 64.20, 75.00, 16),
    "popular_music": (22, 54.78, 50.00, 81.82, 22),
    "world_ethnic_music": (18, 48.54, 51.52, 61.11, 18),
    "chinese_traditional_music": (12, 61.62, 68.94, 50.00, 12),
    "chinese_music_history": (13, 81.38, 79.72, 71.43, 14),
    "female_music": (4, 53.29, 52.27, 75.00, 4),
    "black_african_music": (2, 82.89, 72.73, 100.0, 2),
    "music_performance": (4, 78.29, 68.18, 100.0, 4),
    "music_education": (4, 52.63, 63.64, 50.00, 4),
    "music_aesthetics": (6, 42.54, 51.52, 50.00, 6),
    "composition_theory": (7, 63.16, 67.53, 50.00, 6),
    "film_music": (2, 46.05, 27.27, 100.0, 2),
    "music_generation": (4, 7.89, 18.18, 25.00, 4),
}
"""Table 4: questions of 38 masters and 11 doctors with which the printed shares are whole numbers
of right answers, the shares, GPT-4's, and the questions with which that is one."""


def test_table_3_reads_like_right_answers_of_114_and_says_so_beside_its_rows():
    """Both readings of the people's scores; GPT-4's row is in per cent by either."""
    shares = {round(100 * right / 114, 2) for right in range(115)}
    alone = [mean for *_, low, high, mean in TABLE_3 if low == high]
    assert alone == [64.0]
    assert not shares & set(alone)
    assert 67.54 in shares
    sizes = [one[0] for one in TABLE_4.values()]
    masters, doctors = (
        sum(n * one[at] for n, one in zip(sizes, TABLE_4.values(), strict=True)) / 114
        for at in (1, 2)
    )
    by_degree = {degree: mean for major, _, degree, *_, mean in TABLE_3 if major == "yes"}
    as_counts = {degree: 100 * mean / 114 for degree, mean in by_degree.items()}
    for degree, of_table_4 in (("master", masters), ("doctorate", doctors)):
        assert abs(as_counts[degree] - of_table_4) < 2 < 6 < by_degree[degree] - of_table_4 + 0.1
    told = str(printed_named("ziqi:table-3")[1].note)
    figures = [as_counts["master"], as_counts["doctorate"], masters, doctors]
    assert [f"{figure:.1f}" for figure in figures] == ["56.8", "56.9", "58.4", "58.9"]
    assert all(f"{figure:.1f}" in told for figure in figures)
    assert "right answers of 114" in told


@pytest.mark.slow
def test_table_4_of_ziqi_comes_out(tmp_path):
    sizes = {name: one[0] for name, one in TABLE_4.items()}
    assert sum(sizes.values()) == sum(one[4] for one in TABLE_4.values()) == 114
    gpt = sum(round(share * n / 100) for *_, share, n in TABLE_4.values())
    assert round(100 * gpt / 114, 2) == 67.54  # the model's row of Table 3
    trials = exam(sizes)
    rows = []
    for degree, people, column in (("master", 38, 1), ("doctorate", 11, 2)):
        for name, found in TABLE_4.items():
            cells = [(p, n) for n in range(found[0]) for p in range(people)]
            right = next(
                k for k in range(len(cells) + 1)
                if math.isclose(round(100 * k / len(cells), 2), found[column])
            )  # fmt: skip
            rows += [
                row(f"{degree}{p}", f"{name}/{n}", "B" if at < right else "D", education=degree)
                for at, (p, n) in enumerate(cells)
            ]
    lines = ["id,question,A,B,C,D,answer,topic"]
    lines += [",".join([t.id, t.stem, *(o.text for o in t.options), "B", t.groups[0]])
              for t in trials]  # fmt: skip
    file = table(tmp_path, "exam.csv", "\n".join(lines) + "\n")
    told("run", file, "-m", "first", "--out", tmp_path / "model", "--quiet")
    path = write_export(tmp_path, trials, rows)
    words = ("study", "show", path, "--exam", tmp_path / "model", "--by", "education")
    shown = json.loads(told(*words, "--json"))["figures"]["categories"]
    for name, (_, master, doctor, *_rest) in TABLE_4.items():
        by_group = shown[name]
        assert round(100 * by_group["education=master"]["mean"], 2) == master, name
        assert round(100 * by_group["education=doctorate"]["mean"], 2) == doctor, name
    page = told(*words)
    for _, master, doctor, *_rest in TABLE_4.values():
        assert f"{doctor:.2f}" in page
        assert f"{master:.2f}" in page


def test_points_are_told_where_everybody_had_as_many(desk, tmp_path, capsys):
    trials = exam(["melody"], 6)
    rows = [row(f"p{n}", t.id, "B" if at < n else "C") for n in range(1, 4)
            for at, t in enumerate(trials)]  # fmt: skip
    words = (write_export(tmp_path, trials, rows), "--exam", desk / "model", "--points")
    assert "2.00" in told("study", "show", *words)
    write_export(tmp_path, trials, rows[:-1])
    assert "--points" in refused(capsys, *words)
    assert Path(words[0]).exists()


def test_a_model_beside_people_has_the_interval_of_its_clusters(tmp_path):
    outcomes = [choice(f"q{n}", cluster=f"track {n // 4}") for n in range(16)]
    run = write_run(tmp_path / "run", "toy", "m", (student("m", 0.5)(one) for one in outcomes))
    found = figures_of.examined(
        run, SimpleNamespace(benchmark=SimpleNamespace(name="toy")),
        figures_of.PeopleScores({}, {f"q{n}": () for n in range(16)}),
    )  # fmt: skip
    assert (found.score.n, found.score.clusters) == (16, 4)
