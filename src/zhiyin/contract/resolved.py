"""With what settings a run was asked, defaults included; and what it is called by them.

A run's ``options`` are what was typed, its ``config`` what makes it another run. What neither says
is the default: as the benchmark had it when the run began, else as its class has it now.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from zhiyin.contract.flags import resolved_options
from zhiyin.contract.protocols import SAMPLING, protocols_of
from zhiyin.contract.registry import known
from zhiyin.engine.folder import Manifest
from zhiyin.engine.naming import brief, briefs, marked, people_in

_MOST_FLAGS = 2
_UNSET: tuple[Any, ...] = (None, False, "", "none", [], ())
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


def _then(manifest: Manifest) -> dict[str, Any]:
    """The defaults of its benchmark when a run began, where it kept them."""
    kept = manifest.declared.get("defaults")
    return kept if isinstance(kept, dict) else {}


def departing(manifest: Manifest) -> dict[str, Any]:
    """The settings of a run that are not usual, by name: options and how the model generates.

    Usual is the benchmark's default, and what the run's protocol sets.
    """
    kind, config = known(manifest), resolved(manifest)
    options = config.get("options") or {}
    protocol = protocols_of(kind).get(str(options.get("protocol") or ""))
    sets = protocol.usual() if protocol else {}
    usual = {"extract": kind.extract, "seed": 0, "temperature": 0.0}
    usual |= resolved_options(
        {name: value for name, value in sets.items() if name not in SAMPLING}, kind.Settings,
        _then(manifest),
    )  # fmt: skip
    usual["extract"] = usual["extract"] or kind.extract  # None: as the benchmark has it
    usual |= {SAMPLING[name]: value for name, value in sets.items() if name in SAMPLING}
    given = {**(config.get("sampling") or {}), **options}
    return {
        name: value
        for name, value in given.items()
        if value != usual.get(name) and not (value in _UNSET and usual.get(name) in _UNSET)
    }


def name_of(manifest: Manifest) -> str:
    """What a run by itself is called: its label, or its model and what is unusual of its settings;
    see `MARK`.
    """
    return marked(_name(manifest, brief(manifest.model)), manifest)


def run_names(folders: Sequence[Path], manifests: Sequence[Manifest]) -> list[str]:
    """A name for each run: "m", "m, 5 shots".

    Runs of one benchmark that share a name are distinguished by the settings in which they differ,
    and where that is not enough by their folders. Runs of two benchmarks may share one.
    """
    names = list(map(_name, manifests, briefs([manifest.model for manifest in manifests])))
    names = [
        _distinct_name(place, names, folders, manifests)
        if _rivals(place, names, manifests)
        else name
        for place, name in enumerate(names)
    ]
    return [marked(name, manifest) for name, manifest in zip(names, manifests, strict=True)]


def _name(manifest: Manifest, short: str) -> str:
    if manifest.label or people_in(manifest):
        return manifest.label or short
    unusual = departing(manifest)
    return ", ".join(
        [short, *(_in_words(n, unusual[n]) for n in _NAMED if unusual.get(n) is not None)]
    )


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
    if Counter(settings.values())[settings[place]] == 1:
        return f"{names[place]} ({settings[place]})"
    own = folders[place].resolve()
    same = [m for m in members if folders[m].resolve().name == own.name]
    return f"{names[place]} ({own.name if len(same) == 1 else folders[place]})"


def _differing_settings(member: int, members: Sequence[int], manifests: Sequence[Manifest]) -> str:
    """The unusual settings that one run has and others of `members` have not, in words."""
    own, *others = (
        {**departing(one), "limit": one.config.get("limit")}
        for one in (manifests[n] for n in (member, *(m for m in members if m != member)))
    )
    differing = [name for name in own if any(other.get(name) != own[name] for other in others)]
    words = [_in_words(name, own[name]) for name in differing if own[name] not in _UNSET]
    return ", ".join(words[:_MOST_FLAGS]) or "default settings"


def _in_words(name: str, value: object) -> str:
    if name == "shots" and isinstance(value, int):
        return {0: "zero-shot", 1: "one-shot"}.get(value) or f"{value} shots"
    label = "read by" if name == "extract" else name.replace("_", " ")
    if value is True:
        return label
    listed = value if isinstance(value, list) else str(value).split(",")
    more = f" +{len(listed) - 2}" if len(listed) > 3 else ""
    return f"{label} {', '.join(map(str, listed[:2] if more else listed))}{more}"
