"""The arithmetic of transcription quality: sets, sums, and what leaves the denominator."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhiyin.plugins.benchmarks.perception.scoring import (
    FidelityCounts,
    as_scores,
    count,
    execution_table,
    fidelity_table,
    from_scores,
    token_limited,
)
from zhiyin.record import Exchange, Record, Reply, Turn, Verdict
from zhiyin.trial import Trial


def a_record(
    task="chords",
    state="correct",
    counts=None,
    text="Final Answer: A",
    finish="stop",
    label="major",
    target="A",
    strategy="logiclm",
    notes=None,
    **tags,
) -> Record:
    name = {"chords": "quality", "syncopation": "level", "transposition": "kind"}[task]
    facts = {"task": task, "modality": "audio", "shots": "zero", "strategy": strategy, name: label}
    return Record(
        "t",
        Verdict(
            state, None, scores=as_scores(counts or {"pitch": FidelityCounts(3, 1, 2)}), tags=tags
        ),
        Trial("t", (), target=target, tags=facts),
        Exchange(
            (Turn(Reply(text, finish)),),
            notes or {"executable": state in ("correct", "wrong"), "repairs": 0, "faults": []},
        ),
    )


@pytest.mark.parametrize(
    ("task", "heard", "truth", "counts"),
    [
        ("chords", [[60, 64, 64, 67]], [[60, 64, 67, 72]], {"pitch": FidelityCounts(3, 0, 1)}),
        ("chords", [[72, 76, 79]], [[60, 64, 67]], {"pitch": FidelityCounts(0, 3, 3)}),
        (
            "syncopation",
            [[1, 3, 4, 6]],
            [[1, 4, 5, 8]],
            {"on_beat": FidelityCounts(1, 1, 1), "off_beat": FidelityCounts(1, 1, 1)},
        ),
        (
            "syncopation",
            [[1, 3]],
            [[1, 3, 4]],
            {"on_beat": FidelityCounts(2, 0, 0), "off_beat": FidelityCounts(0, 0, 1)},
        ),
        # Pitch classes of each clip by itself: C and D heard an octave off are still heard.
        (
            "transposition",
            [[60, 62, 60], [65]],
            [[72, 74, 76], [65, 67]],
            {"pitch_class": FidelityCounts(3, 0, 2)},
        ),
        ("transposition", None, [[60, 62], [65, 77]], {"pitch_class": FidelityCounts(0, 0, 3)}),
    ],
)
def test_sets_are_compared_as_the_paper_says(task, heard, truth, counts):
    assert count(task, heard, truth) == counts
    assert from_scores(task, as_scores(counts)) == counts


def test_measures_are_those_of_equation_one():
    counts = FidelityCounts(6, 2, 4)
    assert counts.precision == 0.75
    assert counts.recall == 0.6
    assert counts.f1 == pytest.approx(2 * 0.75 * 0.6 / 1.35)


def test_what_cannot_be_measured_is_none_and_not_zero():
    assert FidelityCounts(0, 0, 0).f1 is None
    assert FidelityCounts(0, 0, 3).precision is None
    assert FidelityCounts(0, 0, 3).f1 == 0
    assert FidelityCounts(0, 3, 0).recall is None


@given(st.lists(st.integers(0, 127), max_size=12), st.lists(st.integers(0, 127), min_size=1))
def test_counts_add_up_and_f1_is_symmetric(heard, truth):
    there = count("chords", [heard], [truth])["pitch"]
    back = count("chords", [truth], [heard])["pitch"]
    assert there.tp + there.fp == len(set(heard))
    assert there.tp + there.fn == len(set(truth))
    assert there.f1 == back.f1
    assert (there.f1 == 1) == (set(heard) == set(truth))


def test_counts_are_summed_before_dividing():
    records = [
        a_record(counts={"pitch": FidelityCounts(4, 0, 0)}),
        a_record(counts={"pitch": FidelityCounts(0, 12, 4)}, state="wrong"),
        a_record(label="minor", counts={"pitch": FidelityCounts(1, 0, 0)}, target="B"),
    ]
    major, minor = fidelity_table(records)
    assert (major.label, minor.label) == ("major", "minor")
    assert major.counts == FidelityCounts(4, 12, 4)
    assert major.counts.f1 == pytest.approx(8 / 24)
    assert (major.trials, major.correct, major.accuracy) == (2, 1, 0.5)
    assert minor.counts.f1 == 1


def test_transposition_is_by_answer_and_syncopation_by_level_and_whole():
    mask = {"on_beat": FidelityCounts(1), "off_beat": FidelityCounts(1)}
    records = [
        a_record(
            "transposition", label="altered", target="No", counts={"pitch_class": FidelityCounts(1)}
        ),
        a_record(
            "transposition",
            label="different",
            target="No",
            counts={"pitch_class": FidelityCounts(1)},
        ),
        a_record("syncopation", label=2, counts=mask),
        a_record("syncopation", label=8, counts=mask),
    ]
    rows = [(row.task, row.mask, row.label, row.trials) for row in fidelity_table(records)]
    assert rows == [
        ("syncopation", "off_beat", None, 2),
        ("syncopation", "off_beat", 2, 1),
        ("syncopation", "off_beat", 8, 1),
        ("syncopation", "on_beat", None, 2),
        ("syncopation", "on_beat", 2, 1),
        ("syncopation", "on_beat", 8, 1),
        ("transposition", "pitch_class", "No", 2),
    ]


def test_cut_and_empty_outputs_leave_the_denominator_and_are_counted():
    missed = {"pitch": FidelityCounts(0, 0, 4)}
    records = [
        a_record(counts={"pitch": FidelityCounts(4, 0, 0)}),
        a_record(state="truncated", finish="length", text="chord(", counts=missed),
        a_record(state="no_answer", text="  ", counts=missed),
        a_record(state="no_answer", text="A nice chord.", counts=missed),
        a_record(state="error", text="", counts=missed),
        a_record(strategy="cot", counts=missed),
    ]
    assert [token_limited(record) for record in records[:5]] == [False, True, True, False, False]
    (point,) = fidelity_table(records)
    assert (point.trials, point.token_limited) == (2, 2)
    assert point.counts == FidelityCounts(4, 0, 4)
    assert point.strict_counts == FidelityCounts(4, 0, 12)
    assert point.accuracy == 0.5
    assert point.strict_accuracy == 0.25
    (row,) = execution_table(records)
    assert (row.trials, row.token_limited, row.errors) == (2, 2, 1)
    assert (row.accuracy, row.strict_accuracy) == (0.5, 0.25)


def test_a_decided_trial_counts_even_if_the_last_reply_was_cut():
    assert not token_limited(a_record(finish="length", text=""))


def test_a_valid_transcription_is_complete_even_if_a_later_repair_was_cut():
    notes = {"executable": False, "repairs": 1, "faults": [], "transcription": [[60, 61]]}
    assert not token_limited(a_record(state="no_answer", finish="length", notes=notes))


def test_execution_counts_repairs_faults_and_agreement():
    def notes(executable, repairs, *kinds):
        faults = [{"kind": kind, "message": "m"} for kind in kinds]
        return {"executable": executable, "repairs": repairs, "faults": faults}

    records = [
        a_record(notes=notes(True, 0), agrees=True),
        a_record(notes=notes(True, 2, "parse", "domain"), agrees=False, state="wrong"),
        a_record(notes=notes(True, 1, "parse"), agrees=None),
        a_record(notes=notes(False, 2, "structural", "structural", "parse"), state="no_answer"),
    ]
    (row,) = execution_table(records)
    assert row.executable_rate == 0.75
    assert row.repairs == {0: 1, 1: 1, 2: 2}
    assert row.faults == {"parse": 3, "domain": 1, "structural": 2}
    assert row.accuracy == 0.5
    assert row.accuracy_executed == pytest.approx(2 / 3)
    assert (row.agreeing, row.compared, row.agreement) == (1, 2, 0.5)


def test_records_without_known_truth_are_in_execution_alone():
    record = a_record()
    record.verdict.scores = {}
    assert fidelity_table([record]) == []
    assert execution_table([record])[0].trials == 1


def test_of_nothing_there_is_no_table():
    assert fidelity_table([]) == []
    assert execution_table([]) == []
