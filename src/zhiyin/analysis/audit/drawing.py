"""Drawing replies to be marked: by chance within strata, with known probabilities."""

from __future__ import annotations

import math
from hashlib import blake2b
from pathlib import Path

import msgspec

from zhiyin.analysis.audit.marks import Book, Draw, Drawn
from zhiyin.analysis.audit.population import EXPECTED, Population, Shown, read_population, show
from zhiyin.errors import InputError
from zhiyin.statistics.audited import allocate

ALLOCATIONS = ("neyman", "proportional")
DEFAULT_N = 100
_LEAST = 5
"""Replies drawn from each stratum at least, if it holds as many: a small one is not unseen."""


class Wish(msgspec.Struct, frozen=True):
    """What the user asks of the draw. None keeps what an earlier draw has."""

    n: int | None = None
    seed: int | None = None
    allocation: str | None = None


class Audit(msgspec.Struct):
    """An audit under way: the run's replies, its draws and marks, and what is shown."""

    folder: Path
    population: Population
    book: Book
    draw: Draw
    shown: dict[str, Shown]


def open_audit(folder: Path, wish: Wish) -> Audit:
    """Open the audit of a run; draw where nothing fitting has been drawn yet.

    A reply's place in its stratum is decided by a hash of the seed and its trial's id, and the
    first so many are taken: a greater draw holds a smaller one, and no mark is lost.

    Raises
    ------
    InputError
        Not a run, a run whose replies are not read by rule, or a number that is too small.
    """
    if wish.n is not None and wish.n < 1:
        raise InputError(f"--n {wish.n}: draw at least 1 reply")
    population = read_population(folder)
    if not population.readings:
        raise InputError(
            f"{folder}: no reply in it was read by rule as a choice among options: there is "
            "nothing to audit"
        )
    book = Book(folder)
    old = book.draw
    same_wish = old is not None and all(
        asked in (None, had)
        for asked, had in (
            (wish.n, old.n), (wish.seed, old.seed), (wish.allocation, old.allocation)
        )
    )  # fmt: skip
    if old is not None and same_wish and fits(old, population):
        shown = show(folder, {one.id for one in old.replies})
        if all(shown[one.id].reply == one.reply for one in old.replies):
            return Audit(folder, population, book, old, shown)
    n = wish.n if wish.n is not None else old.n if old else DEFAULT_N
    seed = wish.seed if wish.seed is not None else old.seed if old else 0
    allocation = wish.allocation or (old.allocation if old else ALLOCATIONS[0])
    draw, shown = make_draw(folder, population, n, seed, allocation)
    book.add([draw])
    return Audit(folder, population, book, draw, shown)


def fits(draw: Draw, population: Population) -> bool:
    """Whether a draw is one from these replies: all drawn are there, and none has come or gone."""
    there = all(one.id in population.readings for one in draw.replies)
    return there and sum(draw.sizes.values()) == len(population.readings)


def make_draw(
    folder: Path, population: Population, n: int, seed: int, allocation: str
) -> tuple[Draw, dict[str, Shown]]:
    """Draw `n` replies, or all where there are no more."""
    strata = population.strata()
    expected = [EXPECTED.get(name, 0.1) for name in strata]
    spreads = [1.0 if allocation == "proportional" else math.sqrt(p * (1 - p)) for p in expected]
    sizes = [len(ids) for ids in strata.values()]
    numbers = allocate(sizes, spreads, n, min(_LEAST, max(1, n // len(strata))))
    drawn: list[tuple[bytes, str, str]] = []
    for (name, ids), number in zip(strata.items(), numbers, strict=True):
        placed = sorted((_place(seed, one), one) for one in ids)
        drawn += [(place, one, name) for place, one in placed[:number]]
    shown = show(folder, {one for _, one, _ in drawn})
    replies = tuple(Drawn(one, name, shown[one].reply) for _, one, name in sorted(drawn))
    return (
        Draw(
            seed,
            n,
            allocation,
            dict(zip(strata, sizes, strict=True)),
            {
                name: number / size
                for name, number, size in zip(strata, numbers, sizes, strict=True)
            },
            replies,
        ),
        shown,
    )


def _place(seed: int, name: str) -> bytes:
    return blake2b(f"{seed}/{name}".encode(), digest_size=12).digest()
