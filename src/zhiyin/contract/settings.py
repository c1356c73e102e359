"""The settings of a run: flags, Python's parameters, a suite's keys and commands come from here."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

import msgspec

from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.flags import CommonOptions
from zhiyin.cost.request_queue import Spending
from zhiyin.engine.folder import Shard, read_shard
from zhiyin.engine.runner import Limits
from zhiyin.errors import InputError
from zhiyin.flags import (
    COUNT,
    WHOLE,
    Field,
    Flag,
    add_flag,
    add_part,
    fields_of,
    flagged,
    read_field,
    read_part,
)
from zhiyin.models.on_ray.cluster import Cluster
from zhiyin.models.playback import AS_IT_IS, SoundPolicy
from zhiyin.record import Model, Sampling

COMMITMENT = "seed_commitment"
"""In a manifest's config: what was committed to before a run with a private seed."""
_OF_SUITE = "it is a flag of the suite"


def published_config(config: Mapping[str, Any]) -> dict[str, Any]:
    """A run's settings as they may be published: a seed that was committed to is not in them.

    The commitment stays, and tells runs of two seeds apart.
    """
    options = config.get("options")
    if not config.get(COMMITMENT) or not isinstance(options, dict):
        return dict(config)
    secret = str(options.get("seed"))
    return {**config, "options": {k: v for k, v in options.items() if secret not in str(v)}}


def _one_line(text: Any) -> str:
    return " ".join(str(text).split())


class RunSettings(msgspec.Struct, frozen=True):
    """What to run, as the user ordered it: benchmark and model by name, or as objects.

    Attributes
    ----------
    benchmark : str, type of Benchmark or Benchmark
        A name, ``FILE.py:Class``, a subclass, or a benchmark that is set up already.
    model : str or Model
        A spec, or a model that is open.
    options : dict
        Those of `contract.flags.CommonOptions` and of the benchmark.
    sampling : Sampling
    limit : int or None
        The first so many trials.
    out : str or None
        The run folder.
    limits : Limits
        A concurrency of 0 leaves it to the model.
    sound : SoundPolicy
    sample : int or None
        So many items drawn at random; see `session.selection.Selection`.
    label : str
        What tables and sentences call the run.
    score : {"", "loglikelihood"}
        Whether the options' log-probabilities are asked for beside the reply.
    canary : bool
        Whether the run may open with one; see `session.running`.
    spending : Spending
    shard : Shard or None
        The share of the run that is asked here; None for all.
    cluster : Cluster or None
        Where a model is to be that does not run here.
    private_seed : str
        The file of a private seed, in place of one among the options; see `session.signing`.
    commitment : str
        That of a private seed, when the file has been read: then the seed is among the options.
    """

    benchmark: str | type[Benchmark[Any]] | Benchmark[Any]
    model: Annotated[
        str | Model,
        Flag(
            "who answers, e.g. openai:gpt-4o, listener, random",
            elsewhere="write it under [[models]]",
        ),
    ]
    options: dict[str, Any]
    sampling: Annotated[Sampling, "how the model is to generate"] = Sampling()
    limit: Annotated[
        int | None,
        Flag("ask only the first N trials, or N whole sequences", metavar="N", within=WHOLE),
    ] = None
    out: Annotated[
        str | None,
        Flag(
            "the run folder; by default runs/BENCHMARK-MODEL-HASH",
            metavar="RUN_DIR",
            elsewhere="a suite keeps its runs in its own folder",
        ),
    ] = None
    limits: Annotated[Limits, "how calls are made"] = Limits(0)
    sound: Annotated[SoundPolicy, "sound, as it is sent to a model"] = AS_IT_IS
    sample: Annotated[
        int | None,
        Flag(
            "ask only N items drawn at random (--seed), each group in proportion",
            metavar="N",
            within=COUNT,
        ),
    ] = None
    label: Annotated[
        str,
        Flag(
            "what tables and sentences call this run",
            metavar="NAME",
            read=_one_line,
            elsewhere="runs are called by their model and condition",
        ),
    ] = ""
    score: Annotated[
        Literal["", "loglikelihood"],
        Flag("also ask for the log-probability of each option, and choose by it, beside the reply"),
    ] = ""
    canary: Annotated[
        bool,
        Flag("do not begin with eight questions that show whether the model hears (or sees)"),
    ] = True
    spending: Annotated[Spending, "what it costs (docs/cost.md)"] = Spending()
    shard: Annotated[
        Shard | None,
        Flag(
            "ask only this share of N, for machines side by side; then `zhiyin merge`",
            metavar="I/N",
            read=read_shard,
            elsewhere=_OF_SUITE,
            typed=True,
        ),
    ] = None
    cluster: Annotated[Cluster | None, "on the workers of a Ray cluster (docs/cluster.md)"] = None
    private_seed: Annotated[
        str,
        Flag("a seed of `zhiyin seed`, in the place of --seed", metavar="FILE", typed=True),
    ] = ""
    commitment: str = ""

    def __post_init__(self) -> None:
        if self.cluster is not None and self.spending.batch:
            raise InputError("--batch hands requests to a provider: leave out --ray")
        if self.private_seed and self.options.get("seed") and not self.commitment:
            raise InputError("--seed and --private-seed do not go together: leave out one of them")

    @property
    def seed(self) -> int:
        """For everything random."""
        return self.options.get("seed") or 0


class CommandOptions(msgspec.Struct, frozen=True):
    """What the command line takes beside the settings of a run: how a session goes about it."""

    recipe: Annotated[
        str | None,
        Flag("flags for a file of questions, kept in a file of TOML", metavar="FILE", typed=True),
    ] = None
    dry_run: Annotated[
        bool,
        Flag(
            "say what would be asked and what it would cost, and ask nothing",
            elsewhere=_OF_SUITE,
            typed=True,
        ),
    ] = False
    notify: Annotated[
        str | None,
        Flag(
            "run this when it is over, however it ended; ZHIYIN_STATUS, ZHIYIN_MESSAGE and "
            "others tell it how (docs/suites.md)",
            metavar="CMD",
            elsewhere=_OF_SUITE,
            typed=True,
        ),
    ] = None
    json: Annotated[
        bool,
        Flag("print one JSON object and nothing else", elsewhere=_OF_SUITE, typed=True),
    ] = False
    quiet: Annotated[bool, Flag("no progress", elsewhere=_OF_SUITE, typed=True)] = False


def parts() -> Iterator[Field]:
    """The fields of `RunSettings` that hold settings which belong together."""
    return (field for field in fields_of(RunSettings) if field.title)


def run_fields() -> Iterator[Field]:
    """Every setting that `zhiyin run` has for all benchmarks."""
    yield from flagged(RunSettings)
    yield from flagged(CommonOptions)
    for part in parts():
        yield from flagged(part.kind)
    yield from flagged(CommandOptions)


def elsewhere() -> dict[str, str]:
    """Flags of `zhiyin run` that a suite's tables do not take, and why, by their words."""
    reasons = {"help": "`zhiyin run BENCHMARK --help` tells a benchmark's flags"}
    return reasons | {
        field.written.removeprefix("--"): field.flag.elsewhere
        for field in run_fields()
        if field.flag.elsewhere
    }


def add_run_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags that every benchmark has."""
    for field in flagged(RunSettings):
        if field.name == "model":
            parser.add_argument("-m", field.written, required=True, help=field.flag.help)
        else:
            add_flag(parser, field)
    add_part(parser, CommonOptions)
    for part in parts():
        add_part(parser.add_argument_group(part.title), part.default or part.kind)
    add_part(parser, CommandOptions)


def read_run(
    benchmark: str | type[Benchmark[Any]] | Benchmark[Any],
    model: str | Model,
    options: dict[str, Any],
    given: Mapping[str, Any],
    protocol: Mapping[str, Any],
) -> RunSettings:
    """The settings of a run, from flags or from Python.

    Parameters
    ----------
    benchmark : str, type of Benchmark or Benchmark
    model : str or Model
    options : dict
        Read already: see `options_of`.
    given : mapping
        What is chosen, by parameters' names; None is not chosen.
    protocol : mapping
        What the protocol sets: it goes before the defaults, and behind what is given.

    Raises
    ------
    InputError
        A value that its flag does not take, or two that do not go together.
    """
    chosen: dict[str, Any] = {}
    for field in flagged(RunSettings):
        if field.name != "model" and (value := given.get(field.parameter)) is not None:
            chosen[field.name] = read_field(field, value)
    for part in parts():
        if (base := _base(part, given, protocol)) is not None:
            chosen[part.name] = read_part(base, given)
    if {"limit", "sample"} <= chosen.keys():  # a run that grew may hold both
        raise InputError("--limit and --sample do not go together: give one of them")
    return RunSettings(benchmark, model, options, **chosen)


def _base(
    part: Field, given: Mapping[str, Any], protocol: Mapping[str, Any]
) -> msgspec.Struct | None:
    """A part before anything is given of it, as the protocol has it; None for one left out."""
    fields = list(flagged(part.kind))
    if isinstance(whole := given.get(part.name), msgspec.Struct):  # from Python, as it is
        return whole
    if part.default is not None:
        sets = {f.name: protocol[f.parameter] for f in fields if f.parameter in protocol}
        base: msgspec.Struct = msgspec.structs.replace(part.default, **sets)
        return base
    first, *others = fields
    if given.get(first.parameter) is not None:
        named: msgspec.Struct = part.kind(**{first.name: given[first.parameter]})
        return named
    for field in others:
        if given.get(field.parameter) is not None:
            raise InputError(f"{field.written} needs {first.written} {first.flag.metavar}")
    return None


def options_of(parsed: Mapping[str, Any], own: list[str]) -> dict[str, Any]:
    """The options of a benchmark, from what a parser has read.

    Parameters
    ----------
    parsed : mapping
    own : list of str
        The names of the benchmark's own flags.
    """
    options = {
        field.name: field.default if parsed[field.parameter] is None else parsed[field.parameter]
        for field in flagged(CommonOptions)
    }
    if not options["confirm"]:  # left out where it is not asked for: earlier runs did not know it
        del options["confirm"]
    return options | {name: parsed[name] for name in own}
