"""The facts as scenes of notes, and the recordings that are made of them."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

import msgspec
import numpy as np

from zhiyin.contract.control_sounds import noise_like, silence_like
from zhiyin.contract.options import OwnPrompts
from zhiyin.errors import InputError
from zhiyin.files import cache_folder, write_cached
from zhiyin.flags import Flag
from zhiyin.parsing import read_beside
from zhiyin.plugins.music.midi import Note
from zhiyin.plugins.music.render import RATE, Renderer, open_renderer, wav_bytes
from zhiyin.plugins.music.stimuli import Dice, Difficulty, apply_effects
from zhiyin.plugins.music.theory import SCALES
from zhiyin.sound import Sound, audio_part, read_sound, resample
from zhiyin.trial import Audio

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Samples = NDArray[np.float32]


FactName = Literal["third", "note", "bars", "instrument", "tempo", "accent", "onset"]
FACT_NAMES: tuple[FactName, ...] = get_args(FactName)
Change = Literal["gain", "codec", "resampling", "key", "font", "reverb", "padding"]
CHANGES: tuple[Change, ...] = get_args(Change)
"""What says nothing of any fact."""
Control = Literal["silence", "noise"]
CONTROLS: tuple[Control, ...] = get_args(Control)


class PairSettings(msgspec.Struct, frozen=True):
    """Settings of a run: which facts, which changes."""

    fact: Annotated[
        tuple[FactName, ...],
        Flag(f"of {','.join(FACT_NAMES)}; default all", "F,...", once=True, chooses=True),
    ] = ()
    change: Annotated[
        tuple[Change, ...],
        Flag(
            f"that say nothing of the fact, of {','.join(CHANGES)}; default all",
            "C,...",
            once=True,
            chooses=True,
        ),
    ] = ()
    n: Annotated[int, Flag("items for each fact", chooses=True), msgspec.Meta(ge=1, le=10_000)] = 8
    seed: Annotated[int, Flag("of the items")] = 0
    prompts: OwnPrompts = None
    extract: Annotated[str, Flag("how replies are read")] = "robust"

    @property
    def facts(self) -> tuple[FactName, ...]:
        """The facts that are asked for."""
        return self.fact or FACT_NAMES

    @property
    def changes(self) -> tuple[Change, ...]:
        """The changes that say nothing."""
        return self.change or CHANGES


PIANO, TRUMPET, CLARINET = 0, 56, 71
STRONG, USUAL = 112, 64
"""Velocities of an accented note and of the others."""
LATE = 0.28
"""Share of the time between two notes by which one comes late."""
HELD = 0.85
"""Share of its time that a note sounds."""

Clip = tuple[Note, ...]
Scene = tuple[tuple[Clip, ...], tuple[Clip, ...]]
"""The recordings of the first answer and those of the second; the last of them differs."""


class Fact(msgspec.Struct, frozen=True):
    """One fact.

    Attributes
    ----------
    question : str
    answers : tuple of str
        What is true of the first scene, and of the second.
    clips : int
        Recordings in a question. Where there are two, the first is the same in both scenes.
    draw : callable
        Makes a scene.
    """

    question: str
    answers: tuple[str, str]
    clips: int
    draw: Callable[[Dice], Scene]


def _third(dice: Dice) -> Scene:
    """A triad, all notes together and then one by one: its thirds a semitone lower or not."""
    root = dice.whole(48, 56)
    step = dice.whole(34, 40) / 100
    clips = []
    for third in (4, 3):
        pitches = (root, root + third, root + 7, root + 12, root + 12 + third)
        notes = [Note(0.0, 1.6, pitch, 84, 0, PIANO) for pitch in pitches]
        notes += [
            Note(1.8 + n * step, step * HELD, pitch, 84, 0, PIANO)
            for n, pitch in enumerate(pitches)
        ]
        clips.append((tuple(notes),))
    return clips[0], clips[1]


def _melody(dice: Dice, count: int = 8) -> list[int]:
    """A row of notes of a major scale, no note twice in a row."""
    tonic, degree, row = dice.whole(60, 67), dice.choice((0, 2, 4)), list[int]()
    while len(row) < count:
        octave, place = divmod(degree, 7)
        row.append(tonic + 12 * octave + SCALES["major"][place])
        degree = min(9, max(-2, degree + dice.choice((-2, -1, 1, 2, 3, -3))))
        if row[-1] == tonic + 12 * (degree // 7) + SCALES["major"][degree % 7]:
            degree += 1 if degree < 9 else -1
    return row


def _row(pitches: Sequence[int], step: float, program: int = PIANO) -> Clip:
    return tuple(
        Note(n * step, step * HELD, pitch, 84, 0, program) for n, pitch in enumerate(pitches)
    )


def _note(dice: Dice) -> Scene:
    row, step, place = _melody(dice), dice.whole(36, 44) / 100, dice.whole(2, 5)
    other = list(row)
    fits = [
        row[place] + move for move in (-4, -3, 3, 4)
        if row[place] + move not in (row[place - 1], row[place + 1])
    ]  # fmt: skip
    other[place] = dice.choice(fits)
    reference = _row(row, step)
    return (reference, _row(row, step)), (reference, _row(other, step))


def _bars(dice: Dice) -> Scene:
    """A bar that rises and one that falls, in either order."""
    tonic, step = dice.whole(60, 67), dice.whole(36, 44) / 100
    first, second = dice.whole(0, 2), dice.whole(0, 2)

    def notes(start: int) -> list[int]:
        degrees = range(start, start + 4)
        return [tonic + 12 * (d // 7) + SCALES["major"][d % 7] for d in degrees]

    rising, falling = notes(first), notes(second)[::-1]
    return (_row(rising + falling, step),), (_row(falling + rising, step),)


def _instrument(dice: Dice) -> Scene:
    row, step = _melody(dice, 6), dice.whole(48, 58) / 100
    return (_row(row, step, TRUMPET),), (_row(row, step, CLARINET),)


def _tempo(dice: Dice) -> Scene:
    row, step = _melody(dice), dice.whole(36, 40) / 100
    ratio = dice.whole(115, 130) / 100
    reference = _row(row, step)
    return (reference, _row(row, step / ratio)), (reference, _row(row, step * ratio))


def _even(dice: Dice) -> tuple[list[int], float]:
    """Eight notes, the same or nearly so, and the time between them."""
    return [dice.whole(60, 72)] * 8, dice.whole(38, 46) / 100


def _accent(dice: Dice) -> Scene:
    row, step = _even(dice)
    clips = []
    for place in (2, 5):
        clip = [msgspec.structs.replace(note, velocity=USUAL) for note in _row(row, step)]
        clip[place] = msgspec.structs.replace(clip[place], velocity=STRONG)
        clips.append((tuple(clip),))
    return clips[0], clips[1]


def _onset(dice: Dice) -> Scene:
    row, step = _even(dice)
    clips = []
    for place in (2, 5):
        clip = list(_row(row, step))
        late = clip[place]
        clip[place] = msgspec.structs.replace(
            late, start=late.start + LATE * step, duration=late.duration - LATE * step
        )
        clips.append((tuple(clip),))
    return clips[0], clips[1]


_DRAWS: dict[FactName, Callable[[Dice], Scene]] = {
    "third": _third,
    "note": _note,
    "bars": _bars,
    "instrument": _instrument,
    "tempo": _tempo,
    "accent": _accent,
    "onset": _onset,
}
_WORDS = read_beside(__file__, "facts.toml", dict[str, dict[str, Any]])
FACTS: dict[FactName, Fact] = {
    name: msgspec.convert({**_WORDS[name], "draw": draw}, Fact) for name, draw in _DRAWS.items()
}


# From notes to recordings: as they are, or with a change that says nothing of the fact.

_VERSION = 1
"""Raised whenever the same notes would sound otherwise: part of every file's name."""
SENT_RATE = 22050
"""Samples per second of what is played, in Hz."""
SECONDS = 5.0
"""Of every recording, whatever is played: its length says nothing."""
LEAD_S = 0.25
"""Silence before the first note."""
LEVEL = 0.06
"""Root mean square of every recording, full scale being 1: its loudness says nothing either."""
GAIN_DB = -10.0
NARROW_RATE = 16000
PADDING_S = 1.5
REVERB_S = 0.7
CODEC_LEVEL = 0.6
"""libsndfile's compression level of Ogg Vorbis, 0 to 1."""


class Studio:
    """Makes recordings, each file once."""

    @cached_property
    def renderer(self) -> Renderer:
        """The usual renderer."""
        return open_renderer()

    @cached_property
    def other(self) -> Renderer | None:
        """Another synthesiser with its own sounds; None where there is only the built-in one."""
        return None if self.renderer.name == "builtin" else open_renderer("builtin")

    def can(self, change: Change) -> bool:
        """Tell whether a change can be made on this machine."""
        return change != "font" or self.other is not None

    def record(self, clip: Clip, change: Change | None, name: str) -> Audio:
        """A clip as a recording.

        Parameters
        ----------
        clip : Clip
        change : str or None
        name : str
            Of the item: what a room and a shift of key are seeded from.

        Raises
        ------
        InputError
            The clip is too long, or the cache cannot be written.
        """
        label = self.renderer.label + (self.other.label if change == "font" and self.other else "")
        words = (str(_VERSION), label, str(change), name, msgspec.json.encode(clip).decode())
        file = hashlib.sha256("\0".join(words).encode()).hexdigest()[:24]
        path = cache_folder("pairs") / f"{file}.wav"
        if not path.is_file():
            samples, rate = self._samples(clip, change, name)
            write_cached(path, wav_bytes(samples, rate))
        return audio_part(path)

    def _samples(self, clip: Clip, change: Change | None, name: str) -> tuple[Samples, int]:
        if change == "key":
            shift = Dice(name, "key").choice((-5, -4, -3, 3, 4, 5))
            clip = tuple(msgspec.structs.replace(note, pitch=note.pitch + shift) for note in clip)
        renderer = self.other if change == "font" and self.other else self.renderer
        notes = [msgspec.structs.replace(note, start=note.start + LEAD_S) for note in clip]
        if max(note.end for note in notes) > SECONDS:
            raise InputError(f"{name}: longer than {SECONDS:g} s: make its notes shorter")
        samples = renderer.render(notes, SECONDS, RATE)
        if change == "reverb":
            samples = apply_effects(samples, Difficulty(reverb_s=REVERB_S), name, "room")
        samples = _levelled(resample(Sound(samples, RATE), SENT_RATE).samples)
        return _altered(samples, change)


def _levelled(samples: Samples) -> Samples:
    """Bring samples to `LEVEL` and fade them out at the end."""
    faded = samples.copy()
    fade = round(0.02 * SENT_RATE)
    faded[-fade:] *= np.linspace(1, 0, fade, dtype=np.float32)
    level = float(np.sqrt(np.mean(np.square(faded, dtype=np.float64))))
    if level < 1e-6:
        raise InputError("the renderer gave silence: choose another sound font")
    loud: Samples = faded * np.float32(LEVEL / level)
    return np.clip(loud, -1.0, 1.0)


def _altered(samples: Samples, change: Change | None) -> tuple[Samples, int]:
    """Samples and their rate after a change that needs no notes."""
    if change == "gain":
        return samples * np.float32(10 ** (GAIN_DB / 20)), SENT_RATE
    if change == "resampling":
        return resample(Sound(samples, SENT_RATE), NARROW_RATE).samples, NARROW_RATE
    if change == "padding":
        silence = np.zeros(round(PADDING_S * SENT_RATE), dtype=np.float32)
        return np.concatenate([samples, silence]), SENT_RATE
    if change == "codec":
        return _coded(samples), SENT_RATE
    return samples, SENT_RATE


def _coded(samples: Samples) -> Samples:
    """Samples that have been an Ogg Vorbis file, as many as before."""
    import soundfile

    target = io.BytesIO()
    soundfile.write(
        target, samples, SENT_RATE, format="OGG", subtype="VORBIS",
        compression_level=CODEC_LEVEL,
    )  # fmt: skip
    decoded = read_sound(target.getvalue()).samples
    padded = np.zeros_like(samples)
    padded[: len(decoded)] = decoded[: len(samples)]
    return np.clip(padded, -1.0, 1.0)


def replaced(audio: Audio, control: str, seed: str) -> Audio:
    """Silence or noise in the place of a recording, as long; noise is as loud too."""
    return silence_like(audio) if control == "silence" else noise_like(audio, seed)
