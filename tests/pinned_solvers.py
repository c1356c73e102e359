"""Small inputs to the solvers, pitch names and schemas, for `test_figures_pinned.py`."""

from __future__ import annotations

import itertools
from fractions import Fraction as F

from small_pieces import SCALE, TRIADS, piece
from zhiyin.music import solvers, theory
from zhiyin.music.notated import solving
from zhiyin.music.notated.piece import Event
from zhiyin.music.theory import Key

SIGNS = ("", "#", "b", "##", "bb", "x", "♯", "♭", "𝄪", "𝄫", " sharp", "-flat", " double sharp",
         " doubleflat", "###", "y")  # fmt: skip

QUALITIES = (
    "major",
    "minor",
    "dominant",
    "diminished",
    "augmented",
    "major7",
    "minor7",
    "half-diminished",
    "sus4",
)
SCALES = (
    "major",
    "minor",
    "harmonic minor",
    "melodic minor",
    "dorian",
    "phrygian",
    "lydian",
    "mixolydian",
    "locrian",
)
SKILLS = (
    "pitch",
    "spelling",
    "interval",
    "key",
    "metre",
    "contour",
    "chord",
    "cadence",
    "repeated bar",
    "repeat marks",
    "upbeat",
    "form",
    "transposition",
    "instruments",
    "changed note",
    "none",
)
QUESTIONS = (
    "Which pitch is note number 2 of the tune?",
    "How is note number 2 of the tune spelled?",
    "Which interval leads from note number 2 to note number 5 of the tune?",
    "In which key is the piece?",
    "Which metre has the piece?",
    "Which shape has the tune from note number 2 to note number 5?",
    "Which chord is number 2 of the accompaniment?",
    "The piece is in F# minor. Which cadence closes it?",
    "When the piece is played, a bar lasts about 4 seconds. "
    "Which bar of the tune is the same as bar 2?",
    "Which bars are marked to be played twice?",
    "How long is the upbeat of the piece?",
    "The tune has four phrases of 2 bars each; when it is played, a bar lasts about 4 "
    "seconds. Which form has it?",
    "The second piece is the first one, transposed. By which interval?",
    "Which instrument plays the upper part?",
    "In the second piece one note of the tune has been changed. Which one?",
)
"""Written out, not taken from the source: a change there must not change them."""


def of_names():
    for letter, sign in itertools.product("CDEFGABcH", SIGNS):
        yield theory.pitch_class, (letter + sign,), {}
        for octave in (-1, 4, 9):
            yield theory.parse_pitch, (f"{letter}{sign}{octave}",), {}
        yield theory.fifths_of, (letter + sign,), {}
        for mode in ("", "m", " major", " minor", "maj", "MIN", "M", " dorian"):
            yield (
                (lambda text: (theory.parse_key(text), theory.parse_key(text).fifths)),
                (letter + sign + mode,),
                {},
            )
        for quality in QUALITIES:
            yield theory.spell_chord, (letter + sign, quality), {}
    yield theory.spell_chord, ("C", "sus2"), {}
    for text in ("", "C", " c4 ", "C10", "C-2", "C4 4", "C double  sharp 4", "flat", "Csharp4"):
        yield theory.parse_pitch, (text,), {}
    for place in range(-17, 22):
        yield theory.spell, (place,), {}
    for tonic, mode in itertools.product(range(-1, 13), ("major", "minor")):
        yield theory.key_at, (tonic, mode), {}
        yield theory.key_at(tonic).scale, (), {}
        for pitch in range(55, 72):
            yield theory.key_at(tonic, mode).spell, (pitch,), {}
    yield theory.key_at, (3,), {}
    for name in ("C", "Eb", "F#", "B##"):
        for scale in (None, *SCALES, "blues"):
            yield Key(name, "minor").scale, (scale,), {}
    yield (lambda: (Key("Eb").name, theory.LETTERS, theory.ROOTS, theory.NATURALS)), (), {}


def of_chords():
    for slot in (0, 1, 2, 31, 32):
        yield solvers.is_offbeat, (slot,), {}
    for slots in ([], [1, 3], [2, 2, 4], range(1, 33), [32]):
        yield solvers.count_offbeats, (slots,), {}
    for count in range(-1, 18):
        yield solvers.syncopation_letter, (count,), {}
    rows = ([], [60], [60, 62], [62, 64], [60, 61], [62, 60], [60, 62, 64])
    for a, b in itertools.product(rows, repeat=2):
        yield solvers.are_transpositions, (a, b), {}
    for root, steps in itertools.product((48, 61), itertools.combinations(range(12), 3)):
        chord = [root + step for step in steps]
        if steps[0] == 0:
            yield solvers.chord_quality, (chord,), {}
            yield solvers.chord_quality, ([*chord, root + 10],), {}
            yield solving.names_of, (chord,), {}
    yield solvers.chord_quality, ([],), {}
    yield solvers.chord_quality, ([72, 60, 64, 67],), {}


def of_schemas():
    texts = (
        "", " \n", "```", "rhythm(X, [1])", "rhythm(X, [1, 32])\nrhythm(Y, [])", "melody(X, [60])",
        "rhythm(X, [0])\nrhythm(Y, [1])", "rhythm(X, [33])", "rhythm(Y, [1])\nrhythm(X, [1])",
        "rhythm(Z, [1])", "rhythm(X, [1,,2])", "rhythm(X, [1.5])", "rhythm(X, [1]) ok",
        "rhythm(X, [+1, -0])", "chord(X, [60, 127])\n\n chord ( Y , [ 0 ] )", "chord(X, [128])",
        "rhythm(X, [1])\nrhythm(Y, [2])\nrhythm(Y, [3])", f"rhythm(X, [{'1' * 40}])",
        f"rhythm(X, [{'1' * 41}])", f"rhythm({'y' * 40}, [1])", f"rhythm({'y' * 41}, [1])",
        f"{'z' * 39}", f"{'z' * 40}", f"{'z' * 41}", "a\nrhythm(X, [1])\n```",
    )  # fmt: skip
    for kind, text in itertools.product(("rhythm", "melody", "chord"), texts):
        for ids in (("X",), ("X", "Y")):
            yield solvers.parse_schema, (kind, text, ids), {}
    for kind in ("rhythm", "melody", "chord"):
        yield solvers.constraints, (kind,), {}
        yield solvers.required_line, (kind, "c1"), {}
        yield solvers.write_schema, (kind, [[1, 2], []], ["a", "b"]), {}
    yield solvers.write_schema, ("chord", [[60]], ["a"]), {}


def of_questions():
    for words in QUESTIONS:
        yield solving.understand, (words,), {}
        yield solving.understand, (f" {words} ",), {}
        yield solving.understand, (f"{words} Now?",), {}
    for numbers in itertools.product((60, 62, 64), repeat=3):
        yield solving.shape_of, (numbers,), {}
        yield solving.shape_of, ((*numbers, 63),), {}
    for numbers in ((), (60,), (60, 62)):
        yield solving.shape_of, (numbers,), {}
    bars = [[(F(0), 60), (F(1), 62)], [(F(0), 60), (F(27, 25), 62)], [(F(0), 60), (F(107, 100),
    62)],
            [(F(0), 60)], [], [(F(0), 61), (F(1), 62)]]  # fmt: skip
    for one, other in itertools.product(bars, repeat=2):
        yield solving.same, (one, other), {}
    yield solving.form_of, (bars,), {}
    yield solving.form_of, (bars[::-1] + bars,), {}
    edge = [Event(F(k, 50), F(1, 4), ("C4", "E4")) for k in (-3, -2, -1, 0, 96, 97, 98, 99, 100)]
    yield solving.content, (edge, F(0), F(2)), {}
    yield solving.content, (edge, F(1), F(2)), {}
    yield (lambda: (solving.INTERVALS, solving.UPBEATS, solving.CADENCE_WORDS)), (), {}


def of_answers():
    solve, up = solving.solve, piece(*SCALE)
    for a, b in itertools.product(range(-1, 10), repeat=2):
        for skill in ("pitch", "spelling", "interval", "contour"):
            options = [*SCALE, *solving.SHAPES, *solving.INTERVALS.values()]
            if skill in ("interval", "contour") or b == 1:
                yield solve, (skill, {"a": str(a), "b": str(b)}, [up], options), {}
    for pitches in (("C4", "C#6"), ("C4", "C4"), ("E5", "C4"), ("C4", "F#4")):
        two = piece(*pitches, key=None)
        yield solve, ("interval", {"a": "1", "b": "2"}, [two], solving.INTERVALS.values()), {}
        yield solve, ("spelling", {"a": "1"}, [two], SCALE), {}
    keys = ["C major", "A minor", "G major", "E minor", "F major"]
    for pitches in (SCALE, SCALE[::-1], ("A4", "G#4", "A4"), ("F#4", "G4"), ("C4", "A4"), ("F4",)):
        for key, some in itertools.product((Key("C"), Key("A", "minor"), None), (keys, keys[:2])):
            yield solve, ("key", {}, [piece(*pitches, key=key)], some), {}
    yield solve, ("key", {}, [piece("C4", key=None)], []), {}
    for metre in ((4, 4), (6, 8), (3, 2)):
        yield solve, ("metre", {}, [piece(*SCALE, metre=metre)], ["4/4", "6/8", "3/2"]), {}
    for names in itertools.product(TRIADS, repeat=2):
        both = piece(*SCALE, harmony=names)
        for key in ("C major", "A minor", "C minor"):
            words = list(solving.CADENCE_WORDS.values())
            yield solve, ("cadence", {"key": key}, [both], words), {}
        yield solve, ("chord", {"a": "2"}, [both], ["C major", "A minor", "F major", "G major"]), {}
    yield solve, ("chord", {"a": "1"}, [piece("C4", harmony=["C3 D3 E3"])], ["C major"]), {}
    tune = (
        "C4",
        "D4",
        "E4",
        "F4",
        "G4",
        "G4",
        "G4",
        "G4",
        "C4",
        "D4",
        "E4",
        "F4",
        "A4",
        "A4",
        "B4",
        "C5",
    )
    for number, upbeat in itertools.product(range(0, 6), (F(0), F(1))):
        some = [f"bar {n}" for n in range(1, 5) if n != number]
        yield solve, ("repeated bar", {"a": str(number)}, [piece(*tune, upbeat=upbeat)], some), {}
        yield (
            solve,
            ("form", {"a": str(number)}, [piece(*tune)], ["ABAC", "AAAA", "ABCD", "AAAB"]),
            {},
        )
    yield solve, ("repeated bar", {"a": "1"}, [piece(*tune, *tune)], ["bar 3", "bar 5"]), {}
    for repeats in ((), ((1, 2),), ((1, 2), (3, 4))):
        marked = piece(*tune, repeats=repeats)
        yield solve, ("repeat marks", {}, [marked], ["bars 1 to 2", "bars 3 to 4"]), {}
    for upbeat, key in itertools.product((F(0), F(1, 2), F(1), F(3, 2), F(2)), (Key("C"), None)):
        some = piece(*tune, upbeat=upbeat, key=key)
        yield solve, ("upbeat", {}, [some], list(solving.UPBEATS.values())), {}
    others = [SCALE, ("D4", "E4", "F#4", "G4", "A4", "B4", "C#5", "D5"), SCALE[:7], SCALE[::-1],
              ("C5", *SCALE[1:]), ("C4", "D#4", "E4", "F4", "G4", "A4", "B4", "C#5")]  # fmt: skip
    notes = [f"note number {n}" for n in range(0, 10)]
    for other in others:
        pair = [up, piece(*other)]
        yield solve, ("transposition", {}, pair, solving.INTERVALS.values()), {}
        yield solve, ("transposition", {}, pair[::-1], solving.INTERVALS.values()), {}
        yield solve, ("changed note", {}, pair, notes), {}
    for skill in SKILLS:
        yield solve, (skill, {"a": "1", "b": "2"}, [up, up], ["flute"]), {}
        yield solve, (skill, {"a": "x"}, [up], ["flute", "4/4"]), {}
        yield solve, (skill, {}, [], ["flute"]), {}


CALLS = {"names": of_names, "chords": of_chords, "schemas": of_schemas, "asked": of_questions,
         "solved": of_answers}  # fmt: skip
