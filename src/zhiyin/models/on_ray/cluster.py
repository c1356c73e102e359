"""Where workers are to be, as the user says it. Imports nothing of Ray's."""

from __future__ import annotations

import msgspec


class Cluster(msgspec.Struct, frozen=True):
    """Where the workers are to be, and on what.

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

    address: str = "local"
    workers: int | None = None
    cpus: float = 1.0
    gpus: float = 0.0
    each: int | None = None
    wait_s: float = 60.0
