"""Recordings and pictures that are packed into a table: unpacked into the cache, by their hash."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import io
import re
from typing import Any

from zhiyin.contract.question_table import MediaFile, written
from zhiyin.files import cache_folder, write_cached

_DATA_URL = re.compile(r"\s*data:[^,]{0,200},", re.IGNORECASE)
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{200,}={0,2}\s*")
_PATHS = ("path", "file", "file_name", "filename", "audio_path", "image_path", "src", "url")
_PACKED = ("bytes", "data", "base64", "b64", "b64_json", "url", "src")


def unpacked(value: Any) -> Any:
    """The file that a cell holds, or the path that it names; any other cell as it is.

    Packed is an object with ``bytes`` (also as base64 or numbers), with ``array`` and
    ``sampling_rate``, or with ``data``, as in requests; a data URL; or base64 by itself. An object
    with none of these names its file by ``path``; None where it holds no file at all.
    """
    if isinstance(value, str) and value.lstrip().startswith("{"):
        value = written(value.strip()) or value
    if isinstance(value, str):
        data = _decoded(value, _BASE64.fullmatch(value) is not None)
        return value if data is None else _kept(data, "")
    if not isinstance(value, dict):
        return value
    name = next((text for key in _PATHS if isinstance(text := value.get(key), str)), "")
    held = (_bytes(value.get(key), bare=key not in _PATHS) for key in _PACKED)
    if data := next(filter(None, held), None) or _as_wav(value):
        return _kept(data, "" if name.startswith("data:") else name)
    if name or all(each is None for each in value.values()):
        return name  # a path; or "", of a row without a recording
    inner = [each for each in value.values() if isinstance(each, dict)]
    return unpacked(inner[0]) if inner else None


def _bytes(value: Any, *, bare: bool) -> bytes | None:
    """Return the bytes in an entry of an object: given as such, as numbers or in letters."""
    if isinstance(value, str):
        return _decoded(value, bare)
    if isinstance(value, list) and all(type(n) is int and 0 <= n < 256 for n in value):
        return bytes(value)
    return value if isinstance(value, bytes) else None


def _decoded(text: str, bare: bool) -> bytes | None:
    """Decode a data URL, or base64 where that may stand alone; None for anything else."""
    url = _DATA_URL.match(text)
    if url is None and not bare:
        return None
    packed = text[url.end() :] if url else text
    with contextlib.suppress(ValueError):
        return base64.urlsafe_b64decode(packed.replace("+", "-").replace("/", "_"))
    return None


def _as_wav(value: dict[str, Any]) -> bytes | None:
    """The samples of an object, of one channel or several, as a WAV file; None for none."""
    import numpy as np
    import soundfile

    rate: Any = value.get("sampling_rate") or value.get("sample_rate")
    out = io.BytesIO()
    if not isinstance(value.get("array"), list):
        return None
    with contextlib.suppress(soundfile.SoundFileError, TypeError, ValueError):
        samples = np.asarray(value["array"], dtype=np.float64)
        samples = samples.T if samples.ndim == 2 and len(samples) < samples.shape[1] else samples
        soundfile.write(out, samples, int(rate), format="WAV", subtype="FLOAT")
        return out.getvalue()
    return None


def _kept(data: bytes, name: str) -> MediaFile:
    """The file in the cache, under the name that the table gives it, or its hash."""
    digest = hashlib.sha256(data).hexdigest()
    path = cache_folder("questions") / digest
    if not path.is_file():
        write_cached(path, data)
    return MediaFile(path, name or digest)
