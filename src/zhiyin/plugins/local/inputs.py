"""Inputs of a local model: sounds as arrays, and the tensors of a batch.

Sounds are checked against the trial, decoded, mixed to one channel, resampled and kept; messages
become tensors by chat template and placeholders of sound, padded on the left.
"""

from __future__ import annotations

import base64
import io
import threading
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, Required, TypedDict

from zhiyin.errors import ModelError, UnsupportedError
from zhiyin.models.media import logged
from zhiyin.models.playback import DecodedClip, SentSound, SoundPolicy, hear
from zhiyin.plugins.local.checkpoint import TEXT, Family
from zhiyin.trial import Audio, Message, Text

if TYPE_CHECKING:
    from torch import Tensor

_KEPT = 256 * 2**20
_AT_ONCE = 4


class ClipDecoder:
    """Clips for a model, decoded in a few threads and kept while there is room.

    Parameters
    ----------
    rate : int or None
        What the model hears, in Hz; None for each recording's own.
    policy : SoundPolicy
        Its limit counts.
    """

    def __init__(self, rate: int | None, policy: SoundPolicy) -> None:
        self.rate, self._policy = rate, policy
        self._kept: OrderedDict[Audio, DecodedClip] = OrderedDict()
        self._lock, self._bytes = threading.Lock(), 0
        self._pool = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="zhiyin-hear")

    def __call__(self, audio: Audio) -> DecodedClip:
        """One clip. Raises `ModelError` as `hear` does."""
        with self._lock:
            if (kept := self._kept.get(audio)) is not None:
                self._kept.move_to_end(audio)
                return kept
        clip = hear(audio, self.rate, self._policy)
        with self._lock:
            if audio not in self._kept:
                self._kept[audio] = clip
                self._bytes += clip.samples.nbytes
            while self._bytes > _KEPT and len(self._kept) > 1:
                _, dropped = self._kept.popitem(last=False)
                self._bytes -= dropped.samples.nbytes
        return clip

    def all(self, rows: Sequence[Sequence[Audio]]) -> list[list[DecodedClip]]:
        """The clips of several prompts, decoded beside each other."""
        clips = self._pool.map(self, [sound for row in rows for sound in row])
        return [list(islice(clips, len(row))) for row in rows]

    def close(self) -> None:
        """Let the threads end."""
        self._pool.shutdown(wait=False, cancel_futures=True)


def as_wav(clip: DecodedClip) -> str:
    """A clip as a WAV file of 32-bit floats, in base64."""
    import soundfile

    target = io.BytesIO()
    soundfile.write(target, clip.samples, clip.rate, format="WAV", subtype="FLOAT")
    return base64.b64encode(target.getvalue()).decode()


def sound_detail(clips: Sequence[DecodedClip], heard: Sequence[float | None]) -> dict[str, object]:
    """Return a reply's detail on its sounds: what was sent, and what the model heard of it.

    Parameters
    ----------
    clips : sequence of DecodedClip
    heard : sequence of float or None
        Seconds, as the features' mask shows them; None where nothing shows them.
    """
    detail = logged(
        [SentSound("float32", clip.seconds, clip.rate, 1, clip.sha256) for clip in clips]
    )
    known = [seconds for seconds in heard if seconds is not None]
    if len(known) == len(clips):
        detail["audio_seconds_heard"] = round(sum(known), 3)
        detail["audio_heard"] = [round(seconds, 3) for seconds in known]
    return detail


TOLERANCE_S = 0.1
"""Seconds of a clip that the grid of features may swallow without anything being cut."""


class Cuts:
    """Clips that were heard shorter than they were sent."""

    def __init__(self) -> None:
        self._cut: dict[str, tuple[float, float]] = {}

    def note(self, clips: Sequence[DecodedClip], heard: Sequence[float | None]) -> None:
        """Look at the clips of one reply."""
        for clip, seconds in zip(clips, heard, strict=True):
            if seconds is not None and seconds < clip.seconds - TOLERANCE_S:
                self._cut[clip.sha256] = (clip.seconds, seconds)

    def lines(self) -> list[str]:
        """Return a line for the user on the cut clips, or none."""
        if not self._cut:
            return []
        sent, seconds = max(self._cut.values(), key=lambda pair: pair[0] - pair[1])
        many = len(self._cut)
        return [
            f"{f'{many:,} clips were' if many > 1 else '1 clip was'} cut by the model's own "
            f"processor: of {sent:.1f} s it heard {seconds:.1f} s; --audio-limit {seconds:.0f} "
            "refuses what is longer, and a benchmark's --clip plays a part"
        ]


_ROUNDED, _BEYOND = 3200, 400
"""Samples to whose multiple the padding of sound is rounded up, and by which it at least goes
beyond the longest clip: the last frame of its spectrogram reaches over the end, and would see the
clip reflected there instead of the silence that shorter ones see."""
_EMBEDDING_S, _TOKEN_S = 0.08, 0.1
"""Seconds of sound in an embedding of Phi-4's, and in a token of Granite's."""


class ChatPart(TypedDict, total=False):
    """Words, or a sound, as chat templates take them."""

    type: Required[str]
    text: str
    base64: str


class ChatTurn(TypedDict):
    """One turn, as chat templates take it."""

    role: str
    content: str | list[ChatPart]


class Prompt(NamedTuple):
    """Request to a model, without the samples of its sounds.

    Attributes
    ----------
    text : str
        By the chat template; empty where the processor takes the conversation itself.
    ids : list of int
        Its tokens, a sound being one of them.
    sounds : tuple of Audio
    turns : list of ChatTurn
        The conversation, as chat templates take it.
    """

    text: str
    ids: list[int]
    sounds: tuple[Audio, ...]
    turns: list[ChatTurn]


class Batch(NamedTuple):
    """The inputs of a batch.

    Attributes
    ----------
    tensors : dict of str to Tensor
        On the CPU; padded on the left.
    tokens : list of int
        Of each prompt, padding left out.
    heard : list of list of float or None
        Seconds heard of each clip of each prompt.
    """

    tensors: dict[str, Tensor]
    tokens: list[int]
    heard: list[list[float | None]]


class Inputs:
    """Makes inputs for one model.

    Parameters
    ----------
    processor : Any
        transformers' processor, or the tokenizer of a model of text.
    family : Family
    """

    def __init__(self, processor: Any, family: Family) -> None:
        self.processor, self.family = processor, family
        self.words = getattr(processor, "tokenizer", processor)
        self.words.padding_side = "left"
        features: Any = getattr(processor, "feature_extractor", None)
        features = features or getattr(processor, "audio_processor", None)
        self.rate: int | None = getattr(features, "sampling_rate", None)
        self._features = features
        self._hop = getattr(features, "hop_length", 160) / (self.rate or 16000)
        self._longest = getattr(features, "n_samples", None)
        self.sound = getattr(processor, "audio_token", None) or family.sound
        template = getattr(processor, "chat_template", None)
        self.template = template or getattr(self.words, "chat_template", None)
        self.conversing = family.name == "Voxtral"
        self._lock = threading.Lock()

    @property
    def pad(self) -> int:
        """The token that fills up; where there is none, the one that ends."""
        number = self.words.pad_token_id
        return int(self.words.eos_token_id if number is None else number)

    def prompt(self, messages: Sequence[Message], *, thinks: bool = True) -> Prompt:
        """Build the prompt by the model's chat template.

        A model without one gets the words alone, a blank line between turns.

        Parameters
        ----------
        messages : sequence of Message
        thinks : bool
            False turns a model's thinking off, where its template knows how (``enable_thinking``).

        Raises
        ------
        ModelError
            The template does not take the conversation, loses one of its sounds, or cannot turn
            thinking off.
        """
        if not thinks and "enable_thinking" not in str(self.template or ""):
            raise UnsupportedError(
                "its chat template cannot turn thinking off: leave out --thinking"
            )
        sounds = tuple(p for m in messages for p in m.parts if isinstance(p, Audio))
        if not all(isinstance(p, Text | Audio) for m in messages for p in m.parts):
            raise UnsupportedError("it shows a picture, and local models are shown none")
        if sounds and self.family is TEXT:
            raise UnsupportedError("it plays sound, and the model takes text alone")
        if sounds and not self.family.system:
            messages = _folded(messages)
        turns = _turns(messages, as_parts=self.family is not TEXT)
        if self.conversing:
            spoken = "\n".join(message.text for message in messages)
            return Prompt("", self._ids(spoken), sounds, turns)
        more = {} if thinks else {"enable_thinking": False}
        text = self._rendered(messages, turns, len(sounds), more)
        return Prompt(text, self._ids(text), sounds, turns)

    def batch(self, prompts: Sequence[Prompt], clips: Sequence[Sequence[DecodedClip]]) -> Batch:
        """The tensors for some prompts and their clips."""
        with self._lock:  # lengths of padding are set on the processor itself
            if self.conversing:
                tensors = self._conversed(prompts, clips)
            elif not any(clips):
                tensors = self._padded([prompt.ids for prompt in prompts])
            else:
                tensors = self._processed(prompts, clips)
        tokens = [int(n) for n in tensors["attention_mask"].sum(-1)]
        return Batch(tensors, tokens, self._seconds_heard(tensors, clips))

    # Words

    def _ids(self, text: str) -> list[int]:
        if self.conversing:
            return list(self.words.encode(text, add_special_tokens=False))
        own = getattr(self.words, "bos_token", None)
        opened = bool(self.template) or bool(own and text.startswith(own))
        ids: list[int] = self.words(text, add_special_tokens=not opened)["input_ids"]
        return ids

    def _rendered(
        self, messages: Sequence[Message], turns: list[ChatTurn], sounds: int, more: dict[str, bool]
    ) -> str:
        """The text of a conversation with the placeholder of each sound in its place."""
        if not self.template:
            if sounds:
                turns = _turns(messages, sound=self.sound)
                return "\n\n".join(str(turn["content"]) for turn in turns)
            return "\n\n".join(message.text for message in messages)
        tried = [turns]
        if self.family is not TEXT:
            tried.append(_turns(messages, sound=self.sound))
        if any(message.role == "system" for message in messages):
            folded = _folded(messages)
            tried.append(_turns(folded, as_parts=self.family is not TEXT))
            tried.append(_turns(folded, sound=self.sound))
        reason = ""
        for form in tried:
            try:
                text: str = self.words.apply_chat_template(
                    form,
                    chat_template=self.template,
                    tokenize=False,
                    add_generation_prompt=True,
                    **more,
                )
            except Exception as error:  # a template raises what it likes
                reason = reason or f"{type(error).__name__}: {error}"
                continue
            if not sounds or text.count(self.sound) == sounds:
                return text
            reason = reason or f"it writes {text.count(self.sound)} of {sounds} sounds"
        raise ModelError(f"the chat template does not take this conversation ({reason[:200]})")

    def _padded(self, rows: Sequence[Sequence[int]]) -> dict[str, object]:
        """Tokens of some prompts, filled up on the left."""
        import torch

        width = max(map(len, rows))
        ids = [[self.pad] * (width - len(row)) + list(row) for row in rows]
        mask = [[0] * (width - len(row)) + [1] * len(row) for row in rows]
        return {"input_ids": torch.tensor(ids), "attention_mask": torch.tensor(mask)}

    # Sound

    def _processed(
        self, prompts: Sequence[Prompt], clips: Sequence[Sequence[DecodedClip]]
    ) -> dict[str, Tensor]:
        flat = [clip.samples for row in clips for clip in row]
        sound: dict[str, object] = {"sampling_rate": self.rate}
        longest = -(-(max(map(len, flat)) + _BEYOND) // _ROUNDED) * _ROUNDED
        if self.family.name == "Gemma 3n":
            sound["padding"] = "max_length"
        elif self.family.name == "Qwen3-Omni":
            own = {"padding": "max_length", "max_length": longest}
            self.processor.audio_kwargs = {**self.processor.audio_kwargs, **own}
        elif self.family.name == "Qwen2.5-Omni" and self._longest:
            # It fills up every clip to the longest that it takes: to that of the batch is enough.
            self._features.n_samples = min(self._longest, longest)
        opened = bool(self.template)
        words = {"padding": True, "padding_side": "left", "add_special_tokens": not opened}
        return dict(
            self.processor(
                text=[prompt.text for prompt in prompts],
                audio=flat,
                text_kwargs=words,
                audio_kwargs=sound,
                return_tensors="pt",
            )
        )

    def _conversed(
        self, prompts: Sequence[Prompt], clips: Sequence[Sequence[DecodedClip]]
    ) -> dict[str, Tensor]:
        """Make inputs for a processor that takes conversations with files in them."""
        conversations = []
        for prompt, row in zip(prompts, clips, strict=True):
            left = iter(row)
            turns = [
                [
                    ChatPart(type="audio", base64=as_wav(next(left)))
                    if isinstance(part, dict) and part["type"] == "audio"
                    else part
                    for part in turn["content"]
                ]
                for turn in prompt.turns
            ]
            roles = [turn["role"] for turn in prompt.turns]
            conversations.append(
                [{"role": r, "content": c} for r, c in zip(roles, turns, strict=True)]
            )
        return dict(
            self.processor.apply_chat_template(
                conversations, tokenize=True, return_dict=True, return_tensors="pt"
            )
        )

    def _seconds_heard(
        self, tensors: dict[str, Tensor], clips: Sequence[Sequence[DecodedClip]]
    ) -> list[list[float | None]]:
        """Seconds heard of each clip, from what the processor made of it."""
        nothing: list[list[float | None]] = [[None] * len(row) for row in clips]
        count = sum(map(len, clips))
        seconds: list[float] = []
        kind = self.family.mask
        if not count:
            return nothing
        if kind == "tokens":
            number = self.words.convert_tokens_to_ids(self.sound)
            if any(len(row) > 1 for row in clips):
                return nothing  # where one clip's tokens end is not seen
            totals = (tensors["input_ids"] == number).sum(-1).tolist()
            seconds = [n * _TOKEN_S for n, row in zip(totals, clips, strict=True) if row]
        elif kind == "embeddings":
            seconds = [int(n) * _EMBEDDING_S for n in tensors["audio_embed_sizes"].flatten()]
        elif kind:
            seconds = self._masked(tensors, [clip for row in clips for clip in row])
        else:  # it takes all: what it is given is filled up, and nothing is cut
            seconds = [clip.seconds for row in clips for clip in row]
        if len(seconds) != count:
            return nothing
        # Features lie on a grid, and its last cell may reach beyond the clip.
        flat = [clip.seconds for row in clips for clip in row]
        left = iter(min(a, b) for a, b in zip(seconds, flat, strict=True))
        return [[next(left) for _ in row] for row in clips]

    def _masked(self, tensors: dict[str, Tensor], clips: Sequence[DecodedClip]) -> list[float]:
        """Seconds by the mask of the features: a row a clip, or a row for each of its windows."""
        names = ("feature_attention_mask", "input_features_mask", "audio_attention_mask")
        mask = next((tensors[name] for name in names if name in tensors), None)
        if mask is None:
            return []
        rows = [int(n) * self._hop for n in mask.sum(-1)]
        if self.family.mask == "clips":
            return rows
        window = mask.shape[-1] * self._hop
        most = getattr(self.processor, "max_audio_len", None) or float("inf")
        seconds, at = [], 0
        for clip in clips:
            windows = max(1, int(-(-min(clip.seconds, most) // window)))
            seconds.append(sum(rows[at : at + windows]))
            at += windows
        return seconds if at == len(rows) else []


def _turns(
    messages: Sequence[Message], *, as_parts: bool = False, sound: str = ""
) -> list[ChatTurn]:
    """A conversation as chat templates take it: parts in lists, or words with a sign for sound.

    Words that stand beside each other are one part, with a blank line between them.
    """
    turns: list[ChatTurn] = []
    for message in messages:
        parts: list[ChatPart] = []
        for part in message.parts:
            if not isinstance(part, Text):
                parts.append({"type": "audio"})
            elif parts and parts[-1]["type"] == "text":
                parts[-1]["text"] += f"\n\n{part.text}"
            else:
                parts.append({"type": "text", "text": part.text})
        words = "".join(part.get("text", sound) for part in parts)
        turns.append({"role": message.role, "content": parts if as_parts else words})
    return turns


def _folded(messages: Sequence[Message]) -> list[Message]:
    """The same with the words of system messages before those of the user's next turn."""
    folded: list[Message] = []
    before: list[Text] = []
    for message in messages:
        if message.role == "system":
            before += [part for part in message.parts if isinstance(part, Text)]
        elif message.role == "user" and before:
            folded.append(Message("user", (*before, *message.parts)))
            before = []
        else:
            folded.append(message)
    return folded
