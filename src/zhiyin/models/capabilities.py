"""Capabilities of a model: declared by its class, and checked before the first trial."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import msgspec

from zhiyin.errors import InputError, UnfitError
from zhiyin.models.joined_clips import as_joined
from zhiyin.models.playback import SoundPolicy, too_long
from zhiyin.record import OFF, Sampling
from zhiyin.trial import Audio, Image, Trial
from zhiyin.words import naming, said

Unknown = Literal["unknown"]
UNKNOWN: Unknown = "unknown"
Known = bool | Unknown
"""Yes, no, or not known: the model is asked, and what it refuses is *unsupported*."""

SETTINGS = ("temperature", "top_p", "top_k", "seed", "max_tokens")
"""What of `Sampling` may be settable, in the order of the flags."""
_FLAGS = {"seed": "--sampling-seed"}
_WAYS = {"off": "off", "level": "a level (low, medium, high)", "budget": "a number of tokens"}
_CLIPPED = 0.0005
"""Seconds by which a clip may be longer than it may: durations are compared to the millisecond."""


class Capabilities(msgspec.Struct, frozen=True, kw_only=True):
    """Inputs and settings that a model can take. Each is unknown until somebody says it.

    Words are taken by all. A model that looks at stem and options alone, such as a baseline,
    *takes* sound: it can be asked a question that plays some.

    Attributes
    ----------
    sound, image : bool or "unknown"
        Whether sound and pictures are taken at all.
    formats : tuple of str or "unknown"
        Of sound: "wav", "mp3", "flac", ...
    seconds : float, None or "unknown"
        The longest clip; None for no limit.
    clips, pictures : int, None or "unknown"
        How many in one conversation; None for no limit.
    system : bool or "unknown"
        Whether there can be a system message.
    sound_examples : bool or "unknown"
        Whether sound may stand in earlier turns than the last, as in worked examples.
    settings : tuple of str or "unknown"
        Which of `SETTINGS` can be set.
    logprobs : bool or "unknown"
        Whether log-probabilities are given.
    schema : bool or "unknown"
        Whether a reply can be bound to a JSON schema.
    thinking : tuple of str, bool or "unknown"
        How the model can be given how much to think before it answers: "off", "level" (a word),
        "budget" (tokens); False where that cannot be set.
    """

    sound: Known = UNKNOWN
    image: Known = UNKNOWN
    formats: tuple[str, ...] | Unknown = UNKNOWN
    seconds: float | Unknown | None = UNKNOWN
    clips: int | Unknown | None = UNKNOWN
    pictures: int | Unknown | None = UNKNOWN
    system: Known = UNKNOWN
    sound_examples: Known = UNKNOWN
    settings: tuple[str, ...] | Unknown = UNKNOWN
    logprobs: Known = UNKNOWN
    schema: Known = UNKNOWN
    thinking: tuple[str, ...] | Known = UNKNOWN

    def sets(self, name: str) -> bool:
        """Tell whether a setting is to be sent: it is settable, or that is unknown."""
        return self.settings == UNKNOWN or name in self.settings

    @property
    def takes_any_trial(self) -> bool:
        """Tell whether nothing in a trial is known to be too much."""
        yes = (self.sound, self.image, self.system, self.sound_examples)
        limits = (self.seconds, self.clips, self.pictures)
        return False not in yes and all(limit in (None, UNKNOWN) for limit in limits)


ANYTHING = Capabilities(
    sound=True, image=True, seconds=None, clips=None, pictures=None, system=True,
    sound_examples=True, settings=SETTINGS, logprobs=False, schema=False, thinking=False,
)  # fmt: skip
"""Of models that do not look at the messages: a baseline, a file of answers."""


def way_of(thinking: str | int) -> str:
    """Return how thinking is asked for: "off", "level" (a word) or "budget" (tokens)."""
    if isinstance(thinking, int):
        return "budget"
    return "off" if thinking == OFF else "level"


def capabilities_of(model: Any) -> Capabilities:
    """Return a model's declared ``capabilities``; all unknown if it declares nothing.

    Raises
    ------
    InputError
        It declares something else than `Capabilities`.
    """
    declared = getattr(model, "capabilities", None)
    if declared is None:
        return Capabilities()
    if not isinstance(declared, Capabilities):
        raise InputError(
            said("model-capabilities", model=model.name, given=type(declared).__name__)
        )
    return declared


def why_not(trial: Trial, can: Capabilities, without_sound: str = "") -> str | None:
    """Explain why a model cannot take a trial, and what to do; None if nothing speaks against it.

    Parameters
    ----------
    trial : Trial
    can : Capabilities
    without_sound : str
        How the benchmark is asked without sound, if it can be.
    """
    parts = [part for message in trial.messages for part in message.parts]
    sounds = [part for part in parts if isinstance(part, Audio)]
    if sounds and (reason := _sound_refused(sounds, trial, can, without_sound)):
        return reason
    pictures = sum(isinstance(part, Image) for part in parts)
    if pictures and can.image is False:
        return naming(said("unfit-picture"))
    if isinstance(can.pictures, int) and pictures > can.pictures:
        return naming(said("unfit-pictures", n=pictures, most=can.pictures))
    if can.system is False and any(message.role == "system" for message in trial.messages):
        return naming(said("unfit-system"))
    return None


def does_not_apply(trial: Trial, can: Capabilities) -> bool:
    """Tell whether a trial plays sound or shows pictures to a model that takes none at all."""
    kinds: list[type[Audio] | type[Image]] = [Audio] if can.sound is False else []
    kinds += [Image] if can.image is False else []
    return any(type(part) in kinds for message in trial.messages for part in message.parts)


def _sound_refused(
    sounds: list[Audio], trial: Trial, can: Capabilities, without_sound: str
) -> str | None:
    if can.sound is False:
        return naming(said("unfit-sound", how=without_sound or None))
    if isinstance(can.clips, int) and len(sounds) > can.clips:
        return naming(said("unfit-sounds", n=len(sounds), most=can.clips))
    earlier = [p for m in trial.messages[:-1] for p in m.parts if isinstance(p, Audio)]
    if earlier and can.sound_examples is False:
        return naming(said("unfit-earlier"))
    if isinstance(can.seconds, int | float):
        for sound in sounds:
            if sound.played > can.seconds + _CLIPPED:
                return too_long(sound, sound.played, can.seconds)
    return None


def refuse_unsupported(
    trials: Iterable[Trial],
    can: Capabilities,
    sampling: Sampling,
    sound: SoundPolicy,
    name: str,
    without_sound: str = "",
) -> None:
    """Check before anything is asked that the model can take what the run will send.

    Sounds of unknown duration are left to those who decode them.

    Parameters
    ----------
    trials : iterable of Trial
        Made only where `can` refuses anything that a trial may hold.
    can : Capabilities
    sampling : Sampling
    sound : SoundPolicy
        Its limit and format hold beside what the model declares.
    name : str
        The model's, for the message.
    without_sound : str
        How the benchmark is asked without sound, if it can be.

    Raises
    ------
    InputError
        A setting is not settable, or for the first trial that is too much.
    """
    for setting in SETTINGS:
        value = getattr(sampling, setting)
        # Temperature 0 is the default; where it cannot be set it is left out.
        if value is None or can.sets(setting) or (setting == "temperature" and value == 0):
            continue
        flag = _FLAGS.get(setting, f"--{setting.replace('_', '-')}")
        word = setting.replace("_", " ")
        raise InputError(said("error-own-setting", name=name, word=word, flag=flag))
    if sampling.thinking is not None and can.thinking not in (True, UNKNOWN):
        ways = can.thinking if isinstance(can.thinking, tuple) else ()
        if not ways:
            raise InputError(said("error-no-thinking", name=name))
        if way_of(sampling.thinking) not in ways:
            known = " or ".join(_WAYS[way] for way in ways)
            raise InputError(
                said("error-thinking-as", name=name, known=known, thinking=sampling.thinking)
            )
    formats = (None, "as-is", *(can.formats if can.formats != UNKNOWN else (sound.format,)))
    if sound.format not in formats:
        raise InputError(said(
            "error-format", name=name, formats=" or ".join(can.formats), format=sound.format,
            formatsb=can.formats[0],
        ))  # fmt: skip
    limits = [n for n in (sound.limit, can.seconds) if isinstance(n, int | float)]
    if limits:
        can = msgspec.structs.replace(can, seconds=min(limits))
    if can.takes_any_trial:
        return
    for trial in trials:
        if sound.join is not None:
            trial = as_joined(trial, sound.join)
        if reason := why_not(trial, can, without_sound):
            raise UnfitError(said("error-unfit", name=name, id=trial.id, reason=reason))
