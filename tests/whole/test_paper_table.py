"""The paper's table: its figures, what stands out, its footnotes, and each of its four formats."""

import csv
import io
import json
import re
import shutil
import subprocess

import pytest

from columns_help import interval_of
from servers import ChatServer
from suites_help import HERE, suite
from zhiyin.analysis.compare import compare
from zhiyin.cli import main
from zhiyin.report.paper_table import PublishedBeside, paper_table, render_table
from zhiyin.runs.estimates import chance_of
from zhiyin.runs.rows import rows_of
from zhiyin.shown.paper import as_latex, latex, text_as_latex
from zhiyin.shown.table import Column, MarkedFigure, Row, Table, in_letters, table_of

MODELS = ("Good", "Fair", "Poor")
GUESSING = "chance"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A suite of three models on two benchmarks of questions and one of sequences."""
    folder = tmp_path_factory.mktemp("suite")
    text = suite(models=MODELS, conditions=["plain"], items=60)
    row = '[[published]]\nname = "Other"\nsource = "somebody, 2025, table 1"\nfigures = {ears = 71}'
    (folder / "small.toml").write_text(text + row)
    words = ["suite", str(folder / "small.toml"), "--out", str(folder / "s"), "--no-report"]
    assert main([*words, "--quiet"]) == 0
    return folder / "s"


@pytest.fixture(scope="module")
def runs(made):
    return {place.name: place for place in sorted((made / "runs").iterdir())}


def cells(table):
    """The figures by row and column, without those of guessing."""
    heads = [column.name for column in table.columns]
    found = {
        str(getattr(row.cells[0], "value", row.cells[0])): dict(
            zip(heads[1:], row.cells[1:], strict=True)
        )
        for row in table.rows
    }
    return {name: line for name, line in found.items() if name != GUESSING}


def tex_rows(text):
    """A LaTeX table read again: its rows of cells, commands and escapes taken away."""
    body = re.search(r"\\toprule\n(.*?)\\bottomrule", text, re.DOTALL)[1]
    lines = [line for line in body.splitlines() if line.endswith(r"\\")]
    return [
        [re.sub(r"\\textbf\{(.*?)\}|\\textsuperscript\{.*?\}", r"\1", cell).strip()
         for cell in re.split(r"(?<!\\)&", line.removesuffix(r"\\"))]
        for line in lines
    ]  # fmt: skip


@pytest.mark.slow
def test_its_figures_are_those_of_the_runs(runs):
    table = paper_table([*runs.values()])
    found, errors = cells(table), cells(paper_table([*runs.values()], spread="se"))
    assert set(found) == {"good", "fair", "poor"}
    for name, place in runs.items():
        benchmark, _, model = name.split("--")
        interval = interval_of(rows_of(place).judged.main)
        cell = found[model][benchmark]
        assert cell.value == (interval.mean, interval.low, interval.high)
        assert errors[model][benchmark].se == (interval.se or None)


@pytest.mark.slow
def test_guessing_has_a_row_where_every_answer_may_be_guessed(runs):
    table = paper_table([*runs.values()])
    (row,) = (row for row in table.rows if str(row.cells[0]) == GUESSING)
    for column, cell in zip(table.columns[1:], row.cells[1:], strict=True):
        places = [place for name, place in runs.items() if name.startswith(column.name)]
        (level,) = {chance_of(rows_of(place).judged.main) for place in places}
        assert cell.value == pytest.approx(level)
    assert row in paper_table([*runs.values()], brief=True).rows
    assert GUESSING in render_table(table, "latex")
    assert "随机猜测" in render_table(table, "md", "zh")


@pytest.mark.slow
def test_what_stands_out_is_the_best_and_what_does_not_differ_from_it(runs):
    found = cells(paper_table([*runs.values()]))
    for benchmark in ("ears", "books", "talks"):
        own = [place for name, place in runs.items() if name.startswith(benchmark)]
        ranking = compare(own, only_whole=True).ranking
        best = set(ranking[0].letters)
        alike = {one.label for one in ranking if best & set(one.letters)}
        assert {model for model, line in found.items() if line[benchmark].strong} == alike
    assert not found["poor"]["ears"].strong
    assert found["good"]["ears"].strong


def test_nothing_stands_out_where_one_model_is_alone(runs):
    table = paper_table([runs["ears--plain--good"]])
    assert not any(cell.strong for row in table.rows for cell in row.cells[1:] if cell)
    # One benchmark alone: its main groups.
    assert [c.name for c in table.columns[1:]] == ["ears", "ears: beats", "ears: tones"]
    assert "Bold" not in "".join(map(str, table.notes))


def test_of_many_groups_the_headlines_are_enough_until_all_are_asked_for(
    tmp_path, capsys, monkeypatch
):
    """A narrow terminal holds them in one part, and says how to have the others."""
    monkeypatch.setenv("COLUMNS", "80")
    place = str(tmp_path / "pairs")
    assert main(["run", "pairs", "-m", "random", "--quiet", "--out", place]) == 0
    capsys.readouterr()
    assert main(["table", place]) == 0
    out = capsys.readouterr().out
    left = re.search(r"(\d+) more columns.*: (--columns groups)", out)
    assert re.search(r"^model +pairs \(n\u00a0=\u00a0\d+\)$", out, re.MULTILINE)
    assert main(["table", place, "--to", "csv"]) == 0
    short = capsys.readouterr().out
    assert main(["table", place, *left[2].split(), "--to", "csv"]) == 0
    whole = capsys.readouterr().out
    heads = [text.splitlines()[0].split(",") for text in (short, whole)]
    few, many = ([h for h in own if h.endswith(" low")] for own in heads)
    assert (few, len(many)) == (["pairs low"], 1 + int(left[1]))
    for to in ("latex", "md", "html"):  # advice is for a terminal, not for a paper
        assert main(["table", place, "--to", to]) == 0
        assert "--columns" not in capsys.readouterr().out


@pytest.mark.slow
def test_latex_markdown_csv_and_html_hold_the_same_figures(runs):
    table = paper_table([*runs.values()])
    tex, text = render_table(table, "latex"), render_table(table, "md")
    rows = tex_rows(tex)
    assert len(rows) == 5
    assert all(len(row) == 4 for row in rows)
    for command in ("begin{table*}", "toprule", "bottomrule", "end{table*}"):
        assert tex.count(f"\\{command}") == 1
    assert tex.count("\\midrule") == 2  # guessing stands apart
    assert tex.count("{") == tex.count("}")
    assert not re.search(r"(?<!\\)[%#_](?!.*usepackage)", tex.partition("\n")[2])
    lines = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("|")]
    plain = [[re.sub(r"\*\*|<sup>.*?</sup>", "", cell) for cell in line] for line in lines]
    assert [plain[0], *plain[2:]] == rows
    read = list(csv.DictReader(io.StringIO(render_table(table, "csv"))))
    assert read.pop()["model"] == GUESSING
    for line, row in zip(read, cells(table).values(), strict=True):
        assert float(line["ears"]) == row["ears"].value[0]
        assert float(line["ears low"]) == row["ears"].value[1]
        assert ("*" in line["ears marks"]) == row["ears"].strong
    page = render_table(table, "html")
    assert page.count("<tr") == 5
    assert page.count("<strong>") == tex.count(r"\textbf{")


NAMES = (
    "gpt-4o_audio & co.", "50 % #3 {x} ~^\\ <a>|$b$ ``q`` ?` κ ≥ ♯",
    "Qwen/Qwen2.5-Omni-7B-Instruct_audio_flamingo-3-very-long-checkpoint-00012", "good", "poor",
)  # fmt: skip
HEADS = ("MuChoMusic", "MMAU (music)", "RUListening", "ZIQI-Eval", "perception")
NOTES = ("b: published: https://example.org/a_very/long_path/with-many_parts/and?query=1&b=2%20#" +
         "fragment_of_it/even-longer.html, table 1",)  # fmt: skip
BOTH = ("first", "second")


def shaped(models=NAMES[3:], heads=HEADS, spread="interval", notes=NOTES):
    """A table of a shape, every third figure bold, every second with footnotes."""
    rows = [
        Row((
            MarkedFigure(model, notes=("first",) if n == 0 else ()),
            *(
                MarkedFigure(
                    (0.4, 0.333, 0.456) if spread == "interval" else 0.4,
                    0.012 if spread == "se" else None, (n + k) % 3 == 0, BOTH * (k % 2),
                )
                for k in range(len(heads))
            ),
        ))
        for n, model in enumerate(models)
    ]  # fmt: skip
    columns = (Column("model"), *(Column(head, "share") for head in heads))
    return Table("table", f"Scores of models, %: {', '.join(heads)}", columns, tuple(rows), notes)


SHAPES = {
    "one": shaped(NAMES[:1], HEADS[:1]),
    "short": shaped(),
    "empty": shaped(()),
    "long": shaped(NAMES),
    "errors": shaped(NAMES, spread="se"),
    "wide": shaped(NAMES, [*HEADS, *(f"{head}: harmony of all kinds" for head in HEADS), "CMI"]),
    "high": shaped([f"model-{n}_x" for n in range(45)]),
    "higher": shaped([f"model-{n}" for n in range(700)]),
    "high and wide": shaped(
        [f"some-institute/model-{n}-instruct-of-a-long-name, 5 shots" for n in range(60)],
        [*HEADS, *HEADS],
        notes=NOTES * 12,
    ),
}
STYLES = {
    "one column": r"\documentclass{article}",
    "large letters": r"\documentclass[12pt]{article}",
    "two columns": r"\documentclass[twocolumn]{article}",
}


SIGNS = "✗ ✓ ♯ ♭ ≥ − → × é ł ą ő ế ﬁ ² ₁ ½ « » … “x” 𝄞 🎵 Привет č ğ ° № ⅓ \u200b ⟨x⟩ μ ∆\n\nß"
"""A paragraph of what pdfLaTeX's fonts have, and have not."""


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not here")
@pytest.mark.parametrize("style", STYLES)
def test_it_compiles_and_no_line_is_too_wide(style, runs, tmp_path):
    """In a document with the packages that its first line names, and no others."""
    tables = {**SHAPES, "runs": paper_table([*runs.values()])}
    texts = {name: render_table(table, "latex") for name, table in tables.items()}
    packages = {text.partition("\n")[0].removeprefix("% ") for text in texts.values()}
    pages = "\n\\clearpage\n".join([*texts.values(), rf"\sloppy {text_as_latex(SIGNS)}"])
    whole = [STYLES[style], *packages, r"\begin{document}", pages, r"\end{document}"]
    (tmp_path / "paper.tex").write_text("\n".join(whole), "utf-8")
    words = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, errors="replace")
    assert done.returncode == 0, done.stdout[-2000:]
    log = (tmp_path / "paper.log").read_text("utf-8", "replace")
    assert re.findall(r"^Overfull.*|.*Float too large.*", log, re.MULTILINE) == []


def test_what_does_not_fit_stands_in_two_lines_and_at_last_in_parts():
    flat, short, wide = (
        as_latex(shaped(("good",), HEADS[:1], notes=())), as_latex(SHAPES["short"]),
        as_latex(SHAPES["wide"]),
    )  # fmt: skip
    assert r"\begin{table}" in flat
    assert r"good\textsuperscript{a} & \textbf{40.0 (33.3–45.6)} " in flat
    assert r"\begin{table*}" in short
    assert r"40.0\textsuperscript{a,b}\\\scriptsize (33.3–45.6)\end{tabular}" in short
    assert (short.count(r"\toprule"), wide.count(r"\toprule")) == (1, 3)
    # Each column once, and each model in each part.
    assert wide.count("(33.3–45.6)") == len(NAMES) * 11
    assert wide.count(r"gpt-4o\_") == 3


def test_each_part_repeats_all_words_that_name_a_row():
    """But for words that leave its figures no room."""
    for second, everywhere in (("middling", True), ("a" * 70, False)):
        columns = [Column("first"), Column("second"), *[Column("right", "share")] * 20]
        text = as_latex(table_of("t", columns, [("good", second, *[0.123456] * 20)]))
        rows = [line for line in text.splitlines() if "12.3" in line]
        assert len(rows) > 1
        assert all(second[:7] in row for row in rows) == everywhere


def test_chinese_names_say_what_they_need():
    text = render_table(shaped(["通义千问_音频"], ["乐理"]), "latex")
    assert "CJKutf8" in text.partition("\n")[0]
    assert text.count("CJK*") == 4  # asked after twice, begun, ended
    assert "CJK" not in render_table(shaped(), "latex")


@pytest.mark.parametrize("name", SHAPES)
def test_what_is_higher_than_a_page_goes_on_in_further_floats_of_one_number(name):
    table = SHAPES[name]
    text = as_latex(table)
    floats = re.findall(r"\\begin\{table\*?\}.*?\\end\{table\*?\}", text, re.DOTALL)
    assert len(floats) > 1 or not name.startswith("high")
    assert len(floats) == 1 or name.startswith(("high", "wide"))
    assert text.count(r"\label{") == 1
    for number, own in enumerate(floats):
        assert own.count(r"\caption{") == 1
        assert own.count(r"\addtocounter{table}{-1}") == own.count("(continued)") == bool(number)
        assert own.count("{") == own.count("}")
        assert (r"\par{\footnotesize\raggedright" in own) == (own == floats[-1])
    figures = (len(table.columns) - 1) * len(table.rows)
    assert text.count("40.0") == figures  # each once, in whatever part it stands


def test_published_rows_have_one_footnote_each_and_no_second_line(runs):
    """A rule and the footnote of the row say in LaTeX that it is published; elsewhere its name."""
    row = PublishedBeside(
        "Claude-instant-1.2", "model", "somebody, 2025", {"ears": 0.7, "books": 0.6}
    )
    table = paper_table([*runs.values()], beside=[row])
    tex, text = render_table(table, "latex"), render_table(table, "csv")
    assert r"Claude-instant-1.2\textsuperscript{a} & 60.0 & 70.0 & –" in tex
    assert "\nClaude-instant-1.2 (published),a,0.6" in text


def test_a_flag_does_not_become_a_dash_in_latex():
    assert latex("--n 4 and more–less") == "-{}-n 4 and more–less"


def test_a_part_another_reader_and_an_unfinished_run_have_footnotes_and_no_bold(runs, tmp_path):
    good, fair = runs["ears--plain--good"], tmp_path / "fair"
    shutil.copytree(runs["ears--plain--fair"], fair)
    manifest = json.loads((fair / "run.json").read_text())
    manifest["config"]["options"]["extract"] = "first-letter"
    (fair / "run.json").write_text(json.dumps(manifest))
    poor = tmp_path / "poor"
    shutil.copytree(runs["ears--plain--poor"], poor)
    log = (poor / "records.jsonl").read_text().splitlines(True)
    (poor / "records.jsonl").write_text("".join(log[:-10]))
    table = paper_table([good, fair, poor], across="benchmarks")
    made, found = in_letters(table), cells(table)
    notes = "\n".join(one.plain for one in made.footnotes)
    assert "10 of 60 trials not asked yet" in notes
    marks = {row.cells[0]: row.marks for row in made.rows}
    unmarked = {name: {} for name in ("good", "fair, read by first-letter", GUESSING)}
    assert marks == unmarked | {"poor": {1: "a"}}
    # Only one run is left that could be tested against another.
    assert not any(line["ears"].strong for line in found.values())


def test_a_short_run_decides_nothing_of_what_is_bold(runs, tmp_path):
    """Fair was asked 4 of 60 items: the others are tested on all that they have."""
    places = [runs[f"ears--plain--{name}"] for name in ("good", "poor")]
    whole = cells(paper_table(places, across="benchmarks"))
    assert [whole[name]["ears"].strong for name in ("good", "poor")] == [True, False]
    short = tmp_path / "short"
    shutil.copytree(runs["ears--plain--fair"], short)
    log = (short / "records.jsonl").read_text().splitlines(True)
    (short / "records.jsonl").write_text("".join(log[:4]))
    manifest = json.loads((short / "run.json").read_text())
    manifest["planned"] = manifest["total"] = 4
    (short / "run.json").write_text(json.dumps(manifest))
    table = paper_table([*places, short], across="benchmarks")
    found = cells(table)
    assert {name for name, line in found.items() if line["ears"].strong} == {"good"}
    assert [*found] == ["good", "poor", "fair, 4 items"]
    alone = paper_table([places[0], short], across="benchmarks")
    assert not any(line["ears"].strong for line in cells(alone).values())


@pytest.mark.parametrize(
    ("label", "setting", "told"),
    [
        ("", {"hint": True}, ", hint"),
        ("good, with hints", {"hint": True}, ""),
        ("good, tuned", {"hint": True}, ", hint"),
        ("good, five-shot", {"shots": 5}, ""),
        ("good, 5-shot", {"shots": 5}, ""),
        ("good, 15-shot", {"shots": 5}, ", 5 shots"),
    ],
)
def test_what_a_label_says_is_not_said_twice(runs, tmp_path, label, setting, told):
    again = tmp_path / "again"
    shutil.copytree(runs["ears--plain--good"], again)
    manifest = json.loads((again / "run.json").read_text())
    manifest["config"]["options"] |= setting
    manifest["label"] = label
    (again / "run.json").write_text(json.dumps(manifest))
    table = paper_table([runs["ears--plain--good"], again], across="benchmarks")
    assert [*cells(table)] == ["good", (label or "good") + told]


def test_settings_are_counted_not_rows(runs, tmp_path):
    places = [runs[f"ears--plain--{name}"] for name in ("good", "fair", "poor")]
    for place in tuple(places):
        places.append(tmp_path / place.name)
        shutil.copytree(place, places[-1])
        manifest = json.loads((places[-1] / "run.json").read_text())
        manifest["config"]["options"]["hint"] = True
        (places[-1] / "run.json").write_text(json.dumps(manifest))
    table = paper_table([places[n] for n in (0, 3, 1, 4, 2, 5)], across="benchmarks")
    assert str(table.title).startswith("Scores of 3 models in 2 settings on ears")
    bare = ["good", "fair", "poor"]
    assert [*cells(table)] == [*bare, *(f"{name}, hint" for name in bare)]
    assert [row.apart for row in table.rows] == [False] * 3 + [True] + [False] * 3
    assert render_table(table, "latex").count(r"\midrule") == 3  # below the head, between, chance
    assert render_table(table, "html").count('class="apart"') == 1
    strong = {name for name, row in cells(table).items() if row["ears"].strong}
    assert {"good", "good, hint"} <= strong  # each is the best of its setting


def test_baselines_stand_last_and_are_no_models(runs, tmp_path):
    place = tmp_path / "guesses"
    shutil.copytree(runs["ears--plain--fair"], place)
    manifest = json.loads((place / "run.json").read_text())
    manifest["model"], manifest["label"] = "random", "random"
    (place / "run.json").write_text(json.dumps(manifest))
    both = [place, runs["ears--plain--good"], runs["ears--plain--poor"]]
    table = paper_table(both, across="benchmarks")
    assert str(table.title) == "Scores of 2 models and a baseline on ears, in %"
    assert [*cells(table)] == ["good", "poor", "random"]
    assert "2 个模型和 1 个基线" in render_table(table, "md", "zh")
    alone = paper_table([place], across="benchmarks")
    assert str(alone.title) == "Scores of one model on ears, in %"


def test_what_one_run_alone_was_set_to_is_said_of_its_benchmark(runs, tmp_path):
    again = tmp_path / "again"
    shutil.copytree(runs["ears--plain--good"], again)
    manifest = json.loads((again / "run.json").read_text())
    manifest["config"]["options"]["hint"] = True
    (again / "run.json").write_text(json.dumps(manifest))
    other = next(place for name, place in runs.items()
                 if name.endswith("--good") and not name.startswith("ears"))  # fmt: skip
    table = paper_table([again, other])
    assert [*cells(table)] == ["good"]
    assert None not in cells(table)["good"].values()
    assert "settings" not in str(table.title)
    assert "ears, all models here: hint" in " ".join(map(str, table.notes))
    assert next(iter(cells(paper_table([again], across="benchmarks")))).startswith("good, hint")
    # What another benchmark's runs differ in is no reason to part the lone run's row.
    third = tmp_path / "third"
    shutil.copytree(other, third)
    manifest = json.loads((third / "run.json").read_text())
    manifest["config"]["options"] |= {"hint": True, "shots": 2}
    (third / "run.json").write_text(json.dumps(manifest))
    table = paper_table([again, other, third])
    assert [*cells(table)] == ["good", "good, hint, 2 shots"]
    assert "ears, all models here: hint" in " ".join(map(str, table.notes))


def test_a_brief_table_says_what_bold_is(runs):
    table = paper_table([*runs.values()], brief=True)
    assert any(figure.strong for row in cells(table).values() for figure in row.values() if figure)
    assert "Bold" in " ".join(map(str, table.notes))
    assert "Bold" not in " ".join(map(str, paper_table([runs["ears--plain--good"]]).notes))


def test_on_a_terminal_every_row_that_was_asked_for_is_printed(runs, tmp_path, capsys):
    places = []
    for number in range(14):
        places.append(tmp_path / f"r{number}")
        shutil.copytree(runs["ears--plain--good"], places[-1])
        manifest = json.loads((places[-1] / "run.json").read_text())
        manifest["label"] = f"m{number}"
        (places[-1] / "run.json").write_text(json.dumps(manifest))
    assert main(["table", *map(str, places)]) == 0
    out = capsys.readouterr().out
    assert all(f"m{number} " in out for number in range(14))
    assert "more:" not in out


@pytest.mark.slow
def test_rows_that_were_asked_for_and_do_not_stand_there_are_explained(shared, tmp_path, capsys):
    """People's rows of ZIQI-Eval are of precision, the paper's models of other questions."""
    words = ["run", "ziqi", "--data", str(shared / "ziqi"), "-m", "first", "--quiet"]
    assert main([*words, "--out", str(tmp_path / "whole")]) == 0
    capsys.readouterr()
    for wanted, told in (("people", True), ("all", True), ("GPT-4", False), ("models", False)):
        assert main(["table", str(tmp_path / "whole"), "--published", wanted]) == 0
        out = " ".join(capsys.readouterr().out.split())
        assert ("ZIQI-Eval: 13 published rows are of precision alone" in out) is told
        assert ("not comparable" in out) is (wanted != "people")
        assert ("--as ziqi:table-1" in out) is (wanted != "people")
    assert main(["table", str(tmp_path / "whole"), "--columns", "groups"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "on ZIQI-Eval, in %" in out
    assert main(["table", str(tmp_path / "whole"), "--columns", "groups", "--to", "latex"]) == 0
    head = capsys.readouterr().out.partition(r"\midrule")[0].replace("\\\\", " ")
    assert "accuracy" in head
    assert "F1" in head


@pytest.mark.slow
def test_a_benchmark_that_was_asked_in_two_ways_is_one_in_the_title(runs, tmp_path):
    again = tmp_path / "again"
    shutil.copytree(runs["ears--plain--good"], again)
    manifest = json.loads((again / "run.json").read_text())
    manifest["config"]["options"]["hint"] = True
    (again / "run.json").write_text(json.dumps(manifest))
    table = paper_table([runs["ears--plain--good"], again], across="benchmarks")
    assert len(table.columns) == 2
    assert [*cells(table)] == ["good", "good, hint"]
    assert "2 benchmarks" not in str(table.title)
    assert "ears" in str(table.title)
    assert "3 benchmarks" in str(paper_table([*runs.values()]).title)


def test_a_failed_canary_is_a_footnote_of_its_model(runs, tmp_path):
    place = tmp_path / "deaf"
    shutil.copytree(runs["ears--plain--good"], place)
    manifest = json.loads((place / "run.json").read_text())
    manifest["canary"] = {
        "sound": {"state": "failed", "right": 1, "asked": 6, "needed": 5, "by_guessing": 0.01,
                  "unread": 0, "told": "", "warning": "deaf"}
    }  # fmt: skip
    (place / "run.json").write_text(json.dumps(manifest))
    table = paper_table([place, runs["ears--plain--fair"]])
    made = in_letters(table)
    assert (made.rows[0].cells[0], made.rows[0].marks[0]) == ("good", "a")
    assert "✗" not in render_table(table, "latex")
    assert any("1 of 6" in one.text for one in made.footnotes)
    both = in_letters(paper_table([place, runs["books--plain--good"]], brief=True))
    heads = [head.startswith("ears") for head in both.heads]
    assert [*both.rows[0].marks] == [heads.index(True)]  # not at the name: books are read


@pytest.mark.slow
def test_published_rows_come_on_request_with_their_source(made, capsys):
    assert main(["table", str(made), "--to", "md"]) == 0
    assert "Other" not in capsys.readouterr().out
    assert main(["table", str(made), "--to", "latex", "--published", "Oth*"]) == 0
    out = capsys.readouterr().out
    assert "Other & 71.0" in re.sub(r"\\textsuperscript\{.\}", "", out)
    assert "somebody, 2025, table 1" in out
    assert out.count(r"\midrule") == 2
    assert main(["table", str(made), "--published", "nobody"]) == 2
    assert "no published row" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        (["OTHER"], ["Other"]),
        (["other,people"], ["Other"]),
        (["Oth*,nobody"], "--published nobody: no published row"),
        (["Othr"], "did you mean Other?"),
        (["nobody"], "known: Other, all, models, people"),
        (["Other", "People"], '--published "Other,People"'),
    ],
)
def test_published_rows_go_by_names_in_any_case_and_a_wrong_one_says_what_there_is(
    made, capsys, wanted, told
):
    status = main(["table", str(made), "--to", "csv", "--published", *wanted])
    out, err = capsys.readouterr()
    if isinstance(told, str):
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert told in err
    else:
        assert status == 0
        assert re.findall(r"^(\w+) \(published\)", out, re.MULTILINE) == told


@pytest.mark.slow
def test_published_figures_stand_beside_whole_runs_alone(shared, tmp_path, capsys):
    words = ["run", "ziqi", "--data", str(shared / "ziqi"), "-m", "first", "--quiet"]
    assert main([*words, "--sample", "20", "--out", str(tmp_path / "part")]) == 0
    capsys.readouterr()
    assert main(["table", str(tmp_path / "part"), "--published", "all", "--to", "csv"]) == 0
    assert "published" not in capsys.readouterr().out


@pytest.mark.slow
def test_a_suite_prints_its_table_and_keeps_it_as_files(made, capsys):
    words = ["suite", str(made.parent / "small.toml"), "--out", str(made), "--no-report"]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert "Scores of 3 models on 3 benchmarks, in %" in out
    assert "Other (published)" in out
    for name in ("table.tex", "table.md", "table.csv"):
        assert (made / name).read_text()
        assert f'href="{name}"' in (made / "index.html").read_text()


@pytest.mark.slow
def test_a_report_takes_the_folder_of_a_suite(made, tmp_path, capsys):
    assert main(["report", str(made), "-o", str(tmp_path / "r.html")]) == 0
    trials = sum(len(rows_of(place)) for place in (made / "runs").glob("*--good"))
    assert f"trials {trials:,}," in capsys.readouterr().err
    assert main(["report", str(tmp_path / "nowhere"), "-o", str(tmp_path / "n.html")]) == 2
    assert "no such folder" in capsys.readouterr().err


def test_the_suffix_says_the_format(runs, tmp_path, capsys):
    place = str(runs["ears--plain--good"])
    assert main(["table", place, "--out", str(tmp_path / "t.tex")]) == 0
    assert (tmp_path / "t.tex").read_text().startswith("% \\usepackage{booktabs}")
    assert main(["table", place, "--out", str(tmp_path / "t.pdf")]) == 2
    assert ".tex" in capsys.readouterr().err


@pytest.mark.slow
def test_from_a_servers_address_to_a_latex_table_in_three_commands(tmp_path, monkeypatch, capsys):
    """Five benchmarks by three models, over HTTP."""
    monkeypatch.chdir(tmp_path)
    letters = {"one": "A", "two": "B", "three": "C"}
    with ChatServer(lambda call: f"Answer: {letters[call.body['model']]}") as server:
        address = server.spec.partition("#")[0]
        (tmp_path / "evening.toml").write_text(
            "\n".join(
                [f'[[models]]\nmodel = "{address}#{name}"' for name in letters]
                + [
                    f'[[benchmarks]]\nbenchmark = "{name}"\n'
                    f'name = "{name.rpartition(":")[2]}"\nflags = {{ {flags} }}'
                    for name, flags in (
                        ("perception", 'source = "generated", n = 3, modality = "midi"'),
                        ("bodies", 'body = "abc", n = 2'),
                        *((f"{HERE}:{name}", "items = 6") for name in ("Ears", "Books", "Talks")),
                    )
                ]
            )
        )
        assert main(["suite", "evening.toml", "--dry-run"]) == 0
        assert main(["suite", "evening.toml", "--sample", "2", "--no-report", "--quiet"]) == 0
        capsys.readouterr()
        assert main(["table", "suites/evening", "--to", "latex"]) == 0
    rows = tex_rows(capsys.readouterr().out)
    assert [len(row) for row in rows] == [6, 6, 6, 6]
    assert [row[0] for row in rows[1:]] == [*letters]
    assert all(re.search(r"\d", cell) for row in rows[1:] for cell in row[1:])


@pytest.mark.parametrize("language", ["en", "zh"])
def test_copies_are_named_by_their_folders_and_empty_nights_are_left_out(
    made, tmp_path, capsys, monkeypatch, language
):
    monkeypatch.setenv("ZHIYIN_LANG", language)
    for night in ("n1", "n2"):
        shutil.copytree(made, tmp_path / night)
    (tmp_path / "n3").mkdir()
    assert main(["table", *(str(tmp_path / night) for night in ("n1", "n2", "n3"))]) == 0
    told = capsys.readouterr()
    for row in ("good (n1)", "good (n2)") if language == "en" else ("good（n1）", "good（n2）"):
        assert told.out.count(f"\n{row}") == 1
    assert told.err.count(str(tmp_path)) == told.err.count(str(tmp_path / "n3")) == 1
    assert main(["table", str(tmp_path / "n3")]) == 2
