"""All figures of some runs: each is drawn where the runs hold the data for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path

from zhiyin.analysis.extent import Extent, extent_of, without_condition
from zhiyin.analysis.pairing import labels
from zhiyin.engine.entries import Entry, read_entries
from zhiyin.engine.log import Manifest, read_manifest
from zhiyin.engine.tally import counted_under
from zhiyin.engine.tally import is_plain as asked_plainly
from zhiyin.paths import Place, Places, as_paths
from zhiyin.report.figures.style import Drawn, Figure, save, style
from zhiyin.trial import one_line


class Seen:
    """One run as the figures see it.

    Attributes
    ----------
    label : str
        Short, and different from that of every other run.
    place : int
        Among the runs of its benchmark; decides colour and marker in every figure.
    folder : Path
    manifest : Manifest
    entries : list of Entry
        Judged trials; those that failed are in no figure.
    """

    def __init__(self, label: str, place: int, folder: Path, manifest: Manifest) -> None:
        self.label, self.place, self.folder, self.manifest = label, place, folder, manifest

    def __repr__(self) -> str:
        """On one line: its name and its benchmark."""
        return one_line("Seen", self.label, "", self.manifest.benchmark)

    @cached_property
    def entries(self) -> list[Entry]:
        """Judged trials, in the order of the log."""
        return [entry for entry in read_entries(self.folder) if entry.judged]

    @cached_property
    def extent(self) -> Extent:
        """How much of the published data the run was asked."""
        return extent_of(self.folder, self.manifest)

    @cached_property
    def plain(self) -> list[Entry]:
        """Those asked in the benchmark's main way: true sound, all distractors."""
        return [entry for entry in self.entries if is_plain(entry)]

    @cached_property
    def groups(self) -> dict[str, list[Entry]]:
        """Plain trials by group, without the names of conditions; "all" first."""
        found: dict[str, list[Entry]] = {}
        for entry in self.plain:
            names = map(without_condition, entry.trial.groups)
            for name in counted_under(filter(None, names)):
                found.setdefault(name, []).append(entry)
        return found


def is_plain(entry: Entry) -> bool:
    """Whether a trial was asked in its benchmark's main way: true sound, all distractors."""
    return asked_plainly(entry.trial.tags)


Draw = Callable[[str, list[Seen]], Drawn | None]
"""From a benchmark's name and its runs to a figure, or None where they lack the data."""


def write_figures(runs: Places, out: Place) -> list[Figure]:
    """Draw every figure that the runs hold the data for, as SVG, PDF, PNG and CSV.

    Parameters
    ----------
    runs : sequence of Path
        Run folders, of one benchmark or several.
    out : Path
        Folder for the files; made if it is not there.

    Returns
    -------
    list of Figure
        By benchmark, the overview first.

    Raises
    ------
    InputError
        When matplotlib is not installed, or a folder is not a run.
    """
    runs, out = as_paths(runs), Path(out)
    with style():
        return [
            save(drawn, out)
            for benchmark, seen in gather(runs).items()
            for draw in _drawers()
            if (drawn := draw(benchmark, seen)) is not None
        ]


def gather(
    runs: Sequence[Path], keep: Callable[[Seen], object] = lambda run: run.entries
) -> dict[str, list[Seen]]:
    """Runs by benchmark, in the order given: those that `keep` wants, which have judged trials."""
    manifests = [read_manifest(folder) for folder in runs]
    names = labels(runs, manifests)
    found: dict[str, list[Seen]] = {}
    for name, folder, manifest in zip(names, runs, manifests, strict=True):
        seen = found.setdefault(manifest.benchmark, [])
        run = Seen(name, len(seen), folder, manifest)
        if keep(run):
            seen.append(run)
    return {name: seen for name, seen in found.items() if seen}


def _drawers() -> tuple[Draw, ...]:
    from zhiyin.report.figures.bias import draw_bias
    from zhiyin.report.figures.choice import draw_calibration, draw_cost, draw_letters
    from zhiyin.report.figures.hearing import draw_attention, draw_distractors, draw_shots
    from zhiyin.report.figures.perception import draw_fidelity, draw_modality
    from zhiyin.report.figures.scores import (
        draw_differences,
        draw_dimensions,
        draw_groups,
        draw_overview,
    )

    return (
        *(draw_overview, draw_groups, draw_differences, draw_dimensions, draw_bias),
        *(draw_shots, draw_distractors, draw_attention, draw_modality, draw_fidelity),
        *(draw_letters, draw_calibration, draw_cost),
    )
