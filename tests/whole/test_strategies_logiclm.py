"""LogicLM conversations with scripted models: faults are repaired, or honestly failed."""

import asyncio

import pytest

from zhiyin.plugins.benchmarks.perception.tasks import TASKS
from zhiyin.plugins.music.logiclm import LogicLM
from zhiyin.record import Reply, Sampling
from zhiyin.strategies import chain_of_thought, standalone
from zhiyin.trial import Option, Trial, say

GOOD = {
    "syncopation": "rhythm(clip1, [1, 4, 9, 20])",
    "transposition": "melody(clip1, [60, 62])\nmelody(clip2, [65, 67])",
    "chords": "chord(clip1, [60, 64, 67])",
}
SOLVED = {"syncopation": "B", "transposition": "Yes", "chords": "A"}
FAULTY = [
    ("syncopation", "rhythm(clip1, [0, 33])", "domain"),
    ("syncopation", "rhythm(clip1, [1.5])", "parse"),
    ("syncopation", "```\nrhythm(clip1, [1])\n```", "parse"),
    ("syncopation", "rhythm(loop.wav, [1])", "structural"),
    ("chords", "", "parse"),
    ("chords", "The chord is C major.", "parse"),
    ("chords", "chord(clip1, [60, 64, 67])\nIt is C major.", "parse"),
    ("chords", "chord(clip1, [200])", "domain"),
    ("transposition", "melody(clip1, [60, 62])", "structural"),
    ("transposition", "melody(clip2, [60])\nmelody(clip1, [60])", "structural"),
    ("transposition", "chord(clip1, [60])\nchord(clip2, [60])", "structural"),
]


class Script:
    """A model that says its lines one after the other, and remembers what it was asked."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)
        self.calls: list[tuple[tuple, Sampling | None]] = []

    async def __call__(self, messages, sampling=None):
        self.calls.append((tuple(messages), sampling))
        return Reply(self.lines.pop(0))


def a_trial(task: str) -> Trial:
    messages = (say("system", "Transcribe."), say("user", "Identifier: `clip1`"))
    return Trial("t", messages, options=TASKS[task].options, target="A")


def conduct(task: str, *lines: str):
    setup = TASKS[task]
    script = Script(*lines)
    strategy = LogicLM(setup.kind, setup.ids, setup.decide, "Now choose.")
    exchange = asyncio.run(strategy(a_trial(task), script))
    assert not script.lines, "every line was asked for"
    return exchange, script.calls


@pytest.mark.parametrize("strategy", [standalone, chain_of_thought])
def test_single_strategies_send_the_trial_and_nothing_more(strategy):
    trial = Trial("t", (say("user", "Which?"),), options=(Option("A", "Major", "A"),))
    script = Script("Final Answer: A")
    exchange = asyncio.run(strategy(trial, script))
    assert script.calls == [(trial.messages, None)]
    assert [turn.reply.text for turn in exchange.turns] == ["Final Answer: A"]
    assert exchange.turns[0].sent is None


@pytest.mark.parametrize("task", TASKS)
def test_a_good_transcription_is_solved_and_the_decision_stated(task):
    exchange, calls = conduct(task, GOOD[task], "Final Answer: A")
    assert [turn.purpose for turn in exchange.turns] == ["transcribe", "final"]
    assert exchange.notes["solver"] == SOLVED[task]
    assert exchange.notes["executable"] is True
    assert exchange.notes["repairs"] == 0
    assert exchange.notes["faults"] == []
    trial = a_trial(task)
    assert calls[0] == (trial.messages, None)
    sent, sampling = calls[1]
    assert sampling is None
    assert sent[: len(trial.messages)] == trial.messages
    assert sent[-2] == say("assistant", GOOD[task])
    assert GOOD[task] in sent[-1].text
    assert "Now choose." in sent[-1].text
    assert exchange.turns[1].sent == sent[-2:]


@pytest.mark.parametrize(("task", "words"), [("syncopation", "2 hits"), ("chords", "is Major")])
def test_the_final_question_says_what_the_solver_decided(task, words):
    _, calls = conduct(task, GOOD[task], "B")
    assert words in calls[-1][0][-1].text


@pytest.mark.parametrize(("task", "faulty", "kind"), FAULTY)
def test_a_fault_is_shown_back_and_repaired(task, faulty, kind):
    exchange, calls = conduct(task, faulty, GOOD[task], "A")
    assert [turn.purpose for turn in exchange.turns] == ["transcribe", "repair", "final"]
    assert exchange.notes["repairs"] == 1
    (fault,) = exchange.notes["faults"]
    assert fault["kind"] == kind
    assert exchange.notes["solver"] == SOLVED[task]
    messages, sampling = calls[1]
    assert sampling == Sampling(temperature=0, top_p=1, top_k=1, max_tokens=256)
    assert [message.role for message in messages] == ["user"], "a conversation of its own"
    prompt = messages[0].text
    for said in (faulty, kind, fault["message"], "no commentary", "no code fences"):
        assert said in prompt
    for name in TASKS[task].ids:
        assert f"{TASKS[task].kind}({name}, [n1, n2, ..., nK])" in prompt


@pytest.mark.parametrize(("task", "faulty", "kind"), FAULTY)
def test_a_model_that_never_mends_is_an_honest_failure(task, faulty, kind):
    exchange, _ = conduct(task, faulty, faulty, faulty)
    assert [turn.purpose for turn in exchange.turns] == ["transcribe", "repair", "repair"]
    assert exchange.notes["executable"] is False
    assert exchange.notes["repairs"] == 2
    assert [fault["kind"] for fault in exchange.notes["faults"]] == [kind] * 3
    assert exchange.notes["transcription"] is None
    assert exchange.notes["solver"] is None


def test_the_second_round_shows_the_second_output():
    _, calls = conduct("chords", "first", "second", GOOD["chords"], "A")
    assert "first" in calls[1][0][0].text
    assert "second" in calls[2][0][0].text
    assert "first" not in calls[2][0][0].text


UNDECIDABLE = [
    ("syncopation", "rhythm(clip1, [])"),
    ("syncopation", "rhythm(clip1, [2, 4, 6])"),
    ("transposition", "melody(clip1, [])\nmelody(clip2, [])"),
    ("chords", "chord(clip1, [])"),
    ("chords", "chord(clip1, [60, 61])"),
]


@pytest.mark.parametrize(("task", "lines"), UNDECIDABLE)
def test_one_further_round_when_the_solver_cannot_decide(task, lines):
    exchange, calls = conduct(task, lines, GOOD[task], "A")
    assert exchange.notes["solver"] == SOLVED[task]
    assert exchange.notes["repairs"] == 1
    assert [fault["kind"] for fault in exchange.notes["faults"]] == ["parse"]
    assert "cannot decide" in calls[1][0][0].text


@pytest.mark.parametrize(("task", "lines"), UNDECIDABLE)
def test_still_undecidable_is_not_executable_but_transcribed(task, lines):
    exchange, _ = conduct(task, lines, lines)
    assert exchange.notes["executable"] is False
    assert exchange.notes["solver"] is None
    assert exchange.notes["transcription"] is not None
    assert len(exchange.notes["faults"]) == 2


def test_the_further_round_comes_after_both_repairs():
    exchange, _ = conduct("chords", "?", "?", "chord(clip1, [])", GOOD["chords"], "A")
    assert exchange.notes["repairs"] == 3
    assert exchange.notes["solver"] == "A"


def test_a_further_round_that_spoils_the_lines_keeps_the_last_valid_ones():
    exchange, _ = conduct("chords", "chord(clip1, [60, 61])", "Sorry!")
    assert exchange.notes["transcription"] == [[60, 61]]
    assert exchange.notes["solver"] is None
    assert [fault["kind"] for fault in exchange.notes["faults"]] == ["parse", "parse"]


def test_what_the_model_fails_with_goes_through():
    class Down(Exception):
        pass

    async def ask(messages, sampling=None):
        raise Down

    setup = TASKS["chords"]
    strategy = LogicLM(setup.kind, setup.ids, setup.decide, "?")
    with pytest.raises(Down):
        asyncio.run(strategy(a_trial("chords"), ask))
