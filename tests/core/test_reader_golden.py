"""Every reading of many replies, by all policies and of all forms, as golden tables have it.

The replies are marked ones, small changes of them, phrases that the reader's patterns match, and
odd ones: of those that run through the same lines few are kept. With each reading stands what was
made of the clauses on the way: two faults may end in the same answer. Whether a reading is right is
tested elsewhere; here a change of any is seen, and has to be meant.
"""

from zlib import crc32

import pytest

from golden_help import Table
from reading_help import KEYS, shown
from zhiyin.contract.policies import open_policy
from zhiyin.reader import OF_EVERY_USE, forms, is_refusal, mentions, structured
from zhiyin.reader.choices import prepare
from zhiyin.reader.clauses import acts_of
from zhiyin.reader.groups import group
from zhiyin.reader.plain import plain

ROBUST = open_policy("robust")
FORMS = {
    "yes_no": forms.yes_no,
    "number": forms.number,
    "notes": forms.notes,
    "words": forms.words,
    "letters": lambda text: forms.letters(text, shown(KEYS[5])),
    "field": lambda text: forms.field(text, ("answer", "label")),
}


def read(given):
    text, options = given
    found, words, choices = (
        ROBUST.extract(text, shown(options)),
        plain(text),
        prepare(shown(options)),
    )
    named = group(mentions.find(words, choices), words, choices)
    acts = [_short(act) for act in acts_of(words, named, choices)]
    data = [_short(field) for field in structured.fields(words, choices)]
    return [found.letter, found.confidence, found.why, found.span, *found.alike, acts, *data]


def _short(row):
    """The letters of a row and its other fields that are not as usual, in a text."""
    usual = {**row._field_defaults, "before": getattr(row, "before", ""), "letters": row.letters}
    told = [value for name, value in row._asdict().items() if value != usual.get(name)]
    return " ".join(map(str, ("".join(row.letters), *told)))


def read_by_all(given):
    text, options = given
    return [[policy.label, policy.extract(text, shown(options))] for policy in OF_EVERY_USE]


def read_open(given):
    name, text = given
    return list(FORMS[name](text))


def in_plain_words(given):
    head, times, tail = given
    text = head * times + tail
    words = plain(text)
    spans = [words.span(0, len(words.text)), words.span(len(words.text) // 2, len(words.text))]
    sums = [crc32(each.encode("utf-8", "replace")) for each in (words.text, words.lower)]
    return [words.text[:160], *sums, words.offset, spans, is_refusal(text)]


TABLES = [
    Table("reader/replies", read, 40),
    Table("reader/objects", read, 40),
    Table("reader/options", read, 40),
    Table("reader/policies", read_by_all, 40),
    Table("reader/forms", read_open, 40),
    Table("reader/words", in_plain_words, 40),
]


@pytest.mark.parametrize(("table", "part"), [
    pytest.param(table, *part.values, id=part.id) for table in TABLES for part in table.parts
])  # fmt: skip
def test_every_reading_is_that_of_the_golden_table(table, part):
    table.check(part)
