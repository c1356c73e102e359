"""Commands that the program prints as advice: each is understood, and can be copied as it is."""

from __future__ import annotations

import ast
import functools
import itertools
import re
import shlex
from pathlib import Path

import pytest

import zhiyin as zy
from servers import ChatServer, completion
from zhiyin.cli import every_command, main

SOURCE = Path(zy.__file__).parent
NAMES = "|".join(sorted(map(re.escape, every_command()), key=len, reverse=True))
COMMAND = re.compile(rf"zhiyin (?:{NAMES})\b")
HOLE_BEGINS, HOLE_ENDS = "⟨", "⟩"
SAFE = re.compile(
    r"quoted\(|quote\(|SHELL\(|_folder\(own"
    r"|^(?:kind|cls|benchmark)\.name$|^table\.source$|^each$|^who$"
)
"""What may stand in a command: what is quoted, and names of benchmarks, which need no quotes."""
NOT_ADVICE = {
    ("plugins/methods/plan.py", "zhiyin plan 1"),  # the format of a file
    ("plugins/methods/plan_command.py", "zhiyin run"),  # what an error begins with
    ("plugins/making/private_seeds.py", f"zhiyin seed {HOLE_BEGINS}self.seed{HOLE_ENDS} "
     f"{HOLE_BEGINS}self.salt{HOLE_ENDS}"),
}  # fmt: skip


def text_of(node: ast.AST) -> str | None:
    """A string of the source, its holes between signs of their own; None for something else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        parts = (
            part.value if isinstance(part, ast.Constant)
            else f"{HOLE_BEGINS}{ast.unparse(part.value)}{HOLE_ENDS}"
            for part in node.values
        )  # fmt: skip
        return "".join(map(str, parts))
    return None


def sentences_of_code(path: Path) -> list[str]:
    """The strings of a file that hold a command, docstrings left out."""
    text = path.read_text("utf-8")
    if not re.search(r"(?<!^from )zhiyin ", text, re.M):  # a statement is no command
        return []
    tree = ast.parse(text)
    aside: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            aside.add(id(node.value))
        if isinstance(node, ast.JoinedStr):
            aside |= {id(each) for each in ast.walk(node) if each is not node}
    return [
        text
        for node in ast.walk(tree)
        if id(node) not in aside and (text := text_of(node)) and COMMAND.search(text)
    ]


def whole_commands(path: Path) -> list[str]:
    """The commands that `CardEvidence.command` puts together from constants."""
    if ".command(" not in (text := path.read_text("utf-8")):
        return []
    calls = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Call)]
    named = [n for n in calls if isinstance(n.func, ast.Attribute) and n.func.attr == "command"]
    given = (text_of(call.args[0]) for call in named if call.args)
    return [f"zhiyin {words}" for words in given if words and COMMAND.match(f"zhiyin {words}")]


def sentences_of_words(path: Path) -> list[str]:
    """The lines of a catalogue that hold a command, with what is put in between signs."""
    lines = [line for line in path.read_text("utf-8").splitlines() if not line.startswith("#")]
    hole = re.compile(r"\{ ([^{}]*) \}")
    marked = (hole.sub(rf"{HOLE_BEGINS}\1{HOLE_ENDS}", line) for line in lines)
    return [line for line in marked if COMMAND.search(line)]


@functools.cache
def sentences() -> list[tuple[str, str]]:
    """All of them, with the file that they stand in."""
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        every = [*sentences_of_code(path), *whole_commands(path)]
        found += [(str(path.relative_to(SOURCE)), each) for each in every]
    for path in sorted(SOURCE.rglob("*.ftl")):
        found += [(str(path.relative_to(SOURCE)), each) for each in sentences_of_words(path)]
    return found


def commands_in(sentence: str) -> list[str]:
    """The commands of a sentence: between backticks, or all of it."""
    within = [each for each in re.findall(r"`([^`]+)`", sentence) if COMMAND.match(each)]
    whole = sentence.strip()
    return within or ([whole] if COMMAND.match(whole) and "\n" not in whole else [])


@functools.cache
def advice() -> list[tuple[str, str]]:
    """Every command that is printed, with the file that it stands in."""
    found = {(file, each) for file, said in sentences() for each in commands_in(said)}
    return sorted(found - NOT_ADVICE)


@pytest.mark.slow
def test_a_command_stands_between_backticks_or_alone():
    for file, said in sentences():
        rest = re.sub(r"`[^`]*`", "", said)
        alone = COMMAND.match(said.strip()) or file == "plugins/methods/plan_command.py"
        assert alone or not COMMAND.search(rest), (file, said)


@pytest.mark.slow
def test_what_is_put_into_a_command_is_quoted():
    for file, command in advice():
        for hole in re.findall(rf"{HOLE_BEGINS}(.*?){HOLE_ENDS}", command):
            assert SAFE.search(hole), (file, command)


RUN = "runs/it's one"
OWN = "it's mine.csv"
"""A run's folder and a file of questions, with what a shell minds."""
SOMETHING = {
    r"{who}": "",
    r"{SHELL\(\$tested\)}": "score",
    r"{(?:SHELL\(\$place\))}": "mine.py:Mine",
    r"{quoted\(name\)}|(?<=zhiyin run ){SHELL\(\$name\)}": "exercises",
    r"(?<=data fetch ){SHELL\(\$name\)}": "muchomusic",
    r"{(?:quoted\((?:place|made\.folder)|SHELL\(\$questions)\)}": shlex.quote(OWN),
    r"{quoted\(self\.name\)}": "lexical",
    r"{(?:kind|cls|benchmark)\.name}|{each}|{quoted\(word or 'BENCHMARK'\)}": "muchomusic",
    r"{quoted\(benchmark\)}": "muchomusic",
    r"{table\.source}": "published",
    r"{(?:quoted|shlex\.quote|SHELL|_folder)\(.*?\)+}": shlex.quote(RUN),
    r"\bRUN_OF_SISTER_SET\b|\bRUN\b(?:\.\.\.)?": shlex.quote(RUN),
    r"\bBENCHMARK\b(?=.* --rotations)": "muchomusic",
    r"\bBENCHMARK\b": "exercises",
    r"\b(?:JUDGE|MODEL|SPEC)\b": "first",
    r"\bNAME\b": "exercises",
    r"\bPOLICY\b": "first-letter",
    r"\bNEW(?:_RUN)?\b|\bDIR\b|\bSTUDY\b": "new",
    r"\bSIZE\b": "1GB",
    r"\bADDRESS\b": "127.0.0.1",
    r"\bPROVIDER/": "mockllm/",
}
"""Something real in the place of each stand-in, in this order; holes stand in braces."""
ENDED = {
    "zhiyin run -m": "zhiyin run exercises -m first",
    "zhiyin compare --score score": f"zhiyin compare --score score {shlex.quote(RUN)} other",
    "zhiyin import --from eee": "zhiyin import muchomusic FILE --from eee",
    f"zhiyin stats items {shlex.quote(RUN)} --bank": "zhiyin stats items one two --bank FILE",
    "zhiyin stats items --bank": "zhiyin stats items one two --bank FILE",
    "zhiyin study show --each-person": "zhiyin study show STUDY --each-person --out new",
}
"""Commands of which a sentence names a flag alone."""


def filled(command: str) -> str:
    """A command with something real in the place of its stand-ins; one without words of its own
    is its help."""
    for pattern, real in SOMETHING.items():
        marked = pattern.replace("{", HOLE_BEGINS).replace("}", HOLE_ENDS)
        command = re.sub(marked, lambda _, real=real: real, command)
    command = ENDED.get(command, command)
    return command if re.search(r" -| [^a-z ]|\.", command) else f"{command} --help"


@pytest.fixture
def understood(monkeypatch, tmp_path, capsys):
    """A function that parses a command with the program's own parsers, and carries out nothing."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("zhiyin.cli.functions.carry_out", lambda order: 0)
    monkeypatch.setattr("zhiyin.cli.functions.carry_out_added", lambda command, order: 0)
    (tmp_path / "mine.py").write_text(MINE)
    for name in ("my_questions.csv", OWN):
        (tmp_path / name).write_text("question,A,B,answer\nWhat?,one,two,A\n")

    def parse(command):
        words = shlex.split(command)
        try:
            status = main(words[1:])
        except SystemExit as ended:  # help was printed
            status = ended.code
        said = capsys.readouterr()
        return "" if not status else said.err or said.out

    return parse


MINE = """
import zhiyin

class Mine(zhiyin.Benchmark):
    name = "mine"
"""


@pytest.mark.slow
def test_every_command_is_understood(understood):
    assert len(advice()) > 100
    for file, command in advice():
        if "[" not in command:  # a usage
            assert not understood(filled(command)), (file, command, filled(command))


MUTE = "def answer(messages): return 'I would rather talk about the weather.'\n"
ONE, TWO, THREE = "runs of Jo's/one", "two & two", "three $HOME"
MINE_CSV = "id,question,A,B,answer\n1,What?,one,two,A\n2,Who?,one,two,B\n"
PRINTED = [
    ["run", "exercises", "-m", "first", "--n", "1", "--out", ONE],
    ["run", "exercises", "-m", "random", "--n", "1", "--out", TWO],
    ["run", "exercises", "-m", "longest", "--n", "1", "--out", THREE],
    ["run", "exercises", "-m", "python:my mute.py:answer", "--n", "1", "--out", "mute one"],
    ["show", "mute one", ONE],
    ["card", "exercises", "mute one"],
    ["audit", ONE, "--sheet", "a sheet.jsonl"],
    ["parity", "first", "random", "--out", "a parity"],
    ["data", "check", OWN],
    ["data", "make", "exercises", "--n", "1", "--out", "my exercises"],
    ["stats", "health", ONE, "--group", "nope"],
    ["suite", "my suite.toml", "--out", "a suite", "--no-report"],
    ["study", "make", "--from", OWN, "--out", "my study"],
    ["seed", "my/seed.json"],
    ["run", "exercises", "-m", "first", "--private-seed", "no seed"],
    ["run", "appraisal", "--source", "generated", "--parts", "appraisal", "--n", "1", "-m",
     "python:my mute.py:answer", "--out", "my reviews"],
    ["judge", "nothing here"],
    ["plan", "1"],
    ["list"],
]  # fmt: skip
"""Commands that print others."""
NEEDS = re.compile(
    r"^zhiyin (?:view|study serve|data fetch|forge contamination|plan --register|import .* FILE"
    r"|list NAME|run$|audit .*--marks )"
)
"""What serves until it is stopped, fetches, or wants what only the user has."""
SUITE = """
name = "mine"
[[models]]
model = "first"
[[benchmarks]]
benchmark = "exercises"
flags = { n = 1 }
"""


def printed_in(text: str) -> list[str]:
    """The commands in what was printed: between backticks, or at the end of a line."""
    whole = [line.strip() for line in re.findall(r"(?:^| )(zhiyin [a-z]+ .*)$", text, re.MULTILINE)]
    whole = [line for line in whole if "`" not in line]
    return [*re.findall(r"`(zhiyin [^`]+)`", text), *whole]


@pytest.mark.slow
def test_what_is_printed_runs_as_it_is(tmp_path, monkeypatch, capsys):
    """Names of runs hold blanks and signs of the shell, and each command is copied whole."""
    desk = tmp_path / "it's a desk"
    desk.mkdir()
    monkeypatch.chdir(desk)
    monkeypatch.delenv("COLUMNS", raising=False)
    (desk / "my mute.py").write_text(MUTE)
    (desk / "my suite.toml").write_text(SUITE)
    (desk / OWN).write_text(MINE_CSV)

    def carry_out(words):
        try:
            status = main(words)
        except SystemExit as ended:
            status = ended.code
        said = capsys.readouterr()
        return status, said.out + said.err

    found = {}
    with ChatServer(lambda call: completion("Let me", "length")) as server:
        asks = ["run", "exercises", "-m", server.spec, "--n", "1", "--limit", "4"]
        for words in [*PRINTED, [*asks, "--max-tokens", "9", "--out", "cut off"]]:
            for command in printed_in(carry_out(words)[1]):
                found.setdefault(command, words)
        assert len(found) > 20, sorted(found)
        assert any(" -m 'http" in command for command in found)
        for command, origin in found.items():
            if NEEDS.search(command):
                continue
            runs = itertools.cycle((ONE, TWO, THREE))
            filled_in = re.sub(r"\bRUN\b", lambda _, runs=runs: shlex.quote(next(runs)), command)
            filled_in = re.sub(r"\b(?:MODEL|JUDGE)\b", "first", filled_in)
            status, said = carry_out(shlex.split(filled_in)[1:])
            assert status in (0, 1), (command, origin, said)
