"""Pictures as they are sent to a model: bit for bit, checked against the trial."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec

from zhiyin.errors import ModelError
from zhiyin.files import write_atomically
from zhiyin.models.playback import read_same
from zhiyin.picture import FORMATS, MEND, MOST_BYTES, format_of
from zhiyin.trial import Image


class SentPicture(msgspec.Struct, frozen=True):
    """What there is to know of a picture that was sent; `sha256` is of its bytes."""

    format: str
    width: int
    height: int
    sha256: str


class Picture(msgspec.Struct, frozen=True):
    """A picture ready to be sent: the bytes of a file, and what they are."""

    data: bytes
    sent: SentPicture

    @property
    def mime(self) -> str:
        """Its media type, such as "image/png"."""
        return f"image/{self.sent.format}"


def load_picture(image: Image) -> Picture:
    """The bytes of a picture, as they lie in its file.

    Raises
    ------
    ModelError
        When the file cannot be read, has changed since the trial was made, or is no picture that
        is sent.
    """
    data = read_same(image.path, image.sha256)
    form = format_of(data)
    if not form:
        raise ModelError(f"{image.path}: not a picture that is sent; {MEND}")
    if len(data) > MOST_BYTES:
        raise ModelError(f"{image.path}: more than {MOST_BYTES / 1e6:g} MB: make it smaller")
    return Picture(data, SentPicture(form, image.width, image.height, image.sha256))


def write_neutral_picture(image: Image, folder: Path) -> Path:
    """A copy of a picture under a name that says nothing but its format.

    Asked again for the same picture, gives the same file. Raises `ModelError` as `load_picture`.
    """
    name = hashlib.blake2b(image.sha256.encode(), digest_size=16).hexdigest()
    for form in FORMATS:
        if (existing := folder / f"{name}.{form.lower()}").exists():
            return existing
    picture = load_picture(image)
    path = folder / f"{name}.{picture.sent.format}"
    write_atomically(path, picture.data)
    return path
