"""Whether a folder of the recordings is whole, and which of them are the published ones."""

from __future__ import annotations

import hashlib
from pathlib import Path

from zhiyin.benchmarks.muse.bank import recordings_in
from zhiyin.benchmarks.muse.design import items
from zhiyin.benchmarks.muse.holdings import hashes
from zhiyin.contract.declared import CheckResult, Flaw
from zhiyin.errors import InputError
from zhiyin.sound import audio_part

DOUBTFUL = {
    "Intermediate/vi-IV-I-V_Gmaj_AcousticGuit_118": (
        "its name has no mark of a triple meter, and a trial of meter is keyed 3"
    ),
    "Intermediate/Sync3_A": "shown as an example of level 3, which has 6 off-beats; 8 are heard",
}


def check_folder(data: Path, partial: bool) -> CheckResult:
    """Look through a folder of the recordings.

    Returns
    -------
    CheckResult
        `items` counts the trials and examples whose recordings are all there. Kinds of flaws:
        ``missing``, ``unreadable``, ``altered``, ``doubtful label``.
    """
    recordings = recordings_in(data)
    wanted = {name for item in items() for name in item.recordings}
    missing = sorted(wanted - recordings.keys())
    flaws = [] if partial else [
        Flaw("missing", f"{name}.wav", name, "a published recording is not there")
        for name in missing
    ]  # fmt: skip
    for name in sorted(wanted & recordings.keys()):
        try:
            audio_part(recordings[name])
        except InputError as error:
            flaws.append(Flaw("unreadable", f"{name}.wav", name, str(error)))
            continue
        known = hashes().get(name.rpartition("/")[2])
        if known and hashlib.sha256(recordings[name].read_bytes()).hexdigest() != known:
            flaws.append(Flaw("altered", f"{name}.wav", name, "not the published recording"))
        if name in DOUBTFUL:
            flaws.append(Flaw("doubtful label", f"{name}.wav", name, DOUBTFUL[name]))
    whole = sum(recordings.keys() >= set(item.recordings) for item in items())
    notes = [f"{len(wanted) - len(missing)} of {len(wanted)} published recordings are there"]
    return CheckResult(whole, flaws, notes)
