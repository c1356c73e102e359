"""Findings of a gate as files that continuous integration shows: JUnit XML, and Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

from zhiyin.errors import InputError, reworded
from zhiyin.files import Place, write_atomically
from zhiyin.plugins.lab.gate import GateFinding, gate_table
from zhiyin.runs.measures import SHARE
from zhiyin.shown.paper import as_markdown
from zhiyin.shown.table import Column, kinds_of, written
from zhiyin.text import printable
from zhiyin.words import said

KINDS = (".xml", ".md")


def check_summary(file: Path) -> None:
    """Raise `InputError` unless a file can be written, and its suffix says what goes into it."""
    if file.suffix not in KINDS:
        raise InputError(f"--summary {file}: end it in .xml (JUnit) or .md (Markdown)")
    if file.is_dir() or not file.parent.is_dir():
        what = "that is a folder" if file.is_dir() else f"there is no folder {file.parent}"
        raise InputError(f"--summary {file}: {what}: name a file in a folder that is there")


def write_summary(found: Sequence[GateFinding] | str, file: Place) -> None:
    """Write what a gate found, or why it found nothing, by the file's suffix: see `check_summary`.

    Parameters
    ----------
    found : sequence of GateFinding or str
    file : path

    Raises
    ------
    InputError
        The suffix is neither, or the file cannot be written.
    """
    path = Path(file)
    check_summary(path)
    if path.suffix == ".xml":
        text = as_junit(found)
    elif isinstance(found, str):
        text = f"**{said('gate-no-verdict')}**\n\n{printable(found)}\n"
    else:
        text = as_markdown(gate_table(found))
    with reworded(f"--summary {path}: ", "; name another file"):
        write_atomically(path, text.encode())


def as_junit(found: Sequence[GateFinding] | str) -> str:
    """Write the findings as JUnit XML: a test case each.

    A failure where the gate is closed; an error where there is no verdict, since a run is not
    complete, cannot be compared, or nothing came to be compared at all.
    """
    findings = () if isinstance(found, str) else found
    counts = {
        "tests": str(len(findings) or 1),
        "failures": str(sum(one.closes for one in findings)),
        "errors": str(sum(not (one.closes or one.passes) for one in findings) or int(not findings)),
    }
    root = ElementTree.Element("testsuites", {"name": "zhiyin", **counts})
    suite = ElementTree.SubElement(root, "testsuite", {"name": "zhiyin", **counts})
    if isinstance(found, str):
        case = ElementTree.SubElement(suite, "testcase", _named("gate"))
        said_so = {"message": printable(found), "type": "none"}
        ElementTree.SubElement(case, "error", said_so).text = said_so["message"]
    for one in findings:
        case = ElementTree.SubElement(suite, "testcase", _named(f"{one.name}: {one.measure}"))
        why = printable(str(one.why))
        if not one.passes:
            kind = "failure" if one.closes else "error"
            failure = ElementTree.SubElement(case, kind, {"message": why, "type": one.state})
            failure.text = _figures(one)
        ElementTree.SubElement(case, "system-out").text = f"{why}\n{_figures(one)}"
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, "unicode")}\n'


def _named(name: str) -> dict[str, str]:
    return {"classname": "zhiyin.gate", "name": printable(name), "time": "0"}


def _figures(one: GateFinding) -> str:
    """The figures of a finding on a line."""
    if one.difference is None or one.low is None or one.high is None:
        return ""
    value, gap = (Column("", kind) for kind in kinds_of(one.unit))
    unit, points = ("%", "points") if one.unit == SHARE else (one.unit, one.unit)
    ends = written((one.low, one.high), gap)
    return printable(
        f"{one.old} {written(one.old_score, value)} {unit}, "
        f"{one.new} {written(one.new_score, value)} {unit}: "
        f"difference {written(one.difference, gap)} {points} ({100 * one.level:.4g} % interval "
        f"{ends}) on {one.items:,} items"
    )
