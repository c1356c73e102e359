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

    from zhiyin.serving.replicas import Fleet

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
    from zhiyin.cli.flags import positive, whole

    add = parser.add_argument
    add("model", metavar="MODEL", help="hf:, vllm:, python: or subprocess:, as after -m")
    add("--replicas", type=positive, metavar="N", help="so many servers; default: one here")
    add("--gpus", metavar="0,1,...", help="dealt out to the servers; default: all of this machine")
    add("--port", type=whole, default=8000, help="of the first; 0 for any; default 8000")
    add("--concurrency", type=positive, metavar="N", help="requests at once, of one server")
    add(
        "--addresses",
        default="servers.txt",
        metavar="FILE",
        help="where the addresses are written, for -m pool:FILE#MODEL; default servers.txt",
    )
    add("--until-eof", action="store_true", help="end when standard input is closed")
    add("--then", default="", help=argparse.SUPPRESS)


def execute(args: argparse.Namespace) -> int:
    """Serve until a signal; return the exit status, that of the command where there is one."""
    if not args.model.startswith(_SERVED):
        raise InputError(
            f"{args.model}: cannot be served; give hf:PATH, vllm:PATH, python:FILE.py:FUNCTION or "
            "subprocess:COMMAND"
        )
    then = args.then.split("\0") if args.then else []
    if {"-m", "--model"} & {*then}:
        raise InputError("leave out -m after --: the servers are the model")
    if args.replicas is None and not then and not args.model.startswith("vllm:"):
        return _serve_one(args)
    from zhiyin.serving.replicas import Fleet, gpus

    devices = args.gpus.split(",") if args.gpus else gpus()
    count = args.replicas or len(devices) or 1
    extra = ["--concurrency", str(args.concurrency)] if args.concurrency else []
    if args.model.startswith("vllm:"):
        extra = ["--max-num-seqs", str(args.concurrency)] if args.concurrency else []
    fleet = Fleet(args.model, count, devices, args.port, Path(args.addresses), _print_line, extra)
    with fleet:
        return _stay(fleet, then)


def _serve_one(args: argparse.Namespace) -> int:
    from zhiyin.models import open_model
    from zhiyin.serving.server import serve

    model = open_model(args.model, concurrency=args.concurrency)

    def ready(address: str) -> None:
        _print_line(f"{args.model} answers at {address}: -m {address}#{args.model}")

    asyncio.run(serve(model, args.model, "127.0.0.1", args.port, ready, until_eof=args.until_eof))
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
