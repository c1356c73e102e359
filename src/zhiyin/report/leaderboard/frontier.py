"""Cost beside quality as a drawing: each run, and the frontier that no other run is beyond."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from html import escape

from zhiyin.chinese import found_in_chinese
from zhiyin.report.leaderboard.board import Board, Row

_WIDE, _TALL, _LEFT, _FOOT = 640, 260, 44, 40


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


def drawing(board: Board) -> str:
    """The picture as SVG within a figure; empty where fewer than two runs have a cost."""
    unit, points = points_of(board)
    if not points:
        return ""
    first = board.columns[0]
    ends = [row.cells[first] for row, _, _ in points]
    low = min(cell.low if cell.low is not None else cell.value for cell in ends)
    high = max(cell.high if cell.high is not None else cell.value for cell in ends)
    low, high = max(0.0, low - 0.04), min(1.0, high + 0.04)
    logs = [math.log10(cost) for _, cost, _ in points]
    room = max(0.15, 0.12 * (max(logs) - min(logs)))
    left, right = min(logs) - room, max(logs) + 2.5 * room

    def x(cost: float) -> float:
        return _LEFT + (_WIDE - _LEFT - 10) * (math.log10(cost) - left) / (right - left)

    def y(value: float) -> float:
        return 22 + (_TALL - _FOOT - 22) * (high - value) / (high - low)

    parts = [_grid(low, high, y), _ticks(left, right, x, unit)]
    edge = frontier(points)
    line = f"M{x(edge[0][1]):.1f} {y(edge[0][2]):.1f}"
    line += "".join(f"H{x(cost):.1f}V{y(value):.1f}" for _, cost, value in edge[1:])
    parts.append(f'<path class="edge" d="{line} H{_WIDE - 10}"/>')
    on_edge = {id(row) for row, _, _ in edge}
    parts += [_point(row, first, x(cost), y, id(row) in on_edge) for row, cost, _ in points]
    names = ", ".join(row.name for row, _, _ in edge)
    words = f"{first}, %, against {unit} for an item, logarithmic. On the frontier: {names}."
    other, label = _in_chinese(words), _in_chinese(words, "data-zh-label")
    return (
        f'<figure class="cost"><svg viewBox="0 0 {_WIDE} {_TALL}" role="img" '
        f'aria-label="{escape(words)}"{label}>{"".join(parts)}</svg>'
        f"<figcaption{other}>{escape(words)}</figcaption></figure>"
    )


def _grid(low: float, high: float, y: Callable[[float], float]) -> str:
    step = next(s for s in (0.02, 0.05, 0.1, 0.2, 0.5) if (high - low) / s <= 6)
    values = [n * step for n in range(math.ceil(low / step), math.floor(high / step) + 1)]
    return "".join(
        f'<path class="grid" d="M{_LEFT} {y(v):.1f}H{_WIDE - 10}"/>'
        f'<text x="{_LEFT - 6}" y="{y(v) + 4:.1f}" text-anchor="end">{100 * v:.0f}</text>'
        for v in values
    )


def _ticks(left: float, right: float, x: Callable[[float], float], unit: str) -> str:
    base = _TALL - _FOOT + 16
    steps = [
        (times * 10**power)
        for power in range(math.floor(left), math.ceil(right) + 1)
        for times in (1, 2, 5)
        if left <= math.log10(times * 10**power) <= right
    ]
    if len(steps) > 6:
        steps = [step for step in steps if f"{step:g}"[-1] in "10"] or steps[:6]
    label = f"{unit} for an item"
    zh = _in_chinese(label)
    return (
        "".join(
            f'<text x="{x(step):.1f}" y="{base}" text-anchor="middle">{step:g}</text>'
            for step in steps
        )
        + f'<text x="{_WIDE - 10}" y="{base + 17}" text-anchor="end"{zh}>{label}</text>'
    )


def _point(row: Row, first: str, x: float, y: Callable[[float], float], on_edge: bool) -> str:
    cell = row.cells[first]
    whisker = ""
    if cell.low is not None and cell.high is not None:
        whisker = f'<path class="whisker" d="M{x:.1f} {y(cell.low):.1f}V{y(cell.high):.1f}"/>'
    kind = "on" if on_edge else "off"
    return (
        f'<g class="{kind}">{whisker}<circle cx="{x:.1f}" cy="{y(cell.value):.1f}" r="4.5"/>'
        f'<text x="{x + 8:.1f}" y="{y(cell.value) - 6:.1f}">{escape(row.name)}</text></g>'
    )


def _in_chinese(words: str, attribute: str = "data-zh") -> str:
    """The attribute that the page's script shows in place of the English words."""
    zh = found_in_chinese(words)
    return f' {attribute}="{escape(zh)}"' if zh else ""
