"""Providers of models: where each is reached, with which key, and what its models can take.

The facts are those of the providers' own pages, as of November 2026. What no page says is left
unknown; a model whose name fits no family has what its provider's models have in common. All of it
stands in ``providers.json``: a provider that speaks in a form of `dialects` is an entry there.

From Claude 4.7 on Anthropic refuses all settings but the length of a reply. What a provider of
Inspect AI's does with a setting that its models do not take differs.

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

import importlib
import importlib.util
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from zhiyin.errors import InputError, missing_package
from zhiyin.models.capabilities import Capabilities

if TYPE_CHECKING:
    from zhiyin.models import Setting
    from zhiyin.record import Model


class Provider(msgspec.Struct, frozen=True, kw_only=True):
    """One provider.

    Attributes
    ----------
    form, summary : str
        How its models are written, and what they are, for ``zhiyin list``.
    speaks : str
        ``module:class`` of a `Dialect`, or of a `PackageModel`.
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

    form: str
    summary: str
    speaks: str
    can: Capabilities
    keys: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()
    address: str = ""
    families: tuple[tuple[str, dict[str, object]], ...] = ()
    extra: str = ""
    package: str = ""

    def capabilities(self, model: str) -> Capabilities:
        """What a model can take, by its name."""
        name = model.rpartition("/")[2].lower()
        for pattern, different in self.families:
            if re.match(pattern, name):
                return msgspec.convert(msgspec.to_builtins(self.can) | different, Capabilities)
        return self.can


PROVIDERS = msgspec.json.decode(
    Path(__file__).with_suffix(".json").read_bytes(), type=dict[str, Provider]
)
"""By the word before the colon."""


def class_at(place: str) -> Any:
    """What stands at ``module:name``: imported only when it is asked for."""
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(module), name)


def open_provider(kind: str, model: str, setting: Setting) -> Model:
    """A model of one of `PROVIDERS`. Raises `InputError` where it cannot be asked."""
    from zhiyin.models.chat import ChatModel
    from zhiyin.models.dialects import Dialect
    from zhiyin.models.endpoint import Endpoint, provider_endpoint

    provider = PROVIDERS[kind]
    if provider.package and not importlib.util.find_spec(provider.package):
        raise missing_package(provider.package.replace("_", "-"), provider.extra)
    speaks = class_at(provider.speaks)
    if issubclass(speaks, Dialect):
        endpoint = provider_endpoint(kind, provider, model)
        opened, dialect = ChatModel, speaks()
    else:
        if not model.strip("/ "):
            raise InputError(f"no model is named: write {kind}:PROVIDER/MODEL")
        endpoint = Endpoint(f"{kind}:{model}", "", model)
        opened, dialect = speaks, speaks.speaks
    made: Model = opened(
        endpoint,
        setting.timeout,
        setting.concurrency,
        setting.sound,
        dialect,
        provider.capabilities(model),
    )
    return made
