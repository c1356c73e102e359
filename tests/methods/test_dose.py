"""Doses of sound: what is cut, what is asked, what more sound adds, and who is mixed with whom."""

import csv
import importlib.util
import itertools
import json
from pathlib import Path

import numpy as np
import pytest

import muchomusic_help
from columns_help import interval_of
from page_tree import marks_stand_at_their_figures, read
from questions_help import jsonl, refused, run, tone
from zhiyin import cli
from zhiyin.analysis.within import condition_gaps
from zhiyin.contract.session_parts import conditions_of, vary
from zhiyin.engine.folder import read_manifest, read_records
from zhiyin.errors import InputError
from zhiyin.plugins.lab.leaderboard import build
from zhiyin.plugins.methods.chapter import half_reached
from zhiyin.plugins.methods.dose import DoseCurve, distinct, dose_sections, doses_of, knowledge
from zhiyin.plugins.methods.doses import Dosing, read_doses
from zhiyin.plugins.music import moments as known_seconds
from zhiyin.plugins.music.listener.model import reply
from zhiyin.plugins.music.listener.spectrum import one_core
from zhiyin.plugins.music.render import open_renderer
from zhiyin.plugins.paper.figures import write_figures
from zhiyin.report.measures import MeasureSheet
from zhiyin.report.run_set import RunSet
from zhiyin.report.writing import report
from zhiyin.runs.rows import rows_of
from zhiyin.sound import audio_part
from zhiyin.trial import Audio, Message, Option, Text, Trial, say
from zhiyin.words import say as say_words

PATH = Path(__file__).parents[2] / "bench" / "dose.py"
SPEC = importlib.util.spec_from_file_location("bench_dose", PATH)
bench = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(bench)

SOUND = Audio("/a.wav", "ab", 8.0)


def heard(trial):
    return [part for m in trial.messages for part in m.parts if isinstance(part, Audio)]


def asked(*parts, before=(), **more):
    return Trial("t", (*before, Message("user", (*parts, Text("?")))), "?", **more)


def at(trial, dose, place="start", seed=0):
    dosing = Dosing.of({"hear": dose, "hear_from": place, "seed": seed})
    return next(iter(dosing.trials_of(trial)))


# What a dose is


def test_doses_are_kept_in_one_order_and_each_once():
    assert read_doses("100%, 1s,25%,0,0.5s,1s,0%") == "0,0.5s,1s,25%,100%"
    assert read_doses(["10%", "0"]) == "0,10%"


@pytest.mark.parametrize("wrong", ["", "25", "-1s", "101%", "1m", "x", "1e9s", "nan%"])
def test_what_is_no_dose_is_refused(wrong):
    with pytest.raises(InputError, match="--hear"):
        read_doses(wrong)


@pytest.mark.parametrize(
    ("place", "dose", "start", "end"),
    [
        ("start", "25%", 0.0, 2.0),
        ("middle", "25%", 3.0, 5.0),
        ("end", "2s", 6.0, 8.0),
        ("start", "9s", None, None),
        ("end", "100%", None, None),
    ],
)
def test_the_part_that_is_heard_stands_in_the_trial(place, dose, start, end):
    (part,) = heard(at(asked(SOUND), dose, place))
    assert (part.start, part.end) == (start, end)


def test_a_part_that_is_asked_about_is_cut_within_itself():
    (part,) = heard(at(asked(Audio("/a.wav", "ab", 8.0, 2.0, 6.0)), "50%", "end"))
    assert (part.start, part.end) == (4.0, 6.0)


def test_a_larger_dose_holds_every_smaller_one_and_random_ones_differ():
    starts = set()
    for seed in range(20):
        parts = [heard(at(asked(SOUND), f"{p}%", "random", seed))[0] for p in (10, 30, 60, 90)]
        for small, large in itertools.pairwise(parts):
            assert large.start <= small.start + 1e-3
            assert small.end <= large.end + 1e-3
        assert parts[0].end <= 8.0
        starts.add(parts[0].start)
    assert len(starts) > 15
    two = heard(at(asked(SOUND, SOUND), "10%", "random"))
    assert two[0].start != two[1].start


def test_worked_examples_are_heard_whole_and_no_sound_is_none():
    example = (Message("user", (SOUND, Text("?"))), say("assistant", "A"))
    trial = asked(SOUND, before=example)
    assert [part.end for part in heard(at(trial, "25%"))] == [None, 2.0]
    deaf = at(trial, "0")
    assert heard(deaf) == [SOUND]
    assert deaf.messages[-1].parts == (Text("?"),)
    assert at(Trial("t", (Message("user", (SOUND,)), say("user", "?"))), "0").messages == (
        say("user", "?"),
    )


def test_the_whole_is_the_trial_itself_and_other_doses_stand_apart():
    trial = asked(SOUND, groups=("low",), tags={"audio": "noise"}, condition="audio=noise")
    every = list(vary([trial, asked()], conditions_of({"hear": "0,25%,100%"}, "x")))
    assert [one.id for one in every] == ["t/hear=0", "t/hear=25%", "t", "t"]
    assert every[2].groups == ("low",)
    assert every[2].condition == "audio=noise"
    assert every[1].groups == ("hear=25%", "hear=25%/low")
    assert every[1].condition == "audio=noise/hear=25%"
    assert {one.item or one.id for one in every} == {"t"}
    assert [one.tags.get("heard_s") for one in every] == [0.0, 2.0, 8.0, None]


# What more sound adds


def test_what_is_known_is_counted_without_guesses():
    z = knowledge([1, 0, 0, 0], [1, 1, 0, 1], [4, 4, 4, 0])
    assert z.tolist() == pytest.approx([1, -1 / 3, 0, 0])
    draw = np.random.default_rng(1)
    knows, speaks = draw.random(200_000) < 0.3, draw.random(200_000) < 0.5
    right = knows | (speaks & (draw.random(200_000) < 0.25))
    assert knowledge(right, knows | speaks, np.full(200_000, 4)).mean() == pytest.approx(
        0.3, abs=0.01
    )


def curve(steps, n=400, clusters=None):
    known = np.repeat(np.array([steps], dtype=float), n, axis=0)
    return DoseCurve([0, 1, 2, 4, 8], known, known, clusters)


def test_half_of_what_sound_adds_lies_where_the_curve_crosses():
    made = bench.half_deaf(np.random.default_rng(3), 16.0, clusters=4000)
    half = made.half()
    assert half.low < 8.0 < half.high
    assert half.high - half.low < 2.0
    assert made.kept_without().value == pytest.approx(
        (0.3 + 0.7 / 4) / (0.3 + 0.28 + 0.42 / 4), abs=0.02
    )
    assert half.low <= half.value <= half.high


def test_that_all_items_behave_alike_is_no_proof():
    few, many = curve([0, 0, 0, 1, 1], 5), curve([0, 0, 0, 1, 1], 500)
    for one in (few, many):
        assert one.half().value == pytest.approx(3.0)
        assert one.half().low < 3.0 < one.half().high
    assert few.half().high - few.half().low > 10 * (many.half().high - many.half().low)
    flat = curve([1, 1, 1, 1, 1], 8)
    assert flat.half() is None
    assert flat.kept_without().value == 1
    assert flat.sound_adds.low < 0 < flat.sound_adds.high
    assert curve([0, 0, 0, 1, 1], 8, ["one"] * 8).half() is None


def test_doses_that_are_one_and_the_same_are_one():
    assert distinct([0, 1, 5, 5]) == [0, 1, 3]
    with pytest.raises(InputError):
        DoseCurve([0, 2, 1], np.zeros((2, 3)), np.zeros((2, 3)))


@pytest.mark.slow
@pytest.mark.parametrize("k", [8.0, 16.0, 24.0])
def test_how_long_a_half_deaf_model_hears_is_found(k):
    found = bench.coverage(k, 1000)
    assert 0.93 <= found["held"] <= 0.97
    assert found["none"] < 0.02
    held = bench.needs(k, 400)
    assert np.all((held > 0.92) & (held < 0.98))
    assert 0.93 <= held.mean() <= 0.97


@pytest.mark.slow
def test_a_deaf_model_gains_nothing():
    found = bench.gained(1000)
    assert found["gains"] < 0.045
    assert found["loses"] < 0.045


# The controls


@pytest.mark.slow
def test_the_curve_jumps_where_the_answer_stands_for_forty_seeds(tmp_path):
    renderer, options = (
        open_renderer("builtin"),
        (Option("A", "Major", "A"), Option("B", "Minor", "B")),
    )
    with one_core():
        for seed in range(40):
            second = 2 + seed % 2
            (one,) = known_seconds.moments(1, 3, second, seed)
            path = tmp_path / f"{seed}.wav"
            path.write_bytes(one.wav(3, renderer))
            trial = asked(audio_part(path), options=options)
            right = []
            for dose in (f"{second - 1}s", f"{second}s"):
                said = reply(at(trial, dose).messages, options, known_seconds.STEM).text
                right.append(said.endswith(f". {one.answer}"))
            assert right == [False, True], (seed, one)


ITEMS = 8


@pytest.fixture(scope="module")
def control(tmp_path_factory):
    """Questions of known seconds, run by the listener and by a blind baseline at six doses."""
    folder = tmp_path_factory.mktemp("dose")
    assert cli.main(["data", "make", "questions", "--out", str(folder / "known"), "--n", str(ITEMS),
                     "--seconds", "4"]) == 0  # fmt: skip
    for model, more in (("listener", []), ("first", []), ("random", ["--hear", "0,2s"])):
        doses = more or ["--hear", "0,1s,2s,3s,100%"]
        assert cli.main(["run", str(folder / "known" / "questions.jsonl"), "-m", model, *doses,
                         "--out", str(folder / "runs" / model), "--quiet"]) == 0  # fmt: skip
    return folder


@pytest.mark.slow
def test_the_listener_needs_what_the_items_hold(control):
    doses = doses_of(rows_of(control / "runs" / "listener"))
    assert [p.name for p in doses.points] == ["0", "1s", "2s", "3s", "100%"]
    assert [p.accuracy.mean for p in doses.points] == [0, 0.25, 0.5, 0.75, 1]
    assert [p.seconds for p in doses.points] == [0, 1, 2, 3, 4]
    assert [p.needing_more.value for p in doses.points[:-1]] == [1, 0.75, 0.5, 0.25]
    assert doses.half.low < 2.0 < doses.half.high
    assert doses.half.value == pytest.approx(2.0)


def test_a_blind_baseline_is_flat_and_no_half_is_made_up(control, capsys):
    doses = doses_of(rows_of(control / "runs" / "first"))
    assert {p.accuracy.mean for p in doses.points} == {0.5}
    assert doses.half is None
    assert doses.kept is None  # so few items may all be wrong
    more = doses.points[0].needing_more
    assert more.low < more.value == 0 < more.high
    capsys.readouterr()
    assert cli.main(["show", str(control / "runs" / "first")]) == 0
    assert "Sound adds nothing significant" in capsys.readouterr().out


def test_the_log_says_what_was_heard_and_the_run_keeps_its_ways(control):
    folder = control / "runs" / "listener"
    manifest = read_manifest(folder)
    assert manifest.planned == ITEMS * 5
    assert manifest.options["hear"] == "0,1s,2s,3s,100%"
    assert manifest.declared["ways"][-1]["name"] == "hear"
    records = list(read_records(folder))
    for record in records:
        sounds = heard(record.trial)
        assert round(sum(part.played for part in sounds), 3) == record.trial.tags["heard_s"]
    assert sum(not heard(record.trial) for record in records) == ITEMS


@pytest.mark.slow
def test_figures_of_the_whole_are_over_the_whole_sound(control, tmp_path, capsys):
    capsys.readouterr()
    folder = control / "runs" / "listener"
    assert cli.main(["show", str(folder), "--json"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert (summary["groups"]["all"]["n"], summary["groups"]["all"]["accuracy"]) == (ITEMS, 1.0)
    assert summary["groups"]["hear=1s"]["accuracy"] == 0.25
    titles = {each["title"]: each for each in summary["details"]}
    assert titles["By kind of question"]["rows"][0][1] == ITEMS
    assert len(titles["How much sound is needed"]["rows"]) == 5
    drawn = {figure.name: figure for figure in write_figures([folder], tmp_path)}
    name = next(name for name in drawn if name.endswith("-dose"))
    with (tmp_path / f"{name}.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [float(row["value"]) for row in rows] == [0, 0.25, 0.5, 0.75, 1]


def test_the_report_asks_whether_it_listens_of_all_sound_against_none(control):
    runs = RunSet([control / "runs" / name for name in ("listener", "first")])
    sheet = MeasureSheet(runs, runs.runs[0].manifest.benchmark)
    (gap,) = condition_gaps(sheet.frames[0].several[0])
    assert (gap.way.name, gap.first, gap.second) == ("hear", "100%", "0")
    assert (gap.gap.pair.first, gap.gap.pair.second, gap.gap.items) == (
        1.0,
        0.5,
        ITEMS,
    )  # no answer is a guess
    (found,) = half_reached("ears", control / "runs" / "listener")
    assert "ears reaches half of what sound adds after 2.0 s" in str(found.words)
    assert not list(half_reached("first", control / "runs" / "first"))


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_report_draws_doses_as_a_line_with_its_knee_above(control, tmp_path, language):
    report(*(control / "runs" / name for name in ("listener", "first")), out=tmp_path / "page",
           notation=False, figures=False, languages=(language,))  # fmt: skip
    page = read(tmp_path / "page" / "index.html")
    front = page.id("front")
    (table,) = front.all("table", "joined")  # and nowhere else
    assert not page.id("chapters").all("table", "joined")
    doses = doses_of(rows_of(control / "runs" / "listener"))
    assert len(table.all("tr")) == 1 + len(doses.points)
    assert marks_stand_at_their_figures(table) == 2 * len(doses.points)
    assert len(table.all("line", "joint")) == 2 * 2 * (len(doses.points) - 1)
    heard, blind = zip(*(row.all("td", "n") for row in table.all("tr")[1:]), strict=True)
    shown = [cell.children[0].strip() for cell in heard]
    assert shown == [f"{100 * point.accuracy.mean:.1f}" for point in doses.points]
    assert len(blind) == len(shown)
    (claim,) = front.all("h1")
    assert f"{doses.half.value:.1f}" in claim.text


def test_runs_are_compared_dose_by_dose_and_boards_hold_one_set_of_doses(control, capsys):
    capsys.readouterr()
    runs = [str(control / "runs" / name) for name in ("listener", "random", "first")]
    assert cli.main(["compare", *runs[:2], "--json"]) == 0
    out = json.loads(capsys.readouterr().out)
    groups = {row["group"] for row in out["pairs"][0]["groups"]}
    assert {"hear=0", "hear=2s"} <= groups
    assert not {"hear=1s", "hear=100%"} & groups
    boards = build(control / "runs")
    own = [{row.name for row in board.rows} for board in boards if board.rows]
    assert {"listener", "first"} in own
    assert not any("random" in names and len(names) > 1 for names in own)
    row = next(row for board in boards for row in board.rows if row.name == "listener")
    assert not row.notes


# Whatever else is asked for


def tones(folder, count):
    rows = [
        {"id": f"q{n}", "question": f"Which tone is heard in {n}?", "options": ["One", "Two"],
         "answer": "One", "audio": str(tone(folder / f"{n}.wav", 300 + n, 2.0))}
        for n in range(count)
    ]  # fmt: skip
    return jsonl(folder / "q.jsonl", *rows)


@pytest.mark.slow
def test_limits_and_samples_go_with_doses(tmp_path):
    data = tones(tmp_path, 6)
    for flags, trials, items in ((["--limit", "5"], 5, 2), (["--sample", "2"], 6, 2)):
        out = tmp_path / flags[0]
        assert cli.main(["run", str(data), "-m", "first", "--hear", "0,1s,100%", "--quiet",
                         "--out", str(out), *flags]) == 0  # fmt: skip
        rows = rows_of(out)
        assert len(rows) == trials
        assert len({row.item for row in rows}) == items
        assert doses_of(rows).items + doses_of(rows).left_out == items


@pytest.mark.slow
def test_repeats_are_averaged_within_their_dose(tmp_path):
    data = muchomusic_help.make_data(tmp_path / "data", tracks=3)
    out = tmp_path / "run"
    assert cli.main(["run", "muchomusic", "--data", str(data), "-m", "first", "--repeats", "2",
                     "--hear", "0,50%,100%", "--hear-from", "random", "--shots", "0",
                     "--out", str(out), "--quiet"]) == 0  # fmt: skip
    rows = rows_of(out)
    items = len({row.item for row in rows})
    doses = doses_of(rows)
    assert len(rows) == items * 2 * 3
    assert (doses.items, doses.clusters) == (items, 3)
    assert doses.points[-1].accuracy.mean == interval_of(rows.main).mean
    places = {}
    for record in read_records(out):
        if record.trial.tags["hear"] == "50%":
            places.setdefault(record.trial.item, set()).add(heard(record.trial)[0].start)
    assert {len(starts) for starts in places.values()} == {1}
    assert len(set.union(*places.values())) > 1


PICKY = """
def answer(path, question, options):
    if path is None:
        raise ValueError("no sound")
    return options[0]
"""


@pytest.mark.slow
def test_a_dose_at_which_all_failed_is_named(tmp_path, capsys):
    data, model = tones(tmp_path, 6), tmp_path / "picky.py"
    model.write_text(PICKY)
    words = ["run", str(data), "-m", f"python:{model}:answer", "--hear", "0,1s,100%"]
    cli.main([*words, "--out", str(tmp_path / "run"), "--quiet", "--concurrency", "1"])
    assert doses_of(rows_of(tmp_path / "run")).lost == ("0",)
    capsys.readouterr()
    assert cli.main(["show", str(tmp_path / "run"), "--groups", "all"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "No trial was judged with no sound heard" in shown
    assert "Ask 0 and" not in shown


def test_what_is_kept_without_sound_stands_beside_what_guessing_keeps(tmp_path):
    data, out = tones(tmp_path, 6), tmp_path / "run"
    words = ["run", str(data), "-m", "first", "--hear", "0,100%", "--out", str(out), "--quiet"]
    assert cli.main(words) == 0
    doses, notes = doses_of(rows_of(out)), dose_sections(rows_of(out))[0].notes
    share = 100 * doses.chance / doses.points[-1].accuracy.mean
    assert any(f"guessing alone keeps {share:.1f}" in say_words(note) for note in notes)


def test_doses_and_altered_sound_go_together(tmp_path):
    data = tones(tmp_path, 4)
    options = {"hear": "0,1s,100%", "audio": ("true", "noise")}

    def says(trial):
        """Right with the true sound; with noise for every other question, if all of it is heard."""
        right = "/hear=" in trial.id or "noise" not in trial.id or trial.id[1] in "02"
        return f"Final Answer: {'A' if right else 'B'}"

    summary, records = run(data, says, tmp_path / "run", **options)
    assert len(records) == 4 * 2 * 3
    assert summary.groups["all"].n == 4
    ways = {row.condition for row in rows_of(tmp_path / "run")}
    assert ways == {
        "", "hear=0", "hear=1s", "audio=noise", "audio=noise/hear=0", "audio=noise/hear=1s",
    }  # fmt: skip
    assert doses_of(rows_of(tmp_path / "run")).items == 4
    runs = RunSet([tmp_path / "run"])
    (gap,) = condition_gaps(
        MeasureSheet(runs, runs.runs[0].manifest.benchmark).frames[0].several[0]
    )
    assert (gap.way.name, gap.gap.items, gap.gap.value) == ("audio", 4, 0.5)


def test_what_cannot_be_dosed_is_refused_before_anything_is_asked(tmp_path, capsys):
    silent = jsonl(tmp_path / "q.jsonl", {"question": "Q?", "options": ["a", "b"], "answer": "a"})
    assert "no trial of" in refused(capsys, "run", silent, "-m", "first", "--hear", "0,100%")
    words = refused(capsys, "run", "thresholds", "-m", "first", "--hear", "0,100%")
    assert "depends on the replies" in words
    assert "needs --hear" in refused(capsys, "run", silent, "-m", "first", "--hear-from", "end")
    assert "--hear '5'" in refused(capsys, "run", silent, "-m", "first", "--hear", "5")
    assert "--hear-from" in refused(
        capsys, "run", silent, "-m", "first", "--hear", "5s", "--hear-from", "front"
    )
