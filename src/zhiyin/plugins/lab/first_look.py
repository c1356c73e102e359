"""Some ten questions of each skill: a suite that comes with Zhiyin, asked of one open model."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from pathlib import Path

from zhiyin.contract.settings import RunSettings
from zhiyin.cost.budget import common_account
from zhiyin.engine.naming import brief
from zhiyin.files import stem_of
from zhiyin.plugins.lab.suite.file import Flags, SuiteCell, read_suite
from zhiyin.plugins.lab.suite.folder import SuiteFolder, SuiteState
from zhiyin.plugins.lab.suite.planning import SuitePlan, accept, plan
from zhiyin.plugins.lab.suite.progress import Display
from zhiyin.plugins.lab.suite.results import Cards, all_cards, named_runs
from zhiyin.plugins.lab.suite.running import Holder, carry_out_all
from zhiyin.report.writing import report

SUITE = "first-look"


class FirstLook:
    """The questions of a first look, and the page of their answers.

    Parameters
    ----------
    model : str
        As after ``-m``.
    order_of : callable
        From a run of the suite to its order, with the open model.
    flags : dict
        Where data lie, see `read_suite`.
    out : Path, optional
        By default a new folder in ``doctor/``: a server may be another one than before.

    Raises
    ------
    InputError
        The folder holds something else, or the data are of no benchmark of the suite.
    """

    def __init__(
        self, model: str, order_of: Callable[[SuiteCell], RunSettings], flags: Flags,
        out: Path | None = None,
    ) -> None:  # fmt: skip
        self._suite, self._order = read_suite(SUITE, (model,), flags), order_of
        self._held = {one.model: Holder(self._suite.model(one.model)) for one in self._suite.cells}
        self._folder = SuiteFolder(out or _new(Path("doctor") / stem_of(brief(model))))

    async def plan(self) -> SuitePlan:
        """All runs, estimated; nothing is asked."""
        return await plan(self._suite, self._order, self._folder, self._held, common_account.get())

    async def ask(self, *, quiet: bool) -> tuple[SuiteState, bool]:
        """Ask what applies to the model: the state of all runs, and whether Ctrl-C ended it."""
        planned = await self.plan()  # anew: the model may have refused something
        with self._folder as folder:
            accept(planned, folder)
            state = folder.begin(self._suite)
            with Display(planned.rows, planned.account, quiet=quiet) as watcher:
                return state, await carry_out_all(planned, folder, self._held, watcher)

    def write(self, state: SuiteState, languages: Sequence[str]) -> tuple[str, list[Cards]]:
        """Write the report of all runs: its page, "" where nothing was answered, and the skills."""
        place = self._folder.folder
        if not (runs := named_runs(place, state)):
            return "", []
        report(*runs, out=place / "report", figures=False, languages=languages)
        return str(place / "report" / "index.html"), all_cards(place, state)


def _new(place: Path) -> Path:
    """The first of NAME, NAME-2, NAME-3, ... that is not there."""
    others = (place.with_name(f"{place.name}-{n}") for n in itertools.count(2))
    return next(each for each in itertools.chain([place], others) if not each.exists())
