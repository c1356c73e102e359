"""What a careful reader would ask about the figures of a run."""

from __future__ import annotations

import os
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from zhiyin.analysis.extent import Extent, lacking_of
from zhiyin.engine.log import Manifest, is_being_written, this_machine
from zhiyin.engine.naming import canary_told, people_in
from zhiyin.engine.tally import ALL
from zhiyin.runs.figures import Figures
from zhiyin.runs.reach import Reach
from zhiyin.words import Said, findings, said
from zhiyin.words.findings import Warning, told
from zhiyin.words.reasons import reason

_MOSTLY_READ = 0.9
"""Share of readable replies from which on accuracy below chance is no matter of reading."""
_WELL_BELOW = 0.9
"""Of what guessing gets. Of many questions, and of one letter under all rotations, less tells
nothing of the reading: whoever always says A has 24.1 % of the 14,334 questions of a shuffle."""
_MUCH_UNREAD = 0.05
"""Share of replies without an answer from which on their causes are named."""
_TWICE, _PLENTY = 2, 4096
_MOST_NAMED = 3
_REFUSALS = "refusals"
"""Among causes that are sentences of the reader's."""


def warnings_of(folder: Path, manifest: Manifest, tally: Figures, extent: Extent) -> list[Warning]:
    """What is to be known of the figures of a run, its remarks included.

    Nothing of it has a remedy while a session goes on, and nothing that is asked of a model has
    one where people answered.
    """
    going = is_being_written(folder)
    found = [
        *told(manifest.remarks),
        *_ended(manifest, going=going),
        *_asked(manifest, tally, extent),
        *_canaries(manifest),
        *_replies(folder, manifest, tally),
    ]
    if going or people_in(manifest):
        return [one.mended_by("") for one in found]
    asks = (findings.Failed, findings.Unfinished, findings.SequencesStopped, findings.Killed)
    if not any(isinstance(one, asks) for one in found):
        return found
    from zhiyin.contract.settings import command_of, settings_of  # with all that makes runs

    again = command_of(settings_of(manifest, folder))
    return [one.mended_by(again) if isinstance(one, asks) else one for one in found]


def _ended(manifest: Manifest, *, going: bool) -> Iterator[Warning]:
    """What to say of the last session, that has not ended, or not in good order."""
    if not manifest.sessions:
        return
    last = manifest.sessions[-1]
    if last.stopped:
        yield findings.StoppedEarly(why=last.stopped)
    if last.ended is not None:
        return
    if going:
        yield findings.GoingOn()
    elif last.machine not in ("", this_machine()):
        yield findings.Elsewhere()
    else:
        yield findings.Killed()


def _asked(manifest: Manifest, tally: Figures, extent: Extent) -> Iterator[Warning]:
    """What was not asked, or not what others were asked."""
    whole = tally.everything
    if whole.error:
        causes = _causes(tally.causes)
        yield findings.Failed(n=whole.error, causes=causes)
    caution = extent.caution
    if caution and not extent.on_other_items and (extent.expected or extent.limit):
        yield caution
    if tally.repeated:
        yield findings.LinesRepeated(n=tally.repeated)
    if stopped := extent.reach.stopped:
        yield findings.SequencesStopped(what=_stops(manifest, extent.reach, stopped))
    if manifest.sequences:
        if lacks := lacking_of(extent.reach, manifest):
            yield findings.Unfinished(what=lacks)
    elif missing := max(0, manifest.planned - whole.settled - whole.error):
        what = said("lacking-not-asked", n=missing, of=manifest.planned)
        yield findings.Unfinished(what=what)


def _stops(manifest: Manifest, reach: Reach, stopped: dict[str, int]) -> Said:
    """Which sequences a failed trial stopped, and where."""
    places = [said("stopped-place", name=name, step=step) for name, step in sorted(stopped.items())]
    return said(
        "stopped-sequences",
        n=len(places),
        of=manifest.sequences.count if manifest.sequences else len(reach.begun),
        places=places[:_MOST_NAMED],
        more=max(0, len(places) - _MOST_NAMED),
    )


def _canaries(manifest: Manifest) -> Iterator[Warning]:
    """What to say of a model that did not tell apart what any ear or eye can."""
    doctor = shlex.join(["zhiyin", "doctor", manifest.model])
    for medium, outcome in manifest.canary.items():
        if isinstance(outcome, dict) and outcome.get("warning"):
            yield findings.Canary(medium=medium, told=canary_told(medium, outcome), remedy=doctor)


def _replies(folder: Path, manifest: Manifest, tally: Figures) -> Iterator[Warning]:
    """What stood in the way of answers: cut-off replies always, the rest where there is much.

    Of what was asked in the main way: to silence none may be the right answer.
    """
    count, limit = tally.counts[ALL], manifest.sampling.get("max_tokens")
    if count.truncated:
        from zhiyin.contract.settings import command_of, settings_of

        more = _TWICE * limit if isinstance(limit, int) else _PLENTY
        settings = settings_of(manifest)
        longer = msgspec.structs.replace(settings.sampling, max_tokens=more)
        fresh = command_of(msgspec.structs.replace(settings, sampling=longer))
        yield findings.CutOff(n=count.truncated, of=count.judged, limit=limit, remedy=fresh)
    causes: Counter[str] = Counter()
    for (state, why), times in tally.unread.items():
        if state == "refused":
            causes[_REFUSALS] += times
        elif state == "no_answer":
            causes[why or "no answer in it"] += times
    unread = count.no_answer + count.refused
    if count.judged and unread > _MUCH_UNREAD * count.judged:
        audit = f"zhiyin audit {shlex.quote(os.fspath(folder))}"
        main = _causes(causes)
        yield findings.Unreadable(n=unread, of=count.judged, causes=main, remedy=audit)
    chance = tally.chance()
    metrics = tally.metrics(chance=chance)
    accuracy, read = metrics.accuracy, metrics.ifr
    if chance is None or accuracy is None or read is None or read < _MOSTLY_READ:
        return
    if accuracy < _WELL_BELOW * chance and metrics.guess == "worse":
        yield findings.BelowChance(accuracy=accuracy, chance=chance)


def _causes(causes: Counter[str]) -> Said | None:
    """The most frequent ones, and how often."""
    each = [
        said("cause-refusals", n=n)
        if cause == _REFUSALS
        else said("cause", n=n, what=reason(_short(cause)))
        for cause, n in causes.most_common(3)
    ]
    return said("causes", each=each) if each else None


def _short(cause: str) -> str:
    line = " ".join(cause.split())
    return line if len(line) <= 120 else f"{line[:119]}…"


def divided(found: Iterable[Warning]) -> tuple[list[Warning], list[Warning]]:
    """Warnings, the gravest first, and what is merely good to know."""
    ordered = findings.by_severity(found)
    return (
        [one for one in ordered if one.severity != "note"],
        [one for one in ordered if one.severity == "note"],
    )
