"""Setup of a run before anything is asked: benchmark, model, trials, manifest, folder.

Questions for a model that runs elsewhere are written out by the same setup.
"""

from __future__ import annotations

import collections
import contextlib
import glob
import hashlib
import platform
import re
import secrets
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

import msgspec

from zhiyin import __version__
from zhiyin import extensions as plugins
from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.options import common_settings, place_names
from zhiyin.contract.policies import open_policy, policies
from zhiyin.contract.protocols import OURS, RELEASED
from zhiyin.contract.registry import declared, given, origin_of, with_data
from zhiyin.contract.resolved import resolved, setting_in_words
from zhiyin.contract.session_parts import SessionPart, conditions_of, parts_of
from zhiyin.contract.settings import RunSettings
from zhiyin.engine.asking import OtherAsker, asking_others
from zhiyin.engine.folder import MANIFEST, PARTS, Manifest, read_manifest, without_parts
from zhiyin.engine.readable import plain
from zhiyin.engine.runner import Limits
from zhiyin.errors import InputError, ModelError
from zhiyin.models import open_model
from zhiyin.models.capabilities import Capabilities, capabilities_of, refuse_unsupported
from zhiyin.models.endpoint import bare, written
from zhiyin.models.joined_clips import joined
from zhiyin.models.playback import AS_IT_IS
from zhiyin.models.replay import AskedQuestion, name_of
from zhiyin.record import Model, Reply, Sampling, Strategy
from zhiyin.session.selection import Selection, applying, item_of
from zhiyin.session.sharing import fingerprint_of, with_options
from zhiyin.strategies import confirming, likelihood, signature
from zhiyin.trial import Message, Trial
from zhiyin.words import Said, said


def manifest_of(order: RunSettings, selection: Selection, model: Model) -> Manifest:
    """The manifest of an order that nothing was asked of yet.

    Raises
    ------
    InputError
        For settings that exclude each other, and where there is nothing to ask.
    """
    benchmark = selection.benchmark
    if selection.planned == 0 and not order.shard:  # a shard may happen to get nothing
        raise InputError(said("error-nothing-to-ask", name=benchmark.name))
    decoding = decoding_of(model)
    config = _config(order, selection, model, decoding.get("query"))
    options = {k: written(v) if isinstance(v, str) else v for k, v in order.options.items()}
    policy = config["options"]["extract"]
    manifest = Manifest(
        benchmark=benchmark.name,
        model=model.name,
        config=_as_read_back(config),
        options=_as_read_back(options),
        planned=selection.planned,
        sequences=selection.planned_sequences,
        versions={
            "zhiyin": __version__,
            "python": platform.python_version(),
            **_versions(benchmark, policy, model),
        },
        declared=declared(type(benchmark), selection.ways),
        decoding=decoding,
        label=order.label,
        spec=written(order.model) if isinstance(order.model, str) else "",
        id=secrets.token_hex(8),
    )
    for part in parts_of(order):
        part.describe(manifest)
    return manifest


def _as_read_back(values: dict[str, object]) -> dict[str, Any]:
    """Settings as a manifest gives them back: JSON knows no tuples."""
    read: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(values))
    return read


def _config(order: RunSettings, selection: Selection, model: Model, query: Any) -> dict[str, Any]:
    """Return the settings that identify a run and name its folder. `query`: of its address."""
    benchmark = selection.benchmark
    places = _places(type(benchmark))
    settings = {k: v for k, v in order.options.items() if k not in places}
    if settings.get("protocol") == OURS.name:  # a run from before there were protocols is ours
        del settings["protocol"]
    if settings.get("language"):  # a language pack is known by its name; its contents are in `data`
        settings["language"] = Path(settings["language"]).name
    settings = {k: written(v) if isinstance(v, str) else v for k, v in settings.items()}
    settings["extract"] = settings.get("extract") or benchmark.extract
    config = {
        "benchmark": benchmark.name,
        "benchmark_version": benchmark.version,
        "options": settings,
        "data": fingerprint_of(benchmark),
        "model": model.name,
        "sampling": _sampling(order.sampling),
        **selection.part(),
    }
    for condition in selection.conditions:
        if condition.fingerprint:
            config[condition.way.name] = condition.fingerprint
    if query:  # two deployments at one address are two models
        config["query"] = query
    if order.shard:
        config["shard"] = str(order.shard)
    if order.options.get("confirm"):
        config["confirm"] = signature()
    if order.score:
        # Raise `InputError` where log-probabilities cannot be had
        if order.spending.batch:
            raise InputError(said("error-score-batch"))
        if capabilities_of(model).logprobs is False:
            raise InputError(said("error-no-logprobs", name=model.name))
        config["score"] = likelihood.signature()
    if order.sound != AS_IT_IS:
        config["sound"] = msgspec.to_builtins(order.sound)
    if hasattr(model, "fingerprint"):
        config["model_data"] = model.fingerprint()
    return config


def _sampling(sampling: Sampling) -> dict[str, Any]:
    """Return sampling as the manifest has it; earlier versions knew nothing of thinking."""
    settings: dict[str, Any] = msgspec.to_builtins(sampling)
    if sampling.thinking is None:
        del settings["thinking"]
    return settings


def decoding_of(model: Model) -> dict[str, Any]:
    """Describe how a model was reached and addressed, and what it can take."""
    description: dict[str, Any] = getattr(model, "describe", dict)()
    can = msgspec.to_builtins(capabilities_of(model))
    return cast(dict[str, Any], plain({**description, "capabilities": can}))


def _places(kind: type[Benchmark[Any]]) -> frozenset[str]:
    """The options that do not make a run another one.

    Where data lie does not; what they are does (the fingerprint).
    """
    every = (*common_settings(), kind.Settings)
    return kind.places.union({RELEASED}, *map(place_names, every))


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

    Which part of the trials is asked is not in the name, so that a pilot grows into the whole. A
    run that was asked the same with other words, a default typed out, is found as well.
    """
    left = {*PARTS, "shard"}
    settings = {k: v for k, v in manifest.config.items() if k not in left} | {"limit": None}
    digest = hashlib.blake2b(msgspec.json.encode(settings, order="sorted"), digest_size=4)
    name = f"{manifest.benchmark}-{short_name(order.model)}"
    suffix = order.shard.suffix if order.shard else ""
    own = Path("runs") / f"{name}-{digest.hexdigest()}{suffix}"
    if own.exists():
        return own
    wanted = without_parts(resolved(manifest))
    for manifests in sorted(Path("runs").glob(f"{glob.escape(name)}-*{suffix}/{MANIFEST}")):
        with contextlib.suppress(InputError):
            if without_parts(resolved(read_manifest(manifests.parent))) == wanted:
                return manifests.parent
    return own


def short_name(model: str | Model) -> str:
    """A model's name as part of a folder's: letters, digits, "_", "." and "-"."""
    spec = model if isinstance(model, str) else model.name
    return re.sub(r"[^\w.-]+", "-", bare(spec).split("://")[-1]).strip("-")[:40]


def selected(order: RunSettings) -> tuple[RunSettings, Selection]:
    """An order with all its options, and the trials that it asks, whoever asks them.

    Raises
    ------
    InputError
        For anything in the order that the user can mend.
    """
    order, benchmark = _set_up(order, given(order.benchmark))
    conditions = conditions_of(order.options, benchmark.name)
    part = order.limit, order.sample, order.seed
    return order, Selection(benchmark, *part, conditions=conditions)


class Opened(NamedTuple):
    """An order made ready, before anything is asked; `parts` take part in its session."""

    order: RunSettings
    model: Model
    selection: Selection
    manifest: Manifest
    folder: Path
    parts: Sequence[SessionPart]


@contextlib.asynccontextmanager
async def opened(
    order: RunSettings, kind: type[Benchmark[Any]], parts: Sequence[SessionPart] | None = None
) -> AsyncIterator[Opened]:
    """Open what an order names, and look whether the model can take it; the model is closed after.

    Parameters
    ----------
    order : RunSettings
    kind : type of Benchmark
    parts : sequence of SessionPart, optional
        By default those of the order.

    Raises
    ------
    InputError
        For anything in the order that the user can mend.
    """
    parts = parts_of(order) if parts is None else parts
    at_random = any(part.at_random for part in parts)
    with with_data(kind, order.options):
        order, benchmark = _set_up(order, kind)
    model = _open(order, parts)
    try:
        with with_data(kind, order.options):
            part = order.limit, order.sample, order.seed, order.shard
            conditions = conditions_of(order.options, benchmark.name)
            selection = Selection(benchmark, *part, conditions, at_random=at_random)
            manifest = manifest_of(order, selection, model)
        if (part_of_it := applying(selection, model)) is not selection:
            selection = part_of_it
            manifest.planned, manifest.sequences = selection.planned, selection.planned_sequences
        if selection.sequences:  # a sequence that cannot begin says so before anything is asked
            collections.deque(selection.known(), maxlen=0)
        if bind := getattr(model, "bind", None):
            asked = names(selection.known(), strategies(order, benchmark), order.sampling)
            bind([pair async for pair in asked], manifest.config)
        folder = Path(order.out) if order.out else default_folder(order, manifest)
        # Spell the settings as the run in a folder does, where they are the same
        if (folder / MANIFEST).is_file():
            old = read_manifest(folder)
            one, other = (resolved(each).get("options") for each in (old, manifest))
            if old.benchmark == manifest.benchmark and one == other:
                manifest.config["options"] = old.config["options"]
        require_support(order, selection, model)
        yield Opened(order, model, selection, manifest, folder, parts)
    finally:
        await model.close()


async def check(model: Model) -> None:
    """Make sure that a model can be asked, where it knows how. Raises `InputError`."""
    own = getattr(model, "check", None)
    if own:
        await own()


def strategies(order: RunSettings, benchmark: Benchmark[Any]) -> Callable[[Trial], Strategy]:
    """Return the function that gives each trial's strategy: the benchmark's own.

    With `confirm`, and with log-probabilities, where asked for.
    """
    own: Callable[[Trial], Strategy] = benchmark.strategy
    if order.options.get("confirm"):
        policy = open_policy(order.options.get("extract") or benchmark.extract)
        own = confirming(own, policy, order.options.get("language"))
    return likelihood.scoring(own) if order.score else own


_MOST_COUNTED = 10_000


def opening(order: RunSettings, selection: Selection) -> Said:
    """Describe on one line, before a run begins, what it asks and how, defaults included.

    Questions are counted where a setting of the benchmark has each of them asked again.
    """
    benchmark = selection.benchmark
    settings = getattr(benchmark, "settings", None)
    repeats, rotations = getattr(settings, "repeats", 1), getattr(settings, "rotations", "none")
    again, questions = repeats > 1 or rotations == "all", None
    shots = getattr(settings, "shots", None)
    if again and not selection.sequences and selection.planned <= _MOST_COUNTED:
        questions = len({item_of(trial) for trial in selection})
    once = type(benchmark).strategy is Benchmark.strategy
    return said(
        "cli-opening",
        trials=selection.planned,
        calls=once and not order.score and not order.options.get("confirm"),
        grades=benchmark.grades,
        questions=None if questions == selection.planned else questions,
        repeats=str(repeats) if again else None,
        shots=None if shots is None else setting_in_words("shots", shots),
        temperature=None if (heat := order.sampling.temperature) is None else f"{heat:g}",
        seed=str(order.seed),
    )


def _set_up(order: RunSettings, kind: type[Benchmark[Any]]) -> tuple[RunSettings, Benchmark[Any]]:
    """The benchmark of an order, and the order with all its options: an object brings its own."""
    open_policy(order.options.get("extract") or kind.extract)
    for part in parts_of(order):
        order = part.prepare(order)
    if not isinstance(order.benchmark, Benchmark):
        if not order.options.get("data") and (data := kind.fetched(order.options)):
            order = msgspec.structs.replace(order, options={**order.options, "data": data})
        benchmark = with_options(kind, order.options)
        if origin_of(kind).kind == "zhiyin":
            return order, benchmark
    else:
        benchmark = order.benchmark
        benchmark.reading = order.options.get("extract")
    # All settings are kept, the defaults too: those of a later version may be others.
    settings = getattr(benchmark, "settings", None)
    own = msgspec.to_builtins(settings) if isinstance(settings, msgspec.Struct) else {}
    return msgspec.structs.replace(order, options={**order.options, **own}), benchmark


def _open(order: RunSettings, parts: Sequence[SessionPart]) -> Model:
    """The model of an order, which joins clips where that is asked for."""
    model = next(filter(None, (part.open(order) for part in parts)), order.model)
    if isinstance(model, str):
        model = open_model(
            model,
            timeout=order.limits.timeout_s,
            seed=order.seed,
            concurrency=order.limits.concurrency or None,
            sound=order.sound,
        )
    for part in parts:
        model = part.wrap(model)
    if order.spending.batch and not getattr(model, "in_batches", False):
        raise InputError(said("error-no-batches"))
    return joined(model, order.sound.join)


def require_support(order: RunSettings, selection: Selection, model: Model) -> Capabilities:
    """Return a model's capabilities. Raises `InputError` where it cannot take the run's trials."""
    can = capabilities_of(model)
    without = selection.benchmark.without_sound
    refuse_unsupported(selection.known(), can, order.sampling, order.sound, model.name, without)
    return can


class UnreachedModel:
    """A model that is not here: a run of it can be described, and nothing can be asked."""

    name = "elsewhere"
    concurrency = 1

    async def generate(self, messages: Any, sampling: Sampling, trial: Trial) -> Reply:
        """Raise `ModelError` always."""
        raise ModelError("this model runs elsewhere: bring its answers with -m replay:FILE")

    async def close(self) -> None:
        """Do nothing: no connection is open."""


async def asked_once(trial: Trial, strategy: Strategy, sampling: Sampling) -> AskedQuestion | None:
    """Return the one request of a trial, without its id; None where more follow a reply.

    The trial's own strategy is given an empty reply, and says what it sends.
    """
    sent: list[tuple[tuple[Message, ...], Sampling]] = []

    async def ask(messages: Iterable[Message], own: Sampling | None = None) -> Reply:
        sent.append((tuple(messages), own or sampling))
        if len(sent) > 9:
            raise ModelError("asks without end")
        return Reply("")

    # It expects words: what it asked first is known. Others that it would ask are not there.
    others = asking_others(lambda _, own: OtherAsker(UnreachedModel(), own, Limits(), None))
    with contextlib.suppress(Exception), others:
        await strategy(trial, ask)
    if len(sent) != 1:
        return None
    return AskedQuestion("", trial.id, *sent[0])


async def names(
    trials: Iterable[Trial], strategy: Callable[[Trial], Strategy], sampling: Sampling
) -> AsyncIterator[tuple[str, str]]:
    """Each trial's id, and its name elsewhere without a number; "" where it has none."""
    for trial in trials:
        asked = await asked_once(trial, strategy(trial), sampling)
        yield trial.id, name_of(asked.messages, asked.sampling) if asked else ""
