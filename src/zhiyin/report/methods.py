"""The methods paragraph: what was done, in messages that can be pasted into a paper."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
import numpy as np

from zhiyin.analysis.coverage import unfit_of
from zhiyin.analysis.parts import ReadingAudit, audit_of, registrations_of
from zhiyin.analysis.summary import ProtocolFollowed, protocol_of
from zhiyin.contract.protocols import OURS
from zhiyin.contract.registry import known
from zhiyin.contract.resolved import (
    COMMITMENT,
    departing,
    name_of,
    resolved,
    run_names,
    setting_in_words,
)
from zhiyin.engine.folder import MANIFEST, Manifest, read_manifest
from zhiyin.engine.naming import MARK, PEOPLE, brief, canaries_of, people_in
from zhiyin.engine.scoring import ALL
from zhiyin.errors import InputError
from zhiyin.files import Places, as_paths
from zhiyin.idioms import grouped
from zhiyin.report.measures import MeasureSheet
from zhiyin.report.paper_runs import gather, headlines, paper_name, reference_of
from zhiyin.report.run_set import RunSet
from zhiyin.runs.columns import ALONE
from zhiyin.runs.estimates import chance_of
from zhiyin.runs.figures import group_name
from zhiyin.runs.measures import F1, Ints
from zhiyin.runs.rows import rows_of
from zhiyin.words import Said, Text, said, say
from zhiyin.words.findings import Remark, told
from zhiyin.words.messages import words_in

_HASH = 16
_SAMPLING = ("temperature", "max_tokens", "top_p", "top_k", "seed", "thinking")
_IMPLIED = {"extract", "seed", "shots", "language", "protocol"}


class MethodCounts(msgspec.Struct, frozen=True, kw_only=True):
    """Numbers of one run in the paragraph.

    Attributes
    ----------
    trials : int
        How many were asked.
    judged : int
        How many of them are right or wrong.
    right_apart : int or None
        How many replies of an exam are right, which count in no share; None where it is none.
    failed : int
        How many of them have no reply. The rest (texts, measurements) is neither right nor wrong.
    unread : int
        How many of the judged have no readable answer: none, a refusal, a reply that was cut off.
    items : int
        How many things they ask about: repeats and conditions of one share it.
    ended : int
        Sequences that came to their end.
    options : (int, int) or None
        The fewest and the most that a question has; None where none has any.
    chance : float or None
        What guessing gets right in the main way; None where a question has no options.
    clustered : bool
        Whether items share a recording or a stimulus.
    """

    trials: int
    judged: int
    right_apart: int | None = None
    failed: int
    unread: int
    items: int
    ended: int
    options: tuple[int, int] | None
    chance: float | None
    clustered: bool


def counts_of(run: Path) -> MethodCounts:
    """Count one run from its log. Raises `InputError` when the folder is not a run."""
    rows = rows_of(run)
    options = {*rows.judged.of_kinds(lambda kind: kind.options)} - {0}
    replies = rows.outcomes_of_replies()
    return MethodCounts(
        trials=len(rows), judged=len(rows.judged),
        right_apart=replies["correct"] if replies != rows.outcomes() else None,
        failed=rows.outcomes()["error"],
        unread=sum(rows.outcomes()[state] for state in ("no_answer", "refused", "truncated")),
        items=len(np.unique(rows.items)), ended=rows.ended,
        options=(min(options), max(options)) if options else None,
        chance=chance_of(rows.within(ALL)) if options else None,
        clustered=_shared(rows.clusters, rows.items),
    )  # fmt: skip


def _shared(clusters: Ints, items: Ints) -> bool:
    """Tell whether a cluster holds more than one item."""
    named = clusters != ALONE
    return len(np.unique(clusters[named])) < len(np.unique(items[named]))


def methods_paragraph(
    runs: Places, language: str = "en", sheets: Mapping[str, MeasureSheet] = {}
) -> str:
    """Describe what was asked of whom, how, and how it was counted: a paragraph a benchmark.

    Parameters
    ----------
    runs : sequence of Path
    language : {"en", "zh"}
    sheets : mapping
        The figures of these runs by benchmark, where they are at hand.

    Returns
    -------
    str
        Plain text, paragraphs parted by a blank line. Versions, the fingerprint of data and
        prompts, settings, numbers of trials and what failed are those of the runs; where runs
        differ, each is named with its own. What is so of all benchmarks stands last, once.

    Raises
    ------
    InputError
        When a folder is not a run.
    """
    space = "" if language == "zh" else " "
    paragraphs = methods_sentences(as_paths(runs), sheets)
    return "\n\n".join(space.join(say(one, language) for one in own) for own in paragraphs)


def methods_sentences(
    runs: Sequence[Path], sheets: Mapping[str, MeasureSheet] = {}
) -> list[list[Text]]:
    """The sentences of `methods_paragraph`, by paragraph."""
    by_benchmark: dict[str, dict[Path, Manifest]] = {}
    manifests = [read_manifest(run) for run in runs]
    for run, manifest, name in zip(runs, manifests, run_names(runs, manifests), strict=True):
        manifest.label = name.removesuffix(MARK)
        by_benchmark.setdefault(manifest.benchmark, {})[run] = manifest
    run_set = RunSet(runs) if len(runs) > 1 and not sheets else None
    paragraphs = [
        [*_paragraph(name, of, MeasureSheet(run_set, name) if run_set else sheets.get(name))]
        for name, of in by_benchmark.items()
    ]
    first, *others = paragraphs
    shared = [one for one in first if others and all(one in own for own in others)]
    paragraphs = [[one for one in own if one not in shared] for own in paragraphs]
    versions = dict.fromkeys(manifest.versions.get("zhiyin") for manifest in manifests)
    paragraphs.append([*shared, said("methods-cite", versions=[*filter(None, versions)])])
    return paragraphs


def _paragraph(
    benchmark: str, runs: Mapping[Path, Manifest], sheet: MeasureSheet | None
) -> Iterator[Text]:
    manifests, counts = [*runs.values()], [counts_of(run) for run in runs]
    names = [_plain_name(manifest) for manifest in manifests]
    gathered = next(iter(gather([*runs], lambda run: True).values()))
    paired = sheet if len(runs) > 1 else None
    yield _who(paper_name(gathered), manifests, counts, tested=bool(paired and paired.tests))
    yield from _plans([*runs], names)
    yield from _canaries(names, manifests)
    told = [list(map(_asked, manifests, counts))]
    protocols = [protocol_of(manifest) for manifest in manifests]
    if any(protocol.name != OURS.name for protocol in protocols):
        told.append([_follows(protocol) for protocol in protocols])
    told.append([_answered(manifest) for manifest in manifests])
    settings = [_settings(manifest) for manifest in manifests]
    if common := [one for one in settings[0] if all(one in own for own in settings)]:
        told.append([said("methods-settings", settings=common)] * len(names))
    own = [[one for one in each if one not in common] for each in settings]
    crossed = _crossed(manifests, own)
    if not crossed and (any(own) or not common):
        told.append([said("methods-settings", settings=each) for each in own])
    if any(count.options for count in counts):
        told.append(list(map(_offered, manifests, counts)))
        told.append([_read(manifest, audit_of(run)) for run, manifest in runs.items()])
    yield from _each(names, told)
    if crossed:
        yield said("methods-crossed", each=crossed)
    yield _data(manifests)
    if judges := [(n, by) for n, run in zip(names, runs, strict=True) for by in _judges(run)]:
        yield _judged(judges, len(runs))
    if any(count.judged for count in counts):
        people = {people_in(manifest) > 0 for manifest in manifests}
        of = "both" if len(people) > 1 else "people" if True in people else "models"
        yield said("methods-denominator", of=of)
        judged = [run for run in gathered if run.judged]
        has_f1 = any(lead.name == F1.name for lead in (headlines(judged) if judged else ()))
        yield from _statistics(counts, has_f1, paired)
    kind = known(manifests[0])
    sentences: list[Text] = []
    for sentence in itertools.chain(*(kind.methods(manifest.options) for manifest in manifests)):
        sentences += [] if sentence in sentences else [sentence]
    yield from sentences
    remarks = {str(what): what for manifest in manifests for what in _of_data(manifest)}
    if remarks:
        yield said("methods-remarks", each=[*remarks.values()])
    reference = reference_of(gathered)
    names = [
        name
        for name, row in (reference.rows if reference else {}).items()
        if any(all(run.coverage.whole(group) for run in gathered) for group in row)
    ]
    if reference and names:
        yield said("methods-published", sources=reference.cited(*names))
    if kind.paper and not kind.paper.startswith("none: "):
        yield said("methods-paper", paper=kind.paper)


def _of_data(manifest: Manifest) -> Iterator[Said]:
    """What its benchmark had to say of the data that it asked, such as flawed questions."""
    for one in told(manifest.remarks):
        what = one.what if isinstance(one, Remark) else None
        if isinstance(what, Said) and what.name.startswith((f"{manifest.benchmark}-", "data-fl")):
            paper = f"{what.name}-of"  # the same without a command
            yield Said(paper, what.facts) if paper in words_in("en").names else what


def _crossed(manifests: Sequence[Manifest], own: Sequence[Sequence[Said]]) -> list[Said]:
    """The settings, where each of several models has a run in each of them; else nothing."""
    whose: dict[str, tuple[Said, list[str]]] = {}
    for manifest, each in zip(manifests, own, strict=True):
        clause = said("methods-setting", settings=each)
        whose.setdefault(str(clause), (clause, []))[1].append(manifest.model)
    models = [sorted(who) for _, who in whose.values()]
    alike = all(who == [*dict.fromkeys(models[0])] for who in models)
    return [clause for clause, _ in whose.values()] if alike and len(models) > 1 else []


def _who(
    benchmark: Text, manifests: list[Manifest], counts: Sequence[MethodCounts], *, tested: bool
) -> Said:
    """Say who was asked what and how: a sentence that stands alone where a paper has no room."""
    versions = {str(m.config.get("benchmark_version")) for m in manifests} - {"None"}
    dates = sorted(s.started[:10] for manifest in manifests for s in manifest.sessions)
    tools: list[Said] = []
    for manifest in manifests:
        used = manifest.versions
        tool = said("methods-tool", version=used.get("zhiyin"), python=used.get("python"))
        tools += [tool] if tool not in tools else []
    tools = [one for one in tools if not _barely(one, tools)]
    dated = dates[0] != dates[-1] if dates else False
    firsts = {manifest.model: manifest for manifest in reversed(manifests)}
    once = len(firsts) < len(manifests) and not dated
    each = [one for one in manifests if not once or firsts[one.model] is one]
    at = {one.model.partition("#")[0] for one in manifests if "://" in one.model}
    address = at.pop() if len(at) == 1 and all("://" in one.model for one in each[1:]) else ""
    address = address if len(each) > 1 else ""
    shots = list({str(one): one for one in map(_shots, manifests)}.values())
    return said(
        "methods-who", benchmark=benchmark, versions=sorted(versions), tools=tools,
        models=[_called(one, dated=dated, address=address, once=once) for one in each],
        address=_place(address), runs=len(manifests) if once else 0,
        items=counts[0].items if len({count.items for count in counts}) == 1 else None,
        shots=shots if None not in shots else [],
        figures="tested" if tested else "told" if any(one.judged for one in counts) else "no",
        first=dates[0] if dates else None, last=dates[-1] if dated else None,
    )  # fmt: skip


def _place(address: str) -> Text | None:
    """Where a model is: an address that nobody else can reach says nothing to a reader."""
    if not address:
        return None
    host = urlsplit(address).hostname or ""
    try:
        own = ip_address(host).is_private
    except ValueError:
        own = host.rpartition(".")[2] in ("localhost", "local", "internal")
    return said("methods-own-server") if own else said("methods-at", address=address)


def _barely(tool: Said, tools: Sequence[Said]) -> bool:
    """Tell whether another one tells more of the same version: people ran on no Python."""
    version, python = tool.facts["version"], tool.facts["python"]
    return python is None and any(
        other.facts["version"] == version and other.facts["python"] for other in tools
    )


def _called(manifest: Manifest, *, dated: bool, address: str, once: bool) -> Text:
    """A run's name, with the model as it was sent where that is another, and when it was asked.

    Without the `address` that all share; of a model with several runs, which is named `once`, its
    own name.
    """
    shared, address = address, ""
    own = _plain_name(manifest)
    sent = own if people_in(manifest) else manifest.model
    if "://" in sent:
        address, _, sent = sent.partition("#")
        address = "" if address == shared else address
    name = brief(sent or manifest.model) if once and sent != own else own
    more: list[Text] = []
    if (
        address
        or (shared and sent != name)
        or brief(sent) not in name
        or re.fullmatch(r"\w+:[\w.-]+/[\w.-]+", sent)
    ):
        more.append(said("methods-sent", id=sent or None, address=_place(address)))
    if dated:
        days = dict.fromkeys(one.started[:10] for one in manifest.sessions)
        more.append(said("methods-when", days=[*days]))
    return said("methods-model", name=name, told=more) if more else name


def _plain_name(manifest: Manifest) -> str:
    """A run's name without the mark of a failed canary, which is said in words once."""
    return name_of(manifest).removesuffix(MARK)


def _asked(manifest: Manifest, count: MethodCounts) -> Said:
    open_ended = count.trials - count.judged - count.failed
    sequences = manifest.sequences
    return said(
        "methods-asked", judged=count.judged if count.judged or not open_ended else None,
        open=open_ended, right=count.right_apart if not count.judged else None,
        planned=None if sequences else manifest.planned,  # not always known there
        items=count.items if count.items != count.trials else None, ended=count.ended,
        sequences=sequences.count if sequences else None, failed=count.failed,
        unread=count.unread, unfit=unfit_of(manifest),
    )  # fmt: skip


def _each(names: Sequence[str], told: Sequence[Sequence[Said]]) -> Iterator[Said]:
    """What is told of each run: of a lone one a sentence each; of several what all share in one."""
    if len(names) == 1:
        yield from (said("methods-sentence", clauses=own) for own in told)
        return
    shared = [own[0] for own in told if all(clause == own[0] for clause in own)]
    if shared:
        yield said("methods-each-run", clauses=shared)
    for clauses in told:
        if clauses[0] in shared:
            continue
        whose: list[tuple[Said, list[str]]] = []  # a clause that several runs share is said once
        for name, clause in zip(names, clauses, strict=True):
            own = next((who for other, who in whose if other == clause), None)
            if own is None:
                whose.append((clause, own := []))
            own.append(name)
        each = [said("methods-of-run", who=who, clause=clause) for clause, who in whose]
        yield said("methods-sentence", clauses=each)


def _data(manifests: list[Manifest]) -> Said:
    prints = [str(manifest.config.get("data", "unknown"))[:_HASH] for manifest in manifests]
    each: list[Text] = [prints[0]]
    if len(set(prints)) > 1:
        named = [*zip(prints, manifests, strict=True)]
        whose = {own: [_plain_name(m) for p, m in named if p == own] for own in prints}
        each = [said("methods-print", print=p, who=who) for p, who in whose.items()]
    return said("methods-data", digits=_HASH, prints=each)


def _follows(protocol: ProtocolFollowed) -> Said:
    """Name the protocol that was followed, how far, and what it cannot repeat."""
    if protocol.name == OURS.name:
        return said("methods-own-protocol")
    return said("methods-protocol", **msgspec.structs.asdict(protocol))


def _answered(manifest: Manifest) -> Said:
    """Say how replies came about: only a model that generates has settings of sampling."""
    kind = manifest.decoding.get("kind")
    if people := people_in(manifest):
        return said("methods-one-person") if people == 1 else _of_people(manifest, people)
    if rule := manifest.decoding.get("rule"):
        return said("methods-rule", rule=rule)
    if kind == "baseline" or manifest.model == "listener":
        return said("methods-by-rule")
    if kind == "replay":
        return said("methods-replay")
    if manifest.options.get("imported"):
        return said("methods-imported")
    if kind == "function" and manifest.decoding.get("takes_sampling") is False:
        return said("methods-no-sampling")
    sent = manifest.sampling
    settings = [
        said("methods-sampling", setting=name, value=str(sent[name]).removesuffix(".0"))
        for name in _SAMPLING
        if sent.get(name) is not None
    ]
    return said("methods-sampled", settings=settings)


def _of_people(manifest: Manifest, people: int) -> Said:
    """Describe a study: how many answered, who was set aside and why, and what was no figure."""
    facts = manifest.decoding
    rules, languages = facts.get("set_aside_by"), facts.get("languages") or ()
    broken = rules.items() if isinstance(rules, dict) else ()
    return said(
        "methods-people", people=people if "people" in facts else None,
        set_aside=facts.get("set_aside"), by_hand=facts.get("by_hand") or 0,
        under_way=facts.get("under_way") or 0, of=facts.get("took_part"),
        rules=[said("methods-rule-broken", rule=str(rule), n=n) for rule, n in broken],
        attention=facts.get("attention_questions"), practice=facts.get("practice_questions"),
        languages=[said("methods-people-language", **one) for one in languages],
        agreement=_agreement(facts),
    )  # fmt: skip


def _agreement(facts: dict[str, Any]) -> Said | None:
    """Report how far people agreed in their choices, where the run says so."""
    found = facts.get("agreement")
    if not isinstance(found, dict) or found.get("alpha") is None:
        return None
    ends = {name: found.get(name) for name in ("alpha", "low", "high")}
    return said("methods-agreement", questions=found.get("questions"), **ends)


def _shots(manifest: Manifest) -> Said | None:
    """The number of examples in words, where a benchmark has any."""
    shots = (resolved(manifest).get("options") or {}).get("shots")
    return None if shots is None else setting_in_words("shots", shots)


def _settings(manifest: Manifest) -> list[Said]:
    options, unusual = resolved(manifest).get("options") or {}, departing(manifest)
    settings = []
    if shots := _shots(manifest):
        settings.append(shots)
    if options.get("language"):
        settings.append(said("methods-language", language=options["language"]))
    if options.get("seed") is not None:
        settings.append(said("methods-seed", seed=str(options["seed"])))
    if commitment := manifest.config.get(COMMITMENT):
        settings.append(said("methods-private-seed", commitment=commitment))
    for name, value in options.items():
        if name in unusual and name not in _IMPLIED and value not in (None, False, "", []):
            shown = None if value is True else _plain(value)
            settings.append(said("methods-option", name=name.replace("_", " "), value=shown))
    limit, sample = manifest.config.get("limit"), manifest.config.get("sample")
    chosen, most = [], manifest.planned + unfit_of(manifest)
    if limit and limit <= most:  # a larger one has cut nothing
        chosen.append(said("methods-limit", n=limit))
    if sample and sample <= most:
        chosen.append(said("methods-sample", n=sample))
    if chosen:
        settings.append(said("methods-only", what=chosen))
    if manifest.options.get("partial"):
        settings.append(said("methods-partial"))
    if share := manifest.shard:
        settings.append(said("methods-share", index=str(share.index), of=str(share.of)))
    return settings


def _plain(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _read(manifest: Manifest, audit: ReadingAudit | None) -> Said:
    if manifest.decoding.get("kind") == PEOPLE:
        return said("methods-chosen")
    told = audit.in_short() if audit and audit.complete else None
    return said("methods-read", policy=_policy(manifest), audit=told)


def _judges(run: Path) -> Iterator[Said]:
    """Name who judged the texts of a run for what, and how they were asked."""
    for place in sorted(path.parent for path in run.glob(f"*/{MANIFEST}")):
        try:
            judge = read_manifest(place)
        except InputError:
            continue  # told where the run is summed up
        options = judge.options
        if judge.benchmark != "judge" or "run" not in options:
            continue
        lists = judge.model.partition(":")[0] == "lexical"
        temperature = options.get("temperature")
        graded = isinstance(temperature, int | float) and not lists
        yield said(
            "methods-judge", judge=brief(judge.model),
            draws=options.get("draws") or 1,
            aspects=[
                said("table-part", name=one) for one in str(options.get("aspects")).split(",")
            ],
            means="lists" if lists else "prompts", language=options.get("language") or "zh",
            temperature=str(temperature) if graded else None,
        )  # fmt: skip


def _judged(judges: list[tuple[str, Said]], runs: int) -> Said:
    """Describe the judges, of all runs at once where each has the same."""
    by = grouped(judges)
    first = next(iter(by.values()))
    if len(by) == runs and all(own == first for own in by.values()):
        return said("methods-judged", by=first)
    of = [said("methods-judged-run", who=name, by=own) for name, own in by.items()]
    return said("methods-judged-apart", runs=of)


def _offered(manifest: Manifest, count: MethodCounts) -> Said:
    """Give the number of options of questions, their order, and what guessing gets of them."""
    least, most = count.options or (0, 0)
    more, options = most if most > least else None, resolved(manifest).get("options") or {}
    order = options.get("order", "shuffled" if known(manifest).shuffles else None)
    if options.get("rotations", "none") != "none":
        order = None  # that is told as a setting
    elif "shuffle" in options:
        order = "shuffled" if options["shuffle"] else "published"
    said_so = order if order in ("shuffled", "published") else None
    return said("methods-options", least=least, most=more, order=said_so, chance=count.chance)


def _canaries(names: Sequence[str], manifests: Sequence[Manifest]) -> Iterator[Said]:
    """Name the models that passed a canary, and those that failed one."""
    for state in ("passed", "failed"):
        each = [
            said("methods-canary-of", who=name, medium=medium, right=one.right, asked=one.asked)
            for name, manifest in zip(names, manifests, strict=True)
            for medium, one in canaries_of(manifest).items()
            if one.state == state and None not in (one.right, one.asked)
        ]
        if each:
            yield said("methods-canaries", state=state, each=each)


def _plans(folders: Sequence[Path], names: Sequence[str]) -> Iterator[Said]:
    """The registered plans that runs follow, and how many runs of how many do."""
    named = [read_manifest(folder).config.values() for folder in folders]
    for plan in registrations_of(folders)[0]:
        who = [name for name, own in zip(names, named, strict=True) if plan.key in own]
        yield said(
            "methods-plan", who=who if len(who) < len(names) else [], n=len(plan.predictions),
            at=plan.at[:10], digits=_HASH, sha=plan.key[:_HASH],
            departures=len(plan.departures), confirmatory=plan.confirmatory,
        )  # fmt: skip


def _policy(manifest: Manifest) -> Text:
    name = (manifest.config.get("options") or {}).get("extract", "robust")
    from zhiyin.contract.policies import find_policy, policies

    policy = find_policy(name)
    if policy is None:
        return said("methods-policy", name=str(name), version=None, source=None, ours=False)
    ours, source = policy.name in policies() and not policy.source, policy.source or None
    about = {"version": str(policy.version), "source": source, "ours": ours}
    return said("methods-policy", name=policy.name, **about)


def _statistics(
    counts: Sequence[MethodCounts], f1: bool, sheet: MeasureSheet | None
) -> Iterator[Said]:
    clustered = any(count.clustered for count in counts)
    repeated = any(count.items < count.trials for count in counts)
    yield said("methods-intervals", clustered=clustered, repeated=repeated)
    if f1:
        yield said("methods-f1")
    if sheet is None:
        return
    if used := sheet.tests:  # what is tested by itself: the whole, and the group of the headline
        tests = [said("methods-test", test=test, alone=len(used) == 1) for test in used]
        group = sheet.lead.group
        named = None if group == ALL else sheet.titles.get(group) or group_name(group)
        yield said("methods-compared", tests=tests, group=named, scale=sheet.for_scale)
        yield said("methods-differences")
    yield said("methods-tested")
