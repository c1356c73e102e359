"""What a run is, as its manifest keeps it: settings, fingerprints, versions, and its folder."""

from __future__ import annotations

import hashlib
import platform
import re
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import msgspec

from zhiyin import __version__, plugins
from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.flags import CommonOptions, place_names
from zhiyin.contract.policies import policies
from zhiyin.contract.protocols import OURS, RELEASED
from zhiyin.contract.registry import declared, origin_of
from zhiyin.contract.settings import COMMITMENT
from zhiyin.engine.log import PARTS, Manifest
from zhiyin.engine.readable import plain
from zhiyin.errors import InputError
from zhiyin.models.capabilities import capabilities_of
from zhiyin.models.endpoint import bare, written
from zhiyin.models.playback import AS_IT_IS
from zhiyin.record import Model, Sampling
from zhiyin.session.selection import Selection
from zhiyin.strategies import likelihood
from zhiyin.strategies.confirm import signature

if TYPE_CHECKING:
    from zhiyin.contract.settings import RunSettings


def manifest_of(order: RunSettings, selection: Selection, model: Model) -> Manifest:
    """The manifest of an order that nothing was asked of yet.

    Raises
    ------
    InputError
        For settings that exclude each other, and where there is nothing to ask.
    """
    benchmark = selection.benchmark
    places = _places(type(benchmark))
    settings = {k: v for k, v in order.options.items() if k not in places}
    if settings.get("protocol") == OURS.name:  # a run from before there were protocols is ours
        del settings["protocol"]
    if settings.get("language"):  # a language pack is known by its name; its contents are in `data`
        settings["language"] = Path(settings["language"]).name
    settings = {k: written(v) if isinstance(v, str) else v for k, v in settings.items()}
    options = {k: written(v) if isinstance(v, str) else v for k, v in order.options.items()}
    settings["extract"] = settings.get("extract") or benchmark.extract
    config = {
        "benchmark": benchmark.name,
        "benchmark_version": benchmark.version,
        "options": settings,
        "data": benchmark.fingerprint(),
        "model": model.name,
        "sampling": _sampling(order.sampling),
        **selection.part(),
    }
    decoding = decoding_of(model)
    if query := decoding.get("query"):  # two deployments at one address are two models
        config["query"] = query
    if order.shard:
        config["shard"] = str(order.shard)
    if order.options.get("confirm"):
        config["confirm"] = signature()
    if order.commitment:
        config[COMMITMENT] = order.commitment
    if order.score:
        if order.spending.batch:
            raise InputError("--score and --batch do not go together: leave out one of them")
        if capabilities_of(model).logprobs is False:
            raise InputError(
                f"{model.name} gives no log-probabilities: leave out --score, or take a model that "
                "does (hf:, or a server with logprobs)"
            )
        config["score"] = likelihood.signature()
    if order.sound != AS_IT_IS:
        config["sound"] = msgspec.to_builtins(order.sound)
    if hasattr(model, "fingerprint"):
        config["model_data"] = model.fingerprint()
    if selection.planned == 0 and not order.shard:  # a shard may happen to get nothing
        raise InputError(f"nothing to ask: {benchmark.name} has no trials with these settings")
    declaration = declared(type(benchmark))
    return Manifest(
        benchmark=benchmark.name,
        model=model.name,
        config=msgspec.json.decode(msgspec.json.encode(config)),  # as it will be read back
        options=msgspec.json.decode(msgspec.json.encode(options)),
        planned=selection.planned,
        sequences=selection.planned_sequences,
        versions={
            "zhiyin": __version__,
            "python": platform.python_version(),
            **_versions(benchmark, settings["extract"], model),
        },
        declared=declaration,
        decoding=decoding,
        label=order.label,
        spec=written(order.model) if isinstance(order.model, str) else "",
        id=secrets.token_hex(8),
    )


def _sampling(sampling: Sampling) -> dict[str, Any]:
    """As the manifest has it; earlier versions knew nothing of thinking."""
    settings: dict[str, Any] = msgspec.to_builtins(sampling)
    if sampling.thinking is None:
        del settings["thinking"]
    return settings


def decoding_of(model: Model) -> dict[str, Any]:
    """How a model was reached and spoken to, and what it can take."""
    description: dict[str, Any] = getattr(model, "describe", dict)()
    can = msgspec.to_builtins(capabilities_of(model))
    return cast(dict[str, Any], plain({**description, "capabilities": can}))


def _places(kind: type[Benchmark[Any]]) -> frozenset[str]:
    """The options that do not make a run another one.

    Where data lie does not; what they are does (the fingerprint).
    """
    return place_names(CommonOptions) | {RELEASED} | kind.places | place_names(kind.Settings)


def _versions(benchmark: Benchmark[Any], policy: str, model: Model) -> dict[str, str]:
    """The packages that benchmark, policy and model come from, where these are not Zhiyin's."""
    origin = origin_of(type(benchmark))
    sources = [(origin.distribution, origin.version), *distributions(policy, model)]
    return {name: version for name, version in sources if name}


def distributions(policy: str, model: Model) -> list[tuple[str, str]]:
    """Name and version of the packages that a policy and a model are plugged in by."""
    plugged = plugins.installed(plugins.POLICIES).get(policy)
    used = [plugged] if plugged and policy not in policies() else []
    plugin = getattr(model, "plugin", None)
    used += [plugin] if isinstance(plugin, plugins.Plugin) else []
    return [(one.distribution, one.version) for one in used]


def default_folder(order: RunSettings, manifest: Manifest) -> Path:
    """A folder named after the settings: the same command finds its run again.

    Which part of the trials is asked is not in the name, so that a pilot grows into the whole.
    """
    left = {*PARTS, "shard"}
    settings = {k: v for k, v in manifest.config.items() if k not in left} | {"limit": None}
    digest = hashlib.blake2b(msgspec.json.encode(settings, order="sorted"), digest_size=4)
    name = f"{manifest.benchmark}-{short_name(order.model)}-{digest.hexdigest()}"
    if shard := order.shard:
        name += shard.suffix
    return Path("runs") / name


def short_name(model: str | Model) -> str:
    """A model's name as part of a folder's: letters, digits, "_", "." and "-"."""
    spec = model if isinstance(model, str) else model.name
    return re.sub(r"[^\w.-]+", "-", bare(spec).split("://")[-1]).strip("-")[:40]
