"""A model on the workers of a Ray cluster; here, where they are to be, as the user says it.

Imports nothing of Ray's.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from zhiyin.flags import ABOVE_0, COUNT, Flag

_AMOUNT = msgspec.Meta(ge=0, le=1024)


class BulkSettings(msgspec.Struct, frozen=True):
    """Settings for asking questions in bulk.

    Attributes
    ----------
    out : str or None
        The folder of a run to be made of the replies.
    block : int
    """

    out: Annotated[
        str | None,
        Flag("make a run of the replies there when all have come", metavar="RUN_DIR", place=True),
    ] = None
    block: Annotated[
        int,
        Flag(
            "questions that go to a worker at once, and are lost if it is",
            metavar="N",
            within=COUNT,
        ),
    ] = 64


class Cluster(msgspec.Struct, frozen=True):
    """Settings of the workers: where they are to be, and on what.

    Attributes
    ----------
    address : str
        "local" for a Ray of this process, "auto" for the one that runs here, or HOST:PORT.
    workers : int or None
        How many; None for as many as the cluster has room for.
    cpus, gpus : float
        Of one worker.
    each : int or None
        Trials at once of one worker; None for what suits the model.
    wait_s : float
        How long nobody may be there to work before the run stops.
    """

    address: Annotated[
        str,
        Flag(
            "the model is on a cluster's workers",
            metavar="local|auto|HOST:PORT",
            name="ray",
            typed=True,
        ),
    ]
    workers: Annotated[
        int | None,
        Flag(
            "default: as many as there is room for",
            metavar="N",
            name="ray-workers",
            within=COUNT,
            typed=True,
        ),
    ] = None
    cpus: Annotated[
        float,
        Flag("processors of each worker", metavar="C", name="ray-cpus", within=_AMOUNT, typed=True),
    ] = 1.0
    gpus: Annotated[
        float,
        Flag(
            "GPUs of each worker; default 0",
            metavar="G",
            name="ray-gpus",
            within=_AMOUNT,
            typed=True,
        ),
    ] = 0.0
    each: Annotated[
        int | None,
        Flag(
            "trials at once of each worker", metavar="N", name="ray-each", within=COUNT, typed=True
        ),
    ] = None
    wait_s: Annotated[
        float,
        Flag(
            "stop when there is no worker for so long",
            metavar="S",
            name="ray-wait",
            within=ABOVE_0,
            typed=True,
        ),
    ] = 60.0
