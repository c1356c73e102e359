"""Which family a model is of, by its name: a judge of the candidate's family may favour it."""

from __future__ import annotations

import re

from zhiyin.models.providers import PROVIDERS
from zhiyin.words import Said, said

_FAMILIES = {
    "OpenAI": r"gpt|chatgpt|davinci|(?<![a-z])o[1345](?![a-z])|openai",
    "Anthropic": r"claude",
    "Google": r"gemini|gemma|palm|bard",
    "Qwen": r"qwen|qwq|tongyi",
    "DeepSeek": r"deepseek",
    "Meta": r"llama",
    "Mistral": r"mistral|mixtral|ministral|magistral|voxtral|pixtral|codestral|devstral",
    "GLM": r"glm",
    "Moonshot": r"kimi|moonshot",
    "ByteDance": r"doubao|seed-?\d",
    "Baichuan": r"baichuan",
    "InternLM": r"intern",
    "MiniMax": r"minimax|abab",
    "Microsoft": r"(?<![a-z])phi-?\d",
    "Yi": r"(?<![a-z])yi-",
    "xAI": r"grok",
}


def family(model: str) -> str | None:
    """The family of a model, or None where its name does not show it.

    What stands for a server rather than a model ("openai:", "openai/" and addresses) is left out,
    since any model can be behind it.
    """
    return next(iter(_families(model)), None)


def _families(model: str) -> list[str]:
    """All families that a name shows: a distilled model is of its teacher's and of its base's."""
    kind, colon, rest = model.partition(":")
    name = rest if colon and kind in PROVIDERS else model
    name = model.rpartition("#")[2] if "://" in model else name.removeprefix("openai/")
    return [who for who, words in _FAMILIES.items() if re.search(words, name, re.IGNORECASE)]


def kinship(judge: str, candidate: str) -> Said | None:
    """A warning where judge and candidate are of one family, or the same model; else None."""
    if judge == candidate:
        return said("judged-same", judge=judge)
    theirs = _families(candidate)
    for own in _families(judge):
        if own in theirs:
            return said("judged-kin", judge=judge, candidate=candidate, family=own)
    return None
