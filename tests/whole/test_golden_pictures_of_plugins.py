"""The figures of every form of a picture, and its letters in a terminal, as golden files."""

import pytest
from test_golden_shown import on_terminal, pictures

from golden_help import kept
from zhiyin.plugins.lab.dot_lines import in_terminal
from zhiyin.plugins.paper.figures.dots import figures_of


@pytest.mark.parametrize(("name", "made"), [*pictures()], ids=[name for name, _ in pictures()])
def test_every_form_of_a_picture(name, made):
    columns, rows = figures_of(made)
    lines = [columns, *rows, *figures_of(made, made)[1]]
    text = "\n".join([f"{line}" for line in lines])
    table = in_terminal(made)
    for width in (60, 120):
        text += on_terminal(width, "en", lambda terminal: terminal.print_table(table))
    kept(f"whole/picture-{name.replace(' ', '-')}.txt", text.replace("><", ">\n<"))
