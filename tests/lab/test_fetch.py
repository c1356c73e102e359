"""Fetching data from a server that breaks off, changes, and serves bad archives."""

import io
import json
import stat
import tarfile
import zipfile
from pathlib import Path

import pytest

from listening_help import play
from mirror import Mirror
from muse_help import right_answer, write_log
from zhiyin.cli import main
from zhiyin.contract.published import DATA, Archive, File, Source, folder_of
from zhiyin.contract.registry import find, ours
from zhiyin.errors import InputError, adding
from zhiyin.plugins.benchmarks.audio_reasoning.benchmark import Mmau
from zhiyin.plugins.lab import download, fetching

pytestmark = pytest.mark.slow

QUESTIONS = [
    {
        "id": f"q{n}", "audio_id": f"./test-mini-audios/q{n}.wav", "question": f"Which? {n}",
        "choices": ["a drum", "a flute"], "answer": "a drum", "task": "music",
    }
    for n in range(4)
]  # fmt: skip
FILE = json.dumps(QUESTIONS).encode()
NAME = "mmau-test-mini.json"


@pytest.fixture(autouse=True)
def _place(tmp_path, monkeypatch):
    monkeypatch.setenv("ZHIYIN_DATA", str(tmp_path / "fetched"))
    monkeypatch.setattr(download, "WAIT_S", 0.0)


def source_of(**more):
    given = {"revision": "abc", "base": "http://nowhere.invalid", "files": (File(NAME),)}
    return Source(DATA, "made questions", "", "made", **{**given, **more})


@pytest.fixture
def made(monkeypatch):
    """Let a benchmark be published as the test says."""

    def declare(source):
        monkeypatch.setattr(Mmau, "sources", classmethod(lambda cls: (source,)))
        return source

    return declare


def told(capsys, *words, status=0):
    assert main(["data", *map(str, words)]) == status
    return capsys.readouterr()


def refusal(capsys, *words):
    (line,) = told(capsys, *words, status=2).err.splitlines()
    return line


def here(source):
    return folder_of("mmau", source)


def test_what_is_fetched_is_told_first_and_is_found_by_a_run(capsys, made, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    source = made(source_of())
    with Mirror({NAME: FILE}) as mirror:
        out = told(capsys, "fetch", "mmau", "--from", mirror.url, "--quiet").out
    lines = out.splitlines()
    assert lines[1].split() == ["from", mirror.url]
    assert "1 file, size not known before it comes" in lines[3]
    assert lines[4].split() == ["licence", "made"]
    assert "trusted as they came" in out
    assert (here(source) / NAME).read_bytes() == FILE
    assert main(["run", "mmau", "-m", "first", "--audio", "none", "--json", "--quiet"]) == 0
    assert json.loads(capsys.readouterr().out)["trials"] == 4
    listed = json.loads(told(capsys, "list", "--json").out)["sources"]
    (mine,) = [row for row in listed if row["name"] == "mmau:data"]
    assert (mine["here"]["state"], mine["here"]["files"]) == ("whole", 1)
    told(capsys, "fetch", "mmau", "--offline")
    (folder := tmp_path / "mine").mkdir()
    (folder / NAME).write_bytes(FILE)
    (here(source) / NAME).unlink()
    local = told(capsys, "fetch", "mmau", "--from", str(folder))
    assert "not known" not in local.out
    assert "fetching" not in local.err
    (here(source) / NAME).unlink()
    assert "1 file is not in" in refusal(capsys, "fetch", "mmau", "--offline", "--json")


def test_a_file_that_breaks_off_is_taken_up_where_it_ended(capsys, made):
    source = made(source_of())
    with Mirror({NAME: FILE}) as mirror:
        mirror.breaks[NAME] = [100, 50]
        told(capsys, "fetch", "mmau", "--from", mirror.url, "--json")
        assert [asked for _, asked in mirror.requests] == [None, "bytes=100-", "bytes=150-"]
    assert (here(source) / NAME).read_bytes() == FILE


def test_a_later_command_goes_on_and_a_changed_file_starts_again(capsys, made):
    source = made(source_of())
    with Mirror({NAME: FILE}) as mirror:
        mirror.breaks[NAME] = [10, 10, 10, 10]
        line = refusal(capsys, "fetch", "mmau", "--from", mirror.url, "--json")
        assert f"broke off after 40 of {len(FILE)} bytes" in line
        assert not (here(source) / NAME).exists()
        mirror.files[NAME] = FILE + b"\n"  # changed in between: nothing old is mixed into it
        told(capsys, "fetch", "mmau", "--from", mirror.url, "--json")
    assert (here(source) / NAME).read_bytes() == FILE + b"\n"


def test_a_changed_file_is_refused_by_what_is_known_and_by_what_came_first(capsys, made):
    with Mirror({NAME: FILE}) as mirror:
        made(source_of(files=(File(NAME, sha256="0" * 64),)))
        line = refusal(capsys, "fetch", "mmau", "--from", mirror.url, "--json")
        assert "another file than it was" in line
        assert not list(here(source_of()).glob("mmau*"))
        source = made(source_of())
        told(capsys, "fetch", "mmau", "--from", mirror.url, "--json")
        (here(source) / NAME).unlink()
        mirror.files[NAME] = FILE.replace(b"flute", b"fluke")
        assert "another file" in refusal(capsys, "fetch", "mmau", "--from", mirror.url, "--json")
        assert not (here(source) / NAME).exists()
        mirror.files[NAME] = FILE
        told(capsys, "fetch", "mmau", "--from", mirror.url, "--json")
    (here(source) / NAME).write_bytes(b"[]")
    assert "move it away" in refusal(capsys, "fetch", "mmau", "--offline", "--json")


def test_leading_elsewhere_and_what_a_server_refuses(capsys, made):
    made(source_of())
    with Mirror({"new": FILE}) as mirror:
        assert "404 Not Found" in refusal(capsys, "fetch", "mmau", "--from", mirror.url, "--json")
        mirror.status[NAME] = 416
        line = refusal(capsys, "fetch", "mmau", "--from", mirror.url, "--json")
        assert "cannot be reached" in line
        del mirror.status[NAME]
        mirror.moved[NAME] = "new"
        told(capsys, "fetch", "mmau", "--from", mirror.url, "--json")
    (here(source_of()) / NAME).unlink()
    assert "cannot be reached" in refusal(capsys, "fetch", "mmau", "--from", mirror.url, "--json")


def zipped(**members):
    """A zip archive; a name with __ has slashes in its place."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as out:
        for name, content in members.items():
            out.writestr(name.replace("__", "/"), content)
    return packed.getvalue()


def tarred(name, content):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as out:
        member = tarfile.TarInfo(name)
        member.size = len(content)
        out.addfile(member, io.BytesIO(content))
    return packed.getvalue()


def archived(made, **more):
    archive = Archive("abc", {"data/*/Q_*.json": "labels", "out": "results"}, **more)
    return made(source_of(files=(), archives=(archive,)))


def test_what_is_kept_of_an_archive(capsys, made):
    source = archived(made)
    content = zipped(
        r_abc__data__x__Q_a__="", r_abc__README="x", r_abc__out__m__one="1", r_abc__data__x__o="2"
    )
    packed = io.BytesIO(content)
    with zipfile.ZipFile(packed, "a") as out:
        out.writestr("r-abc/data/x/Q_a.json", "{}")
        out.writestr("r-abc/data/x/Q_b.json", "version https://git-lfs.github.com/spec/v1\noid")
        link = zipfile.ZipInfo("r-abc/out/link")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        out.writestr(link, "/etc/passwd")
    with Mirror({"abc": packed.getvalue()}) as mirror:
        done = json.loads(told(capsys, "fetch", "mmau", "--from", mirror.url, "--json").out)
        assert sorted(done["came"]) == ["labels/Q_a.json", "results/m/one"]
        assert "of Git LFS" in done["notes"][0]
        count = len(mirror.requests)
        again = json.loads(told(capsys, "fetch", "mmau", "--from", mirror.url, "--json").out)
        assert (len(again["kept"]), again["came"]) == (2, [])
        assert len(mirror.requests) == count
        (here(source) / "results/m/one").unlink()
        mirror.files["abc"] = zipped(r__out__m__one="other")
        assert "another file" in refusal(capsys, "fetch", "mmau", "--from", mirror.url, "--json")
        assert not (here(source) / "results/m/one").exists()
    names = sorted(p.name for p in here(source).iterdir())
    assert names == [".fetched.json", "labels", "results"]


@pytest.mark.parametrize(
    "name", ["../../evil", "r/../../evil", "/etc/evil", "C:/evil", "r\\..\\..\\evil", "r/a\nb"]
)
def test_members_that_leave_the_folder_are_refused_before_anything_is_written(
    capsys, made, tmp_path, name
):
    source = archived(made)
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as out:
        for member in ("r/out/fine", name):
            info = tarfile.TarInfo(member)
            info.size = 1
            out.addfile(info, io.BytesIO(b"x"))
    with Mirror({"abc": packed.getvalue()}) as mirror:
        assert "leaves the folder" in refusal(
            capsys, "fetch", "mmau", "--from", mirror.url, "--json"
        )
    assert not (here(source) / "results").exists()
    assert not list(tmp_path.rglob("evil"))


def test_broken_archives(capsys, made):
    archived(made)
    whole = zipped(r__out__m="x" * 2000)
    with Mirror({"abc": whole[:-60]}) as mirror:
        line = refusal(capsys, "fetch", "mmau", "--from", mirror.url, "--json")
        assert "a broken archive" in line
        torn = bytearray(tarred("r/out/m", b"x" * 2000))
        torn[-6] ^= 1  # of the checksum
        mirror.files["abc"] = bytes(torn)
        assert "a broken archive" in refusal(
            capsys, "fetch", "mmau", "--from", mirror.url, "--json"
        )
        mirror.files["abc"] = zipped(r__other="x")
        line = refusal(capsys, "fetch", "mmau", "--from", mirror.url, "--json")
        assert "holds none of" in line
        mirror.files["abc"] = whole
        told(capsys, "fetch", "mmau", "--from", mirror.url, "--json")


def test_a_data_set_of_the_hub(capsys, monkeypatch, tmp_path):
    pytest.importorskip("huggingface_hub")
    source = find("ziqi").sources()[0]
    commit = source.revision + "0" * (40 - len(source.revision))
    files = {file.address: file.path.encode() for file in source.files}
    with Mirror(files, hub={"commit": commit}) as mirror:
        monkeypatch.setenv("HF_ENDPOINT", mirror.url)
        monkeypatch.setenv("HF_HUB_DISABLE_TELEMETRY", "1")
        # Other tests of the same process keep that library off the net when they import it.
        monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
        done = json.loads(told(capsys, "fetch", "ziqi", "--json").out)
        assert len(done["came"]) == len(source.files)
        folder = folder_of("ziqi", source)
        assert (folder / source.files[0].path).read_bytes() == source.files[0].path.encode()
        assert json.loads((folder / ".fetched.json").read_text())["commit"] == commit
        (folder / source.files[0].path).unlink()
        mirror.files[source.files[0].address] = b"changed"
        assert "another file" in refusal(capsys, "fetch", "ziqi", "--json")
        del mirror.files[source.files[0].address]
        assert "not from the hub" in refusal(capsys, "fetch", "ziqi", "--json")
        mirror.hub["commit"] = "1" * 40
        folder.joinpath(".fetched.json").unlink()
        assert "has no commit" in refusal(capsys, "fetch", "ziqi", "--json")


def test_a_folder_as_a_mirror_copied_and_linked(capsys, made, tmp_path):
    source = made(source_of())
    at = tmp_path / "mirror" / "mmau"
    at.mkdir(parents=True)
    (at / NAME).write_bytes(FILE)
    told(capsys, "fetch", "mmau", "--from", tmp_path / "mirror", "--json")
    assert not (here(source) / NAME).is_symlink()
    (here(source) / NAME).unlink()
    told(capsys, "fetch", "mmau", "--from", at, "--link", "--json")
    assert (here(source) / NAME).resolve() == at / NAME
    assert "no such folder" in refusal(capsys, "fetch", "mmau", "--from", tmp_path / "no", "--json")
    (here(source) / NAME).unlink()
    (tmp_path / "empty").mkdir()
    line = refusal(capsys, "fetch", "mmau", "--from", tmp_path / "empty", "--json")
    assert f"holds nothing of mmau:data, such as {NAME}" in line
    line = refusal(capsys, "fetch", "mmau", "--from", "http://x.invalid", "--link", "--json")
    assert "--link is for --from with a folder" in line


def test_of_an_archive_that_is_refused_nothing_is_kept(capsys, made, tmp_path):
    archive = Archive("abc", {"out": "results"}, sha256="0" * 64)
    source = made(source_of(files=(), archives=(archive,)))
    (tmp_path / "mirror").mkdir()
    (tmp_path / "mirror" / "abc").write_bytes(zipped(r__out__m="x"))
    line = refusal(capsys, "fetch", "mmau", "--from", tmp_path / "mirror", "--json")
    assert "it was not kept" in line
    assert list(here(source).iterdir()) == []


def test_recordings_and_logs_of_a_mirror_are_found(capsys, tmp_path):
    names = [file.path for file in find("muse").sources()[0].files]
    at = tmp_path / "mirror"
    unknown = next(f.path for f in find("muse").sources()[0].files if not f.sha256)
    play(at / "muse_more" / unknown, 300, 0.2)
    done = json.loads(told(capsys, "fetch", "muse", "--from", at, "--json").out)
    assert done["came"] == [unknown]
    assert len(done["missing"]) == len(names) - 1
    write_log(at / "muse_more" / "logs" / "Made", "oddballs", "cot", "A", 1, right_answer)
    told(capsys, "fetch", "muse:logs", "--from", at, "--json")
    assert main(["reproduce", "muse:accuracies", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"][0]["rule"] == 1.0


def test_every_source_of_ours_says_what_is_needed(capsys):
    seen = 0
    for name in ours():
        for source in find(name).sources():
            seen += 1
            assert source.what
            assert source.licence
            assert source.fetchable or source.by_hand
            if source.fetchable:
                assert source.home.startswith("https://")
                assert bool(source.base) != bool(source.hub)
                assert len(source.revision) == 40 or (source.hub and len(source.revision) >= 7)
    assert seen >= 9
    line = refusal(capsys, "fetch", "appraisal", "--json")
    assert "cannot be fetched" in line
    assert "option_qa.jsonl" in line
    assert "no published data" in refusal(capsys, "fetch", "questions", "--json")
    assert "has no source 'replys'" in refusal(capsys, "fetch", "cmi:replys", "--json")


def test_a_missing_library_is_named(capsys, made, monkeypatch):
    import sys

    made(source_of())
    monkeypatch.setitem(sys.modules, "requests", None)
    line = refusal(capsys, "fetch", "mmau", "--from", "http://127.0.0.1:9", "--json")
    assert f"requests is not installed: {adding('data')}" in line


def test_contents_that_are_stated_are_those_of_the_published_files(shared):
    for name in ("mmau", "mmar", "rul"):
        done = fetching.fetch(name, find(name).sources()[0], str(shared))
        assert (len(done.came), done.trusted) == (1, 0)
    replies = find("cmi").sources()[1]
    done = fetching.fetch("cmi", replies, str(shared), link=True)
    assert len(done.came) == 36
    assert done.trusted == sum(Path(name).suffix == ".gz" for name in done.came)
    with pytest.raises(InputError, match="cannot be fetched"):
        fetching.fetch("appraisal", find("appraisal").sources()[0])


PUBLISHED = "model,set,metric,value,date,source\nNewest,MuChoMusic,accuracy,99.1,2027-01,a paper\n"


@pytest.mark.parametrize("over", ["a file", "HTTP"])
def test_a_newer_table_of_published_figures_is_used_from_then_on(capsys, tmp_path, over):
    (tmp_path / "newer.csv").write_text(PUBLISHED)
    with Mirror({"newer.csv": PUBLISHED.encode()}) as mirror:
        place = tmp_path / "newer.csv" if over == "a file" else f"{mirror.url}/newer.csv"
        out = told(capsys, "fetch", "published", "--from", place).out
    assert "1 published figures of 1 sets, up to 2027-01: 1 new or changed" in " ".join(out.split())
    found = find("muchomusic").published()
    assert next(iter(found.rows)) == "Newest"
    assert "MOSS-Music-8B-Instruct" in found.rows
    assert found.newer == "2027-01"
    assert "up to 2027-01" in " ".join(told(capsys, "list").out.split())


def test_a_faulty_table_of_published_figures_is_not_kept(capsys, tmp_path):
    good, bad = tmp_path / "good.csv", tmp_path / "bad.csv"
    good.write_text(PUBLISHED)
    bad.write_text(f"{PUBLISHED}B,S,accuracy,much,2027,x\nC,S,accuracy,1,soon,x\n")
    told(capsys, "fetch", "published", "--from", good)
    lines = told(capsys, "fetch", "published", "--from", bad, status=2).err.splitlines()
    assert [line.partition(": ")[0] for line in lines[:2]] == [f"{bad}:3", f"{bad}:4"]
    assert lines[2] == f"zhiyin: {bad}: 2 faults: mend the table and fetch it again"
    assert find("muchomusic").published().newer == "2027-01"
    assert "give --from FILE.csv" in told(capsys, "fetch", "published", status=2).err
