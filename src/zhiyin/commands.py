"""Commands that a benchmark adds to the command line, declared so that nothing is imported.

A benchmark of Zhiyin's own lists them as ``COMMANDS`` of its package, where ``zhiyin --help``
finds them, and as `commands` of its class. One from outside has the class alone; its commands are
given as ``zhiyin NAME COMMAND`` or ``zhiyin FILE.py:CLASS COMMAND``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    import argparse


class Work(Protocol):
    """What a command does: a module, a class or an object with these three functions.

    Flags are added by `configure`; `execute` does the work, and returns what ``--json`` prints;
    `show` makes of that what is printed otherwise: text, or a list of `zhiyin.contract.Section`.
    Both may raise `InputError`.
    """

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Add the flags; ``--json`` is there already."""

    def execute(self, args: argparse.Namespace) -> Any:
        """Do it."""

    def show(self, result: Any) -> Any:
        """What is printed of what `execute` returned."""


class Command(NamedTuple):
    """A command of a benchmark.

    Attributes
    ----------
    help : str
        One line.
    work : Work or str
        What it does, or the module that does, which is imported when the command is given.
    under : str
        The command of Zhiyin's that it is a part of, such as "stats"; "" for none.
    """

    help: str
    work: Any
    under: str = ""

    def load(self) -> Work:
        """What it does."""
        work: Work = import_module(self.work) if isinstance(self.work, str) else self.work
        return work
