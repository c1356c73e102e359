"""Cost of a run: calls, tokens, money, and all of these for a right answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np

from zhiyin.cost.prices import OthersPaid, Price, Usage, counted_columns, opening_of, price_of_run
from zhiyin.engine.folder import MANIFEST, Manifest, read_manifest
from zhiyin.engine.naming import brief
from zhiyin.errors import InputError
from zhiyin.models import is_served
from zhiyin.runs.columns import AlikeCalls
from zhiyin.runs.rows import read_table
from zhiyin.runs.table import RunTable
from zhiyin.words import Said, said


class JudgeCost(msgspec.Struct, frozen=True, omit_defaults=True):
    """Cost of a judge of a run.

    Attributes
    ----------
    judge : str
        Its name; "" for one that was asked within the trials.
    calls, tokens : int or None
        None where its run cannot be read.
    usd : float or None
        None where no price is known.
    fault : str
        Why its run cannot be read.
    """

    judge: str
    calls: int | None
    tokens: int | None
    usd: float | None
    fault: str = ""

    @property
    def line(self) -> Said:
        """The same in words."""
        judge = self.judge or None
        if self.calls is None:
            return said("cost-judge-unknown", judge=judge, fault=self.fault)
        return said("cost-judge", judge=judge, usd=self.usd, calls=self.calls, tokens=self.tokens)


class RunCost(msgspec.Struct, frozen=True):
    """Cost of the replies of a run. Money is None where the price is.

    Attributes
    ----------
    calls : int
        Calls that were made.
    canary : int
        Those of them before the first trial.
    failed : int
        Those of them that brought no reply.
    cached : int
        Kept replies, which cost nothing.
    input, output : int
        Tokens of the calls.
    cached_input, audio_input, reasoning : int
        Some of these.
    seconds : float
        Of sound that was sent.
    uncounted : int
        Calls whose tokens the server did not count.
    usd : float or None
    tokens_per_right, usd_per_right : float or None
        Kept replies as if they had been paid for again.
    price : Price or None
    judges : list of JudgeCost
        In no other sum.
    lines : list of str
        The same in words.
    counted, served, today : bool
        Whether anybody counted its tokens or seconds; whether a server was asked; whether the
        price is that of today, for its own is not known.
    """

    calls: int
    canary: int
    failed: int
    cached: int
    input: int
    output: int
    cached_input: int
    audio_input: int
    reasoning: int
    seconds: float
    uncounted: int
    usd: float | None
    tokens_per_right: float | None
    usd_per_right: float | None
    price: Price | None
    judges: list[JudgeCost] = []
    lines: list[str] = []
    counted: bool = True
    served: bool = False
    today: bool = False

    def told(self) -> list[Said]:
        """The same in words."""
        lines: list[Said] = []
        if self.counted:
            lines = list(self._counted())
        elif self.served:
            lines = [said("cost-not-counted", calls=self.calls, failed=self.failed)]
        return [*lines, *(judge.line for judge in self.judges)]

    def _counted(self) -> Iterator[Said]:
        yield said(
            "cost-spent", usd=self.usd, calls=self.calls, canary=self.canary, failed=self.failed,
            cached=self.cached, input=self.input, output=self.output,
        )  # fmt: skip
        if (tokens := self.tokens_per_right) is not None:
            facts = {"usd": self.usd_per_right, "tokens": tokens, "cached": self.cached}
            yield said("cost-per-right", **facts)
        if self.uncounted:
            yield said("cost-uncounted", calls=self.uncounted)
        if self.price is not None:
            source = ", ".join(filter(None, (self.price.date, self.price.source))) or None
            yield said("cost-prices", source=source, today=self.today)


class Bill:
    """Adds up what the replies of a run cost.

    Parameters
    ----------
    manifest : Manifest
        Its price counts; where it has none, that of the user's table of today.
    table : RunTable
    """

    def __init__(self, manifest: Manifest, table: RunTable) -> None:
        self._price, self._today = price_of_run(manifest)
        self._served = is_served(manifest.spec)
        self._opening = self._asked = self._kept = Usage()
        self._judge = OthersPaid()
        self._cached = 0
        self._paid_usd = self._all_usd = 0.0
        opening = opening_of(manifest.canary).paid
        self._canary = len(opening)
        for used in opening:  # not among what a right answer costs: runs are of any length
            self._opening += used
            self._paid_usd += self._price.of(used) if self._price else 0.0
        for alike in table.calls():
            self._add(alike)
        valid = table.valid
        self._failed = int(table.vain[valid].sum()) if self._served else 0
        for row, paid in table.paid:
            if valid[row]:
                # Count what a judge in the midst of a conversation cost, which its notes say
                one = msgspec.convert(paid, OthersPaid)
                for name in one.__struct_fields__:
                    setattr(self._judge, name, getattr(self._judge, name) + getattr(one, name))

    def _add(self, alike: AlikeCalls) -> None:
        """Count the calls of a kind."""
        used, kind = counted_columns(alike.counts, alike.seconds), alike.kind
        total = Usage(*(column.sum().item() for column in msgspec.structs.astuple(used)))
        usd = 0.0
        if self._price is not None:
            usd = float(np.sum(self._price.of_columns(used, batched=kind.batched)))
        self._all_usd += usd
        if kind.cached:
            self._kept += total
            self._cached += total.calls
        else:
            self._asked += total
            self._paid_usd += usd

    def as_summary(self, right: int, judges: Sequence[JudgeCost] = ()) -> RunCost | None:
        """Sum the cost of the replies that were added.

        None where nobody counted anything, and no server was asked.

        Parameters
        ----------
        right : int
            Right answers.
        judges : sequence of JudgeCost
            What judges of the run cost, see `judges_of`. It is in no other sum.
        """
        paid, every = self._opening + self._asked, self._kept + self._asked
        if (within := self._judge).calls:  # judges that were asked within the trials
            own = JudgeCost("", round(within.calls), round(within.tokens), within.usd or None)
            judges = [own, *judges]
        uncounted = every.uncounted == every.calls and not self._cached
        uncounted = uncounted and not (every.seconds or every.tokens)
        if uncounted and not judges and not self._served:
            return None
        known = self._price is not None and not uncounted
        cost = RunCost(
            calls=paid.calls + self._failed, canary=self._canary, failed=self._failed,
            cached=self._cached, input=paid.input, output=paid.output,
            cached_input=paid.cached_input, audio_input=paid.audio_input, reasoning=paid.reasoning,
            seconds=round(paid.seconds, 3), uncounted=paid.uncounted,
            usd=self._paid_usd if known else None,
            tokens_per_right=every.tokens / right if right else None,
            usd_per_right=self._all_usd / right if right and known else None, price=self._price,
            judges=[*judges], counted=not uncounted, served=self._served,
            today=self._today and self._price is not None,
        )  # fmt: skip
        return msgspec.structs.replace(cost, lines=list(map(str, cost.told())))


def bill_of(folder: Path, right: int) -> RunCost | None:
    """Sum a run's cost; see `Bill.as_summary`."""
    return Bill(read_manifest(folder), read_table(folder)).as_summary(right)


def judges_of(folder: Path) -> list[JudgeCost]:
    """List the counted costs of a run's judges, whose runs lie in its folder."""
    judges = []
    for place in sorted(path.parent for path in folder.glob(f"*/{MANIFEST}")):
        try:
            manifest = read_manifest(place)
            if "run" not in manifest.options:  # reads no run: the user put another one here
                continue
            bill = bill_of(place, 0)
        except InputError as fault:
            judges.append(JudgeCost(place.name, None, None, None, str(fault)))
            continue
        if bill:
            tokens = bill.input + bill.output
            named = manifest.label or brief(manifest.model)
            judges.append(JudgeCost(named, bill.calls, tokens, bill.usd))
    return judges
