"""A set of recordings with kinds of wrong answers: asked in part, and with other sounds."""

import csv
import json
import re

import pytest

import muchomusic_help as h
from questions_help import jsonl, refused, tone, trials
from servers import ChatServer
from zhiyin import cli

CODES = ("right", "ir", "cu", "iu")
TRACKS = 25


def a_set(folder, tracks=TRACKS, **more):
    """Each track a tone, and a question on it whose right answer moves from place to place."""
    rows = []
    for n in range(tracks):
        if more.get("audio") != "":
            tone(folder / "audio" / f"{n}.wav", h.pitch(n), 1.0)
        texts = [f"One of {h.pitch(n)} Hz", f"One of {h.pitch(n + tracks)} Hz",
                 "It lasts a moment", "Many voices sing"]  # fmt: skip
        order = [(place + n) % 4 for place in range(4)]
        rows.append({
            "id": f"q{n}", "question": f"Question: Which tone sounds in take {n}?",
            "options": [texts[place] for place in order],
            "distractor_kinds": [CODES[place] for place in order],
            "answer": "ABCD"[order.index(0)], "category": "knowledge/melody",
            "cluster": f"t{n}", "audio": f"audio/{n}.wav", "example": n == 0, **more,
        })  # fmt: skip
    return jsonl(folder / "set.jsonl", *rows)


def zhiyin(capsys, *args):
    assert cli.main([*map(str, args), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.slow
def test_every_condition_offers_what_it_says(tmp_path):
    path = a_set(tmp_path)
    asked = trials(path, distractors="ir,cu+iu,all", audio="true,none")
    assert len(asked) == (TRACKS - 1) * 2 * 3
    by_id = {trial.id: trial for trial in asked}
    both = by_id["q3/audio=none/distractors=cu+iu"]
    assert {o.text for o in both.options} == {
        f"One of {h.pitch(3)} Hz", "It lasts a moment", "Many voices sing"}  # fmt: skip
    assert [o.letter for o in both.options] == ["A", "B", "C"]
    assert next(o.text for o in both.options if o.key == both.target) == f"One of {h.pitch(3)} Hz"
    assert (both.item, both.condition) == ("q3", "audio=none/distractors=cu+iu")
    assert both.groups[0] == "audio=none/distractors=cu+iu"
    assert "audio=none/distractors=cu+iu/knowledge/melody" in both.groups
    assert by_id["q3"].tags["distractors"] == "all"
    assert len(by_id["q3"].options) == 4


def test_the_right_option_of_a_part_stands_anywhere(tmp_path):
    """In the file its place among the others follows a rule; guesses of A must not profit."""
    path = a_set(tmp_path, 81, audio="")
    for kinds, size in (("ir", 2), ("cu", 2), ("ir+iu", 3)):
        asked = trials(path, distractors=kinds, audio="none")
        first = sum(trial.options[0].key == trial.target for trial in asked)
        assert abs(first - 80 / size) < 3 * (80 / size * (1 - 1 / size)) ** 0.5


@pytest.mark.slow
def test_the_main_way_alone_is_as_it_was(tmp_path):
    """Neither ids nor tags nor the hash of the data know of conditions that nobody asked for."""
    path = a_set(tmp_path)
    plain = trials(path)
    assert [trial.id for trial in plain] == [f"q{n}" for n in range(1, TRACKS)]
    assert not {"audio", "distractors", "heard"} & set(plain[0].tags)
    assert plain[0].item == ""
    again = {trial.id: trial for trial in trials(path, audio="true,noise")}
    assert again["q1"].options == plain[0].options


@pytest.mark.slow
@pytest.mark.parametrize("audio", ["noise", "silence", "swap"])
def test_what_is_played_in_its_place(tmp_path, audio):
    path = a_set(tmp_path)
    for one, two in zip(trials(path), trials(path, audio=audio), strict=True):
        (own,), (other,) = ([p for p in t.messages[0].parts if hasattr(p, "seconds")]
                            for t in (one, two))  # fmt: skip
        assert own.sha256 != other.sha256
        assert other.played == pytest.approx(own.played, abs=0.01)
        heard = two.tags.get("heard")
        assert (heard is not None) == (audio == "swap")
        assert heard != f"audio/{one.id[1:]}.wav"


@pytest.mark.slow
def test_examples_keep_their_kinds_and_their_sounds(tmp_path):
    path = a_set(tmp_path)
    for what, sounds in (("true", 1), ("noise", 1), ("none", 0)):
        trial = trials(path, shots=1, audio=what, distractors="cu")[0]
        example, answer, own = trial.messages
        assert "Many voices sing" not in example.text + own.text
        said = answer.text.removeprefix("Answer: ")
        assert f"{said}. One of {h.pitch(0)} Hz" in example.text
        assert [sum(hasattr(p, "seconds") for p in m.parts) for m in (example, own)] == [sounds] * 2
        if sounds:
            hears = next(p for p in example.parts if hasattr(p, "seconds"))
            assert hears.path.endswith("0.wav")


@pytest.mark.slow
def test_a_listener_passes_and_a_reader_fails(tmp_path, capsys):
    """Over HTTP, with both tables, Figure 6 and the headline over the main way alone."""
    path = a_set(tmp_path)
    flags = ("--audio", "true,noise,swap", "--distractors", "ir,cu,iu,all", "--quiet")
    found = {}
    for name, answer in (("listener", h.listener), ("reader", h.reader)):
        with ChatServer(answer) as server:
            run = tmp_path / name
            summary = zhiyin(capsys, "run", path, "-m", server.spec, "--out", run, *flags)
        found[name] = zhiyin(capsys, "attention", run)
        assert found[name]["passed"] is (name == "listener")
        titles = [section["title"] for section in summary["details"]]
        assert titles == ["By kind of question", "Distractors (Figure 6a)", "Audio attention"]
        if name == "listener":
            assert summary["groups"]["all"]["n"] == TRACKS - 1
            assert summary["groups"]["all"]["accuracy"] == 1.0
            assert summary["details"][0]["rows"][0][:3] == ["choice", TRACKS - 1, 100.0]
            rows = {row[0]: row for row in summary["details"][1]["rows"]}
            assert rows["IR (audio true)"][1:5] == [2, TRACKS - 1, 50.0, 100.0]
            assert rows["IR + CU + IU (audio true)"][1:5] == [4, TRACKS - 1, 25.0, 100.0]
    assert cli.main(["report", str(tmp_path / "listener"), "--out", str(tmp_path / "page")]) == 0
    drawn = {p.name: p for p in (tmp_path / "page").rglob("*.csv")}
    (offered,) = (p for name, p in drawn.items() if name.endswith("-distractors.csv"))
    with offered.open(encoding="utf-8", newline="") as file:
        shares = {row["row"]: row for row in csv.DictReader(file)}
    assert {name: float(row["guessing"]) for name, row in shares.items()} == {
        "ir": 0.5, "cu": 0.5, "iu": 0.5, "all": 0.25}  # fmt: skip
    assert any(name.endswith("-attention.csv") for name in drawn)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("more", "flags", "words"),
    [
        ({"distractor_kinds": ["right", "ir", "cu"]}, (), "3 kinds of 4 options"),
        ({"distractor_kinds": ["ir", "ir", "ir", "ir"]}, (), "'ir' as the kind of an option"),
        ({"distractor_kinds": []}, ("--distractors", "ir"), "no wrong answer of the kind ir"),
        ({}, ("--distractors", "xy"), "--distractors 'xy'"),
        ({"audio": ""}, ("--audio", "noise"), "line 2 has no recording"),
        ({"audio": "audio/1.wav"}, ("--audio", "true,swap"), "no other recording"),
    ],
)
def test_what_cannot_be_asked_is_one_line(tmp_path, capsys, more, flags, words):
    path = a_set(tmp_path, **more)
    with ChatServer() as server:
        said = refused(capsys, "run", path, "-m", server.spec, "--out", tmp_path / "r", *flags)
        assert server.calls == 0  # nothing is paid for
    assert words in said
    assert not re.search(r"\n.", said)
