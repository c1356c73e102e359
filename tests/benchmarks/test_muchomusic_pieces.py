"""The small benchmark: the published layout, true answers, false distractors, no textual clue."""

from __future__ import annotations

import asyncio
import csv
from collections import Counter
from itertools import islice
from pathlib import Path

import msgspec
import pytest
import soundfile

from zhiyin.cli import main
from zhiyin.errors import InputError
from zhiyin.models.baselines import Baseline
from zhiyin.plugins.benchmarks.muchomusic.benchmark import MuChoMusic
from zhiyin.plugins.benchmarks.muchomusic.pieces import (
    NEUTRAL,
    PieceQuestion,
    aspects,
    clip_name,
    draw_questions,
    false_values,
)
from zhiyin.plugins.benchmarks.muchomusic.questions import (
    COLUMNS,
    KNOWLEDGE,
    REASONING,
    dimension_of,
    read_questions,
)
from zhiyin.plugins.music.pieces.composing import pieces
from zhiyin.record import Sampling

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("small") / "set"
    remark = MuChoMusic.make({"out": out, "seed": 5, "clips": 6})
    assert remark.startswith("30 questions on 6 clips")
    return out


def drawn(seeds: range) -> list[tuple[list[dict[str, str]], list[PieceQuestion]]]:
    sets = []
    for seed in seeds:
        facts = [piece.facts for piece in islice(pieces(seed), 20)]
        sets.append((facts, draw_questions(facts, seed, 5)))
    return sets


@pytest.fixture(scope="module")
def sets() -> list[tuple[list[dict[str, str]], list[PieceQuestion]]]:
    return drawn(range(20))


def test_the_folder_is_in_the_published_layout_and_without_flaws(folder: Path) -> None:
    result = MuChoMusic.check({"data": str(folder), "partial": False})
    assert (result.items, result.flaws) == (30, [])
    with (folder / "muchomusic.csv").open(newline="") as file:
        assert next(csv.reader(file)) == list(COLUMNS)


def test_recordings_are_16_bit_and_their_names_say_nothing(folder: Path) -> None:
    files = sorted((folder / "audio").iterdir())
    assert len(files) == 6
    styles = {piece.plan.style for piece in islice(pieces(5), 6)}
    for file in files:
        assert soundfile.info(str(file)).subtype == "PCM_16"
        assert not any(style[:4] in file.name for style in styles)
    assert sum(file.stat().st_size for file in files) < 6 * 2_000_000


def test_the_truth_is_beside_and_agrees_with_the_pieces(folder: Path) -> None:
    lines = (folder / "truth.jsonl").read_bytes().splitlines()
    for number, (line, piece) in enumerate(zip(lines, pieces(5), strict=False), start=1):
        truth = msgspec.json.decode(line)
        assert truth["id"] == clip_name(5, number)
        assert truth["facts"] == piece.facts
        sound = soundfile.info(str(folder / truth["audio"]))
        assert sound.frames / sound.samplerate == pytest.approx(truth["seconds"], abs=0.01)
        assert (folder / truth["midi"]).is_file()


def test_making_again_gives_the_same_questions(folder: Path, tmp_path: Path) -> None:
    MuChoMusic.make({"out": tmp_path / "again", "seed": 5, "clips": 6})
    for name in ("muchomusic.csv", "truth.jsonl"):
        assert (tmp_path / "again" / name).read_bytes() == (folder / name).read_bytes()


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({}, "--out"),
        ({"seed": -1}, "--seed -1: give a whole number, 0 or more"),
        ({"clips": 3}, "--clips 3: give a whole number from 4 to 500"),
        ({"renderer": "kazoo"}, "unknown renderer"),
    ],
)
def test_bad_options_are_refused_in_one_line(tmp_path: Path, options, match: str) -> None:
    out = {"out": tmp_path / "x"} if options else {}
    with pytest.raises(InputError, match=match) as caught:
        MuChoMusic.make(out | options)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "x").exists()


def test_a_folder_with_questions_is_left_alone(folder: Path, capsys) -> None:
    assert main(["data", "make", "muchomusic", "--out", str(folder)]) == 2
    assert "holds questions already" in capsys.readouterr().err


def test_other_benchmarks_make_nothing(tmp_path: Path, capsys) -> None:
    assert main(["data", "make", "ziqi", "--out", str(tmp_path / "z")]) == 2
    assert "makes no data" in capsys.readouterr().err


def test_twenty_clips_get_a_hundred_questions_on_every_dimension_but_lyrics(sets) -> None:
    for facts, asked in sets:
        assert len(asked) == 100
        assert Counter(question.clip for question in asked) == dict.fromkeys(range(len(facts)), 5)
        found = {dimension_of(label) for q in asked for labels in q.labels for label in labels}
        assert found == {*KNOWLEDGE, *REASONING} - {"interpretation of lyrics"}


def test_right_answers_are_true_and_distractors_are_what_they_should_be(sets) -> None:
    for facts, asked in sets:
        for question in asked:
            own = facts[question.clip]
            right, related, correct, incorrect = question.claims
            assert right == (question.aspect, own[question.aspect])
            assert related[0] == question.aspect
            assert related[1] != own[question.aspect]
            assert own[correct[0]] == correct[1]
            assert own[incorrect[0]] != incorrect[1]
            topics = set(aspects()[question.aspect].topics)
            for other in (correct[0], incorrect[0]):
                assert other in NEUTRAL
                assert not topics & set(aspects()[other].topics)
            assert len(set(question.options)) == 4


def test_no_clip_is_asked_the_same_thing_twice(sets) -> None:
    for _, asked in sets:
        assert len({(q.clip, q.aspect) for q in asked}) == len(asked)


def test_a_relative_key_is_no_distractor() -> None:
    every = [{"key": name} for name in ("C major", "A minor", "G major", "C major")]
    assert false_values("key", every[0], every) == ["G major"]


def test_statements_of_one_aspect_differ_and_are_about_as_long(sets) -> None:
    for name, aspect in aspects().items():
        said = list(aspect.values.values())
        assert len(set(said)) == len(said)
        if said:
            assert max(map(len, said)) - min(map(len, said)) <= 12, name


def test_a_reader_of_words_alone_cannot_tell_the_related_pair_apart(sets) -> None:
    """What a reader could learn from twenty sets about statements is no help with others."""
    truths: Counter[str] = Counter()
    for _, asked in sets:
        for question in asked:
            truths[question.options[0]] += 1
            truths[question.options[1]] -= 1
    right = total = 0.0
    for _, asked in drawn(range(100, 120)):
        for question in asked:
            first, second = (truths[option] for option in question.options[:2])
            right += 1.0 if first > second else 0.5 if first == second else 0.0
            total += 1
    # 2,000 pairs: the standard error is 1.1 points.
    assert right / total == pytest.approx(0.5, abs=0.04)


@pytest.mark.parametrize("rule", ["random", "longest", "overlap"])
def test_blind_baselines_stay_below_what_blind_answering_can_reach(folder: Path, rule) -> None:
    benchmark = MuChoMusic.from_options({"data": str(folder), "audio": "none", "repeats": 10})
    model = Baseline(rule)
    trials = list(benchmark.trials())
    assert len(trials) == 300

    async def letters() -> list[str]:
        replies = [await model.generate(t.messages, Sampling(), t.blind()) for t in trials]
        return [reply.text for reply in replies]

    picked = asyncio.run(letters())
    keys = [
        next(o.key for o in t.options if o.letter == letter)
        for t, letter in zip(trials, picked, strict=True)
    ]
    # Who can tell related from unrelated options gets half; 30 questions: error of 9 points.
    assert sum(key == "A" for key in keys) / len(keys) <= 0.5 + 0.18


def test_some_aspects_alone_are_asked_about(tmp_path: Path, capsys) -> None:
    facts = [piece.facts for piece in islice(pieces(5), 6)]
    asked = draw_questions(facts, 5, 5, ("key", "tempo"))
    assert {question.aspect for question in asked} == {"key", "tempo"}
    assert len(asked) == sum(name in each for each in facts for name in ("key", "tempo"))
    assert draw_questions(facts, 5, 5, tuple(aspects())) == draw_questions(facts, 5, 5)
    words = ["data", "make", "muchomusic", "--out", str(tmp_path / "q"), "--ask", "keys"]
    assert main(words) == 2
    assert "did you mean key?" in capsys.readouterr().err


def test_questions_are_read_as_they_were_drawn(folder: Path) -> None:
    facts = [piece.facts for piece in islice(pieces(5), 6)]
    drawn_now = draw_questions(facts, 5, 5)
    read = read_questions(folder / "muchomusic.csv")
    assert [(q.text, q.choices) for q in read] == [(q.stem, q.options) for q in drawn_now]
    assert {q.dataset for q in read} == {"zhiyin"}
