"""The listener on whole pieces: right where it answers, silent where it cannot hear."""

from __future__ import annotations

import asyncio
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from zhiyin.plugins.benchmarks.muchomusic.benchmark import MuChoMusic
from zhiyin.plugins.music.listener.answering import ListenerAnswer, agrees, answer, claim_of
from zhiyin.plugins.music.listener.instruments import hear_contour, hear_family, hear_voice
from zhiyin.plugins.music.listener.model import Listener
from zhiyin.plugins.music.listener.pieces import (
    Hearing,
    hear_dynamics,
    hear_key,
    hear_metre,
    hear_sections,
    hear_tempo,
)
from zhiyin.plugins.music.pieces.composing import pieces, render_piece
from zhiyin.plugins.music.pieces.piece import Piece
from zhiyin.plugins.music.render import RATE, open_renderer
from zhiyin.plugins.music.theory import pitch_class
from zhiyin.record import Sampling
from zhiyin.sound import Sound
from zhiyin.trial import Option

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def heard() -> list[tuple[Piece, Hearing]]:
    """Pieces of a seed that nothing was tuned on, by the renderer that everybody has."""
    renderer = open_renderer("builtin")
    return [
        (piece, Hearing(Sound(render_piece(piece, renderer), RATE)))
        for piece in islice(pieces(23), 11)
    ]


def options(*texts: str) -> tuple[Option, ...]:
    return tuple(Option("ABCD"[i], text, "ABCD"[i]) for i, text in enumerate(texts))


def clicks(bpm: float, seconds: float = 12.0, accent: int = 4) -> Sound:
    """Short tones on every beat, lower and louder on the first of a bar."""
    samples = np.zeros(round(seconds * RATE), dtype=np.float32)
    clock = np.arange(round(0.12 * RATE)) / RATE
    for count, time in enumerate(np.arange(0.2, seconds - 0.5, 60 / bpm)):
        first = count % accent == 0
        tone = np.sin(2 * np.pi * (110 if first else 880) * clock) * np.exp(-clock / 0.03)
        place = round(time * RATE)
        samples[place : place + len(tone)] += (0.8 if first else 0.3) * tone
    return Sound(samples, RATE)


@pytest.mark.parametrize("bpm", [66, 84, 100, 120, 144])
def test_tempo_of_a_metronome(bpm: float) -> None:
    assert hear_tempo(Hearing(clicks(bpm))) == pytest.approx(bpm, rel=0.02)


@pytest.mark.parametrize(("accent", "metre"), [(3, "triple"), (4, "duple"), (2, "duple")])
def test_metre_of_a_metronome(accent: int, metre: str) -> None:
    assert hear_metre(Hearing(clicks(110, 16, accent))) == metre


def test_what_has_no_beats_has_no_sections_and_no_leader() -> None:
    short = Hearing(clicks(120, 3.0))
    assert hear_tempo(short) is hear_metre(short) is hear_sections(short) is None
    assert hear_family(short, ("brass", "strings")) is hear_contour(short) is None


def test_most_of_what_is_heard_of_pieces_is_right(heard) -> None:
    """Floors well below what was measured (docs/benchmarks/muchomusic-small.md)."""
    right = {"tempo": 0, "metre": 0, "key": 0, "dynamics": 0, "sections": 0}
    for piece, hearing in heard:
        tempo = hear_tempo(hearing)
        right["tempo"] += tempo is not None and abs(tempo / piece.plan.tempo - 1) < 0.04
        right["metre"] += hear_metre(hearing) == piece.facts["metre"]
        tonic = pitch_class(piece.plan.key.tonic)
        right["key"] += hear_key(hearing) == (tonic, piece.plan.key.mode)
        right["dynamics"] += hear_dynamics(hearing) == piece.facts["dynamics"]
        right["sections"] += str(hear_sections(hearing)) == piece.facts["sections"]
    floors = {"tempo": 8, "metre": 7, "key": 8, "dynamics": 7, "sections": 5}
    assert {name: right[name] for name in floors if right[name] < floors[name]} == {}, right


def test_the_voice_of_a_lone_line_is_followed() -> None:
    found = (p for p in pieces(3) if p.facts["texture"] == "solo")
    piece = next(found)
    hearing = Hearing(Sound(render_piece(piece, open_renderer("builtin")), RATE))
    voice = hear_voice(hearing)
    frames = len(voice.pitch) / hearing.seconds
    hits = [
        abs(voice.pitch[round((note.start + note.duration / 2) * frames)] - note.pitch) < 0.7
        for note in piece.score.notes
    ]
    assert np.mean(hits) > 0.8
    assert hear_contour(hearing) in (None, piece.facts["contour"], "arch", "valley")


def test_a_louder_and_louder_tone_is_a_crescendo() -> None:
    clock = np.arange(14 * RATE) / RATE
    tone = (np.sin(2 * np.pi * 440 * clock) * np.linspace(0.1, 0.9, len(clock))).astype(np.float32)
    assert hear_dynamics(Hearing(Sound(tone, RATE))) == "crescendo"
    assert hear_dynamics(Hearing(Sound(tone[::-1].copy(), RATE))) == "diminuendo"
    flat = (0.3 * np.sin(2 * np.pi * 440 * clock)).astype(np.float32)
    assert hear_dynamics(Hearing(Sound(flat, RATE))) == "steady"
    steps = flat * np.repeat([0.3, 1.0], 7 * RATE).astype(np.float32)
    assert hear_dynamics(Hearing(Sound(steps, RATE))) == "terraced"


@pytest.mark.parametrize(
    ("subject", "text", "claim"),
    [
        ("tempo", "The pace is slow, below 82 beats a minute.", (0.0, 82.0)),
        ("tempo", "Moderate, 84 to 114 beats a minute", (84.0, 114.0)),
        ("tempo", "A brisk allegro", (117.0, 400.0)),
        ("tempo", "A flute", None),
        ("metre", "Two beats to a bar, each split in three.", "compound"),
        ("metre", "3/4, like a waltz", "triple"),
        ("metre", "In common time", "duple"),
        ("key", "Its home key is Eb major.", (3, "major")),
        ("key", "F# minor", (6, "minor")),
        ("key", "E flat major", (3, "major")),
        ("key", "A minor mode", (9, "minor")),
        ("key", "C Major", (0, "major")),
        ("key", "E-flat Minor", (3, "minor")),
        ("key", "Major or minor, one cannot say", None),
        ("contour", "The tune first climbs, then comes down again.", "arch"),
        ("contour", "It ascends.", "rising"),
        ("dynamics", "The volume stays much the same throughout.", "steady"),
        ("sections", "The music has two different sections.", "2"),
        ("family", "A cello.", "strings"),
        ("family", "A cello and a trumpet.", None),
    ],
)
def test_claims_of_options(subject: str, text: str, claim) -> None:
    assert claim_of(subject, text) == claim


def test_agreement() -> None:
    assert agrees((84.0, 114.0), (100.0, 100.0))
    assert not agrees((0.0, 82.0), (100.0, 100.0))
    assert agrees((None, "minor"), (4, "minor"))
    assert not agrees((5, "minor"), (4, "minor"))


def never() -> Sound:
    raise AssertionError("the recording must not be opened for a question like this")


@pytest.mark.parametrize(
    ("stem", "texts", "why"),
    [
        ("What is the mood?", ("It is sad.", "It is gay."), "no ear"),
        ("What do the words tell of?", ("Love.", "War."), "no ear"),
        ("What is the tempo?", ("It is fast.", "A trumpet plays."), "no two options"),
        ("Which instrument leads?", ("A violin.", "A cello."), "no two options"),
    ],
)
def test_what_it_cannot_hear_it_does_not_answer(stem: str, texts, why: str) -> None:
    found = answer(stem, options(*texts), never)
    assert found.letter is None
    assert why in found.why


def test_it_answers_by_the_sound_and_not_by_the_order() -> None:
    texts = ("Slow, below 80 beats a minute", "Fast, above 120 beats a minute", "A harp.", "Sad.")
    for shown in (texts, texts[::-1]):
        found = answer("What is the tempo?", options(*shown), lambda: clicks(140))
        assert shown["ABCD".index(found.letter or "")].startswith("Fast")


def test_silence_and_absent_values_are_said() -> None:
    silent = Sound(np.zeros(10 * RATE, dtype=np.float32), RATE)
    asked = options("Slow", "Fast")
    assert answer("What is the tempo?", asked, lambda: silent) == ListenerAnswer(
        None, "heard nothing: the recording is silent"
    )
    both = options("Below 60 beats a minute", "Under 70 beats a minute")
    found = answer("What is the tempo?", both, lambda: clicks(140))
    assert found.letter is None
    assert "none claim" in found.why


def test_the_listener_takes_the_small_benchmark(tmp_path: Path) -> None:
    MuChoMusic.make({"out": tmp_path, "seed": 31, "clips": 5})
    benchmark = MuChoMusic.from_options({"data": str(tmp_path), "repeats": 1})
    listener = Listener()

    async def states() -> list[tuple[str, str]]:
        found = []
        for trial in benchmark.trials():
            reply = await listener.generate(trial.messages, Sampling(), trial.blind())
            found.append((trial.target, reply.text))
        return found

    replies = asyncio.run(states())
    answered = [text for _, text in replies if "Final Answer" in text]
    assert all(text.startswith("I ") for _, text in replies)
    assert 4 <= len(answered) < len(replies)
    by_letter = {}
    for trial, (_, text) in zip(benchmark.trials(), replies, strict=True):
        if "Final Answer" in text:
            letter = text[-1]
            by_letter[trial.id] = next(o.key for o in trial.options if o.letter == letter)
    assert sum(key == "A" for key in by_letter.values()) >= 0.6 * len(by_letter)
