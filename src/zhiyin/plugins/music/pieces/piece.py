"""A piece: its plan, its notes, its sections, who plays, and the facts that hold of it.

The plan is decided before there are notes: balanced over pieces, drawn within each. What can be
said about a piece with certainty follows from its plan alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

import msgspec

from zhiyin.plugins.music.midi import Score
from zhiyin.plugins.music.pieces import INSTRUMENTS, STYLES, Style
from zhiyin.plugins.music.stimuli import Dice, balanced
from zhiyin.plugins.music.theory import Key, Mode, key_at

Role = Literal["tune", "second", "chords", "bass", "drums"]
Motion = Literal["steps", "leaps"]
Contour = Literal["rising", "falling", "arch", "valley"]

SECONDS = (12.0, 30.0)
"""The shortest and the longest a piece may last."""


class PiecePart(msgspec.Struct, frozen=True):
    """A player's role and instrument: "second" is who takes the tune over in the middle."""

    role: Role
    instrument: str


class PieceSection(msgspec.Struct, frozen=True):
    """A stretch of a piece.

    Attributes
    ----------
    letter : str
        "I" for an introduction; "A", "B" or "C", the same letter for the same music.
    start, end : float
        Seconds.
    bars : int
    """

    letter: str
    start: float
    end: float
    bars: int


class PiecePlan(msgspec.Struct, frozen=True):
    """The decisions made before a note is written; see `Piece` for the words.

    Attributes
    ----------
    style : str
        A name in `styles.STYLES`.
    key : Key
    tempo : float
        Beats a minute; the beat of 6/8 is the dotted quarter note.
    form : str
        The letters of the sections, such as "AABA".
    bars : int
        Bars in a section.
    parts : tuple of PiecePart
    contour, motion : str
        Of the tune in its first section: the direction it takes, and how it gets there.
    cadence : {"authentic", "plagal", "half", "deceptive"}
    dynamics : {"crescendo", "diminuendo", "terraced", "steady"}
    articulation : {"staccato", "legato"}
    entry : {"together", "bass", "drums", "chords"}
        Who plays alone before the tune begins; "together" where the tune begins at once.
    late_drums : bool
        The drums begin with the second section.
    """

    style: str
    key: Key
    tempo: float
    form: str
    bars: int
    parts: tuple[PiecePart, ...]
    contour: Contour
    motion: Motion
    cadence: str
    dynamics: str
    articulation: str
    entry: str
    late_drums: bool

    def instrument(self, role: Role) -> str | None:
        """Instrument of the player with a role; None where there is none."""
        return next((part.instrument for part in self.parts if part.role == role), None)


class Piece(msgspec.Struct, frozen=True):
    """A piece, ready to be rendered, and the truth about it.

    Attributes
    ----------
    plan : PiecePlan
    metre : tuple of int
        Time signature.
    score : Score
        Its tempo is in quarter notes a minute.
    sections : tuple of PieceSection
    seconds : float
        Length with the last notes' ringing.
    facts : dict
        What holds of the piece, by aspect: {"contour": "arch", "metre": "triple", ...}. An
        aspect that the piece leaves open is absent. `patterns` and `styles` hold
        aspects and values.
    """

    plan: PiecePlan
    metre: tuple[int, int]
    score: Score
    sections: tuple[PieceSection, ...]
    seconds: float
    facts: dict[str, str]


SLOW, MODERATE, FAST = (0.0, 82.0), (84.0, 114.0), (120.0, 200.0)
"""Tempo bands in beats a minute; tempi between them are not asked about."""

METRES = {(3, 4): "triple", (2, 4): "duple", (4, 4): "duple", (6, 8): "compound"}
MOODS = {
    ("fast", "major"): "cheerful",
    ("fast", "minor"): "agitated",
    ("slow", "major"): "calm",
    ("slow", "minor"): "sorrowful",
}
"""Tempo carries arousal and mode valence (Hevner, American Journal of Psychology 49, 1937;
Gagnon and Peretz, Cognition and Emotion 17, 2003)."""


def facts_of(plan: PiecePlan) -> dict[str, str]:
    """The facts about a piece by aspect; what is open or could be argued about is left out."""
    style = STYLES[plan.style]
    tune = plan.instrument("tune")
    assert tune is not None
    pace = tempo_band(plan.tempo)
    facts = {
        "contour": plan.contour,
        "motion": plan.motion,
        "mode": plan.key.mode,
        "key": plan.key.name,
        "metre": METRES[style.metre],
        "feel": style.feel,
        "lead": tune,
        "family": INSTRUMENTS[tune].family,
        "texture": style.texture,
        "dynamics": plan.dynamics,
        "sections": str(len(set(plan.form))),
        "return": _comes_back(plan.form),
        "handover": "second" if plan.instrument("second") else "same",
        "drums": _drums(plan),
        "style": plan.style,
    }
    if style.texture != "solo":  # a lone player may be anywhere
        facts |= {"culture": plan.style, "function": plan.style}
    if pace:
        facts["tempo"] = pace
    if (pace, plan.key.mode) in MOODS and plan.style != "blues shuffle":
        facts["mood"] = MOODS[pace or "", plan.key.mode]
    if INSTRUMENTS[tune].sustains:
        facts["articulation"] = plan.articulation
    if style.chords:
        facts |= {"cadence": plan.cadence, "entry": plan.entry}
    return facts


def tempo_band(tempo: float) -> str | None:
    """The band of a tempo in beats a minute: slow, moderate or fast; None between the bands."""
    bands = {"slow": SLOW, "moderate": MODERATE, "fast": FAST}
    return next((name for name, (low, high) in bands.items() if low <= tempo <= high), None)


def _comes_back(form: str) -> str:
    """Compare a piece's end with its beginning: "same" throughout, "returns", or "different"."""
    if len(set(form)) == 1:
        return "same"
    return "returns" if form[-1] == "A" else "different"


def _drums(plan: PiecePlan) -> str:
    """Tell when the drums come in: "none", "second" for the second section, else "start"."""
    if plan.instrument("drums") is None:
        return "none"
    return "second" if plan.late_drums else "start"


TAIL_S = 1.2
"""Silence after the last bar in which the last notes ring, in seconds."""
CONTOURS: tuple[Contour, ...] = ("rising", "falling", "arch", "valley")
MOTIONS: tuple[Motion, ...] = ("steps", "leaps")
DYNAMICS = ("crescendo", "diminuendo", "terraced", "steady")
FORMS = {1: ("AA", "AAA"), 2: ("AB", "ABA", "AABA", "ABAA"), 3: ("ABC", "ABAC", "ABCA")}
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


def draw_plan(wish: Wish, dice: Dice) -> PiecePlan:
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
    return PiecePlan(
        style=wish.style, key=key_at(dice.whole(0, 11), mode), tempo=tempo, form=form, bars=bars,
        parts=_parts(style, tune, hands_over, dice), contour=wish.contour, motion=wish.motion,
        cadence=wish.cadence, dynamics=wish.dynamics,
        articulation=wish.articulation if INSTRUMENTS[tune].sustains else "legato", entry=entry,
        late_drums=wish.late_drums and grows and style.drums is not None,
    )  # fmt: skip


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


def _parts(style: Style, tune: str, hands_over: bool, dice: Dice) -> tuple[PiecePart, ...]:
    """Choose who plays: if possible, only the second tune's player is of the tune's family."""
    family = INSTRUMENTS[tune].family
    parts = [PiecePart("tune", tune)]
    if hands_over:
        others = [t for t in style.tunes if INSTRUMENTS[t].family != family]
        parts.append(PiecePart("second", dice.choice(others)))
    if style.chords:
        apart = [c for c in style.chords if INSTRUMENTS[c].family != family]
        parts.append(PiecePart("chords", dice.choice(apart or style.chords)))
    if style.bass:
        parts.append(PiecePart("bass", dice.choice(style.bass)))
    if style.drums:
        parts.append(PiecePart("drums", "drum kit"))
    return tuple(parts)
