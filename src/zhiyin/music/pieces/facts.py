"""What can be said about a piece with certainty, from its plan alone."""

from __future__ import annotations

from zhiyin.music.pieces.instruments import INSTRUMENTS
from zhiyin.music.pieces.piece import Plan
from zhiyin.music.pieces.styles import STYLES

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


def facts_of(plan: Plan) -> dict[str, str]:
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
    """Whether a piece ends as it began: "same" throughout, "returns", or "different"."""
    if len(set(form)) == 1:
        return "same"
    return "returns" if form[-1] == "A" else "different"


def _drums(plan: Plan) -> str:
    """When the drums come in: "none", "second" for the second section, else "start"."""
    if plan.instrument("drums") is None:
        return "none"
    return "second" if plan.late_drums else "start"
