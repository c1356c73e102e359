"""What the researcher does and sees: scores, people beside models, a preview, texts by version."""

import csv
import json
import re
from collections import Counter
from functools import partial

import msgspec
import numpy as np
import pytest

from study_help import OPEN, Browser, Person, base_of, form_of, heard, opened, right, study, trials
from zhiyin.cli import main
from zhiyin.errors import InputError
from zhiyin.plugins.people import by_group, open_exam
from zhiyin.plugins.people.figures import Examined, PeopleScores, lead, mean_of
from zhiyin.plugins.people.reading import read_export
from zhiyin.plugins.people.rules import exclusions, population
from zhiyin.plugins.people.summary import sum_up
from zhiyin.plugins.studies.beside import beside
from zhiyin.plugins.studies.research import ResearchSite
from zhiyin.plugins.studies.research_tables import counting
from zhiyin.plugins.studies.results import export, figures, rows
from zhiyin.plugins.studies.serving import _listen_again
from zhiyin.plugins.studies.sheet import sheet_of
from zhiyin.statistics.intervals import interval, wilson
from zhiyin.words import say

VOLUME = ("volume = true", "volume = false")


def at_the_desk(store, models=()):
    """The researcher's browser, after the token."""
    client = Browser(ResearchSite(store, "token-t", models).application())
    client.headers["authorization"] = "Bearer token-t"
    return client


def people(store, n, wrong):
    """So many people; the last ones of each item are wrong as often as `wrong` says."""
    for number in range(n):
        person = Person.of(store)
        person.begin()

        def choose(stem, shown, number=number):
            item = int(re.search(r"\d+", stem)[0])
            place = right(stem, shown)["chosen"][0]
            return {"chosen": [(place + (number >= n - wrong.get(item, 0))) % 4]}

        person.all(choose)


@pytest.mark.slow
def test_the_background_of_people_is_said_in_the_language_of_the_page(tmp_path):
    fields = ('["education", "music_major", "music_background"]', '["education", "age"]')
    study(tmp_path / "s", trials(2), VOLUME, fields)
    with opened(tmp_path / "s") as store:
        for education, age in (("master", "18_24"), ("high_school", "over_64")):
            person = Person.of(store)
            person.begin({"education": education, "age": age})
            person.all(right)
        desk = at_the_desk(store)
        english = desk.get("/").text
        assert "high school: 1, master: 1" in english  # in the order of the questionnaire
        assert "18–24: 1, &gt; 64: 1" in english
        assert "not counted: why" not in english  # all are
        claim = english.replace("\N{NO-BREAK SPACE}", " ")
        assert "2 people count, with 4 answers; people answer 100.0 % right" in claim
        for none in ("withdrawn", "Excluded by the declared rules", "turned away"):
            assert none not in english
        chinese = desk.get("/", headers={"accept-language": "zh-CN"}).text
        for words in ("最高学历", "高中：1 人、硕士：1 人", "年龄（岁）", "类型：考试"):
            assert words in chinese
        for words in ("education", "master", "high school", "over_64"):
            assert words not in chinese


def test_a_lead_over_people_is_for_other_people_and_questions():
    """The mean of the differences by hand; wider than for these people alone; within [-1, 1]."""
    draw = np.random.default_rng(3)
    items = [f"q{n}" for n in range(30)]
    people = {f"p{n}": {i: float(draw.random() < 0.2 + 0.06 * n) for i in items} for n in range(9)}
    people["p0"] = {i: people["p0"][i] for i in items[:10]}  # who answered less
    given = {i: float(n % 5 > 0) for n, i in enumerate(items)}
    model = Examined("m", given, {}, None, wilson(1, 2), 0)
    found = lead(model, [*people], PeopleScores(people, {}))
    by_hand = np.mean([np.mean([given[i] - own[i] for i in own]) for own in people.values()])
    assert found.mean == pytest.approx(by_hand)
    of_items = [given[i] - np.mean([p[i] for p in people.values() if i in p]) for i in items]
    alone = interval(of_items)
    assert -1 <= found.low < alone.low < found.mean < alone.high < found.high <= 1
    nothing = Examined("m", {}, {}, None, wilson(1, 2), 0)
    assert lead(nothing, [*people], PeopleScores(people, {})) is None


@pytest.mark.slow
def test_scores_of_people_and_items_are_exact(tmp_path):
    study(tmp_path / "s", trials(4), VOLUME)
    with opened(tmp_path / "s") as store:
        people(store, 3, {1: 1, 2: 3})
        found = figures(store)
        assert {one.item: one.right for one in found.items} == {
            "t/1": wilson(2, 3), "t/2": wilson(0, 3), "t/3": wilson(3, 3), "t/4": wilson(3, 3),
        }  # fmt: skip
        assert sorted(one.right.mean for one in found.persons) == [0.5, 0.75, 0.75]
        chosen = {one.item: one.chosen for one in found.items}
        assert chosen["t/3"] == {"answer B3 ✓": 3}
        assert next(iter(chosen["t/1"].items())) == ("answer B1 ✓", 2)
        assert sum(chosen["t/2"].values()) == 3
        assert "answer B2 ✓" not in chosen["t/2"]
        assert found.right.mean == pytest.approx(2 / 3)
        assert found.right.low < 2 / 3 < found.right.high
        page = at_the_desk(store).get("/").text
        assert "66.7" in page
        assert "answer B1 ✓ 2 · " in page
        assert all(one.person in page for one in found.persons)
        assert "contact is empty (en, zh)" in page
        client = at_the_desk(store)
        table = client.get("/answers.csv")
        assert table.headers["content-type"].startswith("text/csv")
        assert table.text.count("\n") == 1 + 3 * 4
        client.headers["authorization"] = "Bearer another"
        assert client.get("/answers.csv").status_code == 403
        # A validation has marks and no scores.
    study(tmp_path / "v", trials(2), VOLUME, kind="validate")
    with opened(tmp_path / "v") as store:
        people(store, 2, {})
        assert [one.right for one in figures(store).persons] == [None, None]
        assert all(one.right is None for one in figures(store).items)


@pytest.mark.slow
def test_people_beside_models_in_one_click_and_one_command(tmp_path, capsys):
    exam = tmp_path / "exam.csv"
    lines = "".join(f"Question {n}?,B{n},A{n},C{n},D{n},A,melody\n" for n in range(1, 5))
    exam.write_text("question,A,B,C,D,answer,topic\n" + lines, "utf-8")
    runs = []
    for model in ("first", "longest"):
        out = tmp_path / "runs" / model
        assert main(["run", str(exam), "-m", model, "--out", str(out), "--quiet"]) == 0
        runs.append(out)
    assert main(["study", "make", "--from", str(runs[0]), "--out", str(tmp_path / "e")]) == 0
    config = tmp_path / "e/study.toml"
    config.write_text(config.read_text("utf-8").replace(*VOLUME), "utf-8")
    with opened(tmp_path / "e") as store:
        assert "nobody has answered yet" in at_the_desk(store, runs).get("/beside").text
        for known in (1, 2, 3):  # people who are equally good have no interval

            def choose(stem, shown, known=known):
                number = int(stem.split()[1].rstrip("?"))
                return {"chosen": [shown.index(f"{'B' if number <= known else 'C'}{number}")]}

            person = Person.of(store)
            person.begin()
            person.all(choose)
        compared = beside(store, runs)
        export(store, tmp_path / "a.jsonl")
        # It is what `zhiyin study show` says of the export.
        given, of = read_export(tmp_path / "a.jsonl"), open_exam(str(runs[0]))
        groups, small = by_group(given, [], 1)
        same = sum_up(given, of, groups, small, runs)
        assert 'href="/beside?by=education"' in at_the_desk(store, runs).get("/beside").text
        page = at_the_desk(store, runs).get("/beside?by=education").text
        assert "master (3)" in page.replace("\N{NO-BREAK SPACE}", " ")
        small = beside(store, runs, "music_major").notes
        assert not [one for one in small if getattr(one, "name", "") == "study-small"]
        cells = [row.dots[0].value for row in compared.chart.rows]
        shares = [one.score.mean for one in (*same.rows, *same.models)]
        assert cells == shares
        assert all(len(scores) == 2 for scores in compared.by_item.values())
        places = [same.percentiles[one.label]["all people"] for one in same.models]
        ranks = [row.about.facts for row in compared.chart.rows if "share" in row.about.facts]
        told = [(one["share"], one["low"], one["high"]) for one in ranks]
        assert told == [(one.share, one.low, one.high) for one in places]
        (first, *_) = compared.categories.rows
        assert [len(cell) for cell in first.cells[2:]] == [3, 3, 3]
        for cell, model in zip(first.cells[3:], same.models, strict=True):
            assert cell[0] == same.model_categories["melody"][model.label]
            assert cell[1] < cell[0] < cell[2] or cell[0] in (0, 1)
        page = at_the_desk(store, runs).get("/beside").text
        assert page.count('class="strip"') == 3
        [head] = re.findall(r'<h1 class="says">(.*?)</h1>', page, re.S)
        assert head.count("minus people") == page.count("minus people") == 2  # one for each model
        assert "95 % interval" in " ".join(head.replace("\N{NO-BREAK SPACE}", " ").split())
        assert "4 questions" in page.replace("\N{NO-BREAK SPACE}", " ")
        assert "4 items" not in page.replace("\N{NO-BREAK SPACE}", " ")
        chinese = at_the_desk(store, runs).get("/beside", headers={"accept-language": "zh"}).text
        assert 'class="says"' in chinese
        assert [row.rule for row in compared.chart.rows] == [0.25] * 3  # four options
        assert "Guessing gets 25.0 % right" in page.replace("\N{NO-BREAK SPACE}", " ")
        assert (counts := "3 people answered: 3 count, with 12 answers") in page
        assert "Dashed: guessing." in page
        assert "no model" not in page.lower()
        alone = at_the_desk(store).get("/beside").text
        assert "--model RUN" in alone
    capsys.readouterr()
    base = base_of(tmp_path / "e")
    kept = ["--database", base] if base else []
    words = ["study", "show", str(tmp_path / "e"), "--model", str(runs[0])]
    told = ["--out", str(tmp_path / "figure.html"), "--lang", "en,zh"]
    assert main([*words, *kept, *told]) == 0
    printed = capsys.readouterr().out.replace("\N{NO-BREAK SPACE}", " ")
    assert "people (3)" in printed
    assert counts in printed
    assert "Guessing gets 25.0 % right" in printed
    figure = (tmp_path / "figure.html").read_text("utf-8")
    assert figure.count('class="strip"') == 2  # people and a model
    assert "人与模型对照" in (tmp_path / "figure.zh.html").read_text("utf-8")
    assert main([*words[:3], *kept, "--out", str(tmp_path / "figure.html")]) == 2
    assert "--model" in capsys.readouterr().err
    told = ["--model", str(runs[0]), "--least-people", "1", "--json"]
    of_export = [str(tmp_path / "a.jsonl"), "--exam", str(runs[0])]
    found = []
    for line in (["study", "show", *of_export], ["human", *of_export], [*words[:3], *kept]):
        assert main([*line, *told]) == 0
        printed = capsys.readouterr()
        found.append(json.loads(printed.out)["figures"])
        assert printed.err.count("`zhiyin human` is `zhiyin study show`") == (line[0] == "human")
    assert found[0] == found[1] == found[2]


@pytest.mark.slow
def test_the_preview_shows_every_page_and_keeps_nothing(tmp_path):
    study(tmp_path / "s", heard(tmp_path, 2, 0.5), practice=1, attention=1)
    with opened(tmp_path / "s") as store:
        client = at_the_desk(store)
        shown = [client.get(f"/preview/{n}?language=en").text for n in range(1, 12)]
        kinds = [re.search(r'data-page="(\w+)"', page)[1] for page in shown]
        assert kinds[:9] == ["start", "link", "about", "volume", *["question"] * 3,
                             "end", "withdraw"]  # fmt: skip
        assert "practice, in no figure. Right: answer B" in shown[4]
        sound = re.search(r'data-src="(/media/\w+)"', shown[4])[1]
        assert client.get(sound).content[:4] == b"fLaC"
        assert client.get("/check/volume").content[:4] == b"fLaC"
        stranger = Browser(ResearchSite(store, "token-t").application())
        assert stranger.get(sound).status_code == 404
        assert stranger.get("/check/volume").status_code == 404
        assert "data-preview" not in stranger.get("/preview/1").text
        assert stranger.get("/design").text.count("<textarea") == 0
        assert list(rows(store)) == []
        assert set(figures(store).people.values()) == {0}
        # Participants' own pages have nothing of it.
        assert "data-preview" not in Person.of(store).client.get("/").text


@pytest.mark.slow
def test_texts_are_edited_by_version_and_a_study_with_answers_goes_on(tmp_path):
    study(tmp_path / "s", trials(2), VOLUME)
    with opened(tmp_path / "s") as store:
        early = Person.of(store)
        early.begin()
        early.look()
        early.answer(chosen=[0])
        late = Person.of(store)
        late.client.get("/?language=en")
        page = late.client.get("/?language=en").text
        hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page))
        client = at_the_desk(store)
        fields = form_of(client.get("/design").text)
        fields |= {"texts.en.title": "Ears <b>and</b> models"}
        fields |= {"texts.en.instructions": "Choose well."}
        assert client.post("/design", data={**fields, "form": "0"}).status_code == 403
        assert client.post("/design", data={**fields, "texts.en.consent": ""}).status_code == 422
        fewer = {**fields, "texts.en.consent": "I agree."}
        assert "more statements in one language" in client.post("/design", data=fewer).text
        assert store.version == 0
        assert client.post("/design", data=fields).status_code == 200
        again = form_of(client.get("/design").text)
        assert client.post("/design", data=again).status_code == 200  # the same again: no version
        assert [one.people for one in store.text_versions()] == [0, 1]
        # Nobody consents to what they did not read.
        ticks = dict.fromkeys((f"consent-{n}" for n in range(4)), "yes")
        old = late.client.post("/consent", data={**hidden, **ticks, "answer": "agree"})
        assert old.status_code == 409
        late.begin()
        assert "Choose well." in late.look()
        assert "Ears &lt;b&gt;and&lt;/b&gt; models" in late.client.get("/go").text
        assert late.answer(chosen=[0]).json() == {"state": "saved"}
        early.look()
        early.answer(chosen=[0])
    with opened(tmp_path / "s") as store:  # served again
        assert store.version == 1
        assert store.study.texts["en"].title == "Ears <b>and</b> models"
        assert store.declared.texts["en"].title == "A study of music understanding"
        seen = [(row.texts_consented, row.texts_shown) for row in rows(store)]
        assert seen == [(0, 0), (0, 1), (1, 1)]
        export(store, tmp_path / "out.jsonl")
        book = json.loads((tmp_path / "out.codebook.json").read_bytes())
        assert [one["version"] for one in book["texts"]] == [0, 1]
        assert book["texts"][1]["texts"]["en"]["instructions"] == "Choose well."
    # The study file itself stays declared.
    path = tmp_path / "s/study.toml"
    path.write_text(path.read_text("utf-8").replace("idle_s = 30", "idle_s = 31"), "utf-8")
    with pytest.raises(InputError, match="changed after 2 people"), opened(tmp_path / "s"):
        pass


def test_who_answered_who_is_excluded_and_who_counts_is_said_in_every_place(tmp_path, capsys):
    """In two languages, and beside the person who has not come to the end."""
    study(tmp_path / "s", trials(6), VOLUME, *OPEN, attention=2, languages=("en",))
    with opened(tmp_path / "s") as store:
        desk = at_the_desk(store)
        rule = form_of(desk.get("/design").text) | {"exclude.attention_wrong": "1"}
        assert desk.post("/design", data=rule).status_code == 200

        def choose(stem, shown, careful=True):
            if "reading" in stem:
                word = re.search("“(.*?)”", stem)[1]
                return {"chosen": [(shown.index(word) + (not careful)) % 4]}
            return right(stem, shown)

        for careful in (True, True, False):
            person = Person.of(store)
            person.begin()
            person.all(partial(choose, careful=careful))
        half = Person.of(store)
        half.begin()
        half.look()
        half.answer(chosen=[0])
        told = (
            "4 people answered; 1 excluded by the declared rules (attention checks wrong: 1): "
            "3 count (1 not to the end yet), with 13 answers"
        )
        by_person = desk.get("/").text
        assert by_person.count("not to the end yet") == 1
        written = export(store, tmp_path / "answers.jsonl")
        given = read_export(written.file)
        assert say(counting(population(given), exclusions(given)), "en") == told
        chinese = say(counting(population(given), exclusions(given)), "zh")
        assert "4 人作答；按事先声明的规则排除 1 人" in chinese
        assert "计入 3 人（其中 1 人尚未答完），13 个回答" in chinese
    table = [{"participant": f"p{n}", "outcome": ""} for n in range(2)]
    lines = [msgspec.json.decode(line) for line in written.file.read_bytes().splitlines()]
    kept = [line | table[n % 2] | {"excluded": []} for n, line in enumerate(lines)]
    written.file.write_bytes(b"".join(msgspec.json.encode(one) + b"\n" for one in kept))
    assert population(read_export(written.file))["unfinished"] == 0  # nothing is said of an end


@pytest.mark.parametrize(
    ("people_at", "told"),
    [("http://127.0.0.1:5/", "on this machine"), ("http://[::1]:5/", "on this machine"),
     ("http://lab.example:5/", "Send people this address: ")],
)  # fmt: skip
def test_an_address_of_this_machine_alone_is_sent_to_nobody(tmp_path, people_at, told):
    study(tmp_path / "s", trials(2))
    with opened(tmp_path / "s") as store:
        client = Browser(ResearchSite(store, "token-t", (), people_at).application())
        client.headers["authorization"] = "Bearer token-t"
        for page in ("/", "/design"):
            (step,) = re.findall(r"<li>([^<]*) <a href=\"http", client.get(page).text)
            assert told in f"{step} "


def test_who_is_set_aside_by_hand_is_counted_apart_with_a_reason_and_may_come_back(tmp_path):
    """Dated in export, page and table; in no figure meanwhile, nor counted as of a rule."""
    study(tmp_path / "s", trials(3), VOLUME)
    with opened(tmp_path / "s") as store:
        desk = at_the_desk(store)
        people(store, 4, {})
        who = figures(store).persons[0].person
        key = form_of(desk.get("/").text)["form"]
        sent = {"form": key, "person": who, "reason": "the hearing aid was off"}
        assert desk.post("/run", data=sent | {"form": "0"}).status_code == 403
        desk.post("/run", data=sent)
        found = figures(store)
        assert found.right.people == 3
        assert not found.set_aside
        assert found.excluded == {who: ["by_hand"]}
        page = desk.get("/").text
        assert re.search(rf"{who}: \d{{4}}-\d\d-\d\d \d\d:\d\d UTC: the hearing aid was off", page)
        given = read_export(export(store, tmp_path / "answers.jsonl").file)
        told = say(counting(population(given), exclusions(given)), "en")
        assert told == "4 people answered; 1 set aside by hand: 3 count, with 9 answers"
        assert "由研究者剔除 1 人" in say(counting(population(given), exclusions(given)), "zh")
        row = next(row for row in rows(store) if row.participant == who)
        assert row.by_hand[0].endswith("UTC: the hearing aid was off")
        desk.post("/run", data={"form": key, "person": who})
        assert figures(store).right.people == 4
        notes = next(row for row in rows(store) if row.participant == who).by_hand
        assert len(notes) == 2
        assert notes[1].endswith("UTC")


def test_a_closed_study_takes_nobody_new_and_can_be_opened_again(tmp_path):
    study(tmp_path / "s", trials(3), VOLUME)
    with opened(tmp_path / "s") as store:
        desk = at_the_desk(store)
        half = Person.of(store)
        half.begin()
        half.look()
        half.answer(chosen=[0])
        assert figures(store).people["under_way"] == 1
        key = form_of(desk.get("/").text)["form"]
        desk.post("/run", data={"form": key, "close": "1"})
        assert "The study is closed" in desk.get("/").text
        late = Person.of(store)
        there = late.client.get("/").text
        assert "The study is closed" in there
        assert "Nothing of you was kept" in there
        assert "nough people" not in there
        assert store.begun == 1
        standing = figures(store).people
        assert (standing["under_way"], standing["given_up"]) == (0, 1)
        assert "Question" in half.client.get("/").text  # who had begun goes on
        desk.post("/run", data={"form": key, "close": ""})
        late.begin()
        assert store.begun == 2


def test_the_ways_that_people_went_add_up(tmp_path, capsys):
    quota = ("# [[quotas]]\n",
             '[[quotas]]\nfield = "education"\nvalue = "master"\nmost = 3\n')  # fmt: skip
    study(tmp_path / "s", trials(3), VOLUME, quota)
    with opened(tmp_path / "s") as store:
        ended, half, gone, full = (Person.of(store) for _ in range(4))
        for one in (ended, half, gone, full):
            one.begin()
        ended.all(right)
        gone.client.post("/withdraw", data=form_of(gone.client.get("/withdraw").text))
        counts = figures(store).people
        assert (counts["withdrawn"], counts["full"], counts["complete"]) == (1, 1, 1)
        ways = ("complete", "under_way", "given_up", "screened_out", "full", "withdrawn")
        assert counts["begun"] == 4 == sum(counts[way] for way in ways)
        assert main(["study", "show", str(tmp_path / "s")]) == 0
        away = Person.of(store).client
        form = form_of(away.get("/").text)
        assert away.post("/consent", data={**form, "answer": "no"}).status_code == 200
        capsys.readouterr()
        assert main(["study", "show", str(tmp_path / "s")]) == 0
        told = ("1 did not agree to take part, 4 begun, 1 complete, 1 not finished yet, 1 full, "
                "1 withdrawn")  # fmt: skip
        assert told in " ".join(capsys.readouterr().out.replace(";", ",").split())
        page = " ".join(re.sub("<[^>]+>", " ", at_the_desk(store).get("/").text).split())
        assert "did not agree to take part 1 begun 4" in page
        assert "under way" not in page


def test_the_table_has_what_people_read_where_words_were_changed(tmp_path):
    study(tmp_path / "s", trials(2), VOLUME)
    with opened(tmp_path / "s") as store:
        texts = msgspec.structs.replace(store.study.texts["en"], questions=["answer A1 → first"])
        store.edit_texts({**store.study.texts, "en": texts})
        person = Person.of(store)
        person.begin()
        person.all(
            lambda stem, shown: {"chosen": [0 if "first" not in shown else shown.index("first")]}
        )
        read = list(csv.DictReader(sheet_of(store, list(rows(store))).splitlines()))
        changed = {row["chosen"]: row["shown"] for row in read}
        assert changed["answer A1"] == "first"
        assert all(own == one for one, own in changed.items() if one != "answer A1")


def test_a_lead_is_no_wider_than_the_intervals_of_the_two_allow():
    """Three people and a model that is always right, as in a small study."""
    items = [f"q{n}" for n in range(12)]
    right_ones = {"p0": 12, "p1": 6, "p2": 5}
    scores = {p: {i: float(n < k) for n, i in enumerate(items)} for p, k in right_ones.items()}
    people_scores = PeopleScores(scores, {})
    own = wilson(12, 12)
    model = Examined("m", dict.fromkeys(items, 1.0), dict.fromkeys(items, 1.0), own, own, 0)
    found, theirs = lead(model, [*scores], people_scores), mean_of([*scores], people_scores)
    assert found.low >= own.low - theirs.high
    assert found.high <= own.high - theirs.low
    assert found.low < found.mean < found.high


def test_a_file_of_an_export_that_lacks_its_other_half_says_which(tmp_path, capsys):
    study(tmp_path / "s", trials(2), VOLUME)
    with opened(tmp_path / "s") as store:
        people(store, 1, {})
        file = export(store, tmp_path / "all.jsonl").file
        (tmp_path / "mine.jsonl").write_bytes(file.read_bytes())
    assert main(["study", "export", str(tmp_path / "s"), "--out", str(tmp_path / "a.csv")]) == 0
    for name, told in (("mine.jsonl", "mine.trials.jsonl: is missing"), ("a.csv", "answers.jsonl")):
        assert main(["study", "show", str(tmp_path / name)]) == 2
        assert told in capsys.readouterr().err


def test_a_study_is_served_again_on_its_ports(tmp_path):
    study(tmp_path / "s", trials(2), VOLUME)
    with opened(tmp_path / "s") as store:
        first = _listen_again(store, "port", "127.0.0.1", 0)
        port = first.getsockname()[1]
        other = _listen_again(store, "research_port", "127.0.0.1", 0)
        first.close()
        with _listen_again(store, "port", "127.0.0.1", 0) as again:
            assert again.getsockname()[1] == port
            with _listen_again(store, "port", "127.0.0.1", 0) as taken:  # by somebody else
                assert taken.getsockname()[1] != port
        for flag in ("port", "research_port"):
            with pytest.raises(InputError, match=f"choose another --{flag.replace('_', '-')}$"):
                _listen_again(store, flag, "127.0.0.1", other.getsockname()[1])
        other.close()


def test_a_form_of_an_exam_has_no_rules_on_agreement_and_keeps_the_files(tmp_path):
    study(tmp_path / "s", trials(3), VOLUME, practice=1)
    path = tmp_path / "s/study.toml"
    path.write_text(path.read_text("utf-8").replace("least = 3", "least = 2"), "utf-8")
    with opened(tmp_path / "s") as store:
        desk = at_the_desk(store)
        fields = form_of(desk.get("/design").text)
        assert "annotations.least" not in fields
        assert "annotations.most" in fields
        saved = desk.post("/design", data=fields | {"per_person": "1"}).text
        assert store.declared.annotations.least == 2
        assert "1 question is for practice and in no figure" in saved
        assert "<summary>Quota" in saved  # seldom wanted


RULES = (("# median_seconds = 2.0", "median_seconds = 2.0"),
         ("attention_wrong = 2", "attention_wrong = 1"))  # fmt: skip
NO_RULES = (("attention_wrong = 2", "# attention_wrong = 2"),
            ("gold_right = 0.5", "# gold_right = 0.5"))  # fmt: skip


def with_checks(store):
    """Three people: a careful one, one who fails one of two checks, and one who hurries."""

    def choose(stem, shown, wrong=0, seconds=8):
        asked = re.search("“(.*?)”", stem)
        if not asked:
            return right(stem, shown) | {"active_ms": seconds * 1000}
        missed, wrong_ones[0] = wrong_ones[0] < wrong, wrong_ones[0] + 1
        return {"chosen": [(shown.index(asked[1]) + missed) % 4]}

    for wrong, seconds in ((0, 8), (1, 8), (0, 1)):
        wrong_ones = [0]
        person = Person.of(store)
        person.begin()
        person.all(partial(choose, wrong=wrong, seconds=seconds))


@pytest.mark.parametrize("kind", ["exam", "validate"])
def test_checks_speed_and_declared_rules_stand_beside_each_person(tmp_path, capsys, kind):
    study(tmp_path / "s", trials(5), VOLUME, *RULES, kind=kind, attention=2, gold=1,
          languages=("en",))  # fmt: skip
    with opened(tmp_path / "s") as store:
        with_checks(store)
        checks = Counter(tuple(one.checks["attention"]) for one in figures(store).persons)
        assert checks == {(2, 2): 2, (1, 2): 1}
        desk = at_the_desk(store)
        pages = [
            re.sub("<[^>]+>", " ", desk.get("/").text),
            re.sub("<[^>]+>", " ", desk.get("/", headers={"accept-language": "zh"}).text),
        ]
    assert main(["study", "show", str(tmp_path / "s")]) == 0
    for told in (pages[0], capsys.readouterr().out):
        told = " ".join(told.split())
        assert "set aside is who answers 1 or more attention checks wrong" in told
        assert "needs less than 2 s" in told
        assert (told.count("2 of 2"), told.count("1 of 2")) == (2, 1)
        assert told.count("5 of 5 answers in less than 2 s") == 1
        assert "no rule uses them" not in told
        assert ("right, %" in told) == (kind == "exam")
    assert "5 个回答中有 5 个用时不到 2 秒" in pages[1]


def test_checks_that_no_rule_uses_are_told_before_the_start_and_on_the_page(tmp_path, capsys):
    study(tmp_path / "s", trials(5), VOLUME, *NO_RULES, attention=2, gold=1, languages=("en",))
    with opened(tmp_path / "s") as store:
        assert "exclude.attention_wrong before the first" in at_the_desk(store).get("/").text
        with_checks(store)
        page = at_the_desk(store).get("/").text
        assert page.count("attention checks: 2, and no rule uses them") == 1
        assert page.count("known answer: 1, and no rule uses them") == 1
        assert "before the first" not in page  # it is too late
        assert "declared before answers are seen: none." in page
        assert figures(store).set_aside == {}
        assert "answers in less than" not in page
