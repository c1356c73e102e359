"""Exercises on lines of ABC: every key proved by a solver that does not know how it was made."""

from fractions import Fraction

import pytest

from exercises_help import BLIND, guessed, tail
from zhiyin.errors import InputError
from zhiyin.plugins.composed.exercises.benchmark import Exercises
from zhiyin.plugins.composed.exercises.exercise import LEVELS
from zhiyin.plugins.composed.exercises.sheet import MAKERS
from zhiyin.plugins.music import notated
from zhiyin.plugins.music.theory import LETTERS, parse_pitch

SEMITONES = {"m2": 1, "M2": 2, "A2": 3, "m3": 3, "M3": 4, "d4": 4, "P4": 5, "P5": 7, "A5": 8,
             "m6": 8, "M6": 9, "d7": 9, "m7": 10, "M7": 11}  # fmt: skip


def opened(n, **options):
    return Exercises.from_options({"task": ("sheet",), "n": n, "difficulty": LEVELS, **options})


def metre_of(lines, answers):
    """Those answers whose bars all bars of the lines fill."""
    unit = Fraction(notated.stated(lines, "L")[0])
    lengths = {notated.length_of(bar) * unit for bar in notated.bars_of(lines)}
    return [answer for answer in answers if lengths == {notated.metre_length(answer)}]


def barred(facts, answers):
    """Those answers in which every bar but the last is full, and no note is lost."""
    unit, full = notated.stated(facts["music"], "L")[0], notated.metre_length(facts["signature"])
    right = []
    for answer in answers:
        *whole, last = [notated.length_of(bar) * Fraction(unit) for bar in notated.bars_of(answer)]
        if all(length == full for length in whole) and last <= full:
            right.append(answer)
        assert notated.played(answer) == notated.played(facts["music"])
    return right


def at_interval(facts, answers):
    """Those answers that are as many letters and semitones away as the interval says."""
    sign = 1 if facts["direction"] == "up" else -1
    steps, half = int(facts["interval"][1]) - 1, SEMITONES[facts["interval"]]

    def place(name):
        return 7 * int(name[-1]) + LETTERS.index(name[0])

    return [
        answer
        for answer in answers
        if place(answer) - place(facts["note"]) == sign * steps
        and parse_pitch(answer) - parse_pitch(facts["note"]) == sign * half
    ]


@pytest.mark.slow
def test_a_solver_finds_each_key_and_no_other_answer():
    items = opened(30).items
    assert {item.kind for item in items} == MAKERS.keys()
    assert len(items) == 30 * 3 * 3
    for item in items:
        facts, answers = item.exercise.facts, item.exercise.answers
        if item.kind == "sheet-metre":
            found = metre_of(facts["music"], answers)
        else:
            found = (barred if item.kind == "sheet-barlines" else at_interval)(facts, answers)
        assert found == [item.exercise.answer], (item.id, facts, answers)


@pytest.mark.slow
def test_blind_rules_find_nothing():
    trials = [
        t for t, i in zip(opened(100).trials(), opened(100).items, strict=True) if not i.again
    ]
    for rule in BLIND:
        for kind, (right, n) in guessed(trials, rule).items():
            assert tail(right, n) > 1e-3, (rule, kind, right, n)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_music_is_shown_as_it_is_in_both_languages(language):
    for trial in opened(2, language=language, difficulty=("hard",)).trials():
        text = trial.messages[0].text
        assert "{" not in text
        assert len({option.text for option in trial.options}) == 4
        if trial.tags["kind"] != "note-at":
            assert "\nL:1/16\nK:C\n" in text


def test_they_are_asked_for_by_name_alone():
    assert {item.task for item in Exercises.from_options({"n": 1}).items} == {"theory", "chinese"}
    with pytest.raises(InputError, match="none of --task theory,chinese"):
        Exercises.from_options({"kind": ("note-at",)})
