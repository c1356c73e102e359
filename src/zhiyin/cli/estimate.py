"""What `zhiyin run --dry-run` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zhiyin.session import Estimate


def print_estimate(found: Estimate, *, as_json: bool) -> None:
    """Print what a run would ask and cost, as a table or as one JSON object."""
    from rich.table import Table

    from zhiyin.cli.display import open_console, print_json
    from zhiyin.cli.tables import print_table

    if as_json:
        print_json(found)
        return
    console = open_console()
    console.print(f"\n[bold]{found.benchmark}[/]  {found.model}: nothing was asked", soft_wrap=True)
    table = Table(box=None, pad_edge=False, show_header=False)
    for side in ("left", "right", "left"):
        table.add_column(justify=side, overflow="fold")  # type: ignore[arg-type]
    table.add_row("in the run folder", f"{found.answered:,}", "trials")
    table.add_row("in the cache", f"{found.cached:,}", "trials, which cost nothing")
    table.add_row("to ask", f"{found.asked:,}", "trials")
    if found.canary:
        table.add_row("before them", f"{found.canary:,}", "short questions, the canary")
    if found.input_from:
        table.add_row("sent", f"{found.input:,.0f}", f"tokens, {found.input_from}")
        if found.seconds:
            sound = f"s of sound, {found.sound:,.0f} of these tokens"
            table.add_row("", f"{found.seconds:,.1f}", sound)
        table.add_row("coming back", f"{found.output:,.0f}", f"tokens, {found.output_from}")
    cost = "?" if found.usd is None else f"{found.usd:,.4g}"
    most = "" if found.usd_at_most is None else f", at most {found.usd_at_most:,.4g}"
    table.add_row("cost", cost, f"usd{most} ({found.price})")
    print_table(console, table)
    for remark in found.remarks:
        console.print(f"  note: {remark}", soft_wrap=True, markup=False)
