"""The flags about calls, money and limits, of every command that asks models."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from zhiyin.errors import InputError

if TYPE_CHECKING:
    from zhiyin.cost.cache import Keep
    from zhiyin.cost.desk import Spending
    from zhiyin.engine.runner import Limits


def add_spending(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Add the flags; the group that they are in."""
    from zhiyin.cli.values import positive

    group = parser.add_argument_group("what it costs (docs/cost.md)")
    add = group.add_argument
    add("--budget", metavar="5usd|2Mtokens|1000calls", help="stop when the run has spent it")
    add(
        "--cache",
        type=_kept,
        default="off",
        metavar="DAYS",
        help="use kept replies, at most so old, and keep what comes; always: of any age, and also "
        "those drawn at random; session: of a suite's own runs; default off: ask anew",
    )
    add(
        "--batch",
        action="store_true",
        help="hand requests in as batches (OpenAI, Anthropic, Gemini): cheaper, and hours to wait",
    )
    add("--rpm", type=positive, metavar="N", help="requests a minute; default: as the server says")
    add("--tpm", type=positive, metavar="N", help="tokens a minute; default: as the server says")
    return group


def _kept(text: str) -> Keep:
    """How argparse reads what is behind ``--cache``."""
    from zhiyin.cost.cache import read_keep

    try:
        return read_keep(text)
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error).removeprefix("cache ")) from None


def add_limits(parser: argparse.ArgumentParser, at_once: str, *, retries: int = 5) -> None:
    """Add the flags of how calls are made; `at_once` names what is done in parallel."""
    from zhiyin.cli.values import positive, seconds, whole

    add = parser.add_argument
    add("--concurrency", type=positive, metavar="N", help=f"{at_once} at once")
    add("--timeout", type=seconds, default=300.0, metavar="S", help="for one call; default 300")
    add(
        "--retries",
        type=whole,
        default=retries,
        metavar="N",
        help=f"of a failed call; default {retries}",
    )


def limits_of(args: argparse.Namespace) -> Limits:
    """The limits of these flags."""
    from zhiyin.engine.runner import Limits

    return Limits(args.concurrency or 0, args.timeout, args.retries)


def spending_of(args: argparse.Namespace) -> Spending:
    """The spending of these flags. Raises `InputError` for a budget that cannot be read."""
    from zhiyin.cost.budget import Budget, read_budget
    from zhiyin.cost.desk import Spending

    budget = read_budget(args.budget) if args.budget is not None else Budget()
    return Spending(args.cache, budget, args.rpm, args.tpm, args.batch)
