"""Resolved settings of a run, defaults included, and the run's name by them.

A run's ``options`` are what was typed, its ``config`` what makes it another run. What neither says
is the default: as the benchmark had it when the run began, else as its class has it now.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import compress
from pathlib import Path
from typing import Any, Literal

import msgspec

from zhiyin.contract.options import resolved_options, setting_words
from zhiyin.contract.protocols import SAMPLING, protocols_of
from zhiyin.contract.registry import known
from zhiyin.engine.folder import Manifest
from zhiyin.engine.naming import brief, briefs, marked, own_name, people_in
from zhiyin.idioms import grouped
from zhiyin.record import Sampling
from zhiyin.text import shared_start
from zhiyin.words import Said, naming, said

_MOST_FLAGS = 2
_LONGEST = 28
UNSET: tuple[Any, ...] = (None, False, "", "none", [], ())
"""Values of a setting that is not in use."""
_NAMED = ("shots", "thinking", "language", "extract", "max_tokens")
"""What alters a score of the same questions: it stands in a run's name where it is not usual."""


COMMITMENT = "seed_commitment"
"""In a manifest's config: what was committed to before a run with a private seed."""


def published_config(config: Mapping[str, Any]) -> dict[str, Any]:
    """A run's settings as they may be published: a seed that was committed to is not in them.

    The commitment stays, and tells runs of two seeds apart.
    """
    options = config.get("options")
    if not config.get(COMMITMENT) or not isinstance(options, dict):
        return dict(config)
    secret = str(options.get("seed"))
    return {**config, "options": {k: v for k, v in options.items() if secret not in str(v)}}


def resolved(manifest: Manifest, config: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The settings of a run as every view compares and names them: defaults included, no secrets.

    For a benchmark that is not here they are what the run kept.

    Parameters
    ----------
    manifest : Manifest
    config : mapping, optional
        In the place of its own: what it was planned with, say.
    """
    own = manifest.config if config is None else config
    shown = published_config(own)
    options = shown.get("options")
    if not isinstance(options, dict):
        return shown
    hidden = own["options"].keys() - options.keys()
    every = resolved_options(options, known(manifest).Settings, _then(manifest))
    return {**shown, "options": {k: v for k, v in every.items() if k not in hidden}}


def resolved_beside(manifests: Sequence[Manifest]) -> list[dict[str, Any]]:
    """The settings of runs of one benchmark that stand beside each other.

    A baseline reads no examples: it has those of the models, where all models have the same, and
    with them the fingerprint of their data, of which examples are a part.
    """
    every = [*map(resolved, manifests)]
    blind = [*map(_is_baseline, manifests)]
    given = [
        (own.get("data"), (own.get("options") or {}).get("shots"))
        for own, alone in zip(every, blind, strict=True)
        if not alone
    ]
    for own in compress(every, blind) if given and given.count(given[0]) == len(given) else ():
        data, shots = given[0]
        if (options := own.get("options") or {}).get("shots") != shots:
            own |= {"options": {**options, "shots": shots}, "data": data}
    return every


def _is_baseline(manifest: Manifest) -> bool:
    return manifest.decoding.get("kind") == "baseline"


def _then(manifest: Manifest) -> dict[str, Any]:
    """The defaults of its benchmark when a run began, where it kept them."""
    kept = manifest.declared.get("defaults")
    return kept if isinstance(kept, dict) else {}


def usual(manifest: Manifest) -> dict[str, Any]:
    """The settings of a run of which none was chosen, as `resolved` gives them.

    They are the benchmark's defaults, and what the run's protocol sets.
    """
    kind, config = known(manifest), resolved(manifest)
    protocol = protocols_of(kind).get(str((config.get("options") or {}).get("protocol") or ""))
    sets = protocol.usual() if protocol else {}
    options = {name: value for name, value in sets.items() if name not in SAMPLING}
    options = resolved_options(options, kind.Settings, _then(manifest))
    options["extract"] = options.get("extract") or kind.extract  # None: as the benchmark has it
    sampling = {SAMPLING[name]: value for name, value in sets.items() if name in SAMPLING}
    return {
        "options": {"seed": 0, **options},
        "sampling": {**msgspec.to_builtins(Sampling()), **sampling},
    }


def departing(manifest: Manifest) -> dict[str, Any]:
    """The settings of a run that are not usual, by name: options and how the model generates."""
    config, own = resolved(manifest), usual(manifest)
    given = {**(config.get("sampling") or {}), **(config.get("options") or {})}
    known_ones = {**own["sampling"], **own["options"]}
    return {
        name: value
        for name, value in given.items()
        if value != known_ones.get(name) and not (value in UNSET and known_ones.get(name) in UNSET)
    }


def name_of(manifest: Manifest) -> str:
    """Name a run by itself: its label, or its model and unusual settings; see `MARK`."""
    return marked(_name(manifest, brief(manifest.model)), manifest)


def run_names(folders: Sequence[Path], manifests: Sequence[Manifest]) -> list[str]:
    """A name for each run: "m", "m, 5 shots".

    Runs of one benchmark that share a name are distinguished by the settings in which they differ,
    and where that is not enough by their folders. Runs of two benchmarks may share one. What all
    models share in a benchmark stands in no name: see `in_common`.
    """
    alike = grouped((manifest.benchmark, manifest) for manifest in manifests)
    shared = {benchmark: _shared(own) for benchmark, own in alike.items()}
    shorts = briefs([manifest.model for manifest in manifests])
    names = [
        _name(manifest, short, [one for one in _NAMED if one not in shared[manifest.benchmark]])
        for manifest, short in zip(manifests, shorts, strict=True)
    ]
    names = [
        _distinct_name(place, names, folders, manifests)
        if _rivals(place, names, manifests)
        else name
        for place, name in enumerate(names)
    ]
    return [marked(name, manifest) for name, manifest in zip(names, manifests, strict=True)]


def in_common(manifests: Sequence[Manifest]) -> list[Said]:
    """List the unusual settings that all models of a benchmark's runs share: no name has them."""
    return _in_words(_shared(manifests), manifests[0]) if manifests else []


def _shared(manifests: Sequence[Manifest]) -> dict[str, Any]:
    """Those settings by name; a baseline reads nothing, so that it shares them or not."""
    models = [one for one in manifests if not _is_baseline(one)]
    each = [*map(departing, models or manifests)]
    return {
        name: each[0][name]
        for name in _NAMED
        if len(each) > 1
        and each[0].get(name) is not None
        and all(one.get(name) == each[0][name] for one in each)
    }


def _name(manifest: Manifest, short: str, told: Sequence[str] = _NAMED) -> str:
    if manifest.label or people_in(manifest):
        return own_name(manifest, short)
    unusual = departing(manifest)
    own = {name: unusual[name] for name in told if unusual.get(name) is not None}
    words = _in_words(own, manifest)
    return naming(said("boards-row", name=short, settings=words)) if words else short


def _rivals(place: int, names: Sequence[str], manifests: Sequence[Manifest]) -> list[int]:
    """The other runs of this benchmark that have this name."""
    mine = (names[place], manifests[place].benchmark)
    return [
        other
        for other, name in enumerate(names)
        if other != place and (name, manifests[other].benchmark) == mine
    ]


def _distinct_name(
    place: int, names: Sequence[str], folders: Sequence[Path], manifests: Sequence[Manifest]
) -> str:
    """A shared name with what tells this run apart."""
    members = [place, *_rivals(place, names, manifests)]
    settings = {member: _differing_settings(member, members, manifests) for member in members}
    if [*settings.values()].count(settings[place]) == 1:
        return naming(said("boards-set-apart", name=names[place], by=settings[place]))
    own = folders[place].resolve()
    parts = [folder.parts for m in members if (folder := folders[m].resolve()).name == own.name]
    start, end = shared_start(parts), shared_start(one[::-1] for one in parts)
    between = "/".join(own.parts[start : len(own.parts) - end])  # of suites/a/run and suites/b/run
    apart = own.name if len(parts) == 1 else between or folders[place]
    return naming(said("boards-set-apart", name=names[place], by=[apart]))


def _differing_settings(
    member: int, members: Sequence[int], manifests: Sequence[Manifest]
) -> list[Said]:
    """The unusual settings that one run has and others of `members` have not, in words."""
    own, *others = (
        {**departing(one), "limit": one.config.get("limit")}
        for one in (manifests[n] for n in (member, *(m for m in members if m != member)))
    )
    differing = {
        name: value
        for name, value in own.items()
        if value not in UNSET and any(other.get(name) != value for other in others)
    }
    words = _in_words(differing, manifests[member])
    if not words and any("shots" in other for other in others):
        options = resolved(manifests[member]).get("options") or {}
        words = _in_words({"shots": options.get("shots")}, manifests[member])
    return words[:_MOST_FLAGS] or [said("boards-default")]


def _in_words(settings: Mapping[str, Any], manifest: Manifest) -> list[Said]:
    own, units = setting_words(known(manifest).Settings), limit_units(manifest)
    each = (setting_in_words(name, value, own, units) for name, value in settings.items())
    return [words for words in each if words]


def limit_units(manifest: Manifest) -> Literal["trials", "sequences", "both"]:
    """Return the unit that a limit of a run counts."""
    if not manifest.sequences:
        return "trials"
    return "sequences" if manifest.planned == manifest.sequences.at_least else "both"


def setting_in_words(
    setting: str, value: Any, own: Mapping[str, str] = {}, units: str = "trials"
) -> Said | None:
    """A setting in words, wherever one is named; None where it is off.

    Parameters
    ----------
    setting : str
        By its path.
    value
    own : mapping of str to str
        How the benchmark says some of them, see `Flag.told`.
    units : str
        What a limit counts, see `limit_units`.
    """
    name = setting.rpartition(".")[2]
    if name == "limit":
        return said("boards-limit", limit=value, units=units)
    if name == "shots":
        shots = _short(value or 0)
        if "," in shots:
            return said("boards-shots-each", shots=[one.strip() for one in shots.split(",")])
        shots = shots.replace("zero", "0")
        return said("boards-shots", shots=int(shots) if shots.isdigit() else shots)
    if value is None or value is False:
        return None
    if own.get(name) == "only {}":
        return said("boards-only", value=_short(value))
    if name in own:
        values = [said("setting-value", value=one) for one in _short(value).split(", ")]
        return said("boards-value", values=values)
    if name == "extract":
        return said("boards-extract", policy=value)
    if name == "language":
        return said("boards-language", language=value)
    if len(name) == 1:
        return said("boards-letter", name=name, value=str(value))
    shown = None if value is True else _short(value)
    return said("boards-setting", name=name.replace("_", " "), value=shown)


def _short(value: object) -> str:
    text = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    text = ", ".join(part.strip() for part in text.replace("_", " ").split(","))
    if len(text) >= 32 and " " not in text:
        return text[:8]  # a fingerprint
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
