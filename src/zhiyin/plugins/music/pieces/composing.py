"""Composition of a plan: the tune by sections, the players around it, the loudness; and sound.

In sound, each player is rendered alone and brought to its place in the balance.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from zhiyin.errors import InputError
from zhiyin.plugins.music.midi import DRUM_CHANNEL, Note, Score
from zhiyin.plugins.music.pieces import (
    ALL,
    BASSES,
    CHORDS,
    DRUMS,
    INSTRUMENTS,
    KICK,
    STYLES,
    Hit,
    Pattern,
)
from zhiyin.plugins.music.pieces.piece import (
    CONTOURS,
    MOTIONS,
    TAIL_S,
    Contour,
    Motion,
    Piece,
    PiecePlan,
    PieceSection,
    Role,
    bar_seconds,
    draw_plan,
    facts_of,
    intro_bars,
    quarters,
    wishes,
)
from zhiyin.plugins.music.pieces.tune import (
    Phrase,
    TuneLine,
    cadence,
    chord_at,
    draw_phrase,
    fitted,
    voicing,
)
from zhiyin.plugins.music.render import RATE, Renderer, normalised
from zhiyin.plugins.music.stimuli import Dice
from zhiyin.plugins.music.theory import pitch_class

if TYPE_CHECKING:
    from numpy.typing import NDArray


CHANNELS = {"tune": 0, "second": 1, "chords": 2, "bass": 3, "drums": DRUM_CHANNEL}
VELOCITIES = {"tune": 112, "second": 112, "chords": 62, "bass": 84, "drums": 80}
CLOSING: dict[int, dict[str, str]] = {
    1: {"chords": "held", "bass": "held"},
    2: {"chords": "held halves", "bass": "roots"},
}
"""What the players do in the last bar, by the number of its chords."""
SOFT = {"crescendo": 0.28, "diminuendo": 0.28, "terraced": 0.4}
"""Share of a part's velocity where a piece is softest: 11 and 8 dB below its loudest."""
STEADY = 0.85
STACCATO = 0.4
"""Share of a note's written length that sounds when it is played short."""
_CHORD_CENTRES = {"A": 58, "B": 62, "C": 55}
_TUNE_SHIFTS = {"A": 0, "B": 4, "C": -5}
"""Semitones by which the tune of a section lies off its instrument's middle."""
_LOWEST_BASS = 33


class _Bar(msgspec.Struct, frozen=True):
    """One bar to be filled: when it begins in quarter notes, its chords, and where it stands."""

    start: float
    chords: str
    letter: str
    section: int
    last: bool


def pieces(seed: int) -> Iterator[Piece]:
    """Pieces without end: the n-th depends on nothing but the seed and n.

    In any beginning, styles are equally frequent (counts differ by at most 1), and modes,
    contours, kinds of dynamics and the rest as equally as the styles allow.
    """
    for number, wish in enumerate(wishes(seed), start=1):
        yield compose(draw_plan(wish, Dice(seed, "plan", number)), Dice(seed, "notes", number))


def compose(plan: PiecePlan, dice: Dice) -> Piece:
    """Write the notes of a plan.

    Parameters
    ----------
    plan : PiecePlan
    dice : Dice
        Decides what the plan leaves open.
    """
    metre = STYLES[plan.style].metre
    bar, beat = quarters(metre)
    quarter_s = 60 / plan.tempo / beat
    bars = _bars(plan, bar)
    whole = bars[-1].start + bar
    phrases = _phrases(plan, bars, dice)
    opening = phrases["A"][0]
    plan = msgspec.structs.replace(plan, contour=opening.contour, motion=opening.motion)
    notes = [*_tune(plan, bars, phrases), *_players(plan, bars)]
    played = tuple(
        sorted(
            Note(
                note.start * quarter_s,
                note.duration * quarter_s,
                note.pitch,
                max(1, min(127, round(note.velocity * _share(plan, note, bars, whole)))),
                note.channel,
                note.program,
            )
            for note in notes
        )
    )
    signature = plan.key.tonic + ("m" if plan.key.mode == "minor" else "")
    return Piece(
        plan=plan,
        metre=metre,
        score=Score(played, 60 / quarter_s, metre, signature),
        sections=_sections(plan, bars, bar * quarter_s),
        seconds=whole * quarter_s + TAIL_S,
        facts=facts_of(plan),
    )


def _bars(plan: PiecePlan, bar: float) -> list[_Bar]:
    """Every bar of the piece: the introduction stands on the tonic, the end is the cadence."""
    style = STYLES[plan.style]
    home = style.changes[plan.key.mode][0][0].split()[0]
    intro = intro_bars(plan.entry, bar_seconds(style.metre, plan.tempo))
    rows = [(home, "I", -1)] * intro
    for index, letter in enumerate(plan.form):
        changes = style.changes[plan.key.mode]["ABC".index(letter)]
        chosen = changes if plan.bars == 4 else (changes[0], changes[-1])
        rows += [(chords, letter, index) for chords in chosen]
    before, after = cadence(plan.cadence, plan.key.mode)
    # In a section of two bars the cadence shares the last one, or its music would not come back.
    closing = (before, after) if plan.bars == 4 else (rows[-2][0], f"{before} {after}")
    for back, chord in zip((2, 1), closing, strict=True):
        rows[-back] = (chord, *rows[-back][1:])
    last = len(rows) - 1
    return [_Bar(i * bar, *row, last=i == last) for i, row in enumerate(rows)]


def _sections(plan: PiecePlan, bars: list[_Bar], bar_s: float) -> tuple[PieceSection, ...]:
    """The stretches of the piece, in seconds; the last one ends with its last bar."""
    sections: list[PieceSection] = []
    for index in sorted({bar.section for bar in bars}):
        own = [place for place, bar in enumerate(bars) if bar.section == index]
        start, end = own[0] * bar_s, (own[-1] + 1) * bar_s
        sections.append(PieceSection(bars[own[0]].letter, round(start, 4), round(end, 4), len(own)))
    return tuple(sections)


def _phrases(plan: PiecePlan, bars: list[_Bar], dice: Dice) -> dict[str, tuple[Phrase, TuneLine]]:
    """The phrase of each letter of the form, by letter.

    A takes the contour and the motion of the plan, or what comes next to them where its chords
    and rhythms do not allow that.
    """
    phrases: dict[str, tuple[Phrase, TuneLine]] = {}
    wished: dict[str, tuple[Contour, Motion]] = {"A": (plan.contour, plan.motion)}
    for letter in sorted(set(plan.form)):
        contour, motion = wished.get(letter) or (dice.choice(CONTOURS), dice.choice(MOTIONS))
        section = [bar for bar in bars if bar.section == plan.form.index(letter)]
        ways = [(contour, m) for m in sorted(MOTIONS, key=lambda m: m != motion)]
        ways += [(c, m) for c in CONTOURS if c != contour for m in MOTIONS]
        for way in ways:
            phrase = _phrase(plan, section, *way)
            line = draw_phrase(phrase, dice)
            if line is not None:
                phrases[letter] = phrase, line
                break
        else:
            raise RuntimeError(f"{plan.style}: no phrase was found for section {letter}")
    return phrases


def _phrase(plan: PiecePlan, section: list[_Bar], contour: Contour, motion: Motion) -> Phrase:
    """Plan the tune of a section."""
    style = STYLES[plan.style]
    bar, beat = quarters(style.metre)
    letter = section[0].letter
    return Phrase(
        bars=tuple(bar.chords for bar in section), bar=bar, beat=beat, rhythms=style.rhythms,
        ending=style.ending, key=plan.key,
        centre=INSTRUMENTS[_singer(plan, letter)[1]].centre + _TUNE_SHIFTS[letter], contour=contour,
        motion=motion,
    )  # fmt: skip


def _singer(plan: PiecePlan, letter: str) -> tuple[Role, str]:
    """Find who has the tune in a section, as role and instrument."""
    second = plan.instrument("second")
    if letter != "A" and second:
        return "second", second
    tune = plan.instrument("tune")
    assert tune is not None
    return "tune", tune


def _tune(
    plan: PiecePlan, bars: list[_Bar], phrases: dict[str, tuple[Phrase, TuneLine]]
) -> Iterator[Note]:
    """The tune: the phrase of each letter wherever it comes, fitted to the cadence at the end."""
    for index, letter in enumerate(plan.form):
        own = [bar for bar in bars if bar.section == index]
        role, name = _singer(plan, letter)
        phrase, line = phrases[letter]
        ends = own[-1].last
        if ends:
            line = fitted(line, phrase, _phrase(plan, own, phrase.contour, phrase.motion))
        short = STACCATO if plan.articulation == "staccato" and INSTRUMENTS[name].sustains else 1
        for onset, length, pitch in zip(line.onsets, line.lengths, line.pitches, strict=True):
            final = ends and onset == line.onsets[-1]
            yield Note(
                own[0].start + onset,
                length * (1 if final else short),
                pitch,
                VELOCITIES[role],
                CHANNELS[role],
                INSTRUMENTS[name].program,
            )


def _players(plan: PiecePlan, bars: list[_Bar]) -> Iterator[Note]:
    """Everybody but the tune, bar by bar."""
    style = STYLES[plan.style]
    length = quarters(style.metre)[0]
    for bar in bars:
        place = max(0, "ABC".find(bar.letter))
        accompaniments: tuple[tuple[Role, tuple[str, ...], dict[str, Pattern]], ...] = (
            ("chords", style.chord_patterns, CHORDS),
            ("bass", style.bass_patterns, BASSES),
        )
        for role, names, table in accompaniments:
            if not _plays(plan, role, bar):
                continue
            closing = CLOSING[len(bar.chords.split())][role]
            pattern = table[closing if bar.last else names[place]]
            instrument = plan.instrument(role)
            assert instrument is not None
            for hit in pattern:
                for pitch in _pitches(plan, role, bar, hit, length):
                    yield Note(
                        bar.start + hit.onset,
                        min(hit.length, length - hit.onset),
                        pitch,
                        round(VELOCITIES[role] * hit.force),
                        CHANNELS[role],
                        INSTRUMENTS[instrument].program,
                    )
        if style.drums and _plays(plan, "drums", bar):
            pattern = (Hit(0, 0.1, KICK),) if bar.last else DRUMS[style.drums]
            yield from _drums(pattern, bar.start)


def _plays(plan: PiecePlan, role: Role, bar: _Bar) -> bool:
    """Tell whether a player plays in a bar."""
    if plan.instrument(role) is None:
        return False
    if bar.letter == "I":
        return plan.entry == role
    return not (role == "drums" and plan.late_drums and bar.section == 0)


def _pitches(plan: PiecePlan, role: str, bar: _Bar, hit: Hit, length: float) -> tuple[int, ...]:
    """The pitches of a hit: of the bass one chord tone, of the chords one or all."""
    chord = chord_at(bar.chords, hit.onset / length, plan.key)
    if role == "bass":
        root = _LOWEST_BASS + (chord[0] - _LOWEST_BASS) % 12
        tone = chord[hit.tone % len(chord)] if hit.tone < 3 else chord[0]
        return (root + (tone - chord[0]) % 12 + (12 if hit.tone == 3 else 0),)
    placed = voicing(chord, _CHORD_CENTRES.get(bar.letter, 58))
    if hit.tone == ALL:
        return placed
    octave, place = divmod(hit.tone, len(placed))
    return (placed[place] + 12 * octave,)


def _drums(pattern: Pattern, start: float) -> Iterator[Note]:
    for hit in pattern:
        velocity = round(VELOCITIES["drums"] * hit.force)
        yield Note(start + hit.onset, hit.length, hit.tone, velocity, DRUM_CHANNEL)


def _share(plan: PiecePlan, note: Note, bars: list[_Bar], whole: float) -> float:
    """Loudness of the piece at a note (times in quarter notes)."""
    bar = next(b for b in reversed(bars) if b.start <= note.start + 1e-9)
    return loudness(plan, note.start / whole, bar.section)


def loudness(plan: PiecePlan, done: float, section: int) -> float:
    """Loudness that a piece is to have, as a share of its loudest velocity.

    Parameters
    ----------
    plan : PiecePlan
    done : float
        How much of the piece is over, 0 to 1.
    section : int
        Index in the form; the introduction is as loud as the first section.
    """
    if plan.dynamics == "steady":
        return STEADY
    soft = SOFT[plan.dynamics]
    if plan.dynamics == "terraced":
        # It begins loudly, but not if the drums wait for the second section.
        first_loud = not plan.late_drums and pitch_class(plan.key.tonic) % 2 == 0
        return soft if max(0, section) % 2 == first_loud else 1.0
    return soft + (1 - soft) * (done if plan.dynamics == "crescendo" else 1 - done)


BALANCE_DB = {"tune": 0.0, "second": 0.0, "chords": -8.0, "bass": -4.0, "drums": -7.0}
"""Level of each player while playing, against the tune's."""
_FRAME_S = 0.05
_AUDIBLE = 0.1
"""A frame counts as playing from this share of the loudest frame's level."""


def render_piece(piece: Piece, renderer: Renderer) -> NDArray[np.float32]:
    """The sound of a piece.

    Instruments of a sound font differ in loudness by 20 dB, so that velocities alone would bury
    the tune: each player is rendered alone and brought to `BALANCE_DB`. Then the sections are
    brought to the loudness that the plan gives them, whatever patterns are played in them.

    Returns
    -------
    ndarray of float32, shape (n,)
        At `RATE`, the largest sample at `render.PEAK`.

    Raises
    ------
    InputError
        An instrument that the renderer lacks, or that it plays without a sound.
    """
    mix = np.zeros(round(piece.seconds * RATE), dtype=np.float32)
    for role, channel in CHANNELS.items():
        notes = [note for note in piece.score.notes if note.channel == channel]
        if not notes:
            continue
        samples = renderer.render(notes, piece.seconds, RATE)
        level = playing_level(samples)
        if level < 1e-6:
            raise InputError(f"the renderer gives silence for {role}: choose another sound font")
        mix += np.float32(10 ** (BALANCE_DB[role] / 20) / level) * samples
    return normalised(mix * _fader(piece, mix))


def _fader(piece: Piece, mix: NDArray[np.float32]) -> NDArray[np.float32]:
    """The gain at each sample, shape (n,), that gives every section its planned loudness."""
    sections = [section for section in piece.sections if section.letter != "I"]
    end = sections[-1].end
    gains = []
    for index, section in enumerate(sections):
        part = mix[round(section.start * RATE) : round(section.end * RATE)]
        times = np.linspace(section.start, section.end, 9) / end
        planned = np.mean([loudness(piece.plan, float(done), index) ** 2 for done in times])
        measured = np.mean(np.square(part, dtype=np.float64))
        gains.append(float(np.sqrt(planned / max(float(measured), 1e-12))))
    # From one gain to the next within a twentieth of a second, about the section's first note.
    places = [s.start + side * _FRAME_S / 2 for s in sections[1:] for side in (-1, 1)]
    heights = [gain for pair in pairwise(gains) for gain in pair]
    clock = np.arange(len(mix)) / RATE
    return np.interp(clock, [0.0, *places], [gains[0], *heights]).astype(np.float32)


def playing_level(samples: NDArray[np.float32]) -> float:
    """Root mean square over the 50 ms frames in which something plays; 0 for silence."""
    size = round(_FRAME_S * RATE)
    frames = samples[: len(samples) // size * size].reshape(-1, size)
    power = np.square(frames, dtype=np.float64).mean(axis=1)
    playing = power[power > _AUDIBLE**2 * power.max(initial=0.0)]
    return float(np.sqrt(playing.mean())) if len(playing) else 0.0
