"""Numbers and orders at random that depend on nothing but a seed and names."""

from __future__ import annotations

from hashlib import blake2b


def chance(seed: int, *words: str) -> float:
    """A number in [0, 1) that depends on nothing but seed and words."""
    key = "\0".join((str(seed), *words)).encode("utf-8", "replace")
    return int.from_bytes(blake2b(key, digest_size=7).digest()) / 2**56


def place_at_random(seed: int, cluster: str | None, item: str) -> tuple[float, str, float, str]:
    """Return a sort key for a random order of items in which clusters stay together."""
    together = item if cluster is None else f"cluster {cluster}"
    return chance(seed, "order", together), together, chance(seed, "item", item), item
