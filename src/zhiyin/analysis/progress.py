"""How a run stands: three questions, each with one vocabulary, and what answers them.

How far has it come (`RunProgress`), how much of its benchmark was asked (`RunExtent`), and has it
a figure (`RunFigure`)? A run may be done and yet a part; it may be stopped and yet have a figure.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from zhiyin.analysis.extent import Extent
from zhiyin.engine.folder import RECORDS, Manifest
from zhiyin.engine.log import is_being_written, this_machine
from zhiyin.record import State
from zhiyin.runs.figures import GroupFigures
from zhiyin.runs.reach import Reach

RunProgress = Literal["planned", "going", "quiet", "stopped", "failed", "done"]
"""Not begun; a session goes on; it may go on elsewhere, or was killed; ended early; ended with
failed trials, or could not go on; all that was planned is asked, and nothing failed."""
RunExtent = Literal["whole", "part", "other items", "unknown"]
"""All published items; some of them; none of them, but others; nobody says what the whole is."""
RunFigure = Literal[
    "judged", "dead", "altered", "ungraded", "unscored", "measured", "outside", "empty"
]
"""Whether a run has its benchmark's headline figure, and if not, why.

"judged": it has. "dead": every trial failed. "altered": it was asked in other ways than the main
one alone. "ungraded": its replies have no right answer, and nobody judged them. "unscored": its
questions have a figure, but its texts are not judged as those of the others are. "measured": its
replies are no right or wrong ones either, and its benchmark has figures of its own for them.
"outside": it was asked nothing of the headline's group. "empty": nothing was answered yet.
"""
_QUIET_S = 60.0
"""A log that has not grown for so long is not being written, as far as another machine can see."""


def progress_of(
    folder: Path, manifest: Manifest, reach: Reach, failed: int
) -> tuple[RunProgress, str]:
    """How far a run has come, and why its last session ended early, where that is known.

    Parameters
    ----------
    folder : Path
    manifest : Manifest
    reach : Reach
        What its log holds.
    failed : int
        Trials that failed.
    """
    last = manifest.sessions[-1] if manifest.sessions else None
    whole = reach.whole(manifest)
    if last is not None and last.ended is None:
        here = last.machine != "" and last.machine == this_machine()
        if is_being_written(folder) or (not here and _grows(folder)):
            return "going", ""
        if here and (failed or not whole):
            return "stopped", "it was killed; the same command goes on from there"
        if failed or not whole:
            return "quiet", (
                "its last session did not end: it was killed, or goes on at another machine and "
                "waits for replies"
            )
    stopped = (last.stopped or "") if last else ""
    return progress_at_rest(whole=whole, failed=failed, begun=last is not None, stopped=stopped)


def progress_at_rest(
    *, whole: bool, failed: int, begun: bool = True, stopped: str = ""
) -> tuple[RunProgress, str]:
    """The same of a run that nobody is writing, from what is known of it.

    Parameters
    ----------
    whole : bool
        Whether all that was planned has an answer.
    failed : int
        Trials that failed.
    begun : bool
        Whether any session began.
    stopped : str
        Why the last session ended early; "" where it did not.
    """
    if whole and not failed:
        return "done", ""
    if stopped:
        return "stopped", stopped
    if failed:
        return "failed", ""
    return ("stopped" if begun else "planned"), ""


def seconds_since(folder: Path) -> float | None:
    """How long ago the last record was written; None where there is none."""
    try:
        state = (folder / RECORDS).stat()
    except OSError:
        return None
    return max(0.0, time.time() - state.st_mtime) if state.st_size else None


def _grows(folder: Path) -> bool:
    since = seconds_since(folder)
    return since is not None and since < _QUIET_S


def extent_word(extent: Extent, group: str, *, declared: bool) -> RunExtent:
    """How much of a group a run was asked; `declared`: whether anybody says what the whole is."""
    if not declared:
        return "unknown"
    if extent.whole(group):
        return "whole"
    return "other items" if extent.on_other_items else "part"


def figure_of(
    figures: Mapping[str, GroupFigures],
    group: str,
    states: Mapping[State, int],
    *,
    altered: bool,
    measures: bool,
) -> RunFigure:
    """Whether a run has a figure of a group, and if not, why.

    Parameters
    ----------
    figures : mapping
        By group.
    group : str
        That of the benchmark's headline.
    states : mapping
        How many trials ended in each state.
    altered : bool
        Whether the run was asked in other ways than the main one alone.
    measures : bool
        Whether the benchmark has figures of its own for replies that are neither right nor wrong.
    """
    if group in figures and figures[group].n:
        return "judged"
    if altered:
        return "altered"
    trials = sum(states.values())
    if trials and states["error"] == trials:
        return "dead"
    if any(own.n for own in figures.values()):
        return "outside"
    if states["ungraded"]:
        return "measured" if measures else "ungraded"
    return "empty"
