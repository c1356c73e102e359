"""Serving a study: two listeners, one for people, one for research."""

from __future__ import annotations

import asyncio
import fcntl
import os
import signal
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from aiohttp import web

from zhiyin.errors import InputError, missing_package
from zhiyin.plugins.methods.serving import cannot_listen

try:
    from zhiyin.plugins.studies.app import Site
    from zhiyin.plugins.studies.research import ResearchSite
except ModuleNotFoundError as error:  # pragma: no cover
    raise missing_package(str(error.name).partition(".")[0], "study") from None
from zhiyin.plugins.studies.design import KEY, ServingWish
from zhiyin.plugins.studies.guard import runner
from zhiyin.plugins.studies.store import StudyStore
from zhiyin.words import said

_THREADS, _BACKLOG = 40, 1024


def serve(
    store: StudyStore, wish: ServingWish, token: str, ready: Callable[[str, str, str], None],
    *, limits: bool = True,
) -> None:  # fmt: skip
    """Serve until a signal says to end; requests under way are finished.

    Parameters
    ----------
    store : StudyStore
    wish : ServingWish
    token : str
        The researcher's; "" to have one made.
    ready : callable
        Is called once, with the two addresses and the token.
    limits : bool
        Whether requests are limited by address.

    Raises
    ------
    InputError
        An address cannot be listened on, or the study is being served already.
    """
    _refuse_second_server(store)
    site = Site(store, secure=wish.https, proxied=wish.behind_proxy, limits=limits)
    sockets = [
        _listen_again(store, "port", wish.host, wish.port),
        _listen_again(store, "research_port", wish.research_host, wish.research_port),
    ]
    runs = [Path(run) for run in wish.model]
    desk = ResearchSite(store, token, runs, _address(sockets[0]))
    ready(_address(sockets[0]), _address(sockets[1]), desk.token)

    async def both() -> None:
        loop, over = asyncio.get_running_loop(), asyncio.Event()
        loop.set_default_executor(ThreadPoolExecutor(_THREADS))
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, over.set)
        runners = [runner(made.application()) for made in (site, desk)]
        for one, listener in zip(runners, sockets, strict=True):
            await one.setup()
            await web.SockSite(one, listener, backlog=_BACKLOG).start()
        await over.wait()
        await asyncio.gather(*(one.cleanup() for one in runners))

    asyncio.run(both())


def _refuse_second_server(store: StudyStore) -> None:
    """Refuse to serve beside another process: who is given what is counted in memory.

    The lock goes with the process, however it ends.
    """
    descriptor = os.open(store.folder / KEY, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise InputError(said("study-served", folder=store.folder)) from None


def _listen_again(store: StudyStore, name: str, host: str, port: int) -> socket.socket:
    """Listen on a port that was asked for, or on that of the last time: people have its links."""
    with store.read() as connection:
        before = int(store.fact(connection, name, "0"))
    try:
        listener = _listen(name, host, port or before)
    except InputError:
        if port or not before:
            raise
        listener = _listen(name, host, 0)
    with store.write() as connection:
        store.note(connection, name, str(listener.getsockname()[1]))
    return listener


def _listen(name: str, host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        raise cannot_listen(host, port, error, f"--{name.replace('_', '-')}") from None
    return listener


def _address(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"
