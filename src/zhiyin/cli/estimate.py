"""What `zhiyin run --dry-run` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zhiyin.session import Estimate


def print_estimate(estimate: Estimate, *, as_json: bool) -> None:
    """Print what a run would ask and cost, as a table or as one JSON object."""
    from zhiyin.cli.display import open_console, print_json
    from zhiyin.shown.table import Cell, Column, Row, Table

    if as_json:
        print_json(estimate)
        return
    console = open_console()
    console.print(
        f"\n[bold]{estimate.benchmark}[/]  {estimate.model}: nothing was asked", soft_wrap=True
    )
    rows: list[tuple[Cell, ...]] = [
        ("in the run folder", estimate.answered, "trials"),
        ("in the cache", estimate.cached, "trials, which cost nothing"),
        ("to ask", estimate.asked, "trials"),
    ]
    if estimate.canary:
        rows.append(("before them", estimate.canary, "short questions, the canary"))
    if estimate.input_from:
        rows.append(("sent", estimate.input, f"tokens, {estimate.input_from}"))
        if estimate.seconds:
            sound = f"s of sound, {estimate.sound:,.0f} of these tokens"
            rows.append(("", f"{estimate.seconds:,.1f}", sound))
        rows.append(("coming back", estimate.output, f"tokens, {estimate.output_from}"))
    cost = "?" if estimate.usd is None else f"{estimate.usd:,.4g}"
    most = "" if estimate.usd_at_most is None else f", at most {estimate.usd_at_most:,.4g}"
    rows.append(("cost", cost, f"usd{most} ({estimate.price})"))
    columns = (Column(""), Column("", "count"), Column(""))
    console.print_table(Table("estimate", "", columns, tuple(map(Row, rows))))
    for remark in estimate.remarks:
        console.print(f"  note: {remark}", soft_wrap=True, markup=False)
