"""What a server may take of this machine: memory for its replies, and open files."""

from __future__ import annotations

import resource
import zlib

import aiohttp

from zhiyin.errors import InputError, ModelError, TransientError

LARGEST_REPLY = 32 * 2**20
"""Bytes of a reply, unpacked: a hundred times what the longest replies have."""

CODINGS = "gzip"
"""What is asked for in Accept-Encoding, and unpacked here."""

_SPARE_FILES = 100


async def read_body(response: aiohttp.ClientResponse, most: int = LARGEST_REPLY) -> bytes:
    """The body of a response that aiohttp has not unpacked, at most `most` bytes of it.

    Raises
    ------
    ModelError
        When there is more; the connection is closed.
    TransientError
        When it cannot be unpacked.
    """
    coding = response.headers.get("Content-Encoding", "").strip().lower()
    unpacker = zlib.decompressobj(47) if coding not in ("", "identity") else None
    body = bytearray()
    try:
        async for chunk in response.content.iter_any():
            room = most + 1 - len(body)
            body += unpacker.decompress(chunk, room) if unpacker else chunk
            if len(body) > most:
                response.close()
                raise ModelError(
                    f"the server's reply is longer than {most // 2**20} MB and was not "
                    "read to its end"
                )
    except zlib.error as error:
        raise TransientError(f"the server's reply cannot be unpacked ({coding}: {error})") from None
    return bytes(body)


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
