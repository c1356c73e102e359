"""What the contract's functions make of many inputs, whole, against ``tests/golden/core``."""

import argparse
import hashlib
import itertools
import json
from contextlib import chdir
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import pytest

from golden_help import every, kept, line_of
from zhiyin.contract import Benchmark, Flag, Protocol, arguments, protocols
from zhiyin.contract import options as flags
from zhiyin.contract import question_table as personal
from zhiyin.contract.declared import Headline, Published, pack

NAMES = (
    "phone", "Phone number", "telephone", "tel", "mobile", "handy", "telefon", "email", "e-mail",
    "E_Mail", "mail", "address", "adresse", "surname", "birthday", "birthdate", "passport",
    "wechat", "qq", "电话", "电话号码", "手机", "手机号", "手机号码", "联系电话", "联系方式",
    "邮箱", "电子邮箱", "电子邮件", "邮件", "姓名", "地址", "住址", "身份证", "身份证号", "生日",
    "出生日期", "微信", "微信号", "name", "First Name", "last_name", "full-name", "date of birth",
    "date of recording", "phones", "microphone", "question", "file name", "title", "e", "",
)  # fmt: skip
VALUES = (
    "a@b.cd", "a@b", "a b@c.de", f"{'x' * 64}@b.cd", f"{'x' * 65}@b.cd", "a@b.c.d.e.f",
    "a@b.c.d.e.f.g", f"a@{'b' * 64}.{'c' * 64}.{'d' * 60}", f"a@{'b' * 64}.{'c' * 64}.{'d' * 64}",
    "13912345678", "12912345678", "139123456789", "+49 30 1234567", "030/1234567", "030 123456",
    "01 23 45 67 89", "1.23456789012", "2024-05-17", "(030) 12345678", "60 64 67 72",
    "60 64 67 072", "60 64 67 128 1 1", "60 64 67", "+1 2 3 4 5 6 7 8 9", "123456789",
    "12345678-9", "1-2-3-4-5-6-7-8-9-1-2", "1234567890123456 ", "123456789012345 1",
    "12345678901234 5", "１２３-４５６７８９", "12 34 56 78 9a", "", " ", 13912345678, 5,
)  # fmt: skip


def test_columns_on_people():
    def columns(*cells):
        return personal.personal_columns([{"x": cell} for cell in cells])

    lone = [(value,) for value in VALUES]
    mixed = [("a@b.cd", "b@c.de", "no"), ("a@b.cd", "no"), ("a@b.cd", "no", None), (None, 2.5)]
    text = every(personal.personal_columns, [([{name: "x"}],) for name in NAMES])
    kept("core/contract-personal.txt", text + every(columns, [*lone, *mixed]))


class Own(msgspec.Struct, frozen=True):
    number: Annotated[int, Flag("of items", chooses=True)] = 4
    share: Annotated[float, Flag("of all", chooses=True)] = 0.5
    kinds: Annotated[tuple[Literal["a", "b", "c"], ...], Flag("of them", chooses=True)] = ()
    two: Annotated[tuple[Literal["a", "b", "c"], ...], Flag("of them", chooses=True)] = ("a", "b")
    words: Annotated[tuple[str, ...], Flag("any", "A,...", chooses=True)] = ("x",)
    mode: Annotated[Literal["one", "all"], Flag("how", chooses=True)] = "one"
    name: Annotated[str | None, Flag("whose", chooses=True)] = None
    switch: Annotated[bool, Flag("whether", chooses=True)] = False
    folder: Annotated[str | None, Flag("where", "DIR", place=True)] = None
    seed: Annotated[int, Flag("of all", common=True, told="drawn by")] = 0


class Hanging(Own, frozen=True):
    @staticmethod
    def usual(given):
        return {"number": 8 if given.get("mode") == "all" else 4, "name": "n"}


OPTIONS = (
    {}, {"number": 4}, {"number": "4"}, {"number": 3}, {"number": 5}, {"number": 8},
    {"number": "x"}, {"share": "0.5"}, {"share": 0.25}, {"share": 0.75}, {"kinds": "a,b,c"},
    {"kinds": ["a"]}, {"kinds": "c,a,b"}, {"kinds": "d"}, {"two": "a"}, {"two": "b,a"},
    {"two": "a,b,c"}, {"words": "x"}, {"words": "x,y"}, {"words": []}, {"mode": "all"},
    {"mode": "all", "number": 8}, {"mode": "all", "number": 4}, {"mode": "none"}, {"name": "n"},
    {"name": "m"}, {"switch": True}, {"switch": False}, {"folder": "here"}, {"other": 3},
    {"seed": "7", "number": None}, {"shots": 0}, {"shots": 2}, {"data": "d"}, {"partial": True},
)  # fmt: skip


def test_settings():
    text = ""
    for settings in (Own, Hanging):
        cases = [(settings, each) for each in OPTIONS]
        text += f"{settings.__name__}\n" + every(flags.read_settings, cases)
        text += every(flags.chosen_otherwise, cases)
        text += every(flags.resolved_options, [(each, settings) for each in OPTIONS])
        then = {"number": 6, "mode": "all"}
        text += every(flags.resolved_options, [(each, settings, then) for each in OPTIONS])
    text += every(flags.refuse_needless, [("own", Own, each) for each in OPTIONS])
    found = flags.place_names(Own), flags.setting_words(Own), flags.defaults_of(Hanging)
    kept("core/contract-flags.txt", f"{text}{found}\n".replace("test_golden_contract.", ""))


PROTOCOL = Protocol(
    "released", "as published", "a paper",
    {"shots": ("5", "0"), "temperature": 0.0, "max_tokens": None, "extract": "flexible",
     "parts": ("a", "b"), "whole": True, "language": None},
    ("its order has no seed",), "a clone of it",
)  # fmt: skip
GIVEN = {"shots": "5", "extract": "flexible", "parts": "a", "whole": True, "released": "DIR"}
SAMPLED = {"temperature": 0.0, "max_tokens": None}


def test_protocols():
    changed = [{name: value} for name, value in itertools.product(
        ("shots", "extract", "parts", "whole", "released", "language", "confirm"),
        (None, "", [], 0, 5, "0", "a", ["a", "b"], True, False),
    )]  # fmt: skip
    text = ""
    for change in changed:
        text += line_of(PROTOCOL.departures, {**GIVEN, **change}, SAMPLED)
    for name, value in itertools.product(SAMPLED, (None, 0, 0.0, 1, 0.5, "0", 64)):
        text += line_of(PROTOCOL.departures, GIVEN, {**SAMPLED, name: value})
    text += line_of(Protocol("x", "y").departures, {"confirm": True}, {}) + f"{PROTOCOL.usual()}\n"

    class Kind(Benchmark):
        name = "kind"
        protocols = (PROTOCOL, Protocol("bare", "nothing is read", "", {"shots": "1"}))

    text += every(protocols.open_protocol, [(Kind, n) for n in (None, "ours", "bare", "no")])
    for words in ("", "--protocol bare", "--protocol released --released D", "--released D",
                  "--protocol bare --released D", "--protocol no", "--protocol"):  # fmt: skip
        parser = argparse.ArgumentParser()
        protocols.add_flags(parser, Kind)
        parser.add_argument("--shots")
        text += line_of(protocols.preset, parser, Kind, words.split()).partition("<class")[2]
        text += f"  {parser.parse_args([]) if 'no' not in words else ''}\n"
    kept("core/contract-protocols.txt", text)


def test_extent_of_published_data():
    known = [{}, {"a": ["x"]}, {"a": [None]}, {"a + b": ["x", None], "b": [None], "c": ["y"]}]
    text = ""
    for recordings, told in itertools.product(known, ("", "the order")):
        own = Published("s", "items", {}, recordings=recordings, not_known=told)
        text += f"{str(own.on_trust)!r}\n"
    packed = pack([5, 3, 5, 2**32 - 1])
    held = Published("s", "items", {}, contents={"all": packed})
    text += f"{packed} {held.fingerprints('all')} {held.fingerprints('x')}\n"
    for metric in ("accuracy", "precision", "f1", "score"):
        line = Headline("g", metric, "depth" if metric == "score" else "")
        text += f"{line.figure} {[(m.name, m.group, m.unit, m.over) for m in line.measures()]}\n"
    kept("core/contract-extent.txt", text)


EMPTY = hashlib.sha256().hexdigest()
RECIPES = (
    '[flags]\na = 1\nb = true\nc = false\nd = ["x", 2]\nmodel = "m"\n[run]\ne = 2.5\n',
    "a = 1", "flags = 1", "[flags]\na = {b = 1}", "[flags", "[flags]\n[run]\n", "run = 1\n[flags]",
)  # fmt: skip


def test_arguments_that_stand_for_others(tmp_path):
    with chdir(tmp_path):
        text = ""
        for number, recipe in enumerate(RECIPES):
            Path(f"{number}.toml").write_text(recipe)
            for words, run in itertools.product(
                ("--recipe {}", "x --recipe={} --a 9", "-m y --recipe {} -z", "--c --recipe {}"),
                (True, False),
            ):
                given = words.format(f"{number}.toml").split()
                text += line_of(arguments.with_recipe, given, run=run)
        for words in (["--recipe"], ["--recipe", "no.toml"], ["a"], []):
            text += line_of(arguments.with_recipe, words)
        Path("q.csv").touch()
        for name, described in (
            ("good", {"questions": "q.csv", "files": {"q.csv": EMPTY}}),
            ("stale", {"questions": "q.csv", "files": {"q.csv": "0"}}), ("bare", {}), ("list", []),
        ):  # fmt: skip
            Path(name).mkdir()
            Path(name, "q.csv").touch()
            Path(name, "benchmark.json").write_text(json.dumps(described))
        Path("set").mkdir()
        Path("set", "state.json").touch()
        words = ("q.csv", "good", "stale", "bare", "list", "set", "new.CSV", "ziqi", "no.xyz")
        text += every(arguments.looks_like_file, [(word,) for word in words])
        text += every(arguments.questions_in, [(word,) for word in words])
        lines = ["{}", "-m random {}", "--quiet {}", "{} --data x", "{} --data=x", "--seed 3 {} -v",
                 "--partial {} b"]  # fmt: skip
        cases = [(line.format(w).split(),) for line in lines for w in words]
        text += every(arguments.file_as_data, [*cases, ([],)])
    kept("core/contract-arguments.txt", text)


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "cache"))
