"""What people are told of a study, what its researcher is warned of, and the answers as a table."""

import csv
import hashlib
import io
import re
import tomllib

import msgspec
import pandas as pd
import pytest
from test_study_research import at_the_desk

from study_help import Person, choice, heard, opened, reply, review, right, run_of, study, trials
from zhiyin.cli import main
from zhiyin.contract.question_table import personal_columns
from zhiyin.contract.tables import decode
from zhiyin.errors import InputError
from zhiyin.plugins.studies.database import PLACES
from zhiyin.plugins.studies.design import (
    ListeningRule,
    StudyDesign,
    StudyWish,
    fingerprint,
    read_items,
)
from zhiyin.plugins.studies.making import make
from zhiyin.plugins.studies.research_tables import background_table
from zhiyin.plugins.studies.results import figures
from zhiyin.plugins.studies.settings import read_study
from zhiyin.plugins.studies.sheet import SHEET_COLUMNS
from zhiyin.plugins.studies.telling import (
    languages_of,
    lines_of,
    minutes_of,
    omissions,
    translated,
    untranslated,
)
from zhiyin.trial import Option, Trial, say
from zhiyin.words import say as in_words

VOLUME = ("volume = true", "volume = false")
PAGE = "/?language="


def chinese(number):
    options = tuple(Option(x, f"第{x}个答案", x) for x in "AB")
    return Trial(f"t/{number}", (say("user", "哪一个更高？"),), "哪一个更高？", options, "A")


def start(store, language):
    return Person.of(store).client.get(PAGE + language).text


# --- before the questions ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "languages"), [(trials(3), ["en"]), ([chinese(1), chinese(2)], ["zh"])]
)
def test_pages_are_in_the_language_of_the_questions(tmp_path, asked, languages):
    make(asked, tmp_path / "s", StudyWish())
    assert read_study(tmp_path / "s").languages == languages
    with opened(tmp_path / "s") as store:
        assert languages_of(store.items.values()) == languages
        assert not any("pages are offered" in str(one) for one in told(store))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("stem", "own", "language"),
    [("以下哪一句是《茉莉花》？", ("The jasmine of the hills", "Not the rose"), "zh"),
     ("请选择续写片段：\nX:1\nK:C\nCDEF A B c|G2 A B", ("c2 A B|a b a", "A B A|d2"), "zh"),
     ("Dictionary of African and Indian Musicians的作者是谁", ("J. Smith", "A. Doe"), "zh"),
     ("What does 宫 mean in music?", ("宫调式的主音", "一种乐器"), "en"),
     ("Name The Moon (月亮代表我的心).", ("邓丽君", "王菲"), "en"),
     ("X:1\nK:C\nC E G c|", ("大调和弦", "小调和弦"), "zh"),
     ("CEGc – FAcf", ("C", "G"), "zh"), ("CEGc – FAcf", ("C", "G"), "en")],
)  # fmt: skip
def test_the_stem_says_in_which_language_a_question_is(tmp_path, stem, own, language):
    """In a study of a run too, and where the languages of its pages are named."""
    options = tuple(Option(x, text, x) for x, text in zip("AB", own, strict=True))
    odd = Trial("t/odd", (say("user", stem),), stem, options, "A")
    others = [chinese(1), chinese(2)] if language == "zh" else trials(2)
    make([*others, odd], tmp_path / "s", StudyWish())
    assert read_study(tmp_path / "s").languages == [language]
    with opened(tmp_path / "s") as store:
        assert translated(store.study, language, store.items.values()) == "own"
    run = run_of(tmp_path / "run", [reply(each, "A") for each in (*others, odd)])
    make([run], tmp_path / "r", StudyWish(languages=("zh", "en")))
    with opened(tmp_path / "r") as store:
        assert ("not in English" in start(store, "en")) == (language == "zh")
        assert ("题目本身不是中文" in start(store, "zh")) == (language == "en")


def test_questions_in_two_languages_are_said_to_be_partly_in_either(tmp_path):
    make([*trials(2), chinese(3)], tmp_path / "s", StudyWish())
    with opened(tmp_path / "s") as store:
        assert "only partly in English" in start(store, "en")
        assert "题目只有一部分是中文" in start(store, "zh")
        assert untranslated(store.study, "zh", store.items.values())[0] == "Question 1?"
        assert len(untranslated(store.study, "en", store.items.values())) == 3


def test_a_page_says_that_its_questions_are_in_another_language(tmp_path):
    study(tmp_path / "s", trials(3))
    with opened(tmp_path / "s") as store:
        assert "题目本身不是中文" in start(store, "zh")
        assert "not in English" not in start(store, "en")
        assert any("pages are offered in 中文" in str(one) for one in told(store))


@pytest.mark.parametrize(
    ("language", "none", "part"),
    [("zh", "题目本身不是中文", "题目只有一部分是中文"),
     ("de", "nicht auf Deutsch", "nur zum Teil auf"),
     ("en", "not in English", "only partly in English")],
)  # fmt: skip
def test_how_much_of_the_questions_is_translated_is_told_as_it_is(tmp_path, language, none, part):
    """Nothing, one line, and every line; of instructions and examples too."""
    own = [chinese(1)] if language == "en" else trials(1)
    make(own, tmp_path / "made", StudyWish())
    lines = lines_of(read_items(tmp_path / "made").values())
    given = {"none": [], "some": lines[1:2], "all": lines}
    for name, done in given.items():
        folder = tmp_path / name / "s"
        study(folder, own, languages=("zh" if language == "en" else "en", language))
        text = (folder / "study.toml").read_text("utf-8")
        for line in done:
            assert f'"{line} →"' in text
            text = text.replace(f'"{line} →"', f'"{line} → X"')
        (folder / "study.toml").write_text(text, "utf-8")
        with opened(folder) as store:
            page = start(store, language)
            assert (none in page, part in page) == (name == "none", name == "some")


def test_what_a_study_says_in_a_language_by_itself_needs_no_translation(tmp_path):
    wrong = reply(choice(1), "A")
    study(tmp_path / "s", [run_of(tmp_path / "run", [wrong])], kind="annotate")
    with opened(tmp_path / "s") as store:
        items = store.items.values()
        left = {name: untranslated(store.study, name, items) for name in ("en", "zh")}
        assert left["en"] == []
        assert left["zh"][0] == "Question 1?"  # failures are named in Chinese
        assert len(left["zh"]) < len(lines_of(items))
        assert "题目只有一部分是中文" in start(store, "zh")


def told(store):
    return list(omissions(store))


def test_the_researcher_is_told_what_the_texts_leave_out(tmp_path):
    study(tmp_path / "s", trials(3), ('title = "A study of music understanding"', 'title = "Ears"'))
    with opened(tmp_path / "s") as store:
        said = "\n".join(map(str, told(store)))
        assert "contact is empty (en, zh)" in said
        assert "title is still the default in zh" in said
        assert "information is still" not in said  # of no language was it changed
    study(tmp_path / "t", trials(3), ('contact = ""', 'contact = "A. Example"'),
          ('title = "A study of music understanding"', 'title = "Ears"'),
          ('title = "音乐理解研究"', 'title = "听"'), languages=("en", "zh"))  # fmt: skip
    with opened(tmp_path / "t") as store:
        assert [one.name for one in told(store)] == ["study-not-translated"]
        assert "A. Example" in start(store, "zh")


@pytest.mark.slow
def test_information_speaks_of_sound_and_of_the_time_it_takes(tmp_path):
    study(tmp_path / "read", trials(3))
    study(tmp_path / "heard", heard(tmp_path, 3, 2.0))
    for name in ("read", "heard"):
        with opened(tmp_path / name) as store:
            page, items = start(store, "en"), store.items.values()
            assert ("wear headphones" in page) == (name == "heard")
            assert f"about {(before := minutes_of(store.study, items))} minutes" in page
            often = msgspec.structs.replace(store.study, listening=ListeningRule(least=40))
            # Three sounds of 2 s, 39 times more: 234 s.
            assert minutes_of(often, items) - before in ((3, 4) if name == "heard" else (0,))
            one = msgspec.structs.replace(often, per_person=1)
            assert (minutes_of(one, items) < minutes_of(often, items)) == (name == "heard")


@pytest.mark.slow
def test_the_volume_is_heard_before_it_is_set(tmp_path):
    study(tmp_path / "read", trials(2))
    with opened(tmp_path / "read") as store:
        assert 'data-page="question"' in Person.of(store).begin().text  # there is nothing to hear
        assert not store.study.checks.volume
    study(tmp_path / "s", heard(tmp_path, 2, 0.2))
    with opened(tmp_path / "s") as store:
        assert 'data-page="question"' in Person.of(store).begin().text
        other = Person.of(store)
        hidden = dict(re.findall(r'name="(\w+)" value="([^"]*)"', other.client.get(PAGE).text))
        ticks = {f"consent-{n}": "yes" for n in range(4)}
        other.client.post("/consent", data={**hidden, **ticks, "answer": "agree"})
        other.step("about", education="other", music_major="no", music_background="no")
        refused = other.step("volume")
        assert refused.status_code == 400
        assert "listen to each sound" in refused.text
        assert 'data-page="volume"' in other.client.get("/go").text
        assert 'data-page="question"' in other.step("volume", heard="1").text


@pytest.mark.slow
def test_what_is_to_be_heard_is_said_before_and_practice_has_an_end(tmp_path):
    study(tmp_path / "s", heard(tmp_path, 3, 0.2), VOLUME, practice=1)
    study(tmp_path / "free", heard(tmp_path, 2, 0.2), VOLUME, ("least = 1\n", "least = 0\n"))
    study(tmp_path / "read", trials(2), VOLUME)
    rule = "has to be heard to its end before you can answer"
    with opened(tmp_path / "s") as store:
        person = Person.of(store)
        person.begin()
        page = person.look()
        assert rule in page
        assert "This is practice: it does not count." in page
        assert "Now it begins" not in page
        person.answer(chosen=[0], listens=[1])
        assert "Now it begins" in person.look()
        person.answer(chosen=[0], listens=[1])
        assert "Now it begins" not in person.look()
    for name in ("free", "read"):
        with opened(tmp_path / name) as store:
            person = Person.of(store)
            person.begin()
            assert rule not in person.look()
            assert "Now it begins" not in person.look()


@pytest.mark.slow
def test_the_end_has_a_code_only_where_somebody_wants_one(tmp_path):
    make(trials(1), tmp_path / "s", StudyWish())
    study(tmp_path / "t", trials(1), VOLUME)
    for name, code in (("s", False), ("t", True)):
        with opened(tmp_path / name) as store:
            person = Person.of(store)
            person.begin()
            person.all(right)
            page = person.client.get("/go").text
            assert ("Your code" in page) == code
            assert "You may close this page." in page
            assert "compared with people" in page  # the debriefing


def test_age_and_hearing_are_asked_where_the_study_says_so(tmp_path):
    fields = ('["education", "music_major", "music_background"]', '["age", "hearing"]')
    study(tmp_path / "s", trials(2), VOLUME, fields)
    with opened(tmp_path / "s") as store:
        person = Person.of(store)
        assert "This did not work" not in person.begin({"age": "25_34", "hearing": "loss"}).text
        person.all(right)
        [[_, *lines]] = [list(csv.reader(io.StringIO(sheet(store))))]
        at = {name: place for place, name in enumerate(SHEET_COLUMNS)}
        assert {(line[at["age"]], line[at["hearing"]]) for line in lines} == {("25_34", "loss")}
        assert {line[at["education"]] for line in lines} == {""}


@pytest.mark.slow
def test_lessons_and_instrument_are_asked_and_exported(tmp_path):
    fields = ('["education", "music_major", "music_background"]', '["lessons_years", "instrument"]')
    study(tmp_path / "s", trials(2), VOLUME, fields)
    with opened(tmp_path / "s") as store:
        person = Person.of(store)
        page = person.begin({"lessons_years": "years_6_9", "instrument": "plucked"}).text
        assert "This did not work" not in page
        person.all(right)
        lines = list(csv.DictReader(io.StringIO(sheet(store))))
        said_so = {(line["lessons_years"], line["instrument"]) for line in lines}
        assert said_so == {("years_6_9", "plucked")}
        assert {line["right_letter"] for line in lines} == {"B"}
        table = background_table(figures(store))
        text = "\n".join(in_words(cell, "zh") for row in table.rows for cell in row.cells)
        assert text == "学习音乐年数\n6–9 年：1 人\n主要乐器\n弹拨：1 人"


def test_examples_of_a_file_are_in_words_that_people_can_use(tmp_path, capsys):
    """No form of reply, no letter without its option; `--shots` is a flag of `study make`."""
    (tmp_path / "q.csv").write_text(
        "id,question,A,B,answer,example\nq1,Higher?,first,second,B,\nq2,Lower?,one,two,A,yes\n"
    )
    words = ["study", "make", "--from", str(tmp_path / "q.csv"), "--shots", "1"]
    assert main([*words, "--out", str(tmp_path / "s")]) == 0
    (item,) = read_items(tmp_path / "s").values()
    assert [(one.question, one.answer) for one in item.examples] == [
        ("Lower?\n\none\ntwo\n\nExactly one of these options is right.", "one")
    ]
    assert "Answer:" in item.trial.messages[0].text  # what models are asked stays as it is


def test_a_study_begun_before_there_was_a_setting_goes_on(tmp_path):
    make(trials(2), tmp_path / "s", StudyWish())
    data = tomllib.loads((tmp_path / "s" / "study.toml").read_text("utf-8"))
    del data["texts"]["en"]["debriefing"]
    before = msgspec.convert(data, StudyDesign)
    built = msgspec.to_builtins(before) | {"format": 1}
    del built["texts"]["en"]["debriefing"], built["annotations"]["wanted"]
    del built["given_up_hours"], built["texts"]["en"]["questions"]
    del built["texts"]["en"]["pole_low"], built["texts"]["en"]["pole_high"]
    del built["exclude"]["reference_below"], built["exclude"]["reference_share"]
    digest = hashlib.sha256(msgspec.json.encode(built, order="sorted")).hexdigest()
    assert fingerprint(before) == digest
    assert fingerprint(read_study(tmp_path / "s")) != digest


# --- for an ethics board --------------------------------------------------------------------------


def test_words_of_sound_stand_where_there_is_sound(tmp_path, capsys):
    study(tmp_path / "heard", heard(tmp_path, 2, 0.5), ("volume = true", "volume = false"))
    study(tmp_path / "read", trials(2))
    for name in ("heard", "read"):
        with opened(tmp_path / name) as store:
            person = Person.of(store)
            person.begin()
            asked = person.look()
            with store.write() as connection:
                connection.execute(PLACES.update().values(given=PLACES.c.given - 60))
            sent = {"chosen": [0], "listens": [1]} if name == "heard" else {"chosen": [0]}
            assert person.answer(**sent, after_ms=2000).json()["state"] == "saved"
            page = at_the_desk(store).get("/").text
        assert main(["study", "show", str(tmp_path / name)]) == 0
        shown = " ".join(capsys.readouterr().out.split())
        assert main(["study", "ethics", str(tmp_path / name), "--out", str(tmp_path / "b.md")]) == 0
        board = (tmp_path / "b.md").read_text("utf-8")
        sound = name == "heard"
        for text, words in (
            (asked, "space plays"), (page, "median s after the sound"), (page, "with its sound"),
            (shown, "after the sound"), (board, "each sound was heard"), (board, "their sounds"),
        ):  # fmt: skip
            assert (words in text) == sound, words
        assert "median s" in page


def test_the_text_for_a_board_says_what_a_board_asks(tmp_path, capsys):
    study(tmp_path / "s", heard(tmp_path, 3, 0.5), ("least = 1\n", "least = 2\n"), attention=1)
    assert main(["study", "ethics", str(tmp_path / "s"), "--out", str(tmp_path / "b.md")]) == 0
    assert "contact is empty" in capsys.readouterr().err
    text = (tmp_path / "b.md").read_text("utf-8")
    for part in ("NOT STATED YET", "Duration: about 3 minutes", "Attention checks: 1",
                 "listening at a volume", "heard to its end 2 times", "注意力检查题：1 题",
                 "时长：约 3 分钟", "how long the data are kept"):  # fmt: skip
        assert part in text, part
    assert "Practice questions" not in text
    assert "{minutes}" not in text
    assert not re.search(
        r"[a-z]_[a-z]|(?<!\w)(true|false|None)(?!\w)|\[texts", text
    )  # no variables


def test_the_text_for_a_board_says_how_people_are_lost(tmp_path):
    asked = """tries = 2
[[checks.comprehension]]
right = 1
text = {en = "What do you hear?", zh = "听什么？"}
options = {en = ["Chords", "Words"], zh = ["和弦", "词"]}
[[quotas]]
field = "music_major"
value = "yes"
most = 7
"""
    study(tmp_path / "s", trials(3), ("tries = 2\n", asked), ("# most = 5", "most = 4"),
          ('headphones = "none"', 'headphones = "huggins"'))  # fmt: skip
    assert main(["study", "ethics", str(tmp_path / "s"), "--out", str(tmp_path / "b.md")]) == 0
    text = (tmp_path / "b.md").read_text("utf-8")
    for part in ("- What do you hear? (Chords; Words)", "- 听什么？ (和弦; 词)",
                 "who does not in 2 tries is screened out", "2 次未答对者被筛除",
                 "answer “yes” to “", "7 take part at most", "A headphone check is made and kept",
                 "given to nobody any more after 4 answers; who comes"):  # fmt: skip
        assert part in text, part


# --- before it is served --------------------------------------------------------------------------


@pytest.mark.slow
def test_a_new_study_is_looked_at_for_twins_and_personal_data(tmp_path, capsys):
    head = "id,question,option_a,option_b,option_c,answer"
    (tmp_path / "twins.csv").write_text(
        f"{head},phone,composer\nq1,Larger?,a third,a fifth,A  third.,B,+49 30 1234567,Bach\n"
        "q2,Larger?,a third,a fifth,a sixth,B,+49 30 1234568,Bach\n"
    )
    (tmp_path / "fine.csv").write_text(f"{head},composer\nq1,Larger?,a third,a fifth,one,B,Bach\n")
    notes = {}
    for name in ("twins", "fine"):
        out = str(tmp_path / name)
        assert main(["study", "make", "--from", f"{out}.csv", "--out", out]) == 0
        notes[name] = [x for x in capsys.readouterr().out.splitlines() if "note:" in x]
        assert main(["run", f"{out}.csv", "-m", "first", "--out", f"{out}-run"]) == 0
        remarked = "look like facts of people" in capsys.readouterr().out
        assert remarked == (name == "twins")
    assert notes["fine"] == []
    assert len(notes["twins"]) == 2
    assert "two options that are the same (q1)" in notes["twins"][0]
    assert notes["twins"][1].endswith(": phone")


@pytest.mark.parametrize(
    ("column", "cells", "found"),
    [
        ("E-Mail", ["?", "-"], True), ("contact_mobile", [""], False), ("手机号", ["x"], True),
        ("made", ["a@b.org", "c@d.com", ""], True), ("call", ["030/123 45 67 8", "x"], False),
        ("call", ["+44 20 7946 0958", "(030) 1234567-8"], True), ("n", ["13812345678"], True),
        ("date", ["2020-01-05", "1999-12-31"], False), ("frames", ["1234567890"], False),
        ("seconds", [12.5, 3.25], False), ("name", ["Für Elise"], False),
        ("share", ["0.123456789"], False), ("mailing list", ["no"], False),
        ("transcription", ["51 55 61 67 70", "48 52 55 67 70 72"], False),
        ("call", ["01 23 45 67 89", "+33 1 23 45 67 89"], True),
    ],
)  # fmt: skip
def test_columns_that_look_like_facts_of_people(column, cells, found):
    assert personal_columns({column: cell} for cell in cells) == ([column] if found else [])


@pytest.mark.parametrize(
    ("text", "encoding", "first"),
    [("Wie heißt das höhere? Fünf", "cp1252", "CP1252"), ("哪一个更高？第一个", "gbk", "GBK"),
     ("La réponse à côté", "cp1252", "CP1252"), ("音程A：纯五度", "gbk", "GBK")],
)  # fmt: skip
def test_other_encodings_are_named_the_likelier_one_first(tmp_path, text, encoding, first):
    with pytest.raises(InputError) as refused:
        decode(tmp_path / "q.csv", f"id,question\n1,{text}\n".encode(encoding))
    names = re.findall(r"iconv -f (\w+)", str(refused.value))
    assert names[0] == first
    assert sorted(names) == ["CP1252", "GBK"]


# --- answers as a table ---------------------------------------------------------------------------


def sheet(store):
    from zhiyin.plugins.studies.results import rows
    from zhiyin.plugins.studies.sheet import sheet_of

    return sheet_of(store, list(rows(store)))


@pytest.mark.slow
def test_answers_as_one_flat_table(tmp_path, capsys):
    """As R's read.csv reads it: a head, "" for what is missing, TRUE and FALSE."""
    study(tmp_path / "s", trials(4), VOLUME,
          attention=1, practice=1)  # fmt: skip
    numbers = []
    with opened(tmp_path / "s") as store:
        for who in range(2):
            person = Person.of(store)
            person.begin()

            def choose(stem, shown, who=who):
                if "reading" in stem:
                    word = re.search("“(.*?)”", stem)[1]
                    return {"chosen": [(shown.index(word) + who) % 4]}
                return {**right(stem, shown), "after_ms": 700}

            while page := person.look():
                stem = re.search(r'class="stem">(.*?)</h1>', page, re.S)[1]
                shown = re.findall(r'name="chosen".*?class="text">(.*?)</span>', page)
                number = re.search(r"<span>Question (\d+) of 4</span>", page)
                numbers += [(stem, int(number[1]))] if number else []
                person.answer(**choose(stem, shown))
        excluded = figures(store).excluded
    out = tmp_path / "e.csv"
    assert main(["study", "export", str(tmp_path / "s"), "--out", str(out)]) == 0
    capsys.readouterr()
    raw = out.read_bytes()
    assert raw.startswith(b"person,language,education")
    assert str(tmp_path).encode() not in raw
    table = pd.read_csv(out, true_values=["TRUE"], false_values=["FALSE"])
    assert len(table) == 2 * 5
    assert list(table) == list(SHEET_COLUMNS)
    documented = pd.read_csv(tmp_path / "e.codebook.csv")
    assert set(table) <= set(documented["column"])
    assert table["excluded"].dtype == table["right"].dtype == bool
    assert set(table.loc[table["excluded"], "person"]) == set(excluded)
    assert set(table.loc[table["excluded"], "excluded_by"]) == {"attention_wrong"}
    assert sorted(table["role"].value_counts().items()) == [
        ("attention", 2), ("plain", 6), ("practice", 2)]  # fmt: skip
    plain = table[table["role"] == "plain"]
    assert (plain["letter"] == "B").all()
    assert (plain["chosen"] == "answer B" + plain["question"].str[-1]).all()
    assert (plain["seconds_after_sound"] == 0.7).all()
    assert (plain["seconds"] == 3.0).all()
    assert plain["place_chosen"].between(1, 4).all()
    assert table.loc[table["role"] == "practice", "position"].isna().all()  # as its page: no number
    assert [*table.groupby("person", sort=False)["position"].apply(list).explode().dropna()] == (
        [1, 2, 3, 4] * 2
    )
    read = [("t/" + re.search(r"\d", stem)[0], n) for stem, n in numbers if "reading" not in stem]
    assert [*zip(*(table.loc[table["role"] == "plain", name] for name in ("question", "position")),
                 strict=True)] == read  # fmt: skip
    assert main(["study", "show", str(tmp_path / "s")]) == 0
    assert "excluded, attention checks wrong: 1" in capsys.readouterr().out


@pytest.mark.slow
def test_grades_have_a_column_each_and_a_free_answer_is_no_formula(tmp_path):
    written = [reply(review(n), f"Song {n} is calm.") for n in (1, 2)]
    study(tmp_path / "s", [run_of(tmp_path / "run", written)], VOLUME, kind="rate")
    study(tmp_path / "free", [Trial("t", (say("user", "Which?"),), "Which?")], VOLUME)
    with opened(tmp_path / "s") as store:
        person = Person.of(store)
        person.begin()
        person.look()
        person.answer(grades=[4, 7, 10])
        [line] = csv.DictReader(io.StringIO(sheet(store)))
        grades = ("grade_completeness", "grade_precision", "grade_novelty")
        assert [line[name] for name in grades] == ["4", "7", "10"]
        assert line["right"] == ""
    with opened(tmp_path / "free") as store:
        person = Person.of(store)
        person.begin()
        person.look()
        person.answer(text="=1+1")
        [line] = csv.DictReader(io.StringIO(sheet(store)))
        assert line["free_text"] == "'=1+1"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sent", "out"),
    [({"active_ms": 3000, "after_ms": 200}, True), ({"active_ms": 3000, "after_ms": 900}, False),
     ({"active_ms": 2200}, True), ({"active_ms": 3000}, False)],
)  # fmt: skip
def test_who_hurries_is_known_by_the_time_after_the_sound(tmp_path, monkeypatch, sent, out):
    """Sounds of two seconds: nobody can answer in less. An old browser says no time after it."""
    monkeypatch.setattr("zhiyin.plugins.studies.people._SLACK_S", 10.0)
    study(tmp_path / "s", heard(tmp_path, 2, 2.0), VOLUME,
          ("# median_seconds = 2.0", "median_seconds = 0.5"))  # fmt: skip
    with opened(tmp_path / "s") as store:
        person = Person.of(store)
        person.begin()
        for _ in range(2):
            person.look()
            assert person.answer(chosen=[0], listens=[1], **sent).json()["state"] == "saved"
        assert list(figures(store).excluded.values()) == ([["median_seconds"]] if out else [])


@pytest.mark.slow
def test_questions_on_one_recording_are_left_out_together(tmp_path):
    """The interval of agreement, by questions and by recordings of two questions each."""
    found = []
    for name, cluster in (("each", lambda n: None), ("two", lambda n: f"r{n // 2}")):
        asked = [msgspec.structs.replace(choice(n), cluster=cluster(n)) for n in range(8)]
        study(tmp_path / name, asked, VOLUME)
        with opened(tmp_path / name) as store:
            for who in range(3):
                person = Person.of(store)
                person.begin()

                def choose(stem, shown, who=who):
                    letter = "ABC"[int(stem[9]) // 2 * who % 3]
                    return {"chosen": [shown.index(f"answer {letter}{stem[9]}")]}

                person.all(choose)
            alpha = figures(store).alphas["choices"]
            assert (alpha.people, alpha.questions, alpha.answers) == (3, 8, 24)
            found.append((alpha.alpha, alpha.clusters, alpha.high - alpha.low))
    assert found[0][0] == found[1][0]
    assert [one[1] for one in found] == [8, 4]
    assert found[1][2] > found[0][2]
