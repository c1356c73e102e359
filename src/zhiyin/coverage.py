"""How much of a benchmark a run asked, and on whose items: what may stand beside its figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from zhiyin.log import Manifest
from zhiyin.tally import ALL

OTHER_ITEMS = (
    "Published figures are on other items: these runs were asked about music made by Zhiyin, not "
    "the published recordings. Read them as a rough measure."
)


def part_of(manifest: Manifest) -> str | None:
    """Which part of its benchmark a run was given, in words; None for the whole."""
    parts = []
    if _cut(manifest):
        parts.append(f"the first {manifest.config['limit']:,} trials only")
    if sample := manifest.config.get("sample"):
        parts.append(f"{sample:,} items drawn at random (--sample)")
    if wanted := _categories(manifest):
        parts.append(f"only {', '.join(wanted)}")
    if _options(manifest).get("partial"):
        parts.append("only those published items that were there (--partial)")
    return "; ".join(parts) or None


def caution(manifest: Manifest) -> str | None:
    """What must be said beside the figures of a run that holds a part; None for the whole."""
    part = part_of(manifest)
    return f"{part}: not comparable with published figures of the whole" if part else None


def is_whole(manifest: Manifest, group: str) -> bool:
    """Whether a run was given all published trials of `group`.

    A limit cuts every group, and where files may be missing none is known to be whole. Categories
    of ZIQI-Eval leave those groups whole of which all categories were asked.
    """
    if _cut(manifest) or manifest.config.get("sample") or _options(manifest).get("partial"):
        return False
    wanted = _categories(manifest)
    if not wanted:
        return True
    from zhiyin.benchmarks.ziqi.categories import published_categories

    root = group.partition("/")[0]
    members = [c for c in published_categories().values() if root in (ALL, c.kind, c.stem)]
    return bool(members) and all({c.kind, c.stem} & set(wanted) for c in members)


def on_other_items(manifest: Manifest, tags: Iterable[Mapping[str, Any]]) -> bool:
    """Whether a run of a published benchmark was asked about music that Zhiyin made.

    Parameters
    ----------
    manifest : Manifest
    tags : iterable of dict
        Of the run's trials; the small MuChoMusic is known by its ``dataset``.
    """
    if manifest.benchmark == "perception":
        return (_options(manifest).get("source") or "generated") == "generated"
    if manifest.benchmark == "muchomusic":
        from zhiyin.benchmarks.muchomusic.small import DATASET

        return any(facts.get("dataset") == DATASET for facts in tags)
    return False


def _options(manifest: Manifest) -> dict[str, Any]:
    return {**(manifest.config.get("options") or {}), **manifest.options}


def _cut(manifest: Manifest) -> bool:
    """Whether a limit left something out: one above the number of trials does not."""
    limit = manifest.config.get("limit")
    return limit is not None and manifest.planned >= limit


def _categories(manifest: Manifest) -> list[str]:
    """The words of ``--category``, which may be given several times and hold commas."""
    given = _options(manifest).get("category") or []
    given = [given] if isinstance(given, str) else given
    return [word.strip() for part in given for word in part.split(",") if word.strip()]
