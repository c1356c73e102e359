"""Reading pictures: from a file of a common format to an image part, checked to its last row.

Decoders fill up unseen the rows that a header claims and a file does not hold.
"""

from __future__ import annotations

import hashlib
import io
import re
import struct
import warnings
import zlib
from pathlib import Path

from zhiyin.errors import InputError, reworded
from zhiyin.files import read_regular
from zhiyin.numerals import size
from zhiyin.trial import Image
from zhiyin.words import said

MOST_BYTES = 20 * 10**6
"""Of one picture. Servers take 5 to 50 MB for a whole request."""
MOST_PIXELS = 50 * 10**6
"""Width times height, looked at before anything is decoded."""
FORMATS = ("PNG", "JPEG", "WEBP", "GIF")
"""As Pillow calls them; no other decoder of Pillow's is let near a file."""
MEND = said("picture-mend")

_MAGIC = {b"\x89PNG\r\n\x1a\n": "png", b"\xff\xd8\xff": "jpeg", b"GIF87a": "gif", b"GIF89a": "gif"}


def image_part(path: str | Path) -> Image:
    """The image part of a message for a file: its place, hash, width and height.

    The format is known by the file's contents, not by its name. The whole picture is decoded, so
    that one that breaks off, or whose header lies, is found before anybody is asked.

    Raises
    ------
    InputError
        Where there is no such file, it is no picture of these formats, it breaks off, moves, or is
        larger than `MOST_BYTES` or `MOST_PIXELS`.
    """
    with reworded(said("error-read", path=path, why="")):
        data = read_regular(path)
    width, height = _size(data, path)
    # Absolute: a log is read from other folders than the one where the run began.
    return Image(str(Path(path).absolute()), hashlib.sha256(data).hexdigest(), width, height)


def is_blank(path: str | Path) -> bool:
    """Tell whether a picture that can be read shows one colour alone."""
    import PIL.Image

    with PIL.Image.open(path, formats=FORMATS) as picture:
        red, green, blue, opacity = (
            picture.convert("RGBA").getchannel(name).getextrema() for name in "RGBA"
        )
    return opacity == (0, 0) or all(low == high for low, high in (red, green, blue, opacity))


def format_of(data: bytes) -> str:
    """The format by the first bytes, "png", "jpeg", "webp" or "gif"; empty for any other."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "webp"
    return next((name for magic, name in _MAGIC.items() if data.startswith(magic)), "")


def _size(data: bytes, path: str | Path) -> tuple[int, int]:
    """Width and height of a picture that can be decoded as a whole."""
    import PIL.Image

    if len(data) > MOST_BYTES:
        raise InputError(
            said("picture-bytes", path=path, size=size(len(data)), most=size(MOST_BYTES))
        )
    if not format_of(data):
        svg = b"<svg" in data[:1000].lower()
        raise InputError(said("picture-other", path=path, svg=svg))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a large picture: ours says so below
            picture = PIL.Image.open(io.BytesIO(data), formats=FORMATS)
        with picture:
            width, height = picture.size
            if width * height > MOST_PIXELS:
                raise InputError(said(
                    "picture-pixels", path=path, width=str(width), height=str(height),
                    most=MOST_PIXELS / 1e6,
                ))  # fmt: skip
            if getattr(picture, "n_frames", 1) > 1:
                raise InputError(said("picture-moves", path=path))
            picture.load()
            # Whether rows are missing
            look = {"PNG": _png, "JPEG": _jpeg, "GIF": _gif}.get(picture.format or "")
            if look is not None and look(data):
                raise ValueError("its rows break off before the height that its header claims")
    except InputError:
        raise
    except PIL.Image.DecompressionBombError:
        raise InputError(said("picture-many", path=path, most=MOST_PIXELS / 1000000.0)) from None
    except Exception as problem:  # each decoder has errors of its own, without a common class
        message = " ".join(str(problem).split()) or type(problem).__name__
        raise InputError(said("picture-damaged", path=path, message=message, mend=MEND)) from None
    return width, height


_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
_ADAM7 = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
          (0, 1, 1, 2))  # fmt: skip
"""First column and row, and the steps of both, of the seven passes."""
_DEEPEST_GIF = 8
_NOISE = b"\x55\xaa\x33" * 700
"""What no decoder needs after the last row: it holds no marker."""
_RESTARTS = re.compile(rb"\xff([\xd0-\xd7])")
_SCAN_ENDS = re.compile(rb"\xff+[^\x00\xd0-\xd7\xff]")


def _png(data: bytes) -> bool:
    """Tell whether a PNG holds fewer rows than its header claims, which Pillow fills with black.

    Counts what the compressed stream holds against what the header makes of it (PNG
    Specification, third edition, 7.2 "Scanlines" and 8.1 "Interlace methods").
    """
    width, height, depth, kind = struct.unpack_from(">IIBB", data, 16)
    passes = _ADAM7 if data[28] else ((0, 0, 1, 1),)
    bits, wanted = depth * _CHANNELS[kind], 0
    for left, top, across, down in passes:
        columns, rows = -(-(width - left) // across), -(-(height - top) // down)
        if columns > 0 and rows > 0:
            wanted += rows * (1 + -(-columns * bits // 8))
    unpacker, unpacked, place = zlib.decompressobj(), 0, 8
    while place + 8 <= len(data) and unpacked < wanted:
        size, name = struct.unpack_from(">I4s", data, place)
        body = data[place + 8 : place + 8 + size] if name == b"IDAT" else b""
        while body and unpacked < wanted:
            unpacked += len(unpacker.decompress(body, 2**20))
            body = unpacker.unconsumed_tail
        place += 12 + size
    return unpacked + len(unpacker.flush()) < wanted


def _jpeg(data: bytes) -> bool:
    """Tell whether a JPEG's data end before its last row.

    A decoder that has all rows passes over whatever follows in a scan; one that lacks some takes it
    for the rest of the picture. So noise is put behind each scan, with the restart markers that
    would come next (ITU-T T.81, B.2.1 and E.1.4), and both pictures are compared.
    """
    import PIL.Image

    pieces, place = [], 2
    while 0 <= (place := data.find(b"\xff", place)) < len(data) - 4 and data[place + 1] != 0xD9:
        if data[place + 1] == 0xFF:  # filling
            place += 1
            continue
        begin = place + 2 + struct.unpack_from(">H", data, place + 2)[0]
        if data[place + 1] != 0xDA:
            place = begin
            continue
        end_of_scan = _SCAN_ENDS.search(data, begin)
        place = end_of_scan.start() if end_of_scan else len(data)
        pieces.append((place, _beyond(data[begin:place])))
    noisy, before = [], 0
    for end, noise in pieces:
        noisy += [data[before:end], noise]
        before = end
    with PIL.Image.open(io.BytesIO(data), formats=("JPEG",)) as one:
        own = one.tobytes()
    with PIL.Image.open(io.BytesIO(b"".join([*noisy, data[before:]])), formats=("JPEG",)) as two:
        return bool(own != two.tobytes())


def _beyond(scan: bytes) -> bytes:
    """Return noise to be put behind a scan."""
    restarts = _RESTARTS.findall(scan)
    following = (restarts[-1][0] - 0xD0 + 1) % 8 if restarts else 0
    marks = [bytes((0xFF, 0xD0 + (following + n) % 8)) for n in range(8)]
    return _NOISE + b"".join(mark + _NOISE for mark in marks)


def _gif(data: bytes) -> bool:
    """Tell whether the first picture of a GIF has fewer pixels than its header claims.

    Adds up the lengths of what the codes stand for (GIF89a, appendix F, "Variable-Length-Code LZW
    Compression").
    """
    place = 13 + (3 * 2 ** ((data[10] & 7) + 1) if data[10] & 0x80 else 0)
    while data[place] == 0x21:  # an extension
        place = _blocks(data, place + 2)[1]
    width, height, flags = struct.unpack_from("<HHB", data, place + 5)
    place += 10 + (3 * 2 ** ((flags & 7) + 1) if flags & 0x80 else 0)
    wanted: int = width * height
    return _pixels(_blocks(data, place + 1)[0], data[place], wanted) < wanted


def _blocks(data: bytes, place: int) -> tuple[bytes, int]:
    """The contents of a row of blocks, and where it ends."""
    blocks = []
    while size := data[place]:
        blocks.append(data[place + 1 : place + 1 + size])
        place += 1 + size
    return b"".join(blocks), place + 1


def _pixels(packed: bytes, depth: int, wanted: int) -> int:
    """Count the pixels that LZW codes stand for, no further than `wanted`.

    Raises ValueError for pixels of more bits than a GIF has, whose table would fill the memory.
    """
    if not 0 < depth <= _DEEPEST_GIF:
        raise ValueError(f"its pixels are of {depth} bits, and a GIF has 1 to {_DEEPEST_GIF}")
    clear = 1 << depth
    fresh = [1] * clear + [0, 0]
    lengths, width, last, total = fresh[:], depth + 1, 0, 0
    buffer = bits = 0
    for byte in packed:
        buffer |= byte << bits
        bits += 8
        while bits >= width:
            code, buffer, bits = buffer & ((1 << width) - 1), buffer >> width, bits - width
            if code == clear:
                lengths, width, last = fresh[:], depth + 1, 0
                continue
            if code == clear + 1 or code > len(lengths):
                return total
            if last and len(lengths) < 4096:
                lengths.append(last + 1)
            if code >= len(lengths):
                return total
            last = lengths[code]
            total += last
            if total >= wanted:
                return total
            if len(lengths) == 1 << width and width < 12:
                width += 1
    return total
