"""MuChoMusic's files: what is read, what is refused, where recordings are found."""

import json

import numpy as np
import pytest
import soundfile
from hypothesis import given
from hypothesis import strategies as st

from muchomusic_help import (
    RATE,
    identifiers,
    make_data,
    opened,
    pitch,
    place_of,
    question_rows,
    tone,
    write_questions,
)
from zhiyin.cli import main
from zhiyin.contract.registry import find, open_benchmark
from zhiyin.errors import InputError
from zhiyin.plugins.benchmarks.muchomusic.questions import (
    KNOWLEDGE,
    REASONING,
    groups_of,
    read_labels,
    read_questions,
)
from zhiyin.plugins.benchmarks.muchomusic.recordings import find_recordings
from zhiyin.trial import Audio


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return make_data(tmp_path_factory.mktemp("muchomusic"))


@pytest.fixture(autouse=True)
def _cache(tmp_path, monkeypatch):
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "cache"))


def sounds(benchmark):
    return [part for t in benchmark.trials() for m in t.messages for part in m.parts[:-1]]


def changed(folder, row=1, **cells):
    """A file of questions in which one row (from 1) has other cells."""
    rows = question_rows(4)
    rows[row - 1] |= cells
    return write_questions(folder, rows)


@given(st.lists(st.text(max_size=12), max_size=5))
def test_a_list_of_strings_is_read_as_it_was_written(labels):
    wanted = dict.fromkeys(label.strip() for label in labels if label.strip())
    assert read_labels(repr(labels)) == tuple(wanted)


@given(st.text(max_size=60))
def test_nothing_but_a_list_of_strings_is_read(text):
    try:
        labels = read_labels(text)
    except ValueError:
        return
    assert all(label and label == label.strip() for label in labels)
    assert text.strip() in ("", "nan") or text.strip()[0] == "["


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')",
        "['melody'] + ['harmony']",
        "[open('/etc/passwd').read()]",
        "('melody',)",
        "'melody'",
        "['melody', 3]",
        "[['melody']]",
        "{'melody'}",
        "['melody'",
        "[" * 300 + "]" * 300,
        "['" + "a" * 20_000 + "']",
    ],
)
def test_a_literal_that_is_code_or_another_type_is_refused_with_its_line(tmp_path, text):
    path = changed(tmp_path, 3, music_knowledge=text)
    with pytest.raises(InputError, match=r"muchomusic.csv:4: .*music_knowledge is .*: write"):
        read_questions(path)


@pytest.mark.parametrize(
    ("cells", "complaint"),
    [
        ({"distractor_2_answer": " "}, ":3: item .*: distractor_2_answer is blank"),
        ({"correct_answer": ""}, ":3: item .*: correct_answer is blank"),
        ({"question": ""}, ":3: item .*: question is blank"),
        ({"dataset_identifier": "../../x.json"}, "name no track"),
        ({"dataset": "sdd", "dataset_identifier": "x.json"}, "name no track"),
        ({"dataset": "sdd", "dataset_identifier": "401.json"}, None),
    ],
)
def test_a_row_that_cannot_be_asked_is_refused(tmp_path, cells, complaint):
    path = changed(tmp_path, 2, **cells)
    if complaint is None:
        assert read_questions(path)[1].id == "sdd/401/1"
        return
    with pytest.raises(InputError, match=complaint):
        read_questions(path)


def test_an_id_in_two_data_sets_is_refused(tmp_path):
    path = changed(tmp_path, 4, dataset_identifier="400.json")
    with pytest.raises(InputError, match=":5: item musiccaps/400: 400 is in sdd too, on line 2"):
        read_questions(path)


def test_lines_are_those_of_an_editor(tmp_path):
    path = changed(tmp_path, 1, question="Two\nlines?")
    assert [question.line for question in read_questions(path)][:3] == [2, 4, 5]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("question,genre\na,b\n", "no column correct_answer"),
        ("", "no column question"),
        ('"question\n', "not CSV"),
    ],
)
def test_a_file_of_another_kind_is_refused(tmp_path, text, complaint):
    (tmp_path / "muchomusic.csv").write_text(text)
    with pytest.raises(InputError, match=complaint):
        read_questions(tmp_path / "muchomusic.csv")


def test_groups_are_the_papers_dimensions():
    assert (len(KNOWLEDGE), len(REASONING)) == (7, 6)
    groups = groups_of(
        ("performance", "dynamics and expression", "Metre and Rhythm"),
        ("lyrics", "odd one"),
        "Folk, World, & Country",
        "sdd",
    )
    assert groups == (
        "knowledge", "knowledge/performance", "knowledge/performance/performance",
        "knowledge/performance/dynamics_and_expression", "knowledge/metre_and_rhythm",
        "reasoning", "reasoning/interpretation_of_lyrics", "reasoning/odd_one",
        "genre/folk_world_country", "source/sdd",
    )  # fmt: skip


def test_recordings_are_found_in_the_published_layout(data):
    questions = read_questions(data / "muchomusic.csv")
    found = find_recordings(data, questions)
    assert [r.open() for r in found.values()] == [place_of(data, *i) for i in identifiers(6)]
    assert {r.declared for r in found.values()} == {1.0}


def test_recordings_are_found_by_identifier_with_any_ending(tmp_path):
    write_questions(tmp_path, question_rows(4))
    places = ["audio/sdd/400.ogg", "audio/-x_1Y_10.wav", "audio/402.2min.mp3", "audio/-x_3Y_30.x"]
    kinds = ["OGG", "WAV", "MP3", "FLAC"]
    for place, kind in zip(places, kinds, strict=True):
        path = tmp_path / place
        path.parent.mkdir(parents=True, exist_ok=True)
        soundfile.write(path, tone(300), RATE, format=kind)
    found = find_recordings(tmp_path, read_questions(tmp_path / "muchomusic.csv"))
    assert [r.open() for r in found.values()] == [tmp_path / place for place in places]
    assert len(sounds(opened(tmp_path, repeats=1))) == 8
    (tmp_path / "audio" / "402.wav").write_bytes(b"")
    with pytest.raises(InputError, match="402 too; keep one"):
        len(opened(tmp_path))


@pytest.mark.parametrize("by", ["dataset_identifier", "instruction"])
def test_recordings_are_unpacked_from_parquet_when_they_are_heard(tmp_path, by):
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    rows = question_rows(4)
    write_questions(tmp_path, rows)
    columns = {"answer": [f"(B) {row['correct_answer']}" for row in rows]}
    if by == "instruction":  # the same question on every track: the answer tells them apart
        columns["instruction"] = [row["question"] for row in rows]
    else:
        columns[by] = [row[by] for row in rows]
    encoded = []
    for index in range(4):
        path = tmp_path / "one.wav"
        soundfile.write(path, tone(pitch(index)), RATE)
        encoded += [{"bytes": path.read_bytes(), "path": "x.wav"}] * 2
    path.unlink()
    (tmp_path / "data").mkdir()
    table = pa.table({**columns, "context": encoded})
    parquet.write_table(table, tmp_path / "data" / "test.parquet", row_group_size=3)
    benchmark = opened(tmp_path, repeats=1)
    assert len(benchmark) == 8
    cache = tmp_path / "cache" / "muchomusic"
    assert not cache.exists()
    heard = sounds(benchmark)
    assert len(list(cache.iterdir())) == 4
    for index, sound in enumerate(heard[::2]):
        samples, rate = soundfile.read(sound.path)
        assert np.abs(np.fft.rfft(samples)).argmax() * rate / len(samples) == pitch(index)


def test_what_is_no_parquet_is_refused(tmp_path):
    pytest.importorskip("pyarrow")
    write_questions(tmp_path, question_rows(2))
    (tmp_path / "a.parquet").write_bytes(b"PAR0")
    with pytest.raises(InputError, match="not a Parquet file"):
        len(opened(tmp_path))


@pytest.mark.parametrize(
    ("audio", "told"), [("true,noise", True), ("noise,swap", False), ("true", False)]
)
def test_what_all_is_over_is_said_where_it_is_so(data, audio, told):
    """A run of altered sound alone had figures of everything "over the true sound"."""
    remarks = opened(data, audio=audio).remarks()
    assert any("main way" in str(remark) for remark in remarks) == told


def test_missing_recordings_are_named_and_partial_runs_the_rest(data, tmp_path):
    folder = make_data(tmp_path / "part")
    for name in identifiers(6)[:2]:
        place_of(folder, *name).unlink()
    with pytest.raises(InputError, match=r"2 of 6 \(sdd/400, musiccaps/-x_1Y_10\)"):
        len(opened(folder))
    benchmark = opened(folder, partial=True)
    assert len(benchmark) == 8 * 3
    assert any("4 of 12 questions left out" in str(remark) for remark in benchmark.remarks())
    whole = {t.id: t for t in opened(data).trials()}
    for trial in benchmark.trials():
        assert trial.options == whole[trial.id].options
    for name in identifiers(6)[2:]:
        place_of(folder, *name).unlink()
    with pytest.raises(InputError, match="6 of 6"):
        len(opened(folder, partial=True))
    assert len(opened(folder, audio="none")) == 36


def test_a_corrupt_recording_is_refused_before_anything_is_asked(tmp_path):
    folder = make_data(tmp_path / "data")
    path = place_of(folder, "sdd", "400")
    path.write_bytes(b"ID3" + bytes(range(256)) * 20)
    with pytest.raises(InputError, match=r"400\.2min\.mp3: not audio"):
        opened(folder).fingerprint()


def test_the_fingerprint_is_of_content_and_not_of_places(data, tmp_path):
    same = make_data(tmp_path / "same")
    assert opened(data).fingerprint() == opened(same).fingerprint()
    path = place_of(same, "musiccaps", "-x_1Y_10")
    soundfile.write(path, tone(777), RATE)
    assert opened(data).fingerprint() != opened(same).fingerprint()
    other = make_data(tmp_path / "other")
    rows = question_rows(6)
    rows[0]["distractor_1_answer"] = "Another"
    write_questions(other, rows)
    assert opened(data).fingerprint() != opened(other).fingerprint()


def kinds(flaws, kind):
    return [flaw.id for flaw in flaws if flaw.kind == kind]


def test_check_decodes_every_file_and_lists_every_flaw(tmp_path, capsys):
    folder = make_data(tmp_path / "data", tracks=8)
    rows = question_rows(8)
    rows[1]["distractor_3_answer"] = rows[1]["correct_answer"].upper()
    rows[2]["distractor_3_answer"] = rows[2]["distractor_2_answer"]
    rows[3]["music_knowledge"] = "['lyrics', 'taste']"
    rows[5]["genre"] = "Jazz"
    rows.append(rows[4])
    rows.append({**rows[6], "music_reasoning": "print()"})
    rows.append({**rows[6], "distractor_1_answer": ""})
    rows.append({**rows[4], "dataset": "musiccaps"})
    write_questions(folder, rows)
    names = identifiers(8)
    place_of(folder, *names[0]).unlink()
    place_of(folder, *names[1]).write_bytes(b"no sound")
    soundfile.write(place_of(folder, *names[3]), np.zeros(RATE), RATE)
    soundfile.write(place_of(folder, *names[5]), tone(300, 0.3), RATE)
    place_of(folder, *names[7]).write_bytes(place_of(folder, *names[5]).read_bytes())
    result = find("muchomusic").check({"data": str(folder), "partial": False})
    flaws = result.flaws
    assert result.items == 17
    assert kinds(flaws, "missing") == ["sdd/400"]
    assert kinds(flaws, "unreadable") == ["musiccaps/-x_1Y_10"]
    assert kinds(flaws, "silent") == ["musiccaps/-x_3Y_30"]
    assert kinds(flaws, "short") == ["musiccaps/-x_5Y_50", "musiccaps/-x_7Y_70"]
    assert kinds(flaws, "duplicate") == ["musiccaps/-x_7Y_70"]
    assert kinds(flaws, "target-among-distractors") == ["sdd/400/2"]
    assert kinds(flaws, "repeated-option") == ["musiccaps/-x_1Y_10/1"]
    assert kinds(flaws, "unknown-dimension") == ["musiccaps/-x_1Y_10/2"] * 2
    assert kinds(flaws, "conflicting-genre") == ["sdd/402/2"]
    assert kinds(flaws, "repeated-question") == ["sdd/402/3"]
    assert kinds(flaws, "bad-list") == ["musiccaps/-x_3Y_30.json"]
    assert kinds(flaws, "missing-distractor") == ["musiccaps/-x_3Y_30.json"]
    assert kinds(flaws, "id-in-two-data-sets") == ["musiccaps/402"]
    assert kinds(flaws, "incomplete") == ["musiccaps", "sdd"]
    assert len(flaws) == 17
    assert main(["data", "check", "muchomusic", "--data", str(folder), "--json"]) == 2
    printed = json.loads(capsys.readouterr().out)
    assert sum(printed["counts"].values()) == 17


def test_sound_data_has_no_flaws(data):
    result = find("muchomusic").check({"data": str(data), "partial": True})
    assert (result.items, result.flaws) == (12, [])
    assert "6 of 858 published questions of musiccaps, by their number" in result.notes


def test_a_few_questions_do_not_pass_for_the_published_set(data):
    result = find("muchomusic").check({"data": str(data)})
    assert [(flaw.kind, flaw.id, str(flaw.detail)) for flaw in result.flaws] == [
        ("incomplete", "musiccaps", "6 of 858 published questions"),
        ("incomplete", "sdd", "6 of 329 published questions"),
    ]


def test_every_sound_is_hashed_and_measured(data):
    for sound in sounds(opened(data, repeats=1)):
        assert isinstance(sound, Audio)
        assert len(sound.sha256) == 64
        assert sound.seconds == pytest.approx(1.0, abs=0.12)  # MP3 pads
        assert (sound.start, sound.end) == (None, None)


def test_data_is_asked_for(tmp_path):
    with pytest.raises(InputError, match="needs --data"):
        len(open_benchmark("muchomusic", {}))
    with pytest.raises(InputError, match="no such file"):
        len(opened(tmp_path))
