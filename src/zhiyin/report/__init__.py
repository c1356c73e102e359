"""Runs as something to read, look at and hear: the HTML report, its figures and tables.

The package can be called: ``zhiyin.report(run, out="page.html")`` is
`zhiyin.report.writing.report`. A package binds its modules as attributes of its own, so a function
``zhiyin.report`` would be lost as soon as anything in this folder is imported.
"""

import sys
from types import ModuleType
from typing import Any


class _Room(ModuleType):
    """A module that writes a report when it is called."""

    def __call__(self, *runs: Any, **settings: Any) -> Any:
        """Write a report on runs; see `zhiyin.report.writing.report`."""
        from zhiyin.report.writing import report

        return report(*runs, **settings)


sys.modules[__name__].__class__ = _Room
