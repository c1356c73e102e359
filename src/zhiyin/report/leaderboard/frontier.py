"""Cost beside quality: each run, and the frontier that no other run is beyond, as a drawing."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import msgspec

from zhiyin.report.leaderboard.board import Board, Row
from zhiyin.words import Text

_WIDE, _TALL, _LEFT, _FOOT = 640, 260, 44, 40
_LETTER = 7.5
"""Width of a letter, and its height more than once: names that would meet are moved apart."""
_LINE = 14


class Point(msgspec.Struct):
    """A run in the drawing: its place, the ends of its interval, and where its name stands."""

    name: str
    x: float
    y: float
    ends: tuple[float, float] | None
    best: bool
    leftward: bool = False
    label: float = 0.0

    @property
    def room(self) -> tuple[float, float]:
        """From where to where its name goes."""
        length = _LETTER * len(self.name)
        start = self.x - 8 - length if self.leftward else self.x + 8
        return start, start + length


class Plot(msgspec.Struct, frozen=True):
    """The drawing in units of its own: levels and ticks are (place, value)."""

    figure: Text
    unit: str
    names: list[str]
    levels: list[tuple[float, float]]
    ticks: list[tuple[float, str]]
    edge: str
    points: list[Point]
    wide: int = _WIDE
    tall: int = _TALL
    left: int = _LEFT
    right: int = _WIDE - 10
    foot: int = _TALL - _FOOT + 16


def points_of(board: Board) -> tuple[str, list[tuple[Row, float, float]]]:
    """What is known of the cost of an item: its unit, and each run with its cost and its figure.

    In money where two runs or more have a price, else in tokens; empty where neither is known.
    """
    if not board.columns:
        return "", []
    runs = [row for row in board.rows if row.letters and board.columns[0] in row.cells]
    for unit in ("usd", "tokens"):
        costs = [(row, row.usd if unit == "usd" else row.tokens) for row in runs]
        points = [(row, cost, row.cells[board.columns[0]].value) for row, cost in costs if cost]
        if len(points) > 1:
            return unit, points
    return "", []


def frontier(points: Sequence[tuple[Row, float, float]]) -> list[tuple[Row, float, float]]:
    """Those that no other beats in quality at the same cost or less, cheapest first."""
    best: list[tuple[Row, float, float]] = []
    for point in sorted(points, key=lambda one: (one[1], -one[2])):
        if not best or point[2] > best[-1][2]:
            best.append(point)
    return best


def plot_of(board: Board) -> Plot | None:
    """The drawing; None where fewer than two runs have a cost."""
    unit, points = points_of(board)
    if not points:
        return None
    first = board.columns[0]
    ends = [row.cells[first] for row, _, _ in points]
    low = min(cell.low if cell.low is not None else cell.value for cell in ends)
    high = max(cell.high if cell.high is not None else cell.value for cell in ends)
    low, high = max(0.0, low - 0.04), min(1.0, high + 0.04)
    logs = [math.log10(cost) for _, cost, _ in points]
    room = max(0.15, 0.12 * (max(logs) - min(logs)))
    left, right = min(logs) - room, max(logs) + 2.5 * room

    def x(cost: float) -> float:
        return round(_LEFT + (_WIDE - _LEFT - 10) * (math.log10(cost) - left) / (right - left), 1)

    def y(value: float) -> float:
        return round(22 + (_TALL - _FOOT - 22) * (high - value) / (high - low), 1)

    edge = frontier(points)
    on_edge = {id(row) for row, _, _ in edge}
    drawn = []
    for row, cost, value in points:
        cell = row.cells[first]
        whole = cell.low is not None and cell.high is not None
        ends_at = (y(cell.low or 0.0), y(cell.high or 0.0)) if whole else None
        drawn.append(Point(row.name, x(cost), y(value), ends_at, id(row) in on_edge))
    line = f"M{x(edge[0][1])} {y(edge[0][2])}"
    line += "".join(f"H{x(cost)}V{y(value)}" for _, cost, value in edge[1:])
    return Plot(
        figure=board.headings.get(first, first),
        unit=unit,
        names=[row.name for row, _, _ in edge],
        levels=_levels(low, high, y),
        ticks=_ticks(left, right, x),
        edge=f"{line}H{_WIDE - 10}",
        points=_named(drawn),
    )


def _named(points: list[Point]) -> list[Point]:
    """Points with places for their names, none over another: beside the point, or further down."""
    taken: list[Point] = []
    for point in sorted(points, key=lambda one: one.y):
        point.leftward = point.x + 8 + _LETTER * len(point.name) > _WIDE
        point.label = point.y - 6
        while any(
            abs(other.label - point.label) < _LINE
            and other.room[0] < point.room[1]
            and point.room[0] < other.room[1]
            for other in taken
        ):
            point.label += _LINE
        taken.append(point)
    return points


def _levels(low: float, high: float, y: Callable[[float], float]) -> list[tuple[float, float]]:
    step = next(s for s in (0.02, 0.05, 0.1, 0.2, 0.5) if (high - low) / s <= 6)
    numbers = range(math.ceil(low / step), math.floor(high / step) + 1)
    return [(y(n * step), n * step) for n in numbers]


def _ticks(left: float, right: float, x: Callable[[float], float]) -> list[tuple[float, str]]:
    steps = [
        (times * 10**power)
        for power in range(math.floor(left), math.ceil(right) + 1)
        for times in (1, 2, 5)
        if left <= math.log10(times * 10**power) <= right
    ]
    if len(steps) > 6:
        steps = [step for step in steps if f"{step:g}"[-1] in "10"] or steps[:6]
    return [(x(step), f"{step:g}") for step in steps]
