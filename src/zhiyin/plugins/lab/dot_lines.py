"""Pictures of dots for a terminal, in letters."""

from __future__ import annotations

from zhiyin.shown.charts import ChartScale
from zhiyin.shown.dots import Dot, DotPicture, DotRow
from zhiyin.shown.table import Column, MarkedFigure, Row, Table, written
from zhiyin.words import Text, said

_LETTERS = 21
"""How wide a line is in a terminal."""


def in_terminal(made: DotPicture) -> Table:
    """The picture for a terminal: a line for each mark, ``|----o--|``, and its figure behind it."""
    several = len(made.names) > 1
    share, scale = made.unit == "share", made.scale
    over = written((scale.low, scale.high), Column("", made.kind, 0 if share else None))
    heads = [Column(made.head), *([Column(said("report-run"))] if several else [])]
    columns = [*heads, Column(over, "count"), Column("%" if share else made.unit, made.kind)]
    rows = []
    for number, row in enumerate(made.rows):
        shown = [(n, dot) for n, dot in enumerate(row.dots) if dot]
        for place, (n, dot) in enumerate(shown):
            name = "" if place else row.name
            who = (made.names[n][1],) if several else ()
            figure: Text | float | tuple[float, float, float] | None = dot.told or dot.value
            if not dot.told and None not in (dot.value, dot.low, dot.high):
                figure = (dot.value or 0.0, dot.low or 0.0, dot.high or 0.0)
            cell = MarkedFigure(figure, notes=(dot.hollow, *dot.notes) if dot.hollow else dot.notes)
            cells = (name, *who, _line(scale, row, dot), dot.hollow if figure is None else cell)
            rows.append(Row(cells, weight=-number))
    return Table("picture", made.title, tuple(columns), tuple(rows), made.notes)


def _line(scale: ChartScale, row: DotRow, dot: Dot) -> str:
    """A mark with its interval in letters, guessing as a colon."""
    line = ["\u00a0"] * _LETTERS  # not broken at, nor cut

    def at(value: float) -> int:
        share = (value - scale.low) / (scale.high - scale.low)
        return round((_LETTERS - 1) * min(1.0, max(0.0, share)))

    if dot.low is not None and dot.high is not None:
        low, high = at(dot.low), at(dot.high)
        line[low : high + 1] = "-" * (high + 1 - low)
        line[low] = line[high] = "|"
    if row.rule is not None:
        line[at(row.rule)] = ":"
    if dot.value is not None:
        line[at(dot.value)] = "o"
    return "".join(line)
