"""What is made of the bytes of recordings, pictures, lines and archives, as golden tables have it.

The bytes lie in the tables: encoders differ, and what is read of the same bytes does not.
"""

import base64
import gzip
import io
import zipfile
from zlib import crc32

import pytest

from golden_help import Table, plain
from zhiyin import archives, files, picture, sound
from zhiyin.errors import InputError
from zhiyin.words import said

PLACE = []


@pytest.fixture(scope="module", autouse=True)
def place(tmp_path_factory):
    PLACE[:] = [tmp_path_factory.mktemp("bytes")]


def refused(call, *given):
    """The outcome of a call; of an error, how it begins, without the folder."""
    try:
        return plain(call(*given))
    except (InputError, OSError) as error:
        return str(error).replace(str(PLACE[0]), "").partition(" (")[0][:90]


def written(data):
    path = PLACE[0] / "file"
    path.write_bytes(data)
    return path


def of_picture(given):
    data = base64.b64decode(given)
    path = written(data)
    seen = refused(lambda: [(p := picture.image_part(path)).width, p.height])
    return [picture.format_of(data), seen, isinstance(seen, list) and picture.is_blank(path)]


def of_sound(given):
    data = base64.b64decode(given)
    path, whole = written(data), sound.mended(data)
    return [
        len(whole), crc32(whole),
        refused(lambda: [(s := sound.read_sound(data)).rate, s.seconds, *s.samples[:40]]),
        refused(lambda: sound.audio_part(path).seconds),
    ]  # fmt: skip


def of_lines(given):
    data = base64.b64decode(given)
    path = written(data)
    found = refused(lambda: [[str(n).rpartition(" ")[2], v] for n, v in
                             files.read_lines(path, dict, said("odd"))])  # fmt: skip
    files.cut_torn(path)
    return [found, path.read_bytes().decode("utf-8", "replace"), files.json_lines([found]).decode()]


def of_name(given):
    name, taken = given
    root = PLACE[0] / "held"
    return [
        files.stem_of(name, taken), files.is_taken(name, taken), files.one_form(name),
        refused(lambda: str(files.inside(root, name).relative_to(root))),
        refused(lambda: str(files.inside(root, f"{root}/{name}").relative_to(root))),
    ]  # fmt: skip


TABLES = [
    Table("media/pictures", of_picture, 25),
    Table("media/sounds", of_sound, 25),
    Table("media/lines", of_lines, 25),
    Table("media/names", of_name, 25),
]


@pytest.mark.parametrize(("table", "part"), [
    pytest.param(table, *part.values, id=part.id) for table in TABLES for part in table.parts
])  # fmt: skip
def test_bytes_are_read_as_in_the_golden_table(table, part):
    table.check(part)


@pytest.mark.parametrize(
    ("text", "room"),
    [("0", 0), ("1.5", 1_500_000_000), ("", 2_000_000_000), ("-0.1", None), ("inf", None),
     ("nan", None), ("much", None)],
)  # fmt: skip
def test_room_in_the_cache_is_a_number_of_gigabytes(monkeypatch, text, room):
    monkeypatch.setenv("ROOM", text)
    if room is None:
        with pytest.raises(InputError, match=r"ROOM=.*: give a number of gigabytes"):
            files.cache_room("ROOM", 2)
    else:
        assert files.cache_room("ROOM", 2) == room


def test_a_whole_file_is_there_or_nothing_is(tmp_path):
    (tmp_path / "a").mkdir()
    with pytest.raises(IsADirectoryError), files.whole_or_nothing(tmp_path / "a") as unfinished:
        unfinished.write_text("half")
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_parts_are_taken_over_and_others_stay(tmp_path):
    workshop, folder = tmp_path / "workshop", tmp_path / "folder"
    for place, names in ((workshop, "ab"), (folder, "bcz")):
        place.mkdir()
        for name in names:
            (place / name).write_text(place.name)
    files.take_over(workshop, folder, ["a", "b", "c"])
    assert {p.name: p.read_text() for p in folder.iterdir()} == {
        "a": "workshop", "b": "workshop", "z": "folder",
    }  # fmt: skip
    assert sorted(p.name for p in (workshop / "before").iterdir()) == ["b", "c"]


def test_private_files_are_new_and_the_owners(tmp_path):
    files.write_private(tmp_path / "key", b"x")
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600
    with pytest.raises(FileExistsError):
        files.write_private(tmp_path / "key", b"y")
    files.write_cached(tmp_path / "a" / "b" / "c", b"z")
    files.write_atomically(tmp_path / "a" / "b" / "c", b"zz", synced=True)
    assert (tmp_path / "a" / "b" / "c").read_bytes() == b"zz"
    with pytest.raises(InputError, match="set ZHIYIN_CACHE to a folder"):
        files.write_cached(tmp_path / "key" / "b", b"z")
    with pytest.raises(OSError, match="it is no plain file"):
        files.read_regular("/dev/null")
    with pytest.raises(OSError, match="zero byte"):
        files.read_regular("a\0b")


def test_a_temporary_place_is_made_when_it_is_needed():
    place = files.TemporaryPlace()
    place.delete()
    first = place.path
    assert first.is_dir()
    assert place.path == first
    place.delete()
    assert not first.exists()
    assert place.path != first
    place.delete()


def test_archives_are_opened_within_bounds(tmp_path):
    """32 MB unpacked, or fifty times what is packed, whichever is more."""
    path = tmp_path / "a"
    most = 32_000_000
    archives.refuse_bomb(path, "", 0, most)
    archives.refuse_bomb(path, "", most // 10, 5 * most)
    for packed in (0, 1, most // 50):
        with pytest.raises(InputError, match="a: column unpacks from"):
            archives.refuse_bomb(path, "column", packed, most + 1 + 50 * packed)
    packed = gzip.compress(b"abc") + gzip.compress(b"def")
    assert archives.unzipped(path, packed) == b"abcdef"
    for broken in (b"", packed[:-5], b"abc", gzip.compress(bytes(most + 1))):
        with pytest.raises(InputError):
            archives.unzipped(path, broken)
    assert len(archives.unzipped(path, gzip.compress(bytes(most)))) == most
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("x", b"abc" * 10)
    path.write_bytes(held.getvalue())
    with archives.opened_zip(path, 30) as opened:
        assert opened.read("x") == b"abc" * 10
    with pytest.raises(InputError, match="above 29"), archives.opened_zip(path, 29):
        pass
    at = held.getvalue().index(b"PK\x01\x02") + 24  # the size that its list of contents claims
    for size in (29, 31):
        path.write_bytes(held.getvalue()[:at] + bytes([size]) + held.getvalue()[at + 1 :])
        with pytest.raises(InputError), archives.opened_zip(path):
            pass
