"""Tables as facts: whatever stands in one, each renderer shows it and obeys none of it."""

import pytest

from zhiyin.shown.pages import as_html
from zhiyin.shown.table import Column, Row, Table
from zhiyin.shown.terminal import Terminal
from zhiyin.words import said


@pytest.mark.parametrize(("columns", "blank"), [(None, " "), ("80", "\u00a0")])
def test_per_cent_can_be_searched_in_a_pipe(columns, blank, monkeypatch, capsys):
    monkeypatch.delenv("COLUMNS", raising=False)
    if columns:
        monkeypatch.setenv("COLUMNS", columns)
    Terminal().say(said("cli-run-result", trials=1, accuracy=0.5), 0)
    assert capsys.readouterr().out == f"1 trial, 50.0{blank}% right\n"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_command_in_words_of_ours_is_set_as_code_and_nothing_else_is(language):
    detail = said("card-detail", detail="<b>", command="zhiyin run a -m <MODEL>")
    lone = "a ` alone"
    table = Table("card", "", (Column(""), Column("")), (Row(("q", detail)), Row((lone, lone))))
    html = as_html(table, language)
    assert "<code>zhiyin run a -m &lt;MODEL&gt;</code>" in html
    assert "&lt;b&gt;" in html
    assert html.count("<code>") == 1
    assert html.count("`") == 2
