"""What a run keeps of its benchmark is checked when it is kept, and when it is read."""

import asyncio
import base64

import msgspec
import pytest
from test_outside_objects import Settings, Sums, order

from said_help import texts
from zhiyin import session
from zhiyin.contract import Headline, Protocol, Published, Reference, Section
from zhiyin.contract.registry import declared, is_missing, known
from zhiyin.contract.stand_in import read_declaration, stand_in
from zhiyin.engine.folder import Manifest, read_manifest
from zhiyin.errors import InputError


class Rich(Sums):
    name = "rich"
    headline = Headline("all", "f1")
    titles = {"all": "all sums"}
    chance = 0.25
    protocols = (Protocol("theirs", "as they did", "a paper", {"max_tokens": (20, None)}),)

    @classmethod
    def published(cls):
        return Reference("Rich", "made up", {"them": {"all": {"f1": 0.5}}}, {"them": "human"})

    @classmethod
    def expected(cls):
        return Published("made up", "sums", {"all": 3})

    @classmethod
    def details(cls, rows, manifest):
        return [Section("Sums", ["sum"], [])]


def test_a_stand_in_says_what_the_class_said():
    kept = read_declaration(declared(Rich))
    assert kept is not None
    missing = stand_in("rich", kept)
    assert is_missing(missing)
    assert missing.published() == Rich.published()
    assert missing.expected() == Rich.expected()
    for name in ("headline", "titles", "chance", "protocols", "extract", "version"):
        assert getattr(missing, name) == getattr(Rich, name)
    (line,) = missing.lacking()
    assert "its own tables and figures are left out" in line.text
    assert missing.from_options({"extract": "robust"}).policy.label == "robust@6"


def test_scoring_of_its_own_needs_the_class():
    class Own(Rich):
        def score(self, trial, exchange):
            raise NotImplementedError

    kept = read_declaration(declared(Own))
    with pytest.raises(InputError, match="its replies cannot be scored"):
        stand_in("rich", kept).from_options({})


def _with(**methods):
    made = {name: classmethod(lambda cls, found=found: found) for name, found in methods.items()}
    return type("Faulty", (Rich,), made)


@pytest.mark.parametrize(
    ("faulty", "why"),
    [
        (_with(published=Reference("R", "s", {"m": {"all": {"f1": 63.15}}})), "fraction from 0"),
        (_with(published=Reference("R", "s", {}, {"m": "model"})), "of a row"),
        (_with(published={"m": 1}), "declaration is faulty"),
        (_with(expected=Published("s", "u", {"all": 1}, parts=("b",))), "the part 'b'"),
        (type("Faulty", (Rich,), {"headline": "all"}), "declaration is faulty"),
        (type("Faulty", (Rich,), {"chance": "half"}), "declaration is faulty"),
    ],
)
def test_a_faulty_declaration_ends_the_run_before_it_begins(tmp_path, faulty, why):
    with pytest.raises(InputError, match=why):
        asyncio.run(session.carry_out(order(faulty, tmp_path / "run")))
    assert not (tmp_path / "run").exists()


def _run_of(kept):
    return Manifest("gone", "m", {}, {}, 1, declared=kept)


@pytest.mark.parametrize(
    "kept",
    [
        {},
        {"name": "gone"},
        {"name": 3, "origin": {"kind": "file", "place": "/x.py:X"}},
        {"name": "gone", "origin": {"kind": "elsewhere", "place": "x"}},
        {
            "name": "gone",
            "origin": {"kind": "object", "place": "x:X"},
            "published": {"title": "t", "source": "s", "rows": {"m": {"all": {"f1": 7}}}},
        },
    ],
)
def test_what_cannot_be_read_stands_for_nothing(kept):
    found = known(_run_of(kept))
    assert is_missing(found)
    assert found.published() is None


def test_damaged_fingerprints_are_no_traceback():
    packed = base64.b64encode(b"12345678").decode()
    expected = {"source": "s", "unit": "u", "counts": {"all": 2}, "parts": ["all"]}
    origin = {"kind": "object", "place": "x:X"}
    whole = {"name": "gone", "origin": origin, "expected": expected | {"contents": {"all": packed}}}
    assert known(_run_of(whole)).expected() is not None
    whole["expected"] = expected | {"contents": {"all": packed[:-2]}}
    assert known(_run_of(whole)).expected() is None


def test_a_path_in_a_manifest_is_never_run(tmp_path):
    file = tmp_path / "evil.py"
    file.write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n", "utf-8")
    kept = declared(Rich) | {"origin": {"kind": "file", "place": f"{file}:Rich"}}
    assert is_missing(known(Manifest("gone", "m", {}, {}, 1, declared=kept)))
    assert not (tmp_path / "ran").exists()


def test_a_name_that_another_package_has_taken_is_not_that_benchmark():
    kept = declared(Rich) | {
        "origin": {"kind": "package", "place": "x:X", "distribution": "theirs", "version": "1"}
    }
    found = known(Manifest("ziqi", "m", {}, {}, 1, declared=kept))
    assert is_missing(found)
    assert found.published().title == "Rich"


def test_a_class_that_has_changed_between_sessions_is_told(tmp_path):
    out = tmp_path / "run"
    asyncio.run(session.carry_out(order(Rich(Settings()), out)))
    manifest = read_manifest(out)
    manifest.declared["origin"] |= {"sha256": "0" * 64}
    (out / "run.json").write_bytes(msgspec.json.encode(manifest))
    result = asyncio.run(session.carry_out(order(Rich(Settings()), out)))
    assert any("has changed since an earlier session" in r for r in texts(result.summary.remarks))
