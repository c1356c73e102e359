"""Reading pictures: from a file of a common format to an image part, checked to its last row."""

from __future__ import annotations

import hashlib
import io
import warnings
from pathlib import Path

from zhiyin.errors import InputError
from zhiyin.numerals import size
from zhiyin.picture_rows import rows_missing
from zhiyin.recording import read_regular
from zhiyin.trial import Image

MOST_BYTES = 20 * 10**6
"""Of one picture. Servers take 5 to 50 MB for a whole request."""
MOST_PIXELS = 50 * 10**6
"""Width times height, looked at before anything is decoded."""
FORMATS = ("PNG", "JPEG", "WEBP", "GIF")
"""As Pillow calls them; no other decoder of Pillow's is let near a file."""
MEND = "give a PNG, JPEG, WebP or GIF file"

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
    try:
        data = read_regular(path)
    except OSError as problem:
        raise InputError(f"{path}: cannot be read ({problem.strerror or problem})") from None
    width, height = _size(data, path)
    # Absolute: a log is read from other folders than the one where the run began.
    return Image(str(Path(path).absolute()), hashlib.sha256(data).hexdigest(), width, height)


def is_blank(path: str | Path) -> bool:
    """Whether a picture that can be read shows one colour alone."""
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
            f"{path}: {size(len(data))}, and at most {size(MOST_BYTES)} are sent: "
            "make the picture smaller"
        )
    if not format_of(data):
        svg = b"<svg" in data[:1000].lower()
        what = (
            "an SVG drawing, which no model takes; export it as PNG"
            if svg
            else (f"not a picture that is sent; {MEND}")
        )
        raise InputError(f"{path}: {what}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a large picture: ours says so below
            picture = PIL.Image.open(io.BytesIO(data), formats=FORMATS)
        with picture:
            width, height = picture.size
            if width * height > MOST_PIXELS:
                raise InputError(
                    f"{path}: {width} x {height} pixels, and at most {MOST_PIXELS / 1e6:g} "
                    "million are sent: make the picture smaller"
                )
            if getattr(picture, "n_frames", 1) > 1:
                raise InputError(f"{path}: it moves, and models see one frame: save that one")
            picture.load()
            if rows_missing(data, picture.format or ""):
                raise ValueError("its rows break off before the height that its header claims")
    except InputError:
        raise
    except PIL.Image.DecompressionBombError:
        raise InputError(
            f"{path}: more than {MOST_PIXELS / 1e6:g} million pixels: make the picture smaller"
        ) from None
    except Exception as problem:  # each decoder has errors of its own, without a common class
        message = " ".join(str(problem).split()) or type(problem).__name__
        raise InputError(
            f"{path}: a damaged picture ({message}); fetch the file again, or {MEND}"
        ) from None
    return width, height
