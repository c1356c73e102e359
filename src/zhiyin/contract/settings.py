"""The settings of a run, and the command that orders it.

Flags, Python's parameters, a suite's keys and commands come from here; it is the one place that
writes `zhiyin run`.
"""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_origin

import msgspec

from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.options import CommonOptions, Options, chosen_ways, common_settings
from zhiyin.contract.protocols import OURS
from zhiyin.contract.registry import find, known
from zhiyin.contract.session_parts import parts_of, session_parts
from zhiyin.contract.stand_in import read_declaration
from zhiyin.cost.request_queue import Spending
from zhiyin.engine.folder import Manifest, Shard, read_shard
from zhiyin.engine.runner import Limits
from zhiyin.errors import InputError
from zhiyin.extensions import INNER, ours
from zhiyin.flags import (
    COUNT,
    WHOLE,
    Field,
    Flag,
    add_flag,
    add_part,
    fields_of,
    flagged,
    leads,
    read_field,
    read_part,
)
from zhiyin.models.playback import AS_IT_IS, SoundPolicy
from zhiyin.record import Model, Sampling
from zhiyin.words import said

_OF_SUITE = "it is a flag of the suite"


def _one_line(text: Any) -> str:
    return " ".join(str(text).split())


class RunSettings(msgspec.Struct, frozen=True):
    """A run as the user ordered it: benchmark and model by name, or as objects.

    What stands here of a field with a `Flag` is the help of its flag.

    Attributes
    ----------
    benchmark : str, type of Benchmark or Benchmark
        A name, ``FILE.py:Class``, a subclass, or a benchmark that is set up already.
    model
        who answers, e.g. openai:gpt-4o, listener, random
    options : dict
        Those of `contract.resolved.CommonOptions` and of the benchmark.
    limit : N
        ask only the first N trials, or N whole sequences
    out : RUN_DIR
        the run folder; by default runs/BENCHMARK-MODEL-HASH
    limits : Limits
        A concurrency of 0 leaves it to the model.
    sample : N
        ask only N items drawn at random (--seed), each group in proportion
    label : NAME
        what tables and sentences call this run
    score
        also ask for the log-probability of each option, and choose by it, beside the reply
    canary
        do not begin with eight questions that show whether the model hears (or sees)
    shard : I/N
        ask only this share of N, for machines side by side; then `zhiyin merge`
    added : dict of str to msgspec.Struct
        Settings of what takes part beside benchmark and model (`SessionPart`), by its name.
    beside : bool
        Whether other runs draw on the same answers: what this one leaves of them is not said.
    """

    benchmark: str | type[Benchmark[Any]] | Benchmark[Any]
    model: Annotated[str | Model, Flag(also=("-m",), elsewhere="write it under [[models]]")]
    options: Options
    sampling: Annotated[Sampling, "how the model is to generate"] = Sampling()
    limit: Annotated[int | None, Flag(within=WHOLE)] = None
    out: Annotated[str | None, Flag(elsewhere="a suite keeps its runs in its own folder")] = None
    limits: Annotated[Limits, "how calls are made"] = Limits(0)
    sound: Annotated[SoundPolicy, "sound, as it is sent to a model"] = AS_IT_IS
    sample: Annotated[int | None, Flag(within=COUNT)] = None
    label: Annotated[
        str, Flag(read=_one_line, elsewhere="runs are called by their model and condition")
    ] = ""
    score: Annotated[Literal["", "loglikelihood"], Flag()] = ""
    canary: Annotated[bool, Flag()] = True
    spending: Annotated[Spending, "what it costs (docs/cost.md)"] = Spending()
    shard: Annotated[Shard | None, Flag(read=read_shard, elsewhere=_OF_SUITE, typed=True)] = None
    added: dict[str, Any] = {}
    beside: bool = False

    def __post_init__(self) -> None:
        for part in parts_of(self) if self.added else ():
            part.refuse(self)

    @property
    def seed(self) -> int:
        """The seed of everything random."""
        return self.options.get("seed") or 0


class CommandOptions(msgspec.Struct, frozen=True):
    """Options of the command line beside a run's settings: how a session goes about it.

    Attributes
    ----------
    recipe : FILE
        flags for a file of questions, kept in a file of TOML
    dry_run
        say what would be asked and what it would cost, and ask nothing
    notify : CMD
        run this when it is over, however it ended; ZHIYIN_STATUS, ZHIYIN_MESSAGE and others tell
        it how (docs/suites.md)
    json
        print one JSON object and nothing else
    quiet
        no progress
    """

    recipe: Annotated[str | None, Flag(typed=True)] = None
    dry_run: Annotated[bool, Flag(elsewhere=_OF_SUITE, typed=True)] = False
    notify: Annotated[str | None, Flag(elsewhere=_OF_SUITE, typed=True)] = None
    json: Annotated[bool, Flag(elsewhere=_OF_SUITE, typed=True)] = False
    quiet: Annotated[bool, Flag(elsewhere=_OF_SUITE, typed=True)] = False


def parts() -> Iterator[Field]:
    """Settings that belong together: fields of `RunSettings`, and what is `added`, by its name.

    Those without a title come first, as one writes them.
    """
    own = [field for field in fields_of(RunSettings) if field.title]
    every = [
        Field(name, kind.Settings, Flag(), None, kind.title)
        for name, kind in session_parts().items()
        if kind.Settings
    ]
    yield from (field for field in every if not field.title)
    yield from own
    yield from (field for field in every if field.title)


def chosen_of(settings: RunSettings, part: Field) -> Any:
    """Return the choice for a part; None for one that was left out."""
    if part.name in RunSettings.__struct_fields__:
        return getattr(settings, part.name)
    return settings.added.get(part.name)


def added_parameters() -> list[str]:
    """List the parameters of `added` that Python may give."""
    every = (flagged(kind.Settings) for kind in session_parts().values() if kind.Settings)
    return [field.parameter for fields in every for field in fields if not field.flag.typed]


def run_fields() -> Iterator[Field]:
    """Every setting that `zhiyin run` has for all benchmarks."""
    yield from flagged(RunSettings)
    for common in common_settings():
        yield from flagged(common)
    for part in parts():
        yield from flagged(part.kind)
    yield from flagged(CommandOptions)


def add_run_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags that every benchmark has."""
    for field in flagged(RunSettings):
        required = field.name == "model"
        add_flag(
            parser, msgspec.structs.replace(field, default=msgspec.NODEFAULT) if required else field
        )
    try:
        for common in common_settings():
            add_part(parser, common)
        for part in parts():
            group = parser.add_argument_group(part.title) if part.title else parser
            add_part(group, part.default or part.kind)
    except argparse.ArgumentError as error:
        raise InputError(said("declares-flag", why=str(error))) from None
    add_part(parser, CommandOptions)


def read_run(
    benchmark: str | type[Benchmark[Any]] | Benchmark[Any],
    model: str | Model,
    options: Options,
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
    chosen: dict[str, Any] = {"added": {}}
    for field in flagged(RunSettings):
        if field.name != "model" and (value := given.get(field.parameter)) is not None:
            chosen[field.name] = read_field(field, value)
    for part in parts():
        if (base := _base(part, given, protocol)) is not None:
            own = part.name in RunSettings.__struct_fields__
            (chosen if own else chosen["added"])[part.name] = read_part(base, given)
    if {"limit", "sample"} <= chosen.keys():  # a run that grew may hold both
        raise InputError(said("error-limit-sample"))
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
    if not leads(part.kind, given):
        return None
    named: msgspec.Struct = part.kind(**{fields[0].name: given[fields[0].parameter]})
    return named


def options_of(parsed: Mapping[str, Any], own: list[str]) -> Options:
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
    return options | chosen_ways(parsed) | {name: parsed[name] for name in own}


def run_command(benchmark: str, model: str, words: Iterable[str] = ()) -> str:
    """`zhiyin run` with these words, as a shell takes it."""
    return shlex.join(["zhiyin", "run", benchmark, "-m", model, *words])


def command_of(settings: RunSettings) -> str:
    """The command that orders a run; "" where it is of objects, or of answers given elsewhere.

    A private seed is named by its file, and never told. Of a run that was begun with its first
    trials and has grown to a sample, the command names the sample: its folder knows the rest.
    """
    if not (isinstance(settings.benchmark, str) and isinstance(settings.model, str)):
        return ""
    if settings.options.get("imported"):
        return ""
    if settings.benchmark in ours(INNER):
        return find(settings.benchmark).ordered_by(settings)
    options = dict(settings.options)
    for untold in (part.untold for part in parts_of(settings)):
        options = {name: value for name, value in options.items() if name not in untold}
    named = options.get("protocol") not in (None, OURS.name)
    words = [*_option_words(settings.benchmark, options)]
    for field in flagged(RunSettings):
        value = getattr(settings, field.name)
        grown = field.name == "limit" and settings.sample is not None
        if field.name not in ("model", "out") and value != field.default and not grown:
            words += field_words(field, value)
    for part in parts():
        value = chosen_of(settings, part)
        # What a protocol sets is not known here: beside one, all sampling is written out.
        every = named and part.kind is Sampling
        words += part_words(value, part, every=every)
    if settings.out is not None:
        words += _words("--out", settings.out)
    return run_command(settings.benchmark, settings.model, words)


def part_words(value: msgspec.Struct | None, part: Field, *, every: bool) -> Iterator[str]:
    """The words for a part of the settings: for all of it, or for what is not the default."""
    if value is None:
        return
    for field in flagged(part.kind):
        chosen = getattr(value, field.name)
        if every or chosen != getattr(part.default, field.name, field.default):
            yield from field_words(field, chosen)


def field_words(field: Field, value: Any) -> list[str]:
    """A setting as the words of a command line."""
    if field.is_switch:
        return [] if value == bool(field.default) else [field.written]
    if value is None:
        return [field.written, field.flag.unset] if field.flag.unset else []
    return _words(field.written, value)


def _words(flag: str, value: Any) -> list[str]:
    """A flag with its value; what begins with a dash is told from a flag by "=" alone."""
    text = os.fsdecode(value) if isinstance(value, os.PathLike) else str(value)
    return [f"{flag}={text}"] if text.startswith("-") else [flag, text]


def _option_words(benchmark: str, options: Mapping[str, Any]) -> Iterator[str]:
    """The options of a benchmark as words; those not given are left out."""
    repeated: frozenset[str] | None = None
    for name, value in options.items():
        empty = value is None or value is False or value in ("", [], ())
        if empty or (name, value) in (("seed", 0), ("protocol", OURS.name)):
            continue
        flag = f"--{name.replace('_', '-')}"
        if value is True:
            yield flag
        elif isinstance(value, list | tuple):
            if repeated is None:
                repeated = _repeated(benchmark)
            for one in value if name in repeated else [",".join(map(str, value))]:
                yield from _words(flag, one)
        elif not isinstance(value, Mapping):
            yield from _words(flag, value)


def _repeated(benchmark: str) -> frozenset[str]:
    """The settings of a benchmark that take a flag for each value; none where it is not here."""
    fields = fields_of(known(benchmark).Settings)
    return frozenset(f.name for f in fields if get_origin(f.kind) is tuple and not f.flag.once)


def settings_of(manifest: Manifest, folder: Path | None = None) -> RunSettings:
    """Rebuild a run's order from its manifest; with a folder, so that it goes on there."""
    config = manifest.config
    restored = ((n, kind.restore(manifest, folder)) for n, kind in session_parts().items())
    return RunSettings(
        benchmark=_benchmark(manifest),
        model=manifest.spec or manifest.model,
        options=dict(manifest.options),
        sampling=msgspec.convert(config.get("sampling") or {}, Sampling),
        limit=config.get("limit"),
        out=None if folder is None else os.fspath(folder),
        sound=msgspec.convert(config.get("sound") or {}, SoundPolicy),
        sample=config.get("sample"),
        label=manifest.label,
        score="loglikelihood" if "score" in config else "",
        shard=manifest.shard,
        added={name: value for name, value in restored if value is not None},
    )


def _benchmark(manifest: Manifest) -> str | type[Benchmark[Any]]:
    """The benchmark as a command names it; of one that was an object its class."""
    kept = read_declaration(manifest.declared)
    if kept is not None and kept.origin.kind == "file":
        return kept.origin.place
    return known(manifest) if kept and kept.origin.kind == "object" else manifest.benchmark
