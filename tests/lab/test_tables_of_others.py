"""Tables, recordings and notation as others write them: read as they are meant, or refused."""

from __future__ import annotations

import base64
import csv
import importlib.util
import io
import json
import unicodedata
from pathlib import Path

import numpy as np
import pytest
import soundfile

from questions_help import jsonl, tone, trials, write
from zhiyin.benchmarks.questions.items import OwnQuestion
from zhiyin.benchmarks.questions.trials import is_order_bound
from zhiyin.contract.registry import find
from zhiyin.errors import InputError
from zhiyin.models.playback import AS_IT_IS, load_clip
from zhiyin.plugins.benchmarks.recordings import RecordingSet, recording_at, recording_flaws
from zhiyin.plugins.lab.imports.files import _options
from zhiyin.plugins.lab.imports.joining import QuestionIndex
from zhiyin.sound import audio_part, mended, read_sound
from zhiyin.trial import Option, Trial, say

needs_arrow = pytest.mark.skipif(
    importlib.util.find_spec("pyarrow") is None, reason="pyarrow is not installed (extra parquet)"
)
needs_music21 = pytest.mark.skipif(
    importlib.util.find_spec("music21") is None, reason="music21 is not installed"
)
SHOWN = ("piano", "violin")


def table(path: Path, *rows: dict) -> Path:
    """A CSV file, objects in it as JSON."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    out = io.StringIO()
    writer = csv.DictWriter(out, names)
    writer.writeheader()
    for row in rows:
        writer.writerow({n: json.dumps(v) if isinstance(v, list | dict) else v
                         for n, v in row.items()})  # fmt: skip
    return write(path, out.getvalue())


def texts(path: Path) -> tuple[str, ...]:
    (trial,) = trials(path)
    return tuple(option.text for option in trial.options)


def check(path: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for flaw in find("questions").check({"data": str(path)}).flaws:
        found.setdefault(flaw.kind, []).append(flaw.id)
    return found


def refused(data: Path) -> str:
    """The one line with which a file is refused."""
    with pytest.raises(InputError) as caught:
        trials(data)
    assert "\n" not in str(caught.value)
    return str(caught.value)


OBJECTS = [
    [{"key": "A", "value": "piano"}, {"key": "B", "value": "violin"}],
    [{"label": "A", "text": "piano"}, {"label": "B", "text": "violin"}],
    [{"value": "A", "label": "piano"}, {"value": "B", "label": "violin"}],
    [{"id": "a", "content": "piano"}, {"id": "b", "content": "violin"}],
    [{"letter": "A", "answer": "piano"}, {"letter": "B", "answer": "violin"}],
    [{"index": 0, "option": "piano"}, {"index": 1, "option": "violin"}],
    [{"Text": "piano", "is_correct": False}, {"Text": "violin", "is_correct": True}],
    [{"A": "piano"}, {"B": "violin"}],
    [{"id": "o7", "instrument": "piano"}, {"id": "o9", "instrument": "violin"}],
    {"A": {"text": "piano"}, "B": {"text": "violin"}},
    {"label": ["A", "B"], "text": ["piano", "violin"]},
    {"choices": ["piano", "violin"], "letters": ["A", "B"]},
    [{"text": "A. piano"}, {"text": "B. violin"}],
]


@pytest.mark.parametrize("options", OBJECTS, ids=str)
def test_options_may_be_objects_in_any_format(options, tmp_path) -> None:
    row = {"question": "Which is bowed?", "options": options, "answer": "violin"}
    assert texts(jsonl(tmp_path / "q.jsonl", row)) == SHOWN
    assert texts(table(tmp_path / "q.csv", row)) == SHOWN
    assert texts(table(tmp_path / "r.csv", {**row, "options": repr(options)})) == SHOWN
    if isinstance(options, list):
        assert _options(options) in (SHOWN, ("A. piano", "B. violin"))


@needs_arrow
def test_options_that_are_objects_in_parquet(tmp_path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    row = {"question": ["Which is bowed?"], "options": [OBJECTS[0]], "answer": ["B"]}
    pq.write_table(pa.table(row), tmp_path / "q.parquet")
    assert texts(tmp_path / "q.parquet") == SHOWN


@pytest.mark.parametrize("answer", ["B", "b", "(B)", "violin", {"key": "B", "value": "violin"}])
def test_a_key_names_an_option_by_label_or_text(answer, tmp_path) -> None:
    row = {"question": "Which is bowed?", "options": OBJECTS[0], "answer": answer}
    (trial,) = trials(jsonl(tmp_path / "q.jsonl", row))
    assert trial.target == "B"
    named = {**row, "options": OBJECTS[8], "answer": "o9"}
    (trial,) = trials(jsonl(tmp_path / "r.jsonl", named))
    assert trial.target == "B"


@pytest.mark.parametrize(
    "options",
    [
        [{"key": "A"}, {"key": "B"}],
        [{"key": "A", "value": None}, {"key": "B", "value": "violin"}],
        [{"key": "A", "value": ["piano"]}, {"key": "B", "value": ["violin"]}],
        [["piano"], ["violin"]],
        ["piano", float("nan")],
        ["piano", None],
    ],
    ids=str,
)
def test_what_has_no_text_is_refused(options, tmp_path) -> None:
    row = {"question": "Which is bowed?", "options": options, "answer": "A"}
    line = refused(jsonl(tmp_path / "q.jsonl", row))
    assert "option" in line
    asked = {"question": ["Which?"], "options": ["piano", "violin"], "answer": "A"}
    assert "no question" in refused(jsonl(tmp_path / "r.jsonl", asked))


def test_a_question_may_be_an_object_with_a_text(tmp_path) -> None:
    row = {"question": {"text": "Which is bowed?"}, "options": [*SHOWN], "answer": "B"}
    (trial,) = trials(jsonl(tmp_path / "q.jsonl", row))
    assert trial.stem == "Which is bowed?"


LETTERED = [
    "A. piano|B. violin", "(A) piano|(B) violin", "A) piano|B) violin", "A、piano|B、violin",
    "[A] piano|[B] violin", "（A）piano|（B）violin", "a) piano|b) violin",
    "A: piano|B: violin", "Option A: piano|Option B: violin",
]  # fmt: skip


@pytest.mark.parametrize("options", LETTERED)
def test_letters_go_from_options_and_key_alike(options, tmp_path) -> None:
    for key in ("B. violin", "(B) violin", "B) violin", "B、violin", "B", "b", "violin", "[B]",
                "B：violin", "Option B", "option B: Violin."):  # fmt: skip
        rows = {"question": "Which is bowed?", "options": options, "answer": key}
        (trial,) = trials(table(tmp_path / "q.csv", rows))
        assert (tuple(o.text for o in trial.options), trial.target) == (SHOWN, "B"), key


def test_a_letter_beside_the_text_of_another_option_is_refused(tmp_path) -> None:
    row = {"question": "Which is bowed?", "options": LETTERED[0], "answer": "A. violin"}
    assert "is not one of the 2 options" in refused(table(tmp_path / "q.csv", row))


@pytest.mark.parametrize(
    ("options", "flawed"),
    [
        (["4-Apr", "4-Mar", "8-Jun"], True),
        (["3/4", "04-Mar", "6/8"], True),
        (["Mar-04", "Apr-04", "Jun-08"], True),
        (["2026-04-02", "2026-04-03", "2026-08-06"], True),
        (["2026-03-04 00:00:00", "2026-04-04 00:00:00"], True),
        (["3/4/2026", "4/4/2026"], True),
        (["3月4日", "4月4日", "6月8日"], True),
        (["46085", "46116", "46181"], True),
        (["04. Mrz", "04. Apr"], True),
        (["4-avr", "4-mars"], True),
        (["3/4", "4/4", "6/8"], False),
        (["1824-05-07", "1824-05-08"], False),
        (["44100", "48000", "22050"], False),
        (["2026-05-07", "2025-03-04"], False),
        (["May", "June"], False),
        (["7 May 1824", "8 May 1824"], False),
        (["3-part", "4-part"], False),
        (["1999", "2004"], False),
    ],
    ids=str,
)
def test_dates_that_a_spreadsheet_made_are_a_flaw(options, flawed, tmp_path) -> None:
    row = {"id": "1", "question": "Which metre is it?", "options": options, "answer": "A"}
    assert ("spreadsheet-dates" in check(jsonl(tmp_path / "q.jsonl", row))) == flawed


PRINTED = [
    "['piano' 'violin' 'oboe']", "['piano'\n 'violin'\n 'oboe']", "[\"piano\" 'violin' 'oboe']",
    "array(['piano', 'violin', 'oboe'], dtype=object)", "array(['piano' 'violin' 'oboe'])",
    "np.array(['piano', 'violin', 'oboe'], dtype='<U6')",
    "Index(['piano', 'violin', 'oboe'], dtype='object')", "('piano', 'violin', 'oboe')",
    "['piano', 'violin', 'oboe']", '["piano", "violin", "oboe"]',
    "0     piano\n1    violin\n2      oboe\nName: options, dtype: object",
]  # fmt: skip


@pytest.mark.parametrize("printed", PRINTED)
def test_lists_as_programs_print_them_are_lists(printed, tmp_path) -> None:
    row = {"question": "Which is bowed?", "options": printed, "answer": "B"}
    assert texts(table(tmp_path / "q.csv", row)) == ("piano", "violin", "oboe")


def test_numbers_that_numpy_prints_and_lists_that_were_cut(tmp_path) -> None:
    row = {"question": "How many hertz?", "options": "[440. 220. 110.5]", "answer": "A"}
    assert texts(table(tmp_path / "q.csv", row)) == ("440", "220", "110.5")
    cut = {**row, "options": "['a' 'b' ... 'y' 'z']"}
    assert "distinguished" in refused(table(tmp_path / "r.csv", cut))
    chords = {**row, "options": "[C E G]|[D F A]"}
    assert texts(table(tmp_path / "s.csv", chords)) == ("[C E G]", "[D F A]")


def _ways(path: Path) -> list[object]:
    data = path.read_bytes()
    packed = base64.b64encode(data).decode()
    samples = (0.5 * np.sin(np.arange(1600) / 3)).tolist()
    return [
        {"bytes": None, "path": "clip.wav"},
        {"path": "clip.wav"},
        {"path": "elsewhere.wav", "bytes": packed},
        {"path": None, "bytes": list(data)},
        {"array": samples, "sampling_rate": 8000},
        {"array": [samples, samples], "sampling_rate": 8000, "path": "x.wav"},
        {"data": packed, "format": "wav"},
        {"url": f"data:audio/wav;base64,{packed}"},
        {"type": "input_audio", "input_audio": {"data": packed, "format": "wav"}},
        f"data:audio/wav;base64,{packed}",
        packed,
    ]


@pytest.mark.parametrize("number", range(11))
def test_a_recording_may_be_packed_into_a_row(number, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "cache"))
    audio = _ways(tone(tmp_path / "clip.wav"))[number]
    row = {"question": "Pitch?", "options": ["A4", "C4"], "answer": "A", "audio": audio}
    files = [jsonl(tmp_path / "q.jsonl", row), table(tmp_path / "q.csv", row)]
    if isinstance(audio, dict):
        files.append(table(tmp_path / "r.csv", {**row, "audio": repr(audio)}))
    for file in files:
        (trial,) = trials(file)
        assert trial.messages[0].parts[0].seconds == pytest.approx(0.2)


@pytest.mark.parametrize("audio", [{"sampling_rate": 8000}, {"array": ["a"], "sampling_rate": 1}])
def test_an_object_without_a_recording_is_refused(audio, tmp_path) -> None:
    row = {"question": "Pitch?", "options": ["A4", "C4"], "answer": "A", "audio": audio}
    assert "holds no file" in refused(jsonl(tmp_path / "q.jsonl", row))
    row["audio"] = {"path": None, "bytes": None}  # as tables write that there is none
    (trial,) = trials(jsonl(tmp_path / "r.jsonl", row))
    assert len(trial.messages[0].parts) == 1


POINTING = """both A and B;none of these;A and B are both right;neither;both;the first two
Options 1 and 2;以上都不是;A或B;All three;Only two of them;ninguna de las anteriores;the latter two
Either of the above;A & B;either A or C;All of the above are correct;none of them;some of the above
the former;Same as A;A but not B;the first and the last;neither A nor B;A, B and C;A+B;(A) and (C)
A、B都对;前两者;后者;都不对;仅A和B;A和C;两者都是;全部正确;没有正确答案
上述皆非;A以及B
todas las anteriores;ambas;A y B;las dos primeras;ninguna;toutes les réponses ci-dessus;A et B
aucune de ces réponses;les deux;keine der genannten;beide;A und B;die ersten beiden;weder A noch B
nenhuma das anteriores;A e B;as duas últimas;tutte le precedenti;nessuna delle precedenti;A o B
все вышеперечисленные;ни один из них;A и B;оба;wszystkie powyższe;żadna z powyższych;A lub B
yukarıdakilerin hepsi;hiçbiri;A ve B;semua jawaban benar;A dan B;tất cả các đáp án trên;A và B
ถูกทุกข้อ;ไม่มีข้อใดถูก;इनमें से कोई नहीं;A और B;AとB;上記のいずれでもない
いずれも正しい;위의 모두;A와 B;둘 다"""
PLAIN = """harp;lute;both hands;the first movement;A minor;A and G;A or B minor;none
all-interval row;a theme in two voices
two of the strings;E and G;the first;the last beat;C/E;A+;either hand
琴和瑟;前奏曲;两个乐章;全音阶;A大调;tutti;todo el arco;alle Saiten;beide Hände;都节奏;sections
The former is a suite by Holst;A;B;I and II only;between A and B;options;above the staff;duo"""


def question(*options: str) -> OwnQuestion:
    return OwnQuestion("1", 1, "Which?", "choice", options)


def test_options_that_point_at_others_stay_in_place() -> None:
    for option in POINTING.replace("\n", ";").split(";"):
        assert is_order_bound(question("harp", "lute", option, "drum")), option
        assert is_order_bound(question("harp", "lute", f"{option}.", "drum")), option


def test_options_that_only_look_so_are_moved() -> None:
    for option in PLAIN.replace("\n", ";").split(";"):
        assert not is_order_bound(question("harp", "lute", option, "drum")), option


# Recordings


def riff(form: bytes, sound: bytes, *, size: int | None = None, order: str = "fd") -> bytes:
    """A WAV file with a size of its own, its parts in an order: f(ormat), d(ata), l(ist), o(dd)."""
    parts = {
        "f": b"fmt " + len(form).to_bytes(4, "little") + form,
        "d": b"data" + (len(sound) if size is None else size).to_bytes(4, "little") + sound,
        "l": b"LIST\x04\x00\x00\x00INFO",
        "o": b"JUNK\x03\x00\x00\x00abc",  # and no byte to make it even
    }
    body = b"".join(parts[name] for name in order)
    return b"RIFF" + (4 + len(body)).to_bytes(4, "little") + b"WAVE" + body


def parts_of(path: Path) -> tuple[bytes, bytes]:
    data = path.read_bytes()
    return data[20:36], data[44:]


@pytest.mark.parametrize(
    ("size", "order"),
    [(0, "fd"), (0xFFFFFFFF, "fd"), (0x7FFFFFFF, "fd"), (2_000_000_000, "fd"), (0, "lfd"),
     (None, "df"), (None, "ldfl"), (None, "ofd"), (None, "fod"), (0, "ofd")],
)  # fmt: skip
def test_a_recording_of_a_pipe_is_read_to_its_end(size, order, tmp_path) -> None:
    whole = tone(tmp_path / "whole.wav")
    path = tmp_path / "odd.wav"
    path.write_bytes(riff(*parts_of(whole), size=size, order=order))
    assert read_sound(path).samples == pytest.approx(read_sound(whole).samples)
    part = audio_part(path)
    assert part.seconds == pytest.approx(0.2)
    sent = load_clip(part, AS_IT_IS).data
    assert soundfile.info(io.BytesIO(sent)).frames == 1600
    assert [flaw.kind for flaw in recording_flaws({"1": recording_at(path)})] == []


def test_what_is_empty_or_breaks_off_stays_so(tmp_path) -> None:
    form, sound = parts_of(tone(tmp_path / "whole.wav"))
    for name, data in (
        ("empty", riff(form, b"")),
        ("empty too", riff(form, b"", order="fdl")),
        ("cut", riff(form, sound[:800], size=len(sound))),
    ):
        path = tmp_path / f"{name}.wav"
        path.write_bytes(data)
        assert mended(data) is data
        with pytest.raises(InputError, match="breaks off" if name == "cut" else "no samples"):
            audio_part(path)


@pytest.mark.parametrize(
    ("other", "kind"),
    [(-1.0, "cancelling-sound"), (-0.98, "cancelling-sound"), (1.0, None), (0.0, None),
     (-0.5, None)],
)  # fmt: skip
def test_opposite_channels_are_told_from_silence(other, kind, tmp_path) -> None:
    left = 0.4 * np.sin(np.arange(8000) / 5)
    soundfile.write(tmp_path / "a.wav", np.stack([left, other * left], 1), 8000)
    row = {"id": "1", "question": "Heard?", "options": ["x", "y"], "answer": "A", "audio": "a.wav"}
    found = check(jsonl(tmp_path / "q.jsonl", row))
    assert [k for k in found if "sound" in k] == ([kind] if kind else [])
    flaws = [f.kind for f in recording_flaws({"1": recording_at(tmp_path / "a.wav")})]
    assert flaws == (["cancels-in-mono"] if kind else [])


@pytest.mark.parametrize(("written", "stored"), [("NFC", "NFD"), ("NFD", "NFC"), ("NFC", "NFC")])
def test_names_are_found_in_either_unicode_form(written, stored, tmp_path) -> None:
    there, named = (unicodedata.normalize(form, "Dvořák/Fauré é") for form in (stored, written))
    tone(tmp_path / f"{there}.wav")
    row = {"question": "Pitch?", "options": ["A4", "C4"], "answer": "A", "audio": f"{named}.wav"}
    (trial,) = trials(jsonl(tmp_path / "q.jsonl", row))
    assert trial.messages[0].parts[0].seconds == pytest.approx(0.2)
    assert not RecordingSet(tmp_path, [f"{named}.wav", f"{named}.mp3"]).missing


def test_ids_of_imports_are_joined_in_either_unicode_form() -> None:
    from zhiyin.plugins.lab.imports.files import ForeignRow
    from zhiyin.record import Reply

    name, other = (unicodedata.normalize(form, "Fauré-1") for form in ("NFC", "NFD"))
    trial = Trial(name, (say("user", "Which?"),), stem="Which?", target="A",
                  options=(Option("A", "x", "A"), Option("B", "y", "B")))  # fmt: skip
    joined = QuestionIndex([trial]).join([ForeignRow("f, line 1", Reply("A"), id=other)])
    assert joined.by == "id"
    assert joined.pairs[0].trial.id == name


# ABC

HEAD = "X:1\nM:2/4\nL:1/8\nK:C\n"
TUNE = "C2D2|E2F2|G2A2|B2c2|\n"


def notes(text: str, folder: Path) -> list[list[str]]:
    from zhiyin.plugins.music.notated.files import read_file

    piece = read_file(write(folder / "t.abc", text))
    return [[pitch for event in part.events for pitch in event.pitches] for part in piece.parts]


@needs_music21
@pytest.mark.parametrize(
    "head",
    ["K:C octave=-1", "K:C transpose=-12", "K:C clef=treble-8", "K:C treble-8", "K:C clef=bass+8",
     "K:C\nV:1 octave=1", "K:C\n[V:1 clef=treble_8]", "K:C\n%%MIDI transpose -2",
     "K:C\n[K:octave=1]", "K:C\nI:transpose 2", "K:C shift=CD", "K:C\nV:1 score=Bc"],
)  # fmt: skip
def test_fields_that_move_notes_are_refused(head, tmp_path) -> None:
    with pytest.raises(InputError, match="other pitches than are written"):
        notes(HEAD.replace("K:C", head) + TUNE, tmp_path)


@needs_music21
@pytest.mark.parametrize(
    "music",
    ["C2D2&E2F2|E2F2|", "C2D2|Z2|G2A2|", "!8va(!C2D2|E2F2!8va)!|", "^/C2D2|E2F2|",
     "C2D2|[K:G]E2F2|", "C2D2|[M:3/4]E2F2G2|", "V:1\nL:1/16\nC4D4|\nV:2\nC4|\n"],
)  # fmt: skip
def test_what_music21_would_lose_is_refused(music, tmp_path) -> None:
    with pytest.raises(InputError):
        notes(f"{HEAD}{music}\n", tmp_path)


@needs_music21
def test_voices_within_lines_are_parts(tmp_path) -> None:
    two = [["C5", "D5", "E5", "F5"], ["C4", "E4"]]
    for music in (
        "[V:1]c2d2|e2f2|\n[V:2]C4|E4|\n",
        "[V:1] c2d2|[V:2] C4|\n[V:1] e2f2|[V:2] E4|\n",
        "V:1\nc2d2|\nV:2\nC4|\nV:1\ne2f2|\nV:2\nE4|\n",
    ):
        assert notes(HEAD + music, tmp_path) == two
        declared = 'V:1 clef=treble name="a"\nV:2 clef=bass\nK:C\n'
        assert notes(HEAD.replace("K:C\n", declared) + music, tmp_path) == two


@needs_music21
def test_harmless_fields_stay_harmless(tmp_path) -> None:
    plain = notes(HEAD + TUNE, tmp_path)
    for text in (
        HEAD.replace("K:C", "K:C octave=0 clef=bass"),
        HEAD.replace("X:1", "X:1\nT:octave=1, treble-8"),
        HEAD + "[Q:1/4=100][P:A]",
        HEAD + '"^octave=1 & Z"',
        HEAD + "% [V:2] & octave=1\n",
    ):
        assert notes(text + TUNE, tmp_path) == plain
    inline = HEAD + "C2D2|[L:1/16]E4F4|G4A4|B4c4|\n"
    assert notes(inline, tmp_path) == plain
