"""A benchmark whose words or tables are faulty: what was paid for stands, and one line says why."""

import pytest

from zhiyin.cli import main
from zhiyin.contract import registry
from zhiyin.contract.declared import Section
from zhiyin.errors import InputError
from zhiyin.words import Said, said, say
from zhiyin.words.findings import Unreadable, told

BENCHMARK = """
from zhiyin.contract import Benchmark, Section
from zhiyin.trial import Message, Option, Text, Trial
from zhiyin.words import said as message


class Odd(Benchmark):
    name = "odd"
    summary = message("no-such-summary", n=3)
    titles = {"easy": message("no-such-title")}

    def trials(self):
        for n in range(4):
            options = (Option("A", "one", "1"), Option("B", "two", "2"))
            yield Trial(str(n), (Message("user", (Text("?"),)),), "?", options, "1", ("easy",))

    def remarks(self):
        return [message("no-such-remark", n=3), message("extent-counted", n=1)]

    @classmethod
    def details(cls, rows, manifest):
        return DETAILS
"""


@pytest.fixture
def run_of(tmp_path, monkeypatch, capsys):
    """Runs such a benchmark with these tables, and gives what run, show and report print."""
    monkeypatch.chdir(tmp_path)
    for known in ("_named", "_loaded", "_given"):
        monkeypatch.setattr(registry, known, {})
    monkeypatch.delenv("COLUMNS", raising=False)

    def run(details):
        (tmp_path / "odd.py").write_text(BENCHMARK.replace("DETAILS", details))
        assert main(["run", "odd.py:Odd", "-m", "first", "--out", "run", "--quiet"]) == 0
        assert main(["show", "run", "--groups", "all"]) == 0
        assert main(["report", "run", "--out", "page.html", "--no-figures"]) == 0
        printed = capsys.readouterr()
        return " ".join((printed.out + printed.err).split())

    return run


@pytest.mark.parametrize(
    ("details", "why"),
    [
        ("[Section('T', ('kind', 'n'), [['easy']])]", "'T': row 1 has 1 of 2 cells"),
        ("[Section('T', ('kind', 'n'), [['easy', {}]])]", "'T': row 1 has a cell of type dict"),
        ("None", "gives no list of Section"),
        ("['T']", "gives no list of Section"),
    ],
)
def test_a_faulty_table_is_one_line_and_the_figures_stand(run_of, details, why):
    printed = run_of(details)
    assert why in printed
    assert "4 correct" in printed
    assert "100.0" in printed


@pytest.mark.slow
def test_a_faulty_message_stands_as_its_name_and_its_facts(run_of):
    printed = run_of("[Section(message('no-such-table'), ('kind', 'n'), [['easy', 1]])]")
    for words in ("no-such-title", "no-such-remark (n: 3)", "extent-counted (n: 1)"):
        assert words in printed
    assert "no-such-table" in printed


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_fault_within_a_message_hides_no_more_than_itself(language):
    whole = said("extent-part", reasons=[said("no-such", n=2), said("extent-shard", shard="1/2")])
    assert "no-such (n: 2)" in say(whole, language)
    assert "1/2" in say(whole, language)
    with pytest.raises(KeyError):
        say(whole, language, strict=True)


def test_a_kept_remark_of_another_version_keeps_its_words():
    kept = {"kind": "remark", "what": {"name": "no-such", "facts": {}}, "text": "as it was"}
    assert [str(one) for one in told([kept])] == ["as it was"]


def test_a_finding_gives_its_kind_and_its_facts():
    found = Unreadable(n=1, of=2, causes=Said("causes", {"each": [said("cause-refusals", n=1)]}))
    assert found.kind == "unreadable"
    assert found.facts == {"n": 1, "of": 2, "causes": "1 x refusals"}


@pytest.mark.parametrize(
    ("cells", "kinds", "why"),
    [
        ((0.5, [0.1, 0.9]), (), "of type list"),
        ((0.5, (0.1,)), (), "of type tuple"),
        ((0.5, 1), ("text", "share", "share"), "3 kinds for 2 columns"),
        ((0.5, 1), ("text", "percent"), "no kind of column 'percent'"),
    ],
)
def test_what_cannot_be_drawn_is_refused_where_it_is_made(cells, kinds, why):
    with pytest.raises(InputError, match=why):
        Section("T", ("a", "b"), [cells], kinds=kinds)
