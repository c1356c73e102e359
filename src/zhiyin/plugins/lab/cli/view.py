"""`zhiyin view`: runs in the browser, while they go on too."""

from __future__ import annotations

import sys
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    pass
from zhiyin.plugins.methods.serving import LOOPBACK, serve_page


def view(
    runs: tuple[Path, ...], *, port: int = 0, host: str = LOOPBACK[0], open_: bool = False
) -> int:
    """Look at runs in the browser, finished or still going on: figures, trials, sound, notation.

    Parameters
    ----------
    runs : RUN
        folders that `zhiyin run` wrote; or one folder that holds runs, as a lab book
    port
        default: any free one
    host : ADDRESS
        address to listen on; by default this machine only
    open_
        open the page in your browser
    """
    if host not in LOOPBACK:
        sys.stderr.write(
            f"warning: everybody who reaches {host} can read these runs and hear their "
            "recordings; without --host only this machine can\n"
        )
    serve_page(
        lambda ready: _serve(runs, host, port, ready), port, "open {address} (Ctrl-C ends)", open_
    )
    return 0


def _serve(
    runs: Sequence[Path], host: str, port: int, ready: Callable[[str], None]
) -> Coroutine[Any, Any, None]:
    """The lab book for one folder that is no run itself, else the report's page on the runs."""
    from zhiyin.engine.folder import MANIFEST

    if len(runs) == 1 and runs[0].is_dir() and not (runs[0] / MANIFEST).exists():
        from zhiyin.plugins.lab.labbook import server

        return server.serve(runs[0], host, port, ready)
    from zhiyin.plugins.lab import viewer

    return viewer.serve(runs, host, port, ready)
