"""`--track` and `--otel` of `run` and `suite`: what is kept elsewhere of a run when it is over."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec

from zhiyin.contract.session_parts import SessionPart
from zhiyin.errors import InputError
from zhiyin.flags import Flag

if TYPE_CHECKING:
    from zhiyin.contract.settings import RunSettings
    from zhiyin.session.selection import Selection

Keep = Callable[[Iterable[Path], Path | None, str], None]
"""Keeps runs, with the page of their report and the name of their suite."""


def kept_in(tracker: str) -> Keep | None:
    """Open a tracker that keeps runs, before anything is asked; None for no tracker.

    Raises
    ------
    InputError
        It cannot be used: see `zhiyin.plugins.lab.trackers.open_tracker`.
    """
    if not tracker:
        return None
    from zhiyin.plugins.lab.trackers import facts_of, open_tracker

    told = open_tracker(tracker)

    def keep(folders: Iterable[Path], report: Path | None, suite: str) -> None:
        for folder in folders:
            try:
                place = told(facts_of(folder, report, suite))
            except Exception as error:  # of its servers: what was asked is on the disk already
                why = " ".join(str(error).split())[:200]
                sys.stderr.write(
                    f"note: --track {tracker}: {folder} is not kept there "
                    f"({type(error).__name__}: {why}): the same command tries it again\n"
                )
            else:
                sys.stderr.write(f"kept in {tracker}: {place}\n")

    return keep


def spans(wanted: bool, what: str, **facts: str) -> contextlib.AbstractContextManager[None]:
    """Send a span for each call within this, where it is wanted. Raises `InputError`."""
    if not wanted:
        return contextlib.nullcontext()
    from zhiyin.plugins.lab.trackers import traced

    return traced(what, {f"zhiyin.{name}": value for name, value in facts.items()})


def report_beside(folder: Path) -> Path | None:
    """The page of a run's report, written beside its folder; None where it cannot be."""
    from zhiyin.report.writing import report

    place = folder.with_name(f"{folder.name}-report")
    try:
        return report(folder, out=place, figures=False).page
    except (InputError, OSError) as error:
        sys.stderr.write(f"note: --track: no report of {folder} could be written ({error})\n")
        return None


_OF_SUITE = "it is a flag of the suite"


class Tracker(msgspec.Struct, frozen=True):
    """The tracker in which a run is kept, too.

    Attributes
    ----------
    track : TRACKER
        keep figures, intervals, table and a link to the report in wandb or mlflow
        (docs/how-to/track.md)
    """

    track: Annotated[str, Flag(elsewhere=_OF_SUITE, typed=True)]


class Tracked(SessionPart):
    """A run that is kept in a tracker when it is over."""

    Settings = Tracker
    folder: Path | None = None

    @contextlib.contextmanager
    def around(self, order: RunSettings) -> Iterator[None]:
        """Open the tracker, and keep the run in it."""
        keep = kept_in(self.settings.track)
        yield
        if keep and self.folder:
            keep([self.folder], report_beside(self.folder), "")

    def begin(self, order: RunSettings, selection: Selection, folder: Path) -> None:
        """Take note of the folder."""
        self.folder = folder


class Spans(msgspec.Struct, frozen=True):
    """Setting for reporting calls to OpenTelemetry.

    Attributes
    ----------
    otel
        send a span of OpenTelemetry for each call (docs/how-to/track.md)
    """

    otel: Annotated[bool, Flag(elsewhere=_OF_SUITE, typed=True)] = False


class Traced(SessionPart):
    """A run whose calls are spans of OpenTelemetry."""

    Settings = Spans

    def around(self, order: RunSettings) -> contextlib.AbstractContextManager[None]:
        """Send a span for each call."""
        name, model = str(order.benchmark), str(order.model)
        return spans(self.settings.otel, f"run {name}", benchmark=name, model=model)
