"""``subprocess:COMMAND``: any program that answers over pipes, a JSON object a line.

For a model whose packages do not go with ours, or that is in no library. The program is started
once and asked many times. What it is given, a line each on its standard input::

    {"id": 7, "messages": [{"role": "user", "content": [{"type": "text", "text": "..."},
     {"type": "audio", "path": "/tmp/.../3f9c.wav", "seconds": 5.0}]}],
     "sampling": {"temperature": 0.0, "max_tokens": 256}}

Sound is a copy under a name that tells nothing; settings that are not set are left out. What it
writes to its standard output: first a greeting, then an answer for each question, in any order::

    {"zhiyin": 1, "name": "my model", "at_once": 1, "sound": true, "clips": 1, "seconds": 30.0}
    {"id": 7, "text": "B", "finish": "stop", "tokens": {"prompt_tokens": 90,
     "completion_tokens": 2}, "seconds_heard": [5.0]}
    {"id": 8, "error": "that sound is too short"}

Of the greeting only ``zhiyin`` (the version of the protocol) is needed, of an answer ``id`` and
``text``. Everything else on standard output is a fault; what is for people goes to standard error.
The program ends when its standard input is closed.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import re
import shlex
import shutil
import signal
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import Literal

import msgspec

from zhiyin.errors import FatalError, InputError, ModelError, TransientError, reworded
from zhiyin.files import NOT_JSON, TemporaryPlace
from zhiyin.models import Setting
from zhiyin.models.capabilities import UNKNOWN, Capabilities
from zhiyin.models.playback import SoundPolicy, refuse_longer, write_neutral
from zhiyin.models.replay import settings_of
from zhiyin.models.replies import with_thinking_apart
from zhiyin.record import Reply, Sampling
from zhiyin.text import number_in, printable
from zhiyin.trial import Audio, Image, Message, Text, Trial
from zhiyin.words import said

VERSION = 1
"""Of the protocol."""
LONGEST_LINE = 32 * 2**20
"""Bytes of a line that is read."""
_START_S = 600.0
"""Seconds that a program may take to load its model and greet us, where ``start=S`` says none."""
_START = re.compile(r"start=([^,\s]*),\s*")
_LONGEST_START_S = 86400.0
_END_S = 5.0
_MOST_FAILED_STARTS = 3
_PROGRAM = 2**20
_LONGEST_MESSAGE = 300


class _Greeting(msgspec.Struct):
    zhiyin: int
    name: str = ""
    at_once: int = 1
    sound: bool | None = None
    clips: int | None = None
    seconds: float | None = None


class _Answer(msgspec.Struct):
    id: int
    text: str | None = None
    error: str | None = None
    finish: Literal["stop", "length", "refusal"] = "stop"
    tokens: dict[str, int] = {}
    seconds_heard: list[float] = []
    reasoning: str = ""


class PipeModel:
    """A program that is asked over pipes; started again when it dies, hangs or breaks the protocol.

    Parameters
    ----------
    command : str
        As in a shell, split into words; no shell is started. Before it may stand ``start=S,``: the
        seconds that the program may take to greet us.
    setting : Setting
        Its timeout is that of one answer.

    Raises
    ------
    InputError
        There is no such program, or the seconds are none.
    """

    timed = False
    """It looks at the clock itself: a program that hangs has to be ended."""

    def __init__(self, command: str, setting: Setting) -> None:
        self._start_s, command = _split_start(command)
        with reworded(f"subprocess:{command}: ", of=ValueError):
            self._words = shlex.split(command)
        if not self._words:
            raise InputError(said("local-command"))
        if shutil.which(self._words[0]) is None:
            raise InputError(said("local-program", command=command, words=repr(self._words[0])))
        self.name = f"subprocess:{command}"
        self.concurrency = setting.concurrency or 1
        self._wanted, self._timeout = setting.concurrency, setting.timeout
        self._policy: SoundPolicy = setting.sound
        self._process: asyncio.subprocess.Process | None = None
        self._greeting: _Greeting | None = None
        self._waiting: dict[int, asyncio.Future[_Answer]] = {}
        self._readers: list[asyncio.Task[None]] = []
        self._stderr: deque[str] = deque(maxlen=20)
        self._starting, self._writing = asyncio.Lock(), asyncio.Lock()
        self._count = self._failed_starts = self._restarts = 0
        self._room = asyncio.Semaphore(self.concurrency)
        self._causes: list[str] = []
        self._copies = TemporaryPlace()

    @property
    def capabilities(self) -> Capabilities:
        """Capabilities by the program's greeting; unknown before it was started."""
        greeting = self._greeting
        if greeting is None:
            return Capabilities(image=False, logprobs=False, schema=False)
        return Capabilities(
            sound=UNKNOWN if greeting.sound is None else greeting.sound,
            image=False,
            clips=UNKNOWN if greeting.clips is None else greeting.clips,
            seconds=UNKNOWN if greeting.seconds is None else greeting.seconds,
            logprobs=False,
            schema=False,
        )

    async def check(self) -> None:
        """Start the program, and wait for its greeting. Raises `InputError`."""
        try:
            await self._started()
        except ModelError as error:
            raise InputError(said("error-at", where=self.name, why=str(error))) from None
        assert self._greeting is not None
        if self._greeting.name:
            self._stderr.clear()
        self.concurrency = self._wanted or max(1, self._greeting.at_once)
        self._room = asyncio.Semaphore(self.concurrency)

    async def generate(
        self, messages: Sequence[Message], sampling: Sampling, trial: Trial
    ) -> Reply:
        """Ask once. Nothing of `trial` is handed over.

        Raises
        ------
        TransientError
            The program died, broke the protocol, or was ended because another answer did not come.
        ModelError
            It says that it cannot answer, or did not in time.
        FatalError
            It cannot be kept alive.
        """
        written = await asyncio.to_thread(lambda: [*map(self._written, messages)])
        async with self._room:
            process = await self._started()
            self._count += 1
            number, begun = self._count, perf_counter()
            future = asyncio.get_running_loop().create_future()
            self._waiting[number] = future
            try:
                question = {"id": number, "messages": written, "sampling": settings_of(sampling)}
                await self._send(process, question)
                async with asyncio.timeout(self._timeout):
                    answer = await future
            except TimeoutError:
                why = f"no answer within {self._timeout:g} s"
                self._waiting.pop(number, None)
                await self._broken(process, why)
                raise ModelError(f"the program gave {why}; it was ended and started again") from (
                    None
                )
            finally:
                self._waiting.pop(number, None)
        self._failed_starts = 0
        return self._reply(answer, messages, perf_counter() - begun)

    def fingerprint(self) -> str:
        """SHA-256 of the command, and of what is in the files that it names (up to 1 MB each)."""
        total = hashlib.sha256()
        for word in self._words:
            path = Path(word)
            small = path.is_file() and path.stat().st_size <= _PROGRAM
            total.update(path.read_bytes() if small else word.encode())
            total.update(b"\0")
        return total.hexdigest()

    def describe(self) -> dict[str, object]:
        """Return what a run's manifest says of it."""
        return {
            "kind": "subprocess",
            "command": self._words,
            "protocol": VERSION,
            "timeout_s": self._timeout,
            "start_s": self._start_s,
        }

    def report(self) -> list[str]:
        """List what the user should know when the run is over, a line each."""
        if not self._restarts:
            return []
        times = "once" if self._restarts == 1 else f"{self._restarts} times"
        return [f"the program was started again {times}: {'; '.join(self._causes[:3])}"]

    async def close(self) -> None:
        """End the program, and delete the copies of sounds."""
        process, self._process = self._process, None
        if process is not None:
            await _terminate(process, gently=True)
        for reader in self._readers:
            reader.cancel()
        await asyncio.gather(*self._readers, return_exceptions=True)
        self._readers.clear()
        self._copies.delete()

    # The program

    async def _started(self) -> asyncio.subprocess.Process:
        """The program, alive and greeted."""
        async with self._starting:
            if self._process is not None:
                return self._process
            if self._failed_starts >= _MOST_FAILED_STARTS:
                why = f": {self._causes[-1]}" if self._causes else self._last_stderr()
                raise FatalError(
                    f"the program was started {self._failed_starts} times and gave no answer{why}"
                )
            self._failed_starts += 1
            try:
                process = await asyncio.create_subprocess_exec(
                    *self._words,
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    stderr=asyncio.subprocess.PIPE,
                    limit=LONGEST_LINE,
                    start_new_session=True,  # Ctrl-C is for us: it is ended by us
                )
            except OSError as error:
                raise ModelError(f"cannot be started ({error.strerror or error})") from None
            listening = asyncio.create_task(self._listen(process))
            try:
                async with asyncio.timeout(self._start_s):
                    self._greeting = await self._read_greeting(process)
            except BaseException as error:
                await _terminate(process)
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(listening, 1)
                if isinstance(error, TimeoutError):
                    raise ModelError(
                        f"wrote no greeting within {self._start_s:g} s: its first line is to be "
                        f'{{"zhiyin": {VERSION}}}; where loading takes longer, write '
                        f"subprocess:start=SECONDS,COMMAND{self._last_stderr()}"
                    ) from None
                if isinstance(error, ModelError):
                    raise ModelError(f"{error}{self._last_stderr()}") from None
                raise
            self._process = process
            self._readers = [listening, asyncio.create_task(self._read(process))]
            return process

    async def _read_greeting(self, process: asyncio.subprocess.Process) -> _Greeting:
        line = await _line(process)
        if not line:
            code = await process.wait()
            raise ModelError(f"ended before it greeted us ({_exit_text(code)})")
        try:
            greeting = msgspec.json.decode(line, type=_Greeting)
        except NOT_JSON:
            hello = f'{{"zhiyin": {VERSION}}}'
            raise ModelError(said("log-greeting", line=_excerpt(line), greeting=hello)) from None
        if greeting.zhiyin != VERSION:
            raise ModelError(f"speaks version {greeting.zhiyin} of the protocol, and we {VERSION}")
        return greeting

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        """Hand out answers until the program breaks."""
        while True:
            try:
                line = await _line(process)
            except ModelError as error:
                await self._broken(process, str(error))
                return
            if not line:
                await self._broken(process, f"it ended ({_exit_text(await process.wait())})")
                return
            try:
                answer = msgspec.json.decode(line, type=_Answer)
            except NOT_JSON as error:
                wrote = f"it wrote {_excerpt(line)}, which is no answer ({error})"
                await self._broken(process, wrote)
                return
            future = self._waiting.pop(answer.id, None)
            if future is not None and not future.done():
                future.set_result(answer)
            elif answer.id > self._count:
                await self._broken(process, f"it answered {answer.id}, which was not asked")
                return

    async def _listen(self, process: asyncio.subprocess.Process) -> None:
        """Keep the last lines that it writes to standard error."""
        assert process.stderr is not None
        while data := await process.stderr.read(2**16):
            for line in data.decode(errors="replace").splitlines()[-20:]:
                if line.strip():
                    self._stderr.append(printable(" ".join(line.split()))[:_LONGEST_MESSAGE])

    async def _send(self, process: asyncio.subprocess.Process, question: dict[str, object]) -> None:
        assert process.stdin is not None
        async with self._writing:
            with contextlib.suppress(OSError):  # it has ended: `_read` finds out
                process.stdin.write(msgspec.json.encode(question) + b"\n")
                await process.stdin.drain()

    async def _broken(self, process: asyncio.subprocess.Process, why: str) -> None:
        """End a program that cannot be relied on; its open calls fail, and may be made again."""
        if self._process is not process:
            return
        self._process = None
        self._restarts += 1
        await _terminate(process)
        await asyncio.sleep(0)  # its last words
        reason = f"{why}{self._last_stderr()}"
        if reason not in self._causes:
            self._causes.append(reason)
        waiting, self._waiting = self._waiting, {}
        for future in waiting.values():
            if not future.done():
                future.set_exception(TransientError(f"the program failed: {reason}"))

    def _last_stderr(self) -> str:
        return f"; it said: {self._stderr[-1]}" if self._stderr else ""

    # Messages

    def _written(self, message: Message) -> dict[str, object]:
        parts = [
            {"type": "text", "text": part.text} if isinstance(part, Text) else self._played(part)
            for part in message.parts
        ]
        return {"role": message.role, "content": parts}

    def _played(self, part: Audio | Image) -> dict[str, object]:
        if isinstance(part, Image):
            raise ModelError("it shows a picture, and the protocol has none")
        path, seconds = str(write_neutral(part, self._copies.path)), part.played
        if not seconds:
            return {"type": "audio", "path": path}
        refuse_longer(part, seconds, self._policy)
        return {"type": "audio", "path": path, "seconds": round(seconds, 3)}

    def _reply(self, answer: _Answer, messages: Sequence[Message], seconds: float) -> Reply:
        if answer.error is not None or answer.text is None:
            message = printable(
                " ".join((answer.error or "it wrote neither text nor error").split())
            )
            raise ModelError(f"the program says: {message[:_LONGEST_MESSAGE]}")
        reply = Reply(answer.text, answer.finish, answer.tokens, seconds)
        sounds = [p for m in messages for p in m.parts if isinstance(p, Audio)]
        if sounds:
            reply.detail["audio_seconds"] = round(sum(sound.played for sound in sounds), 3)
            if len(answer.seconds_heard) == len(sounds):
                reply.detail["audio_seconds_heard"] = round(sum(answer.seconds_heard), 3)
                reply.detail["audio_heard"] = answer.seconds_heard
        with_thinking_apart(reply)
        if answer.reasoning:
            reply.detail["reasoning"] = answer.reasoning
        return reply


def _split_start(command: str) -> tuple[float, str]:
    """The seconds that a program may take to greet us, and the command without them."""
    match = _START.match(command)
    if not match:
        return _START_S, command
    seconds = number_in(match[1])
    if not 0 < seconds <= _LONGEST_START_S:
        raise InputError(
            said("local-start", command=command, match=match[1], most=f"{_LONGEST_START_S:.0f}")
        )
    return seconds, command[match.end() :]


async def _line(process: asyncio.subprocess.Process) -> bytes:
    """The next line that is not blank; empty at the end. Raises `ModelError` for one too long."""
    assert process.stdout is not None
    try:
        while (line := await process.stdout.readline()) and not line.strip():
            pass
    except ValueError:
        raise ModelError(f"it wrote a line of more than {LONGEST_LINE // 2**20} MB") from None
    return line


async def _terminate(process: asyncio.subprocess.Process, *, gently: bool = False) -> None:
    """End a program and all that it started; `gently`: close its input first, and wait a little."""
    steps = [(signal.SIGTERM, _END_S), (signal.SIGKILL, _END_S)]
    if process.stdin is not None:
        process.stdin.close()
    if gently:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), _END_S)
            steps = []
    for number, patience in steps:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, number)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), patience)
            break
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)  # what it left behind


def _exit_text(code: int) -> str:
    """Describe how a process ended, for people."""
    if code >= 0:
        return f"exit status {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"


def _excerpt(line: bytes) -> str:
    text = printable(" ".join(line[:200].decode(errors="replace").split()))
    return repr(text if len(text) <= 60 else f"{text[:60]}...")
