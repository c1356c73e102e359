"""Thresholds: the posterior, the sounds, the listener, planted cheats, and runs."""

import io
import json
from contextlib import redirect_stderr, redirect_stdout

import numpy as np
import pytest

from conftest import REPOSITORY
from english_help import in_english
from said_help import texts
from threshold_help import CENTS, Simulated
from zhiyin.cli import main
from zhiyin.models.playback import SoundPolicy, load_clip
from zhiyin.plugins.composed.thresholds.benchmark import DimensionName
from zhiyin.plugins.composed.thresholds.results import (
    DimensionResult,
    read_results,
    sections,
    threshold_in_words,
)
from zhiyin.plugins.music.hearing import BETWEEN_S, BY_NAME, DIMENSIONS, play
from zhiyin.plugins.music.listener import differences
from zhiyin.plugins.music.listener.model import skill_for
from zhiyin.plugins.music.psychometric import Ladder, ThresholdAnswer, fit
from zhiyin.plugins.paper.figures import write_figures
from zhiyin.runs.rows import rows_of
from zhiyin.sound import audio_part, read_sound
from zhiyin.trial import Option

pytestmark = pytest.mark.slow


HELP = REPOSITORY / "tests" / "threshold_help.py"


METHODS = ("two-interval", "yes-no")


SMALL = Ladder((1.0, 3.0, 10.0, 30.0))


def heard(dimension, method, level, later, seed):
    draw = np.random.default_rng([seed, DIMENSIONS.index(dimension), int(1000 * abs(level))])
    return read_sound(play(dimension, method, level, later, draw)[0])


# The posterior
@pytest.mark.trust
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", [each.name for each in DIMENSIONS])
def test_intervals_cover_as_they_say_over_a_thousand_runs(name, method):
    ladder, seed = BY_NAME[name].ladder, [DIMENSIONS.index(BY_NAME[name]), METHODS.index(method)]
    parts = [Simulated(ladder, method, 250, [*seed, n]) for n in range(4)]
    coverage = np.mean([part.coverage for part in parts])
    off = np.concatenate([part.found - part.truth for part in parts])
    error = off.std(ddof=1) / len(off) ** 0.5
    trials = np.concatenate([part.trials for part in parts])
    print(f"{name}, {method}: coverage {coverage:.3f}, bias {off.mean():+.4f} (se {error:.4f}), "
          f"rmse {np.mean(off**2) ** 0.5:.3f}, trials {trials.mean():.0f}")  # fmt: skip
    assert 0.93 <= coverage <= 0.97
    assert abs(off.mean()) < 4 * error


@pytest.mark.trust
@pytest.mark.parametrize("slope", [0.5, 1.0, 2.0, 3.0])
def test_coverage_at_a_fixed_slope_is_told(slope):
    ladder = BY_NAME["pitch"].ladder
    low, high = ladder.ends
    truth = np.random.default_rng(1).uniform(low + 0.3, high - 0.3, 250)
    for lapse in (0.0, 0.05):
        parts = [
            Simulated(ladder, "two-interval", 250, [n, 9], truth=truth, slope=slope, lapse=lapse,
                      bias=0.0)
            for n in range(4)
        ]  # fmt: skip
        print(f"slope {slope}, lapse {lapse}: coverage {np.mean([p.coverage for p in parts]):.3f}, "
              f"bias {np.mean([p.bias[0] for p in parts]):+.3f}")  # fmt: skip
        assert np.mean([part.coverage for part in parts]) > 0.9  # the page tells the rest


# The sounds
@pytest.mark.parametrize("name", [each.name for each in DIMENSIONS])
def test_a_sound_holds_what_is_claimed_as_it_is_sent_too(name, tmp_path):
    """Measured by means of its own in the file, and in what `--audio-format` makes of it."""
    dimension, path = BY_NAME[name], tmp_path / "x.wav"
    levels = {
        "pitch": 30.0, "direction": 30.0, "tempo": 6, "onset": 30, "loudness": 2, "mistuning": 40,
        "gap": 12, "chord-in-noise": -4, "melody-memory": 6,
    }  # fmt: skip
    level = min(dimension.ladder.levels, key=lambda each: abs(each - levels[name]))
    policies = [None, SoundPolicy(format="flac", rate=16000)]
    if name not in ("tempo", "onset", "gap"):  # MP3 blurs what is short, as the page says
        policies.append(SoundPolicy(format="mp3"))
    for seed, later in ((1, True), (2, False)):
        draw = np.random.default_rng([seed, 77])
        path.write_bytes(play(dimension, "two-interval", level, later, draw)[0])
        for policy in policies:
            raw = path.read_bytes() if policy is None else load_clip(audio_part(path), policy).data
            sound = read_sound(raw)
            parts = differences.parts(sound)[-2:]
            plain, target = parts if later else parts[::-1]
            a, b = measured(name, plain, sound.rate), measured(name, target, sound.rate)
            assert b - a == pytest.approx(CLAIM[name](level), abs=SLACK[name]), (policy, a, b)


def measured(name, part, rate):
    """What of a sound is claimed, in the unit of the claim."""
    if name == "loudness":
        return 20 * np.log10(np.sqrt(np.mean(part**2)))
    if name == "onset":
        times = differences.onset_times(part, rate)
        return 1000 * np.abs(times[1:-1] - (times[:-2] + times[2:]) / 2).max()
    if name == "tempo":
        times = differences.onset_times(part, rate)
        return 100 * np.log((len(times) - 1) / (times[-1] - times[0]))
    if name == "gap":
        size = round(0.001 * rate)
        frames = np.square(part[: len(part) // size * size]).reshape(-1, size).mean(axis=1)[30:-30]
        return float((frames < 0.05 * np.median(frames)).sum())
    if name == "chord-in-noise":
        power = np.abs(np.fft.rfft(part * np.hanning(len(part)))) ** 2
        used = power[int(200 * len(part) / rate) : int(4000 * len(part) / rate)]
        return float(used.max() / np.median(used) > 60)
    if name == "melody-memory":
        notes = differences.tune(part, rate)
        return float(len(notes))
    return {
        "pitch": differences.pitch,
        "direction": differences.rise,
        "mistuning": differences.mistuning,
    }[name](part, rate)


CLAIM = {
    "pitch": lambda cents: cents, "direction": lambda cents: 2 * cents,
    "tempo": lambda percent: 100 * np.log(1 + percent / 100), "onset": lambda ms: ms,
    "loudness": lambda db: db, "mistuning": lambda cents: cents, "gap": lambda ms: ms - 1,
    "chord-in-noise": lambda db: 1.0, "melody-memory": lambda notes: 0.0,
}  # fmt: skip


SLACK = {
    "pitch": 1.5, "direction": 4, "tempo": 0.4, "onset": 3, "loudness": 0.1, "mistuning": 6,
    "gap": 2.1, "chord-in-noise": 0.1, "melody-memory": 0,
}  # fmt: skip


def test_a_changed_melody_differs_in_one_note():
    dimension = BY_NAME["melody-memory"]
    for seed in range(4):
        sound = heard(dimension, "two-interval", 8, True, seed)
        first, changed, same = (differences.tune(p, sound.rate) for p in differences.parts(sound))
        assert np.abs(first - same).max() < 10
        assert (np.abs(first - changed) > 60).sum() == 1


def clicks(part):
    return np.abs(np.diff(part, 2)).max() / np.abs(part).max()


CHEATS = {
    "louder one": lambda sound: np.subtract(*[np.sqrt(np.mean(p**2)) for p in two(sound)]),
    "higher peak": lambda sound: np.subtract(*[np.abs(p).max() for p in two(sound)]),
    "clicks": lambda sound: np.subtract(
        *[np.abs(np.diff(p, 2)).max() / np.abs(p).max() for p in two(sound)]
    ),
    "first one alone": lambda sound: (
        differences.pitch(two(sound)[0][: sound.rate // 2], sound.rate) or 0.0
    ),
}


def two(sound):
    return [np.asarray(part, dtype=float) for part in differences.parts(sound)[-2:]]


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", [each.name for each in DIMENSIONS])
def test_nothing_irrelevant_tells(name):
    """A cheat that goes by one figure, with whatever cut is best, is right about half the time."""
    dimension = BY_NAME[name]
    levels = dimension.ladder.levels
    level = levels[len(levels) // 2] if dimension.ladder.harder == "less" else 5
    later = np.arange(40) % 2 == 1
    sounds = [heard(dimension, "two-interval", level, bool(w), n) for n, w in enumerate(later)]
    assert len({len(sound.samples) for sound in sounds}) == 1  # length tells nothing
    for cheat, measure in CHEATS.items():
        if (name, cheat) not in ALLOWED:
            values = np.array([measure(sound) for sound in sounds])
            rights = [np.mean((values > cut) == later) for cut in values]
            best = max(max(rights), 1 - min(rights))
            assert best < 0.75, (cheat, best)  # with 40 trials and the best of 40 cuts


ALLOWED = {
    ("loudness", "louder one"): "that is the question",
    ("loudness", "higher peak"): "likewise",
    ("gap", "clicks"): "a gap has edges, which are heard: that is how it is heard",
    ("chord-in-noise", "higher peak"): "a chord in noise has a lower crest than noise alone",
    ("chord-in-noise", "clicks"): "likewise: it has less of high frequencies",
    ("pitch", "clicks"): "the second difference of a tone grows with its pitch",
}


def test_trials_are_drawn_alone_and_both_answers_are_as_frequent():
    from zhiyin.plugins.composed.thresholds.benchmark import (
        PLACES,
        ThresholdAsker,
        ThresholdSettings,
    )
    from zhiyin.prompts import Prompts

    asker = ThresholdAsker(
        Prompts("zhiyin.plugins.composed.thresholds", PLACES), ThresholdSettings()
    )
    trials = [asker.trial(BY_NAME["gap"], "gap/1", n, 10.1) for n in range(60)]
    assert 18 < sum(trial.target == "second" for trial in trials) < 42
    assert asker.trial(BY_NAME["gap"], "gap/1", 7, 10.1) == trials[7]
    sounds = {trial.messages[0].parts[0].sha256 for trial in trials}
    assert len(sounds) == 60
    assert len({trial.messages[0].parts[1].text for trial in trials}) == 1


@pytest.mark.sample(2)
@pytest.mark.parametrize("method", METHODS)
def test_the_listener_answers_every_dimension_from_the_waveform(method):
    for dimension in DIMENSIONS:
        two_interval = method == "two-interval"
        texts = (
            (dimension.first, dimension.second) if two_interval else (dimension.no, dimension.yes)
        )
        options = tuple(map(Option, "AB", texts, "01"))
        skill = skill_for(options)
        assert skill is not None, dimension.name
        easy = dimension.ladder.levels[-4] if dimension.ladder.harder == "less" else 6
        for seed in range(6):
            found, why = skill.hear(heard(dimension, method, easy, bool(seed % 2), seed))
            assert found is not None, why
            assert skill.placed(options)[found].key == str(seed % 2), (dimension.name, seed, why)


def test_people_are_told_where_a_figure_is_sure_and_else_not():
    assert BY_NAME["chord-in-noise"].people is None
    known = [each for each in DIMENSIONS if each.people]
    assert len(known) == 5
    for dimension in known:
        people = dimension.people
        assert (
            dimension.ladder.levels[0] <= people.low <= people.high <= dimension.ladder.levels[-1]
        )
        assert any(year in people.source for year in ("19", "course"))
    assert BETWEEN_S > differences.BETWEEN_S
    assert tuple(BY_NAME) == DimensionName.__args__


# Runs
@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hearing")
    return Here(folder)


class Here:
    """Commands in this process, which saves the time of starting one."""

    def __init__(self, folder):
        self.folder = folder

    def __call__(self, *words, status=0):
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            assert main([str(word) for word in words]) == status, err.getvalue()
        return err.getvalue() if status else out.getvalue()


def run(desk, model, out, *flags):
    place = ("--dimension", "pitch", "--out", desk.folder / out, "--quiet")
    desk("run", "thresholds", "-m", model, *place, *flags)
    return desk.folder / out


def test_a_model_with_known_noise_gets_its_threshold_back_from_sound(desk):
    (quest,) = read_results(run(desk, f"python:{HELP}:noisy", "quest"))
    assert quest.threshold.lower < CENTS < quest.threshold.upper
    stairs = run(desk, f"python:{HELP}:noisy", "stairs", "--procedure", "staircase", "--tracks", 2)
    (stair,) = read_results(stairs)
    assert stair.threshold.lower < CENTS < stair.threshold.upper
    (single,) = read_results(run(desk, "listener", "single", "--method", "yes-no", "--most", 20))
    assert single.threshold.beyond == "finer"
    assert str(threshold_in_words(single)).startswith("better than")


def test_guessing_and_silence_are_told_as_they_are(desk):
    (guess,) = read_results(run(desk, "random", "guess"))
    assert str(threshold_in_words(guess)).startswith("worse than")
    folder = run(desk, f"python:{HELP}:silent", "mute")
    (mute,) = read_results(folder)
    assert (mute.asked, len(mute.answers)) == (10, 0)
    (table,) = in_english(sections(rows_of(folder)))
    assert table.rows[0][2] == "not measured"
    assert table.rows[0][-1] == "0 of 10"
    assert "left out" in " ".join(table.notes)


def test_one_answer_to_every_question_is_a_bias_and_no_deafness(desk):
    folder = run(desk, "first", "always")
    (same,) = read_results(folder)
    assert same.one_answer
    assert str(threshold_in_words(same)) == "not measured"  # and not worse than 219 cents
    (table,) = in_english(sections(rows_of(folder)))
    assert table.rows[0][4] == "always first"
    assert (
        "not measured, pitch: the same answer to every question, which shows only a bias"
        in table.notes
    )
    assert not [note for note in table.notes if "97.5 %" in note]
    pytest.importorskip("matplotlib")
    write_figures([folder], desk.folder / "alike")
    line = (desk.folder / "alike" / "thresholds-audiogram.csv").read_text("utf-8").splitlines()[1]
    assert line.split(",")[3:7] == ["", "", "", "not measured"]
    rows = (desk.folder / "alike" / "thresholds-functions.csv").read_text("utf-8").splitlines()
    assert all(row.endswith(",") for row in rows[1:])  # shares of right answers, and no curve


def test_answers_the_wrong_way_round_are_no_deafness(desk):
    folder = run(desk, f"python:{HELP}:turned", "turned")
    (result,) = read_results(folder)
    assert (result.right, len(result.answers)) == (0, 10)
    assert str(threshold_in_words(result)) == "not measured"
    (table,) = in_english(sections(rows_of(folder)))
    assert [n for n in table.notes if "not measured, pitch: 0 of 10 answers are right" in n]
    assert not [note for note in table.notes if "97.5 %" in note]


def test_guessing_is_hardly_ever_taken_for_answers_turned_round():
    draw = np.random.default_rng(4)
    ladder = BY_NAME["pitch"].ladder
    threshold = fit(ladder, "two-interval", [])
    taken = 0
    for _ in range(2000):
        later, chosen = draw.integers(0, 2, (2, 40)).astype(bool)
        answers = [
            ThresholdAnswer(400.0, bool(a), bool(b)) for a, b in zip(later, chosen, strict=True)
        ]
        whole = DimensionResult(BY_NAME["pitch"], "two-interval", 40, answers, threshold)
        taken += whole.turned
    assert taken <= 8


def test_a_share_of_right_answers_is_given_only_where_levels_do_not_follow_answers(desk):
    states = set()
    for line in (run(desk, "random", "plain") / "records.jsonl").read_text("utf-8").splitlines():
        states.add(json.loads(line)["verdict"]["state"])
    assert states == {"ungraded"}
    folder = run(desk, "random", "turns", "--procedure", "constant", "--most", 54)
    records = [
        json.loads(line) for line in (folder / "records.jsonl").read_text("utf-8").splitlines()
    ]
    assert {record["verdict"]["state"] for record in records} <= {"correct", "wrong"}
    levels = [record["trial"]["tags"]["level"] for record in records]
    assert all(levels.count(level) == 2 for level in set(levels))
    assert len(set(levels)) == 27


def test_scored_again_from_the_log_alone_gives_the_same_figure(desk):
    folder = run(desk, f"python:{HELP}:noisy", "first")
    (before,) = read_results(folder)
    desk("rescore", folder, "--extract", "first-letter", "--out", folder.parent / "again")
    (after,) = read_results(folder.parent / "again")
    assert after.threshold == before.threshold


def test_the_audiogram_and_the_functions_are_drawn(desk):
    pytest.importorskip("matplotlib")
    drawn = desk.folder / "figures"
    runs = [run(desk, "random", "guess"), run(desk, f"python:{HELP}:noisy", "quest")]
    write_figures(runs, drawn)
    lines = (drawn / "thresholds-audiogram.csv").read_text("utf-8").splitlines()
    assert len(lines) == 3
    assert "worse than" in lines[1]
    assert (drawn / "thresholds-functions.svg").stat().st_size > 1000


def test_a_shard_without_a_share_says_so_and_is_merged(desk):
    """Two dimensions go to machines by their names: of two shards one may get none."""
    told = {}
    for shard in ("1/2", "2/2"):
        out = desk.folder / f"shard-{shard[0]}"
        words = ("--dimension", "pitch,gap", "--most", 10, "--shard", shard, "--out", out)
        told[shard] = desk("run", "thresholds", "-m", "random", *words)
    empty = next(each for each in told.values() if "sequence" not in each)
    assert "nothing to ask: shard 2/2 holds no trial of this run (merge it too)" in empty
    assert "0 trials" not in empty
    assert "acc." not in "".join(told.values())
    merged = desk.folder / "both-shards"
    desk("merge", desk.folder / "shard-1", desk.folder / "shard-2", "--out", merged)
    assert "20 trials, 2 sequences" in desk("show", merged)


def test_before_a_run_the_fewest_and_the_most_trials_are_told(desk):
    words = ("--dimension", "pitch,gap", "--most", 30, "--dry-run", "--json")
    found = json.loads(desk("run", "thresholds", "-m", "random", *words))
    assert (found["asked"], found["clips"]) == (20, 20)
    assert any("20; 60 at most" in remark for remark in texts(found["remarks"]))


def test_settings_that_make_no_sense_are_one_line(desk):
    for words, told_so in (
        (["--procedure", "constant", "--tracks", 2], "--most"),
        (["--dimension", "picth"], "pitch"),
        (["--precision", 1], "above 1"),
        (["--most", 5], "10"),
    ):
        said = desk("run", "thresholds", "-m", "random", "--out", "x", *words, status=2)
        assert told_so in said
        assert "Traceback" not in said


def test_runs_without_right_answers_show_their_own_tables(tmp_path, capsys):
    runs = [str(tmp_path / name) for name in ("first", "random")]
    for run in runs:
        name = run.rpartition("/")[2]
        assert main(["run", "thresholds", "-m", name, "--dimension", "pitch", "--precision", "9",
                     "--out", run, "--quiet"]) == 0  # fmt: skip
    capsys.readouterr()
    assert main(["show", *runs]) == 0
    shown = capsys.readouterr().out
    assert shown.count("threshold  people") == 2
    assert "acc." not in shown  # no table of nothing
