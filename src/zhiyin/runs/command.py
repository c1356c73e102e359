"""The command that makes a run, goes on with it, or makes another like it."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import Any

from zhiyin.engine.folder import Manifest

_SAMPLING = {"seed": "sampling-seed"}


def command_of(manifest: Manifest, folder: Path | None = None, **changed: Any) -> str:
    """The command that goes on with a run; with no folder, one that makes another run like it.

    Parameters
    ----------
    manifest : Manifest
    folder : Path or None
    changed : Any
        Settings that are other ones: ``max_tokens=4096``. None leaves one out.
    """
    config = manifest.config
    flags: dict[str, Any] = dict(manifest.options)
    flags |= {name: config.get(name) for name in ("limit", "sample", "score", "confirm")}
    for name, value in (manifest.sampling or {}).items():
        if name != "schema" and not (name == "temperature" and value == 0):
            flags[_SAMPLING.get(name, name)] = value
    if manifest.label:
        flags["label"] = manifest.label
    words = ["zhiyin", "run", manifest.benchmark, "-m", manifest.model]
    for name, value in (flags | changed).items():
        if value in (None, False, [], ()) or isinstance(value, dict):
            continue
        words.append(f"--{name.replace('_', '-')}")
        if value is not True:
            text = ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
            words.append(text)
    if folder is not None:
        words += ["--out", os.fspath(folder)]
    return shlex.join(words)
