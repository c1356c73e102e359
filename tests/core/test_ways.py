"""Ways of asking: declared by a benchmark, kept by its runs, and read by no name of a tag."""

import msgspec
import pytest

from zhiyin.engine.folder import Manifest
from zhiyin.engine.log import RunFolder
from zhiyin.record import Exchange, Record, Reply, Turn, Verdict
from zhiyin.runs.figures import figures
from zhiyin.runs.rows import read_table, rows_of
from zhiyin.runs.ways import UNDECLARED, Way, Ways, declared_ways
from zhiyin.trial import Trial, say

TIMBRE = Ways((Way("timbre", plain="piano", contrast="piano"),))
TIMBRES = ("piano", "piano", "organ", "")


def run_in(folder, declared):
    manifest = Manifest("mine", "random", {}, {}, len(TIMBRES), declared=declared)
    with RunFolder(folder, manifest) as log:
        for number, timbre in enumerate(TIMBRES):
            tags = {"timbre": timbre} if timbre else {}
            prefix = f"timbre={timbre}/" if timbre else ""
            trial = Trial(
                f"t{number}", (say("user", "?"),), "?", groups=(f"{prefix}low",), tags=tags
            )
            exchange = Exchange((Turn(Reply("A")),))
            state = "wrong" if timbre == "organ" else "correct"
            log.append(Record(trial.id, Verdict(state, None), trial, exchange))
    return folder


def test_a_way_of_ones_own_keeps_altered_trials_out_of_the_whole(tmp_path):
    folder = run_in(tmp_path / "run", {"ways": msgspec.to_builtins(tuple(TIMBRE))})
    counted = figures(read_table(folder)).groups()
    assert (counted["all"].n, counted["all"].accuracy) == (3, 1.0)
    assert counted["timbre=organ/low"].accuracy == 0.0
    assert {*rows_of(folder).by_group(conditions=False)} == {"all", "low"}


@pytest.mark.parametrize("declared", [{}, {"ways": 7}, {"ways": None}])
def test_a_run_that_declares_none_has_those_of_before(tmp_path, declared):
    folder = run_in(tmp_path / "run", declared)
    assert declared_ways(declared) == read_table(folder).ways == UNDECLARED
    assert figures(read_table(folder)).groups()["all"].n == len(TIMBRES)


def test_names_of_groups_are_read_by_the_ways_alone():
    assert TIMBRE.bare("timbre=organ/low") == "low"
    assert TIMBRE.bare("audio=noise/low") == "audio=noise/low"
    assert TIMBRE.is_altered("timbre=organ/low")
    assert not TIMBRE.is_altered("timbre=piano/low")
    assert Ways(()).bare("audio=noise/low") == "audio=noise/low"
