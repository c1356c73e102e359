"""`zhiyin view RUN...`: every trial in the browser; `zhiyin view DIR`: a folder as a lab book."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

from zhiyin.errors import InputError

HELP = "Look at runs in the browser, finished or still going on: figures, trials, sound, notation."
LOOPBACK = ("127.0.0.1", "localhost", "::1")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    parser.add_argument(
        "runs",
        nargs="+",
        metavar="RUN",
        help="folders that `zhiyin run` wrote; or one folder that holds runs, as a lab book",
    )
    parser.add_argument("--port", type=int, default=0, metavar="N", help="default: any free one")
    parser.add_argument(
        "--host",
        default=LOOPBACK[0],
        metavar="ADDRESS",
        help="address to listen on (default: 127.0.0.1, this machine only)",
    )
    parser.add_argument("--open", action="store_true", help="open the page in your browser")


def execute(args: argparse.Namespace) -> int:
    """Serve until interrupted."""
    import asyncio

    if not 0 <= args.port <= 65535:
        raise InputError(f"--port {args.port} is no port: give 0 (any free one) to 65535")
    if args.host not in LOOPBACK:
        sys.stderr.write(
            f"warning: everybody who reaches {args.host} can read these runs and hear their "
            "recordings; without --host only this machine can\n"
        )

    def ready(address: str) -> None:
        sys.stderr.write(f"open {address} (Ctrl-C ends)\n")
        sys.stderr.flush()
        if args.open:
            import webbrowser

            webbrowser.open(address)

    try:
        asyncio.run(_serve([Path(run) for run in args.runs], args.host, args.port, ready))
    except KeyboardInterrupt:
        sys.stderr.write("ended\n")
    return 0


def _serve(
    runs: Sequence[Path], host: str, port: int, ready: Callable[[str], None]
) -> Coroutine[Any, Any, None]:
    """The lab book for one folder that is no run itself, else the report's page on the runs."""
    from zhiyin.engine.folder import MANIFEST

    if len(runs) == 1 and runs[0].is_dir() and not (runs[0] / MANIFEST).exists():
        from zhiyin.labbook import server

        return server.serve(runs[0], host, port, ready)
    from zhiyin.report import viewer

    return viewer.serve(runs, host, port, ready)
