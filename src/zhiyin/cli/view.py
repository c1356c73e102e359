"""`zhiyin view RUN...`: look at, listen to and read every trial in the browser."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

HELP = "Look at runs in the browser, finished or still going on: figures, trials, sound, notation."
LOOPBACK = ("127.0.0.1", "localhost", "::1")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    parser.add_argument("runs", nargs="+", metavar="RUN", help="a folder that `zhiyin run` wrote")
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

    from zhiyin.errors import InputError
    from zhiyin.report.viewer import serve

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
        asyncio.run(serve([Path(run) for run in args.runs], args.host, args.port, ready))
    except KeyboardInterrupt:
        sys.stderr.write("ended\n")
    return 0
