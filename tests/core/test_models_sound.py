"""Sound on its way to a model: bit for bit, cut, transcoded, checked, and never by its name."""

import asyncio
import hashlib
import io
from pathlib import Path

import numpy as np
import pytest
import soundfile

from servers import Call, ChatServer
from zhiyin.errors import ModelError
from zhiyin.models import open_model
from zhiyin.models.dialects import CHAT
from zhiyin.models.media import MediaParts
from zhiyin.models.playback import load_clip, write_neutral
from zhiyin.record import Sampling
from zhiyin.trial import Audio, Trial, say

RATE = 8000


@pytest.fixture(autouse=True)
def _cache(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def tone() -> np.ndarray:
    """Two seconds of two channels that no two samples share, 16 bits, shape (16000, 2)."""
    return np.arange(-16000, 16000, dtype=np.int16).reshape(-1, 2)


def save(folder: Path, samples, suffix: str = ".wav", format: str = "WAV", **options) -> Audio:
    path = folder / f"M1_EbMaj{suffix}"
    soundfile.write(path, samples, RATE, format=format, **options)
    return Audio(str(path), hashlib.sha256(path.read_bytes()).hexdigest())


def send(audio: Audio, *more: Audio) -> tuple[Call, dict]:
    """What a server gets of a trial with these sounds, and the reply's detail."""

    async def once(spec: str):
        model = open_model(spec, timeout=5)
        message = say("user", "Listen.", audio, *more)
        try:
            return await model.generate((message,), Sampling(), Trial("M1_EbMaj", (message,)))
        finally:
            await model.close()

    with ChatServer(lambda call: f"{len(call.waves())}") as server:
        reply = asyncio.run(once(server.spec))
        return server.seen[-1], reply.detail


def test_a_wav_arrives_bit_for_bit_and_without_its_name(tmp_path, tone) -> None:
    audio = save(tmp_path, tone)
    call, detail = send(audio, audio)
    assert call.sounds == [Path(audio.path).read_bytes()] * 2
    content = call.body["messages"][0]["content"]
    assert [part["type"] for part in content] == ["text", "input_audio", "input_audio"]
    assert content[1]["input_audio"]["format"] == "wav"
    assert "EbMaj" not in str(call.body)
    assert detail["audio_seconds"] == 4.0
    assert detail["audio_sha256"] == [audio.sha256] * 2
    assert detail["audio_format"] == ["wav"] * 2
    assert (detail["audio_rate"], detail["audio_channels"]) == ([RATE] * 2, [2] * 2)


def test_a_large_wav_arrives_too(tmp_path) -> None:
    noise = np.random.default_rng(0).integers(-9999, 9999, 700_000, dtype=np.int16)
    audio = save(tmp_path, noise)
    assert send(audio)[0].sounds == [Path(audio.path).read_bytes()]


def test_mp3_is_told_by_its_bytes(tmp_path, tone) -> None:
    audio = save(tmp_path, tone / 32768, format="MP3")  # named .wav, as in real collections
    call, detail = send(audio)
    assert call.sounds == [Path(audio.path).read_bytes()]
    assert call.body["messages"][0]["content"][1]["input_audio"]["format"] == "mp3"
    assert detail["audio_seconds"] == pytest.approx(2.0, abs=0.2)


def test_flac_becomes_wav_with_the_same_samples(tmp_path, tone) -> None:
    call, detail = send(save(tmp_path, tone, ".flac", "FLAC"))
    (data,) = call.sounds
    assert detail["audio_sha256"] == [hashlib.sha256(data).hexdigest()]
    assert data[:4] == b"RIFF"
    samples, rate = soundfile.read(io.BytesIO(data), dtype="int16")
    assert rate == RATE
    np.testing.assert_array_equal(samples, tone)


@pytest.mark.parametrize(
    ("start", "end", "first", "last"),
    [
        (0.5, 1.25, 4000, 10000),
        (None, 0.5, 0, 4000),
        (1.5, None, 12000, 16000),
        (1, 99, 8000, 16000),
    ],
)
def test_a_part_is_cut_to_the_sample(tmp_path, tone, start, end, first, last) -> None:
    whole = save(tmp_path, tone)
    clip = load_clip(Audio(whole.path, whole.sha256, 2.0, start, end))
    samples, _ = soundfile.read(io.BytesIO(clip.data), dtype="int16")
    np.testing.assert_array_equal(samples, tone[first:last])
    assert clip.seconds == (last - first) / RATE


def test_float_sound_is_scaled_and_not_wrapped(tmp_path) -> None:
    loud = np.array([0.0, 0.5, -0.5, 1.5, -1.5])
    whole = save(tmp_path, loud, subtype="FLOAT")
    clip = load_clip(Audio(whole.path, whole.sha256, start=0.0))
    samples, _ = soundfile.read(io.BytesIO(clip.data))
    np.testing.assert_allclose(samples, np.clip(loud, -1, 1), atol=2**-14)


def test_a_file_that_changed_is_an_error(tmp_path, tone) -> None:
    audio = save(tmp_path, tone)
    Path(audio.path).write_bytes(Path(audio.path).read_bytes() + b"\0")
    with pytest.raises(ModelError, match="has changed"):
        send(audio)


def test_sounds_are_made_once_and_dropped_when_room_is_short(tmp_path, tone, monkeypatch) -> None:
    whole = save(tmp_path, tone)
    parts = [Audio(whole.path, whole.sha256, 2.0, i / 10, i / 10 + 0.1) for i in range(6)]
    made: list[Audio] = []
    import zhiyin.models.media as clip_cache

    make = clip_cache.load_clip
    spied = lambda audio, policy: (made.append(audio), make(audio, policy))[1]  # noqa: E731
    monkeypatch.setattr(clip_cache, "load_clip", spied)
    monkeypatch.setenv("ZHIYIN_CACHE_GB", "0")

    async def play() -> None:
        size = len((await MediaParts(CHAT).get(parts[0])).json)
        made.clear()
        sounds = MediaParts(CHAT, kept=3 * size)
        same = await asyncio.gather(*(sounds.get(parts[0]) for _ in range(5)))
        assert made == [parts[0]]
        assert all(part is same[0] for part in same)
        for audio in (parts[1], parts[2], parts[0], parts[3]):  # 1 was not used for longest
            await sounds.get(audio)
        assert made == parts[:4]
        await sounds.get(parts[0])
        await sounds.get(parts[1])
        assert made == [*parts[:4], parts[1]]
        assert sounds.bytes <= 3 * size

    asyncio.run(play())


def test_who_gives_up_waiting_takes_nothing_from_others(tmp_path, tone) -> None:
    audio = save(tmp_path, tone)

    async def play() -> float:
        sounds = MediaParts(CHAT)
        first = asyncio.create_task(sounds.get(audio))
        second = asyncio.create_task(sounds.get(audio))
        await asyncio.sleep(0)
        first.cancel()
        return (await second).sent.seconds

    assert asyncio.run(play()) == 2.0


def test_a_neutral_copy_says_nothing_but_its_format(tmp_path, tone) -> None:
    folder = tmp_path / "copies"
    folder.mkdir()
    audio = save(tmp_path, tone, ".EbMaj")
    copy = write_neutral(audio, folder)
    assert copy.suffix == ".wav"
    assert copy.read_bytes() == Path(audio.path).read_bytes()
    assert write_neutral(audio, folder) == copy
    part = write_neutral(Audio(audio.path, audio.sha256, 2.0, 0.5, 1.0), folder)
    assert part != copy
    assert soundfile.info(part).frames == 4000
    secret = tmp_path / "song.Gm"
    secret.write_bytes(b"some format of the future")
    named = Audio(str(secret), hashlib.sha256(secret.read_bytes()).hexdigest())
    assert write_neutral(named, folder).suffix == ""
    assert len(list(folder.iterdir())) == 3


def test_a_copy_that_is_there_is_found_without_listing_the_folder(
    tmp_path, tone, monkeypatch
) -> None:
    """A large run has thousands of copies in it, and each call would list them all."""
    folder = tmp_path / "copies"
    folder.mkdir()
    audio = save(tmp_path, tone)
    monkeypatch.delattr(Path, "glob")
    assert write_neutral(audio, folder) == write_neutral(audio, folder)
