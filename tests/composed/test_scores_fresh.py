"""Fresh pictures of scores: the answers are right, nothing gives them away, nothing is clipped."""

import hashlib
import io
from collections import Counter
from itertools import pairwise

import msgspec
import PIL.Image
import pytest

from scores_help import answer_by_music21, read_by_eye
from zhiyin import cli
from zhiyin.errors import InputError
from zhiyin.models.baselines import RULES, SeededDraw
from zhiyin.plugins.composed.scores.benchmark import Scores
from zhiyin.plugins.composed.scores.music import BOTTOM, KNOBS, LEVELS, TOP_LINE, Pitch, interval
from zhiyin.plugins.composed.scores.pictures import LAYOUT, question, read, write_xml
from zhiyin.plugins.composed.scores.questions import CHOICES, TASKS
from zhiyin.plugins.music.engraved import picture
from zhiyin.plugins.music.theory import alteration
from zhiyin.statistics.intervals import wilson
from zhiyin.trial import Option, Trial

pytestmark = pytest.mark.slow


def drawn(n, seed=0, tasks=TASKS, levels=LEVELS):
    """Questions of each task and level."""
    for level in levels:
        for task in tasks:
            for number in range(1, n + 1):
                yield task, level, question(task, KNOBS[level], number, seed)


def check_answers(n, seed):
    count = 0
    for task, level, asked in drawn(n, seed):
        xml = write_xml(asked.piece)
        found = answer_by_music21(task, asked, xml)
        assert found == asked.answer, (task, level, asked.bar, asked.number, xml)
        assert all(read == sounding for read, sounding in read_by_eye(xml)), (task, level)
        count += 1
    return count


def test_answers_equal_those_of_music21():
    assert check_answers(2, seed=11) == 66


@pytest.mark.trust
def test_answers_of_five_hundred_items_equal_those_of_music21():
    assert check_answers(16, seed=12) >= 500


def test_theory():
    assert [alteration(letter, -3) for letter in "CDEFGAB"] == [0, 0, -1, 0, 0, -1, -1]
    assert [alteration(letter, 6) for letter in "CDEFGAB"] == [1, 1, 1, 1, 1, 1, 0]
    assert Pitch(BOTTOM["treble"]).name == "E4"
    assert Pitch(BOTTOM["tenor"] + TOP_LINE).name == "E4"
    assert interval(Pitch(28), Pitch(32)) == (5, "P")
    assert interval(Pitch(34), Pitch(38)) == (5, "d")
    assert interval(Pitch(31), Pitch(34)) == (4, "A")
    assert interval(Pitch(28, 1), Pitch(30)) == (3, "m")


def test_knobs_are_kept():
    """Clefs, key signatures, ledger lines, accidentals, rests, chords and voices."""
    knobs = msgspec.structs.replace(
        KNOBS["hard"], clefs=("alto",), keys=2, accidentals=0.0, ledger=1, rests=0.0, chords=0.0,
        voices=1, dynamics=False,
    )  # fmt: skip
    for task in ("note", "value", "transcribe"):
        for number in range(20):
            piece = question(task, knobs, number, 5).piece
            assert piece.clef == "alto"
            assert abs(piece.fifths) <= 2
            for bar in piece.bars:
                assert len(bar.voices) == 1
                assert not bar.dynamic
                for event in bar.voices[0]:
                    assert len(event.pitches) == 1
                    place = event.pitches[0].place - BOTTOM["alto"]
                    assert -3 <= place <= TOP_LINE + 3
                    assert event.pitches[0].in_key(piece.fifths)
    for task in ("silences", "triad", "marking"):
        if task != "triad":
            with pytest.raises(InputError, match=f"no question of the task {task}"):
                question(task, knobs, 1, 5)


def test_bars_are_full():
    for _, _, asked in drawn(3, 21):
        beats, part = asked.piece.metre
        for bar in asked.piece.bars:
            for events in bar.voices:
                assert sum(event.value.quarters for event in events) * part == beats * 4


def test_options_hold_the_answer_once_and_say_what_the_others_stand_for():
    for task, _, asked in drawn(6, 3, CHOICES):
        assert len(set(asked.options)) == 4
        assert asked.answer in asked.options
        if task != "meter":
            assert asked.mistakes.keys() == set(asked.options) - {asked.answer}


def blind_guesses(options, dice):
    """The option that a blind reader would take for likely: by what options have in common."""

    def near(one):
        return sum(len(set(one) & set(other)) - abs(len(one) - len(other)) for other in options)

    def sharp(one):
        return one.count("#") + one.count("b")

    yield "likest", max(options, key=lambda o: (near(o), dice(o, 97)))
    yield "plainest", min(options, key=lambda o: (sharp(o), dice(o, 97)))
    yield "altered", max(options, key=lambda o: (sharp(o), dice(o, 97)))
    yield "first of all", min(options)
    yield "last of all", max(options)


def check_blind(n):
    """Every way of guessing is right about once in four: 99.9 % intervals, each task alone."""
    right = Counter()
    total = Counter()
    for task, level, asked in drawn(n, 31, CHOICES):
        name = f"{task}{level}{total[task]}"
        order = sorted(asked.options, key=lambda o: hashlib.sha256(f"{name}{o}".encode()).digest())
        trial = Trial(
            name, (), options=tuple(Option(k, o, o) for k, o in zip("ABCD", order, strict=True))
        )
        total[task] += 1
        for rule, choose in RULES.items():
            right[task, rule] += choose(SeededDraw(1), trial).text == asked.answer
        for rule, guess in blind_guesses(order, SeededDraw(total[task])):
            right[task, rule] += guess == asked.answer
    for (task, rule), count in right.items():
        found = wilson(count, total[task], 0.9995)
        assert found.low <= 0.25 <= found.high, (task, rule, count, total[task])


def test_guessing_without_the_picture_is_at_chance():
    check_blind(25)


@pytest.mark.trust
def test_guessing_without_the_picture_is_at_chance_at_length():
    check_blind(1000)


def test_pictures_are_not_clipped_and_are_the_same_again():
    for _, level, asked in drawn(1, 41, ("note", "highest", "marking")):
        data = picture(write_xml(asked.piece), LAYOUT)
        assert data == picture(write_xml(asked.piece), LAYOUT)
        seen = PIL.Image.open(io.BytesIO(data)).convert("L")
        width, height = seen.size
        assert width <= 1400
        assert height <= 900
        edges = [seen.crop(box) for box in (
            (0, 0, width, 8), (0, height - 8, width, height), (0, 0, 8, height),
            (width - 8, 0, width, height),
        )]  # fmt: skip
        assert all(edge.getextrema() == (255, 255) for edge in edges), level
        # Five lines of each staff, all alike dark: told beside the clef, at its left end.
        column = [seen.getpixel((42, y)) for y in range(height)]
        lines = [y for y in range(1, height) if column[y] < 128 <= column[y - 1]]
        assert len(lines) % 5 == 0
        assert lines
        assert {b - a for a, b in pairwise(lines[:5])} == {12}


@pytest.fixture(scope="module")
def benchmark_of():
    def open_it(**options):
        return Scores.from_options({"source": "generated", "n": 2, **options})

    return open_it


def test_trials_are_made_again_by_seed_and_kept_by_their_contents(benchmark_of):
    some = {"task": ("note", "value", "transcribe")}
    first = list(benchmark_of(seed=1, **some).trials())
    assert first == list(benchmark_of(seed=1, **some).trials())
    assert first != list(benchmark_of(seed=2, **some).trials())
    assert len(first) == len(benchmark_of(seed=1, **some)) == 6
    for trial in first:
        image = trial.messages[0].parts[1]
        path = io.FileIO(image.path).name
        assert image.sha256.startswith(path.rsplit("/", 1)[1].removesuffix(".png"))
    longer = {trial.id: trial for trial in benchmark_of(seed=1, n=3, **some).trials()}
    assert all(longer[t.id].stem == t.stem and longer[t.id].options == t.options for t in first)


def test_a_broken_cache_is_made_again(benchmark_of, tmp_path, monkeypatch):
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path))
    benchmark = benchmark_of(task=("note",))
    first = list(benchmark.trials())
    folder = next((tmp_path / "stimuli").iterdir())
    next(folder.glob("*.png")).unlink()
    assert read(folder) is None
    assert list(benchmark_of(task=("note",)).trials()) == first


def test_positions_of_the_answer_are_balanced(benchmark_of):
    seats = Counter(
        next(o.letter for o in trial.options if o.key == trial.target)
        for trial in benchmark_of(n=8, task=("note", "meter")).trials()
    )
    assert seats == dict.fromkeys("ABCD", 4)


def test_two_languages_ask_the_same(benchmark_of):
    pairs = zip(
        benchmark_of(difficulty=("hard",), n=1).trials(),
        benchmark_of(difficulty=("hard",), n=1, language="zh").trials(), strict=True,
    )  # fmt: skip
    for english, chinese in pairs:
        assert english.id == chinese.id
        assert english.target == chinese.target
        assert [o.key for o in english.options] == [o.key for o in chinese.options]
        assert english.messages[0].parts[1] == chinese.messages[0].parts[1]
        assert not any("\u4e00" <= c <= "\u9fff" for c in english.messages[0].text)
        assert any("\u4e00" <= c <= "\u9fff" for c in chinese.messages[0].text)
        assert "{" not in chinese.stem + english.stem


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (["--task", "notation"], "notation"),
        (["--difficulty", "harder"], "harder"),
        (["--clefs", "soprano"], "soprano"),
        (["--keys", "8"], "keys"),
        (["--data", "x"], "--data is for --source published"),
        (["--task", "signature", "--keys", "1"], "no question of the task signature"),
        (["--task", "silences", "--rests", "0"], "no question of the task silences"),
        (["--extract", "music-bench"], "lists of notes"),
        (["--n", "0"], "n"),
    ],
)
def test_bad_flags_are_one_line(flags, told, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ["run", "scores", "--source", "generated", "-m", "random", "--quiet", *flags]
    try:
        status = cli.main(words)
    except SystemExit as stopped:  # argparse
        status = stopped.code
    assert status == 2
    said = capsys.readouterr().err
    assert told in said
    assert "Traceback" not in said
