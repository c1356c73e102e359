"""What replies are read as today: a change of any reading is seen, and has to be meant.

Whether a reading is right is said elsewhere. Here marked replies are read, small changes of them,
phrases that patterns of the reader match, in short sentences, and odd replies. What comes of each
stage is pinned too: two faults on the way may end in the same reading. Of texts that run through
the same lines two are kept. Where a change is meant, ``python tests/test_reader_pinned.py`` writes
the readings of today, in some minutes.
"""

import json
import random
import sys
import zlib
from collections import Counter
from pathlib import Path

import pytest

from conftest import REPOSITORY
from pinned_replies import OPTIONS, odd_replies
from reading_help import HERE, KEYS, lines, shown
from zhiyin.contract.policies import open_policy, policies
from zhiyin.reader import forms, mentions, structured
from zhiyin.reader.choices import Choices, ends_word, prepare, starts_word, telling
from zhiyin.reader.clauses import acts_of
from zhiyin.reader.groups import group
from zhiyin.reader.plain import plain

GOLDEN = REPOSITORY / "tests" / "golden"
PHRASES, PINNED = GOLDEN / "phrases.json", GOLDEN / "readings_pinned.json"
SENTENCES = (
    "The answer is {a}{p}", "{p} {a}", "{a} {p} {b}", "{p}{a}. {t}", "{b}? {p} {a}", "{t} {p} {u}",
    "{p}: {a} and {b}", "I {p} {t}.", "{p}{a}{p}{b}", "不是{b}，{p}{a}", "{a}{p}\n{b}", "“{a}” {p}",
)  # fmt: skip
OPEN = {
    "yes_no": forms.yes_no,
    "number": forms.number,
    "notes": forms.notes,
    "words": forms.words,
    "letters": lambda text: forms.letters(text, shown(KEYS[5])),
    "field": lambda text: forms.field(text, ("answer", "label")),
}
GROUPS = ("replies", "phrases", "odd", "options", "places", "published", *OPEN)
LEFT_OUT = "..."
"""Stands for a reading that is not looked at: others run through the same lines."""
read = open_policy("robust").extract


def changed(text, other, draw):
    """A reply with one change that people and models make."""
    way, at = draw.randrange(7), draw.randrange(len(text) + 1)
    if way == 0:
        return text[:at]
    if way == 1:
        return text[at:]
    if way == 2:
        return f"{text}\n\n{other}"
    if way == 3:
        return text.translate(str.maketrans("ABCD", "BCDA"))
    if way == 4:
        return text.replace("\n", " ").replace("*", "")
    if way == 5:
        return "\n".join(reversed(text.splitlines()))
    return text[:at] + draw.choice((" not ", "不", " or B", ": C", " (A)", "\n")) + text[at:]


def replies():
    """Marked replies and a change of each, with their options."""
    marked = [*lines(HERE / "open.jsonl"), *lines(HERE / "aside.jsonl"),
              *lines(GOLDEN / "paraphrases.jsonl")]  # fmt: skip
    draw = random.Random(7)
    for reply, other in zip(marked, marked[1:] + marked[:1], strict=True):
        yield reply["text"], reply["options"]
        yield changed(reply["text"], other["text"], draw), reply["options"]


def phrases():
    """Phrases in sentences, with options of each kind in turn."""
    every = json.loads(PHRASES.read_text("utf-8"))
    yield from ((text, KEYS[5]) for text in every["whole"])
    for number, phrase in enumerate(every["phrases"]):
        texts, sentence = KEYS[number % len(KEYS)], SENTENCES[number % len(SENTENCES)]
        letters = "ABCD"[number % 4], "BCDA"[number % 4]
        words = {"a": letters[0], "b": letters[1], "p": phrase, "t": texts[0], "u": texts[1]}
        yield sentence.format(**words), texts


def outcome(text, options):
    found = read(text, shown(options))
    span = "" if found.span is None else f"{found.span[0]}-{found.span[1]}"
    return f"{found.letter or '-'}{found.confidence[:1]}{''.join(found.alike)}{span}"


def stages(text, options):
    """The plain words, what they name, what their clauses do, and what data in them say."""
    words, choices = plain(text), prepare(shown(options))
    named = mentions.find(words, choices)
    groups = group(named, words, choices)
    acts = acts_of(words, groups, choices)
    return repr((words, named, groups, acts, structured.fields(words, choices)))


def told(value):
    return f"{value.value!r}" if value.value is not None else "-"


def named(options):
    """What options are called, and whether a word begins and ends within their texts."""
    pairs = tuple((one.letter, one.text) for one in shown(options))
    words = [text.lower() for text in options]
    apart = [
        [(starts_word(text, at), ends_word(text, at)) for at in range(len(text) + 1)]
        for text in words
    ]
    return repr((vars(Choices(pairs)), list(map(telling, words)), apart))


def placed(text):
    """Where each stretch of the plain words stood, and each stretch of the text stands in them."""
    words = plain(text)
    there = [words.place(at, at + 3) for at in range(0, len(text), 2)]
    return repr((there, [words.span(at, at + 2) for at in range(len(words.text))]))


def readings(name):
    """Every text of a group, and how it is read: a call that gives its reading."""
    if name in OPEN:
        several = [*list(replies())[::12], *list(phrases())[::8], *odd_replies()[::6]]
        return [(text, lambda t=text: told(OPEN[name](t))) for text, _ in several]
    if name == "options":
        return [(str(options), lambda o=options: named(o)) for options in OPTIONS]
    if name == "places":
        return [(text, lambda t=text: placed(t)) for text, _ in odd_replies()[500:1500:3]]
    if name == "published":
        others = [policy.extract for key, policy in policies().items() if key != "robust"]
        several = [*list(replies())[::9], *list(phrases())[::23], *odd_replies()[::5]]
        return [
            (text, lambda t=text, o=options: repr([other(t, shown(o)) for other in others]))
            for text, options in several
        ]
    texts = {"replies": replies, "phrases": phrases, "odd": odd_replies}[name]()
    return [
        (text, lambda t=text, o=options: outcome(t, o) + stages(t, o)) for text, options in texts
    ]


def short(reading):
    """Three signs of a reading: enough to see that it changed."""
    return f"{zlib.crc32(reading.encode('utf-8', 'backslashreplace')) % 4096:03x}"


@pytest.mark.slow
@pytest.mark.parametrize("name", GROUPS)
def test_readings_are_those_of_the_last_time(name):
    known, pairs = json.loads(PINNED.read_text("utf-8"))[name], readings(name)
    assert len(known) == 3 * len(pairs)
    for number, (text, read_again) in enumerate(pairs):
        before = known[3 * number : 3 * number + 3]
        if before == LEFT_OUT:
            continue
        reading = read_again()
        if short(reading) != before:
            pytest.fail(f"{text!r} is now read as {reading}; if that is meant, "
                        f"python {Path(__file__).name} pins it")  # fmt: skip


def run_through(call):
    """The lines of the reader that a call runs through."""
    lines = set()

    def line(frame, event, argument):
        lines.add((frame.f_code, frame.f_lineno))
        return line

    def entered(frame, event, argument):
        return line if "/reader/" in frame.f_code.co_filename else None

    sys.settrace(entered)
    try:
        call()
    finally:
        sys.settrace(None)
    return frozenset(lines)


def pinned(name, seen):
    """The signs of a group's readings; `seen` counts in which ways texts ran through."""
    signs = []
    for _, call in readings(name):
        call()  # some things are worked out once
        way = run_through(call)
        seen[way] += 1
        signs.append(short(call()) if seen[way] < 3 or not way else LEFT_OUT)
    return "".join(signs)


if __name__ == "__main__":
    ways = Counter()
    PINNED.write_text(json.dumps({n: pinned(n, ways) for n in GROUPS}, indent=0) + "\n", "utf-8")
