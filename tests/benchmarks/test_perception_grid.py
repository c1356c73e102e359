"""The grid: complete, shuffled by the seed, neutral in what it says, and scored as it should be."""

import asyncio
from collections import Counter, defaultdict
from itertools import product

import msgspec
import pytest

from perception_help import LOOPS, make_muse, notes_of, perfect, take, truth_of, words
from zhiyin.contract.registry import open_benchmark
from zhiyin.errors import InputError
from zhiyin.plugins.benchmarks.perception import muse
from zhiyin.plugins.benchmarks.perception.benchmark import Perception
from zhiyin.plugins.benchmarks.perception.scoring import (
    execution_table,
    fidelity_table,
    from_scores,
)
from zhiyin.plugins.benchmarks.perception.tasks import MODALITIES, SHOTS, STRATEGIES, TASK_NAMES
from zhiyin.plugins.music.solvers import write_schema
from zhiyin.prompts import Prompts
from zhiyin.record import Record, Reply
from zhiyin.trial import Audio, Text

EVERYTHING = {"modality": "audio,midi", "shots": "zero,few", "strategy": "standalone,cot,logiclm"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return make_muse(tmp_path_factory.mktemp("muse"))


@pytest.fixture(scope="module")
def grid(folder):
    return opened(folder, **EVERYTHING)


@pytest.fixture(scope="module")
def trials(grid):
    return list(grid.trials())


def opened(folder, **options):
    return open_benchmark("perception", {"source": "muse", "data": str(folder), **options})


@pytest.mark.slow
def test_every_cell_holds_every_item_once(grid, trials):
    assert len(trials) == len(grid) == 84 * 12
    assert len({trial.id for trial in trials}) == len(trials)
    cells = Counter(trial.groups[2] for trial in trials)
    assert cells == {
        "/".join(cell): 44 if cell[0] == "chords" else 20
        for cell in product(TASK_NAMES, MODALITIES, SHOTS, STRATEGIES)
    }
    for trial in trials:
        task, modality, shots, strategy, item = trial.id.split("/")
        assert trial.groups == (task, f"{task}/{modality}", f"{task}/{modality}/{shots}/{strategy}")
        assert trial.cluster == trial.tags["item"] == item
        assert trial.tags["source"] == "muse"


def test_published_results_are_those_of_our_cells(trials):
    rows = Perception.published().rows
    for row in rows.values():
        assert set(row) == {trial.groups[2] for trial in trials}


@pytest.mark.slow
def test_order_is_of_the_seed_alone(folder, trials):
    again = [trial.id for trial in opened(folder, **EVERYTHING, seed=0).trials()]
    other = [trial.id for trial in opened(folder, **EVERYTHING, seed=1).trials()]
    assert again == [trial.id for trial in trials]
    assert other != again
    assert sorted(other) == sorted(again)
    part = [trial.id for trial in opened(folder, task="chords").trials()]
    assert part == [name for name in again if name in set(part)], "a cell's order is its own"
    assert len({trial.groups[2] for trial in trials[:20]}) > 5, "cells are mixed"


def test_nothing_said_tells_items_of_a_cell_apart(trials):
    """Words are the same for all items of a cell: no name, level or answer can be in them."""
    said = defaultdict(set)
    for trial in trials:
        said[trial.groups[2]].add(tuple(words(message) for message in trial.messages))
    assert {cell: len(texts) for cell, texts in said.items()} == dict.fromkeys(said, 1)


def test_no_published_name_occurs_in_any_message(trials):
    names = {
        *LOOPS,
        *(name for entry in muse.SCORED["transposition"] for name in entry.recordings),
        "_Odd",
    }
    texts = {message.text for trial in trials for message in trial.messages}
    for text in texts:
        assert not [name for name in names if name in text]
        assert ".wav" not in text
        assert ".mid" not in text


def test_sounds_are_introduced_by_their_identifiers(trials):
    for trial in trials:
        parts = trial.messages[-1].parts
        ids = ["clip1", "clip2"] if trial.tags["task"] == "transposition" else ["clip1"]
        if trial.tags["modality"] == "audio":
            assert [part.text for part in parts[0:-1:2]] == [f"Identifier: `{i}`" for i in ids]
            assert all(isinstance(part, Audio) for part in parts[1::2])
        else:
            heads = [part.text.splitlines()[:2] for part in parts[:-1]]
            assert heads == [[f"Identifier: `{i}`", "BEGIN MIDI"] for i in ids]
        assert isinstance(parts[-1], Text)


def test_worked_examples_stand_before_the_trial_with_right_solutions(grid, trials):
    for trial in trials:
        roles = [message.role for message in trial.messages]
        shown = len(grid.bank.exemplars[trial.tags["task"]]) if trial.tags["shots"] == "few" else 0
        assert roles == ["system", *["user", "assistant"] * shown, "user"]
        scored = {part.sha256 for part in trial.messages[-1].parts if isinstance(part, Audio)}
        for message in trial.messages[:-1]:
            assert not scored & {p.sha256 for p in message.parts if isinstance(p, Audio)}
        solutions = [message.text for message in trial.messages if message.role == "assistant"]
        if trial.tags["strategy"] == "cot":
            assert all("\nFinal Answer: " in solution for solution in solutions)
        if trial.tags["strategy"] == "logiclm":
            for example, solution in zip(
                grid.bank.exemplars[trial.tags["task"]] * (shown > 0), solutions, strict=True
            ):
                assert str(list(example.transcription[0])) in solution


def test_worked_examples_are_read_as_their_own_answers(grid):
    """The solutions shown are answers that the benchmark itself would call correct."""
    for task, strategy in product(TASK_NAMES, ("standalone", "cot")):
        cell = f"{task}/audio/few/{strategy}"
        trial = next(trial for trial in grid.trials() if trial.groups[2] == cell)
        solutions = [message.text for message in trial.messages if message.role == "assistant"]
        for example, solution in zip(grid.bank.exemplars[task], solutions, strict=True):
            asked = msgspec.structs.replace(trial, target=example.answer)

            async def ask(messages, sampling=None, said=solution):
                return Reply(said)

            exchange = asyncio.run(grid.strategy(asked)(asked, ask))
            assert grid.score(asked, exchange).state == "correct"


@pytest.mark.slow
def test_who_hears_everything_is_right_in_every_cell(grid):
    records = take(grid, perfect)
    right, all_of_it = Counter(), Counter()
    for record in records:
        all_of_it[record.trial.groups[2]] += 1
        right[record.trial.groups[2]] += record.verdict.state == "correct"
    assert right == all_of_it
    assert len(right) == 36
    for point in fidelity_table(records):
        assert point.accuracy == 1
        assert point.counts.f1 in (1, None)
        assert point.counts.fp == point.counts.fn == 0
    for row in execution_table(records):
        assert row.executable_rate == row.accuracy == row.accuracy_executed == row.agreement == 1
        assert row.repairs == {0: row.trials}
        assert row.faults == {}


def test_who_hears_only_the_beat_scores_as_arithmetic_says(folder):
    benchmark = opened(folder, task="syncopation", strategy="logiclm")

    def on_beats_only(trial, messages):
        if messages[-1].role == "user" and tuple(messages) == trial.messages:
            (slots,) = truth_of(trial)
            return write_schema("rhythm", [[slot for slot in slots if slot % 2]], ["clip1"])
        return "Final Answer: A"

    records = take(benchmark, on_beats_only)
    points = {(point.mask, point.label): point for point in fidelity_table(records)}
    for level in (0, 2, 4, 6, 8):
        assert points["on_beat", level].counts.f1 == 1
        assert points["off_beat", level].accuracy == (level == 0)
        assert points["off_beat", level].counts.fn == 4 * level
        assert points["off_beat", level].counts.recall == (None if level == 0 else 0)
    whole = points["off_beat", None]
    assert (whole.trials, whole.correct) == (20, 4)
    assert whole.counts.fn == 4 * (2 + 4 + 6 + 8)


def test_the_solver_scores_and_the_own_answer_is_noted(folder):
    benchmark = opened(folder, task="chords", strategy="logiclm")

    def contrary(trial, messages):
        if tuple(messages) == trial.messages:
            return perfect(trial, messages)
        return "Final Answer: A"

    for record in take(benchmark, contrary):
        verdict = record.verdict
        assert verdict.state == "correct"
        assert verdict.answer == verdict.letter == record.trial.target
        assert verdict.tags["own_answer"] == "A"
        assert verdict.tags["agrees"] == (record.trial.target == "A")
        assert verdict.policy.startswith("solver@1, robust@")
        assert from_scores("chords", verdict.scores)["pitch"].fn == 0


@pytest.mark.parametrize(
    ("reply", "state"),
    [
        (Reply("I hear a chord."), "no_answer"),
        (Reply("chord(clip1, [60, ", finish="length"), "truncated"),
        (Reply("I can't help with that.", finish="refusal"), "refused"),
        (Reply(""), "no_answer"),
    ],
)
def test_without_a_decision_there_is_no_answer(folder, reply, state):
    benchmark = opened(folder, task="chords", strategy="logiclm")
    record = take(benchmark, lambda trial, messages: reply)[0]
    assert record.verdict.state == state
    assert record.verdict.answer is None
    assert record.verdict.why.startswith("parse fault: ")
    assert record.verdict.tags["executable"] is False
    assert "own_answer" not in record.verdict.tags
    assert record.verdict.scores["pitch_fn"] > 0


def test_undecidable_is_no_answer_even_if_the_repair_is_refused(folder):
    benchmark = opened(folder, task="chords", strategy="logiclm")

    def stubborn(trial, messages):
        return "chord(clip1, [60, 61])" if len(messages) > 1 else "I cannot answer this."

    verdict = take(benchmark, stubborn)[0].verdict
    assert (verdict.state, verdict.answer) == ("no_answer", None)
    assert "cannot decide" in verdict.why
    assert verdict.scores["pitch_fp"] > 0


@pytest.mark.slow
def test_verdicts_can_be_had_again_from_a_log_without_the_data(folder, tmp_path):
    """Scoring is pure, needs no recordings, and survives the log's JSON."""
    records = take(opened(folder, **EVERYTHING), perfect)
    elsewhere = opened(tmp_path / "gone", **EVERYTHING)
    for record in records[::25]:
        read = msgspec.json.decode(msgspec.json.encode(record), type=Record)
        assert elsewhere.score(read.trial, read.exchange) == record.verdict


@pytest.mark.slow
def test_the_fingerprint_is_of_data_and_prompts(folder, tmp_path):
    other = make_muse(tmp_path / "copy")
    prompts = tmp_path / "prompts"
    prompts.mkdir()
    (prompts / "chords-question.txt").write_text("Well?")
    first = opened(folder).fingerprint()
    assert opened(other).fingerprint() == first
    assert opened(other, prompts=str(prompts)).fingerprint() != first
    name = other / "stimuli" / "Chords" / "1.wav"
    name.write_bytes((other / "stimuli" / "Chords" / "2.wav").read_bytes())
    assert opened(other).fingerprint() != first


def test_prompts_of_the_users_take_the_place_of_ours(folder, tmp_path):
    (tmp_path / "chords-standalone-audio.txt").write_text("Name it.\n")
    trial = next(iter(opened(folder, task="chords", prompts=str(tmp_path)).trials()))
    assert trial.messages[0].text == "Name it."


@pytest.mark.parametrize(
    ("name", "content", "match"),
    [
        ("chord-standalone-audio.txt", b"x", "did you mean chords-standalone-audio"),
        ("chords-question.txt", b" \n", "is empty"),
        ("chords-question.txt", b"\xff\xfe", "UTF-8"),
        ("chords-question.md", b"x", "no prompt files"),
    ],
)
def test_faulty_prompt_folders_are_refused(folder, tmp_path, name, content, match):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=match):
        opened(folder, prompts=str(tmp_path))


def test_there_is_a_prompt_for_every_cell():
    assert {f"{t}-{s}-{m}" for t, s, m in product(TASK_NAMES, STRATEGIES, MODALITIES)} <= set(
        Prompts("zhiyin.plugins.benchmarks.perception").texts
    )


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"task": "chord"}, "did you mean chords"),
        ({"modality": "midi,sight"}, "sight"),
        ({"shots": "5"}, "'5'.*few, zero"),
        ({"strategy": "logic"}, "did you mean logiclm"),
        ({"source": "mused"}, "did you mean muse"),
        ({"source": "muse"}, "needs --data"),
        ({"source": "muse", "data": "x", "n": 3}, "--n"),
        ({"data": "x"}, "--data is for"),
        ({"n": 0}, "above 0"),
        ({"extract": "robustly"}, "did you mean robust"),
    ],
)
def test_flags_that_make_no_sense_are_refused(options, match):
    with pytest.raises(InputError, match=match):
        open_benchmark("perception", options)


def test_flags_may_come_as_words_lists_or_numbers():
    def read(**options):
        return open_benchmark("perception", options).settings

    assert read(shots=0).shots == ("zero",)
    assert read(shots="few, 0").shots == ("zero", "few")
    assert read(task=["chords", "syncopation"]).tasks == ("syncopation", "chords")
    assert read().tasks == TASK_NAMES


def test_the_made_up_loops_hold_what_their_names_say():
    for name in LOOPS:
        hits = {note.start for note in notes_of(name) if note.pitch in (36, 38)}
        assert sum(round(hit * 4) % 2 for hit in hits) == 2 * muse.level_of(name)
