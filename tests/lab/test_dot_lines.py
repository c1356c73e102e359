"""Pictures of dots in a terminal."""

from zhiyin.plugins.lab.dot_lines import in_terminal
from zhiyin.shown.charts import Series
from zhiyin.shown.dots import Dot, DotPicture, DotRow
from zhiyin.shown.table import in_letters


def picture_of(unit, rows, **more):
    names = ((Series("s0"), "ann"), (Series("s1", 1), "ben"))
    return DotPicture("Task", "Right", unit, names, tuple(rows), **more)


def test_a_picture_in_a_terminal_is_a_line_for_each_mark():
    rows = [
        DotRow("pitch", dots=(Dot(0.5, 0.25, 0.75), Dot(0.0)), rule=0.25),
        DotRow("beats", dots=(Dot(1.0, hollow="4 items"), None)),
    ]
    own = in_letters(in_terminal(picture_of("share", rows)))
    assert own.heads == ("Task", "Run", "0–100", "%")
    cells = [tuple(cell.replace("\u00a0", " ").rstrip() for cell in row.cells) for row in own.rows]
    assert cells == [
        ("pitch", "ann", "     :----o----|", "50.0 (25.0–75.0)"),
        ("", "ben", "o    :", "0.0"),
        ("beats", "ann", " " * 20 + "o", "100.0"),
    ]
    assert [(one.sign, one.text) for one in own.footnotes] == [("a", "4 items")]
    far = picture_of("cents", [DotRow("pitch", dots=(Dot(200.0, 100.0, 400.0), Dot(0.0)))])
    first = in_letters(in_terminal(far)).rows[0].cells[2]
    assert (first.index("|"), first.index("o"), first.rindex("|")) == (5, 10, 20)
