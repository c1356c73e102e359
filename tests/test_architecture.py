"""The rooms of the source: their imports make no circle and are those that the docs show."""

import ast
import functools
import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "zhiyin"
PAGE = ROOT / "docs" / "architecture.md"
NOUNS = "the nouns"


def room(module):
    """The room of a module such as ``zhiyin.engine.log``; files on top are the nouns."""
    name = module.split(".")[1] if "." in module else ""
    return name if (SOURCE / name).is_dir() and name else NOUNS


def imported(path):
    """The modules of ours that a file names in its imports, wherever they stand."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
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
    for path in SOURCE.rglob("*.py"):
        parts = path.relative_to(SOURCE.parent).with_suffix("").parts
        if parts[-1] == "__main__" or parts == ("zhiyin", "__init__"):
            continue
        own = room(".".join(parts))
        for module in imported(path):
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


def test_no_room_is_in_a_circle():
    rooms = {name: found for name, found in drawn().items() if name != NOUNS}
    left = {name: {r for r in found if r in rooms} - {NOUNS} for name, found in rooms.items()}
    while free := [name for name, found in left.items() if not found & left.keys()]:
        for name in free:
            del left[name]
    assert not left, f"these rooms import each other: {sorted(left)}"


def test_the_page_shows_the_imports_that_there_are():
    told, found = shown(), drawn()
    for name, rooms in told.items():
        if rooms != {"everything"}:
            assert found.get(name, set()) - {NOUNS} == rooms, name
    assert set(told) == set(found) | {NOUNS} | {r for rooms in found.values() for r in rooms}


def test_a_room_imports_only_rooms_above_it():
    order = list(shown())
    for name, rooms in drawn().items():
        if name in (NOUNS, "cli"):
            continue
        assert all(order.index(r) < order.index(name) for r in rooms), name
