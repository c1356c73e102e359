"""What the listener tells of one or two short recordings, fresh ones and published ones."""

import numpy as np
import pytest

from zhiyin.contract.policies import open_policy
from zhiyin.contract.registry import open_benchmark
from zhiyin.errors import InputError
from zhiyin.plugins.benchmarks.muse.settings import MuseSettings
from zhiyin.plugins.benchmarks.muse.stimuli import open_bank
from zhiyin.plugins.benchmarks.muse.tasks import TASKS
from zhiyin.plugins.music.listener.chords import distance, key_gain
from zhiyin.plugins.music.listener.melody import hear_melody, shape_of
from zhiyin.plugins.music.listener.model import reply
from zhiyin.plugins.music.listener.skills import SKILLS, skill_for
from zhiyin.plugins.music.midi import Note
from zhiyin.plugins.music.render import RATE, open_renderer
from zhiyin.sound import Sound, read_sound
from zhiyin.trial import Option

ALL = pytest.mark.trust


def play(notes, seconds):
    return Sound(open_renderer().render(notes, seconds, RATE), RATE)


@pytest.mark.slow
@pytest.mark.parametrize("program", [33, 0])
def test_the_lowest_notes_of_a_bass_are_not_heard_an_octave_high(program):
    pitches = [28, 29, 30, 31, 32, 33, 35]
    notes = [Note(0.6 * i, 0.5, pitch, 90, 0, program) for i, pitch in enumerate(pitches)]
    heard = hear_melody(play(notes, 4.8)).pitches
    assert list(heard) == pitches


def test_skills_are_known_by_the_words_of_their_options_in_any_order():
    kinds = {task.name: skill_for(task.options) for task in TASKS.values()}
    assert None not in kinds.values()
    assert len({id(skill) for skill in kinds.values()}) == 10
    for name, skill in kinds.items():
        assert skill_for(tuple(reversed(TASKS[name].options))) is skill
        assert skill.sounds == TASKS[name].sounds
    four = ("Major", "Minor", "Dominant", "Diminished")
    assert skill_for([Option(a, t, a) for a, t in zip("ABCD", four, strict=True)]) is None
    assert skill_for([Option("A", "Yes", "A"), Option("B", "No", "B")]) is None
    assert skill_for(TASKS["chord_quality"].options[:1]) is None


@pytest.mark.sample(4)
@pytest.mark.slow
@pytest.mark.parametrize("fresh", [2, pytest.param(12, marks=ALL)])
@pytest.mark.parametrize("task", TASKS)
def test_fresh_items_are_answered_from_the_waveform(task, fresh, tmp_path, monkeypatch):
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path))
    flags = {"source": "generated", "n": fresh, "chat": "fresh", "mode": "sysinst", "seed": 21}
    trials = list(open_benchmark("muse", {**flags, "task": task}).trials())
    right = 0
    for trial in trials:
        said = reply(trial.messages, trial.blind().options, trial.stem).text
        letters = {
            open_policy(rule).extract(said, trial.options).letter for rule in ("robust", "muse")
        }
        assert len(letters) == 1, said  # the published rule reads it likewise
        right += letters == {trial.target}
    assert right >= fresh * 3 // 4


@pytest.mark.parametrize("task", TASKS)
def test_silence_is_no_answer(task):
    silent = Sound(np.zeros(3 * RATE, dtype=np.float32), RATE)
    skill = skill_for(TASKS[task].options)
    found, why = skill.hear(*[silent] * skill.sounds)
    assert found is None
    assert why.startswith("heard")


@pytest.mark.sample(3)
@pytest.mark.parametrize("kind", ["tone", "noise", "steady"])
@pytest.mark.parametrize(
    "seconds", [1 / 8000, 0.01, *(pytest.param(s, marks=pytest.mark.slow) for s in (0.09, 0.4, 5))]
)
def test_no_recording_is_too_short_or_too_plain_for_an_answer(kind, seconds):
    rate = 8000
    times = np.arange(round(seconds * rate)) / rate
    samples = {
        "tone": 0.5 * np.cos(2 * np.pi * 440 * times),
        "noise": 0.1 * np.random.default_rng(0).standard_normal(len(times)),
        "steady": np.full(len(times), 0.5),
    }[kind]
    sound = Sound(samples.astype(np.float32), rate)
    for skill in SKILLS:
        assert len(skill.hear(*[sound] * skill.sounds)) == 2


def test_a_shape_survives_notes_heard_an_octave_off():
    arch = [40, 42, 44, 45, 47, 49, 51, 52, 51, 49, 47, 45, 44, 42, 40]
    assert shape_of(arch) == "arch"
    assert shape_of([p + 12 if i in (1, 9) else p for i, p in enumerate(arch)]) == "arch"
    assert shape_of([90 - p for p in arch]) == "inverted arch"
    assert shape_of(arch[:8]) == "ascending"
    assert shape_of([p + 12 if i == 2 else p for i, p in enumerate(arch[7:])]) == "descending"
    assert shape_of([60, 60, 60, 60]) is None


def test_progressions_are_compared_in_any_key_and_modulations_gain():
    pop = [0, 7, 21, 5]  # C G Am F
    assert distance(pop, [(c + 4) % 12 + 12 * (c >= 12) for c in pop]) == 0
    assert distance(pop, [21, 5, 0, 7]) >= 0.5
    assert key_gain(pop * 3)[0] < 0.5
    moved = [(c + 2) % 12 + 12 * (c >= 12) for c in pop]
    gain, first, second = key_gain(pop * 2 + moved * 2)
    assert gain > 6
    assert (first, second) == (0, 2)


@pytest.mark.slow
@pytest.mark.parametrize("every", [4, pytest.param(1, marks=ALL)])
@pytest.mark.parametrize("task", TASKS)
def test_the_published_recordings_that_are_here_are_answered(task, every, shared):
    settings = MuseSettings(task=(task,), data=str(shared), partial=True, examples="none")
    try:
        bank = open_bank(settings)
    except InputError as error:
        assert task in ("chord_progression_matching", "meter_identification")
        pytest.skip(str(error))
    skill = skill_for(TASKS[task].options)
    items = [s for row in bank.trials.values() for s in row if s.sounds][::every]
    wrong = []
    for item in items:
        # One channel, no silence at the ends: nothing of a file's form is left.
        found, why = skill.hear(*(bare(read_sound(path)) for path in item.sounds))
        option = None if found is None else (skill.placed(TASKS[task].options) or {}).get(found)
        if option is None or option.key != item.answer:
            wrong.append((item.id, why))
    assert len(wrong) <= 0.05 * len(items), wrong


def bare(sound):
    loud = np.flatnonzero(np.abs(sound.samples) > 0.003 * np.abs(sound.samples).max())
    samples = sound.samples[loud[0] : loud[-1] + 1]
    noise = np.random.default_rng(len(samples)).standard_normal(len(samples)).astype(np.float32)
    level = np.float32(np.sqrt(np.mean(samples**2)) * 10 ** (-45 / 20))
    return Sound(samples + level * noise, sound.rate)
