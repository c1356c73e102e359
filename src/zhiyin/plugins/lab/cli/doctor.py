"""`zhiyin doctor`: a model before a run."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated

from zhiyin import numerals
from zhiyin.cli.flags import COSTS
from zhiyin.cli.output import open_console, print_json
from zhiyin.cost.request_queue import Spending
from zhiyin.engine.runner import Limits
from zhiyin.models.playback import AS_IT_IS, SoundPolicy
from zhiyin.plugins.lab.doctor import Examination
from zhiyin.shown.table import Column, Row, Table

if TYPE_CHECKING:
    from zhiyin.plugins.lab.diagnosis import Diagnosis, Pricer, ProbeUsage
    from zhiyin.record import Model


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
    """Return a function for the cost of a model's calls, by the user's table of prices."""
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
