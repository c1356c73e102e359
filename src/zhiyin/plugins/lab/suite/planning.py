"""Plan of a suite: calls and cost, run by run, before anything is asked; and what has changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from zhiyin.contract.registry import blaming, given
from zhiyin.contract.resolved import resolved
from zhiyin.contract.settings import RunSettings
from zhiyin.cost.budget import BudgetAccount
from zhiyin.cost.prices import price_of, read_prices
from zhiyin.cost.request_queue import find_price
from zhiyin.engine.folder import MANIFEST, RECORDS, read_manifest, without_parts
from zhiyin.engine.log import differences
from zhiyin.errors import InputError, UnfitError, kind_of
from zhiyin.models import is_instant
from zhiyin.plugins.lab.run_status import status_of_run
from zhiyin.plugins.lab.suite.file import Suite, SuiteCell
from zhiyin.plugins.lab.suite.folder import SuiteFolder, SuiteState
from zhiyin.runs.rows import rows_of
from zhiyin.session import CostEstimate
from zhiyin.session.estimating import estimate_opened
from zhiyin.session.setup import opened
from zhiyin.session.sharing import sharing_benchmarks
from zhiyin.words import Said, said

if TYPE_CHECKING:
    from zhiyin.plugins.lab.suite.running import Holder

OrderOf = Callable[[SuiteCell], RunSettings]
"""From a cell to the order that its flags are; raises `InputError`."""


class PlannedRun(msgspec.Struct):
    """One run of a plan.

    Attributes
    ----------
    cell : SuiteCell
    order : RunSettings or None
        None where its flags are faulty.
    estimate : CostEstimate or None
        None where it is done already, or cannot begin.
    done : bool
        Whether an earlier session has finished it.
    problem : str
        Why it cannot begin.
    kind : str
        What is to be mended then, as in `kind_of`.
    of_model : bool
        Whether that is for its model, which cannot be opened.
    unfit : bool
        Whether that is since its model cannot take what is asked.
    other : list of str
        In which settings the run in its folder differs: that one is another run.
    answered : int
        Trials that are answered in that folder.
    take : Path or None
        A folder that holds this very run, and lies elsewhere in the suite's folder.
    config : dict
        Its settings, where it can begin.
    """

    cell: SuiteCell
    order: RunSettings | None = None
    estimate: CostEstimate | None = None
    done: bool = False
    problem: str = ""
    kind: str = "input"
    of_model: bool = False
    unfit: bool = False
    other: list[str] = []
    answered: int = 0
    take: Path | None = None
    config: dict[str, Any] = {}

    @property
    def calls(self) -> int:
        """Calls to make, as a budget counts them: none of a baseline, which answers by itself."""
        return 0 if self.estimate is None or is_instant(self.cell.spec) else self.estimate.calls


class PlanTotal(msgspec.Struct, frozen=True):
    """Totals of a plan.

    `usd` is None where a price is not known, `seconds` where no run of a model was asked yet;
    `usd_at_most` likewise.
    """

    runs: int
    done: int
    trials: int
    asked: int
    calls: int
    clips: int
    usd: float | None
    usd_at_most: float | None
    seconds: float | None


class SuiteChange(msgspec.Struct, frozen=True):
    """Differences of a suite's file from the one that its folder was begun with.

    Attributes
    ----------
    added, gone : list of str
        Names of runs.
    changed : dict of str to list of str
        Runs that other flags are given to, with the flags in words.
    """

    added: list[str]
    gone: list[str]
    changed: dict[str, list[str]]

    @property
    def any(self) -> bool:
        """True if it differs in any run."""
        return bool(self.added or self.gone or self.changed)


class SuitePlan(msgspec.Struct):
    """All runs, and what the file has changed in; `account` is what they all spend from."""

    rows: list[PlannedRun]
    change: SuiteChange
    per_second: dict[str, float] = {}
    account: BudgetAccount | None = None

    @property
    def total(self) -> PlanTotal:
        """Totals of all runs that can begin."""
        rows = [row for row in self.rows if row.estimate]
        estimates = [row.estimate for row in rows if row.estimate]
        usd = [one.usd for one in estimates]
        most = [one.usd if one.usd_at_most is None else one.usd_at_most for one in estimates]
        bounded = all(one.usd_at_most is not None or one.usd == 0 for one in estimates)
        times: dict[str, float | None] = {}
        for row in rows:
            before, own = times.get(row.cell.model, 0.0), self.seconds(row)
            times[row.cell.model] = None if None in (before, own) else (before or 0) + (own or 0)
        return PlanTotal(
            len(self.rows),
            sum(row.done for row in self.rows),
            sum(one.planned for one in estimates),
            sum(one.asked for one in estimates),
            sum(row.calls for row in rows),
            sum(one.clips for one in estimates),
            None if None in usd else sum(filter(None, usd)),
            sum(filter(None, most)) if bounded and None not in most else None,
            None
            if None in times.values()
            else max(map(float, filter(None, times.values())), default=0.0),
        )

    def seconds(self, row: PlannedRun) -> float | None:
        """Estimate a run's time in seconds, by the rate of the model's runs here; None for none."""
        if row.estimate is None or not row.estimate.asked:
            return 0.0
        rate = self.per_second.get(row.cell.model)
        return row.estimate.asked / rate if rate else None

    @property
    def configs(self) -> dict[str, dict[str, Any]]:
        """The settings of the runs that can begin, by name."""
        return {row.cell.name: row.config for row in self.rows if row.config}

    @property
    def problems(self) -> list[PlannedRun]:
        """Runs that cannot begin and should."""
        return [
            row
            for row in self.rows
            if row.problem and not row.unfit and (row.of_model or not row.cell.optional)
        ]

    @property
    def replaced(self) -> list[PlannedRun]:
        """Runs whose answers would no longer count."""
        return [row for row in self.rows if row.other]


async def plan(
    suite: Suite, order_of: OrderOf, folder: SuiteFolder, holders: Mapping[str, Holder],
    account: BudgetAccount | None, progress: Callable[[int, int], None],
) -> SuitePlan:  # fmt: skip
    """Open every run that is not done, look whether it can begin, and estimate it.

    Nothing is asked, and nothing is moved or written.

    Parameters
    ----------
    suite : Suite
    order_of : callable
    folder : SuiteFolder
    holders : mapping of str to Holder
        By the names of models.
    account : BudgetAccount or None
        What all runs spend from between them.
    progress : callable
        Called with how many runs are looked at, and of how many.
    """
    change = _change(suite, folder)
    rows: list[PlannedRun] = []
    with sharing_benchmarks():
        for cell in suite.cells:
            progress(len(rows), len(suite.cells))
            rows.append(await _planned(suite, cell, order_of, folder, holders[cell.model], account))
        progress(len(rows), len(suite.cells))
    return SuitePlan(rows, change, _rates(folder), account)


def _rates(folder: SuiteFolder) -> dict[str, float]:
    """Trials a second of each model, in all sessions of its runs, also those that were killed."""
    asked: Counter[str] = Counter()
    elapsed: dict[str, float] = {}
    for run in folder.before.runs if folder.before else ():
        if not (folder.run(run.name) / MANIFEST).is_file():
            continue
        for session in read_manifest(folder.run(run.name)).sessions:
            n, seconds = session.asked, session.elapsed_s
            if session.ended is None:
                killed = status_of_run(folder.run(run.name))
                n = killed.answered - session.before if killed.per_second else 0
                seconds = n / (killed.per_second or 1.0)
            asked[run.model] += n
            elapsed[run.model] = elapsed.get(run.model, 0.0) + seconds
    return {model: asked[model] / s for model, s in elapsed.items() if s and asked[model]}


def _change(suite: Suite, folder: SuiteFolder) -> SuiteChange:
    if folder.before is None:
        return SuiteChange([], [], {})
    then = {run.name: run for run in folder.before.runs}
    now = {cell.name: cell for cell in suite.cells}
    changed = {}
    for name in now.keys() & then.keys():
        one, two = then[name], now[name].written
        before, after = (
            {"asks": each.asked, "model": each.spec, **each.flags} for each in (one, two)
        )
        if differing := list(differences(before, after)):
            changed[name] = differing
    added = [name for name in now if name not in then]
    return SuiteChange(
        added, [name for name in then if name not in now], dict(sorted(changed.items()))
    )


async def _planned(
    suite: Suite, cell: SuiteCell, order_of: OrderOf, folder: SuiteFolder, holder: Holder,
    account: BudgetAccount | None,
) -> PlannedRun:  # fmt: skip
    row = PlannedRun(cell)
    before = folder.before
    for run in before.runs if before else ():
        if run.is_of(cell) and run.state == "done" and (folder.run(run.name) / MANIFEST).is_file():
            row.done, row.answered = True, run.trials
            row.config = without_parts(resolved(read_manifest(folder.run(run.name))))
            return row
    if before and (why := _refused_before(before, cell, folder)):
        row.problem, row.unfit = why, True
        return row
    try:
        # Before the model is opened: an unknown flag is reported with its line.
        order = order_of(cell)
    except InputError as error:
        raise suite.fault(cell, error) from None
    try:
        order = holder.share(order)
        if account and not isinstance(order.model, str):
            account.refuse_priceless(order.model.name, find_price(order.model))
        if account and (judge := given(order.benchmark).judge_of(order.options)):
            account.refuse_priceless(judge, price_of(judge, read_prices()))
    except InputError as error:
        row.problem, row.of_model, row.kind = str(error), True, kind_of(error)
        return row
    try:
        order = msgspec.structs.replace(order, out=str(folder.run(cell.name)))
        row.order = order
        kind = given(order.benchmark)
        with blaming(kind):
            async with opened(order, kind) as all_of_it:
                row.config = without_parts(resolved(all_of_it.manifest))
                place = _place(folder, suite, cell, row)
                ready = all_of_it._replace(folder=place)
                row.estimate = await estimate_opened(ready, counting=False)
    except InputError as error:
        row.problem, row.unfit = str(error), isinstance(error, UnfitError)
        row.kind = kind_of(error)
    return row


def _refused_before(before: SuiteState, cell: SuiteCell, folder: SuiteFolder) -> str:
    """Return why a run does not apply, as an earlier session found by asking; "" if none did.

    Nobody is asked again for what a server refused: with another one in its place the model is
    another one. What a model declares is looked up anew.
    """
    unfit = [run for run in before.runs if run.state == "unfit" and run.spec == cell.written.spec]
    if not any((folder.run(run.name) / MANIFEST).is_file() for run in unfit):
        return ""
    return next((run.told for run in unfit if run.is_of(cell)), "")


def _place(folder: SuiteFolder, suite: Suite, cell: SuiteCell, row: PlannedRun) -> Path:
    """Return the folder of the run's answers: its own, another of the suite's, or its own to be."""
    own = folder.run(cell.name)
    if (own / MANIFEST).is_file():
        row.other = list(differences(without_parts(resolved(read_manifest(own))), row.config))
        if not row.other:
            return own
        row.answered = _answered(own)
    wanted = {folder.run(each.name) for each in suite.cells}
    for path in folder.others():
        if path in wanted:
            continue
        if without_parts(resolved(read_manifest(path))) == row.config:
            row.take = path
            return path
    return folder.folder / "new" if row.other else own


def _answered(folder: Path) -> int:
    if not (folder / RECORDS).is_file():
        return 0
    return len(rows_of(folder).settled)


def refusal(plan: SuitePlan, folder: Path) -> Said | None:
    """Return why a suite does not go on in its folder as it is; None where it does."""
    if not plan.replaced:
        return None
    replaced = [
        said("suite-replaced-run", name=row.cell.name, other=row.other[:2], n=row.answered)
        for row in plan.replaced[:3]
    ]
    more = max(0, len(plan.replaced) - 3)
    return said("suite-replaced", folder=folder, runs=replaced, more=more)


def accept(plan: SuitePlan, folder: SuiteFolder) -> None:
    """Bring the folder in line with a plan: put aside what is no longer in it, take back what is.

    Nothing is deleted.
    """
    taken = {row.take for row in plan.rows if row.take}
    for row in plan.replaced:
        folder.set_aside(row.cell.name)
    for row in plan.rows:
        if row.take:
            target = folder.run(row.cell.name)
            target.parent.mkdir(parents=True, exist_ok=True)
            row.take.rename(target)
    for name in plan.change.gone:
        if folder.run(name) not in taken:
            folder.set_aside(name)
