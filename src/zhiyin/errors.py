"""Errors, in the words that the user reads, with what adds a missing extra.

`InputError` is for whatever the user can mend: the command line prints its one line and exits
with status 2. `ModelError` and its kinds are for a model's failures: the runner decides by
kind whether to try again. Nothing of ours is imported.
"""

from __future__ import annotations

import difflib
import errno
import importlib
import re
import shlex
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.metadata import Distribution

    from zhiyin.words import Said


class InputError(Exception):
    """Bad input. The message is one line: what is wrong, where, and how to mend it.

    Parameters
    ----------
    message : str or Said
        A message of ours (`zhiyin.words.said`) is English wherever it is made text, in logs and
        JSON, and on a terminal in its language (`zhiyin.words.say_error`).
    """

    kind = "input"
    """What has to be mended, in a word for programs: see `kind_of`."""

    def __init__(self, message: str | Said = "") -> None:
        super().__init__(message)

    def _render_traceback_(self) -> list[str]:
        """Return what IPython and notebooks show: the one line, as the command line does."""
        return [f"{type(self).__name__}: {self}"]


class UnfitError(InputError):
    """The model cannot take what a benchmark asks, such as pictures: that is no failure of it."""

    kind = "unfit"


class SetupError(InputError):
    """A package or a key is missing here."""

    kind = "setup"


class ServerError(InputError):
    """A model's server cannot be reached, or will answer no call: a wrong name, a refused key."""

    kind = "server"


class UnreachedError(ServerError):
    """Nobody answers at the address, which may pass."""


class TakenError(InputError):
    """Another zhiyin is working in the folder."""

    kind = "busy"


_DISK = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO))


def kind_of(error: BaseException | None) -> str:
    """Name what the user has to fix before a command can go on, for programs (docs/json.md).

    An error that is worded anew keeps the kind of the one that it was made of.

    Returns
    -------
    str
        "input", "setup", "server", "unfit", "busy", "disk", "memory" or "interrupted".
    """
    if isinstance(error, KeyboardInterrupt):
        return "interrupted"
    while error is not None:
        if isinstance(error, InputError) and error.kind != "input":
            return error.kind
        if isinstance(error, OSError) and error.errno in _DISK:
            return "disk"
        if isinstance(error, MemoryError):
            return "memory"
        error = error.__cause__ or error.__context__
    return "input"


class ModelError(Exception):
    """A call of a model failed, and trying again would not help."""


class TransientError(ModelError):
    """A call failed in a way that may pass.

    Parameters
    ----------
    message : str
    retry_after : float or None
        Seconds that the server asked to wait.
    """

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class BusyError(TransientError):
    """The other side is well and has no room now: too many requests."""


class LostError(TransientError):
    """No reply came to what was sent: whether it was worked on, and is to be paid, nobody knows."""


class SilentError(LostError):
    """No reply at all within the time that a call has."""


class RefusedError(ModelError):
    """The other side understood what was asked and will not do it: a bad request, say.

    One may be due to its trial. When several in a row are alike, no further call will succeed.
    """


class UnsupportedError(RefusedError):
    """The model cannot take what was asked: sound, a picture, so many clips. No wrong answer."""

    def __str__(self) -> str:
        return f"unsupported: {super().__str__()}"


class NoSoundError(UnsupportedError):
    """The model takes no sound."""


class NoPictureError(UnsupportedError):
    """The model takes no pictures."""


class FatalError(RefusedError):
    """No call will ever succeed (wrong key, unknown model): the run stops with status 2."""


class StuckError(FatalError):
    """Connections are taken and nothing is answered, which may pass."""


class HaltError(Exception):
    """The run can go no further now, through no fault of a trial. What it lacks is asked later."""


class SpentError(HaltError):
    """A call would go beyond what the user allows the run to cost. It was not made."""


def did_you_mean(name: str, known: Iterable[str]) -> Said:
    """A hint that names the closest known words, or lists them all. One line."""
    from zhiyin.words import said

    known = sorted(known)
    return said("error-did-you-mean", close=nearest(name, known) or None, known=known)


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """The known words, two at most, that a slip or two makes of a name, or that begin alike.

    Upper and lower case are one.
    """
    words, own = {word.casefold(): word for word in known}, name.casefold()
    near = difflib.get_close_matches(own, words, n=2, cutoff=0.7 if len(own) > 4 else 0.65)
    shorter = {word for word in words if len(word) > 2 and own.startswith(word)}
    begun = [word for word in words if word.startswith(own) or word in shorter]
    return [words[word] for word in near or begun[:2] if own]


def missing_package(package: str, extra: str) -> InputError:
    """The error for an optional package that is not installed."""
    from zhiyin.words import said

    return SetupError(said("error-package", package=package, how=adding(extra)))


def system_words(error: BaseException) -> Said:
    """What the system says of an error, such as a file that is not there."""
    from zhiyin.words import said

    words = getattr(error, "strerror", None) or str(error)
    return said("error-of-system", code=getattr(error, "errno", None), words=words)


def imported(module: str, package: str, extra: str) -> Any:
    """A module of an optional package. Raises `InputError` where it is not installed."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise missing_package(package, extra) from None


Errors = type[BaseException] | tuple[type[BaseException], ...]


@contextmanager
def reworded(before: str | Said, after: str = "", of: Errors = OSError) -> Iterator[None]:
    """Raise `InputError` in the place of an error: its own words between two texts.

    Parameters
    ----------
    before : str or Said
        Where; or a message with the error as its fact `why`.
    after : str
        What to do.
    of : type or tuple of types
        The errors; of an `OSError` the words are what the system says.
    """
    try:
        yield
    except of as error:
        from zhiyin.words import said

        why = error if isinstance(error, InputError) else system_words(error)
        if isinstance(before, str):
            if before.endswith(": ") and not after:
                raise InputError(said("error-at", where=before[:-2], why=why)) from None
            raise InputError(f"{before}{why}{after}") from None
        before.facts["why"] = why
        raise InputError(before) from None


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
