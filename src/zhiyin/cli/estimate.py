"""What `zhiyin run --dry-run` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zhiyin.session import Estimate


def print_estimate(estimate: Estimate, *, as_json: bool) -> None:
    """Print what a run would ask and cost, as a table or as one JSON object."""
    from rich.table import Table

    from zhiyin.cli.display import open_console, print_json
    from zhiyin.cli.tables import print_table

    if as_json:
        print_json(estimate)
        return
    console = open_console()
    console.print(
        f"\n[bold]{estimate.benchmark}[/]  {estimate.model}: nothing was asked", soft_wrap=True
    )
    table = Table(box=None, pad_edge=False, show_header=False)
    for side in ("left", "right", "left"):
        table.add_column(justify=side, overflow="fold")  # type: ignore[arg-type]
    table.add_row("in the run folder", f"{estimate.answered:,}", "trials")
    table.add_row("in the cache", f"{estimate.cached:,}", "trials, which cost nothing")
    table.add_row("to ask", f"{estimate.asked:,}", "trials")
    if estimate.canary:
        table.add_row("before them", f"{estimate.canary:,}", "short questions, the canary")
    if estimate.input_from:
        table.add_row("sent", f"{estimate.input:,.0f}", f"tokens, {estimate.input_from}")
        if estimate.seconds:
            sound = f"s of sound, {estimate.sound:,.0f} of these tokens"
            table.add_row("", f"{estimate.seconds:,.1f}", sound)
        table.add_row("coming back", f"{estimate.output:,.0f}", f"tokens, {estimate.output_from}")
    cost = "?" if estimate.usd is None else f"{estimate.usd:,.4g}"
    most = "" if estimate.usd_at_most is None else f", at most {estimate.usd_at_most:,.4g}"
    table.add_row("cost", cost, f"usd{most} ({estimate.price})")
    print_table(console, table)
    for remark in estimate.remarks:
        console.print(f"  note: {remark}", soft_wrap=True, markup=False)
