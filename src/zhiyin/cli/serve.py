"""`zhiyin serve MODEL`: a model of this machine behind an address, or several copies of it."""

from __future__ import annotations

import argparse
import asyncio
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from zhiyin.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from zhiyin.serving.replicas import Fleet, ServeSettings

HELP = (
    "Serve a model of this machine as OpenAI's chat completions: one server, or one a GPU that a "
    "run shares (pool:). After -- may stand a command that is run with them, e.g. -- run BENCHMARK."
)
_SERVED = ("hf:", "vllm:", "python:", "subprocess:")
_WATCH_S = 1.0


def rewrite(arguments: Sequence[str]) -> list[str]:
    """What stands after ``--`` is kept as it is."""
    if "--" not in arguments:
        return [*arguments]
    at = [*arguments].index("--")
    return [*arguments[:at], "--then", "\0".join(arguments[at + 1 :])]


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    from zhiyin.flags import add_part
    from zhiyin.serving.replicas import ServeSettings

    add = parser.add_argument
    add("model", metavar="MODEL", help="hf:, vllm:, python: or subprocess:, as after -m")
    add_part(parser, ServeSettings)
    add("--then", default="", help=argparse.SUPPRESS)


def execute(args: argparse.Namespace) -> int:
    """Serve until a signal; return the exit status, that of the command where there is one."""
    if not args.model.startswith(_SERVED):
        raise InputError(
            f"{args.model}: cannot be served; give hf:PATH, vllm:PATH, python:FILE.py:FUNCTION or "
            "subprocess:COMMAND"
        )
    from zhiyin.flags import read_part
    from zhiyin.serving.replicas import Fleet, ServeSettings, gpus

    settings = read_part(ServeSettings(), vars(args))
    then = args.then.split("\0") if args.then else []
    if {"-m", "--model"} & {*then}:
        raise InputError("leave out -m after --: the servers are the model")
    is_vllm = args.model.startswith("vllm:")
    if settings.replicas is None and not then and not is_vllm:
        return _serve_one(args.model, settings)
    devices = settings.gpus or gpus()
    count = settings.replicas or len(devices) or 1
    most = settings.concurrency
    flag = "--max-num-seqs" if is_vllm else "--concurrency"
    addresses, extra = Path(settings.addresses), [flag, str(most)] if most else []
    with Fleet(args.model, count, devices, settings.port, addresses, _print_line, extra) as fleet:
        return _stay(fleet, then)


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
