"""Evidence from the sound itself: what the reference listener measures in a review's recording.

It stands apart from the song's details, for it is of another kind: it holds for every recording,
but an ear may err. A tempo may be half or double the one that people count, a key may be taken
for a near one, and of the instruments only the leading one is heard. Where a claim differs in
such a way, nothing is decided.

The measurements lie in ``RUN/heard.json``, so that a run can be judged again and its judgements
read without the recordings.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from zhiyin.errors import InputError, reworded
from zhiyin.files import NOT_JSON, write_atomically
from zhiyin.words import said

if TYPE_CHECKING:
    from zhiyin.record import Record

FILE = "heard.json"
VERSION = 1
"""Raised whenever a recording would be measured otherwise."""
NEAR_FIT = 0.1
"""A key whose fit lies this close to the best one's is named as well."""
SAME_TEMPO = 0.04
METRES = {"duple": ("2/4", "4/4", "2/2"), "triple": ("3/4", "3/8"), "compound": ("6/8", "12/8")}
FAMILIES: dict[str, tuple[str, ...]] = {
    "brass": ("trumpet",),
    "guitar": ("guitar",),
    "keyboard": ("piano", "organ"),
    "mallets": ("marimba",),
    "strings": ("strings", "violin", "cello"),
    "synth": ("synthesizer",),
    "woodwind": ("flute", "clarinet", "saxophone"),
}
"""The listener's families of instruments, and what of each the word lists name."""
_MULTIPLES = (1 / 3, 1 / 2, 2 / 3, 3 / 2, 2.0, 3.0)
"""Ratios at which two people may tap to one piece."""
Key = tuple[int, str]


class HeardFacts(msgspec.Struct, frozen=True, omit_defaults=True):
    """Facts that the listener hears in a recording; what was not heard clearly is left out.

    Attributes
    ----------
    tempo_bpm : float or None
        With one decimal.
    key, key_or : str
        "Eb minor"; the next best key, where it fits nearly as well.
    metre : str
        "duple", "triple" or "compound".
    lead_family : str
        In `FAMILIES`.
    """

    tempo_bpm: float | None = None
    key: str = ""
    key_or: str = ""
    metre: str = ""
    lead_family: str = ""

    def __bool__(self) -> bool:
        """Return whether anything was heard."""
        return self != NOTHING


NOTHING = HeardFacts()


class _HeardFile(msgspec.Struct):
    """The file: for each recording, by its SHA-256, what was measured."""

    version: int
    recordings: dict[str, HeardFacts]


def measure(path: str | Path | bytes) -> HeardFacts:
    """Measure what the listener hears in a recording.

    Parameters
    ----------
    path : str, Path or bytes
        The file's place, or the bytes of a file.

    Raises
    ------
    InputError
        The recording cannot be read.
    """
    from zhiyin.plugins.music.listener.instruments import hear_family
    from zhiyin.plugins.music.listener.pieces import Hearing, hear_metre, hear_tempo, key_fits
    from zhiyin.sound import read_sound

    hearing = Hearing(read_sound(path))
    if hearing.samples is None:
        return NOTHING
    key = key_or = ""
    tempo = hear_tempo(hearing)
    if fits := key_fits(hearing):
        (best, most), (second, next_most) = sorted(fits.items(), key=lambda fit: -fit[1])[:2]
        key = _key_name(*best)
        key_or = _key_name(*second) if most - next_most < NEAR_FIT else ""
    return HeardFacts(
        round(tempo, 1) if tempo else None,
        key,
        key_or,
        hear_metre(hearing) or "",
        hear_family(hearing, FAMILIES) or "",
    )


def read_heard(run: Path) -> dict[str, HeardFacts]:
    """Read what was measured of a run's recordings, by their SHA-256; empty if nothing was.

    Raises
    ------
    InputError
        The file is damaged.
    """
    path = run / FILE
    try:
        kept = msgspec.json.decode(path.read_bytes(), type=_HeardFile)
    except FileNotFoundError:
        return {}
    except (OSError, *NOT_JSON) as error:
        raise InputError(f"{path}: {error}: delete it, and it is measured anew") from None
    return kept.recordings if kept.version == VERSION else {}


def hear_run(run: Path) -> list[str]:
    """Measure the recordings of a run's reviews that are not measured yet, and keep that.

    Returns
    -------
    list of str
        Recordings that could not be measured, a line each.
    """
    from zhiyin.plugins.judges.cases import reviewed
    from zhiyin.sound import audio_part

    known, remarks = read_heard(run), []
    wanted = {part.sha256: part.path for r in reviewed(run) if (part := sound_of(r))}
    fresh = False
    for sha256, path in wanted.items():
        if sha256 in known:
            continue
        try:
            if audio_part(Path(path)).sha256 != sha256:
                raise InputError(said("heard-other", path=path))
            known[sha256] = measure(path)
            fresh = True
        except InputError as error:
            remarks.append(f"not measured, so judged by its details alone: {error}")
    if fresh:
        with reworded(said("error-not-written", path=run / FILE, why="")):
            write_atomically(run / FILE, msgspec.json.encode(_HeardFile(VERSION, known)) + b"\n")
    return remarks


def sound_of(record: Record) -> Any:
    """The recording that a trial is about, or None."""
    from zhiyin.trial import Audio

    parts = [p for m in record.trial.messages for p in m.parts if isinstance(p, Audio)]
    return parts[-1] if parts else None


Agrees = Literal[True, False, None]


def same_key(claimed: Key, heard: HeardFacts) -> Agrees:
    """Compare a claimed key with the heard one; None if it is a near one, or none was heard.

    Parameters
    ----------
    claimed : tuple of int and str
        Pitch class of the tonic, and "major" or "minor".
    heard : HeardFacts
    """
    if not heard.key:
        return None
    tonic, mode = _key(heard.key)
    if claimed == (tonic, mode):
        return True
    relative = ((tonic + 9) % 12, "minor") if mode == "major" else ((tonic + 3) % 12, "major")
    near = [relative, (tonic, "minor" if mode == "major" else "major")]
    if heard.key_or:
        near.append(_key(heard.key_or))
    return None if claimed in near else False


def _key_name(tonic: int, mode: str) -> str:
    from zhiyin.plugins.music.theory import key_at

    return key_at(tonic, "minor" if mode == "minor" else "major").name


def _key(name: str) -> Key:
    """A key's name as our theory writes it ("Eb minor"), as pitch class and mode."""
    from zhiyin.plugins.music.theory import pitch_class

    tonic, mode = name.split()
    return pitch_class(tonic), mode


def same_tempo(claimed: float, heard: HeardFacts) -> Agrees:
    """Compare a claimed tempo with the heard one; None if it is a multiple of it."""
    if heard.tempo_bpm is None or claimed <= 0:
        return None
    ratio = claimed / heard.tempo_bpm
    if abs(ratio - 1) <= SAME_TEMPO:
        return True
    return None if any(abs(ratio / m - 1) <= SAME_TEMPO for m in _MULTIPLES) else False


def same_metre(claimed: str, heard: HeardFacts) -> Agrees:
    """Compare a claimed metre ("3/4") with the heard one; False only for twos against threes."""
    kind = next((kind for kind, metres in METRES.items() if claimed in metres), None)
    if kind is None or not heard.metre:
        return None
    if kind == heard.metre:
        return True
    return False if {kind, heard.metre} == {"duple", "triple"} else None


def leads(instrument: str, heard: HeardFacts) -> Agrees:
    """Tell whether an instrument is of the leading family; never False, for others play too."""
    return True if instrument in FAMILIES.get(heard.lead_family, ()) else None


def shown(heard: HeardFacts) -> str:
    """The measurements as lines for a prompt; empty for none."""
    values = msgspec.to_builtins(heard)
    if "metre" in values:
        values["metre"] = f"{values['metre']} ({', '.join(METRES[values['metre']])})"
    return "\n".join(f"{name}: {value}" for name, value in values.items())
