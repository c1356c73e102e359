"""Figures, tables and the methods paragraph: drawn where the data are, true to the data."""

import csv
import importlib
import re
import shutil
import subprocess

import pytest
from test_every_figure import muchomusic

from findings_help import answered, choice, write_run
from zhiyin.contract.declared import Section
from zhiyin.engine.naming import briefs
from zhiyin.errors import InputError
from zhiyin.plugins.paper.tables import write_tables
from zhiyin.report.methods import methods_paragraph
from zhiyin.report.overview import overview
from zhiyin.report.pictures import difference_tables
from zhiyin.report.run_set import RunSet
from zhiyin.runs.rows import rows_of as trials_of
from zhiyin.shown.charts import Series
from zhiyin.shown.dots import Dot, DotPicture, DotRow
from zhiyin.shown.paper import as_latex, as_markdown, latex

pytest.importorskip("matplotlib")

from zhiyin.plugins.paper.figures import write_figures
from zhiyin.plugins.paper.figures.behaviour import draw_letters, stated_confidence
from zhiyin.plugins.paper.figures.dots import draw_dots
from zhiyin.plugins.paper.figures.style import canvas, percent_axis, save, style
from zhiyin.report.paper_runs import gather, headlines

pytestmark = pytest.mark.slow

ALL = ("svg", "pdf", "png")


@pytest.fixture(scope="module")
def mucho(tmp_path_factory):
    return list(muchomusic(tmp_path_factory.mktemp("mucho")))


@pytest.fixture(scope="module")
def drawn(mucho, tmp_path_factory):
    out = tmp_path_factory.mktemp("figures")
    return {f.name: f for f in write_figures(mucho, out, ALL)}


def test_what_the_runs_hold_is_drawn_and_nothing_else(drawn):
    names = "overview groups differences dimensions shots distractors attention letters"
    assert set(drawn) == {f"muchomusic-{n}" for n in f"{names} calibration cost".split()}


def test_every_figure_is_vector_and_bitmap_with_fonts_inside(drawn):
    for figure in drawn.values():
        assert figure.files["svg"].read_text(encoding="utf-8").lstrip().startswith("<?xml")
        pdf = figure.files["pdf"].read_bytes()
        assert pdf.startswith(b"%PDF")
        assert b"/FontFile2" in pdf
        assert figure.files["png"].read_bytes().startswith(b"\x89PNG")
        assert len(figure.caption) > 40


def test_the_same_data_give_the_same_bytes(mucho, tmp_path):
    def written(folder):
        with style():
            (runs,) = gather(mucho[1:2]).values()
            return save(draw_letters("muchomusic", runs), tmp_path / folder, ALL).files

    first, second = written("one"), written("two")
    for kind in ("svg", "pdf", "png", "csv"):
        assert first[kind].read_bytes() == second[kind].read_bytes(), kind


@pytest.mark.parametrize(
    ("benchmark", "groups", "expected"),
    [
        ("ziqi", ("comprehension", "female_music"), ("f1", ["comprehension", "female_music"])),
        (
            "ziqi",
            (
                *("comprehension", "generation", "female_music"),
                *(f"world_ethnic_music/{g}_music" for g in ("black_african", "european")),
            ),
            ("f1", ["comprehension", "generation"]),
        ),
        ("muchomusic", ("knowledge", "reasoning"), ("accuracy", ["all", "knowledge", "reasoning"])),
        ("mine", ("x",), ("accuracy", ["all"])),
    ],
)
def test_the_headline_is_the_one_of_the_paper(tmp_path, benchmark, groups, expected):
    run = write_run(tmp_path / "r", benchmark, "m", [answered(choice("q", groups=groups), "A")])
    (seen,) = gather([run]).values()
    found = headlines(seen)
    assert (found[0].name, [one.group for one in found]) == expected


def test_perception_with_many_published_cells_has_one_overview(tmp_path):
    cells = tuple(f"chords/audio/{s}/{t}" for s in ("zero", "few") for t in ("standalone", "cot"))
    run = write_run(tmp_path / "r", "perception", "m", [answered(choice("q", groups=cells), "A")])
    (seen,) = gather([run]).values()
    assert [(one.name, one.group) for one in headlines(seen)] == [("accuracy", "all")]


def test_a_small_run_of_an_unknown_benchmark_is_no_obstacle(tmp_path):
    run = write_run(tmp_path / "r", "mine", "m & co", [answered(choice("q"), "A")])
    names = {figure.name for figure in write_figures([run], tmp_path / "out")}
    assert names == {"mine-overview", "mine-letters"}
    assert {t.name for t in write_tables([run], tmp_path / "out")} == {"mine-scores", "mine-health"}


def test_confidence_is_normalised_over_the_options(tmp_path):
    record = answered(choice("q"), "B", logprobs={"A": -2.0, "B": -1.0, "C": -2.0, "X": 0.0})
    assert stated_confidence(record) == pytest.approx(1 / (1 + 2 * 2.718281828**-1))


def test_labels_are_short_unless_they_collide():
    names = ["http://x:8000/v1#Qwen/Qwen2-Audio", "openai:gpt-4o", "python:a/b.py:clever"]
    assert briefs(names) == ["Qwen2-Audio", "gpt-4o", "b.py:clever"]
    assert briefs(["http://x/v1#a/m", "http://y/v1#b/m"]) == ["x/v1#a/m", "y/v1#b/m"]


def test_tables_are_written_in_three_forms(mucho, tmp_path):
    tables = {table.name: table for table in write_tables(mucho[:2], tmp_path)}
    assert {"muchomusic-scores", "muchomusic-ranking", "muchomusic-health"} <= tables.keys()
    for name in tables:
        assert {p.suffix for p in tmp_path.glob(f"{name}.*")} == {".csv", ".md", ".tex"}
    with (tmp_path / "muchomusic-scores.csv").open(encoding="utf-8", newline="") as file:
        row = next(csv.DictReader(file))
    entries = trials_of(mucho[0])
    plain = [e for e in entries if e.tags["audio"] == "true"]
    plain = [e for e in plain if e.tags["distractors"] == "all"]
    assert row["group"] == "all"
    assert int(row["trials"]) == len(plain) < len(entries)


def test_a_difference_that_cannot_be_is_not_called_detectable(tmp_path):
    trials = [choice("q1")]
    runs = [
        write_run(tmp_path / name, "toy", name, [answered(t, letter) for t in trials])
        for name, letter in (("a", "A"), ("b", "B"))
    ]
    write_tables(runs, tmp_path / "out")
    with (tmp_path / "out" / "toy-differences.csv").open(encoding="utf-8", newline="") as file:
        assert [row["MDE"] for row in csv.DictReader(file)] == [""]


def test_a_table_with_many_groups_is_one_float_on_paper_and_whole_as_csv(tmp_path):
    """Its caption has the paper's name of the benchmark, what all rows share stands in a note."""
    groups = [f"popular_music/kind-{n}" for n in range(40)]
    trials = [choice(f"q{n}", groups=("popular_music", group)) for n, group in enumerate(groups)]
    runs = [
        write_run(tmp_path / name, "ziqi", name, [answered(t, "AB"[n < wrong])
                  for n, t in enumerate(trials)])
        for name, wrong in (("good", 4), ("weak", 30))
    ]  # fmt: skip
    write_tables(runs, tmp_path / "out")
    for name in ("scores", "differences"):
        paper = (tmp_path / "out" / f"ziqi-{name}.tex").read_text("utf-8")
        assert paper.count(r"\begin{table") == paper.count(r"\begin{tabular}{") == 1
        assert r"\caption{ZIQI-Eval: " in paper
        assert "has every group" in paper
        rows = [*csv.DictReader((tmp_path / "out" / f"ziqi-{name}.csv").open(encoding="utf-8"))]
        assert {*groups, "all"} < {row["group"] for row in rows}
    assert "All rows: " in paper
    assert "mcnemar" in paper.partition("All rows: ")[2]


@pytest.mark.parametrize("way", ["", "audio=none"])
def test_main_groups_are_in_each_table_also_where_all_was_asked_in_one_altered_way(tmp_path, way):
    """They lie within the way, which holds what the whole holds and is no row of its own."""
    kinds = ("music", "sound", "speech")
    trials = [
        choice(f"q{n}", groups=tuple(filter(None, (way, f"{way}/{kind}".lstrip("/"),
                                                   f"{way}/{kind}/fine-{n % 15}".lstrip("/")))),
               tags={"audio": "none"} if way else {})
        for n in range(90) for kind in [kinds[n % 3]]
    ]  # fmt: skip
    runs = [
        write_run(tmp_path / name, "mmau", name, [answered(t, "AB"[n < wrong])
                  for n, t in enumerate(trials)])
        for name, wrong in (("good", 4), ("fair", 40), ("weak", 80))
    ]  # fmt: skip
    write_tables(runs, tmp_path / "out")
    for name, times in (("scores", 3), ("differences", 3)):
        paper = (tmp_path / "out" / f"mmau-{name}.tex").read_text("utf-8")
        for kind in kinds:
            assert paper.count(f"& {kind} &") == times * paper.count(r"\toprule")
        assert ("All with audio=none" in paper) == bool(way)
        assert "& audio=none &" not in paper
    found = overview(RunSet(runs))
    table, _ = next(iter(difference_tables(found.benchmarks[0], found.runs)))
    assert len(table.rows) == 1 + len(kinds)


def test_of_one_task_its_parts_stand_in_papers_by_their_names_in_words(tmp_path):
    """The task is no row beside the whole, nor is how difficult items are; none is a slug."""
    parts = ("harmony_and_chord_progressions", "temporal_reasoning", "instrumentation")
    trials = [
        choice(f"q{n}", groups=("music", f"music/{parts[n % 3]}", f"music/difficulty={n % 35}"))
        for n in range(90)
    ]
    themes = [choice(f"q{n}", groups=("comprehension", "female_music")) for n in range(12)]
    runs = [write_run(tmp_path / name, name, "m", [answered(t, "A") for t in own])
            for name, own in (("mmau", trials), ("ziqi", themes))]  # fmt: skip
    write_tables(runs, tmp_path / "out")
    paper = (tmp_path / "out" / "mmau-scores.tex").read_text("utf-8")
    assert "All of music" in paper
    assert "harmony and chord" in paper
    assert "temporal reasoning" in paper
    for absent in ("& music &", "difficulty", "temporal\\_"):
        assert absent not in paper
    assert "Women in music" in (tmp_path / "out" / "ziqi-scores.tex").read_text("utf-8")
    assert "female_music" in (tmp_path / "out" / "ziqi-scores.csv").read_text("utf-8")


def test_latex_is_escaped_and_balanced():
    nasty = r"50 % & $x_1$ #1 {a} ~ ^ \write18 <b> |"
    table = Section(nasty, [nasty, "n"], [[nasty, 0.5], ["b", None]], [nasty]).table("t")
    written = as_latex(table)
    body = written.partition("\n")[2].replace(r"\\", "")
    assert not re.search(r"(?<!\\)[%#$]", body)
    assert body.count(r"\begin{") == body.count(r"\end{")
    assert r"\textbackslash{}write18" in written
    cells = [line for line in written.splitlines() if line.endswith(r"\\")]
    assert [len(re.findall(r"(?<!\\)&", line)) for line in cells] == [1, 1, 1]
    long = Section("x", ["a"], [["r"]] * 60).table("t")
    assert as_latex(long).count(r"\begin{table}") == as_latex(long).count(r"\end{table}") == 2
    assert latex("a\nb") == "a b"


@pytest.mark.parametrize("first", ["[v1] model", "*best*"])
def test_a_row_of_latex_is_no_argument_of_the_row_above(first):
    written = as_latex(Section("x", ["run", "n"], [["a", 1], [first, 2]]).table("t"))
    assert not re.search(r"\\\\\s*[\[*]", written)
    assert latex(first) in written


def test_markdown_cells_cannot_break_out():
    table = Section("x", ["a|b", "n"], [["<script>|`x`\nnew", 1.0]]).table("t")
    lines = as_markdown(table).splitlines()
    assert len(lines) == 5
    assert "<script>" not in as_markdown(table).replace(r"\<script\>", "")
    assert len(re.findall(r"(?<!\\)\|", lines[-1])) == 3


def test_the_methods_say_what_was_run(mucho):
    words = methods_paragraph(mucho)
    assert "\n\n".join(map(" ".join, overview(RunSet(mucho)).methods)) == words
    for expected in (
        "Zhiyin 0.1.0",
        "f" * 16,
        "temperature 0",
        "Zhiyin’s rule robust",
        "sign-flip",
        "repeats",
    ):
        assert expected in words
    assert "one-shot" in words
    assert "2 shots" in words
    named = "listens (lab/listens) and guesses (lab/guesses), at http://host/v1, in 3 runs on"
    assert f"We examined {named} 60 items" in words
    assert words.count("http://host") == 1


def test_an_example_that_was_asked_with_fewer_makes_no_line_of_its_own(tmp_path):
    """ZIQI asks an example itself without this one: the run is of five examples all the same."""
    runs = []
    for given in (0, 5):
        fewer = [4 if given and n == 0 else given for n in range(20)]
        asked = [choice(f"q{n}", tags={"shots": own}) for n, own in enumerate(fewer)]
        records = [answered(trial, "AB"[n % 2]) for n, trial in enumerate(asked)]
        runs.append(write_run(tmp_path / str(given), "ziqi", "m", records, options__shots=given))
    figures = {figure.name: figure for figure in write_figures(runs, tmp_path / "out")}
    with figures["ziqi-shots"].files["csv"].open(encoding="utf-8", newline="") as text:
        rows = [row for row in csv.DictReader(text) if row["panel"] == "Accuracy"]
    assert [(row["row"], float(row["value"])) for row in rows] == [("0", 0.5), ("5", 0.5)]


def test_a_folder_that_is_no_run_is_one_line(tmp_path):
    with pytest.raises(InputError, match="is not a run"):
        write_figures([tmp_path], tmp_path / "out")


@pytest.mark.filterwarnings("ignore:Glyph")
def test_the_words_of_pictures_are_in_chinese_too_where_there_is_a_font(tmp_path, monkeypatch):
    """Any font will do here: a picture keeps beside its outlines what is written in it."""
    from zhiyin.contract.declared import Drawn
    from zhiyin.words import said

    style = importlib.import_module("zhiyin.plugins.paper.figures.style")

    def written(han):
        monkeypatch.setattr(style, "_chinese_font", lambda: han)
        with style.style():
            made, (ax,) = style.canvas(3, 2)
            style.rows_axis(ax, ["gpt", said("picture-all-three")])
            style.percent_axis(ax, "x", said("picture-accuracy"))
            ax.set_title(style.PictureText(said("picture-row", name="gpt", about="12"), width=5))
            style.letter(ax, 0)
            style.remark(ax, style.PictureText(said("picture-chance"), "p = 1"), (0, 0))
            figure = style.save(Drawn("made", "title", "caption", made, [], []), tmp_path, ALL)
        words = {
            kind: set(re.findall("<!-- (.*?) -->", path.read_text("utf-8"), re.DOTALL))
            for kind, path in figure.files.items()
            if kind.endswith("svg")
        }
        return figure, words

    figure, words = written(None)
    assert set(words) == {"svg"}
    assert figure.in_language("zh") == figure.in_language("en")
    both, words = written(style._FONTS[-1])
    english, chinese = words["svg"], words["zh.svg"]
    assert {"all three", "accuracy, %", "chance"} <= english - chinese
    assert {"三种都有", "正确率（%）", "随机水平"} <= chinese - english
    assert {"gpt", "p = 1", "0", "100"} <= english & chinese
    assert any("A   gpt" in line for line in english)
    assert any("A   gpt（12）" in line for line in chinese)
    names = [path.name for path in both.in_language("zh")]
    assert names == ["made.zh.svg", "made.zh.pdf", "made.zh.png", "made.csv"]


@pytest.mark.parametrize("han", [True, False])
def test_captions_are_in_each_language_beside_its_pictures(tmp_path, monkeypatch, han):
    """A name with a dot in it stands in braces, for LaTeX to find its ending by itself."""
    style = importlib.import_module("zhiyin.plugins.paper.figures.style")
    font = style._FONTS[-1] if han else None
    monkeypatch.setattr(style, "_chinese_font", lambda: font)
    trials = [choice(f"q{n}", gold="ABCD"[n % 4]) for n in range(12)]
    run = write_run(tmp_path / "run", "toy", "good", [answered(t, "A") for t in trials])
    made = write_figures([run], tmp_path / "out", ["pdf"])
    for stem, comma, dot in (("captions", ". ", ""), ("captions.zh", "。", ".zh" if han else "")):
        floats = (tmp_path / "out" / f"{stem}.tex").read_text("utf-8")
        told = (tmp_path / "out" / f"{stem}.txt").read_text("utf-8")
        named = re.findall(r"graphics\[.*?\]\{\{?([^{}]+)\}", floats)
        assert named == [f"{one.name}{dot}" for one in made]
        assert all((tmp_path / "out" / f"{name}.pdf").is_file() for name in named)
        assert told.count(comma) >= len(made)
        assert ("题" in told) == ("题" in floats) == ("CJK" in floats) == (comma == "。")
        for one in made:  # what a reference counts is within the group that sets the caption
            inner = floats.split(rf"\label{{fig:{one.name}}}")[1].split(r"\end{figure*}")[0]
            assert (r"\end{CJK*}" in inner) == (comma == "。")


def test_a_tick_is_where_it_says(tmp_path):
    with style():
        made, (ax,) = canvas(3.5, 1.0, 1)
        percent_axis(ax, "x", "points", whole=False)
        ax.set_xticks([-0.075, -0.05, 0.0, 0.025, 0.07])
        made.draw_without_rendering()
        assert [one.get_text() for one in ax.get_xticklabels()] == ["−7.5", "−5", "0", "2.5", "7"]


def test_a_model_keeps_its_mark_in_every_figure_and_one_answer_is_hollow(tmp_path, monkeypatch):
    """The better of two stands on the right in its own colour, whoever was named first."""
    from matplotlib.colors import to_hex

    from zhiyin.cli import main
    from zhiyin.plugins.paper import figures
    from zhiyin.plugins.paper.figures.style import painted

    lines = ["id,question,a,b,answer,group"]
    for n in range(48):
        first, second = ("yes", "certainly not") if n % 2 else ("yes", "no")
        lines.append(
            f"q{n},which {n}?,{first},{second},{'ba'[n % 2 == 0]},{'one' if n < 24 else 'two'}"
        )
    (tmp_path / "q.csv").write_text("\n".join(lines) + "\n", "utf-8")
    runs = [tmp_path / name for name in ("first", "longest")]
    for run in runs:
        words = ["run", str(tmp_path / "q.csv"), "-m", run.name, "--out", str(run), "--quiet"]
        assert main(words) == 0
    ((benchmark, own),) = gather(runs).items()
    drawn, save = {}, figures.save
    monkeypatch.setattr(
        figures, "save", lambda one, *to: drawn.setdefault(one.name, one) and save(one, *to)
    )
    write_figures(runs, tmp_path / "out", ["svg"])
    places = {run.label: painted(run.series)["color"] for run in own}
    overview, differences = (drawn[f"{benchmark}-{name}"] for name in ("overview", "differences"))
    marks = [line for line in overview.canvas.axes[0].get_lines() if line.get_marker() != "None"]
    hollow = [line for line in marks if to_hex(line.get_markerfacecolor()) == "#ffffff"]
    assert sum(len(line.get_xdata()) for line in hollow) == 3  # of the whole and each group
    assert {line.get_color() for line in hollow} == {places["first"]}
    assert "Hollow" in str(overview.caption)
    (axes,) = differences.canvas.axes
    label = axes.get_xlabel().in_language("en")
    assert label.startswith("← first better")
    assert label.endswith("longest better →")
    (mark,) = {line.get_color() for line in axes.get_lines() if line.get_marker() != "None"}
    assert mark == places["longest"]


def test_settings_of_a_model_differ_on_paper_in_fill_and_dash_alone():
    from zhiyin.plugins.paper.figures.style import painted
    from zhiyin.shown.charts import marks_of

    marks = marks_of([("m", "m"), ("m", "m, hot"), ("m", "m, no sound")])
    looks = [painted(mark) for mark in marks.values()]
    assert len({(own["color"], own["marker"]) for own in looks}) == 1
    assert len({own["markerfacecolor"] for own in looks}) == 3
    assert len({str(own["linestyle"]) for own in looks}) == 3
    assert "#ffffff" not in [own["markerfacecolor"] for own in looks]  # hollow says another thing


LONG = "ChatGPT-3.5-turbo, 2024-06, Precision 55.1, Recall (= accuracy) 53.5"


def rows_of_dots(n, name, marks):
    rows = [DotRow(f"{name} {i}", "", "", (Dot(0.4, 0.2, 0.5),) * marks, 0.25) for i in range(n)]
    names = tuple((Series(f"s{k}"), f"{name} {k}") for k in range(marks)) if marks > 1 else ()
    signs = () if marks > 1 else (Series("model", hollow=True),) * n
    return DotPicture("who", f"F1: {name}", "share", names, tuple(rows), signs)


@pytest.mark.parametrize("marks", [1, 3])
@pytest.mark.parametrize("panels", [[(4, "good")] * 2, [(30, LONG)], [(4, LONG), (26, LONG * 2)],
                                    [(3, "x" * 150), (3, "a"), (3, "音乐" * 40)]])  # fmt: skip
def test_words_of_any_length_stand_beside_their_panel_and_within_the_picture(
    panels, marks, tmp_path, recwarn
):
    pictures = [rows_of_dots(n, name, marks) for n, name in panels]
    with style():
        drawn = draw_dots("long", "t", "c", *pictures)
        save(drawn, tmp_path, ["png"])
        assert not [str(one.message) for one in recwarn if one.category is UserWarning]
        canvas = drawn.canvas
        canvas.set_dpi(300)  # as it was saved
        boxes = [own.get_tightbbox() for own in canvas.axes]
        areas = [own.get_window_extent() for own in canvas.axes]
    width, height = canvas.get_size_inches() * canvas.dpi
    for n, box in enumerate(boxes):
        assert min(box.x0, box.y0) > -2
        assert box.x1 < width + 2
        assert box.y1 < height + 2
        assert not any(box.overlaps(area) for m, area in enumerate(areas) if m != n)


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not here")
@pytest.mark.parametrize("columns", ["onecolumn", "twocolumn"])
def test_all_floats_of_a_report_fit_their_pages(tmp_path, columns):
    """High pictures with long captions, and all tables; none is wider than its column."""
    groups = [f"skill_{n}" for n in range(26)]
    trials = [choice(f"q{n}", groups=(groups[n % 26],), gold="ABCD"[n % 4]) for n in range(130)]
    runs = [
        write_run(tmp_path / name, "toy", name, [answered(t, t.target if n % 10 < right else "A")
                  for n, t in enumerate(trials)])
        for name, right in (("good", 8), ("fair", 5), ("weak", 3))
    ]  # fmt: skip
    figures, tables = tmp_path / "figures", tmp_path / "tables"
    write_figures(runs, figures, ["pdf"])
    write_tables(runs, tables)
    inputs = [figures / "captions.tex", *sorted(tables.glob("*.tex"))]
    pages = "\\clearpage\n".join(rf"\input{{{one}}}" for one in inputs)
    (tmp_path / "paper.tex").write_text(
        rf"\documentclass[{columns}]{{article}}\usepackage{{booktabs,graphicx}}"
        rf"\graphicspath{{{{{figures}/}}}}\begin{{document}}{pages}\end{{document}}", "utf-8"
    )  # fmt: skip
    words = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, errors="replace")
    assert done.returncode == 0, done.stdout[-2000:]
    assert re.findall(r".*Float too large.*", done.stdout) == []
    wide = [float(one) for one in re.findall(r"Overfull .hbox .([\d.]+)pt", done.stdout)]
    assert max(wide, default=0) < 5
