"""Commands that the program prints as advice: each is understood, and can be copied as it is."""

from __future__ import annotations

import ast
import re
import shlex
from pathlib import Path

import pytest

import zhiyin as zy
from zhiyin.cli import every_command, main
from zhiyin.words.messages import Catalogue  # noqa: F401

SOURCE = Path(zy.__file__).parent
NAMES = "|".join(sorted(map(re.escape, every_command()), key=len, reverse=True))
COMMAND = re.compile(rf"zhiyin (?:{NAMES})\b")
HOLE_BEGINS, HOLE_ENDS = "⟨", "⟩"
SAFE = re.compile(
    r"quoted\(|quote\(|SHELL\(|_folder\(own\)"
    r"|^(?:kind|cls|benchmark)\.name$|^table\.source$|^each$|^who$"
)
"""What may stand in a command: what is quoted, and names of benchmarks, which need no quotes."""
NOT_ADVICE = {
    ("plugins/methods/plan.py", "zhiyin plan 1"),  # the format of a file
    ("plugins/methods/cli/plan.py", "zhiyin run"),  # what an error begins with
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
    tree = ast.parse(path.read_text("utf-8"))
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
    calls = [n for n in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(n, ast.Call)]
    named = [n for n in calls if isinstance(n.func, ast.Attribute) and n.func.attr == "command"]
    given = (text_of(call.args[0]) for call in named if call.args)
    return [f"zhiyin {words}" for words in given if words and COMMAND.match(f"zhiyin {words}")]


def sentences_of_words(path: Path) -> list[str]:
    """The lines of a catalogue that hold a command, with what is put in between signs."""
    lines = [line for line in path.read_text("utf-8").splitlines() if not line.startswith("#")]
    hole = re.compile(r"\{ ([^{}]*) \}")
    marked = (hole.sub(rf"{HOLE_BEGINS}\1{HOLE_ENDS}", line) for line in lines)
    return [line for line in marked if COMMAND.search(line)]


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


ADVICE = sorted(
    {(file, each) for file, said in sentences() for each in commands_in(said)} - NOT_ADVICE
)


def test_a_command_stands_between_backticks_or_alone():
    for file, said in sentences():
        rest = re.sub(r"`[^`]*`", "", said)
        alone = COMMAND.match(said.strip()) or file == "plugins/methods/cli/plan.py"
        assert alone or not COMMAND.search(rest), (file, said)


def test_what_is_put_into_a_command_is_quoted():
    for file, command in ADVICE:
        for hole in re.findall(rf"{HOLE_BEGINS}(.*?){HOLE_ENDS}", command):
            assert SAFE.search(hole), (file, command)


RUN = "runs/it's one"
OWN = "it's mine.csv"
"""A run's folder and a file of questions, with what a shell minds."""
SOMETHING = {
    r"{who}": "",
    r"{SHELL\(\$tested\)}": "score",
    r"{(?:SHELL\(\$place\))}": "mine.py:Mine",
    r"{quoted\(name\)}": "exercises",
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
    monkeypatch.setattr("zhiyin.cli.flags.carry_out", lambda order: 0)
    monkeypatch.setattr("zhiyin.cli.benchmark_commands.carry_out", lambda command, order: 0)
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


def test_every_command_is_understood(understood):
    assert len(ADVICE) > 100
    for file, command in ADVICE:
        if "[" not in command:  # a usage
            assert not understood(filled(command)), (file, command, filled(command))
