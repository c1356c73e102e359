"""Extraction policies by name: those of every use, those of benchmarks, and plug-ins."""

from __future__ import annotations

from functools import cache

from zhiyin import extensions as plugins
from zhiyin.errors import InputError, did_you_mean
from zhiyin.reader import OF_EVERY_USE, Policy
from zhiyin.reader.nearest import NEAREST, nearest_policy


@cache
def policies() -> dict[str, Policy]:
    """All policies that come with Zhiyin: of every use, of benchmarks, of harnesses."""
    declared = (point.load() for point in plugins.ours(plugins.POLICIES).values())
    return {policy.name: policy for each in (OF_EVERY_USE, *declared) for policy in each}


def open_policy(name: str) -> Policy:
    """The policy called `name`: ours, a plug-in's, or ``nearest:MODEL``.

    Raises
    ------
    InputError
        There is none, or its plug-in cannot be loaded or is no policy.
    """
    # Those of benchmarks take a tenth of a second to load.
    if name.startswith(NEAREST):
        return _nearest(name.removeprefix(NEAREST))
    every_use = next((policy for policy in OF_EVERY_USE if policy.name == name), None)
    return every_use or policies().get(name) or _plugged_in(name)


def find_policy(name: str) -> Policy | None:
    """As `open_policy`; None where there is no such policy here."""
    try:
        return open_policy(name)
    except InputError:
        return None


@cache
def _nearest(spec: str) -> Policy:
    """The policy that reads by a model of the user's; see `reader.nearest`."""
    from zhiyin.plugins.local.embedders import open_embedder

    if not spec:
        raise InputError(f"--extract {NEAREST}: which model? write {NEAREST}MODEL")
    return nearest_policy(spec, open_embedder(spec))


@cache
def _plugged_in(name: str) -> Policy:
    outside = plugins.installed(plugins.POLICIES)
    if name not in outside:
        known = {**policies(), **outside}
        raise InputError(f"unknown extraction policy {name!r}: {did_you_mean(name, known)}")
    plugin = outside[name]
    policy = plugins.load(plugin)
    if not isinstance(policy, Policy) or policy.name != name:
        raise InputError(
            f"policy {name!r} of {plugin.source}: {plugin.place} is not a zhiyin.reader.Policy "
            f"called {name!r}"
        )
    return policy
