"""The command that makes a run: the one place that writes `zhiyin run`."""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.kept import read_kept
from zhiyin.contract.protocols import OURS
from zhiyin.contract.registry import find, known
from zhiyin.contract.settings import COMMITMENT, RunSettings, parts
from zhiyin.engine.folder import Manifest
from zhiyin.errors import InputError
from zhiyin.flags import Field, flagged
from zhiyin.models.playback import SoundPolicy
from zhiyin.record import Sampling


def run_command(benchmark: str, model: str, words: Iterable[str] = ()) -> str:
    """`zhiyin run` with these words, as a shell takes it."""
    return shlex.join(["zhiyin", "run", benchmark, "-m", model, *words])


def command_of(settings: RunSettings) -> str:
    """The command that orders a run; "" where it is of objects, which no command has.

    A private seed is named by its file, and never told. Of a run that was begun with its first
    trials and has grown to a sample, the command names the sample: its folder knows the rest.
    """
    if not (isinstance(settings.benchmark, str) and isinstance(settings.model, str)):
        return ""
    options = dict(settings.options)
    if settings.commitment:
        options.pop("seed", None)
    named = options.get("protocol") not in (None, OURS.name)
    words = [*_option_words(settings.benchmark, options)]
    for field in flagged(RunSettings):
        value = getattr(settings, field.name)
        grown = field.name == "limit" and settings.sample is not None
        if field.name not in ("model", "out") and value != field.default and not grown:
            words += field_words(field, value)
    if settings.commitment and not settings.private_seed:
        words += ["--private-seed", "FILE"]
    for part in parts():
        value = getattr(settings, part.name)
        # What a protocol sets is not known here: beside one, all sampling is written out.
        every = named and part.kind is Sampling
        words += _part_words(value, part, every=every)
    if settings.out is not None:
        words += _words("--out", settings.out)
    return run_command(settings.benchmark, settings.model, words)


def _part_words(value: msgspec.Struct | None, part: Field, *, every: bool) -> Iterator[str]:
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
    actions: dict[str, argparse.Action] | None = None
    for name, value in options.items():
        empty = value is None or value is False or value in ("", [], ())
        if empty or (name, value) in (("seed", 0), ("protocol", OURS.name)):
            continue
        flag = f"--{name.replace('_', '-')}"
        if value is True:
            yield flag
        elif isinstance(value, list | tuple):
            if actions is None:
                actions = _actions(benchmark)
            if name in actions and not isinstance(actions[name], argparse._AppendAction):
                yield from _words(flag, ",".join(map(str, value)))
            else:
                for one in value:
                    yield from _words(flag, one)
        elif not isinstance(value, Mapping):
            yield from _words(flag, value)


def _actions(benchmark: str) -> dict[str, argparse.Action]:
    """The flags of a benchmark by their names; none where it is not here."""
    parser = argparse.ArgumentParser(add_help=False)
    try:
        find(benchmark).add_options(parser)
    except InputError:
        return {}
    return {action.dest: action for action in parser._actions}


def settings_of(manifest: Manifest, folder: Path | None = None) -> RunSettings:
    """What a run was ordered as, from its manifest; with a folder, so that it goes on there."""
    config = manifest.config
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
        commitment=config.get(COMMITMENT, ""),
    )


def _benchmark(manifest: Manifest) -> str | type[Benchmark[Any]]:
    """The benchmark as a command names it; of one that was an object its class."""
    kept = read_kept(manifest.declared)
    if kept is not None and kept.origin.kind == "file":
        return kept.origin.place
    return known(manifest) if kept and kept.origin.kind == "object" else manifest.benchmark
