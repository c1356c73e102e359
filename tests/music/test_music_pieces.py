"""Pieces are what their plans say, by their own notes; every style is playable and balanced."""

from __future__ import annotations

from collections import Counter
from itertools import islice, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zhiyin.errors import InputError
from zhiyin.plugins.music.midi import midi_bytes, read_midi
from zhiyin.plugins.music.pieces import INSTRUMENTS, STYLES
from zhiyin.plugins.music.pieces.composing import CHANNELS, pieces, playing_level, render_piece
from zhiyin.plugins.music.pieces.piece import SECONDS, Piece, bar_seconds, facts_of, tempo_band
from zhiyin.plugins.music.pieces.tune import (
    CADENCES,
    TuneLine,
    cadence,
    chord,
    contour_of,
    motion_of,
    voicing,
)
from zhiyin.plugins.music.render import PEAK, RATE, open_renderer
from zhiyin.plugins.music.theory import SCALES, Key, pitch_class


@pytest.fixture(scope="module")
def some() -> list[Piece]:
    """Six of each style."""
    return list(islice(pieces(7), 6 * len(STYLES)))


def notes_of(piece: Piece, *roles: str) -> list:
    channels = {CHANNELS[role] for role in roles}
    return [note for note in piece.score.notes if note.channel in channels]


def test_the_same_seed_gives_the_same_pieces_and_another_gives_others() -> None:
    first, again, other = (list(islice(pieces(seed), 5)) for seed in (3, 3, 4))
    assert first == again
    assert all(a.score != b.score for a, b in zip(first, other, strict=True))


def test_a_piece_does_not_depend_on_how_many_are_asked_for() -> None:
    assert list(islice(pieces(1), 3)) == list(islice(pieces(1), 9))[:3]


def test_styles_are_balanced(some: list[Piece]) -> None:
    assert set(Counter(piece.plan.style for piece in some).values()) == {6}


@pytest.mark.slow
@given(st.integers(0, 10_000))
@settings(max_examples=15)
def test_any_seed_gives_pieces_of_the_right_length(seed: int) -> None:
    for piece in islice(pieces(seed), len(STYLES)):
        assert SECONDS[0] <= piece.seconds <= SECONDS[1]
        assert piece.score.notes[-1].start < piece.sections[-1].end
        assert piece.facts == facts_of(piece.plan)


def test_the_opening_phrase_has_its_contour_and_motion(some: list[Piece]) -> None:
    for piece in some:
        opening = next(section for section in piece.sections if section.letter == "A")
        tune = [n for n in notes_of(piece, "tune") if opening.start - 0.01 <= n.start]
        tune = [n for n in tune if n.start < opening.end - 0.01]
        onsets = [n.start - opening.start for n in tune]
        ends = [*onsets[1:], opening.end - opening.start]
        lengths = tuple(end - onset for onset, end in zip(onsets, ends, strict=True))
        line = TuneLine(tuple(onsets), lengths, tuple(n.pitch for n in tune))
        assert contour_of(line) == piece.facts["contour"], piece.plan
        assert motion_of(line) == piece.facts["motion"], piece.plan


@pytest.mark.parametrize(
    ("pitches", "contour", "motion"),
    [
        ((60, 62, 64, 65, 67, 69), "rising", "steps"),
        ((72, 67, 64, 60, 55, 52), "falling", "leaps"),
        ((60, 64, 72, 72, 64, 60), "arch", "leaps"),
        ((60, 60, 60, 60, 60, 60), None, "steps"),
        ((60, 61, 64, 65, 68, 69), "rising", None),
    ],
)
def test_contour_and_motion_of_known_lines(pitches, contour, motion) -> None:
    line = TuneLine((0, 1, 2, 3, 4, 5), (1,) * 6, pitches)
    assert (contour_of(line), motion_of(line)) == (contour, motion)


def test_pitches_belong_to_the_key_or_to_its_chords(some: list[Piece]) -> None:
    for piece in some:
        tonic, mode = pitch_class(piece.plan.key.tonic), piece.plan.key.mode
        scale = {(tonic + step) % 12 for step in SCALES[mode]}
        tuned = notes_of(piece, "tune", "second")
        inside = sum(note.pitch % 12 in scale for note in tuned) / len(tuned)
        # Blues and ragtime borrow; the leading note of minor is raised.
        assert inside >= 0.6, (piece.plan.style, inside)


def test_the_last_chord_is_that_of_the_cadence(some: list[Piece]) -> None:
    for piece in (p for p in some if "cadence" in p.facts):
        key = piece.plan.key
        last = chord(cadence(piece.facts["cadence"], key.mode)[1], key)
        end = piece.sections[-1].end
        final = [n for n in notes_of(piece, "chords") if n.end > end - 0.05]
        assert {n.pitch % 12 for n in final} == set(last)
        assert notes_of(piece, "bass")[-1].pitch % 12 == last[0]


def test_every_cadence_differs_in_both_modes() -> None:
    for mode in ("major", "minor"):
        assert len({cadence(kind, mode) for kind in CADENCES}) == len(CADENCES)


def test_players_enter_as_the_facts_say(some: list[Piece]) -> None:
    for piece in some:
        plan = piece.plan
        starts = {
            role: min((n.start for n in notes_of(piece, role)), default=None)
            for role in ("tune", "chords", "bass", "drums")
        }
        first = piece.sections[0]
        assert (first.letter == "I") == (plan.entry != "together")
        if first.letter == "I":
            assert starts[plan.entry] < first.end
            assert all(
                start is None or start >= first.end - 0.01
                for role, start in starts.items()
                if role != plan.entry
            )
        sections = [s for s in piece.sections if s.letter != "I"]
        if piece.facts["drums"] == "none":
            assert starts["drums"] is None
        elif piece.facts["drums"] == "second":
            assert starts["drums"] == pytest.approx(sections[1].start, abs=0.01)
        else:
            assert starts["drums"] < sections[0].start + bar_seconds(piece.metre, plan.tempo)


def test_velocities_follow_the_dynamics(some: list[Piece]) -> None:
    for piece in some:
        tuned = notes_of(piece, "tune", "second")
        loud = [note.velocity for note in tuned]
        kind = piece.facts["dynamics"]
        if kind == "crescendo":
            assert all(a <= b for a, b in pairwise(loud))
            assert loud[-1] > 2 * loud[0]
        elif kind == "diminuendo":
            assert all(a >= b for a, b in pairwise(loud))
        elif kind == "terraced":
            assert len(set(loud)) == 2
        else:
            assert len(set(loud)) == 1


def test_a_returning_section_has_the_same_tune(some: list[Piece]) -> None:
    seen = 0
    for piece in (p for p in some if p.plan.form.startswith(("AA", "ABA"))):
        sections = [s for s in piece.sections if s.letter == "A"]
        rows = []
        for section in sections:
            inside = [n for n in notes_of(piece, "tune") if section.start - 0.01 <= n.start]
            inside = [n for n in inside if n.start < section.end - 0.01]
            rows.append([(round(n.start - section.start, 2) + 0.0, n.pitch) for n in inside])
        half = len(rows[0]) // 2
        assert [x[0] for x in rows[0]] == [x[0] for x in rows[-1]]
        assert rows[0][: half - 1] == rows[-1][: half - 1]
        seen += 1
    assert seen > 5


def test_handover_changes_the_family(some: list[Piece]) -> None:
    for piece in (p for p in some if p.facts["handover"] == "second"):
        lead, second = piece.plan.instrument("tune"), piece.plan.instrument("second")
        assert INSTRUMENTS[lead].family != INSTRUMENTS[second].family
        assert notes_of(piece, "second")


@pytest.mark.slow
def test_scores_are_written_and_read_as_midi(some: list[Piece]) -> None:
    for piece in some[: len(STYLES)]:
        back = read_midi(midi_bytes(piece.score))
        assert len(back.notes) == len(piece.score.notes)
        assert back.metre == piece.metre
        assert back.tempo == pytest.approx(piece.score.tempo, rel=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["auto", "builtin"])
def test_every_style_renders_without_clipping_and_with_the_tune_in_front(name: str) -> None:
    renderer = open_renderer(name)
    for piece in islice(pieces(2), len(STYLES) if name == "auto" else 4):
        sound = render_piece(piece, renderer)
        assert len(sound) == round(piece.seconds * RATE)
        assert np.abs(sound).max() == pytest.approx(PEAK, abs=1e-3)
        assert abs(float(sound.mean())) < 0.05
        assert playing_level(sound) > 0.03
        for index, section in enumerate(s for s in piece.sections if s.letter != "I"):
            part = sound[round(section.start * RATE) : round(section.end * RATE)]
            assert playing_level(part) > 0.005, (piece.plan.style, index)


@pytest.mark.slow
def test_rendering_is_repeatable() -> None:
    piece = next(pieces(4))
    first, again = (render_piece(piece, open_renderer()) for _ in range(2))
    assert np.array_equal(first, again)


@pytest.mark.slow
def test_loudness_follows_the_plan_section_by_section() -> None:
    renderer = open_renderer("builtin")
    for piece in islice((p for p in pieces(9) if p.facts["dynamics"] != "steady"), 4):
        sound = render_piece(piece, renderer)
        sections = [s for s in piece.sections if s.letter != "I"]
        parts = [sound[round(s.start * RATE) : round(s.end * RATE)] for s in sections]
        level = [float(np.sqrt(np.mean(np.square(part)))) for part in parts]
        if piece.facts["dynamics"] == "crescendo":
            assert level == sorted(level)
        elif piece.facts["dynamics"] == "diminuendo":
            assert level == sorted(level, reverse=True)
        else:
            assert all(max(a, b) > 2 * min(a, b) for a, b in pairwise(level))


def test_a_silent_instrument_is_refused() -> None:
    class Mute:
        name = label = "mute"

        def kits(self) -> tuple[int, ...]:
            return (0,)

        def render(self, notes, seconds, rate=RATE):
            return np.zeros(round(seconds * rate), dtype=np.float32)

    with pytest.raises(InputError, match="silence for tune"):
        render_piece(next(pieces(0)), Mute())


def test_chords_are_those_of_the_key() -> None:
    assert chord("V7", Key("C")) == (7, 11, 2, 5)
    assert chord("V", Key("A", "minor")) == (4, 8, 11)
    assert chord("iio", Key("A", "minor")) == (11, 2, 5)
    assert chord("IVmaj7", Key("G")) == (0, 4, 7, 11)
    with pytest.raises(InputError, match="no chord"):
        chord("X", Key("C"))


@given(st.integers(0, 11), st.integers(48, 72))
def test_voicings_lie_around_their_centre(root: int, centre: int) -> None:
    placed = voicing((root, (root + 4) % 12, (root + 7) % 12), centre)
    assert all(-6 <= pitch - centre <= 5 for pitch in placed)
    assert list(placed) == sorted(placed)


@pytest.mark.parametrize(
    ("tempo", "band"), [(60, "slow"), (83, None), (100, "moderate"), (117, None), (130, "fast")]
)
def test_tempo_bands_leave_room_between_them(tempo: float, band: str | None) -> None:
    assert tempo_band(tempo) == band
