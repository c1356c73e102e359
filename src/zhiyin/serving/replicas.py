"""Several servers of one model, each a process of its own: one a GPU, watched and started again."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import msgspec

from zhiyin.errors import InputError
from zhiyin.files import write_atomically
from zhiyin.flags import COUNT, WHOLE, Flag
from zhiyin.numerals import counted


class ServeSettings(msgspec.Struct, frozen=True):
    """How a model is served.

    Attributes
    ----------
    replicas : int or None
        Servers; None for one, in this process.
    gpus : tuple of str
        Empty for all of this machine.
    port : int
    concurrency : int or None
    addresses : str
        A file.
    until_eof : bool
    """

    replicas: Annotated[
        int | None, Flag("so many servers; default: one here", metavar="N", within=COUNT)
    ] = None
    gpus: Annotated[
        tuple[str, ...],
        Flag(
            "dealt out to the servers; default: all of this machine", metavar="0,1,...", once=True
        ),
    ] = ()
    port: Annotated[int, Flag("of the first; 0 for any", within=WHOLE)] = 8000
    concurrency: Annotated[
        int | None, Flag("requests at once, of one server", metavar="N", within=COUNT)
    ] = None
    addresses: Annotated[
        str,
        Flag("where the addresses are written, for -m pool:FILE#MODEL", metavar="FILE", place=True),
    ] = "servers.txt"
    until_eof: Annotated[bool, Flag("end when standard input is closed")] = False


_LOOK_S = 0.25
_MOST_STARTS = 4
"""How often a server that dies is started, the first time included."""
_LAST_LINES = 3


def gpus() -> list[str]:
    """The GPUs of this machine that may be used, as CUDA_VISIBLE_DEVICES names them."""
    named = os.environ.get("CUDA_VISIBLE_DEVICES")
    if named is not None:
        return [one.strip() for one in named.split(",") if one.strip() not in ("", "-1")]
    if not shutil.which("nvidia-smi"):
        return []
    listed = subprocess.run(
        ["nvidia-smi", "--query-gpu=index", "--format=csv,noheader"],
        capture_output=True,
        text=True,
        check=False,
    )
    return listed.stdout.split() if listed.returncode == 0 else []


def free_ports(count: int, first: int) -> list[int]:
    """Ports that are free now: from `first` on, or any where it is 0."""
    ports: list[int] = []
    with contextlib.ExitStack() as stack:
        for port in [0] * count if first == 0 else range(first, 65536):
            one = stack.enter_context(socket.socket())
            with contextlib.suppress(OSError):
                one.bind(("127.0.0.1", port))
                ports.append(one.getsockname()[1])
            if len(ports) == count:
                return ports
    raise InputError(f"--port {first}: {count} free ports are needed from there on")


class Replica:
    """One server process: how it is started, and whether it runs.

    Parameters
    ----------
    command : sequence of str
    port : int
    gpu : str or None
        The one that it may see.
    log : Path
        Where its output goes.
    threads : int
        Of the processor, where it has no GPU.
    """

    def __init__(
        self, command: Sequence[str], port: int, gpu: str | None, log: Path, threads: int
    ) -> None:
        self.command, self.port, self.gpu, self.log = [*command], port, gpu, log
        self.threads, self.starts, self.well = threads, 0, False
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def ended(self) -> int | None:
        """Its exit status; None while it runs."""
        return self._process.poll() if self._process else None

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def start(self) -> None:
        """Start it, or start it again."""
        environment = dict(os.environ)
        if self.gpu is not None:
            environment["CUDA_VISIBLE_DEVICES"] = self.gpu
        else:
            environment.setdefault("OMP_NUM_THREADS", str(self.threads))
        self.starts, self.well = self.starts + 1, False
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,  # closed when this process dies: it ends then
                stdout=log,
                stderr=log,
                env=environment,
                start_new_session=True,  # Ctrl-C reaches us, and we end them in order
                preexec_fn=_end_with_parent,
            )

    def look(self) -> bool:
        """Whether it answers."""
        try:
            with urllib.request.urlopen(
                f"http://127.0.0.1:{self.port}/health", timeout=2
            ) as response:
                self.well = response.status == 200
        except (urllib.error.URLError, OSError):
            self.well = False
        return self.well

    def last_words(self) -> str:
        """The end of what it wrote, on one line."""
        lines = self.log.read_text(errors="replace").split("\n") if self.log.exists() else []
        return " / ".join([line.strip() for line in lines if line.strip()][-_LAST_LINES:])[-400:]

    def stop(self) -> None:
        """End it, and whatever it started."""
        process = self._process
        if process is None:
            return
        if process.stdin:
            process.stdin.close()
        for number, seconds in ((15, 10.0), (9, 5.0)):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, number)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(seconds)
                break


def _end_with_parent() -> None:
    """Let the system end this process when the one that started it is killed (Linux)."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(1, 15)  # PR_SET_PDEATHSIG, SIGTERM


class Fleet:
    """All servers of one model, for as long as the ``with`` block lasts.

    Parameters
    ----------
    spec : str
        ``vllm:PATH_OR_ID`` is served by ``vllm serve``, everything else by Zhiyin.
    count : int
    devices : sequence of str
        GPUs, dealt out in turn; none for the processor.
    port : int
        Of the first server; 0 for any that are free.
    addresses : Path
        The file that names those that are ready, for ``pool:FILE#MODEL``. Deleted at the end.
    say : callable
        Called with each line about what happens.
    """

    def __init__(
        self,
        spec: str,
        count: int,
        devices: Sequence[str],
        port: int,
        addresses: Path,
        say: Callable[[str], None],
        extra: Sequence[str] = (),
    ) -> None:
        self.spec, self.addresses, self._say = spec, addresses, say
        self.model = spec.removeprefix("vllm:") if spec.startswith("vllm:") else spec
        self._folder = Path(tempfile.mkdtemp(prefix="zhiyin-servers-"))
        self._written: list[str] = []
        threads = max(1, (os.cpu_count() or 1) // count)
        self.replicas = [
            Replica(
                command_of(spec, own, extra),
                own,
                devices[at % len(devices)] if devices else None,
                self._folder / f"server-{at + 1}.log",
                threads,
            )
            for at, own in enumerate(free_ports(count, port))
        ]

    def __enter__(self) -> Fleet:
        try:
            for replica in self.replicas:
                replica.start()
            self._wait_until_well()
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(self, *exception: object) -> None:
        self._stop()
        if exception[0] is None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _stop(self) -> None:
        for replica in self.replicas:
            replica.stop()
        self.addresses.unlink(missing_ok=True)

    def _wait_until_well(self) -> None:
        begun = reported = time.monotonic()
        while waiting := [one for one in self.replicas if not one.well]:
            for one in waiting:
                if one.ended is not None:
                    raise InputError(
                        f"{self.spec}: a server ended with status {one.ended} before it was "
                        f"ready: {one.last_words() or 'it said nothing'} (all of it: {one.log})"
                    )
                one.look()
            if time.monotonic() - reported > 30:
                reported = time.monotonic()
                self._say(f"{len(waiting)} of {len(self.replicas)} are not ready yet")
            time.sleep(_LOOK_S)
        self._write()
        self._say(
            f"{counted(len(self.replicas), 'server')} of "
            f"{self.model} after {time.monotonic() - begun:.0f} s"
        )

    def watch(self) -> bool:
        """Start those again that died; return whether any runs."""
        for number, one in enumerate(self.replicas, 1):
            if one.ended is not None and one.starts < _MOST_STARTS:
                self._say(f"server {number} ended with status {one.ended}: started again")
                one.start()
            elif one.ended is not None and one.well:
                one.well = False
                self._say(f"server {number} ended {one.starts} times, and stays out: {one.log}")
            elif one.ended is None and not one.well:
                one.look()
        self._write()
        return any(one.ended is None for one in self.replicas)

    def _write(self) -> None:
        now = [one.address for one in self.replicas if one.ended is None and one.well]
        if now != self._written and now:
            lines = [f"# servers of {self.model}", *now]
            write_atomically(self.addresses, "\n".join(lines).encode() + b"\n")
            self._written = now


def command_of(spec: str, port: int, extra: Sequence[str] = ()) -> list[str]:
    """What starts one server.

    Raises
    ------
    InputError
        When vLLM is needed and not installed.
    """
    if not spec.startswith("vllm:"):
        own = [sys.executable, "-m", "zhiyin", "serve", spec, "--port", str(port), "--until-eof"]
        return [*own, *extra]
    program = shutil.which("vllm")
    if program is None:
        raise InputError("vllm is not installed here: pip install vllm, in an environment apart")
    path = spec.removeprefix("vllm:")
    # Without it the checkpoint's own sampling settings would apply, unseen.
    own = [program, "serve", path, "--port", str(port), "--host", "127.0.0.1"]
    return [*own, "--generation-config", "vllm", *extra]
