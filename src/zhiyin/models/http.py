"""What a server may take of this machine: memory for its replies, and open files."""

from __future__ import annotations

import resource
import zlib
from collections.abc import Mapping

import aiohttp

from zhiyin.errors import InputError, ModelError, TransientError

LARGEST_REPLY = 32 * 2**20
"""Bytes of a reply, unpacked: a hundred times what the longest replies have."""

CODINGS = "gzip"
"""What is asked for in Accept-Encoding, and unpacked here."""

_SPARE_FILES = 100


class Body:
    """The body of a response, unpacked as it comes.

    Parameters
    ----------
    headers : mapping
        Of the response.
    most : int
        Bytes that it may have, unpacked.
    """

    def __init__(self, headers: Mapping[str, str], most: int = LARGEST_REPLY) -> None:
        self._coding = headers.get("Content-Encoding", "").strip().lower()
        packed = self._coding not in ("", "identity")
        self._unpacker = zlib.decompressobj(47) if packed else None
        self._most, self._bytes = most, bytearray()

    def add(self, chunk: bytes) -> None:
        """Take in what has come.

        Raises
        ------
        ModelError
            When there is more than there may be.
        TransientError
            When it cannot be unpacked.
        """
        room = self._most + 1 - len(self._bytes)
        try:
            self._bytes += self._unpacker.decompress(chunk, room) if self._unpacker else chunk
        except zlib.error as error:
            raise TransientError(
                f"the server's reply cannot be unpacked ({self._coding}: {error})"
            ) from None
        if len(self._bytes) > self._most:
            raise ModelError(
                f"the server's reply is longer than {self._most // 2**20} MB and was not "
                "read to its end"
            )

    def whole(self) -> bytes:
        """All that has come."""
        return bytes(self._bytes)


async def read_body(response: aiohttp.ClientResponse, most: int = LARGEST_REPLY) -> bytes:
    """The body of a response that aiohttp has not unpacked, at most `most` bytes of it.

    Raises
    ------
    ModelError, TransientError
        As `Body.add`; where there is more, the connection is closed.
    """
    body = Body(response.headers, most)
    try:
        async for chunk in response.content.iter_any():
            body.add(chunk)
    except ModelError:
        response.close()
        raise
    return body.whole()


def make_room(connections: int) -> None:
    """Make sure that so many connections can be open at once.

    The limit that a process may raise by itself is raised.

    Raises
    ------
    InputError
        When the system does not allow so many.
    """
    needed = connections + _SPARE_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return
    allowed = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, allowed), hard))
    if allowed < needed:
        raise InputError(
            f"--concurrency {connections} needs {needed} open files, and {allowed} are allowed "
            f"here: take at most {max(1, allowed - _SPARE_FILES)}, or raise `ulimit -n`"
        )
