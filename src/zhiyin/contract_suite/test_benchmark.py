"""A benchmark's declaration, its trials and its verdicts."""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from string import ascii_uppercase
from typing import Any

import msgspec
import pytest

from zhiyin import Audio, Exchange, Image, InputError, Record, Reply, Trial, Turn, Verdict
from zhiyin.contract.registry import declared
from zhiyin.contract_suite.subject import (
    BENCHMARK,
    Subject,
    blaming,
    broken,
    right_option,
    spread,
    worded,
)
from zhiyin.engine.scoring import ALL
from zhiyin.engine.sequences import SequenceError, Walk
from zhiyin.record import STATES
from zhiyin.runs.measures import Measure
from zhiyin.runs.ways import UNDECLARED, Ways
from zhiyin.strategies import ASKING_ONCE
from zhiyin.trial import right_keys
from zhiyin.words import LANGUAGES, say

MEASURE, TRIAL, OPTION = "zhiyin.runs.measures.Measure", "zhiyin.Trial", "zhiyin.Option"
SCORE, VERDICT, SEQUENCE = f"{BENCHMARK}.score", "zhiyin.Verdict", "zhiyin.Sequence"
REFUSAL = "I'm sorry, but I can't help with that."
_FEW = 16
"""Trials from which a rule is told from chance: 0.5 ** 16 is 0.000015."""


def _comes_back(what: str, value: Any, where: str) -> None:
    with blaming(what, where):
        back = msgspec.json.decode(msgspec.json.encode(value), type=type(value))
    if back != value:
        broken(f"{what} comes back from the log otherwise", where)


def _once(names: list[str], what: str, where: str) -> None:
    for name, times in Counter(names).items():
        if not name or times > 1:
            broken(f"{what} {name!r} is given {times} times", where)


def test_it_says_what_it_is(subject: Subject) -> None:
    """Version, summary in each language, licence of published data: all can be kept with a run."""
    kind, benchmark = subject.kind, subject.opened()
    with blaming("what the class declares", BENCHMARK):
        msgspec.json.encode(declared(kind))
        remarks = benchmark.remarks()
    if not kind.version or "\n" in say(kind.summary) or isinstance(remarks, str):
        broken("version is a text, summary a line, remarks a list of lines", BENCHMARK)
    if kind.sources() and not kind.licence:
        broken("licence is empty, and its data are published by others", f"{BENCHMARK}.licence")
    for words in (kind.summary, *kind.titles.values(), *remarks):
        for language in LANGUAGES:
            with blaming(f"a message in {language!r}", "zhiyin.words.say"):
                say(words, language, strict=True)


def test_its_measures_can_be_read(subject: Subject, trials: list[Trial]) -> None:
    """Each has one name, a unit, a direction and a range; the headline is of a group there is."""
    measures, groups = subject.kind.measures, {ALL, *(g for trial in trials for g in trial.groups)}
    for one in measures:
        if not isinstance(one, Measure):
            broken(f"measure {one!r} is no Measure: write score(...)", f"{BENCHMARK}.measures")
        low, high = one.range
        if low is not None and high is not None and low >= high:
            broken(f"measure {one.name!r} has the range {one.range}: lower end first", MEASURE)
        if not isinstance(one.unit, str) or not isinstance(one.lower_is_better, bool):
            broken(f"measure {one.name!r}: unit is a text, lower_is_better a bool", MEASURE)
    _once([one.name for one in measures], "the measure", f"{BENCHMARK}.measures")
    if not measures or not (subject.flags or measures[0].group in groups):
        broken("the first measure is the headline, of a group that trials are in", MEASURE)


def test_trials_have_ids_of_their_own(subject: Subject, trials: list[Trial]) -> None:
    """There are some, no id is given twice, and `len` counts the plain ones."""
    for trial in trials or broken("it asks nothing", f"{BENCHMARK}.trials"):
        if not isinstance(trial, Trial):
            broken(f"a trial is of type {type(trial).__name__}", f"{BENCHMARK}.trials")
    _once([trial.id for trial in trials], "the id", TRIAL)
    plain = sum(not trial.sequence for trial in trials)
    if (said := len(subject.opened())) != plain:
        broken(f"len is {said}, and there are {plain} plain trials", f"{BENCHMARK}.__len__")


def test_trials_are_the_same_again(subject: Subject, trials: list[Trial]) -> None:
    """Each object of the same settings, and each call of `trials`, gives the same, in order."""
    benchmark, first = subject.opened(), [trial for trial in trials if not trial.sequence]
    for whose in ("another object", "a second call"):
        with blaming("trials", f"{BENCHMARK}.trials"):
            again = [*benchmark.trials()]
        if first != again:
            one = next((a.id for a, b in zip(first, again, strict=False) if a != b), "their number")
            broken(f"{whose} with the same seed differs in {one!r}", f"{BENCHMARK}.trials")


_ELSEWHERE = """
import sys, msgspec
from zhiyin.api.running import named_benchmark
_, options, kind = named_benchmark(*msgspec.json.decode(sys.argv[1]))
print(kind.from_options(options).fingerprint())
"""


def test_another_process_asks_the_same(subject: Subject) -> None:
    """Nothing hangs on the order of a set, on `hash`, the clock or a number drawn unseeded."""
    given = msgspec.json.encode((subject.named, subject.flags)).decode()
    there = subprocess.run(
        [sys.executable, "-c", _ELSEWHERE, given], capture_output=True, text=True,
        env={**os.environ, "PYTHONHASHSEED": "4"},
    )  # fmt: skip
    if there.returncode:
        broken(f"another process fails: {there.stderr.splitlines()[-1]}", BENCHMARK)
    if there.stdout.split()[-1] != subject.opened().fingerprint():
        broken("another process asks otherwise with the same seed", f"{BENCHMARK}.trials")


def test_trials_can_be_asked_and_kept(trials: list[Trial]) -> None:
    """Back from the log as they were; the user asks last; letters from A on, one of them right."""
    for trial in trials:
        _comes_back(f"trial {trial.id!r}", trial, TRIAL)
        last, letters = trial.messages[-1:], "".join(option.letter for option in trial.options)
        if not (last and last[0].role == "user" and last[0].parts):
            broken(f"trial {trial.id!r}: its last message is not the user's", TRIAL)
        if letters != ascii_uppercase[: len(letters)]:
            broken(f"trial {trial.id!r} shows options {letters!r}, not from A on", OPTION)
        keys = {option.key for option in trial.options}
        if len(letters) > 1 and len(keys) == 1:  # some may be alike, and all right
            broken(f"trial {trial.id!r}: all its options have one key", OPTION)
        if keys and trial.target is not None and not keys.issuperset(right_keys(trial)):
            broken(f"trial {trial.id!r}: no option has the key {trial.target!r}", TRIAL)


def test_nothing_tells_the_target(trials: list[Trial]) -> None:
    """A blinded trial is the question alone; neither id nor place gives the answer away."""
    for blind in (trial.blind() for trial in trials):
        shown = all(option.key == option.letter for option in blind.options)
        if blind.target is not None or blind.tags or blind.groups or not shown:
            broken(f"trial {blind.id!r} is not blind", f"{TRIAL}.blind")
    closed = [(trial, right) for trial in trials if (right := right_option(trial))]
    if len(closed) >= _FEW and len({right.letter for _, right in closed}) == 1:
        broken(f"the right option is always {closed[0][1].letter}: shuffle by item", TRIAL)
    telling = []
    for trial, right in closed:
        words = {*re.split(r"[^0-9a-z#]+", trial.id.casefold())}
        named = [o for o in trial.options if {o.text.casefold(), o.key.casefold()} & words]
        telling += [trial.id] if named == [right] else []
    if len(telling) >= max(_FEW, 0.9 * len(closed)):
        broken(f"ids such as {telling[0]!r} name the right option", TRIAL)


def test_groups_nest(trials: list[Trial]) -> None:
    """A group stands once, "all" is Zhiyin's, and what is in "a/b" is in "a" if there is an "a"."""
    names = {group for trial in trials for group in trial.groups}
    for trial in trials:
        _once([ALL, *trial.groups], f"trial {trial.id!r}: the group", TRIAL)
        for group in trial.groups:
            above = [group[: found.start()] for found in re.finditer("/", group)]
            if lacking := names.intersection(above) - {*trial.groups}:
                broken(f"trial {trial.id!r} is in {group!r}, not in {lacking.pop()!r}", TRIAL)


def test_files_are_what_the_trials_say(trials: list[Trial]) -> None:
    """Sounds and pictures are there with their hashes; a part that is played lies in its file."""
    messages = [message for trial in spread(trials) for message in trial.messages]
    for part in {part for m in messages for part in m.parts if isinstance(part, Audio | Image)}:
        where, path = f"zhiyin.{type(part).__name__}", Path(part.path)
        with blaming(f"reading {path.name}", where):
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
        if digest != part.sha256:
            broken(f"{path.name} has another SHA-256 than its trial says", where)
        if isinstance(part, Audio) and part.seconds and part.played <= 0:
            broken(f"{path.name}: nothing of its {part.seconds} s is played", where)


def test_ways_of_asking_are_told_apart(subject: Subject, trials: list[Trial]) -> None:
    """One item asked in two declared ways has two conditions."""
    ways = UNDECLARED if subject.kind.ways is None else Ways(subject.kind.ways)
    found: dict[tuple[str, str], list[Any]] = {}
    for trial in (trial for trial in trials if trial.item):
        way = [trial.tags.get(way.name, way.plain) for way in ways]
        if way != found.setdefault((trial.item, trial.condition), way):
            broken(f"trial {trial.id!r} is of another way, not of another condition", TRIAL)


def test_examples_are_not_what_is_asked(subject: Subject) -> None:
    """No worked example is the question that it stands before."""
    if "shots" not in subject.kind.Settings.__struct_fields__:
        pytest.skip("it declares no worked examples")
    try:
        shown = [*subject.kind.from_options({**subject.options, "shots": "1"}).trials()]
    except InputError as error:
        pytest.skip(f"no example with these flags: {error}")
    for trial in spread(shown):
        texts = [message.text for message in trial.messages[:-1] if len(message.parts) == 1]
        if trial.stem and any(trial.stem in text for text in texts):
            broken(f"the example before trial {trial.id!r} is its question", f"{BENCHMARK}.trials")


def _verdict(subject: Subject, trial: Trial, reply: Reply) -> Verdict:
    """The verdict on a model that replies the same to all that the trial's strategy asks."""

    async def ask(*given: Any, **more: Any) -> Reply:
        return reply

    first, second = subject.opened(), subject.opened()
    with blaming(f"score of trial {trial.id!r}", SCORE):
        try:
            exchange = asyncio.run(first.strategy(trial)(trial, ask))  # type: ignore[arg-type]
        except RuntimeError:  # it asks a further model, which only a run can
            exchange = Exchange((Turn(reply),))
        verdict, again = first.score(trial, exchange), second.score(trial, exchange)
    if not isinstance(verdict, Verdict) or verdict.state not in STATES:
        broken(f"score of trial {trial.id!r} gave {verdict!r}: no known state", VERDICT)
    if verdict != again:
        broken(f"score of trial {trial.id!r} differs at the second call", SCORE)
    _comes_back(f"the verdict on {trial.id!r}", verdict, VERDICT)
    return verdict


def test_the_right_answer_is_right(subject: Subject, trials: list[Trial]) -> None:
    """Of a choice the option of the target, of a free answer the target itself."""
    benchmark = subject.opened()
    for trial in spread(trials):
        right = right_option(trial)
        text = worded(benchmark, trial, right) if right else trial.target
        if text is None or (trial.options and not right):
            continue
        if benchmark.strategy(trial) in ASKING_ONCE:  # others may ask for more than an answer
            verdict = _verdict(subject, trial, Reply(text))
            if verdict.state not in ("correct", "ungraded"):
                what = f"{text!r}, the right reply to {trial.id!r}, is {verdict.state}"
                broken(f"{what} ({verdict.why})", SCORE)


def test_a_wrong_answer_is_wrong(subject: Subject, trials: list[Trial]) -> None:
    """Of a choice each other option; of a free answer those to other trials, some at least."""
    benchmark, some = subject.opened(), spread(trials)
    free = {trial.target for trial in some if trial.target is not None and not trial.options}
    for trial in some:
        right = right_option(trial)
        for option in trial.options if right else ():
            alike = right and option.text.strip().lower() == right.text.strip().lower()
            reply = Reply(worded(benchmark, trial, option))
            if option.key in right_keys(trial) or alike:
                continue
            if _verdict(subject, trial, reply).state == "correct":
                broken(f"option {option.letter} of trial {trial.id!r} is taken for right", SCORE)
        others = [] if trial.options or not trial.target else sorted(free - {trial.target})[:8]
        if others and all(_verdict(subject, trial, Reply(o)).state == "correct" for o in others):
            broken(f"any answer to trial {trial.id!r} is right, such as {others[0]!r}", SCORE)


@pytest.mark.parametrize("text", ["", REFUSAL])
@pytest.mark.parametrize("finish", ["stop", "length", "refusal"])
def test_silence_and_refusal_are_no_answer(
    subject: Subject, trials: list[Trial], text: str, finish: Any
) -> None:
    """A reply without an answer is neither right nor wrong by chance."""
    for trial in spread(trials):
        verdict = _verdict(subject, trial, Reply(text, finish))
        if verdict.state in ("correct", "wrong", "error") or verdict.answer:
            broken(f"{text!r} to trial {trial.id!r} is {verdict.state}: it is no answer", VERDICT)


def test_sequences_go_the_same_way_again(subject: Subject) -> None:
    """`next` is pure: from the records in the log the same trials follow."""
    sequences, again = [*subject.opened().sequences()], [*subject.opened().sequences()]
    _once([sequence.id for sequence in sequences], "the id", SEQUENCE)
    for sequence, other in zip(sequences[:8], again, strict=False):
        records = subject.walked(Walk(sequence), "A")
        kept = msgspec.json.decode(msgspec.json.encode(records), type=list[Record])
        try:
            Walk(other).replay({record.id: record for record in kept})
        except (InputError, SequenceError) as error:
            broken(f"next is not pure: {error}", f"{SEQUENCE}.next")
