"""Generated items: made once, used again, complete or made anew, and perfectly answerable."""

import json
from collections import Counter

import pytest

from perception_help import perfect, take, words
from zhiyin.contract.registry import open_benchmark
from zhiyin.errors import InputError
from zhiyin.plugins.benchmarks.perception import trials
from zhiyin.plugins.benchmarks.perception.scoring import fidelity_table
from zhiyin.plugins.music.stimuli import Difficulty
from zhiyin.plugins.music.stimuli.folder import make

ALL = {"modality": "audio,midi", "shots": "zero,few", "strategy": "standalone,cot,logiclm"}


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ZHIYIN_CACHE", str(folder))
        yield folder


@pytest.fixture(scope="module")
def grid(cache):
    return open_benchmark("perception", {"n": 4, "seed": 7, **ALL})


@pytest.mark.slow
def test_the_grid_is_complete_and_a_perfect_listener_is_perfect(grid):
    records = take(grid, perfect)
    assert len(records) == len(grid) == 3 * 4 * 12
    assert {record.verdict.state for record in records} == {"correct"}
    assert all(point.counts.f1 in (1, None) for point in fidelity_table(records))
    assert set(Counter(record.trial.groups[2] for record in records).values()) == {4}


@pytest.mark.slow
def test_nothing_said_tells_items_of_a_cell_apart(grid):
    said = {}
    for trial in grid.trials():
        texts = tuple(words(message) for message in trial.messages)
        assert said.setdefault(trial.groups[2], texts) == texts


@pytest.mark.slow
def test_truths_and_levels_are_tags_and_never_words(grid):
    for trial in grid.trials():
        text = "\n".join(message.text for message in trial.messages)
        assert trial.tags["item"] not in text
        assert "truth" not in text
        assert str(trial.tags["renderer"]) not in text


@pytest.mark.slow
def test_worked_examples_are_not_among_the_scored(grid):
    scored = {item.transcription for item in grid.bank.scored}
    shown = [item for items in grid.bank.exemplars.values() for item in items]
    assert len(shown) == 8
    assert not scored & {item.transcription for item in shown}


def test_an_example_equal_to_a_scored_item_is_refused(grid):
    item = next(item for item in grid.bank.scored if item.task == "chords")
    with pytest.raises(InputError, match="worked example"):
        trials._refuse_overlap("chords", [item], [item])


@pytest.mark.slow
def test_items_are_made_once(cache, grid, monkeypatch):
    before = grid.fingerprint()
    monkeypatch.setattr(trials, "make", None)
    monkeypatch.setattr(trials, "make_exemplars", None)
    again = open_benchmark("perception", {"n": 4, "seed": 7, **ALL})
    assert again.fingerprint() == before
    assert not list((cache / "stimuli").glob(".making-*"))


def test_another_seed_makes_other_items(cache, grid):
    other = open_benchmark("perception", {"n": 4, "seed": 8, "task": "chords"})
    assert not {item.sounds for item in other.bank.scored} & {
        item.sounds for item in grid.bank.scored
    }


def test_a_damaged_cache_is_made_anew(cache):
    options = {"n": 2, "seed": 9, "task": "chords"}
    first = open_benchmark("perception", options)
    before = first.fingerprint()
    sound = first.bank.scored[0].sounds[0]
    trials.Path(sound).unlink()
    assert open_benchmark("perception", options).fingerprint() == before


def test_a_cache_that_cannot_be_written_is_an_input_error(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "file"))
    with pytest.raises(InputError, match="ZHIYIN_CACHE"):
        len(open_benchmark("perception", {"n": 1, "task": "chords"}))


@pytest.mark.slow
def test_stimuli_of_the_users_are_used_and_only_their_tasks(cache, tmp_path):
    make("chords", 4, 3, tmp_path / "chords")
    for folder in (tmp_path, tmp_path / "chords"):
        benchmark = open_benchmark("perception", {"stimuli": str(folder)})
        assert Counter(trial.tags["task"] for trial in benchmark.trials()) == {"chords": 4}
    assert len(open_benchmark("perception", {"stimuli": str(tmp_path), "n": 3})) == 3
    with pytest.raises(InputError, match="no items of syncopation"):
        len(open_benchmark("perception", {"stimuli": str(tmp_path), "task": "syncopation"}))
    with pytest.raises(InputError, match="4 items of chords, not 5"):
        len(open_benchmark("perception", {"stimuli": str(tmp_path), "n": 5}))


def test_a_truth_file_that_is_wrong_is_refused(cache, tmp_path):
    make("chords", 2, 3, tmp_path / "s")
    path = tmp_path / "s" / "truth.jsonl"
    lines = path.read_text().splitlines()
    item = json.loads(lines[0])
    item["answer"] = "A" if item["answer"] != "A" else "B"
    path.write_text("\n".join([json.dumps(item), *lines[1:]]) + "\n")
    with pytest.raises(InputError, match="chords-0001"):
        len(open_benchmark("perception", {"stimuli": str(tmp_path / "s")}))


def test_a_folder_without_stimuli_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"truth\.jsonl"):
        len(open_benchmark("perception", {"stimuli": str(tmp_path)}))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("difficulty", "match"),
    [
        (Difficulty(qualities=("augmented",)), "does not offer"),
        (Difficulty(inversions=True), "inverted"),
    ],
)
def test_items_about_which_the_prompts_would_lie_are_refused(cache, tmp_path, difficulty, match):
    make("chords", 6, 1, tmp_path / "s", difficulty)
    with pytest.raises(InputError, match=match):
        len(open_benchmark("perception", {"stimuli": str(tmp_path / "s")}))
