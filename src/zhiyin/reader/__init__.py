"""From free text to an option: the extraction policies, named and versioned."""

from __future__ import annotations

from functools import cache

from zhiyin import plugins
from zhiyin.errors import InputError, did_you_mean
from zhiyin.reader import published, robust
from zhiyin.reader.policy import Policy
from zhiyin.reader.reading import Reading
from zhiyin.reader.refusal import is_refusal

__all__ = ["Policy", "Reading", "find_policy", "is_refusal", "open_policy", "policies"]

_ALL = (
    Policy("robust", 4, "the last declared answer that stands; our default", robust.read),
    Policy(
        "first-letter",
        2,
        "first upper-case A to D anywhere (Li et al. 2024, section 4.1)",
        published.first_letter,
    ),
    Policy(
        "final-line",
        2,
        "the last 'Final Answer: X', or the last line (Carone, Roman and Ripollés)",
        published.final_line,
    ),
    Policy(
        "flexible",
        2,
        "first a to d set apart, the article included (ReactionEval)",
        published.flexible,
    ),
    Policy(
        "string-match",
        1,
        "all words of one option and of no other (Sakshi et al. 2024; Ma et al. 2025)",
        published.string_match,
    ),
)


@cache
def policies() -> dict[str, Policy]:
    """All policies that come with Zhiyin: those of every use, and those of its benchmarks."""
    listings = plugins.of_benchmarks("POLICIES").values()
    own = (policy for list_policies in listings for policy in list_policies())
    return {policy.name: policy for policy in (*_ALL, *own)}


def open_policy(name: str) -> Policy:
    """The policy called `name`, ours or a plug-in's.

    Raises
    ------
    InputError
        There is none, or its plug-in cannot be loaded or is no policy.
    """
    # Those of benchmarks take a tenth of a second to load.
    every_use = next((policy for policy in _ALL if policy.name == name), None)
    return every_use or policies().get(name) or _plugged_in(name)


def find_policy(name: str) -> Policy | None:
    """As `open_policy`; None where there is no such policy here."""
    try:
        return open_policy(name)
    except InputError:
        return None


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
