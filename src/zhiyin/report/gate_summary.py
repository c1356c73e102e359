"""What a gate found as files that continuous integration shows: JUnit XML, and Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

from zhiyin.analysis.gate import GateFinding, gate_table
from zhiyin.errors import InputError
from zhiyin.files import Place, write_atomically
from zhiyin.shown.paper import as_markdown
from zhiyin.shown.table import Column, written
from zhiyin.text import printable

KINDS = (".xml", ".md")


def check_summary(file: Path) -> None:
    """Raise `InputError` unless a file's suffix says what is to be written into it."""
    if file.suffix not in KINDS:
        raise InputError(f"--summary {file}: end it in .xml (JUnit) or .md (Markdown)")


def write_summary(findings: Sequence[GateFinding], file: Place) -> None:
    """Write what a gate found, as JUnit XML or Markdown by the file's suffix.

    Raises
    ------
    InputError
        The suffix is neither.
    """
    path = Path(file)
    check_summary(path)
    text = as_junit(findings) if path.suffix == ".xml" else as_markdown(gate_table(findings))
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, text.encode())


def as_junit(findings: Sequence[GateFinding]) -> str:
    """The findings as JUnit XML: a test case each, a failure where the gate is closed."""
    counts = {"tests": str(len(findings)), "failures": str(sum(one.fails for one in findings))}
    root = ElementTree.Element("testsuites", {"name": "zhiyin", **counts})
    suite = ElementTree.SubElement(root, "testsuite", {"name": "zhiyin", **counts, "errors": "0"})
    for one in findings:
        named = {"classname": "zhiyin.gate", "name": printable(f"{one.name}: {one.measure}")}
        case = ElementTree.SubElement(suite, "testcase", {**named, "time": "0"})
        why = printable(str(one.why))
        if one.fails:
            failure = ElementTree.SubElement(case, "failure", {"message": why, "type": one.state})
            failure.text = _figures(one)
        ElementTree.SubElement(case, "system-out").text = f"{why}\n{_figures(one)}"
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, "unicode")}\n'


def _figures(one: GateFinding) -> str:
    """The figures of a finding on a line."""
    if one.difference is None or one.low is None or one.high is None:
        return ""
    points = Column("", "points")
    ends = written((one.low, one.high), points)
    share = Column("", "share")
    return printable(
        f"{one.old} {written(one.old_score, share)} %, "
        f"{one.new} {written(one.new_score, share)} %: "
        f"difference {written(one.difference, points)} points ({100 * one.level:.4g} % interval "
        f"{ends}) on {one.items:,} items"
    )
