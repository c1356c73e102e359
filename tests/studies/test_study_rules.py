"""Rules that can never do anything, the three states of people, and who always says the same."""

import re

import msgspec
import pytest
import sqlalchemy as sa
from test_study_research import at_the_desk

from study_help import Browser, Person, form_of, opened, right, study, trials
from zhiyin.cli import main
from zhiyin.plugins.people.reading import read_export
from zhiyin.plugins.people.rules import GivenAnswer, sole_choice
from zhiyin.plugins.studies.database import ANSWERS, PEOPLE, PLACES
from zhiyin.plugins.studies.research import ResearchSite
from zhiyin.plugins.studies.results import export, figures, rows
from zhiyin.plugins.studies.telling import omissions

VOLUME = ("volume = true", "volume = false")
ATTENTION = ("# attention_wrong = 2", "attention_wrong = 2")
NEVER = [
    (trials(9), {"attention": 1}, [("attention_wrong = 1", "attention_wrong = 2")],
     "exclude.attention_wrong", "lower the number to 1"),
    (trials(9), {}, [ATTENTION], "exclude.attention_wrong", "there is no attention check"),
    (trials(9), {}, [("# gold_right = 0.5", "gold_right = 0.5")], "exclude.gold_right",
     "no question has"),
    (trials(9), {"gold": 2}, [("gold_right = 0.5", "gold_right = 0")], "exclude.gold_right",
     "below 0"),
    (trials(9), {}, [("# median_seconds = 2.0", "median_seconds = 0")],
     "exclude.median_seconds", "faster than 0 s"),
    (trials(9), {}, [("# same_place = 0.9", "same_place = 1")], "exclude.same_place",
     "larger than 1"),
    (trials(3), {}, [("# same_place = 0.9", "same_place = 0.9")], "exclude.same_place",
     "3 choices"),
    (trials(9), {}, [("# same_place = 0.9", "same_place = 0.9"),
                     ("# per_person = 40", "per_person = 4")], "exclude.same_place", "4 choices"),
    (trials(9), {}, [("# most = 5", "most = 5"), ("# wanted = 20", "wanted = 6")],
     "annotations.wanted", "lower it to 5"),
    (trials(9), {"kind": "validate"}, [("annotations = 3", "annotations = 4")], "keep.annotations",
     "lower it to 3"),
]  # fmt: skip
FIELDS = {
    "exclude.attention_wrong": "2", "exclude.median_seconds": "0", "exclude.same_place": "1",
    "exclude.gold_right": "0.5", "annotations.most": "5", "annotations.wanted": "6",
}  # fmt: skip


@pytest.mark.parametrize(("asked", "wish", "edits", "path", "why"), NEVER)
def test_a_rule_that_can_never_do_anything_is_refused_before_the_start(
    tmp_path, capsys, asked, wish, edits, path, why
):
    study(tmp_path / "s", asked, VOLUME, *edits, **wish)
    for words in (["serve"], ["ethics", "--out", str(tmp_path / "b.md")]):
        assert main(["study", words[0], str(tmp_path / "s"), *words[1:]]) == 2
        told = " ".join(capsys.readouterr().err.split())
        assert f"study.toml: {path}: " in told
        assert why in told


@pytest.mark.slow
def test_the_form_refuses_such_rules_beside_their_fields(tmp_path):
    study(tmp_path / "s", trials(9), VOLUME, languages=("en",))
    before = (tmp_path / "s/study.toml").read_bytes()
    with opened(tmp_path / "s") as store:
        desk = at_the_desk(store)
        fields = form_of(desk.get("/design").text)
        got = desk.post("/design", data=fields | FIELDS)
        assert got.status_code == 422
        wrong = re.findall(r'id="wrong-([^"]*)"', got.text)
        assert {*wrong} == FIELDS.keys() - {"annotations.most"}
        assert (tmp_path / "s/study.toml").read_bytes() == before
        # What would have to change is changed, and it is taken.
        better = {"exclude.attention_wrong": "2", "items.attention": "2", "items.gold": "1",
                  "exclude.gold_right": "0.5", "exclude.same_place": "0.9"}  # fmt: skip
        assert desk.post("/design", data=fields | better).status_code == 200
        assert store.declared.exclude.attention_wrong == 2


def test_the_form_tells_all_that_is_wrong_at_once(tmp_path):
    """What is no value, what rules cannot do, and what contradicts: not one after the other."""
    study(tmp_path / "s", trials(9), VOLUME, languages=("en",), attention=2)
    wrong = {"items.practice": "two", "exclude.attention_wrong": "5", "idle_s": "soon",
             "exclude.median_seconds": "0", "texts.en.title": "", "texts.en.consent": "",
             "texts.en.questions": "Yes\nNo"}  # fmt: skip
    with opened(tmp_path / "s") as store:
        desk = at_the_desk(store)
        fields = form_of(desk.get("/design").text)
        meant = {name: value for name, value in wrong.items() if value not in ("two", "soon")}
        for given in (wrong, meant):
            got = desk.post("/design", data=fields | given).text
            assert {*re.findall(r'id="wrong-([^"]*)"', got)} == given.keys()
            assert re.search("“Yes”.*“No”.*without", got)
        # An exam has no least number of answers, and few are enough.
        assert desk.post("/design", data=fields | {"annotations.most": "1"}).status_code == 200
        assert store.declared.annotations.most == 1


def test_who_they_are_says_who_counts(tmp_path):
    study(tmp_path / "s", trials(9), VOLUME)
    with opened(tmp_path / "s") as store:
        for whole in (True, False):
            person = Person.of(store)
            person.begin()
            if whole:
                person.all(right)
        assert export(store, tmp_path / "new/folder/answers.jsonl").file.is_file()
        counts = figures(store).background
        assert sum(counts["education"].values()) == 1
        assert "of those who count" in at_the_desk(store).get("/").text


def test_a_comprehension_question_with_one_answer_is_refused(tmp_path):
    study(tmp_path / "s", trials(9), VOLUME, languages=("en",))
    with opened(tmp_path / "s") as store:
        desk = at_the_desk(store)
        fields = form_of(desk.get("/design").text)
        one = {"checks.comprehension.0.text.en": "What?", "checks.comprehension.0.right": "1"}
        options = "checks.comprehension.0.options.en"
        got = desk.post("/design", data=fields | one | {options: "this"})
        assert re.findall(r'id="wrong-([^"]*)"', got.text) == [options]
        assert desk.post("/design", data=fields | one | {options: "a\nb"}).status_code == 200


def test_a_study_that_was_begun_goes_on_and_its_researcher_is_told(tmp_path):
    study(tmp_path / "s", trials(9), VOLUME)
    with opened(tmp_path / "s") as store:
        Person.of(store).begin()
        with store.write() as connection:  # as a version did that knew no such check
            store.note(connection, "design", "")
    path = tmp_path / "s/study.toml"
    path.write_text(path.read_text("utf-8").replace(*ATTENTION), "utf-8")
    with opened(tmp_path / "s") as store:
        told = [str(one) for one in omissions(store)]
        assert any("exclude.attention_wrong never does anything" in one for one in told)
        assert at_the_desk(store).get("/").status_code == 200


@pytest.mark.slow
@pytest.mark.parametrize(
    "rule",
    ["attention_wrong = 3", "gold_right = 0.0", "median_seconds = 0", "same_place = 1.0",
     "least_answers = 0"],
)  # fmt: skip
def test_a_file_of_rules_is_held_to_the_same(tmp_path, capsys, rule):
    study(tmp_path / "s", trials(9), VOLUME, attention=2, gold=2)
    with opened(tmp_path / "s") as store:
        person = Person.of(store)
        person.begin()
        person.all(lambda stem, shown: {"chosen": [0], "active_ms": 900})
        export(store, tmp_path / "a.jsonl")
    (tmp_path / "rules.toml").write_text(f"[exclude]\n{rule}\n")
    words = ["study", "show", str(tmp_path / "a.jsonl")]
    assert main([*words, "--rules", str(tmp_path / "rules.toml")]) == 2
    told = capsys.readouterr().err
    assert f"rule {rule.partition(' ')[0]} can set nobody aside" in " ".join(told.split())


# --- three states ---------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("wanted", ["wanted = 2", "# wanted = 20"])
def test_the_first_line_counts_the_people_of_the_tables(tmp_path, wanted):
    """Who gave up counts where no rule says otherwise, as do the answers."""
    study(tmp_path / "s", trials(4), VOLUME, ("# wanted = 20", wanted))
    with opened(tmp_path / "s") as store:
        done, gone = (Person.of(store) for _ in range(2))
        for person in (done, gone):
            person.begin()
        done.all(right)
        page = gone.look()
        shown = re.findall(r'name="chosen".*?class="text">(.*?)</span>', page)
        gone.answer(**right(re.search(r'class="stem">(.*?)<', page)[1], shown))
        _without_a_sign(store, 2, hours=25)
        found = figures(store)
        progress = found.progress
        assert (progress.people, progress.complete, progress.answers) == (2, 1, 5)
        assert found.right.people == progress.people
        claim = at_the_desk(store).get("/").text.replace("\N{NO-BREAK SPACE}", " ")
        told = {"wanted = 2": "2 of 3 people (1 of them to the end), 5 of 8 answers: 1 more",
                "# wanted = 20": "2 people count (1 of them to the end), with 5"}  # fmt: skip
        assert told[wanted] in claim


@pytest.mark.slow
def test_who_is_under_way_is_not_said_to_be_unfinished(tmp_path, capsys):
    study(tmp_path / "s", trials(4), VOLUME, ("unfinished = false", "unfinished = true"),
          ("# wanted = 20", "wanted = 2"))  # fmt: skip
    with opened(tmp_path / "s") as store:
        done, going, gone = (Person.of(store) for _ in range(3))
        for person in (done, going, gone):
            person.begin()
        done.all(right)
        for person in (going, gone):
            page = person.look()
            shown = re.findall(r'name="chosen".*?class="text">(.*?)</span>', page)
            stem = re.search(r'class="stem">(.*?)<', page)[1]
            person.answer(**right(stem, shown))
        _without_a_sign(store, 3, hours=25)
        found = figures(store)
        assert [found.people[one] for one in ("begun", "complete", "under_way", "given_up")] == [
            3, 1, 1, 1]  # fmt: skip
        assert sorted(map(tuple, found.excluded.values())) == [("under_way",), ("unfinished",)]
        assert (len(found.under_way), len(found.set_aside)) == (1, 1)
        assert {tuple(row.excluded) for row in rows(store)} == {(), ("under_way",), ("unfinished",)}
        page = at_the_desk(store).get("/").text
        assert "given up (nothing for 24 hours, or the study was closed)" in page
        assert "not finished yet" in page
        assert "not everything answered" in page
        claim = page.replace("\N{NO-BREAK SPACE}", " ")
        assert "1 of 2 people, 4 of 8 answers: 1 more person is needed for 2 answers" in claim
        assert "(1 has not finished yet)" in claim
        assert main(["study", "show", str(tmp_path / "s")]) == 0
        out = " ".join(capsys.readouterr().out.split())
        assert (
            "1 complete, 1 not finished yet, 1 given up (nothing for 24 hours, or the study was "
            "closed)" in out
        )
        assert "excluded, not everything answered: 1" in out
        # Who comes back is under way again; who ends, counts.
        gone.all(right)
        assert figures(store).people["given_up"] == 0
        assert figures(store).progress.people_lacking == 0
        export(store, tmp_path / "a.jsonl")
    assert [one.excluded for one in read_export(tmp_path / "a.jsonl").people.values()] == [
        [], ["under_way"], []]  # fmt: skip
    assert main(["study", "show", str(tmp_path / "a.jsonl")]) == 2  # no exam is named
    capsys.readouterr()


def _without_a_sign(store, person, hours):
    """Put everything that a person did so many hours back."""
    ago = 3600 * hours
    with store.write() as connection:
        places = sa.select(PLACES.c.id).where(PLACES.c.person == person)
        for table, column, mine in (
            (PEOPLE, "consented", PEOPLE.c.id == person),
            (PLACES, "given", PLACES.c.person == person),
            (ANSWERS, "saved", ANSWERS.c.place.in_(places)),
        ):  # fmt: skip
            connection.execute(table.update().where(mine).values({column: table.c[column] - ago}))


@pytest.mark.slow
def test_when_somebody_has_given_up_is_declared(tmp_path):
    study(tmp_path / "s", trials(4), VOLUME, ("given_up_hours = 24.0", "given_up_hours = 0.5"))
    with opened(tmp_path / "s") as store:
        Person.of(store).begin()
        assert figures(store).people["under_way"] == 1
        _without_a_sign(store, 1, hours=0.6)
        assert figures(store).people["given_up"] == 1
        assert "nothing for 0.5 hours" in at_the_desk(store).get("/").text


@pytest.mark.slow
def test_more_people_are_needed_where_one_question_lacks_more_than_others(tmp_path):
    """One more person gives each question one answer, so the shortest question decides."""
    study(
        tmp_path / "s",
        trials(4),
        VOLUME,
        ("# wanted = 20", "wanted = 3"),
        attention=1,
        languages=("en",),
    )
    with opened(tmp_path / "s") as store:
        for wrong in (0, 1):
            person = Person.of(store)
            person.begin()

            def choose(stem, shown, wrong=wrong):
                if word := re.search("“(.*?)”", stem):
                    return {"chosen": [(shown.index(word[1]) + wrong) % 4]}
                return right(stem, shown)

            person.all(choose)
        got = figures(store).progress
        assert (got.people, got.answers, got.people_wanted, got.answers_wanted) == (1, 4, 3, 12)
        assert got.people_lacking == 2  # who was set aside is replaced


# --- who always says the same ---------------------------------------------------------------------


def chosen(places=(), texts=(), wrong=True):
    n = max(len(places), len(texts))
    places = places or [i % 4 for i in range(n)]
    texts = texts or [f"text {i}" for i in range(n)]
    rights = [not wrong or i % 4 == 0 for i in range(n)]
    return [GivenAnswer("plain", right, place, 4, None, text)
            for place, text, right in zip(places, texts, rights, strict=True)]  # fmt: skip


@pytest.mark.parametrize(
    ("choices", "told"),
    [
        (chosen(places=[2] * 6), "always option 3 of the list"),
        (chosen(texts=["Major"] * 6), "always “Major”"),
        (chosen(places=[2] * 4), None),  # chance does so often
        (chosen(places=[2] * 5 + [1]), None),
        (chosen(texts=["Major"] * 6, wrong=False), None),  # it was right
        ([], None),
    ],
)
def test_one_answer_of_a_person(choices, told):
    found = sole_choice(choices)
    assert (str(found.told) if found else None) == told


@pytest.mark.slow
def test_the_researcher_reads_who_always_chose_the_same(tmp_path, capsys):
    study(tmp_path / "s", trials(8), VOLUME, languages=("en",))
    with opened(tmp_path / "s") as store:
        for choose in (lambda *_: {"chosen": [2]}, right):
            person = Person.of(store)
            person.begin()
            person.all(choose)
        assert "always option 3 of the list" in at_the_desk(store).get("/").text
        zh = at_the_desk(store).get("/", headers={"accept-language": "zh"}).text
        assert "总是选列表中的第 3 项" in zh
        (one,) = [person for person in figures(store).persons if person.always]
        assert msgspec.to_builtins(one.always) == {"words": None, "place": 3}
    assert main(["study", "show", str(tmp_path / "s")]) == 0
    assert "always option 3 of the list" in " ".join(capsys.readouterr().out.split())


@pytest.mark.slow
def test_a_model_beside_people_that_failed_its_canary_or_says_one_thing_is_told(tmp_path, capsys):
    """On the page of people beside models, in the figure, in the terminal and as JSON."""
    lines = ["id,question,A,B,answer"]
    lines += [f"q{n},Question {n}?,yes,no,{'AB'[n % 2]}" for n in range(12)]
    (tmp_path / "q.csv").write_text("\n".join(lines) + "\n")
    for name in ("first", "random"):
        out = ["--out", str(tmp_path / name), "--quiet"]
        assert main(["run", str(tmp_path / "q.csv"), "-m", name, *out]) == 0
    path = tmp_path / "random" / "run.json"
    manifest = msgspec.json.decode(path.read_bytes())
    manifest["canary"] = {"sound": {
        "state": "failed", "right": 1, "asked": 6, "needed": 5, "by_guessing": 0.01, "unread": 0,
        "told": "", "warning": "the canary failed"}}  # fmt: skip
    path.write_bytes(msgspec.json.encode(manifest))
    capsys.readouterr()
    words = ["study", "make", "--from", str(tmp_path / "q.csv"), "--out", str(tmp_path / "t")]
    assert main(words) == 0
    file = tmp_path / "t" / "study.toml"
    file.write_text(file.read_text("utf-8").replace(*VOLUME))
    models = [tmp_path / "first", tmp_path / "random"]
    with opened(tmp_path / "t") as store:
        for text in ("yes", "no", None):
            person = Person.of(store)
            person.begin()
            person.all(
                lambda stem, shown, text=text: {
                    "chosen": [shown.index(text) if text else int(stem.split()[1][:-1]) % 2]
                }
            )
        desk = Browser(ResearchSite(store, "token-t", models).application())
        desk.post("/enter", data={"token": "token-t"})
        page = " ".join(re.sub(r"<[^>]+>", " ", desk.get("/beside").text).split())
    assert main(["study", "show", str(tmp_path / "t"), *(f"--model={one}" for one in models)]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    for told in (page, printed):
        assert "random ✗: the canary failed: no evidence that the model can hear" in told
        assert "first: every readable reply is A, whatever was asked" in told
        assert "2 people who count always chose the same answer" in told
    assert "always A, " in page
    assert main(["study", "show", str(tmp_path / "t"), "--json",
                 *(f"--model={one}" for one in models)]) == 0  # fmt: skip
    found = msgspec.json.decode(capsys.readouterr().out)["figures"]
    assert found["canary"]["random ✗"]["sound"]["right"] == 1
    assert found["always"]["first"]["letter"] == "A"
    assert found["people_always"] == 2
