"""Recordings and pictures that are packed into a table: unpacked into the cache, by their hash."""

from __future__ import annotations

import base64
import binascii
import hashlib
import io
import re
from typing import Any

from zhiyin.contract.question_table import MediaFile, written
from zhiyin.files import cache_folder, write_cached

_DATA_URL = re.compile(r"data:[^,]{0,200},", re.IGNORECASE)
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{200,}={0,2}\s*")
_PATHS = ("path", "file", "file_name", "filename", "audio_path", "image_path", "src", "url")
_PACKED = ("bytes", "data", "base64", "b64", "b64_json", "url", "src")


def unpacked(value: Any) -> Any:
    """The file that a cell holds, or the path that it names; any other cell as it is.

    Packed is an object with ``bytes`` (also as base64 or numbers), with ``array`` and
    ``sampling_rate``, or with ``data``, as in requests; a data URL; or base64 by itself. An object
    with none of these names its file by ``path``.
    """
    if isinstance(value, str) and value.lstrip().startswith("{"):
        parsed = written(value.strip())
        value = parsed if isinstance(parsed, dict) else value
    if isinstance(value, dict):
        return _in_object(value)
    if isinstance(value, str) and (data := _decoded(value)) is not None:
        return _kept(data, "")
    return value


def _in_object(value: dict[str, Any]) -> Any:
    name = next((text for key in _PATHS if isinstance(text := value.get(key), str)), "")
    for key in _PACKED:
        data = value.get(key)
        if isinstance(data, str):
            data = _decoded(data, bare=key not in ("url", "src"))
        elif isinstance(data, list) and all(type(n) is int and 0 <= n < 256 for n in data):
            data = bytes(data)
        if isinstance(data, bytes) and data:
            return _kept(data, "" if name.startswith("data:") else name)
    rate: Any = value.get("sampling_rate") or value.get("sample_rate")
    if isinstance(value.get("array"), list) and type(rate) in (int, float):
        return _kept(_as_wav(value["array"], int(rate)), name)
    if all(each is None for each in value.values()):
        return ""  # a row without a recording
    inner = next((each for each in value.values() if isinstance(each, dict)), None)
    return name or (unpacked(inner) if inner else None)


def _decoded(text: str, *, bare: bool = False) -> bytes | None:
    """What a data URL or base64 holds; None for what is neither. Short texts may be paths."""
    url = _DATA_URL.match(text.strip())
    if url is None and not bare and not _BASE64.fullmatch(text):
        return None
    packed = text.strip()[url.end() :] if url else text
    try:
        return base64.b64decode("".join(packed.split()).replace("-", "+").replace("_", "/"), None)
    except (binascii.Error, ValueError):
        return None


def _as_wav(array: list[Any], rate: int) -> Any:
    """Samples, or several channels of them, as a WAV file; None where they are none."""
    import numpy as np
    import soundfile

    out = io.BytesIO()
    try:
        samples = np.asarray(array, dtype=np.float64)
        if samples.ndim == 2 and len(samples) < samples.shape[1]:
            samples = samples.T
        soundfile.write(out, samples, rate, format="WAV", subtype="FLOAT")
    except (soundfile.SoundFileError, TypeError, ValueError):
        return None
    return out.getvalue()


def _kept(data: bytes | None, name: str) -> MediaFile | None:
    """The file in the cache, under the name that the table gives it, or its hash."""
    if data is None:
        return None
    digest = hashlib.sha256(data).hexdigest()
    path = cache_folder("questions") / digest
    if not path.is_file():
        write_cached(path, data)
    return MediaFile(path, name or digest)
