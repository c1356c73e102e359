"""What models can take: declared, checked before the first trial, written into the manifest."""

from __future__ import annotations

import json

import pytest
from test_pictures import draw

from questions_help import Says, jsonl, refused, run, tone
from servers import ChatServer, _json
from zhiyin import Capabilities
from zhiyin.cli import main
from zhiyin.errors import InputError
from zhiyin.models.capabilities import (
    ANYTHING,
    SETTINGS,
    UNKNOWN,
    refuse_unsupported,
    why_not,
)
from zhiyin.models.playback import AS_IT_IS, SoundPolicy
from zhiyin.record import Sampling
from zhiyin.trial import Audio, Image, Message, Text, Trial, say

CLIP = Audio("/x/a.wav", "aa", 40.0)
PART = Audio("/x/a.wav", "aa", 40.0, 5.0, 35.0)
UNMEASURED = Audio("/x/b.wav", "bb")
PICTURE = Image("/x/a.png", "cc", 10, 10)


def asked(*parts, before=(), system=False) -> Trial:
    messages = [say("system", "Be brief.")] if system else []
    messages += [Message("user", (*before, Text("Like this:"))), say("assistant", "A")] * bool(
        before
    )
    return Trial("t1", (*messages, Message("user", (*parts, Text("And this?")))))


TRIALS = {
    "words": asked(),
    "one": asked(CLIP),
    "part": asked(PART),
    "unmeasured": asked(UNMEASURED),
    "two": asked(CLIP, CLIP),
    "examples": asked(CLIP, before=(CLIP,)),
    "picture": asked(PICTURE),
    "pictures": asked(PICTURE, before=(PICTURE,)),
    "system": asked(system=True),
}
HEARD = {"one", "part", "unmeasured", "two", "examples"}
CASES = [
    (Capabilities(), set(), ""),
    (ANYTHING, set(), ""),
    (Capabilities(sound=False), HEARD, "the model takes none: take a model that hears"),
    (
        Capabilities(seconds=30),
        {"one", "two", "examples"},
        "40.000 s of sound, and the model takes",
    ),
    (Capabilities(seconds=40), set(), ""),
    (Capabilities(clips=1), {"two", "examples"}, "it plays 2 sounds, and the model takes 1"),
    (Capabilities(sound_examples=False), {"examples"}, "--shots 0"),
    (Capabilities(image=False), {"picture", "pictures"}, "take a model that sees"),
    (Capabilities(pictures=1), {"pictures"}, "it shows 2 pictures, and the model takes 1"),
    (Capabilities(system=False), {"system"}, "a system message"),
]


@pytest.mark.parametrize(("can", "refused_trials", "told"), CASES)
def test_what_is_declared_decides_and_what_is_unknown_does_not(can, refused_trials, told) -> None:
    found = {name: why_not(trial, can) for name, trial in TRIALS.items()}
    assert {name for name, why in found.items() if why} == refused_trials
    assert all(told in why for why in found.values() if why)
    assert not (can.takes_any_trial and refused_trials)


@pytest.mark.parametrize("name", SETTINGS)
def test_a_setting_that_is_not_settable_is_named_with_its_flag(name) -> None:
    others = tuple(setting for setting in SETTINGS if setting != name)
    can = Capabilities(settings=others)

    def check(**settings) -> None:
        refuse_unsupported([], can, Sampling(**settings), AS_IT_IS, "m")

    check()  # temperature 0 is nobody's wish: it is left out
    flag = {"seed": "sampling-seed"}.get(name, name.replace("_", "-"))
    with pytest.raises(InputError, match=f"m takes no .*--{flag}"):
        check(**{name: 1})
    refuse_unsupported([], Capabilities(), Sampling(**{name: 1}), AS_IT_IS, "m")


def test_a_format_of_sound_that_is_not_taken_is_refused() -> None:
    can = Capabilities(formats=("wav", "mp3"))
    for form in (None, "as-is", "wav", "mp3"):
        refuse_unsupported([], can, Sampling(), SoundPolicy(form), "m")
    with pytest.raises(InputError, match="m takes sound as wav or mp3, not as flac"):
        refuse_unsupported([], can, Sampling(), SoundPolicy("flac"), "m")


def test_the_shorter_of_two_limits_counts() -> None:
    trials, can = [TRIALS["one"]], Capabilities(seconds=60)
    refuse_unsupported(trials, can, Sampling(), SoundPolicy(limit=50), "m")
    for limits in ((can, SoundPolicy(limit=30)), (Capabilities(seconds=30), AS_IT_IS)):
        with pytest.raises(InputError, match="the model takes 30 s"):
            refuse_unsupported(trials, limits[0], Sampling(), limits[1], "m")


def test_no_trial_is_made_twice_where_nothing_can_be_refused() -> None:
    trials = iter(TRIALS.values())
    for can in (Capabilities(), ANYTHING):
        refuse_unsupported(trials, can, Sampling(), AS_IT_IS, "m")
    assert list(trials) == list(TRIALS.values())


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
