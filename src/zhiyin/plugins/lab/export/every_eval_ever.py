"""A run in the form of Every Eval Ever 0.3.0: an aggregate file and the samples behind it.

See `zhiyin.plugins.lab.every_eval_ever` for the form and its source. A result is written for each
figure of `report.export.measured`, with its unit and range, interval, standard error, number of
samples, reader and judge. Each sample stands there once, under the result of the whole; those asked
in another way (altered sound) under that of the first group that names the way.
"""

from __future__ import annotations

import hashlib
import re
import uuid
from collections.abc import Iterator, Sequence
from datetime import datetime
from math import isfinite
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from zhiyin import __version__
from zhiyin.analysis.summary import Summary, summarise
from zhiyin.contract.registry import known
from zhiyin.contract.resolved import COMMITMENT, resolved
from zhiyin.engine.folder import Manifest, read_manifest
from zhiyin.engine.scoring import ALL, Count
from zhiyin.errors import InputError
from zhiyin.files import Place, write_atomically
from zhiyin.models import is_heavy, provider_of
from zhiyin.models.baselines import BASELINES
from zhiyin.plugins.lab.every_eval_ever import RUN, SCHEMA, UNSCORED, ExportedRun
from zhiyin.plugins.lab.export import Exported, dataset_of
from zhiyin.plugins.lab.export.samples import (
    EeeObject,
    EvaluationPlace,
    ResultOutlet,
    outlet_of,
    sample_of,
)
from zhiyin.plugins.paper.tables import measured, places_of, unit_of
from zhiyin.record import NOT_JUDGED, STATES
from zhiyin.runs.estimates import Frame
from zhiyin.runs.measures import ACCURACY, USUAL, Estimate
from zhiyin.runs.rows import Rows, records_of, rows_of
from zhiyin.words import Said, naming, said

_DEVELOPERS = {"gemini": "google", "openai-responses": "openai", "dashscope": "alibaba"}
"""Whose models a provider's are, where it is not its own name."""
_HERE = "local"
"""The developer of a model that names none: baselines, functions, checkpoints in a folder."""
_PASSED_ON = ("inspect", "litellm")


def write_eee(run: Place, out: Place) -> Exported:
    """Write a run into the folder `out`: ``data/COLLECTION/DEVELOPER/MODEL/UUID.json`` and samples.

    The same run gives the same files: the UUID follows from the run.

    Parameters
    ----------
    run : Path
    out : Path

    Returns
    -------
    Exported
        With notes on what other readers will not see, and what to fill in.

    Raises
    ------
    InputError
        The folder is not a run, nothing in it has been scored, or its files are there already.
    """
    run, out = Path(run), Path(out)
    manifest, rows, summary = read_manifest(run), rows_of(run), summarise(run)
    place = _place_of(manifest, run)
    paths = [out / f"{place.stem}.json", out / f"{place.stem}_samples.jsonl"]
    rest = out / UNSCORED / f"{place.stem.rpartition('/')[2]}.jsonl"
    for path in (*paths, rest):
        if path.exists():
            raise InputError(said("export-eee-there", path=path))
    found = measured(run, manifest)
    results = [*_results(run, manifest, rows, summary, found)]
    if not results and rows.settled:
        raise InputError(said("export-no-key", run=run))
    if not results:
        raise InputError(said("export-unscored", run=run))
    right = (one for one in found if one.measure.of == ACCURACY.of and not one.measure.by)
    outlets = {one.group: _outlet(manifest, one) for one in right}
    lines: dict[bool, list[bytes]] = {True: [], False: []}
    for record in records_of(run):
        scored = record.verdict.state not in NOT_JUDGED and ALL in outlets
        outlet = outlet_of(record.trial, rows.ways, outlets) if scored else None
        sample = sample_of(record, place, manifest.benchmark, outlet)
        lines[scored].append(msgspec.json.encode(sample))
    aggregate = _aggregate(place, manifest, summary, results)
    files = [paths[0]]
    if lines[True]:
        detailed = _detailed(place, lines[True])
        if lines[False]:
            detailed["additional_details"] = {UNSCORED: rest.relative_to(out).as_posix()}
        aggregate["detailed_evaluation_results"] = detailed
        files.append(paths[1])
        _write(paths[1], lines[True])
    if lines[False]:
        files.append(rest)
        _write(rest, lines[False])
    _write(paths[0], [msgspec.json.format(msgspec.json.encode(aggregate))])
    return Exported(files, _notes(manifest, summary, lines))


def _write(path: Path, lines: Sequence[bytes]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, b"".join(line + b"\n" for line in lines))


def _notes(manifest: Manifest, summary: Summary, lines: dict[bool, list[bytes]]) -> list[str]:
    notes = [naming(said("eee-unknown"))]
    if lines[False]:
        notes.append(naming(said("eee-unscored", n=len(lines[False]), folder=UNSCORED)))
    if not lines[True]:
        notes.append(naming(said("eee-no-samples")))
    if summary.part:
        notes.append(naming(said("eee-part", part=summary.part)))
    if manifest.config.get(COMMITMENT):
        notes.append(naming(said("eee-private")))
    return notes


# Where it lies


def _place_of(manifest: Manifest, run: Path) -> EvaluationPlace:
    model = _model_id(manifest)
    digest = manifest.id or msgspec.json.encode(
        [manifest.config, manifest.sessions, hashlib.sha256(str(run).encode()).hexdigest()]
    )
    seed = hashlib.sha256(digest.encode() if isinstance(digest, str) else digest).digest()[:16]
    developer, _, name = model.partition("/")
    parts = ["data", _component(manifest.benchmark), developer, name.replace("/", "_")]
    stem = "/".join([*parts, str(uuid.UUID(bytes=seed, version=4))])
    collection = _component(manifest.benchmark)
    return EvaluationPlace(f"{collection}/{model}/{_unix(manifest)[1]}", model, stem)


def _component(name: str) -> str:
    """A name as part of a path."""
    return re.sub(r"[^\w.-]+", "-", name).strip("-.") or "unnamed"


def _model_id(manifest: Manifest) -> str:
    """``developer/model``, as far as a run knows it; addresses and folders are left out."""
    kind, colon, rest = (manifest.spec or manifest.model).partition(":")
    if kind in _PASSED_ON and "/" in rest:
        return "/".join(map(_component, rest.split("/")))
    if colon and provider_of(kind):
        return f"{_DEVELOPERS.get(kind, kind)}/{_component(rest)}"
    name = manifest.model
    name = name.rpartition("#")[2] if "://" in name or kind == "pool" else name
    name = (
        name.split(":", 1)[-1] if re.match(r"(hf|vllm|python|subprocess|replay):", name) else name
    )
    parts = [_component(part) for part in name.strip("/").split("/") if part.strip(".")]
    if len(parts) == 2:
        return "/".join(parts)
    return f"{_HERE}/{parts[-1] if parts else 'unnamed'}"


def _unix(manifest: Manifest) -> tuple[str, str]:
    """Return when the run began and when it ended, in Unix seconds."""
    if not manifest.sessions:
        return "0", "0"
    last = manifest.sessions[-1]
    times = (manifest.sessions[0].started, last.ended or last.started)
    began, ended = (str(int(datetime.fromisoformat(time).timestamp())) for time in times)
    return began, ended


# The aggregate


def _aggregate(
    place: EvaluationPlace, manifest: Manifest, summary: Summary, results: list[EeeObject]
) -> EeeObject:
    began, ended = _unix(manifest)
    run = _exported_run(manifest)
    return {
        "schema_version": SCHEMA,
        "evaluation_id": place.evaluation,
        "evaluation_timestamp": began,
        "retrieved_timestamp": ended,
        "source_metadata": {
            "source_name": "zhiyin",
            "source_type": "evaluation_run",
            "source_organization_name": "unknown",
            "evaluator_relationship": "other",
        },
        "eval_library": {
            "name": "zhiyin",
            "version": manifest.versions.get("zhiyin", __version__),
            "additional_details": {
                RUN: msgspec.json.encode(run).decode(),
                "protocol": summary.protocol.name or "ours",
            },
        },
        "model_info": _model_info(manifest.model, place.model, manifest.spec or manifest.model),
        "evaluation_results": results,
    }


def _exported_run(manifest: Manifest) -> ExportedRun:
    """Return the exported part of a manifest: no server address, no place on this machine."""
    name = _bare_name(manifest.model)
    left_out = {"left_out": manifest.left_out()} if manifest.left_out() else {}
    declared = dict(manifest.declared)
    if isinstance(origin := declared.get("origin"), dict) and origin.get("kind") == "file":
        place = str(origin.get("place", "")).replace("\\", "/").rpartition("/")[2]
        declared["origin"] = {**origin, "place": place}
    return ExportedRun(
        manifest.benchmark, name, {**_public_config(manifest), "model": name},
        manifest.planned, manifest.versions, left_out, manifest.label, declared,
    )  # fmt: skip


def _public_config(manifest: Manifest) -> dict[str, Any]:
    """The settings of a run without a private seed, without addresses and folders."""
    config = resolved(manifest)
    options = config.get("options") or {}
    config["options"] = {
        name: _bare_name(value) if isinstance(value, str) else value
        for name, value in options.items()
    }
    return {name: value for name, value in config.items() if name != "query"}


def _bare_name(model: str) -> str:
    """A model's name without the address or the folder that it is reached at."""
    name = model.rpartition("#")[2] if "://" in model else model
    return name.rpartition("/")[2] if re.search(r"(^|:)[~./]*/|://", name) else name


def _model_info(name: str, id: str, spec: str) -> EeeObject:
    kind = spec.partition(":")[0]
    served = provider_of(kind) is not None and kind not in _PASSED_ON
    here = is_heavy(spec) or spec in (*BASELINES, "listener")
    deployed = "externally_managed" if served else "self_deployed" if here else "unknown"
    details = {"deployment_type": deployed, "model_availability": "unknown"}
    info: EeeObject = {"name": _bare_name(name), "id": id, "additional_details": details}
    if kind in ("hf", "vllm"):
        info["inference_engine"] = {"name": {"hf": "transformers"}.get(kind, kind)}
    return info


def _outlet(manifest: Manifest, one: Estimate) -> ResultOutlet:
    """Return the id and name of an exported figure: a score of the whole under its own."""
    measure, whole = one.measure, one.group == ALL
    name, own = measure.name, "" if whole else one.group
    id = f"{name}/{one.group}"
    if measure.by:
        id = f"score/{one.group}/{_bare_name(measure.by)}"
    elif whole and name != ACCURACY.name:
        usual = any(measure.of == each.of for each in USUAL)
        id, own = id if usual else f"score/{name}", name
    return ResultOutlet(id, f"{manifest.benchmark}/{own}" if own else manifest.benchmark, one.group)


def _results(
    run: Path, manifest: Manifest, rows: Rows, summary: Summary, found: Sequence[Estimate]
) -> Iterator[EeeObject]:
    """A result for each figure, with how it was read and judged."""
    judge, frame = known(manifest).judge_of(manifest.options), Frame(rows)
    prompt = f"zhiyin's {manifest.benchmark}, data and prompts {manifest.config.get('data')}"
    totals = known(manifest).totals(run)
    for one in found:
        if one.measure.weighted:
            total = next((own for own in totals if own.by == one.measure.by), totals[0])
            details = {
                "reader": manifest.options.get("extract") or "none",
                "judge": _bare_name(one.measure.by) or "none",
                "whole": str(frame.sums(total, places_of(frame, ALL)).whole).lower(),
                "prompt": f"zhiyin's docs/judges.md, fingerprint {total.how}",
            }
        else:
            places = places_of(frame, one.group)
            count = Count(*np.bincount(frame.state[places], minlength=len(STATES)).tolist())
            details = {
                "reader": _readers(frame.rows(places)),
                "judge": _bare_name(judge) or "none",
                "trials": str(one.n),
                "items": str(one.items),
                "failed": str(count.error),
                "readable": str(count.answered),
                "averaging": "repeats and rotations of an item are averaged first"
                if one.measure.averaged else "each reply counts",
            }  # fmt: skip
            if details["judge"] != "none":
                details["prompt"] = prompt
        if one.chance is not None:
            details["chance"] = f"{one.chance:.6g}"
        if not one.measure.declared:
            details["direction"] = "not declared"
        details |= {f"remark {n}": str(text) for n, text in enumerate(one.warnings, 1)}
        yield _result(_outlet(manifest, one), one, details, manifest, summary)


def _readers(rows: Rows) -> str:
    """The policies by which replies were read, with their versions."""
    outcomes = rows.table.outcomes
    used = {outcomes[n].policy for n in np.unique(rows.table.outcome[rows.numbers]).tolist()}
    return ", ".join(sorted(used - {""})) or "none"


def _judged(details: dict[str, str]) -> EeeObject:
    """Describe a judging language model as the schema does; nothing for word lists, or none."""
    by = details["judge"]
    if by in ("none", "lexical"):
        return {}
    judge = _model_info(by, f"{_HERE}/{_component(_bare_name(by))}", by)
    return {"llm_scoring": {"judges": [{"model_info": judge}], "input_prompt": details["prompt"]}}


def _result(
    outlet: ResultOutlet, one: Estimate, details: dict[str, str], manifest: Manifest,
    summary: Summary,
) -> EeeObject:  # fmt: skip
    if summary.part:
        details["part"] = summary.part
    details["clusters"] = str(one.clusters)
    measure, (low, high) = one.measure, one.measure.range
    name = measure.name
    return {
        "evaluation_result_id": outlet.id,
        "evaluation_name": outlet.name,
        "source_data": _source(manifest, summary.of_which_set),
        "metric_config": {
            "metric_id": name if name == ACCURACY.name else f"{manifest.benchmark}.{name}",
            "metric_name": name,
            "metric_unit": unit_of(measure),
            "lower_is_better": measure.lower_is_better,
            "score_type": "continuous",
            "min_score": "-Infinity" if low is None else low,
            "max_score": "Infinity" if high is None else high,
            **_judged(details),
        },
        "score_details": {"score": one.value, "details": details, "uncertainty": _uncertainty(one)},
        "generation_config": _generation(manifest),
    }


def _uncertainty(one: Estimate) -> EeeObject:
    """Describe a figure's uncertainty: an interval without end is none."""
    uncertainty: EeeObject = {"num_samples": one.items}
    if one.se is not None and isfinite(one.se):
        method = "cluster-robust" if one.clusters < one.items else "analytic"
        uncertainty["standard_error"] = {"value": one.se, "method": method}
    if one.ends and all(map(isfinite, one.ends)):
        uncertainty["confidence_interval"] = {
            "lower": one.low, "upper": one.high, "confidence_level": 0.95, "method": one.method,
        }  # fmt: skip
    return uncertainty


def _source(manifest: Manifest, asked: Said) -> EeeObject:
    details = {"fingerprint": str(manifest.config.get("data") or "unknown")}
    hub, home = dataset_of(manifest), known(manifest).home
    source: EeeObject = {"dataset_name": str(asked), "additional_details": details}
    if hub:
        return {**source, "source_type": "hf_dataset", "hf_repo": hub}
    if home.startswith("http"):
        return {**source, "source_type": "url", "url": home.split()[:1]}
    return {**source, "source_type": "other"}


def _generation(manifest: Manifest) -> EeeObject:
    sampling = manifest.sampling
    names = ("temperature", "top_p", "top_k", "max_tokens")
    args = {name: sampling[name] for name in names if sampling.get(name) is not None}
    settings = _public_config(manifest)["options"]
    return {
        "generation_args": args,
        "additional_details": {
            name: value if isinstance(value, str) else msgspec.json.encode(value).decode()
            for name, value in settings.items()
            if value is not None
        },
    }


def _detailed(place: EvaluationPlace, lines: Sequence[bytes]) -> EeeObject:
    data = b"".join(line + b"\n" for line in lines)
    return {
        "format": "jsonl",
        "file_path": f"{place.stem}_samples.jsonl",
        "hash_algorithm": "sha256",
        "checksum": hashlib.sha256(data).hexdigest(),
        "total_rows": len(lines),
    }
