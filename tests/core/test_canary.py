"""The canary: whoever hears passes, whoever does not is told of, and the odds are as stated."""

from __future__ import annotations

import itertools
import json
import math
import re
from collections import Counter
from pathlib import Path

import msgspec
import numpy as np
import pytest
from test_pictures import draw as draw_picture

import warm
from probe_help import ear, hear, see, told
from questions_help import jsonl, tone
from said_help import texts
from servers import ChatServer
from zhiyin.analysis.summary import summarise
from zhiyin.cli import main
from zhiyin.contract.resolved import name_of
from zhiyin.engine.folder import Manifest, read_manifest, read_records
from zhiyin.engine.naming import told_of
from zhiyin.record import Exchange, Record, Reply, Turn
from zhiyin.report.overview import overview
from zhiyin.report.run_set import RunSet
from zhiyin.session.canary import ASKED, LETTERS, NEEDED, by_guessing, canary, outcome_of
from zhiyin.session.media import PICTURES, RATE, SOUNDS, wave_of
from zhiyin.sound import read_sound
from zhiyin.trial import Audio, Image
from zhiyin.words import say

pytestmark = pytest.mark.slow


@pytest.fixture
def questions(tmp_path):
    rows = [
        {"id": f"q{n}", "question": "Which?", "A": "do", "B": "re", "answer": "A",
         "audio": tone(tmp_path / f"tone{n}.wav", 300 + 50 * n).name}
        for n in range(4)
    ]  # fmt: skip
    return jsonl(tmp_path / "mine.jsonl", *rows)


def go(questions, spec, out, *more):
    return main(["run", str(questions), "-m", spec, "--out", str(out), "--quiet", *more])


def media(trial, kind):
    return [part for message in trial.messages for part in message.parts if isinstance(part, kind)]


@pytest.mark.parametrize("seeds", [8, pytest.param(80, marks=pytest.mark.trust)])
def test_an_ear_and_an_eye_pass_at_any_seed(tmp_path, seeds) -> None:
    for seed in range(seeds):
        for trial in canary("sound", seed, tmp_path):
            (clip,) = media(trial, Audio)
            sound = read_sound(clip.path)
            heard = hear(sound.samples, sound.rate)
            assert told(trial.messages[0].text, heard) == trial.target
            (words,) = (o.text for o in trial.options if o.letter == trial.target)
            assert words == SOUNDS[heard]
        for trial in canary("image", seed, tmp_path):
            (picture,) = media(trial, Image)
            data = Path(picture.path).read_bytes()
            assert told(trial.messages[0].text, see(data)) == trial.target


def test_nothing_but_the_sound_tells_the_answer(tmp_path) -> None:
    sizes, names, clips = set(), set(), set()
    for seed in range(20):
        for trial in canary("sound", seed, tmp_path):
            (clip,) = media(trial, Audio)
            sizes.add(Path(clip.path).stat().st_size)
            names.add(clip.path)
            clips.add(clip.sha256)
            assert not any(kind in clip.path.rpartition("/")[2] for kind in SOUNDS)
            assert trial.id.startswith("canary/sound/")
    assert len(sizes) == 1
    assert len(names) == len(clips) == 20 * ASKED


def test_letters_and_sounds_are_drawn_evenly(tmp_path) -> None:
    letters, kinds, both = Counter(), Counter(), Counter()
    for seed in range(100):
        for trial in canary("image", seed, tmp_path):
            (right,) = (o.text for o in trial.options if o.letter == trial.target)
            letters[trial.target] += 1
            kinds[right] += 1
            both[trial.target, right] += 1
    total = 100 * ASKED
    for counts, cells in ((letters, 4), (kinds, 4), (both, 16)):
        expected = total / cells
        # Chi-square: 16.3 with 3 degrees of freedom and 37.7 with 15 are exceeded once in 1,000.
        found = sum((n - expected) ** 2 / expected for n in counts.values())
        assert len(counts) == cells
        assert found < (16.3 if cells == 4 else 37.7)


def scored(replies) -> list[Record]:
    from zhiyin.session.canary import _score

    return [
        Record(t.id, _score(t, e), t, e)
        for t, said in replies
        for e in [Exchange((Turn(Reply(said)),))]
    ]


def test_the_odds_of_guessing_are_as_stated(tmp_path) -> None:
    ways = [sum(guess) for guess in itertools.product((1, 0, 0, 0), repeat=ASKED)]
    exact = sum(right >= NEEDED for right in ways) / len(ways)
    assert by_guessing(NEEDED, ASKED) == pytest.approx(exact)
    assert f"{exact:.1%}" == "2.7%"
    rng = np.random.default_rng(4)
    passed = 0
    trials = [canary("image", seed, tmp_path) for seed in range(50)]
    for n in range(2000):
        asked = trials[n % 50]
        passed += sum(LETTERS[rng.integers(4)] == t.target for t in asked) >= NEEDED
    assert abs(passed / 2000 - exact) < 4 * math.sqrt(exact / 2000)


def test_no_constant_reply_ever_passes(tmp_path) -> None:
    for seed in range(20):
        trials = canary("image", seed, tmp_path)
        replies = [[letter] * ASKED for letter in LETTERS]
        for words in PICTURES.values():
            replies.append([next(o.letter for o in t.options if o.text == words) for t in trials])
        for said in replies:
            assert outcome_of(scored(zip(trials, said, strict=True))).state == "failed"


def test_a_server_that_hears_passes_and_its_trials_are_not_more(tmp_path, questions) -> None:
    with ChatServer(ear) as server:
        assert go(questions, server.spec, tmp_path / "run") == 0
        assert server.calls == 4 + ASKED
        manifest = read_manifest(tmp_path / "run")
        assert manifest.canary["sound"]["state"] == "passed"
        assert manifest.canary["sound"]["right"] == ASKED
        assert "warning" not in manifest.canary["sound"]
        assert "image" not in manifest.canary
        assert len(list(read_records(tmp_path / "run"))) == 4
        assert manifest.sessions[-1].asked == 4
        assert go(questions, server.spec, tmp_path / "run") == 0
        assert server.calls == 4 + ASKED


def test_a_deaf_server_is_told_of_in_summary_show_and_report(tmp_path, questions, capsys) -> None:
    with ChatServer("A") as server:
        assert go(questions, server.spec, tmp_path / "run") == 0
        assert "the canary failed" in capsys.readouterr().out
        assert main(["show", str(tmp_path / "run"), "--json"]) == 0
        shown = json.loads(capsys.readouterr().out)
        assert shown["canary"]["sound"]["state"] == "failed"
        (warned,) = [w.replace("\xa0", " ") for w in texts(shown["warnings"]) if "canary" in w]
        right = shown["canary"]["sound"]["right"]
        assert f"{right} of 8 right, 5 needed (guessing passes in 2.7 % of cases)" in warned
        assert "may not depend on the sound" in warned
        assert main(["report", str(tmp_path / "run"), "-o", str(tmp_path / "report")]) == 0
        pages = b"".join(p.read_bytes() for p in (tmp_path / "report").rglob("*") if p.is_file())
        assert b"the canary failed" in pages


def two_runs(root, questions) -> list[Path]:
    """A model that failed its canary and one that passed, on the same questions."""
    folders = []
    for name, answer in (("deaf", "A"), ("hears", ear)):
        with ChatServer(answer) as server:
            folder = root / "runs" / name
            assert go(questions, server.spec, folder, "--label", name) == 0
            folders.append(folder)
    return folders


def test_a_failed_canary_comes_first_in_a_report(tmp_path, questions) -> None:
    runs = two_runs(tmp_path, questions)
    found = overview(RunSet(runs[::-1]))
    (board,) = found.benchmarks
    for language, words in (("en", "the canary failed"), ("zh", "探测未通过")):
        first = say(board.told[0], language).split("; " if language == "en" else "；")[0]
        assert words in first
        assert "deaf ✗" in first
        assert words in say(found.todo[0][1], language)
    assert found.todo[0][1].remedy.startswith("zhiyin doctor 'http")
    own = {found.runs[one.run].label: one.canary for one in board.lead.standings}
    assert own["deaf ✗"]["sound"].asked == ASKED
    assert own["hears"] == {}


def test_a_failed_canary_is_told_once_a_page_with_all_runs_of_its_model(tmp_path, questions):
    with ChatServer("A") as server:
        folders = [tmp_path / name for name in ("one", "two", "three")]
        for folder, cap in zip(folders, ("8", "9", "10"), strict=True):
            assert go(questions, server.spec, folder, "--max-tokens", cap) == 0
    found = overview(RunSet(folders))
    ((numbers, _),) = [each for each in found.todo if each[1].told]
    assert sorted(numbers) == [0, 1, 2]
    assert main(["report", *map(str, folders), "-o", str(tmp_path / "page")]) == 0
    page = (tmp_path / "page" / "index.html").read_text("utf-8")
    assert page.count("no evidence that the model can hear") == 1
    manifests = [read_manifest(folder) for folder in folders]
    (note,) = told_of(["a", "b", "c"], manifests)
    assert say(note).startswith("a, b, c: the canary failed: no evidence that the model can hear")
    other = msgspec.structs.replace(manifests[0], model="another")
    outcome = {"sound": {**other.canary["sound"], "right": other.canary["sound"]["right"] + 1}}
    other = msgspec.structs.replace(other, canary=outcome)
    (note,) = told_of(["b", "a"], [other, manifests[0]])  # each result with its model's name
    assert re.search(r"models can hear: right answers: b 1/8, a 0/8, 5 needed", say(note))
    assert "答对题数：b 1/8、a 0/8，至少需要 5 题" in say(note, "zh")


@pytest.mark.parametrize(
    ("model", "spec", "command"),
    [
        ("step-1000", "hf:runs/a b/step-1000", "zhiyin doctor 'hf:runs/a b/step-1000'"),
        ("step-1000", "", ""),
        ("http://here/v1#it's", "", "zhiyin doctor 'http://here/v1#it'\"'\"'s'"),
    ],
)
def test_the_remedy_of_a_failed_canary_names_what_can_be_opened(
    tmp_path, questions, model, spec, command
):
    with ChatServer("A") as server:
        assert go(questions, server.spec, tmp_path / "run") == 0
    path = tmp_path / "run" / "run.json"
    told = json.loads(path.read_bytes())
    path.write_text(json.dumps({**told, "model": model, "spec": spec}))
    (warned,) = [one for one in summarise(path.parent).warnings if one.kind == "canary"]
    assert warned.remedy == command


def test_a_mark_is_set_once_and_by_a_canary_that_failed_alone() -> None:
    def named(canary, label="a"):
        return Manifest("toy", "m", {}, {}, 0, {}, label=label, canary=canary)

    failed = {"state": "failed", "right": 2, "asked": 8, "warning": "the canary failed"}
    assert name_of(named({"sound": failed})) == "a ✗"
    assert name_of(named({"sound": failed}, "a ✗")) == "a ✗"
    for other in ({}, {"sound": "failed"}, {"sound": {"state": "failed"}}):
        assert name_of(named(other)) == "a"
    for state in ("passed", "undecided", "refused"):
        assert name_of(named({"image": {**failed, "state": state}})) == "a"


def test_a_run_that_goes_on_asks_no_second_canary(tmp_path, questions) -> None:
    with ChatServer(ear) as server:
        assert go(questions, server.spec, tmp_path / "run", "--limit", "1") == 0
        assert server.calls == 1 + ASKED
        assert go(questions, server.spec, tmp_path / "run") == 0
        assert server.calls == 4 + ASKED
        assert read_manifest(tmp_path / "run").canary["sound"]["right"] == ASKED


def test_no_canary_where_it_is_not_wanted(tmp_path, questions) -> None:
    with ChatServer(ear) as server:
        assert go(questions, server.spec, tmp_path / "run", "--no-canary") == 0
        assert server.calls == 4
        assert read_manifest(tmp_path / "run").canary == {}
        words = jsonl(
            tmp_path / "words.jsonl",
            {"id": "w", "question": "Which?", "A": "do", "B": "re", "answer": "A"},
        )
        assert go(words, server.spec, tmp_path / "words") == 0
        assert server.calls == 5


def test_pictures_have_one_too(tmp_path) -> None:
    path = jsonl(
        tmp_path / "seen.jsonl",
        {"id": "p", "question": "Which?", "A": "do", "B": "re", "answer": "A",
         "image": draw_picture(tmp_path / "score.png").name},
    )  # fmt: skip
    with ChatServer(ear) as server:
        assert go(path, server.spec, tmp_path / "run") == 0
    assert read_manifest(tmp_path / "run").canary["image"]["state"] == "passed"


def test_a_canary_of_another_shape_in_a_manifest_breaks_nothing(tmp_path, questions, capsys):
    assert go(questions, "first", tmp_path / "run") == 0
    path = tmp_path / "run" / "run.json"
    found = json.loads(path.read_text())
    found["canary"] = {"sound": "passed", "image": {"right": 3}}
    path.write_text(json.dumps(found))
    assert main(["show", str(tmp_path / "run")]) == 0


def test_sounds_are_as_described() -> None:
    import random

    for kind in SOUNDS:
        wave = wave_of(kind, random.Random(1))
        assert wave.shape == (2 * RATE,)
        assert 0.3 < np.abs(wave).max() <= 0.4001
        spectrum = np.abs(np.fft.rfft(wave)) ** 2
        hertz = np.fft.rfftfreq(len(wave), 1 / RATE)
        mean = float((spectrum * hertz).sum() / spectrum.sum())
        low, high = {"hum": (100, 400), "beep": (1950, 2050)}.get(kind, (3000, 5000))
        assert low < mean < high, (kind, mean)


@pytest.mark.parametrize("times", [1, 2])
def test_ctrl_c_while_it_is_asked_ends_in_one_line_with_its_status(times, tmp_path, questions):
    import signal
    import subprocess
    import time

    from paying import PayServer

    with PayServer(latency_s=60) as server:
        order = ["run", str(questions), "-m", server.spec, "--out", str(tmp_path / "run")]
        running = warm.Started(order, stderr=subprocess.PIPE)
        end = time.monotonic() + 60
        while not server.calls and time.monotonic() < end:
            time.sleep(0.05)
        for _ in range(times):
            running.send_signal(signal.SIGINT)
            time.sleep(0.1)
        _, said = running.communicate(timeout=60)
    assert (running.returncode, said) == (130, "zhiyin: interrupted\n")
