"""Names in the source say what they hold."""

import ast

import pytest

from conftest import REPOSITORY

SOURCE = REPOSITORY / "src" / "zhiyin"
EMPTY = {"found", "told", "said", "got"}
"""Names of variables, arguments and fields that say nothing of what they hold."""
KEPT = {
    "api/listening.py:found": "a field that programs of users read",
    "contract/flags.py:told": "likewise, of those who write a benchmark",
    "human/exported.py:said": "a field of a study's exported answers",
    "judges/combine.py:found": "a field of what judges write",
    "probe/canary.py:said": "a field of a run's manifest",
    "probe/canary.py:told": "likewise",
    "probe/doctor.py:found": "a field of what `doctor --json` prints",
    "probe/settings.py:told": "likewise",
    "session/parity.py:said": "a field of what `parity --json` prints",
    "study/answers.py:said": "a field of what a study's page sends",
    "suite/folder.py:told": "a field of a suite's file of states",
    "suite/status.py:told": "a field of what `status --json` prints",
}
"""Where one of them is kept, as file:name, and why: it stands in files and output of others."""
FILES = sorted(SOURCE.rglob("*.py"))


def bound(tree):
    """The names of EMPTY that a module binds: variables, arguments, fields of classes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            name = node.id
        elif isinstance(node, ast.arg):
            name = node.arg
        else:
            continue
        if name in EMPTY:
            yield name


def test_names_say_what_they_hold():
    faults = [
        f"{path.relative_to(SOURCE)}:{name}"
        for path in FILES
        for name in sorted(set(bound(ast.parse(path.read_text("utf-8")))))
    ]
    assert sorted(set(faults) - KEPT.keys()) == []
    assert sorted(KEPT.keys() - set(faults)) == [], "no longer needed"


@pytest.mark.parametrize(
    "source", ["found = 1", "def f(told): pass", "class A:\n    said: int", "for got in x: pass"]
)
def test_what_is_bound_is_seen(source):
    assert len(list(bound(ast.parse(source)))) == 1


def test_what_is_only_read_is_not_bound():
    assert list(bound(ast.parse("x.found = y.told; print(said)"))) == []
