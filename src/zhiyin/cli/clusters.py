"""The flags about workers on other machines."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from zhiyin.errors import InputError

if TYPE_CHECKING:
    from zhiyin.models.on_ray.cluster import Cluster


def add_cluster(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    from zhiyin.cli.values import positive, seconds

    add = parser.add_argument_group(
        "on the workers of a Ray cluster (docs/cluster.md)"
    ).add_argument
    add("--ray", metavar="local|auto|HOST:PORT", help="the model is on a cluster's workers")
    add("--ray-workers", type=positive, metavar="N", help="default: as many as there is room for")
    add("--ray-cpus", type=_amount, metavar="C", help="processors of each worker; default 1")
    add("--ray-gpus", type=_amount, metavar="G", help="GPUs of each worker; default 0")
    add("--ray-each", type=positive, metavar="N", help="trials at once of each worker")
    add(
        "--ray-wait",
        type=seconds,
        metavar="S",
        help="stop when there is no worker for so long; default 60",
    )


def cluster_of(args: argparse.Namespace) -> Cluster | None:
    """The cluster of the flags. Raises `InputError` where they contradict each other."""
    from zhiyin.models.on_ray.cluster import Cluster

    given = {
        name: value
        for name in ("workers", "cpus", "gpus", "each", "wait")
        if (value := getattr(args, f"ray_{name}")) is not None
    }
    if args.ray is None:
        if given:
            raise InputError(f"--ray-{next(iter(given))} needs --ray local, auto or HOST:PORT")
        return None
    if args.batch:
        raise InputError("--batch hands requests to a provider: leave out --ray")
    if "wait" in given:
        given["wait_s"] = given.pop("wait")
    return Cluster(args.ray, **given)


def _amount(text: str) -> float:
    value = float(text)
    if not 0 <= value <= 1024:
        raise argparse.ArgumentTypeError(f"{text}: give a number from 0 to 1024")
    return value


_amount.__name__ = "number"
