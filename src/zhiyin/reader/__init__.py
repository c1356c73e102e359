"""From free text to an option: the extraction policies, named and versioned."""

from __future__ import annotations

from functools import cache

from zhiyin import plugins
from zhiyin.errors import InputError, did_you_mean
from zhiyin.reader import clauses, published
from zhiyin.reader.policy import Policy
from zhiyin.reader.reading import Reading
from zhiyin.reader.refusal import is_refusal

__all__ = ["POLICIES", "Policy", "Reading", "find_policy", "is_refusal", "open_policy"]

_ALL = (
    Policy("robust", 2, "the last declared answer that stands; our default", clauses.read),
    Policy(
        "first-letter",
        2,
        "first upper-case A to D anywhere (ZIQI-Eval, section 4.1)",
        published.first_letter,
    ),
    Policy(
        "muchomusic",
        1,
        "letter or full text, if one and only one is given (MuChoMusic's paper)",
        published.muchomusic,
    ),
    Policy(
        "muchomusic-code",
        2,
        "the only capital among A to D, even inside words (MuChoMusic's code)",
        published.muchomusic_code,
    ),
    Policy(
        "final-line",
        2,
        "the last 'Final Answer: X', or the last line (perception study)",
        published.final_line,
    ),
    Policy(
        "flexible",
        2,
        "first a to d set apart, the article included (appraisal benchmark)",
        published.flexible,
    ),
)
POLICIES: dict[str, Policy] = {policy.name: policy for policy in _ALL}


def open_policy(name: str) -> Policy:
    """The policy called `name`, ours or a plug-in's.

    Raises
    ------
    InputError
        There is none, or its plug-in cannot be loaded or is no policy.
    """
    return POLICIES.get(name) or _plugged_in(name)


def find_policy(name: str) -> Policy | None:
    """As `open_policy`; None where there is no such policy here."""
    if name not in POLICIES and name not in plugins.installed(plugins.POLICIES):
        return None
    try:
        return open_policy(name)
    except InputError:
        return None


@cache
def _plugged_in(name: str) -> Policy:
    outside = plugins.installed(plugins.POLICIES)
    if name not in outside:
        known = {**POLICIES, **outside}
        raise InputError(f"unknown extraction policy {name!r}: {did_you_mean(name, known)}")
    plugin = outside[name]
    found = plugins.load(plugin)
    if not isinstance(found, Policy) or found.name != name:
        raise InputError(
            f"policy {name!r} of {plugin.source}: {plugin.place} is not a zhiyin.reader.Policy "
            f"called {name!r}"
        )
    return found
