from collections import Counter
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhiyin.errors import InputError
from zhiyin.plugins.music import solvers
from zhiyin.plugins.music.stimuli import (
    Dice,
    Difficulty,
    balanced,
    crossed,
    folder,
    is_reserved,
    syncopation,
    transposition,
)
from zhiyin.plugins.music.stimuli.transposition import NOTES, steps_of
from zhiyin.plugins.music.theory import QUALITIES, ROOTS, pitch_class

pytestmark = pytest.mark.slow

KITS = tuple(syncopation.KITS)
PLAIN = Difficulty()


def plans(module, n, seed=1, difficulty=PLAIN, reserved=False):
    return list(islice(module.designs(KITS, seed, difficulty, reserved), n))


def spread(values, known):
    counts = Counter(values)
    numbers = [counts[value] for value in known]
    assert sum(numbers) == sum(counts.values())
    return max(numbers) - min(numbers)


@given(st.integers(0, 10**6), st.integers(1, 9), st.integers(1, 200))
def test_balanced_in_every_beginning(seed, size, n):
    assert spread(islice(balanced(range(size), seed), n), range(size)) <= 1


@given(st.integers(0, 10**6), st.integers(1, 12), st.integers(1, 9), st.integers(1, 250))
def test_crossed_in_every_beginning(seed, rows, columns, n):
    pairs = list(islice(crossed(range(rows), range(columns), seed), n))
    assert spread((row for row, _ in pairs), range(rows)) <= 1
    assert spread((column for _, column in pairs), range(columns)) <= 1
    everything = [(row, column) for row in range(rows) for column in range(columns)]
    whole = n - n % len(everything)
    assert whole == 0 or spread(pairs[:whole], everything) == 0


def test_dice_are_what_they_were():
    dice = Dice(7, "chords", 3)
    drawn = [dice.whole(0, 99) for _ in range(5)], dice.shuffled("abcde"), dice.choice("xyz")
    again = Dice(7, "chords", 3)
    assert drawn == (
        [again.whole(0, 99) for _ in range(5)],
        again.shuffled("abcde"),
        again.choice("xyz"),
    )
    assert Dice("a", "b").unit() != Dice("ab").unit()
    assert {Dice(k).whole(1, 3) for k in range(50)} == {1, 2, 3}


@pytest.mark.parametrize("module", [folder, syncopation, transposition])
def test_an_item_does_not_depend_on_how_many_follow(module):
    assert plans(module, 5) == plans(module, 12)[:5]
    assert plans(module, 5) != plans(module, 5, seed=2)


# Chords


def test_forty_eight_chords_are_every_root_and_quality_once():
    for seed in range(5):
        made = plans(folder, 48, seed)
        pairs = {(plan.truth["root"], plan.truth["quality"]) for plan in made}
        assert len(pairs) == 48
        for n in range(1, 48):
            assert spread((p.truth["quality"] for p in made[:n]), PLAIN.qualities) <= 1
            assert spread((p.truth["root"] for p in made[:n]), ROOTS) <= 1


def test_chords_are_what_they_are_called():
    made = plans(folder, 480)
    for plan in made:
        pitches = list(plan.truth["pitches"])
        assert solvers.chord_quality(pitches) == plan.truth["quality"]
        assert solvers.CHORD_LETTERS[plan.truth["quality"]] == plan.answer
        assert pitches[0] % 12 == pitch_class(plan.truth["root"])
        assert len(pitches) > len({p % 12 for p in pitches})
        notes = plan.scores[0].notes
        block = [note.pitch for note in notes if note.start == 0]
        arpeggio = [note for note in notes if note.start > 0]
        assert block == pitches == [note.pitch for note in arpeggio]
        assert [note.start for note in arpeggio] == [2 + k / 2 for k in range(len(pitches))]
        assert plan.seconds == (9.0,)
    assert len({tuple(plan.truth["pitches"]) for plan in made}) == 480


def test_chords_run_out_with_a_word():
    with pytest.raises(InputError, match=r"only [\d,]+ items exist"):
        plans(folder, 100_000)


def test_inversions_and_further_qualities():
    hard = Difficulty(inversions=True, qualities=tuple(QUALITIES), instruments=("flute", "organ"))
    made = plans(folder, 216, difficulty=hard)
    assert len({(plan.truth["root"], plan.truth["quality"]) for plan in made}) == 108
    assert spread((plan.truth["instrument"] for plan in made), ("flute", "organ")) == 0
    assert {plan.truth["inversion"] for plan in made} == {0, 1, 2, 3}
    assert {plan.answer for plan in made} == set("ABCDEFGHI")
    assert len({plan.truth["pitches"] for plan in made}) == 216
    for plan in made:
        root = pitch_class(plan.truth["root"])
        classes = {(pitch - root) % 12 for pitch in plan.truth["pitches"]}
        assert classes == set(QUALITIES[plan.truth["quality"]])


def test_every_chord_has_voicings_to_score_and_to_show():
    for root in range(12):
        for quality in QUALITIES:
            scored = set(folder._voicings(root, quality, False, False))
            shown = set(folder._voicings(root, quality, False, True))
            assert len(scored) >= 20
            assert shown
            assert not scored & shown


# Syncopation


@given(st.sampled_from([0, 2, 4, 6, 8]), st.integers(0, 10**9))
def test_exactly_as_many_offbeats_as_the_level_says(level, seed):
    groove = syncopation.draw_groove(level, Dice(seed))
    hits = [*groove.kick, *groove.snare]
    assert solvers.count_offbeats(hits) == groove.offbeats == level
    assert len(set(hits)) == len(hits)
    assert all(1 <= slot <= 32 for slot in hits)
    assert groove.kick[0] == 1
    assert 17 in groove.kick
    assert len(groove.kick) >= 4
    assert len(groove.snare) >= 4
    assert 12 <= len(hits) <= 16


def test_syncopation_items_balance_and_differ():
    made = plans(syncopation, 105)
    for n in range(1, 106):
        assert spread((p.answer for p in made[:n]), "ABCDE") <= 1
        assert spread((p.truth["kit"] for p in made[:n]), syncopation.KITS.values()) <= 1
        assert spread((p.truth["hat"] for p in made[:n]), syncopation.HATS) <= 1
    assert len({(p.truth["kick"], p.truth["snare"]) for p in made}) == 105


def test_busy_does_not_mean_syncopated():
    made = plans(syncopation, 500)
    means = {}
    for letter in "ABCDE":
        counts = [len(p.truth["kick"]) + len(p.truth["snare"]) for p in made if p.answer == letter]
        means[letter] = sum(counts) / len(counts)
    assert max(means.values()) - min(means.values()) < 0.7


def test_hi_hat_is_constant_and_time_is_exact():
    for plan in plans(syncopation, 20):
        notes = plan.scores[0].notes
        hats = [n for n in notes if n.pitch in (syncopation.CLOSED_HAT, syncopation.PEDAL_HAT)]
        assert [n.start for n in hats] == [k / 4 for k in range(32)]
        assert len({n.pitch for n in hats}) == 1
        assert plan.seconds == (8.0,)
        assert all(n.is_drum for n in notes)


def test_a_font_without_kits_is_refused():
    with pytest.raises(InputError, match="no drum kits"):
        next(syncopation.designs((), 1, PLAIN, False))


# Transposition


def test_transposed_pairs_are_and_others_are_matched():
    made = plans(transposition, 120)
    for plan in made:
        first, second = plan.truth["pitches"]
        shift = plan.truth["shift"]
        assert shift in transposition.SHIFTS
        assert NOTES[0] <= len(first) == len(second) <= NOTES[1]
        assert all(36 <= pitch <= 90 for pitch in first + second)
        same = solvers.are_transpositions(first, second)
        assert same == (plan.answer == "Yes") == (plan.truth["kind"] == "transposed")
        rhythms = [[(n.start, n.duration, n.velocity) for n in s.notes] for s in plan.scores]
        assert rhythms[0] == rhythms[1]
        assert 6 < plan.seconds[0] < 13
        assert second[0] - first[0] == shift
        assert second[-1] - first[-1] == shift
        assert abs(min(second) - min(first) - shift) <= 1
        assert abs(max(second) - max(first) - shift) <= 1
        if not same:
            pairs = list(zip(steps_of(first), steps_of(second), strict=True))
            assert sum(a == b for a, b in pairs) <= len(pairs) / 2


def test_transposition_items_balance_and_differ():
    made = plans(transposition, 96)
    for n in range(1, 97):
        part = made[:n]
        assert spread((p.answer for p in part), ("Yes", "No")) <= 1
        assert spread((p.truth["metre"] for p in part), ("3/4", "4/4")) <= 1
        instruments = transposition.GUITARS_AND_PIANO
        assert spread((p.truth["instrument"] for p in part), instruments) <= 1
        assert spread((p.truth["keys"][0].split()[1] for p in part), ("major", "minor")) <= 1
        tonics = (pitch_class(p.truth["keys"][0].split()[0]) for p in part)
        assert spread(tonics, range(12)) <= 1
        for answer in ("Yes", "No"):
            shifts = (p.truth["shift"] for p in part if p.answer == answer)
            assert spread(shifts, transposition.SHIFTS) <= 1
    melodies = [steps_of(p.truth["pitches"][0]) for p in made]
    assert len(set(melodies)) == 96
    assert len({(p.truth["instrument"], p.answer) for p in made}) == 8
    assert {70 <= p.truth["tempo"] <= 150 for p in made} == {True}


def test_altered_pairs_differ_in_one_inner_note():
    made = plans(transposition, 64, difficulty=Difficulty(altered=True))
    kinds = Counter(plan.truth["kind"] for plan in made)
    assert kinds == {"transposed": 32, "altered": 16, "different": 16}
    for plan in made:
        if plan.truth["kind"] == "altered":
            first, second = plan.truth["pitches"]
            moved = [b - a - plan.truth["shift"] for a, b in zip(first, second, strict=True)]
            changed = [index for index, change in enumerate(moved) if change]
            assert len(changed) == 1
            assert 0 < changed[0] < len(first) - 1
            assert 1 <= abs(moved[changed[0]]) <= 3
            assert plan.answer == "No"


# Examples


@pytest.mark.parametrize("seed", range(3))
def test_examples_never_equal_scored_items(seed):
    def content(module, plan):
        if module is folder:
            return {plan.truth["pitches"]}
        if module is syncopation:
            return {(plan.truth["kick"], plan.truth["snare"])}
        return {steps_of(pitches) for pitches in plan.truth["pitches"]}

    for module in (folder, syncopation, transposition):
        scored = set().union(*(content(module, p) for p in plans(module, 100, seed)))
        shown = set().union(
            *(content(module, p) for p in plans(module, 4, seed + 1, reserved=True))
        )
        assert not scored & shown


def test_one_in_eight_is_reserved():
    share = sum(is_reserved((k, k + 4)) for k in range(4000)) / 4000
    assert 0.1 < share < 0.15


@pytest.mark.parametrize("tempo", [40, 221, 222, 240])
def test_melodies_are_found_at_every_tempo_that_is_allowed(tempo):
    pairs = plans(transposition, 4, difficulty=Difficulty(tempo=(tempo, tempo)))
    assert {plan.truth["metre"] for plan in pairs} == {"3/4", "4/4"}
    assert all(NOTES[0] <= len(plan.truth["onsets"]) <= NOTES[1] for plan in pairs)
    assert all(plan.seconds[0] <= 12.5 for plan in pairs)
