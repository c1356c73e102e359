"""CMI-Bench: each reading by hand, made data end to end, and the values of published replies."""

import gzip
import json
import warnings
from fractions import Fraction

import numpy as np
import pytest

from cmi_help import LABELS, make_cmi, write_replies
from listening_help import complaint, section, zhiyin
from zhiyin.contract.registry import open_benchmark
from zhiyin.errors import adding
from zhiyin.plugins.benchmarks.cmi import events, tasks
from zhiyin.plugins.benchmarks.cmi import measures as choices
from zhiyin.plugins.benchmarks.cmi.benchmark import closed_sets, read_replies, task_of
from zhiyin.plugins.benchmarks.cmi.measures import JudgedReply, figures_of, mean_of, value_of
from zhiyin.plugins.benchmarks.cmi.tasks import TASKS, judge


def figure(measure, items):
    """One figure of some replies."""
    return figures_of([measure], items)[0]


VOICES = ("lip_trill", "trill", "trillo", "vocal_fry", "straight")


@pytest.mark.parametrize(
    ("reply", "label"),
    [
        ("vocal fry", "vocal_fry"),
        ("Vocal-Fry.", "vocal_fry"),
        ("It is a lip trill", "lip_trill"),
        ("trill", "trill"),
        ("trillo", "trillo"),
        ("trill or trillo", None),
        ("vibato", None),
        ("", None),
    ],
)
def test_a_label_is_read_in_whole_words(reply, label):
    assert choices.read_label(reply, VOICES)[0] == label


def test_by_the_published_rule_a_label_that_holds_another_is_never_right():
    assert not choices.published_right("lip_trill", "lip_trill", VOICES)
    assert choices.published_right("trill", "trill", VOICES)
    assert not choices.published_right("49", "49", ("9", "49"))
    assert choices.published_right("rock", "This is rock-music.", ("rock", "jazz"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("reply", "key", "theirs"),
    [
        ("G# minor", "Ab minor", "Ab minor"),
        ("Am", "A minor", "A minor"),
        ("F#", "Gb major", "Gb major"),
        ("The key is C# major.", "Db major", None),  # a sharp elsewhere is not respelled
        ("A major or A minor", None, "A major"),
        ("e flat minor", "Eb minor", None),
        ("A nice song", None, None),
    ],
)
def test_keys(reply, key, theirs):
    assert choices.read_key(reply)[0] == key
    assert choices.published_key(reply) == theirs


@pytest.mark.parametrize(
    ("reply", "ours", "theirs"),
    [
        ("7", 7, 7),
        ("6.5", 6.5, 6.5),
        ("5 out of 9", 5, 5),
        ("On a scale from 1 to 9, I say 4.", 4, 4),
        ("between 6 and 8", None, 6),
        ("about 120 bpm", None, None),
        ("4/4 time signature, so 3", 3, 3),
    ],
)
def test_numbers(reply, ours, theirs):
    assert events.read_number(reply)[0] == ours
    assert events.published_number(reply) == theirs


def test_a_full_stop_makes_the_published_item_nothing():
    label = "0.5s,1.0s,1.5s,2.0s"
    with_stop, without = (events.score_beats(label, label + end)[0] for end in (".", ""))
    assert without["published_f"] == without["f_whole"] == with_stop["f_whole"] == 1
    assert with_stop["published_f"] == 0
    assert events.published_times("1:02s, 3s") == [3, 62]
    assert events.read_times("At 120 bpm: 0.5s, 1.0s and so on")[0] == [0.5, 1.0]
    assert events.read_times("I hear 4 beats")[0] == []


def test_the_first_five_seconds_are_left_out_by_the_standard():
    label = "0.5s,1.0s,6.0s,6.5s,7.0s"
    scores, _ = events.score_beats(label, "6.0s,6.5s,7.0s")
    assert scores["f"] == 1
    assert scores["f_whole"] == pytest.approx(2 * 3 / 8)


def test_melodies():
    assert events.read_melody("[(0.52, 'A4'), (1:02, 69), (2.0, '')]") == [
        (0.52, 69),
        (2, 0),
        (62, 69),
    ]
    label = LABELS["MedleyDB"][0]
    assert events.score_melody(label, label)[0] == {"overall": 1, "read": 1}
    assert events.score_melody(label, "la la")[0] == {"overall": 0, "read": 0}


def test_lyrics_pooled_and_by_clip():
    lead = "The lyrics of the song are: "
    scores, _ = tasks.score_lyrics("SOME DAYS I'M RICH", lead + "Some days, I'm 2 rich")
    assert (scores["word_edits"], scores["words"], scores["wer"]) == (1, 4, 0.25)
    items = [
        JudgedReply("", "", str(k), tasks.score_lyrics(label, said)[0])
        for k, (label, said) in enumerate([("A B C D", "A B C D"), ("A", "x y z")])
    ]
    by_clip, pooled = (figure(m, items).value for m in (tasks.LYRICS[0], tasks.LYRICS[2]))
    assert by_clip == pytest.approx(1.5)
    assert pooled == pytest.approx(3 / 5)


@pytest.mark.slow
def test_bleu_is_over_characters_as_published_and_over_words_by_the_standard():
    from nltk.translate.bleu_score import corpus_bleu

    pairs = [
        ("a calm song with a piano and voice", "a calm song with a soft piano and voice"),
        ("fast drums and a bass line here", "fast drums and a bass here"),
    ]
    items = [JudgedReply(a, b, a, tasks.score_description(a, b)[0]) for a, b in pairs]
    found = {m.name: figure(m, items).value for m in tasks.DESCRIPTIONS}
    wanted = corpus_bleu([[a.split()] for a, _ in pairs], [b.split() for _, b in pairs])
    assert found["BLEU over words, corpus"] == pytest.approx(wanted)
    assert found["BLEU over characters"] > wanted


@pytest.mark.slow
def test_texts_that_share_nothing_are_scored_without_a_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scores, _ = tasks.score_description("fast drums", "zzz")
    assert scores["bleu_characters"] == pytest.approx(0, abs=1e-60)
    assert scores["shared_1"] == scores["rouge_f"] == 0


def test_areas_equal_those_of_scikit_learn():
    from sklearn.metrics import average_precision_score, f1_score, roc_auc_score

    rng = np.random.default_rng(3)
    names = ["calm", "dark", "new age", "soft"]
    items = [
        JudgedReply(
            ", ".join(n for n in names if rng.random() < 0.4),
            " and ".join(n for n in names if rng.random() < 0.5),
            str(k),
        )
        for k in range(60)
    ]
    wanted = np.array([[n in tasks.tags_of(i.label) for n in names] for i in items])
    named = np.array([[n in tasks.read_tags(i.reply, names) for n in names] for i in items])
    found = {m.name: figure(m, items) for m in tasks.tag_measures()}
    assert found["ROC-AUC"].value == pytest.approx(roc_auc_score(wanted, named, average="macro"))
    assert found["PR-AUC"].value == pytest.approx(average_precision_score(wanted, named))
    assert found["micro F1"].value == pytest.approx(f1_score(wanted, named, average="micro"))
    assert found["ROC-AUC"].low < found["ROC-AUC"].value < found["ROC-AUC"].high


def test_by_the_literal_rule_a_tag_with_a_blank_has_no_positive():
    items = [JudgedReply("no vocal", "no vocal", "1"), JudgedReply("rock", "rocket", "2")]
    found = {m.name: figure(m, items).value for m in tasks.tag_measures()}
    assert found["PR-AUC, literal"] == 1  # of "rock" alone, which "rocket" holds
    assert found["PR-AUC, literal, over all tags"] == 0.5
    assert found["PR-AUC"] == pytest.approx((1 + 0.5) / 2)
    # All tags are those of the published set, also where these labels lack some.
    known = {m.name: figure(m, items).value for m in TASKS["MTT"].measures}
    assert known["PR-AUC, literal, over all tags"] == pytest.approx(1 / 50)
    assert known["PR-AUC, literal"] == 1


def test_published_events_are_the_first_alone():
    text = "[('0.0', '1.0', 'Vibrato'), ('2.0', '3.0', 'Tremolo')]"
    assert len(events.read_events(text)) == 2
    assert events.published_events(text) == [(0, 1, 0)]
    assert events.read_events("[('0.0', '10.0', 'No Tech')]") == []
    items = [JudgedReply(text, "[('0.0', '1.0', 'Vibrato')]", "1"), JudgedReply(text, text, "2")]
    first, _, every, _ = (figure(m, items).value for m in events.EVENT_MEASURES)
    assert first == 1
    assert every == pytest.approx(2 * 300 / 700)


def test_events_of_a_later_clip_are_counted_from_its_beginning():
    """The labels of the second clip of a recording run from 10 to 20 s; models hear 0 to 10."""
    label = "[('12.0', '13.0', 'Vibrato'), ('19.5', '20.4', 'Tremolo')]"
    reply = "[('2.0', '3.0', 'Vibrato'), ('9.5', '10.0', 'Tremolo')]"
    for heard in (reply, label):
        _, _, every, _ = (
            figure(m, [JudgedReply(label, heard, "1")]).value for m in events.EVENT_MEASURES
        )
        assert every == 1
    late = JudgedReply(label, "[('5.0', '6.0', 'Vibrato')]", "1")
    _, _, every, _ = (figure(m, [late]).value for m in events.EVENT_MEASURES)
    assert every == 0


def test_a_reply_of_endless_digits_is_scored():
    for digits in (400, 5000):
        scores, _ = tasks.score_lyrics("HELLO WORLD", "hello " + "9" * digits)
        assert scores["wer"] == 0.5


@pytest.mark.parametrize(
    ("reply", "number"),
    [("7/9 because it is lively", 7.0), ("I'd say 6/9 overall", 6.0), ("a 4/4 groove, so 6", 6.0)],
)
def test_a_number_out_of_nine_is_read_whatever_follows(reply, number):
    assert events.read_number(reply)[0] == number


def test_r2_standardises_numbers_and_takes_a_missing_one_for_the_mean():
    """By the definition in words, against the sums."""
    labels, said = [-1.0, 0.5, 1.25, -0.5, 0.2], [2.0, 6.0, 9.0, None, 4.0]
    found = [x for x in said if x is not None]
    mean, spread = np.mean(found), np.std(found)
    z = [0 if x is None else (x - mean) / spread for x in said]
    wanted = 1 - np.sum((np.array(labels) - z) ** 2) / np.sum((labels - np.mean(labels)) ** 2)
    scores = [{} if x is None else {"published": x, "number": x} for x in said]
    items = [
        JudgedReply(str(y), "", str(k), s)
        for k, (y, s) in enumerate(zip(labels, scores, strict=True))
    ]
    assert figure(events.NUMBER_MEASURES[0], items).value == pytest.approx(wanted)
    rest = [k for k, x in enumerate(said) if x is not None]
    r = np.corrcoef([labels[k] for k in rest], found)[0, 1]
    assert figure(events.NUMBER_MEASURES[1], items).value == pytest.approx(r)
    same = [JudgedReply(i.label, "", i.clip, {"published": 5.0, "number": 5.0}) for i in items]
    assert figure(events.NUMBER_MEASURES[0], same).value is None  # there the script stops


def test_intervals_are_by_clip_and_absent_where_nothing_varies():
    measure = mean_of("x", "x", published=False)
    alone = [JudgedReply("", "", str(k), {"x": float(k % 2)}) for k in range(40)]
    twice = [JudgedReply("", "", i.clip, i.scores) for i in alone for _ in range(4)]
    one, four = figure(measure, alone), figure(measure, twice)
    assert (one.value, one.low, one.high) == (four.value, four.low, four.high)
    assert 0.3 < one.low < 0.5 < one.high < 0.7
    assert figure(measure, [JudgedReply("", "", str(k), {"x": 0.0}) for k in range(9)]).low is None
    assert figure(measure, alone[:1]).low is None


def right(label, index):
    return label


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return make_cmi(tmp_path_factory.mktemp("cmi"))


@pytest.mark.slow
def test_right_replies_to_made_data(capsys, data, tmp_path):
    made = list(open_benchmark("cmi", {"data": str(data)}).trials())
    assert len(made) == 4 * len(LABELS)
    assert all(trial.target not in trial.messages[0].text for trial in made if trial.target)
    lines = [{"id": t.id, "text": t.target or "nothing"} for t in made]
    lines = [
        x | {"text": {"-1.0": "2", "0.5": "6", "1.25": "9", "-0.5": "4"}.get(x["text"], x["text"])}
        for x in lines
    ]
    (tmp_path / "answers.jsonl").write_text("\n".join(map(json.dumps, lines)))
    run = ("run", "cmi", "--data", data, "-m", f"replay:{tmp_path / 'answers.jsonl'}")
    status, summary = zhiyin(capsys, *run, "--out", tmp_path / "run")
    assert status == 0, summary
    assert summary["groups"]["classification"]["accuracy"] == 1
    assert summary["groups"]["classification"]["n"] == 16
    both = {}
    for part in summary["details"]:
        for task, name, _, value, *_ in part["rows"]:
            both[part["title"], task, name] = value
    field = {k[1:]: v for k, v in both.items() if "field" in k[0]}
    assert field["GS_key", "weighted score, %"] == 100
    assert field["gtzan_beat", "F, %"] == field["MedleyDB", "overall accuracy, %"] == 100
    assert field["DSing", "WER, pooled, %"] == 0
    assert field["Guzheng_Tech", "micro F1 of all events, %"] == 100
    assert field["MTT", "micro F1, %"] == 100
    theirs = {k[1:]: v for k, v in both.items() if "script" in k[0]}
    assert theirs["VocalSet_tech", "accuracy, %"] == 75  # the lip trill holds a trill
    assert theirs["Nsynth_pitch", "accuracy, %"] == 50  # 49 and 69 hold a 9
    status, again = zhiyin(capsys, "rescore", tmp_path / "run", "--extract", "robust")
    assert status == 0, again


def test_a_part_and_its_remarks(capsys, data, tmp_path):
    silent = tmp_path / "silent.py"
    silent.write_text("def answer(messages):\n    return 'I cannot say.'\n")
    status, summary = zhiyin(
        capsys, "run", "cmi", "--data", data, "-m", f"python:{silent}:answer",
        "--out", tmp_path / "run", "--tasks", "gtzan,EMO_arousal,gtzan_beat",
    )  # fmt: skip
    assert status == 0, summary
    assert summary["groups"]["classification"]["accuracy"] == 0
    notes = [note for part in summary["details"] for note in part["notes"]]
    assert any("4 of 4 in EMO_arousal; 4 of 4 in gtzan_beat" in note for note in notes)
    rows = [row for part in summary["details"] for row in part["rows"] if row[0] == "EMO_arousal"]
    assert all(row[3] is None for row in rows)  # no number, no R²: not 0


@pytest.mark.slow
def test_published_replies_become_one_run(capsys, tmp_path):
    files = [write_replies(tmp_path / f"made_{task}.jsonl", task, right) for task in LABELS]
    status, summary = zhiyin(capsys, "import", "cmi", *files, "--out", tmp_path / "run")
    assert status == 0, summary
    assert summary["model"] == "made"
    assert summary["trials"] == 4 * len(LABELS)
    rows, _ = section(summary, "By the published script")
    assert rows["VocalSet_tech"]["value"] == 75
    (tmp_path / "CMI_GTZAN.jsonl").write_text("a question file is none of replies")
    again = tmp_path / "again"
    status, same = zhiyin(capsys, "import", "cmi", tmp_path, "--out", again)
    assert (status, same["trials"]) == (0, summary["trials"])


def test_a_packed_file_of_several_parts_is_read_whole(tmp_path):
    rows = json.loads(write_replies(tmp_path / "made_GTZAN.jsonl", "GTZAN", right).read_text())
    lines = [json.dumps(row).encode() + b"\n" for row in rows]
    packed = tmp_path / "made_GTZAN.jsonl.gz"
    packed.write_bytes(gzip.compress(b"".join(lines[:1])) + gzip.compress(b"".join(lines[1:])))
    assert [reply.reply for reply in read_replies(packed)] == [row["response"] for row in rows]


def test_bad_input_is_one_line(capsys, tmp_path):
    path = write_replies(tmp_path / "made_GTZAN.jsonl", "GTZAN", right)
    out = ("--out", tmp_path / "run")
    twin = write_replies(tmp_path / "other_GTZAN.jsonl", "GTZAN", right)
    assert "one file a task" in complaint(capsys, "import", "cmi", path, twin, *out)
    (tmp_path / "none").mkdir()
    assert "no MODEL_TASK.jsonl" in complaint(capsys, "import", "cmi", tmp_path / "none", *out)
    odd = tmp_path / "made_Polka.jsonl"
    odd.write_text("[]")
    assert "names no task" in complaint(capsys, "import", "cmi", odd, *out)
    for text, told in (
        ("[]", "holds no replies"),
        ("[1", "not JSON"),
        ('[{"question": "x"}]', "item 1: response is no text"),
        ('[{"question": "x", "response": "y", "audioid": "z"}]', "correct_answer is no text"),
    ):
        path.write_text(text)
        assert told in complaint(capsys, "import", "cmi", path, *out)
    packed = tmp_path / "made_GTZAN.jsonl.gz"
    packed.write_bytes(b"no gzip")
    assert "no whole gzip file" in complaint(capsys, "import", "cmi", packed, *out)
    for torn in (gzip.compress(b"[]")[:-9], b""):
        packed.write_bytes(torn)
        assert "no whole gzip file" in complaint(capsys, "import", "cmi", packed, *out)
    key = write_replies(tmp_path / "made_GS_key.jsonl", "GS_key", right)
    key.write_text(key.read_text().replace("Ab minor", "H minor"))
    assert "'H minor' is no key" in complaint(capsys, "import", "cmi", key, *out)


def test_bad_data_is_one_line(capsys, tmp_path):
    data = make_cmi(tmp_path / "data", ("GTZAN", "EMO_arousal"))
    run = ("run", "cmi", "-m", "first", "--out", tmp_path / "run", "--data")
    assert "did you mean" in complaint(capsys, *run, data, "--tasks", "GTZAM")
    assert "no CMI_MTT.jsonl" in complaint(capsys, *run, data, "--tasks", "GTZAN,MTT")
    assert "no CMI_" in complaint(capsys, *run, tmp_path)
    assert "no question of the split" in complaint(capsys, *run, data, "--split", "tast")
    (data / "data/GTZAN/clip-2.wav").unlink()
    assert "no recording for 1 of 8" in complaint(capsys, *run, data)
    path = data / "labels/CMI_EMO_arousal.jsonl"
    text = path.read_text()
    for old, new, told in (
        ('"0.5"', '"loud"', "'loud' is no number"),
        ('"instruction"', '"order"', "line 1: no instruction"),
        ('"split"', '"part"', "split is no list"),
        ("data/EMO_arousal/clip-0", "../../x", "leaves the folder"),
    ):
        path.write_text(text.replace(old, new))
        assert told in complaint(capsys, *run, data)


def test_a_library_that_is_missing_is_named(capsys, tmp_path, monkeypatch):
    import sys

    path = write_replies(tmp_path / "made_DSing.jsonl", "DSing", right)
    monkeypatch.setitem(sys.modules, "jiwer", None)
    line = complaint(capsys, "import", "cmi", path, "--out", tmp_path / "run")
    assert f"jiwer is not installed: {adding('mir')}" in line


@pytest.mark.slow
def test_the_flaws_of_the_published_questions(capsys, shared):
    if not (shared / "cmi").is_dir():
        pytest.skip("no data of CMI-Bench in the shared folder")
    status, found = zhiyin(capsys, "data", "check", "cmi", "--data", shared / "cmi", "--partial")
    assert status == 2
    kinds = [(flaw["kind"], flaw["id"]) for flaw in found["flaws"]]
    assert ("label-within-label", "lip_trill") in kinds
    assert ("label-within-label", "trillo") in kinds
    assert sum(k == "repeated-clip" and i.startswith("DSing") for k, i in kinds) == 2


PUBLISHED = {
    "GTZAN": ("accuracy", 0.6241, 0.5034),
    "Nsynth_instrument": ("accuracy", 0.3762, 0.1580),
    "Nsynth_pitch": ("accuracy", 0.0151, 0.0073),
    "VocalSet_tech": ("accuracy", 0.1482, 0.0816),
    "GS_key": ("weighted score, exactly right", (0.0777, 0.0179), (0.0855, 0.0395)),
    "EMO_arousal": ("R²", -0.4846, -1.1628),
    "EMO_valence": ("R²", -0.5295, -1.1698),
    "MTG_emotion": ("ROC-AUC, PR-AUC", (0.5583, 0.0627), (0.5102, 0.0362)),
    "MTG_genre": ("ROC-AUC, PR-AUC", (0.5571, 0.0662), (0.5301, 0.0427)),
    "MTG_instrument": ("ROC-AUC, PR-AUC", (0.5431, 0.0894), (0.5356, 0.0773)),
    "MTT": ("ROC, PR, PR of all", (0.6002, 0.1391, 0.1168), (0.6241, 0.1463, 0.1229)),
    "gtzan_beat": ("F, CMLt, AMLt", (0.0750, 0.0204, 0.0369), (0.0396, 0.0040, 0.0122)),
    "gtzan_downbeat": ("F, CMLt, AMLt", (0.0597, 0.0001, 0.0059), (0.0306, 0.0040, 0.0179)),
    "ballroom_beat": ("F, CMLt, AMLt", (0.0712, 0.0201, 0.0386), (0.0469, 0.0050, 0.0168)),
    "ballroom_downbeat": ("F, CMLt, AMLt", (0.0569, 0.0001, 0.0121), (0.0347, 0.0075, 0.0250)),
    "DSing": ("WER, CER", (7.9299, 8.1859), (2.7569, 2.6261)),
    "SDD": ("BLEU, BLEU-4, ROUGE-L", (0.2340, 0.1250, 0.2847), (0.1514, 0.0741, 0.1292)),
    "Guzheng_Tech": ("micro F1, macro F1", (0.000344, 0.000094), (0, 0)),
}


@pytest.mark.slow
@pytest.mark.sample(5)
@pytest.mark.parametrize("task", PUBLISHED)
@pytest.mark.parametrize("model", ["qwen2", "flamingo"])
def test_the_values_of_the_published_replies(shared, model, task):
    files = sorted((shared / "cmi" / "results" / model).glob(f"{model}_{task}.jsonl*"))
    if not files:
        pytest.skip("no published replies of CMI-Bench in the shared folder")
    said = read_replies(files[0])
    assert task_of(files[0]) == TASKS[task]
    labels = closed_sets([each.clip for each in said]).get(task, "").split("|")
    items = [
        JudgedReply(
            s.clip.label,
            s.reply,
            s.clip.recording,
            judge(TASKS[task], s.clip.label, s.reply, labels).scores,
        )
        for s in said
    ]
    wanted = PUBLISHED[task][1 if model == "qwen2" else 2]
    found = [value_of(m, items) for m in TASKS[task].measures if m.published]
    wanted = wanted if isinstance(wanted, tuple) else (wanted,)
    assert found[: len(wanted)] == pytest.approx(wanted, abs=5.1e-5)


F = Fraction


def test_keys_and_notes_as_they_are_named():
    majors = ["C", "D", "E", "F", "G", "A", "B"]
    assert [choices.read_key(f"{m} major")[0] for m in majors] == [f"{m} major" for m in majors]
    assert choices.published_key("zam") == "A minor"
    assert choices.published_key("zzam") is None
    assert choices.published_key("d") == "D major"
    sharps = {"C#": "Db", "D#": "Eb", "F#": "Gb", "G#": "Ab", "A#": "Bb", "E#": None}
    for name, flat in sharps.items():
        assert choices.published_key(f"{name} minor") == (flat and f"{flat} minor")
        assert choices.published_key(name) == (flat and f"{flat} major")
    named = ", ".join(f"({n}, '{m}4')" for n, m in enumerate(majors))
    assert [midi for _, midi in events.read_melody(named)] == [60, 62, 64, 65, 67, 69, 71]
    assert events.read_melody("(0.5, 'Bb-1'), (1, '')") == [(0.5, 10.0), (1.0, 0.0)]


def test_sums_of_tags_by_hand():
    """Three tags of four clips: one that all have, one named well, one that nobody has."""
    sums = np.array([4.0, 4, 2, 0, 4, 3, 1, 4, 2, 0])
    with np.errstate(all="ignore"):
        assert tasks.roc_auc(sums) == pytest.approx(0.5 * (1 + 2 / 2 - 1 / 2))
        assert tasks.pr_auc(sums) == pytest.approx((1 + 2 / 3) / 2)
        assert tasks.pr_auc_all(sums) == pytest.approx((1 + 2 / 3) / 3)
    assert tasks.micro_f1(sums) == pytest.approx(2 * 6 / (6 + 8))


def test_r_squared_is_a_square():
    x, y = np.array([1.0, 2, 4, 4]), np.array([1.0, 3, 2, 5])
    moments = [4, 0, 0, 4, x.sum(), x @ x, x @ y, y.sum(), y @ y]
    r = np.corrcoef(x, y)[0, 1]
    assert events._correlation(np.array(moments)) == pytest.approx(r)
    assert events._squared(np.array(moments)) == pytest.approx(r * r)
