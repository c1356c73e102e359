"""The tables of a leaderboard, for terminal and page alike: ranks, figures, caveats once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping, Sequence

from zhiyin.analysis.run import RULES, answerers, contenders
from zhiyin.engine.naming import MARK, PEOPLE
from zhiyin.plugins.lab.leaderboard import board as boards
from zhiyin.plugins.lab.leaderboard.board import Board
from zhiyin.runs.measures import ACCURACY
from zhiyin.shown.charts import Series, marks_of, symbol, worth_an_axis
from zhiyin.shown.dots import Dot, DotPicture, DotRow, strips
from zhiyin.shown.table import Cell, Column, Drawing, Link, MarkedFigure, Row, Table, kinds_of
from zhiyin.words import Named, Said, Text, said
from zhiyin.words.findings import Remark

Links = Mapping[str, str]
"""Address of a run's report or statement by the run's folder."""
Marks = Mapping[tuple[str, str], Series]
"""How the marks of a run are drawn, by its model and name."""


def marks_on(page: Sequence[Board]) -> Marks:
    """The mark of each run of a page: a failed canary is no setting."""
    owners = [(row.model, row.name) for board in page for row in board.rows if row.kind == "run"]
    marks = marks_of((model, name.removesuffix(MARK)) for model, name in owners)
    return {(model, name): marks[model, name.removesuffix(MARK)] for model, name in owners}


def ranks(rows: Sequence[boards.BoardRow]) -> list[tuple[int, int] | None]:
    """Return the ranks between which each row is.

    Parameters
    ----------
    rows : sequence of Row
        Best first; models of one way that share a letter do not differ significantly (paired tests,
        Holm).

    Returns
    -------
    list of (int, int) or None
        One more than the models that are significantly better, and the number of models less those
        that are significantly worse; None for what has no rank: all but models that are ranked.
        As the tests hold together at 95 %, so do these.
    """
    able = [row for row in rows if row.letters]
    speaks = contenders([row.role for row in able]) - {"people", *RULES}
    found: dict[int, tuple[int, int]] = {}
    for way in {row.way for row in able}:
        models = [row for row in able if row.role in speaks and row.way == way]
        for place, row in enumerate(models if len(models) > 1 else ()):  # one alone has no rank
            other = [not set(row.letters) & set(one.letters) for one in models]
            found[id(row)] = (1 + sum(other[:place]), len(models) - sum(other[place + 1 :]))
    return [found.get(id(row)) for row in rows]


def ranking_table(
    board: Board, *, page: str = "", links: Links | None = None, marks: Marks | None = None
) -> Table | None:
    """Tabulate what is ranked, published rows between the runs; None where nothing is.

    Parameters
    ----------
    board : Board
    page : str
        The language of a page, which has room for all that is known: drawings, costs; or "".
    links : mapping, optional
        Addresses of reports.
    marks : mapping, optional
        By model, as they are on all of the page; by default of this table alone.
    """
    rows = [row for row in board.rows if row.letters or row.kind != "run"]
    if not any(row.kind == "run" for row in rows):
        return None
    columns, cells = _columns(board, rows, page=page, links=links or {})
    spans = ["–".join(map(str, dict.fromkeys(rank or ()))) or None for rank in ranks(rows)]
    if any(spans):
        columns.insert(1, Column(said("board-rank")))
        cells = [(own[0], span, *own[1:]) for own, span in zip(cells, spans, strict=True)]
    body = _body(board, rows, marks, columns, cells, page=page)
    roles = [row.role for row in rows if row.letters]
    title = said(
        "board-runs",
        who=answerers(len(roles), roles.count("people")),
        title=None if page else board.title,
        ranked=sum(bool(row.letters) for row in rows),
        items=board.items,
        unit=board.unit,
        of=board.part,
        own=all(row.items == board.items for row in rows if row.letters),
        ways=board.ways,
    )
    strong = (isinstance(c, MarkedFigure) and c.strong for row in body for c in row.cells)
    notes = (said("board-frontier"),) if any(strong) else ()
    return Table("leaderboard", title, tuple(columns), body, notes)


def claims_of(board: Board) -> list[Said]:
    """The findings of each way of asking: who is best, and how these do against baselines; of
    another measure than right answers to all with its name. One that several ways have stands once.
    """
    ways = _ways(board)
    alike: dict[str, list[tuple[int, int]]] = {}
    for way in ways:
        for number, claim in enumerate(_claims_in(board, way, bare=True)):
            alike.setdefault(str(claim), []).append((way, number))
    found = []
    for several in alike.values():
        way, number = several[0]
        claim = _claims_in(board, way, bare=len(several) > 1)[number]
        if len(several) > 1:
            each = [said("board-way", settings=_settings(board, one)) for one, _ in several]
            every = len(several) == len(ways)
            claim = said("board-ways", claim=claim, ways=each, n=len(several), every=every)
        found.append(claim)
    leads = board.leading[:1]
    usual = all(board.measures.get(name, ACCURACY).of == ACCURACY.of for name in leads)
    if not found or (usual and board.part is None):
        return found
    return [said("board-by", figure=board.headings[leads[0]], claims=found)]


def _ways(board: Board) -> list[int]:
    return list(dict.fromkeys(row.way for row in board.rows if row.letters))


def _settings(board: Board, way: int) -> list[Text] | None:
    """What all ranked rows of a way were set to otherwise than by default; None where not alike."""
    each = [
        row.called.facts.get("settings", []) if isinstance(row.called, Said) else []
        for row in board.rows if row.letters and row.way == way
    ]  # fmt: skip
    return each[0] if len({str([*map(str, own)]) for own in each}) == 1 else None


def _claims_in(board: Board, way: int, *, bare: bool = False) -> list[Said]:
    """The findings of one way; `bare`: rows without the settings that all of them have."""
    bare = bare and _settings(board, way) is not None

    def called(row: boards.BoardRow) -> Text | Named:
        if not isinstance(row.called, Said):
            return Named(row.name)
        return row.called.facts.get("name", row.called) if bare else row.called

    found: list[Said] = []
    able = [one for one in zip(board.rows, ranks(board.rows), strict=True)
            if one[0].letters and one[0].way == way]  # fmt: skip
    every = [row for row, _ in able]
    speaks = contenders([row.role for row in board.rows if row.letters]) - RULES
    own = [(row, rank) for row, rank in able if row.role in speaks]
    best = [row for row, rank in own if not rank or rank[0] == 1]
    if len(own) > 1:
        alone = any(rank == (1, 1) for _, rank in own)
        first = [called(row) for row in best]
        rest = [called(row) for row, _ in own if row not in best]
        facts = {"n": len(first), "behind": len(rest), "other": rest[0] if rest else None}
        found.append(said("board-claim", who=first, alone=alone, **facts))
    against: dict[tuple[str, tuple[int, ...]], list[Text | Named]] = {}
    for base in (row for row in every if row.role == "baseline"):
        hows: dict[str, list[int]] = {}
        for number, row in enumerate(best):
            above = every.index(base) < every.index(row)
            how = "same" if {*base.letters} & {*row.letters} else "worse" if above else "better"
            hows.setdefault(how, []).append(number)
        for how, numbers in hows.items():
            against.setdefault((how, (*numbers,)), []).append(called(base))
    for (how, held), bases in against.items():
        who = [called(best[n]) for n in held]
        found.append(said("board-against", who=who, n=len(who), how=how, baselines=bases,
                          of=len(bases)))  # fmt: skip
    return found


def best_of(page: Sequence[Board]) -> Said | None:
    """What a page of several tables says of all: on which a model is better than every other."""
    best: dict[str, tuple[Text, list[Text]]] = {}
    rest: dict[str, list[Text]] = {"level": [], "varied": [], "few": []}
    for board in page:
        own = [one for way in _ways(board) for one in _claims_in(board, way, bare=True)
               if one.name == "board-claim"]  # fmt: skip
        firsts = {str(one.facts["who"][0]): one.facts["who"][0] for one in own
                  if one.facts["alone"]}  # fmt: skip
        if not own:
            rest["few"].append(board.title)
        elif not firsts:
            rest["level"].append(board.title)
        elif len(firsts) > 1 or not all(one.facts["alone"] for one in own):
            rest["varied"].append(board.title)
        else:
            ((name, who),) = firsts.items()
            best.setdefault(name, (who, []))[1].append(board.title)
    if len(page) < 2:
        return None
    each = [said("board-best", who=who, titles=titles) for who, titles in best.values()]
    return said("board-top", best=each, **{name: titles or None for name, titles in rest.items()})


def _body(
    board: Board, rows: Sequence[boards.BoardRow], marks: Marks | None, columns: list[Column],
    cells: list[tuple[Cell, ...]], *, page: str,
) -> tuple[Row, ...]:  # fmt: skip
    """The rows; of a `page` the first figures with their intervals stand drawn behind the names."""
    if page and board.columns and any(board.columns[0] in row.cells for row in rows):
        _add_drawings(board, rows, marks, columns, cells, page)
    seen: Counter[bool] = Counter()
    made = []
    for place, (row, own) in enumerate(zip(rows, cells, strict=True)):
        doubted = any(note.severity == "doubt" for note in row.notes)
        # Of published rows those asked alike and those of which nobody knows stay by turns
        made.append(_row(row, own, -place if row.kind == "run" else -1000 - seen[doubted]))
        seen[doubted] += row.kind != "run"
    return tuple(made)


def _add_drawings(
    board: Board, rows: Sequence[boards.BoardRow], marks: Marks | None, columns: list[Column],
    cells: list[tuple[Cell, ...]], language: str,
) -> None:  # fmt: skip
    drawn, signs, marks = [], [], marks or marks_on([board])
    for row in rows:
        own = row.cells.get(board.columns[0])
        dot = Dot(own.value, own.low, own.high) if own else None
        if own and row.always:
            dot = Dot(own.value, hollow=row.always)
        drawn.append(DotRow(_name(row), dots=(dot,), rule=row.chance))
        run = row.kind == "run"
        signs.append(marks[row.model, row.name] if run else Series(row.kind, hollow=True))
    of = board.measures.get(board.columns[0], ACCURACY)
    over, lines = strips(DotPicture("", "", of.unit, (), tuple(drawn), tuple(signs)), language)
    columns.insert(1, Column(_headings(board, board.columns[:1])[0].title, axis=over))
    for n, line in enumerate(lines):
        made = Drawing(line, symbol(signs[n])) if drawn[n].dots[0] else None
        cells[n] = (cells[n][0], made, *cells[n][1:])


def costs_of(board: Board) -> tuple[str, list[tuple[boards.BoardRow, float]]]:
    """Return the unit and what an item cost each ranked run.

    The unit is money where two runs or more have a price, else tokens; empty where neither is
    known.
    """
    runs = [row for row in board.rows if row.letters]
    for unit in ("usd", "tokens"):
        costs = [(row, row.usd if unit == "usd" else row.tokens) for row in runs]
        found = [(row, cost) for row, cost in costs if cost]
        if len(found) > 1 or (found and unit == "tokens"):
            return unit, found
    return "", []


def frontier(
    board: Board, costs: Sequence[tuple[boards.BoardRow, float]]
) -> list[tuple[boards.BoardRow, float]]:
    """The models that no other one asked alike equals for less or beats at the same cost, cheapest
    first; none where costs hardly differ.
    """
    first = board.columns[0]
    sign = -1 if board.measures.get(first, ACCURACY).lower_is_better else 1
    best: list[tuple[boards.BoardRow, float]] = []
    for way in _ways(board):
        able = sorted(
            (cost, -sign * (row.cells[first].value or 0.0), place)
            for place, (row, cost) in enumerate(costs)
            if row.role == "model" and first in row.cells and row.way == way
        )
        if not worth_an_axis([cost for cost, _, _ in able]):
            continue
        for number, (cost, value, place) in enumerate(able):
            if all(value < before or (cost, value) == (paid, before)
                   for paid, before, _ in able[:number]):  # fmt: skip
                best.append((costs[place][0], cost))
    return best


def unranked_table(
    board: Board, *, page: str = "", links: Links | None = None, marks: Marks | None = None
) -> Table | None:
    """The runs that have no rank, each with the reason; None where all have one."""
    measured = {row.cells[0] for table in board.measured for row in table.rows}
    rows = [
        row for row in board.rows
        if not row.letters and not (not row.cells and row.name in measured)
        and (row.kind == "run" or not _ways(board))
    ]  # fmt: skip
    if not rows:
        return None
    columns, cells = _columns(board, rows, page="", links=links or {})
    body = _body(board, rows, marks, columns, cells, page=page)
    title = said("board-unranked", title=None if page else board.title)
    return Table("unranked", title, tuple(columns), body)


def figures_table(board: Board, shown: Container[str] = ()) -> Table | None:
    """All figures of all rows but those already `shown`; None where the first ones are all."""
    names = [name for name in board.columns if name not in shown]
    rows = [row for row in board.rows if not row.cells.keys().isdisjoint(names)]
    if len(board.columns) <= len(board.leading) or not rows:
        return None
    columns = [Column(said("board-model")), *_headings(board, names)]
    body = (_row(row, (_name(row), *_figures(row, names)), 0, noted=False) for row in rows)
    return Table("figures", said("board-figures", all=not shown), tuple(columns), tuple(body))


def published_table(board: Board) -> Table | None:
    """Published rows that cannot stand between the runs; None where there are none."""
    if not board.aside:
        return None
    names = [name for name in board.columns if any(name in row.cells for row in board.aside)]
    columns = [Column(said("board-model")), Column(said("published-head", name="why"))]
    columns += _headings(board, names)
    whys = [next(one.what for one in row.notes if isinstance(one, Remark)) for row in board.aside]
    body = (Row((_name(row), why, *_figures(row, names)))
            for row, why in zip(board.aside, whys, strict=True))  # fmt: skip
    title = said("board-set-apart", why=board.why_aside or "")
    return Table("published", title, tuple(columns), tuple(body))


def protocol_table(board: Board) -> Table:
    """The settings of all runs, and those in which they differ all the same."""
    same = {name: value for name, value in board.protocol.items() if name not in board.ignored}
    rows = [Row((name, str(value))) for name, value in same.items()]
    for name, values in board.ignored.items():
        each = [
            said("board-setting-of", run=run, value=None if value is None else str(value))
            for run, value in values.items()
        ]
        rows.append(Row((name, said("board-differs", values=each))))
    columns = (Column(said("board-setting")), Column(said("board-value")))
    return Table("protocol", said("board-protocol"), columns, tuple(rows))


def _columns(
    board: Board, rows: Sequence[boards.BoardRow], *, page: str, links: Links
) -> tuple[list[Column], list[tuple[Cell, ...]]]:
    """The columns that some rows have something for, and the cells of each row."""
    there = [name for name in board.columns if any(name in row.cells for row in rows)]
    names = [name for name in there if name in board.leading] or there[:1]
    extra = {next(iter(row.cells)) for row in rows if row.cells and not {*names} & {*row.cells}}
    names += [name for name in there if name in extra]
    columns = [Column(said("board-model")), *_headings(board, names)]
    cells: list[list[Cell]] = [[_name(row), *_figures(row, names)] for row in rows]

    def add(column: Column, values: Sequence[Cell]) -> None:
        if any(value not in (None, "") for value in values):
            columns.append(column)
            for own, value in zip(cells, values, strict=True):
                own.append(value)

    unit = said("board-unit", unit=board.unit, of=board.part)
    add(Column(unit, "count"), [row.items for row in rows])
    if page:
        add(Column(said("board-answered"), "share"), [row.ifr for row in rows])
        paid, costs = costs_of(board)
        if paid:
            edge = {row.name for row, _ in frontier(board, costs)}
            own = {row.name: cost for row, cost in costs}
            add(
                Column(said("board-an-item", unit=paid), "number"),
                [MarkedFigure(own[row.name], strong=row.name in edge) if row.name in own else None
                 for row in rows],
            )  # fmt: skip
    to = [links.get(row.folder, "") for row in rows]
    report, trials = said("board-report"), said("board-trials")
    add(Column(report), [Link(report, one.partition("#")[0]) if one else "" for one in to])
    add(Column(trials), [Link(trials, one) if one else "" for one in to])
    return columns, [tuple(own) for own in cells]


def _headings(board: Board, names: Sequence[str]) -> list[Column]:
    """Columns of figures, with their units, and which way is better where that is lower."""
    columns = []
    for name in names:
        of = board.measures.get(name, ACCURACY)
        unit = of.unit if of.unit not in ("", of.name) else None
        called = board.headings.get(name, name)
        head = said("board-heading", name=called, unit=unit, low=of.lower_is_better)
        columns.append(Column(head, kinds_of(of.unit)[0], name=name))
    return columns


def _figures(row: boards.BoardRow, names: Sequence[str]) -> list[Cell]:
    """The figures of a row with their intervals."""
    cells = (row.cells.get(name) for name in names)
    ends: list[Cell] = [None if own is None else own.ends or own.value for own in cells]
    if row.always and names and (own := row.cells.get(names[0])):
        ends[0] = own.value  # as on every page: no interval where one answer was given to all
    return ends


def _name(row: boards.BoardRow) -> Text:
    """Return a row's name: with what it is, where it is no model's run."""
    if row.kind != "run":
        return said("board-named", name=row.name, kind=row.kind)
    called = row.called or row.name
    if row.role in ("model", "listener") or f" {PEOPLE}" in row.name:
        return called
    return said("board-named", name=called, kind=row.role)


def _row(row: boards.BoardRow, cells: Sequence[Cell], weight: float, *, noted: bool = True) -> Row:
    own = row.kind == "run" and row.role in ("model", "listener")
    return Row(tuple(cells), 0, weight, "" if own else "soft", row.notes if noted else ())
