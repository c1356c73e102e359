"""What is decided about a piece before it has notes: balanced over pieces, drawn within each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from zhiyin.music.pieces.instruments import INSTRUMENTS
from zhiyin.music.pieces.piece import SECONDS, Contour, Motion, Part, Plan
from zhiyin.music.pieces.styles import STYLES, Style
from zhiyin.music.stimuli.dice import Dice, balanced
from zhiyin.music.theory import Mode, key_at

TAIL_S = 1.2
"""Silence after the last bar in which the last notes ring, in seconds."""
CONTOURS: tuple[Contour, ...] = ("rising", "falling", "arch", "valley")
MOTIONS: tuple[Motion, ...] = ("steps", "leaps")
DYNAMICS = ("crescendo", "diminuendo", "terraced", "steady")
FORMS = {
    1: ("AA", "AAA"),
    2: ("AB", "ABA", "AABA", "ABAA"),
    3: ("ABC", "ABAC", "ABCA"),
}
"""By the number of different sections."""


class Wish(NamedTuple):
    """The properties that are dealt out evenly over the pieces of a seed."""

    style: str
    mode: Mode
    pace: int
    contour: Contour
    motion: Motion
    dynamics: str
    articulation: str
    entry: str
    cadence: str
    sections: int
    hands_over: bool
    late_drums: bool


def wishes(seed: int) -> Iterator[Wish]:
    """Wishes without end; in any beginning, the values of each property are equally frequent."""
    modes: tuple[Mode, ...] = ("major", "minor")
    columns: tuple[Sequence[object], ...] = (
        tuple(STYLES),
        modes,
        (0, 1),
        CONTOURS,
        MOTIONS,
        DYNAMICS,
        ("staccato", "legato"),
        ("together", "bass", "drums", "chords"),
        ("authentic", "plagal", "half", "deceptive"),
        (1, 2, 3),
        (False, True),
        (False, True),
    )
    streams = [
        balanced(values, seed, "pieces", field)
        for field, values in zip(Wish._fields, columns, strict=True)
    ]
    while True:
        yield Wish(*(next(stream) for stream in streams))  # type: ignore[arg-type]


def quarters(metre: tuple[int, int]) -> tuple[float, float]:
    """Length of a bar and of a beat in quarter notes; the beat of 6/8 is a dotted quarter."""
    count, unit = metre
    return count * 4 / unit, 1.5 if metre == (6, 8) else 4 / unit


def bar_seconds(metre: tuple[int, int], tempo: float) -> float:
    """Length of a bar at a tempo in beats a minute, in seconds."""
    bar, beat = quarters(metre)
    return bar / beat * 60 / tempo


def intro_bars(entry: str, bar_s: float) -> int:
    """Bars before the tune: none where all begin together, else about two or three seconds."""
    return 0 if entry == "together" else 2 if bar_s < 1.6 else 1


def draw_plan(wish: Wish, dice: Dice) -> Plan:
    """A plan that fulfils a wish as far as its style can; what it cannot is drawn again."""
    style = STYLES[wish.style]
    mode = wish.mode if wish.mode in style.changes else next(iter(style.changes))
    tempo = dice.whole(*style.tempos[wish.pace % len(style.tempos)])
    players = {"bass": style.bass, "drums": style.drums, "chords": style.chords}
    entry = wish.entry if players.get(wish.entry) else "together"
    bar_s = bar_seconds(style.metre, tempo)
    form, bars = _form(style, wish.sections, bar_s, intro_bars(entry, bar_s), dice)
    tune = dice.choice(style.tunes)
    hands_over = wish.hands_over and len(set(form)) > 1
    # Drums that come in late make the piece louder there, and must not come in first.
    grows = wish.dynamics in ("crescendo", "terraced") and entry != "drums"
    return Plan(
        style=wish.style,
        key=key_at(dice.whole(0, 11), mode),
        tempo=tempo,
        form=form,
        bars=bars,
        parts=_parts(style, tune, hands_over, dice),
        contour=wish.contour,
        motion=wish.motion,
        cadence=wish.cadence,
        dynamics=wish.dynamics,
        articulation=wish.articulation if INSTRUMENTS[tune].sustains else "legato",
        entry=entry,
        late_drums=wish.late_drums and grows and style.drums is not None,
    )


def _form(style: Style, wanted: int, bar_s: float, intro: int, dice: Dice) -> tuple[str, int]:
    """A form and its bars per section that last neither too short nor too long."""
    for count in sorted(FORMS, key=lambda n: abs(n - wanted)):
        fits = [
            (form, bars)
            for form in FORMS[count]
            for bars in style.bars
            if SECONDS[0] <= (len(form) * bars + intro) * bar_s <= SECONDS[1] - TAIL_S
        ]
        if fits:
            return dice.choice(fits)
    raise RuntimeError(f"no form lasts {SECONDS[0]:.0f} to {SECONDS[1]:.0f} s")


def _parts(style: Style, tune: str, hands_over: bool, dice: Dice) -> tuple[Part, ...]:
    """Who plays: if possible, only the second tune's player is of the tune's family."""
    family = INSTRUMENTS[tune].family
    parts = [Part("tune", tune)]
    if hands_over:
        others = [t for t in style.tunes if INSTRUMENTS[t].family != family]
        parts.append(Part("second", dice.choice(others)))
    if style.chords:
        apart = [c for c in style.chords if INSTRUMENTS[c].family != family]
        parts.append(Part("chords", dice.choice(apart or style.chords)))
    if style.bass:
        parts.append(Part("bass", dice.choice(style.bass)))
    if style.drums:
        parts.append(Part("drums", "drum kit"))
    return tuple(parts)
