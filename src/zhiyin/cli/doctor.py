"""`zhiyin doctor MODEL`: what a model takes and does, before hours or money are spent on it."""

from __future__ import annotations

import argparse
import asyncio
from typing import TYPE_CHECKING

from zhiyin import numerals
from zhiyin.cli.output import open_console, print_json
from zhiyin.shown.table import Column, Row, Table

if TYPE_CHECKING:
    from zhiyin.probe.doctor import Diagnosis, Pricer, ProbeUsage
    from zhiyin.record import Model

HELP = (
    "Ask a model some dozens of short questions: does it answer, hear and see, what is cut, which "
    "settings are honoured, and what would a thousand questions cost?"
)


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    from zhiyin.engine.runner import Limits
    from zhiyin.flags import add_part
    from zhiyin.models.playback import SoundPolicy
    from zhiyin.probe.doctor import Examination

    add = parser.add_argument
    add("model", metavar="MODEL", help="as after -m of `zhiyin run`, e.g. openai:gpt-4o")
    add_part(parser, Examination)
    add_part(parser, Limits(0, retries=2), concurrency="calls at once")
    add("--json", action="store_true", help="print one JSON object")
    add_part(parser.add_argument_group("sound, as it is sent to a model"), SoundPolicy)


def execute(args: argparse.Namespace) -> int:
    """Examine, print, return the exit status: 1 where something does not work."""
    from zhiyin.engine.runner import Limits
    from zhiyin.flags import read_part
    from zhiyin.models import open_model
    from zhiyin.models.joined_clips import joined
    from zhiyin.models.playback import SoundPolicy
    from zhiyin.probe.doctor import Doctor, Examination, diagnose

    wanted = read_part(Examination(), vars(args))
    sound = read_part(SoundPolicy(), vars(args))
    limits = read_part(Limits(0, retries=2), vars(args))
    model = open_model(
        args.model,
        timeout=limits.timeout_s,
        seed=wanted.seed,
        concurrency=limits.concurrency or None,
        sound=sound,
    )
    model = joined(model, sound.join)
    doctor = Doctor(model, wanted.seed, limits, wanted.seconds, _pricer(model))
    diagnosis = asyncio.run(diagnose(doctor, quick=wanted.quick))
    if args.json:
        print_json(diagnosis)
    else:
        _print(diagnosis)
    return 0 if diagnosis.works else 1


def _pricer(model: Model) -> Pricer | None:
    """What calls of a model cost, by the user's table of prices."""
    from zhiyin.cost.request_queue import find_price
    from zhiyin.cost.usage import Usage

    price = find_price(model)
    if price is None:
        return None

    def cost(used: ProbeUsage) -> float:
        # Of one call: some prices are others for long ones.
        one = Usage(
            calls=1,
            input=round(used.input / used.calls),
            output=round(used.output / used.calls),
            audio_input=round(used.audio_input / used.calls),
            seconds=used.seconds / used.calls,
        )
        return used.calls * price.of(one)

    return cost


def _print(diagnosis: Diagnosis) -> None:
    console = open_console()
    console.say(diagnosis.model, 0, style="bold")
    rows = tuple(Row((one.about, one.state, one.told)) for one in diagnosis.found)
    console.print_table(Table("found", "", (Column(""), Column(""), Column("")), rows))
    for line in _lines(diagnosis):
        console.say(line)


def _lines(diagnosis: Diagnosis) -> list[str]:
    lines = []
    if diagnosis.heard_tokens is not None:
        lines.append(f"a minute of sound makes {diagnosis.heard_tokens:,.0f} tokens")
    elif "sound" in diagnosis.canary:
        lines.append("how many tokens a minute of sound makes is not known")
    for about, price in diagnosis.thousand.items():
        amount = "no price known" if price is None else f"{price:,.2f} US dollars"
        lines.append(f"a thousand {about}: {amount}".replace("thousand the", "thousand of the"))
    used = diagnosis.used
    tokens = used.input + used.output
    counted = f", {tokens:,.0f} tokens" if tokens else ", tokens not counted by the server"
    sound = f", {used.seconds:,.0f} s of sound" if used.seconds else ""
    calls = numerals.counted(used.calls, "call")
    return [*lines, f"this took {calls}{counted}{sound}"]
