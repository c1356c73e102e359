"""A whole study in the researcher's browser: file, form and checks come of one description."""

import hashlib
import re
import tomllib

import msgspec
import pytest
from test_study_research import VOLUME, at_the_desk, people

from study_help import Person, form_of, heard, opened, reply, review, right, run_of, study, trials
from zhiyin.cli import main
from zhiyin.errors import InputError
from zhiyin.plugins.studies.design import FIELDS, ItemRoles, StudyDesign
from zhiyin.plugins.studies.results import StudyProgress, figures
from zhiyin.plugins.studies.settings import (
    label_of,
    misfits,
    read_form,
    read_study,
    roles_of,
    settings_of,
    study_file,
    study_of,
)
from zhiyin.plugins.studies.store import CLOSED
from zhiyin.words import said, say

EVERYTHING = {
    "languages": "en\nzh\nfr", "per_person": "5", "fields.age": "on", "fields.instrument": "on",
    "annotations.wanted": "7", "annotations.most": "9", "listening.most": "4",
    "checks.headphones": "huggins", "checks.tries": "1", "exclude.same_place": "0.8",
    "exclude.headphones": "on", "end.complete": "Z9", "idle_s": "12.5",
    **{f"checks.comprehension.0.text.{one}": f"What? {one}" for one in ("en", "zh", "fr")},
    **{f"checks.comprehension.0.options.{one}": f"this\n{one}" for one in ("en", "zh", "fr")},
    "checks.comprehension.0.right": "1", "quotas.0.field": "age", "quotas.0.value": "18_24",
    "quotas.0.most": "2", "texts.en.title": 'Ears "and" \\ [models]', "texts.zh.contact": "某大学",
    "items.practice": "1", "items.gold": "2", "items.attention": "1",
}  # fmt: skip


def translated(folder):
    """Words of a third language beside the study."""
    from zhiyin.plugins.studies.languages import words_of

    (folder / "language-fr.json").write_bytes(msgspec.json.encode(words_of("en")))


@pytest.mark.slow
def test_everything_is_edited_in_the_browser_and_stands_in_the_file(tmp_path):
    study(tmp_path / "s", heard(tmp_path, 8, 0.2))
    translated(tmp_path / "s")
    with opened(tmp_path / "s") as store:
        desk = at_the_desk(store)
        fields = form_of(desk.get("/design").text)
        got = desk.post("/design", data=fields | EVERYTHING | {"then": "preview"})
        assert "data-preview" in got.text  # at once
        assert "Ears &#34;and&#34;" in got.text
        design = store.declared
        assert (design.per_person, design.idle_s, design.end.complete) == (5, 12.5, "Z9")
        assert design.fields[-2:] == ["instrument", "age"]
        assert design.languages == ["en", "zh", "fr"]
        assert design.texts["fr"].consent  # a new language has texts to be translated
        assert design.checks.comprehension[0].options["fr"] == ["this", "fr"]
        assert (design.quotas[0].value, design.quotas[0].most) == ("18_24", 2)
        assert (design.exclude.same_place, design.exclude.headphones) == (0.8, True)
        assert design.exclude.gold_right is None
        assert [len(store.of_role[one]) for one in ("practice", "gold", "attention")] == [1, 2, 1]
        assert len(store.items) == 9
        # The form says again what it was told, and the same again changes nothing.
        shown = form_of(desk.get("/design").text)
        assert EVERYTHING.items() <= shown.items()
        before = (tmp_path / "s/study.toml").read_bytes()
        assert desk.post("/design", data=shown).status_code == 200
        assert (tmp_path / "s/study.toml").read_bytes() == before
        person = Person.of(store)
        person.begin({"instrument": "piano", "age": "25_34", "education": "master",
                      "music_major": "no", "music_background": "yes"})  # fmt: skip
        assert 'data-page="headphones"' in person.client.get("/go").text
    with opened(tmp_path / "s") as store:  # served again
        assert store.declared == design
        assert "# Show options in random order" in before.decode()


@pytest.mark.slow
def test_a_decimal_comma_is_one_and_a_quota_has_its_answers_under_their_questions(tmp_path):
    study(tmp_path / "s", trials(4), VOLUME)
    with opened(tmp_path / "s") as store:
        desk = at_the_desk(store)
        page = desk.get("/design").text
        groups = re.findall(r'<optgroup label="([^"]*)">(.*?)</optgroup>', page, re.S)
        assert len(groups) == len(FIELDS)
        asked = dict(zip(FIELDS, (re.findall(r'value="(\w+)"', own) for _, own in groups),
                         strict=True))  # fmt: skip
        assert asked == {field: [*answers] for field, answers in FIELDS.items()}
        fields = form_of(page)
        typed = {"exclude.gold_right": "0,5", "items.gold": "1"}
        assert desk.post("/design", data=fields | typed).status_code == 200
        assert store.declared.exclude.gold_right == 0.5
        assert "--" not in re.search("practice.*", say(said("study-items-few", n=1, known=1)))[0]


def test_the_rule_of_keeping_is_asked_of_a_validation_alone(tmp_path):
    for kind in ("validate", "exam"):
        study(tmp_path / kind, trials(2), ('rule = "any"', 'rule = "each"'), kind=kind)
        with opened(tmp_path / kind) as store:
            desk = at_the_desk(store)
            fields = form_of(desk.get("/design").text)
            assert ("keep.rule" in fields) == (kind == "validate")
            assert desk.post("/design", data=fields | {"idle_s": "11"}).status_code == 200
            assert (store.declared.keep.rule, store.declared.idle_s) == ("each", 11)


def fields_of(kind):
    """Every setting and table of the struct, by the form's own walk."""
    empty = msgspec.to_builtins(kind)
    return {one.name for one in [*settings_of(empty, blank=True), *roles_of({})]}


def test_each_setting_has_its_words_in_both_languages_and_its_line_in_the_file(tmp_path):
    study(tmp_path / "s", trials(2))
    design = read_study(tmp_path / "s")
    names = fields_of(design)
    names |= {name.rpartition(".")[0] for name in names} - {""}
    assert len(names) > 50
    for name in names:
        for language in ("en", "zh"):
            told = say(label_of(name), language)
            assert told != name.replace(".", "-"), name
            assert bool(re.search(r"[\u4e00-\u9fff]", told)) == (language == "zh"), told
    text = study_file(design)
    assert study_of(tomllib.loads(text)) == design
    for one in settings_of(msgspec.to_builtins(design)):
        assert re.search(rf"^(# )?{one.path.rpartition('.')[2]} = ", text, re.M), one.path


@pytest.mark.parametrize(
    ("given", "path", "why"),
    [
        ({"exclude.gold_right": "2"}, "exclude.gold_right", "2 does not fit: give a number from 0"),
        ({"exclude.gold_right": "1,234"}, "exclude.gold_right", "1,234 does not fit"),
        ({"quotas.0.field": "age", "quotas.0.most": "2"}, "quotas.0.value", "is missing"),
        ({"per_person": "2,5"}, "per_person", "2,5 does not fit: give a whole number from 1"),
        ({"checks.comprehension.0.text.en": "What?", "checks.comprehension.0.options.en": "a\nb",
          "checks.comprehension.0.right": "3"}, "checks.comprehension.0.right",
         "say which is right: 1 is the first"),
        ({"idle_s": "soon"}, "idle_s", "soon does not fit: give a number above 0"),
        ({"per_person": "1.5"}, "per_person", "1.5 does not fit: give a whole number from 1"),
        ({"listening.least": "3", "listening.most": "2"}, "listening.most", "below the least"),
        ({"texts.zh.consent": "一"}, "texts.zh.consent", "more statements in one language"),
        ({"texts.en.title": " "}, "texts.en.title", "write a text"),
        ({"languages": "en\nzh\nfr"}, "languages", "pages have no words in fr"),
        ({"languages": "en\nzh\n../x"}, "languages", "is no name of a language"),
        ({"languages": ""}, "languages", "give at least one"),
        ({"scale_file": "../../etc/passwd"}, "scale_file", "itself"),
        ({"exclude.headphones": "on"}, "exclude.headphones", "needs a headphone check"),
        ({"quotas.0.field": "age", "quotas.0.value": "yes", "quotas.0.most": "1"},
         "quotas.0.field", "is not asked"),
        ({"quotas.0.field": "education", "quotas.0.value": "bachelor"}, "quotas.0.most", "missing"),
        ({"checks.comprehension.0.text.en": "What?"}, "checks.comprehension.0.right", "missing"),
        ({"items.gold": "9"}, "items.practice", "of 4 items 4 have a known answer"),
        ({"items.attention": "-1"}, "items.attention", "-1 does not fit"),
        ({"checks.headphones": "ears"}, "checks.headphones", "ears is not known"),
        ({"texts.en.information": "x" * 20_001}, "texts.en.information", "20,000 letters"),
    ],
)  # fmt: skip
def test_what_cannot_be_meant_is_told_beside_its_field_and_nothing_is_saved(
    tmp_path, given, path, why
):
    study(tmp_path / "s", trials(4), VOLUME)
    before = (tmp_path / "s/study.toml").read_bytes(), (tmp_path / "s/items.jsonl").read_bytes()
    with opened(tmp_path / "s") as store:
        desk = at_the_desk(store)
        fields = form_of(desk.get("/design").text)
        got = desk.post("/design", data=fields | given)
        assert got.status_code == 422
        told = re.search(rf'id="wrong-{re.escape(path)}">([^<]*)<', got.text)[1]
        assert why in told
        assert "\n" not in told
        assert f'<li><a href="#wrong-{path}">' in got.text.split("<form")[0]  # leads to the field
        # What was typed is still there.
        shown = form_of(got.text)
        kept = {name: value for name, value in given.items() if name != "checks.headphones"}
        assert {name: value.strip() for name, value in kept.items()}.items() <= shown.items()
    after = (tmp_path / "s/study.toml").read_bytes(), (tmp_path / "s/items.jsonl").read_bytes()
    assert after == before


@pytest.mark.slow
def test_of_two_windows_the_second_is_told(tmp_path):
    study(tmp_path / "s", trials(4), VOLUME)
    with opened(tmp_path / "s") as store:
        desk = at_the_desk(store)
        first, second = (form_of(desk.get("/design").text) for _ in range(2))
        assert desk.post("/design", data=first | {"idle_s": "11"}).status_code == 200
        got = desk.post("/design", data=second | {"idle_s": "22", "per_person": "2"})
        assert got.status_code == 422
        assert "saved since this page was opened" in got.text
        assert store.declared.idle_s == 11
        again = form_of(got.text)
        assert (again["idle_s"], again["per_person"]) == ("22", "2")
        assert desk.post("/design", data=again).status_code == 200
        assert (store.declared.idle_s, store.declared.per_person) == (22, 2)
        # Items alone that changed are a change, too.
        stale = form_of(desk.get("/design").text)
        assert desk.post("/design", data=stale | {"items.practice": "1"}).status_code == 200
        assert desk.post("/design", data=stale).status_code == 422
        # The file itself, by an editor: neither is lost.
        path = tmp_path / "s/study.toml"
        path.write_text(path.read_text("utf-8").replace("seed = 0", "seed = 5"), "utf-8")
        now = form_of(desk.get("/design").text)
        assert "was changed in the folder" in desk.post("/design", data=now).text
        assert "seed = 5" in path.read_text("utf-8")


@pytest.mark.slow
def test_after_the_first_person_texts_alone_can_be_edited(tmp_path):
    study(tmp_path / "s", trials(3), VOLUME)
    with opened(tmp_path / "s") as store:
        desk = at_the_desk(store)
        early = form_of(desk.get("/design").text)
        assert "Nobody has taken part yet" in desk.get("/design").text
        reader = Person.of(store)
        reader.client.get("/?language=en")
        open_page = form_of(reader.client.get("/?language=en").text)
        desk.post("/design", data=early | {"texts.en.title": "Another title"})
        # Nobody consents to what they did not read, be it before the start.
        ticks = dict.fromkeys((f"consent-{n}" for n in range(4)), "yes")
        sent = {**open_page, **ticks, "answer": "agree"}
        assert reader.client.post("/consent", data=sent).status_code == 409
        typing = form_of(desk.get("/design").text)
        Person.of(store).begin()
        got = desk.post("/design", data=typing | {"idle_s": "99", "texts.en.title": "Third"})
        assert got.status_code == 422
        assert "what is asked and excluded is fixed, and nothing was saved" in got.text
        assert form_of(got.text)["texts.en.title"] == "Third"  # what was typed is still there
        assert (store.declared.idle_s, store.study.texts["en"].title) == (30, "Another title")
        page = desk.get("/design").text
        assert "One person has begun. What is asked and excluded is fixed" in page
        left = form_of(page)
        assert {name.split(".")[0] for name in left} == {"form", "stamp", "texts"}
        forged = left | {"idle_s": "99", "items.gold": "1", "texts.en.contact": "A university"}
        assert desk.post("/design", data=forged).status_code == 200
        assert store.declared.idle_s == 30
        assert store.study.texts["en"].contact == "A university"
        assert store.version >= 1
        with pytest.raises(InputError, match="Somebody has taken part"):
            store.edit(store.declared, ItemRoles())


def test_the_page_is_guarded_as_all_are(tmp_path):
    study(tmp_path / "s", trials(2), VOLUME)
    with opened(tmp_path / "s") as store:
        desk = at_the_desk(store)
        fields = form_of(desk.get("/design").text) | {"idle_s": "77"}
        elsewhere = {"sec-fetch-site": "cross-site"}
        assert desk.post("/design", data=fields, headers=elsewhere).status_code == 403
        assert desk.post("/design", data=fields | {"form": "0"}).status_code == 403
        desk.headers["authorization"] = "Bearer another"
        assert "<textarea" not in desk.get("/design").text
        assert desk.post("/design", data=fields).status_code == 403
        assert store.declared.idle_s == 30


@pytest.mark.slow
def test_the_form_leads_there_and_names_the_runs_that_stay(tmp_path):
    runs = [run_of(tmp_path / name, [reply(review(1), "A fine song.", "ungraded")])
            for name in ("one", "two")]  # fmt: skip
    study(tmp_path / "s", runs, VOLUME, kind="rate", pairs=True)
    path = tmp_path / "s/study.toml"
    named = re.findall(r"^# run-\d: .*$", path.read_text("utf-8"), re.M)
    assert len(named) == 2
    with opened(tmp_path / "s") as store:
        desk = at_the_desk(store)
        entered = desk.post("/enter", data={"token": "token-t"})
        assert 'data-page="design"' in entered.text
        assert "/static/research.js" not in entered.text  # it would take the form away
        for page in (entered.text, desk.get("/").text):
            assert re.findall(r"<li><a href=\"([^\"]+)\"", page) == ["/design", "/preview/1", "/"]
        chinese = desk.get("/design", headers={"accept-language": "zh-CN"}).text
        assert "排除哪些人的回答" in chinese
        assert desk.post("/design", data=form_of(entered.text) | {"seed": "4"}).status_code == 200
        assert re.findall(r"^# run-\d: .*$", path.read_text("utf-8"), re.M) == named
        Person.of(store).begin()
        assert 'data-page="research"' in desk.post("/enter", data={"token": "token-t"}).text


def test_a_form_reads_back_what_it_shows(tmp_path):
    """Whatever can stand in a text comes back from file and form as it was."""
    study(tmp_path / "s", trials(2))
    design = read_study(tmp_path / "s")
    texts = msgspec.structs.replace(design.texts["en"], title='"""\\u0041 # {x} = [y]',
                                    contact="tab\there\n\nand 'more' \x7f…")  # fmt: skip
    odd = msgspec.structs.replace(design, texts={**design.texts, "en": texts}, idle_s=1e-05)
    assert study_of(tomllib.loads(study_file(odd))) == odd
    values, roles = read_form({"languages": "en"}, odd)
    assert (values["kind"], roles) == ("exam", {})
    assert list(misfits(settings_of(msgspec.to_builtins(odd)))) == []
    assert isinstance(odd, StudyDesign)


@pytest.mark.slow
def test_the_first_line_says_how_many_of_how_many(tmp_path, capsys):
    study(tmp_path / "s", trials(7), VOLUME, ("# wanted = 20", "wanted = 2"),
          ("# per_person = 40", "per_person = 4"))  # fmt: skip
    with opened(tmp_path / "s") as store:
        desk = at_the_desk(store)
        # Seven questions, two answers each, four a person: 14 / 4.
        nobody = "Nobody has taken part yet: 4 people are needed for 2 answers a question."
        assert nobody in desk.get("/").text
        people(store, 2, {})
        found = figures(store)
        assert found.progress == StudyProgress(2, 2, 8, 0, 2, 4, 14, 2, False)
        assert sum(found.short.values()) + 2 * (7 - len(found.short)) == 8
        page = desk.get("/").text.replace("\N{NO-BREAK SPACE}", " ")
        done = 7 - len(found.short)
        assert f"{done} of 7 questions have the 2 answers wanted; short: " in page
        name, n = min(found.short.items(), key=lambda one: one[1])
        assert f"{name} ({n})" in page
        claim = "2 of 4 people, 8 of 14 answers: 2 more people are needed for 2 answers a question"
        assert claim in page
        assert main(["study", "show", str(tmp_path / "s")]) == 0
        told = " ".join(capsys.readouterr().out.split())
        assert f"{done} of 7 questions have" in told
        assert claim in told.replace("\N{NO-BREAK SPACE}", " ")
        assert desk.get("/figures.json").json()["progress"]["people_lacking"] == 2
        while figures(store).short:
            one = Person.of(store)
            one.begin()
            one.all(right)
        page = desk.get("/").text.replace("\N{NO-BREAK SPACE}", " ")
        found = figures(store).progress
        assert f"{found.people} people, {found.answers} answers: enough, no question lacks" in page
        assert "answers (2 wanted of each); people can still come until the study is closed" in page
        assert "questions have the 2 answers" not in page
        people(store, 1, {})  # more than are wanted
        assert figures(store).progress.answers == found.answers + 4 > 14
        with store.write() as connection:
            store.note(connection, CLOSED, "1")
        page = desk.get("/").text.replace("\N{NO-BREAK SPACE}", " ")
        assert f"{found.people + 1} people, {found.answers + 4} answers: enough" in page
        assert "(2 wanted of each), and the study is closed" in page
        assert "can still come" not in page
        assert main(["study", "show", str(tmp_path / "s")]) == 0
        assert "can still come" not in capsys.readouterr().out
        chinese = desk.get("/", headers={"accept-language": "zh"}).text
        assert "：已足够，没有题目缺少回答（每题需要 2 个），研究已结束" in chinese
    study(tmp_path / "free", trials(2), VOLUME)
    with opened(tmp_path / "free") as store:
        assert "cannot say how many people are needed" in at_the_desk(store).get("/").text
        people(store, 1, {})
        assert figures(store).short == {}
        assert "1 person counts, with 2 answers" in at_the_desk(store).get("/").text


OF_FORMAT_1 = (
    ("format = 2", "format = 1"),
    ("tries = 2\n", "tries = 2\n[[checks.comprehension]]\nright = 1\n"
     "text = { en = 'What?', zh = '?' }\noptions = { en = ['x', 'y'], zh = ['x', 'y'] }\n"),
)  # fmt: skip


def test_a_right_answer_counted_from_0_by_an_earlier_version_is_the_same_one(tmp_path):
    study(tmp_path / "s", trials(2), *OF_FORMAT_1)
    with opened(tmp_path / "s") as store:
        assert (store.declared.format, store.declared.checks.comprehension[0].right) == (2, 2)
        shown = form_of(at_the_desk(store).get("/design").text)
        assert shown["checks.comprehension.0.right"] == "2"
        old = msgspec.to_builtins(store.declared) | {"format": 1}
        old["checks"]["comprehension"][0]["right"] = 1  # what that version hashed
        del old["annotations"]["wanted"], old["given_up_hours"]
        del old["texts"]["en"]["questions"]  # as it is empty
        for own in old["texts"].values():
            del own["pole_low"], own["pole_high"]
        del old["exclude"]["reference_below"], old["exclude"]["reference_share"]
        digest = hashlib.sha256(msgspec.json.encode(old, order="sorted"))
        digest.update(hashlib.sha256((tmp_path / "s/items.jsonl").read_bytes()).digest())
        person = Person.of(store)
        person.begin()
        with store.write() as connection:
            store.note(connection, "design", digest.hexdigest())
        person.step("comprehension", **{"understood-0": "1"})
        assert person.look()
    with opened(tmp_path / "s") as store:  # as it was begun
        assert store.begun == 1


@pytest.mark.parametrize("checks", ["3", "{ comprehension = 3 }", "{ comprehension = [3] }"])
def test_nonsense_of_an_earlier_format_is_refused_in_a_line(tmp_path, checks):
    study(tmp_path / "s", trials(2), OF_FORMAT_1[0])
    path = tmp_path / "s/study.toml"
    head, _, rest = path.read_text("utf-8").partition("[checks]")
    path.write_text(f"checks = {checks}\n{head}[{rest.partition('[')[2]}", "utf-8")
    with pytest.raises(InputError, match=r"^[^\n]*study\.toml: [^\n]+$"):
        read_study(tmp_path / "s")


def test_rows_of_a_file_are_counted_from_1_where_one_is_at_fault(tmp_path):
    quota = '[[quotas]]\nfield = "education"\nvalue = "master"\nmost = 1\n'
    two = f"\n{quota}\n{quota.replace('master', 'baker')}\n[end]"
    study(tmp_path / "s", trials(2), ("\n[end]", two))
    with pytest.raises(InputError, match=r"study\.toml: quotas\.2\.value: "):
        read_study(tmp_path / "s")


def test_the_help_of_making_a_study_has_its_own_flags_and_a_source_needs_no_flag(tmp_path, capsys):
    """Beside the flags of a benchmark, too; a file, a run and a benchmark stand in one place."""
    with pytest.raises(SystemExit):
        main(["study", "make", "--from", "pairs", "--help"])
    told = capsys.readouterr().out
    for flag in ("--kind", "--attention", "--practice", "--languages", "--words", "--seed"):
        assert re.search(rf"^  {flag}\b", told, re.M), flag
    assert "by default runs/" not in told  # a study has no default folder
    assert "--max-tokens" not in told
    asked = tmp_path / "asked.csv"
    asked.write_text("id,question,A,B,answer\nq1,Which?,this,that,A\n", "utf-8")
    assert main(["run", str(asked), "-m", "first", "--out", str(tmp_path / "run")]) == 0
    for source in (asked, tmp_path / "run"):
        for n, words in enumerate((["--from", str(source)], [str(source)])):
            out = tmp_path / f"{source.stem}-{n}"
            assert main(["study", "make", *words, "--attention", "1", "--out", str(out)]) == 0
        first, second = ((tmp_path / f"{source.stem}-{n}/items.jsonl") for n in (0, 1))
        assert first.read_bytes() == second.read_bytes()
