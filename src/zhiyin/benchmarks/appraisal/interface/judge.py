"""Opening the judge that a caller names by key, address and model, as the published code does."""

from __future__ import annotations

from dataclasses import replace

from zhiyin.engine.runner import Limits
from zhiyin.record import Model


def open_judge(
    spec: str | None, key: str | None, base: str | None, name: str, limits: Limits
) -> tuple[str, Model | None]:
    """The judge's spec, and the judge where it has to be opened with a key of its own.

    Parameters
    ----------
    spec : str or None
        A model's spec, which goes before the rest.
    key, base : str or None
        Of an OpenAI-compatible endpoint; None for what the environment says.
    name : str
        The model's name there.
    limits : Limits

    Raises
    ------
    InputError
        The endpoint cannot be used.
    """
    if spec is not None:
        return spec, None
    from zhiyin.models.chat import ChatModel
    from zhiyin.models.endpoint import provider_endpoint, url_endpoint
    from zhiyin.models.providers import PROVIDERS

    if base is None and key is None:
        return f"openai:{name}", None
    if base:
        endpoint = url_endpoint(f"{base}#{name}")
    else:
        endpoint = provider_endpoint("openai", PROVIDERS["openai"], name)
    if key is not None:
        endpoint = replace(endpoint, key=key, key_source="llm_api_key")
    return endpoint.name, ChatModel(endpoint, limits.timeout_s, limits.concurrency or None)
