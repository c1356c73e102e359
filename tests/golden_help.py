"""Golden files of whole outputs, and of many inputs with the outcome of each, in ``tests/golden``.

``ZHIYIN_GOLDEN=write pytest FILE`` writes them anew. Look at what has changed (``git diff
tests/golden``): a difference that was not meant is a fault of the program; commit one that was.
"""

import atexit
import difflib
import io
import json
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from functools import partial
from itertools import zip_longest
from pathlib import Path

import msgspec
import numpy as np
import pytest

from zhiyin import extensions
from zhiyin.cli import main
from zhiyin.engine.appending import write_sums
from zhiyin.errors import InputError
from zhiyin.words import Said

GOLDEN = Path(__file__).parent / "golden"
SHOWN = 60  # lines of a difference


def kept(name, text):
    """Compare a text with a golden file, or write it there."""
    path = GOLDEN / name
    before = path.read_text("utf-8") if path.exists() else ""
    if (text := settled(text)) == settled(before):
        return
    if os.environ.get("ZHIYIN_GOLDEN") == "write":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    else:
        pair = settled(before).splitlines(), text.splitlines()
        lines = difflib.unified_diff(*pair, "kept", "now", "", "")
        first = "\n".join([*lines][:SHOWN])
        raise AssertionError(f"{path}: is it meant? ZHIYIN_GOLDEN=write accepts it.\n{first}")


def settled(text):
    """A text with its figures to ten digits: the last ones hang on the machine."""
    return re.sub(r"\d+\.\d{11,}(?:e[+-]?\d+)?", lambda own: f"{float(own[0]):.10g}", text)


def told(*words):
    """What a command prints, its errors and its status, as a terminal shows them."""
    out, errors = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(errors):
        status = main([str(word) for word in words])
    ends = f"[status {status}]\n" if status else ""
    return out.getvalue() + "".join(f"! {line}\n" for line in errors.getvalue().splitlines()) + ends


def as_lines(value, inset=""):
    """JSON that a difference can be read of: what is short stands on one line."""
    value = plain(value) if not inset else value
    short = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or len(inset + short) <= 100:
        return short + "\n" * (not inset)
    named = isinstance(value, dict)
    each = [f"{json.dumps(name, ensure_ascii=False)}: " * named + as_lines(one, f"{inset} ")
            for name, one in (value.items() if named else enumerate(value))]  # fmt: skip
    inner = f",\n{inset} ".join(each)
    ends = "{}" if named else "[]"
    return f"{ends[0]}\n{inset} {inner}\n{inset}{ends[1]}" + "\n" * (not inset)


@contextmanager
def core_alone(*points):
    """No plug-in is found, as where none is installed, but for these entry points."""
    real = extensions._is_there, extensions._own_points
    extensions._is_there = lambda package: not package.startswith("zhiyin.plugins")
    extensions._own_points = lambda: (*real[1](), *points)
    forget()
    try:
        yield
    finally:
        extensions._is_there, extensions._own_points = real
        forget()


def forget():
    """Empty every cache of Zhiyin's, some of which hold what plug-ins bring."""
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] == "zhiyin":
            for value in list(vars(module).values()):
                getattr(value, "cache_clear", int)()


def make_timeless(folder):
    """Rewrite a run as where the clock, and the order of replies, are always the same."""
    about = folder / "run.json"
    made = json.loads(about.read_text("utf-8"))
    made |= {"id": f"{folder}", "versions": {"zhiyin": "1.0", "python": "3.11"}}
    for number, each in enumerate(made["sessions"]):
        each |= {
            "started": f"2026-01-0{number + 1}T00:00:00+00:00", "elapsed_s": 12.5,
            "ended": f"2026-01-0{number + 1}T00:00:12+00:00",
        }  # fmt: skip
    about.write_text(json.dumps(made, ensure_ascii=False), "utf-8")
    for name in ("records.jsonl", "failures.jsonl"):
        if (path := folder / name).exists():
            lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
            lines.sort(key=lambda record: record["id"])
            text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
            path.write_text(re.sub(r'"latency_s": [\d.e-]+', '"latency_s": 0.25', text), "utf-8")
    write_sums(folder)


def line_of(function, *given, **named):
    """What comes of a call, on one line: a result, a list of what is yielded, or an error."""
    try:
        found = function(*given, **named)
        found = [*found] if isinstance(found, Iterator) else found
        if isinstance(found, msgspec.Struct | Said | list | tuple | dict):
            found = msgspec.json.encode(found, enc_hook=str).decode()
    except InputError as error:
        found = f"! {error}"
    words = [repr(each) for each in given] + [f"{name}={each!r}" for name, each in named.items()]
    return f"{', '.join(words)} -> {found}\n"


def every(function, cases):
    """What comes of a function for each of some cases, under its name."""
    return f"{function.__qualname__}\n{''.join(line_of(function, *case) for case in cases)}\n"


def plain(value):
    """A value as JSON has it, figures to ten digits: the last ones hang on the machine."""
    if isinstance(value, float | np.floating):
        return float(f"{value:.10g}") + 0.0  # no minus before a nought
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, msgspec.Struct):
        return [plain(inner) for inner in msgspec.structs.astuple(value)]
    if isinstance(value, dict):
        return {str(name): plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        inners = sorted(value) if isinstance(value, set | frozenset) else value
        return [plain(inner) for inner in inners]
    return value if value is None or isinstance(value, str | int) else str(value)


def outcome(call, *given, **named):
    """What a call gives, or the name of the error that it raises for what is given."""
    try:
        return plain(call(*given, **named))
    except (InputError, ValueError) as error:
        return type(error).__name__


class Golden:
    """A golden file of lines: parametrize a test by `cases`, and hand each outcome to `same`.

    A line has a name (``case``), what is given (``in``, written by hand) and what comes of it
    (``out``, written by the test). A case is added as a line without ``out``. Where `like` is
    true, the first case stands there whole, and of the others what differs from it.
    """

    def __init__(self, name, *, like=False):
        self.path = GOLDEN / f"{name}.jsonl"
        self.lines = {}
        for line in map(json.loads, self.path.read_text("utf-8").splitlines()):
            assert line["case"] not in self.lines, f"{self.path}: {line['case']} stands twice"
            self.lines[line["case"]] = line
        first = next(iter(self.lines))
        self.usual = _parts(self.lines[first].get("out"), "") if like else {}
        self.whole = {first}

    @property
    def cases(self):
        return list(self.lines)

    @property
    def parts(self):
        """The cases, so many of them that a test is worth its beginning."""
        return [self.cases[n : n + 25] for n in range(0, len(self.lines), 25)]

    def given(self, case):
        return self.lines[case]["in"]

    def same(self, case, found):
        found, line = plain(found), self.lines[case]
        if case not in self.whole:
            found = _unlike(found, "", self.usual)
        if os.environ.get("ZHIYIN_GOLDEN") == "write":
            line["out"] = found
            atexit.register(self.write)
        if found != line.get("out"):
            before, now = (json.dumps(one, ensure_ascii=False, indent=1).splitlines()
                           for one in (line.get("out"), found))  # fmt: skip
            told = "\n".join([*difflib.unified_diff(before, now, "kept", "now", "", "", 1)][:SHOWN])
            raise AssertionError(
                f"{self.path}, {case}: is it meant? ZHIYIN_GOLDEN=write accepts it.\n{told}"
            )

    def write(self):
        atexit.unregister(self.write)
        text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in self.lines.values())
        halves = re.sub("[\ud800-\udfff]", lambda half: f"\\u{ord(half[0]):x}", text)
        self.path.write_text(halves, "utf-8")


def _parts(value, name):
    """The first part of each name in a value."""
    found = {name: value} if isinstance(value, dict) else {}
    inner = (
        value.items()
        if found
        else ((name, one) for one in value)
        if isinstance(value, list)
        else ()
    )
    for own, one in inner:
        found = _parts(one, own) | found
    return found


def _unlike(value, name, usual):
    """What differs in a value from the usual parts of its names; "-" has those that are missing."""
    if isinstance(value, list):
        return [_unlike(one, name, usual) for one in value]
    if not isinstance(value, dict) or not usual:
        return value
    own = usual.get(name, {})
    other = {n: _unlike(v, n, usual) for n, v in value.items() if n not in own or own[n] != v}
    gone = [n for n in own if n not in value]
    return other | ({"-": gone} if gone else {})


class Table:
    """A golden table: parametrize a test by `parts`, and hand each of them to `check`.

    Parameters
    ----------
    name : str
        Of the file.
    cases : iterable of (object, callable), or a callable
        What is given, as the file is to say it, and what makes the outcome of it. A callable alone
        gives the outcome of each input that the file holds.
    size : int
        Inputs of a part: each part is a test.
    """

    def __init__(self, name, cases, size=25):
        self.path = GOLDEN / f"{name}.jsonl"
        if callable(cases):
            given = (json.loads(line)[0] for line in self._lines())
            self.cases = [(each, partial(cases, each)) for each in given]
        else:
            self.cases = list(cases)
        starts = range(0, len(self.cases), size)
        self.parts = [pytest.param(slice(n, n + size), id=f"{name}-{n}") for n in starts]

    def _lines(self):
        return self.path.read_text("utf-8").split("\n")[:-1] if self.path.exists() else []

    def check(self, part):
        found = [_line(plain(given), plain(call())) for given, call in self.cases[part]]
        kept = self._lines()
        if os.environ.get("ZHIYIN_GOLDEN") == "write":
            kept[part] = found
            self.path.parent.mkdir(exist_ok=True)
            self.path.write_text("".join(f"{line}\n" for line in kept[: len(self.cases)]), "utf-8")
        apart = [pair for pair in zip_longest(kept[part], found) if pair[0] != pair[1]]
        told = "\n".join(f"- {before}\n+ {now}" for before, now in apart[:SHOWN])
        assert not apart, f"{self.path}: is it meant? ZHIYIN_GOLDEN=write accepts it.\n{told}"


def _line(*values):
    """JSON with signs as they are; half a character, which no file can hold, is escaped."""
    text = json.dumps(values, ensure_ascii=False)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
