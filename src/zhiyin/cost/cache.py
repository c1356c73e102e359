"""Replies that are kept: under which key, and how a run gets them beside its event loop."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import queue
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from zhiyin.cost.store import Damaged, KeptReply, ReplyStore, cache_file, room_for_replies
from zhiyin.errors import InputError, ModelError
from zhiyin.idioms import holding
from zhiyin.models.capabilities import capabilities_of
from zhiyin.models.media import ClipCache, load_picture
from zhiyin.models.playback import SoundPolicy
from zhiyin.record import Reply, Sampling
from zhiyin.trial import Audio, Image, Messages, Text
from zhiyin.words import said

_VERSION = 1
"""Raised whenever the same request would be put together in another way."""
_encode = msgspec.json.Encoder(order="sorted").encode
_Medium = Audio | Image


class RequestKeys:
    """The keys of requests to one model.

    Parameters
    ----------
    identity : dict
        What makes the model the one that it is: address, name, revision.
    sound : SoundPolicy
        How sound is sent.
    """

    def __init__(self, identity: Mapping[str, object], sound: SoundPolicy) -> None:
        self._identity = identity
        self._clips = ClipCache(sound)
        self._hashes: dict[_Medium, str] = {}
        self._making: dict[_Medium, asyncio.Task[str]] = {}

    async def key(
        self, messages: Messages, sampling: Sampling, trial: str, again: int
    ) -> bytes | None:
        """The key of a request; None where a sound or a picture cannot be had.

        Parameters
        ----------
        messages : sequence of Message
        sampling : Sampling
        trial : str
            The trial's id: repeats of an item, and whatever else is asked twice in a run, are
            asked twice, and each has a reply of its own.
        again : int
            How often the same was asked before in the same conversation.
        """
        try:
            written = [
                [message.role, [await self._part(part) for part in message.parts]]
                for message in messages
            ]
        except ModelError:  # the model will raise the same
            return None
        chosen = {k: v for k, v in msgspec.to_builtins(sampling).items() if v is not None}
        whole = [_VERSION, self._identity, written, chosen, trial, again]
        return hashlib.blake2b(_encode(whole), digest_size=32).digest()

    async def _part(self, part: Text | _Medium) -> list[str]:
        if isinstance(part, Text):
            return ["text", part.text]
        return ["sound" if isinstance(part, Audio) else "image", await self._hash(part)]

    async def _hash(self, medium: _Medium) -> str:
        """SHA-256 of the bytes that are sent; computed once for each sound and picture."""
        known = self._hashes.get(medium)
        if known is not None:
            return known
        making = self._making.get(medium)
        if making is None:
            making = asyncio.create_task(asyncio.to_thread(self._read, medium))
            self._making[medium] = making
            making.add_done_callback(lambda _: self._making.pop(medium, None))
        digest = self._hashes[medium] = await asyncio.shield(making)
        return digest

    def _read(self, medium: _Medium) -> str:
        if isinstance(medium, Image):
            return load_picture(medium).sent.sha256
        return self._clips.load(medium).sent.sha256


def is_repeatable(model: Any, sampling: Sampling) -> bool:
    """Tell whether equal requests should get equal replies: temperature 0, or a seed, is set."""
    can = capabilities_of(model)
    return (sampling.temperature == 0 and can.sets("temperature")) or (
        sampling.seed is not None and can.sets("seed")
    )


def was_repeatable(reply: Reply, sampling: Sampling) -> bool:
    """Tell whether what makes a request repeatable was sent and not refused by the server."""
    left_out = reply.detail.get("left_out") or ()
    return (sampling.temperature == 0 and "temperature" not in left_out) or (
        sampling.seed is not None and "seed" not in left_out
    )


def may_be_kept(reply: Reply) -> bool:
    """Tell whether a reply is whole, a refusal or log-probabilities too: not cut off, not empty."""
    return reply.finish != "length" and bool(reply.text.strip() or reply.logprobs)


Keep = float | Literal["off", "session", "always"]
"""Whose replies a run may use, and whether it keeps its own: of so many days at most; nobody's;
those of the runs of the same session of a suite; everybody's of whatever age."""
_MOST_DAYS = 3_650
_session: ContextVar[Path | None] = ContextVar("replies_of_session", default=None)


def read_keep(value: object) -> Keep:
    """Read the value of ``--cache``. Raises `InputError`."""
    if value in ("off", "session", "always"):
        return value  # type: ignore[return-value]
    with contextlib.suppress(TypeError, ValueError):
        if not isinstance(value, bool) and 0 < (days := float(value)) <= _MOST_DAYS:  # type: ignore[arg-type]
            return days
    if value == "auto":
        raise InputError(said("error-cache-auto"))
    raise InputError(said("error-cache", value=str(value)))


@contextlib.contextmanager
def session_of_runs() -> Iterator[None]:
    """Let runs in this context share the replies kept for this session, in a temporary file."""
    with (
        tempfile.TemporaryDirectory(prefix="zhiyin-", ignore_cleanup_errors=True) as place,
        holding(_session, Path(place) / "replies.sqlite"),
    ):
        yield


def check_keep(keep: Keep) -> None:
    """Refuse what means nothing outside a suite, before anything is asked. Raises `InputError`."""
    if keep == "session" and _session.get() is None:
        raise InputError(said("error-cache-session"))


def open_cache(keep: Keep) -> ReplyCache | None:
    """The replies that a run may use; None for none."""
    if keep == "off" or (keep == "session" and _session.get() is None):
        return None
    if keep == "session":
        return ReplyCache(_session.get())
    return ReplyCache(days=None if keep == "always" else float(keep))


class _Forget(NamedTuple):
    """A key under which nothing is to be kept any more."""

    key: bytes


_Waiting = tuple[asyncio.Future[Any], bytes | KeptReply | _Forget]


class ReplyCache:
    """Replies that were paid for, for every run of this user.

    Whatever happens to the file, the run goes on: one message is shown, and nothing more is kept.

    Parameters
    ----------
    path : Path, optional
        By default `cache_file`.
    room : int, optional
        Bytes; by default `room_for_replies`.
    days : float, optional
        No reply is given that is older than so many; None for whatever age.

    Attributes
    ----------
    trouble : str
        Why nothing is kept any more; empty while all is well.
    """

    def __init__(
        self, path: Path | None = None, room: int | None = None, days: float | None = None
    ) -> None:
        self.path, self._days = path or cache_file(), days
        self._room = room_for_replies() if room is None else room
        self.trouble = ""
        self._wanted: queue.SimpleQueue[_Waiting | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    async def get(self, key: bytes) -> KeptReply | None:
        """Return the reply kept under a key, if it is young enough."""
        if self._thread is None and not self.path.exists():
            return None  # looking makes no file
        entry: KeptReply | None = await self._do(key)
        return entry

    async def put(self, entry: KeptReply) -> None:
        """Keep a reply; it is on its way to the disk on return."""
        await self._do(entry)

    async def forget(self, key: bytes) -> None:
        """Keep no reply under a key any more."""
        await self._do(_Forget(key))

    async def close(self) -> None:
        """Write what is left, and close the file."""
        if self._thread is not None:
            self._wanted.put(None)
            await asyncio.to_thread(self._thread.join)
            self._thread = None

    async def _do(self, what: bytes | KeptReply | _Forget) -> Any:
        if self.trouble or not self._room:
            return None
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="replies", daemon=True)
            self._thread.start()
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._wanted.put((future, what))
        return await future

    def _work(self) -> None:
        store: ReplyStore | None = None
        while (first := self._wanted.get()) is not None:
            waiting, last = [first], False
            while not last and not self._wanted.empty():
                further = self._wanted.get()
                if further is None:
                    last = True
                else:
                    waiting.append(further)
            kept: dict[bytes, KeptReply] = {}
            try:
                if not self.trouble:
                    store = store or ReplyStore(self.path, self._room)
                    kept = _carry_out(store, [what for _, what in waiting], self._days)
            except Damaged as fault:
                self.trouble = str(fault)
            _resolve(waiting, kept)
            if last:
                break
        if store is not None:
            store.close()


def _carry_out(
    store: ReplyStore, wanted: list[bytes | KeptReply | _Forget], days: float | None
) -> dict[bytes, KeptReply]:
    """Do all that is waited for: one change on the disk for many replies."""
    entries = [what for what in wanted if isinstance(what, KeptReply)]
    if entries:
        store.put(entries)
    if forgotten := [what.key for what in wanted if isinstance(what, _Forget)]:
        store.forget(forgotten)
    return store.get((what for what in wanted if isinstance(what, bytes)), days)


def _resolve(waiting: list[_Waiting], kept: dict[bytes, KeptReply]) -> None:
    """Hand the results to those who wait for them, each event loop at once."""

    def give() -> None:
        for future, what in waiting:
            if not future.done():
                future.set_result(kept.get(what) if isinstance(what, bytes) else None)

    loop = waiting[0][0].get_loop()
    _call(loop.call_soon_threadsafe, give)


def _call(call: Callable[..., object], what: Callable[[], None]) -> None:
    try:
        call(what)
    except RuntimeError:  # the loop is closed: no call waits any more
        return
