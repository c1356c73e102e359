import hashlib
import json
import os
import subprocess
import sys

import numpy as np
import pytest
import soundfile
from threadpoolctl import threadpool_limits

from zhiyin.cli import main
from zhiyin.errors import InputError
from zhiyin.plugins.music.midi import read_midi
from zhiyin.plugins.music.render import builtin, open_renderer
from zhiyin.plugins.music.stimuli import TASKS, Difficulty, load
from zhiyin.plugins.music.stimuli.folder import make, make_exemplars, verify

pytestmark = pytest.mark.slow

RENDERER = open_renderer("builtin")


def digest(folder):
    total = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        total.update(path.name.encode() + path.read_bytes())
    return total.hexdigest()


def edit(folder, change):
    path = folder / "truth.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    change(lines)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder of four items for each task."""
    root = tmp_path_factory.mktemp("stimuli")
    for task in TASKS:
        make(task, 4, 5, root / task, renderer=RENDERER)
    return root


@pytest.mark.parametrize("task", TASKS)
def test_what_is_made_is_loaded_and_agrees(made, task):
    items = load(made / task)
    assert verify(made / task) == items
    assert [item.id for item in items] == [f"{task}-{k:04d}" for k in range(1, 5)]
    files = {name for item in items for name in (*item.sounds, *item.scores)}
    assert files | {"truth.jsonl"} == {path.name for path in (made / task).iterdir()}
    for item in items:
        assert item.renderer == RENDERER.label
        for sound, score in zip(item.sounds, item.scores, strict=True):
            info = soundfile.info(made / task / sound)
            assert (info.samplerate, info.channels, info.subtype) == (44100, 1, "PCM_16")
            assert read_midi(made / task / score).key is None


@pytest.mark.parametrize("name", ["builtin", "tinysoundfont"])
def test_bit_identical_in_another_process(tmp_path, name):
    try:
        player = open_renderer(name)
    except InputError as error:
        pytest.skip(str(error))
    for task in TASKS:
        make(task, 3, 9, tmp_path / "here" / task, renderer=player)
        make(task, 3, 9, tmp_path / "again" / task, renderer=player)
    script = (
        "import sys\nfrom pathlib import Path\n"
        "from zhiyin.plugins.music.stimuli import TASKS\n"
        "from zhiyin.plugins.music.stimuli.folder import make\n"
        "for task in reversed(TASKS):\n"
        f"    make(task, 3, 9, Path(sys.argv[1]) / task, renderer={name!r})\n"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "77"}
    there = tmp_path / "there"
    subprocess.run([sys.executable, "-c", script, str(there)], check=True, env=environment)
    for task in TASKS:
        assert digest(tmp_path / "here" / task) == digest(tmp_path / "again" / task)
        assert digest(tmp_path / "here" / task) == digest(there / task)


@pytest.mark.parametrize("timbre", [builtin.PIANO, builtin.ORGAN, builtin.STEEL])
def test_a_tone_does_not_depend_on_how_many_threads_linear_algebra_has(timbre):
    make_tone = (builtin._string if timbre.plucked else builtin._partials).__wrapped__
    sounds = []
    for threads in (1, 2, 3):
        with threadpool_limits(threads, user_api="blas"):
            sounds.append(make_tone(timbre, 60, 44100, 1 << 17).tobytes())
    assert len(set(sounds)) == 1


def test_seeds_and_tasks_sound_different(made, tmp_path):
    make("chords", 4, 6, tmp_path / "other", renderer=RENDERER)
    assert digest(made / "chords") != digest(tmp_path / "other")
    waves = [p.read_bytes() for task in TASKS for p in sorted((made / task).glob("*.wav"))]
    assert len(set(waves)) == len(waves) == 16


def test_examples(tmp_path):
    for task, count in (("syncopation", 2), ("transposition", 2), ("chords", 4)):
        items = make_exemplars(task, 5, tmp_path / task, renderer=RENDERER)
        assert len(items) == count
        assert len({item.answer for item in items}) == count
        assert verify(tmp_path / task) == items


def test_all_difficulties_together(tmp_path):
    of_all = {"tempo": (80, 140), "noise_db": 10.0, "reverb_s": 0.8}
    played = {**of_all, "instruments": ("flute", "violin")}
    hardest = {
        "syncopation": Difficulty(**of_all),
        "transposition": Difficulty(**played, altered=True),
        "chords": Difficulty(**played, inversions=True, qualities=("sus4", "minor7")),
    }
    assert set(hardest) == set(TASKS)
    for task, hard in hardest.items():
        items = make(task, 4, 5, tmp_path / task, hard, RENDERER)
        assert verify(tmp_path / task) == items
        assert all(80 <= item.truth["tempo"] <= 140 for item in items)
        assert items[0].truth["difficulty"]["noise_db"] == 10


def test_noise_has_the_level_asked_for(tmp_path):
    paths = {}
    for name, noise in (("clean", None), ("noisy", 6.0)):
        make("chords", 1, 5, tmp_path / name, Difficulty(noise_db=noise), RENDERER)
        paths[name] = tmp_path / name / "chords-0001.wav"
    clean, noisy = (soundfile.read(path)[0] for path in paths.values())
    part = slice(0, 8 * 44100)
    gain = np.dot(clean[part], noisy[part]) / np.dot(clean[part], clean[part])
    noise = noisy[part] - gain * clean[part]
    whole = gain**2 * np.mean(clean**2)
    assert abs(10 * np.log10(whole / np.mean(noise**2)) - 6.0) < 0.2


def test_reverberation_outlasts_the_sound(tmp_path):
    ends = []
    for name, reverb in (("dry", None), ("wet", 3.0)):
        make("chords", 1, 5, tmp_path / name, Difficulty(reverb_s=reverb), RENDERER)
        samples, _ = soundfile.read(tmp_path / name / "chords-0001.wav")
        tail = samples[int(8.6 * 44100) : int(8.9 * 44100)]
        ends.append(np.sqrt(np.mean(tail**2)))
    assert ends[1] > 5 * ends[0]


def test_interrupted_making_is_noticed_and_can_be_repeated(made, tmp_path):
    class Breaks:
        name, label = "builtin", "breaks"

        def __init__(self):
            self.left = 2

        def kits(self):
            return RENDERER.kits()

        def render(self, *args):
            self.left -= 1
            if self.left < 0:
                raise KeyboardInterrupt
            return RENDERER.render(*args)

    with pytest.raises(KeyboardInterrupt):
        make("chords", 4, 5, tmp_path / "x", renderer=Breaks())
    with pytest.raises(InputError, match="interrupted"):
        load(tmp_path / "x")
    make("chords", 4, 5, tmp_path / "x", renderer=RENDERER)
    assert digest(tmp_path / "x") == digest(made / "chords")
    with pytest.raises(InputError, match="holds stimuli already"):
        make("chords", 4, 5, tmp_path / "x", renderer=RENDERER)


def set_truth(index, field, value):
    def change(lines):
        lines[index]["truth"][field] = value

    return change


def set_answer(index, value):
    def change(lines):
        lines[index]["answer"] = value

    return change


@pytest.mark.parametrize(
    ("task", "change", "said"),
    [
        ("chords", set_answer(1, "E"), "answer is 'E'"),
        ("chords", set_truth(0, "pitches", [60, 64, 67]), "pitches"),
        ("chords", set_truth(0, "root", "H"), "pitch name"),
        ("syncopation", set_truth(2, "kick", [1, 2, 3]), "kick"),
        ("syncopation", set_truth(2, "offbeats", 7), "offbeats"),
        ("transposition", set_answer(0, "Maybe"), "answer"),
        ("transposition", set_truth(1, "onsets", [0.0]), "MIDI"),
        ("transposition", set_truth(1, "kind", "altered"), "kind"),
        ("transposition", set_truth(0, "metre", "7/8"), "metre"),
        ("chords", set_truth(3, "files", {}), "SHA-256"),
        ("chords", set_truth(3, "seconds", 5), "lasts"),
        ("chords", lambda lines: lines[0]["truth"].pop("root"), "lacks or garbles"),
        ("chords", lambda lines: lines[0].update(sounds=[]), "needs 1"),
    ],
)
def test_a_truth_file_that_lies_is_found(tmp_path, task, change, said):
    make(task, 4, 5, tmp_path / "x", renderer=RENDERER)
    edit(tmp_path / "x", change)
    with pytest.raises(InputError, match=said) as caught:
        verify(tmp_path / "x")
    assert "\n" not in str(caught.value)


def test_damaged_folders(tmp_path):
    folder = tmp_path / "x"
    make("chords", 3, 5, folder, renderer=RENDERER)
    with pytest.raises(InputError, match="no stimuli folder"):
        load(tmp_path)
    wav = folder / "chords-0002.wav"
    data = wav.read_bytes()
    wav.write_bytes(data[:-10] + bytes(10)[::-1][:9] + b"\x01")
    with pytest.raises(InputError, match="SHA-256"):
        verify(folder)
    wav.unlink()
    with pytest.raises(InputError, match=r"needs chords-0002\.wav"):
        load(folder)
    (folder / "truth.jsonl").write_text('{"id": "torn')
    with pytest.raises(InputError, match="line 1"):
        load(folder)
    (folder / "truth.jsonl").write_text("")
    with pytest.raises(InputError, match="empty"):
        load(folder)


@pytest.mark.parametrize(
    "difficulty",
    [
        Difficulty(qualities=()),
        Difficulty(qualities=("major", "major")),
        Difficulty(qualities=("Major",)),
        Difficulty(instruments=("kazoo",)),
        Difficulty(tempo=(140, 120)),
        Difficulty(tempo=(10, 20)),
        Difficulty(noise_db=float("nan")),
        Difficulty(reverb_s=0),
    ],
)
def test_difficulties_that_make_no_sense(tmp_path, difficulty):
    with pytest.raises(InputError):
        make("chords", 1, 0, tmp_path / "x", difficulty, RENDERER)
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize(
    ("task", "flags", "told"),
    [
        ("syncopation", ["--qualities", "major"], "qualities: belongs to chords, and syncopation"),
        ("transposition", ["--inversions"], "inversions: belongs to chords"),
        ("chords", ["--altered"], "altered: belongs to transposition"),
        ("syncopation", ["--instruments", "flute"], "belongs to transposition and chords"),
    ],
)
def test_flags_of_another_task_are_refused(tmp_path, capsys, task, flags, told):
    out = tmp_path / "x"
    command = ["stimuli", "make", "--task", task, "--n", "1", "--out", str(out), *flags]
    assert main([*command, "--renderer", "builtin"]) == 2
    assert told in capsys.readouterr().err
    assert not out.exists()


def test_what_tasks_a_flag_belongs_to_is_told_in_chinese(tmp_path, capsys, monkeypatch):
    """The "and" between them was English."""
    monkeypatch.setenv("ZHIYIN_LANG", "zh")
    command = ["stimuli", "make", "--task", "syncopation", "--n", "1", "--out", str(tmp_path / "x")]
    assert main([*command, "--instruments", "flute", "--renderer", "builtin"]) == 2
    assert "属于 transposition 和 chords" in capsys.readouterr().err


def test_bad_requests(tmp_path):
    for task, n, seed in (("chord", 1, 0), ("chords", 0, 0), ("chords", 1, -1)):
        with pytest.raises(InputError):
            make(task, n, seed, tmp_path / "x", renderer=RENDERER)
    with pytest.raises(InputError, match="items exist"):
        make("chords", 99_999, 0, tmp_path / "x", renderer=RENDERER)
    assert not (tmp_path / "x").exists()


def test_command_line(tmp_path, capsys):
    out = str(tmp_path / "x")
    command = ["stimuli", "make", "--task", "chords", "--n", "5", "--seed", "3", "--out", out]
    command += ["--renderer", "builtin", "--json"]
    extra = ["--qualities", "all", "--tempo", "90-100", "--exemplars", str(tmp_path / "ex")]
    assert main([*command, *extra]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert (summary["items"], summary["exemplars"]) == (5, 9)
    assert main(["stimuli", "check", out, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["items"] == 5
    assert main(["stimuli", "check", str(tmp_path / "ex")]) == 0
    assert "9 items agree" in capsys.readouterr().out
    assert main(command) == 2
    assert main([*command[:-1], "--tempo", "fast"]) == 2
    assert main(["stimuli", "check", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 3
