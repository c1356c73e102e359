"""How a server is to be asked: what it refuses by name is left out from then on, with a remark."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import msgspec

from zhiyin.models.capabilities import Capabilities
from zhiyin.models.replies import Complaint, refuses_schema, wants_completion_limit
from zhiyin.record import Sampling

_SERVER_NAMES: dict[str, frozenset[str]] = {
    "temperature": frozenset({"temperature"}),
    "top_p": frozenset({"top_p", "topp"}),
    "top_k": frozenset({"top_k", "topk"}),
    "seed": frozenset({"seed", "random_seed"}),
    "thinking": frozenset(
        {"reasoning_effort", "reasoning", "thinking", "thinking_budget", "thinking_level"}
        | {"thinkingbudget", "thinkinglevel", "thinking_config", "enable_thinking", "effort"}
    ),
}
"""What may be left out, and what servers call it, in lower case."""
_REFUSED = re.compile(
    r"unsupported|unrecogni[sz]ed|unknown (parameter|argument|field|name)|unexpected keyword"
    r"|extra (inputs|fields)|extra_forbidden|deprecated|additional propert"
    r"|(not|n't|no longer)( be)? (support|allow|permit|accept|available|enabled|implemented)",
    re.IGNORECASE,
)
MOST = 8
"""How often one call is put in another way at most."""


def _nothing(sampling: Sampling) -> frozenset[str]:
    return frozenset()


class Manner(msgspec.Struct, frozen=True):
    """What is known of a server by now.

    Attributes
    ----------
    other_length : bool
        Whether the limit of a reply goes under its second name (`max_completion_tokens`).
    schemas : bool
        Whether requests may hold a JSON schema.
    left_out : frozenset of str
        Settings that were refused by name.
    """

    other_length: bool = False
    schemas: bool = True
    left_out: frozenset[str] = frozenset()


class Manners:
    """What a server has taught about how it wants to be asked, for all calls of a model.

    Parameters
    ----------
    can : Capabilities
        What cannot be set is left out from the beginning.
    excluded : callable, optional
        From what is asked for to the settings that cannot be sent beside the others.

    Attributes
    ----------
    now : Manner
    """

    def __init__(
        self, can: Capabilities, excluded: Callable[[Sampling], frozenset[str]] = _nothing
    ) -> None:
        self._can, self._excluded, self.now = can, excluded, Manner()
        self._unsettable: set[str] = set()
        self._newest: tuple[Sampling, Manner, Sampling] | None = None

    def sent(self, sampling: Sampling) -> Sampling:
        """`sampling` without what cannot be set, or was refused."""
        newest = self._newest  # all calls of a run want the same
        if newest and newest[0] is sampling and newest[1] is self.now:
            return newest[2]
        gone = {
            name: None
            for name in (*_SERVER_NAMES, "max_tokens")
            if getattr(sampling, name) is not None
            and (name in self.now.left_out or not self._settable(name, sampling))
        }
        if sampling.schema is not None and (not self.now.schemas or self._can.schema is False):
            gone["schema"] = None
        sent: Sampling = msgspec.structs.replace(sampling, **gone) if gone else sampling
        self._newest = sampling, self.now, sent
        return sent

    def _settable(self, name: str, sampling: Sampling) -> bool:
        known = name == "thinking" or self._can.sets(name)
        if known and name not in self._excluded(sampling):
            return True
        self._unsettable.add(name)
        return False

    def learn(self, manner: Manner, asked: Sampling, status: int, complaint: Complaint) -> bool:
        """Whether a refused request is worth putting in another way, which is `now` from here.

        Parameters
        ----------
        manner : Manner
            In which it was asked.
        asked : Sampling
            As it was sent.
        status : int
        complaint : Complaint
        """
        change = self._change(manner, asked, status, complaint)
        if change is None:
            return False
        now = self.now  # others may have learned something else meanwhile
        self.now = Manner(
            now.other_length or change.other_length,
            now.schemas and change.schemas,
            now.left_out | change.left_out,
        )
        return True

    def _change(
        self, manner: Manner, asked: Sampling, status: int, complaint: Complaint
    ) -> Manner | None:
        replace: Callable[..., Manner] = msgspec.structs.replace
        if asked.schema is not None and refuses_schema(status, complaint):
            return replace(manner, schemas=False)
        limited = asked.max_tokens is not None and not manner.other_length
        if limited and status == 400 and wants_completion_limit(complaint):
            return replace(manner, other_length=True)
        given = [name for name in _SERVER_NAMES if getattr(asked, name) is not None]
        name = refused_setting(status, complaint, given)
        return replace(manner, left_out=manner.left_out | {name}) if name else None

    def detail(self, wanted: Sampling, sent: Sampling) -> dict[str, Any]:
        """What a reply's detail says of settings that were wanted and not sent, if any were."""
        if wanted is sent:
            return {}
        names = [
            name
            for name in (*_SERVER_NAMES, "max_tokens")
            if getattr(wanted, name) is not None and getattr(sent, name) is None
        ]
        return {"left_out": names} if names else {}

    def describe(self) -> dict[str, Any]:
        """What a run's manifest says."""
        return {
            "takes_schemas": self.now.schemas and self._can.schema is not False,
            "left_out": sorted(self.now.left_out | self._unsettable),
        }

    def remarks(self) -> list[str]:
        """What the user should know, a line each."""
        lines = []
        if self.now.left_out:
            names = ", ".join(sorted(self.now.left_out))
            lines.append(f"left out, for the server refuses it: {names}")
        if self._unsettable:
            names = ", ".join(sorted(self._unsettable))
            lines.append(f"not sent, for it cannot be set here: {names}")
        return lines


def refused_setting(status: int, complaint: Complaint, given: list[str]) -> str | None:
    """Which of the settings that were sent a server refuses to be given, or None.

    That a value is too large or too small is another matter. Of several that are named, the
    first is it.
    """
    if status not in (400, 422):
        return None
    code = complaint.code.lower()
    if not (
        code.startswith(("unsupported", "unknown_param")) or _REFUSED.search(complaint.message)
    ):
        return None
    blamed = re.split(r"\W+", complaint.param.lower())
    words = re.findall(r"\w+", complaint.message.lower())
    for word in (*blamed, *words):
        for name in given:
            if word in _SERVER_NAMES[name]:
                return name
    return None
