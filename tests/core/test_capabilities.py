"""What models can take: declared, checked before the first trial, written into the manifest."""

from __future__ import annotations

import json

import pytest
from test_pictures import draw

from questions_help import Says, jsonl, refused, run, tone
from servers import ChatServer, _json
from zhiyin import Capabilities
from zhiyin.cli import main
from zhiyin.models.capabilities import UNKNOWN

MODELS = """
from zhiyin import Capabilities

class Deaf:
    name, capabilities = "deaf", Capabilities(sound=False, image=False, settings=("temperature",))
    async def generate(self, messages, sampling, trial):
        return "Answer: A"

class Wrong(Deaf):
    name, capabilities = "wrong", {"sound": False}
"""


@pytest.fixture
def folder(tmp_path):
    """Questions with words alone, with a sound, with a picture; and models."""
    (tmp_path / "m.py").write_text(MODELS)
    tone(tmp_path / "a.wav")
    draw(tmp_path / "a.png")
    base = {"options": ["C", "D"], "answer": "A"}
    rows = {"words": {}, "heard": {"audio": "a.wav"}, "seen": {"image": "a.png"}}
    for name, more in rows.items():
        jsonl(
            tmp_path / f"{name}.jsonl", *({**base, "question": f"{n}?", **more} for n in range(4))
        )
    return tmp_path


@pytest.mark.parametrize(
    ("file", "told"),
    [
        ("heard", "it plays sound, and the model takes none: take a model that hears, or ask "
                  "without sound: --columns audio="),
        ("seen", "it shows a picture, and the model takes none: take a model that sees"),
    ],
)  # fmt: skip
def test_a_run_that_a_model_cannot_take_does_not_begin(folder, capsys, file, told) -> None:
    call = ("run", folder / f"{file}.jsonl", "-m", f"python:{folder}/m.py:Deaf", "--out")
    line = refused(capsys, *call, folder / "run")
    assert told in line
    assert not (folder / "run").exists()
    flag = "--columns=audio=" if file == "heard" else "--columns=image="
    assert main([str(word) for word in (*call, folder / "run", flag, "--quiet")]) == 0


def test_settings_are_checked_too(folder, capsys) -> None:
    call = (
        "run",
        folder / "words.jsonl",
        "-m",
        f"python:{folder}/m.py:Deaf",
        "--out",
        folder / "r",
    )
    assert "say --top-k default" in refused(capsys, *call, "--top-k", "4")
    assert "write zhiyin.Capabilities" in refused(
        capsys, *call[:3], f"python:{folder}/m.py:Wrong", *call[4:]
    )


def test_the_manifest_holds_what_was_declared_and_what_is_unknown(folder) -> None:
    model = Says("Answer: A")
    model.capabilities = Capabilities(sound=True, clips=None, seconds=30)
    run(folder / "words.jsonl", model, folder / "run")
    said = json.loads((folder / "run" / "run.json").read_text())["decoding"]["capabilities"]
    assert (said["sound"], said["clips"], said["seconds"]) == (True, None, 30)
    assert said["image"] == said["settings"] == UNKNOWN
    run(folder / "words.jsonl", Says("Answer: A"), folder / "other")
    said = json.loads((folder / "other" / "run.json").read_text())["decoding"]["capabilities"]
    assert set(said.values()) == {UNKNOWN}


@pytest.mark.parametrize(
    ("file", "told", "said"),
    [
        ("heard", "This model does not support audio inputs", "takes no sound"),
        ("seen", "This model does not support image inputs", "takes no pictures"),
    ],
)
def test_what_a_server_cannot_take_is_unsupported_and_never_wrong(
    folder, capsys, file, told, said
) -> None:
    with ChatServer(lambda call: _json({"error": {"message": told}}, 400)) as server:
        call = ("run", folder / f"{file}.jsonl", "-m", server.spec, "--out", folder / "run")
        line = refused(capsys, *call, "--concurrency", 1, "--no-canary")
        assert server.calls == 3
    assert f"unsupported: the model {said}" in line
    records = [json.loads(r) for r in (folder / "run/records.jsonl").read_text().splitlines()]
    assert [r["verdict"]["state"] for r in records] == ["error"] * 3
    assert all(r["error"].startswith(f"unsupported: the model {said}") for r in records)
