"""Public functions and classes of the asking side: what each makes of many arguments, to the last.

See `golden_help`, which says how a change is accepted. What is called stands in the golden file:
``{"!": "module:name", "*": [...], ...}`` calls it, ``{"@": "module:name"}`` is it, and ``do`` says
which attributes of the outcome are called, or looked at, one after another.
"""

import asyncio
import builtins
import contextlib
import functools
import importlib
import inspect
import io
import json
import os
import re
from pathlib import Path
from types import SimpleNamespace

import msgspec
import numpy as np
import PIL.Image as Pillow
import pytest
import soundfile
from msgspec import convert

from golden_help import Golden
from zhiyin import errors
from zhiyin.cost.budget import ExpectedCost
from zhiyin.cost.cache import ReplyCache
from zhiyin.cost.ledger import CallUnderWay
from zhiyin.cost.prices import Usage
from zhiyin.cost.request_queue import RequestQueue, Spending
from zhiyin.engine.asking import Amount, Conversation
from zhiyin.engine.readable import plain
from zhiyin.errors import InputError, LostError, ModelError, SpentError
from zhiyin.models.baselines import Baseline
from zhiyin.models.joined_clips import joined, sounds_of
from zhiyin.models.media import ClipCache, data_url
from zhiyin.models.playback import SoundPolicy, hear, load_clip, write_neutral
from zhiyin.models.replies import EmptyReply
from zhiyin.record import Reply, Sampling
from zhiyin.sound import audio_part
from zhiyin.trial import Image, Text, Trial, say

CALLS = Golden("calls")
FAILS = (InputError, ModelError, SpentError, ValueError, KeyError, TypeError, AttributeError)


class Clock:
    """Time that goes on as far as somebody sleeps."""

    now = 0.0

    def __call__(self):
        return self.now

    async def sleep(self, seconds):
        self.now += seconds


def sound(path, *, rate=8000, channels=1, seconds=0.01, **written):
    """A rising ramp, another in each channel: no two samples are alike."""
    ramp = np.linspace(-0.5, 0.5, round(rate * seconds), endpoint=False)
    samples = np.stack([ramp * (1 - 0.25 * c) for c in range(channels)], axis=1)
    soundfile.write(path, samples, rate, **written)


def named(place):
    module, _, name = place.partition(":")
    return functools.reduce(getattr, name.split("."), importlib.import_module(module))


def built(value):
    """A value of the golden file as an object."""
    if isinstance(value, list):
        return [built(one) for one in value]
    if not isinstance(value, dict):
        return value
    known = {name: built(inner) for name, inner in value.items() if name not in ("!", "*", "do")}
    match value:
        case {"!": place}:
            made = waited(named(place)(*built(value.get("*", [])), **known))
            for name, *arguments in value.get("do", ()):
                made = getattr(made, name)
                made = waited(made(*built(arguments))) if callable(made) else made
            return made
        case {"@": place}:
            return named(place)
        case {"tuple": _} | {"set": _} | {"bytes": _} | {"float": _} | {"clock": _}:
            ((kind, inner),) = known.items()
            if kind == "clock":
                return clocks.setdefault(inner, Clock())
            kinds = {"tuple": tuple, "set": set, "float": float, "bytes": str.encode}
            return kinds[kind](inner)
    return known


clocks: dict[str, Clock] = {}


def waited(value):
    """What comes of it, once it is there."""
    return loop.run_until_complete(value) if inspect.isawaitable(value) else value


def shown(value):
    """A value as JSON has it."""
    if isinstance(value, bytes):
        return {"bytes": len(value), "begins": value[:12].hex()}
    if isinstance(value, np.ndarray | np.generic):
        return shown(value.tolist())
    if isinstance(value, dict):
        return {str(shown(name)): shown(inner) for name, inner in value.items()}
    if isinstance(value, set | frozenset):
        return sorted(map(shown, value))
    if isinstance(value, list | tuple) or inspect.isgenerator(value):
        return [shown(one) for one in value]
    if isinstance(value, msgspec.Struct):
        names = [name for name in value.__struct_fields__ if name != "latency_s"]
        return {name: shown(getattr(value, name)) for name in names}
    if isinstance(value, BaseException):
        more = {n: shown(v) for n, v in vars(value).items() if n in ("retry_after", "reply")}
        return {"error": type(value).__name__, "says": str(value), **more}
    return value if value is None or isinstance(value, str | int | float) else str(value)


def ledger_story(ledger, steps):
    """What a ledger expects and holds after each step of some calls."""
    calls, told = [], []
    for kind, *rest in steps:
        if kind == "a":
            calls.append(got := ledger.admit_now(*rest, *[0.0] * (2 - len(rest))))
        else:
            call = calls[rest[0]] or CallUnderWay(ExpectedCost(), ExpectedCost(), Amount())
            if kind == "+":
                got = ledger.replied(call, Usage(**rest[1]), 33.3, rest[2])
            else:
                got = {"-": ledger.failed, "~": ledger.lost, "w": ledger.withdrawn}[kind](call)
        account = ledger.account
        held = account.usd, account.tokens, account.calls, account.summary
        now = ledger.spent, ledger.started, ledger.may_begin, ledger.expects(10)
        told.append([got, *held, *now])
    return told


def aged(store, entries, later, keys, days):
    store.put(entries)
    clocks["a"].now += later
    return store.get(keys, days)


def pruned(store, entries, later, keys):
    """What is left of those not used since just before now, after one of them was used."""
    store.put(entries)
    clocks["a"].now += later
    store.get(keys)
    return store.prune(unused_since=clocks["a"].now), store.by_model()


def through_queue(steps, spending=None, price=None, *, cached=False, tells=False):
    """What calls cost on their way to a model: each kept, answered, failed, doubled or dropped."""
    known = {"identity": dict, "name": "m", "tells_sending": tells, "capabilities": None}
    cache = ReplyCache(Path("kept.sqlite"), 10**6) if cached else None
    order = convert(spending or {}, Spending, strict=False)
    queue = RequestQueue(SimpleNamespace(**known), order, SoundPolicy(), price, cache)
    conversation, told = Conversation(), []

    async def gone_through():
        for words, *fates in steps:
            messages = (say("user", words),)
            request = await queue.request(Trial("t", messages), messages, Sampling(), conversation)
            for fate in [] if request.kept else fates:
                match fate:
                    case "admit":
                        await request.admit()
                    case "sent":
                        request.sent()
                    case "double":
                        second = request.double()
                        if second is not None:
                            second.failed(LostError("x"))
                    case {"reply": fields}:
                        await request.replied(Reply(**fields))
                    case {"error": "EmptyReply"}:
                        request.failed(EmptyReply(Reply("", usage={"prompt_tokens": 9})))
                    case {"error": name, **more}:
                        kind = getattr(errors, name, None) or getattr(builtins, name)
                        request.failed(kind("x", *more.values()))
                    case {"again": name}:
                        await request.again(getattr(errors, name)("x"))
            if request.kept:
                assert request.kept.detail.pop("kept_at")
            spent, ledger = conversation.spent, queue.ledger
            told.append([
                request.kept, request.more, spent.calls, spent.tokens, spent.usd, ledger.usd,
                ledger.started, ledger.used, ledger.may_begin, len(conversation.keys),
            ])  # fmt: skip
        await queue.forget(conversation)
        request = await queue.request(Trial("t", messages), messages, Sampling(), Conversation())
        told.append([request.kept, queue.report(), queue.tokens(messages)])
        await queue.close()

    with contextlib.suppress(SpentError):
        loop.run_until_complete(gone_through())
    return told


def kept_clips(path):
    """How many of three clips are kept in rooms about as large as some of them."""
    whole, found = audio_part(path), []
    parts = [msgspec.structs.replace(whole, end=0.001 * n) for n in (8, 8.01, 8.02)]
    size = len(msgspec.msgpack.encode(load_clip(parts[0])))
    for number, room in enumerate(
        [0, 2 * size - 1, 2 * size, 2 * size + 1, 2 * size + 2, *range(3 * size, 3 * size + 60, 3)]
    ):
        os.environ["ZHIYIN_CACHE"] = f"{number}"
        cache = ClipCache(SoundPolicy(), room)
        for part in parts:
            cache.load(part)
        found.append(len(list(Path(str(number)).rglob("clips/*"))))
    return found


def heard_in(clip, data):
    samples, rate = soundfile.read(io.BytesIO(data), always_2d=True)
    exact = clip.sent.format == "wav" and soundfile.info(io.BytesIO(data)).subtype != "FLOAT"
    return clip.sent if exact else msgspec.structs.replace(clip.sent, sha256=""), rate, [
        samples.shape, *np.round(samples[:: max(1, len(samples) // 7)], 3 if exact else 1).tolist()
    ]  # fmt: skip


def clip(path, part=None, **policy):
    """A sound as it is sent, twice: newly made, and from the folder of clips."""
    whole = audio_part(path)
    audio, policy = msgspec.structs.replace(whole, **part or {}), SoundPolicy(**policy)
    made, kept = load_clip(audio, policy), ClipCache(policy, 10**6)
    assert [kept.load(audio), kept.load(audio)] == [made, made]
    return heard_in(made, made.data)


def heard(path, rate, part=None):
    decoded = hear(msgspec.structs.replace(audio_part(path), **part or {}), rate, SoundPolicy())
    return decoded.rate, decoded.seconds, np.round(decoded.samples[::9], 3)


def neutral(path, part):
    copy = write_neutral(msgspec.structs.replace(audio_part(path), **part), Path())
    return copy.name, soundfile.info(copy).frames


def url(path):
    return data_url(audio_part(path))


def joined_sound(paths, silence):
    """What a model is given of several sounds."""

    class Model:
        name, concurrency = "m", 1

        async def generate(self, messages, sampling, trial):
            (sound,) = sounds_of(messages)
            samples, rate = soundfile.read(sound.path)
            return Reply(str((messages[0].parts[1:], rate, np.round(samples[::20], 3).tolist())))

        async def close(self):
            pass

    message = say("user", *map(audio_part, paths))
    model = joined(Model(), silence)
    reply = waited(model.generate((message,), Sampling(), Trial("t", (message,))))
    return reply, model.report(), model.identity(), waited(model.close())


def picks(name, seed, stem, options):
    """What a baseline picks for some trials, read by letters, by brackets and by words."""
    found = []
    for read in (
        None,
        lambda text, _: text,
        lambda text, _: text[2:3] if "[" in text else None,
        lambda text, options: next((o.letter for o in options if o.text == text), None),
    ):
        model = Baseline(name, seed)
        model.read = read
        trials = [Trial(f"t{n}", (), stem, options) for n in range(3)]
        found.append([waited(model.generate((), Sampling(), trial)).text for trial in trials])
    return found


def deep(levels):
    return plain(functools.reduce(lambda inner, _: [inner], range(levels), 7))


def wide(values):
    found = plain([[n] for n in range(values // 2)])
    return found.count("..."), found.count(["..."]), len(found)


def asked_of(trials):
    """The questions of a canary, and what is to be heard or seen in them, roughly."""
    return [(t.id, t.target, [(m.role, *map(medium, m.parts)) for m in t.messages]) for t in trials]


def medium(part):
    if isinstance(part, Text):
        return part.text
    if isinstance(part, Image):
        with Pillow.open(part.path) as picture:
            return picture.size, sorted(map(str, picture.convert("RGB").getcolors()))
    samples, rate = soundfile.read(part.path)
    loud = [round(float(np.abs(piece).max()), 2) for piece in np.array_split(samples, 12)]
    return rate, part.seconds, loud, round(float(np.sqrt(np.mean(samples**2))), 2)


@pytest.mark.parametrize("some", CALLS.parts)
def test_calls_give_what_they_gave(some, tmp_path):
    try_calls(CALLS, some, tmp_path)


def try_calls(golden, some, folder):
    """Call what some cases name, each in a folder and an environment of its own."""
    for number, case in enumerate(some):
        own = folder / f"{number}"
        own.mkdir()
        with pytest.MonkeyPatch.context() as patch:
            try_call(golden, case, own, patch)


def try_call(golden, case, tmp_path, monkeypatch):
    global loop
    given = golden.given(case)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "cache"))
    for name, value in given.get("environment", {}).items():
        monkeypatch.setenv(name, value)
    for name, content in given.get("files", {}).items():
        if isinstance(content, dict):
            sound(name, **content)
        else:
            (tmp_path / name).write_text(content)
    clocks.clear()
    loop, found = asyncio.new_event_loop(), []

    def trying(work):
        try:
            got = work()
            found.append(shown(got))
        except FAILS as error:
            found.append(shown(error))
            return None
        return got

    def done(name, *arguments):
        got = getattr(made, name)
        return waited(got(*built([*arguments]))) if callable(got) else got

    made = trying(lambda: built(given["on"]))
    if made is not None and "do" in given:
        found.clear()
        for step in given["do"]:
            trying(functools.partial(done, *step))
    loop.close()
    text = json.dumps(found).replace(str(tmp_path), "DIR").replace("NaN", "null")
    for pattern, name in (
        (r" at 0x\w+", ""),
        (r"hidden-[0-9a-f]{16}", "hidden-HASH"),
        ("NaN", "null"),
    ):
        text = re.sub(pattern, name, text)
    golden.same(case, json.loads(text))
