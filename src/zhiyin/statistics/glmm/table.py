"""A table of texts with named columns: what a mixed model is fitted to."""

from __future__ import annotations

import msgspec

from zhiyin.errors import InputError, did_you_mean


class Table(msgspec.Struct, frozen=True):
    """Observations, one a row, every value as text.

    Attributes
    ----------
    source : str
        The file or folders that the rows came from, for messages.
    columns : dict of str to list of str or None
        All of one length; None where the value is missing.
    lines : list of int
        For each row, its line in the source.
    """

    source: str
    columns: dict[str, list[str | None]]
    lines: list[int]

    def column(self, name: str) -> list[str | None]:
        """The values under `name`. Raises `InputError` when there is no such column."""
        if name not in self.columns:
            raise InputError(
                f"{self.source}: no column {name!r}: {did_you_mean(name, self.columns)}"
            )
        return self.columns[name]
