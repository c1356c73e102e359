"""How sound is to be sent, what is kept of it on the disk, and how much memory it may take."""

import asyncio
import hashlib
import io
import os
from pathlib import Path

import numpy as np
import pytest
import soundfile
from hypothesis import given, settings
from hypothesis import strategies as st

from servers import ChatServer
from zhiyin.errors import InputError, ModelError
from zhiyin.models import open_model
from zhiyin.models.dialects import CHAT
from zhiyin.models.media import ClipCache, MediaParts, Room, cache_bytes
from zhiyin.models.playback import AS_IT_IS, SoundPolicy, load_clip
from zhiyin.record import Sampling
from zhiyin.trial import Audio, Trial, say

RATE = 44100


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch) -> Path:
    """The folder in which clips are kept."""
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("ZHIYIN_CACHE_GB", raising=False)
    return tmp_path / "cache" / "clips"


def sine(hz: float, seconds: float = 1.0, rate: int = RATE) -> np.ndarray:
    return 0.5 * np.sin(2 * np.pi * hz * np.arange(round(seconds * rate)) / rate)


def save(path: Path, samples, rate: int = RATE, **options) -> Audio:
    soundfile.write(path, samples, rate, **options)
    seconds = len(samples) / rate
    return Audio(str(path), hashlib.sha256(path.read_bytes()).hexdigest(), seconds)


def decode(clip) -> tuple[np.ndarray, int]:
    return soundfile.read(io.BytesIO(clip.data), always_2d=True)


def loudest(samples: np.ndarray, rate: int) -> float:
    """The frequency in Hz of the strongest partial."""
    return float(np.argmax(np.abs(np.fft.rfft(samples)))) * rate / len(samples)


@pytest.mark.parametrize("form", ["wav", "mp3", "flac"])
@pytest.mark.parametrize("source", ["wav", "mp3", "flac", "ogg"])
def test_every_format_becomes_every_format(tmp_path, source, form) -> None:
    audio = save(tmp_path / f"a.{source}", np.stack([sine(440), sine(660)], axis=1))
    clip = load_clip(audio, SoundPolicy(form))
    info = soundfile.info(io.BytesIO(clip.data))
    assert info.format.lower() == clip.sent.format == form
    assert (info.samplerate, info.channels) == (clip.sent.rate, clip.sent.channels) == (RATE, 2)
    assert clip.sent.sha256 == hashlib.sha256(clip.data).hexdigest()
    assert clip.seconds == pytest.approx(1.0, abs=0.06)
    assert (clip.sent.sha256 == audio.sha256) == (source == form)
    samples, _ = decode(clip)
    assert loudest(samples[:RATE, 0], RATE) == pytest.approx(440, abs=1)
    assert loudest(samples[:RATE, 1], RATE) == pytest.approx(660, abs=1)


def test_flac_sends_the_samples_of_a_part(tmp_path) -> None:
    numbers = np.arange(-16000, 16000, dtype=np.int16).reshape(-1, 2)
    whole = save(tmp_path / "a.flac", numbers, 8000)
    part = Audio(whole.path, whole.sha256, 2.0, 0.5, 1.5)
    samples, rate = soundfile.read(
        io.BytesIO(load_clip(part, SoundPolicy("flac")).data), dtype="int16"
    )
    assert rate == 8000
    np.testing.assert_array_equal(samples, numbers[4000:12000])


def test_the_mean_of_the_channels_is_sent(tmp_path) -> None:
    left, right = np.arange(-4000, 4000) / 8000, np.full(8000, 0.25)
    audio = save(tmp_path / "a.wav", np.stack([left, right], axis=1), 8000)
    samples, rate = decode(load_clip(audio, SoundPolicy(mono=True)))
    assert samples.shape == (8000, 1)
    assert rate == 8000
    np.testing.assert_allclose(samples[:, 0], (left + right) / 2, atol=2**-14)


@pytest.mark.parametrize("rate", [8000, 16000, 48000])
def test_another_rate_keeps_the_pitch_and_no_alias(tmp_path, rate) -> None:
    audio = save(tmp_path / "a.wav", np.stack([sine(1000), sine(15000)], axis=1))
    clip = load_clip(audio, SoundPolicy(rate=rate))
    samples, found = decode(clip)
    assert (found, clip.sent.rate, clip.seconds) == (rate, rate, 1.0)
    assert loudest(samples[:, 0], rate) == pytest.approx(1000, abs=1)
    level = np.sqrt(np.mean(samples[rate // 10 : -rate // 10] ** 2, axis=0))
    assert level[0] == pytest.approx(0.5 / np.sqrt(2), rel=0.01)
    assert (level[1] < 0.002) if rate < 30000 else (level[1] > 0.3)


def test_what_is_so_already_is_not_touched(tmp_path) -> None:
    audio = save(tmp_path / "a.wav", sine(440), subtype="PCM_24")
    for policy in (SoundPolicy("wav", RATE, True), SoundPolicy("as-is"), SoundPolicy(rate=RATE)):
        assert load_clip(audio, policy).data == Path(audio.path).read_bytes()
    ogg = save(tmp_path / "a.ogg", sine(440))
    assert load_clip(ogg, SoundPolicy("as-is")).sent.format == "ogg"
    assert load_clip(ogg, SoundPolicy("as-is")).data == Path(ogg.path).read_bytes()


@pytest.mark.parametrize("source", ["mp3", "flac", "ogg"])
def test_a_part_is_what_decoding_from_the_start_gives(tmp_path, source) -> None:
    noise = np.random.default_rng(3).normal(0, 0.1, 6 * RATE)
    whole = save(tmp_path / f"a.{source}", noise)
    decoded, _ = soundfile.read(whole.path)
    part = decode(load_clip(Audio(whole.path, whole.sha256, 6.0, 4.0, 5.5)))[0][:, 0]
    np.testing.assert_allclose(part, np.clip(decoded[4 * RATE : 11 * RATE // 2], -1, 1), atol=1e-4)


@pytest.mark.slow
@settings(max_examples=25)
@given(
    st.sampled_from([None, "wav", "flac", "as-is"]),
    st.sampled_from([None, 8000, 11025, 22050]),
    st.booleans(),
    st.floats(0, 0.4),
    st.floats(0.45, 2),
)
def test_a_clip_is_what_its_label_says(tmp_path_factory, form, rate, mono, start, end) -> None:
    if form == "as-is":
        rate, mono = None, False
    folder = tmp_path_factory.mktemp("clips")
    whole = save(folder / "a.wav", np.stack([sine(300, 0.5, 11025)] * 2, axis=1), 11025)
    part = Audio(whole.path, whole.sha256, 0.5, start, end)
    policy = SoundPolicy(form, rate, mono)
    clip = load_clip(part, policy)
    info = soundfile.info(io.BytesIO(clip.data))
    assert (info.samplerate, info.channels) == (rate or 11025, 1 if mono else 2)
    assert info.frames == round(clip.seconds * info.samplerate)
    assert clip.seconds == pytest.approx(min(end, 0.5) - start, abs=2 / 8000)
    assert load_clip(part, policy) == clip


def test_what_a_format_cannot_hold_is_said(tmp_path) -> None:
    wide = save(tmp_path / "a.wav", np.zeros((800, 4)), 8000)
    with pytest.raises(ModelError, match="add --audio-mono"):
        load_clip(wide, SoundPolicy("mp3"))
    high = save(tmp_path / "b.wav", np.zeros(9600), 96000)
    with pytest.raises(ModelError, match="add --audio-rate"):
        load_clip(high, SoundPolicy("mp3"))
    hole = save(tmp_path / "c.wav", np.array([0.1, np.nan, 0.1]), 8000, subtype="FLOAT")
    with pytest.raises(ModelError, match="not a number"):
        load_clip(hole, SoundPolicy(mono=True, rate=16000))
    cut = save(tmp_path / "d.flac", np.random.default_rng(0).normal(0, 0.1, 80000), 8000)
    Path(cut.path).write_bytes(Path(cut.path).read_bytes()[:20000])
    torn = Audio(cut.path, hashlib.sha256(Path(cut.path).read_bytes()).hexdigest(), 10.0)
    with pytest.raises(ModelError, match="cannot be decoded"):
        load_clip(torn)


def test_a_clip_longer_than_the_model_takes_is_an_error(tmp_path) -> None:
    whole = save(tmp_path / "a.flac", sine(440, 2.0))
    policy = SoundPolicy(limit=1.5)
    with pytest.raises(ModelError, match=r"2\.000 s of sound.*1\.5 s.*--clip first:1\.5"):
        load_clip(whole, policy)
    assert load_clip(Audio(whole.path, whole.sha256, 2.0, 0.25, 1.75), policy).seconds == 1.5
    assert ClipCache(AS_IT_IS).load(whole).seconds == 2.0
    with pytest.raises(ModelError, match="--clip"):  # found in the cache, and still too long
        ClipCache(policy).load(whole)


def entries(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.is_dir() else []


def test_what_was_made_is_found_again(tmp_path, cache, monkeypatch) -> None:
    audio = save(tmp_path / "a.flac", sine(440))
    first = ClipCache(AS_IT_IS).load(audio)
    assert len(entries(cache)) == 1
    import zhiyin.models.media as clip_cache

    real = clip_cache.load_clip
    monkeypatch.setattr(clip_cache, "load_clip", None)
    assert ClipCache(AS_IT_IS).load(audio) == first
    assert ClipCache(SoundPolicy("wav")).load(audio) == first  # the same bytes: one entry
    monkeypatch.setattr(clip_cache, "load_clip", real)
    for policy in (SoundPolicy(mono=True), SoundPolicy(rate=16000), SoundPolicy("mp3")):
        ClipCache(policy).load(audio)
    ClipCache(AS_IT_IS).load(Audio(audio.path, audio.sha256, 1.0, 0.5))
    assert len(entries(cache)) == 5
    ClipCache(AS_IT_IS).load(save(tmp_path / "b.wav", sine(440)))  # goes out as it is
    assert len(entries(cache)) == 5


def test_a_changed_file_is_an_error_whatever_is_kept(tmp_path) -> None:
    audio = save(tmp_path / "a.flac", sine(440))
    clips = ClipCache(AS_IT_IS)
    clips.load(audio)
    clips.load(audio)
    save(tmp_path / "a.flac", sine(441))
    with pytest.raises(ModelError, match="has changed"):
        clips.load(audio)
    Path(audio.path).unlink()
    with pytest.raises(ModelError, match="cannot be read"):
        ClipCache(AS_IT_IS).load(audio)


@pytest.mark.parametrize("damage", [b"", b"\xc1", None])
def test_a_damaged_entry_is_made_anew(tmp_path, cache, damage) -> None:
    audio = save(tmp_path / "a.flac", sine(440))
    clip = ClipCache(AS_IT_IS).load(audio)
    (entry,) = entries(cache)
    whole = entry.read_bytes()
    flipped = whole[:5000] + bytes([whole[5000] ^ 1]) + whole[5001:]
    entry.write_bytes(flipped if damage is None else damage)
    assert ClipCache(AS_IT_IS).load(audio) == clip
    assert entry.read_bytes() == whole


def test_the_disk_holds_no_more_than_it_may_and_what_is_used_stays(tmp_path, cache) -> None:
    sounds = [save(tmp_path / f"{i}.flac", sine(300 + i, 0.5)) for i in range(12)]
    size = len(load_clip(sounds[0]).data) + 200
    clips = ClipCache(AS_IT_IS, room=4 * size)
    for number, audio in enumerate(sounds):
        clips.load(audio)
        for age, path in enumerate(sorted(entries(cache), key=lambda p: p.stat().st_mtime_ns)):
            os.utime(path, ns=(0, 10**18 + number * 10**12 + age))  # finer than the clock ticks
        clips.load(sounds[0])
        assert sum(path.stat().st_size for path in entries(cache)) <= 4 * size
    assert len(entries(cache)) == 3
    kept = {path.read_bytes() for path in entries(cache)}
    ClipCache(AS_IT_IS, room=4 * size).load(sounds[0])
    assert {path.read_bytes() for path in entries(cache)} == kept  # the first one was still there


def test_what_a_crash_left_goes_in_time(tmp_path, cache) -> None:
    cache.mkdir(parents=True)
    old, new = cache / ".new-old", cache / ".new-now"
    for path in (old, new):
        path.write_bytes(b"half")
    os.utime(old, (0, 0))
    ClipCache(AS_IT_IS).load(save(tmp_path / "a.flac", sine(440)))
    assert not old.exists()
    assert new.exists()


def test_a_cache_that_cannot_be_written_is_said_and_costs_nothing_else(
    tmp_path, monkeypatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "file"))
    audio = save(tmp_path / "a.flac", sine(440))
    sounds = MediaParts(CHAT)
    assert sounds.remarks() == []
    assert asyncio.run(sounds.get(audio)).sent.seconds == 1.0
    (line,) = sounds.remarks()
    assert "set ZHIYIN_CACHE to a folder" in line


@pytest.mark.parametrize("text", ["much", "-1", "nan", "inf"])
def test_the_size_of_the_cache_is_a_number(monkeypatch, text) -> None:
    monkeypatch.setenv("ZHIYIN_CACHE_GB", text)
    with pytest.raises(InputError, match=f"ZHIYIN_CACHE_GB={text}"):
        open_model("http://localhost/v1#m")


def test_nothing_is_kept_where_nothing_may_be(tmp_path, cache, monkeypatch) -> None:
    monkeypatch.setenv("ZHIYIN_CACHE_GB", "0.5")
    assert cache_bytes() == 500_000_000
    monkeypatch.setenv("ZHIYIN_CACHE_GB", "0")
    ClipCache(AS_IT_IS).load(save(tmp_path / "a.flac", sine(440)))
    assert entries(cache) == []


def test_room_is_taken_in_turn_and_never_exceeded() -> None:
    async def play() -> list[int]:
        room, served = Room(10), []

        async def one(number: int, size: int) -> None:
            await room.take(size)
            served.append(number)
            assert room.used <= 10 or room.used == size
            await asyncio.sleep(0.001)
            room.give(size)

        await asyncio.gather(*(one(i, size) for i, size in enumerate((4, 6, 25, 1, 9, 2))))
        assert room.used == 0
        return served

    assert asyncio.run(play()) == [0, 1, 2, 3, 4, 5]


@pytest.mark.slow
def test_requests_hold_room_only_until_they_are_sent(tmp_path) -> None:
    sounds = [save(tmp_path / f"{i}.wav", sine(300 + i, 10.0)) for i in range(12)]

    async def play(server: ChatServer) -> tuple[int, int, int]:
        """The most that was held at once, what is held in the end, and what is kept."""
        model = open_model(server.spec, timeout=60)
        model._media = parts = MediaParts(CHAT, kept=0, sending=3 * 10**6)  # two of 1.2 MB each
        highest, take = 0, parts._sending.take

        async def watched(size: int) -> None:
            nonlocal highest
            await take(size)
            highest = max(highest, parts._sending.used)

        parts._sending.take = watched
        asked = [
            asyncio.create_task(model.generate(m, Sampling(), Trial("a", m)))
            for m in [(say("user", "?", audio),) for audio in sounds]
        ]
        async with asyncio.timeout(10):
            while server.calls < len(sounds):  # all are sent before the first is answered
                await asyncio.sleep(0.01)
        assert not any(task.done() for task in asked)
        held = parts._sending.used
        for task in asked:
            task.cancel()
        await asyncio.gather(*asked, return_exceptions=True)
        await model.close()
        return highest, held, parts.bytes

    with ChatServer("A", latency_s=60) as server:
        highest, held, kept = asyncio.run(play(server))
    assert 10**6 < highest <= 3 * 10**6
    assert (held, kept) == (0, 0)


def test_room_comes_back_when_a_request_fails(tmp_path) -> None:
    audio = save(tmp_path / "a.wav", sine(300, 10.0))

    async def fail(spec: str) -> int:
        model = open_model(spec, timeout=5)
        message = (say("user", "?", audio),)
        for _ in range(3):
            with pytest.raises(ModelError):
                await model.generate(message, Sampling(), Trial("a", message))
        await model.close()
        return model._media._sending.used

    with ChatServer(fail=1.0, kinds=["dropped", "500"]) as server:
        assert asyncio.run(fail(server.spec)) == 0
    assert asyncio.run(fail("http://127.0.0.1:9/v1#nobody")) == 0
