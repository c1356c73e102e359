"""Installation of this Zhiyin, and what adds an extra to it."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.metadata import Distribution


def adding(extra: str) -> str:
    """The command that adds an extra to the installation at hand.

    No index need know Zhiyin: it is installed again from where it came (the specification of
    direct_url.json, PEP 610), or the packages of the extra are, where that is gone or not known.
    """
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        found = distribution("zhiyin")
    except PackageNotFoundError:
        return f"pip install '.[{extra}]' in the folder of Zhiyin's source"
    source = _source(found, extra)
    packages = " ".join(_packages(found, extra))
    here, place = Path(sys.prefix), shlex.quote(sys.executable)
    if (here / "pipx_metadata.json").is_file():
        return f"pipx inject zhiyin {packages}"
    if source and (here / "uv-receipt.toml").is_file():
        return f"uv tool install {source}"
    pip = shutil.which("pip")
    if pip and Path(pip).parent == Path(sys.executable).parent:
        return f"pip install {source or packages}"
    made = here / "pyvenv.cfg"
    if made.is_file() and "\nuv = " in made.read_text("utf-8", "replace"):
        return f"uv pip install --python {place} {source or packages}"
    return f"{place} -m pip install {source or packages}"


def _source(found: Distribution, extra: str) -> str:
    """Return the source of the installation, with the extra; "" if it is gone or not known."""
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    from zhiyin.parsing import read_json_text

    try:
        told: dict[str, Any] = read_json_text(found.read_text("direct_url.json") or "")
        url, version = told["url"], told.get("vcs_info")
        if url.startswith("file:"):
            path = url2pathname(urlsplit(url).path)
            editable = told.get("dir_info", {}).get("editable")
            named = f"{'-e ' * bool(editable)}{shlex.quote(f'{path}[{extra}]')}"
            return named if Path(path).exists() else ""
        if version is not None:
            url = f"{version['vcs']}+{url}@{version['commit_id']}"
    except (ValueError, KeyError, TypeError, AttributeError):
        return ""
    part = f"#subdirectory={told['subdirectory']}" if told.get("subdirectory") else ""
    return shlex.quote(f"zhiyin[{extra}] @ {url}{part}")


def _packages(found: Distribution, extra: str) -> list[str]:
    """List the packages of the extra, as `pip install` takes them."""
    lines = (line.partition(";") for line in found.requires or ())
    its_own = re.compile(rf"""extra\s*==\s*['"]{extra}['"]""")
    return [shlex.quote(name.strip()) for name, _, when in lines if its_own.search(when)]
