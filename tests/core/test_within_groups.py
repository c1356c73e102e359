"""A favoured letter, and altered sound, looked for within groups as well as over the whole."""

import json
import random

import pytest

from findings_help import answered, choice, write_run
from zhiyin.analysis.within import Within, letters_within, listening_within
from zhiyin.cli import main
from zhiyin.report.overview import overview
from zhiyin.report.run_set import RunSet
from zhiyin.runs.estimates import Frame
from zhiyin.runs.rows import rows_of
from zhiyin.trial import Audio
from zhiyin.words import say

SOUND = Audio("a.wav", "0" * 64, 1.0)
TASKS = ("chords", "metre", "tempo", "key", "form")


def letters_run(folder, fond, n=48, seed=1):
    """Four options, guessed; in tasks of `fond` its letter is given in seven of ten."""
    draw, records = random.Random(seed), []
    for task in TASKS:
        for i in range(n):
            letter = draw.choice("ABCD")
            if task in fond and draw.random() < 0.7:
                letter = fond[task]
            records.append(
                answered(choice(f"{task}/{i}", groups=(task,), gold="ABCD"[i % 4]), letter)
            )
    return write_run(folder, "toy", "m", records)


def sound_run(folder, deaf, n=30, *, name="m", instead="silence"):
    """All right with true sound but for `deaf` tasks; guesses without."""
    draw, records = random.Random(3), []
    for audio in ("true", instead):
        for task in TASKS:
            for i in range(n):
                trial = choice(
                    f"{task}/{i}/audio={audio}",
                    groups=(f"audio={audio}", f"audio={audio}/{task}"),
                    cluster=f"song{task}{i}",
                    tags={"item": f"{task}/{i}", "audio": audio, "distractors": "all"},
                    gold="ABCD"[i % 4],
                    sound=SOUND,
                )
                knows = audio == "true" and task not in deaf
                records.append(answered(trial, "ABCD"[i % 4] if knows else draw.choice("ABCD")))
    return write_run(folder, "tracks", name, records)


def frame_of(run):
    return Frame(rows_of(run))


def test_a_letter_favoured_in_one_group_is_found_there(tmp_path):
    found = letters_within(frame_of(letters_run(tmp_path / "r", {"metre": "C"})))
    assert {name: one.letter for name, one in found.items()} == {"metre": "C"}
    assert found["metre"].chosen > 0.6
    assert say(found["metre"].told) == "often C"


def test_two_groups_may_favour_two_letters_and_the_whole_none(tmp_path):
    found = letters_within(frame_of(letters_run(tmp_path / "r", {"metre": "C", "key": "A"})))
    assert {name: one.letter for name, one in found.items()} == {"metre": "C", "key": "A"}


def test_what_is_found_of_the_whole_is_not_said_of_each_part(tmp_path):
    found = letters_within(frame_of(letters_run(tmp_path / "r", dict.fromkeys(TASKS, "B"))))
    assert {name: one.letter for name, one in found.items()} == {"all": "B"}


def test_who_guesses_favours_no_letter_in_any_group(tmp_path):
    told = [
        letters_within(frame_of(letters_run(tmp_path / str(seed), {}, n=24, seed=seed)))
        for seed in range(20)
    ]
    assert not any(told)


def test_a_letter_that_is_right_as_often_is_not_favoured(tmp_path):
    records = []
    for task in TASKS[:2]:
        for i in range(40):
            gold = "B" if i % 10 < 7 else "ACD"[i % 3]
            records.append(answered(choice(f"{task}/{i}", groups=(task,), gold=gold), gold))
    assert not letters_within(frame_of(write_run(tmp_path / "r", "toy", "m", records)))


@pytest.mark.parametrize("instead", ["silence", "noise", "swap"])
def test_a_group_to_which_the_sound_adds_nothing_is_found(tmp_path, instead):
    (found,) = listening_within(
        frame_of(sound_run(tmp_path / "r", {"key"}, instead=instead))
    ).items()
    assert (found[0], found[1].second) == ("key", instead)
    assert not found[1].listens


def test_a_group_that_alone_listens_is_found(tmp_path):
    deaf = {"chords", "metre", "key", "form"}
    found = listening_within(frame_of(sound_run(tmp_path / "r", deaf)))
    whole = sound_run(tmp_path / "all", set())
    assert not listening_within(frame_of(whole))
    assert not listening_within(frame_of(sound_run(tmp_path / "none", set(TASKS))))
    assert all(one.listens for one in found.values())
    assert found.keys() <= {"tempo"}


def test_few_recordings_say_nothing_of_a_group(tmp_path):
    assert not listening_within(frame_of(sound_run(tmp_path / "r", {"key"}, n=9)))


def test_show_notes_the_row_and_its_json_names_both(tmp_path, capsys):
    run = letters_run(tmp_path / "r", {"metre": "C"})
    assert main(["show", str(run)]) == 0
    assert "chooses C far more often than it is right" in " ".join(capsys.readouterr().out.split())
    deaf = sound_run(tmp_path / "deaf", {"key"})
    assert main(["show", str(deaf)]) == 0
    assert "what the sound adds here is other than elsewhere" in capsys.readouterr().out
    assert main(["show", str(run), str(deaf), "--json"]) == 0
    one, two = json.loads(capsys.readouterr().out)["runs"]
    assert {name: g["favours"] for name, g in one["groups"].items() if g["favours"]} == {
        "metre": "C"
    }
    adds = {name: g["sound_adds"] for name, g in two["groups"].items() if g["sound_adds"]}
    assert adds.keys() == {"audio=true/key"}
    assert abs(adds["audio=true/key"]["silence"]) < 0.2


def checks_of(run):
    (chapter,) = overview(RunSet([run])).benchmarks
    return {str(one.question): one for one in chapter.checks}, chapter.drawn


def test_the_report_says_it_in_the_row_and_in_its_checks(tmp_path):
    checks, drawn = checks_of(letters_run(tmp_path / "r", {"metre": "C"}))
    one = checks["One answer to all?"]
    assert (one.mood, str(one.verdict)) == ("bad", "in Metre (often C)")
    told = {str(row.name): row.dots[0] for row in drawn.picture.rows}
    assert [str(note) for note in told["Metre"].notes] == ["often C"]
    assert told["Metre"].low is not None  # it has its interval yet
    assert not told["Key"].notes


def test_the_report_says_which_tasks_do_not_listen(tmp_path):
    checks, drawn = checks_of(sound_run(tmp_path / "r", {"key"}))
    one = checks["Does it listen?"]
    assert (one.mood, str(one.verdict)) == ("soft", "in part")
    assert "points over silence; not in Key (" in str(one.detail)
    (row,) = (row for row in drawn.picture.rows if str(row.name) == "Key")
    assert "points over silence" in str(row.dots[0].notes[0])


def test_of_nothing_found_nothing_is_told():
    assert not list(Within().told("key"))
