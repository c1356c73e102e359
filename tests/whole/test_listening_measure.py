"""Is it listening? One number on every page, where no answer is a guess and not wrong."""

import json

import pytest

from findings_help import answered, choice, write_run
from zhiyin.analysis.within import condition_gaps
from zhiyin.cli import main
from zhiyin.contract.conditions import attention
from zhiyin.contract.registry import find
from zhiyin.plugins.methods.skills import read_card
from zhiyin.plugins.methods.validity import CardEvidence
from zhiyin.report.measures import MeasureSheet
from zhiyin.report.overview import overview
from zhiyin.report.run_set import RunSet
from zhiyin.trial import Audio

SOUND = Audio("a.wav", "0" * 64, 1.0)


def played(item, audio, answer, letters="AB"):
    """A question to a recording, or to what is played in its place; None is no answer."""
    trial = choice(
        f"q/{item}/audio={audio}",
        groups=(f"audio={audio}",),
        cluster=f"song{item}",
        tags={"item": f"q/{item}", "audio": audio, "distractors": "all"},
        gold=letters[item % len(letters)],
        letters=letters,
        sound=SOUND,
    )
    right = letters[item % len(letters)]
    wrong = letters[(item + 1) % len(letters)]
    return answered(trial, {"right": right, "wrong": wrong, None: None}[answer])


def run_of(folder, instead, letters="AB", n=40):
    """All right with the true sound; with silence as `instead` says of each item."""
    records = [played(i, "true", "right", letters) for i in range(n)]
    records += [played(i, "silence", instead(i), letters) for i in range(n)]
    return write_run(folder, "muchomusic", "m", records)


def told(folder):
    """The gain by the sound, on the report's page and in the test of attention."""
    (gap,) = condition_gaps(MeasureSheet(RunSet([folder]), "muchomusic").frames[0].several[0])
    (contrast,) = attention(folder).contrasts
    return gap.gap.value, contrast.value


@pytest.mark.parametrize(
    ("instead", "letters", "gain"),
    [
        (lambda i: None, "AB", 0.5),  # it says that there is nothing to hear
        (lambda i: None, "ABCD", 0.75),
        (lambda i: "wrong", "AB", 1.0),
        (lambda i: "right" if i % 2 else "wrong", "AB", 0.5),  # it guesses: as much as saying so
        (lambda i: "right", "AB", 0.0),
        (lambda i: None if i % 2 else "right", "AB", 0.25),
    ],
)
def test_no_answer_to_silence_is_a_guess_on_every_page(tmp_path, instead, letters, gain):
    found = told(run_of(tmp_path / "r", instead, letters))
    assert found == pytest.approx((gain, gain))


def test_who_never_answers_hears_neither_more_nor_less(tmp_path):
    records = [played(i, "true", None) for i in range(40)]
    records += [played(i, "silence", None) for i in range(40)]
    assert told(write_run(tmp_path / "r", "muchomusic", "m", records)) == pytest.approx((0, 0))


def test_who_answers_only_what_it_can_listens(tmp_path):
    """A third is answered, and right; nothing is said of the rest, nor of silence."""
    records = [played(i, "true", None if i % 3 else "right") for i in range(60)]
    records += [played(i, "silence", None) for i in range(60)]
    run = write_run(tmp_path / "r", "muchomusic", "m", records)
    assert told(run) == pytest.approx((1 / 6, 1 / 6))
    (board,) = overview(RunSet([run])).benchmarks
    (said,) = (str(one.words) for one in board.findings if one.topic == "listening")
    assert "m listens" in said
    assert "66.7" in said
    assert "a guess" in said


def test_an_import_is_no_benchmark_without_sound(tmp_path, capsys):
    """What was played elsewhere is not known, so that nothing is said of reading."""
    records = [
        answered(choice(f"q/{i}", groups=("knowledge/melody",), tags={"audio": "true"}), "A")
        for i in range(12)
    ]
    own = write_run(tmp_path / "own", "muchomusic", "m", records)
    far = write_run(tmp_path / "far", "muchomusic", "m", records)
    kept = json.loads((far / "run.json").read_bytes())
    (far / "run.json").write_text(json.dumps({**kept, "options": {"imported": "x.json"}}))
    kind = find("muchomusic")
    assert CardEvidence(kind, [own]).heard is False
    assert CardEvidence(kind, [far]).heard is None
    (line,) = (one for one in read_card("m", [("m", far)]).lines if one.skill == "pitch")
    assert line.sense == "heard"
    assert main(["card", "muchomusic", str(far)]) == 0
    assert "nothing is heard" not in capsys.readouterr().out
