"""What a benchmark says of itself in a file of TOML, and how a slip in it is told."""

import re
import sys
import types
from pathlib import Path

import msgspec
import pytest

from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.description import read_description
from zhiyin.errors import InputError

PAGE = Path(__file__).parent.parent.parent / "docs" / "how-to" / "add-a-benchmark.md"


@pytest.fixture
def described(tmp_path, monkeypatch):
    """A function from the text of a description to a class beside it, with what is given."""

    def make(text, **said):
        module = types.ModuleType(f"described_{abs(hash(text))}")
        module.__file__ = str(tmp_path / "mine.py")
        monkeypatch.setitem(sys.modules, module.__name__, module)
        (tmp_path / "benchmark.toml").write_text(text, "utf-8")
        body = {"name": "mine", "description": "benchmark.toml", "__module__": module.__name__}
        return type("Mine", (Benchmark,), body | said)

    return make


def test_the_description_that_the_docs_show_is_one(described, tmp_path):
    page = PAGE.read_text("utf-8")
    text = re.search(r"```toml\n(paper.*?)```", page, re.S)[1]
    (tmp_path / "published.csv").write_text(re.search(r"```\n(model,.*?)```", page, re.S)[1])
    kind = described(text)
    assert (kind.skills, kind.home) == ({"intervals": "pitch"}, "https://example.org/tunes")
    (protocol,) = kind.protocols
    assert protocol.sets == {"shots": "5", "temperature": (None, 0.0), "max_tokens": 100}
    (source,) = kind.sources()
    assert (source.home, source.files[0].path) == (kind.home, "questions.csv")
    rows = kind.published().rows
    assert rows == {"Some model": {"all": {"accuracy": 0.615}, "intervals": {"accuracy": 0.702}}}
    assert kind.published().kinds == {"Some model": "model"}
    assert kind.published().of("Some model").date == "2025-03"


def test_what_the_class_says_goes_before_the_file(described):
    kind = described('paper = "of the file"\nlicence = "MIT"\n', paper="of the class")
    assert (kind.paper, kind.licence, kind.chance) == ("of the class", "MIT", None)


def test_a_subclass_has_what_its_base_says(described):
    kind = described('paper = "of the file"\n')
    assert type("Finer", (kind,), {"__module__": kind.__module__}).paper == "of the file"


def test_sums_are_those_of_the_files_below_the_folder_of_the_source(described, tmp_path):
    (tmp_path / "sha256.json").write_bytes(msgspec.json.encode({"a/b.csv": "1" * 64, "c": "2"}))
    kind = described(
        '[[sources]]\nname = "data"\nwhat = "w"\nlicence = "l"\n'
        '[[sources.files]]\npath = "c"\n[[sources.archives]]\nat = "x"\nkeep = {"d" = "a"}\n'
    )
    (source,) = kind.sources()
    assert source.files[0].sha256 == "2"
    assert source.archives[0].known == {"a/b.csv": "1" * 64}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("paper = ", "Invalid value"),
        ("papers = 1", "unknown field `papers`"),
        ('[skills]\nall = "juggling"', "Invalid enum value 'juggling'"),
        ('[[protocols]]\nname = "x"', "missing required field `summary`"),
        ('[[sources]]\nname = "data"\nwhat = "w"', "missing required field `licence`"),
        ('[[sources]]\nname = "data"\n[[sources.files]]\nat = "x"', "missing required field"),
    ],
)
def test_a_slip_is_one_line_with_the_file(described, text, told):
    with pytest.raises(InputError, match=r"benchmark\.toml") as refused:
        described(text)
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_file_that_is_not_there_is_named(monkeypatch):
    with pytest.raises(InputError, match=r"nowhere\.toml: cannot be read"):
        read_description(__name__, "nowhere.toml")
