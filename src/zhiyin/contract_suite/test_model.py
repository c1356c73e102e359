"""A model: what it replies, what it takes, how it fails and how it is let go of."""

from __future__ import annotations

import asyncio
import hashlib
import wave
from pathlib import Path
from typing import Any

import msgspec
import pytest
from PIL import Image as Picture

from zhiyin.contract_suite.subject import blaming, broken, reply_of
from zhiyin.errors import ModelError, UnfitError
from zhiyin.models.capabilities import (
    SETTINGS,
    UNKNOWN,
    Capabilities,
    capabilities_of,
    refuse_unsupported,
)
from zhiyin.models.playback import AS_IT_IS
from zhiyin.record import FINISHES, Model, Reply, Sampling, identity_of
from zhiyin.trial import Audio, Image, Message, Text, Trial, say

MODEL, REPLY, CAPABILITIES = "zhiyin.Model", "zhiyin.Reply", "zhiyin.Capabilities"
FEW = 8
"""Tokens that a short reply may have."""


def test_it_replies(model: Model, question: Trial, runner: asyncio.Runner) -> None:
    """It has a name and a concurrency, and gives a reply that can be kept."""
    if not isinstance(model.name, str) or not model.name or model.concurrency < 1:
        broken("name is a text, concurrency a whole number above 0", MODEL)
    with blaming("a reply", REPLY):
        reply = runner.run(reply_of(model, question))
        back = msgspec.json.decode(msgspec.json.encode(reply), type=Reply)
    if back != reply or reply.finish not in FINISHES or (reply.latency_s or 0) < 0:
        broken(f"{reply!r} cannot be kept: finish is one of {FINISHES}", REPLY)


def test_its_capabilities_can_be_read(model: Model) -> None:
    """Each is of the kind that the class says, and settings are known by name."""
    with blaming("capabilities", CAPABILITIES):
        can = msgspec.convert(msgspec.to_builtins(capabilities_of(model)), Capabilities)
    if can.settings != UNKNOWN and (strange := {*can.settings} - {*SETTINGS}):
        broken(f"there is no setting {strange.pop()!r}: {', '.join(SETTINGS)}", CAPABILITIES)


def _part(what: str, folder: Path) -> Audio | Image:
    path = folder / what
    if what == "image":
        Picture.new("RGB", (32, 32), "white").save(path, "PNG")
        return Image(str(path), hashlib.sha256(path.read_bytes()).hexdigest(), 32, 32)
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, 16_000, 0, "NONE", ""))
        file.writeframes(b"\x00\x10\x00\xf0" * 8_000)
    return Audio(str(path), hashlib.sha256(path.read_bytes()).hexdigest(), 1.0)


def _with(trial: Trial, *parts: Any) -> Trial:
    *before, last = trial.messages
    asked = Message("user", (*last.parts, *parts))
    return msgspec.structs.replace(trial, messages=(*before, asked))


@pytest.mark.parametrize("what", ["system", "sound", "image"])
def test_it_takes_what_it_says(
    model: Model, question: Trial, runner: asyncio.Runner, what: str, tmp_path: Path
) -> None:
    """What it says that it takes is answered; a run is refused before what it denies is sent."""
    if what == "system":
        told = (say("system", "Answer with a letter."), *question.messages)
        trial = msgspec.structs.replace(question, messages=told)
    else:
        trial = _with(question, _part(what, tmp_path))
    can, failure = capabilities_of(model), ""
    try:
        runner.run(reply_of(model, trial))
    except ModelError as error:
        failure = str(error)
    try:
        refuse_unsupported([trial], can, Sampling(), AS_IT_IS, model.name)
    except UnfitError:
        return
    if failure and getattr(can, what) is True:
        broken(f"its capabilities say {what}=True, and it fails: {failure}", CAPABILITIES)


def test_a_reply_is_no_longer_than_it_may_be(
    model: Model, question: Trial, runner: asyncio.Runner
) -> None:
    """`max_tokens` holds where the model says that it can be set: a word is a token at least."""
    can = capabilities_of(model)
    if can.settings == UNKNOWN or "max_tokens" not in can.settings:
        pytest.skip("it does not say that max_tokens can be set")
    trial = _with(question, Text("Explain at length."))
    with blaming("a reply of a few tokens", "zhiyin.Sampling"):
        reply = runner.run(reply_of(model, trial, Sampling(max_tokens=FEW)))
    if (words := len(reply.text.split())) > FEW:
        broken(f"a reply has {words} words with max_tokens {FEW}", "zhiyin.Sampling")


def test_it_fails_as_models_fail(model: Model, question: Trial, runner: asyncio.Runner) -> None:
    """Asked at once, a lost sound and no question: replies and `ModelError`s, nothing else."""
    gone = _with(question, Audio("/no/such/place.wav", "0" * 64, 1.0))
    several = (question, gone, Trial("contract-2", (say("user", "?"),)))

    async def at_once() -> Any:
        calls = (reply_of(model, trial) for trial in several)
        return await asyncio.gather(*calls, return_exceptions=True)

    for result in runner.run(at_once()):
        if not isinstance(result, Reply | ModelError):
            raise result


def test_it_is_described(model: Model, question: Trial) -> None:
    """What a run keeps of it is JSON: `describe`, `identity`, `report`."""
    with blaming("describe", "zhiyin.models"):
        said: Any = getattr(model, "describe", dict)()
        msgspec.json.encode((said, identity_of(model)))
        lines = [str(line) for line in getattr(model, "report", list)()]
    for raised in (*lines, said.get("describe", "")):  # of a user's model, which must not stop runs
        if "raised " in str(raised):
            broken(f"{model.name}: describe or report {raised}", "zhiyin.models")


def test_it_is_closed_twice(
    model: Model, question: Trial, runner: asyncio.Runner, caplog: pytest.LogCaptureFixture
) -> None:
    """`close` lets go of what is held, and may be called again."""
    for _ in range(2):
        with blaming("close", MODEL):
            runner.run(model.close())
    for record in caplog.records:  # of a user's model, whose faults stop no run
        if record.name == "zhiyin":
            broken(record.getMessage(), MODEL)
