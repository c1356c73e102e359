"""The map in the docs shows every room, and what is of one benchmark stands in its folder.

Which room imports which is held by import-linter (`make check`, pyproject.toml).
"""

import ast
import functools
import re
from collections import Counter

import pytest

from conftest import REPOSITORY
from zhiyin.contract.arguments import OWN
from zhiyin.contract.registry import find, ours

SOURCE_NAMES = REPOSITORY / "src" / "zhiyin"


@functools.cache
def parsed():
    """By file, the texts that it holds."""
    return {
        path: [
            n for n in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(n, ast.Constant)
        ]
        for path in sorted(SOURCE_NAMES.rglob("*.py"))
    }


def test_the_map_shows_every_room_and_plug_in():
    page = (REPOSITORY / "docs" / "architecture.md").read_text("utf-8")
    rooms = {path.parent.name for path in SOURCE_NAMES.glob("*/__init__.py")} - {"plugins"}
    plugins = {path.parent.name for path in SOURCE_NAMES.glob("plugins/*/__init__.py")}
    rows = re.findall(r"^\| (`[^|]*) \|", page, re.M)
    assert {*re.findall(r"`(\w+)/`", " ".join(rows))} == rooms | plugins


HOLDERS = ("benchmarks", "plugins/benchmarks", "plugins/composed", "plugins/methods")
"""Where folders of benchmarks stand."""
FOLDERS = sorted(
    path.parent.name.replace("_", "-")
    for holder in HOLDERS
    for path in (SOURCE_NAMES / holder).glob("*/benchmark.py")
)
"""With "-" for "_", as the names of benchmarks have it."""


HOMES = {
    name: place.split(":")[0].split(".")[-2].replace("_", "-")
    for name, place in ours().items()
    if place.split(":")[0].split(".")[-2].replace("_", "-") in FOLDERS
}
"""The folder of each benchmark: one that has nothing to do with others is named after it."""


FIELDS = SOURCE_NAMES / "plugins" / "lab" / "imports" / "__init__.py"
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
    "cmidrule": "a rule of LaTeX's booktabs",
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
    "pitch": "how high",
    "genre": "what kind of music, in any data",
    "tempo": "how fast",
    "accent": "what stands out, and a colour of the stylesheet",
    "onset": "where a note begins",
    "all": "every trial of a run",
    "audio": "a kind of part, of media, and of modality",
    "midi": "likewise",
    "source": "where something is from",
    "knowledge": "a skill of the report card",
    "theory": "likewise",
    "chinese": "a language",
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
    return next((p.replace("_", "-") for p in parts[:-1] if p.replace("_", "-") in FOLDERS), "")


@functools.cache
def lines():
    """Every line of the source: file, its benchmark, number, the line, and it in small letters."""
    found = []
    for path in sorted(SOURCE_NAMES.rglob("*.py")):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
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


@pytest.mark.slow
def test_a_class_name_stands_once():
    """What is called the same is the same, but for two.

    `Failed` is a kind of warning in JSON and a table of `zhiyin.failures`: users have written down
    both. `Settings` is a benchmark's, and an example in a docstring.
    """
    stands = Counter(m[1] for *_, line, _ in lines() if (m := re.match(r" *class (\w+)[(:]", line)))
    assert len(stands) > 1000
    assert {name for name, times in stands.items() if times > 1} == {"Failed", "Settings"}


def test_every_folder_is_an_entry_point():
    assert set(FOLDERS) == set(HOMES.values())


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


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in PLAIN if name != OWN])
def test_a_name_that_is_a_plain_word_is_neither_imported_nor_compared_elsewhere(name):
    found = [
        f"{path.relative_to(SOURCE_NAMES)}:{number}"
        for path, within, number, line, _ in lines()
        if within != name
        and name in line
        and (f"benchmarks.{name}" in line or re.search(rf"== *[\"']{name}[\"']", line))
    ]
    assert not found, found


@pytest.mark.slow
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
        if path == FIELDS:
            continue
        for node in nodes:
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                word = node.value.strip().removesuffix("/")
                if word in theirs:
                    found.append(f"{path.relative_to(SOURCE_NAMES)}:{node.lineno}: {node.value!r}")
    assert not found, "\n".join(found)
