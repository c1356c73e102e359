"""Models before a run: `zhiyin doctor`; behind an address: `serve`; asked in bulk: `batch`."""

from __future__ import annotations

import asyncio
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from zhiyin import numerals
from zhiyin.cli.flags import COSTS
from zhiyin.cli.output import open_console, print_json
from zhiyin.cost.request_queue import Spending
from zhiyin.engine.runner import Limits
from zhiyin.errors import HaltError, InputError
from zhiyin.models import Setting
from zhiyin.models.on_ray import BulkSettings, Cluster
from zhiyin.models.playback import AS_IT_IS, SoundPolicy
from zhiyin.probe.doctor import Examination
from zhiyin.serving.replicas import ServeSettings
from zhiyin.shown.table import Column, Row, Table

if TYPE_CHECKING:
    from zhiyin.probe.diagnosis import Diagnosis, Pricer, ProbeUsage
    from zhiyin.record import Model
    from zhiyin.serving.replicas import Fleet
    from zhiyin.session.offline import BulkProgress

_SERVED = ("hf:", "vllm:", "python:", "subprocess:")
_WATCH_S, _REPORT_EVERY_S = 1.0, 10.0
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
    from zhiyin.probe.doctor import Doctor, diagnose

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


def rewrite_serve(arguments: Sequence[str]) -> list[str]:
    """What stands after ``--`` is kept as it is."""
    if "--" not in arguments:
        return [*arguments]
    at = [*arguments].index("--")
    return [*arguments[:at], "--then", "\0".join(arguments[at + 1 :])]


def serve(model: str, *, settings: ServeSettings = ServeSettings(), then: str = "") -> int:
    """Serve a model of this machine as OpenAI's chat completions.

    One server, or one a GPU that a run shares (pool:). After -- may stand a command that is run
    with them, e.g. -- run BENCHMARK; its status is that of this command.

    Parameters
    ----------
    model : MODEL
        hf:, vllm:, python: or subprocess:, as after -m
    then : hidden
    """
    if not model.startswith(_SERVED):
        raise InputError(
            f"{model}: cannot be served; give hf:PATH, vllm:PATH, python:FILE.py:FUNCTION or "
            "subprocess:COMMAND"
        )
    from zhiyin.serving.replicas import Fleet, gpus

    command = then.split("\0") if then else []
    if {"-m", "--model"} & {*command}:
        raise InputError("leave out -m after --: the servers are the model")
    is_vllm = model.startswith("vllm:")
    if settings.replicas is None and not command and not is_vllm:
        return _serve_one(model, settings)
    devices = settings.gpus or gpus()
    count = settings.replicas or len(devices) or 1
    most = settings.concurrency
    flag = "--max-num-seqs" if is_vllm else "--concurrency"
    addresses, extra = Path(settings.addresses), [flag, str(most)] if most else []
    with Fleet(model, count, devices, settings.port, addresses, _print_line, extra) as fleet:
        return _stay(fleet, command)


def _serve_one(spec: str, settings: ServeSettings) -> int:
    from zhiyin.models import open_model
    from zhiyin.serving.server import serve

    model = open_model(spec, concurrency=settings.concurrency)

    def ready(address: str) -> None:
        _print_line(f"{spec} answers at {address}: -m {address}#{spec}")

    until_eof = settings.until_eof
    asyncio.run(serve(model, spec, "127.0.0.1", settings.port, ready, until_eof=until_eof))
    return 0


def _stay(fleet: Fleet, then: list[str]) -> int:
    """Watch the servers until the command is done, or a signal ends this process."""
    pool = f"pool:{fleet.addresses}#{fleet.model}"
    command = None
    if then:
        command = subprocess.Popen([sys.executable, "-m", "zhiyin", *then, "-m", pool])
    else:
        _print_line(f"take -m '{pool}'; Ctrl-C ends them")
    signal.signal(signal.SIGTERM, _interrupt)  # the servers end in order then, too
    try:
        while fleet.watch():
            if command is not None and command.poll() is not None:
                return command.returncode
            time.sleep(_WATCH_S)
        raise InputError("none of the servers lives: see why above")
    except KeyboardInterrupt:
        return command.wait() if command is not None else 0
    finally:
        if command is not None and command.poll() is None:
            command.terminate()
            command.wait()


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def _print_line(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


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
