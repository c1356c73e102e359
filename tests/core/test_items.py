"""Items and conditions: a field of every trial, and read from old logs that lack it."""

import msgspec
import pytest

from findings_help import answered, choice, mucho_trials, student, write_run
from zhiyin.analysis.compare import compare
from zhiyin.runs.estimates import estimate
from zhiyin.runs.rows import rows_of as trials_of
from zhiyin.runs.ways import item_of


@pytest.mark.parametrize(
    ("trial_id", "tags", "expected"),
    [
        ("q7", {}, ("q7", "")),
        ("q7/r2", {"repeat": 2}, ("q7", "")),
        ("q7/audio=noise/r2", {"repeat": 2, "item": "q7"}, ("q7", "audio=noise")),
        ("q7/r2/rotation=3", {"repeat": 2, "rotation": 3}, ("q7", "")),
        ("jazz/12/rotation=0", {"rotation": 0, "item": "jazz/12"}, ("jazz/12", "")),
        (
            "chords/midi/few/cot/chords-07",
            {"item": "chords-07"},
            ("chords-07", "chords/midi/few/cot"),
        ),
        # a track that is called like a repeat is no repeat
        ("sdd/r1/2/r1", {"repeat": 1, "item": "sdd/r1/2"}, ("sdd/r1/2", "")),
    ],
)
def test_old_logs_are_read_by_tags_and_id(trial_id, tags, expected):
    assert item_of(trial_id, "", "", tags) == expected


def test_what_is_logged_is_never_guessed():
    assert item_of("x/r1", "r1", "", {"repeat": 1}) == ("r1", "")
    assert item_of("x/r1", "x", "audio=swap", {"repeat": 1}) == ("x", "audio=swap")


def named(repeats=2):
    """40 questions about tracks, one of which is called r1, asked several times."""
    trials = []
    for number in range(40):
        item = f"data/{'r1' if number % 8 == 0 else f'track{number % 8}'}/{number}"
        for repeat in range(1, repeats + 1):
            track, tags = item.rpartition("/")[0], {"repeat": repeat}
            trial = choice(f"{item}/r{repeat}", cluster=track, tags=tags)
            trials.append(msgspec.structs.replace(trial, item=item))
    return trials


def test_a_track_called_like_a_repeat_makes_no_further_items(tmp_path):
    runs = [
        write_run(tmp_path / n, "toy", n, map(student(n, g), named()))
        for n, g in (("a", 0.7), ("b", 0.4))
    ]
    assert compare(runs).items == 40
    assert estimate(trials_of(runs[0])).items == 40


def test_old_and_new_logs_of_the_same_questions_are_compared(tmp_path):
    old = mucho_trials(10, audio=("true", "noise"), repeats=2)
    new = [
        msgspec.structs.replace(
            trial,
            item=trial.tags["item"],
            condition="" if trial.tags["audio"] == "true" else "audio=noise",
        )
        for trial in old
    ]
    runs = [
        write_run(tmp_path / name, "tracks", name, map(student(name, 0.6), trials))
        for name, trials in (("old", old), ("new", new))
    ]
    found = compare(runs)
    assert found.items == 20
    assert [run.left_out for run in found.runs] == [0, 0]


def test_an_item_counts_once_whatever_it_is_asked_under(tmp_path):
    trials = mucho_trials(10, audio=("true", "noise", "swap"), repeats=2)
    run = write_run(tmp_path / "run", "tracks", "m", [answered(t, "A") for t in trials])
    assert estimate(trials_of(run)).items == 20
