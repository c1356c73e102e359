"""The benchmarks: one folder each. `zhiyin.contract` says what a benchmark is.

What must be known before any of them is opened stands in the ``__init__.py`` of its folder, which
imports nothing heavy: ``COMMANDS``, and ``POLICIES`` of reading.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any


def declared(what: str) -> dict[str, Any]:
    """What the folders declare under a name, all together."""
    declarations: dict[str, Any] = {}
    for module in pkgutil.iter_modules(__path__, f"{__name__}."):
        declarations |= getattr(importlib.import_module(module.name), what, {})
    return declarations
