"""What a report says without a script: its front and chapters, read as HTML, in both languages."""

from __future__ import annotations

import base64
import io
import re
from pathlib import Path

import msgspec
import numpy as np
import pytest

import findings_help
from findings_help import failed, mucho_trials, student
from page_tree import ENGLISH, english_in, marks_stand_at_their_figures, read
from published_help import declare
from report_help import answered, choice, two_runs, write_run
from zhiyin.report.page_data import labels
from zhiyin.report.run_cards import marks_of_runs
from zhiyin.report.writing import report
from zhiyin.shown import charts
from zhiyin.shown.charts import worth_an_axis
from zhiyin.shown.pages import asset
from zhiyin.text import printable
from zhiyin.words import LANGUAGES

NBSP = "\u00a0"
WEB = Path(__file__).parent.parent.parent / "src" / "zhiyin" / "report" / "web"


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """Runs of many kinds, written as one report; so are two runs of a quiz."""
    root = tmp_path_factory.mktemp("front")
    patch = pytest.MonkeyPatch()
    patch.setenv("ZHIYIN_CACHE", str(root / "cache"))
    declare(patch, "tracks", mucho_trials(40))

    def ears(trial):
        return student("ears", 0.85 if trial.tags["audio"] == "true" else 0.2)(trial)

    runs = {
        "ears": map(ears, mucho_trials(40, audio=("true", "noise"))),
        "luck": map(student("luck", 0.05), mucho_trials(40)),
        "part": map(student("part", 0.6), mucho_trials(12)),
        "dead": map(failed, mucho_trials(10)),
    }
    places = [
        findings_help.write_run(root / "runs" / name, "tracks", name, list(records))
        for name, records in runs.items()
    ]
    both = {"notation": False, "figures": False, "languages": LANGUAGES}
    report(*places, out=root / "many", **both)
    report(*two_runs(root), out=root / "two", **both)
    yield root
    patch.undo()


@pytest.fixture(scope="module")
def many(root):
    return read(root / "many" / "index.html")


@pytest.fixture(scope="module")
def two(root):
    return read(root / "two" / "index.html")


def test_each_run_has_a_link_to_what_it_got_wrong(root):
    for language, words in (("", "What went wrong: "), (".zh", "错在哪里：")):
        page = read(root / "two" / f"index{language}.html")
        links = [one for one in page.all("a") if one.text.startswith(words.strip())]
        names = [one.text.removeprefix(words).strip() for one in links]
        assert sorted(names) == ["fond", "good"]
        runs = [re.search(r"run=(\d+)", one.attributes["href"])[1] for one in links]
        assert sorted(runs) == ["0", "1"]


@pytest.fixture(scope="module")
def chinese(root):
    return [read(root / name / "index.zh.html") for name in ("many", "two")]


@pytest.mark.slow
def test_the_questions_are_answered_on_the_first_screen(many):
    front = many.id("front")
    (says,) = front.all("h1")
    assert "ears answers 78.8 % right, better than luck by 45.0 points" in says.text.replace(
        NBSP, " "
    )
    assert "part answers 70.8 % right" in says.text.replace(NBSP, " ")
    (more,) = front.all("p", "says-more")
    assert "not asked alike are not compared" in more.text
    assert "luck is not significantly better than chance" in more.text
    assert "dead" not in says.text + more.text  # it stands below the picture, with its reason
    (table,) = front.all("table", "dots")
    (silent,) = front.all("ul", "silent")  # the runs without a figure
    rows = [*table.all("tr"), *silent.all("li")]
    words = {row.all("bdi")[0].text: row.text for row in rows if row.all("bdi")}
    assert {"ears", "luck", "part", "dead"} <= set(words)
    assert "all 20 trials failed" in words["dead"]
    (checks,) = front.all("ul", "checks")
    whole, read_, one, listens = (each.text.replace(NBSP, " ") for each in checks.all("li"))
    assert "24 of 80" in whole
    assert "replies hold an answer" in read_
    assert one.endswith("none found")
    assert "luck and part: no sound in it" in listens
    assert "ears: +41.2 points over noise" in listens
    todo = front.all("section", "todo")[0]
    assert "zhiyin run" in todo.all("code")[0].text


@pytest.mark.slow
def test_what_is_found_is_read_in_both_languages_without_a_script(many, two, chinese):
    named = ("tracks", "quiz")
    for language, pages in (("en", (many, two)), ("zh-Hans", chinese)):
        for page, benchmark in zip(pages, named, strict=True):
            assert page.all("html")[0].attributes["lang"] == language
            assert page.id("front").all("table", "dots")
            chapter = page.id(f"benchmark-{benchmark}")
            assert len(chapter.all("div", "finding")) >= 3
            assert len(chapter.all("table", "chart")) > 3
            assert page.id("methods").all("dl", "settings")
            for link in page.id("nav").all("a"):
                assert page.id(link.attributes["href"].removeprefix("#"))
    assert not re.search(r"\son\w+=", str([n.attributes for n in many]))


def test_names_of_places_are_given_once_and_lead_somewhere(many, two, chinese):
    for page in (many, two, *chinese):
        ids = [node.attributes["id"] for node in page if "id" in node.attributes]
        assert len(ids) == len(set(ids))
        for node in page:
            if "aria-labelledby" in node.attributes:
                assert node.attributes["aria-labelledby"] in ids
            to = node.attributes.get("href", "")
            assert not to.startswith("#") or to.startswith("#trials?") or to[1:] in ids, to
            assert "style" not in node.attributes  # the policy forbids it


def test_no_english_sentence_stands_in_the_chinese_page(chinese):
    assert [english_in(page) for page in chinese] == [[], []]


def test_answers_of_the_first_screen_are_in_chinese(chinese):
    """What is missing of a benchmark stood there in English, marked as such."""
    (checks,) = chinese[0].id("front").all("ul", "checks")
    small = checks.all("li")
    assert not [one.text for one in small if any(n.attributes.get("lang") == "en" for n in one)]


def test_the_walk_finds_english_where_there_is_some(two):
    parts = (two.id("front"), two.id("chapters"))
    found = [t for part in parts for n in part for t in n.children if isinstance(t, str)]
    assert sum(bool(ENGLISH.search(text)) for text in found) > 20


def number(text):
    return float(text.replace("−", "-").replace("+", "").replace(",", "")) if text != "-" else None


def ends_of(text):
    low, high = re.split(r"–| to ", text)
    return number(low), number(high)


def rows_of(page, kind):
    """Of each row of charts of a kind: its cells by heading, and its drawing."""
    part = page.id("chapters")
    for table in part.all("table", "chart", kind):
        heads = [english(th) for th in table.all("thead")[0].all("th") if "wide" not in th.classes]
        for row in table.all("tbody")[0].all("tr"):
            told = [one for one in row if one.tag in ("th", "td") and "wide" not in one.classes]
            cells = dict(zip(heads, map(english, told), strict=False))
            for drawn in row.all("td", "wide"):  # none where a run has no figure
                yield row, cells, drawn


def english(node):
    """What a cell says."""
    return node.text.strip()


def place_of(node, *names):
    return [float(node.attributes[name].rstrip("%")) for name in names]


def marks_of(drawn):
    """The places of the marks of a row and of the ends of their intervals."""
    for group in drawn.all("g"):
        (point,) = group.all("use")
        (at,) = place_of(point, "x")
        whiskers = [place_of(line, "x1", "x2") for line in group.all("line", "whisker")]
        yield at, whiskers


def share_at(place):
    """The share, in per cent, that a place stands for: all charts of shares are 0 to 100."""
    return (place - 3) / 0.94


def test_a_mark_of_every_picture_stands_where_the_figure_beside_it_says(many, two, chinese):
    for page in (many, two, *chinese):
        for part in ("front", "chapters"):
            pictures = page.id(part).all("table", "dots")
            assert sum(map(marks_stand_at_their_figures, pictures)) > 2


def test_differences_stand_on_one_scale_as_their_numbers_do(many, two):
    for page in (many, two):
        drawn, told = [], []
        for _, cells, row in rows_of(page, "differences"):
            ((at, ((low, high),)),) = marks_of(row)
            drawn += [at, low, high]
            told += [number(cells["Difference"]), *ends_of(cells["95 % interval"])]
        slope, zero = np.polyfit(told, drawn, 1)
        assert zero == pytest.approx(50, abs=0.1)
        assert np.polyval((slope, zero), told) == pytest.approx(drawn, abs=0.1 * slope)


def test_bars_of_letters_and_states_are_as_wide_as_their_numbers(many, two):
    for page in (many, two):
        for _, cells, drawn in rows_of(page, "letters"):
            (bar,) = drawn.all("rect")
            (line,) = drawn.all("line")
            wide, at = place_of(bar, "width")[0] / 0.94, share_at(place_of(line, "x1")[0])
            assert wide == pytest.approx(number(cells["Chosen, %"]), abs=0.06)
            assert at == pytest.approx(number(cells["Key, %"]), abs=0.06)
        for _, cells, drawn in rows_of(page, "outcomes"):
            total = number(cells.get("Planned", cells["Trials"]))
            widths = [place_of(bar, "width")[0] for bar in drawn.all("rect")]
            counts = [number(n) for head, n in cells.items() if head[0] in "✓✗?⊘…!✎"]
            assert widths == pytest.approx([100 * n / total for n in counts if n], abs=0.01)
            assert sum(counts) == number(cells["Trials"])


def test_the_same_questions_in_two_ways_are_drawn_as_they_are_told(many):
    ((_, cells, drawn),) = rows_of(many, "conditions")
    (former, _), (latter, _) = marks_of(drawn)
    assert share_at(former) == pytest.approx(number(cells["Former, %"]), abs=0.06)
    assert share_at(latter) == pytest.approx(number(cells["Latter, %"]), abs=0.06)
    gap = number(cells["Former, %"]) - number(cells["Latter, %"])
    assert number(cells["Difference"]) == pytest.approx(gap, abs=0.11)


def test_part_of_a_benchmark_is_in_no_row_beside_published_ones(many):
    tables = many.id("chapters").all("table", "of-models")
    names = [english(one) for table in tables for one in table.all("tbody")[0].all("bdi")]
    assert "ears" in names
    assert not any(name.startswith("part") for name in names)
    left = "Not shown beside the published figures of the whole: part (24 of 80"
    assert left in english(many.id("chapters"))


@pytest.mark.slow
def test_tasks_are_rows_and_models_are_marks_where_their_figures_say(tmp_path, monkeypatch):
    """Each mark and end stands where the figure beside it says; hollow is the one answer to all."""
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "cache"))
    trials = [
        findings_help.choice(f"q{n}", groups=(f"task{n % 3}",), gold="AB"[n // 3 % 2], letters="AB")
        for n in range(120)
    ]
    keyed = [
        findings_help.answered(t, "AB"[n // 3 % 2] if n % 3 or n % 4 else "A")
        for n, t in enumerate(trials)
    ]
    always = [findings_help.answered(t, "A") for t in trials]
    fond = [
        findings_help.answered(t, "A" if n % 5 else "AB"[n // 3 % 2]) for n, t in enumerate(trials)
    ]
    runs = [
        findings_help.write_run(tmp_path / name, "quiz", name, records)
        for name, records in (("knows", keyed), ("fond", fond))
    ]
    first = findings_help.write_run(tmp_path / "first", "quiz", "first", always)
    report(*runs[::-1], first, out=tmp_path / "out.html", notation=False, figures=False)
    page = read(tmp_path / "out.html")
    front = page.id("front")
    (table,) = front.all("table", "dots")
    rows = table.all("tbody")[0].all("tr")
    assert len(rows) == 4
    assert "whole" in rows[0].classes
    for row in rows:
        figures = [number(cell.children[0].strip()) for cell in row.all("td", "n")[:3]]
        marks = list(marks_of(row.all("svg", "strip")[0]))
        assert [share_at(at) for at, _ in marks] == pytest.approx(figures, abs=0.06)
        assert row.all("td", "apart")
    notes = " ".join(one.text for one in front.all("p", "note")).replace(NBSP, " ")
    assert "Differences are knows minus fond, paired" in " ".join(notes.split())
    assert "knows minus fond" in page.id("chapters").text  # in whatever order they are given
    assert "fond minus knows" not in page.id("chapters").text
    alone = tmp_path / "alone.html"
    report(runs[0], first, out=alone, notation=False, figures=False)
    checks = " ".join(read(alone).all("ul", "checks")[0].text.split())
    assert "One answer to all? knows: none found" in checks  # not: first always says A
    (claim,) = front.all("h1")
    assert claim.text.startswith("knows answers ")  # who is best comes before what all of them do
    (more,) = front.all("p", "says-more")
    assert "knows beats guessing in all three tasks" in more.text.replace(NBSP, " ")


def test_costs_that_hardly_differ_have_no_axis():
    assert worth_an_axis([100, 105])
    assert not worth_an_axis([100, 104])
    assert not worth_an_axis([100])


def test_the_methods_can_be_copied_in_both_languages(two, chinese):
    for page in (two, chinese[1]):
        (button,) = page.id("end").all("button", "copy")
        around = [one for one in button.above.above.children if not isinstance(one, str)]
        assert "prose" in around[around.index(button.above) - 1].classes  # what the script copies


def test_the_stylesheet_holds_the_chinese_of_every_head(two):
    fonts = pytest.importorskip("fontTools.ttLib")
    sheet = asset("style.css")
    font = base64.b64decode(re.search(r"font/woff;base64,([^)]+)", sheet)[1])
    held = set(map(chr, fonts.TTFont(io.BytesIO(font)).getBestCmap()))
    heads = "".join(one.text for one in two.all("header", "top"))
    nav = two.id("nav").text
    needed = set(re.findall(r"[\u4e00-\u9fff]", heads)) - set(nav)
    assert needed
    assert needed <= held
    assert {f"U+{ord(one):X}" for one in held} == set(re.findall(r"U\+[0-9A-F]{4}", sheet))


@pytest.mark.slow
def test_ways_of_asking_the_same_items_are_no_tasks(tmp_path, monkeypatch):
    """Nor is a part of a whole with one answer drawn as if it had none, however small."""
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "cache"))
    trials = [
        msgspec.structs.replace(
            findings_help.choice(
                f"{way}/{n}", groups=(f"task{n % 4}", way), gold="AB"[n // 4 % 2], letters="AB"
            ),
            item=f"q/{n}",
        )
        for n in range(24)
        for way in ("sound", "score")
        if way == "sound" or n % 8 < 4  # nine trials a task: too few to be told by themselves
    ]
    runs = [
        findings_help.write_run(
            tmp_path / name,
            "quiz",
            name,
            [findings_help.answered(t, given[n % len(given)]) for n, t in enumerate(trials)],
        )
        for name, given in (("fond", "A"), ("mixed", "AAABBAB"))
    ]
    report(*runs, out=tmp_path / "out.html", notation=False, figures=False)
    front = read(tmp_path / "out.html").id("front")
    (table,) = front.all("table", "dots")
    rows = [one for one in table.all("tbody")[0].all("tr") if "whole" not in one.classes]
    names = {one.all("bdi")[0].text.strip() for one in rows}
    assert names == {"Task0", "Task1", "Task2", "Task3"}
    for row in rows:
        assert [bool(one.all("i")) for one in row.all("td", "n")[:2]].count(True) == 1


def test_small_and_repeated_groups_fold_away(tmp_path, monkeypatch):
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "cache"))
    named = [("a", "a/x")] * 8 + [("b", "b/y")] * 5 + [("b", "b/z")] * 3 + [("c",)] * 4
    trials = [
        findings_help.choice(f"q{n}", groups=groups, gold="A", letters="ABCD")
        for n, groups in enumerate(named)
    ]
    records = [findings_help.answered(t, "AB"[n % 2]) for n, t in enumerate(trials)]
    run = findings_help.write_run(tmp_path / "run", "quiz", "m", records)
    report(run, out=tmp_path / "out", notation=False, figures=False)
    page = read(tmp_path / "out" / "index.html")
    (rest,) = page.id("chapters").all("table", "dots")  # the first screen has the main ones
    fold = rest.above.above.above
    assert fold.tag == "details"
    assert english(fold.all("summary")[0]) == "Group by group: all 6"
    named = {english(one) for one in rest.all("tbody")[0].all("bdi")}
    assert {"Y", "Z", "C"} <= named
    assert "X" not in named  # all that A holds


@pytest.mark.slow
def test_a_condition_of_too_few_recordings_does_not_decide_on_listening(tmp_path, monkeypatch):
    """Silence was played for three recordings: no test of these could show anything."""
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "cache"))
    trials = findings_help.mucho_trials(10, audio=("true", "noise", "silence"))
    asked = [t for t in trials if t.tags["audio"] != "silence" or t.cluster in ("track1", "track2")]
    heard = [findings_help.answered(t, "A" if t.tags["audio"] == "true" else "B") for t in asked]
    report(
        findings_help.write_run(tmp_path / "ears", "tracks", "ears", heard),
        out=tmp_path / "out",
        notation=False,
        figures=False,
    )
    page = read(tmp_path / "out" / "index.html")
    (checks,) = page.id("front").all("ul", "checks")
    assert "+100.0 points over noise" in checks.text
    assert "over silence" not in checks.text


def test_a_name_that_is_markup_stays_a_name(tmp_path, monkeypatch):
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "cache"))
    name = "<b title='x'>\x1b{{ t }}</b>&amp;"
    records = [answered(choice(n), "ABCD"[n % 3]) for n in range(40)]
    run = write_run(tmp_path / "run", name, records)
    report(run, out=tmp_path / "one.html", notation=False)
    page = read(tmp_path / "one.html")
    (table,) = page.id("front").all("table", "dots")
    assert printable(name) in [one.text for one in table.all("bdi")]
    assert not page.id("front").all("b")


@pytest.mark.slow
def test_the_same_runs_make_the_same_bytes(root):
    both = {"notation": False, "figures": False, "languages": LANGUAGES}
    report(root / "good", root / "fond", out=root / "again", **both)
    for path in (root / "two").rglob("*"):
        again = root / "again" / path.relative_to(root / "two")
        assert path.is_dir() or path.read_bytes() == again.read_bytes()


def test_every_word_of_a_script_is_given_to_it_and_none_besides():
    names = ("base.js", "trials.js", "trial.js", "music.js")
    scripts = "".join((WEB / name).read_text("utf-8") for name in names)
    used = set(re.findall(r'\bt\("([a-z-]+)"', scripts)) | {"read-how", "cause"}
    used |= {"next", "not-read", "read-as", "next-wrong", "previous"}  # said by way of a table
    used |= {"right", "missed", "extra", "truth", "heard"}  # kinds of notes
    given = {language: labels(language) for language in LANGUAGES}
    for language in LANGUAGES:
        own = {name for name in given[language] if not name.startswith("name-")}
        assert used == own
    for name, words in given["en"].items():
        facts = set(re.findall(r"\{(\w+)\}", words))
        assert facts == set(re.findall(r"\{(\w+)\}", given["zh"][name])), name


def test_tasks_too_small_to_tell_do_not_make_the_claim(tmp_path):
    """All right in each of seven tasks of six items: better than chance as a whole, in none alone.

    So the whole is the claim, and no sentence says that it beats guessing in none.
    """
    trials = [
        findings_help.choice(f"q{n}", groups=(f"task{n % 7}",), gold="AB"[n // 7 % 2], letters="AB")
        for n in range(42)
    ]
    keyed = [findings_help.answered(t, "AB"[n // 7 % 2]) for n, t in enumerate(trials)]
    run = findings_help.write_run(tmp_path / "knows", "quiz", "knows", keyed)
    report(run, out=tmp_path / "out.html", notation=False, figures=False)
    (claim,) = read(tmp_path / "out.html").id("front").all("h1")
    said = claim.text.replace(NBSP, " ")
    assert "knows answers 100.0 % right, better than chance (50.0 %)" in said
    assert "none" not in said


def test_marks_go_by_the_names_that_models_are_called_by():
    """Not by who serves them: so a report has the marks of the leaderboard of the same runs."""
    made = [findings_help.manifest("quiz", model, 1) for model in ("org/zebra", "alpha")]
    marks = marks_of_runs(["Alpha", "Beta"], made)
    assert [mark.name for mark in marks] == ["s0", "s1"]


def test_colour_and_shape_say_the_model_and_the_rest_its_setting(tmp_path):
    """One model in two settings had two colours; of more than 24 models two shared a mark."""
    owners = [
        (f"m{n:02}", f"m{n:02}{way}") for n in range(48) for way in ("", ", hot", ", no sound")
    ]
    marks = charts.marks_of(reversed(owners))
    looks = {model: {(m.name, m.shape) for own, m in marks.items() if own[0] == model}
             for model, _ in owners}  # fmt: skip
    assert all(len(own) == 1 for own in looks.values())
    assert len(set.union(*looks.values())) == 48
    assert len({(m.name, m.shape, m.setting) for m in marks.values()}) == len(owners)
    trials = [findings_help.choice(f"q{n}", gold="AB"[n % 2]) for n in range(40)]
    runs = []
    for name, settings, right in (("cold", {}, 30), ("hot", {"sampling__temperature": 1.0}, 25)):
        keyed = [findings_help.answered(t, "AB"[(n + (n >= right)) % 2])
                 for n, t in enumerate(trials)]  # fmt: skip
        runs.append(findings_help.write_run(tmp_path / name, "quiz", "one", keyed, **settings))
    report(*runs, out=tmp_path / "out.html", notation=False, figures=False)
    page = read(tmp_path / "out.html")
    looks = {own.attributes["class"] for own in page.id("front").all("svg", "symbol")}
    assert looks == {"symbol mark s0", "symbol mark s0 set1"}
    assert "the same model in another setting" in page.id("front").text
    drawn = [group.attributes["class"] for group in page.id("chapters").all("g")]
    assert drawn == ["mark unsure hollow"]  # the colour of neither, for none is shown to be better


def test_a_panel_of_one_setting_is_full_and_what_was_asked_as_usual_is(tmp_path):
    """Of a model asked in two ways on one benchmark every mark on another was pale."""
    plain = findings_help.manifest("quiz", "m", 1)
    shots = findings_help.manifest("quiz", "m", 1, options__shots=5)
    other = findings_help.manifest("other", "m", 1)
    marks = marks_of_runs(["a, 5 shots", "m", "m \u2717"], [shots, plain, other])
    assert [mark.setting for mark in marks] == [1, 0, 0]
    assert len({(mark.name, mark.shape) for mark in marks}) == 1


def test_what_has_no_right_answer_is_not_among_the_replies_that_were_read():
    from types import SimpleNamespace

    from zhiyin.report.first_screen import _is_read

    main = {"correct": 4, "wrong": 2, "no_answer": 3, "ungraded": 3, "error": 1}
    found = _is_read([SimpleNamespace(main=main)])
    assert (found.mood, found.detail.facts) == ("bad", {"n": 6, "of": 9})
