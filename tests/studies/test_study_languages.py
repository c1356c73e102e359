"""Languages of participants' pages: German, those of a researcher, and what is said to people."""

import csv
import re
from pathlib import Path

import pytest
import sqlalchemy as sa
from test_study_research import VOLUME, at_the_desk

from study_help import (
    Person,
    choice,
    form_of,
    heard,
    opened,
    reply,
    review,
    right,
    run_of,
    study,
    trials,
)
from zhiyin.cli import main
from zhiyin.errors import InputError
from zhiyin.plugins.studies.database import PEOPLE
from zhiyin.plugins.studies.design import StudyWish, read_items
from zhiyin.plugins.studies.examples import instruction_of, stem_of
from zhiyin.plugins.studies.languages import (
    ASKED,
    built_in_words,
    faults_of_words,
    read_words,
    source_of,
)
from zhiyin.plugins.studies.making import make
from zhiyin.plugins.studies.preview import StudyPreview
from zhiyin.plugins.studies.results import export, figures, rows
from zhiyin.plugins.studies.settings import read_study
from zhiyin.plugins.studies.sheet import sheet_of
from zhiyin.plugins.studies.telling import languages_of, lines_of, omissions
from zhiyin.report.methods import methods_paragraph
from zhiyin.trial import Option, Trial, say
from zhiyin.words import say as in_words

ENGLISH = re.compile(r"\b(the|your|you|please|and|answer|question|thank)\b", re.IGNORECASE)


def german(number):
    options = tuple(Option(x, f"die {x}", x) for x in ("Terz", "Quinte"))
    return Trial(f"t/{number}", (say("user", "Welche ist höher?"),), "Welche ist höher?", options,
                 "Terz")  # fmt: skip


def shown(page):
    """What a page of participants says, markup and the researcher's bar left out."""
    inside = page[page.index("<header") :]
    attributes = re.findall(r'(?:aria-label|alt|data-[a-z-]+)="([^"]*[^\W\d][^"]*)"', inside)
    return re.sub(r"<[^>]+>", " ", inside), " ".join(attributes)


@pytest.mark.parametrize("language", [*built_in_words()])
def test_each_language_has_every_word_and_every_place(language):
    words = built_in_words()[language]
    assert [str(one) for one in faults_of_words(words, "fr")] == []
    assert words.keys() == built_in_words()["en"].keys()
    same = [name for name, text in words.items() if text == built_in_words()["en"][name]]
    allowed = {"text", "text_left", "text_right", "bachelor"}
    assert language == "en" or {*same} <= allowed


def test_german_is_said_to_sie():
    told = " ".join(built_in_words()["de"].values())
    assert not re.search(r"\b(du|dein|deine[mnrs]?|dich|dir)\b", told, re.IGNORECASE)
    assert "Sie" in told


def test_every_page_is_german_to_its_last_label(tmp_path):
    """Of every page: nothing is English but the researcher's bar, which is cut off."""
    edits = (('headphones = "none"', 'headphones = "woods"'),)
    study(tmp_path / "s", heard(tmp_path, 4, 0.2), *edits, languages=("de",), practice=1,
          attention=1)  # fmt: skip
    with opened(tmp_path / "s") as store:
        preview = StudyPreview(store)
        for number in range(1, preview.pages + 1):
            text, labels = shown(preview.page(number, "de"))
            text = re.sub(r"Question \d\?|answer [A-D]\d", "", text)  # the data's own
            assert not ENGLISH.search(text), (number, text)
            assert not ENGLISH.search(re.sub(r"/\S+", "", labels)), (number, labels)
        attention = preview.page(preview.number_of("attention-1"), "de")
        assert "Diese Frage zeigt, dass Sie lesen" in attention
        assert "Norden" in attention


def test_questions_in_german_have_german_pages(tmp_path):
    make([german(1), german(2)], tmp_path / "s", StudyWish())
    assert read_study(tmp_path / "s").languages == ["de"]
    assert languages_of(read_items(tmp_path / "s").values()) == ["de"]
    with opened(tmp_path / "s") as store:
        page = Person.of(store).client.get("/").text
        assert "Ihre Einwilligung" in page
        assert " auf Deutsch" not in page
        assert not [one for one in omissions(store) if one.name == "study-not-translated"]


COMPREHENSION = (
    "tries = 2\n", """tries = 2
[[checks.comprehension]]
right = 1
text = {de = "Welche Aufgabe?", en = "Which task?", zh = "任务？"}
options = {de = ["Hören", "Sehen"], en = ["Hear", "See"], zh = ["听", "看"]}
"""
)  # fmt: skip


def spoken(page, language):
    """A page's language, the switch's, the form's, and that of its words are one."""
    assert f'<html lang="{language}">' in page
    assert re.findall(r'hreflang="(\w+)" aria-current', page) in ([], [language])
    assert set(re.findall(r'name="language" value="(\w*)"', page)) <= {language}
    asked = {"de": "Welche Aufgabe?", "en": "Which task?", "zh": "任务？"}
    told = [one for one, words in asked.items() if words in page]
    assert told == ([language] if 'data-page="comprehension"' in page else [])
    return page


@pytest.mark.parametrize("languages", [("de", "en"), ("zh", "en", "de"), ("en", "de")])
@pytest.mark.parametrize(
    ("header", "query"), [("de", ""), ("de-AT,en;q=0.5", ""), ("en", "?language=de")]
)
def test_who_reads_in_german_consents_in_german_and_goes_on_in_it(
    tmp_path, languages, header, query
):
    """Of each page from the consent to the withdrawal, and of what is kept."""
    study(tmp_path / "s", trials(2), COMPREHENSION, languages=languages)
    with opened(tmp_path / "s") as store:
        person = Person.of(store)
        client = person.client
        client.headers["accept-language"] = header
        page = spoken(client.get(f"/{query}").text, "de")
        sent = form_of(page) | {f"consent-{n}": "yes" for n in range(9)}
        spoken(client.post("/consent", data={**sent, "answer": "agree"}).text, "de")
        with store.read() as connection:
            assert connection.execute(sa.select(PEOPLE.c.language)).scalars().all() == ["de"]
        # The browser says something else from now on: a person's language is what they read.
        client.headers["accept-language"] = "en"
        about = {"education": "master", "music_major": "no", "music_background": "yes"}
        for step, answers in [("about", about), ("comprehension", {"understood-0": "0"})]:
            page = spoken(client.get("/go").text, "de")
            assert f'data-page="{step}"' in page
            spoken(person.step(step, **answers).text, "de")
        page = spoken(person.step("comprehension", **{"understood-0": "1"}).text, "de")
        here = client.post("/step/comprehension", data={"form": "stale"})
        assert here.status_code == 403
        for one in (page, client.get("/").text, client.get("/withdraw").text, here.text,
                    client.get("/nowhere").text, client.get("/s/nobody").text):  # fmt: skip
            spoken(one, "de")
        other = spoken(client.get("/go?language=en").text, "en")
        assert other != page
        spoken(client.get("/go").text, "en")
        client.get("/go?language=de")
        assert person.all(lambda *_: {"chosen": [0]}) == 2
        spoken(client.get("/go").text, "de")
    with opened(tmp_path / "s") as store:
        written = export(store, tmp_path / "answers.jsonl").file.read_text("utf-8")
        assert set(re.findall(r'"language":"(\w+)"', written)) == {"de"}


def test_the_preview_asks_in_the_language_of_its_page(tmp_path):
    study(tmp_path / "s", trials(2), COMPREHENSION, languages=("en", "de"))
    with opened(tmp_path / "s") as store:
        preview = StudyPreview(store)
        for language in ("en", "de"):
            pages = [spoken(preview.page(n, language), language)
                     for n in range(1, preview.pages + 1)]  # fmt: skip
            assert any('data-page="comprehension"' in page for page in pages)


def test_a_language_that_is_not_there_is_told_before_anything_is_made(tmp_path, capsys):
    table = tmp_path / "q.csv"
    table.write_text("id,question,A,B,answer\n1,Higher?,one,two,A\n", "utf-8")
    asked = ["study", "make", "--from", str(table), "--out", str(tmp_path / "s")]
    assert main([*asked, "--languages", "de,fr"]) == 2
    told = capsys.readouterr().err
    assert "no words in fr (they have en, zh, de)" in " ".join(told.split())
    assert "--words fr.ftl" in told
    assert not (tmp_path / "s").exists()


@pytest.mark.slow
def test_a_researcher_brings_a_language_and_is_told_what_it_lacks(tmp_path, capsys):
    table, theirs = tmp_path / "q.csv", tmp_path / "fr.ftl"
    table.write_text("id,question,A,B,answer\n1,Higher?,one,two,A\n2,Lower?,one,two,A\n", "utf-8")
    assert main(["study", "words", "en"]) == 0
    text = capsys.readouterr().out
    text = text.replace("language_itself = English", "language_itself = Français")
    text = text.replace("word_north = north", "word_north = nord").replace("Your consent", "Accord")
    theirs.write_text(text, "utf-8")
    assert main(["study", "words", str(theirs)]) == 0
    assert "no word lacks a translation" in capsys.readouterr().out
    theirs.write_text(re.sub(r"^agree = .*\n", "", text, flags=re.M), "utf-8")
    assert main(["study", "words", str(theirs)]) == 1
    assert "1 of 216 words lacks a translation" in capsys.readouterr().out
    words = ["study", "make", "--from", str(table), "--words", str(theirs), "--attention", "1"]
    assert main([*words, "--out", str(tmp_path / "s")]) == 0
    assert "lacks a translation, and stands in English: agree" in capsys.readouterr().out
    assert read_study(tmp_path / "s").languages == ["fr", "en"]
    with opened(tmp_path / "s") as store:
        page = Person.of(store).client.get("/").text
        assert "Accord" in page
        assert "I agree and begin" in page
        assert ">Français</a>" in page
        preview = StudyPreview(store)
        assert ">nord<" in preview.page(preview.number_of("attention-1"), "fr")
        desk = at_the_desk(store)
        assert "words in language-fr.ftl: 1 of 216 words lacks" in desk.get("/").text
        assert "(Français)" in desk.get("/design").text


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("fr.ftl", "agree = {$word", "not in Fluent"),
        ("fr.ftl", "agree = { $words }", "names words, which nothing fills in"),
        ("fr.ftl", "agree = A\nagree = B", "two messages agree"),
        ("fr.ftl", "accord = A", "holds no words of the pages"),
        ("mes mots.ftl", "agree = A", "call the file after its language"),
        ("fr.txt", "agree = A", "call the file after its language"),
    ],
)
def test_a_file_of_words_that_cannot_be_meant_is_one_line(tmp_path, capsys, name, text, why):
    (tmp_path / name).write_text(text, "utf-8")
    assert main(["study", "words", str(tmp_path / name)]) == 2
    told = capsys.readouterr().err
    assert why in " ".join(told.split())
    assert name in told
    with pytest.raises(InputError):
        make(trials(2), tmp_path / "s", StudyWish(words=(str(tmp_path / name),)))
    assert not (tmp_path / "s").exists()


def test_a_word_without_its_place_and_an_unknown_word_are_told(tmp_path):
    path = tmp_path / "fr.ftl"
    text = source_of("en").replace("{ $n } times", "several times") + "agre = A\n"
    path.write_text(text, "utf-8")
    told = sorted(in_words(one) for one in faults_of_words(read_words(path), "fr"))
    assert [one.partition(":")[0] for one in told] == [
        *("agre is none of the words", "listen_most lacks { $n }", "listen_times lacks { $n }"),
    ]  # fmt: skip
    assert "agree" in told[0]


def test_a_language_is_added_in_the_browser(tmp_path):
    study(tmp_path / "s", trials(3), languages=("en",))
    with opened(tmp_path / "s") as store:
        desk = at_the_desk(store)
        fields = form_of(desk.get("/design").text)
        got = desk.post("/design", data=fields | {"languages": "de\nen"})
        assert got.status_code == 200
        assert store.study.texts["de"].title == "Eine Studie zum Musikverständnis"
        assert "Deutsch" in got.text
        person = Person.of(store)
        assert "Ich stimme zu" in person.client.get("/?language=de").text


# --- what is said to models alone -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("You are a helpful music assistant. You will hear a chord.", "You will hear a chord."),
        ("You are an expert.\nName the chord.\nAnswer with a letter only.", "Name the chord."),
        ("Name the chord.\n\nReply with exactly one letter.", "Name the chord."),
        ("Listen. Think step by step. Name it.", "Listen. Name it."),
        ("你是一位音乐专家。请听录音。只输出选项字母。", "请听录音。"),
        ("Sie sind ein Assistent. Hören Sie zu. Antworten Sie nur mit dem Buchstaben.",
         "Hören Sie zu."),
        ("X:1\nK:C\nCDEF|\n\nYou are given a score.", "X:1\nK:C\nCDEF|\n\nYou are given a score."),
    ],
)  # fmt: skip
def test_an_instruction_leaves_out_what_speaks_to_a_model(text, told):
    assert instruction_of(Trial("t", (say("system", text), say("user", "Which?")))) == told


@pytest.mark.parametrize(
    ("stem", "told"),
    [
        ("Which is higher? Answer with a letter only.", "Which is higher?"),
        ("哪一个更高？请只回答字母。", "哪一个更高？"),
        ("You are a musician in D dorian. Which note is the third?", None),
        ("Which letter names the third of C?", None),
        ("Give the note that is only in the second bar.", None),
        ("Answer with a letter only.", None),
    ],
)
def test_a_question_leaves_out_how_a_reply_is_written(stem, told):
    one = choice(1, stem=stem)
    assert stem_of(one) == (told or stem)
    free = Trial("t", one.messages, stem)
    assert stem_of(free) == stem  # who writes is told how


@pytest.mark.slow
def test_people_are_told_no_role_of_a_model(tmp_path, capsys):
    sounds = str(tmp_path / "stimuli")
    made = ["stimuli", "make", "--task", "chords", "--n", "4", "--seed", "7", "--out", sounds]
    assert main(made) == 0
    words = ["study", "make", "--from", "perception", "--task", "chords", "--stimuli", sounds]
    assert main([*words, "--sample", "2", "--out", str(tmp_path / "s")]) == 0
    for item in read_items(tmp_path / "s").values():
        assert item.instruction.startswith("In each trial you will hear one short recording")
        assert "You are a specialist" in item.trial.messages[0].text  # a model is told as before
    with opened(tmp_path / "s") as store:
        person = Person.of(store)
        person.begin()
        page = person.look()
        assert "specialist" not in page
        assert "The task</h2>" in page


# --- questions in the words of a page -------------------------------------------------------------


@pytest.mark.slow
def test_questions_and_options_are_translated_in_the_browser(tmp_path):
    asked = [choice(n, stem="Which is higher?") for n in (1, 2)]
    several = choice(3, stem="Which are right?")
    several = type(several)(several.id, several.messages, several.stem, several.options, "K2",
                            groups=("all",), tags={"kind": "several"})  # fmt: skip
    study(tmp_path / "s", [*asked, several], languages=("de",))
    with opened(tmp_path / "s") as store:
        lines = store.study.texts["de"].questions
        assert lines[:2] == ["Which is higher? →", "answer A1 →"]  # there to be filled in
        assert len(lines) == 2 + 3 * 4
        (warned,) = [str(one) for one in omissions(store) if one.name == "study-not-translated"]
        assert "Deutsch, and 14 lines of the questions are not in it (“Which is higher?”" in warned
        desk = at_the_desk(store)
        fields = form_of(desk.get("/design").text)
        name = "texts.de.questions"
        assert fields[name].splitlines() == lines
        wrong = desk.post("/design", data=fields | {name: "Which is higher? = Was?"})
        assert f'id="wrong-{name}"' in wrong.text
        some = fields[name].replace("higher? →", "higher? → Welcher Ton ist höher?")
        assert desk.post("/design", data=fields | {name: some}).status_code == 200
        page = Person.of(store).client.get("/").text
        assert "nur zum Teil auf Deutsch" in page
        whole = re.sub("→$", "→ deutsch", some, flags=re.M)
        assert desk.post("/design", data=fields | {name: whole, "stamp": store.stamp}).status_code
        assert [one for one in omissions(store) if one.name == "study-not-translated"] == []
        astray = whole.replace("answer A1 →", "anser A1 →")
        got = desk.post("/design", data=fields | {name: astray, "stamp": store.stamp}).text
        assert "no question has the line “anser A1”" in got  # it would be shown nowhere
        assert "did you mean answer A1" in got
        assert desk.post("/design", data=fields | {name: whole, "stamp": store.stamp}).status_code
        person = Person.of(store)
        assert " auf Deutsch." not in person.client.get("/").text
        preview = StudyPreview(store)
        page = preview.page(preview.number_of("t/1"), "de")
        assert 'class="stem">Welcher Ton ist höher?</h1>' in page
        assert page.count('class="text">deutsch<') == 4
        assert "Eine oder mehrere Antworten" in preview.page(preview.number_of("t/3"), "de")
        # What was asked stays what the model was asked.
        assert {item.stem for item in store.items.values()} == {
            "Which is higher?", "Which are right?"}  # fmt: skip


def test_lines_of_notation_are_left_as_they_are(tmp_path):
    tune = choice(1, stem="Which key?\nC4 D4\n E4 F4")
    study(tmp_path / "s", [tune], languages=("de",))
    with opened(tmp_path / "s") as store:
        desk = at_the_desk(store)
        fields = form_of(desk.get("/design").text)
        told = {"texts.de.questions": "Which key? → Welche Tonart?"}
        assert desk.post("/design", data=fields | told).status_code == 200
        preview = StudyPreview(store)
        page = preview.page(preview.number_of("t/1"), "de")
        assert "Welche Tonart?\nC4 D4\n E4 F4" in page


def test_many_questions_are_not_laid_out_for_translation(tmp_path):
    study(tmp_path / "s", trials(60), languages=("de", "en"))
    with opened(tmp_path / "s") as store:
        assert store.study.texts["de"].questions == []
        assert store.study.texts["en"].questions == []


@pytest.fixture(scope="module")
def perceived(tmp_path_factory):
    """Lines that people read of the questions of `perception` and `thresholds`, once each."""
    folder, lines = tmp_path_factory.mktemp("perceived"), []
    for cell in ("audio few", "midi zero"):
        modality, shots = cell.split()
        words = ["study", "make", "--from", "perception", "--modality", modality, "--n", "4"]
        out = folder / modality
        assert main([*words, "--shots", shots, "--languages", "en,de,zh", "--out", str(out)]) == 0
        lines.append(out)
    words = ["thresholds", "--procedure", "constant", "-m", "first", "--out", str(folder / "run")]
    assert main(["run", *words]) == 0
    words = ["--from", str(folder / "run"), "--sample", "90", "--as-loud"]
    out = folder / "thresholds"
    assert main(["study", "make", *words, "--languages", "en,de,zh", "--out", str(out)]) == 0
    return [*lines, out]


@pytest.mark.slow
def test_built_in_questions_of_hearing_are_in_every_language_of_the_pages(perceived, capsys):
    asked = set()
    for folder in perceived:
        items = read_items(folder).values()
        asked |= {*lines_of(items)}
        with opened(folder) as store:
            kept = [one.name for one in omissions(store) if one.name == "study-not-translated"]
            assert kept == []
            for item in items:
                page = StudyPreview(store).page(StudyPreview(store).number_of(item.id), "de")
                stem = re.search(r'class="stem">(.*?)</h1>', page, re.S)[1]
                read = [stem, *re.findall(r'class="text">(.*?)</span>', page, re.S)]
                read += re.findall(r'class="said">(.*?)</p>', page, re.S)
                assert read
                assert not [one for one in read if ENGLISH.search(one)], item.id
    english = built_in_words()["en"]
    assert {text for name, text in english.items() if name.startswith(ASKED)} == asked


def test_a_file_of_words_may_leave_out_the_questions_or_bring_all(tmp_path, capsys):
    """Somebody whose questions are their own needs no others; who begins them is told the rest."""
    of_pages = "".join(
        line for line in source_of("en").splitlines(keepends=True) if not line.startswith(ASKED)
    )
    assert [*faults_of_words(read_words(written(tmp_path / "fr.ftl", of_pages)), "fr")] == []
    begun = of_pages + "asked_chords_major = Accord majeur\n"
    (lacks,) = faults_of_words(read_words(written(tmp_path / "fr.ftl", begun)), "fr")
    assert "asked_chords_heard" in in_words(lacks)
    sounds = ["--from", "perception", "--task", "chords", "--n", "4"]
    words = ["study", "make", *sounds, "--words", str(tmp_path / "fr.ftl")]
    assert main([*words, "--languages", "fr", "--out", str(tmp_path / "s")]) == 0
    lines = read_study(tmp_path / "s").texts["fr"].questions
    assert "Major → Accord majeur" in lines
    assert "Minor →" in lines  # in English, and there to be filled in


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_file_of_a_language_of_ours_changes_its_own_lines_and_lacks_none(tmp_path, language):
    path = written(tmp_path / f"{language}.ftl", "pole_low = 1-A\npole_high = 9-Z\n")
    assert [*faults_of_words(read_words(path), language)] == []
    rated = [run_of(tmp_path / "run", [reply(review(1), "A fine song.", "ungraded")])]
    make(rated, tmp_path / "s", StudyWish(kind="rate", languages=(language,), words=(str(path),)))
    with opened(tmp_path / "s") as store:
        assert [one.name for one in omissions(store) if one.name == "study-words-fault"] == []
        (item,) = read_items(tmp_path / "s")
        page = StudyPreview(store).page(StudyPreview(store).number_of(item), language)
    assert "1-A" in page
    assert "9-Z" in page
    assert built_in_words()[language]["send"] in page


def written(path, text):
    path.write_text(text, "utf-8")
    return path


@pytest.mark.parametrize(
    ("own", "read"),
    [
        (["Question 1? → Frage 1?"], " (only part of the questions in that language)"),
        ([], " (questions not"),
    ],
)
def test_how_many_read_the_study_in_which_language_is_said_in_every_place(
    tmp_path, capsys, own, read
):
    exam = written(tmp_path / "exam.csv", "id,question,A,B,answer\n" + "".join(
        f"q{n},Question {n}?,right {n},wrong {n},A\n" for n in range(1, 4)))  # fmt: skip
    assert main(["study", "make", str(exam), "--languages", "en,de",
                 "--out", str(tmp_path / "s")]) == 0  # fmt: skip
    run = str(tmp_path / "run")
    assert main(["run", str(exam), "-m", "first", "--quiet", "--out", run]) == 0
    file = tmp_path / "s" / "study.toml"
    lines = re.findall(r"^questions = .*$", file.read_text("utf-8"), re.M)
    assert lines[0] == "questions = []"  # what is asked is in English
    file.write_text(file.read_text("utf-8").replace(lines[1], f"questions = {own}"), "utf-8")
    with opened(tmp_path / "s") as store:
        for language in ["en"] * 3 + ["de"] * 4:
            person = Person.of(store)
            person.begin()
            person.client.get(f"/go?language={language}")
            person.all(lambda *_: {"chosen": [0]})
        answers = export(store, tmp_path / "answers.jsonl").file
        table = csv.DictReader(sheet_of(store, list(rows(store))).splitlines())
        assert {row["language"] for row in table} == {"en", "de"}
        desk = at_the_desk(store)
        assert f"in these languages: 4 in German{read}" in desk.get("/").text
        assert "German: 4" in desk.get("/").text
        beside = at_the_desk(store, [Path(run)]).get("/beside?by=language").text
        assert "language of the pages: German (4)" in beside
        assert "unsaid" not in beside
    for source in (tmp_path / "s", answers):
        assert main(["study", "show", str(source), "--exam", run, "--by", "language",
                     "--out", str(tmp_path / f"{source.name}-people")]) == 0  # fmt: skip
        shown = " ".join(capsys.readouterr().out.split())
        assert "language of the pages: German 4 " in shown
        assert f"languages: 4 in German{read}" in shown
        assert "3 in English" in shown
        assert "3 in English (" not in shown
    told = methods_paragraph([tmp_path / "s-people" / "language-de"])
    assert f"in these languages: 4 in German{read}" in told
    assert "3 in English" not in told


def test_who_read_questions_in_their_own_language_is_not_counted_by_it(tmp_path, capsys):
    study(tmp_path / "s", trials(2), VOLUME, languages=("en",))
    with opened(tmp_path / "s") as store:
        person = Person.of(store)
        person.begin()
        person.all(right)
        assert figures(store).languages == []
        assert "language" not in figures(store).background
    assert main(["study", "show", str(tmp_path / "s")]) == 0
    assert "language" not in capsys.readouterr().out
