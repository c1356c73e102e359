"""What an audit found, as numbers and in words."""

from __future__ import annotations

import msgspec

from zhiyin.analysis.audit.marks import JUDGE
from zhiyin.words import Said, said


class StratumFound(msgspec.Struct, frozen=True):
    """The replies that one rule of the reader's read: how many there are, and what marks say."""

    stratum: str
    size: int
    drawn: int
    marked: int
    unsure: int
    misread: int


class AuditedAccuracy(msgspec.Struct, frozen=True):
    """The accuracy over the `n` replies read by rule: as they were read, and as people would."""

    n: int
    as_read: float
    corrected: float
    ci95: tuple[float, float]


class AuditFound(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the marks of one who marks say of a run; JSON leaves out what is None.

    Attributes
    ----------
    by : str
    policies : list of str
    population, drawn, marked : int
        Replies read by rule, those of them that were drawn, and that were marked.
    stale : bool
        Whether the run holds other replies than were drawn from; nothing of the following is known
        then.
    complete : bool
        Whether all that were drawn are marked.
    unsure, in_sight, misread : int or None
        Marked as unsure, with the verdict in sight, otherwise than read; a reply marked as unsure
        is in no rate.
    missed, false_guesses, wrong : int or None
        Of the misread ones.
    strata : list of StratumFound or None
    rate : float or None
        The share of all replies that are misread; this and the following where all are marked.
    ci95 : tuple of float or None
        Holds whether replies marked as unsure were read right or not.
    method : str or None
    accuracy : AuditedAccuracy or None
        None where some reply has no right answer, too.
    sentences : list of str
        The same in words.
    """

    by: str
    policies: list[str]
    population: int
    drawn: int
    marked: int
    stale: bool
    complete: bool
    unsure: int | None = None
    in_sight: int | None = None
    misread: int | None = None
    missed: int | None = None
    false_guesses: int | None = None
    wrong: int | None = None
    strata: list[StratumFound] | None = None
    rate: float | None = None
    ci95: tuple[float, float] | None = None
    method: str | None = None
    accuracy: AuditedAccuracy | None = None
    sentences: list[str] = []

    def told(self) -> list[Said]:
        """What `show` and the report say of it."""
        if self.stale:
            return [said("audit-stale")]
        lines = [said("audit-line", policies=self.policies, found=self.in_short())]
        if one := self.accuracy:
            low, high = one.ci95
            facts = {"as_read": one.as_read, "corrected": one.corrected, "low": low, "high": high}
            lines.append(said("audit-accuracy", n=one.n, **facts))
        if self.complete and self.in_sight:
            lines.append(said("audit-in-sight", n=self.in_sight))
        return lines

    def in_short(self) -> Said:
        """What has been found so far."""
        by = self.by.removeprefix(JUDGE) if self.by.startswith(JUDGE) else None
        misread, unsure = self.misread or 0, self.unsure or 0
        if not self.complete:
            facts = {"marked": self.marked, "drawn": self.drawn, "misread": misread}
            return said("audit-under-way", by=by, **facts)
        if self.rate is None or self.ci95 is None:
            return said("audit-unsure", by=by, marked=self.marked)
        sure = self.marked - unsure
        low, high = (None, None) if self.method == "census" and not unsure else self.ci95
        simple = abs(self.rate - misread / sure) < 5e-5
        return said(
            "audit-found",
            by=by,
            misread=misread,
            sure=sure,
            rate=None if simple else self.rate,
            low=low,
            high=high,
            unsure=unsure,
        )
