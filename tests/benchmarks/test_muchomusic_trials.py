"""MuChoMusic's trials: options, shuffling, conditions, prompts, what is played."""

import json
import re
from collections import Counter

import numpy as np
import pytest
import soundfile

from muchomusic_help import RATE, make_data, opened, place_of, question_rows, tone, write_questions
from zhiyin.contract.control_sounds import gaussian_noise, noise_like, silence_like
from zhiyin.contract.registry import find, open_benchmark
from zhiyin.errors import InputError
from zhiyin.models.playback import load_clip
from zhiyin.plugins.benchmarks.muchomusic.benchmark import shuffled
from zhiyin.plugins.benchmarks.muchomusic.wording import open_wording
from zhiyin.sound import audio_part, read_sound
from zhiyin.trial import Audio


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return make_data(tmp_path_factory.mktemp("muchomusic"))


def trials(folder, **options):
    benchmark = opened(folder, **options)
    made = list(benchmark.trials())
    assert len(made) == len(benchmark) == len({trial.id for trial in made})
    return made


def played(trial):
    return [part for m in trial.messages for part in m.parts if isinstance(part, Audio)]


def level(samples):
    return float(np.sqrt(np.mean(np.square(samples, dtype=np.float64))))


def test_a_trial_is_as_the_paper_asks(data):
    made = trials(data)
    assert [t.id for t in made[:4]] == [*(f"sdd/400/1/r{r}" for r in (1, 2, 3)), "sdd/400/2/r1"]
    trial = made[0]
    assert trial.target == "A"
    assert trial.cluster == "sdd/400"
    assert {o.key: o.text for o in trial.options} == {
        "A": "One of 200 Hz",
        "B": "One of 317 Hz",
        "C": "It lasts a moment",
        "D": "Many voices sing",
    }
    assert [o.letter for o in trial.options] == list("ABCD")
    assert trial.groups == (
        "knowledge", "knowledge/melody", "knowledge/harmony", "genre/hip_hop", "source/sdd",
    )  # fmt: skip
    assert trial.tags["knowledge"] == "melody, harmony"
    assert (trial.tags["audio"], trial.tags["distractors"]) == ("true", "all")
    assert (trial.tags["repeat"], trial.tags["shots"]) == (1, 1)
    audio, text = trial.messages[0].parts
    assert audio.path == str(place_of(data, "sdd", "400"))
    assert text.text.count("Question:") == 2
    for option in trial.options:
        assert f"\n{option.letter}. {option.text}\n" in text.text


def test_nothing_leaks_into_the_words(data):
    for trial in trials(data, audio="true,none,noise,swap", distractors="all,ir"):
        words = trial.messages[-1].text
        for secret in (trial.id, trial.cluster, trial.cluster.split("/")[1], ".wav", ".mp3"):
            assert secret not in words
        shown = [o.text for o in trial.options]
        assert [words.index(text) for text in shown] == sorted(words.index(x) for x in shown)


def test_shuffling_is_uniform_over_all_orders():
    from scipy.stats import chisquare

    draws = Counter(shuffled(0, f"sdd/{i}/1", r, 4) for i in range(4000) for r in (1, 2, 3))
    assert len(draws) == 24
    assert chisquare(list(draws.values())).pvalue > 0.01
    pairs = Counter(
        (shuffled(0, f"sdd/{i}/1", 1, 4)[0], shuffled(0, f"sdd/{i}/1", 2, 4)[0])
        for i in range(4000)
    )
    assert chisquare([pairs[a, b] for a in range(4) for b in range(4)]).pvalue > 0.01


def test_repeats_are_reshuffled_and_conditions_are_not(data):
    made = {t.id: t.options for t in trials(data, audio="true,silence,noise,swap,none")}
    plain = {name: options for name, options in made.items() if "=" not in name}
    for name, options in plain.items():
        item, _, repeat = name.rpartition("/")
        for audio in ("silence", "noise", "swap", "none"):
            assert made[f"{item}/audio={audio}/{repeat}"] == options
    for repeat in "23":
        assert any(o != plain[n.replace("r1", f"r{repeat}")] for n, o in plain.items() if "r1" in n)
    assert trials(data)[5] == trials(data)[5]
    assert [t.options for t in trials(data, seed=1)] != [t.options for t in trials(data)]


@pytest.mark.parametrize(
    ("given", "sets"),
    [
        ("ir", {"ir": "AB"}),
        ("iu+cu", {"cu+iu": "ACD"}),
        ("ir,cu,iu,all", {"ir": "AB", "cu": "AC", "iu": "AD", "all": "ABCD"}),
        ("cu+ir+iu,all", {"all": "ABCD"}),
    ],
)
def test_distractors_are_those_that_were_asked_for(data, given, sets):
    keys = {}
    for trial in trials(data, distractors=given, repeats=1, shots=2):
        keys.setdefault(trial.tags["distractors"], set()).add(
            "".join(sorted(option.key for option in trial.options))
        )
        assert trial.messages[-1].text.count("\nB. ") == 3
        assert trial.messages[-1].text.count("\nC. ") == (3 if len(trial.options) > 2 else 0)
        if len(sets) > 1:
            assert trial.groups[0] == f"distractors={trial.tags['distractors']}"
            assert all(g.startswith(trial.groups[0]) for g in trial.groups)
    assert keys == {name: {letters} for name, letters in sets.items()}


def test_examples_are_text_and_never_scored(data):
    questions = {t.stem for t in trials(data, repeats=1)}
    for shots in range(6):
        for trial in trials(data, shots=shots, repeats=1):
            text = trial.messages[-1].text
            assert text.count("Question:") == shots + 1
            assert len(played(trial)) == 1
            assert sum(text.count(question) for question in questions) == 1
    examples = open_wording().examples
    assert len(examples) == 5
    assert all(len(set(example.options)) == 4 for example in examples)
    shown = text.partition("Listen to")[0]
    said = [line.removeprefix("Letter: ") for line in shown.splitlines() if "Letter: " in line]
    assert sorted(said) == ["A", "B", "B", "C", "D"]
    for letter, example in zip(said, examples, strict=True):
        assert f"\n{letter}. {example.options[0]}\n" in shown


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"audio": "tru"}, "did you mean true"),
        ({"distractors": "ri"}, "--distractors 'ri'"),
        ({"repeats": 0}, "from 1 to"),
        ({"shots": "6"}, "from 0 to 5"),
        ({"shots": "few"}, "from 0 to 5"),
        ({"clip": "last:3"}, "write all, first:SECONDS"),
        ({"clip": "first:0"}, "write all"),
        ({"clip": "first:nan"}, "write all"),
    ],
)
def test_settings_out_of_range_are_refused(options, complaint):
    with pytest.raises(InputError, match=complaint):
        open_benchmark("muchomusic", options)


def test_prompts_may_be_replaced(data, tmp_path):
    (tmp_path / "question.txt").write_text("{examples}{question} | {options}")
    (tmp_path / "option.txt").write_text("({letter}) {text}")
    before = opened(data).fingerprint()
    options = {"prompts": str(tmp_path), "shots": 0, "repeats": 1}
    text = trials(data, **options)[0].messages[0].text
    assert text.startswith("Which tone sounds, asked 0? | (A) ")
    assert opened(data, **options).fingerprint() != before
    (tmp_path / "option.txt").write_text("{letter}")
    with pytest.raises(InputError, match=r"option.txt: no \{text\}"):
        trials(data, **options)
    (tmp_path / "option.txt").unlink()
    (tmp_path / "questions.txt").write_text("{question}")
    with pytest.raises(InputError, match="replaces no prompt"):
        trials(data, **options)


def test_braces_in_questions_are_only_braces(tmp_path):
    folder = make_data(tmp_path / "data", tracks=2)
    rows = question_rows(2)
    rows[0] |= {"question": "{options} {letter}?", "correct_answer": "{question}"}
    write_questions(folder, rows)
    assert "Question: {options} {letter}?\n" in trials(folder)[0].messages[0].text


@pytest.mark.parametrize("rms", [0.01, 0.2, 0.5, 0.7])
def test_noise_is_white_gaussian_and_as_loud_as_asked(rms):
    noise = gaussian_noise(100_000, rms, "a")
    assert 20 * np.log10(level(noise) / rms) == pytest.approx(0, abs=0.1)
    assert np.abs(noise).max() <= 1
    power = np.abs(np.fft.rfft(noise)) ** 2
    bands = [band.mean() for band in np.array_split(power[1:], 8)]
    assert max(bands) / min(bands) < 1.1
    if rms < 0.2:
        assert np.mean(np.abs(noise) < rms) == pytest.approx(0.6827, abs=0.01)
    assert np.array_equal(noise, gaussian_noise(100_000, rms, "a"))
    assert not np.array_equal(noise, gaussian_noise(100_000, rms, "b"))


@pytest.mark.parametrize("part", [(None, None), (0.5, 1.25)])
def test_noise_and_silence_match_the_part_that_is_played(tmp_path, part):
    path = tmp_path / "a.flac"
    stereo = np.stack([tone(440, 2, 0.1), tone(440, 2, 0.5)], axis=1)
    stereo[RATE:] *= 0.25
    soundfile.write(path, stereo, RATE)
    audio = Audio(str(path), audio_part(path).sha256, 2.0, *part)
    true = read_sound(load_clip(audio).data)
    noise, silence = noise_like(audio, "0"), silence_like(audio)
    for made in (noise, silence):
        sound = read_sound(made.path)
        assert (sound.rate, len(sound.samples)) == (RATE, len(true.samples))
        assert made.seconds == pytest.approx(true.seconds)
    assert level(read_sound(noise.path).samples) == pytest.approx(level(true.samples), rel=0.005)
    assert level(read_sound(silence.path).samples) == 0
    assert noise_like(audio, "0") == noise
    assert noise_like(audio, "1").sha256 != noise.sha256


def test_noise_for_silence_is_refused(tmp_path):
    soundfile.write(tmp_path / "a.wav", np.zeros(1000), RATE)
    with pytest.raises(InputError, match="silent"):
        noise_like(audio_part(tmp_path / "a.wav"), "0")


def test_what_is_played_is_what_the_condition_says(data):
    made = trials(data, audio="true,none,silence,noise,swap", repeats=1)
    genres = {t.cluster: t.tags["genre"] for t in made}
    own = {t.cluster: played(t)[0] for t in made if t.tags["audio"] == "true"}
    heard = Counter()
    for trial in made:
        audio, cluster = trial.tags["audio"], trial.cluster
        assert trial.groups[0] == f"audio={audio}"
        assert len(played(trial)) == (audio != "none")
        if audio == "swap":
            other = trial.tags["heard"]
            assert played(trial) == [own[other]]
            assert other != cluster
            assert other.split("/")[0] == cluster.split("/")[0]
            assert genres[other] != genres[cluster]
            heard[cluster, other] += 1
        if audio in ("silence", "noise"):
            sent = read_sound(played(trial)[0].path).samples
            true = read_sound(own[cluster].path).samples
            assert len(sent) == len(true)
            wanted = level(true) if audio == "noise" else 0
            assert level(sent) == pytest.approx(wanted, rel=0.01)
    texts = {}
    for trial in made:
        texts.setdefault(trial.tags["item"], set()).add(trial.messages[0].text)
    assert all(len(said) == 1 for said in texts.values())


def test_a_swap_of_one_genre_is_refused_unless_asked(tmp_path):
    folder = make_data(tmp_path / "data", tracks=4)
    rows = [{**row, "genre": "Rock"} for row in question_rows(4)]
    write_questions(folder, rows)
    with pytest.raises(InputError, match=r"no other track of another known genre.*give --swap-any"):
        trials(folder, audio="swap")
    others = {t.cluster: t.tags["heard"] for t in trials(folder, audio="swap", swap_any=True)}
    assert others["sdd/400"] == "sdd/402"
    write_questions(folder, [{**row, "genre": ""} for row in rows])
    with pytest.raises(InputError, match="give --swap-any"):
        trials(folder, audio="swap")


def test_a_swap_may_be_drawn_from_the_whole_set(data):
    """The paper takes any track of the data set; ours were of one source and another genre."""
    questions = {q["dataset_identifier"].removesuffix(".json"): q for q in question_rows(6)}

    def genres(folder, **options):
        made = trials(folder, audio="swap", repeats=1, **options)
        assert all(trial.tags["heard"] != trial.cluster for trial in made)
        return [(t.cluster.split("/"), t.tags["heard"].split("/"), t.tags["genre"]) for t in made]

    ours = genres(data)
    assert all(own[0] == other[0] for own, other, _ in ours)
    assert all(questions[other[1]]["genre"] != genre for _, other, genre in ours)
    whole = [pair for seed in range(5) for pair in genres(data, swap_from="all", seed=seed)]
    assert {own[0] == other[0] for own, other, _ in whole} == {True, False}
    assert {questions[other[1]]["genre"] == genre for _, other, genre in whole} == {True, False}


def test_a_second_copy_of_a_recording_is_no_swap(tmp_path):
    folder = make_data(tmp_path / "data", tracks=4)
    place_of(folder, "sdd", "402").write_bytes(place_of(folder, "sdd", "400").read_bytes())
    with pytest.raises(InputError, match="no other track"):
        trials(folder, audio="swap", swap_any=True)


@pytest.mark.parametrize(
    ("clip", "window"),
    [
        ("all", (None, None)),
        ("first:0.25", (0.0, 0.25)),
        ("middle:0.5", (0.25, 0.75)),
        ("first:30", (None, None)),
    ],
)
def test_the_clip_policy_cuts_and_is_logged(data, clip, window):
    made = trials(data, clip=clip, repeats=1, audio="true,noise,swap")
    for trial in (t for t in made if t.tags["dataset"] == "musiccaps"):
        sound = played(trial)[0]
        length = 1.0 if window[1] is None else window[1] - window[0]
        assert trial.tags["clip"] == clip
        assert trial.tags["seconds"] == pytest.approx(length)
        assert load_clip(sound).seconds == pytest.approx(length)
        if trial.tags["audio"] != "noise":
            assert (sound.start, sound.end) == window


def test_sounds_of_a_track_come_together(data):
    order = [t.cluster for t in trials(data, audio="true,noise")]
    assert [c for i, c in enumerate(order) if i == 0 or order[i - 1] != c] == list(
        dict.fromkeys(order)
    )


def test_published_rows_are_those_of_table_3():
    reference = find("muchomusic").published()
    rows = {name: row for name, row in reference.rows.items() if name in reference.own}
    assert rows["Qwen-Audio"] == {
        "all": {"accuracy": 0.514, "ifr": 0.897},
        "knowledge": {"accuracy": 0.511},
        "reasoning": {"accuracy": 0.51},
    }
    assert [round(100 * row["all"]["accuracy"], 1) for row in rows.values()] == [
        21.1, 32.4, 42.9, 41.8, 51.4, 25.0,
    ]  # fmt: skip
    assert [round(100 * row["all"]["ifr"], 1) for row in rows.values()] == [
        71.6, 79.4, 96.4, 99.8, 89.7, 100.0,
    ]  # fmt: skip
    assert Counter(reference.kinds[name] for name in rows) == {"model": 5, "chance": 1}
    assert json.dumps(rows)


def test_rotations_put_each_option_first(data):
    given = {"rotations": "all", "repeats": 2, "distractors": "ir,all"}
    benchmark = opened(data, **given)
    turned: dict[str, list] = {}
    for trial in benchmark.trials():
        turned.setdefault(trial.id.rpartition("/rotation=")[0], []).append(trial)
    plain = {trial.id: trial for trial in opened(data, **given | {"rotations": "none"}).trials()}
    assert turned.keys() == plain.keys()
    assert sum(map(len, turned.values())) == len(benchmark)
    for name, rotations in turned.items():
        assert rotations[0].options == plain[name].options
        firsts = {trial.options[0].key for trial in rotations}
        assert firsts == {option.key for option in plain[name].options}
        assert [trial.tags["rotation"] for trial in rotations] == list(range(len(firsts)))


def examples_with_sound(folder, data, *files):
    """A folder of prompts whose examples have recordings, none of them the data's."""
    (folder / "clips").mkdir(parents=True)
    entries = []
    for number, file in enumerate(files):
        soundfile.write(folder / "clips" / f"{number}.wav", tone(100 + 50 * number, 3.0), RATE)
        entry = {"question": f"Example {number}?", "options": ["right", "ir", "cu", "iu"]}
        entries.append(entry | ({"audio": file} if file else {}))
    (folder / "examples.json").write_text(json.dumps(entries))
    return opened(data, prompts=str(folder), shots=2, repeats=1, audio="true,noise,none",
                    distractors="ir,all", clip="first:2")  # fmt: skip


def test_worked_examples_with_sound_are_turns(tmp_path):
    data = make_data(tmp_path / "data", 2, 1)
    benchmark = examples_with_sound(tmp_path / "p", data, "clips/0.wav", "clips/1.wav")
    plain = {t.id: t for t in opened(data, repeats=1, audio="true,noise,none", shots=0,
                                       distractors="ir,all", clip="first:2").trials()}  # fmt: skip
    hashes = []
    for trial in benchmark.trials():
        roles = [message.role for message in trial.messages]
        assert roles == ["user", "assistant"] * 2 + ["user"]
        *examples, own = trial.messages
        assert own == plain[trial.id].messages[0]  # and nothing of the examples in its words
        none = trial.tags["audio"] == "none"
        for number, (asked, said) in enumerate(zip(examples[::2], examples[1::2], strict=True)):
            sounds = [part for part in asked.parts if hasattr(part, "seconds")]
            assert len(sounds) == (0 if none else 1)
            assert all(s.path.endswith(f"{number}.wav") and s.played == 2.0 for s in sounds)
            hashes += [s.sha256 for s in sounds]
            assert f"Example {number}?" in asked.text
            assert re.search(rf"^{said.text}\. right$", asked.text, re.MULTILINE)
            assert ("iu" in asked.text) == (trial.tags["distractors"] == "all")
        assert trial.tags["shots"] == "2 with sound"
    assert len(set(hashes)) == 2


def test_other_recordings_of_examples_are_other_data(tmp_path):
    data = make_data(tmp_path / "data", 2, 1)
    one = examples_with_sound(tmp_path / "p", data, "clips/0.wav", "clips/1.wav")
    two = examples_with_sound(tmp_path / "q", data, "clips/0.wav", "clips/1.wav")
    assert one.fingerprint() == two.fingerprint()  # where they lie is no matter
    (tmp_path / "q/clips/1.wav").write_bytes((tmp_path / "q/clips/0.wav").read_bytes())
    again = opened(data, prompts=str(tmp_path / "q"), shots=2, repeats=1, audio="true,noise,none",
                   distractors="ir,all", clip="first:2")  # fmt: skip
    assert again.fingerprint() != one.fingerprint()


@pytest.mark.parametrize(
    ("files", "words"),
    [
        (("clips/0.wav", ""), "1 of the 2 examples of --shots have a recording"),
        (("clips/0.wav", "clips/9.wav"), "'clips/9.wav' is not there"),
    ],
)
def test_examples_without_their_recordings_are_refused(tmp_path, files, words):
    data = make_data(tmp_path / "data", 2, 1)
    with pytest.raises(InputError, match=words):
        list(examples_with_sound(tmp_path / "p", data, *files).trials())
