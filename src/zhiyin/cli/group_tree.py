"""Groups as people read them: by their titles, set in below those that they are within."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from zhiyin.engine.tally import ALL


class GroupTree:
    """The groups of a table.

    Parameters
    ----------
    names : iterable of str
        Such as "audio/harmony", which is within "audio" where there is such a group.
    titles : mapping
        Plain labels of some of them.
    """

    def __init__(self, names: Iterable[str], titles: Mapping[str, str]) -> None:
        self._names, self._titles = dict.fromkeys(names), titles

    def __iter__(self) -> Iterator[str]:
        """Over the groups in their order."""
        return iter(self._names)

    def within(self, name: str) -> list[str]:
        """The groups that a group is within, from the widest."""
        parts = name.split("/")
        wider = ("/".join(parts[:end]) for end in range(1, len(parts)))
        return [group for group in wider if group in self._names]

    def level(self, name: str) -> int:
        """How many groups a group is within."""
        return len(self.within(name))

    def title(self, name: str) -> str:
        """What a group is called, without what is in the titles of groups around it."""
        if name in self._titles:
            return self._titles[name]
        above = max(self.within(name), key=len, default="")
        return name[len(above) :].lstrip("/").replace("_", " ")

    def weight(self, name: str, n: int) -> float:
        """The whole is kept longest, then wide groups, and of these the largest."""
        return float("inf") if name == ALL else n - 1e12 * self.level(name)
