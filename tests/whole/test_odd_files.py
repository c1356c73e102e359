"""Odd files: brackets without end, archives that burst, folders of others, pipes. One line each."""

import ast
import errno
import json
import os
import shutil
import signal
import struct
import zipfile
from pathlib import Path

import pytest

from conftest import REPOSITORY
from zhiyin.archives import opened_zip, unzipped
from zhiyin.cli import main
from zhiyin.contract.question_table import list_of
from zhiyin.errors import InputError
from zhiyin.parsing import DEEPEST, read_json_text, read_literal, read_toml_text

SOURCE = REPOSITORY / "src" / "zhiyin"
ASKED = "question,A,B,answer\nWhich?,x,y,A\nWho?,x,y,B\n"
TOML = {
    "brackets": "a = " + "[" * 3000 + "]" * 3000,
    "a few brackets": "a = " + "[" * 300 + "]" * 300,
    "tables": "a = " + "{a = " * 3000 + "1" + "}" * 3000,
    "dots": ".".join("a" * 3000) + " = 1",
    "open": "a = " + "[" * 100_000,
    "digits": "a = " + "9" * 5000,
    "no UTF-8": b"a = '\xff'",
    "no TOML": "a",
}
JSON = {
    "lists": "[" * 3000 + "]" * 3000,
    "a few lists": "[" * 300 + "]" * 300,
    "objects": '{"a":' * 3000 + "1" + "}" * 3000,
    "open": "[" * 100_000,
    "digits": "9" * 5000,
}


def refusal(capsys, *words):
    """The one line with which a command refuses what it is given."""
    capsys.readouterr()
    assert main([str(word) for word in words]) == 2
    error = capsys.readouterr().err
    assert "Traceback" not in error
    (line,) = error.strip().splitlines()
    return line


def called(path, names):
    text = path.read_text("utf-8")
    for node in ast.walk(ast.parse(text)) if any(name in text for name in names) else ():
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func)


@pytest.mark.slow
def test_each_format_is_read_in_one_place():
    """The engraver and the reader of notes are processes of their own, which read our own JSON."""
    own = {"plugins/music/engraver.py", "plugins/studies/media.py"}
    one = {
        "json.loads": {"parsing.py", *own}, "json.load": set(), "tomllib.loads": {"parsing.py"},
        "tomllib.load": set(), "ast.literal_eval": {"parsing.py"}, "gzip.GzipFile": {"archives.py"},
        "gzip.open": set(), "gzip.decompress": set(),
        # One unpacks data sets within bounds of its own, the others write.
        "zipfile.ZipFile": {
            *("archives.py", "plugins/studies/backup.py"),
            *("plugins/lab/export/inspect_log.py", "plugins/studies/sheet.py"),
        },
    }  # fmt: skip
    found = {name: set() for name in one}
    for path in SOURCE.rglob("*.py"):
        for name in called(path, one):
            if name in found:
                found[name].add(path.relative_to(SOURCE).as_posix())
    for name, places in one.items():
        assert found[name] <= places, name


@pytest.mark.parametrize("text", JSON.values(), ids=JSON)
@pytest.mark.parametrize("read", [read_json_text, read_literal])
def test_what_is_no_value_is_a_value_error(read, text):
    if read is read_literal:
        text = text.replace("true", "True")
    with pytest.raises(ValueError, match=r".") as error:
        read(text)
    assert type(error.value) in (ValueError, json.JSONDecodeError)


def test_what_people_write_is_read():
    deep = "[" * (DEEPEST - 1) + "1" + "]" * (DEEPEST - 1)
    for read in (read_json_text, read_literal):
        assert str(read(deep)) == deep
        assert len(read(f"[{'[1], ' * 5000}[2]]")) == 5001  # wide is not deep
    assert read_toml_text(b"a.b.c = [[1], {x = 2}]") == {"a": {"b": {"c": [[1], {"x": 2}]}}}
    assert read_toml_text("x = 'a.b.c'") == {"x": "a.b.c"}
    assert read_literal("{'a': (1, 'b\\d')}") == {"a": (1, "b\\d")}


@pytest.mark.slow
@pytest.mark.parametrize("text", TOML.values(), ids=TOML)
def test_toml_that_is_none_is_one_line(tmp_path, monkeypatch, capsys, text):
    file, data = tmp_path / "study.toml", tmp_path / "q.csv"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    data.write_text(ASKED)
    run = ["run", data, "-m", "first", "--out", tmp_path / "run"]
    answers = tmp_path / "answers.csv"
    answers.write_text("person,item,answer\np,1,A\n")
    assert main(["run", str(data), "-m", "first", "--out", str(tmp_path / "exam")]) == 0
    for words in (
        [*run, "--recipe", file],
        ["suite", file, "-m", "first", "--out", tmp_path / "suite"],
        ["plan", "--register", file],
        ["study", "show", tmp_path],
        ["study", "show", answers, "--exam", tmp_path / "exam", "--columns", file],
    ):
        assert "study.toml" in refusal(capsys, *words), words
    (tmp_path / "prices").mkdir()
    shutil.copy(file, tmp_path / "prices" / "prices.toml")
    monkeypatch.setenv("ZHIYIN_PRICES", str(tmp_path / "prices"))
    assert "prices.toml" in refusal(capsys, "prices")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("text", JSON.values(), ids=JSON)
def test_json_that_is_none_is_one_line_or_a_text(tmp_path, capsys, text):
    data, options = tmp_path / "q.json", tmp_path / "options.jsonl"
    data.write_text(f'[{{"question": {text}, "options": ["x", "y"], "answer": "x"}}]')
    assert "q.json" in refusal(capsys, "run", data, "-m", "first")
    for cell in (text, f"{text[:200]}, x", f"{{{text}}}"):
        assert not isinstance(list_of(cell), list) or len(list_of(cell)) < 9000
        row = {"question": "Which?", "options": cell, "answer": "x"}
        options.write_text(json.dumps(row) + "\n")
        assert main(["data", "check", str(options)]) in (0, 1, 2)
        told = {"question": "Which?", "options": cell, "model_output": "A", "answer": "x"}
        (tmp_path / "replies.jsonl").write_text(json.dumps(told) + "\n")
        (tmp_path / "asked.csv").write_text(ASKED)
        words = ["import", tmp_path / "asked.csv", tmp_path / "replies.jsonl", "--from", "auto"]
        main([str(word) for word in (*words, "--out", tmp_path / "imported")])
        assert "Traceback" not in capsys.readouterr().err


# Folders of `datasets`.


@pytest.fixture
def dataset(tmp_path):
    arrow = pytest.importorskip("pyarrow")
    table = arrow.table({"question": ["Which?"], "A": ["x"], "B": ["y"], "answer": ["A"]})

    def write(place, table=table, state=None, compression=None):
        place.mkdir(parents=True)
        options = arrow.ipc.IpcWriteOptions(compression=compression)
        with arrow.ipc.new_stream(place / "data.arrow", table.schema, options=options) as file:
            file.write_table(table)
        described = {"_data_files": [{"filename": "data.arrow"}]} if state is None else state
        (place / "state.json").write_text(json.dumps(described))
        (place / "dataset_info.json").write_text("{}")
        return place

    return write


STATES = [
    [], 3, None, {}, {"_data_files": None}, {"_data_files": "x"}, {"_data_files": [None]},
    {"_data_files": [{}]}, {"_data_files": [{"filename": 3}]}, {"_data_files": [{"filename": ""}]},
    {"_data_files": [{"filename": "."}]}, {"_data_files": [{"filename": "no.arrow"}]},
    {"_data_files": [{"filename": "../outside.arrow"}]},
    {"_data_files": [{"filename": "a\0b"}]}, {"_data_files": [{"filename": "state.json"}]},
]  # fmt: skip


@pytest.mark.parametrize("state", STATES, ids=map(str, STATES))
def test_an_odd_folder_of_datasets_is_one_line(dataset, tmp_path, capsys, state):
    place = dataset(tmp_path / "set")
    shutil.copy(place / "data.arrow", tmp_path / "outside.arrow")
    assert main(["data", "check", str(place)]) == 0
    (place / "state.json").write_text(json.dumps(state))
    line = refusal(capsys, "run", place, "-m", "first")
    assert "set" in line or "outside.arrow" in line


def test_a_data_set_reads_nothing_outside_of_its_folder(dataset, tmp_path, capsys):
    outside = dataset(tmp_path / "secret")
    place = dataset(tmp_path / "set")
    for name in ("../secret/data.arrow", str(outside / "data.arrow")):
        (place / "state.json").write_text(json.dumps({"_data_files": [{"filename": name}]}))
        assert "leaves the folder" in refusal(capsys, "run", place, "-m", "first")
    split = tmp_path / "splits"
    split.mkdir()
    for splits in (["../secret"], [str(outside)], ["a\0"], []):
        (split / "dataset_dict.json").write_text(json.dumps({"splits": splits}))
        assert "splits" in refusal(capsys, "run", split, "-m", "first")
    for splits in (None, "test", [3], {}):
        (split / "dataset_dict.json").write_text(json.dumps({"splits": splits}))
        assert "dataset_dict.json" in refusal(capsys, "run", split, "-m", "first")


@pytest.mark.parametrize(
    "noted",
    [b"[", b"[]", b"{}", b'{"info": []}', b'{"info": {"features": []}}', b"\xff", b"[" * 9999,
     b'{"info": {"features": {"answer": {"_type": "ClassLabel"}}}}',
     b'{"info": {"features": {"answer": {"_type": "ClassLabel", "names": 3}}}}'],
)  # fmt: skip
def test_what_a_data_set_says_of_its_columns_may_be_odd(dataset, tmp_path, capsys, noted):
    arrow = pytest.importorskip("pyarrow")
    table = arrow.table({"question": ["Which?"], "A": ["x"], "B": ["y"], "answer": ["A"]})
    place = dataset(tmp_path / "set", table.replace_schema_metadata({b"huggingface": noted}))
    if noted == b"{}":
        assert main(["data", "check", str(place)]) == 0
    else:
        assert "set" in refusal(capsys, "run", place, "-m", "first")


def test_words_that_are_none_and_cells_of_odd_kinds_are_one_line(dataset, tmp_path, capsys):
    arrow = pytest.importorskip("pyarrow")
    raw = arrow.array([b"\xff\xfe"], arrow.binary()).view(arrow.string())
    odd = arrow.table({"question": raw, "A": ["x"], "B": ["y"], "answer": ["A"]})
    assert "set" in refusal(capsys, "run", dataset(tmp_path / "set", odd), "-m", "first")
    packed = arrow.array([{"bytes": "text", "path": 3}])
    odd = arrow.table({"question": ["Q?"], "A": ["x"], "B": ["y"], "answer": ["A"], "z": packed})
    assert main(["data", "check", str(dataset(tmp_path / "odd", odd))]) == 0


def test_a_data_set_that_bursts_is_refused(dataset, tmp_path, capsys):
    arrow = pytest.importorskip("pyarrow")
    long = arrow.table({"question": ["a" * 60_000_000], "A": ["x"], "B": ["y"], "answer": ["A"]})
    place = dataset(tmp_path / "set", long, compression="zstd")
    assert "unpacks from" in refusal(capsys, "run", place, "-m", "first")


# Archives.


def archive(path, **parts):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in parts.items():
            packed.writestr(name.replace("__", "."), data)
    return path


MUSIC = """<?xml version="1.0"?><score-partwise version="4.0"><part-list><score-part id="P1">
<part-name>Flute</part-name></score-part></part-list><part id="P1"><measure number="1"><attributes>
<divisions>1</divisions><key><fifths>0</fifths></key><time><beats>4</beats><beat-type>4</beat-type>
</time><clef><sign>G</sign><line>2</line></clef></attributes>{}</measure></part></score-partwise>"""
NOTE = "<note><pitch><step>{}</step><octave>4</octave></pitch><duration>1</duration></note>"


@pytest.mark.slow
def test_packed_music_is_no_larger_than_music(tmp_path, capsys):
    pytest.importorskip("music21")
    from zhiyin.plugins.music.notated.files import MOST_BYTES, read_file

    text = MUSIC.format("".join(NOTE.format(step) for step in "CDEF"))
    assert read_file(archive(tmp_path / "well.mxl", a__xml=text)).parts
    for filler in (MOST_BYTES, 60_000_000):
        bomb = archive(tmp_path / "bomb.mxl", a__xml=text.replace("\n", " " * filler, 1))
        assert bomb.stat().st_size < 100_000
        with pytest.raises(InputError, match=r"^\S+bomb\.mxl: unpacks"):
            read_file(bomb)


def test_a_log_that_bursts_is_refused(tmp_path, capsys):
    pytest.importorskip("inspect_ai")
    bomb = archive(tmp_path / "bomb.eval", header__json=b" " * 60_000_000)
    (tmp_path / "asked.csv").write_text(ASKED)
    words = ("import", tmp_path / "asked.csv", bomb, "--from", "auto", "--out", tmp_path / "run")
    assert "unpacks from" in refusal(capsys, *words)


@pytest.mark.slow
def test_a_backup_that_bursts_or_is_broken_leaves_nothing(tmp_path, capsys):
    from zhiyin.plugins.studies.design import DATABASE, FILE

    bomb = tmp_path / "bomb.zip"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(FILE, "")
        packed.writestr(DATABASE, b"\0" * 60_000_000)
    for spoil in (bytes, lambda data: data[:-9], lambda data: b"PK" + data[99:]):
        bomb.write_bytes(spoil(bomb.read_bytes()))
        assert "bomb.zip" in refusal(capsys, "study", "restore", bomb, "--out", tmp_path / "new")
        assert sorted(path.name for path in tmp_path.iterdir()) == ["bomb.zip"]


def test_a_part_that_is_longer_than_it_says_is_refused(tmp_path):
    """Python stops where a part says that it ends; other programs do not."""
    path = archive(tmp_path / "a.zip", one=b"x" * 5000, two=b"y")
    with opened_zip(path) as packed:
        assert packed.read("one") == b"x" * 5000
    data = path.read_bytes().replace(struct.pack("<L", 5000), struct.pack("<L", 50))
    path.write_bytes(data)
    with pytest.raises(InputError, match="broken archive"), opened_zip(path):
        pass


@pytest.mark.slow
def test_gzip_that_bursts_or_breaks_off_is_refused(tmp_path):
    import gzip

    whole = gzip.compress(b"a" * 1000)
    assert unzipped(tmp_path, whole + whole) == b"a" * 2000
    for packed, why in (
        (gzip.compress(b"\0" * 60_000_000), "unpacks from"),
        (whole[:-5], "no whole gzip"),
        (whole[:-8] + b"\0" * 8, "no whole gzip"),
        (b"\x1f\x8bxx", "no whole gzip"),
    ):
        with pytest.raises(InputError, match=why):
            unzipped(tmp_path, packed)


# Pipes in the place of files.


@pytest.fixture
def patience():
    """No test waits for the other end of a pipe."""
    signal.alarm(60)
    yield
    signal.alarm(0)


@pytest.mark.usefixtures("patience")
@pytest.mark.parametrize(
    "name",
    ["run.json", "records.jsonl", "calls.jsonl", "SHA256SUMS", "sums.jsonl", "audit.jsonl",
     "notes.jsonl", "batches.jsonl", "failures.jsonl", "share.jsonl", "plan.json"],
)  # fmt: skip
def test_a_pipe_in_a_run_is_refused(tmp_path, capsys, name):
    (tmp_path / "q.csv").write_text(ASKED)
    place = tmp_path / "run"
    run = ["run", tmp_path / "q.csv", "-m", "first", "--out", place]
    assert main([str(word) for word in (*run, "--quiet")]) == 0
    (place / name).unlink(missing_ok=True)
    os.mkfifo(place / name)
    other = tmp_path / "link"
    other.symlink_to(place)
    for words in (run, ["show", place], ["verify", place], ["report", place], ["show", other]):
        assert name in refusal(capsys, *words), words


@pytest.mark.usefixtures("patience")
def test_a_pipe_in_a_folder_of_another_kind_is_refused(dataset, tmp_path, capsys):
    def pipe(*parts):
        path = Path(tmp_path, *parts)
        path.parent.mkdir(exist_ok=True, parents=True)
        path.unlink(missing_ok=True)
        os.mkfifo(path)

    (tmp_path / "s.toml").write_text('[[models]]\nmodel = "first"\n[[benchmarks]]\nbenchmark = "q"')
    pipe("suite", "suite.json")
    suite = ["suite", tmp_path / "s.toml", "--out", tmp_path / "suite"]
    assert "suite.json" in refusal(capsys, *suite)
    pipe("study", "study.toml")
    assert "study.toml" in refusal(capsys, "study", "show", tmp_path / "study")
    dataset(tmp_path / "set")
    pipe("set", "state.json")
    assert "set" in refusal(capsys, "run", tmp_path / "set", "-m", "first")
    dataset(tmp_path / "other")
    pipe("other", "data.arrow")
    assert "data.arrow" in refusal(capsys, "run", tmp_path / "other", "-m", "first")


# Studies that were broken off while they were made.


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="a process is killed")
@pytest.mark.parametrize("step", ["of_trial", "write_items", "write_atomically"])
@pytest.mark.parametrize("end", ["killed", "full", "stopped"])
def test_a_study_that_was_broken_off_is_made_again(tmp_path, monkeypatch, capsys, step, end):
    pytest.importorskip("sqlalchemy")
    from zhiyin.plugins.studies import making

    (tmp_path / "q.csv").write_text(ASKED)
    out = tmp_path / "study"
    words = ["study", "make", "--from", str(tmp_path / "q.csv"), "--out", str(out)]

    def broken(*_, **__):
        if end == "killed":
            os._exit(9)
        raise KeyboardInterrupt if end == "stopped" else OSError(errno.ENOSPC, "No space left")

    with monkeypatch.context() as patch:
        where = making.MediaLibrary if step == "of_trial" else making
        patch.setattr(where, step, broken)
        if end == "killed":
            if not (child := os.fork()):
                main(words)
                os._exit(0)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
        else:
            assert main(words) == (130 if end == "stopped" else 2)
            assert "Traceback" not in capsys.readouterr().err
            assert [path.name for path in tmp_path.iterdir()] == ["q.csv"]
    assert not out.exists()
    assert main(words) == 0
    assert main(words) == 2  # what is whole is kept
    out.rename(tmp_path / "aside")
    out.mkdir()
    link = tmp_path / "link"
    link.symlink_to(out)
    assert main([*words[:-1], str(link)]) == 0  # an empty folder, and a link to one
    assert (out / "study.toml").is_file()
    assert link.is_symlink()
