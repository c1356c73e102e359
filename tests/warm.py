"""The program without its start: a process that has imported all, and forks for every command.

What it runs is the program as it is, in a process, a folder and an environment of its own; only its
imports were done before. Starting it anew takes a second each time, most of what a small command
takes. `run` and `start` are what ``subprocess`` has for it; `folder_of` gives a folder with a
`zhiyin` for the front of PATH.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import gc
import importlib
import json
import marshal
import os
import pkgutil
import resource
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

FOR_ALL = (
    "aiohttp", "jinja2", "matplotlib.figure", "mido", "numpy", "polars", "scipy.optimize",
    "scipy.signal", "scipy.stats", "soundfile",
)  # fmt: skip
"""What commands import where they use it."""
LIMIT = "WARM_LIMIT"
"""The variable that says beyond how many bytes no file of a command may grow."""
SVG = "WARM_SVG"
"""The variable that says that figures are drawn in one format alone: PDF takes most of the time."""
AT_ONCE = "WARM_AT_ONCE"
"""The variable that says that a call that failed is tried again at once."""

_CLIENT = """\
#!{python} -IS
import marshal, os, socket, sys
with socket.socket(socket.AF_UNIX) as warm:
    warm.connect({address!r})
    told = marshal.dumps((sys.argv[1:], os.getcwd(), dict(os.environ)))
    socket.send_fds(warm, [len(told).to_bytes(8, "big")], [0, 1, 2])
    warm.sendall(told)
    warm.recv(4, socket.MSG_WAITALL)
    status = warm.recv(4, socket.MSG_WAITALL)
sys.exit(int.from_bytes(status, "big", signed=True) & 255 if status else 70)
"""


@functools.cache
def folder_of(*modules: str) -> Path:
    """A folder with a `zhiyin`, whose warm process has imported some modules beside all.

    The process ends with the one that asked for it first.
    """
    folder = Path(tempfile.mkdtemp(prefix="zhiyin-warm-"))
    client, address = folder / "zhiyin", str(folder / "socket")
    client.write_text(_CLIENT.format(python=sys.executable, address=address), "utf-8")
    client.chmod(0o755)
    command = [sys.executable, __file__, address, json.dumps([*FOR_ALL, *modules])]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    _RUNNING.append(process)  # as long as its stdin is open
    return folder


_RUNNING: list[subprocess.Popen[bytes]] = []


class Started:
    """A command under way, with what is used of ``subprocess.Popen``.

    `modules` are what its warm process has imported beside all; see `folder_of`.

    Attributes
    ----------
    pid : int
        Of the program.
    returncode : int or None
        As ``subprocess`` has it: below 0 for a signal.
    stdout, stderr : text files or None
        What it writes, where that was asked for with ``subprocess.PIPE``.
    """

    def __init__(
        self,
        words: list[Any],
        cwd: str | Path | None = None,
        env: Mapping[str, str] | None = None,
        stdout: int | IO[Any] | None = None,
        stderr: int | IO[Any] | None = None,
        modules: tuple[str, ...] = (),
    ) -> None:
        sys.audit("subprocess.Popen", words[0], words, cwd, env)  # so does what it is in place of
        self.args = words
        self.returncode: int | None = None
        self.stdout: IO[str] | None = None
        self.stderr: IO[str] | None = None
        opened = [os.open(os.devnull, os.O_RDWR)]
        files = [opened[0]]
        for name, given in (("stdout", stdout), ("stderr", stderr)):
            if given == subprocess.PIPE:
                read, write = os.pipe()
                setattr(self, name, os.fdopen(read, encoding="utf-8", errors="replace"))
                opened.append(write)
                files.append(write)
            elif given in (None, subprocess.DEVNULL):
                files.append(opened[0])
            else:
                files.append(given.fileno())  # type: ignore[union-attr]
        environment = dict(os.environ if env is None else env)
        told = marshal.dumps(([*map(str, words)], str(cwd or Path.cwd()), environment))
        self._caller = socket.socket(socket.AF_UNIX)
        self._caller.connect(str(folder_of(*modules) / "socket"))
        socket.send_fds(self._caller, [len(told).to_bytes(8, "big")], files)
        self._caller.sendall(told)
        for each in opened:
            os.close(each)
        self.pid = int.from_bytes(self._caller.recv(4, socket.MSG_WAITALL), "big")

    def poll(self) -> int | None:
        """The status, or None while it runs."""
        if self.returncode is None and select.select([self._caller], [], [], 0)[0]:
            self.wait()
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Until it has ended."""
        if self.returncode is None:
            if not select.select([self._caller], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(self.args, timeout or 0)
            status = self._caller.recv(4, socket.MSG_WAITALL)
            self.returncode = int.from_bytes(status, "big", signed=True)
            self._caller.close()
        return self.returncode

    def communicate(self, timeout: float | None = None) -> tuple[str | None, str | None]:
        """What it has written, when it has ended."""
        told: dict[str, str] = {}

        def read(name: str, file: IO[str]) -> None:
            told[name] = file.read()
            file.close()

        files = {name: file for name in ("stdout", "stderr") if (file := getattr(self, name))}
        readers = [threading.Thread(target=read, args=each) for each in files.items()]
        for reader in readers:
            reader.start()
        self.wait(timeout)
        for reader in readers:
            reader.join()
        return told.get("stdout"), told.get("stderr")

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def __enter__(self) -> Started:
        return self

    def __exit__(self, *error: object) -> None:
        for file in (self.stdout, self.stderr):
            if file:
                file.close()
        self.wait()


def run(
    words: list[Any],
    cwd: str | Path | None = None,
    env: Mapping[str, str] | None = None,
    check: bool = False,
    timeout: float | None = None,
) -> subprocess.CompletedProcess[str]:
    """A command, with what it writes as text."""
    process = Started(words, cwd, env, subprocess.PIPE, subprocess.PIPE)
    told = process.communicate(timeout)
    done = subprocess.CompletedProcess(words, process.wait(), *told)
    if check:
        done.check_returncode()
    return done


def _import_all(modules: list[str]) -> None:
    import zhiyin

    for module in modules:
        importlib.import_module(module)
    for found in pkgutil.walk_packages(zhiyin.__path__, "zhiyin."):
        # The tasks look for plug-ins at once: those of a command are not known yet.
        if not found.name.endswith(("__main__", "inspect_tasks")):
            try:
                importlib.import_module(found.name)
            except ImportError:  # an extra's, which is not here
                continue
    pages = importlib.import_module("zhiyin.shown.pages")
    for template in Path(zhiyin.__path__[0]).rglob("web/*.html"):
        pages._templates("en").get_template(template_name(template))  # which all languages share


def template_name(file: Path) -> str:
    """A template as others name it: of a plug-in by its package, of the core by its room."""
    room = file.parent.parent.parts
    own = room[len(room) - room[::-1].index("zhiyin") :]
    if own[0] == "plugins":
        return f"zhiyin.{'.'.join(own)}/{file.name}"
    return file.name if own == ("shown",) else f"{own[0]}/{file.name}"


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
            if 0 in select.select([0, server], [], [])[0]:  # who started it has ended
                shutil.rmtree(Path(address).parent, ignore_errors=True)
                os._exit(0)
            caller, _ = server.accept()
            if os.fork():
                caller.close()
                continue
            break
    words, folder, environment = _received(caller)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    child = os.fork()
    if child:
        with contextlib.suppress(OSError):  # who asked for it may have ended
            caller.sendall(child.to_bytes(4, "big"))
        _, status = os.waitpid(child, 0)
        with contextlib.suppress(OSError):
            caller.sendall(os.waitstatus_to_exitcode(status).to_bytes(4, "big", signed=True))
        os._exit(0)
    caller.close()
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    if most := os.environ.pop(LIMIT, None):
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(most), int(most)))
        sys.dont_write_bytecode = True  # it would be cut off, and stay
    if os.environ.pop(SVG, None):
        importlib.import_module("zhiyin.plugins.paper.figures.style").FORMATS = ("svg",)
    if os.environ.pop(AT_ONCE, None):
        importlib.import_module("zhiyin.engine.asking")._FIRST_WAIT_S = 0.001
    further = environment.get("PYTHONPATH", "").split(os.pathsep)
    sys.path[:0] = [path for path in further if path and path not in sys.path]
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
