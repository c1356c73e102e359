"""Models before a run: `zhiyin doctor`; asked in bulk: `batch`."""

from __future__ import annotations

import asyncio
import shlex
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from zhiyin import numerals
from zhiyin.cli.flags import COSTS
from zhiyin.cli.output import open_console, print_json
from zhiyin.cost.request_queue import Spending
from zhiyin.engine.runner import Limits
from zhiyin.errors import HaltError, InputError
from zhiyin.models import Setting
from zhiyin.models.playback import AS_IT_IS, SoundPolicy
from zhiyin.plugins.lab.doctor import Examination
from zhiyin.plugins.local.on_ray import BulkSettings, Cluster
from zhiyin.shown.table import Column, Row, Table

if TYPE_CHECKING:
    from zhiyin.plugins.lab.diagnosis import Diagnosis, Pricer, ProbeUsage
    from zhiyin.record import Model
    from zhiyin.session.offline import BulkProgress

_REPORT_EVERY_S = 10.0
_MOST_CAUSES = 3


def doctor(
    model: str,
    *,
    examination: Examination = Examination(),
    limits: Annotated[Limits, {"concurrency": "calls at once"}] = Limits(0, retries=2),
    sound: Annotated[SoundPolicy, "sound, as it is sent to a model"] = AS_IT_IS,
    spending: Annotated[Spending, COSTS, {"cache": "", "batch": ""}] = Spending(),
    json: bool = False,
) -> int:
    """Ask a model some dozens of short questions.

    Does it answer, hear and see, what is cut, which settings are honoured, and what would a
    thousand questions cost? Status 1 where something does not work.

    Parameters
    ----------
    model : MODEL
        as after -m of `zhiyin run`, e.g. openai:gpt-4o
    """
    from zhiyin.cost.request_queue import open_request_queue
    from zhiyin.models import open_model
    from zhiyin.models.joined_clips import joined
    from zhiyin.plugins.lab.doctor import Doctor, diagnose

    opened = open_model(
        model,
        timeout=limits.timeout_s,
        seed=examination.seed,
        concurrency=limits.concurrency or None,
        sound=sound,
    )
    opened = joined(opened, sound.join)
    examiner = Doctor(
        opened, examination.seed, limits, examination.seconds, _pricer(opened),
        open_request_queue(opened, spending, sound),
    )  # fmt: skip
    diagnosis = asyncio.run(diagnose(examiner, quick=examination.quick))
    if json:
        print_json(diagnosis)
    else:
        _print_diagnosis(diagnosis)
    return 0 if diagnosis.works else 1


def _pricer(model: Model) -> Pricer | None:
    """What calls of a model cost, by the user's table of prices."""
    from zhiyin.cost.prices import Usage
    from zhiyin.cost.request_queue import find_price

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


def _print_diagnosis(diagnosis: Diagnosis) -> None:
    console = open_console()
    console.say(diagnosis.model, 0, style="bold")
    rows = tuple(Row((one.about, one.state, one.told)) for one in diagnosis.found)
    console.print_table(Table("found", "", (Column(""), Column(""), Column("")), rows))
    for line in _lines(diagnosis):
        console.say(line)


def _lines(diagnosis: Diagnosis) -> list[str]:
    lines = [f"the rest was not asked: {diagnosis.stopped}"] if diagnosis.stopped else []
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


def batch(
    folder: Path,
    *,
    model: str,
    settings: BulkSettings = BulkSettings(),
    limits: Annotated[Limits, {"concurrency": "", "retries": ""}] = Limits(timeout_s=600.0),
    cluster: Annotated[Cluster, "its workers (docs/cluster.md)"] = Cluster("local"),
) -> int:
    """Ask what `zhiyin trials` wrote, thousands to millions of single questions, through Ray Data.

    The same command goes on where it was ended.

    Parameters
    ----------
    folder : DIR
        what `zhiyin trials BENCHMARK --out DIR` wrote
    model : -m MODEL
        as for `zhiyin run`
    """
    from zhiyin.session.offline import ask_in_bulk

    if model.startswith("vllm:") and not cluster.gpus:
        raise InputError("vllm: works on a GPU: give each worker one with --ray-gpus 1")
    report = _Progress().report
    try:
        bulk = ask_in_bulk(
            folder, model, Setting(limits.timeout_s), cluster, settings.block, report
        )
    except HaltError as error:
        sys.stderr.write(f"stopped: {error}\n")
        return 1
    return _end(bulk, settings.out)


class _Progress:
    """Prints how far it has come, a line every ten seconds."""

    def __init__(self) -> None:
        self._begun = self._last = time.monotonic()

    def report(self, bulk: BulkProgress) -> None:
        """Print a line, if the last one is long enough ago."""
        now = time.monotonic()
        if now - self._last < _REPORT_EVERY_S:
            return
        self._last = now
        rate = bulk.answered / (now - self._begun)
        sys.stderr.write(
            f"{bulk.before + bulk.answered:,} of {bulk.questions:,} answered, {rate:,.1f}/s, "
            f"{bulk.failures.total():,} failed\n"
        )


def _end(bulk: BulkProgress, out: str | None) -> int:
    """Print what is there; make a run of it if `out` is given and nothing is missing."""
    there = bulk.before + bulk.answered
    sys.stderr.write(f"{there:,} of {bulk.questions:,} answered, in {bulk.file}\n")
    for cause, times in bulk.failures.most_common(_MOST_CAUSES):
        sys.stderr.write(f"  {times:,} x {cause}\n")
    if bulk.missing:
        sys.stderr.write(f"{bulk.missing:,} have no reply: the same command asks them again\n")
        return 1
    if out is None:
        sys.stderr.write("a run of them:\n")
        sys.stdout.write(f"{bulk.run}\n")
        return 0
    from zhiyin.cli import main

    return main([*shlex.split(bulk.run)[1:], "--out", out])
