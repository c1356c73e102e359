"""The baseline of a suite: an earlier suite, whose runs those of this one are held against."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.analysis.coverage import coverage_of, lacking_of
from zhiyin.contract.resolved import resolved
from zhiyin.engine.appending import SUMS
from zhiyin.engine.folder import read_manifest, without_parts
from zhiyin.errors import InputError
from zhiyin.plugins.lab.suite.file import SuiteCell
from zhiyin.plugins.lab.suite.folder import LEFT_OUT, answered, read_state
from zhiyin.plugins.lab.verifying import check_sums
from zhiyin.words import Said, Text, said
from zhiyin.words.reasons import reason


def partners(
    baseline: Path, runs: Sequence[SuiteCell], configs: Mapping[str, Mapping[str, Any]]
) -> dict[str, tuple[Path, str]]:
    """The runs of an earlier suite that have answers, each with the name of its one of `runs`.

    That is the one of its name, else of its settings, which was only called otherwise; "" for none.
    Runs of suites of one model each go by what was asked, and are paired by it where no name is
    the same.

    Parameters
    ----------
    baseline : Path
        The earlier suite's folder.
    runs : sequence of SuiteCell
    configs : mapping of str to mapping
        The settings of those of which they are known, by name: see `without_parts`.

    Raises
    ------
    InputError
        The earlier folder is no suite, none of its runs has answers, or none is one of these.
    """
    earlier = read_state(baseline)
    before = [*answered(baseline, earlier)]
    if not before:
        raise InputError(said("base-empty", baseline=baseline))
    called = {run.name: run.asked_in for run in earlier.runs}
    names, old_names = {run.name for run in runs}, {old.name for old in before}
    alone = all(len({run.model for run in own}) == 1 for own in (earlier.runs, runs))
    others = alone and not names & old_names
    alike = {run.asked_in: run.name for run in runs} if others else {}
    pairs: dict[str, tuple[Path, str]] = {}
    for old in before:
        name = old.name if old.name in names else ""
        if not name:
            wanted = without_parts(resolved(read_manifest(old)))
            same = (n for n, own in configs.items() if n not in old_names and own == wanted)
            name = next(same, alike.get(called[old.name], ""))
        pairs[called[old.name] if alone else old.name] = old, name
    if not any(name for _, name in pairs.values()):
        then, today = (", ".join(sorted(each)[:3]) for each in (old_names, names))
        raise InputError(said("baseline-strange", baseline=baseline, then=then, today=today))
    return pairs


class FittedBaseline(msgspec.Struct, frozen=True):
    """A baseline that was read before anything is asked.

    Attributes
    ----------
    pairs : dict of str to (Path, str)
        As in `partners`.
    unheld : dict of str to Text
        Runs that are left out on both sides, and why.
    faults : dict of str to Text
        Runs that nothing can be held against, or nothing sound, and why.
    """

    pairs: dict[str, tuple[Path, str]] = {}
    unheld: dict[str, Text] = {}
    faults: dict[str, Text] = {}

    def refuse(self, baseline: Path) -> None:
        """Raise `InputError` where a run has no sound partner, for a gate would then hold less."""
        if self.faults:
            alike: dict[str, list[str]] = {}
            for name, why in self.faults.items():
                alike.setdefault(str(why), []).append(name)
            each = [said("check-of", who=who, text=self.faults[who[0]]) for who in alike.values()]
            raise InputError(said("base-refused", baseline=str(baseline), each=each))


def fit_baseline(
    baseline: Path, runs: Sequence[SuiteCell], configs: Mapping[str, Mapping[str, Any]],
    left_out: Mapping[str, Text],
) -> FittedBaseline:  # fmt: skip
    """Pair the runs of a baseline with those of a suite, and look whether each can be held.

    Parameters
    ----------
    baseline, runs, configs
        As in `partners`, which raises `InputError`.
    left_out : mapping of str to str
        Those of `runs` that are not asked, as their data are not here, and why.
    """
    pairs, earlier = partners(baseline, runs, configs), read_state(baseline)
    before = {run.name: run for run in earlier.runs}
    if all(len({run.model for run in each}) == 1 for each in (earlier.runs, runs)):
        before = {run.asked_in: run for run in earlier.runs} | before
    faults: dict[str, Text] = {}
    for partner, name in pairs.values():
        if name and (why := unsound(partner)):
            faults[name] = why
        elif name and not check_sums(partner):
            faults[name] = said("base-damaged", why=said("base-no-sums", sums=SUMS))
    unheld: dict[str, Text] = {}
    held = {name for _, name in pairs.values()}
    for run in runs:
        old = before.get(run.name) or before.get(run.asked_in)
        if run.name in held:
            continue
        if run.name in left_out:
            unheld[run.name] = left_out[run.name]
        elif old is None:
            faults[run.name] = said("base-none")
        else:
            left = reason(old.told) if old.state in LEFT_OUT else None
            faults[run.name] = said("base-gone", why=left)
    return FittedBaseline(pairs, unheld, faults)


def unsound(run: Path) -> Text:
    """Say why nothing can be held against a run: damaged, or not complete; "" for nothing."""
    try:
        bad = {file: why for file, why in check_sums(run).items() if why}
        if bad:
            return said("base-damaged", why=": ".join(next(iter(bad.items()))))
        coverage = coverage_of(run)
    except (InputError, OSError) as error:
        why = error.args[0]
        line = isinstance(why, Said) and why.name == "error-line"  # here another cure is right
        return said("base-damaged", why=why.facts["why"] if line else str(error))
    if lacking := lacking_of(coverage.progress, coverage.manifest):
        return said("base-unfinished", what=lacking)
    return ""
