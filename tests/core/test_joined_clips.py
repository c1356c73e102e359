"""Several clips as one: where each of them lies, and what stands in its place."""

import asyncio
import io

import numpy as np
import pytest
import soundfile

from servers import ChatServer
from zhiyin.cli import main
from zhiyin.engine.folder import read_records
from zhiyin.models import open_model
from zhiyin.models.joined_clips import JoiningModel
from zhiyin.record import Sampling, identity_of
from zhiyin.sound import audio_part
from zhiyin.trial import Audio, Message, Text, Trial, say


@pytest.fixture
def clip(tmp_path):
    def make(name, seconds, rate, level, channels=1):
        path = tmp_path / f"{name}.wav"
        soundfile.write(path, np.full((int(seconds * rate), channels), level), rate)
        return audio_part(path)

    return make


def asked(*messages, stem="Which?"):
    return Trial("t", messages, stem)


def test_one_recording_takes_the_place_of_several(clip):
    first, second = clip("a", 1.0, 8000, 0.25), clip("b", 0.5, 16000, -0.5, channels=2)
    part = Audio(first.path, first.sha256, first.seconds, 0.25, 0.75)
    trial = asked(
        say("system", "Listen."),
        Message("user", (first, Text("This is A."))),
        Message("assistant", (Text("A"),)),
        Message("user", (Text("And"), second, Text("or"), part)),
    )

    def answer(call):
        return "A"

    with ChatServer(answer) as server:
        model = JoiningModel(open_model(server.spec, timeout=10), 0.5)

        async def once():
            reply = await model.generate(trial.messages, Sampling(), trial)
            lines = model.report()
            await model.close()
            return reply, lines

        reply, lines = asyncio.run(once())
        (call,) = server.seen
    assert len(call.sounds) == 1
    samples, rate = soundfile.read(io.BytesIO(call.sounds[0]))
    assert rate == 16000
    assert len(samples) == pytest.approx(16000 * (1.0 + 0.5 + 0.5 + 0.5 + 0.5), abs=2)
    level = [samples[int(16000 * at)] for at in (0.5, 1.25, 1.75, 2.25, 2.75)]
    assert level == pytest.approx([0.25, 0.0, -0.5, 0.0, 0.25], abs=0.01)
    turns = call.body["messages"]
    assert [turn["role"] for turn in turns] == ["system", "user", "assistant", "user"]
    words = [p["text"] for p in turns[1]["content"] if p["type"] == "text"]
    assert words == [
        "The recording holds 3 sounds: sound 1 from 0.0 to 1.0 s; sound 2 from 1.5 to 2.0 s; "
        "sound 3 from 2.5 to 3.0 s.",
        "(Sound 1 of the recording.)",
        "This is A.",
    ]
    assert turns[3]["content"] == "\n\n".join(
        ["And", "(Sound 2 of the recording.)", "or", "(Sound 3 of the recording.)"]
    )
    assert reply.detail["joined"]["spans_s"] == [[0.0, 1.0], [1.5, 2.0], [2.5, 3.0]]
    assert reply.detail["joined"]["silence_s"] == 0.5
    assert (
        lines
        == [
            "in 1 calls several clips were joined into one, with 0.5 s of silence between them "
            "(--join-clips)"
        ]
        or "1 call " in lines[0]
    )


def test_a_reply_to_joined_clips_is_kept_as_none_to_others():
    model = open_model("http://127.0.0.1:9/v1#m", timeout=10)
    plain, joined = identity_of(model), identity_of(JoiningModel(model, 1.0))
    assert plain is not None
    assert joined == {**plain, "joined_by_s": 1.0}
    assert identity_of(JoiningModel(open_model("random"), 1.0)) is None


@pytest.mark.slow
def test_joining_from_the_command_line(tmp_path, clip, capsys):
    from questions_help import jsonl

    clip("a", 0.5, 8000, 0.1)
    clip("b", 0.5, 8000, 0.2)
    path = jsonl(
        tmp_path / "q.jsonl",
        {
            "id": "x", "question": "Which is louder?", "audio": ["a.wav", "b.wav"],
            "options": ["one", "two"], "answer": "two",
        },
    )  # fmt: skip
    with ChatServer(lambda call: "B") as server:
        order = ["run", str(path), "-m", server.spec, "--out", str(tmp_path / "run"), "--quiet"]
        assert main([*order, "--join-clips"]) == 0
        assert len(server.seen[0].sounds) == 1
        assert main([*order, "--join-clips", "2"]) == 2, "another silence is another run"
    assert "joined into one" in capsys.readouterr().out
    (record,) = read_records(tmp_path / "run")
    assert record.exchange.final.detail["joined"]["silence_s"] == 1.0
    assert main([*order, "--join-clips", "99"]) == 2
