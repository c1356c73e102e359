"""Where the servers of a pool are: written in the spec, or in a file that may change."""

from __future__ import annotations

from pathlib import Path

from zhiyin.errors import InputError
from zhiyin.models.endpoint import Endpoint, url_endpoint

_FORM = "pool:http://HOST:PORT/v1,http://HOST:PORT/v1#MODEL or pool:FILE#MODEL"


class Addresses:
    """The servers that a spec names.

    Parameters
    ----------
    rest : str
        What follows ``pool:``: addresses between commas, or a file with an address a line (empty
        lines and what follows "#" count for nothing), and ``#MODEL``.

    Attributes
    ----------
    model : str
        The model's name, as the servers know it.
    file : Path or None
        Read again whenever it changes: servers may join and leave while a run goes on.

    Raises
    ------
    InputError
        When no model or no address is named, an address is malformed or named twice, or the
        file cannot be read.
    """

    def __init__(self, rest: str) -> None:
        place, _, self.model = rest.rpartition("#")
        if not place.strip() or not self.model.strip():
            raise InputError(f"a pool names its servers and its model: write {_FORM}")
        self.written = [part.strip() for part in place.split(",") if part.strip()]
        here = any(part.startswith(("http://", "https://")) for part in self.written)
        self.file = None if here else Path(place).expanduser()
        self._file_state: tuple[int, int] | None = None

    def changed(self) -> bool:
        """Whether the file is another than when it was read last. A missing one is not."""
        if self.file is None:
            return False
        try:
            status = self.file.stat()
        except OSError:  # being rewritten at this moment, or a disk that is away: keep the servers
            return False
        return (status.st_mtime_ns, status.st_size) != self._file_state

    def read(self) -> list[Endpoint]:
        """The endpoints, in the order in which they are written."""
        lines = self.written if self.file is None else self._lines(self.file)
        where = f"{self.file}: " if self.file else ""
        endpoints: dict[str, Endpoint] = {}
        for line in lines:
            try:
                one = url_endpoint(f"{line.partition('#')[0].strip()}#{self.model}")
            except InputError as error:
                raise InputError(f"{where}{error}") from None
            if one.place in endpoints:
                raise InputError(f"{where}{one.place} is named twice: a server counts once")
            endpoints[one.place] = one
        if not endpoints:
            raise InputError(f"{where}no address: write one a line, such as http://HOST:PORT/v1")
        return list(endpoints.values())

    def _lines(self, file: Path) -> list[str]:
        try:
            status = file.stat()
            text = file.read_text(encoding="utf-8-sig")
        except FileNotFoundError:
            raise InputError(f"{file}: no such file of addresses; write {_FORM}") from None
        except (OSError, UnicodeDecodeError) as error:
            reason = (getattr(error, "strerror", None) or "").lower() or "not text in UTF-8"
            raise InputError(f"{file}: cannot be read ({reason})") from None
        self._file_state = (status.st_mtime_ns, status.st_size)
        return [line for raw in text.splitlines() if (line := raw.partition("#")[0].strip())]
