"""How a run opens: with a few questions that any ear and any eye can answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, get_args

import msgspec

from zhiyin.cost.usage import opening_of
from zhiyin.engine.asking import Desk
from zhiyin.engine.log import Manifest
from zhiyin.engine.runner import Limits
from zhiyin.probe.canary import CanaryOutcome, ask_canary, wants_canary, warning
from zhiyin.probe.media import Medium
from zhiyin.record import Model, Sampling
from zhiyin.trial import Audio, Image, Trial

_PARTS: dict[Medium, type[Audio] | type[Image]] = {"sound": Audio, "image": Image}
MEDIA: tuple[Medium, ...] = get_args(Medium)


async def open_run(
    manifest: Manifest,
    trials: Iterable[Trial],
    model: Model,
    sampling: Sampling,
    limits: Limits,
    seed: int,
    desk: Desk | None = None,
) -> None:
    """Ask a canary for sound, and one for pictures, where a run has them and none was asked.

    What becomes of it is put into the manifest. The run goes on whatever it is.

    Parameters
    ----------
    manifest : Manifest
        Of the run. A canary that an earlier session asked is not asked again.
    trials : iterable of Trial
        What the run is to ask; looked through only where the model is to be asked a canary.
    model : Model
    sampling : Sampling
    limits : Limits
    seed : int
    desk : Desk, optional
        What stands between conversations and the model: budget, limits a minute, kept replies.

    Raises
    ------
    InputError
        When no call can succeed: key, address or model are wrong.
    """
    for medium in canaries(manifest.canary, trials, model):
        outcome = await ask_canary(model, medium, seed, sampling, limits, desk)
        # What an undecided one used was used, too.
        used = opening_of({medium: manifest.canary.get(medium)}) + outcome.used
        outcome = msgspec.structs.replace(outcome, used=used)
        manifest.canary = {**manifest.canary, medium: _as_manifest(medium, outcome)}


def canaries(canary: Mapping[str, Any], trials: Iterable[Trial], model: Model) -> list[Medium]:
    """Of what a run opens with a canary.

    Parameters
    ----------
    canary : mapping
        What became of those of earlier sessions, as the manifest holds it.
    trials : iterable of Trial
        What the run is to ask; looked through only where the model is to be asked a canary.
    model : Model
    """
    open_yet = {medium for medium in MEDIA if _open(canary, medium)}
    wanted = {medium for medium in open_yet if wants_canary(model, medium)}
    return sorted(_media_of(trials, wanted), key=MEDIA.index) if wanted else []


def _open(canary: Mapping[str, Any], medium: Medium) -> bool:
    before = canary.get(medium)
    return not isinstance(before, dict) or before.get("state") == "undecided"


def _media_of(trials: Iterable[Trial], wanted: set[Medium]) -> set[Medium]:
    """Which of some media the trials have; looks no further than it must."""
    present: set[Medium] = set()
    for trial in trials:
        kinds = {type(part) for message in trial.messages for part in message.parts}
        present |= {medium for medium in wanted if _PARTS[medium] in kinds}
        if present == wanted:
            break
    return present


def _as_manifest(medium: Medium, outcome: CanaryOutcome) -> dict[str, Any]:
    """A canary as a manifest holds it: its outcome, and the warning where there is one."""
    entry: dict[str, Any] = msgspec.to_builtins(outcome)
    if message := warning(medium, outcome):
        entry["warning"] = message
    return entry
