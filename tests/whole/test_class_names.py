"""A class name stands once in the source: what is called the same is the same."""

import ast
from collections import Counter

from conftest import REPOSITORY

TWICE = {"Failed"}
"""A kind of warning in JSON, and a table of `zhiyin.failures`: users have written down both."""


def test_a_class_name_stands_once():
    stands = Counter(
        node.name
        for path in (REPOSITORY / "src" / "zhiyin").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef)
    )
    assert len(stands) > 1000
    assert {name for name, times in stands.items() if times > 1} == TWICE
