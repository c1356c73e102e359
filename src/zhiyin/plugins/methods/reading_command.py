"""The command that says how marked replies are read: `zhiyin reading`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zhiyin.cli.output import open_console, print_json
from zhiyin.shown.table import Cell, Column, Kind, Row, Table, table_of
from zhiyin.words import Said, said

if TYPE_CHECKING:
    from zhiyin.plugins.methods.audit.marks import Marked, Misread, PolicyScore
    from zhiyin.reader import Policy


_SHOWN = 160


def reading(
    files: tuple[Path, ...],
    *,
    policy: tuple[str, ...] = ("robust",),
    errors: bool = False,
    json: bool = False,
) -> int:
    """Measure how a policy reads marked replies: right, misses, false guesses, wrong answers.

    Parameters
    ----------
    files : FILE
        marked replies, JSON lines
    policy : P
        which policy; several times or with commas to compare
    errors
        list what is read otherwise than marked, a line each

    Notes
    -----
    A line of FILE: {"text": the reply, "options": [texts], "expect": a letter or null}, and where
    there is something to say "set", "kind", "lang" (figures are given by these) and "cluster"
    (replies that belong together).
    """
    from zhiyin.contract.policies import open_policy
    from zhiyin.plugins.methods.audit.marks import read_marked, score

    named = [word.strip() for part in policy for word in part.split(",")]
    policies = [open_policy(name) for name in dict.fromkeys(word for word in named if word)]
    marked = read_marked(files)
    scores, misread = [], []
    for one in policies:
        own_score, own_misread = score(one, marked)
        scores.append(own_score)
        misread += own_misread
    if json:
        print_json(_as_json(policies, scores, marked, misread if errors else None))
        return 0
    _print_scores(policies, scores, marked)
    if errors:
        _print_errors(misread)
    return 0


def _as_json(
    policies: list[Policy],
    scores: list[PolicyScore],
    marked: list[Marked],
    errors: list[Misread] | None,
) -> dict[str, Any]:
    from msgspec.structs import asdict

    from zhiyin.plugins.methods.audit.marks import disagreement, groups_of

    payload: dict[str, Any] = {
        "policies": [
            {
                "policy": policy.label,
                "all": own.figures(),
                "groups": [
                    {"by": name, "group": value, **asdict(own.part(places).figures())}
                    for name, value, places in groups_of(marked)
                ],
            }
            for policy, own in zip(policies, scores, strict=True)
        ],
        "differences": [
            {
                "first": policies[0].label,
                "second": policy.label,
                **asdict(disagreement(scores[0], other)),
            }
            for policy, other in zip(policies[1:], scores[1:], strict=True)
        ],
    }
    return payload if errors is None else payload | {"errors": errors}


def _print_scores(policies: list[Policy], scores: list[PolicyScore], marked: list[Marked]) -> None:
    single = len(policies) == 1
    table = _single(policies[0], scores[0], marked) if single else _side_by_side(
        policies, scores, marked
    )  # fmt: skip
    lines: list[str | Said] = [
        _in_words(policy.label, one) for policy, one in zip(policies, scores, strict=True)
    ]
    for policy, other in zip(policies[1:], scores[1:], strict=True):
        lines.append(_compared(policies[0], scores[0], policy, other))
    alone = all(one.cluster is None for one in marked)
    lines.append(said("reading-alone") if alone else said("reading-clustered"))
    console = open_console()
    with console.paged():
        console.print_table(table)
        console.say_all(lines)


def _rows(marked: list[Marked], cells: Callable[[list[int]], tuple[Cell, ...]]) -> list[Row]:
    """All, then every group under its heading; `cells` are those of some places."""
    from zhiyin.plugins.methods.audit.marks import groups_of

    rows = [Row(("all", *cells(list(range(len(marked))))))]
    heading = ""
    for name, value, places in groups_of(marked):
        if name != heading:
            rows.append(Row((f"by {name}", *[""] * (len(rows[0].cells) - 1)), mark="soft"))
            heading = name
        rows.append(Row((value, *cells(places)), 1))
    return rows


def _single(policy: Policy, own: PolicyScore, marked: list[Marked]) -> Table:
    def cells(places: list[int]) -> tuple[Cell, ...]:
        part = own.part(places).figures()
        counts = (part.misses, part.false_guesses, part.wrong)
        return (part.n, part.right_share, part.right_ci95, *counts)

    columns: dict[str, Kind] = {
        "": "text", "n": "count", "right, %": "share", "95 % int.": "share", "misses": "count",
        "false": "count", "wrong": "count",
    }  # fmt: skip
    return table_of("reading", columns, _rows(marked, cells), f"read by {policy.label}")


def _side_by_side(policies: list[Policy], scores: list[PolicyScore], marked: list[Marked]) -> Table:
    def cells(places: list[int]) -> tuple[Cell, ...]:
        parts = [own.part(places).figures() for own in scores]
        return (len(places), *((p.right_share, *(p.right_ci95 or (0.0, 1.0))) for p in parts))

    columns = [Column(""), Column("n", "count")]
    columns += [Column(policy.label, "share") for policy in policies]
    return table_of("reading", columns, _rows(marked, cells), "read right, %")


def _in_words(label: str, own: PolicyScore) -> Said:
    """The counts of a policy with what each is a share of."""
    figures = own.figures()
    parts = [said("cli-read-right", policy=label, right=figures.right, n=figures.n)]
    holds, without = figures.with_answer, figures.without_answer
    for how, n, of, ends in (
        ("misses", figures.misses, holds, figures.misses_ci95),
        ("wrong", figures.wrong, holds, figures.wrong_ci95),
        ("false_guesses", figures.false_guesses, without, figures.false_guesses_ci95),
    ):
        if ends is not None:
            low, high = ends
            parts.append(said("cli-read-not", how=how, n=n, of=of, low=low, high=high))
    return said("cli-read", parts=parts)


def _compared(first: Policy, one: PolicyScore, second: Policy, other: PolicyScore) -> Said:
    from zhiyin.plugins.methods.audit.marks import disagreement

    found = disagreement(one, other)
    return said(
        "cli-read-differ", first=first.label, second=second.label, p=found.p,
        only_first=found.only_first, only_second=found.only_second,
    )  # fmt: skip


def _print_errors(errors: list[Misread]) -> None:
    for one in errors:
        reply = " ".join(one.text.split())
        reply = reply if len(reply) <= _SHOWN else f"{reply[: _SHOWN - 1]}…"
        sys.stdout.write(
            f"{one.where}: {one.policy}: {one.outcome}: read {one.letter or 'none'}, marked "
            f"{one.expect or 'none'}: {one.why} | {reply}\n"
        )
