"""The page on the JSON of a run names every key that is printed, and no other."""

import json
import re
import typing

import msgspec
import pytest

from conftest import REPOSITORY
from report_help import two_runs
from zhiyin.analysis.summary import FORMAT, Summary, summarise
from zhiyin.cli import main
from zhiyin.plugins.lab.gate import GateFinding
from zhiyin.plugins.methods.audit.result import AuditFound
from zhiyin.session.rescore import RescoredSummary
from zhiyin.words import Said
from zhiyin.words.findings import Warning

PAGE = (REPOSITORY / "docs" / "json.md").read_text("utf-8")
OWN_PLACES = (Warning, Said)
"""Of many kinds: what all have is said in the row of `warnings`. Messages are told in English."""


def reached(kind, found):
    """All structs that a struct holds, itself included."""
    if isinstance(kind, type) and issubclass(kind, OWN_PLACES):
        return found
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and kind not in found:
        found.append(kind)
        for field in msgspec.structs.fields(kind):
            reached(field.type, found)
    for inner in typing.get_args(kind):
        reached(inner, found)
    return found


STRUCTS = [*reached(AuditFound, reached(RescoredSummary, [])), GateFinding]


def keys_of(name):
    """The keys in the table under a heading."""
    part = PAGE.split(f"\n## {name}\n")[1].split("\n## ")[0]
    rows = [line.split("|")[1] for line in part.splitlines() if line.startswith("| `")]
    return [key for row in rows for key in re.findall(r"`(\w+)`", row)]


@pytest.mark.parametrize("kind", [Summary, *STRUCTS], ids=lambda kind: kind.__name__)
def test_the_page_has_the_keys_of_the_struct(kind):
    above = Summary.__struct_fields__ if kind is RescoredSummary else ()
    keys = [key for key in kind.__struct_encode_fields__ if key not in above]
    assert sorted(keys_of(kind.__name__)) == sorted(keys)


def test_the_page_speaks_of_nothing_else():
    heads = set(re.findall(r"^## (\w+)$", PAGE, re.MULTILINE))
    assert heads == {kind.__name__ for kind in (Summary, *STRUCTS)}
    assert f"| `format` | {FORMAT} |" in PAGE


def test_show_prints_the_struct(tmp_path, capsys):
    one, two = two_runs(tmp_path, trials=12, sound=False)
    assert main(["show", str(one), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert list(told) == list(Summary.__struct_encode_fields__)
    assert told == json.loads(msgspec.json.encode(summarise(one).in_english()))
    assert main(["show", str(one), str(two), "--json"]) == 0
    assert [run["run"] for run in json.loads(capsys.readouterr().out)["runs"]] == [
        str(one),
        str(two),
    ]


def test_rescoring_prints_two_keys_more(tmp_path, capsys):
    data, out = REPOSITORY / "tests" / "data" / "ziqi_small", str(tmp_path / "run")
    words = ["run", "ziqi", "--data", str(data), "--partial", "--limit", "4", "-m", "first"]
    assert main([*words, "--out", out, "--quiet"]) == 0
    capsys.readouterr()
    assert main(["rescore", out, "--extract", "robust", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert set(told) - set(Summary.__struct_fields__) == {"before", "changed"}
