"""Tables and pictures of all kinds, in every form they are shown in, against ``tests/golden``."""

import io
import itertools
from functools import partial
from typing import get_args
from zlib import crc32

import pytest

from golden_help import kept, line_of
from zhiyin.shown import charts, paper
from zhiyin.shown.dots import Dot, DotPicture, DotRow, Gap, picture, strips
from zhiyin.shown.table import (
    Column,
    Kind,
    Link,
    MarkedFigure,
    Row,
    ShortAnswer,
    Table,
    in_letters,
    table_of,
    written,
)  # fmt: skip
from zhiyin.shown.terminal import Terminal, shortened

VALUES = (
    None, 0, 1, 7, -3, 12345, 0.0, 0.5, -0.25, 1.0, 1 / 3, 0.0004, 0.00996, 0.0449, 99.95, 1234.5,
    1e-9, 5e7, (0.25, 0.75), (-0.5, 0.5), (0.5, 0.25, 0.75), (-0.125, -0.5, 0.25), "word", True,
)  # fmt: skip


def test_every_figure_in_letters():
    text = ""
    for kind, value in itertools.product(get_args(Kind), VALUES):
        for decimals in (None, 0, 2):
            found = []
            for language in ("en", "zh"):
                try:
                    found.append(str(written(value, Column("", kind, decimals), language)))
                except (TypeError, ValueError) as error:
                    found.append(f"! {type(error).__name__}")
            text += f"{kind} {value!r} {decimals}: {' | '.join(dict.fromkeys(found))}\n"
    kept("core/shown-figures.txt", text)


def tables():
    columns = (
        Column("model"), Column("all", "share", over="accuracy, %"), Column("n", "count"),
        Column("theory", "share", over="accuracy, %"), Column("p", "p"),
        Column("what & why_it #is so", "text"), Column("cost", "number", 2, "usd", "", "in all"),
        Column("difference", "points", over="in all"),
    )  # fmt: skip
    rows = (
        Row(("A_model/of some:length-1", (0.5, 0.25, 0.75), 12, 0.5, 0.0004, "a | b <c> \\ $x$",
             12.5, -0.125), mark="strong", weight=3),
        Row(("乐模型", MarkedFigure((0.75, 0.5, 1.0), None, True, ("few items", "a second note")),
             1234, None, 0.2, "a sentence that is long enough to be folded in most terminals", 3.0,
             (0.25, 0.125, 0.5)), level=1),
        Row((Link("linked", "a.html"), MarkedFigure(0.25, 0.01), 9, 1.0, 1.0,
             ShortAnswer("good", "yes", "of 12"), None, None), mark="soft", weight=-1),
        Row(("none", MarkedFigure(None, notes=("few items",)), 0, 0.0, None, "", 0.001, 0.0)),
    )  # fmt: skip
    yield Table("whole", "A table, in %", columns, rows, ("a note on n", "p: of a test"))
    yield Table("bare", "", (Column("a"), Column("b", "number")), (Row(("x", 1.5)),))
    yield Table("none", "Nothing", (Column("a"), Column("b")), ())
    many = tuple(Row((f"row {n}", n / 20, n), weight=n % 7) for n in range(20))
    yield Table(
        "many", "Many rows", (Column("r"), Column("%", "share"), Column("n", "count")), many
    )
    wide = tuple(
        Column(f"column {n}", "share", over=f"part {n // 4}" * (n % 5 > 0)) for n in range(24)
    )
    cells = [("first model", *(n / 24 for n in range(23)))] * 2
    yield Table("wide", "Wide", (Column("m"), *wide[1:]), tuple(map(Row, cells)))
    rows = [["a", 0.5, (0.25, 0.75)], ["b", None, None]]
    heads = {"name": "text", "share": Column("right", "share", 2), "ends": "share"}
    yield table_of("of", heads, rows, "From rows", ["made"])


def forms(table):
    for language in ("en", "zh"):
        yield f"markdown {language}", paper.as_markdown(table, language)
        yield f"latex {language}", paper.as_latex(table, language, "tab:x")
        letters = in_letters(table, language)
        yield f"letters {language}", f"{letters}\n{letters.owns}"
    yield "csv", paper.as_csv(table)
    yield "few", f"{[row.cells[0] for row in table.heaviest(12).rows]}"


def on_terminal(width, language, say):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", f"{width}")
        patch.setenv("ZHIYIN_LANG", language)
        file = io.StringIO()
        terminal = Terminal(file=file, width=width)
        say(terminal)
        return file.getvalue()


@pytest.mark.parametrize("table", [*tables()], ids=lambda table: table.name)
def test_every_form_of_a_table(table):
    text = "".join(f"--- {name}\n{form}\n" for name, form in forms(table))
    for width, more in itertools.product((20, 40, 60, 80, 120, 200), ("", "zhiyin show x")):
        text += f"--- {width} {more}\n"
        text += on_terminal(width, "en", partial(Terminal.print_table, table=table, more=more))
    kept(f"core/shown-table-{table.name}.txt", text)


SENTENCES = (
    "short", "It takes 12 s and 0.5 MB at p = 0.03 of 10 % of all that there is in the whole file",
    "一个足够长的中文句子，需要在终端里折行，因为它比终端宽得多得多",
    "control \x1b[31m \x00 \u202e",
    "a_word_without_any_blank_that_is_longer_than_the_terminal_is_wide_at_all",
)  # fmt: skip


def test_sentences_on_a_terminal():
    def say(terminal):
        for text, indent in itertools.product(SENTENCES, (0, 2, 4)):
            terminal.say(text, indent)
            terminal.say(text, indent, "warning", "red")
        terminal.say_all(SENTENCES, 2, "note", most=2, more="zhiyin show x")
        terminal.say_all(SENTENCES[:1], 0)
        terminal.say_command("all of it", "zhiyin show runs/one --groups all")
        terminal.say_indented("    set in by four, and long enough for another line below it")
        with terminal.paged():
            terminal.say("paged")

    text = "".join(
        f"--- {width} {language}\n{on_terminal(width, language, say)}"
        for width, language in itertools.product((30, 50, 120), ("en", "zh"))
    )
    names = (
        "runs/a-model-2024-12-31",
        "乐模型-一二三四五",
        "x" * 30,
        "a 12345678",
        "12345678 a",
        "a",
    )
    cuts = ((name, cells) for name in names for cells in range(1, 26))
    kept("core/shown-terminal.txt", text + "".join(line_of(shortened, *cut) for cut in cuts))


def pictures():
    names = ((charts.Series("s0"), "first"), (charts.Series("s1", 3), "second"))
    dots = (Dot(0.5, 0.25, 0.75, facts={"n": 12}), Dot(0.25, None, None, hollow="always A"))
    for unit, joined in itertools.product(("share", "points", "cents", "ms"), (True, False)):
        scale = {"cents": 300.0, "ms": -40.0}.get(unit, 1.0)
        rows = (
            DotRow("all", "12 items", "#t", dots, 0.25, 0.875, Gap(0.25, 0.125, 0.5, True), True),
            DotRow("near", "", "", (Dot(0.1 * scale, 0.05 * scale, 0.2 * scale, True,
                   told="a tenth", notes=("few",), sounds=((0.1, "a.wav", "a tone"),)), None),
                   key="near-key"),
            DotRow("far", dots=(Dot(None, None, None, hollow="nothing read"), Dot(0.9 * scale)),
                   band=(0.1 * scale, 0.3 * scale), level=1, gap=Gap(-0.2, -0.5, 0.1, False)),
            DotRow("last", dots=(Dot(0.4 * scale, 0.4 * scale, 0.4 * scale), Dot(0.6 * scale))),
        )  # fmt: skip
        yield f"{unit} {joined}", DotPicture(
            "group", f"what, in {unit}", unit, names, rows, (), "A. Author", "apart", ("a note",),
            joined,
        )  # fmt: skip
    ticks = ((0.0, "none"), (0.02, "a long name of a tick"), (0.03, "b"), (0.04, "c"), (1.0, "all"))
    alone = tuple(
        DotRow(name, dots=(dot,), ticks=ticks) for name, dot in zip("ab", dots, strict=True)
    )
    signs = (charts.Series("human"), charts.Series("s3", 3, hollow=True))
    yield "axes", DotPicture("model", "right", "share", (), alone, signs)
    yield "empty", DotPicture("model", "right", "share", names, ())
    yield "one", DotPicture("model", "over 1", "share", names[:1], (DotRow("r", dots=(Dot(2.5),)),))


@pytest.mark.parametrize(("name", "made"), [*pictures()], ids=[name for name, _ in pictures()])
def test_every_form_of_a_picture(name, made):
    text = f"{made.scale} {made.scale.ticks} {made.decimals} {made.kind} {made.own_axes}\n"
    for language in ("en", "zh"):
        over, drawn = strips(made, language)
        own = "\n".join([over, *drawn, picture(made, language, "name"), ""])
        text += f"--- {language} {crc32(own.encode()):x}\n" + own * (language == "en")
    kept(f"core/shown-picture-{name.replace(' ', '-')}.txt", text.replace("><", ">\n<"))


def test_scales_and_charts():
    ends = ([], [0.0], [-0.1, 0.3], [0.02], [5.0, -17.0], [None, 0.5], [1e-6], [1234.0, 40.0])
    text = ""
    for values in ends:
        scale = charts.even_scale(values)
        text += f"{values} {scale} {scale.ticks}\n"
    for low, high in ((0, 1), (0, 0.07), (-40, 3), (0, 1234), (-1, 1), (2, 2.5), (0, 1e-4)):
        scale = charts.ChartScale(low, high)
        for value in (low, high, (low + high) / 3, low - 1, high + 1):
            text += f"{scale.place(value)} {scale.width(value)} "
        text += f"{scale.ticks} {charts.axis(scale)} {charts.axis(scale, 'number')}\n"
    text += "".join(
        line_of(charts.worth_an_axis, costs)
        for costs in ([], [1.0], [1.0, 1.0], [1.0, 1.2], [1.0, 2.0], [0.0, 1.0], [1.0, 9.0, 10.0])
    )
    for parts, total in (
        ((), 0),
        ((("right", 3, "3 right"), ("wrong", 0, ""), ("none", 1, "x")), 4),
    ):
        text += f"{charts.stack(parts, total)}\n"
    for n, share in itertools.product((0, 5, 8), (0.0, 0.25, 1.0)):
        series = charts.Series(f"s{n % 8}", n % 6, n == 8, n % 3)
        text += f"{charts.bar(charts.SHARES, share, 0.5, series)} {charts.symbol(series)}\n"
    kept("core/shown-charts.txt", text + charts.definitions() + f"{charts.marks_of('cabca')}\n")
