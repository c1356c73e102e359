"""Pictures: read, checked, sent, shown and exported as sound is."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
from pathlib import Path

import pytest
from PIL import Image as Pillow
from PIL import PngImagePlugin

from questions_help import Says, jsonl, refused, run, tone, trials
from servers import ChatServer
from zhiyin.cli import main
from zhiyin.contract.registry import find
from zhiyin.engine.folder import read_records
from zhiyin.errors import InputError, ModelError, NoPictureError
from zhiyin.models import open_model
from zhiyin.models.media import load_picture
from zhiyin.models.refusals import Complaint, failure
from zhiyin.picture import MOST_PIXELS, image_part
from zhiyin.record import Sampling
from zhiyin.trial import Audio, Image, Text, Trial, say

SECRET = "E-flat minor"
KEPT = Path(__file__).parent.parent / "data" / "fuzz" / "pictures"


def draw(path: Path, size=(40, 30), colour=(200, 30, 60), **options) -> Path:
    """A picture of two colours, so that it is not blank."""
    path.parent.mkdir(parents=True, exist_ok=True)
    picture = Pillow.new("RGB", size, "white")
    picture.paste(colour, (5, 5, size[0] // 2, size[1] // 2))
    picture.save(path, **options)
    return path


@pytest.mark.parametrize("form", ["png", "jpeg", "webp", "gif"])
def test_a_picture_is_known_by_its_contents_and_not_by_its_name(tmp_path, form) -> None:
    path = draw(tmp_path / "score.txt", (64, 48), format=form)
    part = image_part(path)
    assert part == Image(str(path), hashlib.sha256(path.read_bytes()).hexdigest(), 64, 48)
    assert load_picture(part).mime == f"image/{form}"


def bomb(path: Path) -> Path:
    """A small PNG whose header claims a hundred billion pixels."""
    draw(path, format="png")
    data = bytearray(path.read_bytes())
    data[16:24] = (10**6).to_bytes(4) * 2
    import zlib

    data[29:33] = zlib.crc32(data[12:29]).to_bytes(4)
    path.write_bytes(data)
    return path


def cut(path: Path, form: str) -> Path:
    draw(path, (300, 300), format=form)
    path.write_bytes(path.read_bytes()[:-60])
    return path


def moving(path: Path) -> Path:
    frames = [Pillow.new("RGB", (20, 20), colour) for colour in ("red", "blue")]
    frames[0].save(path, save_all=True, append_images=frames[1:], format="gif")
    return path


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGB", "RGBA", "I;16"])
def test_png_of_every_depth_and_kind_is_whole(tmp_path, mode) -> None:
    Pillow.new(mode, (37, 23)).save(tmp_path / "a.png")
    assert image_part(tmp_path / "a.png").width == 37


def test_an_interlaced_png_is_whole_until_it_is_cut(tmp_path) -> None:
    """The seven passes of Adam7, made by hand: Pillow writes none."""
    import struct
    import zlib

    def chunk(name: bytes, body: bytes) -> bytes:
        return (
            struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        )

    def file(rows: int) -> bytes:
        head = struct.pack(">IIBBBBB", 5, 3, 8, 0, 0, 0, 1)
        passes = [(1, 1), (1, 1), (2, 0), (1, 1), (3, 1), (2, 2), (5, 1)]
        lines = [bytes(1 + width) for width, height in passes for _ in range(height)]
        body = zlib.compress(b"".join(lines[:rows]))
        return (
            b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")
        )

    (tmp_path / "a.png").write_bytes(file(99))
    assert image_part(tmp_path / "a.png").height == 3
    (tmp_path / "a.png").write_bytes(file(4))
    with pytest.raises(InputError, match="its rows break off"):
        image_part(tmp_path / "a.png")


def taller(path: Path) -> Path:
    """A PNG whose header claims twice as many rows as there are."""
    draw(path, format="png")
    import zlib

    data = bytearray(path.read_bytes())
    data[20:24] = (60).to_bytes(4)
    data[29:33] = zlib.crc32(data[12:29]).to_bytes(4)
    path.write_bytes(data)
    return path


def taller_jpeg(path: Path, **options) -> Path:
    """A JPEG whose header claims twice as many rows as there are."""
    draw(path, format="jpeg", **options)
    data, place = bytearray(path.read_bytes()), 2
    while data[place + 1] not in (0xC0, 0xC2):  # the beginning of the frame
        place += 2 + int.from_bytes(data[place + 2 : place + 4])
    data[place + 5 : place + 7] = (60).to_bytes(2)
    path.write_bytes(data)
    return path


def taller_gif(path: Path, **options) -> Path:
    """A GIF whose headers claim twice as many rows as there are."""
    draw(path, format="gif", **options)
    data = bytearray(path.read_bytes())
    place = data.index(b"\x2c\0\0\0\0" + (40).to_bytes(2, "little"))
    data[8:10] = data[place + 7 : place + 9] = (60).to_bytes(2, "little")
    path.write_bytes(data)
    return path


JPEGS = ({}, {"progressive": True}, {"restart_marker_rows": 1}, {"subsampling": 0})
GIFS = ({"interlace": 0}, {"interlace": 1}, {"comment": b"a fugue"})


@pytest.mark.parametrize(
    ("lie", "form", "options"),
    [(taller_jpeg, "jpeg", one) for one in JPEGS] + [(taller_gif, "gif", one) for one in GIFS],
)
def test_a_header_that_claims_more_rows_is_found(tmp_path, lie, form, options) -> None:
    assert image_part(draw(tmp_path / "a", format=form, **options)).height == 30
    noise = Pillow.effect_noise((333, 200), 90)
    noise.save(tmp_path / "b", format=form, **options)
    assert image_part(tmp_path / "b").height == 200
    with pytest.raises(InputError, match="a damaged picture"):
        image_part(lie(tmp_path / "c", **options))


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda p: p / "none.png", "cannot be read (No such file"),
        (lambda p: p, "cannot be read"),
        (lambda p: bomb(p / "a.png"), "million"),
        (lambda p: taller(p / "a.png"), "its rows break off"),
        (lambda p: cut(p / "a.png", "png"), "damaged picture"),
        (lambda p: cut(p / "a.jpg", "jpeg"), "damaged picture"),
        (lambda p: cut(p / "a.webp", "webp"), "damaged picture"),
        (lambda p: moving(p / "a.gif"), "it moves"),
        (lambda p: KEPT / "gif-of-28-bits", "its pixels are of 28 bits"),
        (lambda p: _svg(p / "a.svg"), "an SVG drawing"),
        (lambda p: tone(p / "a.png"), "not a picture"),
        (lambda p: draw(p / "a.bmp", format="bmp"), "not a picture"),
    ],
)
def test_what_is_no_whole_picture_is_one_clear_line(tmp_path, make, told) -> None:
    with pytest.raises(InputError) as caught:
        image_part(make(tmp_path))
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def _svg(path: Path) -> Path:
    path.write_text('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>')
    return path


def test_a_picture_of_too_many_bytes_or_pixels_is_refused(tmp_path, monkeypatch) -> None:
    path = draw(tmp_path / "a.png")
    monkeypatch.setattr("zhiyin.picture.MOST_BYTES", 100)
    with pytest.raises(InputError, match="125 bytes, and at most 100 bytes"):
        image_part(path)
    monkeypatch.undo()
    monkeypatch.setattr("zhiyin.picture.MOST_PIXELS", 1199)
    with pytest.raises(InputError, match="40 x 30 pixels"):
        image_part(path)
    assert MOST_PIXELS < Pillow.MAX_IMAGE_PIXELS  # or Pillow would warn before we refuse


def ask(spec: str, *media, timeout=5):
    async def once():
        model = open_model(spec, timeout=timeout)
        message = say("user", "What do you see?", *media)
        try:
            return await model.generate((message,), Sampling(), Trial("t", (message,)))
        finally:
            await model.close()

    return asyncio.run(once())


def test_a_server_gets_the_very_bytes_and_no_name(tmp_path) -> None:
    info = PngImagePlugin.PngInfo()
    path = draw(tmp_path / f"{SECRET}.png", pnginfo=info)
    sound = tone(tmp_path / "a.wav")
    audio = Audio(str(sound), hashlib.sha256(sound.read_bytes()).hexdigest())
    with ChatServer(lambda call: "A") as server:
        reply = ask(server.spec, image_part(path), audio, image_part(path))
        body = server.seen[-1].body
    text, first, heard, second = body["messages"][0]["content"]
    assert [p["type"] for p in (text, first, heard)] == ["text", "image_url", "input_audio"]
    assert first == second
    head, _, data = first["image_url"]["url"].partition(",")
    assert (head, base64.b64decode(data)) == ("data:image/png;base64", path.read_bytes())
    assert "flat" not in json.dumps(body)
    assert reply.detail["image_sha256"] == [image_part(path).sha256] * 2
    assert reply.detail["image_format"] == ["png"] * 2
    assert reply.detail["image_pixels"] == [[40, 30]] * 2
    assert reply.detail["audio_format"] == ["wav"]


def test_a_changed_picture_is_noticed_and_not_sent(tmp_path) -> None:
    path = draw(tmp_path / "a.png")
    part = image_part(path)
    draw(path, colour=(1, 2, 3))
    with ChatServer("A") as server:
        with pytest.raises(ModelError, match="has changed"):
            ask(server.spec, part)
        assert server.calls == 0


FUNCTION = """
from pathlib import Path

def look(messages):
    parts = messages[-1]["content"]
    return repr([(p["type"], Path(p.get("path", "")).name, Path(p["path"]).read_bytes().hex()
                  if "path" in p else p["text"]) for p in parts])

def three(audio_path, question, options):
    return "A"
"""


def test_a_function_gets_a_copy_under_a_neutral_name(tmp_path) -> None:
    (tmp_path / "f.py").write_text(FUNCTION)
    path = draw(tmp_path / f"{SECRET}.jpg")
    reply = ask(f"python:{tmp_path}/f.py:look", image_part(path))
    (_, words), (kind, name, data) = [
        (p[0], p[2]) if p[0] == "text" else p for p in __import__("ast").literal_eval(reply.text)
    ]
    assert (words, kind, bytes.fromhex(data)) == ("What do you see?", "image", path.read_bytes())
    assert name.endswith(".jpeg")
    assert "flat" not in name


def test_a_function_of_a_question_is_refused_before_it_is_asked(tmp_path, capsys) -> None:
    (tmp_path / "f.py").write_text(FUNCTION)
    draw(tmp_path / "a.png")
    questions(tmp_path, image="a.png")
    call = ("run", tmp_path / "q.jsonl", "-m", f"python:{tmp_path}/f.py:three", "--out")
    line = refused(capsys, *call, tmp_path / "run")
    assert "shows a picture, and the model takes none" in line
    assert not (tmp_path / "run").exists()


def questions(folder: Path, **row) -> Path:
    base = {"id": "q1", "question": "Which key?", "options": ["C", SECRET], "answer": "B"}
    return jsonl(folder / "q.jsonl", {**base, **row})


def test_questions_show_their_pictures_in_order(tmp_path) -> None:
    draw(tmp_path / "a.png")
    draw(tmp_path / "b.png", colour=(0, 0, 200))
    tone(tmp_path / "a.wav")
    path = questions(tmp_path, image=["a.png", "b.png"], audio="a.wav")
    (trial,) = trials(path)
    kinds = [type(part).__name__ for part in trial.messages[-1].parts]
    assert kinds == ["Audio", "Text", "Image", "Text", "Image", "Text"]
    words = [part.text for part in trial.messages[-1].parts if isinstance(part, Text)]
    assert words[:2] == ["Picture 1:", "Picture 2:"]
    assert "Which key?" in words[2]
    (one,) = trials(questions(tmp_path, image="b.png"))
    assert [type(part).__name__ for part in one.messages[-1].parts] == ["Image", "Text"]


def test_questions_on_one_picture_are_one_cluster_and_another_picture_is_another_run(
    tmp_path,
) -> None:
    draw(tmp_path / "a.png")
    draw(tmp_path / "b.png", colour=(0, 0, 200))
    base = {"options": ["C", "D"], "answer": "B"}
    rows = [{**base, "question": f"Q{n}?", "picture": name} for n, name in enumerate("aab")]
    path = jsonl(tmp_path / "q.jsonl", *({**r, "picture": f"{r['picture']}.png"} for r in rows))
    made = trials(path)
    assert [t.cluster for t in made] == ["a.png", "a.png", made[2].cluster]
    assert made[2].cluster != "a.png"
    before = find("questions").from_options({"data": str(path)}).fingerprint()
    draw(tmp_path / "b.png", colour=(9, 9, 9))
    assert find("questions").from_options({"data": str(path)}).fingerprint() != before


def test_a_picture_must_lie_beside_the_questions_and_be_whole(tmp_path, capsys) -> None:
    draw(tmp_path / "out" / "a.png")
    folder = tmp_path / "in"
    folder.mkdir()
    for written, told in [
        ("../out/a.png", "leaves the folder"),
        ("none.png", "is not there"),
        ("https://example.org/a.png", "is an address"),
    ]:
        questions(folder, image=written)
        line = refused(capsys, "run", folder / "q.jsonl", "-m", "first", "--out", tmp_path / "r")
        assert told in line
        assert "--columns image= asks without pictures" in line
    cut(folder / "a.png", "png")
    questions(folder, image="a.png")
    line = refused(capsys, "run", folder / "q.jsonl", "-m", "first", "--out", tmp_path / "r")
    assert "damaged picture" in line


@pytest.mark.slow
def test_data_check_finds_flaws_of_pictures(tmp_path) -> None:
    draw(tmp_path / f"{SECRET}.png")
    draw(tmp_path / "same.png")
    Pillow.new("RGB", (30, 30), "white").save(tmp_path / "white.png")
    cut(tmp_path / "cut.png", "png")
    base = {"options": ["C", SECRET], "answer": "B"}
    names = [f"{SECRET}.png", "same.png", "white.png", "cut.png", "none.png"]
    rows = [
        {**base, "id": str(n), "question": f"Key number {n} of this piece?", "image": name}
        for n, name in enumerate(names)
    ]
    path = jsonl(tmp_path / "q.jsonl", *rows)
    found = {flaw.kind: flaw.id for flaw in find("questions").check({"data": str(path)}).flaws}
    found.pop("near-repeat", None)
    assert found == {
        "picture-names-answer": "0",
        "repeated-picture": "1",
        "blank-picture": "2",
        "unreadable-picture": "3",
        "bad-picture": "4",
    }


@pytest.fixture
def seen(tmp_path) -> Path:
    """A run with a picture and a sound."""
    draw(tmp_path / f"{SECRET}.png")
    tone(tmp_path / "a.wav")
    path = questions(tmp_path, image=f"{SECRET}.png", audio="a.wav")
    run(path, Says("Answer: B"), tmp_path / "run")
    return tmp_path / "run"


def test_a_log_holds_the_picture_by_hash_and_can_be_read_again(seen) -> None:
    (record,) = read_records(seen)
    (picture,) = [p for p in record.trial.messages[-1].parts if isinstance(p, Image)]
    assert (picture.width, picture.height) == (40, 30)
    assert picture.sha256 == hashlib.sha256(Path(picture.path).read_bytes()).hexdigest()
    assert record.verdict.state == "correct"
    assert "1 pictures" in repr(record.trial)


@pytest.mark.slow
def test_reports_show_pictures(seen, tmp_path, capsys) -> None:
    (record,) = read_records(seen)
    (picture,) = [p for p in record.trial.messages[-1].parts if isinstance(p, Image)]
    data = Path(picture.path).read_bytes()
    assert main(["report", str(seen), "-o", str(tmp_path / "report"), "--no-figures"]) == 0
    kept = tmp_path / "report" / "pictures" / f"{picture.sha256}.png"
    assert kept.read_bytes() == data
    assert f"pictures/{picture.sha256}.png" in (tmp_path / "report/data/report.js").read_text()
    assert main(["report", str(seen), "-o", str(tmp_path / "one.html")]) == 0
    assert base64.b64encode(data).decode() in (tmp_path / "one.html").read_text()
    without = tmp_path / "without.html"
    assert main(["report", str(seen), "-o", str(without), "--no-audio"]) == 0
    assert base64.b64encode(data).decode() not in without.read_text()
    Path(picture.path).unlink()
    capsys.readouterr()
    assert main(["report", str(seen), "-o", str(without)]) == 0
    assert "pictures that are no longer where they were, or are others than were shown: 1" in (
        capsys.readouterr().err
    )


@pytest.mark.slow
def test_one_file_holds_pictures_up_to_a_limit(seen, tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.setattr("zhiyin.report.outputs._SINGLE_PICTURE_BYTES", 50)
    assert main(["report", str(seen), "-o", str(tmp_path / "one.html")]) == 0
    assert "1 picture is left out" in capsys.readouterr().err


BLIND = (
    "Invalid value: 'image_url'. Supported values are: 'text' and 'input_audio'.",
    "At most 0 image(s) may be provided in one prompt.",
    "No endpoints found that support image input",
    "image input is not supported - hint: if this is unexpected, you may need to provide a mmproj",
    "Invalid content type. image_url is only supported by certain models.",
    "This model does not support image inputs",
    "unknown variant `image_url`, expected `text`",
    "This model does not support audio or image input",
    "azure-openai error: This model does not support image_url content.",
    "this model does not support image input (ref: 1b2c)",
    "Model do not support image input. Request id: 0217",
    "this model is missing data required for image input",
    "Image input modality is not enabled for models/gemma-3-1b-it",
    "Image inputs are not supported by this model.",
    "[Unexpected item type in content.]",
)


@pytest.mark.parametrize("told", BLIND)
def test_who_sees_nothing_is_known_by_what_the_server_says(told) -> None:
    error = failure(400, {}, Complaint(told), str, {"image"})
    assert isinstance(error, NoPictureError)
    assert str(error).startswith("unsupported: the model takes no pictures")
    assert not isinstance(failure(400, {}, Complaint(told), str, {"sound"}), NoPictureError)


@pytest.mark.parametrize(
    "told", ["The image is not supported: it is 9000 pixels wide", "image exceeds 5 MB maximum"]
)
def test_a_refusal_of_this_picture_is_not_one_of_pictures(told) -> None:
    assert not isinstance(failure(400, {}, Complaint(told), str, {"image"}), NoPictureError)
