"""The program without its start: a process that has imported all, and forks for every command.

``with Warm(folder) as path`` gives a folder with a `zhiyin` for the front of PATH. What it runs is
the program as it is, in a process, a folder and an environment of its own; only its imports were
done before. Starting it anew takes a second each time, most of what a small command takes.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import marshal
import os
import pkgutil
import signal
import socket
import subprocess
import sys
import threading
import traceback
from pathlib import Path
from types import TracebackType

FOR_ALL = (
    "aiohttp", "jinja2", "matplotlib.figure", "mido", "numpy", "polars", "scipy.optimize",
    "scipy.signal", "scipy.stats", "soundfile",
)  # fmt: skip
"""What commands import where they use it."""

_CLIENT = """\
#!{python} -IS
import marshal, os, socket, sys
with socket.socket(socket.AF_UNIX) as warm:
    warm.connect({address!r})
    told = marshal.dumps((sys.argv[1:], os.getcwd(), dict(os.environ)))
    socket.send_fds(warm, [len(told).to_bytes(8, "big")], [0, 1, 2])
    warm.sendall(told)
    status = warm.recv(1)
sys.exit(status[0] if status else 70)
"""


class Warm:
    """A warm process, ended with the block.

    Parameters
    ----------
    folder : Path
        A new one, for its socket and its `zhiyin`.
    modules : sequence of str
        Further ones to import.
    """

    def __init__(self, folder: Path, modules: tuple[str, ...] = ()) -> None:
        self.folder, self.modules = folder, (*FOR_ALL, *modules)

    def __enter__(self) -> Path:
        programs, address = self.folder / "bin", str(self.folder / "socket")
        programs.mkdir()
        client = programs / "zhiyin"
        client.write_text(_CLIENT.format(python=sys.executable, address=address), "utf-8")
        client.chmod(0o755)
        command = [sys.executable, __file__, address, json.dumps(self.modules)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == b"ready\n"
        return programs

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()


def _import_all(modules: list[str]) -> None:
    import zhiyin

    for module in modules:
        importlib.import_module(module)
    for found in pkgutil.walk_packages(zhiyin.__path__, "zhiyin."):
        if not found.name.endswith(("__main__", "migrations.env")):
            try:
                importlib.import_module(found.name)
            except ImportError:  # an extra's, which is not here
                continue


def _received(caller: socket.socket) -> tuple[list[str], str, dict[str, str]]:
    """The command, its folder and its environment; its three streams become ours."""
    head, streams, _, _ = socket.recv_fds(caller, 8, 3)
    data = b""
    while len(data) < int.from_bytes(head, "big"):
        data += caller.recv(65536)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    found: tuple[list[str], str, dict[str, str]] = marshal.loads(data)
    return found


def _serve(address: str) -> list[str]:
    """Fork for each caller. Returns in the child alone, with the command that it is to run."""
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(address)
        server.listen()
        os.write(1, b"ready\n")
        while True:
            caller, _ = server.accept()
            if os.fork():
                caller.close()
                continue
            break
    words, folder, environment = _received(caller)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        caller.sendall(bytes([os.waitstatus_to_exitcode(status) & 255]))
        os._exit(0)
    caller.close()
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    return words


def main() -> None:
    address, modules = sys.argv[1], json.loads(sys.argv[2])
    sys.path.pop(0)  # this folder, which the program does not see
    _import_all(modules)
    gc.freeze()  # else looking for garbage copies all that was imported
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    sys.argv = ["zhiyin", *_serve(address)]
    from zhiyin.cli import main as program

    status = 1
    try:
        status = program()
    except SystemExit as stopped:
        status = stopped.code if isinstance(stopped.code, int) else int(bool(stopped.code))
    except BaseException:
        traceback.print_exc()
    finally:  # as at the end of a program, but for taking a thousand modules apart
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


if __name__ == "__main__":
    main()
