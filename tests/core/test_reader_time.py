"""Reading takes time in proportion to the reply, whatever its shape, and never runs out of stack.

The figure wanted is 50 ms of processor time for a megabyte on a quiet machine; the limits here
leave room for a busy one.
"""

import asyncio
import importlib
import pkgutil
import random
import re
import time
from re import _constants as code
from re import _parser as parser

import pytest

import zhiyin.reader
from engine import Scripted, manifest, standalone, trials
from reading_help import shown
from zhiyin.contract.policies import open_policy
from zhiyin.engine.log import RunFolder
from zhiyin.engine.runner import Limits, Runner
from zhiyin.engine.scoring import judge_choice
from zhiyin.reader import forms, is_refusal, read
from zhiyin.record import Sampling

pytestmark = pytest.mark.slow

OPTIONS = shown(["Major", "Minor", "Dominant", "Diminished"])
MEGABYTE_S = 0.5
"""Ten times the figure wanted."""

UNITS = (
    "\n", " ", "\t", "\u00a0", "\r\n", "A", "A ", "A. ", "(A) ", "A, ", "a", "1 ", "1. ", "是",
    "不", "[", "[[",
    "{", '{"a":', '{"answer":', '{"answer":"B"} ', '[{"answer":',
    '{"answer":{"choice":',
    '"', "\\", "\\n", "\\boxed{", "<", "<b>", "<think>", "</think>", "<|", "<|im_end|>", "<x",
    "*", "**", "_", "~~", "~~a", "`", "```", "|", "| A ", "- ", "#", ".", ",", "?", "!", "…", ":",
    "option ", "选项", "选项A", "选项A错误，", "option B is wrong. ", "the answer is ", "答案是",
    "the answer is A ", "I choose ", "wait, ", "no, ", "not ", "not A ", "if A, then B; ", "most, ",
    "Minor ", "Minor, ", "not Minor or ", "A or ", "A and B, ", "A > B ", "so ", "so it is A ",
    "\nQuestion: ", "\n\nB\n", "C#", "C–E–", "♯", "\u0301", "🎻", "100% ", "50% A ", "\x00",
)  # fmt: skip


def seconds(call, *arguments):
    """Processor time of one call, the best of two where it was long: others share the machine."""
    times = []
    while not times or (len(times) < 2 and times[0] > 0.1):
        begun = time.process_time()
        call(*arguments)
        times.append(time.process_time() - begun)
    return min(times)


def filled(unit, size):
    return unit * (size // len(unit))


@pytest.mark.sample(4)
@pytest.mark.parametrize("unit", UNITS, ids=repr)
def test_a_megabyte_of_anything(unit):
    read(filled(unit, 1_000), OPTIONS)
    for size, limit in ((10_000, MEGABYTE_S), (1_000_000, MEGABYTE_S)):
        assert seconds(read, filled(unit, size), OPTIONS) < limit


@pytest.mark.parametrize("unit", ["\n", " ", "A. ", "|", "<x", "<think>", '{"answer":', "，", "[["])
def test_ten_times_as_much_takes_ten_times_as_long_at_most(unit):
    short, long = (seconds(read, filled(unit, size), OPTIONS) for size in (1_000_000, 10_000_000))
    assert long < 25 * max(short, 0.01)
    assert long < 10 * MEGABYTE_S


@pytest.mark.sample(4)
@pytest.mark.parametrize("depth", [60, 300, 990, 200_000, 5_000])
def test_nested_json_is_an_answer_or_none(depth):
    for opening, closing in (
        ('{"a":', "}"), ('{"answer":', "}"), ('[{"answer":', "}]"), ('{"A":', "}"), ("[", "]"),
        ('{"answer":{"choice":', "}}"), ('{"answer":{"x":1,"choice":', "}}"), ('{"answer":["', ""),
    ):  # fmt: skip
        text = opening * depth + '"B"' + closing * depth
        assert seconds(read, text, OPTIONS) < 10 * MEGABYTE_S
        for form in (forms.number, forms.yes_no, forms.notes, forms.words):
            form(text)
        forms.letters(text, OPTIONS)
        forms.field(text, ("answer",))


def test_nested_json_read_deep_in_the_stack():
    def deeper(levels):
        return read('{"answer":' * 500 + '"B"', OPTIONS) if levels == 0 else deeper(levels - 1)

    assert deeper(600).letter in ("B", None)


def patterns():
    """Every compiled pattern of the reader, by the place where it is defined."""
    found = {}
    for module in pkgutil.walk_packages(zhiyin.reader.__path__, "zhiyin.reader."):
        for name, value in vars(importlib.import_module(module.name)).items():
            if isinstance(value, re.Pattern):
                found.setdefault(f"{module.name}.{name}", value)
    return found


def fragment(tree, draw):
    """Some text that a pattern, or part of it, would match; looking around is left out."""
    made = []
    for kind, value in tree:
        if kind is code.LITERAL:
            made.append(chr(value))
        elif kind is code.IN:
            made.append(one_of(value, draw))
        elif kind is code.BRANCH:
            made.append(fragment(draw.choice(value[1]), draw))
        elif kind is code.SUBPATTERN:
            made.append(fragment(value[-1], draw))
        elif kind in (code.MAX_REPEAT, code.MIN_REPEAT):
            least, most, inner = value
            times = draw.randint(least, min(max(int(most), least), least + 3))
            made += [fragment(inner, draw) for _ in range(times)]
        elif kind in (code.ANY, code.NOT_LITERAL):
            made.append("x")
    return "".join(made)


def one_of(members, draw):
    if members[0][0] is code.NEGATE:
        return draw.choice("x ,")
    kind, value = draw.choice(members)
    if kind is code.RANGE:
        return chr(draw.randint(*value))
    return chr(value) if kind is code.LITERAL else draw.choice(" 1b")


PATTERNS = patterns()


def test_there_are_patterns_to_try():
    assert len(PATTERNS) > 100


@pytest.mark.sample(40)
@pytest.mark.parametrize("name", PATTERNS)
def test_fragments_of_the_patterns_themselves(name):
    pattern, draw = PATTERNS[name], random.Random(name)
    tree = parser.parse(pattern.pattern, pattern.flags)
    for ending in ("", "A", " B. ", "\n"):
        unit = (fragment(tree, draw) + ending) or " "
        text = filled(unit, 100_000)
        assert seconds(read, text, OPTIONS) < MEGABYTE_S, unit
        assert seconds(is_refusal, text) < MEGABYTE_S, unit


def test_long_replies_do_not_hold_up_the_other_calls(tmp_path):
    """The event loop turns while replies of a megabyte are read: measured by its own clock."""
    reply = "Option A is wrong, and B is too. " * 30_000 + "The answer is A."
    waits = []

    async def watch():
        while True:
            begun = time.perf_counter()
            await asyncio.sleep(0.001)
            waits.append(time.perf_counter() - begun)

    async def slow(_):
        await asyncio.sleep(0.001)
        return reply

    async def run():
        model = Scripted(lambda _id, _times: slow(_id))
        watching = asyncio.create_task(watch())
        with RunFolder(tmp_path / "run", manifest(6)) as log:

            def score(trial, exchange):
                time.sleep(0.05)  # stands for a reply that is slow to read
                return judge_choice(trial, exchange, open_policy("robust"))

            runner = Runner(
                model, lambda _: standalone, score, log, Sampling(), Limits(concurrency=2)
            )
            outcome = await runner.run(trials(6), 0)
        watching.cancel()
        return outcome

    outcome = asyncio.run(run())
    assert outcome.count.correct == 6
    assert sorted(waits)[len(waits) // 2] < 0.04
    assert len(waits) > 20
