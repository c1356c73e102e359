"""Several clips of a conversation as one, with silence between them, for models that take one.

The clips are mixed to one channel, resampled to the highest of their rates, and written as a WAV
file, which takes the place of the first of them. Beside it stands when each of them is to be heard;
in the place of the others stands which of them is meant. The conversation as it was asked is in
the trial; what was done to it is in the reply's ``detail["joined"]``.
"""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Sequence
from typing import Any, NamedTuple, cast

from zhiyin.files import TemporaryPlace, write_atomically
from zhiyin.models.playback import AS_IT_IS, DecodedClip, hear
from zhiyin.record import Model, Reply, Sampling, identity_of
from zhiyin.trial import Audio, Message, Messages, Part, Text, Trial
from zhiyin.words.findings import Warning

_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_WORDS = {
    "en": (
        "The recording holds {n} sounds: {parts}.",
        "sound {n} from {a:.1f} to {b:.1f} s",
        "; ",
        "(Sound {n} of the recording.)",
    ),
    "zh": (
        "这段录音包含{n}个声音：{parts}。",
        "声音{n}在{a:.1f}秒到{b:.1f}秒",
        "；",
        "（录音中的声音{n}。）",
    ),
}


class Span(NamedTuple):
    """The place of a clip in the joined one, in seconds."""

    begin: float
    end: float


def spans(lengths: Sequence[float], silence: float) -> list[Span]:
    """Return the places of clips of such lengths, with silence between them; all in seconds."""
    places, at = [], 0.0
    for length in lengths:
        places.append(Span(at, at + length))
        at += length + silence
    return places


def sounds_of(messages: Messages) -> list[Audio]:
    """The sounds of a conversation, in their order."""
    return [part for message in messages for part in message.parts if isinstance(part, Audio)]


def rewritten(messages: Messages, whole: Audio, places: Sequence[Span]) -> tuple[Message, ...]:
    """The conversation with one clip in the place of several, and words that say which is which."""
    last = next((m.text for m in reversed(messages) if m.text), "")
    every, one, comma, other = _WORDS["zh" if _CHINESE.search(last) else "en"]
    parts = [one.format(n=n, a=span.begin, b=span.end) for n, span in enumerate(places, 1)]
    sentence = every.format(n=len(places), parts=comma.join(parts))
    number, conversation = 0, []
    for message in messages:
        new: list[Part] = []
        for part in message.parts:
            if not isinstance(part, Audio):
                new.append(part)
                continue
            number += 1
            if number == 1:
                new += [whole, Text(sentence)]
            new.append(Text(other.format(n=number)))
        conversation.append(Message(message.role, tuple(new)))
    return tuple(conversation)


def as_joined(trial: Trial, silence: float) -> Trial:
    """The trial as it will be sent, for looking at: its joined clip is not there yet."""
    sounds = sounds_of(trial.messages)
    if len(sounds) < 2:
        return trial
    places = spans([sound.played for sound in sounds], silence)
    unknown = any(not sound.seconds for sound in sounds)
    whole = Audio("the joined clips", "", 0.0 if unknown else places[-1].end)
    return Trial(trial.id, rewritten(trial.messages, whole, places), trial.stem, trial.options)


def joined(model: Model, silence: float | None) -> Model:
    """A model that is given its clips joined, with `silence` between them; itself for None."""
    return model if silence is None else cast("Model", JoiningModel(model, silence))


class JoiningModel:
    """A model that is given one clip where several were to be played.

    What else it has (see `zhiyin.models`) is that of the model itself.

    Parameters
    ----------
    model : Model
    silence : float
        Between clips, in seconds.
    """

    def __init__(self, model: Model, silence: float) -> None:
        self.model, self.silence = model, silence
        self.joined = 0
        self._made = TemporaryPlace()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.model, name)

    def identity(self) -> dict[str, object] | None:
        """Return the model's identity, and that it hears joined clips: its replies are others."""
        known = identity_of(self.model)
        return None if known is None else {**known, "joined_by_s": self.silence}

    @property
    def on_headers(self) -> Any:
        """The model's own hook for a server's headers. AttributeError if it has none."""
        return self.model.on_headers  # type: ignore[attr-defined]

    @on_headers.setter
    def on_headers(self, listener: Any) -> None:
        self.model.on_headers = listener  # type: ignore[attr-defined]

    async def generate(self, messages: Messages, sampling: Sampling, trial: Trial) -> Reply:
        """Ask, with the clips joined. Raises `ModelError` as the model does, or for a bad clip."""
        sounds = sounds_of(messages)
        if len(sounds) < 2:
            return await self.model.generate(messages, sampling, trial)
        import asyncio  # readers of runs import this module, too

        whole, places = await asyncio.to_thread(self._join, sounds)
        new = rewritten(messages, whole, places)
        blind = Trial(trial.id, new, trial.stem, trial.options)
        reply = await self.model.generate(new, sampling, blind)
        self.joined += 1
        reply.detail["joined"] = {
            "clips": len(sounds),
            "silence_s": self.silence,
            "spans_s": [[round(span.begin, 3), round(span.end, 3)] for span in places],
        }
        return reply

    def report(self) -> list[str | Warning]:
        """List what the user should know when the run is over."""
        lines: list[str | Warning] = getattr(self.model, "report", list)()
        if self.joined:
            calls = "1 call" if self.joined == 1 else f"{self.joined:,} calls"
            lines = [
                *lines,
                f"in {calls} several clips were joined into one, with "
                f"{self.silence:g} s of silence between them (--join-clips)",
            ]
        return lines

    async def close(self) -> None:
        """Close the model, and delete what was joined."""
        await self.model.close()
        self._made.delete()

    def _join(self, sounds: Sequence[Audio]) -> tuple[Audio, list[Span]]:
        """The joined clip, and where each of its parts lies."""
        import numpy as np
        import soundfile

        own = [hear(sound, None, AS_IT_IS) for sound in sounds]
        rate = max(clip.rate for clip in own)
        clips: list[DecodedClip] = [
            clip if clip.rate == rate else hear(sound, rate, AS_IT_IS)
            for sound, clip in zip(sounds, own, strict=True)
        ]
        gap = np.zeros(round(self.silence * rate), np.float32)
        pieces = [piece for clip in clips for piece in (clip.samples, gap)][:-1]
        samples = np.concatenate(pieces)
        target = io.BytesIO()
        soundfile.write(target, samples, rate, format="WAV", subtype="PCM_16")
        data = target.getvalue()
        digest = hashlib.sha256(data).hexdigest()
        path = self._made.path / f"{digest[:32]}.wav"
        if not path.exists():
            write_atomically(path, data)
        whole = Audio(str(path), digest, len(samples) / rate)
        return whole, spans([clip.seconds for clip in clips], len(gap) / rate)
