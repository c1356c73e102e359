"""Providers of models: where each is reached, with which key, and what its models can take.

The facts are those of the providers' own pages, as of November 2026. What no page says is left
unknown; a model whose name fits no family has what its provider's models have in common.

Log-probabilities are those of the first token of a reply. The APIs of Anthropic and Mistral have
none; DashScope gives them for some models of words alone, and Inspect AI and LiteLLM pass on what
their providers call by many names: these are not asked. A model that always thinks (OpenAI's o
series, Gemini 2.5 Pro and 3) is not asked either: its answer comes after its thoughts. Of others,
GPT-5 and Gemini 2.5 Flash among them, it is not known, and they are asked.

=============  =====================================================================================
OpenAI         platform.openai.com/docs/models; guides "Audio and speech", "Images", "Reasoning"
Gemini         ai.google.dev/gemini-api/docs: "Audio", "Image understanding", "Thinking", "Files"
Anthropic      platform.claude.com/docs: "Vision", "Extended thinking", "Adaptive thinking"
Mistral        docs.mistral.ai: "Audio and transcription", "Vision", "Reasoning"
DashScope      help.aliyun.com/en/model-studio: "Qwen-Omni", "Visual understanding"
=============  =====================================================================================
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from zhiyin.models.capabilities import SETTINGS, Capabilities

_NO_TOP_K = ("temperature", "top_p", "seed", "max_tokens")
_LEVELS, _BUDGET = ("off", "level"), ("off", "budget")


class Provider(msgspec.Struct, frozen=True, kw_only=True):
    """One provider.

    Attributes
    ----------
    summary : str
        For ``zhiyin list``.
    opener : str
        ``module:function`` that opens a model, given its endpoint, the user's setting and what it
        can take.
    keys, addresses : tuple of str
        Environment variables, the first that is set counts.
    address : str
        Where no variable names another; a key is needed for it.
    can : Capabilities
        Of all its models.
    families : tuple of (str, dict)
        Regular expressions for the beginning of a model's name, and what is different then; the
        first that fits counts.
    extra, package : str
        The extra of ``pip install``, and the package that has to be there; empty for none.
    """

    summary: str
    opener: str
    can: Capabilities
    keys: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()
    address: str = ""
    families: tuple[tuple[str, dict[str, Any]], ...] = ()
    extra: str = ""
    package: str = ""

    def capabilities(self, model: str) -> Capabilities:
        """What a model can take, by its name."""
        name = model.rpartition("/")[2].lower()
        for pattern, different in self.families:
            if re.match(pattern, name):
                return msgspec.structs.replace(self.can, **different)
        return self.can


_OPENAI_FAMILIES: tuple[tuple[str, dict[str, Any]], ...] = (
    (
        r"o[134]",
        {
            "sound": False,
            "settings": _NO_TOP_K,
            "thinking": _LEVELS,
            "schema": True,
            "logprobs": False,
        },
    ),
    (
        r"gpt-4o(-mini)?-audio|gpt-audio",
        {"sound": True, "image": False, "formats": ("wav", "mp3"), "clips": None},
    ),
    (
        r"gpt-[5-9]",
        {"sound": False, "settings": _NO_TOP_K, "thinking": _LEVELS, "schema": True},
    ),
    (
        r"(chatgpt-)?gpt-?4o|gpt-4\.|chatgpt-4o",
        {"sound": False, "image": True, "settings": _NO_TOP_K, "thinking": False},
    ),
    (r"gpt-4-turbo", {"sound": False, "image": True, "settings": _NO_TOP_K, "thinking": False}),
    (r"gpt-4|gpt-3", {"sound": False, "image": False, "settings": _NO_TOP_K, "thinking": False}),
)

PROVIDERS: dict[str, Provider] = {
    "openai": Provider(
        summary="OpenAI's chat completions, or the server named by OPENAI_BASE_URL",
        opener="zhiyin.models.chat:open_chat",
        keys=("OPENAI_API_KEY",),
        addresses=("OPENAI_BASE_URL",),
        address="https://api.openai.com/v1",
        can=Capabilities(system=True, thinking=_LEVELS),
        families=_OPENAI_FAMILIES,
    ),
    "openai-responses": Provider(
        summary="OpenAI's responses: words and pictures",
        opener="zhiyin.models.chat:open_responses",
        keys=("OPENAI_API_KEY",),
        addresses=("OPENAI_BASE_URL",),
        address="https://api.openai.com/v1",
        can=Capabilities(
            sound=False,
            system=True,
            settings=("temperature", "top_p", "max_tokens"),
            schema=True,
            thinking=_LEVELS,
        ),
        families=(
            (r"o[134]", {"logprobs": False}),
            (
                r"gpt-4o|gpt-4\.|gpt-4-turbo",
                {"image": True, "thinking": False, "logprobs": True},
            ),
            (r"gpt-4|gpt-3", {"image": False, "thinking": False, "logprobs": True}),
        ),
    ),
    "gemini": Provider(
        summary="Google's Gemini, natively: words, pictures, sound",
        opener="zhiyin.models.gemini:open_gemini",
        keys=("GOOGLE_API_KEY", "GEMINI_API_KEY"),
        addresses=("GOOGLE_GEMINI_BASE_URL",),
        address="https://generativelanguage.googleapis.com",
        can=Capabilities(
            sound=True,
            image=True,
            formats=("wav", "mp3", "aiff", "aac", "ogg", "flac"),
            seconds=34200.0,
            clips=None,
            pictures=3600,
            system=True,
            sound_examples=True,
            settings=SETTINGS,
            logprobs=False,
            schema=True,
        ),
        families=(
            (r"gemini-3", {"thinking": ("level", "budget")}),
            (r"gemini-2\.5-pro", {"thinking": ("budget",)}),
            (r"gemini-2\.5", {"thinking": _BUDGET, "logprobs": "unknown"}),
            (r"gemini-(1|2\.0)", {"thinking": False, "logprobs": "unknown"}),
            (r"gemma", {"sound": False, "system": False, "schema": False, "thinking": False}),
        ),
        extra="gemini",
        package="google.genai",
    ),
    "anthropic": Provider(
        summary="Anthropic's Claude: words and pictures",
        opener="zhiyin.models.claude:open_claude",
        keys=("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"),
        addresses=("ANTHROPIC_BASE_URL",),
        address="https://api.anthropic.com",
        can=Capabilities(
            sound=False,
            image=True,
            pictures=100,
            system=True,
            settings=("max_tokens",),  # from 4.7 on, all others are refused
            logprobs=False,
            schema=True,
            thinking=_LEVELS,
        ),
        families=(
            (
                r"claude-(2|instant|3-[05]|3-(opus|sonnet|haiku))",
                {
                    "settings": ("temperature", "top_p", "top_k", "max_tokens"),
                    "schema": False,
                    "thinking": False,
                },
            ),
            (
                r"claude-(3-7|(opus|sonnet|haiku)-4(-[015]\b|-\d{6,}|$))",
                {
                    "settings": ("temperature", "top_p", "top_k", "max_tokens"),
                    "schema": "unknown",
                    "thinking": _BUDGET,
                },
            ),
            (
                r"claude-(opus|sonnet|haiku)-4-6",
                {
                    "settings": ("temperature", "top_p", "top_k", "max_tokens"),
                    "thinking": (*_LEVELS, "budget"),
                },
            ),
        ),
        extra="anthropic",
        package="anthropic",
    ),
    "mistral": Provider(
        summary="Mistral, with Voxtral for sound",
        opener="zhiyin.models.chat:open_mistral",
        keys=("MISTRAL_API_KEY",),
        addresses=("MISTRAL_BASE_URL",),
        address="https://api.mistral.ai/v1",
        can=Capabilities(
            system=True, settings=SETTINGS, logprobs=False, schema=True, thinking=_LEVELS
        ),
        families=(
            (r"voxtral", {"sound": True, "image": False, "clips": None, "thinking": False}),
            (r"pixtral|mistral-(medium|large)", {"sound": False, "image": True}),
            (r"codestral|ministral|open-|mistral-(tiny|nemo)|magistral", {"sound": False}),
        ),
    ),
    "dashscope": Provider(
        summary="Alibaba Cloud's Qwen, with Qwen-Omni for sound",
        opener="zhiyin.models.chat:open_dashscope",
        keys=("DASHSCOPE_API_KEY",),
        addresses=("DASHSCOPE_COMPATIBLE_BASE_URL", "DASHSCOPE_BASE_URL"),
        address="https://dashscope.aliyuncs.com/compatible-mode/v1",
        can=Capabilities(system=True, settings=SETTINGS, logprobs=False, thinking=_BUDGET),
        families=(
            (r"qwen[\w.]*-omni", {"sound": True, "image": True, "formats": ("wav", "mp3")}),
            (r"qwen[\w.]*-vl|qvq", {"sound": False, "image": True}),
            (r"qwen[\w.]*-(max|plus|turbo|flash|long|coder|math)|qwq", {"sound": False}),
        ),
    ),
    "inspect": Provider(
        summary="a model of Inspect AI's, as inspect:PROVIDER/MODEL: words and pictures",
        opener="zhiyin.models.inspected:open_inspected",
        # What a provider of Inspect's does with a setting that its models do not take differs.
        can=Capabilities(sound=False, system=True, logprobs=False, thinking=(*_LEVELS, "budget")),
        families=((r"claude", {"image": True, "settings": ("max_tokens",)}),),
        extra="inspect",
        package="inspect_ai",
    ),
    "litellm": Provider(
        summary="whatever LiteLLM reaches, as litellm:PROVIDER/MODEL",
        opener="zhiyin.models.through_litellm:open_litellm",
        can=Capabilities(system=True, logprobs=False, thinking=_LEVELS),
        extra="litellm",
        package="litellm",
    ),
}
"""By the word before the colon."""
