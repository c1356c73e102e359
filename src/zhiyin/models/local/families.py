"""What architectures take, and what they do with sound.

Every row was tried with transformers 5.23 on a checkpoint of that architecture: clips of 40 s, two
clips, and batches of clips of unequal length against each clip alone.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

Mask = Literal["clips", "windows", "embeddings", "tokens", ""]


class Family(NamedTuple):
    """What to know of an architecture.

    Attributes
    ----------
    name : str
        For people.
    clips : int or None
        In one prompt; None for no limit.
    alike : bool
        Whether only prompts with clips of equal length are asked together: others change each
        other's answers.
    mixes : bool
        Whether prompts with and without sound are asked together.
    system : bool
        Whether a system message may stand beside sound; else it is put before the user's words.
    mask : {"clips", "windows", "embeddings", "tokens", ""}
        Where it shows how much was heard: a row of the mask a clip; rows for each window of 30 s;
        a count of embeddings of 0.08 s; tokens of 0.1 s in the prompt; nowhere.
    sound : str
        What stands for a sound in the text, where the processor does not say.
    cached : bool
        Whether the prompt's cache may be repeated for each continuation; see `likelihood`.
    """

    name: str
    clips: int | None = None
    alike: bool = False
    mixes: bool = True
    system: bool = True
    mask: Mask = "clips"
    sound: str = ""
    cached: bool = True


TEXT = Family("text")
UNTRIED = Family("not tried by us", alike=True, mixes=False, cached=False)
"""Whatever follows the protocol of processors: asked together only where nothing can be padded."""

FAMILIES: dict[str, Family] = {
    "qwen2_audio": Family("Qwen2-Audio"),
    "qwen2_5_omni": Family("Qwen2.5-Omni"),
    "qwen3_omni_moe": Family("Qwen3-Omni"),
    "audioflamingo3": Family("Audio Flamingo 3", clips=1, mixes=False, mask="windows"),
    "musicflamingo": Family("Music Flamingo", clips=1, mixes=False, mask="windows"),
    "voxtral": Family("Voxtral", system=False, mask=""),
    "gemma3n": Family("Gemma 3n"),
    "phi4_multimodal": Family("Phi-4-multimodal", alike=True, mask="embeddings"),
    "granite_speech": Family("Granite Speech", alike=True, mask="tokens"),
}


def family_of(config: Any) -> Family:
    """The family of a config: one of `FAMILIES`, `UNTRIED` for others that hear, or `TEXT`."""
    known = FAMILIES.get(config.model_type.removesuffix("_thinker"))
    if known:
        return known
    hears = any(
        getattr(config, name, None) is not None
        for name in ("audio_config", "audio_token_id", "audio_token_index", "thinker_config")
    )
    return UNTRIED if hears else TEXT
