"""The rooms of the source: their imports make no circle and are those that the docs show."""

import ast
import functools
import re
from collections import defaultdict
from pathlib import Path

import pytest

from conftest import REPOSITORY
from zhiyin.contract.arguments import OWN
from zhiyin.contract.registry import find, ours

ROOT = Path(__file__).parent.parent


SOURCE = ROOT / "src" / "zhiyin"


PAGE = ROOT / "docs" / "architecture.md"


NOUNS = "the nouns"


def room(module):
    """The room of a module such as ``zhiyin.engine.log``; files on top are the nouns."""
    name = module.split(".")[1] if "." in module else ""
    return name if (SOURCE / name).is_dir() and name else NOUNS


@functools.cache
def parsed():
    """By file, what imports, calls or holds a text."""
    kinds = (ast.ImportFrom, ast.Import, ast.Call, ast.Constant)
    return {
        path: [n for n in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(n, kinds)]
        for path in sorted(SOURCE.rglob("*.py"))
    }


def imported(nodes):
    """The modules of ours that a file names in its imports, wherever they stand."""
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("zhiyin"):
            if node.module == "zhiyin":
                yield from (f"zhiyin.{alias.name}" for alias in node.names)
            else:
                yield node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("zhiyin"))
        elif isinstance(node, ast.Call) and called(node) == "import_module" and node.args:
            yield from (name for name in [beginning(node.args[0])] if name.startswith("zhiyin."))


def called(call):
    """The name of what is called, without what stands before its last dot."""
    return getattr(call.func, "attr", getattr(call.func, "id", ""))


def beginning(argument):
    """The text that an argument begins with, as far as the source shows it."""
    if isinstance(argument, ast.JoinedStr) and argument.values:
        argument = argument.values[0]
    return str(argument.value) if isinstance(argument, ast.Constant) else ""


@functools.cache
def drawn():
    """Room to rooms that it imports."""
    rooms = defaultdict(set)
    for path, nodes in parsed().items():
        parts = path.relative_to(SOURCE.parent).with_suffix("").parts
        if parts[-1] == "__main__" or parts == ("zhiyin", "__init__"):
            continue
        own = room(".".join(parts))
        for module in imported(nodes):
            if (other := room(module)) != own:
                rooms[own].add(other)
    return rooms


def shown():
    """Room to rooms that it imports, as the page tells it."""
    rows = re.findall(
        r"^\| (`(\w+)/`|the nouns) \|[^|]*\|([^|]*)\|$", PAGE.read_text("utf-8"), re.M
    )
    return {
        name or NOUNS: {word.strip() for word in told.split(",") if word.strip()}
        for _, name, told in rows
    }


@pytest.mark.slow
def test_no_room_is_in_a_circle():
    rooms = {name: found for name, found in drawn().items() if name != NOUNS}
    left = {name: {r for r in found if r in rooms} - {NOUNS} for name, found in rooms.items()}
    while free := [name for name, found in left.items() if not found & left.keys()]:
        for name in free:
            del left[name]
    assert not left, f"these rooms import each other: {sorted(left)}"


@pytest.mark.slow
def test_the_page_shows_the_imports_that_there_are():
    told, found = shown(), drawn()
    for name, rooms in told.items():
        if rooms != {"everything"}:
            assert found.get(name, set()) - {NOUNS} == rooms, name
    assert set(told) == set(found) | {NOUNS} | {r for rooms in found.values() for r in rooms}


@pytest.mark.slow
def test_a_room_imports_only_rooms_above_it():
    order = list(shown())
    for name, rooms in drawn().items():
        if name in (NOUNS, "cli"):
            continue
        assert all(order.index(r) < order.index(name) for r in rooms), name


SOURCE_NAMES = REPOSITORY / "src" / "zhiyin"


FOLDERS = sorted(
    p.name.replace("_", "-")
    for p in (SOURCE_NAMES / "benchmarks").iterdir()
    if (p / "__init__.py").is_file()
)
"""With "-" for "_", as the names of benchmarks have it."""


HOMES = {
    name: place.split(".")[2].replace("_", "-")
    for name, place in ours().items()
    if place.startswith("zhiyin.benchmarks.")
}
"""The folder of each benchmark: one that has nothing to do with others is named after it."""


REGISTRY = SOURCE_NAMES / "contract" / "registry.py"
FIELDS = SOURCE_NAMES / "imports" / "formats.py"
"""Its words are names of fields in the files of other programs."""


PHRASES = {
    "Music Perception": "a journal that is cited",
    "Perception & Psychophysics": "likewise",
    "Music Appraisal": "in the title of a work that is cited",
    "evaluate_appraisal": "a function of the released program of judges, which is read",
    "appraisal_text": "a place in its prompts",
    "rul-muchomusic.json": "the name of a published file",
    "muchomusic.csv": "likewise",
    "rul(e": "the verb, as a pattern",
    "(rul |": "likewise",
    "text|review|appraisal": "what a text may call itself that speaks to its judge",
}
"""What may hold a benchmark's name in any file, and what it is."""


INSIDE = {"rul": "rule", "mmar": "summary, grammar"}
"""Names that stand inside plain words: of these the whole word alone is the name."""


PLAIN = {
    OWN: "what is asked",
    "scores": "what a verdict holds: here the name stands for music on paper",
    "bodies": "what something is written in: here sound, notation or a picture of one piece",
    "adaptive": "of anything that follows the answers: here an exam",
    "pairs": "two of anything: here two versions of a sound",
}
"""Names that are plain nouns: of these an import, or a comparison with the name, is looked for."""


SHARED = {
    ("muse", "perception"): "it may ask about the recordings that MUSE published",
    ("perception", "muse"): "a plain word in its title",
    ("mmau", "mmau-pro"): "the first part of its name",
}
"""Where a benchmark may be named in another one's folder, and why."""


WORDS = {
    "third": "an interval and an ordinal",
    "note": "what is played, and what is remarked",
    "bars": "of music, and of charts",
    "instrument": "what plays",
    "tempo": "how fast",
    "accent": "what stands out, and a colour of the stylesheet",
    "onset": "where a note begins",
    "all": "every trial of a run",
    "audio": "a kind of part, of media, and of modality",
    "midi": "likewise",
    "source": "where something is from",
    "knowledge": "a skill of the report card",
    "reasoning": "what servers call a model's thoughts",
    "logiclm": "a strategy of ours, told in the log",
    "standalone": "likewise",
    "cot": "likewise",
    "zero": "a number in words",
    "few": "likewise",
    "qa": "what judges call the part of a total that is right or wrong",
    "syncopation": "of rhythm: what music/ makes and measures, and the listener hears",
    "transposition": "of melody: likewise",
    "chords": "of harmony: likewise",
    "harmony": "of music: an aspect of composed pieces",
    "ballad": "a style of composed pieces",
    "jazz": "a way to swing",
    "rock": "a genre, as captions name it",
    "pop": "likewise",
    "blues": "likewise",
    "soul": "likewise",
    "music": "what all of this is about",
    "sound": "a kind of part, of media, and a column",
    "speech": "what a recording may hold",
    "instrumentation": "an aspect of music",
    "counting": "a kind of question",
    "comprehension": "of instructions: what a study checks",
    "continuation": "of a tune: what composers ask for, in any benchmark",
    "dev": "a split of data by which a benchmark was made",
}
"""Groups that are plain words or nouns of ours, and what they mean there."""


def benchmark_of(path):
    """The folder of benchmarks that a file lies in; "" for none."""
    parts = path.relative_to(SOURCE_NAMES).parts
    return parts[1].replace("_", "-") if parts[0] == "benchmarks" and len(parts) > 2 else ""


@functools.cache
def lines():
    """Every line of the source, and where: file, its benchmark, number, the line, in small letters.

    The lines of the registry's table are not among them.
    """
    found = []
    for path in sorted(SOURCE_NAMES.rglob("*.py")):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if path == REGISTRY and re.fullmatch(
                r' {4}("[\w-]+"|OWN): "zhiyin\.[\w.]+:\w+",', line
            ):
                continue
            found.append((path, benchmark_of(path), number, line, line.lower()))
    return found


def names(line, name):
    """Whether a line in small letters names a benchmark."""
    if name in INSIDE:
        return re.search(rf"(?<![a-z]){name}(?![a-z])", line) is not None
    return name in line


def groups():
    """The groups of each folder: those of published data and rows, and those that are declared."""
    found = {}
    for name, folder in HOMES.items():
        kind = find(name)
        expected, published = kind.expected(), kind.published()
        own = set(expected.counts) if expected else set()
        own |= {group for row in published.rows.values() for group in row} if published else set()
        own |= {*kind.panels, *kind.titles, kind.headline.group, kind.reviews} - {""}
        found.setdefault(folder, set()).update(own, (p for g in own for p in g.split("/")))
    assert set().union(*found.values()) >= WORDS.keys(), "a word that is no group"
    return {name: own - WORDS.keys() for name, own in found.items()}


def test_every_folder_is_in_the_registry():
    assert set(FOLDERS) == set(HOMES.values())
    text = REGISTRY.read_text("utf-8")
    assert all(text.count(f"zhiyin.benchmarks.{name.replace('-', '_')}.") for name in FOLDERS)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in HOMES if name not in PLAIN])
def test_no_line_outside_its_folder_names_a_benchmark(name):
    found = []
    for path, within, number, line, said in lines():
        if name not in said or not names(said, name):
            continue
        if (name, within) in SHARED or within == HOMES[name]:
            continue
        for phrase in PHRASES:
            said = said.replace(phrase.lower(), "")
        if names(said, name):
            found.append(f"{path.relative_to(SOURCE_NAMES)}:{number}: {line.strip()[:90]}")
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", PLAIN)
def test_a_name_that_is_a_plain_word_is_neither_imported_nor_compared_elsewhere(name):
    found = [
        f"{path.relative_to(SOURCE_NAMES)}:{number}"
        for path, within, number, line, _ in lines()
        if within != name
        and name in line
        and (f"benchmarks.{name}" in line or re.search(rf"== *[\"']{name}[\"']", line))
    ]
    assert not found, found


def test_no_group_is_quoted_outside_its_folder():
    """In comments and descriptions too: ``group``, 'group/*', "group/finer"."""
    known, found = groups(), []

    @functools.cache
    def others(benchmark):
        theirs = {g for name, own in known.items() if name != benchmark for g in own}
        return theirs - known.get(benchmark, set())

    for path, within, number, line, _ in lines():
        theirs = others(within) if path != FIELDS else set()
        for quoted in re.findall(r"[`\"']([\w/ ]+?)(?:/\*)?[`\"']", line):
            parts = quoted.split("/")
            if any("/".join(parts[:n]) in theirs for n in range(1, len(parts) + 1)):
                found.append(f"{path.relative_to(SOURCE_NAMES)}:{number}: {quoted}")
    assert not found, "\n".join(found)


@pytest.mark.slow
def test_no_string_outside_its_folder_is_a_group_of_a_benchmark():
    known, found = groups(), []
    assert sum(map(len, known.values())) > 60
    for path, nodes in parsed().items():
        within = benchmark_of(path)
        theirs = {g for name, own in known.items() if name != within for g in own}
        theirs -= known.get(within, set())
        if path in (REGISTRY, FIELDS):
            continue
        for node in nodes:
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                word = node.value.strip().removesuffix("/")
                if word in theirs:
                    found.append(f"{path.relative_to(SOURCE_NAMES)}:{node.lineno}: {node.value!r}")
    assert not found, "\n".join(found)
