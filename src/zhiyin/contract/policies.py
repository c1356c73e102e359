"""Extraction policies by name: those of every use, those of benchmarks, and plug-ins."""

from __future__ import annotations

from functools import cache

from zhiyin import extensions as plugins
from zhiyin.errors import InputError, did_you_mean
from zhiyin.reader import OF_EVERY_USE, Policy
from zhiyin.words import said


@cache
def policies() -> dict[str, Policy]:
    """All policies that come with Zhiyin: of every use, of benchmarks, of harnesses."""
    declared = (point.load() for point in plugins.ours(plugins.POLICIES).values())
    several = (OF_EVERY_USE, *(each for each in declared if not callable(each)))
    return {policy.name: policy for each in several for policy in each}


def open_policy(name: str) -> Policy:
    """The policy called `name`: ours, a plug-in's, or ``KIND:WHATEVER`` of a kind of policies.

    Raises
    ------
    InputError
        There is none, or its plug-in cannot be loaded or is no policy.
    """
    # Those of benchmarks take a tenth of a second to load.
    if ":" in name:
        return _of_a_kind(name)
    every_use = next((policy for policy in OF_EVERY_USE if policy.name == name), None)
    return every_use or policies().get(name) or _plugged_in(name)


def find_policy(name: str) -> Policy | None:
    """Open a policy as `open_policy` does; None where there is no such policy here."""
    try:
        return open_policy(name)
    except InputError:
        return None


@cache
def _of_a_kind(name: str) -> Policy:
    """The policy that a plug-in makes of what follows the name of its kind."""
    kind, _, rest = name.partition(":")
    if own := plugins.ours(plugins.POLICIES).get(kind):
        make = own.load()
    else:
        make = plugins.load(_outside(kind, name))
    policy = make(rest) if callable(make) else None
    if not isinstance(policy, Policy) or policy.name != name:
        raise InputError(said("declares-no-policy", name=repr(name), kind=kind))
    return policy


def _outside(point: str, name: str) -> plugins.Plugin:
    """The plug-in of another package with this entry point. Raises `InputError` for none."""
    outside = plugins.installed(plugins.POLICIES)
    if point not in outside:
        known = {**policies(), **outside}
        hint = did_you_mean(name, known)
        raise InputError(said("error-policy", name=repr(name), hint=hint))
    return outside[point]


@cache
def _plugged_in(name: str) -> Policy:
    plugin = _outside(name, name)
    policy = plugins.load(plugin)
    if not isinstance(policy, Policy) or policy.name != name:
        raise InputError(
            said("declares-policy", name=repr(name), source=plugin.source, place=plugin.place)
        )
    return policy
