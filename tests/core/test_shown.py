"""Tables as facts: whatever stands in one, each renderer shows it and obeys none of it."""

import csv
import io
import itertools
import re
import subprocess
import sys
from html.parser import HTMLParser

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from zhiyin.contract.declared import Section
from zhiyin.numerals import duration
from zhiyin.shown.charts import SHARES, ChartScale, Series, definitions, grid
from zhiyin.shown.dots import Dot, DotPicture, DotRow, picture
from zhiyin.shown.pages import as_html
from zhiyin.shown.paper import as_csv, as_latex, as_markdown
from zhiyin.shown.table import Column, Link, Row, Table, in_letters, table_of, written
from zhiyin.shown.terminal import MOST_ROWS, Terminal
from zhiyin.text import printable
from zhiyin.words import said
from zhiyin.words.findings import CutOff


@pytest.mark.parametrize(
    ("kind", "decimals", "cell", "letters"),
    [
        ("count", None, 14334, "14,334"),
        ("count", None, 1234.4, "1,234"),
        ("share", None, 0.28806, "28.8"),
        ("share", 2, 0.28806, "28.81"),
        ("share", None, 1.0, "100.0"),
        ("share", None, (0.1, 0.25), "10.0–25.0"),
        ("share", None, (0.2, 0.1, 0.25), "20.0 (10.0–25.0)"),
        ("share", None, (0.0, float("inf")), "-"),
        ("points", None, 0.0315, "+3.1"),
        ("points", None, (-0.031, 0.08), "−3.1 to 8.0"),
        ("points", None, (0.02, 0.01, 0.03), "+2.0 (1.0 to 3.0)"),
        ("p", None, 0.0455, "0.045"),
        ("p", None, 1e-9, "<\xa00.001"),
        ("usd", None, 1234.5, "1,234.50"),
        ("usd", None, 0.002134, "0.00213"),
        ("rate", None, 1.125, "1.125"),
        ("rate", None, 2.0, "2"),
        ("seconds", None, 125.0, "2 min"),
        ("seconds", 1, 7.25, "7.2"),
        ("bytes", None, 3_400_000, "3.4 MB"),
        ("number", None, 3, "3"),
        ("number", None, 0.00001, "<\xa00.0001"),
        ("number", 3, -0.25, "−0.250"),
        ("number", 3, (-0.5, 0.25), "−0.500 to 0.250"),
        ("number", 1, 2.5e12, "2.5e+12"),
        ("number", 2, float("nan"), "-"),
        ("share", None, None, "-"),
        ("share", None, "n/a", "n/a"),
        ("text", None, True, "yes"),
        ("text", None, Link("a run", "http://x"), "a run"),
        ("text", None, said("going-on"), None),
    ],
)
def test_a_cell_is_written_as_its_column_says(kind, decimals, cell, letters):
    text = written(cell, Column("", kind, decimals))
    assert text == letters if letters else text.startswith("the run is still going on")


def test_cells_in_chinese():
    assert written(said("going-on"), Column(""), "zh") != written(said("going-on"), Column(""))
    assert written((-0.1, 0.2), Column("", "points"), "zh") == "−10.0 至 20.0"
    assert written(False, Column(""), "zh") == "否"
    assert written(7800.0, Column("", "seconds"), "zh") == "2 小时 10 分钟"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "0 s"), (89, "89 s"), (91, "2 min"), (7800, "2 h 10 min"), (356_400, "4 d 3 h")],
)
def test_times_of_a_table(seconds, words):
    assert duration(seconds) == words


def test_a_section_says_what_its_columns_hold():
    """The same three figures on a page, and for machines with every digit."""
    lost = (0.43, 0.351, 0.509)
    section = Section(
        "What is lost", ["", "points lost", "p"], [["to hearing", lost, 1e-6]],
        kinds=["text", "points", "p"],
    )  # fmt: skip
    (row,) = in_letters(section.table()).rows
    assert row.cells == ("to hearing", "+43.0 (35.1 to 50.9)", "<\xa00.001")
    head, cells = csv.reader(io.StringIO(as_csv(section.table())))
    assert head == ["", "points lost", "points lost low", "points lost high", "p"]
    assert cells == ["to hearing", "0.43", "0.351", "0.509", "1e-06"]


def test_an_interval_among_other_cells_has_columns_of_its_own():
    section = Section("", ["", "value"], [["n", 12], ["95 %", (18.8, 81.25)], ["type", "I"]])
    assert [row.cells[1] for row in in_letters(section.table()).rows] == ["12", "18.8–81.2", "I"]
    head, *rows = csv.reader(io.StringIO(as_csv(section.table())))
    assert head == ["", "value", "value low", "value high"]
    assert rows == [["n", "12", "", ""], ["95 %", "", "18.8", "81.25"], ["type", "I", "", ""]]


def test_the_decimals_of_a_section_suit_its_columns():
    rows = [["a", 0.5, 12.34, 0.1234, "x"], ["b", 1.5, 1.0, 0.2, None]]
    section = Section("t", ["", "large", "share, %", "small", "why"], rows)
    first, second = in_letters(section.table()).rows
    assert first.cells == ("a", "0.5", "12.3", "0.123", "x")
    assert second.cells == ("b", "1.5", "1.0", "0.200", "-")
    assert "12.34" in as_markdown(section.table())
    assert "0.1234" in as_csv(section.table())


NASTY = st.text(
    st.characters(codec="utf-8") | st.sampled_from("<>&\"'|\\%$#_{}~^[]*`\x1b\x07\n\t知音"),
    max_size=40,
)
CELLS = st.one_of(
    st.none(),
    st.integers(-(10**6), 10**6),
    st.floats(0, 1),
    st.tuples(st.floats(0, 1), st.floats(0, 1)),
    st.tuples(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1)),
    NASTY,
)
KINDS = st.sampled_from(["count", "share", "points", "p", "usd", "seconds", "number", "text"])


@st.composite
def tables(draw):
    columns = [Column(draw(NASTY))]
    columns += [Column(draw(NASTY), draw(KINDS)) for _ in range(draw(st.integers(0, 6)))]
    some = [
        Row((draw(NASTY), *(draw(CELLS) for _ in columns[1:])), draw(st.integers(0, 2)))
        for _ in range(draw(st.integers(0, 3)))
    ]
    rows = (some * 200)[: draw(st.sampled_from([0, 1, 3, 200]))]
    return Table("t", draw(NASTY), tuple(columns), tuple(rows), (draw(NASTY),))


class Cells(HTMLParser):
    """The text of the rows of a table."""

    def __init__(self, page):
        super().__init__()
        self.rows, self.tags, self._cell = [], set(), None
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self._cell = ""

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.rows[-1].append(self._cell)
            self._cell = None

    def handle_data(self, data):
        if self._cell is not None:
            self._cell += data


def plain(text):
    return "".join(printable(text).split())


MANY = settings(
    max_examples=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@pytest.mark.slow
@MANY
@given(tables())
def test_on_a_page_every_cell_is_text(table):
    page = Cells(as_html(table))
    expected = [in_letters(table).heads, *(row.cells for row in in_letters(table).rows)]
    assert [[plain(c) for c in row] for row in page.rows] == [
        [plain(c) for c in row] for row in expected
    ]
    assert page.tags <= {
        "figure", "div", "table", "caption", "thead", "tbody", "tr", "th", "td", "p", "span"
    }  # fmt: skip
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", as_html(table))


@pytest.mark.slow
@MANY
@given(tables(), st.sampled_from([30, 80, 200]))
def test_on_a_terminal_no_figure_is_cut_and_nothing_is_obeyed(table, width):
    out = io.StringIO()
    Terminal(file=out, width=width, color_system=None).print_table(table)
    lines = out.getvalue().split("\n")
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", out.getvalue())
    made = in_letters(table)
    for row in made.rows:
        for cell, words in zip(row.cells, made.words, strict=True):
            if not words and cell.isprintable() and len(cell) < 20:
                assert any(cell in line for line in lines)
    assert plain("".join(cell for row in made.rows for cell in row.cells[:1])) == "" or len(
        lines
    ) > len(made.rows)


WIDE = ("", "00000@\u0e5c", "00000@@\u0e5c\u231a", "", "0" * 10)
TWO_NAMES = Table(
    "t",
    "",
    (Column("", "text"), Column("", "text"), *[Column(name, "count") for name in WIDE]),
    (Row(("0" * 24, None, None, None, None, "0" * 18, None)),),
)
"""In parts, with both names of its row in each."""


@pytest.mark.slow
@MANY
@given(tables())
@example(TWO_NAMES)
def test_on_paper_rows_have_their_cells_and_no_more(table):
    made = in_letters(table)
    tex, text = as_latex(table), as_markdown(table)
    parts = []
    for part in re.findall(r"\\toprule\n(.*?)\\bottomrule", tex, re.DOTALL):
        ends = [line for line in part.splitlines() if line.endswith(r"\\")]
        (between,) = {len(re.findall(r"(?<!\\)&", line)) for line in ends}
        parts.append((between + 1, len(ends) - 1))
    # What names a row is in each part: its first words, or fewer where figures have no room.
    named = range(1, 1 + max(1, len([*itertools.takewhile(bool, made.words)])))
    figures = {keys: sum((wide - keys) * rows for wide, rows in parts) for keys in named}
    assert any(figures[keys] == (len(made.heads) - keys) * len(made.rows) for keys in named)
    assert len(made.heads) > 1 or sum(rows for _, rows in parts) == len(made.rows)
    assert not re.search(r"(?<!\\)[%#$]", tex.partition("\n")[2].replace(r"\\", ""))
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert len(rows) == 2 + len(made.rows)
    assert all(len(re.findall(r"(?<!\\)(?:\\\\)*\|", row)) == len(made.heads) + 1 for row in rows)
    for written_ in (tex, text):
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", written_)


@MANY
@given(tables())
def test_files_for_machines_have_every_digit(table):
    head, *rows = csv.reader(io.StringIO(as_csv(table)))
    assert len(rows) == len(table.rows)
    assert {len(row) for row in rows} <= {len(head)}
    for row, cells in zip(table.rows, rows, strict=True):
        figures = [x for c in row.cells[1:] for x in (c if isinstance(c, tuple) else (c,))]
        for figure in figures:
            if isinstance(figure, float):
                assert repr(figure) in cells


@pytest.mark.parametrize("rows", [0, 1, MOST_ROWS, MOST_ROWS + 1, 200])
def test_above_twelve_rows_those_of_least_weight_give_way_to_a_line(rows):
    made = [Row((f"row {n}", n), weight=n % 7) for n in range(rows)]
    table = table_of("t", {"row": "text", "n": "count"}, made)
    out = io.StringIO()
    Terminal(file=out, width=80).print_table(table, "zhiyin show RUN --groups all")
    shown = re.findall(r"^row (\d+)", out.getvalue(), re.M)
    assert len(shown) == min(rows, MOST_ROWS)
    assert shown == sorted(shown, key=int)
    left = re.findall(r"… (\d+) more: zhiyin show RUN --groups all", out.getvalue())
    assert left == ([str(rows - MOST_ROWS)] if rows > MOST_ROWS else [])
    kept = sorted((int(n) % 7 for n in shown), reverse=True)
    assert kept == sorted((n % 7 for n in range(rows)), reverse=True)[:MOST_ROWS]
    everything = io.StringIO()
    Terminal(file=everything, width=80).print_table(table)
    assert len(re.findall(r"^row \d+", everything.getvalue(), re.M)) == rows


def test_short_heads_are_explained_once_in_one_line_and_not_where_a_note_does(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "80")
    heads = ("n", "ans.", "acc.", "prec.", "IFR")
    table = Table("t", "", tuple(Column(head, "count") for head in heads), (Row((1, 2, 3, 4, 5)),))
    terminal = Terminal()
    terminal.print_table(table)
    terminal.print_table(table)
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if ": " in line] == [lines[2]]
    assert all(f"{head}: " in lines[2] for head in heads[1:])
    terminal.print_table(Table("u", "", (Column("MDE"), Column("p")), (), ("MDE is small",)))
    assert "MDE: " not in capsys.readouterr().out
    terminal.language = "zh"
    terminal.print_table(Table("u", "", (Column("MDE"), Column("p")), ()))
    assert "MDE：" in capsys.readouterr().out


def test_a_table_too_wide_is_cut_by_columns_and_names_are_counted_by_cells():
    names = [f"figure {n} of the model" for n in range(12)]
    table = table_of(
        "t",
        {"模型": "text", **dict.fromkeys(names, "share")},
        [("知音" * 20, *[(n / 20, n / 20 + 0.123) for n in range(12)])],
    )
    out = io.StringIO()
    Terminal(file=out, width=80).print_table(table)
    assert all(cell_len(line) <= 80 for line in out.getvalue().splitlines())
    assert out.getvalue().count("模型") > 1
    for n in range(12):
        assert f"{5 * n:.1f}–{100 * (n / 20 + 0.123):.1f}" in out.getvalue()


@pytest.mark.slow
def test_a_pipe_needs_no_templates_and_json_no_terminal(tmp_path):
    code = (
        "import sys; from zhiyin.cli import main; main(['list', *sys.argv[1:]]); "
        "print(*(m for m in ('jinja2', 'rich.table') if m in sys.modules), file=sys.stderr)"
    )
    for words in ([], ["--json"]):
        done = subprocess.run(
            [sys.executable, "-c", code, *words], capture_output=True, text=True, check=True
        )
        assert done.stderr.strip() == ""


def test_footnotes_stand_once_in_every_renderer():
    late = CutOff(n=3, of=4, limit=1, remedy="zhiyin run")
    rows = (Row(("a", 1), notes=("of all", late)), Row(("b", 2), notes=("of all", late)),
            Row(("c", 3), notes=("of all",)))  # fmt: skip
    table = Table("t", "T", (Column("n"), Column("k", "count")), rows)
    for shown, sign in ((as_html(table), "<sup>a</sup>"), (as_markdown(table), "<sup>a</sup>"),
                        (as_latex(table), r"\textsuperscript{a}")):  # fmt: skip
        assert shown.count(sign) == 3, shown  # behind two names, before one note
        assert shown.count("of all") == 1
    assert "zhiyin run" in as_html(table)


LOOSE = re.compile(r"[A-Za-z][a-z]*(?:,? [a-z][a-z]*){2,}")
"""Three English words on end."""


@pytest.mark.slow
def test_results_are_printed_in_chinese_where_that_is_wanted(tmp_path, monkeypatch, capsys):
    """`show` and `compare` speak the language of ZHIYIN_LANG in 80 columns; files never do."""
    from rich.cells import cell_len

    from findings_help import choice, failed, student, write_run
    from zhiyin.cli import main

    quiz = [choice(f"q{n}") for n in range(30)]
    good = write_run(tmp_path / "good", "quiz", "good", map(student("good", 0.9), quiz))
    late = [student("late", 0.4)(one) if n % 3 else failed(one) for n, one in enumerate(quiz)]
    poor = write_run(tmp_path / "poor", "quiz", "poor", late)
    monkeypatch.setenv("COLUMNS", "80")
    commands = (
        ["show", str(poor)], ["show", str(good), str(poor)], ["compare", str(good), str(poor)],
        ["compare", str(good), str(poor), "--groups", "all"],
    )  # fmt: skip

    def printed(language, *words):
        monkeypatch.setenv("ZHIYIN_LANG", language)
        assert main([*words]) == 0
        return capsys.readouterr().out

    for words in commands:
        chinese, english = printed("zh_CN.UTF-8", *words), printed("de", *words)
        assert LOOSE.search(english)
        own = re.sub(r"the server said\s+500", "", chinese)
        lines = [one for one in own.splitlines() if "zhiyin " not in one and "/" not in one]
        assert [one for one in lines if LOOSE.search(one)] == []
        assert all(cell_len(one) <= 80 for one in lines)
        figures = r"\d+\.\d"
        assert sorted(re.findall(figures, chinese)) == sorted(re.findall(figures, english))
        assert printed("zh", *words, "--json") == printed("en", *words, "--json")


def test_the_upright_lines_of_shares_are_drawn_once_however_high_a_row_is():
    """And heads of columns stand in the rows that show them on a phone alone."""
    names = tuple((Series(f"s{n}", n), f"model {n}") for n in range(4))
    rows = tuple(DotRow(f"row {n}", dots=(Dot(0.5, 0.4, 0.6),) * 4) for n in range(20))
    drawn = picture(DotPicture("row", "right", "share", names, rows), "en", "x")
    assert drawn.count("#grid-shares") == 20
    assert "V1" not in drawn
    assert 'id="grid-shares"' in definitions()
    assert drawn.count('data-head="model 3"') == 1
    assert "V1" in grid(ChartScale(0.0, 300.0))
    assert len(grid(SHARES, 77)) < 60


@pytest.mark.parametrize(
    ("text", "lines"),
    [("理解，F1（n = 14,139）", ["理解，F1", "（n = 14,139）"]),
     ("ZIQI-Eval，正确率（n = 9）", ["ZIQI-", "Eval，", "正确率", "（n = 9）"]),
     ("全部分组的平均正确率", ["全部分组的", "平均正确率"]),
     ("Comprehension, F1 (n = 46–48)", ["Comprehension,", "F1 (n =", "46–48)"])],
)  # fmt: skip
def test_the_heads_of_a_paper_are_broken_where_one_would(text, lines):
    from zhiyin.shown.paper import _wrapped

    assert [*_wrapped(text, 10)] == lines
