"""The methods paragraph: what was done, in words and numbers that can be pasted into a paper."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from zhiyin.analysis.summary import ProtocolFollowed, protocol_of
from zhiyin.contract.protocols import OURS
from zhiyin.contract.registry import known
from zhiyin.contract.settings import COMMITMENT
from zhiyin.engine.log import MANIFEST, Manifest, read_manifest
from zhiyin.engine.naming import PEOPLE, brief, name_of, people_in, run_names
from zhiyin.engine.tally import ALL
from zhiyin.errors import InputError
from zhiyin.paths import Places, as_paths
from zhiyin.runs.rows import rows_of
from zhiyin.session.signing import published_config
from zhiyin.statistics.scores import ALONE

_HASH = 16
_SAMPLING = {
    "temperature": "temperature {}",
    "max_tokens": "at most {} tokens a reply",
    "top_p": "top-p {}",
    "top_k": "top-k {}",
    "seed": "sampling seed {}",
    "thinking": "thinking {}",
}
_IMPLIED = {"extract", "seed", "shots", "language", "protocol"}


class Counts(msgspec.Struct, frozen=True, kw_only=True):
    """What the paragraph says in numbers of one run.

    Attributes
    ----------
    trials : int
        How many were asked.
    judged : int
        How many of them are right or wrong.
    failed : int
        How many of them have no reply. The rest (texts, measurements) is neither right nor wrong.
    items : int
        How many things they ask about: repeats and conditions of one share it.
    ended : int
        Sequences that came to their end.
    chooses, clustered : bool
        Whether there are options, and whether items share a recording or a stimulus.
    """

    trials: int
    judged: int
    failed: int
    items: int
    ended: int
    chooses: bool
    clustered: bool


def counts_of(run: Path) -> Counts:
    """Count one run from its log. Raises `InputError` when the folder is not a run."""
    rows = rows_of(run)
    return Counts(
        trials=len(rows),
        judged=len(rows.judged),
        failed=rows.outcomes()["error"],
        items=len(np.unique(rows.items)),
        ended=rows.ended,
        chooses=bool(rows.which(lambda kind: kind.options > 0)),
        clustered=bool((rows.clusters != ALONE).any()),
    )


def methods_paragraph(runs: Places) -> str:
    """What was asked of whom, how, and how it was counted: one paragraph a benchmark.

    Parameters
    ----------
    runs : sequence of Path

    Returns
    -------
    str
        Plain text, paragraphs parted by a blank line. Versions, the fingerprint of data and
        prompts, settings, numbers of trials and what failed are those of the runs; where runs
        differ, each is named with its own.

    Raises
    ------
    InputError
        When a folder is not a run.
    """
    runs = as_paths(runs)
    counts = [counts_of(run) for run in runs]
    by_benchmark: dict[str, list[tuple[Manifest, Counts]]] = {}
    audits: dict[str, list[str]] = {}
    judges: dict[str, list[tuple[str, str]]] = {}
    manifests = [read_manifest(run) for run in runs]
    named = run_names(runs, manifests)
    for run, manifest, name, count in zip(runs, manifests, named, counts, strict=True):
        manifest.label = name
        by_benchmark.setdefault(manifest.benchmark, []).append((manifest, count))
        audits.setdefault(manifest.benchmark, []).append(_audit(run))
        judges.setdefault(manifest.benchmark, []).extend((name, by) for by in _judges(run))
    return "\n\n".join(
        _paragraph(name, members, audits[name], judges[name])
        for name, members in by_benchmark.items()
    )


def _paragraph(
    benchmark: str,
    runs: list[tuple[Manifest, Counts]],
    audits: Sequence[str],
    judges: list[tuple[str, str]],
) -> str:
    manifests, counts = [manifest for manifest, _ in runs], [count for _, count in runs]
    sentences = [
        _who(benchmark, manifests),
        _asked(runs),
        _data(manifests),
        _protocol(manifests),
        _sampled(manifests),
        _options(manifests),
        _read(manifests, counts, audits),
        _judged(judges, len(runs)),
    ]
    if any(count.judged for count in counts):
        sentences += [
            "Trials without a reply (errors of the transport or the server) are in no "
            "denominator; refusals, cut-off replies and replies without a readable answer count "
            "as wrong.",
            _statistics(counts, _declared(manifests[0])),
        ]
    paper = known(manifests[0]).paper or None
    return " ".join(s for s in sentences if s) + (f" Benchmark: {paper}" if paper else "")


def _who(benchmark: str, manifests: list[Manifest]) -> str:
    models = _listed([_called(manifest) for manifest in manifests])
    tools = _listed(list(dict.fromkeys(_tools(manifest) for manifest in manifests)))
    versions = {str(m.config.get("benchmark_version")) for m in manifests} - {"None"}
    version = (
        f" (version {_listed(sorted(versions))} of its trials and scoring)" if versions else ""
    )
    dates = sorted(s.started[:10] for manifest in manifests for s in manifest.sessions)
    when = ""
    if dates:
        when = f" on {dates[0]}" if dates[0] == dates[-1] else f" from {dates[0]} to {dates[-1]}"
    return f"We examined {models} on {benchmark}{version} with {tools}{when}."


def _called(manifest: Manifest) -> str:
    """A run's name, with its model's where the label is another."""
    name, model = name_of(manifest), brief(manifest.model)
    return name if model in name else f"{name} ({model})"


def _tools(manifest: Manifest) -> str:
    versions = manifest.versions
    python = f" on Python {versions['python']}" if "python" in versions else ""
    return f"Zhiyin {versions.get('zhiyin', '(version unknown)')}{python}"


def _asked(runs: list[tuple[Manifest, Counts]]) -> str:
    parts = []
    for manifest, count in runs:
        open_ended = count.trials - count.judged - count.failed
        of = "" if manifest.sequences else f" of {manifest.planned}"  # not always known there
        if count.judged or not open_ended:
            part = f"{count.judged}{of} trials were judged right or wrong"
            part += f", {open_ended} are neither" if open_ended else ""
        else:
            part = f"{open_ended}{of} trials were answered, which are neither right nor wrong"
        if count.items != count.trials:
            part += f" ({count.items} items)"
        if manifest.sequences:
            part += f"; {count.ended} of {manifest.sequences.count} sequences came to their end"
        part += f"; {count.failed} failed" if count.failed else ""
        parts.append((name_of(manifest), part))
    return _each(parts)


def _each(parts: list[tuple[str, str]]) -> str:
    """One sentence where all runs are alike, else one clause for each."""
    clauses = {part for _, part in parts}
    if len(clauses) == 1:
        words = clauses.pop()
        if len(parts) > 1:
            return f"In each run {words}."
        return f"{words[:1].upper()}{words[1:]}."
    return "; ".join(f"for {model} {part}" for model, part in parts).replace("for", "For", 1) + "."


def _data(manifests: list[Manifest]) -> str:
    prints = [str(manifest.config.get("data", "unknown"))[:_HASH] for manifest in manifests]
    digits = prints[0]
    if len(set(prints)) > 1:
        digits = "; ".join(f"{p} ({name_of(m)})" for p, m in zip(prints, manifests, strict=True))
    return f"SHA-256 over data and prompts (first {_HASH} digits): {digits}."


def _protocol(manifests: list[Manifest]) -> str:
    """Which protocol was followed, how far, and what it cannot repeat; nothing where all are ours.

    A run under another is told apart from runs under ours.
    """
    protocols = [protocol_of(manifest) for manifest in manifests]
    if all(protocol.name == OURS.name for protocol in protocols):
        return ""
    return _each([(name_of(m), _follows(p)) for m, p in zip(manifests, protocols, strict=True)])


def _follows(protocol: ProtocolFollowed) -> str:
    if protocol.name == OURS.name:
        return "Zhiyin's own protocol was followed"
    clause = f"the protocol {protocol.name} was followed ({protocol.source})"
    if protocol.departures:
        clause += f", but for: {', '.join(protocol.departures)}"
    if protocol.differs:
        clause += f"; what is never done as there: {', '.join(protocol.differs)}"
    return clause


def _sampled(manifests: list[Manifest]) -> str:
    return _each([(name_of(manifest), _answered(manifest)) for manifest in manifests])


def _answered(manifest: Manifest) -> str:
    """How replies came about: only a model that generates has settings of sampling."""
    kind = manifest.decoding.get("kind")
    if people := people_in(manifest):
        if people == 1:
            return "one person answered"
        many = people if "people" in manifest.decoding else "several"
        return (
            f"{many} people answered; their answers to a question are averaged, so "
            "that intervals speak of other questions and these people"
        )
    if rule := manifest.decoding.get("rule"):
        return f'answers were given by the rule "{rule}"'
    if kind == "baseline" or manifest.model == "listener":
        return "replies were made by rule"
    if kind == "replay":
        return "replies were generated elsewhere and read from a file"
    if manifest.options.get("imported"):
        return "replies were generated elsewhere"
    if kind == "function" and manifest.decoding.get("takes_sampling") is False:
        return "replies came from a function that takes no settings of sampling"
    sampling = manifest.sampling
    settings = [
        form.format(sampling[k]) for k, form in _SAMPLING.items() if sampling.get(k) is not None
    ]
    how = ", ".join(settings) or "the models' own settings"
    return f"replies were generated with {how}"


def _options(manifests: list[Manifest]) -> str:
    parts = []
    for manifest in manifests:
        options = published_config(manifest.config).get("options") or {}
        settings = []
        if options.get("shots") is not None:
            settings.append(f"{options['shots']} worked examples")
        if options.get("language"):
            settings.append(f"instructions in {options['language']}")
        if options.get("seed") is not None:
            settings.append(f"seed {options['seed']} for every random choice")
        if commitment := manifest.config.get(COMMITMENT):
            settings.append(f"a private seed for every random choice (commitment {commitment})")
        for name, value in options.items():
            if name not in _IMPLIED and value not in (None, False, "", [], ()):
                shown = "" if value is True else f" {_plain(value)}"
                settings.append(f"{name.replace('_', ' ')}{shown}")
        limit, sample = manifest.config.get("limit"), manifest.config.get("sample")
        chosen = []
        if limit and limit <= manifest.planned:  # a larger one has cut nothing
            chosen.append(f"the first {limit} trials")
        if sample and sample <= manifest.planned:
            chosen.append(f"{sample} items drawn at random")
        if chosen:
            settings.append(f"{' and '.join(chosen)} only")
        if manifest.options.get("partial"):
            settings.append("what was at hand of the data (partial)")
        if manifest.shard:
            settings.append(f"share {manifest.shard.index} of {manifest.shard.of} only")
        parts.append((name_of(manifest), "settings: " + (", ".join(settings) or "the defaults")))
    return _each(parts)


def _plain(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _read(manifests: list[Manifest], counts: Sequence[Counts], audits: Sequence[str]) -> str:
    if not any(count.chooses for count in counts):
        return ""
    parts = [
        (
            name_of(manifest),
            "the options that people chose were taken as they are"
            if manifest.decoding.get("kind") == PEOPLE
            else f"answers were read from replies by the policy {_policy(manifest)}{more}",
        )
        for manifest, more in zip(manifests, audits, strict=True)
    ]
    return _each(parts)


def _audit(run: Path) -> str:
    """What an audit of the reading found, as the end of a clause; nothing where there is none."""
    from zhiyin.analysis.audit.result import audited

    result = audited(run)
    if not result or not result["complete"]:
        return ""
    sentence = result["sentences"][0].partition("), ")[2]
    return f" ({sentence})"


def _judges(run: Path) -> list[str]:
    """Who judged the texts of a run for what, and how they were asked: a clause each."""
    clauses = []
    for place in sorted(path.parent for path in run.glob(f"*/{MANIFEST}")):
        try:
            judge = read_manifest(place)
        except InputError:
            continue  # told where the run is summed up
        options = judge.options
        if judge.benchmark != "judge" or "run" not in options:
            continue
        aspects = _listed(str(options.get("aspects")).split(","))
        draws, temperature = options.get("draws") or 1, options.get("temperature")
        settings = [f"{draws} judgements of each"] if draws > 1 else []
        means = "word lists" if judge.model.partition(":")[0] == "lexical" else "prompts"
        settings.append(f"{means} in {options.get('language') or 'zh'}")
        if means == "prompts" and isinstance(temperature, int | float):
            settings.append(f"temperature {temperature}")
        clauses.append(f"by {brief(judge.model)} for {aspects} ({', '.join(settings)})")
    return clauses


def _judged(judges: list[tuple[str, str]], runs: int) -> str:
    """One sentence on the judges, of all runs at once where each has the same."""
    by: dict[str, list[str]] = {}
    for name, clause in judges:
        by.setdefault(name, []).append(clause)
    if not by:
        return ""
    if len({tuple(clauses) for clauses in by.values()}) == 1 and len(by) == runs:
        return f"Replies were judged {'; '.join(next(iter(by.values())))}."
    of = (f"of {name} {'; '.join(clauses)}" for name, clauses in by.items())
    return f"Replies were judged, {'; '.join(of)}."


def _policy(manifest: Manifest) -> str:
    name = (manifest.config.get("options") or {}).get("extract", "robust")
    from zhiyin.reader import find_policy

    policy = find_policy(name)
    return policy.label if policy else str(name)


def _declared(manifest: Manifest) -> str:
    """What is tested by itself, in words: the whole, and the group of the benchmark's headline."""
    kind = known(manifest)
    group = kind.headline.group
    return "the whole" + ("" if group == ALL else f" and for {kind.titles.get(group, group)}")


def _statistics(counts: Sequence[Counts], declared: str) -> str:
    clustered = any(count.clustered for count in counts)
    items = any(count.items < count.trials for count in counts)
    clauses = ["Intervals are 95 %: Wilson's for independent right or wrong answers"]
    if clustered:
        clauses.append(
            "with an effective sample size from the cluster-robust standard error where items "
            "share a recording or a stimulus, and never lowered by one more right answer"
        )
    if items:
        clauses.append("repeats, rotations and conditions of an item are averaged first")
    sentence = ", ".join(clauses) + "."
    if len(counts) > 1:
        test = (
            "the sign-flip test over whole clusters (all flips of up to 14, else 10,000)"
            if clustered or items
            else "McNemar's exact test"
        )
        sentence += (
            f" Runs were compared in pairs on the items that all judged, by {test}; p-values are "
            f"corrected by Holm over pairs of runs for {declared}, and by Benjamini and Hochberg "
            "for other groups of questions, which are exploratory. Whether a run is better than "
            "guessing, and whether it favours a letter, was tested for each run, corrected by "
            "Holm over the runs of the page."
        )
    return sentence


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
