"""A request that is written and not sent: a part of a batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from zhiyin.errors import TransientError
from zhiyin.models.pictures import SentPicture
from zhiyin.models.playback import Sent
from zhiyin.models.refusals import Manner
from zhiyin.record import Sampling


class Written(NamedTuple):
    """What `generate` would send, and what it would log of it.

    Attributes
    ----------
    body : bytes
        JSON.
    sent : sequence of Sent and SentPicture
    detail : dict
        Of the reply.
    manner : Manner
        In which it is put.
    wanted : Sampling
        As it is put.
    """

    body: bytes
    sent: Sequence[Sent | SentPicture]
    detail: dict[str, Any]
    manner: Manner
    wanted: Sampling


class AnotherWay(TransientError):  # noqa: N818 - it is a lesson more than an error
    """The server refused the form of a request: it is to be sent in another form."""
