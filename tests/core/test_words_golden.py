"""Every form of a message, and the reasons of logs as messages, as golden tables have them."""

import re
from pathlib import Path

import pytest

from golden_help import Table, outcome, plain
from zhiyin.errors import InputError
from zhiyin.words import Named, Said, add_words, findings, said, say, say_error
from zhiyin.words.messages import Catalogue, words_in
from zhiyin.words.reasons import reason

OWN = """
count = { $x ->
    [0] none at all
    [one] one thing
    [true] truly
    [none] nothing
   *[other] { $x } things
 }
named = { $x ->
    [two-words] both
   *[other] { other-name }
 }
other-name = the name { $x } and { "text" }
share = { SHARE($x) } { SHARE($x, decimals: 0) } { EXACT($x) } { POINTS($x) } { POINTS($x, 2) }
figures = { FINE($x) } { SIGNED($x) } { NUMBER($x, 2) } { WHOLE($x) } { MONEY($x) } { P($x) } {$x}
apart = { APART($x, $unit) } { APART($x, $unit, 0.5) } { AMOUNT($x, $unit, 9) }
whole = { WORD($x) } { SHELL($x) }
list = { NAMES($x) }: { AND($x) }: { OR($x) }: { FEW($x) }: { CLAUSES($x) }: { EACH($x) }
sentence = { SENTENCE($x) }
begins = begins with words
variable = { $x } begins
select = { $x ->
   *[other] chosen words
 }
"""
CATALOGUES = {language: Catalogue(OWN, language) for language in ("en", "zh")}
RUN, BEGINS = Named("run"), Said("begins")
UNITS = ("share", "cents", "")
GIVEN = {
    "count": (0, 1, 2, 1200, [], ["a"], True, None, "one", "none", 1.0),
    "named": ("two words", "two-words", "true", Path("a/b"), RUN),
    "share": (0.0, 1.0, 0.5, 0.123456, -0.05, 0.999),
    "figures": (0.0, 0.5, 0.01, 0.0099, 0.00012, 0.0123, -0.05, 1234.5, 2e9),
    "whole": (0, 1, 12, 13, 1000),
    "list": ([], *([*"abcde"[:n]] for n in range(1, 6)), ["a", 2, 0.5],
             [{"name": "begins", "facts": {}}, Named("r\u2068un")]),
    "sentence": (["a", "b"], [BEGINS], [Said("variable", {"x": "y"})], [RUN], [Said("nowhere")],
                 [Said("variable", {"x": BEGINS}), "c"], [Said("select", {"x": 1})]),
    "variable": ("\u2068a\x1b",),
}  # fmt: skip
FACTS = {name: [{"x": x} for x in every] for name, every in GIVEN.items()} | {
    "apart": [{"x": x, "unit": u} for x in (0.05, -0.2, 12.34, 305.0) for u in UNITS],
    "nowhere": [{}],
}


def spoken(catalogue, name, facts, names):
    try:
        return plain(catalogue.say(name, facts, strict=False, names=names))
    except (LookupError, AttributeError, ValueError, TypeError) as error:
        return type(error).__name__


def of_messages():
    for name, every in FACTS.items():
        for facts in every:
            yield [name, facts], lambda n=name, f=facts: [
                spoken(catalogue, n, f, names)
                for catalogue in CATALOGUES.values() for names in (False, True)
            ]  # fmt: skip
    plainly, empty = InputError("plain"), said("log-empty")
    errors = (
        *(plainly, InputError(empty), InputError(said("log-raised", name="x", why=plainly))),
        *(InputError(said("log-raised", name="x", why=empty)), ValueError("other"), "text"),
        *(said("log-nowhere", x=1, y=empty), said("nowhere")),
    )
    for number, error in enumerate(errors):
        yield ["error", number], lambda e=error: [
            *(say_error(e, language) for language in ("en", "zh")), say(e), say(e, "zh"),
            outcome(say, e, strict=True) if not isinstance(e, Said) else "",
        ]  # fmt: skip


def brought(given):
    """What becomes of the messages that a folder brings."""
    folder = next(_FOLDERS)
    for language, text in given.items():
        (folder / f"words.{language}.ftl").write_text(text, "utf-8")
    try:
        add_words(folder)
        add_words(folder)
    except InputError as error:
        told = re.sub(r"\nassert .*(?=: fix)", "", str(error), flags=re.DOTALL)  # added by pytest
        return told.replace(str(folder), "FOLDER").partition("[Errno")[0]
    return [say(Said(name)) for name in ("brought-a", "brought-b", "brought-c")]


_FOLDERS = iter(())


def of_warnings(given):
    """A remark of a manifest, as a warning."""
    (found,) = findings.told([given])
    again = findings.kept([found, found.mended_by("x"), said("log-empty"), "words"])
    order = findings.by_severity([*findings.told([given, "m: replies are not kept", "x"]), found])
    severe = [one.severity for one in order]
    return [found.kind, found.facts, found.text, found.severity, str(found), again, severe]


TABLES = [
    Table("words/messages", of_messages(), 20),
    Table("words/reasons", reason, 40),
    Table("words/warnings", of_warnings, 20),
    Table("words/brought", brought, 20),
]


@pytest.mark.parametrize(("table", "part"), [
    pytest.param(table, *part.values, id=part.id) for table in TABLES for part in table.parts
])  # fmt: skip
def test_words_are_those_of_the_golden_table(table, part, tmp_path_factory, monkeypatch):
    global _FOLDERS
    for words in map(words_in, ("en", "zh")):  # what folders bring is no word of other tests
        monkeypatch.setattr(words, "_text", dict(words._text))
    _FOLDERS = iter(lambda: tmp_path_factory.mktemp("words"), None)
    table.check(part)
