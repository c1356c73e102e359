"""The page that shows what a model hears: panels by a hook of the contract, one page a model."""

import io
import itertools
import json
import math
import re
from contextlib import redirect_stderr, redirect_stdout

import pytest

from page_tree import marks_stand_at_their_figures, read
from paying import PayServer, write_prices
from zhiyin.cli import main
from zhiyin.plugins.composed.thresholds.results import DimensionResult, amount, audiogram_page
from zhiyin.plugins.music.hearing import BY_NAME
from zhiyin.plugins.music.psychometric import ThresholdAnswer, fit
from zhiyin.runs.rows import rows_of as trials_of

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("all_formats")]

pytest.importorskip("matplotlib")


def call(*words, status=0):
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        assert main([str(word) for word in words]) == status, err.getvalue()
    return err.getvalue()


def test_each_model_gets_a_page_with_pictures_and_tables(tmp_path):
    for model in ("random", "first"):
        for seed in (0, 1) if model == "first" else (0,):
            words = ("run", "thresholds", "--dimension", "gap", "-m", model, "--most", 12)
            call(*words, "--seed", seed, "--out", tmp_path / f"{model}{seed}", "--quiet")
    runs = [tmp_path / name for name in ("first0", "random0", "first1")]
    told = call("hearing", *runs, "--out", tmp_path / "pages")
    assert told.count("wrote ") == 2
    page = (tmp_path / "pages" / "first.html").read_text("utf-8")
    assert "What first hears" in page
    assert "gap in noise" in page
    tree = read(tmp_path / "pages" / "first.html")
    (chart,) = tree.all("table", "dots")
    assert len(chart.all("tbody")[0].all("tr")) == 1  # a dimension, its two runs not measured
    assert len(chart.all("td", "nothing")) == 2
    assert not chart.all("g")
    tables = [one for one in tree.all("table") if one is not chart]
    assert [len(table.all("tr")) for table in tables] == [3]  # a head and two runs
    (audio,) = tree.all("audio")  # no threshold of its own, so what people hear alone
    assert audio.attributes["src"] == "first-sounds/gap-people.wav"
    assert (tmp_path / "pages" / audio.attributes["src"]).read_bytes()[:4] == b"RIFF"
    assert "first (seed 1)</bdi>: no threshold could be measured" in page
    assert "thresholds: 12 trials" in page
    assert "thresholds, first1: 12 trials" in page  # which of two
    assert (
        "Not measured, first (default settings), gap in noise: the same answer to every question"
        in page
    )
    assert not re.search(r"(src|href)=\"http", page)  # nothing is fetched from outside
    names = [node.attributes["id"] for node in tree if "id" in node.attributes]
    assert len(names) == len(set(names))
    for kind in ("svg", "pdf", "png", "csv"):
        assert (tmp_path / "pages" / f"first-thresholds-audiogram.{kind}").stat().st_size > 50


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A page of a paid model that was asked in pieces, pairs and thresholds."""
    folder = tmp_path_factory.mktemp("whole")
    with pytest.MonkeyPatch.context() as patch, PayServer(lambda text: "Answer: A") as server:
        patch.setenv("ZHIYIN_PRICES", str(folder / "prices"))
        write_prices(folder / "prices", server.spec)
        for name, words in {
            "bodies": "--body sound,abc,musicxml --skill pitch,spelling --n 2",
            "pairs": "--fact third,accent --n 2 --change gain",
            "thresholds": "--dimension gap,onset --most 10",
        }.items():
            run = ("run", name, *words.split(), "-m", server.spec, "--out", folder / name)
            call(*run, "--quiet")
        runs = [folder / name for name in ("thresholds", "bodies", "pairs")]
        call("hearing", *runs, "--out", folder / "pages")
        yield folder, server.usd


def test_the_page_tells_reading_pairs_and_what_all_of_it_cost(whole):
    folder, usd = whole
    page = next((folder / "pages").glob("*.html")).read_text("utf-8")
    charts = read(next((folder / "pages").glob("*.html"))).all("table", "dots")
    assert len(charts) == 3
    text = next((folder / "pages").glob("*.md")).read_text("utf-8")
    told = [float(x) for x in re.findall(r"\| ([0-9.]+)", text)]
    for chart in charts[1:]:  # of bodies and pairs: the shares are those of the words beside it
        assert marks_stand_at_their_figures(chart) > 1
        for cell in chart.all("td", "n"):
            share = float("".join(c for c in cell.children if isinstance(c, str))) / 100
            assert min(abs(share - own) for own in told) < 0.001
    for title in ("How small a difference", "reading, hearing, seeing", "does the answer move"):
        assert title in page
    total = re.search(r"in all: ([0-9.]+) usd for 3 runs", page)
    assert float(total[1]) == pytest.approx(usd, rel=0.01)
    for name in ("thresholds-audiogram", "bodies-losses", "pairs-consistency"):
        for kind in ("svg", "pdf", "png", "csv"):
            assert len(list((folder / "pages").glob(f"*-{name}.{kind}"))) == 1


def test_the_words_beside_the_page_hold_what_its_pictures_show(whole):
    folder, _ = whole
    text = next((folder / "pages").glob("*.md")).read_text("utf-8")
    for name in re.findall(r"!\[[^]]+\]\(([^)]+)\)", text):
        assert (folder / "pages" / name).is_file()
    rows = [line.split(" | ") for line in text.splitlines() if line.startswith("| ")]
    rows = [[cell.strip("| ") for cell in row] for row in rows]
    found = {row[0]: row for row in rows}
    right = [entry.right for entry in trials_of(folder / "bodies")
             if entry.tags["body"] == "sound"]  # fmt: skip
    assert float(found["hearing"][2]) == sum(right) / len(right)
    assert "2 to 5.7" in text  # the band of people, in words
    page = next((folder / "pages").glob("*.html"))
    found = [one.text for one in read(page).all("p", "says")]
    told = [line.replace("\\", "") for line in text.splitlines()[1:] if line]
    assert found  # what was found comes first, there and here
    assert all(line in shown for line, shown in zip(told, found, strict=False))
    # One answer to everything: no pair is right, and everything stays.
    both = [row for row in rows if row[0] == "All"]
    assert [(row[-1], row[2]) for row in both] == [
        ("moves with the fact", "0"), ("stays otherwise", "1"),
    ]  # fmt: skip


def test_a_report_of_thresholds_opens_on_them(tmp_path):
    """Axes in the unit, the mark where it says, people's band, the sound at the mark."""
    words = ("run", "thresholds", "--dimension", "gap,tempo", "-m", "listener", "--quiet")
    call(*words, "--out", tmp_path / "run")
    call("report", tmp_path / "run", "-o", tmp_path / "page", "--lang", "en,zh")
    for name, people in (("index.html", "people"), ("index.zh.html", "人")):
        front = read(tmp_path / "page" / name).id("front")
        (table,) = front.all("table", "dots")
        rows = table.all("tr")[1:]
        assert len(rows) == 2
        for row in rows:
            texts = row.all("td", "wide")[0].all("text")
            assert [one.text for one in texts].count(people) == 1
            ticks = [(float(one.text), float(one.attributes["x"].rstrip("%")))
                     for one in texts if one.text != people]  # fmt: skip
            values = [value for value, _ in ticks]
            assert values == sorted(values)
            steps = [math.log(b / a) for a, b in itertools.pairwise(values)]
            assert max(steps) < 1.25 * min(steps)  # logarithmic
            (mark,) = row.all("g", "mark")
            (line,) = mark.all("line", "whisker")
            high = float(line.attributes["x2"].rstrip("%"))
            (play,) = row.all("a", "play")
            assert play.attributes["href"].startswith("data:audio/wav;base64,UklGR")
            (triangle,) = play.all("svg")
            assert abs(float(triangle.attributes["x"].rstrip("%")) - max(high, 3.0)) < 0.1
            told = float(re.findall(r"[\d.]+", row.all("td", "told")[0].text)[-1])
            before = max((t for t in ticks if t[0] <= told), default=ticks[0])
            after = min((t for t in ticks if t[0] >= told), default=ticks[-1])
            assert before[1] - 4 <= high <= after[1] + 4  # its upper end, as it is told
    (says,) = read(tmp_path / "page" / "index.html").id("front").all("h1", "says")
    assert "listener hears finer differences than people in" in " ".join(says.text.split())


def test_a_run_whose_ways_share_no_item_draws_nothing(tmp_path):
    """By a limit it may have been asked all of one item and the first way of another."""
    words = ("--skill", "pitch", "--n", 2, "--body", "sound,abc", "--limit", 1)
    call("run", "bodies", *words, "-m", "first", "--out", tmp_path / "one", "--quiet")
    said = call("hearing", tmp_path / "one", "--out", tmp_path / "p", status=2)
    assert "none of these runs shows" in said


def test_runs_that_show_nothing_are_refused(tmp_path):
    (tmp_path / "q.csv").write_text("question,a,b,answer\nwhich?,x,y,a\n", "utf-8")
    call("run", tmp_path / "q.csv", "-m", "first", "--out", tmp_path / "run", "--quiet")
    said = call("hearing", tmp_path / "run", "--out", tmp_path / "p", status=2)
    assert "none of these runs shows what a model hears" in said
    assert not (tmp_path / "p").exists()


def test_answers_to_other_sounds_do_not_pass_for_ones_to_these(tmp_path):
    """Another seed, method or procedure asks other trials: a replay of theirs is refused."""
    words = ("run", "thresholds", "--dimension", "gap", "--most", 10, "--quiet", "-m")
    call(*words, "random", "--out", tmp_path / "heard")
    again = f"replay:{tmp_path / 'heard'}"
    call(*words, again, "--out", tmp_path / "same")
    kept = [(tmp_path / name / "records.jsonl").read_text("utf-8") for name in ("heard", "same")]
    levels = [[json.loads(line)["trial"]["tags"]["level"] for line in text.splitlines()]
              for text in kept]  # fmt: skip
    assert levels[0] == levels[1]
    for place, other in enumerate((("--seed", 1), ("--method", "yes-no"),
                                   ("--procedure", "staircase"))):  # fmt: skip
        said = call(*words, again, *other, "--out", tmp_path / f"other{place}", status=2)
        assert "is that of a trial of this run" in said
    said = call("compare", tmp_path / "heard", tmp_path / "same", status=2)
    assert "neither right nor wrong" in said
    assert "finish the run" not in said


def test_what_a_run_is_made_for_stands_above_its_shares_of_right_answers(whole):
    folder, _ = whole
    for name, title in (("bodies", "What is lost from"), ("pairs", "Does it use the audio?")):
        for flags in ((), ("--groups", "all")):
            out = io.StringIO()
            with redirect_stdout(out):
                assert main(["show", str(folder / name), *flags]) == 0
            text = out.getvalue()
            assert text.count(title) == 1
            assert text.index(title) < text.index("group")
    out = io.StringIO()
    with redirect_stdout(out):
        main(["show", str(folder / "thresholds")])
    assert "further table" not in out.getvalue()  # its only table is shown


def listener_at(place, name="gap"):
    """A result of somebody who is right from a place of the ladder on, and guesses below."""
    dimension = BY_NAME[name]
    levels = dimension.ladder.levels
    answers = []
    for level in levels:
        heard = float(dimension.ladder.place(level)) >= place
        for number in range(8):
            later = bool(number % 2)
            answers.append(ThresholdAnswer(level, later, later if heard else number % 4 < 2))
    threshold = fit(dimension.ladder, "two-interval", answers)
    return DimensionResult(dimension, "two-interval", len(answers), answers, threshold)


@pytest.mark.parametrize(
    ("level", "found"), [(0.8, "finer"), (3.5, "not clearly"), (40, "coarser")]
)
def test_the_page_begins_with_how_a_model_hears_beside_people(level, found):
    """People hear gaps of 2 to 5.7 ms; the sounds are those of the ends of the interval."""
    ladder = BY_NAME["gap"].ladder
    result = listener_at(float(ladder.place(level)))
    page = audiogram_page({"m": (0, [result])})
    (finding,) = page.findings
    assert found in str(finding)
    (mark,) = (dot for row in page.picture.rows for dot in row.dots)
    assert mark.low < mark.value < mark.high
    assert str(finding).endswith("gap in noise.")
    sounds = {one.name: one for one in page.samples}
    assert set(sounds) == {"gap-heard", "gap-unheard", "gap-people"}
    assert amount(result.dimension, result.threshold.upper) in str(sounds["gap-heard"].what)
    assert amount(result.dimension, result.threshold.lower) in str(sounds["gap-unheard"].what)
    again = audiogram_page({"m": (0, [listener_at(float(ladder.place(level)))])})
    assert [one.wav for one in again.samples] == [one.wav for one in page.samples]
