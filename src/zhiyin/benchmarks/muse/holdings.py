"""What the published design holds, and the recordings of it that we have seen."""

from __future__ import annotations

from functools import cache
from importlib import resources

import msgspec

from zhiyin.benchmarks.muse.design import listed
from zhiyin.benchmarks.muse.tasks import GROUPS, MODES, TASKS
from zhiyin.contract.declared import Published


@cache
def hashes() -> dict[str, str]:
    """SHA-256 by recording (without folder and ``.wav``), of those that we have seen."""
    text = resources.files(__package__).joinpath("sha256.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, str])


@cache
def holdings() -> Published:
    """Every published trial once in each mode; the three orders are repeats of it."""
    recordings: dict[str, list[str | None]] = {}
    for task in TASKS:
        for group in GROUPS:
            for item in listed(task, group):
                known: list[str | None] = [hashes().get(name) for name in item.names]
                recordings[" + ".join(item.names)] = known
    return Published(
        source="the runners and recordings of MUSE; hashes of the recordings that we have seen",
        unit="trials",
        counts={f"{task}/{mode}": 20 for task in TASKS for mode in MODES},
        recordings=recordings,
        narrowed=dict.fromkeys(("task", "mode", "group", "order", "keep", "examples"), ""),
    )
